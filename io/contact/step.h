// SPDX-License-Identifier: Apache-2.0
// One input case of CONTACT as a step of the case file: friction, normal and tangential.
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

// Rolling by DX along x, whatever DQ and CHI say: CONTACT's solvers of steady rolling, all but the
// one of G = 2, and with a third layer (M = 4) transient rolling too.
bool steps_by_elements(const InputCase& input);

// The direction of rolling [rad]; of steps by elements 0 unless it is 0 or pi, to 0.01.
double input_direction(const InputCase& input);
inline constexpr double kDirectionSlack = 0.0101;

// FX and FY are parts of this coefficient times F_n: with V = 0 the static one, of the first row
// where rows stay from before, otherwise 1.
double force_coefficient(const InputCase& input);

// The same friction, normal and tangential.
bool same_step(const InputStep& a, const InputStep& b);

// Lines of an entry of `steps`, each with what differs from the step before; empty: nothing does.
std::vector<std::string> changed_sections(const InputStep& step, const InputStep& before);

}  // namespace slipfield
