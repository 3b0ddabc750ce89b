// SPDX-License-Identifier: Apache-2.0
// Points inside the bodies (S, ISUBS) of an input file of CONTACT, and the section `interior` that
// has them among its own.
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
  std::vector<InputNumber> x;  // of ISUBS 2, 6 a range, of 3, 7 element numbers, of 9 coordinates
  std::vector<InputNumber> y;  // likewise; of 1, 5 none: all elements
  std::vector<InputNumber> z;  // >= 0 in body 1, <= 0 in body 2
};

struct InputPoints {
  bool all_stresses = false;  // A_s = 2
  std::vector<InputBlock> blocks;
};

// The lines of S = 2, 3. Throws CaseError where the layout is lost; a count or an increment that is
// not positive is an error in `diagnostics`.
void read_points(InputLines& lines, int s_digit, InputPoints& points, CaseDiagnostics& diagnostics);

// The points of cases on one grid; empty where none has any. Blocks not at element centres are
// left out: warn_of_points() says so.
std::string points_text(const std::vector<const InputCase*>& cases, const Grid& grid);

// The points of a wheel's contacts, whose elements have these lengths: all elements of each, at the
// depths of all blocks. Blocks with coordinates that are not at an element's centre are left out:
// warn_of_wheel_points() says so.
std::string wheel_points_text(const std::vector<const InputCase*>& cases, double dx, double ds);
void warn_of_wheel_points(const InputCase& input, double dx, double ds,
                          CaseDiagnostics& diagnostics);

// A warning for each block that points_text() leaves out.
void warn_of_points(const InputCase& input, const Grid& grid, CaseDiagnostics& diagnostics);

}  // namespace slipfield
