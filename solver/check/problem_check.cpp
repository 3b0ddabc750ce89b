// SPDX-License-Identifier: Apache-2.0
#include "solver/problem_check.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "solver/check/fault_list.h"
#include "solver/error.h"
#include "solver/number_text.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

constexpr std::size_t kMostShown = 100;  // faults in one message

bool check_creep(const ElasticBody& body, FaultList& faults) {
  const std::size_t before = faults.size();
  for (const CreepTerm& term : body.creep) {
    faults.number("creep.ratio", term.ratio, kCreepRatio);
    faults.number("creep.time", term.time, kCreepTime);
  }
  return faults.size() == before;
}

bool check_modulus(double modulus, std::string_view name, FaultList& faults) {
  if (!faults.number(name, modulus, kPositive)) return false;
  // The combined constants contain 1/G and G of both bodies.
  if (std::isnormal(modulus) && std::isfinite(2.0 / modulus)) return true;
  faults.add(name, "is too large or too small to compute with",
             "a modulus in the units of the case");
  return false;
}

// The sum of images for layers was tested within these ratios.
bool check_ratios(const ElasticBody& body, FaultList& faults) {
  constexpr double kMostContrast = 1.0e5;
  constexpr double kMostThicknesses = 1.0e6;
  double softest = body.shear_modulus;
  double stiffest = softest;
  double depth = body.thickness;
  for (const BodyLayer& layer : body.below) {
    softest = std::min(softest, layer.shear_modulus);
    stiffest = std::max(stiffest, layer.shear_modulus);
    depth += layer.thickness;
  }
  const std::size_t before = faults.size();
  constexpr double kRounding = 1.0 + 1.0e-9;  // for moduli given as Young's
  if (stiffest > kMostContrast * kRounding * softest) {
    const bool base = !body.below.empty() && stiffest == body.below.back().shear_modulus;
    faults.add("below",
               "the shear moduli of the layers and of the body below them differ by a factor of " +
                   number_text(stiffest / softest),
               std::string("at most 1e+05, all in the units of the case") +
                   (base ? "; or a `thickness` for a base that is rigid" : ""));
  }
  if (depth > kMostThicknesses * body.thickness)
    faults.add("below",
               joined("all layers together are ", depth / body.thickness,
                      " times as thick as the outermost one"),
               "at most 1e+06 times");
  return faults.size() == before;
}

bool check_layers(const ElasticBody& body, FaultList& faults) {
  const std::size_t before = faults.size();
  faults.number("thickness", body.thickness, kNotNegative);
  if (!body.below.empty() && body.thickness == 0.0)
    faults.add("below", "layers lie below a half-space", "a thickness > 0 of the outermost");
  for (std::size_t i = 0; i < body.below.size(); ++i) {
    const BodyLayer& layer = body.below[i];
    const std::string name = joined("below[", i, "].");
    faults.number(name + "poisson_ratio", layer.poisson_ratio, kPoissonRatio);
    faults.number(name + "thickness", layer.thickness, kNotNegative);
    check_modulus(layer.shear_modulus, name + "shear_modulus", faults);
    if (layer.thickness == 0.0 && i + 1 < body.below.size())
      faults.add(name + "thickness", "a layer that is not the last is as deep as a half-space",
                 "a thickness > 0");
  }
  return faults.size() == before && (!is_layered(body) || check_ratios(body, faults));
}

bool check_body(const ElasticBody& body, FaultList& faults) {
  bool right = faults.number("poisson_ratio", body.poisson_ratio, kPoissonRatio);
  right = check_creep(body, faults) && right;
  right = faults.number("hardness", body.hardness, kNotNegative) && right;
  right = check_modulus(body.shear_modulus, "shear_modulus", faults) && right;
  return right && check_layers(body, faults);
}

void check_layer(const ContactLayer& layer, FaultList& faults) {
  const std::size_t before = faults.size();
  faults.each(kNotNegative, {{"layer.compliance", layer.compliance},
                             {"layer.normal_compliance", layer.normal_compliance},
                             {"layer.yield_stress", layer.yield_stress}});
  faults.number("layer.hardening", layer.hardening, kAnyNumber);
  if (faults.size() == before && layer.hardening != 0.0 && !layer.yields())
    faults.add("layer.hardening", "given although the layer does not yield",
               "none, or a layer.yield_stress > 0");
}

void check_adhesion(const Adhesion& adhesion, FaultList& faults) {
  if (!adhesion.exists()) return;
  faults.enumerator("adhesion.law", adhesion.law, AdhesionLaw::power);
  faults.each(kPositive, {{"adhesion.work", adhesion.work}, {"adhesion.length", adhesion.length}});
}

bool check_settings(const ContactProblem& problem, FaultList& faults) {
  const SolverSettings& settings = problem.solver;
  const std::size_t before = faults.size();
  faults.enumerator("solver.influence", settings.influence, InfluenceMethod::fft);
  faults.enumerator("solver.normal", settings.normal, NormalMethod::sdec);
  faults.enumerator("solver.tangential", settings.tangential, TangentialMethod::fastrip);
  faults.enumerator("solver.traction_bound", settings.traction_bound, TractionBound::elliptic);
  faults.enumerator("solver.rolling", settings.rolling, RollingScheme::second_order);
  const bool known = faults.size() == before;
  if (settings.normal == NormalMethod::sdec) {
    const HalfEllipses& half = settings.half_ellipses;
    faults.each(kPositive, {{"solver.half_ellipses.semi_axis_x", half.semi_axis_x},
                            {"solver.half_ellipses.below", half.below},
                            {"solver.half_ellipses.above", half.above}});
    faults.number("solver.half_ellipses.border", half.border, kAnyNumber);
  }
  faults.number("solver.slope.initial", settings.slope.initial, kPositive);
  faults.number("solver.slope.rest", settings.slope.rest, kShare);
  faults.each(kNotNegative, {{"solver.slope.decay", settings.slope.decay},
                             {"solver.flexibility", settings.flexibility}});
  faults.number("solver.tolerance", settings.tolerance, kTolerance);
  return known;
}

bool check_geometry(const ContactProblem& problem, bool grid, bool bodies, FaultList& faults) {
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  faults.within("");
  if (problem.geometry.empty()) faults.add("geometry", "is an empty list", "at least one shape");
  bool good = !problem.geometry.empty();
  for (std::size_t i = 0; i < problem.geometry.size(); ++i) {
    faults.within(joined("geometry[", i, "]."));
    good = check_shape(problem.geometry[i], grid ? &problem.grid : nullptr,
                       bodies ? &material : nullptr, faults) &&
           good;
  }
  faults.within("");
  const std::size_t before = faults.size();
  if (good && grid) check_touching(problem.geometry, problem.grid, faults);
  return good && faults.size() == before;
}

// Whether the enumerators that determine a step's features are valid.
bool is_known(const StepInput& step) {
  FaultList faults;
  return faults.enumerator("problem", step.tangential.problem, TangentialProblem::steady_rolling) &&
         faults.enumerator("law", step.friction.law, kLastFrictionLaw);
}

// Surfaces that yield everywhere carry no more than the hardness on all elements that can touch.
void check_hardness(const ContactProblem& problem, const StepInput& step, FaultList& faults) {
  const double of_element = contact_hardness(problem) * problem.grid.element_area();
  if (!(of_element > 0.0) || step.normal.control != NormalControl::force) return;
  const double least = step.normal.value / of_element;  // elements needed to carry the force
  if (!std::isfinite(least)) return;                    // reported as another fault
  const auto all = static_cast<double>(problem.grid.count());
  const auto most = static_cast<std::size_t>(std::clamp(std::floor(least), 0.0, all)) + 1;
  const auto count = static_cast<double>(count_touching(problem.geometry, problem.grid, most));
  if (least < count) return;
  faults.add(
      "normal.value",
      joined("the force ", step.normal.value, " is not less than what the hardness carries on ",
             count < all ? "the elements that can touch, " : "the whole grid, ",
             count * of_element),
      "a smaller force, or a larger grid", FaultKind::no_solution);
}

// Only adhering surfaces carry a force that does not press them together.
void check_pull(const ContactProblem& problem, const StepInput& step, FaultList& faults) {
  if (step.normal.control == NormalControl::pull_off) {
    if (!problem.adhesion.exists())
      faults.add("normal.control", "only surfaces that adhere are pulled off", "adhesion");
    if (step.tangential.problem != TangentialProblem::none)
      faults.add("normal.control", "a pull-off is that of normal contact", "no tangential problem");
  }
  if (!problem.adhesion.exists() && step.normal.control == NormalControl::force &&
      std::isfinite(step.normal.value))
    faults.number("normal.value", step.normal.value, kPositive);
}

void check_steps(const ContactProblem& problem, bool grid, bool geometry, FaultList& faults) {
  const Friction* checked = nullptr;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < problem.steps.size(); ++i) {
    const StepInput& step = problem.steps[i];
    faults.within(joined("steps[", i, "]."));
    check_pull(problem, step, faults);
    check_step(step, grid ? &problem.grid : nullptr, checked, faults);
    if (grid && geometry) check_hardness(problem, step, faults);
    checked = &step.friction;
    count += std::max(step.repeat, 0);
  }
  faults.within("");
  if (problem.steps.empty()) faults.add("steps", "is an empty list", "at least one step");
  if (count > kMaxRepeat)
    faults.add("steps", joined("the sequence has ", count, " steps"),
               joined("at most ", kMaxRepeat));
}

void check_combinations(const ContactProblem& problem, FaultList& faults) {
  CombinationCheck combinations(problem);
  combinations.problem(faults);
  std::int64_t number = 1;
  for (std::size_t i = 0; i < problem.steps.size(); ++i) {
    const StepName name{"steps[" + std::to_string(i) + "].",
                        " (step " + std::to_string(number) + ")"};
    if (is_known(problem.steps[i])) combinations.step(problem.steps[i], name, faults);
    number += problem.steps[i].repeat;
  }
}

// The faults of one part; field names start with the part's name.
template <class Check>
std::vector<Fault> faults_of(std::string part, const Check& check) {
  FaultList faults;
  faults.within(std::move(part));
  check(faults);
  return faults.take();
}

}  // namespace

bool resolves_elements(double origin, double spacing, int elements) {
  const double last = origin + spacing * elements;
  return std::isnormal(spacing) && std::isfinite(last) && origin + spacing > origin &&
         last > last - spacing && std::isnormal(spacing * spacing);
}

bool check_grid(const Grid& grid, FaultList& faults) {
  const std::size_t before = faults.size();
  faults.integer("mx", grid.mx, kElements);
  faults.integer("my", grid.my, kElements);
  faults.each(kPositive, {{"dx", grid.dx}, {"dy", grid.dy}});
  faults.each(kAnyNumber, {{"x0", grid.x0}, {"y0", grid.y0}});
  faults.enumerator("boundary", grid.boundary, Boundary::periodic_y);
  if (faults.size() != before) return false;
  const auto check = [&](std::string_view name, double origin, double spacing, int elements) {
    if (!resolves_elements(origin, spacing, elements))
      faults.add(name, "gives elements whose coordinates do not differ in a double",
                 "elements that are not tiny against their distance from (0, 0)");
  };
  check("dx", grid.x0, grid.dx, grid.mx);
  check("dy", grid.y0, grid.dy, grid.my);
  return faults.size() == before;
}

std::vector<Fault> check_problem(const ContactProblem& problem) {
  FaultList faults;
  faults.enumerator("units", problem.units, Units::si);
  faults.within("upper.");
  const bool upper = check_body(problem.upper, faults);
  faults.within("lower.");
  const bool bodies = check_body(problem.lower, faults) && upper;
  faults.within("");
  check_layer(problem.layer, faults);
  check_adhesion(problem.adhesion, faults);
  faults.within("grid.");
  const bool grid = check_grid(problem.grid, faults);
  const bool geometry = check_geometry(problem, grid, bodies, faults);
  const std::size_t before = faults.senseless();
  check_steps(problem, grid, geometry, faults);
  const bool steps = faults.senseless() == before;
  if (steps) check_surface_parts(problem.surface, problem.steps, faults);
  if (!check_settings(problem, faults)) return faults.take();
  if (!grid) {
    CombinationCheck(problem).problem(faults);
    return faults.take();
  }
  check_patches(problem, faults);
  check_curved(problem, faults);
  check_combinations(problem, faults);
  if (!is_simplified(problem.solver.tangential) || !geometry || !bodies || !steps)
    return faults.take();
  ContactProblem methods;
  methods.solver = problem.solver;
  if (check_combinations(methods).empty()) check_simplified(problem, faults);
  return faults.take();
}

std::vector<Fault> check_combinations(const ContactProblem& problem) {
  return faults_of("", [&](FaultList& faults) { check_combinations(problem, faults); });
}

std::vector<Fault> check_step(const ContactProblem& problem, const StepInput& step,
                              const Friction* checked) {
  FaultList faults;
  faults.within("step.");
  check_pull(problem, step, faults);
  check_step(step, &problem.grid, checked, faults);
  check_hardness(problem, step, faults);
  const bool sound = faults.senseless() == 0;
  faults.within("");
  if (is_known(step)) CombinationCheck(problem).step(step, {"step.", ""}, faults);
  if (!sound) return faults.take();
  check_surface_parts(problem.surface, {step}, faults, true);
  if (is_simplified(problem.solver.tangential) && faults.senseless() == 0)
    check_simplified_step(problem, step, "", faults);
  return faults.take();
}

std::vector<Fault> check_body(const ElasticBody& body) {
  return faults_of("body.", [&](FaultList& faults) { check_body(body, faults); });
}

std::vector<Fault> check_grid(const Grid& grid) {
  return faults_of("grid.", [&](FaultList& faults) { check_grid(grid, faults); });
}

std::vector<Fault> check_shape(const Shape& shape, const Grid* grid) {
  return faults_of("shape.", [&](FaultList& faults) { check_shape(shape, grid, nullptr, faults); });
}

std::vector<Fault> check_step(const StepInput& step, const Grid* grid, const Friction* checked) {
  FaultList faults;
  faults.within("step.");
  check_step(step, grid, checked, faults);
  faults.within("");
  const Grid any;
  if (is_known(step))
    CombinationCheck(grid != nullptr ? *grid : any).step(step, {"step.", ""}, faults);
  return faults.take();
}

std::string fault_text(const Fault& fault) {
  return fault.field + ": " + fault.reason + "; accepted: " + fault.remedy;
}

void require_sound(const std::vector<Fault>& faults) {
  std::string text;
  std::size_t count = 0;
  for (const Fault& fault : faults) {
    if (fault.kind != FaultKind::senseless) continue;
    if (++count > kMostShown) continue;
    if (!text.empty()) text += '\n';
    text += fault_text(fault);
  }
  if (count > kMostShown) text += joined("\nand ", count - kMostShown, " more");
  if (count > 0) throw InputError(text);
}

}  // namespace slipfield
