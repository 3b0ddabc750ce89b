// The table of a sweep as lines of text and as JSON, for `run`, `inspect` and `compare`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/sweep_table.h"
#include "solver/problem.h"

namespace slipfield {

// Names and units over the rows: the values of the keys and the totals most looked for.
std::vector<std::string> sweep_table_head(const SweepTable& table, Units units);
std::string sweep_table_row(const SweepTable& table, std::size_t point);

// "200 points: 198 converged, 2 not_converged".
std::string sweep_summary(const SweepTable& table);

// One object for each point with its inputs and all of its totals; not a number is null.
nlohmann::ordered_json sweep_json(const SweepTable& table);

}  // namespace slipfield
