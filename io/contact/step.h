// SPDX-License-Identifier: Apache-2.0
// Converts one CONTACT input case to a step of the case file: friction, normal and tangential.
#pragma once

#include <string>
#include <vector>

#include "io/contact/case.h"
#include "solver/grid.h"

namespace slipfield {

// A key of the section `tangential`, with its value as text.
struct MotionEntry {
  std::string key;
  std::string value;
  std::string remark;  // CONTACT's name
};

struct InputStep {
  std::string friction;
  std::string friction_remark;
  std::string normal;
  std::string normal_remark;
  std::string problem;
  std::string problem_remark;
  std::vector<MotionEntry> motion;
};

// The case is supported (io/contact/support.h).
InputStep input_step(const InputCase& input, const Grid& grid);

// Returns whether the step rolls by DX along x, whatever DQ and CHI say: all of CONTACT's solvers
// of steady rolling except that of G = 2 and, with a third layer (M = 4), also transient rolling.
bool steps_by_elements(const InputCase& input);

// The direction of rolling [rad]; for steps by elements 0 or pi, whichever the input has to 0.01,
// else 0.
double input_direction(const InputCase& input);
inline constexpr double kDirectionSlack = 0.0101;

// FX and FY are given relative to this coefficient times F_n: for V = 0 the static one (of the
// first row if rows stay from an earlier case), otherwise 1.
double force_coefficient(const InputCase& input);

// True if friction, normal and tangential are equal.
bool same_step(const InputStep& a, const InputStep& b);

// Lines of an entry of `steps` with what differs from the previous step; empty if nothing does.
std::vector<std::string> changed_sections(const InputStep& step, const InputStep& before);

}  // namespace slipfield
