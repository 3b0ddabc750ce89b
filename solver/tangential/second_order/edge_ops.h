// SPDX-License-Identifier: Apache-2.0
// Element operations that find the leading edge of a rolling contact and how tractions start there
// (THEORY.md 5.8).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/fields/tangential_ops.h"
#include "solver/host_device.h"

namespace slipfield {

// Tractions and pressures that start at a leading edge as sqrt(d), on elements of length 1
// (THEORY.md 5.8); d is the distance from the edge in the direction opposite to rolling. The
// elements of a run in contact are j = 0, 1, ... from the leading one, whose centre lies f behind
// the edge; j = -1 is the element ahead of it. Fits for tractions hold for -0.25 <= f <= 1.25,
// those with pressure for f >= 0.

// Number of elements from the edge that are corrected.
inline constexpr int kEdgeElements = 3;
// Number of elements treated to first order if the edge does not allow second order.
inline constexpr int kPlainElements = 8;
inline constexpr double kEdgePi = 3.14159265358979323846;

// Mean of sqrt(d) over element j.
SLIPFIELD_HD inline double edge_mean(int j, double f) {
  const double far = std::fmax(f + j + 0.5, 0.0);
  const double near = std::fmax(f + j - 0.5, 0.0);
  return 2.0 / 3.0 * (far * std::sqrt(far) - near * std::sqrt(near));
}

// f from the solver's pressures in the first three elements, by p0 p2/p1^2, whatever the decay of
// the pressure k sqrt(d) exp(-decay d): a fit, to 3e-4, to line contacts.
SLIPFIELD_HD inline double edge_by_first(double ratio) {
  return -0.17437 + ratio * (0.69170 + ratio * (0.37311 + ratio * (-0.05126 + ratio * 0.26286)));
}
// p1/p2 of these pressures without decay: a fit, to 1e-3.
SLIPFIELD_HD inline double second_over_third(double f) { return 0.726 + f * (0.1168 - f * 0.0178); }

// D, at element j, of a unit traction in the element ahead less that of one in the leading element.
SLIPFIELD_HD inline double moved_ahead(int j) {
  if (j == 0) return -5.40384;
  return j == 1 ? 3.02816 : 0.01444;
}
// Error of D p at element j: fits, to 4e-4 (1.5e-2 for f < 0), to runs whose leading element holds
// all the traction from the edge on, less the part of the element ahead. A leading element with its
// centre ahead of the edge is also assumed to adhere: its tractions are then sqrt(d).
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

// D of the displacement by a pressure sqrt(d); its kernel is a step, so running sums suffice.
SLIPFIELD_HD inline double pressure_rate(int j, double f) {
  return 0.75 * edge_mean(j, f) + 0.5 * edge_mean(j - 1, f) - 0.25 * edge_mean(j - 2, f);
}

// Excess over sqrt(d) of D of the displacement by such a pressure; the second function, for an edge
// that adheres, includes D of the tractions -sqrt(d) ln(d)/pi^2 that respond: fits to 5e-4, as in
// edge_error.
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

// Rolling along an axis of the grid: which elements lie ahead of and behind another. A line is a
// row of elements along the rolling direction, a place is an index in it.
struct RollingLine {
  int mx = 1;
  int my = 1;
  bool along_y = false;
  int ahead = 1;  // 1: rolls towards greater coordinates; -1: smaller
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
  [[nodiscard]] SLIPFIELD_HD bool holds(int place, int row) const {
    return place >= 0 && place < length() && row >= 0 && row < lines();
  }
  SLIPFIELD_HD std::size_t index(int place, int row) const {
    const auto width = static_cast<std::size_t>(mx);
    return along_y ? static_cast<std::size_t>(place) * width + static_cast<std::size_t>(row)
                   : static_cast<std::size_t>(row) * width + static_cast<std::size_t>(place);
  }
  // The x and y components of a vector.
  [[nodiscard]] SLIPFIELD_HD double to_x(double along, double across_it) const {
    return along_y ? across_it : ahead * along;
  }
  [[nodiscard]] SLIPFIELD_HD double to_y(double along, double across_it) const {
    return along_y ? ahead * along : across_it;
  }
  // Whether the element exists and is in contact.
  SLIPFIELD_HD bool touches(const unsigned char* state, int place, int row) const {
    return holds(place, row) && in_contact(state[index(place, row)]);
  }
  // Calls take(j, i) for the second and third element of the run led by the one at `place`, or for
  // its only element: j = 0 is the leading element, i the index in a field.
  template <class Take>
  SLIPFIELD_HD void behind_leading(const unsigned char* state, int place, int row,
                                   const Take& take) const {
    const int from = touches(state, place - ahead, row) ? 1 : 0;
    for (int j = from; j <= 2 * from; ++j) {
      const int at = place - j * ahead;
      if (!touches(state, at, row)) return;
      take(j, index(at, row));
    }
  }
};

// Replaces f for elements that do not lead a run, or lead one that the grid cuts off.
inline constexpr double kNotLeading = -1.0;

// Counts elements in contact at the grid's end in the rolling direction.
struct CountAtEnd {
  static constexpr int kSums = 1;
  RollingLine line;  // of the whole grid
  const unsigned char* state = nullptr;
  double* out = nullptr;
  std::size_t first = 0;  // index on the grid of the first element
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const int place = line.place(first + i);
    if (in_contact(state[i]) && !line.holds(place + line.ahead, line.across(first + i)))
      sums[0] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const { *out = sums[0]; }
};

// The edge of a run from the pressures of its first three elements, assumed to start as k sqrt(d)
// exp(-decay d).
struct FirstPressures {
  double f = 0.0;
  double decay = 0.0;
  double factor = 0.0;  // k
  // Clamps f to the possible range.
  SLIPFIELD_HD static double within(double f) {
    constexpr double kLeast = -0.25;
    constexpr double kLargest = 1.25;
    return std::fmin(std::fmax(f, kLeast), kLargest);
  }
  SLIPFIELD_HD static FirstPressures of(double p0, double p1, double p2) {
    FirstPressures found;
    constexpr double kMost = 1.0;  // above it the row is clearly of first order
    found.f = within(edge_by_first(p0 * p2 / (p1 * p1)));
    found.decay = std::log(p1 / (p2 * second_over_third(found.f)));
    found.decay = std::fmin(std::fmax(found.decay, -kMost), kMost);
    found.factor = p2 / edge_mean(2, found.f) * std::exp(found.decay * (found.f + 2.0));
    return found;
  }
};

// Finds the leading edge of each run of elements in contact from the pressure: near the edge p^2 is
// proportional to the distance. Where p^2 is not a parabola over the elements used, the first three
// pressures give the edge; if these peak at the edge itself, the run is of first order there.
struct FindEdge {
  RollingLine line;
  double spacing_ratio = 1.0;  // element across the rolling direction over the one along it
  const unsigned char* state = nullptr;
  const double* pressure = nullptr;
  double* distance = nullptr;  // f of a run's leading element, otherwise kNotLeading
  double* along = nullptr;     // f at a run's leading element, else kNotLeading
  double* across = nullptr;
  double* pressure_factor = nullptr;  // k of a pressure k sqrt(d); may be null
  double* first_order = nullptr;      // 0: the edge allows second order, up to 1: it does not
  double* unlike =
      nullptr;  // 0: p^2 is a parabola, up to 1: it is not, or the run is too short to judge
  // Whether the slip beyond the grid's end is known: an edge within its last element is then
  // treated like any other.
  bool past_end = false;

  SLIPFIELD_HD double square(int place, int row) const {
    if (!line.touches(state, place, row)) return 0.0;
    const double p = pressure[line.index(place, row)];
    return p * p;
  }
  struct Zero {
    bool found = false;
    double ahead = 0.0;  // of the first
    double slope = 0.0;
  };
  // The zero, ahead of q1, of the parabola through q1, q2, q3 at distances `step`.
  SLIPFIELD_HD static Zero zero_of(double q1, double q2, double q3, double step) {
    const double bend = 0.5 * (q3 - 2.0 * q2 + q1);
    const double middle = q2 - q1 - bend;
    const double discriminant = middle * middle - 4.0 * bend * q1;
    if (!(discriminant >= 0.0)) return {};
    const double root = std::sqrt(discriminant);
    if (!(middle + root > 0.0)) return {};
    return {true, step * 2.0 * q1 / (middle + root), root / step};
  }
  // The edge of a run of `length` elements, up to kFarthest + 1, relative to its leading element.
  // The pressures of the first two elements are off by 3 to 80 % and by 1 to 6 %; those of the
  // others place the edge 0.012 too far ahead.
  static constexpr int kFarthest = 8;
  template <class Square>
  SLIPFIELD_HD static Zero edge_of(int length, const Square& q) {
    if (length < 4) return {};
    const int first = length == 4 ? 1 : 2;
    const int step = length > 8 ? 3 : (length > 6 ? 2 : 1);
    Zero zero = zero_of(q(first), q(first + step), q(first + 2 * step), step);
    zero.ahead -= first + (length == 4 ? 0.08 : 0.012);
    return zero;
  }
  // A contact cut off at the grid's end does not start as sqrt(d), unless its pressures do.
  SLIPFIELD_HD bool cut_off(int place, int row) const {
    if (line.holds(place + line.ahead, row)) return false;
    const double q0 = square(place, row);
    const double q1 = square(place - line.ahead, row);
    const double q2 = square(place - 2 * line.ahead, row);
    if (!past_end || !(q0 < q1) || !(q2 > 0.0)) return true;
    constexpr double kMost = 0.95;  // farther ahead the edge would lie in another element
    return edge_by_first(std::sqrt(q0 * q2) / q1) > kMost;
  }
  // Distance between the edge and that of a parabola through pressures nearer to it [elements];
  // less than 0.01 for ellipses whose edge moves by less than 0.7 of an element from row to row.
  static constexpr int kLeastChecked = 7;  // elements of a run
  template <class Square>
  SLIPFIELD_HD static double misfit_of(int length, const Square& q) {
    constexpr double kNone = 10.0;
    if (length < kLeastChecked) return 0.0;
    const int step = length > kFarthest ? 3 : 2;
    const Zero far = zero_of(q(2), q(2 + step), q(2 + 2 * step), step);
    const Zero near = zero_of(q(2), q(1 + step), q(2 * step), step - 1);
    if (!far.found || !near.found) return kNone;
    const double f = far.ahead - 2.0;  // outside the possible range if p^2 has a valley
    return std::fmax(std::fabs(far.ahead - near.ahead), std::fabs(f - FirstPressures::within(f)));
  }
  // Rises linearly from 0 at `from` to 1 at `from + width`.
  SLIPFIELD_HD static double rise(double value, double from, double width) {
    return std::fmin(std::fmax((value - from) / width, 0.0), 1.0);
  }
  // Distance by which the edge of a run of more than kFarthest elements is found too far ahead, as
  // a function of its position: in full for an edge straight across the rows, less the more oblique
  // it is. A fit, to 2e-4.
  SLIPFIELD_HD static double found_ahead(double f, double along, double across) {
    constexpr double kOblique = 100.0;
    const double straight = 0.00607 + f * (-0.14094 + f * (0.21587 - f * 0.02961));
    const double along2 = along * along;
    return straight * along2 / (along2 + kOblique * across * across);
  }
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    distance[i] = kNotLeading;
    along[i] = 1.0;
    across[i] = 0.0;
    if (pressure_factor != nullptr) pressure_factor[i] = 0.0;
    if (first_order != nullptr) first_order[i] = 0.0;
    if (unlike != nullptr) unlike[i] = 0.0;
    const int place = line.place(i);
    const int row = line.across(i);
    if (!in_contact(state[i]) || cut_off(place, row)) return;
    if (line.touches(state, place + line.ahead, row)) return;
    int length = 1;
    while (length <= kFarthest && line.touches(state, place - length * line.ahead, row)) ++length;
    const auto q = [&](int j, int beside = 0) {
      return square(place - j * line.ahead, row + beside);
    };
    Zero zero = edge_of(length, q);
    // Fall per element along the rolling direction. In a short run q(2) lies in its middle or
    // behind: for five elements between mirror images q(3) - q(1) would be rounding.
    constexpr int kShort = 5;
    const double fall = length > kShort ? 0.5 * (q(3) - q(1)) : (zero.found ? zero.slope : 0.0);
    const double beside = 0.5 * (q(2, -1) - q(2, 1)) / spacing_ratio;
    const double steepest = std::hypot(fall, beside);
    if (length >= 4 && fall > 0.0 && steepest > 0.0) {
      along[i] = fall / steepest;
      across[i] = beside / steepest;
      if (length > kFarthest) zero.ahead -= found_ahead(zero.ahead, along[i], across[i]);
    }
    constexpr double kMiddle = 0.5;
    distance[i] = zero.found ? FirstPressures::within(zero.ahead) : kMiddle;
    if (pressure_factor != nullptr)
      pressure_factor[i] =
          zero.found ? std::sqrt(zero.slope)
                     : std::sqrt(q(0)) / (edge_mean(-1, distance[i]) + edge_mean(0, distance[i]));
    check(i, length, q);
  }
  // Checks the leading element i of a run whose edge was found from the parabola.
  template <class Square>
  SLIPFIELD_HD void check(std::size_t i, int length, const Square& q) const {
    if (length < kLeastChecked) {
      if (unlike != nullptr) unlike[i] = 1.0;
      return;
    }
    // An oblique edge is found less accurately from row to row. Where the pressure hardly rises any
    // more, its gradient does not show the obliqueness.
    constexpr double kRises = 1.2;
    const double straight = q(2) > kRises * q(1) ? along[i] * along[i] : 1.0;
    constexpr double kFits = 0.04;
    const double part = rise(straight * misfit_of(length, q), kFits, kFits);
    if (!(part > 0.0)) return;
    const FirstPressures found =
        FirstPressures::of(std::sqrt(q(0)), std::sqrt(q(1)), std::sqrt(q(2)));
    distance[i] = (1.0 - part) * distance[i] + part * found.f;
    if (pressure_factor != nullptr)
      pressure_factor[i] = (1.0 - part) * pressure_factor[i] + part * found.factor;
    if (unlike != nullptr) unlike[i] = part;
    // k sqrt(d) exp(-decay d) peaks at 1/(2 decay).
    constexpr double kDecays = 0.2;
    if (first_order != nullptr)
      first_order[i] = part * rise(std::fabs(found.decay), kDecays, kDecays);
  }
};

// Shares of the runs of a contact, from the fields of FindEdge.
struct EdgeShares {
  double first_order = 0.0;  // as part of their number
  double unlike = 0.0;
};
struct SumEdges {
  struct Sum {
    enum : int { runs, first_order, unlike, count };
  };
  const double* distance = nullptr;
  const double* first_order = nullptr;
  const double* unlike = nullptr;
  EdgeShares* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (distance[i] == kNotLeading) return;
    sums[Sum::runs] += 1.0;
    sums[Sum::first_order] += first_order[i];
    sums[Sum::unlike] += unlike[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    const double runs = std::fmax(sums[Sum::runs], 1.0);
    out->first_order = sums[Sum::first_order] / runs;
    out->unlike = sums[Sum::unlike] / runs;
  }
};

// Where the leading edge adheres and pressure k sqrt(d) also displaces the surface: l of the
// tractions l sqrt(d) ln(d) across the edge that respond. An edge near its bound counts as partly
// adhering; otherwise it would alternate between the states.
struct FindAnswer {
  RollingLine line;
  double of_pressure = 0.0;  // l over k
  const unsigned char* state = nullptr;
  const double* traction_x = nullptr;
  const double* traction_y = nullptr;
  const double* bound = nullptr;
  const double* distance = nullptr;  // as left by FindEdge
  const double* pressure_factor = nullptr;
  double* answer = nullptr;  // 0 for elements that do not lead

  // 0 in slip, 1 if the run's second and third element carry less than kAdhering of their bound.
  SLIPFIELD_HD double adhesion(int place, int row) const {
    double x = 0.0;
    double y = 0.0;
    double most = 0.0;
    line.behind_leading(state, place, row, [&](int /*j*/, std::size_t i) {
      x += traction_x[i];
      y += traction_y[i];
      most += bound[i];
    });
    if (!(most > 0.0)) return 0.0;
    constexpr double kAdhering = 0.8;
    const double free = 1.0 - std::hypot(x, y) / most;
    return std::fmin(std::fmax(free / (1.0 - kAdhering), 0.0), 1.0);
  }
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const bool leads = in_contact(state[i]) && distance[i] != kNotLeading;
    answer[i] =
        leads ? of_pressure * pressure_factor[i] * adhesion(line.place(i), line.across(i)) : 0.0;
  }
};

// k of tractions that start as k sqrt(d), from the second and third element of each run, averaged
// over neighbouring rows: otherwise the effect of a row's edge correction on its own tractions
// would feed back and grow where elements are longer than wide.
struct FindFactor {
  // How far it looks: rows on either side, and elements along each from the edge of this row.
  static constexpr int kMostRows = 10;
  static constexpr int kMostElements = 3;
  RollingLine line;
  double reach = 1.0;  // distance [rows] at which the weight of a row is 0
  const unsigned char* state = nullptr;
  const double* traction_x = nullptr;
  const double* traction_y = nullptr;
  const double* distance = nullptr;  // as left by FindEdge
  const double* along = nullptr;
  const double* across = nullptr;
  const double* answer = nullptr;  // as left by FindAnswer; null: none
  double* factor_x = nullptr;      // 0 for elements that do not lead
  double* factor_y = nullptr;

  struct Sum {
    double x = 0.0;
    double y = 0.0;
    double mean = 0.0;
  };
  // The place in the row of the element nearest to `place` that leads a run; -1 if there is none.
  SLIPFIELD_HD int leading_near(int place, int row) const {
    const bool inside = line.touches(state, place, row);
    const int towards = inside ? line.ahead : -line.ahead;
    int at = place;  // last element in the same state
    for (int n = inside ? 0 : 1; n <= kMostElements; ++n) {
      const int next = at + towards;
      if (line.touches(state, next, row) != inside) return inside ? at : next;
      at = next;
    }
    return -1;
  }
  SLIPFIELD_HD void add(int place, int row, double weight, Sum& sum) const {
    const std::size_t first = line.index(place, row);
    const double f = distance[first];
    if (f == kNotLeading) return;
    const double logarithm = answer == nullptr ? 0.0 : answer[first];
    const double x = logarithm * line.to_x(along[first], across[first]);
    const double y = logarithm * line.to_y(along[first], across[first]);
    line.behind_leading(state, place, row, [&](int j, std::size_t i) {
      sum.x += weight * (traction_x[i] - x * edge_logarithm(j, f));
      sum.y += weight * (traction_y[i] - y * edge_logarithm(j, f));
      sum.mean += weight * edge_mean(j, f);
    });
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

// Tractions and pressures, starting as sqrt(d), that elements are missing: the leading element of a
// run, whose pressure, and so its bound, is far below the exact mean if the edge passes near its
// centre; the element ahead, which is out of contact although the edge may cut it too; and, for
// pressure, the element behind, which has too much.
struct FindMissing {
  RollingLine line;
  const unsigned char* state = nullptr;
  const double* pressure = nullptr;
  const double* bound = nullptr;
  const double* distance = nullptr;  // as left by FindEdge
  const double* along = nullptr;
  const double* across = nullptr;
  const double* pressure_factor = nullptr;  // null, with the answer, if not wanted
  const double* answer = nullptr;
  const double* factor_x = nullptr;  // as left by FindFactor
  const double* factor_y = nullptr;
  double* missing_x = nullptr;  // 0 for other elements
  double* missing_y = nullptr;
  double* missing_n = nullptr;

  SLIPFIELD_HD void element(std::size_t i, double*) const {
    missing_x[i] = 0.0;
    missing_y[i] = 0.0;
    if (missing_n != nullptr) missing_n[i] = 0.0;
    const int place = line.place(i);
    const int row = line.across(i);
    const bool here = in_contact(state[i]);
    for (int j = here ? 0 : -1; j <= (here ? 1 : -1); ++j) {
      const int at = place + j * line.ahead;
      if (!line.touches(state, at, row)) return;
      const std::size_t first = line.index(at, row);
      if (distance[first] == kNotLeading) continue;
      if (j <= 0) take_tractions(i, first, j, here ? bound[i] : 0.0);
      if (missing_n != nullptr)
        missing_n[i] =
            pressure_factor[first] * edge_mean(j, distance[first]) - (here ? pressure[i] : 0.0);
      return;
    }
  }
  // Handles element j of a run whose leading element is `first`.
  SLIPFIELD_HD void take_tractions(std::size_t i, std::size_t first, int j, double most) const {
    const double f = distance[first];
    // The part that would lie beyond the grid's end is assigned to its last element.
    const bool last = j == 0 && !line.holds(line.place(i) + line.ahead, line.across(i));
    const double mean = edge_mean(j, f) + (last ? edge_mean(-1, f) : 0.0);
    const double logarithm = answer == nullptr ? 0.0 : answer[first] * edge_logarithm(j, f);
    const double x = mean * factor_x[first] + logarithm * line.to_x(along[first], across[first]);
    const double y = mean * factor_y[first] + logarithm * line.to_y(along[first], across[first]);
    const double size = std::hypot(x, y);
    if (!(size > most)) return;
    missing_x[i] = (1.0 - most / size) * x;
    missing_y[i] = (1.0 - most / size) * y;
  }
};

// Change of the rigid slip and of the load from the step before, over the greater of both: gamma of
// THEORY.md 5.8, by mean squares over the elements in contact. Load and slip do not cancel.
struct SumMotionChange {
  // Changes below this part of the displacement count as smooth; their error is half of it.
  static constexpr double kNegligible = 1.0e-4;
  struct Sum {
    enum : int { now, before, change, displacement, count };
  };
  ElementCentres centres;
  RigidSlip now;
  RigidSlip before;
  const unsigned char* state = nullptr;
  const double* extra_x = nullptr;  // of this step; null: none
  const double* extra_y = nullptr;
  const double* before_x = nullptr;  // of the step before; null: none
  const double* before_y = nullptr;
  const double* displacement_x = nullptr;  // of the particles at the end of the step before
  const double* displacement_y = nullptr;
  double growth = 0.0;         // of the load in this step, over the load at its start
  double growth_before = 0.0;  // in the step before, over the same load
  double* out = nullptr;

  SLIPFIELD_HD static double value(const double* field, std::size_t i) {
    return field == nullptr ? 0.0 : field[i];
  }
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (!in_contact(state[i])) return;
    const double x = now.at_x(centres.y(i)) + value(extra_x, i);
    const double y = now.at_y(centres.x(i)) + value(extra_y, i);
    const double last_x = before.at_x(centres.y(i)) + value(before_x, i);
    const double last_y = before.at_y(centres.x(i)) + value(before_y, i);
    sums[Sum::now] += x * x + y * y;
    sums[Sum::before] += last_x * last_x + last_y * last_y;
    sums[Sum::change] += (x - last_x) * (x - last_x) + (y - last_y) * (y - last_y);
    sums[Sum::displacement] +=
        displacement_x[i] * displacement_x[i] + displacement_y[i] * displacement_y[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    const double u2 = sums[Sum::displacement];
    const double turn = growth - growth_before;
    const double greater = std::fmax(sums[Sum::now] + growth * growth * u2,
                                     sums[Sum::before] + growth_before * growth_before * u2) +
                           kNegligible * kNegligible * u2;
    *out = greater > 0.0 ? std::sqrt((sums[Sum::change] + turn * turn * u2) / greater) : 0.0;
  }
};

// How much the second-order slip at an element's centre exceeds S p (THEORY.md 5.8).
struct CorrectSlip {
  RollingLine line;
  double per_traction = 0.0;  // 2 dq/(pi G)
  double per_pressure = 0.0;  // 2 dq K/G
  double poisson_ratio = 0.0;
  double share = 1.0;   // weight of the new correction; the rest keeps the old one
  double smooth = 1.0;  // second order in this step; the rest is the first-order scheme
  const unsigned char* state = nullptr;
  const double* slip_x = nullptr;  // S p, also outside the contact
  const double* slip_y = nullptr;
  const double* ahead_x = nullptr;  // S p of the same particles a step before, an element ahead
  const double* ahead_y = nullptr;
  // Products of the missing tractions and pressures: with S in steady rolling; in transient rolling
  // their displacements, which move along as if they had existed in the steps before.
  const double* moved_x = nullptr;
  const double* moved_y = nullptr;
  bool transient = false;
  const double* distance = nullptr;  // as left by FindEdge
  const double* along = nullptr;
  const double* across = nullptr;
  const double* factor_x = nullptr;  // as left by FindFactor
  const double* factor_y = nullptr;
  const double* pressure_factor = nullptr;  // null, with the answer, if per_pressure is 0
  const double* answer = nullptr;
  double answer_of_pressure = 0.0;  // in full adhesion
  double* correction_x = nullptr;
  double* correction_y = nullptr;
  const double* first_order = nullptr;  // as left by FindEdge; null: second order in all rows
  double plain_x = 0.0;  // excess of the first-order rigid slip over that at the centre
  double plain_y = 0.0;
  // S p and the product of the missing tractions one element ahead, also beyond the grid's end;
  // null: unknown there.
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
    // Beyond the grid's end nothing is known: a first-order difference there.
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
    x = smooth * x + (1.0 - smooth) * plain_x;
    y = smooth * y + (1.0 - smooth) * plain_y;
    correction_x[i] = share * x + (1.0 - share) * correction_x[i];
    correction_y[i] = share * y + (1.0 - share) * correction_y[i];
  }
  SLIPFIELD_HD void subtract_edge(int j, std::size_t first, double& x, double& y) const {
    const double normal_x = line.to_x(along[first], across[first]);
    const double normal_y = line.to_y(along[first], across[first]);
    double by_pressure = 0.0;
    if (per_pressure != 0.0) {
      // the sums are for centres within the contact
      const double f = std::fmax(distance[first], 0.0);
      const double kn = pressure_factor[first];
      const double part = kn > 0.0 ? answer[first] / (answer_of_pressure * kn) : 0.0;
      by_pressure = per_pressure * along[first] * kn *
                    (part * adhering_pressure_error(j, f) + (1.0 - part) * pressure_error(j, f));
    }
    // Plane strain across the edge, antiplane shear along it.
    const double px = factor_x[first];
    const double py = factor_y[first];
    const double across_edge = -poisson_ratio * (px * normal_x + py * normal_y);
    // The grid ends here, and its last element also holds the traction of the next one.
    const bool last = !line.holds(line.place(first) + line.ahead, line.across(first));
    const double error = edge_error(j, distance[first]) -
                         (last ? moved_ahead(j) * edge_mean(-1, distance[first]) : 0.0);
    const double size = per_traction * along[first] * error;
    x -= size * (px + across_edge * normal_x) + by_pressure * normal_x;
    y -= size * (py + across_edge * normal_y) + by_pressure * normal_y;
  }
};

// The most rows on either side that an element's missing traction, or its correction, depends on.
// When rolling along y, the leading element of its run is one row behind, those of neighbouring
// columns are as far behind that as FindFactor looks, and FindEdge looks behind each of them.
inline constexpr int kRowsOfEdge = std::max({1 + FindFactor::kMostElements + FindEdge::kFarthest,
                                             FindFactor::kMostRows, 1 + kPlainElements});

}  // namespace slipfield
