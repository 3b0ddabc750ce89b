// SPDX-License-Identifier: Apache-2.0
// Shapes of the undeformed distance h(x, y) between the bodies [length]; a case adds several up.
//
// Every curved shape is its paraboloid at the origin of the coordinates, to the order of the
// half-space theory: sphere h = (x^2 + y^2)/(2 R), ellipsoid h = x^2/(2 Rx) + y^2/(2 Ry), cylinder
// h = x^2/(2 R) (axis y) or y^2/(2 R). Formulas: THEORY.md 3.
#pragma once

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "solver/geometry/planform.h"
#include "solver/geometry/rough_surface.h"
#include "solver/grid.h"
#include "solver/material.h"

namespace slipfield {

struct QuadraticShape {  // h = xx x^2 + xy x y + yy y^2 + x x + y y + constant [length]
  // Second-order coefficients [1/length], slopes [-], and the height at the origin [length].
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
  double x = 0.0;
  double y = 0.0;
  double constant = 0.0;
};

struct SphereShape {
  double radius = 0.0;  // > 0: relative radius of the two bodies
};

struct EllipsoidShape {
  double radius_x = 0.0;
  double radius_y = 0.0;
};

enum class CylinderAxis { x, y };

struct CylinderShape {
  double radius = 0.0;
  CylinderAxis axis = CylinderAxis::y;
};

// The paraboloid whose Hertzian contact under `force` has the semi-axes a (x) and b (y)
// [Johnson1985, ch. 4].
struct HertzShape {
  double semi_axis_x = 0.0;
  double semi_axis_y = 0.0;
  double force = 0.0;
};

enum class HeightsOf { distance, lower, upper };

// One value per element (my rows of mx). distance: h itself. lower, upper: height of that body's
// surface, measured outwards from the body; the highest element touches first:
//   h = max - value.
struct HeightsShape {
  HeightsOf of = HeightsOf::distance;
  std::vector<double> values;
};

// The curve of a profile between its points: a not-a-knot spline, which is smoothest, or a cubic
// that is monotone wherever the points are.
enum class ProfileCurve { cubic, monotone };

// A lateral profile: the curve through points (y, z), extruded along x. z means the same as the
// heights above; curvature_x adds curvature_x x^2/2 to h. y: strictly increasing, at least two
// points, covering the grid's element centres.
struct ProfileShape {
  HeightsOf of = HeightsOf::distance;
  std::vector<double> y;
  std::vector<double> z;
  double curvature_x = 0.0;  // [1/length]
  ProfileCurve curve = ProfileCurve::cubic;
};
// Heights z at these y, which must lie between the points.
std::vector<double> profile_heights(const ProfileShape& profile, const std::vector<double>& y);

// Roughness on the upper or the lower body: h = -z about the mean plane.
struct RoughShape {
  RoughSurface surface;
};

using Shape = std::variant<QuadraticShape, SphereShape, EllipsoidShape, CylinderShape, HertzShape,
                           PlanformShape, ProfileShape, HeightsShape, RoughShape>;

// Curvatures A, B [1/length] of h = A x^2 + B y^2 whose contact under `force` is the ellipse (a,
// b), with its approach and greatest pressure. a, b, force, modulus > 0, any a/b.
struct HertzContact {
  double curvature_x = 0.0;
  double curvature_y = 0.0;
  double approach = 0.0;
  double max_pressure = 0.0;
};
HertzContact hertz_contact(double semi_axis_x, double semi_axis_y, double force,
                           double contact_modulus);

// Adds a shape to the requested rows of h, at the element centres, x fastest. The shape must be
// faultless (problem_check.h).
void add_undeformed_distance(const Shape& shape, const Grid& grid, const CombinedMaterial& material,
                             const RowRange& rows, std::vector<double>& h);

// These rows of undeformed_distance(). distance_of(surface): what a rough surface adds there, for
// owners of rows that generate it together.
template <class DistanceOf>
std::vector<double> distance_of_rows(const std::vector<Shape>& shapes, const Grid& grid,
                                     const CombinedMaterial& material, const RowRange& rows,
                                     const DistanceOf& distance_of) {
  const std::size_t count = grid.index(0, rows.count);
  std::vector<double> h;
  for (const Shape& shape : shapes) {
    if (const auto* rough = std::get_if<RoughShape>(&shape)) {
      std::vector<double> more = distance_of(rough->surface);
      if (h.empty()) {
        h = std::move(more);
        continue;
      }
      for (std::size_t i = 0; i < count; ++i) h[i] += more[i];
    } else {
      h.resize(count);
      add_undeformed_distance(shape, grid, material, rows, h);
    }
  }
  h.resize(count);
  return h;
}

// Sum of the shapes at the element centres, x fastest; +infinity where no contact is possible. The
// shapes must be faultless (problem_check.h).
std::vector<double> undeformed_distance(const std::vector<Shape>& shapes, const Grid& grid,
                                        const CombinedMaterial& material);

}  // namespace slipfield
