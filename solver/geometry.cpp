#include "solver/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kNoContact = std::numeric_limits<double>::infinity();

// Calls add(ix, iy, x, y) for each element and adds what it returns to h.
template <class Height>
void add_heights(const Grid& grid, std::vector<double>& h, const Height& height) {
#pragma omp parallel for if (grid.count() >= kLeastForThreads)
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      h[grid.index(ix, iy)] += height(ix, iy, grid.x(ix), grid.y(iy));
    }
  }
}

struct ShapeAdder {
  const Grid& grid;
  const CombinedMaterial& material;
  std::vector<double>& h;

  void operator()(const QuadraticShape& s) const {
    add_heights(grid, h, [&](int, int, double x, double y) {
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
  void operator()(const CirclePunchShape& s) const {
    add_heights(grid, h, [&](int, int, double x, double y) {
      return x * x + y * y <= s.radius * s.radius ? 0.0 : kNoContact;
    });
  }
  void operator()(const RectanglePunchShape& s) const {
    add_heights(grid, h, [&](int, int, double x, double y) {
      return std::abs(x) <= s.half_width_x && std::abs(y) <= s.half_width_y ? 0.0 : kNoContact;
    });
  }
  void operator()(const HeightsShape& s) const {
    if (s.values.size() != grid.count()) {
      throw InputError("geometry: heights has " + std::to_string(s.values.size()) +
                       " values, the grid has " + std::to_string(grid.count()) + " elements");
    }
    const bool surface = s.of != HeightsOf::distance;
    const double summit = surface ? *std::max_element(s.values.begin(), s.values.end()) : 0.0;
    add_heights(grid, h, [&](int ix, int iy, double, double) {
      const double value = s.values[grid.index(ix, iy)];
      return surface ? summit - value : value;
    });
  }
  void operator()(const RoughShape& s) const {
    const std::vector<double> z = rough_heights(s.surface, grid);
    add_heights(grid, h, [&](int ix, int iy, double, double) { return -z[grid.index(ix, iy)]; });
  }

 private:
  void paraboloid(double curvature_x, double curvature_y) const {
    (*this)(QuadraticShape{curvature_x, 0.0, curvature_y, 0.0, 0.0, 0.0});
  }
};

}  // namespace

HertzContact hertz_contact(double semi_axis_x, double semi_axis_y, double force,
                           double contact_modulus) {
  // Johnson 1985, eq. 3.41 to 3.44: u_n = (L - M x^2 - N y^2)/(pi E*) under p0 sqrt(1 - (x/a)^2 -
  // (y/b)^2), a >= b.
  const double a = std::max(semi_axis_x, semi_axis_y);
  const double b = std::min(semi_axis_x, semi_axis_y);
  const double max_pressure = 1.5 * force / (kPi * a * b);
  const double eccentricity2 = (a - b) * (a + b) / (a * a);
  const double eccentricity = std::sqrt(eccentricity2);
  const double k = std::comp_ellint_1(eccentricity);
  const double e = std::comp_ellint_2(eccentricity);
  double along_a = 0.25 * kPi * kPi * max_pressure / a;  // M, N at a = b
  double along_b = along_a;
  if (eccentricity2 > 1.0e-8) {
    const double factor = kPi * max_pressure * b / (eccentricity2 * a * a);
    along_a = factor * (k - e);
    along_b = factor * (a * a / (b * b) * e - k);
  }
  HertzContact contact;
  contact.max_pressure = max_pressure;
  contact.approach = max_pressure * b * k / contact_modulus;
  const double curvature_a = along_a / (kPi * contact_modulus);
  const double curvature_b = along_b / (kPi * contact_modulus);
  contact.curvature_x = semi_axis_x >= semi_axis_y ? curvature_a : curvature_b;
  contact.curvature_y = semi_axis_x >= semi_axis_y ? curvature_b : curvature_a;
  return contact;
}

std::vector<double> undeformed_distance(const std::vector<Shape>& shapes, const Grid& grid,
                                        const CombinedMaterial& material) {
  std::vector<double> h(grid.count(), 0.0);
  for (const Shape& shape : shapes) std::visit(ShapeAdder{grid, material, h}, shape);
  return h;
}

}  // namespace slipfield
