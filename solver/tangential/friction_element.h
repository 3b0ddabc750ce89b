// SPDX-License-Identifier: Apache-2.0
// The friction problem of one element: the only place where Coulomb's law is solved.
#pragma once

#include <cmath>

#include "solver/host_device.h"
#include "solver/solution.h"

namespace slipfield {

// Slip of an element by its own traction [length^3/force]; symmetric, positive definite.
struct ElementCompliance {
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
};

struct ElementTraction {
  double x = 0.0;
  double y = 0.0;
  double lambda = 0.0;  // slip = -lambda traction; 0 in adhesion
  ElementState state = ElementState::adhesion;
};

// The traction p with |p| <= bound whose slip s = slip_free + D p is 0 (adhesion), or opposes p on
// |p| = bound: then
//   (D + lambda) p = -slip_free,
// a monotone equation in lambda >= 0 that Newton's method on 1/|p| solves from the left in a few
// steps (THEORY.md 7.1) [MoreSorensen1983's form of it, as trust-region methods use it].
// lambda_start: a guess, e.g. the last lambda.
SLIPFIELD_HD inline ElementTraction solve_friction_element(const ElementCompliance& d,
                                                           double free_x, double free_y,
                                                           double bound, double lambda_start) {
  ElementTraction result;
  if (!(bound > 0.0)) {
    result.state = ElementState::slip;
    return result;
  }
  const double determinant = d.xx * d.yy - d.xy * d.xy;
  result.x = -(d.yy * free_x - d.xy * free_y) / determinant;
  result.y = -(d.xx * free_y - d.xy * free_x) / determinant;
  if (result.x * result.x + result.y * result.y <= bound * bound) return result;

  // |p|(lambda) >= bound to the left of the root. The steps approach it from there; a start on the
  // right takes one step to the left.
  double lambda = lambda_start > 0.0 ? lambda_start : 0.0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const double xx = d.xx + lambda;
    const double yy = d.yy + lambda;
    const double inverse = 1.0 / (xx * yy - d.xy * d.xy);
    result.x = -(yy * free_x - d.xy * free_y) * inverse;
    result.y = -(xx * free_y - d.xy * free_x) * inverse;
    const double size2 = result.x * result.x + result.y * result.y;
    const double size = std::sqrt(size2);
    const double excess = (size - bound) / bound;
    if (std::fabs(excess) <= 1.0e-14) break;
    const double slope =
        (yy * result.x * result.x - 2.0 * d.xy * result.x * result.y + xx * result.y * result.y) *
        inverse;
    lambda += size2 / slope * excess;
    if (lambda < 0.0) lambda = 0.0;
  }
  const double scale = bound / std::sqrt(result.x * result.x + result.y * result.y);
  result.x *= scale;
  result.y *= scale;
  result.lambda = lambda;
  result.state = ElementState::slip;
  return result;
}

}  // namespace slipfield
