// SPDX-License-Identifier: Apache-2.0
// What is suspicious in a solved step of a wheel on a rail, as sentences (WheelRecord::warnings).
#pragma once

#include <string>
#include <vector>

#include "solver/problem.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

// Warnings of a contact begin with "contact 2: ". bodies: the case's problem, whose geometry and
// steps are not used.
std::vector<std::string> wheel_warnings(const ContactProblem& bodies,
                                        const SolvedWheelset& wheelset);

// One of them as a run warns of it, and its result keeps it: "step 3, contact 2: ...".
std::string warning_text(const std::string& steps, const std::string& warning);
// A contact reaches the edge of its region: a run has one line of all its steps (DoubtLog).
bool is_edge_warning(const std::string& warning);
// The lines of a step, without those of which a run has one.
std::vector<std::string> lines_of_wheel(int step, const std::vector<std::string>& warnings);

}  // namespace slipfield
