// SPDX-License-Identifier: Apache-2.0
#include "app/library/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "app/report/wheel_warnings.h"
#include "app/run/interior.h"
#include "app/run/run_case.h"
#include "io/case/change/open_case.h"
#include "io/hdf5/one_thread.h"
#include "solver/error.h"

namespace slipfield {

Recording::Recording(const ResultOrigin& origin, std::string case_yaml,
                     const std::filesystem::path& path, Overwrite overwrite)
    : origin_(origin), warnings_(origin.file.warnings) {
  const CaseFile& file = origin_.file;
  const OutputRule allowed{overwrite, file.input_files};
  check_output(path, FileKind::result, allowed);
  ResultHeader header = run_header(file, file.wheel_rail ? Grid{} : file.problem.grid,
                                   origin_.backend, origin_.device);
  header.case_yaml = std::move(case_yaml);
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  writer_.emplace(path, header, allowed, file.output.fields);
}

Recording::~Recording() {
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  writer_.reset();
}

void Recording::write(StepRecord step, const ContactSolution& solution,
                      const std::vector<std::string>& warnings,
                      const std::vector<std::string>& doubts) {
  const StepReport& report = step.report;
  for (const std::string& doubt : doubts)
    if (std::find(warnings_.begin(), warnings_.end(), doubt) == warnings_.end())
      warnings_.push_back(doubt);
  if (report.outcome != Outcome::converged) {
    outcome_ = RunOutcome::not_converged;
    warnings_.push_back(fmt::format("step {} did not converge: {}", step.number, report.message));
  }
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  write_with_interior(*writer_, origin_.file, origin_.interior, step, solution, warnings);
  for (const std::string& warning : warnings) {
    if (!step.wheelset && warning != report.message) writer_->warn(step.number, warning);
    warnings_.push_back(step.wheelset ? wheel_warning_text(step.number, warning)
                                      : fmt::format("step {}: {}", step.number, warning));
  }
  ++steps_written_;
}

void Recording::end() {
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  writer_->set_warnings(warnings_);
  writer_->finish(outcome_);
}

void write_result(const ResultOrigin& origin, const std::filesystem::path& path,
                  Overwrite overwrite, std::span<const KeptStep> steps) {
  if (steps.empty()) throw InputError("no step was given to write; accepted: at least one");
  std::vector<StepTask> tasks;
  for (const KeptStep& step : steps) {
    if (step.record.wheelset) {
      tasks.emplace_back(step.record.wheelset->task);
      continue;
    }
    StepInput input = step.record.input;
    input.repeat = 1;  // each is there by itself
    tasks.emplace_back(std::move(input));
  }
  Recording recording(origin, resolved_case(origin.file, tasks), path, overwrite);
  for (const KeptStep& step : steps)
    recording.write(step.record, step.solution, step.warnings, step.doubts);
  recording.end();
}

}  // namespace slipfield
