// SPDX-License-Identifier: Apache-2.0
// Converts grid and geometry of a CONTACT input case to the case file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/contact/case.h"
#include "solver/grid.h"
#include "solver/material.h"
#include "solver/problem.h"

namespace slipfield {

struct InputSurface {
  Grid grid;
  std::vector<std::string> members;  // of the geometry, "{type: quadratic, ...}"
  // Heights to add, one per element, x fastest, infinite if nothing can touch; or null.
  std::shared_ptr<const std::vector<double>> heights;
  ContactPatches patches;   // which influence each other only in part
  std::string grid_remark;  // lines and names of the values
  std::string geometry_remark;
};

ElasticBody upper_body(const InputCase& input);
ElasticBody lower_body(const InputCase& input);
// The layer between the bodies: the third layer of M = 4, which is elastic if TAU_C0 is at most 0
// or at least 1e10, and the sheet of B = 1.
ContactLayer input_layer(const InputCase& input);

// Values that D = 0 and Z = 0 keep are those of `before`, the previous case; null for the first. A
// Hertzian form (IPOTCN < 0) gives the paraboloid whose contact under the case's load is the one
// stated. The case must be supported (io/contact/support.h).
InputSurface input_surface(const InputCase& input, const InputSurface* before);

// IPOTCN = -6: two half ellipses with the grid's middle at y = 0.
HalfEllipses input_half_ellipses(const InputNumbers& potential);

bool same_surface(const InputSurface& a, const InputSurface& b);

// "line 3", "lines 3, 4": the lines of the numbers.
std::string lines_of(const InputNumbers& numbers);

}  // namespace slipfield
