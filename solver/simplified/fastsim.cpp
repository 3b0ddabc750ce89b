// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/fastsim.h"

#include <cmath>
#include <numbers>
#include <optional>

namespace slipfield {
namespace {

// The bound where inside = 1 - (x/a)^2 - (y/b)^2 > 0.
double traction_bound(const SimplifiedContact& contact, TractionBound bound, double inside) {
  const double mean = contact.friction * contact.normal_force /
                      (std::numbers::pi * contact.semi_axis_x * contact.semi_axis_y);
  return bound == TractionBound::parabolic ? 2.0 * mean * inside : 1.5 * mean * std::sqrt(inside);
}

// bound_at(ix, iy): g, nothing outside of the contact.
template <class Bound>
SimplifiedSolution fastsim_within(const SimplifiedContact& contact, const Creepages& creepages,
                                  const Grid& grid, const ElementSlip& slip,
                                  const Bound& bound_at) {
  const double ratio = contact.semi_axis_x / contact.semi_axis_y;
  const KalkerCoefficients kalker = kalker_coefficients(ratio, contact.poisson_ratio);
  SimplifiedSolution out(grid.count());
  const Flexibilities l = out.flexibilities = flexibilities(contact, kalker, creepages);
  const double spin_x = spin_in_x(slip.spin, creepages.spin);
  const double spin_y = spin_in_y(slip.spin, creepages.spin);
#pragma omp parallel for if (grid.count() >= kLeastForThreads)
  for (int iy = 0; iy < grid.my; ++iy) {
    const double y = grid.y(iy);
    double before_x = 0.0;
    double before_y = 0.0;
    bool slips = false;
    for (int ix = grid.mx - 1; ix >= 0; --ix) {
      const double x = grid.x(ix);
      const std::optional<double> bound = bound_at(ix, iy);
      if (!bound) {  // a particle that enters has nothing before
        before_x = before_y = 0.0;
        slips = false;
        continue;
      }
      const double ahead = x + grid.dx / 6.0;
      const std::size_t i = grid.index(ix, iy);
      const double xi = slip.x.empty() ? creepages.x : creepages.x + slip.x[i];
      const double eta = slip.y.empty() ? creepages.y : creepages.y + slip.y[i];
      const double trial_x = before_x - grid.dx * (xi / l.x - spin_x * y / l.spin);
      const double trial_y = before_y - grid.dx * (eta / l.y + spin_y * ahead / l.spin);
      const double size = std::hypot(trial_x, trial_y);
      // A particle that slips is held again where the kinetic coefficient suffices.
      const double kinetic = contact.kinetic_share * *bound;
      slips = size > (slips ? kinetic : *bound);
      const double g = slips ? kinetic : *bound;
      const double kept = slips ? g / size : 1.0;
      out.traction_bound[i] = g;
      out.traction_x[i] = before_x = kept * trial_x;
      out.traction_y[i] = before_y = kept * trial_y;
      out.slip_x[i] = l.x * (before_x - trial_x);
      out.slip_y[i] = l.y * (before_y - trial_y);
      out.state[i] = slips ? ElementState::slip : ElementState::adhesion;
    }
  }
  return out;
}

}  // namespace

SimplifiedSolution fastsim(const SimplifiedContact& contact, const Creepages& creepages,
                           TractionBound bound, const Grid& grid, const ElementSlip& slip) {
  const auto bound_at = [&](int ix, int iy) -> std::optional<double> {
    const double u = grid.x(ix) / contact.semi_axis_x;
    const double v = grid.y(iy) / contact.semi_axis_y;
    const double inside = 1.0 - u * u - v * v;
    if (!(inside > 0.0)) return std::nullopt;
    return traction_bound(contact, bound, inside);
  };
  return fastsim_within(contact, creepages, grid, slip, bound_at);
}

SimplifiedSolution fastsim(const SimplifiedContact& contact, const Creepages& creepages,
                           const std::vector<double>& pressure, const Grid& grid,
                           const ElementSlip& slip) {
  const auto bound_at = [&](int ix, int iy) -> std::optional<double> {
    const double p = pressure[grid.index(ix, iy)];
    return p > 0.0 ? std::optional<double>(contact.friction * p) : std::nullopt;
  };
  return fastsim_within(contact, creepages, grid, slip, bound_at);
}

}  // namespace slipfield
