// SPDX-License-Identifier: Apache-2.0
// Bodies of bonded layers: how their surfaces deform, and what this adds to the coefficients of
// half-spaces of their outermost materials (THEORY.md 2.10).
//
// A wave of traction exp(i q x) on the surface displaces it along the wave, across it and normally
// to it by 1/q times the compliances of material.h. For a half-space they are numbers,
// (1 - nu)/G, 1/G, (1 - nu)/G and (1 - 2 nu)/(2 G) for the skew one; for layers they are functions
// of q that go to the outermost material's at short waves and to the deepest one's at long ones.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "solver/host_device.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/material.h"

namespace slipfield {

// What layers of the bodies add to the coefficients and symbols of half-spaces: a sum of images,
// whose waves exp(-q depth)/q have closed forms (THEORY.md 2.10).

// One term of a sum of exp(-q depth): the change by layers of the compliances of both bodies
// together; for the skew one body 1 minus body 2 [1/modulus].
struct LayerImage {
  double depth = 0.0;  // > 0 [length]
  WaveCompliance share;
  friend bool operator==(const LayerImage& a, const LayerImage& b) {
    return a.depth == b.depth && a.share == b.share;
  }
};

struct LayerImages {
  const LayerImage* data = nullptr;
  int count = 0;
};

// Gauss's five-point rule over an element of length 1 about 0, used from 8 elements away. The
// weights of images of soft layers between stiff ones cancel to 1e-11, so that three points would
// leave an error of 1e-3.
inline constexpr int kFarPoints = 5;
struct FarRule {
  double place[kFarPoints] = {-0.45308992296933199640, -0.26923465505284154552, 0.0,
                              0.26923465505284154552, 0.45308992296933199640};
  double weight[kFarPoints] = {0.11846344252809454376, 0.23931433524968323402,
                               0.28444444444444444444, 0.23931433524968323402,
                               0.11846344252809454376};
};

namespace image_detail {

// (R - d) x y/(x^2 R + d y^2), the tangent of an angle within a quarter turn; R^2 = x^2 + y^2 +
// d^2.
SLIPFIELD_HD inline double skew_tangent(double x, double y, double depth, double distance) {
  const double below = x * x * distance + depth * y * y;
  return below == 0.0 ? 0.0 : x * y * (x * x + y * y) / ((distance + depth) * below);
}

// The integrals of the kernels below over a rectangle, evaluated at one corner (x, y): their
// alternating sums over the corners are the integrals. ln(y + R) omits parts that cancel in its
// alternating sum over y.
struct Corner {
  double x;
  double y;
  double depth;
  double distance;

  [[nodiscard]] SLIPFIELD_HD double log_y() const { return std::asinh(y / std::hypot(x, depth)); }
  [[nodiscard]] SLIPFIELD_HD double log_x() const { return std::asinh(x / std::hypot(y, depth)); }
  // of 1/R
  [[nodiscard]] SLIPFIELD_HD double normal() const {
    return x * log_y() + y * log_x() - depth * std::atan(x * y / (depth * distance));
  }
  // of 1/(R + d) - x^2/(R (R + d)^2)
  [[nodiscard]] SLIPFIELD_HD double along_x() const {
    return x * log_y() - depth * std::atan(skew_tangent(x, y, depth, distance));
  }
  // of -x y/(R (R + d)^2)
  [[nodiscard]] SLIPFIELD_HD double twist() const {
    return distance - depth * std::log(distance + depth);
  }
  // of x/(R (R + d))
  [[nodiscard]] SLIPFIELD_HD double skew_x() const {
    return y * std::log(distance + depth) + depth * log_y() +
           x * std::atan(skew_tangent(x, y, depth, distance));
  }
  [[nodiscard]] SLIPFIELD_HD Corner turned() const { return {y, x, depth, distance}; }
};

SLIPFIELD_HD inline double of_corner(Component component, const Corner& at,
                                     const WaveCompliance& share) {
  switch (component) {
    case Component::nn:
      return share.normal * at.normal();
    case Component::xx:
      return share.across * at.normal() + (share.along - share.across) * at.along_x();
    case Component::yy:
      return share.across * at.normal() + (share.along - share.across) * at.turned().along_x();
    case Component::xy:
      return (share.along - share.across) * at.twist();
    case Component::xn:
      return -share.skew * at.skew_x();
    case Component::yn:
      return -share.skew * at.turned().skew_x();
  }
  return 0.0;
}

// The kernels at one point: inverse transforms of exp(-q d)/q, with [Bracewell's] 1/R <-> exp(-q
// d)/q, and of its products with q_x^2/q^2, q_x q_y/q^2 and i q_x/q, by integration over d.
SLIPFIELD_HD inline double kernel(Component component, double x, double y,
                                  const LayerImage& image) {
  const double distance = std::sqrt(x * x + y * y + image.depth * image.depth);
  const double lifted = distance + image.depth;
  const WaveCompliance& share = image.share;
  const double turning = (share.along - share.across) / (distance * lifted * lifted);
  switch (component) {
    case Component::nn:
      return share.normal / distance;
    case Component::xx:
      return share.across / distance + (share.along - share.across) / lifted - x * x * turning;
    case Component::yy:
      return share.across / distance + (share.along - share.across) / lifted - y * y * turning;
    case Component::xy:
      return -x * y * turning;
    case Component::xn:
      return -share.skew * x / (distance * lifted);
    case Component::yn:
      return -share.skew * y / (distance * lifted);
  }
  return 0.0;
}

// The integral over an element centred at distance (x, y): by the corners, and by Gauss's rule.
SLIPFIELD_HD inline double corner_sum(Component component, double x, double y, double dx, double dy,
                                      const LayerImage& image) {
  double sum = 0.0;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      const double at_x = x + (i - 0.5) * dx;
      const double at_y = y + (j - 0.5) * dy;
      const double distance = std::sqrt(at_x * at_x + at_y * at_y + image.depth * image.depth);
      const double value = of_corner(component, {at_x, at_y, image.depth, distance}, image.share);
      sum += i == j ? value : -value;
    }
  return sum;
}
SLIPFIELD_HD inline double mean_kernel(Component component, double x, double y, double dx,
                                       double dy, const LayerImage& image) {
  constexpr FarRule rule;
  double mean = 0.0;
  for (int j = 0; j < kFarPoints; ++j)
    for (int i = 0; i < kFarPoints; ++i)
      mean += rule.weight[i] * rule.weight[j] *
              kernel(component, x + rule.place[i] * dx, y + rule.place[j] * dy, image);
  return mean;
}

}  // namespace image_detail

// What the images add to influence_coefficient() at (x, y) [length^3/force].
SLIPFIELD_HD inline double image_coefficient(Component component, double x, double y, double dx,
                                             double dy, LayerImages images) {
  // Far from the element and its images the kernel is nearly a polynomial over it, and the closed
  // forms would lose digits.
  const double near = 8.0 * std::fmax(dx, dy);
  double sum = 0.0;
  for (int k = 0; k < images.count; ++k) {
    const LayerImage& image = images.data[k];
    const bool far = x * x + y * y + image.depth * image.depth > near * near;
    sum += far ? image_detail::mean_kernel(component, x, y, dx, dy, image) * dx * dy
               : image_detail::corner_sum(component, x, y, dx, dy, image);
  }
  return sum / 6.28318530717958647692;
}

// What the images add to half_space_symbol_part(), q > 0.
SLIPFIELD_HD inline double image_symbol_part(Component component, double qx, double qy,
                                             LayerImages images) {
  const double q = std::sqrt(qx * qx + qy * qy);
  WaveCompliance sum;
  for (int k = 0; k < images.count; ++k) {
    const LayerImage& image = images.data[k];
    const double decay = std::exp(-q * image.depth) / q;
    sum.along += decay * image.share.along;
    sum.across += decay * image.share.across;
    sum.normal += decay * image.share.normal;
    sum.skew += decay * image.share.skew;
  }
  const double turning = (sum.along - sum.across) / (q * q);
  switch (component) {
    case Component::nn:
      return sum.normal;
    case Component::xx:
      return sum.across + turning * qx * qx;
    case Component::yy:
      return sum.across + turning * qy * qy;
    case Component::xy:
      return turning * qx * qy;
    case Component::xn:
      return sum.skew * qx / q;
    case Component::yn:
      return sum.skew * qy / q;
  }
  return 0.0;
}

// The compliance at q > 0 [1/length]. Integrates the plane problem's state (displacements and
// tractions) from the deepest material up to the surface in pieces of at most a wavelength over 2
// pi, so that nothing grows.
WaveCompliance wave_compliance(const ElasticBody& body, double q);

inline LayerImages view_of(const std::vector<LayerImage>& images) {
  return {images.data(), static_cast<int>(images.size())};
}

// The images of both bodies, accurate to about 1e-8 of the greatest compliance at every q; empty if
// both bodies are half-spaces.
std::vector<LayerImage> layer_images(const ElasticBody& upper, const ElasticBody& lower);

// Stresses and displacements inside a body under a wave of traction on its surface (THEORY.md
// 12.2), as real numbers: under a pressure, a traction along the wave, and one across it. The axes
// are l along the wave, t across it and z into the body. Stresses are per traction; displacements
// are multiplied by q and the outermost shear modulus. Those marked i lag their load by a quarter
// of a wave and must be multiplied by i.
enum class InsideWave {
  pressure_ll,
  pressure_tt,
  pressure_zz,
  pressure_lz,  // i
  pressure_l,   // i
  pressure_z,
  along_ll,  // i
  along_tt,  // i
  along_zz,  // i
  along_lz,
  along_l,
  along_z,    // i
  across_lt,  // i
  across_tz,
  across_t
};
inline constexpr int kInsideWaves = 15;
using InsideShares = std::array<double, kInsideWaves>;  // by InsideWave

// depth: from 0 to that of a rigid base, q > 0. On an interface of two layers: in the outer one.
InsideShares inside_waves(const ElasticBody& body, double depth, double q);

// One term of a sum of exp(-q depth).
struct InsideImage {
  double depth = 0.0;
  InsideShares share{};
};

// Images for the change by layers of inside_waves() of a half-space of the outermost material, to
// about 1e-7 of the greatest value at every q for one layer, 1e-5 for alternating stiff and soft
// ones; empty for a half-space.
std::vector<InsideImage> inside_images(const ElasticBody& body, double depth);

}  // namespace slipfield
