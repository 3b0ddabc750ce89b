// SPDX-License-Identifier: Apache-2.0
// Finds faults in a step: its loads alone, and in relation to grid, friction and methods.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include "solver/check/fault_list.h"
#include "solver/number_text.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

void check_greatest(const Friction& friction, const std::vector<double>& values,
                    FaultList& faults) {
  const double greatest = *std::ranges::max_element(values);
  if (friction.coefficient < greatest)
    faults.add("friction.coefficient",
               joined(friction.coefficient, " is below a local coefficient, ", greatest),
               "the greatest of the local coefficients");
}

// name: of the quantity on which the coefficients depend; places: number of their lists.
void check_points(const Friction& friction, const std::string& name,
                  const std::vector<double>& points, const std::vector<double>& value,
                  FaultList& faults, std::size_t places = 1) {
  const std::string field = "friction.coefficient." + name;
  if (!faults.numbers("friction.coefficient.value", value, kNotNegative) ||
      !faults.numbers(field, points, kAnyNumber))
    return;
  if (value.empty())
    return faults.add("friction.coefficient.value", "is an empty list", "at least one coefficient");
  if (points.size() * places != value.size())
    return faults.add("friction.coefficient.value",
                      joined("has ", value.size(), " numbers for ", points.size(), " points",
                             places > 1 ? " in " + std::to_string(places) + " places" : ""),
                      places > 1 ? "a list for each place, with as many numbers as " + name + " has"
                                 : "as many numbers as " + name + " has");
  if (faults.increasing(field, points)) check_greatest(friction, value, faults);
}

void check_by_temperature(const Friction& friction, const FrictionByTemperature& law,
                          FaultList& faults) {
  check_points(friction, "temperature", law.temperature, law.value, faults,
               std::max<std::size_t>(law.y.size(), 1));
  if (faults.numbers("friction.coefficient.along_y", law.y, kAnyNumber))
    faults.increasing("friction.coefficient.along_y", law.y);
  faults.each(kNotNegative, {{"friction.coefficient.memory_distance", law.memory_distance},
                             {"friction.coefficient.memory_velocity", law.memory_velocity}});
}

void check_elements(const Friction& friction, const FrictionByElement& elements, const Grid* grid,
                    FaultList& faults) {
  if (!elements.value || elements.value->empty())
    return faults.add("friction.coefficient.value", "is an empty list", "at least one coefficient");
  if (!faults.numbers("friction.coefficient.value", *elements.value, kNotNegative)) return;
  if (grid != nullptr && elements.value->size() != grid->count())
    return faults.add("friction.coefficient.value",
                      joined("has ", elements.value->size(), " values, the grid has ",
                             grid->count(), " elements"),
                      "one value for each element, or points along y");
  check_greatest(friction, *elements.value, faults);
}

void check_place(const Friction& friction, const Grid* grid, FaultList& faults) {
  if (const auto* points = std::get_if<FrictionAlongY>(&friction.place))
    check_points(friction, "y", points->y, points->value, faults);
  if (const auto* points = std::get_if<FrictionByTemperature>(&friction.place))
    check_by_temperature(friction, *points, faults);
  if (const auto* elements = std::get_if<FrictionByElement>(&friction.place))
    check_elements(friction, *elements, grid, faults);
}

void check_coefficients(const Friction& friction, FaultList& faults);

void check_second_term(const Friction& friction, FaultList& faults) {
  const bool drop = faults.number("friction.second_drop", friction.second_drop, kNotNegative);
  if (drop && friction.second_drop > 0.0) {
    faults.number("friction.second_half_velocity", friction.second_half_velocity, kPositive);
    const double all = friction.coefficient - friction.kinetic.value_or(friction.coefficient);
    if (friction.second_drop > all * (1.0 + 1.0e-12) || friction.law == FrictionLaw::constant)
      faults.add("friction.second_drop",
                 joined(friction.second_drop, " is more than the coefficient falls in all, ", all),
                 "a part of static - kinetic of a law that falls");
  }
  faults.number("friction.memory_velocity", friction.memory_velocity, kNotNegative);
  if (faults.number("friction.memory_distance", friction.memory_distance, kNotNegative) &&
      friction.memory_distance > 0.0 && friction.law == FrictionLaw::constant)
    faults.add("friction.memory_distance", "given although the coefficient does not fall",
               "none, or law: linear_falling, rational or exponential");
}

// For a law that varies along y: checks that its places are in order and its parameters valid.
void check_along_y(const Friction& friction, FaultList& faults) {
  const auto& places = friction.along_y;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Friction here = friction;
    here.along_y.clear();
    here.coefficient = places[i].law.fixed;
    here.kinetic = places[i].law.kinetic;
    take_numbers(places[i].law, here);
    const std::size_t before = faults.size();
    faults.number("friction.y", places[i].y, kAnyNumber);
    check_coefficients(here, faults);
    if (faults.size() != before) return;
    if (i > 0 && !(places[i].y > places[i - 1].y))
      return faults.add("friction.y", "does not increase", "a list of increasing numbers");
    if (places[i].law.law != friction.law || places[i].law.fixed > friction.coefficient ||
        !friction.kinetic || places[i].law.kinetic < *friction.kinetic)
      return faults.add("friction.coefficient",
                        "is not the greatest of the law along y, or kinetic not its least",
                        "the greatest static and the least kinetic coefficient, and one law");
  }
}

void check_coefficients(const Friction& friction, FaultList& faults) {
  const bool fixed = faults.number("friction.coefficient", friction.coefficient, kNotNegative);
  faults.number("friction.shear_strength", friction.shear_strength, kNotNegative);
  const bool kinetic =
      friction.kinetic && faults.number("friction.kinetic", *friction.kinetic, kNotNegative);
  if (fixed && kinetic && *friction.kinetic > friction.coefficient)
    faults.add("friction.kinetic",
               joined(*friction.kinetic, " is above the static coefficient ", friction.coefficient),
               "a number of at most the static coefficient");
  if (faults.enumerator("friction.law", friction.law, kLastFrictionLaw) &&
      friction.law != FrictionLaw::constant) {
    faults.number("friction.half_velocity", friction.half_velocity, kPositive);
    if (!friction.kinetic)
      faults.add("friction.kinetic", "missing of a coefficient that falls",
                 kNotNegative.describe_one());
  }
  check_second_term(friction, faults);
  check_along_y(friction, faults);
  if (friction.varies() && friction.kinetic)
    faults.add("friction.kinetic", "given together with local coefficients",
               "none, or one static coefficient");
}

void check_extra(const Tangential& tangential, const Grid* grid, FaultList& faults) {
  const auto check = [&](const std::string& name, const std::vector<double>* values) {
    if (values == nullptr) return;
    faults.numbers("tangential." + name, *values, kAnyNumber);
    if (grid != nullptr && values->size() != grid->count())
      faults.add("tangential." + name,
                 joined("has ", values->size(), " numbers for ", grid->count(), " elements"),
                 "one for each element, x fastest");
  };
  check("extra_x", tangential.extra.x.get());
  check("extra_y", tangential.extra.y.get());
  if (grid == nullptr || !tangential.extra.given() ||
      tangential.problem != TangentialProblem::transient_rolling ||
      !steps_over_element(tangential, *grid))
    return;
  faults.add(tangential.extra.x ? "tangential.extra_x" : "tangential.extra_y",
             "is not known for a part of a step, and this one is longer than an element",
             joined("a step of at most ", longest_step(tangential.direction, *grid)));
}

// Checks that it presses the bodies together. Only adhesion carries another force
// (problem_check.cpp).
bool check_normal(const NormalLoad& load, FaultList& faults) {
  if (!faults.enumerator("normal.control", load.control, NormalControl::pull_off)) return false;
  if (load.control == NormalControl::pull_off) {
    faults.number("normal.value", load.value, kPositive);
    return false;
  }
  return faults.number("normal.value", load.value,
                       load.control == NormalControl::force ? kNormalForce : kAnyNumber) &&
         (load.control == NormalControl::approach || load.value > 0.0);
}

bool check_load(std::string_view name, const TangentialLoad& load, FaultList& faults) {
  const std::string path = "tangential." + std::string(name);
  if (!faults.enumerator(path + ".control", load.control, TangentialControl::traction_coefficient))
    return false;
  const bool ratio = load.control == TangentialControl::force_ratio;
  return faults.number(path + ".value", load.value, ratio ? kForceRatio : kAnyNumber,
                       FaultKind::no_solution);
}

// Checks that prescribed tangential forces are below the friction limit.
void check_forces(const StepInput& step, FaultList& faults) {
  const bool knows_bound = step.normal.control == NormalControl::force;
  const double bound = step.friction.coefficient * step.normal.value;
  double squares = 0.0;
  int prescribed = 0;
  bool good = true;
  const auto check = [&](std::string_view name, const TangentialLoad& load) {
    if (load.control == TangentialControl::rigid) return;
    const bool is_force = load.control == TangentialControl::force;
    const bool of_load = load.control == TangentialControl::traction_coefficient;
    if (!step.friction.exists()) {
      faults.add(name, "a force is prescribed without friction",
                 is_rolling(step.tangential.problem) ? "a friction coefficient > 0, or a creepage"
                                                     : "a friction coefficient > 0, or a shift",
                 FaultKind::no_solution);
      good = false;
    } else if (step.friction.shear_strength > 0.0) {
      return;  // the contact area that it acts on is unknown
    } else if (is_force && knows_bound && std::abs(load.value) >= bound) {
      faults.add(name,
                 joined("the force ", load.value, " reaches the friction bound mu F_n = ", bound),
                 "a force below it in magnitude", FaultKind::no_solution);
      good = false;
    } else if (of_load && std::abs(load.value) >= step.friction.coefficient) {
      faults.add(name,
                 joined("the traction coefficient ", load.value, " reaches that of friction, ",
                        step.friction.coefficient),
                 "a number below it in magnitude", FaultKind::no_solution);
      good = false;
    }
    if (!good || (is_force && !knows_bound)) return;
    const double ratio = is_force  ? load.value / bound
                         : of_load ? load.value / step.friction.coefficient
                                   : load.value;
    squares += ratio * ratio;
    ++prescribed;
  };
  if (step.tangential.moment && !step.friction.exists())
    faults.add("tangential.moment", "a moment is prescribed without friction",
               is_rolling(step.tangential.problem) ? "a friction coefficient > 0, or a spin"
                                                   : "a friction coefficient > 0, or a rotation",
               FaultKind::no_solution);
  check("tangential.x", step.tangential.x);
  check("tangential.y", step.tangential.y);
  const double digits = 1.0e3;  // of a sum, no more than needed
  if (good && prescribed == 2 && squares >= 1.0)
    faults.add(
        "tangential.y",
        joined("the forces in x and y together are ",
               std::round(std::sqrt(squares) * digits) / digits, " of the friction bound mu F_n"),
        "forces whose resultant is below it", FaultKind::no_solution);
}

// Steady rolling is the limit of short steps: a longer step would only make it less accurate. In a
// transient step the time at which an element entered the contact is known only for rolling along x
// or y.
void check_step_length(const Tangential& tangential, const Grid& grid, FaultList& faults) {
  const bool steady = tangential.problem == TangentialProblem::steady_rolling;
  const double longest = longest_step(tangential.direction, grid);
  const double shortest = shortest_steady_step(tangential.direction, grid);
  const std::string step = number_text(tangential.step);
  if (steady && tangential.step < shortest)
    return faults.add("tangential.step",
                      "a step of " + step +
                          " is less than a millionth of an element: rounding leaves too little of "
                          "the difference of displacements",
                      joined(shortest, " to ", longest));
  if (!steps_over_element(tangential, grid)) return;
  if (steady)
    return faults.add("tangential.step",
                      "steady rolling takes no step longer than an element, and " + step + " is",
                      joined(shortest, " to ", longest));
  if (rolls_along_x(tangential.direction) || rolls_along_y(tangential.direction)) return;
  faults.add("tangential.step",
             joined("a step of ", step, " at ", tangential.direction * 180.0 / std::numbers::pi,
                    " degrees is longer than an element of ", grid.dx, " x ", grid.dy),
             joined("a step of at most ", longest, ", or a direction along x or y"));
}

void check_rolling(const Tangential& tangential, const Grid* grid, FaultList& faults) {
  const bool direction = faults.number("tangential.direction", tangential.direction, kAnyNumber);
  const bool step = faults.number("tangential.step", tangential.step, kPositive);
  faults.number("tangential.velocity", tangential.velocity, kNotNegative);
  if (grid == nullptr) return;
  if (direction && step) check_step_length(tangential, *grid, faults);
}

}  // namespace

std::vector<Fault> check_friction(const Friction& friction) {
  FaultList faults;
  check_coefficients(friction, faults);
  check_place(friction, nullptr, faults);
  return faults.take();
}

void check_step(const StepInput& step, const Grid* grid, const Friction* checked,
                FaultList& faults) {
  const std::size_t before = faults.size();
  const Tangential& tangential = step.tangential;
  check_coefficients(step.friction, faults);
  if (checked == nullptr || checked->coefficient != step.friction.coefficient ||
      checked->place != step.friction.place)
    check_place(step.friction, grid, faults);
  const bool normal = check_normal(step.normal, faults);
  faults.integer("repeat", step.repeat, kRepeats);
  if (!faults.enumerator("tangential.problem", tangential.problem,
                         TangentialProblem::steady_rolling) ||
      tangential.problem == TangentialProblem::none)
    return;
  const bool x = check_load("x", tangential.x, faults);
  const bool y = check_load("y", tangential.y, faults);
  faults.number("tangential.rotation", tangential.rotation, kAnyNumber);
  if (tangential.moment) faults.number("tangential.moment", *tangential.moment, kAnyNumber);
  faults.enumerator("tangential.start", tangential.start, FrictionStart::slip);
  faults.enumerator("tangential.spin_slip", tangential.spin_slip, SpinSlip::y);
  if (is_rolling(tangential.problem))
    check_rolling(tangential, grid, faults);
  else
    faults.number("tangential.duration", tangential.duration, kNotNegative);
  check_extra(tangential, grid, faults);
  if (normal && x && y && faults.size() == before) check_forces(step, faults);
}

}  // namespace slipfield
