// SPDX-License-Identifier: Apache-2.0
// Stresses inside the bodies in a step, as lines and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/result/interior/group.h"
#include "solver/interior/interior_points.h"

namespace slipfield {

// The greatest values with their places, one line per body; empty without an interior.
std::vector<std::string> interior_lines(const std::vector<InteriorSummary>& summaries, Units units);

// The quantities that the file holds of a body and their greatest values at its depths, thinned if
// there are many.
std::vector<std::string> depth_table(const InteriorBody& body, Units units);

nlohmann::ordered_json interior_json(const std::vector<InteriorBody>& bodies);
// Only the greatest values.
nlohmann::ordered_json interior_json(const std::vector<InteriorSummary>& summaries);

// Stresses and displacements at points of one body: columns x, y, z, then every quantity.
struct PointTable {
  Body body = Body::upper;
  std::vector<InteriorPoint> points;
  std::vector<InteriorValues> values;
};
std::vector<std::string> point_lines(const PointTable& table, Units units);
nlohmann::ordered_json point_json(const PointTable& table);

}  // namespace slipfield
