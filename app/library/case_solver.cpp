// SPDX-License-Identifier: Apache-2.0
#include "app/library/case_solver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "app/report/step_warnings.h"
#include "app/run/interior.h"
#include "app/run/run_case.h"
#include "gpu/cuda_device.h"
#include "io/hdf5/one_thread.h"
#include "io/result/field_table.h"
#include "solver/error.h"
#include "solver/threads/thread_count.h"

namespace slipfield {
namespace {

HeightsFiles with_arrays(const std::vector<NamedArray>& arrays) {
  HeightsFiles files;
  for (const NamedArray& array : arrays) files.give(array.name, array.values);
  return files;
}

[[noreturn]] void refuse_field(std::string_view name) {
  throw InputError(
      fmt::format("there is no field '{}'; accepted: {}", name, fmt::join(field_names(), ", ")));
}

const FieldEntry* find_field(std::string_view name) {
  const auto table = field_table();
  const auto entry = std::find_if(table.begin(), table.end(),
                                  [&](const FieldEntry& known) { return known.name == name; });
  return entry == table.end() ? nullptr : &*entry;
}

ResultHeader result_header(const ResultOrigin& origin, std::string case_yaml) {
  ResultHeader header =
      run_header(origin.file, origin.file.problem.grid, origin.backend, origin.device);
  header.case_yaml = std::move(case_yaml);
  return header;
}

// Writes a step's warnings to the file and adds them to the list of the whole file.
void note_warnings(ResultWriter& writer, const StepRecord& step,
                   const std::vector<std::string>& warnings, std::vector<std::string>& all) {
  const StepReport& report = step.report;
  if (report.outcome != Outcome::converged)
    all.push_back(fmt::format("step {} did not converge: {}", step.number, report.message));
  for (const std::string& warning : warnings) {
    if (warning != report.message) writer.warn(step.number, warning);
    all.push_back(fmt::format("step {}: {}", step.number, warning));
  }
}

}  // namespace

void write_result(const ResultOrigin& origin, const std::filesystem::path& path,
                  Overwrite overwrite, std::span<const KeptStep> steps) {
  if (steps.empty()) throw InputError("no step was given to write; accepted: at least one");
  const CaseFile& file = origin.file;
  const OutputRule allowed{overwrite, file.input_files};
  check_output(path, FileKind::result, allowed);
  std::vector<StepInput> inputs;
  RunOutcome outcome = RunOutcome::converged;
  for (const KeptStep& step : steps) {
    inputs.push_back(step.record.input);
    inputs.back().repeat = 1;  // each is there by itself
    if (step.record.report.outcome != Outcome::converged) outcome = RunOutcome::not_converged;
  }
  const ResultHeader head = result_header(origin, resolved_case(file, std::move(inputs)));
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  ResultWriter writer(path, head, allowed, file.output.fields);
  std::vector<std::string> warnings = file.warnings;
  for (const KeptStep& step : steps) {
    std::optional<InteriorField> interior =
        interior_of(file, file.problem, step.solution, origin.interior);
    writer.write_step(step.record.number, step.record.input, step.record.report, step.solution,
                      pointer_to(interior));
    note_warnings(writer, step.record, step.warnings, warnings);
  }
  writer.set_warnings(std::move(warnings));
  writer.finish(outcome);
}

std::unique_ptr<CaseSolver> CaseSolver::from_file(const std::filesystem::path& path,
                                                  CaseSolverOptions options) {
  CaseDiagnostics diagnostics;
  return std::make_unique<CaseSolver>(read_case_text(path, {}, diagnostics), std::move(options));
}

std::unique_ptr<CaseSolver> CaseSolver::from_text(const std::string& yaml,
                                                  CaseSolverOptions options) {
  CaseDiagnostics diagnostics;
  auto text = make_case_text(yaml, "case", options.folder, diagnostics);
  return std::make_unique<CaseSolver>(std::move(text), std::move(options));
}

CaseSolver::CaseSolver(std::unique_ptr<CaseText> text, CaseSolverOptions options)
    : options_(std::move(options)) {
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  case_ = std::make_unique<OpenCase>(std::move(text), with_arrays(options_.arrays));
}

CaseSolver::~CaseSolver() {
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  writer_.reset();
}

void CaseSolver::set(const std::vector<KeyValue>& changes) {
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  if (case_->set(changes, steps_done() + 1)) start_again();
}

void CaseSolver::take_back(const OpenCase::Values& values) {
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  if (case_->take_back(values)) start_again();
}

void CaseSolver::start_again() {
  session_.reset();
  solution_.reset();
  origin_.reset();
}

void CaseSolver::set_array(const std::string& name, std::shared_ptr<const Heights> values) {
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  case_->set_array(name, std::move(values), steps_done() + 1);
  origin_.reset();
  if (steps_done() == 0) session_.reset();
}

std::string CaseSolver::value(std::string_view key) { return case_->value(key, steps_done() + 1); }

void CaseSolver::report_progress(const Progress& progress) const {
  if (!options_.progress(steps_done() + 1, progress)) throw Cancelled();
}

void CaseSolver::start() {
  if (session_) return;
  backend_ = settle_backend(options_.backend, case_->problem());
  ProgressCallback progress;
  if (options_.progress) progress = [this](const Progress& now) { report_progress(now); };
  session_.emplace(*backend_, case_->problem(), std::move(progress));
}

const StepRecord& CaseSolver::advance() {
  const ThreadCount threads(options_.threads);
  start();
  solution_.reset();
  const StepInput& input = case_->step(steps_done() + 1);
  std::optional<SavedSteps> before;
  if (options_.rewind) before = session_->save();
  try {
    session_->advance(input);
  } catch (const BackendLost&) {
    throw;
  } catch (...) {
    if (before) session_->restore(*before);
    throw;
  }
  const StepRecord& step = *session_->last();
  if (writer_) {
    const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
    std::optional<InteriorField> interior =
        interior_of(case_->file(), case_->problem(), solution(), interior_planes_on(*backend_));
    writer_->write_step(step.number, step.input, step.report, solution(), pointer_to(interior));
    note_warnings(*writer_, step, step_remarks(step.report, session_->warnings()),
                  recorded_warnings_);
    if (step.report.outcome != Outcome::converged) outcome_ = RunOutcome::not_converged;
  }
  return step;
}

const StepRecord& CaseSolver::last() const {
  if (steps_done() == 0) throw InputError("no step has run yet; accepted: a call of advance first");
  return *session_->last();
}

double CaseSolver::total(std::string_view name) const {
  return quantity(last().report, last().input, name);
}

const ContactSolution& CaseSolver::solution() {
  static_cast<void>(last());
  if (!solution_) solution_ = session_->solution();
  return *solution_;
}

void CaseSolver::require_room(std::string_view name, std::size_t count) const {
  const Grid& grid = problem().grid;
  const auto elements = static_cast<std::size_t>(grid.mx) * static_cast<std::size_t>(grid.my);
  if (count != elements)
    throw InputError(
        fmt::format("{}: room for {} values was given; accepted: {}, one for each of {} x {} "
                    "elements",
                    name, count, elements, grid.mx, grid.my));
}

void CaseSolver::field(std::string_view name, std::span<double> values) {
  const StepInput& input = last().input;
  require_room(name, values.size());
  const ContactSolution& fields = solution();
  if (const FieldEntry* entry = find_field(name)) {
    std::ranges::copy(fields.*(entry->values), values.begin());
    return;
  }
  if (name == kDivisionName) {
    std::ranges::transform(fields.element_division, values.begin(),
                           [](ElementState state) { return static_cast<double>(state); });
    return;
  }
  for (const VelocityFieldEntry& entry : velocity_field_table()) {
    if (entry.name != name) continue;
    const double rate = slip_rate(input);
    if (rate == 0.0)
      throw InputError(fmt::format(
          "{}: the step has no rolling velocity; accepted: with tangential.velocity or duration",
          name));
    std::ranges::transform(fields.*(entry.distance), values.begin(),
                           [rate](double distance) { return rate * distance; });
    return;
  }
  refuse_field(name);
}

const double* CaseSolver::cuda_values(std::string_view name) const {
  static_cast<void>(last());
  const FieldEntry* entry = find_field(name);
  if (entry == nullptr || backend_->choice != BackendChoice::cuda) return nullptr;
  return session_->solver().device_values(entry->values);
}

void CaseSolver::field_to_cuda(std::string_view name, std::span<double> values) {
  require_room(name, values.size());
  if (const double* there = cuda_values(name))
    return cuda_copy(values.data(), there, values.size());
  std::vector<double> copy(values.size());
  field(name, copy);
  cuda_copy(values.data(), copy.data(), values.size());
}

std::vector<std::string> CaseSolver::warnings() const {
  std::vector<std::string> all = case_->warnings();
  const std::vector<std::string> step = warnings_of_step();
  all.insert(all.end(), step.begin(), step.end());
  return all;
}

std::vector<std::string> CaseSolver::warnings_of_step() const {
  if (steps_done() == 0) return {};
  return step_remarks(last().report, session_->warnings());
}

std::string CaseSolver::backend_name() {
  start();
  return backend_->name;
}

std::string CaseSolver::device_name() {
  start();
  return backend_->device;
}

SavedSteps CaseSolver::save() const {
  return session_ ? session_->save() : SavedSteps{problem().grid};
}

void CaseSolver::restore(const SavedSteps& saved) {
  if (writer_) throw InputError("a recording runs, which cannot go back; accepted: end it before");
  const ThreadCount threads(options_.threads);
  start();
  session_->restore(saved);
  solution_.reset();
}

std::shared_ptr<const ResultOrigin> CaseSolver::origin() {
  if (!origin_)
    origin_ = std::make_shared<const ResultOrigin>(
        ResultOrigin{case_->file(), backend_name(), device_name(), interior_planes_on(*backend_)});
  return origin_;
}

void CaseSolver::write(const std::filesystem::path& path, Overwrite overwrite) {
  const KeptStep step{last(), solution(), warnings_of_step()};
  write_result(*origin(), path, overwrite, {&step, 1});
}

void CaseSolver::record(const std::filesystem::path& path, Overwrite overwrite) {
  if (writer_) throw InputError("a recording runs already; accepted: end it before");
  const OutputRule allowed{overwrite, case_->file().input_files};
  check_output(path, FileKind::result, allowed);
  const ResultHeader head = result_header(*origin(), resolved());
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  writer_.emplace(path, head, allowed, case_->file().output.fields);
  outcome_ = RunOutcome::converged;
  recorded_warnings_ = case_->warnings();
}

void CaseSolver::end_recording() {
  if (!writer_) throw InputError("no recording runs; accepted: after one has begun");
  if (writer_->steps_written() == 0)
    throw InputError("no step was recorded; accepted: at least one step before the end");
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  writer_->set_warnings(std::move(recorded_warnings_));
  writer_->finish(outcome_);
  writer_.reset();
}

std::string CaseSolver::resolved() {
  std::vector<StepInput> steps;
  int number = 1;
  for (const StepInput& entry : case_->problem().steps) {
    steps.push_back(case_->step(number));
    steps.back().repeat = entry.repeat;
    number += entry.repeat;
  }
  return case_->resolved(std::move(steps));
}

}  // namespace slipfield
