// SPDX-License-Identifier: Apache-2.0
// Sentences about suspicious results of a solved step, for the result file, `inspect` and the
// libraries. The report's message says why a step did not converge, or holds the remark of a
// converged one.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/solution.h"
#include "solver/surface/surface_fields.h"

namespace slipfield {

std::vector<std::string> step_warnings(const ContactProblem& problem, const StepInput& input,
                                       const StepReport& report);
// The warnings, preceded by the remark of a converged step.
std::vector<std::string> step_remarks(const StepReport& report,
                                      const std::vector<std::string>& warnings);

// Whether a line of a case or of a run, which begins with a place, is the warning of that step.
bool says(std::string_view line, std::string_view warning, int step);

// Returns why a step did not converge, or its remark, for the warnings of a run; empty if there is
// nothing new. Remarks that differ only in numbers are reported once. told: beginnings of those
// reported so far.
std::string message_of_step(int number, const StepReport& report, std::set<std::string>& told);
// The message and the warnings of this step of a contact; DoubtLog has those of all steps together.
std::vector<std::string> lines_of_step(const ContactProblem& problem, int number,
                                       const StepInput& input, const StepReport& report,
                                       std::set<std::string>& told);

// Warns of a rolling step at a low Peclet number: its temperatures are computed with heat that
// flows into the depth only, although it would also flow sideways (THEORY.md 15.1). Else empty.
std::string heat_doubt(const StepReport& report);

// The limits and p_0 of the shakedown map for a contact far from a circle (THEORY.md 14.4). One
// sentence without a full stop if the ratio is above 2 or below a half or a line is passed along,
// else empty.
// peak: p_0 of the map.
std::string ellipse_doubt(const PassedContact& contact, double peak, Units units);

// Removes the numbers: two warnings with the same result differ only in their values.
std::string without_numbers(const std::string& text);

}  // namespace slipfield
