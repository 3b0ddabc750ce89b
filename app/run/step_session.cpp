// SPDX-License-Identifier: Apache-2.0
#include "app/run/step_session.h"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/report/step_warnings.h"
#include "app/report/wheel_warnings.h"
#include "io/case/names.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "solver/check/adhesive_zone.h"
#include "solver/error.h"
#include "solver/plausibility.h"
#include "solver/step/step_outcome.h"
#include "solver/surface/surface_fields.h"

namespace slipfield {
namespace {

void require_same_grid(const Grid& saved, const Grid& here) {
  const auto all = [](const Grid& grid) {
    return std::tie(grid.mx, grid.my, grid.dx, grid.dy, grid.x0, grid.y0, grid.boundary);
  };
  if (all(saved) == all(here)) return;
  const auto text = [](const Grid& grid) {
    return fmt::format("{} x {} elements of {:g} x {:g} from ({:g}, {:g}), {}", grid.mx, grid.my,
                       grid.dx, grid.dy, grid.x0, grid.y0, boundary_name(grid.boundary));
  };
  throw InputError(
      fmt::format("the state is of another grid ({}; here {}); accepted: a state of the same case",
                  text(saved), text(here)));
}

// Marks the step as not converged unless the powers and the numbers of the surfaces, which the
// solver does not compute, are finite. Without contact some are ratios to 0.
void require_finite(const StepInput& input, StepReport& report) {
  if (report.outcome != Outcome::converged || report.elements_contact == 0) return;
  const auto check = [&](std::string_view name, double value) {
    if (std::isfinite(value)) return;
    report.outcome = Outcome::not_converged;
    report.message =
        fmt::format("{} is not finite: the numbers of the case are beyond what doubles hold", name);
  };
  for (const SurfaceNumberEntry& number : surface_number_table())
    check(number.name, (report.surface.*(number.value)).value_or(0.0));
  if (has_quantity(input, kFrictionPowerName))
    check(kFrictionPowerName, quantity(report, input, kFrictionPowerName));
}

}  // namespace

void add_numbers(StepRecord& step, std::vector<std::string> warnings) {
  if (!step.wheelset) return;
  WheelRecord numbers = wheel_record(step.number, step.wheelset->solved);
  numbers.warnings = std::move(warnings);
  step.wheel = std::make_shared<const WheelRecord>(std::move(numbers));
}

void drop_fields(StepRecord& step) {
  step.report.history = {};
  step.wheelset.reset();
}

StepRows rows_of_step(const StepRecord& step) {
  return step.wheel ? rows_of_step(*step.wheel)
                    : rows_of_step(step.number, step.input, step.report);
}

StepSession::StepSession(const SettledBackend& backend, const CaseFile& file,
                         ProgressCallback progress)
    : backend_(backend), problem_(&file.problem), progress_(std::move(progress)) {
  if (file.wheel_rail)
    wheel_.emplace(backend_, file);
  else
    solver_ = make_solver(backend_, *problem_, progress_);
}

const StepRecord& StepSession::advance(const StepTask& task) {
  if (wheel_)
    advance_wheelset(std::get<WheelsetStep>(task));
  else
    advance_contact(std::get<StepInput>(task));
  return *last_;
}

StepRecord StepSession::next_record() const {
  static std::atomic<std::uint64_t> steps = 0;
  StepRecord record;
  record.number = steps_done() + 1;
  record.id = ++steps;
  record.id_before = last_ ? last_->id : 0;
  return record;
}

namespace {

// Empty unless the adhesive stress of a step was not found; if bodies come apart, the message
// already explains it.
std::string adhesion_advice(const ContactProblem& problem, const StepReport& report) {
  if (!report.adhesion_unsettled) return {};
  const std::string_view length = unit_text(Dimension::length, problem.units);
  const double element = longest_side(problem.grid);
  const double zone = adhesive_zone(problem);
  const std::string sizes = fmt::format(
      "an element is {:.3g} {} long, adhesion.length is {:.3g} {}, and the zone over which the "
      "adhesive stress falls, pi/4 E* work/stress^2, is {:.3g} {}: ",
      element, length, problem.adhesion.length, length, zone, length);
  if (kLeastElementsInZone * element > zone)
    return sizes + fmt::format("use a spacing of at most {:.3g} {} or a greater adhesion.length",
                               zone / kLeastElementsInZone, length);
  return sizes +
         "elements resolve it; try smaller steps of the approach or a greater solver.tolerance";
}

}  // namespace

void StepSession::advance_contact(const StepInput& input) {
  if (broken_off_)
    throw Error(
        "a step was broken off, and nothing can continue from it; accepted: a state to "
        "restore, or a new solver");
  with_surfaces_.reset();
  // Heat refuses slides that are known only once the step is solved.
  bool solved = problem_->surface.heat.has_value();
  try {
    broken_off_ = true;
    StepReport report = solver_->advance(input);
    solved = true;
    if (!problem_->surface.empty()) {
      with_surfaces_ = solver_->download();
      add_surface(*problem_, input, *with_surfaces_, report);
      if (report.surface.shakedown_load && report.outcome == Outcome::converged)
        add_remark(
            report,
            ellipse_doubt(passed_contact(problem_->grid, input.tangential, report, *with_surfaces_),
                          *report.surface.shakedown_load * problem_->surface.fatigue->shear_yield,
                          problem_->units));
    }
    add_remark(report, adhesion_advice(*problem_, report));
    require_finite(input, report);
    StepRecord record = next_record();
    record.input = input;
    record.report = std::move(report);
    last_ = std::move(record);
    broken_off_ = false;
  } catch (const InputError&) {
    if (!solved) broken_off_ = false;
    throw;
  }
}

void StepSession::advance_wheelset(const WheelsetStep& step) {
  auto wheelset = std::make_shared<WheelsetOfStep>(WheelsetOfStep{step, try_out(step)});
  wheel_->keep(step, wheelset->solved);
  StepRecord record = next_record();
  record.report.outcome = wheelset->solved.outcome;
  record.report.message = wheelset->solved.message;
  record.wheelset = std::move(wheelset);
  last_ = std::move(record);
}

SolvedWheelset StepSession::try_out(const WheelsetStep& step, std::size_t grid) {
  constexpr double kLonger = 0.1;
  while (other_grids_.size() < grid)
    other_grids_.push_back(wheel_->on_elements_longer_by(
        1.0 + kLonger * static_cast<double>(other_grids_.size() + 1)));
  return (grid == 0 ? *wheel_ : other_grids_[grid - 1]).solve(step, progress_);
}

ContactSolution StepSession::solution() {
  if (with_surfaces_) return *std::exchange(with_surfaces_, std::nullopt);
  ContactSolution solution = solver_->download();
  if (last_) add_surface_fields(*problem_, last_->input, last_->report, solution);
  return solution;
}

ContactSolution StepSession::solution(const ChosenFields& chosen) {
  return problem_->surface.empty() ? solver_->download_fields(chosen) : solution();
}

std::vector<std::string> StepSession::warnings() const {
  if (!last_) return {};
  if (last_->wheelset) return wheel_warnings(*problem_, last_->wheelset->solved);
  return step_warnings(*problem_, last_->input, last_->report);
}

SavedSteps StepSession::save() const {
  SavedSteps saved{problem_->grid, wheel_.has_value()};
  saved.last = last_;
  if (last_) saved.state = solver_ ? solver_->state() : wheel_->state();
  return saved;
}

void StepSession::restore_wheel(const SavedSteps& saved) {
  if (!saved.last) return wheel_->begin();
  const StepRecord& last = *saved.last;
  wheel_->restore(saved.state, last.wheelset ? &last.wheelset->task : nullptr, last.number);
}

// The memory of the solver before is free when the next one is made.
void StepSession::make_solver_again() {
  std::optional<StepRecord> last = last_;
  const bool broken_off = broken_off_;
  release();
  solver_ = make_solver(backend_, *problem_, progress_);
  last_ = std::move(last);
  broken_off_ = broken_off;
}

void StepSession::restore_contact(const SavedSteps& saved) {
  if (!solver_ || (!saved.last && (last_ || broken_off_))) make_solver_again();
  if (!saved.last) return;
  std::optional<SolverState> before;
  if (last_ && !broken_off_) before = solver_->state();
  try {
    solver_->restore(saved.state, saved.last->input);
  } catch (...) {  // half of the state may have been loaded
    if (before)
      solver_->restore(*before, last_->input);
    else
      make_solver_again();
    throw;
  }
}

void StepSession::release() {
  broken_off_ = true;
  last_.reset();
  with_surfaces_.reset();
  solver_.reset();
}

void StepSession::restore(const SavedSteps& saved) {
  if (saved.wheel != wheel_.has_value())
    throw InputError(std::string("the state is of ") +
                     (saved.wheel ? "a wheel on a rail" : "one contact") +
                     "; accepted: a state of the same case");
  if (!saved.wheel) require_same_grid(saved.grid, problem_->grid);
  if (wheel_)
    restore_wheel(saved);
  else
    restore_contact(saved);
  last_ = saved.last;
  with_surfaces_.reset();
  broken_off_ = false;
}

}  // namespace slipfield
