// SPDX-License-Identifier: Apache-2.0
// Limits of the shakedown map: the load up to which a body stays elastic, in the first pass or
// after residual stresses have formed (THEORY.md 14.4).
#pragma once

namespace slipfield {

// Stress in a body z >= 0, z the depth, in units of the greatest pressure; tension is positive.
struct PlaneStress {
  double xx = 0.0;
  double zz = 0.0;
  double xz = 0.0;
};

// Plane-strain stress under Hertz's pressure sqrt(1 - x^2) on |x| < 1 and a traction of `friction`
// times it towards +x: the closed form of McEwen.
PlaneStress hertz_line_stress(double x, double z, double friction);

// Limits of p_0/k, k the yield stress in shear by Tresca, for full sliding with friction >= 0 and
// nu = 0.3.
struct ShakedownLimits {
  double elastic = 0.0;  // above it the first pass yields somewhere
  double shakedown =
      0.0;  // above it every pass yields somewhere, whatever stresses are left behind
};
// For rollers: by searching Hertz's line field over the depth.
ShakedownLimits line_limits(double friction);
// For a circular contact: from tables of the same search in its plane of symmetry, made with the
// stresses of THEORY.md 12.1; to 1 %.
ShakedownLimits point_limits(double friction);
// An ellipse, by its width (along y) over its length: between those of a circle and of a line, by
// the greatest shear stress on planes parallel to the surface, which decides without friction
// (THEORY.md 14.4). A longer one, or 0: as a circle.
ShakedownLimits ellipse_limits(double friction, double width_over_length);

}  // namespace slipfield
