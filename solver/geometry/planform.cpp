// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry/planform.h"

#include <algorithm>
#include <cmath>

namespace slipfield {
namespace {

using Point = std::array<double, 2>;

struct Span {
  double left = 0.0;
  double right = 0.0;
};

// Cuts an outline along a line of constant y, from its centre; slack: a line that misses the
// outline by less than this still touches it.
struct LineCut {
  double y = 0.0;
  double slack = 0.0;

  std::vector<Span> operator()(const EllipseOutline& ellipse) const {
    const double nearest = std::max(std::abs(y) - slack, 0.0) / ellipse.semi_axis_y;
    if (nearest > 1.0) return {};
    const double half = ellipse.semi_axis_x * std::sqrt((1.0 - nearest) * (1.0 + nearest));
    return {{-half, half}};
  }
  std::vector<Span> operator()(const RectangleOutline& rectangle) const {
    if (std::abs(y) > rectangle.half_width_y + slack) return {};
    return {{-rectangle.half_width_x, rectangle.half_width_x}};
  }
  // A line along an edge or through a vertex meets only one side of it; the lines just below and
  // just above meet the other. Everything inside for one of them is inside or on the polygon.
  std::vector<Span> operator()(const PolygonOutline& polygon) const {
    std::vector<Span> spans;
    for (const double line : {y - slack, y, y + slack}) {
      const std::vector<Span> more = between_edges(polygon, line);
      spans.insert(spans.end(), more.begin(), more.end());
    }
    return spans;
  }

 private:
  static std::vector<Span> between_edges(const PolygonOutline& polygon, double line) {
    std::vector<double> crossings;
    const std::size_t count = polygon.vertices.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Point& from = polygon.vertices[i];
      const Point& to = polygon.vertices[(i + 1) % count];
      if ((from[1] <= line) == (to[1] <= line)) continue;
      crossings.push_back(from[0] + (to[0] - from[0]) * ((line - from[1]) / (to[1] - from[1])));
    }
    std::sort(crossings.begin(), crossings.end());
    std::vector<Span> spans;
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
      spans.push_back({crossings[i], crossings[i + 1]});
    return spans;
  }
};

// > 0: c lies to the left of the line from a to b.
double side(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Whether c, on the line through a and b, lies between them.
bool is_between(const Point& a, const Point& b, const Point& c) {
  return std::min(a[0], b[0]) <= c[0] && c[0] <= std::max(a[0], b[0]) &&
         std::min(a[1], b[1]) <= c[1] && c[1] <= std::max(a[1], b[1]);
}

bool edges_meet(const Point& a, const Point& b, const Point& c, const Point& d) {
  const double c_side = side(a, b, c);
  const double d_side = side(a, b, d);
  const double a_side = side(c, d, a);
  const double b_side = side(c, d, b);
  if (((c_side > 0.0 && d_side < 0.0) || (c_side < 0.0 && d_side > 0.0)) &&
      ((a_side > 0.0 && b_side < 0.0) || (a_side < 0.0 && b_side > 0.0)))
    return true;
  return (c_side == 0.0 && is_between(a, b, c)) || (d_side == 0.0 && is_between(a, b, d)) ||
         (a_side == 0.0 && is_between(c, d, a)) || (b_side == 0.0 && is_between(c, d, b));
}

// Whether edges from a to b or b to c have length 0, or overlap.
bool folds_back(const Point& a, const Point& b, const Point& c) {
  if (a == b || b == c) return true;
  const double along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
  return side(a, b, c) == 0.0 && along < 0.0;
}

}  // namespace

std::vector<ElementRange> elements_inside(const PlanformShape& shape, const Grid& grid, int iy) {
  const double y = grid.y(iy) - shape.centre_y;
  std::vector<ElementRange> ranges;
  for (const Span& span : std::visit(LineCut{y, kCentreRounding * grid.dy}, shape.outline)) {
    const auto position = [&](double x) { return (x + shape.centre_x - grid.x0) / grid.dx - 0.5; };
    const double first = std::ceil(position(span.left) - kCentreRounding);
    const double last = std::floor(position(span.right) + kCentreRounding);
    const double most = grid.mx;
    ranges.push_back({static_cast<int>(std::clamp(first, 0.0, most)),
                      static_cast<int>(std::clamp(last, -1.0, most - 1.0))});
  }
  return ranges;
}

bool any_element_inside(const PlanformShape& shape, const Grid& grid) {
  for (int iy = 0; iy < grid.my; ++iy) {
    for (const ElementRange& range : elements_inside(shape, grid, iy)) {
      if (range.first <= range.last) return true;
    }
  }
  return false;
}

std::optional<std::array<std::size_t, 2>> meeting_edges(const PolygonOutline& polygon) {
  const auto& vertices = polygon.vertices;
  const std::size_t count = vertices.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = (i + 1) % count;
    if (folds_back(vertices[i], vertices[next], vertices[(i + 2) % count]))
      return std::array{i, next};
  }
  for (std::size_t i = 0; i + 2 < count; ++i) {
    for (std::size_t k = i + 2; k < count; ++k) {
      if (i == 0 && k + 1 == count) continue;  // neighbours
      if (edges_meet(vertices[i], vertices[i + 1], vertices[k], vertices[(k + 1) % count]))
        return std::array{i, k};
    }
  }
  return std::nullopt;
}

}  // namespace slipfield
