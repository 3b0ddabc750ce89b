// SPDX-License-Identifier: Apache-2.0
// Tractions and pressures that begin at a leading edge as sqrt(d), on elements of length 1
// (THEORY.md 5.8). d is the distance from the edge along the rolling direction. The elements of a
// run in contact are j = 0, 1, ... from the leading one on, whose centre lies f behind the edge;
// j = -1 is the one ahead of it. Fits of tractions hold for -0.25 <= f <= 1.25, those with pressure
// for f >= 0.
#pragma once

#include <cmath>

#include "solver/host_device.h"

namespace slipfield {

// So many elements have a correction.
inline constexpr int kEdgeElements = 3;
// So many are of first order where the edge does not hold for second.
inline constexpr int kPlainElements = 8;
inline constexpr double kEdgePi = 3.14159265358979323846;

// Mean of sqrt(d) over element j.
SLIPFIELD_HD inline double edge_mean(int j, double f) {
  const double far = std::fmax(f + j + 0.5, 0.0);
  const double near = std::fmax(f + j - 0.5, 0.0);
  return 2.0 / 3.0 * (far * std::sqrt(far) - near * std::sqrt(near));
}

// f of the pressures that a solver finds in the first three elements, from p0 p2/p1^2, whatever the
// pressure k sqrt(d) exp(-decay d) does further behind: a fit, to 3e-4, of line contacts.
SLIPFIELD_HD inline double edge_by_first(double ratio) {
  return -0.17437 + ratio * (0.69170 + ratio * (0.37311 + ratio * (-0.05126 + ratio * 0.26286)));
}
// p1/p2 of them where nothing decays: a fit, to 1e-3.
SLIPFIELD_HD inline double second_over_third(double f) { return 0.726 + f * (0.1168 - f * 0.0178); }

// D, at element j, of a traction 1 in the element ahead less that of 1 in the leading one.
SLIPFIELD_HD inline double moved_ahead(int j) {
  if (j == 0) return -5.40384;
  return j == 1 ? 3.02816 : 0.01444;
}
// What D p leaves out or adds at element j: fits, to 4e-4 (1.5e-2 for f < 0), of runs whose leading
// element holds all from the edge on, less what belongs to the element ahead. A leading element
// whose centre lies ahead of the edge is taken to adhere, too: its tractions are then sqrt(d).
SLIPFIELD_HD inline double edge_error(int j, double f) {
  double all = 0.07877 + f * (-0.20070 + f * (0.21643 + f * (-0.12364 + f * 0.02863)));
  if (j == 0) all = -1.18934 + f * (2.74417 + f * (0.55037 + f * (-0.09749 + f * 0.01759)));
  if (j == 1) all = 0.75202 + f * (-0.21057 + f * (-1.46119 + f * (0.35391 - f * 0.06888)));
  return all + moved_ahead(j) * edge_mean(-1, f);
}

// Mean of sqrt(d) ln(d) over element j.
SLIPFIELD_HD inline double edge_logarithm(int j, double f) {
  const auto integral = [](double d) {
    return d > 0.0 ? d * std::sqrt(d) * (2.0 / 3.0 * std::log(d) - 4.0 / 9.0) : 0.0;
  };
  return integral(f + j + 0.5) - integral(f + j - 0.5);
}

// D of the displacement by a pressure sqrt(d), whose kernel is a step: of running sums.
SLIPFIELD_HD inline double pressure_rate(int j, double f) {
  return 0.75 * edge_mean(j, f) + 0.5 * edge_mean(j - 1, f) - 0.25 * edge_mean(j - 2, f);
}

// What D of the displacement by such a pressure is over sqrt(d); where the edge adheres, together
// with D of the tractions -sqrt(d) ln(d)/pi^2 that answer it: fits to 5e-4, as in edge_error.
SLIPFIELD_HD inline double pressure_error(int j, double f) {
  return pressure_rate(j, f) - std::sqrt(f + j);
}
SLIPFIELD_HD inline double adhering_pressure_error(int j, double f) {
  double answer = 14.50789 + f * (3.03875 + f * (-0.28340 + f * (0.10063 - f * 0.02638)));
  if (j == 0) answer = 3.11350 + f * (3.36853 + f * (0.97728 + f * (0.01751 - f * 0.01043)));
  if (j == 1) answer = 9.19791 + f * (7.99698 + f * (-1.63534 + f * (-0.12879 + f * 0.04737)));
  answer += moved_ahead(j) * edge_logarithm(-1, f);
  return pressure_rate(j, f) - answer / (kEdgePi * kEdgePi);
}

}  // namespace slipfield
