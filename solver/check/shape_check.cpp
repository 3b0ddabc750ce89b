// SPDX-License-Identifier: Apache-2.0
// Finds faults in the shapes of a geometry, one by one and together.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "solver/check/fault_list.h"
#include "solver/geometry/johnson_curve.h"

namespace slipfield {
namespace {

struct OutlineCheck {
  FaultList& faults;

  bool operator()(const EllipseOutline& ellipse) const {
    return faults.each(kPositive, {{"outline.semi_axis_x", ellipse.semi_axis_x},
                                   {"outline.semi_axis_y", ellipse.semi_axis_y}});
  }
  bool operator()(const RectangleOutline& rectangle) const {
    return faults.each(kPositive, {{"outline.half_width_x", rectangle.half_width_x},
                                   {"outline.half_width_y", rectangle.half_width_y}});
  }
  bool operator()(const PolygonOutline& polygon) const {
    const std::size_t count = polygon.vertices.size();
    if (count < kLeastVertices || count > kMostVertices) {
      faults.add("outline.vertices", joined("is a list of ", count),
                 joined(kLeastVertices, " to ", kMostVertices, " vertices"));
      return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = joined("outline.vertices[", i, "]");
      for (const double coordinate : polygon.vertices[i])
        if (!faults.number(name, coordinate, kAnyNumber)) return false;
    }
    const auto edges = meeting_edges(polygon);
    if (!edges) return true;
    const auto point = [&](std::size_t i) {
      const auto& vertex = polygon.vertices[i % count];
      return joined("[", vertex[0], ", ", vertex[1], "]");
    };
    const auto edge = [&](std::size_t i) { return point(i) + " to " + point(i + 1); };
    faults.add("outline.vertices",
               "the edges from " + edge((*edges)[0]) + " and from " + edge((*edges)[1]) +
                   " cross or touch",
               "a polygon whose edges meet at its vertices only");
    return false;
  }
};

struct ShapeCheck {
  const Grid* grid;
  const CombinedMaterial* material;
  FaultList& faults;

  void operator()(const QuadraticShape& s) const {
    faults.each(kAnyNumber, {{"xx", s.xx},
                             {"xy", s.xy},
                             {"yy", s.yy},
                             {"x", s.x},
                             {"y", s.y},
                             {"constant", s.constant}});
  }
  void operator()(const SphereShape& s) const { faults.number("radius", s.radius, kPositive); }
  void operator()(const EllipsoidShape& s) const {
    faults.each(kPositive, {{"radius_x", s.radius_x}, {"radius_y", s.radius_y}});
  }
  void operator()(const CylinderShape& s) const {
    faults.number("radius", s.radius, kPositive);
    faults.enumerator("axis", s.axis, CylinderAxis::y);
  }
  void operator()(const HertzShape& s) const {
    const bool good = faults.each(
        kPositive,
        {{"semi_axis_x", s.semi_axis_x}, {"semi_axis_y", s.semi_axis_y}, {"force", s.force}});
    if (!good || material == nullptr) return;
    const HertzContact contact =
        hertz_contact(s.semi_axis_x, s.semi_axis_y, s.force, material->contact_modulus());
    if (!std::isfinite(contact.curvature_x) || !std::isfinite(contact.curvature_y))
      faults.add("semi_axis_x", "the curvatures of these semi-axes are beyond a double",
                 "semi-axes nearer to each other and to 1");
  }
  void operator()(const PlanformShape& s) const {
    const bool outline = std::visit(OutlineCheck{faults}, s.outline);
    const bool centre =
        faults.each(kAnyNumber, {{"centre_x", s.centre_x}, {"centre_y", s.centre_y}});
    if (outline && centre && grid != nullptr && !any_element_inside(s, *grid))
      faults.add("outline", "no element's centre is inside the outline",
                 "an outline around at least one element of the grid");
  }
  void operator()(const ProfileShape& s) const {
    faults.enumerator("of", s.of, HeightsOf::upper);
    faults.enumerator("curve", s.curve, ProfileCurve::monotone);
    faults.number("curvature_x", s.curvature_x, kAnyNumber);
    if (s.y.size() < kLeastPoints)
      return faults.add("y", joined("is a list of ", s.y.size()),
                        joined("at least ", kLeastPoints, " points"));
    if (s.z.size() != s.y.size())
      return faults.add("z", joined("has ", s.z.size(), " numbers, y has ", s.y.size()),
                        "one z for each y");
    const bool numbers = faults.numbers("y", s.y, kAnyNumber);
    if (!faults.numbers("z", s.z, kAnyNumber) || !numbers) return;
    check_range(s.y);
  }
  void operator()(const HeightsShape& s) const {
    faults.enumerator("of", s.of, HeightsOf::upper);
    if (grid != nullptr && s.values.size() != grid->count())
      return faults.add(
          "values",
          joined("has ", s.values.size(), " values, the grid has ", grid->count(), " elements"),
          "one value for each element");
    const bool distance = s.of == HeightsOf::distance;  // may be infinite: no contact there
    const auto bad = std::ranges::find_if(s.values, [&](double value) {
      return !std::isfinite(value) && !(distance && value > 0.0);
    });
    if (bad == s.values.end()) return;
    faults.add(joined("values[", bad - s.values.begin(), "]"), joined(*bad, " is not finite"),
               distance ? "a number, or +infinity where the bodies cannot touch" : "a number");
  }
  void operator()(const RoughShape& s) const {
    faults.number("surface.hurst", s.surface.hurst, kHurst);
    faults.number("surface.rms", s.surface.rms, kPositive);
    const bool waves = faults.each(kPositive, {{"surface.shortest", s.surface.shortest},
                                               {"surface.longest", s.surface.longest}});
    const bool lay = faults.number("surface.elongation", s.surface.elongation, kElongation) &&
                     faults.number("surface.lay", s.surface.lay, kInclination);
    const bool rolloff =
        s.surface.rolloff == 0.0 || faults.number("surface.rolloff", s.surface.rolloff, kPositive);
    check_moments(s.surface);
    if (waves && lay && rolloff) check_waves(s.surface);
  }

 private:
  // Checks that the points' y increases and covers the grid.
  void check_range(const std::vector<double>& y) const {
    for (std::size_t i = 1; i < y.size(); ++i) {
      if (y[i] > y[i - 1]) continue;
      return faults.add("y",
                        joined("y = ", y[i], " of point ", i + 1, " is not above y = ", y[i - 1],
                               " of the point before"),
                        "y that increases from point to point");
    }
    if (grid == nullptr || grid->centres_within_y(y.front(), y.back())) return;
    faults.add("y",
               joined("the points lie at y = ", y.front(), " to ", y.back(),
                      ", the element centres at y = ", grid->y(0), " to ", grid->y(grid->my - 1)),
               "points that reach over the whole grid, or a smaller grid");
  }

  void check_moments(const RoughSurface& surface) const {
    if (surface.is_normal()) return;
    if (!faults.number("surface.skewness", surface.skewness,
                       {.least = -JohnsonCurve::kMostSkewness,
                        .lower = Bound::closed,
                        .greatest = JohnsonCurve::kMostSkewness,
                        .upper = Bound::closed}))
      return;
    // Rounded up to the digits of a message.
    const double least = std::ceil(1.0e3 * JohnsonCurve::least_kurtosis(surface.skewness)) / 1.0e3;
    if (!(surface.kurtosis >= least && surface.kurtosis <= JohnsonCurve::kMostKurtosis))
      return faults.add(
          "surface.kurtosis",
          joined(surface.kurtosis, " does not go with a skewness of ", surface.skewness),
          joined("a number from ", least, " to ", JohnsonCurve::kMostKurtosis));
    if (surface.slope_given)
      faults.add(surface.skewness != 0.0 ? "surface.skewness" : "surface.kurtosis",
                 "heights that are not normally distributed have no given slope",
                 "the rms height in place of the slope");
  }

  // Checks that the wavelengths differ on the grid's elements and fit into the grid.
  void check_waves(const RoughSurface& surface) const {
    if (surface.shortest >= surface.longest)
      return faults.add("surface.longest", "does not increase",
                        "a list [shortest, longest] that increases");
    if (surface.rolloff > 0.0 &&
        (surface.rolloff <= surface.shortest || surface.rolloff > surface.longest))
      return faults.add("surface.rolloff",
                        joined(surface.rolloff, " is not between the wavelengths"),
                        "a wavelength above the shortest, at most the longest");
    if (grid == nullptr) return;
    const double least =
        2.0 * std::max(grid->mx > 1 ? grid->dx : 0.0, grid->my > 1 ? grid->dy : 0.0);
    const double most = std::max(grid->mx * grid->dx, grid->my * grid->dy);
    if (surface.shortest < least)
      return faults.add(
          "surface.shortest",
          joined("the shortest wavelength ", surface.shortest, " is below two elements"),
          joined("at least ", least, ", or smaller elements"));
    if (surface.longest > most * (1.0 + 1.0e-12))
      return faults.add(
          "surface.longest",
          joined("the longest wavelength ", surface.longest, " does not fit into the grid"),
          joined("at most ", most, ", or a larger grid"));
    if (!has_waves(surface, *grid))
      faults.add("surface.longest", "no wave that fits the grid's extent lies in the band",
                 "a band with at least one wave");
  }
};

// The elements of one row where this shape leaves the distance finite.
struct RowTouches {
  const Grid& grid;
  int iy;
  std::vector<char>& touches;

  void operator()(const PlanformShape& s) const {
    std::vector<char> inside(touches.size(), 0);
    for (const ElementRange& range : elements_inside(s, grid, iy))
      for (int ix = range.first; ix <= range.last; ++ix) inside[static_cast<std::size_t>(ix)] = 1;
    for (std::size_t ix = 0; ix < touches.size(); ++ix)
      touches[ix] = touches[ix] != 0 && inside[ix] != 0 ? 1 : 0;
  }
  void operator()(const HeightsShape& s) const {
    for (int ix = 0; ix < grid.mx; ++ix)
      if (!std::isfinite(s.values[grid.index(ix, iy)])) touches[static_cast<std::size_t>(ix)] = 0;
  }
  template <class Other>
  void operator()(const Other& /*shape*/) const {}
};

}  // namespace

bool check_shape(const Shape& shape, const Grid* grid, const CombinedMaterial* material,
                 FaultList& faults) {
  const std::size_t before = faults.size();
  std::visit(ShapeCheck{grid, material, faults}, shape);
  return faults.size() == before;
}

std::size_t count_touching(const std::vector<Shape>& shapes, const Grid& grid, std::size_t most) {
  const bool bounded = std::ranges::any_of(shapes, [](const Shape& shape) {
    return std::holds_alternative<PlanformShape>(shape) ||
           std::holds_alternative<HeightsShape>(shape);
  });
  if (!bounded) return std::min(most, grid.count());
  std::vector<char> touches(static_cast<std::size_t>(grid.mx));
  std::size_t count = 0;
  for (int iy = 0; iy < grid.my && count < most; ++iy) {
    std::fill(touches.begin(), touches.end(), 1);
    for (const Shape& shape : shapes) std::visit(RowTouches{grid, iy, touches}, shape);
    count += static_cast<std::size_t>(std::ranges::count(touches, 1));
  }
  return std::min(most, count);
}

void check_touching(const std::vector<Shape>& shapes, const Grid& grid, FaultList& faults) {
  if (count_touching(shapes, grid, 1) > 0) return;
  faults.add("geometry", "no element can touch: the undeformed distance is infinite everywhere",
             "shapes that are finite together for at least one element");
}

}  // namespace slipfield
