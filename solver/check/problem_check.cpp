// SPDX-License-Identifier: Apache-2.0
#include "solver/problem_check.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "solver/check/fault_list.h"
#include "solver/error.h"
#include "solver/number_text.h"
#include "solver/rolling.h"
#include "solver/simplified/simplified_checks.h"

namespace slipfield {
namespace {

constexpr std::size_t kMostShown = 100;  // faults in one message

bool check_body(const ElasticBody& body, FaultList& faults) {
  bool ratio = faults.number("poisson_ratio", body.poisson_ratio, kPoissonRatio);
  ratio = check_creep(body, faults) && ratio;
  if (!faults.number("shear_modulus", body.shear_modulus, kPositive)) return false;
  // The combined constants hold 1/G of both and G.
  if (std::isnormal(body.shear_modulus) && std::isfinite(2.0 / body.shear_modulus)) return ratio;
  faults.add("shear_modulus", "is too large or too small to compute with",
             "a modulus in the units of the case");
  return false;
}

bool check_layer(const ContactLayer& layer, FaultList& faults) {
  const std::size_t before = faults.size();
  faults.number("layer.compliance", layer.compliance, kNotNegative);
  faults.number("layer.normal_compliance", layer.normal_compliance, kNotNegative);
  faults.number("layer.yield_stress", layer.yield_stress, kNotNegative);
  faults.number("layer.hardening", layer.hardening, kAnyNumber);
  if (faults.size() == before && layer.hardening != 0.0 && !layer.yields())
    faults.add("layer.hardening", "given although the layer does not yield",
               "none, or a layer.yield_stress > 0");
  return faults.size() == before;
}

// Estimates of the contact serve the simplified theory, and have their own bound.
void check_estimate(const SolverSettings& settings, FaultList& faults) {
  if (is_simplified(settings.tangential) && settings.normal != NormalMethod::automatic &&
      settings.traction_bound == TractionBound::elliptic)
    faults.add("solver.traction_bound", "the bound follows the pressure of solver.normal",
               "none, or normal = auto");
  if (!is_estimate(settings.normal)) return;
  if (!is_simplified(settings.tangential))
    faults.add("solver.normal", "an estimate of the contact serves fastsim and fastrip only",
               "auto, or tangential = fastsim or fastrip");
  if (settings.normal != NormalMethod::sdec) return;
  faults.number("solver.half_ellipses.semi_axis_x", settings.half_ellipses.semi_axis_x, kPositive);
  faults.number("solver.half_ellipses.below", settings.half_ellipses.below, kPositive);
  faults.number("solver.half_ellipses.above", settings.half_ellipses.above, kPositive);
  faults.number("solver.half_ellipses.border", settings.half_ellipses.border, kAnyNumber);
}

bool slides(const StepInput& step) { return step.tangential.problem != TangentialProblem::none; }

bool check_settings(const ContactProblem& problem, FaultList& faults) {
  const SolverSettings& settings = problem.solver;
  const std::size_t before = faults.size();
  faults.enumerator("solver.influence", settings.influence, InfluenceMethod::fft);
  faults.enumerator("solver.normal", settings.normal, NormalMethod::sdec);
  faults.enumerator("solver.tangential", settings.tangential, TangentialMethod::fastrip);
  const bool known = faults.size() == before;
  if (faults.enumerator("solver.traction_bound", settings.traction_bound,
                        TractionBound::elliptic) &&
      settings.traction_bound == TractionBound::elliptic &&
      settings.tangential != TangentialMethod::fastsim)
    faults.add("solver.traction_bound", "elliptic is a bound of fastsim only",
               "parabolic, or tangential = fastsim");
  check_estimate(settings, faults);
  const bool simplified = is_simplified(settings.tangential);
  faults.number("solver.slope.initial", settings.slope.initial, kPositive);
  faults.number("solver.slope.rest", settings.slope.rest, kShare);
  faults.number("solver.slope.decay", settings.slope.decay, kNotNegative);
  faults.number("solver.flexibility", settings.flexibility, kNotNegative);
  if (!simplified && settings.slope != SlopeReduction{})
    faults.add("solver.slope", "the slope is reduced in the simplified theory only",
               "none, or tangential = fastsim or fastrip");
  if (settings.tangential != TangentialMethod::fastsim && settings.flexibility > 0.0)
    faults.add("solver.flexibility", "only fastsim takes a flexibility",
               "none, or tangential = fastsim");
  // Of steps that could not be read nothing is known.
  const bool none_steady = simplified || (!problem.steps.empty() && !has_steady_rolling(problem));
  const bool none_rolls =
      simplified || (!problem.steps.empty() &&
                     std::none_of(problem.steps.begin(), problem.steps.end(), [](const auto& step) {
                       return is_rolling(step.tangential.problem);
                     }));
  const std::string other =
      simplified ? "another tangential method" : "tangential.problem = steady_rolling";
  if (faults.enumerator("solver.rolling", settings.rolling, RollingScheme::second_order) &&
      settings.rolling == RollingScheme::second_order && none_rolls)
    faults.add(
        "solver.rolling",
        simplified ? "the simplified theory has no second_order" : "only rolling has second_order",
        "first_order, or " + other);
  faults.number("solver.tolerance", settings.tolerance, kTolerance);
  if (problem.sensitivities && simplified)
    faults.add("sensitivities", "the simplified theory has none",
               "false, or another tangential method");
  if (problem.error_estimate && none_steady)
    faults.add("error_estimate",
               simplified ? "the simplified theory has none" : "only steady rolling has one",
               "false, or " + other);
  return known;
}

bool check_geometry(const ContactProblem& problem, bool grid, bool bodies, FaultList& faults) {
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  faults.within("");
  if (problem.geometry.empty()) faults.add("geometry", "is an empty list", "at least one shape");
  bool good = !problem.geometry.empty();
  for (std::size_t i = 0; i < problem.geometry.size(); ++i) {
    faults.within("geometry[" + std::to_string(i) + "].");
    good = check_shape(problem.geometry[i], grid ? &problem.grid : nullptr,
                       bodies ? &material : nullptr, faults) &&
           good;
  }
  faults.within("");
  const std::size_t before = faults.size();
  if (good && grid) check_touching(problem.geometry, problem.grid, faults);
  return good && faults.size() == before;
}

void check_steps(const ContactProblem& problem, bool grid, FaultList& faults) {
  const Friction* checked = nullptr;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < problem.steps.size(); ++i) {
    const StepInput& step = problem.steps[i];
    faults.within("steps[" + std::to_string(i) + "].");
    check_step(step, grid ? &problem.grid : nullptr, checked, faults);
    checked = &step.friction;
    count += std::max(step.repeat, 0);
  }
  faults.within("");
  if (problem.steps.empty()) faults.add("steps", "is an empty list", "at least one step");
  if (count > kMaxRepeat)
    faults.add("steps", "the sequence has " + std::to_string(count) + " steps",
               "at most " + std::to_string(kMaxRepeat));
}

// The first step that the simplified theory does not take: often no step fits.
void check_simplified_steps(const ContactProblem& problem, FaultList& faults) {
  int number = 1;
  const std::size_t before = faults.size();
  for (const StepInput& step : problem.steps) {
    check_simplified_step(problem, step, " (step " + std::to_string(number) + ")", faults);
    if (faults.size() != before) return;
    number += step.repeat;
  }
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
  faults.number("dx", grid.dx, kPositive);
  faults.number("dy", grid.dy, kPositive);
  faults.number("x0", grid.x0, kAnyNumber);
  faults.number("y0", grid.y0, kAnyNumber);
  faults.enumerator("boundary", grid.boundary, Boundary::periodic);
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

// Where tractions begin is known on a line of elements, one element to a step.
void check_second_order(const ContactProblem& problem, const StepInput& step,
                        const std::string& path, FaultList& faults) {
  const Tangential& tangential = step.tangential;
  if (problem.solver.rolling != RollingScheme::second_order || !is_rolling(tangential.problem))
    return;
  if (!rolls_along_x(tangential.direction) && !rolls_along_y(tangential.direction))
    return faults.add(path + "tangential.direction",
                      "second_order rolls along x or y, and " +
                          number_text(tangential.direction * 180.0 / std::numbers::pi) +
                          " degrees is between them",
                      "a direction along x or y, or solver.rolling = first_order");
  const int length = rolls_along_x(tangential.direction) ? problem.grid.mx : problem.grid.my;
  constexpr int kFewest = 4;
  if (length < kFewest)
    return faults.add(
        "solver.rolling",
        "second_order needs 4 elements or more along the rolling direction; the grid has " +
            std::to_string(length),
        "first_order, or more elements");
  const double element = element_length(tangential.direction, problem.grid);
  constexpr double kRounding = 1.0e-9;
  if (std::abs(tangential.step - element) <= kRounding * element) return;
  faults.add(path + "tangential.step",
             "second_order takes steps of one element, and " + number_text(tangential.step) +
                 " is not " + number_text(element),
             number_text(element) + " (the default), or solver.rolling = first_order");
}

void check_methods(const ContactProblem& problem, bool slides, FaultList& faults) {
  if (problem.grid.boundary != Boundary::periodic) return;
  if (problem.surface.heat)
    faults.add("heat", "does not flow from the images of a periodic grid",
               "no heat, or grid.boundary = free");
  const SolverSettings& settings = problem.solver;
  if (settings.influence == InfluenceMethod::summation)
    faults.add("solver.influence", "tiled does not sum over the images of a periodic grid",
               "auto, fft, or grid.boundary = free");
  if (is_simplified(settings.tangential)) return;
  if (settings.normal == NormalMethod::dense)
    faults.add("solver.normal", "direct does not sum over the images of a periodic grid",
               "auto, bound_cg, active_set_cg, or grid.boundary = free");
  if (!slides) return;
  if (problem.sensitivities)
    faults.add("sensitivities",
               "their dense matrix does not sum over the images of a periodic grid",
               "false, or grid.boundary = free");
  if (settings.tangential == TangentialMethod::gauss_seidel)
    faults.add("solver.tangential", "gauss_seidel does not sum over the images of a periodic grid",
               "auto, newton, or grid.boundary = free");
  if (settings.tangential == TangentialMethod::dense)
    faults.add("solver.tangential", "direct does not sum over the images of a periodic grid",
               "auto, newton, or grid.boundary = free");
}

// A layer and an extra slip against the methods that do not know them.
void check_layer_methods(const ContactProblem& problem, const StepInput& step,
                         const std::string& path, FaultList& faults) {
  const Tangential& tangential = step.tangential;
  if (tangential.spin_slip != SpinSlip::both && !is_simplified(problem.solver.tangential))
    faults.add(path + "tangential.spin_slip", "is of the simplified theory",
               "both, with extra_x or extra_y that take the spin away");
  if (!problem.layer.yields() || !is_rolling(tangential.problem) ||
      rolls_along_x(tangential.direction) || rolls_along_y(tangential.direction))
    return;
  faults.add("layer.yield_stress", "shear that stays moves with particles along x or y only",
             "none, or a tangential.direction along x or y");
}

void check_layer_methods(const ContactProblem& problem, FaultList& faults) {
  if (!problem.layer.exists()) return;
  const std::string field = problem.layer.compliance > 0.0          ? "layer.compliance"
                            : problem.layer.normal_compliance > 0.0 ? "layer.normal_compliance"
                                                                    : "layer.yield_stress";
  if (problem.grid.boundary == Boundary::periodic)
    faults.add(field, "a layer on a periodic grid is not supported",
               "none, or grid.boundary = free");
  const bool sheet = problem.solver.normal == NormalMethod::bound_cg &&
                     problem.layer.compliance == 0.0 && !problem.layer.yields();
  if (is_simplified(problem.solver.tangential) && !sheet)
    faults.add(field, "the simplified theory has no layer, bound_cg a normal_compliance only",
               "none, a normal_compliance with solver.normal = bound_cg, or another tangential "
               "method");
  if (problem.solver.rolling == RollingScheme::second_order)
    faults.add("solver.rolling", "second_order does not know a layer's leading edge",
               "first_order, or no layer");
}

bool has_steady_rolling(const ContactProblem& problem) {
  return !is_simplified(problem.solver.tangential) &&
         std::any_of(problem.steps.begin(), problem.steps.end(), [](const StepInput& step) {
           return step.tangential.problem == TangentialProblem::steady_rolling;
         });
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
  faults.within("grid.");
  const bool grid = check_grid(problem.grid, faults);
  const bool geometry = check_geometry(problem, grid, bodies, faults);
  const std::size_t before = faults.senseless();
  check_steps(problem, grid, faults);
  const bool steps = faults.senseless() == before;
  if (steps) check_surface_parts(problem.surface, problem.steps, faults);
  if (!check_settings(problem, faults) || !grid) return faults.take();
  for (std::size_t i = 0; steps && i < problem.steps.size(); ++i) {
    const std::string path = "steps[" + std::to_string(i) + "].";
    check_second_order(problem, problem.steps[i], path, faults);
    check_viscoelastic_step(problem, problem.steps[i], path, faults);
    check_moment(problem, problem.steps[i], path, faults);
    check_layer_methods(problem, problem.steps[i], path, faults);
    check_curved_step(problem, problem.steps[i], path, faults);
  }
  check_viscoelastic_methods(problem, faults);
  check_layer_methods(problem, faults);
  check_patches(problem, faults);
  check_curved(problem, faults);
  check_methods(problem, std::any_of(problem.steps.begin(), problem.steps.end(), slides), faults);
  if (is_simplified(problem.solver.tangential) && geometry && bodies && steps &&
      check_simplified(problem, faults))
    check_simplified_steps(problem, faults);
  return faults.take();
}

std::vector<Fault> check_step(const ContactProblem& problem, const StepInput& step,
                              const Friction* checked) {
  FaultList faults;
  faults.within("step.");
  check_step(step, &problem.grid, checked, faults);
  const bool sound = faults.senseless() == 0;
  faults.within("");
  check_methods(problem, slides(step), faults);
  if (sound) check_second_order(problem, step, "step.", faults);
  if (sound) check_layer_methods(problem, step, "step.", faults);
  if (sound) check_viscoelastic_step(problem, step, "step.", faults);
  if (sound) check_moment(problem, step, "step.", faults);
  if (sound) check_curved_step(problem, step, "step.", faults);
  if (sound) check_surface_parts(problem.surface, {step}, faults);
  if (sound && is_simplified(problem.solver.tangential))
    check_simplified_step(problem, step, "", faults);
  return faults.take();
}

std::vector<Fault> check_body(const ElasticBody& body) {
  FaultList faults;
  faults.within("body.");
  check_body(body, faults);
  return faults.take();
}

std::vector<Fault> check_grid(const Grid& grid) {
  FaultList faults;
  faults.within("grid.");
  check_grid(grid, faults);
  return faults.take();
}

std::vector<Fault> check_shape(const Shape& shape, const Grid* grid) {
  FaultList faults;
  faults.within("shape.");
  check_shape(shape, grid, nullptr, faults);
  return faults.take();
}

std::vector<Fault> check_step(const StepInput& step, const Grid* grid, const Friction* checked) {
  FaultList faults;
  faults.within("step.");
  check_step(step, grid, checked, faults);
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
  if (count > kMostShown) text += "\nand " + std::to_string(count - kMostShown) + " more";
  if (count > 0) throw InputError(text);
}

}  // namespace slipfield
