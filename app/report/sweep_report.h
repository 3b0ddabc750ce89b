// SPDX-License-Identifier: Apache-2.0
// The table of a sweep in one line of text and as JSON, for `run`, `inspect` and `merge`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "io/result/sweep_table.h"
#include "solver/problem.h"

namespace slipfield {

// "200 points: 198 converged, 2 not_converged".
std::string sweep_summary(const OutcomeCounts& counts);

// The number of points with each outcome, the units of the totals, and one object per point with
// its inputs and all totals; NaN is null.
nlohmann::ordered_json sweep_json(const SweepTable& table, Units units);

}  // namespace slipfield
