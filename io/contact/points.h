// SPDX-License-Identifier: Apache-2.0
// Points inside the bodies (S, ISUBS) of a CONTACT input file, as points of the section `interior`.
#pragma once

#include <string>
#include <vector>

#include "io/contact/lines.h"
#include "solver/grid.h"

namespace slipfield {

struct InputCase;  // io/contact/case.h

// A block of points: every x with every y and every z.
struct InputBlock {
  InputNumber kind;            // ISUBS
  std::vector<InputNumber> x;  // ISUBS 2, 6: a range; 3, 7: element numbers; 9: coordinates
  std::vector<InputNumber> y;  // likewise; none for 1, 5: all elements
  std::vector<InputNumber> z;  // >= 0 in body 1, <= 0 in body 2
};

struct InputPoints {
  bool all_stresses = false;  // A_s = 2
  std::vector<InputBlock> blocks;
};

// Reads the lines of S = 2, 3. Throws CaseError if the layout of the rest is unclear; reports a
// count or an increment that is not positive in `diagnostics`.
void read_points(InputLines& lines, int s_digit, InputPoints& points, CaseDiagnostics& diagnostics);

// The points of cases on one grid; empty if none has any. Blocks that are not at element centres
// are left out: warn_of_points() reports them.
std::string points_text(const std::vector<const InputCase*>& cases, const Grid& grid);

// The points of a wheel's contacts with elements of these lengths: all elements of each, at the
// depths of all blocks. Blocks whose coordinates are not at an element's centre are left out:
// warn_of_wheel_points() reports them.
std::string wheel_points_text(const std::vector<const InputCase*>& cases, double dx, double ds);
void warn_of_wheel_points(const InputCase& input, double dx, double ds,
                          CaseDiagnostics& diagnostics);

// Warns of each block that points_text() leaves out.
void warn_of_points(const InputCase& input, const Grid& grid, CaseDiagnostics& diagnostics);

}  // namespace slipfield
