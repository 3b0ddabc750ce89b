// SPDX-License-Identifier: Apache-2.0
// The case of a wheel on a rail as its result holds it, for figures: profiles and positions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/reader.h"

namespace slipfield {

// Of a result or a sweep (whose keys then have the values of the case). `name`: of the file. Throws
// InputError where it has no wheel, or its profiles cannot be read any more.
std::shared_ptr<const WheelRailCase> wheel_case_of(const ResultInfo& info, const std::string& name);

// A line in a figure: y to the right, z down.
struct DrawnPoint {
  double y = 0.0;
  double z = 0.0;
};
using DrawnLine = std::vector<DrawnPoint>;

// y multiplied by `sign`: -1 of a left side, whose curves are computed as of the right.
DrawnLine drawn_line(const SplineCurve& curve, double sign);
// Lines of "y z" between $NAME << END and END, as gnuplot reads them.
std::string drawn_data(const std::string& name, const DrawnLine& line);

}  // namespace slipfield
