// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/conduction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "solver/error.h"
#include "solver/number_text.h"

namespace slipfield {
namespace {

// A time span before now, with times counted backwards; from 0: up to now.
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

// One axis of the grid. With a period each element has an image at every whole number of periods.
struct HeatAxis {
  HeatPath path;
  int count = 0;
  double spacing = 0.0;
  double period = 0.0;  // 0: none

  [[nodiscard]] double length() const { return count * spacing; }
};

HeatAxis axis_x(const HeatWindow& window, const Grid& grid) {
  const HeatPath path{window.age, window.since_x, window.way_x / window.duration};
  return {path, grid.mx, grid.dx, repeats_in_x(grid.boundary) ? grid.mx * grid.dx : 0.0};
}
HeatAxis axis_y(const HeatWindow& window, const Grid& grid) {
  const HeatPath path{window.age, window.since_y, window.way_y / window.duration};
  return {path, grid.my, grid.dy, repeats_in_y(grid.boundary) ? grid.my * grid.dy : 0.0};
}

// Calls visit(place) for each image of a place, except those certainly farther than `reach` from
// all places between `from` and `to`.
template <class Visit>
void for_each_image(double place, double period, double from, double to, double reach,
                    const Visit& visit) {
  if (period == 0.0) return visit(place);
  const double first = std::ceil((std::min(from, to) - reach - place) / period);
  const double last = std::floor((std::max(from, to) + reach - place) / period);
  const auto images = static_cast<std::int64_t>(last - first) + 1;
  for (std::int64_t i = 0; i < images; ++i)
    visit(place + (first + static_cast<double>(i)) * period);
}

// When the material that is `place` elements away now was over the element at 0; empty: to <= from.
// Material at rest is always over it.
TimeSpan over_element(const HeatAxis& axis, double place, TimeSpan within) {
  const HeatPath& path = axis.path;
  if (path.velocity == 0.0) return within;
  // Neighbours compute their common time with the same bits: nothing is lost or counted twice.
  const auto passes = [&](double border) {
    return path.age + (border * axis.spacing - path.since) / path.velocity;
  };
  const double a = passes(place - 0.5);
  const double b = passes(place + 0.5);
  return {std::max(within.from, std::min(a, b)), std::min(within.to, std::max(a, b))};
}

// Calls visit(k, span) for each span within `within` in which the material k elements away was over
// the element at 0 or one of its images; only visits elements that it passed.
template <class Visit>
void for_each_time(const HeatAxis& axis, TimeSpan within, const Visit& visit) {
  const double a = axis.path.at(within.from) / axis.spacing;
  const double b = axis.path.at(within.to) / axis.spacing;
  double first = std::floor(std::min(a, b) + 0.5);
  double last = std::floor(std::max(a, b) + 0.5);
  if (axis.path.velocity != 0.0) {  // rounding may put an end over the neighbour
    first -= 1.0;
    last += 1.0;
  }
  if (axis.period == 0.0) {
    first = std::max(first, 1.0 - axis.count);
    last = std::min(last, axis.count - 1.0);
  }
  const auto passed = static_cast<std::int64_t>(last - first) + 1;
  for (std::int64_t i = 0; i < passed; ++i) {
    const double place = first + static_cast<double>(i);
    const TimeSpan span = over_element(axis, place, within);
    if (!(span.to > span.from)) continue;
    if (axis.period == 0.0) {
      visit(static_cast<int>(place), span);
      continue;
    }
    const auto k = static_cast<int>(place - axis.count * std::floor(place / axis.count));
    visit(k, span);
    if (k > 0) visit(k - axis.count, span);
  }
}

void add_depth_conduction(const HeatedMaterial& material, const HeatWindow& window,
                          const Grid& grid, InfluenceTable& table) {
  const TimeSpan all{window.age, window.age + window.duration};
  const HeatAxis y = axis_y(window, grid);
  for_each_time(axis_x(window, grid), all, [&](int kx, TimeSpan span_x) {
    for_each_time(y, span_x, [&](int ky, TimeSpan both) {
      const auto i = static_cast<std::size_t>(table.at(kx, ky) - table.values.data());
      table.values[i] += both.heating(material.penetration);
    });
  });
}

// Integral of erf.
double erf_integral(double u) {
  return u * std::erf(u) + std::exp(-u * u) / std::sqrt(std::numbers::pi);
}

// Share of a strip's heat, |x| < half, found at `at` after spreading by `width`, 2 sqrt(kappa tau).
double spread_at(double at, double half, double width) {
  return 0.5 * (std::erf((at + half) / width) - std::erf((at - half) / width));
}

// The mean of spread_at() between two places.
double mean_spread(double from, double to, double half, double width) {
  if (std::fabs(to - from) < 1.0e-3 * width) return spread_at(0.5 * (from + to), half, width);
  const auto integral = [&](double at) {
    return 0.5 * width * (erf_integral((at + half) / width) - erf_integral((at - half) / width));
  };
  return std::clamp((integral(to) - integral(from)) / (to - from), 0.0, 1.0);
}

constexpr double kWidthsGone = 6.0;  // erfc(6) is 2e-17

// With a period, heat that has spread over two periods is uniform to exp(-4 pi^2) = 7e-18.
bool is_even(const HeatAxis& axis, double width) {
  return axis.period > 0.0 && width >= 2.0 * axis.period;
}

// The share of the heat k elements away, averaged over a time span, for each k. Whole periods of
// motion leave a uniform share.
std::vector<double> spread_of_axis(const HeatAxis& axis, TimeSpan span, double width) {
  const double half = 0.5 * axis.spacing;
  const double from = axis.path.at(span.from);
  double to = axis.path.at(span.to);
  double rest = 1.0;  // motion without its whole periods
  if (is_even(axis, width)) {
    rest = 0.0;
  } else if (axis.period > 0.0 && std::fabs(to - from) >= axis.period) {
    const double left = std::fmod(to - from, axis.period);
    rest = left / (to - from);
    to = from + left;
  }
  std::vector<double> values;
  for (int k = 1 - axis.count; k < axis.count; ++k) {
    double sum = rest < 1.0 ? (1.0 - rest) * axis.spacing / axis.period : 0.0;
    if (rest > 0.0)
      for_each_image(
          k * axis.spacing, axis.period, from, to, half + kWidthsGone * width,
          [&](double place) { sum += rest * mean_spread(place - from, place - to, half, width); });
    values.push_back(sum);
  }
  return values;
}

// Distance of the material from the grid, in widths of the heat's spread; 0 with a period.
double widths_away(const HeatAxis& axis, double tau, double width) {
  return axis.period > 0.0 ? 0.0 : (std::fabs(axis.path.at(tau)) - axis.length()) / width;
}

// Calls visit(span, width) for each time span within `all` whose heat reaches the grid. Within a
// span the spread is that of its middle, and the motion is exact. Obliquely to the axes the means
// along x and y are taken separately, so the span is short until one of them is uniform.
template <class Visit>
void for_each_stretch(double diffusivity, const HeatAxis& x, const HeatAxis& y, TimeSpan all,
                      const Visit& visit) {
  constexpr double kRatio = 1.1;
  const double minor = std::min(std::fabs(x.path.velocity), std::fabs(y.path.velocity));
  const double oblique = minor > 0.0 ? 0.25 * std::min(x.spacing, y.spacing) / minor : all.to;
  const auto width_at = [&](double tau) { return 2.0 * std::sqrt(diffusivity * tau); };
  for (double from = all.from; from < all.to;) {
    const bool even = is_even(x, width_at(from)) || is_even(y, width_at(from));
    const double longest = even ? all.to : oblique;
    const double to = std::min({all.to, kRatio * from, from + longest});
    const double middle = 0.5 * (from + to);
    const double width = width_at(middle);
    const TimeSpan span{from, to};
    from = to;
    const bool gone =
        widths_away(x, middle, width) > kWidthsGone || widths_away(y, middle, width) > kWidthsGone;
    if (!gone)
      visit(span, width);
    else if (x.path.since == 0.0 && y.path.since == 0.0)
      return;  // for good: the motion outruns the spread
  }
}

// The part of a window whose heat has spread; more recent heat is still where it entered.
TimeSpan spreading_span(const HeatedMaterial& material, const HeatWindow& window,
                        const Grid& grid) {
  constexpr double kUnspread = 0.02;  // of an element
  const double speed = std::hypot(window.way_x, window.way_y) / window.duration;
  const double least = std::min(grid.dx, grid.dy);
  double still = std::pow(kUnspread * least, 2) / (4.0 * material.diffusivity);
  if (speed > 0.0) still = std::min(still, kUnspread * least / speed);
  const double end = window.age + window.duration;
  return {window.age == 0.0 ? std::min(still, end) : window.age, end};
}

void add_half_space_conduction(const HeatedMaterial& material, const HeatWindow& window,
                               const Grid& grid, InfluenceTable& table) {
  const HeatAxis x = axis_x(window, grid);
  const HeatAxis y = axis_y(window, grid);
  const TimeSpan rest = spreading_span(material, window, grid);
  if (window.age == 0.0) {
    const auto own = static_cast<std::size_t>(table.at(0, 0) - table.values.data());
    table.values[own] += TimeSpan{0.0, rest.from}.heating(material.penetration);
  }
  for_each_stretch(material.diffusivity, x, y, rest, [&](TimeSpan span, double width) {
    const double heating = span.heating(material.penetration);
    const std::vector<double> along_x = spread_of_axis(x, span, width);
    const std::vector<double> along_y = spread_of_axis(y, span, width);
    double* value = table.values.data();
    for (const double row : along_y)
      for (const double column : along_x) *value++ += heating * row * column;
  });
}

}  // namespace

void add_conduction(const HeatedMaterial& material, const HeatWindow& window, const Grid& grid,
                    InfluenceTable& table) {
  if (material.conduction == HeatConduction::half_space)
    add_half_space_conduction(material, window, grid, table);
  else
    add_depth_conduction(material, window, grid, table);
}

double conduction_work(const HeatedMaterial& material, const HeatWindow& window, const Grid& grid) {
  if (material.conduction != HeatConduction::half_space) return 0.0;
  // A span adds to each value and computes the spread along both axes, where one position costs as
  // much as 100 values.
  const double each = (2.0 * grid.mx - 1.0) * (2.0 * grid.my - 1.0) + 200.0 * (grid.mx + grid.my);
  double work = 0.0;
  for_each_stretch(material.diffusivity, axis_x(window, grid), axis_y(window, grid),
                   spreading_span(material, window, grid), [&](TimeSpan, double) { work += each; });
  return work;
}

void refuse_long_conduction(double work) {
  constexpr double kMostWork = 1.0e11;  // some minutes
  if (work > kMostWork)
    throw InputError(
        "heat: before the heat has spread over the grid, the surfaces slide obliquely over more "
        "elements than can be summed: conduction in all directions takes " +
        number_text(work / kMostWork) +
        " times the work that is accepted for a step; accepted: slides along x or y, shorter "
        "slides, larger elements, or conduction into the depth only");
}

bool has_left(const HeatedMaterial& material, const HeatWindow& window, const Grid& grid) {
  double beyond = 0.0;
  if (material.conduction == HeatConduction::half_space)
    beyond = 2.0 * kWidthsGone * std::sqrt(material.diffusivity * (window.age + window.duration));
  const auto gone = [&](bool repeats, double since, double way, double length) {
    if (repeats) return false;
    const double nearest =
        since * (since + way) <= 0.0 ? 0.0 : std::min(std::fabs(since), std::fabs(since + way));
    return nearest > length + beyond;
  };
  return gone(repeats_in_x(grid.boundary), window.since_x, window.way_x, grid.mx * grid.dx) ||
         gone(repeats_in_y(grid.boundary), window.since_y, window.way_y, grid.my * grid.dy);
}

}  // namespace slipfield
