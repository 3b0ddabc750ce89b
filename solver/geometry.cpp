// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "solver/geometry/cubic_spline.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

constexpr double kNoContact = std::numeric_limits<double>::infinity();

// Calls height(ix, iy, x, y) for each element of the rows and adds what it returns to h.
template <class Height>
void add_heights(const Grid& grid, const RowRange& rows, std::vector<double>& h,
                 const Height& height) {
  constexpr double kOfHeight = 2.0e-7;  // seconds, of those that take long
  const TeamWork work(h.size() >= kLeastForThreads, kOfHeight * static_cast<double>(h.size()));
#pragma omp parallel for if (work.by_all())
  for (int row = 0; row < rows.count; ++row) {
    const int iy = rows.first + row;
    for (int ix = 0; ix < grid.mx; ++ix) {
      h[grid.index(ix, row)] += height(ix, iy, grid.x(ix), grid.y(iy));
    }
  }
}

// Converts heights to the distance that they represent.
class DistanceOf {
 public:
  DistanceOf(HeightsOf of, const std::vector<double>& heights)
      : surface_(of != HeightsOf::distance),
        summit_(surface_ ? *std::max_element(heights.begin(), heights.end()) : 0.0) {}
  double operator()(double height) const { return surface_ ? summit_ - height : height; }

 private:
  bool surface_;
  double summit_;
};

struct ShapeAdder {
  const Grid& grid;
  const CombinedMaterial& material;
  const RowRange& rows;
  std::vector<double>& h;

  void operator()(const QuadraticShape& s) const {
    add_heights(grid, rows, h, [&](int, int, double x, double y) {
      return s.xx * x * x + s.xy * x * y + s.yy * y * y + s.x * x + s.y * y + s.constant;
    });
  }
  void operator()(const SphereShape& s) const { paraboloid(0.5 / s.radius, 0.5 / s.radius); }
  void operator()(const EllipsoidShape& s) const { paraboloid(0.5 / s.radius_x, 0.5 / s.radius_y); }
  void operator()(const CylinderShape& s) const {
    const bool along_y = s.axis == CylinderAxis::y;
    paraboloid(along_y ? 0.5 / s.radius : 0.0, along_y ? 0.0 : 0.5 / s.radius);
  }
  void operator()(const HertzShape& s) const {
    const HertzContact contact =
        hertz_contact(s.semi_axis_x, s.semi_axis_y, s.force, material.contact_modulus());
    paraboloid(contact.curvature_x, contact.curvature_y);
  }
  void operator()(const PlanformShape& s) const {
#pragma omp parallel for if (h.size() >= kLeastForThreads)
    for (int row = 0; row < rows.count; ++row) {
      std::vector<bool> inside(static_cast<std::size_t>(grid.mx), false);
      for (const ElementRange& range : elements_inside(s, grid, rows.first + row)) {
        for (int ix = range.first; ix <= range.last; ++ix)
          inside[static_cast<std::size_t>(ix)] = true;
      }
      for (int ix = 0; ix < grid.mx; ++ix) {
        if (!inside[static_cast<std::size_t>(ix)]) h[grid.index(ix, row)] = kNoContact;
      }
    }
  }
  void operator()(const ProfileShape& s) const {
    std::vector<double> centres;
    for (int iy = 0; iy < grid.my; ++iy) centres.push_back(grid.y(iy));
    const std::vector<double> heights = profile_heights(s, centres);
    const DistanceOf distance(s.of, heights);
    add_heights(grid, rows, h, [&](int, int iy, double x, double) {
      return distance(heights[static_cast<std::size_t>(iy)]) + 0.5 * s.curvature_x * x * x;
    });
  }
  void operator()(const HeightsShape& s) const {
    const DistanceOf distance(s.of, s.values);
    add_heights(grid, rows, h, [&](int ix, int iy, double, double) {
      return distance(s.values[grid.index(ix, iy)]);
    });
  }
  void operator()(const RoughShape& s) const {
    const std::vector<double> z = rough_heights(s.surface, grid);
    add_heights(grid, rows, h,
                [&](int ix, int iy, double, double) { return -z[grid.index(ix, iy)]; });
  }

 private:
  void paraboloid(double curvature_x, double curvature_y) const {
    (*this)(QuadraticShape{curvature_x, 0.0, curvature_y, 0.0, 0.0, 0.0});
  }
};

// Complete elliptic integrals K, D = (K - E)/k^2, B = (E - k'^2 K)/k^2 of the complementary modulus
// k' = b/a, by the arithmetic-geometric mean of 1 and k' with its differences c_n (THEORY.md 3.2):
//   E = K (1 - k^2/2 - sum of 2^(n-1) c_n^2).
// k' itself is given, and k^2 is divided out of every c_n^2, so that no digits are lost near a
// circle (k = 0) or for tiny k'.
struct EllipticIntegrals {
  double first = 0.0;
  double d = 0.0;
  double b = 0.0;
};

EllipticIntegrals elliptic_integrals(double complementary) {
  double mean = 0.5 * (1.0 + complementary);
  double geometric = std::sqrt(complementary);
  double difference = 0.5 * (1.0 - complementary);                       // c_1
  double square = 0.25 * (1.0 - complementary) / (1.0 + complementary);  // c_n^2/k^2
  double sum = square;
  double power = 1.0;
  while (difference > 1.0e-9 * mean) {  // the next is its square over 4 mean
    const double next = 0.5 * (mean + geometric);
    geometric = std::sqrt(mean * geometric);
    mean = next;
    const double ratio = 0.25 * difference / mean;  // c_(n+1)/c_n
    square *= ratio * ratio;
    difference *= ratio;
    power *= 2.0;
    sum += power * square;
  }
  const double first = std::numbers::pi / (mean + geometric);
  return {first, first * (0.5 + sum), first * (0.5 - sum)};
}

}  // namespace

std::vector<double> profile_heights(const ProfileShape& profile, const std::vector<double>& y) {
  return profile.curve == ProfileCurve::monotone ? interpolate_monotone(profile.y, profile.z, y)
                                                 : SplineKnots(profile.y).interpolate(profile.z, y);
}

HertzContact hertz_contact(double semi_axis_x, double semi_axis_y, double force,
                           double contact_modulus) {
  // Johnson 1985, eq. 3.41 to 3.44: u_n = (L - M x^2 - N y^2)/(pi E*) under the pressure
  // p0 sqrt(1 - (x/a)^2 - (y/b)^2), a >= b.
  const double a = std::max(semi_axis_x, semi_axis_y);
  const double b = std::min(semi_axis_x, semi_axis_y);
  const double max_pressure = 1.5 * force / (std::numbers::pi * a * b);
  const EllipticIntegrals integrals = elliptic_integrals(b / a);
  HertzContact contact;
  contact.max_pressure = max_pressure;
  contact.approach = max_pressure * b * integrals.first / contact_modulus;
  const double curvature_a = max_pressure * b / (a * a) * integrals.d / contact_modulus;
  const double curvature_b = max_pressure / b * integrals.b / contact_modulus;
  contact.curvature_x = semi_axis_x >= semi_axis_y ? curvature_a : curvature_b;
  contact.curvature_y = semi_axis_x >= semi_axis_y ? curvature_b : curvature_a;
  return contact;
}

void add_undeformed_distance(const Shape& shape, const Grid& grid, const CombinedMaterial& material,
                             const RowRange& rows, std::vector<double>& h) {
  std::visit(ShapeAdder{grid, material, rows, h}, shape);
}

std::vector<double> undeformed_distance(const std::vector<Shape>& shapes, const Grid& grid,
                                        const CombinedMaterial& material) {
  return distance_of_rows(shapes, grid, material, {0, grid.my}, [&](const RoughSurface& surface) {
    std::vector<double> h = rough_heights(surface, grid);
    for (double& each : h) each = 0.0 - each;
    return h;
  });
}

}  // namespace slipfield
