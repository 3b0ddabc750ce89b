// SPDX-License-Identifier: Apache-2.0
// What a sweep comes to, block by block: how it ends, and what its points warn of together.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "app/run/run_case.h"

namespace slipfield {

// What is kept of a point until its block ends, apart from its row.
struct EndedPoint {
  PointOutcome outcome = PointOutcome::converged;
  int error_code = 0;  // where the outcome is `failed`
  std::vector<ExpectationResult> expected;
};

class SweepTally {
 public:
  // The block that is record.table, whose points ended as `results` say: into the record's counts,
  // outcome, error and expected numbers.
  void add(RunRecord& record, std::map<int, EndedPoint>& results);

  // Logs what the points' warnings say together: each kind once, with how many points have it. Of
  // those at the edge of the grid ResultWriter::edge_warning() speaks. known: what was logged of
  // the points before they were solved, which is not repeated.
  void tell_warnings(const std::vector<std::string>& known) const;

 private:
  struct Kind {
    std::string key;
    std::string text;    // of the first point
    std::string values;  // of its keys
    int first = 0;
    std::size_t points = 0;
  };
  std::vector<Kind> kinds_;
};

// Not one point has a result, so there is nothing to keep.
[[noreturn]] void throw_first_failure(const RunRecord& record);

}  // namespace slipfield
