// SPDX-License-Identifier: Apache-2.0
#include "app/run/sweep/sweep_tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/console.h"
#include "app/report/step_table.h"
#include "app/report/step_warnings.h"
#include "io/result/warnings.h"
#include "solver/error.h"

namespace slipfield {

std::string failure_line(const SweepTable& table, std::size_t row, const std::string& message) {
  return fmt::format("point {} ({}): {}", table.keys[row].point, table.describe(row), message);
}

void SweepTally::add(const SweepTable& table) {
  constexpr std::size_t kMostFailures = 20;  // the table has all
  for (const std::size_t row : table.steps()) {
    const PointOutcome outcome = table.outcomes[row];
    if (outcome == PointOutcome::not_converged || outcome == PointOutcome::failed) {
      if (failures_.size() < kMostFailures)
        failures_.push_back(failure_line(table, row, table.messages[row]));
      else
        ++more_failures_;
    }
    for (const std::string& text : split_lines(table.warnings[row])) {
      if (text == kEdgeWarning) continue;
      std::string key = without_numbers(text);
      auto kind = std::find_if(kinds_.begin(), kinds_.end(),
                               [&](const Kind& known) { return known.key == key; });
      if (kind == kinds_.end())
        kind = kinds_.insert(kind,
                             {std::move(key), text, table.describe(row), table.keys[row].point, 0});
      ++kind->points;
    }
  }
}

void SweepTally::add(RunRecord& record, std::map<int, EndedPoint>& results) {
  const SweepTable& table = record.table;
  record.counts.add(table);
  add(table);
  for (auto& [number, result] : results) {
    std::move(result.expected.begin(), result.expected.end(), std::back_inserter(record.expected));
    if (result.outcome == PointOutcome::not_converged && record.outcome == RunOutcome::converged)
      record.outcome = RunOutcome::not_converged;
    if (result.outcome != PointOutcome::failed || record.error_code != 0) continue;
    record.outcome = RunOutcome::incomplete;
    record.error = fmt::format("point {} failed: {}", number, table.messages[table.row_of(number)]);
    record.error_code = result.error_code;
  }
}

std::vector<std::string> SweepTally::failures() const {
  std::vector<std::string> lines = failures_;
  if (more_failures_ > 0)
    lines.push_back(fmt::format("{} more did not converge; /table/message has why",
                                counted(more_failures_, "point")));
  return lines;
}

std::vector<std::string> SweepTally::warnings(const std::vector<std::string>& known) const {
  std::vector<std::string> lines;
  for (const Kind& kind : kinds_) {
    const bool is_known = std::ranges::any_of(known, [&](const std::string& text) {
      return without_numbers(text).find(kind.key) != std::string::npos;
    });
    if (is_known) continue;
    lines.push_back(kind.points == 1
                        ? fmt::format("point {}: {} ({})", kind.first, kind.text, kind.values)
                        : fmt::format("{}, first {}: {} ({})", counted(kind.points, "point"),
                                      kind.first, kind.text, kind.values));
  }
  return lines;
}

void throw_first_failure(const RunRecord& record) {
  const std::string message = record.error + "; no point has a result, nothing was written";
  if (record.error_code == static_cast<int>(ExitCode::bad_input)) throw InputError(message);
  throw Error(message);
}

}  // namespace slipfield
