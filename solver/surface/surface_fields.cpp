// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/surface_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "solver/rolling.h"
#include "solver/step/energy_balance.h"
#include "solver/surface/contact_spots.h"
#include "solver/surface/heat.h"
#include "solver/surface/shakedown.h"
#include "solver/surface/wear.h"

namespace slipfield {
namespace {

// Frictional power per area, whose sum is the step's friction_work as a power; if that is taken
// from the forces (THEORY.md 11.3), computed with the slip used for wear. known: that slip; null:
// not yet computed.
std::vector<double> power_density(const ContactProblem& problem, const StepInput& step,
                                  const StepReport& report, const ContactSolution& solution,
                                  const WearingSlip* known) {
  const Tangential& tangential = step.tangential;
  if (!is_rolling(tangential.problem)) return t_gamma_density(solution, tangential.duration);
  const bool by_forces = tangential.problem == TangentialProblem::steady_rolling &&
                         problem.solver.rolling == RollingScheme::second_order;
  std::vector<double> power =
      !by_forces ? t_gamma_density(solution, tangential.step)
      : known != nullptr
          ? known->t_gamma
          : wearing_slip(problem, step,
                         dissipated_by_slip(problem, report,
                                            t_gamma(step, report, problem.grid, solution).total,
                                            tangential.step),
                         solution)
                .t_gamma;
  for (double& value : power) value *= tangential.velocity;
  return power;
}

// The part of that power that becomes heat.
std::vector<double> heat_of(std::vector<double> power, const ContactProblem& problem,
                            const ContactSolution& solution) {
  const double share = problem.surface.heat->plastic_share;
  for (std::size_t i = 0; share != 1.0 && i < power.size(); ++i)
    if (solution.element_division[i] == ElementState::plastic) power[i] *= share;
  return power;
}

SurfaceTemperatures temperatures_of(const ContactProblem& problem, const StepInput& step,
                                    const StepReport& report, const ContactSolution& solution,
                                    std::vector<double> power) {
  return surface_temperatures(*problem.surface.heat, problem.units, problem.grid, step.tangential,
                              heat_of(std::move(power), problem, solution),
                              solution.element_division, passing_speeds(step.tangential, report));
}

WearingSlip add_wear(const WearRequest& request, const ContactProblem& problem,
                     const StepInput& step, ContactSolution& solution, StepReport& report) {
  const Grid& grid = problem.grid;
  SurfaceNumbers& numbers = report.surface;
  if (!numbers.t_gamma) {  // a saved report has it already, but not its terms
    const TGamma found = t_gamma(step, report, grid, solution);
    numbers.t_gamma = found.total;
    numbers.t_gamma_spin = found.spin;
  }
  const std::vector<double> own = t_gamma_density(solution, step.tangential.step);
  numbers.t_gamma_elements = grid.element_area() * std::accumulate(own.begin(), own.end(), 0.0);
  numbers.rcf_damage = request.damage.at(*numbers.t_gamma);
  WearingSlip slip = slips_without_traction(solution)
                         ? wearing_slip_without_friction(problem, step, report, solution)
                         : wearing_slip(problem, step,
                                        dissipated_by_slip(problem, report, *numbers.t_gamma,
                                                           step.tangential.step),
                                        solution);
  solution.wear_depth = wear_per_pass(request, grid, problem.units, step, solution.pressure, slip);
  solution.t_gamma_density = slip.t_gamma;
  solution.wear_profile = worn_profile(solution.wear_depth, grid, request.passes);
  const auto& profile = solution.wear_profile;
  numbers.worn_area = grid.dy * std::accumulate(profile.begin(), profile.end(), 0.0);
  numbers.max_wear_depth = *std::max_element(profile.begin(), profile.end());
  return slip;
}

void add_shift_wear(const WearRequest& request, const Grid& grid, const StepInput& step,
                    ContactSolution& solution, SurfaceNumbers& numbers) {
  if (step.tangential.problem == TangentialProblem::shift)
    solution.wear_depth = depth_of_shift(request, step, solution);
  const auto& depth = solution.wear_depth_total;
  if (depth.empty()) return;
  numbers.worn_volume =
      request.passes * grid.element_area() * std::accumulate(depth.begin(), depth.end(), 0.0);
  numbers.max_wear_depth = request.passes * *std::max_element(depth.begin(), depth.end());
}

// The greatest pressure of Hertz's line or ellipse that has the moments of a pressure (THEORY.md
// 14.4). The pressure is 0 outside the contact and not 0 everywhere.
double hertz_peak(std::span<const double> pressure, bool line) {
  const double squares =
      std::inner_product(pressure.begin(), pressure.end(), pressure.begin(), 0.0);
  return (line ? 0.375 * std::numbers::pi : 4.0 / 3.0) * squares /
         std::accumulate(pressure.begin(), pressure.end(), 0.0);
}

void add_fatigue(const FatigueRequest& request, const Grid& grid, const Tangential& step,
                 const ContactSolution& solution, StepReport& report) {
  if (!(report.normal_force > 0.0) || report.elements_contact == 0) return;
  SurfaceNumbers& numbers = report.surface;
  const PassedContact contact = passed_contact(grid, step, report, solution);
  const double load = hertz_peak(solution.pressure, contact.line) / request.shear_yield;
  numbers.used_friction = std::hypot(report.force_x, report.force_y) / report.normal_force;
  numbers.shakedown_load = load;
  numbers.surface_fatigue_index = *numbers.used_friction - 1.0 / load;
  const ShakedownLimits limits =
      contact.line && contact.width_over_length > 1.0
          ? line_limits(*numbers.used_friction)
          : ellipse_limits(*numbers.used_friction, contact.width_over_length);
  numbers.elastic_limit = limits.elastic;
  numbers.shakedown_limit = limits.shakedown;
  numbers.shakedown_reserve = limits.shakedown / load;
}

// The length from the first row or column that has elements in contact to the last; on a period
// less the longest gap. touching: how many each has.
double touched_length(const std::vector<std::size_t>& touching, double spacing, bool repeats) {
  const auto touches = [](std::size_t count) { return count > 0; };
  const auto first = std::find_if(touching.begin(), touching.end(), touches);
  if (first == touching.end()) return 0.0;
  const auto last = std::find_if(touching.rbegin(), touching.rend(), touches).base();  // behind it
  const std::ptrdiff_t outside = (first - touching.begin()) + (touching.end() - last);
  const auto count = static_cast<std::ptrdiff_t>(touching.size());
  std::ptrdiff_t longest = outside;
  std::ptrdiff_t gap = 0;
  for (auto at = first; repeats && at != last; ++at) {
    gap = touches(*at) ? 0 : gap + 1;
    longest = std::max(longest, gap);
  }
  return static_cast<double>(count - longest) * spacing;
}

// How a pressure varies along x and along y: its squares about the means of its rows and of its
// columns, over all squares; 0 where it is what solutions leave.
struct Variation {
  double x = 0.0;
  double y = 0.0;
};
Variation variation(const Grid& grid, const std::vector<double>& pressure) {
  std::vector<double> row(static_cast<std::size_t>(grid.my));
  std::vector<double> column(static_cast<std::size_t>(grid.mx));
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    row[i / column.size()] += pressure[i] / static_cast<double>(grid.mx);
    column[i % column.size()] += pressure[i] / static_cast<double>(grid.my);
  }
  double squares = 0.0;
  Variation varies;
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    squares += std::pow(pressure[i], 2);
    varies.x += std::pow(pressure[i] - row[i / column.size()], 2);
    varies.y += std::pow(pressure[i] - column[i % column.size()], 2);
  }
  constexpr double kLeft = 1.0e-8;  // squared: 1e-4
  for (double* const each : {&varies.x, &varies.y})
    *each = *each > kLeft * squares ? *each / squares : 0.0;
  return varies;
}

void add_spots(const Grid& grid, const ContactSolution& solution, SurfaceNumbers& numbers) {
  const ContactSpots spots = contact_spots(grid, solution.element_division, solution.gap);
  numbers.contact_area = spots.area;
  numbers.contact_area_corrected = spots.area_corrected;
  numbers.contact_perimeter = spots.perimeter;
  numbers.contact_spots = spots.count;
  numbers.largest_spot_area = spots.largest_area;
  numbers.mean_gap = spots.mean_gap;
  numbers.open_along_x = spots.open_along_x ? 1.0 : 0.0;
  numbers.open_along_y = spots.open_along_y ? 1.0 : 0.0;
}

}  // namespace

PassedContact passed_contact(const Grid& grid, const Tangential& step, const StepReport& report,
                             const ContactSolution& solution) {
  const std::vector<ElementState>& division = solution.element_division;
  double towards_x = 1.0;
  double towards_y = 0.0;
  constexpr double kRounding = 1.0e-8;  // of the approach: shifts of forces that are 0
  double shift = std::hypot(report.rigid_x, report.rigid_y);
  if (shift <= kRounding * std::abs(report.approach)) shift = 0.0;
  if (is_rolling(step.problem)) {
    towards_x = std::cos(step.direction);
    towards_y = std::sin(step.direction);
  } else if (step.problem == TangentialProblem::shift && shift > 0.0) {
    towards_x = report.rigid_x / shift;
    towards_y = report.rigid_y / shift;
  }
  PassedContact contact;
  contact.nearer_to_y = std::abs(towards_y) > std::abs(towards_x);
  std::vector<std::size_t> in_column(static_cast<std::size_t>(grid.mx));
  std::vector<std::size_t> in_row(static_cast<std::size_t>(grid.my));
  for (std::size_t i = 0; i < division.size(); ++i)
    if (division[i] != ElementState::exterior) {
      ++in_column[i % in_column.size()];
      ++in_row[i / in_column.size()];
    }
  const double length_x = touched_length(in_column, grid.dx, repeats_in_x(grid.boundary));
  const double length_y = touched_length(in_row, grid.dy, repeats_in_y(grid.boundary));
  // A row that touches all along the period is a line; scattered elements in each column are not.
  const auto is_whole = [](const std::vector<std::size_t>& touching, std::size_t elements) {
    return std::ranges::find(touching, elements) != touching.end();
  };
  const bool fills_x = repeats_in_x(grid.boundary) && is_whole(in_row, in_column.size());
  const bool fills_y = repeats_in_y(grid.boundary) && is_whole(in_column, in_row.size());
  const auto is_line = [](bool fills, bool fills_across, double along, double across) {
    constexpr double kLittle = 1.0e-4;  // squared: 1 %
    return fills && (!fills_across || along < kLittle * across);
  };
  const Variation varies = fills_x && fills_y ? variation(grid, solution.pressure) : Variation{};
  const bool along_y = grid.my == 1 || is_line(fills_y, fills_x, varies.y, varies.x);
  const bool along_x = !along_y && (grid.mx == 1 || is_line(fills_x, fills_y, varies.x, varies.y));
  contact.line = along_x || along_y;
  if (contact.line) {
    const bool moves = is_rolling(step.problem) || shift > 0.0;
    const bool across = !moves || along_x == contact.nearer_to_y;
    contact.width_over_length = across ? std::numeric_limits<double>::infinity() : 0.0;
  } else if (length_x > 0.0) {  // an ellipse with these extents
    contact.width_over_length = std::hypot(length_x * towards_y, length_y * towards_x) /
                                std::hypot(length_x * towards_x, length_y * towards_y);
  }
  return contact;
}

std::vector<double> surface_fatigue_along_y(const Grid& grid, const Tangential& step,
                                            const ContactSolution& solution,
                                            const StepReport& report) {
  if (!report.surface.shakedown_load || solution.element_division.size() != grid.count()) return {};
  const PassedContact contact = passed_contact(grid, step, report, solution);
  if (contact.nearer_to_y) return {};
  const double shear_yield =
      hertz_peak(solution.pressure, contact.line) / *report.surface.shakedown_load;
  const auto row_of = [&](const std::vector<double>& field, int iy) {
    return std::span(field).subspan(grid.index(0, iy), static_cast<std::size_t>(grid.mx));
  };
  const auto sum_of = [](std::span<const double> row) {
    return std::accumulate(row.begin(), row.end(), 0.0);
  };
  std::vector<double> index;
  for (int iy = 0; iy < grid.my; ++iy) {
    const std::span<const double> pressure = row_of(solution.pressure, iy);
    const double load = sum_of(pressure);
    index.push_back(load > 0.0 ? std::hypot(sum_of(row_of(solution.traction_x, iy)),
                                            sum_of(row_of(solution.traction_y, iy))) /
                                         load -
                                     shear_yield / hertz_peak(pressure, true)
                               : std::numeric_limits<double>::quiet_NaN());
  }
  return index;
}

std::vector<double> heating_power(const ContactProblem& problem, const StepInput& step,
                                  const StepReport& report, const ContactSolution& solution) {
  return heat_of(power_density(problem, step, report, solution, nullptr), problem, solution);
}

SurfaceTemperatures step_temperatures(const ContactProblem& problem, const StepInput& step,
                                      const StepReport& report, const ContactSolution& solution) {
  return temperatures_of(problem, step, report, solution,
                         power_density(problem, step, report, solution, nullptr));
}

void add_temperatures(SurfaceTemperatures found, double peclet_number, ContactSolution& solution,
                      SurfaceNumbers& numbers) {
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
  if (std::isfinite(peclet_number)) numbers.peclet_number = peclet_number;  // not without contact
  solution.temperature_upper = std::move(found.temperature[0]);
  solution.temperature_lower = std::move(found.temperature[1]);
}

void add_surface(const ContactProblem& problem, const StepInput& step, ContactSolution& solution,
                 StepReport& report) {
  const SurfaceRequest& request = problem.surface;
  if (request.empty()) return;
  if (request.spots) add_spots(problem.grid, solution, report.surface);
  if (request.fatigue) {
    add_fatigue(*request.fatigue, problem.grid, step.tangential, solution, report);
    solution.surface_fatigue_along_y =
        surface_fatigue_along_y(problem.grid, step.tangential, solution, report);
  }
  std::optional<WearingSlip> slip;
  if (request.wear && is_rolling(step.tangential.problem))
    slip = add_wear(*request.wear, problem, step, solution, report);
  if (request.wear &&
      (step.tangential.problem == TangentialProblem::shift || !solution.wear_depth_total.empty()))
    add_shift_wear(*request.wear, problem.grid, step, solution, report.surface);
  const bool heats = request.heat && solution.temperature_upper.empty();
  const bool has_power = (request.wear || request.heat) && slip_rate(step.tangential) > 0.0;
  if (!heats && !has_power) return;
  std::vector<double> power =
      power_density(problem, step, report, solution, slip ? &*slip : nullptr);
  if (heats)
    add_temperatures(
        temperatures_of(problem, step, report, solution, power),
        least_peclet_number(request.heat->bodies, problem.grid, step.tangential,
                            solution.element_division, passing_speeds(step.tangential, report)),
        solution, report.surface);
  if (has_power) solution.friction_power_density = std::move(power);
}

void add_surface_fields(const ContactProblem& problem, const StepInput& step,
                        const StepReport& report, ContactSolution& solution) {
  StepReport scratch = report;
  add_surface(problem, step, solution, scratch);
}

}  // namespace slipfield
