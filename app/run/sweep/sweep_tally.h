// SPDX-License-Identifier: Apache-2.0
// What a sweep comes to, block by block: how it ends, and which warning its file has.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "app/run/run_sweep.h"

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
  void add(SweepRecord& record, std::map<int, EndedPoint>& results);

  // Logs what the points' warnings say together: each kind once, with how many points have it.
  void tell_warnings() const;
  // Warning about points whose contact reaches the edge of the grid, also logged; empty: none.
  [[nodiscard]] std::string edge_warning() const;

 private:
  struct Kind {
    std::string key;
    std::string text;  // of the first point
    int first = 0;
    std::size_t points = 0;
  };
  std::vector<Kind> kinds_;
  std::size_t at_edge_ = 0;
  int first_at_edge_ = 0;
};

// Not one point has a result, so there is nothing to keep.
[[noreturn]] void throw_first_failure(const SweepRecord& record);

}  // namespace slipfield
