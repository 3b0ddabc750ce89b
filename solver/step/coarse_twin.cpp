// SPDX-License-Identifier: Apache-2.0
#include "solver/step/coarse_twin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>

#include "solver/rolling.h"
#include "solver/tangential/coarse_grid.h"

namespace slipfield {
namespace {

// The elements of the fine grid in a place of the coarse one: two, or the one of a single row.
struct IndexRange {
  int begin = 0;
  int end = 0;
};
IndexRange span_of(int place, int fine_count) {
  if (fine_count == 1) return {0, 1};
  return {2 * place, std::min(2 * place + 2, fine_count)};
}

// Means over 2 x 2 elements, of those that are finite; infinity where fewer than half are.
std::vector<double> means_of_four(const std::vector<double>& values, const Grid& fine) {
  const Grid coarse = coarsen(fine);
  std::vector<double> means(coarse.count(), std::numeric_limits<double>::infinity());
  for (int cy = 0; cy < coarse.my; ++cy) {
    for (int cx = 0; cx < coarse.mx; ++cx) {
      const IndexRange rows = span_of(cy, fine.my);
      const IndexRange columns = span_of(cx, fine.mx);
      double sum = 0.0;
      int finite = 0;
      for (int iy = rows.begin; iy < rows.end; ++iy) {
        for (int ix = columns.begin; ix < columns.end; ++ix) {
          const double value = values[fine.index(ix, iy)];
          if (!std::isfinite(value)) continue;
          sum += value;
          ++finite;
        }
      }
      const int all = (rows.end - rows.begin) * (columns.end - columns.begin);
      if (2 * finite >= all) means[coarse.index(cx, cy)] = sum / finite;
    }
  }
  return means;
}

}  // namespace

ContactProblem without_geometry(const ContactProblem& problem) {
  ContactProblem rest;
  rest.units = problem.units;
  rest.upper = problem.upper;
  rest.lower = problem.lower;
  rest.layer = problem.layer;
  rest.influence = problem.influence;
  rest.grid = problem.grid;
  rest.solver = problem.solver;
  return rest;
}

ContactProblem coarse_twin(const ContactProblem& problem, const std::vector<double>& distance) {
  ContactProblem coarse = without_geometry(problem);
  coarse.grid = coarsen(problem.grid);
  coarse.geometry = {HeightsShape{HeightsOf::distance, means_of_four(distance, problem.grid)}};
  // Its error is what is looked at, and that is greater.
  constexpr double kLoose = 1.0e-4;
  coarse.solver.tolerance = std::max(problem.solver.tolerance, kLoose);
  return coarse;
}

bool has_coarse_twin(const Tangential& tangential, const Grid& fine) {
  if (tangential.problem != TangentialProblem::steady_rolling || tangential.extra.given())
    return false;
  const bool across_row = (fine.mx == 1 && !rolls_along_y(tangential.direction)) ||
                          (fine.my == 1 && !rolls_along_x(tangential.direction));
  return !across_row;
}

bool is_whole(const StepReport& coarse, const Grid& fine) {
  const bool overhangs = (fine.mx > 1 && fine.mx % 2 != 0) || (fine.my > 1 && fine.my % 2 != 0);
  return coarse.outcome == Outcome::converged && coarse.elements_contact >= kLeastForEstimate &&
         !(overhangs && coarse.touches_edge);
}

StepInput coarse_twin(const StepInput& step, const Grid& fine) {
  StepInput coarse = step;
  coarse.tangential.step *= 2.0;
  if (const auto* local = std::get_if<FrictionByElement>(&step.friction.place))
    coarse.friction.place = friction_by_element(means_of_four(*local->value, fine));
  return coarse;
}

DiscretisationError estimate_error(const StepReport& fine, const StepReport& coarse,
                                   double element_area, const Tangential& tangential) {
  const auto elements = static_cast<double>(fine.elements_contact);
  const double share = 0.5 / elements;
  const double bound = fine.friction_coefficient * fine.normal_force;
  const double radius = std::sqrt(elements * element_area / std::numbers::pi);
  const auto apart = [](double a, double b) { return std::fabs(a - b); };
  const auto relative = [&](double a, double b) { return apart(a, b) + share * std::fabs(a); };
  const auto creepage = [&](const TangentialLoad& load, double a, double b) {
    return load.control == TangentialControl::rigid ? 0.0 : relative(a, b);
  };
  return {.force_x = apart(fine.force_x, coarse.force_x) + share * bound,
          .force_y = apart(fine.force_y, coarse.force_y) + share * bound,
          .moment_z = apart(fine.moment_z, coarse.moment_z) + share * bound * radius,
          .friction_work = relative(fine.friction_work, 0.5 * coarse.friction_work),
          .creepage_x = creepage(tangential.x, fine.rigid_x, coarse.rigid_x),
          .creepage_y = creepage(tangential.y, fine.rigid_y, coarse.rigid_y)};
}

}  // namespace slipfield
