// SPDX-License-Identifier: Apache-2.0
// Not-a-knot cubic splines through points: the third derivative is also continuous at the second
// and the last but one knot, so that a spline through points of a cubic is that cubic. Few points
// give the polynomial through them: a constant, a line, a parabola (THEORY.md 3.5).
#pragma once

#include <cstddef>
#include <vector>

namespace slipfield {

// Splines of one set of knots: the equations of the second derivatives are factorised once.
class SplineKnots {
 public:
  // Needs at least one knot, strictly increasing; throws InputError otherwise.
  explicit SplineKnots(std::vector<double> knots);

  // Evaluates the spline with `values` at the knots at `points`, in any order. Beyond the knots the
  // end polynomials continue.
  [[nodiscard]] std::vector<double> interpolate(const std::vector<double>& values,
                                                const std::vector<double>& points) const;

 private:
  [[nodiscard]] std::vector<double> second_derivatives(const std::vector<double>& values) const;

  std::vector<double> knots_;
  std::vector<double> length_;  // between consecutive knots
  std::vector<double> lower_;   // of the tridiagonal matrix of the inner knots, eliminated
  std::vector<double> pivot_;
  std::vector<double> upper_;
};

// Piecewise cubics that are monotone wherever the points are (Fritsch, Butland, SIAM J. Sci. Stat.
// Comput. 5 (1984) 300-304; ends as in Moler, Numerical Computing with MATLAB, 3.6). The first
// derivative is continuous, and 0 at extreme points. knots: two or more, strictly increasing;
// points must lie between them.
std::vector<double> interpolate_monotone(const std::vector<double>& knots,
                                         const std::vector<double>& values,
                                         const std::vector<double>& points);

}  // namespace slipfield
