// SPDX-License-Identifier: Apache-2.0
// Runs the points of a sweep side by side and writes their table.
//
// On the CPU each point has a thread of its own, or several where there are more threads than
// points; on the GPU some points are in flight, each on its own stream. Points share nothing, so
// the numbers depend neither on how many run at a time nor on their order.
//
// kSweepBlock points at a time are in memory: the next block begins when the last point of a block
// has ended.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/run/expectations.h"
#include "app/run/run_case.h"
#include "io/result/sweep_table.h"

namespace slipfield {

// Where it ended early the sweep is `incomplete`; expected numbers are there point by point, and
// warnings apart from those of single points.
struct SweepRecord : RunSummary {
  int at_a_time = 0;     // points
  SweepLayout layout;    // the points that run
  SweepTable table;      // of the block that runs, at the end of the last one
  OutcomeCounts counts;  // of all of them that have run
};

struct SweepOptions {
  RunOptions run;
  int at_a_time = 0;  // points; 0: as many as the machine takes
};

struct SweepObserver {
  std::function<void(const SweepRecord&)> on_start;  // no point has run
  std::function<void(const SweepRecord&, std::size_t)>
      on_point;  // its first row; in the order of the points
};

// With `resume`, points that an earlier run of the sweep has finished are taken from what it left.
// An error or interrupt before any point is finished leaves as an exception; after it, the finished
// points are saved. A point that ends by an error is marked as failed, and the others run on.
SweepRecord run_sweep(const CaseFile& case_file, const SweepOptions& options,
                      const SweepObserver& observer);

}  // namespace slipfield
