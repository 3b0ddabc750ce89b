// SPDX-License-Identifier: Apache-2.0
#include "io/contact/contact_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "io/contact/bodies/influence.h"
#include "io/contact/case.h"
#include "io/contact/lines.h"
#include "io/contact/support.h"
#include "io/contact/wheel/conversion.h"
#include "io/contact/writer.h"
#include "io/yaml/error.h"

namespace slipfield {
namespace {

struct ReadCases {
  std::vector<InputCase> cases;
  std::optional<SkippedCase> rest;  // from the line that ended the reading
};

class CaseReading {
 public:
  CaseReading(const SourceText& source, const std::optional<CaseRange>& range)
      : source_(source), range_(range), lines_(source, found_) {}

  // Unsupported::skip: text that cannot be read ends the reading, and earlier cases are kept.
  ReadCases read(Unsupported unsupported) {
    try {
      read_all();
    } catch (const CaseError&) {
      broken_off_ = true;
    }
    if (found_.empty()) return {std::move(cases_), std::nullopt};
    const bool some_are_right = broken_off_ && errors_before_ == 0 && !cases_.empty();
    const std::size_t unread = found_.count();
    if (unsupported == Unsupported::refuse) check_all();
    const bool all_supported = found_.count() == unread;
    if (unsupported == Unsupported::refuse || !some_are_right)
      throw CaseError(found_.text() + (some_are_right && all_supported && !range_ ? hint() : ""));
    const InputCase& last = cases_.back();
    SkippedCase rest{last.number + 1, last.last_line + 1, source_.line_count(), true,
                     found_.messages()};
    return {std::move(cases_), std::move(rest)};
  }

 private:
  // All cases up to the end of the file, or to the last one wanted.
  void read_all() {
    bool within = false;  // R = 0, 2: the next case follows without a module number
    while (!lines_.at_end()) {
      errors_before_ = found_.count();
      if (!within && !read_module()) return;
      cases_.push_back(read_input_case(lines_, before(), found_));
      cases_.back().number = static_cast<int>(cases_.size());
      cases_.back().result_element = element_;
      if (range_ && cases_.back().number >= range_->last) return;
      within = cases_.back().digit('R') % 2 == 0;
    }
  }

  // The previous case of the same result element and contact problem, or null.
  [[nodiscard]] const InputCase* before() const {
    const auto found = std::find_if(cases_.rbegin(), cases_.rend(), [&](const InputCase& input) {
      return input.result_element == element_;
    });
    return found == cases_.rend() ? nullptr : &*found;
  }

  // True if another case follows.
  bool read_module() {
    constexpr std::array<InputField, 3> kModule{{{.label = "MODULE", .kind = InputKind::integer},
                                                 {.label = "result element",
                                                  .kind = InputKind::integer,
                                                  .range = kAnyNumber,
                                                  .presence = Presence::optional},
                                                 {.label = "contact problem",
                                                  .kind = InputKind::integer,
                                                  .range = kAnyNumber,
                                                  .presence = Presence::optional}}};
    const std::vector<InputNumber> numbers = lines_.read("MODULE", kModule);
    const InputNumber& module = numbers[0];
    element_ = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i)
      element_ = element_ * 1000 + numbers[i].integer();
    if (module.value == 3.0) return true;
    if (module.value == 0.0) return false;
    found_.add(module.place, "MODULE",
               module.value == 1.0 ? "wheel-rail contact (module 1) has a file of its own"
                                   : fmt::format("there is no {}", module.value),
               "accepted: 3, the basic contact, and 0 at the end; in a file of its own 1, a "
               "wheel on a rail");
    broken_off_ = true;
    return false;
  }

  // All errors of a file are reported at once.
  void check_all() {
    const InputCase* before = nullptr;
    for (const InputCase& input : cases_) {
      if (!is_wanted(input.number, range_)) continue;
      if (input.complete()) check_support(input, before, found_);
      before = &input;
    }
  }

  [[nodiscard]] std::string hint() const {
    return fmt::format("\nWhat comes before can be converted: --skip-unsupported, or --cases 1{}",
                       cases_.size() > 1 ? fmt::format("-{}", cases_.size()) : "");
  }

  const SourceText& source_;
  const std::optional<CaseRange>& range_;
  CaseDiagnostics found_;
  InputLines lines_;
  std::vector<InputCase> cases_;
  std::size_t errors_before_ = 0;  // the last case
  bool broken_off_ = false;        // reading ended in the last case
  std::int64_t element_ = 0;       // of the current case: result element and contact problem
};

// Names the convertible part of a refused file; empty if none.
std::string hint(const std::vector<const InputCase*>& cases, const std::set<int>& unsupported) {
  if (unsupported.size() == cases.size()) return {};
  const auto is_supported = [&](const InputCase* input) {
    return !unsupported.contains(input->number);
  };
  const auto first = std::find_if(cases.begin(), cases.end(), is_supported);
  const auto end = std::find_if_not(first, cases.end(), is_supported);
  const int last = (*std::prev(end))->number;
  return fmt::format(
      "\n{} of {} cases are supported: --skip-unsupported converts these, --cases {}{} some of "
      "them",
      cases.size() - unsupported.size(), cases.size(), (*first)->number,
      last == (*first)->number ? "" : fmt::format("-{}", last));
}

// Continues from the tractions of the previous case.
bool goes_on(const InputCase& input) {
  return input.digit('P') == 0 && (input.digit('T') == 1 || input.digit('T') == 2);
}

// Continues from the tractions before the last case.
bool iterates(const InputCase& input) {
  return input.digit('P') == 3 && (input.digit('T') == 1 || input.digit('T') == 2);
}

// Starts from zero tractions, although steady rolling and pressure alone do not need it.
bool starts_anew(const InputCase& input) {
  return (input.digit('P') == 1 || input.digit('P') == 2) &&
         (input.digit('T') == 1 || input.digit('T') == 2);
}

bool same_body(const ElasticBody& a, const ElasticBody& b) {
  return a.shear_modulus == b.shear_modulus && a.poisson_ratio == b.poisson_ratio &&
         a.creep == b.creep;
}

bool same_solver(const InputCase& a, const InputCase& b) {
  if (a.simplified() != b.simplified()) return false;
  const auto numbers = [](const InputCase& input) {
    std::vector<double> values{static_cast<double>(input.digit('M')),
                               static_cast<double>(input.digit('B')),
                               input.state.flexibility.value};
    for (const InputNumber& number : input.state.slope) values.push_back(number.value);
    if (input.digit('B') == 4)
      for (const InputNumber& number : input.state.potential) values.push_back(number.value);
    return values;
  };
  return !a.simplified() || numbers(a) == numbers(b);
}

// Explains why the case does not fit the group; empty if it does.
std::string difference(const InputCase& input, const InputSurface& surface,
                       const InputGroup& group) {
  const InputCase& last = *group.cases.back();
  if (input.result_element != last.result_element) return "the result elements";
  if (!same_surface(surface, group.surface)) return "the grid or the geometry";
  if (!same_body(upper_body(input), upper_body(last)) ||
      !same_body(lower_body(input), lower_body(last)))
    return "the bodies";
  if (!same_heat(input, last)) return "the heat data";
  if (input_layer(input) != input_layer(last)) return "the layers";
  if (input_influence(input, {}) != input_influence(last, {})) return "the influence coefficients";
  return same_solver(input, last) ? "" : "the method";
}

// Its only case continues from tractions that are not in its file.
bool starts_elsewhere(const InputGroup& group) {
  return group.cases.size() == 1 && group.cases.front()->number > 1 &&
         !starts_anew(*group.cases.front()) && !iterates(*group.cases.front());
}

// Groups cases that become the steps of one case file.
class InputGrouping {
 public:
  // Adds the next case. Returns false if it continues from a case that is missing or in another
  // file, which is reported in `found`. A case with P = 3 begins a file that repeats the steps up
  // to where the last case began.
  bool add(const InputCase& input, const InputSurface& surface, CaseDiagnostics& found);
  // Leaves out a case: the next one begins another file.
  void leave_out() { left_out_ = true; }

  [[nodiscard]] std::vector<InputGroup>& groups() { return groups_; }

 private:
  void repeat_but_last(const InputSurface& surface);

  std::vector<InputGroup> groups_;
  bool left_out_ = false;  // the previous case is
};

bool InputGrouping::add(const InputCase& input, const InputSurface& surface,
                        CaseDiagnostics& found) {
  const std::string change = groups_.empty() ? "" : difference(input, surface, groups_.back());
  const bool needs_last = goes_on(input) || iterates(input);
  const std::string label = fmt::format("P = {}", input.digit('P'));
  if ((groups_.empty() || left_out_) && needs_last && input.number > 1)
    found.add(input.digits['P'].place, label,
              "continues from the tractions of a case that is not converted",
              "P = 1 or 2 in the first case");
  else if (!change.empty() && needs_last)
    found.add(input.digits['P'].place, label,
              fmt::format("continues from the tractions of the case before, but {} differ",
                          change == "the method" ? "the methods" : change),
              "accepted: P = 2, or steps on one grid, with one geometry and the same "
              "bodies");
  else if (iterates(input) && !groups_.empty() && starts_elsewhere(groups_.back()))
    found.add(input.digits['P'].place, label,
              "continues from tractions that belong to another grid, geometry or bodies",
              "accepted: P = 0 or 2");
  if (!found.empty()) return false;
  if (iterates(input) && !groups_.empty())
    repeat_but_last(surface);
  else if (groups_.empty() || !change.empty() || starts_anew(input) || left_out_)
    groups_.push_back({{}, {}, surface});
  groups_.back().cases.push_back(&input);
  left_out_ = false;
  return true;
}

void InputGrouping::repeat_but_last(const InputSurface& surface) {
  InputGroup next{groups_.back().cases, {}, surface};
  next.cases.pop_back();
  next.repeated = next.cases.size();
  groups_.push_back(std::move(next));
}

// Writes the groups.
ConvertedInput write_groups(std::vector<InputGroup>& groups, const std::string& name,
                            const std::filesystem::path& folder) {
  ConvertedInput result;
  for (InputGroup& group : groups) {
    for (const InputCase* input : group.cases)
      group.steps.push_back(input_step(*input, group.surface.grid));
    result.cases.push_back(write_input_group(group, name, folder));
  }
  return result;
}

class Conversion {
 public:
  Conversion(const ReadCases& read, const std::optional<CaseRange>& range, Unsupported unsupported)
      : read_(read), skips_(unsupported == Unsupported::skip) {
    for (const InputCase& input : read.cases)
      if (is_wanted(input.number, range)) cases_.push_back(&input);
  }

  ConvertedInput convert(const std::string& name, const std::filesystem::path& folder) {
    for (std::size_t i = 0; i < cases_.size(); ++i)
      check(*cases_[i], i == 0 ? nullptr : cases_[i - 1]);
    if (!skips_) throw_if_any(hint(cases_, unsupported_));
    InputGrouping grouping;
    group(grouping);
    if (!skips_ || grouping.groups().empty()) throw_if_any("");
    if (read_.rest) skipped_.push_back(*read_.rest);
    ConvertedInput result = write_groups(grouping.groups(), name, folder);
    result.warnings = diagnostics_.warnings();
    result.skipped = std::move(skipped_);
    std::sort(result.skipped.begin(), result.skipped.end(),
              [](const SkippedCase& a, const SkippedCase& b) { return a.number < b.number; });
    return result;
  }

 private:
  void check(const InputCase& input, const InputCase* before) {
    CaseDiagnostics found;
    if (input.complete()) check_support(input, before, found);
    if (!found.empty()) {
      unsupported_.insert(input.number);
      leave_out(input, found);
      return;
    }
    if (!input.computed()) warn_not_computed(input, found);
    diagnostics_.take(found);
  }

  // Uses the surfaces of all cases read, because a later case may keep an earlier one.
  void group(InputGrouping& grouping) {
    std::map<int, std::optional<InputSurface>> surfaces;  // of each result element
    for (const InputCase& input : read_.cases) {
      auto& surface = surfaces[input.result_element];
      const bool wants = std::find(cases_.begin(), cases_.end(), &input) != cases_.end();
      const bool keeps = input.digit('D') == 0 || input.digit('Z') == 0;
      const bool known =
          input.complete() && supports_surface(input) && (surface || !keeps || input.number == 1);
      if (known)
        surface = input_surface(input, surface ? &*surface : nullptr);
      else if (!keeps || !surface)
        surface.reset();
      if (!wants || !input.computed()) continue;
      if (unsupported_.contains(input.number) || !known || !add(grouping, input, *surface))
        grouping.leave_out();
      if (!known && !unsupported_.contains(input.number)) refuse_surface(input);
    }
  }

  bool add(InputGrouping& grouping, const InputCase& input, const InputSurface& surface) {
    CaseDiagnostics found;
    if (grouping.add(input, surface, found)) {
      warn_of_points(input, surface.grid, found);
      diagnostics_.take(found);
      return true;
    }
    leave_out(input, found);
    return false;
  }

  void refuse_surface(const InputCase& input) {
    CaseDiagnostics found;
    const char letter = input.digit('D') == 0 ? 'D' : 'Z';
    found.add(input.digits[letter].place, fmt::format("{} = 0", letter),
              "keeps the grid or the geometry of a case that is not supported",
              "accepted: D = 2 and Z = 2");
    leave_out(input, found);
  }

  void leave_out(const InputCase& input, const CaseDiagnostics& found) {
    if (skips_)
      skipped_.push_back(
          {input.number, input.first_line, input.last_line, false, found.messages()});
    diagnostics_.take(found);
  }

  void throw_if_any(const std::string& remark) const {
    if (!diagnostics_.empty()) throw CaseError(diagnostics_.text() + remark);
  }

  const ReadCases& read_;
  bool skips_;
  std::vector<const InputCase*> cases_;  // those wanted
  std::set<int> unsupported_;            // numbers of unsupported cases
  std::vector<SkippedCase> skipped_;
  CaseDiagnostics diagnostics_;
};

// `folder` as seen from `other`.
std::filesystem::path folder_from(const std::filesystem::path& folder,
                                  const std::filesystem::path& other) {
  if (other.empty()) return {};
  std::error_code failed;
  const auto from = std::filesystem::absolute(other, failed);
  const auto seen = std::filesystem::relative(folder.empty() ? "." : folder, from, failed);
  return failed || seen.empty() ? std::filesystem::absolute(folder, failed) : seen;
}

}  // namespace

ConvertedInput convert_contact_input(const std::filesystem::path& path,
                                     const std::optional<CaseRange>& range, Unsupported unsupported,
                                     const std::filesystem::path& output_folder) {
  const SourceText source =
      read_source(path, {.needed = "an input file of CONTACT (.inp)",
                         .encoding = "an input file is needed in UTF-8 (iconv -f latin1 -t utf8)",
                         .start = "a case, which starts with '3 MODULE'",
                         .size = "an input file is a short text"});
  const std::filesystem::path folder = folder_from(path.parent_path(), output_folder);
  if (is_wheel_rail_input(source))
    return convert_wheel_rail_input(source, path.filename().string(), folder, range, unsupported);
  const ReadCases read = CaseReading(source, range).read(unsupported);
  check_range(source, read.cases.empty() ? 0 : read.cases.back().number, range);
  return Conversion(read, range, unsupported).convert(path.filename().string(), folder);
}

}  // namespace slipfield
