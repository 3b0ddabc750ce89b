// SPDX-License-Identifier: Apache-2.0
// Checks the request for wear, heat and fatigue of the surfaces.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "solver/check/fault_list.h"
#include "solver/rolling.h"
#include "solver/solution.h"

namespace slipfield {
namespace {

void check_limits(std::string_view name, const std::vector<double>& limits, FaultList& faults) {
  if (faults.numbers(name, limits, kPositive)) faults.increasing(name, limits);
}

void check_map(const ArchardMap& map, FaultList& faults) {
  check_limits("coefficient.slip_velocity", map.slip_velocity, faults);
  check_limits("coefficient.pressure", map.pressure, faults);
  const std::size_t rows = map.pressure.size() + 1;
  const std::size_t columns = map.slip_velocity.size() + 1;
  const std::size_t count = map.value.size();
  if (count != rows * columns)
    faults.add("coefficient.value",
               joined("has ", count, count == 1 ? " number" : " numbers", " for ", rows,
                      " ranges of pressure and ", columns, " of slip velocity"),
               "one row for each range of pressure, in it one number for each of slip velocity");
  else
    faults.numbers("coefficient.value", map.value, kNotNegative);
}

void check_damage(const DamageFunction& damage, FaultList& faults) {
  if (!faults.numbers("damage.t_gamma", damage.t_gamma, kNotNegative) ||
      !faults.numbers("damage.value", damage.value, kAnyNumber))
    return;
  if (damage.t_gamma.empty() || damage.t_gamma.size() != damage.value.size())
    faults.add(
        "damage.value",
        joined("has ", damage.value.size(), " numbers for ", damage.t_gamma.size(), " points"),
        "as many numbers as t_gamma has, at least one");
  else
    faults.increasing("damage.t_gamma", damage.t_gamma);
}

void check_wear(const WearRequest& wear, FaultList& faults) {
  if (!faults.enumerator("law", wear.law, WearLaw::t_gamma)) return;
  faults.number("passes", wear.passes, kPositive);
  if (wear.law == WearLaw::archard) {
    faults.number("hardness", wear.hardness, kPositive);
    check_map(wear.coefficient, faults);
  } else {
    const TGammaLaw& law = wear.t_gamma;
    faults.numbers("rates", {law.rate.begin(), law.rate.end()}, kNotNegative);
    check_limits("limits", {law.limit.begin(), law.limit.end()}, faults);
    faults.number("density", law.density, kPositive);
  }
  check_damage(wear.damage, faults);
}

void check_thermal_body(const std::string& name, const ThermalBody& body, FaultList& faults) {
  faults.each(kPositive, {{name + ".conductivity", body.conductivity},
                          {name + ".capacity", body.capacity},
                          {name + ".density", body.density}});
  faults.number(name + ".temperature", body.temperature, kAnyNumber);
}

// Names a step among all steps, as the subject of a sentence.
std::string step_name(const std::vector<StepInput>& steps, std::size_t i) {
  return steps.size() == 1 ? "the step" : "entry " + std::to_string(i + 1) + " of the steps";
}

bool shifts(const StepInput& step) { return step.tangential.problem == TangentialProblem::shift; }

// Reports the first step that wears nothing: that does not roll along x or, by Archard's law,
// shift; with `velocity`, that takes no time. Between shifts, or before them, a step may also only
// press.
void check_wear_steps(const std::vector<StepInput>& steps, const WearRequest& wear, bool continues,
                      FaultList& faults) {
  const bool velocity = !wear.coefficient.slip_velocity.empty();
  const bool by_shifts = wear.law == WearLaw::archard;
  const bool presses = by_shifts && (continues || std::ranges::any_of(steps, shifts));
  const auto unfit = std::ranges::find_if(steps, [&](const StepInput& step) {
    const Tangential& tangential = step.tangential;
    if (tangential.problem == TangentialProblem::none) return !presses;
    const bool wears =
        is_rolling(tangential.problem) ? rolls_along_x(tangential.direction) : by_shifts;
    return !wears || (velocity && !(slip_rate(tangential) > 0.0));
  });
  if (unfit != steps.end())
    return faults.add(
        "steps",
        joined("wear needs steps that roll along x", velocity ? " at a velocity" : "",
               by_shifts ? " or shift" : "", by_shifts && velocity ? " for a time" : "", ", and ",
               step_name(steps, static_cast<std::size_t>(unfit - steps.begin())), " does not"),
        joined("rolling along x", velocity ? ", with tangential.velocity" : "",
               by_shifts ? ", or a shift" : "",
               by_shifts && velocity ? " with tangential.duration" : ""));
  const auto rolling = std::ranges::find_if(
      steps, [](const StepInput& step) { return is_rolling(step.tangential.problem); });
  if (rolling != steps.end() && std::ranges::any_of(steps, shifts))
    faults.add("steps",
               "wear takes a depth off each place in shifts, and off a whole row in rolling, and "
               "the steps do both",
               "steps that all roll, or that all shift");
}

// Heat needs steps with a duration.
void check_heat_steps(const HeatRequest& heat, const std::vector<StepInput>& steps,
                      FaultList& faults) {
  const auto steady = [](const StepInput& step) {
    return step.tangential.problem == TangentialProblem::steady_rolling;
  };
  const auto unfit = std::ranges::find_if(steps, [&](const StepInput& step) {
    const double direction = step.tangential.direction;
    return !(slip_rate(step.tangential) > 0.0) ||
           (steady(step) && !rolls_along_x(direction) && !rolls_along_y(direction));
  });
  if (unfit != steps.end()) {
    const std::string name = step_name(steps, static_cast<std::size_t>(unfit - steps.begin()));
    if (slip_rate(unfit->tangential) > 0.0)
      faults.add("steps",
                 "in steady rolling heat needs x or y to roll along, and " + name +
                     " rolls in another direction",
                 "a direction along x or y, or transient rolling");
    else
      faults.add("steps", "heat needs steps that take a time, and " + name + " does not",
                 "rolling with tangential.velocity, or a shift with tangential.duration");
  }
  if (heat.conduction == HeatConduction::half_space && std::ranges::any_of(steps, steady))
    faults.add("conduction", "is half_space, and a step rolls steadily",
               "depth, or transient rolling in as many steps as it takes");
}

// Reports the first step whose friction needs a temperature that is not computed, or has a memory
// along rows that are not steady.
void check_friction_by_temperature(const SurfaceRequest& request,
                                   const std::vector<StepInput>& steps, FaultList& faults) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto* law = std::get_if<FrictionByTemperature>(&steps[i].friction.place);
    if (law == nullptr) continue;
    const std::string field = joined("steps[", i, "].friction.coefficient.");
    if (!request.heat)
      return faults.add(field + "temperature", "depends on a temperature, and no heat is computed",
                        "a section heat, or a coefficient without temperature");
    if (law->memory_distance > 0.0 &&
        steps[i].tangential.problem != TangentialProblem::steady_rolling)
      return faults.add(field + "memory_distance",
                        "is of friction that follows the temperature along rows that roll steadily",
                        "steady rolling, or no memory_distance");
  }
}

}  // namespace

void check_surface_parts(const SurfaceRequest& request, const std::vector<StepInput>& steps,
                         FaultList& faults, bool continues) {
  check_friction_by_temperature(request, steps, faults);
  if (request.wear) {
    faults.within("wear.");
    check_wear(*request.wear, faults);
    check_wear_steps(steps, *request.wear, continues, faults);
  }
  if (request.heat) {
    faults.within("heat.");
    check_thermal_body("upper", request.heat->bodies[0], faults);
    check_thermal_body("lower", request.heat->bodies[1], faults);
    faults.number("plastic_share", request.heat->plastic_share, kShare);
    faults.enumerator("conduction", request.heat->conduction, HeatConduction::half_space);
    faults.enumerator("contact_on", request.heat->contact_on, Body::lower);
    check_heat_steps(*request.heat, steps, faults);
  }
  if (request.fatigue) {
    faults.within("fatigue.");
    faults.number("shear_yield", request.fatigue->shear_yield, kPositive);
  }
  faults.within("");
}

std::vector<Fault> check_surface(const SurfaceRequest& request,
                                 const std::vector<StepInput>& steps) {
  FaultList faults;
  check_surface_parts(request, steps, faults);
  return faults.take();
}

}  // namespace slipfield
