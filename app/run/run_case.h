// SPDX-License-Identifier: Apache-2.0
// Runs a case and writes its result file. A run is points x steps x contacts: a case without a
// sweep is one point, whose steps run from the first to the last; a step is one contact, or a
// wheelset with several.
//
// The points of a sweep share nothing and run side by side, so the numbers depend neither on how
// many run at a time nor on their order. On the CPU each point has a thread of its own, or several
// where there are more threads than points; on the GPU some points are in flight, each on its own
// stream. kSweepBlock points at a time are in memory: the next block begins when the last point of
// a block has ended.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/run/expectations.h"
#include "app/run/step_session.h"
#include "io/case/reader.h"
#include "io/result/sweep_table.h"
#include "io/result/writer.h"

namespace slipfield {

// Summary of a run, apart from its steps.
struct RunSummary {
  std::filesystem::path results;
  std::string backend;
  std::string device;
  RunOutcome outcome = RunOutcome::converged;
  // Where the run ended early after finished steps (`incomplete`): why, and the exit code.
  std::string error;
  int error_code = 0;
  std::vector<ExpectationResult> expected;
  std::vector<std::string> warnings;  // all that the result says
};

struct RunRecord : RunSummary {
  // Without a sweep; their numbers: histories and fields are in the result file.
  std::vector<StepRecord> steps;
  // --- Of a sweep. Where a point failed it is `incomplete`; expected numbers are there point by
  // point, and warnings apart from those of single points.
  int at_a_time = 0;     // points
  SweepLayout layout;    // the points that run
  SweepTable table;      // of the block that runs, at the end of the last one
  OutcomeCounts counts;  // of all of them that have run
};

// Warns where the results differ from the numbers that the case expects.
void warn_of_expected(const std::vector<ExpectationResult>& expected);

struct RunOptions {
  BackendChoice backend = BackendChoice::automatic;
  std::filesystem::path output;
  Overwrite overwrite = Overwrite::refuse;
  bool resume = false;  // continue from what an earlier run has finished, where there is anything
  std::optional<int> gpu = {};  // as BackendRequest
  std::vector<int> gpus = {};   // likewise
  int at_a_time = 0;            // points of a sweep; 0: as many as the machine takes
};

// What may be in the place of the result.
OutputRule output_rule(const CaseFile& case_file, const RunOptions& options);

// Header of a result of the case; `grid`: of all its solutions, or none.
ResultHeader run_header(const CaseFile& case_file, const Grid& grid, std::string backend,
                        std::string device);

struct RunObserver {
  std::function<void(const RunRecord&)> on_start;  // the solver is made, nothing has run
  std::function<void(const StepRecord&)> on_step;  // after each finished step, without a sweep
  // After each point of a sweep, in their order: the first of its rows.
  std::function<void(const RunRecord&, std::size_t)> on_point = {};
};

// For a run that nobody watches.
RunObserver silent_observer();

// An error or interrupt before the first step or point is finished leaves as an exception; after
// it, what is finished is saved, and with `resume` a later run continues from there. A point that
// ends by an error is marked as failed, and the others run on.
RunRecord run_case(const CaseFile& case_file, const RunOptions& options,
                   const RunObserver& observer);

}  // namespace slipfield
