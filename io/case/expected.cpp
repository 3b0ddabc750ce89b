// SPDX-License-Identifier: Apache-2.0
// The numbers that a case is known to give, which tests compare with what it gives.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "io/result/wheel/table.h"
#include "io/yaml/suggestion.h"

namespace slipfield {
namespace {

bool is_count(const std::string& name) {
  const auto table = quantity_table();
  return std::any_of(table.begin(), table.end(), [&](const QuantityEntry& entry) {
    return entry.name == name && entry.is_integer();
  });
}

constexpr int kMostPatches = 100;

bool is_force_ratio(const std::string& name) { return name.rfind("force_ratio_", 0) == 0; }

// The input of step `number` (from 1; 0: the last) of the sequence.
const StepInput& step_input(const std::vector<StepInput>& steps, int number) {
  int end = 0;
  for (const StepInput& step : steps) {
    end += step.repeat;
    if (number != 0 && number <= end) return step;
  }
  return steps.back();
}

void check_inside(CaseSection& section, const std::string& quantity,
                  const std::optional<InteriorRequest>& interior) {
  const auto inside = interior_quantity_names();
  if (std::find(inside.begin(), inside.end(), quantity) == inside.end()) return;
  if (!interior)
    return section.error_at_value("quantity",
                                  in_quotes(quantity) + " does not exist without an interior",
                                  "a quantity of the step, or a case with 'interior'");
  const bool dang_van = quantity.starts_with("max_dang_van") && !interior->fatigue.dang_van;
  const bool crossland = quantity.starts_with("max_crossland") && !interior->fatigue.crossland;
  if (dang_van || crossland)
    section.error_at_value(
        "quantity", in_quotes(quantity) + " does not exist without interior.fatigue",
        "a quantity of the step, or a case with its slope in 'interior.fatigue'");
}

void check_applies(CaseSection& section, const std::string& quantity, const StepInput& step,
                   const std::optional<InteriorRequest>& interior, const SurfaceRequest& surfaces) {
  check_inside(section, quantity, interior);
  const SurfaceNumberEntry* surface = find_surface_number(quantity);
  if (surface != nullptr && !has_surface_number(surfaces, *surface))
    section.error_at_value(
        "quantity", in_quotes(quantity) + " does not exist without its section of the surfaces",
        "a quantity of the step, or a case with 'wear', 'heat' or 'fatigue'");
  const auto problem = step.tangential.problem;
  for (const QuantityEntry& entry : quantity_table()) {
    if (entry.name == quantity && !entry.applies(problem))
      section.error_at_value(
          "quantity",
          fmt::format("{} does not exist in a step whose tangential problem is {}",
                      in_quotes(quantity), problem_name(problem)),
          "a quantity of that problem");
  }
  if (quantity == kFrictionPowerName && slip_rate(step) == 0.0)
    section.error_at_value(
        "quantity",
        in_quotes(quantity) +
            " does not exist in a step without a rolling velocity, or the duration of a shift",
        "friction_work, or a tangential.velocity or duration");
  if (is_force_ratio(quantity) && step.friction.coefficient == 0.0)
    section.error_at_value("quantity", in_quotes(quantity) + " does not exist without friction",
                           "force_x, force_y, or a friction coefficient > 0");
}

// 0: of an ordinary case.
std::optional<int> read_point(CaseSection& section, const SweepPosition& position) {
  if (position.count > 0) return section.integer("point", {1, position.count}, Presence::required);
  section.refuse("point", "the case has no sweep, and so no points", "no such key");
  return 0;
}

std::optional<Expectation> read_expectation(CaseSection& section,
                                            const std::optional<std::vector<StepInput>>& steps,
                                            const SweepPosition& position, ExpectedOf of,
                                            const std::optional<InteriorRequest>& interior,
                                            const SurfaceRequest& surfaces) {
  Expectation result;
  const bool of_wheel = of == ExpectedOf::wheel;
  const auto names = of_wheel ? wheel_number_names() : quantity_names();
  const std::vector<std::string_view> words(names.begin(), names.end());
  section.takes("quantity", [&] { return word_form({names.begin(), names.end()}); });
  auto quantity = section.text("quantity", "the name of a quantity of a step", Presence::required);
  if (quantity && std::find(words.begin(), words.end(), *quantity) == words.end()) {
    section.error_at_value("quantity", in_quotes(*quantity) + " is not a quantity of a step",
                           accepted_words(*quantity, words));
    quantity.reset();
  }
  const bool exact = !quantity || is_count(*quantity);
  const auto value = section.number("value", kAnyNumber, Presence::required);
  const auto tolerance =
      section.number("tolerance", kNotNegative, exact ? Presence::optional : Presence::required);
  const auto point = read_point(section, position);
  const bool is_here = point == position.point;  // another point may have other steps
  const int last = steps && is_here && section.has("step") ? count_steps(*steps) : kMaxRepeat;
  const auto step = section.integer("step", {1, last}, Presence::optional);
  if (of_wheel)
    result.patch = section.integer("patch", {1, kMostPatches}, Presence::optional).value_or(0);
  else
    section.refuse("patch", "the case has no 'wheel_rail', and so no patches", "no such key");
  result.source = section.text("source", "where the value is from, in one line", Presence::optional)
                      .value_or("");
  section.finish();
  if (!is_here || !quantity || !value || (!exact && !tolerance) || (section.has("step") && !step))
    return std::nullopt;
  result.quantity = *quantity;
  result.value = *value;
  result.tolerance = tolerance.value_or(0.0);
  result.step = step.value_or(0);
  result.point = position.point;
  if (steps && !of_wheel)
    check_applies(section, *quantity, step_input(*steps, result.step), interior, surfaces);
  return result;
}

}  // namespace

std::vector<Expectation> read_expected(CaseSection& root,
                                       const std::optional<std::vector<StepInput>>& steps,
                                       const SweepPosition& position, ExpectedOf of,
                                       const std::optional<InteriorRequest>& interior,
                                       const SurfaceRequest& surfaces) {
  constexpr std::string_view kAccepted =
      "a list of maps {quantity, value, tolerance, step, point, source}";
  std::vector<Expectation> expected;
  root.takes("expected", [] { return list_form(map_form(), 0); });
  const YamlNode* node = root.value("expected", kAccepted, Presence::optional);
  if (node == nullptr) return expected;
  if (node->kind != YamlNode::Kind::sequence) {
    root.error_at_value("expected", describe_node(*node), kAccepted);
    return expected;
  }
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    CaseSection section(node->items[i], node->items[i].place,
                        fmt::format("{}.{}", root.path_of("expected"), i), root.diagnostics());
    if (!section.is_map()) continue;
    if (auto expectation = read_expectation(section, steps, position, of, interior, surfaces))
      expected.push_back(std::move(*expectation));
  }
  return expected;
}

}  // namespace slipfield
