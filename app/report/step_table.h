// SPDX-License-Identifier: Apache-2.0
// Steps, sweeps and wheels as lines of text and as JSON, for `run` and `inspect`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/result/sweep_table.h"
#include "io/result/wheel/table.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// Returns whether the step has no friction; its elements in contact then neither stick nor slip.
bool is_frictionless(const StepInput& input, const StepReport& report);

// The estimated errors of StepReport in a line; empty if there are none.
std::vector<std::string> error_lines(Units units, const StepInput& input, const StepReport& report);

// Wear, temperature, shakedown and area of contact in a line; empty if the case requests none.
std::vector<std::string> surface_lines(Units units, const StepReport& report);

// The sensitivities of StepReport as lines; empty if they were not requested.
std::vector<std::string> sensitivity_table(const StepInput& input, const StepReport& report);

// "1 step", "3 steps".
std::string counted(std::size_t count, const std::string& noun);

// All quantities of the step by name; numbers that are not finite are null.
nlohmann::ordered_json step_json(int number, const StepInput& input, const StepReport& report,
                                 const std::vector<std::string>& warnings);

// Prints one JSON document on stdout.
void print_json(const nlohmann::ordered_json& document);

// --- Sweeps, also for `merge`.

// "200 points: 198 converged, 2 not_converged".
std::string sweep_summary(const OutcomeCounts& counts);

// The number of points with each outcome, the units of the totals, and one object per point with
// its inputs and all totals; NaN is null.
nlohmann::ordered_json sweep_json(const SweepTable& table, Units units);

// --- Wheels on a rail; their profiles for `check`.

struct WheelRailCase;  // io/case/wheel_rail/wheel_rail.h

// Numbers that are not finite are null. side: one of the record's rows; empty: all. Null if the
// record has no such wheel.
nlohmann::ordered_json wheel_json(const WheelRecord& record, const std::string& side = {});

// Describes the case's profiles: points, extent and the changes made to them.
std::vector<std::string> profiles_text(const WheelRailCase& wheel_rail);

}  // namespace slipfield
