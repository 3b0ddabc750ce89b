// SPDX-License-Identifier: Apache-2.0
#include "app/library/recording.h"

#include <fmt/format.h>

#include <utility>

#include "app/run/interior.h"
#include "app/run/run_case.h"
#include "io/case/change/open_case.h"
#include "io/hdf5/one_thread.h"
#include "solver/error.h"

namespace slipfield {

Recording::Recording(const ResultOrigin& origin, std::string case_yaml,
                     const std::filesystem::path& path, Overwrite overwrite, StepChoice choice)
    : origin_(origin), warnings_(origin.file.warnings), choice_(choice) {
  const CaseFile& file = origin_.file;
  const OutputRule allowed{overwrite, file.input_files, OutputOf::library};
  check_output(path, FileKind::result, allowed);
  ResultHeader header = run_header(file, file.wheel_rail ? Grid{} : file.problem.grid,
                                   origin_.backend, origin_.device);
  header.case_yaml = std::move(case_yaml);
  const hdf5::OneThread alone;
  writer_.emplace(path, header, allowed, file.output.fields);
}

Recording::~Recording() {
  const hdf5::OneThread alone;
  writer_.reset();
}

void Recording::write(KeptStep& step) {
  const hdf5::OneThread alone;
  write_with_interior(*writer_, origin_.file, origin_.interior, step.record, step.solution,
                      step.warnings);
  ++steps_written_;
}

void Recording::add(KeptStep kept) {
  held_.reset();
  const OutputSettings& output = origin_.file.output;
  // No step is known to be the last one before the end.
  if (choice_ == StepChoice::every || output.wants_step(kept.record.number, 0))
    write(kept);
  else
    held_ = kept;
  ++steps_done_;
  const StepRecord& step = kept.record;
  const StepReport& report = step.report;
  const std::vector<std::string>& warnings = kept.warnings;
  warnings_.add_set(step.number, kept.doubts, kept.of_case);
  if (report.outcome != Outcome::converged) outcome_ = RunOutcome::not_converged;
  const hdf5::OneThread alone;
  if (step.wheelset) {
    warnings_.add(step.number, report, warnings);
  } else {
    warnings_.add(step.number, origin_.file.problem, step.input, report);
    for (const std::string& warning : warnings)
      if (warning != report.message) writer_->warn(step.number, warning);
  }
}

void Recording::end() {
  if (held_ && (steps_written_ == 0 || origin_.file.output.steps == OutputSettings::Steps::last))
    write(*held_);
  const hdf5::OneThread alone;
  writer_->set_warnings(warnings_.lines());
  writer_->finish(outcome_);
}

namespace {

// Whether the step depends on the tractions of the one before.
bool continues_earlier_steps(const StepRecord& step) {
  const TangentialProblem problem = step.input.tangential.problem;
  return !step.wheelset &&
         (problem == TangentialProblem::shift || problem == TangentialProblem::transient_rolling);
}

// Each with the step's loads.
std::vector<StepTask> tasks_of(std::span<const KeptStep> steps) {
  std::vector<StepTask> tasks;
  int before = 0;  // number of the step before
  for (const KeptStep& step : steps) {
    if (step.record.wheelset) {
      WheelsetStep task = step.record.wheelset->task;
      task.repeat = step.record.number - before;
      tasks.emplace_back(std::move(task));
    } else {
      StepInput input = step.record.input;
      input.repeat = 1;
      tasks.emplace_back(std::move(input));
    }
    before = step.record.number;
  }
  return tasks;
}

// A list of output.steps counts the steps of the stored case.
OutputSettings output_of(const CaseFile& file, std::span<const KeptStep> steps) {
  OutputSettings output = file.output;
  const int first = steps.front().record.number;
  if (output.steps != OutputSettings::Steps::listed || (steps.size() > 1 && first == 1))
    return output;
  const int left_out = file.wheel_rail ? 0 : first - 1;
  std::vector<int> numbers;
  for (const KeptStep& step : steps) {
    const int number = step.record.number;
    if (steps.size() == 1 || output.wants_step(number, 0)) numbers.push_back(number - left_out);
  }
  if (numbers.empty()) numbers.push_back(steps.back().record.number - left_out);
  output.step_numbers = std::move(numbers);
  return output;
}

}  // namespace

void write_result(const ResultOrigin& origin, const std::filesystem::path& path,
                  Overwrite overwrite, std::span<const KeptStep> steps) {
  if (steps.empty()) throw InputError("no step was given to write; accepted: at least one");
  CaseFile file = origin.file;
  file.output = output_of(origin.file, steps);
  const std::string case_yaml = resolved_case(std::move(file), tasks_of(steps));
  Recording recording(origin, case_yaml, path, overwrite,
                      steps.size() > 1 ? StepChoice::of_case : StepChoice::every);
  int before = 0;
  for (const KeptStep& step : steps) {
    const int number = step.record.number;
    if (number != before + 1 && continues_earlier_steps(step.record))
      recording.warn(
          fmt::format("step {} continues steps that are not in the file, so /case does not "
                      "reproduce it",
                      number));
    before = number;
  }
  for (const KeptStep& step : steps) recording.add(step);
  recording.end();
}

}  // namespace slipfield
