// SPDX-License-Identifier: Apache-2.0
#include "app/plot/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/error.h"

namespace slipfield {
namespace {

int divided_up(int count, int size) { return (count + size - 1) / size; }

bool in_contact(const std::vector<ElementState>& division, std::size_t index) {
  return division.empty() || division[index] != ElementState::exterior;
}

// Calls visit(index of the element) for all elements of the block that is the pixel (px, py).
template <typename Visit>
void for_block(const Grid& grid, const Blocks& blocks, int px, int py, Visit visit) {
  const Window& window = blocks.window;
  const int ix0 = blocks.ix0 + px * blocks.bx;
  const int iy0 = blocks.iy0 + py * blocks.by;
  const int ix1 = std::min(ix0 + blocks.bx, window.ix1);
  const int iy1 = std::min(iy0 + blocks.by, window.iy1);
  for (int iy = std::max(iy0, window.iy0); iy < iy1; ++iy)
    for (int ix = std::max(ix0, window.ix0); ix < ix1; ++ix) visit(grid.index(ix, iy));
}

// Of the states in contact, by their numbers; of equal ones slip before adhesion before plastic.
ElementState most_frequent(const std::array<int, 4>& counts) {
  ElementState most = ElementState::exterior;
  int count = 0;
  for (const ElementState state :
       {ElementState::slip, ElementState::adhesion, ElementState::plastic}) {
    const int of_state = counts.at(static_cast<std::size_t>(state));
    if (of_state <= count) continue;
    most = state;
    count = of_state;
  }
  return most;
}

Blocks blocks_of_size(const Grid& grid, const Window& window, int bx, int by) {
  const Grid pixels{
      divided_up(window.mx(), bx),    divided_up(window.my(), by),    grid.dx * bx, grid.dy * by,
      grid.x0 + window.ix0 * grid.dx, grid.y0 + window.iy0 * grid.dy, grid.boundary};
  return {window, window.ix0, window.iy0, bx, by, pixels};
}

// The runs of equal, nonzero side[i], i < count, as add(first, last + 1).
template <typename Side, typename Add>
void for_runs(int count, Side side, Add add) {
  for (int begin = 0; begin < count;) {
    int end = begin + 1;
    while (end < count && side(end) == side(begin)) ++end;
    if (side(begin) != 0) add(begin, end);
    begin = end;
  }
}

}  // namespace

Window whole_window(const Grid& grid) { return {0, 0, grid.mx, grid.my}; }

Window contact_window(const std::vector<ElementState>& division, const Grid& grid) {
  if (division.empty()) return {};
  Window window{grid.mx, grid.my, 0, 0};
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      if (division[grid.index(ix, iy)] == ElementState::exterior) continue;
      window = {std::min(window.ix0, ix), std::min(window.iy0, iy), std::max(window.ix1, ix + 1),
                std::max(window.iy1, iy + 1)};
    }
  return window.empty() ? Window{} : window;
}

Window united(const Window& a, const Window& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return {std::min(a.ix0, b.ix0), std::min(a.iy0, b.iy0), std::max(a.ix1, b.ix1),
          std::max(a.iy1, b.iy1)};
}

Window with_margin(const Window& window, const Grid& grid) {
  constexpr double kMarginShare = 0.1;
  const double margin = kMarginShare * std::max(window.mx() * grid.dx, window.my() * grid.dy);
  const int ix = std::max(1, static_cast<int>(std::lround(std::min(margin / grid.dx, 1.0e9))));
  const int iy = std::max(1, static_cast<int>(std::lround(std::min(margin / grid.dy, 1.0e9))));
  return {std::max(0, window.ix0 - ix), std::max(0, window.iy0 - iy),
          window.ix1 + std::min(ix, grid.mx - window.ix1),
          window.iy1 + std::min(iy, grid.my - window.iy1)};
}

void require_on_grid(const std::array<double, 2>& at, const Grid& grid, const std::string& file) {
  const double x1 = grid.x0 + grid.mx * grid.dx;
  const double y1 = grid.y0 + grid.my * grid.dy;
  const auto [x, y] = at;
  if (x >= grid.x0 && x <= x1 && y >= grid.y0 && y <= y1) return;
  throw InputError(fmt::format(
      "{}: --at {:g},{:g} is not on the grid; accepted: x from {:g} to {:g}, y from {:g} to {:g}",
      file, x, y, grid.x0, x1, grid.y0, y1));
}

int element_at(double place, double origin, double size, int count) {
  constexpr double kBetweenElements = 1.0e-6;  // a place between two elements is in the second one
  const double elements = std::floor((place - origin) / size + kBetweenElements);
  return static_cast<int>(std::clamp(elements, 0.0, count - 1.0));
}

std::optional<std::array<double, 2>> middle_of_pressure(const std::vector<double>& pressure,
                                                        const Grid& grid) {
  double sum = 0.0;
  double x = 0.0;
  double y = 0.0;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double value = pressure[grid.index(ix, iy)];
      sum += value;
      x += value * grid.x(ix);
      y += value * grid.y(iy);
    }
  if (!(sum > 0.0)) return std::nullopt;
  const std::array<double, 2> centroid = {x / sum, y / sum};
  const int ix = element_at(centroid[0], grid.x0, grid.dx, grid.mx);
  const int iy = element_at(centroid[1], grid.y0, grid.dy, grid.my);
  if (pressure[grid.index(ix, iy)] > 0.0) return centroid;
  const auto greatest = std::max_element(pressure.begin(), pressure.end()) - pressure.begin();
  return std::array<double, 2>{grid.x(static_cast<int>(greatest % grid.mx)),
                               grid.y(static_cast<int>(greatest / grid.mx))};
}

Blocks blocks_of(const Grid& grid, const Window& window, int most) {
  return blocks_of_size(grid, window, divided_up(window.mx(), most), divided_up(window.my(), most));
}

std::vector<double> block_means(const std::vector<double>& values, const Grid& grid,
                                const Blocks& blocks, const std::vector<ElementState>& division) {
  std::vector<double> means;
  means.reserve(blocks.pixels.count());
  for (int py = 0; py < blocks.pixels.my; ++py)
    for (int px = 0; px < blocks.pixels.mx; ++px) {
      double sum = 0.0;
      int count = 0;
      for_block(grid, blocks, px, py, [&](std::size_t index) {
        if (!in_contact(division, index) || !std::isfinite(values[index])) return;
        sum += values[index];
        ++count;
      });
      means.push_back(count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN());
    }
  return means;
}

std::vector<ElementState> block_states(const std::vector<ElementState>& division, const Grid& grid,
                                       const Blocks& blocks) {
  std::vector<ElementState> states;
  states.reserve(blocks.pixels.count());
  for (int py = 0; py < blocks.pixels.my; ++py)
    for (int px = 0; px < blocks.pixels.mx; ++px) {
      std::array<int, 4> counts{};
      for_block(grid, blocks, px, py,
                [&](std::size_t index) { ++counts.at(static_cast<std::size_t>(division[index])); });
      states.push_back(most_frequent(counts));
    }
  return states;
}

void enlarge(std::vector<double>& values, Grid& pixels, int least) {
  const int times = divided_up(least, std::max(pixels.mx, pixels.my));
  if (times <= 1) return;
  Grid fine = pixels;
  fine.mx *= times;
  fine.my *= times;
  fine.dx /= times;
  fine.dy /= times;
  std::vector<double> repeated;
  repeated.reserve(fine.count());
  for (int iy = 0; iy < fine.my; ++iy)
    for (int ix = 0; ix < fine.mx; ++ix)
      repeated.push_back(values[pixels.index(ix / times, iy / times)]);
  values = std::move(repeated);
  pixels = fine;
}

std::vector<Segment> contact_outline(const std::vector<ElementState>& states, const Grid& grid) {
  const auto touches = [&](int ix, int iy) {
    const bool inside = ix >= 0 && ix < grid.mx && iy >= 0 && iy < grid.my;
    return inside && states[grid.index(ix, iy)] != ElementState::exterior ? 1 : 0;
  };
  const auto x = [&](int edge) { return grid.x0 + edge * grid.dx; };
  const auto y = [&](int edge) { return grid.y0 + edge * grid.dy; };
  std::vector<Segment> segments;
  for (int edge = 0; edge <= grid.my; ++edge)
    for_runs(
        grid.mx, [&](int ix) { return touches(ix, edge) - touches(ix, edge - 1); },
        [&](int begin, int end) {
          segments.push_back({x(begin), y(edge), x(end), y(edge)});
        });
  for (int edge = 0; edge <= grid.mx; ++edge)
    for_runs(
        grid.my, [&](int iy) { return touches(edge, iy) - touches(edge - 1, iy); },
        [&](int begin, int end) {
          segments.push_back({x(edge), y(begin), x(edge), y(end)});
        });
  return segments;
}

ArrowField thin_arrows(const std::vector<double>& u, const std::vector<double>& v, const Grid& grid,
                       const Window& window, const std::vector<ElementState>& division,
                       int most_per_direction) {
  const double wanted = std::max(window.mx() * grid.dx, window.my() * grid.dy) / most_per_direction;
  // Rounded up, so that there are no more; but an element may be longer than the distance wanted.
  const auto elements = [&](double size) {
    return std::max(1, static_cast<int>(std::ceil(wanted / size * (1.0 - 1.0e-12))));
  };
  Blocks blocks = blocks_of_size(grid, window, elements(grid.dx), elements(grid.dy));
  blocks.ix0 -= (blocks.pixels.mx * blocks.bx - window.mx()) / 2;
  blocks.iy0 -= (blocks.pixels.my * blocks.by - window.my()) / 2;
  ArrowField field;
  field.bx = blocks.bx;
  field.by = blocks.by;
  field.spacing = std::min(blocks.pixels.dx, blocks.pixels.dy);
  for (int py = 0; py < blocks.pixels.my; ++py)
    for (int px = 0; px < blocks.pixels.mx; ++px) {
      Arrow sum;
      int count = 0;
      for_block(grid, blocks, px, py, [&](std::size_t index) {
        if (!in_contact(division, index)) return;
        const auto mx = static_cast<std::size_t>(grid.mx);
        sum.x += grid.x(static_cast<int>(index % mx));
        sum.y += grid.y(static_cast<int>(index / mx));
        sum.u += u[index];
        sum.v += v[index];
        ++count;
      });
      if (std::hypot(sum.u, sum.v) > 0.0)
        field.arrows.push_back({sum.x / count, sum.y / count, sum.u / count, sum.v / count});
    }
  return field;
}

}  // namespace slipfield
