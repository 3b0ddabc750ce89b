// SPDX-License-Identifier: Apache-2.0
// Sentences about suspicious results of a wheel on a rail (WheelRecord::warnings), and the lines of
// a run that they become.
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

// The form in which a run logs and its result stores a warning: "step 3, contact 2: ...".
std::string warning_text(const std::string& steps, const std::string& warning);
// Returns whether a contact reaches the edge of its region; a run combines these of all steps in
// one line (DoubtLog).
bool is_edge_warning(const std::string& warning);
// The lines of a step, without those that a run combines.
std::vector<std::string> lines_of_wheel(int step, const std::vector<std::string>& warnings);

}  // namespace slipfield
