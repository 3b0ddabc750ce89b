// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/surface_fields.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "solver/surface/heat.h"
#include "solver/surface/shakedown.h"
#include "solver/surface/wear.h"

namespace slipfield {
namespace {

// T-gamma per area times V.
std::vector<double> power_density(std::vector<double> t_gamma, const StepInput& step) {
  for (double& value : t_gamma) value *= step.tangential.velocity;
  return t_gamma;
}

// Of the power in elements whose layer yields a share only becomes heat.
SurfaceTemperatures temperatures_by(std::vector<double> power, const ContactProblem& problem,
                                    const StepInput& step, const ContactSolution& solution) {
  const HeatRequest& heat = *problem.surface.heat;
  for (std::size_t i = 0; heat.plastic_share != 1.0 && i < power.size(); ++i)
    if (solution.element_division[i] == ElementState::plastic) power[i] *= heat.plastic_share;
  return surface_temperatures(heat, problem.units, problem.grid, step.tangential, power,
                              solution.element_division);
}

void add_wear(const WearRequest& request, const ContactProblem& problem, const StepInput& step,
              std::vector<double> density, ContactSolution& solution, SurfaceNumbers& numbers) {
  const Grid& grid = problem.grid;
  numbers.t_gamma = grid.element_area() * std::accumulate(density.begin(), density.end(), 0.0);
  numbers.rcf_damage = request.damage.at(*numbers.t_gamma);
  solution.t_gamma_density = std::move(density);
  solution.wear_depth = wear_per_pass(request, grid, problem.units, step, solution);
  solution.wear_profile = worn_profile(solution.wear_depth, grid, request.passes);
  const auto& profile = solution.wear_profile;
  numbers.worn_area = grid.dy * std::accumulate(profile.begin(), profile.end(), 0.0);
  numbers.max_wear_depth = *std::max_element(profile.begin(), profile.end());
}

void add_heat(const HeatRequest& request, const ContactProblem& problem, const StepInput& step,
              const std::vector<double>& power, ContactSolution& solution,
              SurfaceNumbers& numbers) {
  SurfaceTemperatures found = temperatures_by(power, problem, step, solution);
  const auto greatest = [&](Body body) {
    const auto& values = found.temperature[static_cast<std::size_t>(body)];
    return *std::max_element(values.begin(), values.end());
  };
  numbers.max_temperature_upper = greatest(Body::upper);
  numbers.max_temperature_lower = greatest(Body::lower);
  // In the contact both are one.
  for (std::size_t i = 0; i < solution.element_division.size(); ++i)
    if (solution.element_division[i] != ElementState::exterior)
      numbers.max_temperature = std::max(numbers.max_temperature.value_or(found.temperature[0][i]),
                                         found.temperature[0][i]);
  numbers.heat_upper = found.heat[0];
  numbers.heat_lower = found.heat[1];
  numbers.peclet_number =
      least_peclet_number(request, problem.grid, step.tangential, solution.element_division);
  solution.temperature_upper = std::move(found.temperature[0]);
  solution.temperature_lower = std::move(found.temperature[1]);
}

void add_fatigue(const FatigueRequest& request, const Grid& grid, const StepReport& report,
                 SurfaceNumbers& numbers) {
  if (!(report.normal_force > 0.0) || report.elements_contact == 0) return;
  const double area = static_cast<double>(report.elements_contact) * grid.element_area();
  const bool line = grid.my == 1;
  const double over_mean = line ? 4.0 / std::numbers::pi : 1.5;  // Hertz's p_0 over the mean
  const double load = over_mean * report.normal_force / (area * request.shear_yield);
  numbers.used_friction = std::hypot(report.force_x, report.force_y) / report.normal_force;
  numbers.shakedown_load = load;
  numbers.surface_fatigue_index = *numbers.used_friction - 1.0 / load;
  const ShakedownLimits limits =
      line ? line_limits(*numbers.used_friction) : point_limits(*numbers.used_friction);
  numbers.elastic_limit = limits.elastic;
  numbers.shakedown_limit = limits.shakedown;
  numbers.shakedown_reserve = limits.shakedown / load;
}

}  // namespace

SurfaceTemperatures step_temperatures(const ContactProblem& problem, const StepInput& step,
                                      const ContactSolution& solution) {
  return temperatures_by(power_density(t_gamma_density(solution, step.tangential.step), step),
                         problem, step, solution);
}

void add_surface(const ContactProblem& problem, const StepInput& step, ContactSolution& solution,
                 StepReport& report) {
  const SurfaceRequest& request = problem.surface;
  if (request.empty()) return;
  if (request.fatigue) add_fatigue(*request.fatigue, problem.grid, report, report.surface);
  if (!request.wear && !request.heat) return;
  std::vector<double> t_gamma = t_gamma_density(solution, step.tangential.step);
  const std::vector<double> power = power_density(t_gamma, step);
  if (request.wear)
    add_wear(*request.wear, problem, step, std::move(t_gamma), solution, report.surface);
  if (request.heat) add_heat(*request.heat, problem, step, power, solution, report.surface);
  if (step.tangential.velocity > 0.0) solution.friction_power_density = power;
}

void add_surface_fields(const ContactProblem& problem, const StepInput& step,
                        ContactSolution& solution) {
  StepReport unused;
  add_surface(problem, step, solution, unused);
}

}  // namespace slipfield
