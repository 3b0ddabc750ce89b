// SPDX-License-Identifier: Apache-2.0
// Cubic splines through points, not-a-knot: the third derivative too is continuous at the second
// knot and at the last but one, so that a spline through the points of a cubic is that cubic. Few
// points give the polynomial through them: a constant, a line, a parabola (THEORY.md 3.5).
#pragma once

#include <cstddef>
#include <vector>

namespace slipfield {

// Splines of one set of knots: the equations of the second derivatives are factorised once.
class SplineKnots {
 public:
  // At least one knot, strictly increasing; InputError otherwise.
  explicit SplineKnots(std::vector<double> knots);

  // The spline that has `values` at the knots, at `points` in any order. Beyond the knots the end
  // polynomials continue.
  [[nodiscard]] std::vector<double> interpolate(const std::vector<double>& values,
                                                const std::vector<double>& points) const;

 private:
  [[nodiscard]] std::vector<double> second_derivatives(const std::vector<double>& values) const;

  std::vector<double> knots_;
  std::vector<double> length_;  // between a knot and the next
  std::vector<double> lower_;   // of the tridiagonal matrix of the inner knots, eliminated
  std::vector<double> pivot_;
  std::vector<double> upper_;
};

// Piecewise cubics through points that rise and fall only as the points do (Fritsch, Butland, SIAM J.
// Sci. Stat. Comput. 5 (1984) 300-304; ends as in Moler, Numerical Computing with MATLAB, 3.6): the
// first derivative is continuous, and 0 at a point that is an extreme. knots: two or more, strictly
// increasing; points lie between them.
std::vector<double> interpolate_monotone(const std::vector<double>& knots,
                                         const std::vector<double>& values,
                                         const std::vector<double>& points);

}  // namespace slipfield
