// SPDX-License-Identifier: Apache-2.0
// Kalker's linear creep coefficients C11, C22, C23 of an elliptical contact, as functions of the
// ratio of its semi-axes and of Poisson's ratio (THEORY.md 10.2).
//
// Without slip, F_x = -G c^2 C11 xi, F_y = -G c^2 C22 eta - G c^3 C23 phi and M_z = G c^3 C23 eta,
// c^2 = a b. For 0.1 <= a/b <= 10 the table of Kalker 1990, appendix E, is interpolated linearly in
// min(a/b, b/a), and 1/C by the parabola through nu = 0, 1/4, 1/2; for more slender ellipses the
// asymptotes for 0 and infinity are used, which meet the table within some percent. The numbers and
// both interpolations come from the source text of CONTACT (m_hertz.f90, 2023), not from the book.
#pragma once

namespace slipfield {

struct KalkerCoefficients {
  double c11 = 0.0;  // longitudinal force per creepage
  double c22 = 0.0;  // lateral force per creepage
  double c23 = 0.0;  // lateral force per spin, moment per lateral creepage
};

// semi_axis_ratio: a/b > 0, a in the rolling direction. 0 <= poisson_ratio <= 0.5.
KalkerCoefficients kalker_coefficients(double semi_axis_ratio, double poisson_ratio);

}  // namespace slipfield
