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

// Means over 2 x 2 elements, of those that are finite; infinity where fewer than half are.
std::vector<double> means_of_four(const std::vector<double>& values, const Grid& fine) {
  const Grid coarse = coarsen(fine);
  std::vector<double> means(coarse.count(), std::numeric_limits<double>::infinity());
  for (int cy = 0; cy < coarse.my; ++cy) {
    for (int cx = 0; cx < coarse.mx; ++cx) {
      double sum = 0.0;
      int finite = 0;
      for (int iy = 2 * cy; iy < std::min(2 * cy + 2, fine.my); ++iy) {
        for (int ix = 2 * cx; ix < std::min(2 * cx + 2, fine.mx); ++ix) {
          const double value = values[fine.index(ix, iy)];
          if (!std::isfinite(value)) continue;
          sum += value;
          ++finite;
        }
      }
      if (finite >= 2) means[coarse.index(cx, cy)] = sum / finite;
    }
  }
  return means;
}

}  // namespace

ContactProblem coarse_twin(const ContactProblem& problem, const std::vector<double>& distance) {
  ContactProblem coarse;
  coarse.units = problem.units;
  coarse.upper = problem.upper;
  coarse.lower = problem.lower;
  coarse.grid = coarsen(problem.grid);
  coarse.geometry = {HeightsShape{HeightsOf::distance, means_of_four(distance, problem.grid)}};
  coarse.solver = problem.solver;
  // Its error is what is looked at, and that is greater.
  constexpr double kLoose = 1.0e-4;
  coarse.solver.tolerance = std::max(problem.solver.tolerance, kLoose);
  return coarse;
}

StepInput coarse_twin(const StepInput& step, const Grid& fine) {
  StepInput coarse = step;
  coarse.tangential.step *= 2.0;
  if (const auto* local = std::get_if<FrictionByElement>(&step.friction.place))
    coarse.friction.place = friction_by_element(means_of_four(*local->value, fine));
  return coarse;
}

DiscretisationError estimate_error(const StepReport& fine, const StepReport& coarse,
                                   double element_area) {
  const auto elements = static_cast<double>(fine.elements_contact);
  const double share = 0.5 / elements;
  const double bound = fine.friction_coefficient * fine.normal_force;
  const double radius = std::sqrt(elements * element_area / std::numbers::pi);
  const auto apart = [](double a, double b) { return std::fabs(a - b); };
  const auto relative = [&](double a, double b) { return apart(a, b) + share * std::fabs(a); };
  return {.force_x = apart(fine.force_x, coarse.force_x) + share * bound,
          .force_y = apart(fine.force_y, coarse.force_y) + share * bound,
          .moment_z = apart(fine.moment_z, coarse.moment_z) + share * bound * radius,
          .friction_work = relative(fine.friction_work, 0.5 * coarse.friction_work),
          .creepage_x = relative(fine.rigid_x, coarse.rigid_x),
          .creepage_y = relative(fine.rigid_y, coarse.rigid_y)};
}

}  // namespace slipfield
