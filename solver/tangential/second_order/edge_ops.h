// SPDX-License-Identifier: Apache-2.0
// Element operations that find the leading edge of a rolling contact, and how tractions begin there
// (THEORY.md 5.8).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"
#include "solver/tangential/second_order/edge_fits.h"
#include "solver/tangential/second_order/rolling_line.h"

namespace slipfield {

// In place of f, of elements that do not lead a run; f is -0.45 at least.
inline constexpr double kNotLeading = -1.0;

// Where the leading edge of each run of elements in contact lies, from the pressure: near the edge
// p^2 is the distance from it.
struct FindEdge {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  RollingLine line;
  double spacing_ratio = 1.0;  // element across the rolling direction over the one along it
  const unsigned char* state = nullptr;
  const double* pressure = nullptr;
  double* distance = nullptr;  // f of a run's leading element, kNotLeading of the others
  double* along = nullptr;     // the edge's normal, along the rolling direction and across it
  double* across = nullptr;

  SLIPFIELD_HD double square(int place, int row) const {
    if (!line.touches(state, place, row)) return 0.0;
    const double p = pressure[line.index(place, row)];
    return p * p;
  }
  // How far the parabola through q(0), q(step), q(2 step) is 0 ahead of the first.
  SLIPFIELD_HD static double zero_ahead(double q1, double q2, double q3, double step,
                                        double otherwise) {
    const double bend = 0.5 * (q3 - 2.0 * q2 + q1);
    const double slope = q2 - q1 - bend;
    const double discriminant = slope * slope - 4.0 * bend * q1;
    if (!(discriminant >= 0.0)) return otherwise;
    const double steep = slope + std::sqrt(discriminant);
    return steep > 0.0 ? step * 2.0 * q1 / steep : otherwise;
  }
  // f of a run of that length [elements], up to kFarthest + 1. The pressures of its first two
  // elements are off by some 30 and 4 %; that of the others puts the edge 0.012 too far ahead.
  static constexpr int kFarthest = 8;
  template <class Square>
  SLIPFIELD_HD static double distance_of(int length, const Square& q) {
    constexpr double kTooFar = 0.012;
    constexpr double kMiddle = 0.5;
    if (length < 4) return kMiddle;
    if (length == 4) return zero_ahead(q(1), q(2), q(3), 1.0, 1.0 + kMiddle) - 1.0 - 0.08;
    const int step = length > 8 ? 3 : (length > 6 ? 2 : 1);
    return zero_ahead(q(2), q(2 + step), q(2 + 2 * step), step, 2.0 + kMiddle) - 2.0 - kTooFar;
  }
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    distance[i] = kNotLeading;
    along[i] = 1.0;
    across[i] = 0.0;
    const int place = line.place(i);
    const int row = line.across(i);
    if (!in_contact(state[i]) || line.touches(state, place + line.ahead, row)) return;
    int length = 1;
    while (length <= kFarthest && line.touches(state, place - length * line.ahead, row)) ++length;
    const auto q = [&](int j, int beside = 0) {
      return square(place - j * line.ahead, row + beside);
    };
    constexpr double kLeast = -0.45;
    constexpr double kLargest = 1.25;
    distance[i] = std::fmin(std::fmax(distance_of(length, q), kLeast), kLargest);
    if (length < 4) return;
    const double fall = 0.5 * (q(3) - q(1));  // over one element along the rolling direction
    const double beside = 0.5 * (q(2, -1) - q(2, 1)) / spacing_ratio;
    const double steepest = std::hypot(fall, beside);
    if (!(fall > 0.0 && steepest > 0.0)) return;
    along[i] = fall / steepest;
    across[i] = beside / steepest;
  }
};

// k of tractions that begin as k sqrt(d), from the second and third element of each run, averaged
// over the rows beside: what the corrections at the edge do to the tractions of a row would else
// come back to that row, and grow where elements are longer than wide.
struct FindFactor {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  // How far it looks: rows on either side, elements along each from where this row's edge is.
  static constexpr int kMostRows = 10;
  static constexpr int kMostElements = 3;
  RollingLine line;
  double reach = 1.0;  // the weight of a row so many rows away is 0
  const unsigned char* state = nullptr;
  const double* traction_x = nullptr;
  const double* traction_y = nullptr;
  const double* distance = nullptr;  // as FindEdge leaves them
  double* factor_x = nullptr;        // 0 of elements that do not lead
  double* factor_y = nullptr;

  struct Sum {
    double x = 0.0;
    double y = 0.0;
    double mean = 0.0;
  };
  // The place of the element that leads a run of the row, near another one; -1: there is none.
  SLIPFIELD_HD int leading_near(int place, int row) const {
    const bool inside = line.touches(state, place, row);
    int at = place;
    for (int n = 0; n <= kMostElements; ++n) {
      const int next = inside ? at + line.ahead : at - line.ahead;
      if (line.touches(state, next, row) != inside) return inside ? at : next;
      at = next;
    }
    return -1;
  }
  SLIPFIELD_HD void add(int place, int row, double weight, Sum& sum) const {
    const double f = distance[line.index(place, row)];
    const int from = line.touches(state, place - line.ahead, row) ? 1 : 0;
    for (int j = from; j <= 2 * from; ++j) {
      const int at = place - j * line.ahead;
      if (!line.touches(state, at, row)) return;
      const std::size_t i = line.index(at, row);
      sum.x += weight * traction_x[i];
      sum.y += weight * traction_y[i];
      sum.mean += weight * edge_mean(j, f);
    }
  }
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    factor_x[i] = 0.0;
    factor_y[i] = 0.0;
    if (!in_contact(state[i]) || distance[i] == kNotLeading) return;
    const int place = line.place(i);
    const int row = line.across(i);
    Sum sum;
    add(place, row, 1.0, sum);
    for (int away = 1; away <= kMostRows && away < reach; ++away) {
      const double weight = 1.0 - away / reach;
      for (int side = -1; side <= 1; side += 2) {
        const int leading = leading_near(place, row + side * away);
        if (leading >= 0) add(leading, row + side * away, weight, sum);
      }
    }
    if (!(sum.mean > 0.0)) return;
    factor_x[i] = sum.x / sum.mean;
    factor_y[i] = sum.y / sum.mean;
  }
};

// What elements lack of tractions that begin as k sqrt(d): the leading one of a run, where the edge
// cuts it near its centre and its pressure, and with it its bound, is far below the exact mean; and
// the one ahead of it, which is out of contact though the edge may cut it, too.
struct FindMissing {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  RollingLine line;
  const unsigned char* state = nullptr;
  const double* bound = nullptr;
  const double* distance = nullptr;  // as FindEdge leaves them
  const double* factor_x = nullptr;  // as FindFactor leaves them
  const double* factor_y = nullptr;
  double* missing_x = nullptr;  // 0 of other elements
  double* missing_y = nullptr;

  SLIPFIELD_HD void element(std::size_t i, double*) const {
    missing_x[i] = 0.0;
    missing_y[i] = 0.0;
    if (!in_contact(state[i])) {
      const int behind = line.place(i) - line.ahead;
      const int row = line.across(i);
      if (line.touches(state, behind, row)) take(i, line.index(behind, row), -1, 0.0);
    } else if (distance[i] != kNotLeading) {
      take(i, i, 0, bound[i]);
    }
  }
  // Element j of a run, whose leading element is `first`.
  SLIPFIELD_HD void take(std::size_t i, std::size_t first, int j, double most) const {
    const double mean = edge_mean(j, distance[first]);
    const double x = mean * factor_x[first];
    const double y = mean * factor_y[first];
    const double size = std::hypot(x, y);
    if (!(size > most)) return;
    missing_x[i] = (1.0 - most / size) * x;
    missing_y[i] = (1.0 - most / size) * y;
  }
};

}  // namespace slipfield
