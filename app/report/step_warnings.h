// SPDX-License-Identifier: Apache-2.0
// What is suspicious in a solved step, as sentences: what the result, `inspect` and the libraries
// say of it. Why a step did not converge, and what a converged one remarks, is in its report's
// message.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

std::vector<std::string> step_warnings(const ContactProblem& problem, const StepInput& input,
                                       const StepReport& report);
// With the remark of a step that converged, first.
std::vector<std::string> step_remarks(const StepReport& report,
                                      const std::vector<std::string>& warnings);

// What `known` does not say of the step yet, which is known by its number: no line of it ends with
// the text, as those of a case and of a run do, which begin with a place.
std::vector<std::string> unsaid(const std::vector<std::string>& warnings,
                                const std::vector<std::string>& known, int step);

// Why a step did not converge, or what it remarks, for the warnings of a run: of remarks that
// differ in nothing but numbers the first alone. told: beginnings of those so far. Empty: nothing.
std::string message_of_step(int number, const StepReport& report, std::set<std::string>& told);
// That, and what is suspicious in this step of a contact; DoubtLog has what is said of all steps
// together.
std::vector<std::string> lines_of_step(const ContactProblem& problem, int number,
                                       const StepInput& input, const StepReport& report,
                                       std::set<std::string>& told);

// A sentence about a rolling step whose temperatures are computed with heat that flows into the
// depth only, where it would also flow sideways (THEORY.md 15.1): the Peclet number is low. Else
// empty.
std::string heat_doubt(const StepReport& report);

// The limits and p_0 of the shakedown map where a contact is far from a circle (THEORY.md 14.4).
// One sentence without an end where the ratio is beyond 2 or below a half, else empty.
// mean_pressure: over the contact.
std::string ellipse_doubt(double width_over_length, double mean_pressure, Units units);

// The text without its numbers: two warnings with the same one say the same of other values.
std::string without_numbers(const std::string& text);

}  // namespace slipfield
