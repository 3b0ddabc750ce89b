// SPDX-License-Identifier: Apache-2.0
// Runs a case and writes its result file. A run is points x steps x contacts: a case without a
// sweep is one point; its steps run in order; a step is one contact, or a wheelset with several.
//
// Points of a sweep share nothing and run side by side, so the results depend neither on how many
// run at a time nor on their order. On the CPU each point has one thread, or several if there are
// more threads than points; on a GPU several points run at a time, each on its own stream.
// kSweepBlock points at a time are in memory: the next block begins when all points of a block have
// ended.
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
  // If the run ended early after finished steps (`incomplete`): the reason and the exit code.
  std::string error;
  int error_code = 0;
  std::vector<ExpectationResult> expected;
  std::vector<std::string> warnings;  // all warnings stored in the result
};

struct RunRecord : RunSummary {
  // Without a sweep: the numbers of its steps; histories and fields are in the result file.
  std::vector<StepRecord> steps;
  // --- For a sweep. The outcome is `incomplete` if a point failed; expected numbers are per point,
  // and `warnings` excludes those of single points.
  int at_a_time = 0;     // points
  SweepLayout layout;    // of the points that run
  SweepTable table;      // of the current block, in the end of the last one
  OutcomeCounts counts;  // over all points that have run
};

// Warns if results differ from the numbers that the case expects.
inline constexpr std::string_view kDiffersFromExpected =
    "the results differ from the numbers the case expects";
void warn_of_expected(const std::vector<ExpectationResult>& expected);

struct RunOptions {
  BackendChoice backend = BackendChoice::automatic;
  std::filesystem::path output;
  Overwrite overwrite = Overwrite::refuse;
  bool resume = false;          // continue from finished results, if there are any
  std::optional<int> gpu = {};  // see BackendRequest
  std::vector<int> gpus = {};   // likewise
  int at_a_time = 0;            // points of a sweep; 0: decided by the machine
};

// Says which existing files the result may replace.
OutputRule output_rule(const CaseFile& case_file, const RunOptions& options);

// The checksums of the files that the case names, with their names as in the resolved case.
std::vector<std::string> input_lines(const CaseFile& case_file);

// Returns the header of a result of the case; `grid`: common to all its solutions, or none.
ResultHeader run_header(const CaseFile& case_file, const Grid& grid, std::string backend,
                        std::string device);

struct RunObserver {
  std::function<void(const RunRecord&)> on_start;  // the solver is made; no step has run
  std::function<void(const StepRecord&)> on_step;  // after each finished step; not for sweeps
  // After each point of a sweep in order, with the first of its rows.
  std::function<void(const RunRecord&, std::size_t)> on_point = {};
};

// For a run without an observer.
RunObserver silent_observer();

// Before the first step or point is finished, an error or interrupt leaves as an exception; after
// it, the finished part is saved, and a later run with `resume` continues from there. A point that
// ends by an error is marked as failed; the other points still run.
RunRecord run_case(const CaseFile& case_file, const RunOptions& options,
                   const RunObserver& observer);

}  // namespace slipfield
