// SPDX-License-Identifier: Apache-2.0
// The totals of a sequence over its steps, as a table.
#pragma once

#include <cstddef>
#include <string>

#include "io/result/reader.h"
#include "io/result/sweep_table.h"

namespace slipfield {

// A table with a row for each of `steps`, numbered by their `number`, and "step" for its key; its
// totals are still to be set, its outcomes are those of outcome_of(step).
template <class Steps, class OutcomeOf>
SweepTable table_of_numbers(const Steps& steps, const OutcomeOf& outcome_of) {
  SweepInput number{"step", {}, {}, Spacing::linear};
  for (const auto& step : steps) {
    number.texts.push_back(std::to_string(step.number));
    number.numbers.push_back(step.number);
  }
  SweepTable table = empty_sweep_table({number}, {steps.size()});
  for (std::size_t i = 0; i < steps.size(); ++i)
    table.outcomes[i] = outcome_of(steps[i]) == Outcome::converged ? PointOutcome::converged
                                                                   : PointOutcome::not_converged;
  return table;
}

// A table with a row for each step that the file holds, and "step" for its key.
SweepTable table_of_steps(const ResultFile& result);

}  // namespace slipfield
