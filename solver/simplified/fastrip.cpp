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

// A row of the contact: x from its middle on.
struct StripRow {
  double middle = 0.0;
  double half_length = 0.0;
};

struct Strip {
  double slip = 0.0;  // d
  double kappa = 0.0;
  double lambda = 0.0;
};

// Nothing where the whole strip slips. spin: the components that it has a part in.
std::optional<Strip> strip_at(const SimplifiedContact& contact, const Creepages& c, SpinSlip spin,
                              double half_length, double y) {
  Strip strip;
  const double spin_x = spin_in_x(spin, c.spin);
  const double spin_y = spin_in_y(spin, c.spin);
  const double w = c.x - spin_x * y / contact.semi_axis_x;
  const double size2 = c.y * c.y + w * w;
  if (size2 == 0.0) return strip;
  const double root2 = c.y * c.y + (1.0 - spin_y * spin_y) * w * w;
  const double divisor = root2 >= 0.0 ? std::sqrt(root2) - c.y * spin_y : 0.0;
  if (!(divisor > 0.0)) return std::nullopt;
  const double relative = size2 / (divisor * (1.0 - contact.poisson_ratio));
  strip.slip = relative * contact.semi_axis_x;
  if (strip.slip >= half_length) return std::nullopt;
  const double across = c.y + spin_y * relative;
  const double size = std::hypot(w, across);
  strip.kappa = w / size;
  strip.lambda = across / size;
  return strip;
}

// The row of the ellipse; nothing outside it.
std::optional<StripRow> row_of_ellipse(const SimplifiedContact& contact, double y) {
  if (!(std::abs(y) < contact.semi_axis_y)) return std::nullopt;
  const double v = y / contact.semi_axis_y;
  return StripRow{0.0, contact.semi_axis_x * std::sqrt(1.0 - v * v)};
}

// From the first to the last element of the patch in the row; nothing where it has none.
std::optional<StripRow> row_of_patch(const SimplifiedSolution& patch, const Grid& grid, int iy) {
  int first = grid.mx;
  int last = -1;
  for (int ix = 0; ix < grid.mx; ++ix) {
    if (patch.state[grid.index(ix, iy)] == ElementState::exterior) continue;
    first = std::min(first, ix);
    last = ix;
  }
  if (last < first) return std::nullopt;
  return StripRow{0.5 * (grid.x(first) + grid.x(last)), 0.5 * (last - first + 1) * grid.dx};
}

// Strip theory where FASTSIM's solution `out` sticks by it. row_at(iy): the rows; `cut`: tractions
// of adhesion are cut back to the bound, where the pressure is not that of the ellipse.
template <class RowAt>
void put_strips(const SimplifiedContact& contact, const Creepages& creepages, SpinSlip spin,
                const Grid& grid, bool cut, const RowAt& row_at, SimplifiedSolution& out) {
  const double bound = 1.5 * contact.friction * contact.normal_force /
                       (std::numbers::pi * contact.semi_axis_x * contact.semi_axis_y);
  if (bound == 0.0) return;
  const Creepages c = strip_creepages(contact, creepages, bound);
  const double spin_y = spin_in_y(spin, c.spin);
  const double scale = bound / contact.semi_axis_x;
#pragma omp parallel for if (grid.count() >= kLeastForThreads)
  for (int iy = 0; iy < grid.my; ++iy) {
    const std::optional<StripRow> row = row_at(iy);
    if (!row) continue;
    const double s = row->half_length;
    const std::optional<Strip> strip = strip_at(contact, c, spin, s, grid.y(iy));
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      if (out.state[i] == ElementState::exterior) continue;
      const double x = grid.x(ix) - row->middle;
      const bool sticks = strip && x > 2.0 * strip->slip - s;
      if (sticks) {
        const double whole = std::sqrt(std::max(s * s - x * x, 0.0));
        const double stuck = std::sqrt(std::max((s - x) * (s + x - 2.0 * strip->slip), 0.0));
        out.traction_x[i] = scale * strip->kappa * (whole - stuck);
        out.traction_y[i] = scale * (strip->lambda * (whole - stuck) + spin_y * stuck);
        out.slip_x[i] = out.slip_y[i] = 0.0;
      }
      out.state[i] = sticks ? ElementState::adhesion : ElementState::slip;
      const double size = std::hypot(out.traction_x[i], out.traction_y[i]);
      if (size == 0.0 || (sticks && !(cut && size > out.traction_bound[i]))) continue;
      out.traction_x[i] *= out.traction_bound[i] / size;
      out.traction_y[i] *= out.traction_bound[i] / size;
    }
  }
}

}  // namespace

SimplifiedSolution fastrip(const SimplifiedContact& contact, const Creepages& creepages,
                           const Grid& grid, SpinSlip spin) {
  SimplifiedSolution out =
      fastsim(contact, creepages, TractionBound::elliptic, grid, {.spin = spin});
  put_strips(
      contact, creepages, spin, grid, false,
      [&](int iy) { return row_of_ellipse(contact, grid.y(iy)); }, out);
  return out;
}

SimplifiedSolution fastrip(const SimplifiedContact& contact, const Creepages& creepages,
                           const std::vector<double>& pressure, const Grid& grid, SpinSlip spin) {
  SimplifiedSolution out = fastsim(contact, creepages, pressure, grid, {.spin = spin});
  put_strips(
      contact, creepages, spin, grid, true, [&](int iy) { return row_of_patch(out, grid, iy); },
      out);
  return out;
}

}  // namespace slipfield
