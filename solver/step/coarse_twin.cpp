// SPDX-License-Identifier: Apache-2.0
#include "solver/step/coarse_twins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>

#include "solver/influence/fading_memory.h"
#include "solver/rolling.h"
#include "solver/step/step_outcome.h"
#include "solver/tangential/coarse_ops.h"

namespace slipfield {
namespace {

// The elements of the fine grid in a place of the coarse one: two, or one at an end, or the one of
// a single row.
struct IndexRange {
  int begin = 0;
  int end = 0;
};
IndexRange span_of(int place, int fine_count, Pairs pairs) {
  if (fine_count == 1) return {0, 1};
  const int begin = 2 * place - (pairs == Pairs::from_second ? 1 : 0);
  return {std::max(begin, 0), std::min(begin + 2, fine_count)};
}

// Means over 2 x 2 elements, of those that are finite; infinity where fewer than half are.
std::vector<double> means_of_four(const std::vector<double>& values, const Grid& fine,
                                  Pairs pairs) {
  const Grid coarse = coarse_grid(fine, pairs);
  std::vector<double> means(coarse.count(), std::numeric_limits<double>::infinity());
  for (int cy = 0; cy < coarse.my; ++cy) {
    for (int cx = 0; cx < coarse.mx; ++cx) {
      const IndexRange rows = span_of(cy, fine.my, pairs);
      const IndexRange columns = span_of(cx, fine.mx, pairs);
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

Grid coarse_grid(const Grid& fine, Pairs pairs) {
  Grid coarse = coarsen(fine);
  if (pairs == Pairs::from_first) return coarse;
  if (fine.mx > 1) {
    coarse.mx = fine.mx / 2 + 1;
    coarse.x0 -= fine.dx;
  }
  if (fine.my > 1) {
    coarse.my = fine.my / 2 + 1;
    coarse.y0 -= fine.dy;
  }
  return coarse;
}

ContactProblem coarse_twin(const ContactProblem& problem, const std::vector<double>& distance,
                           Pairs pairs) {
  ContactProblem coarse = without_geometry(problem);
  coarse.grid = coarse_grid(problem.grid, pairs);
  coarse.geometry = {
      HeightsShape{HeightsOf::distance, means_of_four(distance, problem.grid, pairs)}};
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

bool is_measure(const StepReport& coarse) {
  return coarse.outcome == Outcome::converged && coarse.elements_contact >= kLeastForEstimate;
}

StepInput coarse_twin(const StepInput& step, const Grid& fine, Pairs pairs) {
  StepInput coarse = step;
  coarse.tangential.step *= 2.0;
  if (const auto* local = std::get_if<FrictionByElement>(&step.friction.place))
    coarse.friction.place = friction_by_element(means_of_four(*local->value, fine, pairs));
  return coarse;
}

bool conserves_energy(const ContactProblem& problem) {
  return !couples(problem) && !is_viscoelastic(problem.upper) && !is_viscoelastic(problem.lower) &&
         !problem.layer.yields() && !problem.influence.exists();
}

DiscretisationError estimate_error(const StepReport& fine,
                                   const std::array<StepReport, kPairs.size()>& coarse,
                                   double element_area, const Tangential& tangential,
                                   bool conserves, RollingScheme scheme) {
  const auto elements = static_cast<double>(fine.elements_contact);
  const double share = 0.5 / elements;
  const double radius = std::sqrt(elements * element_area / std::numbers::pi);
  // A coefficient may be so great that hardly anything slips.
  const double carried = std::hypot(fine.force_x, fine.force_y) + std::fabs(fine.moment_z) / radius;
  const double bound =
      share * std::min(fine.friction_coefficient * fine.normal_force, 4.0 * carried);
  // per_step: steps of a coarse grid in one of the fine grid.
  const auto apart = [&](double StepReport::*total, double per_step = 1.0) {
    double size = 0.0;
    for (const StepReport& twin : coarse)
      size = std::hypot(size, fine.*total - per_step * (twin.*total));
    return size / std::sqrt(static_cast<double>(coarse.size()));
  };
  // Half of it to second order, unless the leading edges are none that it was measured with.
  constexpr double kFew = 0.2;
  constexpr double kMany = 0.5;
  const double unlike = std::clamp((fine.unlike_edges - kFew) / (kMany - kFew), 0.0, 1.0);
  const double part = conserves && scheme == RollingScheme::second_order ? 0.5 + 0.5 * unlike : 1.0;
  const auto creepage = [&](const TangentialLoad& load, double StepReport::*rigid) {
    return load.control == TangentialControl::rigid
               ? 0.0
               : part * apart(rigid) + share * std::fabs(fine.*rigid);
  };
  double work = apart(&StepReport::friction_work, 0.5);
  if (conserves)
    work = std::max(work, std::fabs(fine.friction_work - work_of_forces(fine, tangential.step)));
  double t_gamma = 0.0;
  for (const StepReport& twin : coarse)
    t_gamma = std::hypot(t_gamma, work_of_forces(fine, 1.0) - work_of_forces(twin, 1.0));
  t_gamma *= part / std::sqrt(static_cast<double>(coarse.size()));
  t_gamma += bound * (std::hypot(fine.rigid_x, fine.rigid_y) + radius * std::fabs(fine.rotation));
  return {.force_x = part * apart(&StepReport::force_x) + bound,
          .force_y = part * apart(&StepReport::force_y) + bound,
          .moment_z = part * apart(&StepReport::moment_z) + bound * radius,
          .friction_work = work + share * std::fabs(fine.friction_work),
          .t_gamma = t_gamma,
          .creepage_x = creepage(tangential.x, &StepReport::rigid_x),
          .creepage_y = creepage(tangential.y, &StepReport::rigid_y)};
}

}  // namespace slipfield
