// SPDX-License-Identifier: Apache-2.0
// Writes steps that a program solved to a result file like the command line's.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/report/doubt_log.h"
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
  std::vector<std::string> warnings{};  // warnings of the step, including its remark
  std::vector<std::string> doubts{};    // doubts about the position that was set for it
};

// What a result file stores besides its steps: the case as it was when they ran.
struct ResultOrigin {
  CaseFile file;
  std::string backend;
  std::string device;
  MakeInteriorPlanes interior;  // the backend's
  StepSystemsMaker systems{};   // where derivatives are computed
};

// Not thread-safe; calls of HDF5 wait for those of other threads.
class Recording {
 public:
  // `case_yaml`: the case stored in the file. Throws InputError if the file may not be written.
  Recording(const ResultOrigin& origin, std::string case_yaml, const std::filesystem::path& path,
            Overwrite overwrite);
  // Without end() no file is left.
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void write(StepRecord step, const ContactSolution& solution,
             const std::vector<std::string>& warnings, const std::vector<std::string>& doubts);
  [[nodiscard]] int steps_written() const { return steps_written_; }
  void end();

 private:
  ResultOrigin origin_;
  std::optional<ResultWriter> writer_;
  RunOutcome outcome_ = RunOutcome::converged;
  std::vector<std::string> warnings_;  // of the whole file
  DoubtLog doubts_;
  std::set<std::string> told_;
  int steps_written_ = 0;
};

// Throws InputError for an empty list of steps, or if the file may not be written.
void write_result(const ResultOrigin& origin, const std::filesystem::path& path,
                  Overwrite overwrite, std::span<const KeptStep> steps);

}  // namespace slipfield
