// SPDX-License-Identifier: Apache-2.0
// The known numbers of a case, which tests compare with its results.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/sweep.h"
#include "io/case/table.h"
#include "io/result/field_table.h"
#include "io/result/step_attributes.h"
#include "io/result/surface/table.h"
#include "io/result/wheel/table.h"
#include "io/yaml/suggestion.h"

namespace slipfield {
namespace {

bool is_count(const std::string& name) {
  const auto table = quantity_table();
  return std::ranges::any_of(table,
                             [&](const QuantityEntry& entry) {
                               return entry.name == name && entry.is_integer();
                             }) ||
         name.ends_with("_count") || name.ends_with("_spots");
}

constexpr int kMostContacts = 100;

// Parts of names in earlier versions, and their present names.
constexpr std::array<std::array<std::string_view, 2>, 8> kEarlierNames{
    {{"patches", "contact_count"},
     {"patch_", "contact_"},
     {"total_t_gamma", "t_gamma"},
     {"total_worn_area", "worn_area"},
     {"greatest_wear_depth", "max_wear_depth"},
     {"greatest_temperature", "max_temperature"},
     {"heat_into_rail", "heat_upper"},
     {"heat_into_wheel", "heat_lower"}}};

// Refuses a quantity that the case or the step does not have: why, after its name, and what is
// accepted.
using Refuse = std::function<void(std::string_view, std::string_view)>;

void check_inside(const Refuse& refuse, const std::string& quantity,
                  const std::optional<InteriorRequest>& interior) {
  const auto inside = interior_quantity_names();
  if (std::ranges::find(inside, quantity) == inside.end()) return;
  if (!interior)
    return refuse("does not exist without an interior",
                  "a quantity of the step, or a case with 'interior'");
  const bool dang_van = quantity.starts_with("max_dang_van") && !interior->fatigue.dang_van;
  const bool crossland = quantity.starts_with("max_crossland") && !interior->fatigue.crossland;
  if (dang_van || crossland)
    refuse("does not exist without interior.fatigue",
           "a quantity of the step, or a case with its slope in 'interior.fatigue'");
}

void refuse_motion(const Refuse& refuse, TangentialProblem problem) {
  refuse(
      fmt::format("does not exist in a step whose tangential problem is {}", problem_name(problem)),
      "a quantity of that problem");
}

// Whether a step of one contact has the motion that the number requires.
bool fits_motion(const SurfaceNumberEntry& entry, const ContactProblem& problem,
                 TangentialProblem motion) {
  using Of = SurfaceNumberEntry::Of;
  if (entry.of == Of::motion)  // T-gamma is that of its motion
    return problem.surface.wear ? is_rolling(motion) : motion == TangentialProblem::steady_rolling;
  if (entry.of == Of::rolling_wear) return is_rolling(motion);
  return entry.of != Of::shift_wear || motion == TangentialProblem::shift;
}

// step: of one contact; null: of a wheel.
void check_surface(const Refuse& refuse, const std::string& quantity, const ContactProblem& problem,
                   const StepInput* step) {
  const SurfaceNumberEntry* surface = surface_number_behind(quantity);
  if (surface == nullptr) return;
  const bool fits = step == nullptr || fits_motion(*surface, problem, step->tangential.problem);
  if (has_surface_number(problem, *surface) && fits) return;
  if (!fits && problem.surface.wear) return refuse_motion(refuse, step->tangential.problem);
  const std::string_view of = request_text(surface->of);
  refuse(fmt::format("does not exist without '{}'", of),
         fmt::format("a quantity of the step, or a case with '{}'", of));
}

void check_applies(const Refuse& refuse, const std::string& quantity, const StepInput& step,
                   const std::optional<InteriorRequest>& interior, const ContactProblem& problem) {
  check_inside(refuse, quantity, interior);
  if (find_error(quantity) != nullptr && !problem.error_estimate)
    refuse("does not exist without 'output.error_estimate: true'",
           "a quantity of the step, or a case with it");
  for (const QuantityEntry& entry : quantity_table())
    if (entry.name == quantity && !entry.applies(step.tangential.problem))
      refuse_motion(refuse, step.tangential.problem);
  if (quantity == kFrictionPowerName && slip_rate(step) == 0.0)
    refuse("does not exist in a step without a rolling velocity, or the duration of a shift",
           "friction_work, or a tangential.velocity or duration");
  if (!quantity.starts_with("force_ratio_")) return;
  if (step.friction.shear_strength > 0.0)
    refuse("is a ratio to mu F_n alone", "force_x, force_y, or no shear_strength");
  else if (step.friction.coefficient == 0.0)
    refuse("does not exist without friction", "force_x, force_y, or a friction coefficient > 0");
}

void read_quantity(CaseSection& section, const KeyRow& row, Expectation& keys) {
  auto quantity = section.text(row.name, row.accepted, Presence::required);
  if (!quantity) return;
  for (const auto& [earlier, now] : kEarlierNames)
    if (const std::size_t at = quantity->find(earlier); at != std::string::npos)
      quantity->replace(at, earlier.size(), now);
  const auto& names = row.forms.front().words;
  if (std::ranges::find(names, *quantity) == names.end())
    section.error_at_value(row.name, in_quotes(*quantity) + " is not a quantity of a step",
                           near_words(*quantity, names, kAcceptedNames));
  else
    keys.quantity = std::move(*quantity);
}
std::string quantity_text(const Expectation& keys) { return keys.quantity; }

KeyTable make_table(bool wheel, bool sweep) {
  using S = Expectation;
  const auto names = wheel ? wheel_number_names() : quantity_names();
  KeyRow point = integer("point", &S::point, IntegerRange{1, kMaxSweepPoints},
                         "required with a sweep", "of a sweep: its number");
  point.write = nullptr;  // the case of a point has no sweep
  KeyRow contact = integer("contact", &S::contact, IntegerRange{1, kMostContacts},
                           "the wheel's number, or that of the contact with most force",
                           "with `wheel_rail`: the contact's number, from the field side")
                       .or_none();
  KeyRow patch = integer("patch", &S::contact, IntegerRange{1, kMostContacts}, "none",
                         "an earlier name of `contact`");
  patch.write = nullptr;
  if (!sweep)
    point = std::move(point).never("the case has no sweep, and so no points", "no such key");
  if (!wheel)
    for (KeyRow* row : {&contact, &patch})
      *row =
          std::move(*row).never("the case has no 'wheel_rail', and so no contacts", "no such key");
  return {"expected",
          {value("quantity", {word_form({names.begin(), names.end()})},
                 "the name of a quantity of a step", "required",
                 "a name that `inspect` prints, or `force_ratio_x`, `force_ratio_y`")
               .by(read_quantity, quantity_text),
           number("value", &S::value, kAnyNumber, "required", "a number"),
           number("tolerance", &S::tolerance, kNotNegative, "required, 0 for counts", "absolute"),
           integer("step", &S::step, kRepeats, "the last", "its number").or_none(),
           std::move(point), std::move(contact), std::move(patch),
           text("source", &S::source, "where the value is from, in one line", "none",
                "where the number is from")}};
}

// Nothing if it is wrong, or belongs to another point of the sweep.
std::optional<Expectation> read_expectation(CaseSection& section,
                                            const std::optional<std::vector<StepInput>>& steps,
                                            const SweepPosition& position, ExpectedOf of,
                                            const std::optional<InteriorRequest>& interior,
                                            const ContactProblem& problem) {
  const bool of_wheel = of == ExpectedOf::wheel;
  const std::size_t before = section.diagnostics().reported();
  Expectation result;
  expected_table(of_wheel, position.count > 0).read_into(section, &result);
  if (of_wheel && section.has("contact") && section.has("patch"))
    section.error_at_value("patch", "is an earlier name of 'contact', which is there",
                           "one of them");
  const bool is_here = result.point == position.point;
  const auto at_most = [&](std::string_view key, int number, int most) {
    if (number > most)
      section.error_at_value(key, fmt::format("{} is out of range", number),
                             IntegerRange{1, most}.describe_one());
  };
  const auto require = [&](std::string_view key, const std::string& accepted) {
    if (!section.has(key))
      section.diagnostics().add_missing(section.place(), section.path_of(key), accepted);
  };
  if (position.count > 0) {
    at_most("point", result.point, position.count);
    require("point", IntegerRange{1, position.count}.describe_one());
  }
  if (steps && is_here) at_most("step", result.step, count_steps(*steps));
  if (!result.quantity.empty() && !is_count(result.quantity))
    require("tolerance", kNotNegative.describe_one());
  if (section.diagnostics().reported() != before || !is_here) return std::nullopt;
  if (!steps) return result;
  const StepInput& step =
      result.step == 0 ? steps->back() : steps->at(entry_of_step(*steps, result.step));
  const Refuse refuse = [&](std::string_view why, std::string_view accepted) {
    section.error_at_value("quantity", fmt::format("{} {}", in_quotes(result.quantity), why),
                           accepted);
  };
  check_surface(refuse, result.quantity, problem, of_wheel ? nullptr : &step);
  if (!of_wheel) check_applies(refuse, result.quantity, step, interior, problem);
  return result;
}

}  // namespace

const KeyTable& expected_table(bool wheel, bool sweep) {
  static const std::array<KeyTable, 4> tables{make_table(false, false), make_table(false, true),
                                              make_table(true, false), make_table(true, true)};
  return tables.at((wheel ? 2U : 0U) + (sweep ? 1U : 0U));
}

std::vector<Expectation> read_expected(CaseSection& root,
                                       const std::optional<std::vector<StepInput>>& steps,
                                       const SweepPosition& position, ExpectedOf of,
                                       const std::optional<InteriorRequest>& interior,
                                       const ContactProblem& problem) {
  constexpr std::string_view kAccepted =
      "a list of maps {quantity, value, tolerance, step, point, source}";
  std::vector<Expectation> expected;
  for (CaseSection& section :
       root.maps("expected", kAccepted, Presence::optional, CaseSection::Maps::none))
    if (auto expectation = read_expectation(section, steps, position, of, interior, problem))
      expected.push_back(std::move(*expectation));
  return expected;
}

std::string expected_text(const std::vector<Expectation>& expected) {
  std::string text = expected.empty() ? "" : "expected:\n";
  for (const Expectation& entry : expected)
    text += fmt::format("  - {}\n", flow_text(expected_table(entry.contact != 0, false), &entry));
  return text;
}

}  // namespace slipfield
