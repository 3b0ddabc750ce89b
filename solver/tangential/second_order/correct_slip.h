// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"
#include "solver/tangential/second_order/edge_fits.h"
#include "solver/tangential/second_order/edge_ops.h"
#include "solver/tangential/second_order/rolling_line.h"

namespace slipfield {

// What the second-order slip at an element's centre has more than S p has (THEORY.md 5.8).
struct CorrectSlip {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  RollingLine line;
  double per_traction = 0.0;  // 2 dq/(pi G)
  double per_pressure = 0.0;  // 2 dq K/G
  double coupling = 0.0;      // K
  double poisson_ratio = 0.0;
  double share = 1.0;  // of the new correction; the rest is the one so far
  const unsigned char* state = nullptr;
  const double* pressure = nullptr;
  const double* traction_x = nullptr;
  const double* traction_y = nullptr;
  const double* bound = nullptr;
  const double* slip_x = nullptr;  // S p, outside of the contact too
  const double* slip_y = nullptr;
  const double* ahead_x = nullptr;  // S p of the same particles a step before, an element ahead
  const double* ahead_y = nullptr;
  // Of the missing tractions, what S makes of them in steady rolling, what they displace in
  // transient rolling: there they move along, as if they had been there in the steps before.
  const double* moved_x = nullptr;
  const double* moved_y = nullptr;
  bool transient = false;
  const double* distance = nullptr;  // as FindEdge leaves them
  const double* along = nullptr;
  const double* across = nullptr;
  const double* factor_x = nullptr;  // as FindFactor leaves them
  const double* factor_y = nullptr;
  double* correction_x = nullptr;
  double* correction_y = nullptr;

  // D of the missing tractions.
  SLIPFIELD_HD double missing_rate(const double* moved, std::size_t i) const {
    const int place = line.place(i);
    const int row = line.across(i);
    const auto at = [&](int elements) {
      const int there = place + elements * line.ahead;
      return line.holds(there, row) ? moved[line.index(there, row)] : 0.0;
    };
    return transient ? 1.5 * at(0) - 2.0 * at(1) + 0.5 * at(2) : 1.5 * at(0) - 0.5 * at(1);
  }
  // How far the edge adheres: 0 in slip, 1 where the run's first two elements hold less than
  // kAdhering of their bound. An edge that is on the verge of slip would else jump to and fro.
  SLIPFIELD_HD double adhesion(std::size_t first, std::size_t second) const {
    const double bounds = bound[first] + bound[second];
    if (!(bounds > 0.0)) return 0.0;
    const double held =
        std::hypot(traction_x[first] + traction_x[second], traction_y[first] + traction_y[second]);
    constexpr double kAdhering = 0.8;
    return std::fmin(std::fmax((1.0 - held / bounds) / (1.0 - kAdhering), 0.0), 1.0);
  }
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    if (!in_contact(state[i])) {
      correction_x[i] = 0.0;
      correction_y[i] = 0.0;
      return;
    }
    const int place = line.place(i);
    const int row = line.across(i);
    const int ahead = place + line.ahead;
    double x = 0.0;
    double y = 0.0;
    if (line.holds(ahead, row)) {
      const std::size_t next = line.index(ahead, row);
      x = 0.5 * (slip_x[i] - ahead_x[next]) + missing_rate(moved_x, i);
      y = 0.5 * (slip_y[i] - ahead_y[next]) + missing_rate(moved_y, i);
    }
    for (int j = 0; j < kEdgeElements; ++j) {
      const int at = place + j * line.ahead;
      if (!line.touches(state, at, row)) break;
      const std::size_t first = line.index(at, row);
      if (distance[first] == kNotLeading) continue;
      const int behind = at - line.ahead;
      subtract_edge(j, first, line.touches(state, behind, row) ? line.index(behind, row) : first, x,
                    y);
      break;
    }
    correction_x[i] = share * x + (1.0 - share) * correction_x[i];
    correction_y[i] = share * y + (1.0 - share) * correction_y[i];
  }
  // second: the element behind the run's leading one, or that one again where it is alone.
  SLIPFIELD_HD void subtract_edge(int j, std::size_t first, std::size_t second, double& x,
                                  double& y) const {
    const double f = std::fmax(distance[first], 0.0);  // the sums are of centres in the contact
    const double normal_x = line.along_y ? across[first] : line.ahead * along[first];
    const double normal_y = line.along_y ? line.ahead * along[first] : across[first];
    // Across the edge plane strain, along it antiplane shear.
    double px = factor_x[first];
    double py = factor_y[first];
    double by_pressure = 0.0;
    if (per_pressure != 0.0) {
      const double mean0 = edge_mean(-1, f) + edge_mean(0, f);
      const double kn = second == first
                            ? pressure[first] / mean0
                            : (pressure[first] + pressure[second]) / (mean0 + edge_mean(1, f));
      const double part = adhesion(first, second);
      by_pressure = per_pressure * along[first] * kn *
                    (part * adhering_pressure_error(j, f) + (1.0 - part) * pressure_error(j, f));
      if (part > 0.0) {
        const double answer = -part * coupling * kn / (kEdgePi * (1.0 - poisson_ratio)) *
                              (edge_logarithm(1, f) + edge_logarithm(2, f)) /
                              (edge_mean(1, f) + edge_mean(2, f));
        px -= answer * normal_x;
        py -= answer * normal_y;
      }
    }
    const double across_edge = -poisson_ratio * (px * normal_x + py * normal_y);
    const double size = per_traction * along[first] * edge_error(j, f);
    x -= size * (px + across_edge * normal_x) + by_pressure * normal_x;
    y -= size * (py + across_edge * normal_y) + by_pressure * normal_y;
  }
};

}  // namespace slipfield
