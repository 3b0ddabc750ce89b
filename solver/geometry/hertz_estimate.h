// SPDX-License-Identifier: Apache-2.0
// What Hertz's theory says of a problem before it is solved, where its geometry is a paraboloid.
#pragma once

#include <optional>

#include "solver/problem.h"

namespace slipfield {

// The ellipse of the contact along x and y. A cylinder touches over the whole grid in its axis
// direction, under the force per length of it: that semi-axis is 0 and the approach unknown.
struct HertzEstimate {
  double semi_axis_x = 0.0;
  double semi_axis_y = 0.0;
  double centre_x = 0.0;
  double centre_y = 0.0;
  double max_pressure = 0.0;
  double approach = 0.0;  // from h = 0 on
  double radius_x = 0.0;  // relative radii of curvature; 0 along the axis of a cylinder
  double radius_y = 0.0;

  [[nodiscard]] bool is_line() const { return semi_axis_x == 0.0 || semi_axis_y == 0.0; }
  [[nodiscard]] double length() const {  // the greatest of the contact
    return 2.0 * (semi_axis_x > semi_axis_y ? semi_axis_x : semi_axis_y);
  }
};

// Nothing for other geometries, periodic grids, an approach that makes no contact, and a cylinder
// under a given approach.
std::optional<HertzEstimate> hertz_estimate(const ContactProblem& problem, const NormalLoad& load);

}  // namespace slipfield
