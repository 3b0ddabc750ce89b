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

void SweepTally::add(RunRecord& record, std::map<int, EndedPoint>& results) {
  const SweepTable& table = record.table;
  record.counts.add(table);
  for (const std::size_t row : table.steps()) {
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

void SweepTally::tell_warnings(const std::vector<std::string>& known) const {
  for (const Kind& kind : kinds_) {
    const bool is_known = std::ranges::any_of(known, [&](const std::string& text) {
      return without_numbers(text).find(kind.key) != std::string::npos;
    });
    if (is_known) continue;
    log_warning(kind.points == 1
                    ? fmt::format("point {}: {} ({})", kind.first, kind.text, kind.values)
                    : fmt::format("{}, first {}: {} ({})", counted(kind.points, "point"),
                                  kind.first, kind.text, kind.values));
  }
}

void throw_first_failure(const RunRecord& record) {
  const std::string message = record.error + "; no point has a result, nothing was written";
  if (record.error_code == static_cast<int>(ExitCode::bad_input)) throw InputError(message);
  throw Error(message);
}

}  // namespace slipfield
