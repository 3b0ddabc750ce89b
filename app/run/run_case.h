// SPDX-License-Identifier: Apache-2.0
// Runs a case from its first step to its last and writes the result file; a step is one contact, or
// a wheelset with several.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/run/expectations.h"
#include "app/run/step_session.h"
#include "io/case/reader.h"
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
  std::vector<StepRecord> steps;  // their numbers: histories and fields are in the result file
};

// Warns where the results differ from the numbers that the case expects.
void warn_of_expected(const std::vector<ExpectationResult>& expected);

struct RunOptions {
  BackendChoice backend = BackendChoice::automatic;
  std::filesystem::path output;
  Overwrite overwrite = Overwrite::refuse;
  bool resume = false;  // continue from the checkpoint of an earlier run, where there is one
  std::optional<int> gpu = {};  // as BackendRequest
  std::vector<int> gpus = {};   // likewise
};

// What may be in the place of the result.
OutputRule output_rule(const CaseFile& case_file, const RunOptions& options);

// Header of a result of the case; `grid`: of all its solutions, or none.
ResultHeader run_header(const CaseFile& case_file, const Grid& grid, std::string backend,
                        std::string device);

struct RunObserver {
  std::function<void(const RunRecord&)> on_start;  // the solver is made, no step has run
  std::function<void(const StepRecord&)> on_step;  // after each finished step
};

// An error or interrupt before the first step is finished leaves as an exception; after it, the
// finished steps are saved.
RunRecord run_case(const CaseFile& case_file, const RunOptions& options,
                   const RunObserver& observer);

}  // namespace slipfield
