// SPDX-License-Identifier: Apache-2.0
// Sums up a sweep block by block: its outcome, and the warnings common to its points.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "app/run/run_case.h"
#include "io/result/sweep_table.h"

namespace slipfield {

// The part of a point's result, besides its row, that is kept until its block ends.
struct EndedPoint {
  PointOutcome outcome = PointOutcome::converged;
  int error_code = 0;  // if the outcome is `failed`
  std::vector<ExpectationResult> expected;
};

class SweepTally {
 public:
  // Adds the block in record.table, whose points ended with `results`, to the record's counts,
  // outcome, error and expected numbers.
  void add(RunRecord& record, std::map<int, EndedPoint>& results);
  // Adds the warnings and messages of a block.
  void add(const SweepTable& table);

  // Why points did not converge, one line each for the first of them, then the number of the
  // others.
  [[nodiscard]] std::vector<std::string> failures() const;
  // The warnings of all points: each kind once, with the number of points that have it.
  // ResultWriter::edge_warning() covers those at the edge of the grid. known: warnings logged
  // before the points were solved, which are not repeated.
  [[nodiscard]] std::vector<std::string> warnings(const std::vector<std::string>& known) const;

 private:
  struct Kind {
    std::string key;
    std::string text;    // of the first point
    std::string values;  // of its keys
    int first = 0;
    std::size_t points = 0;
  };
  std::vector<Kind> kinds_;
  std::vector<std::string> failures_;
  std::size_t more_failures_ = 0;
};

// The line of the log about a point that did not converge.
std::string failure_line(const SweepTable& table, std::size_t row, const std::string& message);

// Throws the first failure: no point has a result, so there is nothing to keep.
[[noreturn]] void throw_first_failure(const RunRecord& record);

}  // namespace slipfield
