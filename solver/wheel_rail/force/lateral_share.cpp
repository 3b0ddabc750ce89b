// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/force/lateral_share.h"

#include <algorithm>
#include <cmath>

#include "solver/simplified/kalker_coefficients.h"

namespace slipfield {
namespace {

constexpr double kSaturated = 3.0;  // linear force over the friction at which everything slips

struct HalfExtent {
  double x = 0.0;
  double y = 0.0;
};

// The mean direction across the track, weighted with the pressure, of the tractions where every
// element slips the way the creepages and the spin drive it.
double sliding_share(const ContactPatch& patch, const std::vector<double>& pressure) {
  const PatchCreepages& creepages = patch.creepages;
  const Grid& grid = patch.grid;
  double across = 0.0;
  double total = 0.0;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double p = pressure[grid.index(ix, iy)];
      if (!(p > 0.0)) continue;
      const double slip_x = creepages.x - creepages.spin * grid.y(iy);
      const double slip_y = creepages.y + creepages.spin * grid.x(ix);
      const double slip = std::hypot(slip_x, slip_y);
      total += p;
      if (slip > 0.0) across -= p * slip_y / slip;
    }
  return total > 0.0 ? across / total : 0.0;
}

HalfExtent extent_under_pressure(const Grid& grid, const std::vector<double>& pressure) {
  int first_x = grid.mx;
  int last_x = -1;
  int first_y = grid.my;
  int last_y = -1;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      if (!(pressure[grid.index(ix, iy)] > 0.0)) continue;
      first_x = std::min(first_x, ix);
      last_x = std::max(last_x, ix);
      first_y = std::min(first_y, iy);
      last_y = std::max(last_y, iy);
    }
  if (last_x < 0) return {};
  return {0.5 * grid.dx * (last_x - first_x + 1), 0.5 * grid.dy * (last_y - first_y + 1)};
}

}  // namespace

double expected_lateral_share(const ContactPatch& patch, const std::vector<double>& pressure,
                              double normal_force, const CombinedMaterial& material,
                              double friction_coefficient) {
  const PatchCreepages& creepages = patch.creepages;
  const HalfExtent half = extent_under_pressure(patch.grid, pressure);
  if (!(half.x > 0.0) || !(creepages.velocity > 0.0) || !(friction_coefficient > 0.0)) return 0.0;
  const KalkerCoefficients kalker = kalker_coefficients(half.x / half.y, material.poisson_ratio);
  const double area = half.x * half.y;
  const double stiffness = material.shear_modulus * area;
  const double along = -stiffness * kalker.c11 * creepages.x;
  // Rolling backwards, the spin acts on the other side.
  const double spin = creepages.direction == 0.0 ? creepages.spin : -creepages.spin;
  const double across =
      -stiffness * (kalker.c22 * creepages.y + std::sqrt(area) * kalker.c23 * spin);
  const double linear = std::hypot(along, across);
  if (linear == 0.0) return 0.0;
  const double bound = friction_coefficient * normal_force;
  const double u = std::min(linear / bound, kSaturated);
  const double saturated = u * (1.0 - u / 3.0 + u * u / 27.0);
  // From the direction of the linear theory to that of the slip, as elements begin to slip.
  const double slipping = u * u / (kSaturated * kSaturated);
  const double direction =
      (1.0 - slipping) * across / linear + slipping * sliding_share(patch, pressure);
  return friction_coefficient * saturated * direction;
}

}  // namespace slipfield
