// SPDX-License-Identifier: Apache-2.0
#include "app/run/accuracy/suggested_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "solver/combinations.h"
#include "solver/contact_solver.h"
#include "solver/error.h"
#include "solver/problem_limits.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

constexpr int kFirstElements = 64;  // in the longer row of the first grid tried
constexpr int kMostElements = 512;  // and of the last one

// Divides the area of `grid` into `longer` elements along its longer row; the other row keeps the
// elements' shape; a single row stays one.
Grid with_elements(const Grid& grid, int longer) {
  const double factor = static_cast<double>(longer) / std::max(grid.mx, grid.my);
  const auto scaled = [&](int elements) {
    if (elements == 1) return 1;
    return std::max(2, 2 * static_cast<int>(std::lround(0.5 * factor * elements)));
  };
  Grid other = grid;
  other.mx = scaled(grid.mx);
  other.my = scaled(grid.my);
  other.dx = grid.dx * grid.mx / other.mx;
  other.dy = grid.dy * grid.my / other.my;
  return other;
}

// The rolling step on a grid: as many elements as on the case's own; at least one.
double step_in(const Grid& grid, const StepInput& step, const Grid& of_case) {
  const double direction = step.tangential.direction;
  if (is_short_steady_step(step.tangential.step, direction, of_case))
    return element_length(direction, grid);
  const double x = grid.dx / of_case.dx;
  const double y = grid.dy / of_case.dy;
  const double longer = rolls_along_x(direction)   ? x
                        : rolls_along_y(direction) ? y
                                                   : std::min(x, y);
  return step.tangential.step * longer;
}

const StepInput& last_steady_step(const ContactProblem& problem) {
  const auto steady = [](const StepInput& step) {
    return step.tangential.problem == TangentialProblem::steady_rolling;
  };
  const auto found = std::find_if(problem.steps.rbegin(), problem.steps.rend(), steady);
  if (found == problem.steps.rend())
    throw InputError(
        "a grid for an error is suggested for steady rolling, which no step of this case is");
  return *found;
}

void refuse_without_estimate(const ContactProblem& problem, const StepInput& step) {
  const bool heights =
      std::any_of(problem.geometry.begin(), problem.geometry.end(),
                  [](const Shape& shape) { return std::holds_alternative<HeightsShape>(shape); });
  if (const std::string reason = refusal_of_estimate(problem); !reason.empty())
    throw InputError("a grid for an error cannot be suggested: " + reason);
  if (heights || std::holds_alternative<FrictionByElement>(step.friction.place) ||
      step.tangential.extra.given() || problem.influence.tables)
    throw InputError(
        "a grid for an error cannot be suggested where a file gives values for single elements; "
        "accepted: geometry, friction and influence by formulas");
}

double over(double error, double value) {
  return error == 0.0 ? 0.0 : error / std::max(std::fabs(value), error);
}

// Nothing if the step has no estimate on that grid.
std::optional<double> error_on(const Grid& grid, const ContactProblem& problem,
                               const StepInput& step) {
  ContactProblem coarser = problem;
  coarser.grid = grid;
  coarser.error_estimate = true;
  coarser.sensitivities = false;
  coarser.surface = {};
  coarser.steps = {step};
  coarser.steps.front().repeat = 1;
  coarser.steps.front().tangential.step = step_in(grid, step, problem.grid);
  const StepReport report = make_cpu_solver(coarser)->advance(coarser.steps.front());
  if (!report.error) return std::nullopt;
  const double bound = report.friction_coefficient * report.normal_force;
  return std::max({over(report.error->force_x, bound), over(report.error->force_y, bound),
                   over(report.error->creepage_x, report.rigid_x),
                   over(report.error->creepage_y, report.rigid_y)});
}

std::vector<GridError> measure(const ContactProblem& problem, const StepInput& step) {
  std::vector<GridError> measured;
  for (int longer = kFirstElements; longer <= kMostElements && measured.size() < 2; longer *= 2) {
    const Grid grid = with_elements(problem.grid, longer);
    const auto error = error_on(grid, problem, step);
    if (error && *error > 0.0)
      measured.push_back({grid.mx, grid.my, *error});
    else
      measured.clear();  // the two are neighbours
  }
  if (measured.size() < 2)
    throw InputError(fmt::format(
        "no grid for an error can be suggested: grids of up to {} elements in a row have too few "
        "in contact, or do not converge; accepted: a grid that the contact fills more of",
        kMostElements));
  return measured;
}

}  // namespace

SuggestedGrid suggest_grid(const ContactProblem& problem, double wanted) {
  const StepInput& step = last_steady_step(problem);
  refuse_without_estimate(problem, step);
  SuggestedGrid suggested;
  suggested.measured = measure(problem, step);
  const GridError& finer = suggested.measured.back();
  suggested.order = problem.solver.rolling == RollingScheme::second_order ? 1.5 : 1.0;
  // Estimates scatter: take the greater of the two, as far as they are comparable.
  const double error =
      std::max(finer.error, suggested.measured.front().error * std::pow(0.5, suggested.order));
  const double elements =
      std::max(finer.mx, finer.my) * std::pow(error / wanted, 1.0 / suggested.order);
  if (!(elements <= kMaxElements))
    throw InputError(fmt::format(
        "an error of {:g} would take {:.3g} elements in a row; accepted: an error that takes at "
        "most {}; the one of {} x {} elements is {:.2g}",
        wanted, elements, kMaxElements, finer.mx, finer.my, finer.error));
  constexpr int kMultiple = 4;
  constexpr int kFewest = 32;  // below, the border of the contact rules the error
  const int longer = kMultiple * static_cast<int>(std::ceil(elements / kMultiple));
  suggested.grid = with_elements(problem.grid, std::max(longer, kFewest));
  suggested.step = step_in(suggested.grid, step, problem.grid);
  return suggested;
}

}  // namespace slipfield
