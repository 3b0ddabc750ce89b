// SPDX-License-Identifier: Apache-2.0
#include "app/export/steps.h"

namespace slipfield {

SweepTable table_of_steps(const ResultFile& result) {
  SweepTable table =
      table_of_numbers(result.steps(), [](const ResultStep& step) { return step.report.outcome; });
  for (std::size_t i = 0; i < result.steps().size(); ++i) {
    const ResultStep& step = result.steps()[i];
    set_totals(table, i, step.input, step.report);
    table.messages[i] = step.report.message;
    table.touches_edge[i] = step.report.touches_edge ? 1 : 0;
  }
  drop_empty_columns(table);
  return table;
}

}  // namespace slipfield
