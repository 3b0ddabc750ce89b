// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/conduction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace slipfield {
namespace {

// A stretch of time before now; from 0: up to now.
struct TimeSpan {
  double from = 0.0;
  double to = 0.0;

  // Integral of 1/(beta sqrt(pi tau)).
  [[nodiscard]] double heating(double penetration) const {
    const double root_pi = std::sqrt(std::numbers::pi);
    return 2.0 / (penetration * root_pi) * (to - from) / (std::sqrt(to) + std::sqrt(from));
  }
};

// Distance that the material has moved along one axis since a time tau ago, within the window.
struct HeatPath {
  double age = 0.0;
  double since = 0.0;
  double velocity = 0.0;

  [[nodiscard]] double at(double tau) const { return since + velocity * (tau - age); }
};

HeatPath path_x(const HeatWindow& window) {
  return {window.age, window.since_x, window.way_x / window.duration};
}
HeatPath path_y(const HeatWindow& window) {
  return {window.age, window.since_y, window.way_y / window.duration};
}

// When the material that is at `offset` now was over the element at 0; empty: to <= from.
TimeSpan over_element(const HeatPath& path, double offset, double half, TimeSpan within) {
  const double middle = offset - path.since;
  if (path.velocity == 0.0)
    return std::fabs(middle) < half ? within : TimeSpan{within.from, within.from};
  const double a = path.age + (middle - half) / path.velocity;
  const double b = path.age + (middle + half) / path.velocity;
  return {std::max(within.from, std::min(a, b)), std::min(within.to, std::max(a, b))};
}

void add_depth_conduction(const HeatedMaterial& material, const HeatWindow& window,
                          const Grid& grid, InfluenceTable& table) {
  const TimeSpan all{window.age, window.age + window.duration};
  for (int kx = 1 - table.mx; kx < table.mx; ++kx) {
    const TimeSpan x = over_element(path_x(window), kx * grid.dx, 0.5 * grid.dx, all);
    if (x.to <= x.from) continue;
    for (int ky = 1 - table.my; ky < table.my; ++ky) {
      const TimeSpan both = over_element(path_y(window), ky * grid.dy, 0.5 * grid.dy, x);
      if (both.to <= both.from) continue;
      const auto i = static_cast<std::size_t>(table.at(kx, ky) - table.values.data());
      table.values[i] += both.heating(material.penetration);
    }
  }
}

// Integral of erf.
double erf_integral(double u) {
  return u * std::erf(u) + std::exp(-u * u) / std::sqrt(std::numbers::pi);
}

// What of a strip's heat, |x| < half, is at `at` after it has spread by `width`, 2 sqrt(kappa tau).
double spread_at(double at, double half, double width) {
  return 0.5 * (std::erf((at + half) / width) - std::erf((at - half) / width));
}

// Its mean between two places.
double mean_spread(double from, double to, double half, double width) {
  if (std::fabs(to - from) < 1.0e-3 * width) return spread_at(0.5 * (from + to), half, width);
  const auto integral = [&](double at) {
    return 0.5 * width * (erf_integral((at + half) / width) - erf_integral((at - half) / width));
  };
  return std::clamp((integral(to) - integral(from)) / (to - from), 0.0, 1.0);
}

std::vector<double> spread_of_axis(int count, double spacing, const HeatPath& path, TimeSpan span,
                                   double width) {
  std::vector<double> values;
  for (int k = 1 - count; k < count; ++k)
    values.push_back(mean_spread(k * spacing - path.at(span.from), k * spacing - path.at(span.to),
                                 0.5 * spacing, width));
  return values;
}

// Distance of the material from the grid, in widths of the heat's spread.
double widths_away(const HeatPath& path, double length, double tau, double width) {
  return (std::fabs(path.at(tau)) - length) / width;
}

constexpr double kWidthsGone = 6.0;  // erfc(6) is 2e-17

void add_half_space_conduction(const HeatedMaterial& material, const HeatWindow& window,
                               const Grid& grid, InfluenceTable& table) {
  const HeatPath x = path_x(window);
  const HeatPath y = path_y(window);
  const double speed = std::hypot(x.velocity, y.velocity);
  const double end = window.age + window.duration;
  const double least = std::min(grid.dx, grid.dy);
  // Up to here the heat is where it entered.
  constexpr double kAtOnce = 0.02;
  double still = std::pow(kAtOnce * least, 2) / (4.0 * material.diffusivity);
  if (speed > 0.0) still = std::min(still, kAtOnce * least / speed);
  double from = window.age;
  if (from == 0.0) {
    from = std::min(still, end);
    const auto own = static_cast<std::size_t>(table.at(0, 0) - table.values.data());
    table.values[own] += TimeSpan{0.0, from}.heating(material.penetration);
  }
  // Within a stretch the spread is that of its middle, the way is exact; obliquely to the axes the
  // means along x and y are taken apart, so that the stretch is short.
  constexpr double kRatio = 1.1;
  const double minor = std::min(std::fabs(x.velocity), std::fabs(y.velocity));
  const double longest = minor > 0.0 ? 0.25 * least / minor : end;
  while (from < end) {
    const double to = std::min({end, kRatio * from, from + longest});
    const double middle = 0.5 * (from + to);
    const double width = 2.0 * std::sqrt(material.diffusivity * middle);
    const TimeSpan span{from, to};
    from = to;
    const bool gone = widths_away(x, table.mx * grid.dx, middle, width) > kWidthsGone ||
                      widths_away(y, table.my * grid.dy, middle, width) > kWidthsGone;
    if (gone && x.since == 0.0 && y.since == 0.0) break;  // for good: the way outruns the spread
    if (gone) continue;
    const double heating = span.heating(material.penetration);
    const std::vector<double> along_x = spread_of_axis(table.mx, grid.dx, x, span, width);
    const std::vector<double> along_y = spread_of_axis(table.my, grid.dy, y, span, width);
    double* value = table.values.data();
    for (const double row : along_y)
      for (const double column : along_x) *value++ += heating * row * column;
  }
}

}  // namespace

void add_conduction(const HeatedMaterial& material, const HeatWindow& window, const Grid& grid,
                    InfluenceTable& table) {
  if (material.conduction == HeatConduction::half_space)
    add_half_space_conduction(material, window, grid, table);
  else
    add_depth_conduction(material, window, grid, table);
}

bool has_left(const HeatedMaterial& material, const HeatWindow& window, const Grid& grid) {
  double beyond = 0.0;
  if (material.conduction == HeatConduction::half_space)
    beyond = 2.0 * kWidthsGone * std::sqrt(material.diffusivity * (window.age + window.duration));
  const auto gone = [&](double since, double way, double length) {
    const double nearest =
        since * (since + way) <= 0.0 ? 0.0 : std::min(std::fabs(since), std::fabs(since + way));
    return nearest > length + beyond;
  };
  return gone(window.since_x, window.way_x, grid.mx * grid.dx) ||
         gone(window.since_y, window.way_y, grid.my * grid.dy);
}

}  // namespace slipfield
