// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/fastrip.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "solver/simplified/fastsim.h"

namespace slipfield {
namespace {

// xi', eta', phi' of strip theory.
Creepages strip_creepages(const SimplifiedContact& contact, const Creepages& creepages,
                          double bound) {
  const double a = contact.semi_axis_x;
  const double b = contact.semi_axis_y;
  const KalkerCoefficients kalker = kalker_coefficients(a / b, contact.poisson_ratio);
  const double stiffness = -contact.shear_modulus / (2.0 * std::numbers::pi * bound);
  const double plane = 4.0 * (1.0 - contact.poisson_ratio) / std::numbers::pi;
  return {stiffness * plane * kalker.c11 * creepages.x,
          stiffness * plane * kalker.c22 * creepages.y,
          stiffness * 3.0 * std::sqrt(a * b) * kalker.c23 * creepages.spin};
}

struct Strip {
  double half_length = 0.0;  // s
  double slip = 0.0;         // d
  double kappa = 0.0;
  double lambda = 0.0;
};

// Nothing where the whole strip slips.
std::optional<Strip> strip_at(const SimplifiedContact& contact, const Creepages& c, double y) {
  const double v = y / contact.semi_axis_y;
  Strip strip;
  strip.half_length = contact.semi_axis_x * std::sqrt(1.0 - v * v);
  const double w = c.x - c.spin * y / contact.semi_axis_x;
  const double size2 = c.y * c.y + w * w;
  if (size2 == 0.0) return strip;
  const double root2 = c.y * c.y + (1.0 - c.spin * c.spin) * w * w;
  const double divisor = root2 >= 0.0 ? std::sqrt(root2) - c.y * c.spin : 0.0;
  if (!(divisor > 0.0)) return std::nullopt;
  const double relative = size2 / (divisor * (1.0 - contact.poisson_ratio));
  strip.slip = relative * contact.semi_axis_x;
  if (strip.slip >= strip.half_length) return std::nullopt;
  const double across = c.y + c.spin * relative;
  const double size = std::hypot(w, across);
  strip.kappa = w / size;
  strip.lambda = across / size;
  return strip;
}

}  // namespace

SimplifiedSolution fastrip(const SimplifiedContact& contact, const Creepages& creepages,
                           const Grid& grid) {
  SimplifiedSolution out = fastsim(contact, creepages, TractionBound::elliptic, grid);
  const double bound = 1.5 * contact.friction * contact.normal_force /
                       (std::numbers::pi * contact.semi_axis_x * contact.semi_axis_y);
  if (bound == 0.0) return out;
  const Creepages c = strip_creepages(contact, creepages, bound);
  const double scale = bound / contact.semi_axis_x;
#pragma omp parallel for if (grid.count() >= kLeastForThreads)
  for (int iy = 0; iy < grid.my; ++iy) {
    if (!(std::abs(grid.y(iy)) < contact.semi_axis_y)) continue;
    const std::optional<Strip> strip = strip_at(contact, c, grid.y(iy));
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      if (out.state[i] == ElementState::exterior) continue;
      const double x = grid.x(ix);
      if (strip && x > 2.0 * strip->slip - strip->half_length) {
        const double s = strip->half_length;
        const double whole = std::sqrt(std::max(s * s - x * x, 0.0));
        const double stuck = std::sqrt(std::max((s - x) * (s + x - 2.0 * strip->slip), 0.0));
        out.traction_x[i] = scale * strip->kappa * (whole - stuck);
        out.traction_y[i] = scale * (strip->lambda * (whole - stuck) + c.spin * stuck);
        out.slip_x[i] = out.slip_y[i] = 0.0;
        out.state[i] = ElementState::adhesion;
        continue;
      }
      const double size = std::hypot(out.traction_x[i], out.traction_y[i]);
      if (size > 0.0) {
        out.traction_x[i] *= out.traction_bound[i] / size;
        out.traction_y[i] *= out.traction_bound[i] / size;
      }
      out.state[i] = ElementState::slip;
    }
  }
  return out;
}

}  // namespace slipfield
