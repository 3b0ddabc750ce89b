// SPDX-License-Identifier: Apache-2.0
#include "app/library/case_solver.h"

#include <fmt/format.h>
#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "app/library/case_of_state.h"
#include "app/library/step_gradient.h"
#include "app/library/wheel_gradient.h"
#include "app/report/run_warnings.h"
#include "app/report/step_warnings.h"
#include "app/run/interior.h"
#include "gpu/cuda_device.h"
#include "io/result/field_table.h"
#include "io/result/step_attributes.h"
#include "io/result/surface/table.h"
#include "solver/error.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

HeightsFiles with_arrays(const std::vector<NamedArray>& arrays) {
  HeightsFiles files;
  for (const NamedArray& array : arrays) files.give(array.name, array.values);
  return files;
}

// For the calling thread: whether OpenMP may keep threads for it, and whether a fork left them
// behind.
thread_local bool may_have_team = false;
thread_local bool team_is_gone = false;

void forget_team() {
  if (!may_have_team) return;
  team_is_gone = true;
  omp_set_num_threads(1);
}
const int kForgetsAtFork = pthread_atfork(nullptr, nullptr, forget_team);

}  // namespace

int threads_to_use(int wanted) {
  if (team_is_gone) return 1;
  if ((wanted > 0 ? wanted : omp_get_max_threads()) > 1) may_have_team = true;
  return wanted;
}

std::unique_ptr<CaseSolver> CaseSolver::from_file(const std::filesystem::path& path,
                                                  CaseSolverOptions options) {
  CaseDiagnostics diagnostics;
  auto text = read_case_text(path, {}, diagnostics);
  return std::make_unique<CaseSolver>(std::move(text), diagnostics, std::move(options));
}

std::unique_ptr<CaseSolver> CaseSolver::from_text(const std::string& yaml,
                                                  CaseSolverOptions options) {
  CaseDiagnostics diagnostics;
  auto text = make_case_text(yaml, "case", options.folder, diagnostics);
  return std::make_unique<CaseSolver>(std::move(text), diagnostics, std::move(options));
}

CaseSolver::CaseSolver(std::unique_ptr<CaseText> text, CaseDiagnostics& diagnostics,
                       CaseSolverOptions options)
    : options_(std::move(options)) {
  const ThreadCount threads(threads_to_use(options_.threads));
  case_ = std::make_unique<OpenCase>(std::move(text), with_arrays(options_.arrays), diagnostics);
}

CaseSolver::CaseSolver(const CaseSolver& other, CaseSolverOptions options)
    : options_(std::move(options)), case_(std::make_unique<OpenCase>(*other.case_)) {}

CaseSolver::~CaseSolver() = default;

void CaseSolver::set(const std::vector<KeyValue>& changes, const std::vector<NamedArray>& arrays,
                     OpenCase::Loads loads) {
  const ThreadCount threads(threads_to_use(options_.threads));
  if (case_->set(changes, arrays, steps_done() + 1, loads)) return start_again();
  if (steps_done() == 0) take_steps();
  if (arrays.empty()) return;
  origin_.reset();
  case_of_state_.reset();
  gradient_.reset();
  wheel_gradient_.reset();
  if (steps_done() == 0) session_.reset();
}

void CaseSolver::take_back(const OpenCase::Values& values) {
  if (case_->take_back(values)) start_again();
  if (steps_done() > 0) return;
  if (case_->follow_steps()) return start_again();
  take_steps();
}

// Keeps what describes the case, with the steps that its problem has now.
void CaseSolver::take_steps() {
  origin_.reset();
  if (!case_of_state_) return;
  CaseOfState state = *case_of_state_;
  state.steps = problem().steps;
  case_of_state_ = std::make_shared<const CaseOfState>(std::move(state));
}

void CaseSolver::start_again() {
  session_.reset();
  forget_step();
  doubts_.clear();
  run_warnings_.reset();
  origin_.reset();
  case_of_state_.reset();
  kept_.clear();
}

void CaseSolver::forget_step() {
  solution_.reset();
  interior_.clear();
  gradient_.reset();
  wheel_gradient_.reset();
}

std::string CaseSolver::value(std::string_view key) { return case_->value(key, steps_done() + 1); }

void CaseSolver::report_progress(const Progress& progress) const {
  if (!options_.progress(steps_done() + 1, progress)) throw Cancelled();
}

void CaseSolver::start() {
  if (session_) return;
  backend_ = settle_backend(options_.backend, case_->problem());
  case_of_state_.reset();  // it names the backend
  ProgressCallback progress;
  if (options_.progress) progress = [this](const Progress& now) { report_progress(now); };
  session_.emplace(*backend_, case_->file(), std::move(progress));
}

const StepRecord& CaseSolver::advance() {
  const ThreadCount threads(threads_to_use(options_.threads));
  start();
  forget_step();
  const StepTask& task = case_->step(steps_done() + 1);
  std::optional<SavedSteps> before;
  // Heat may refuse a step that is solved.
  if (options_.rewind || case_->problem().surface.heat) before = session_->save();
  try {
    session_->advance(task);
  } catch (const BackendLost&) {
    throw;
  } catch (...) {
    if (before) session_->restore(*before);
    throw;
  }
  doubts_ = case_->step_warnings();
  note_warnings();
  const StepRecord& step = *session_->last();
  if (recording_) recording_->add(kept_step(true));
  if (keeps_ > 0 && !step.wheelset) kept_.push_back({step, solution()});
  while (kept_.size() > keeps_) kept_.pop_front();
  return step;
}

void CaseSolver::note_warnings() {
  RunWarnings all = run_warnings_ ? *run_warnings_ : RunWarnings(case_->warnings());
  const StepRecord& step = last();
  all.add_set(step.number, doubts_, case_->lasting_warnings());
  if (step.wheelset)
    all.add(step.number, step.report, warnings_of_step());
  else
    all.add(step.number, problem(), step.input, step.report);
  run_warnings_ = std::make_shared<const RunWarnings>(std::move(all));
}

StepGradient& CaseSolver::gradient(const ResultPart& part) {
  if (part.side != gradient_part_.side || part.contact != gradient_part_.contact) gradient_.reset();
  const ThreadCount threads(threads_to_use(options_.threads));
  if (!gradient_) gradient_ = std::make_unique<StepGradient>(*this, part);
  gradient_part_ = part;
  return *gradient_;
}

WheelsetGradient& CaseSolver::wheel_gradient(StepSide side, ProfilePoints points) {
  const ThreadCount threads(threads_to_use(options_.threads));
  if (!wheel_gradient_) wheel_gradient_ = std::make_unique<WheelsetGradient>(*this);
  wheel_gradient_->choose(side, points);
  return *wheel_gradient_;
}

void CaseSolver::keep_steps(std::size_t count) {
  keeps_ = count;
  while (kept_.size() > keeps_) kept_.pop_front();
}

const StepRecord& CaseSolver::last() const {
  if (steps_done() == 0) throw InputError("no step has run yet; accepted: a call of advance first");
  return *session_->last();
}

const SolvedPatch& CaseSolver::patch(const ResultPart& part) const {
  return contact_of(*last().wheelset, part);
}

void CaseSolver::require_asked(std::string_view name) const {
  const SurfaceNumberEntry* const entry = find_surface_number(name);
  std::string_view request;
  if (entry != nullptr && !has_surface_number(problem(), *entry)) request = request_text(entry->of);
  if (is_of_interior(name) && !file().interior) request = "interior";
  if (find_error(name) != nullptr && !problem().error_estimate)
    request = "output.error_estimate: true, in steady rolling";
  if (!request.empty())
    throw InputError(fmt::format("{}: the case does not ask for it; accepted: {}", name, request));
}

// Throws InputError for a name that the step does not have, before anything is computed for it.
void CaseSolver::require_names(const std::vector<std::string>& names,
                               const StepRecord& step) const {
  for (const std::string& name : names) {
    require_asked(name);
    static_cast<void>(quantity(step.report, step.input, name));
    if (is_of_interior(name)) require_interior(name);
  }
}

// Throws InputError unless the case asks for the stress whose greatest value or depth this is.
void CaseSolver::require_interior(std::string_view name) const {
  require_asked(name);
  if (!is_asked_for(*file().interior, name))
    throw InputError(fmt::format(
        "{}: the case's interior has no such stress; accepted: interior.quantities with it", name));
}

// The interior's numbers of each contact of the last step, computed at the first call.
const std::vector<NamedNumbers>& CaseSolver::interior() {
  if (!interior_.empty()) return interior_;
  const ThreadCount threads(threads_to_use(options_.threads));
  std::vector<NamedNumbers> found;
  const auto add = [&](const Grid& grid, const ContactSolution& fields) {
    found.push_back(interior_numbers(file(), grid, fields, interior_planes_on(*backend_)));
  };
  if (const auto& wheelset = last().wheelset) {
    for (const SolvedWheel& wheel : wheelset->solved.wheels)
      for (const SolvedPatch& patch : wheel.patches) add(patch.patch.grid, patch.solution);
  } else {
    add(problem().grid, solution());
  }
  return interior_ = std::move(found);
}

std::vector<double> CaseSolver::totals(const std::vector<std::string>& names,
                                       const ResultPart& part) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const StepRecord& step = last();
  std::vector<double> values;
  if (!step.wheelset) {
    require_one_contact(part);
    require_names(names, step);
    for (const std::string& name : names) {
      if (!is_of_interior(name)) {
        values.push_back(quantity(step.report, step.input, name));
        continue;
      }
      const auto found = interior().front().find(name);
      values.push_back(found == interior().front().end() ? kNone : found->second);
    }
    return values;
  }
  std::vector<NamedNumbers> inside;
  for (const std::string& name : names) {
    const std::string_view plain = without_side(name_of_part(name).name);
    if (!is_of_interior(plain)) continue;
    require_interior(plain);
    inside = interior();
  }
  const NamedNumbers numbers = numbers_of(*step.wheelset, part, inside);
  for (const std::string& name : names) {
    const auto [own, total] = name_of_part(name);
    const bool whole = part.contact == 0 && part.side == StepSide::whole;
    if (!whole || own.contact == 0)
      values.push_back(number_of(numbers, name, touches(*step.wheelset, part.side, name)));
    else if (own.contact > contact_count(*step.wheelset, own.side))
      values.push_back(kNone);
    else
      values.push_back(number_of(numbers_of(*step.wheelset, own, inside), total, true));
  }
  return values;
}

int CaseSolver::contacts(StepSide side) const {
  if (last().wheelset) return contact_count(*last().wheelset, side);
  require_one_contact({side, 0});
  return 1;
}

const Grid& CaseSolver::grid(const ResultPart& part) const {
  if (is_wheel()) return patch(part).patch.grid;
  require_one_contact(part);
  return problem().grid;
}

const StepReport& CaseSolver::report(const ResultPart& part) const {
  if (is_wheel()) return patch(part).report;
  require_one_contact(part);
  return last().report;
}

std::vector<double> CaseSolver::centres(const ResultPart& part) const {
  return element_centres(grid(part), is_wheel() ? &patch(part).patch : nullptr);
}

const ContactSolution& CaseSolver::solution(const ResultPart& part) {
  if (last().wheelset) return patch(part).solution;
  require_one_contact(part);
  const ThreadCount threads(threads_to_use(options_.threads));
  if (!solution_) solution_ = session_->solution();
  return *solution_;
}

void CaseSolver::require_room(std::string_view name, const ResultPart& part,
                              std::size_t count) const {
  const Grid& there = grid(part);
  if (find_by_name(row_field_table(), name) != nullptr) {
    if (count == static_cast<std::size_t>(there.my)) return;
    throw InputError(
        fmt::format("{}: room for {} values was given; accepted: {}, one for each row of elements",
                    name, count, there.my));
  }
  if (count != there.count())
    throw InputError(
        fmt::format("{}: room for {} values was given; accepted: {}, one for each of {} x {} "
                    "elements",
                    name, count, there.count(), there.mx, there.my));
}

void CaseSolver::field(std::string_view name, const ResultPart& part, std::span<double> values) {
  const StepInput& input = last().wheelset ? patch(part).input : last().input;
  require_room(name, part, values.size());
  copy_field(name, input, solution(part), values);
}

const double* CaseSolver::cuda_values(std::string_view name) const {
  if (last().wheelset) return nullptr;
  const FieldEntry* entry = find_field(name);
  if (entry == nullptr || backend_->choice != BackendChoice::cuda) return nullptr;
  return session_->solver().device_values(entry->values);
}

void CaseSolver::field_to_cuda(std::string_view name, const ResultPart& part,
                               std::span<double> values) {
  static_cast<void>(last());
  require_room(name, part, values.size());
  if (const double* there = cuda_values(name))
    return cuda_copy(values.data(), there, values.size_bytes());
  std::vector<double> copy(values.size());
  field(name, part, copy);
  cuda_copy(values.data(), copy.data(), values.size_bytes());
}

SolvedWheelset CaseSolver::try_out(const WheelsetStep& step, std::size_t grid) {
  const ThreadCount threads(threads_to_use(options_.threads));
  start();
  return session_->try_out(step, grid);
}

std::vector<std::string> CaseSolver::warnings() const {
  return run_warnings_ ? run_warnings_->lines() : case_->warnings();
}

std::vector<std::string> CaseSolver::doubts_of_next(const CaseSolver& other) {
  static_cast<void>(next_step());
  std::vector<std::string> doubts;
  for (const std::string& warning : case_->lasting_warnings())
    if (std::ranges::find(other.case_->warnings(), warning) == other.case_->warnings().end())
      doubts.push_back(warning);
  std::ranges::copy(case_->step_warnings(), std::back_inserter(doubts));
  return doubts;
}

std::vector<std::string> CaseSolver::warnings_of_step() const {
  if (steps_done() == 0) return {};
  std::vector<std::string> own = session_->warnings();
  if (!is_wheel()) own = step_remarks(last().report, own);
  for (const std::string& doubt : doubts_)
    if (std::ranges::none_of(own, [&](const auto& text) { return doubt.ends_with(text); }))
      own.push_back(doubt);
  return own;
}

KeptStep CaseSolver::kept_step(bool fields) {
  return {last(), fields && !is_wheel() ? solution() : ContactSolution(), warnings_of_step(),
          doubts_, case_->lasting_warnings()};
}

StepSystemsMaker CaseSolver::step_systems() const {
  if (!backend_) return {};
  const StepSystemsMaker on_backend = is_wheel() ? StepSystemsMaker() : step_systems_on(*backend_);
  return [make = on_backend, between = options_.between](const SystemsTask& task) {
    auto systems = make ? make(task) : make_cpu_step_systems(task);
    systems->between = between;
    return systems;
  };
}

std::string CaseSolver::backend_name() {
  start();
  return backend_->name;
}

std::string CaseSolver::device_name() {
  start();
  return backend_->device;
}

std::shared_ptr<const CaseOfState> CaseSolver::case_of_state() const {
  if (!case_of_state_)
    case_of_state_ = std::make_shared<const CaseOfState>(
        describe_case(file(), case_->entries(), backend_ ? backend_->name : ""));
  return case_of_state_;
}

SavedSteps CaseSolver::save() const {
  SavedSteps saved = session_ ? session_->save() : SavedSteps{problem().grid, is_wheel()};
  saved.of = case_of_state();
  saved.warnings = run_warnings_;
  return saved;
}

void CaseSolver::restore(const SavedSteps& saved) {
  if (recording_)
    throw InputError("a recording runs, which cannot go back; accepted: end it before");
  const ThreadCount threads(threads_to_use(options_.threads));
  start();
  if (saved.of && saved.wheel == is_wheel()) require_case_of_state(*saved.of, *case_of_state());
  restore_session(saved);
  kept_.clear();
  forget_step();
  doubts_.clear();
  run_warnings_ = saved.warnings;
}

// Gives the problem the steps with which the saved ones began, so that the next step has the same
// curvatures and heat as it would have had there. After an exception all is as before.
void CaseSolver::restore_session(const SavedSteps& saved) {
  const bool began_otherwise = !saved.last || (saved.of && saved.of != case_of_state_);
  if (is_wheel() || saved.wheel || !began_otherwise) return session_->restore(saved);
  OpenCase::Followed steps = case_->followed();
  const std::shared_ptr<const ResultOrigin> origin = origin_;
  const std::shared_ptr<const CaseOfState> of_state = case_of_state_;
  std::optional<StepSession> session;  // the one before, if a state needs another
  std::optional<SavedSteps> before;    // its state; its solver gives way to the new one
  try {
    if (saved.last ? case_->follow_steps(saved.of->steps) : case_->follow_steps()) {
      if (!session_->is_broken_off()) {
        before = session_->save();
        session_->release();
      }
      session = std::exchange(session_, std::nullopt);
    }
    take_steps();
    start();
    session_->restore(saved);
  } catch (...) {
    case_->take_back(std::move(steps));
    origin_ = origin;
    case_of_state_ = of_state;
    if (session) {
      session_.reset();
      session_.emplace(std::move(*session));
      if (before) session_->restore(*before);
    }
    throw;
  }
}

std::shared_ptr<const ResultOrigin> CaseSolver::origin() {
  if (!origin_)
    origin_ = std::make_shared<const ResultOrigin>(
        ResultOrigin{case_->file(), backend_name(), device_name(), interior_planes_on(*backend_),
                     step_systems(), options_.threads});
  return origin_;
}

void CaseSolver::write(const std::filesystem::path& path, Overwrite overwrite) {
  const KeptStep step = kept_step(true);
  write_result(*origin(), path, overwrite, {&step, 1});
}

void CaseSolver::record(const std::filesystem::path& path, Overwrite overwrite) {
  if (recording_) throw InputError("a recording runs already; accepted: end it before");
  recording_.emplace(*origin(), resolved(), path, overwrite, StepChoice::of_case);
}

void CaseSolver::end_recording() {
  if (!recording_) throw InputError("no recording runs; accepted: after one has begun");
  if (recording_->steps_done() == 0)
    throw InputError("no step was recorded; accepted: at least one step before the end");
  recording_->end();
  recording_.reset();
}

std::string CaseSolver::resolved() {
  std::vector<StepTask> steps;
  int number = 1;
  for (const StepInput& entry : case_->entries()) {
    steps.push_back(case_->step(number));
    std::visit([&](auto& step) { step.repeat = entry.repeat; }, steps.back());
    number += entry.repeat;
  }
  return case_->resolved(steps);
}

}  // namespace slipfield
