#include "io/contact_input.h"

#include <fmt/format.h>

#include <utility>

#include "io/contact_input_case.h"
#include "io/contact_input_lines.h"
#include "io/contact_input_support.h"
#include "io/contact_input_writer.h"

namespace slipfield {
namespace {

bool wanted(int number, const std::optional<CaseRange>& range) {
  return !range || (range->first <= number && number <= range->last);
}

// Goes on from the tractions that the case before left.
bool goes_on(const InputCase& input) {
  return input.digit('P') == 0 && (input.digit('T') == 1 || input.digit('T') == 2);
}

// Begins from zero tractions, which steady rolling and pressure alone do not ask for.
bool starts_anew(const InputCase& input) {
  return input.digit('P') != 0 && (input.digit('T') == 1 || input.digit('T') == 2);
}

bool same_body(const ElasticBody& a, const ElasticBody& b) {
  return a.shear_modulus == b.shear_modulus && a.poisson_ratio == b.poisson_ratio;
}

bool same_solver(const InputCase& a, const InputCase& b) {
  return a.digit('M') == b.digit('M') && (a.digit('M') != 3 || a.digit('B') == b.digit('B'));
}

// What keeps the case out of the group; empty: nothing.
std::string difference(const InputCase& input, const InputSurface& surface,
                       const InputGroup& group) {
  const InputCase& last = *group.cases.back();
  if (!same_surface(surface, group.surface)) return "the grid or the geometry";
  if (!same_body(upper_body(input), upper_body(last)) ||
      !same_body(lower_body(input), lower_body(last)))
    return "the bodies";
  return same_solver(input, last) ? "" : "the method";
}

// All cases up to the end of the file, or to the last one wanted.
std::vector<InputCase> read_cases(const SourceText& source, const std::optional<CaseRange>& range,
                                  CaseDiagnostics& diagnostics) {
  InputLines lines(source, diagnostics);
  std::vector<InputCase> cases;
  bool within = false;  // R = 0, 2: the next case follows without a module number
  while (!lines.at_end()) {
    if (!within) {
      const InputNumber module = lines.read_list("MODULE", 1, InputKind::integer)[0];
      if (module.value == 0.0) break;
      if (module.value != 3.0) {
        diagnostics.add(module.place, "MODULE",
                        module.value == 1.0 ? "wheel-rail contact (module 1) is not supported"
                                            : fmt::format("there is no {}", module.value),
                        "accepted is 3, the basic contact, or 0 at the end");
        break;
      }
    }
    cases.push_back(read_input_case(lines, cases.empty() ? nullptr : &cases.back(), diagnostics));
    if (range && cases.back().number >= range->last) break;
    within = cases.back().digit('R') % 2 == 0;
  }
  return cases;
}

void check_range(const SourceText& source, const std::vector<InputCase>& cases,
                 const std::optional<CaseRange>& range, CaseDiagnostics& diagnostics) {
  const SourcePlace end{&source, source.line_count() - 1, 0};
  if (cases.empty()) {
    if (!diagnostics.empty()) return;
    diagnostics.add(end, "MODULE", "the file has no case", "\"3 MODULE\" and the lines of a case");
  } else if (range && range->last > cases.back().number) {
    diagnostics.add(end, "cases", fmt::format("the file has {} of them", cases.back().number),
                    fmt::format("numbers from 1 to {}", cases.back().number));
  }
}

class Grouping {
 public:
  explicit Grouping(CaseDiagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void add(const InputCase& input, const InputSurface& surface) {
    const std::string change = groups_.empty() ? "" : difference(input, surface, groups_.back());
    if (groups_.empty() && goes_on(input) && input.number > 1)
      diagnostics_.add(input.digits['P'].place, "P = 0",
                       "goes on from the tractions of a case that is not converted",
                       "accepted as the first is a case with P = 1 or 2");
    if (!change.empty() && goes_on(input))
      diagnostics_.add(input.digits['P'].place, "P = 0",
                       fmt::format("goes on from the tractions of the case before, but {} differ",
                                   change == "the method" ? "the methods" : change),
                       "accepted is P = 2, or steps on one grid, with one geometry and the same "
                       "bodies");
    if (groups_.empty() || !change.empty() || starts_anew(input))
      groups_.push_back({{}, {}, surface});
    groups_.back().cases.push_back(&input);
  }

  [[nodiscard]] std::vector<InputGroup>& groups() { return groups_; }

 private:
  CaseDiagnostics& diagnostics_;
  std::vector<InputGroup> groups_;
};

}  // namespace

ConvertedInput convert_contact_input(const std::filesystem::path& path,
                                     const std::optional<CaseRange>& range) {
  const SourceText source =
      read_source(path, {.needed = "an input file of CONTACT (.inp)",
                         .encoding = "an input file is needed in UTF-8 (iconv -f latin1 -t utf8)",
                         .start = "a case starts with '3 MODULE'",
                         .size = "an input file is a short text"});
  CaseDiagnostics diagnostics;
  const std::vector<InputCase> cases = read_cases(source, range, diagnostics);
  check_range(source, cases, range, diagnostics);
  const InputCase* before = nullptr;
  for (const InputCase& input : cases) {
    if (!wanted(input.number, range)) continue;
    if (input.complete()) check_support(input, before, diagnostics);
    if (!input.computed())
      diagnostics.warn(
          input.digits['R'].place, fmt::format("R = {}", input.digit('R')),
          fmt::format("case {} is read but not computed: it gives no step", input.number));
    before = &input;
  }
  diagnostics.throw_if_any();
  Grouping grouping(diagnostics);
  std::optional<InputSurface> surface;
  for (const InputCase& input : cases) {
    surface = input_surface(input, surface ? &*surface : nullptr);
    if (wanted(input.number, range) && input.computed()) grouping.add(input, *surface);
  }
  diagnostics.throw_if_any();
  ConvertedInput result;
  for (InputGroup& group : grouping.groups()) {
    for (const InputCase* input : group.cases)
      group.steps.push_back(input_step(*input, group.surface.grid));
    result.cases.push_back(write_input_group(group, path.filename().string()));
  }
  result.warnings = diagnostics.warnings();
  return result;
}

}  // namespace slipfield
