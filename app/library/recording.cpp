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

void Recording::write(const StepRecord& step, const ContactSolution& solution,
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
  if (step.wheelset)
    write_wheelset(step, warnings);
  else
    write_contact(step, solution, warnings);
  ++steps_written_;
}

void Recording::write_contact(const StepRecord& step, const ContactSolution& solution,
                              const std::vector<std::string>& warnings) {
  std::optional<InteriorField> interior =
      interior_of(origin_.file, origin_.file.problem, solution, origin_.interior);
  writer_->write_step(step.number, step.input, step.report, solution, pointer_to(interior));
  for (const std::string& warning : warnings) {
    if (warning != step.report.message) writer_->warn(step.number, warning);
    warnings_.push_back(fmt::format("step {}: {}", step.number, warning));
  }
}

void Recording::write_wheelset(const StepRecord& step, const std::vector<std::string>& warnings) {
  InteriorMaker maker;
  if (origin_.file.interior)
    maker = [this](const SolvedPatch& patch) {
      ContactProblem problem = origin_.file.problem;
      problem.grid = patch.patch.grid;
      return interior_of(origin_.file, problem, patch.solution, origin_.interior);
    };
  writer_->write_step(step.number, step.wheelset->solved, warnings, maker);
  for (const std::string& warning : warnings)
    warnings_.push_back(wheel_warning_text(step.number, warning));
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
