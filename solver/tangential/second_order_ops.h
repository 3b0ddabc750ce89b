// SPDX-License-Identifier: Apache-2.0
// Element operations of second-order rolling (THEORY.md 5.8).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"
#include "solver/tangential/tangential_ops.h"

namespace slipfield {

// Rolling along an axis of the grid: which elements lie ahead of and behind another one.
struct RollingLine {
  int mx = 1;
  int my = 1;
  bool along_y = false;
  int ahead = 1;  // 1: towards greater coordinates, -1
  SLIPFIELD_HD int place(std::size_t i) const {
    const auto width = static_cast<std::size_t>(mx);
    return static_cast<int>(along_y ? i / width : i % width);
  }
  SLIPFIELD_HD int across(std::size_t i) const {
    const auto width = static_cast<std::size_t>(mx);
    return static_cast<int>(along_y ? i % width : i / width);
  }
  [[nodiscard]] SLIPFIELD_HD int length() const { return along_y ? my : mx; }
  [[nodiscard]] SLIPFIELD_HD int lines() const { return along_y ? mx : my; }
  SLIPFIELD_HD std::size_t index(int place, int line) const {
    const auto width = static_cast<std::size_t>(mx);
    return along_y ? static_cast<std::size_t>(place) * width + static_cast<std::size_t>(line)
                   : static_cast<std::size_t>(line) * width + static_cast<std::size_t>(place);
  }
};

// What D p leaves out or adds at the elements of a run, j = 0, 1, 2 from the leading one, whose
// centre lies f elements behind the edge: fits of the sums of THEORY.md 5.8 for 0 <= f <= 1.25, to
// 4e-4.
inline constexpr int kEdgeElements = 3;
inline constexpr double kNotLeading = -1.0;
inline constexpr double kEdgePi = 3.14159265358979323846;
SLIPFIELD_HD inline double edge_error(int j, double f) {
  if (j == 0) return -1.18934 + f * (2.74417 + f * (0.55037 + f * (-0.09749 + f * 0.01759)));
  if (j == 1) return 0.75202 + f * (-0.21057 + f * (-1.46119 + f * (0.35391 - f * 0.06888)));
  return 0.07877 + f * (-0.20070 + f * (0.21643 + f * (-0.12364 + f * 0.02863)));
}

// Mean of sqrt(d) over element j of such a run; the first one holds all from the edge on.
SLIPFIELD_HD inline double edge_mean(int j, double f) {
  const double far = f + j + 0.5;
  const double near = f + j - 0.5;
  return 2.0 / 3.0 * (far * std::sqrt(far) - (j == 0 ? 0.0 : near * std::sqrt(near)));
}

// D of the displacement by a pressure sqrt(d), whose kernel is a step: of running sums.
SLIPFIELD_HD inline double pressure_rate(int j, double f) {
  const double mean0 = edge_mean(0, f);
  if (j == 0) return 0.75 * mean0;
  if (j == 1) return 0.5 * mean0 + 0.75 * edge_mean(1, f);
  return -0.25 * mean0 + 0.5 * edge_mean(1, f) + 0.75 * edge_mean(2, f);
}

// What D of the displacement by such a pressure is over sqrt(d); where the edge adheres, together
// with D of the tractions -sqrt(d) ln(d)/pi^2 that answer it: fits to 5e-4.
SLIPFIELD_HD inline double pressure_error(int j, double f) {
  return pressure_rate(j, f) - std::sqrt(f + j);
}
SLIPFIELD_HD inline double adhering_pressure_error(int j, double f) {
  double exact = 14.50789 + f * (3.03875 + f * (-0.28340 + f * (0.10063 - f * 0.02638)));
  if (j == 0) exact = 3.11350 + f * (3.36853 + f * (0.97728 + f * (0.01751 - f * 0.01043)));
  if (j == 1) exact = 9.19791 + f * (7.99698 + f * (-1.63534 + f * (-0.12879 + f * 0.04737)));
  return pressure_rate(j, f) - exact / (kEdgePi * kEdgePi);
}

// The integral of sqrt(d) ln(d) over the first `elements` of such a run.
SLIPFIELD_HD inline double edge_logarithm(int elements, double f) {
  const double d = f + elements - 0.5;
  return d * std::sqrt(d) * (2.0 / 3.0 * std::log(d) - 4.0 / 9.0);
}

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

  SLIPFIELD_HD bool contact(int place, int row) const {
    return place >= 0 && place < line.length() && row >= 0 && row < line.lines() &&
           in_contact(state[line.index(place, row)]);
  }
  SLIPFIELD_HD double square(int place, int row) const {
    if (!contact(place, row)) return 0.0;
    const double p = pressure[line.index(place, row)];
    return p * p;
  }
  // Elements from the leading edge on where the parabola through q(j), q(j + s), q(j + 2 s) is 0.
  SLIPFIELD_HD static double zero_of(double q1, double q2, double q3, double step) {
    const double middle = 0.5;
    const double bend = 0.5 * (q3 - 2.0 * q2 + q1);
    const double slope = q2 - q1 - bend;
    const double discriminant = slope * slope - 4.0 * bend * q1;
    if (!(discriminant >= 0.0)) return middle;
    const double steep = slope + std::sqrt(discriminant);
    return steep > 0.0 ? step * 2.0 * q1 / steep - 1.0 : middle;
  }
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    distance[i] = kNotLeading;
    along[i] = 1.0;
    across[i] = 0.0;
    const int place = line.place(i);
    const int row = line.across(i);
    if (!in_contact(state[i]) || contact(place + line.ahead, row)) return;
    constexpr int kFarthest = 5;
    int length = 1;
    while (length <= kFarthest && contact(place - length * line.ahead, row)) ++length;
    const auto q = [&](int j, int beside) { return square(place - j * line.ahead, row + beside); };
    double f = 0.5;
    if (length > kFarthest) {
      f = zero_of(q(1, 0), q(3, 0), q(5, 0), 2.0);
    } else if (length > 3) {
      f = zero_of(q(1, 0), q(2, 0), q(3, 0), 1.0);
    }
    constexpr double kLeast = -0.45;
    constexpr double kLargest = 1.25;
    distance[i] = std::fmin(std::fmax(f, kLeast), kLargest);
    if (length < 4) return;
    const double fall = 0.5 * (q(3, 0) - q(1, 0));  // over one element along the rolling direction
    const double beside = 0.5 * (q(2, -1) - q(2, 1)) / spacing_ratio;
    const double steepest = std::hypot(fall, beside);
    if (!(fall > 0.0 && steepest > 0.0)) return;
    along[i] = fall / steepest;
    across[i] = beside / steepest;
  }
};

// What the leading element of a run lacks of tractions that begin as k sqrt(d), k that of the two
// elements behind it: where the edge cuts it near its centre its pressure, and with it its bound, is
// far below the exact mean.
struct FindMissing {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  RollingLine line;
  const unsigned char* state = nullptr;
  const double* traction_x = nullptr;
  const double* traction_y = nullptr;
  const double* bound = nullptr;
  const double* distance = nullptr;  // as FindEdge leaves them
  double* missing_x = nullptr;       // 0 of other elements
  double* missing_y = nullptr;

  SLIPFIELD_HD void element(std::size_t i, double*) const {
    missing_x[i] = 0.0;
    missing_y[i] = 0.0;
    if (!in_contact(state[i]) || distance[i] == kNotLeading) return;
    const int place = line.place(i);
    const int row = line.across(i);
    const int last = place - 2 * line.ahead;
    if (last < 0 || last >= line.length()) return;
    const std::size_t second = line.index(place - line.ahead, row);
    const std::size_t third = line.index(last, row);
    if (!in_contact(state[second]) || !in_contact(state[third])) return;
    const double f = distance[i];
    const double part = edge_mean(0, f) / (edge_mean(1, f) + edge_mean(2, f));
    const double x = part * (traction_x[second] + traction_x[third]);
    const double y = part * (traction_y[second] + traction_y[third]);
    const double size = std::hypot(x, y);
    if (!(size > bound[i])) return;
    missing_x[i] = (1.0 - bound[i] / size) * x;
    missing_y[i] = (1.0 - bound[i] / size) * y;
  }
};

// What the second-order slip at an element's centre has more than S p has.
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
  const double* missing_x = nullptr;  // as FindMissing leaves them
  const double* missing_y = nullptr;
  // Of the missing tractions, what S makes of them in steady rolling, what they displace in
  // transient rolling: there they move along, as if they had been there in the steps before.
  const double* moved_x = nullptr;
  const double* moved_y = nullptr;
  bool transient = false;
  const double* distance = nullptr;  // as FindEdge leaves them
  const double* along = nullptr;
  const double* across = nullptr;
  double* correction_x = nullptr;
  double* correction_y = nullptr;

  // What the run's first two elements hold of a field, and lack of it, over what they hold of
  // sqrt(d): k in p = k sqrt(d).
  SLIPFIELD_HD double factor(const double* field, double missing, std::size_t first,
                             std::size_t second, double f) const {
    const double held = field[first] + missing;
    if (!in_contact(state[second])) return held / edge_mean(0, f);
    return (held + field[second]) / (edge_mean(0, f) + edge_mean(1, f));
  }
  // D of the missing tractions.
  SLIPFIELD_HD double missing_rate(const double* moved, std::size_t i) const {
    const int place = line.place(i);
    const int row = line.across(i);
    const auto at = [&](int elements) {
      const int there = place + elements * line.ahead;
      return there < 0 || there >= line.length() ? 0.0 : moved[line.index(there, row)];
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
    if (ahead >= 0 && ahead < line.length()) {
      const std::size_t next = line.index(ahead, row);
      x = 0.5 * (slip_x[i] - ahead_x[next]) + missing_rate(moved_x, i);
      y = 0.5 * (slip_y[i] - ahead_y[next]) + missing_rate(moved_y, i);
    }
    for (int j = 0; j < kEdgeElements; ++j) {
      const int at = place + j * line.ahead;
      if (at < 0 || at >= line.length()) break;
      const std::size_t first = line.index(at, row);
      if (!in_contact(state[first])) break;
      if (distance[first] == kNotLeading) continue;
      const int behind = at - line.ahead;
      const std::size_t second =
          behind >= 0 && behind < line.length() ? line.index(behind, row) : first;
      subtract_edge(j, first, second, x, y);
      break;
    }
    correction_x[i] = share * x + (1.0 - share) * correction_x[i];
    correction_y[i] = share * y + (1.0 - share) * correction_y[i];
  }
  SLIPFIELD_HD void subtract_edge(int j, std::size_t first, std::size_t second, double& x,
                                  double& y) const {
    const double f = std::fmax(distance[first], 0.0);  // the sums are of centres in the contact
    const double normal_x = line.along_y ? across[first] : line.ahead * along[first];
    const double normal_y = line.along_y ? line.ahead * along[first] : across[first];
    // Across the edge plane strain, along it antiplane shear.
    double px = factor(traction_x, missing_x[first], first, second, f);
    double py = factor(traction_y, missing_y[first], first, second, f);
    double by_pressure = 0.0;
    if (per_pressure != 0.0) {
      const double kn = factor(pressure, 0.0, first, second, f);
      const double part = adhesion(first, second);
      by_pressure = per_pressure * along[first] * kn *
                    (part * adhering_pressure_error(j, f) + (1.0 - part) * pressure_error(j, f));
      if (part > 0.0) {
        const double answer = -part * coupling * kn / (kEdgePi * (1.0 - poisson_ratio)) *
                              edge_logarithm(2, f) / (edge_mean(0, f) + edge_mean(1, f));
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
