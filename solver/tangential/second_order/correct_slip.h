// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/host_device.h"
#include "solver/tangential/second_order/edge_ops.h"

namespace slipfield {

// What the second-order slip at an element's centre has more than S p has (THEORY.md 5.8).
struct CorrectSlip {
  RollingLine line;
  double per_traction = 0.0;  // 2 dq/(pi G)
  double per_pressure = 0.0;  // 2 dq K/G
  double poisson_ratio = 0.0;
  double share = 1.0;  // of the new correction; the rest is the one so far
  const unsigned char* state = nullptr;
  const double* slip_x = nullptr;  // S p, outside of the contact too
  const double* slip_y = nullptr;
  const double* ahead_x = nullptr;  // S p of the same particles a step before, an element ahead
  const double* ahead_y = nullptr;
  // Products of the missing tractions and pressures: with S in steady rolling; their displacements
  // in transient rolling, where they move along as if they had been there in the steps before.
  const double* moved_x = nullptr;
  const double* moved_y = nullptr;
  bool transient = false;
  const double* distance = nullptr;  // as FindEdge leaves them
  const double* along = nullptr;
  const double* across = nullptr;
  const double* factor_x = nullptr;  // as FindFactor leaves them
  const double* factor_y = nullptr;
  const double* pressure_factor = nullptr;  // and the answer: where per_pressure is not 0
  const double* answer = nullptr;
  double answer_of_pressure = 0.0;  // of full adhesion
  double* correction_x = nullptr;
  double* correction_y = nullptr;
  const double* first_order = nullptr;  // as FindEdge leaves it; null: none is
  double plain_x = 0.0;  // what the rigid slip of first order has more than that at the centre
  double plain_y = 0.0;
  // S p, and what it makes of the missing ones, an element ahead, beyond the grid's end too; null:
  // not known there.
  const double* end_x = nullptr;
  const double* end_y = nullptr;
  const double* moved_end_x = nullptr;
  const double* moved_end_y = nullptr;

  // D of the missing tractions and pressures.
  SLIPFIELD_HD double missing_rate(const double* moved, std::size_t i) const {
    const int place = line.place(i);
    const int row = line.across(i);
    const auto at = [&](int elements) {
      const int there = place + elements * line.ahead;
      return line.holds(there, row) ? moved[line.index(there, row)] : 0.0;
    };
    if (!transient) return 1.5 * at(0) - 0.5 * at(1);
    // Beyond the grid's end nothing is known: of first order there.
    if (!line.holds(place + 2 * line.ahead, row)) return at(0) - at(1);
    return 1.5 * at(0) - 2.0 * at(1) + 0.5 * at(2);
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
    } else if (end_x != nullptr) {
      x = 0.5 * (slip_x[i] - end_x[i]) + 1.5 * moved_x[i] - 0.5 * moved_end_x[i];
      y = 0.5 * (slip_y[i] - end_y[i]) + 1.5 * moved_y[i] - 0.5 * moved_end_y[i];
    }
    for (int j = 0; j < kPlainElements; ++j) {
      const int at = place + j * line.ahead;
      if (!line.touches(state, at, row)) break;
      const std::size_t first = line.index(at, row);
      if (distance[first] == kNotLeading) continue;
      if (j < kEdgeElements) subtract_edge(j, first, x, y);
      const double plain = first_order == nullptr ? 0.0 : first_order[first];
      if (plain > 0.0) {
        x = (1.0 - plain) * x + plain * plain_x;
        y = (1.0 - plain) * y + plain * plain_y;
      }
      break;
    }
    correction_x[i] = share * x + (1.0 - share) * correction_x[i];
    correction_y[i] = share * y + (1.0 - share) * correction_y[i];
  }
  SLIPFIELD_HD void subtract_edge(int j, std::size_t first, double& x, double& y) const {
    const double normal_x = line.to_x(along[first], across[first]);
    const double normal_y = line.to_y(along[first], across[first]);
    double by_pressure = 0.0;
    if (per_pressure != 0.0) {
      const double f = std::fmax(distance[first], 0.0);  // the sums are of centres in the contact
      const double kn = pressure_factor[first];
      const double part = kn > 0.0 ? answer[first] / (answer_of_pressure * kn) : 0.0;
      by_pressure = per_pressure * along[first] * kn *
                    (part * adhering_pressure_error(j, f) + (1.0 - part) * pressure_error(j, f));
    }
    // Across the edge plane strain, along it antiplane shear.
    const double px = factor_x[first];
    const double py = factor_y[first];
    const double across_edge = -poisson_ratio * (px * normal_x + py * normal_y);
    // The grid ends before the next element, whose part of the traction is in the last one.
    const bool last = !line.holds(line.place(first) + line.ahead, line.across(first));
    const double error = edge_error(j, distance[first]) -
                         (last ? moved_ahead(j) * edge_mean(-1, distance[first]) : 0.0);
    const double size = per_traction * along[first] * error;
    x -= size * (px + across_edge * normal_x) + by_pressure * normal_x;
    y -= size * (py + across_edge * normal_y) + by_pressure * normal_y;
  }
};

// The most rows on either side on which the missing traction of an element, and its correction,
// depend. When rolling along y, the leading element of its run is one row behind it, those of
// neighbouring columns are as far behind that as FindFactor looks, and FindEdge looks behind each.
inline constexpr int kRowsOfEdge = std::max({1 + FindFactor::kMostElements + FindEdge::kFarthest,
                                             FindFactor::kMostRows, 1 + kPlainElements});

}  // namespace slipfield
