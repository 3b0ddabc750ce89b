// SPDX-License-Identifier: Apache-2.0
// Writes steps that a program solved to a result file like the command line's.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/report/run_warnings.h"
#include "app/run/step_session.h"
#include "io/case/reader.h"
#include "io/output_rule.h"
#include "io/result/writer.h"
#include "solver/gradient/step_systems.h"
#include "solver/interior/interior_planes.h"

namespace slipfield {

// A step that is kept after the next one has begun.
struct KeptStep {
  StepRecord record;
  ContactSolution solution;             // of one contact
  std::vector<std::string> warnings{};  // of the step alone, including its remark and doubts
  std::vector<std::string> doubts{};    // about the loads that were set for it
  std::vector<std::string> of_case{};   // warnings of the case that hold for it
};

// What a result file stores besides its steps: the case as it was when they ran.
struct ResultOrigin {
  CaseFile file;
  std::string backend;
  std::string device;
  MakeInteriorPlanes interior;  // the backend's
  StepSystemsMaker systems{};   // where derivatives are computed
  int threads = 0;              // that a solution may use; 0: all
};

// Which steps of a recording are written with their fields.
enum class StepChoice { every, of_case };  // of_case: those of the case's output.steps

// Not thread-safe; calls of HDF5 wait for those of other threads.
class Recording {
 public:
  // `case_yaml`: the case stored in the file. Throws InputError if the file may not be written.
  Recording(const ResultOrigin& origin, std::string case_yaml, const std::filesystem::path& path,
            Overwrite overwrite, StepChoice choice);
  // Without end() no file is left.
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void add(KeptStep kept);
  // Adds a warning about the whole file.
  void warn(std::string text) { warnings_.add_line(std::move(text)); }
  [[nodiscard]] int steps_done() const { return steps_done_; }
  // If no step was to be written so far, or the last one, writes the last.
  void end();

 private:
  void write(KeptStep& step);

  ResultOrigin origin_;
  std::optional<ResultWriter> writer_;
  RunOutcome outcome_ = RunOutcome::converged;
  RunWarnings warnings_;
  StepChoice choice_;
  std::optional<KeptStep> held_;  // the last step, if it is not written
  int steps_done_ = 0;
  int steps_written_ = 0;
};

// Writes those of consecutive steps that the case's output.steps asks for; a single step always.
// The stored case has these steps; that of a wheel, whose readers look for a step by its number,
// repeats the first of them in place of those before it. Throws InputError for an empty list of
// steps, or if the file may not be written.
void write_result(const ResultOrigin& origin, const std::filesystem::path& path,
                  Overwrite overwrite, std::span<const KeptStep> steps);

}  // namespace slipfield
