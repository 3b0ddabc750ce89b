// SPDX-License-Identifier: Apache-2.0
// Measures of the stress at one point (THEORY.md 12.4), for both CPU loops and kernels.
#pragma once

#include <cmath>

#include "solver/host_device.h"

namespace slipfield {

struct LocalMeasures {
  double principal_1, principal_2, principal_3;  // in decreasing order
  double von_mises;                              // sqrt(3 J2)
  double tresca;                                 // principal_1 - principal_3
  double hydrostatic;                            // (xx + yy + zz)/3
};

namespace measure_detail {

// Jacobi's rotation that zeroes the entry pq of a symmetric matrix; k is the third index.
// Branch-free, so that a loop over points is vectorized.
SLIPFIELD_HD inline void rotate(double& pp, double& qq, double& pq, double& pk, double& qk) {
  const double difference = qq - pp;
  const double root = std::sqrt(difference * difference + 4.0 * pq * pq);
  const double divisor = difference + (difference < 0.0 ? -root : root);
  const double tangent = divisor == 0.0 ? 0.0 : 2.0 * pq / divisor;
  const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
  const double sine = tangent * cosine;
  pp -= tangent * pq;
  qq += tangent * pq;
  pq = 0.0;
  const double turned = cosine * pk - sine * qk;
  qk = sine * pk + cosine * qk;
  pk = turned;
}

SLIPFIELD_HD inline double greater(double a, double b) { return a > b ? a : b; }
SLIPFIELD_HD inline double less(double a, double b) { return a > b ? b : a; }

}  // namespace measure_detail

// In: xx, yy, zz, xy, xz, yz, tension positive. The principal stresses come from Jacobi's
// rotations: the closed form loses half of the digits if two of them are nearly equal. Three rounds
// leave 5e-16 of the greatest entry in three million random states, many with near or equal
// principal stresses; there is a fourth.
SLIPFIELD_HD inline LocalMeasures local_measures(double xx, double yy, double zz, double xy,
                                                 double xz, double yz) {
  using measure_detail::greater;
  using measure_detail::less;
  using measure_detail::rotate;
  const double differences = (xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx);
  const double mises = std::sqrt(0.5 * differences + 3.0 * (xy * xy + xz * xz + yz * yz));
  const double mean = (xx + yy + zz) / 3.0;
  // Scales by the greatest entry, so that squares of small stresses do not underflow.
  const double diagonal = greater(greater(std::fabs(xx), std::fabs(yy)), std::fabs(zz));
  const double shear = greater(greater(std::fabs(xy), std::fabs(xz)), std::fabs(yz));
  const double size = greater(diagonal, shear);
  const double unit = size > 0.0 ? 1.0 / size : 0.0;
  double a = xx * unit;
  double b = yy * unit;
  double c = zz * unit;
  double ab = xy * unit;
  double ac = xz * unit;
  double bc = yz * unit;
  const auto round = [&] {
    rotate(a, b, ab, ac, bc);
    rotate(a, c, ac, ab, bc);
    rotate(b, c, bc, ab, ac);
  };
  round();
  round();
  round();
  round();
  const double high = greater(a, b);
  const double low = less(a, b);
  const double first = size * greater(high, c);
  const double third = size * less(low, c);
  const double second = size * greater(low, less(high, c));
  return {first, second, third, mises, first - third, mean};
}

}  // namespace slipfield
