// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/simplified_theory.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace slipfield {

namespace {

Flexibilities of_kalker(const SimplifiedContact& contact, const KalkerCoefficients& kalker,
                        const Creepages& creepages) {
  const double a = contact.semi_axis_x;
  const double b = contact.semi_axis_y;
  const double shear = contact.shear_modulus;
  Flexibilities l;
  l.x = 8.0 * a / (3.0 * kalker.c11 * shear);
  l.y = 8.0 * a / (3.0 * kalker.c22 * shear);
  l.spin = std::numbers::pi * a * std::sqrt(a / b) / (4.0 * kalker.c23 * shear);
  const double x2 = creepages.x * creepages.x;
  const double y2 = creepages.y * creepages.y;
  if (x2 + y2 == 0.0) return l;
  const double limit = contact.friction * contact.normal_force / (a * b * shear);
  const double limit2 =
      limit * limit * (1.0 / (kalker.c11 * kalker.c11) + 1.0 / (kalker.c22 * kalker.c22));
  const double weight = std::min(1.0, std::sqrt((x2 + y2) / limit2) / 3.0);
  const double r = 3.0 * std::numbers::pi * a * creepages.spin / 32.0;
  const double mean = (x2 + y2 + r * r) / (x2 / l.x + y2 / l.y + r * r / l.spin);
  for (double* flexibility : {&l.x, &l.y, &l.spin}) *flexibility += weight * (mean - *flexibility);
  return l;
}

// k: stiffness of the surfaces relative to the linear theory.
double reduction(const SimplifiedContact& contact, const KalkerCoefficients& kalker,
                 const Creepages& creepages) {
  const auto [initial, rest, decay] = contact.slope;
  if (decay == 0.0 || contact.friction == 0.0) return initial;
  const double a = contact.semi_axis_x;
  const double across = std::max(std::abs(creepages.y), std::abs(creepages.y + creepages.spin * a));
  const double eps = contact.shear_modulus * std::numbers::pi * a * contact.semi_axis_y * initial *
                     kalker.c11 * std::hypot(creepages.x, across) /
                     (4.0 * contact.friction * contact.normal_force);
  return initial * (rest + (1.0 - rest) / (1.0 + decay * eps));
}

}  // namespace

Flexibilities flexibilities(const SimplifiedContact& contact, const KalkerCoefficients& kalker,
                            const Creepages& creepages) {
  Flexibilities l = of_kalker(contact, kalker, creepages);
  if (contact.flexibility > 0.0)
    l = {contact.flexibility, contact.flexibility, contact.flexibility};
  if (contact.slope == SlopeReduction{}) return l;
  const double k = reduction(contact, kalker, creepages);
  return {l.x / k, l.y / k, l.spin / k};
}

namespace {

// The bound where inside = 1 - (x/a)^2 - (y/b)^2 > 0.
double traction_bound(const SimplifiedContact& contact, TractionBound bound, double inside) {
  const double mean = contact.friction * contact.normal_force /
                      (std::numbers::pi * contact.semi_axis_x * contact.semi_axis_y);
  return bound == TractionBound::parabolic ? 2.0 * mean * inside : 1.5 * mean * std::sqrt(inside);
}

// bound_at(ix, iy): g, or nothing outside the contact.
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
      if (!bound) {  // a particle enters without traction
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
      // A slipping particle sticks again if the kinetic coefficient suffices.
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

// A row of the contact, with x from its middle.
struct StripRow {
  double middle = 0.0;
  double half_length = 0.0;
};

struct Strip {
  double slip = 0.0;  // d
  double kappa = 0.0;
  double lambda = 0.0;
};

// Nothing if the whole strip slips. spin: components to which it contributes.
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

// From the first to the last element of the patch in the row; nothing if it has none.
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

// Applies strip theory where FASTSIM's solution `out` sticks according to it. row_at(iy): the rows;
// cut: limit adhesive tractions to the bound, if the pressure is not that of the ellipse.
template <class RowAt>
void put_strips(const SimplifiedContact& contact, const Creepages& creepages, SpinSlip spin,
                const Grid& grid, bool cut, const RowAt& row_at, SimplifiedSolution& out) {
  const double bound = 1.5 * contact.friction * contact.normal_force /
                       (std::numbers::pi * contact.semi_axis_x * contact.semi_axis_y);
  if (bound == 0.0) return;
  const Creepages c = strip_creepages(contact, creepages, bound);
  const double spin_y = spin_in_y(spin, c.spin);
  const double scale = bound / contact.semi_axis_x;
  constexpr double kRounding = 1.0e-9;
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
      const bool in_strip = strip && x > 2.0 * strip->slip - s;
      const double whole = std::sqrt(std::max(s * s - x * x, 0.0));
      const double stuck =
          in_strip ? std::sqrt(std::max((s - x) * (s + x - 2.0 * strip->slip), 0.0)) : 0.0;
      const double along = in_strip ? strip->kappa * (whole - stuck) : 0.0;
      const double across = in_strip ? strip->lambda * (whole - stuck) + spin_y * stuck : 0.0;
      // A spin above 1 asks for more than the bound, from the leading edge on.
      const bool sticks = in_strip && std::hypot(along, across) <= (1.0 + kRounding) * whole;
      if (sticks) {
        out.traction_x[i] = scale * along;
        out.traction_y[i] = scale * across;
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
