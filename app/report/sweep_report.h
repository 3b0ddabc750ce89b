// SPDX-License-Identifier: Apache-2.0
// The table of a sweep as lines of text and as JSON, for `run`, `inspect` and `compare`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/report/shown_table.h"
#include "io/result/sweep_table.h"
#include "solver/problem.h"

namespace slipfield {

// Value of a key in a point, numbers with six digits.
std::string value_text(const SweepInput& input, std::size_t point);

// Lines of text: the values of the keys and the totals most looked for.
class SweepLines {
 public:
  // found, width: as of StepTable.
  SweepLines(const SweepTable& table, Units units, const std::vector<std::string>& found,
             int width);
  [[nodiscard]] std::vector<std::string> head() const;
  [[nodiscard]] std::string row(const SweepTable& table, std::size_t point) const;

 private:
  std::vector<std::string> totals_;  // in the order of their columns
  std::vector<TableColumn> columns_;
  std::vector<std::size_t> shown_;  // of the columns of the keys
};

// "200 points: 198 converged, 2 not_converged".
std::string sweep_summary(const SweepTable& table);
std::string sweep_summary(const OutcomeCounts& counts);

// One object for each point with its inputs and all of its totals; not a number is null.
nlohmann::ordered_json sweep_json(const SweepTable& table);

}  // namespace slipfield
