// SPDX-License-Identifier: Apache-2.0
#include "solver/step/coarse_twins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <variant>

#include "solver/rolling.h"
#include "solver/step/energy_balance.h"

namespace slipfield {
namespace {

// The coarse elements along one direction.
struct CoarseAxis {
  int count = 1;
  double start = 0.0;  // start of the first one, in fine elements from the fine grid's edge
};
CoarseAxis coarse_axis(int fine_count, Twin which) {
  const int half = fine_count / 2;
  if (fine_count == 1) return {};
  if (fine_count % 2 == 0)
    return which == Twin::first ? CoarseAxis{half, 0.0} : CoarseAxis{half + 1, -1.0};
  // With three fine elements, the middle one alone would be no grid.
  const bool has_middle = which == Twin::first || half == 1;
  const bool has_first = half == 1 || (half % 2 == 0) == has_middle;
  return has_first ? CoarseAxis{half + 1, -0.5} : CoarseAxis{half, 0.5};
}

// Weight of a fine element within a coarse one.
struct Share {
  int index = 0;
  double weight = 0.0;
};
std::vector<Share> shares_of(int place, int fine_count, Twin which) {
  if (fine_count == 1) return {{0, 1.0}};
  const double start = coarse_axis(fine_count, which).start + 2.0 * place;
  std::vector<Share> shares;
  for (int i = static_cast<int>(std::floor(start)); i < start + 2.0; ++i)
    if (i >= 0 && i < fine_count)
      shares.push_back({i, 0.5 * (std::min(i + 1.0, start + 2.0) - std::max<double>(i, start))});
  return shares;
}

// Means of the finite values over each coarse element; infinity if fewer than half are finite.
std::vector<double> coarse_means(const std::vector<double>& values, const Grid& fine, Twin which) {
  const Grid coarse = coarse_grid(fine, which);
  std::vector<double> means(coarse.count(), std::numeric_limits<double>::infinity());
  for (int cy = 0; cy < coarse.my; ++cy) {
    const std::vector<Share> rows = shares_of(cy, fine.my, which);
    for (int cx = 0; cx < coarse.mx; ++cx) {
      double sum = 0.0;
      double finite = 0.0;
      double all = 0.0;
      const std::vector<Share> columns = shares_of(cx, fine.mx, which);
      for (const Share& row : rows) {
        for (const Share& column : columns) {
          const double weight = row.weight * column.weight;
          const double value = values[fine.index(column.index, row.index)];
          all += weight;
          if (!std::isfinite(value)) continue;
          sum += weight * value;
          finite += weight;
        }
      }
      if (2.0 * finite >= all) means[coarse.index(cx, cy)] = sum / finite;
    }
  }
  return means;
}

}  // namespace

ContactProblem settings_of_twins(const ContactProblem& problem) {
  ContactProblem settings = without_geometry(problem);
  settings.sensitivities = settings.error_estimate = false;
  settings.surface = {};
  return settings;
}

Grid coarse_grid(const Grid& fine, Twin which) {
  Grid coarse = fine;
  const CoarseAxis x = coarse_axis(fine.mx, which);
  const CoarseAxis y = coarse_axis(fine.my, which);
  coarse.mx = x.count;
  coarse.my = y.count;
  coarse.x0 += x.start * fine.dx;
  coarse.y0 += y.start * fine.dy;
  if (fine.mx > 1) coarse.dx = 2.0 * fine.dx;
  if (fine.my > 1) coarse.dy = 2.0 * fine.dy;
  return coarse;
}

ContactProblem coarse_twin(const ContactProblem& problem, const std::vector<double>& distance,
                           Twin which) {
  ContactProblem coarse = settings_of_twins(problem);
  coarse.grid = coarse_grid(problem.grid, which);
  coarse.geometry = {
      HeightsShape{HeightsOf::distance, coarse_means(distance, problem.grid, which)}};
  // A loose solution suffices: the twin's discretisation error is greater.
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

StepInput coarse_twin(const StepInput& step, const Grid& fine, Twin which) {
  StepInput coarse = step;
  coarse.tangential.step *= 2.0;
  if (const auto* local = std::get_if<FrictionByElement>(&step.friction.place))
    coarse.friction.place = friction_by_element(coarse_means(*local->value, fine, which));
  return coarse;
}

DiscretisationError estimate_error(const StepReport& fine,
                                   const std::array<StepReport, kTwins.size()>& coarse,
                                   double element_area, const Tangential& tangential,
                                   const ContactProblem& problem) {
  const auto elements = static_cast<double>(fine.elements_contact);
  const double share = 0.5 / elements;
  const double radius = std::sqrt(elements * element_area / std::numbers::pi);
  // With a very large coefficient hardly anything slips, so the bound alone is no scale.
  const double carried = std::hypot(fine.force_x, fine.force_y) + std::fabs(fine.moment_z) / radius;
  const double bound =
      share * std::min(fine.friction_coefficient * fine.normal_force, 4.0 * carried);
  // per_step: coarse steps per fine step.
  const auto apart = [&](double StepReport::*total, double per_step = 1.0) {
    double size = 0.0;
    for (const StepReport& twin : coarse)
      size = std::hypot(size, fine.*total - per_step * (twin.*total));
    return size / std::sqrt(static_cast<double>(coarse.size()));
  };
  // Half of it for second order, unless the leading edges differ from those it was measured with,
  // or the bodies from each other.
  constexpr double kFew = 0.2;
  constexpr double kMany = 0.5;
  const double unlike = std::clamp((fine.unlike_edges - kFew) / (kMany - kFew), 0.0, 1.0);
  const double coupled = unlikeness(contact_material(problem));
  const bool halved = problem.solver.rolling == RollingScheme::second_order;
  const double part = halved ? 0.5 + 0.5 * std::max(unlike, coupled) : 1.0;
  const auto creepage = [&](const TangentialLoad& load, double StepReport::*rigid) {
    return load.control == TangentialControl::rigid
               ? 0.0
               : part * apart(rigid) + share * std::fabs(fine.*rigid);
  };
  const auto force = [&](const TangentialLoad& load, double StepReport::*total) {
    return load.control == TangentialControl::rigid ? part * apart(total) + bound : 0.0;
  };
  double work = apart(&StepReport::friction_work, 0.5);
  if (const auto dissipated =
          dissipated_by_slip(problem, fine, -work_of_forces(fine, 1.0), tangential.step))
    work = std::max(work, std::fabs(fine.friction_work + *dissipated * tangential.step));
  double t_gamma = 0.0;
  for (const StepReport& twin : coarse)
    t_gamma = std::hypot(t_gamma, work_of_forces(fine, 1.0) - work_of_forces(twin, 1.0));
  t_gamma *= part / std::sqrt(static_cast<double>(coarse.size()));
  t_gamma += bound * (std::hypot(fine.rigid_x, fine.rigid_y) + radius * std::fabs(fine.rotation));
  return {.force_x = force(tangential.x, &StepReport::force_x),
          .force_y = force(tangential.y, &StepReport::force_y),
          .moment_z = part * apart(&StepReport::moment_z) + bound * radius,
          .friction_work = work + share * std::fabs(fine.friction_work),
          .t_gamma = t_gamma,
          .creepage_x = creepage(tangential.x, &StepReport::rigid_x),
          .creepage_y = creepage(tangential.y, &StepReport::rigid_y)};
}

}  // namespace slipfield
