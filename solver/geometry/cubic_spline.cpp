// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry/cubic_spline.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/error.h"

namespace slipfield {

// At an inner knot i, with lengths l and slopes s of the chords, the first derivative is
// continuous:
//   l[i-1] M[i-1] + 2 (l[i-1] + l[i]) M[i] + l[i] M[i+1] = 6 (s[i] - s[i-1]).
// Not-a-knot gives M[0] = M[1] + (M[1] - M[2]) l[0]/l[1], and so at the other end; put into the
// first and the last equation, it leaves a tridiagonal matrix, diagonally dominant.
SplineKnots::SplineKnots(std::vector<double> knots) : knots_(std::move(knots)) {
  const std::size_t count = knots_.size();
  if (count == 0) throw InputError("spline: no points");
  for (std::size_t i = 0; i + 1 < count; ++i) {
    length_.push_back(knots_[i + 1] - knots_[i]);
    if (!(length_[i] > 0.0)) throw InputError("spline: its points do not increase");
  }
  if (count < 4) return;
  lower_.assign(count, 0.0);
  pivot_.assign(count, 0.0);
  upper_.assign(count, 0.0);
  for (std::size_t i = 1; i + 1 < count; ++i) {
    lower_[i] = length_[i - 1];
    pivot_[i] = 2.0 * (length_[i - 1] + length_[i]);
    upper_[i] = length_[i];
  }
  const double first = length_[0] / length_[1];
  pivot_[1] += length_[0] * (1.0 + first);
  upper_[1] -= length_[0] * first;
  const double last = length_[count - 2] / length_[count - 3];
  pivot_[count - 2] += length_[count - 2] * (1.0 + last);
  lower_[count - 2] -= length_[count - 2] * last;
  for (std::size_t i = 2; i + 1 < count; ++i) {
    lower_[i] /= pivot_[i - 1];
    pivot_[i] -= lower_[i] * upper_[i - 1];
  }
}

std::vector<double> SplineKnots::second_derivatives(const std::vector<double>& values) const {
  const std::size_t count = knots_.size();
  std::vector<double> result(count, 0.0);
  if (count < 3) return result;
  const auto slope = [&](std::size_t i) { return (values[i + 1] - values[i]) / length_[i]; };
  if (count == 3) {
    result.assign(3, 2.0 * (slope(1) - slope(0)) / (length_[0] + length_[1]));
    return result;
  }
  for (std::size_t i = 1; i + 1 < count; ++i) {
    result[i] = 6.0 * (slope(i) - slope(i - 1));
    if (i > 1) result[i] -= lower_[i] * result[i - 1];
  }
  result[count - 2] /= pivot_[count - 2];
  for (std::size_t i = count - 3; i > 0; --i)
    result[i] = (result[i] - upper_[i] * result[i + 1]) / pivot_[i];
  result[0] = result[1] + (result[1] - result[2]) * length_[0] / length_[1];
  result[count - 1] = result[count - 2] + (result[count - 2] - result[count - 3]) *
                                              length_[count - 2] / length_[count - 3];
  return result;
}

std::vector<double> SplineKnots::interpolate(const std::vector<double>& values,
                                             const std::vector<double>& points) const {
  if (values.size() != knots_.size()) throw InputError("spline: not one value per point");
  if (knots_.size() == 1) return std::vector<double>(points.size(), values[0]);
  const std::vector<double> second = second_derivatives(values);
  std::vector<double> result;
  result.reserve(points.size());
  for (const double x : points) {
    const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, x);
    const auto i = static_cast<std::size_t>(next - knots_.begin()) - 1;
    const double right = (x - knots_[i]) / length_[i];
    const double left = 1.0 - right;
    const double bend = (1.0 + left) * second[i] + (1.0 + right) * second[i + 1];
    result.push_back(left * values[i] + right * values[i + 1] -
                     length_[i] * length_[i] / 6.0 * left * right * bend);
  }
  return result;
}

namespace {

// The first derivative at an end, where the first chord has the slope `first`, the next `second`.
double end_slope(double first_length, double second_length, double first, double second) {
  const double slope = ((2.0 * first_length + second_length) * first - first_length * second) /
                       (first_length + second_length);
  if (slope * first <= 0.0) return 0.0;
  constexpr double kMost = 3.0;  // times the chord's, beyond which the cubic overshoots
  return first * second <= 0.0 && std::abs(slope) > kMost * std::abs(first) ? kMost * first : slope;
}

}  // namespace

std::vector<double> interpolate_monotone(const std::vector<double>& knots,
                                         const std::vector<double>& values,
                                         const std::vector<double>& points) {
  const std::size_t count = knots.size();
  std::vector<double> length(count - 1);
  std::vector<double> chord(count - 1);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    length[i] = knots[i + 1] - knots[i];
    chord[i] = (values[i + 1] - values[i]) / length[i];
  }
  std::vector<double> slope(count, chord.front());
  if (count > 2) {
    slope.front() = end_slope(length[0], length[1], chord[0], chord[1]);
    slope.back() =
        end_slope(length[count - 2], length[count - 3], chord[count - 2], chord[count - 3]);
  }
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const double before = length[i] + 2.0 * length[i - 1];
    const double after = 2.0 * length[i] + length[i - 1];
    slope[i] = chord[i - 1] * chord[i] > 0.0
                   ? (before + after) / (after / chord[i - 1] + before / chord[i])
                   : 0.0;
  }
  std::vector<double> result;
  result.reserve(points.size());
  for (const double point : points) {
    const auto above = std::upper_bound(knots.begin() + 1, knots.end() - 1, point);
    const auto i = static_cast<std::size_t>(above - knots.begin()) - 1;
    const double t = (point - knots[i]) / length[i];
    const double s = 1.0 - t;
    result.push_back(s * s * (1.0 + 2.0 * t) * values[i] + t * t * (3.0 - 2.0 * t) * values[i + 1] +
                     length[i] * s * t * (s * slope[i] - t * slope[i + 1]));
  }
  return result;
}

}  // namespace slipfield
