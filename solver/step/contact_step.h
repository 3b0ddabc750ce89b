// SPDX-License-Identifier: Apache-2.0
// A whole step on either backend (THEORY.md 8, 9.4, 11): the normal and the tangential problem in
// rounds until both and all parts of the step agree, then totals and an independent residual.
//
// Everything that not every step has, and everything that makes more than one round necessary, is
// in the parts (step_part.h), which step_parts.h lists. The loop names no part.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/derived_numbers.h"
#include "solver/fields/fixed_point.h"
#include "solver/fields/iteration_limits.h"
#include "solver/fields/own_rows.h"
#include "solver/fields/solver_backend.h"
#include "solver/fields/step_ops.h"
#include "solver/rolling.h"
#include "solver/solution.h"
#include "solver/step/step_fields.h"
#include "solver/step/step_model.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_part.h"
#include "solver/step/step_parts.h"
#include "solver/step/step_state.h"
#include "solver/step/step_task.h"
#include "solver/window/window_rows.h"

namespace slipfield {

template <SolverBackend Backend>
class ContactRun final : public SolverWithDefaults {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // of_backend: constructor arguments of the backend.
  template <class... OfBackend>
  ContactRun(const ContactProblem& problem, ProgressCallback progress, OfBackend&&... of_backend)
      : progress_(std::move(progress)),
        settings_(problem.solver),
        units_(problem.units),
        keeps_tangential_(keeps_tangential_fields(problem)),
        model_(problem, std::forward<OfBackend>(of_backend)...),
        parts_(make_parts<ContactRun>(model_, problem)),
        residuals_(1),
        outer_(model_.backend, model_.count, model_.whole.count()) {
    if (!couples(problem) && problem.solver.rolling != RollingScheme::second_order) return;
    constexpr Allocated kTangential = Allocated::with_tangential;
    model_.state.add({"outer_pressure", &last_pressure_, kTangential});
    model_.state.add({"outer_traction_x", &last_x_, kTangential});
    model_.state.add({"outer_traction_y", &last_y_, kTangential});
  }

  StepReport advance(const StepInput& step) override {
    StepReport report;
    if constexpr (!kCountsOnly<Backend>) compute(step, report);
    return report;
  }
  // Allocates all that advance(step) would allocate on first use. window: allocates the solvers for
  // the largest window of this form instead of the whole grid.
  void reserve(const StepInput& step, std::optional<WindowForm> window = {}) {
    take_step(step);
    const bool sliding = step.tangential.problem != TangentialProblem::none;
    if (window)
      model_.normal_window->reserve_in(*window, settings_.normal);
    else
      model_.normal_window->reserve(settings_.normal);
    model_.form_displacements(sliding);
    if (sliding) {
      TangentialTask task;
      task.moment_given = step.tangential.moment.has_value();
      if (window)
        model_.tangential_window.reserve_in(*window, task, model_.influence.kind(),
                                            model_.slip_operator.kind());
      else
        model_.tangential_window.reserve(task, model_.slip_operator);
    }
    for (const auto& part : parts_) part->reserve(step);
    needs_ = {};
    for (const auto& part : parts_) {
      part->begin_rounds(step, needs_);
      part->add_needs(needs_);
    }
    if (sliding && needs_.compares && !needs_.relaxes && outer_.relaxing_mixes()) outer_.reserve();
  }

  void follow_friction(FrictionFollower& follower) override {
    for (const auto& part : parts_) part->follow_friction(follower);
  }

  [[nodiscard]] ContactSolution download() const override { return download_step(model_, {}); }
  [[nodiscard]] ContactSolution download_fields(const ChosenFields& chosen) const override {
    return download_step(model_, chosen);
  }
  [[nodiscard]] const double* device_values(
      std::vector<double> ContactSolution::*field) const override {
    return device_values_of_step(model_, field);
  }

  [[nodiscard]] SolverState state() const override {
    SolverState saved = model_.saved();
    for (const auto& part : parts_) part->save(saved);
    return saved;
  }
  void restore(const SolverState& state, const StepInput& last) override {
    model_.restore(state, keeps_tangential_);
    model_.take(last.friction);
    for (const auto& part : parts_) part->restore(state, last);
  }
  // Resets to an unloaded contact, even after non-finite fields.
  void start_again() {
    model_.clear();
    for (const auto& part : parts_) part->clear();
  }

  [[nodiscard]] std::string backend_name() const override { return Backend::name(); }
  [[nodiscard]] std::string device_name() const override { return model_.backend.device_name(); }

 private:
  void compute(const StepInput& step, StepReport& report) {
    const auto start = std::chrono::steady_clock::now();
    const std::int64_t products = model_.products();
    const std::int64_t coarse = model_.tangential_window.coarse_products();
    begin(step);
    solve(step, report);
    measure(step, report);
    report.matrix_products = model_.products() - products;
    report.matrix_products_coarse = model_.tangential_window.coarse_products() - coarse;
    for (const auto& part : parts_) part->finish(step, report);
    add_shift(step, report);
    add_derived_numbers(step.tangential, step.friction.shear_strength, report);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    report.seconds = model_.backend.greatest_of(taken.count());
    for (const auto& part : parts_) part->estimate(step, report);
  }
  void begin(const StepInput& step) {
    if (model_.state.broken) start_again();
    take_step(step);
    for (const auto& part : parts_) part->begin(step);
    if (model_.state.has_tangential()) model_.slip_operator.add_extra(step.tangential);
  }
  void take_step(const StepInput& step) {
    if (needs_tangential_fields(step)) model_.set_tangential(true);
    model_.take(step.friction);
    InfluenceKind kind = model_.kind;
    for (const auto& part : parts_) part->add_to_influence(step, kind);
    model_.begin(step.tangential, kind);
  }

  void solve(const StepInput& step, StepReport& report) {
    auto& state = model_.state;
    const bool sliding = step.tangential.problem != TangentialProblem::none;
    start_rigid_slip(step);
    if (!sliding && state.has_tangential())
      for (double* traction : {model_.fields.traction_x, model_.fields.traction_y})
        model_.run(FillField{0.0, traction});
    if (step.normal.control == NormalControl::approach &&
        step.normal.value >= model_.full_approach) {
      state.approach = step.normal.value;
      return fail(report, full_contact_text(state.approach, model_.full_approach));
    }
    Ending ending = rounds(step, report);
    while (ending != Ending::agreed && tries_again(step, ending)) {
      start_rigid_slip(step);
      ending = rounds(step, report);
    }
    if (ending == Ending::agreed) {
      for (const auto& part : parts_) part->remark(step, report);
      return;
    }
    std::string message = failure_of(ending, step.friction, model_.periodic(), !Backend::kOneOwner,
                                     report, needs_.agree);
    for (const auto& part : parts_) part->explain(step, ending, message);
    if (ending == Ending::beyond_friction || ending == Ending::beyond_moment)
      message += beyond_text(beyond_, units_);
    add_remark(report, longer_step_text(ending, step.tangential, model_.grid));
    add_remark(report, shift_instead_text(ending, step.tangential));
    fail(report, message);
  }
  bool tries_again(const StepInput& step, Ending ending) {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const auto& part) { return part->tries_again(step, ending); });
  }

  // Runs rounds until normal problem, tangential problem and parts agree; one round is enough if
  // nothing changes from round to round.
  Ending rounds(const StepInput& step, StepReport& report) {
    needs_ = {};
    for (const auto& part : parts_) {
      part->begin_rounds(step, needs_);
      part->add_needs(needs_);
    }
    outer_.begin();
    double change = RoundLimits::kFirstChange;
    for (int done = 1, round = 1; done <= needs_.most; ++done, ++round) {
      ++report.iterations_outer;
      const double normal_tolerance = tolerance_of_normal(step, change);
      if ((round == 1 || needs_.presses) && !solve_normal(step, normal_tolerance, report))
        return Ending::normal_failed;
      if (step.tangential.problem == TangentialProblem::none) return Ending::agreed;
      enter_contact(round);
      const double tolerance = tangential_tolerance(change);
      const Ending ending = solve_tangential(step, round, tolerance, report);
      if (ending == Ending::refused) {
        if (round == 1) round = 0;  // the refused round does not count
        continue;
      }
      if (ending != Ending::agreed || needs_.agree == nullptr) return ending;
      change = update(step, round, done == needs_.most, report);
      if (!needs_.open && change <= settings_.tolerance &&
          std::max(tolerance, normal_tolerance) <= settings_.tolerance)
        return Ending::agreed;
    }
    return Ending::no_agreement;
  }

  bool solve_normal(const StepInput& step, double tolerance, StepReport& report) {
    for (int turn = 0; turn < GridLimits::kTurns; ++turn) {
      if (!solve_normal_once(step, tolerance, report)) return false;
      bool again = false;
      for (const auto& part : parts_) again = part->follow_normal() || again;
      if (!again) return true;
    }
    return false;
  }
  bool solve_normal_once(const StepInput& step, double tolerance, StepReport& report) {
    const Array<double>* distance = &model_.distance;
    NormalLoad load = step.normal;
    model_.has_displacement_n = false;
    for (const auto& part : parts_) {
      distance = &part->add_to_distance(*distance);
      if (!part->take_load(load)) return false;
    }
    const int done = report.iterations_normal;
    const NormalResult result = model_.normal_window->solve(
        *distance, load, settings_.normal, tolerance, model_.state.pressure,
        model_.state.displacement_n, [&](int iteration, double change) {
          note(report, Phase::normal, done + iteration, change);
        });
    model_.state.approach = result.approach;
    model_.has_displacement_n = result.has_own_product && distance == &model_.distance;
    report.iterations_normal += result.iterations;
    if (!result.converged) model_.tangential_window.leave();  // the contact may have left it
    return result.converged;
  }

  void enter_contact(int round) {
    model_.enter_contact();
    for (const auto& part : parts_) part->enter_contact(round);
    needs_ = {};
    for (const auto& part : parts_) part->add_needs(needs_);
    model_.slip_operator.enter_contact(model_.state.division, round);
    if (round == 1 || needs_.presses)  // otherwise the contact stays as it is
      model_.tangential_window.choose(model_.state.division, model_.influence.kind(),
                                      model_.slip_operator.kind(), round == 1, needs_.reach);
  }

  // While tractions still have to act on the pressures, these need not be exact. But where friction
  // coefficients are relaxed from round to round, elements of little pressure settle last.
  [[nodiscard]] double tolerance_of_normal(const StepInput& step, double change) const {
    const bool alone = step.tangential.problem == TangentialProblem::none || !needs_.presses;
    const bool relaxes = needs_.relaxes && !needs_.loosely;
    if (alone || relaxes || needs_.exact_pressure) return settings_.tolerance;
    const double part = std::min(change, RoundLimits::kFirstChange);
    return std::max(settings_.tolerance, RoundLimits::kOfChange * part);
  }
  // Tractions that will still change need not be exact; but a loose gauss_seidel solution would be
  // far off. These parts of the last change take the fewest products (`bench families`). To second
  // order looser tractions would end in another correction, off by twice as much between very
  // unlike bodies.
  [[nodiscard]] double tangential_tolerance(double change) const {
    const bool sweeps = settings_.tangential == TangentialMethod::gauss_seidel;
    if (!needs_.changes || (sweeps && needs_.leads > 0)) return settings_.tolerance;
    constexpr double kLoosely = 0.4;
    constexpr double kLeading = 0.2;
    constexpr double kCorrected = 0.05;
    const double part = needs_.corrects    ? kCorrected
                        : needs_.leads > 0 ? kLeading
                        : needs_.loosely   ? kLoosely
                                           : RoundLimits::kOfChange;
    return std::max(settings_.tolerance, part * change);
  }

  Ending solve_tangential(const StepInput& step, int round, double tolerance, StepReport& report) {
    for (const auto& part : parts_) part->correct(round);
    form_base();
    TangentialTask task = tangential_task(model_, step);
    for (const auto& part : parts_) part->pose(step, round, task);
    beyond_ = beyond_bounds(model_, task);
    if (beyond_.ending != Ending::agreed) return beyond_.ending;
    const int done = report.iterations_tangential;
    const TangentialResult result = model_.tangential_window.solve(
        task, model_.tangential_system(), tolerance, [&](int iteration, double change) {
          note(report, Phase::tangential, done + iteration, change);
        });
    if (result.took_over != TookOver::none) add_remark(report, stalled_text(result.took_over));
    report.iterations_tangential += result.iterations;
    for (const auto& part : parts_)
      if (!part->accepts(step, result)) return Ending::refused;
    model_.rigid = result.rigid;
    return result.converged ? Ending::agreed : Ending::tangential_failed;
  }

  // Sums the slip due to neither the tractions nor the rigid slip.
  void form_base() {
    for (double* base : {model_.base_x.data(), model_.base_y.data()})
      model_.run(FillField{0.0, base});
    model_.slip_operator.subtract_previous(model_.base_x.data(), model_.base_y.data());
    for (const auto& part : parts_) part->add_to_slip(model_.base_x.data(), model_.base_y.data());
  }

  // Returns the greatest change of this round: of pressure and tractions, or of what a part
  // updates.
  double update(const StepInput& step, int round, bool last, StepReport& report) {
    OuterChanges changes;
    if (needs_.compares) {
      const StepFields& fields = model_.fields;
      const RoundFields now{fields.pressure, fields.traction_x, fields.traction_y};
      const RoundFields before{last_pressure_.data(), last_x_.data(), last_y_.data()};
      changes = outer_.measure(now, before);
      const bool taken = last || changes.all <= settings_.tolerance;
      if (!needs_.relaxes) outer_.relax(now, before, round, changes.all, taken);
      if (!taken) model_.has_displacement_n = false;
      outer_.keep(now, before);
    }
    double change = changes.all;
    for (const auto& part : parts_) change = std::max(change, part->update(step, round, changes));
    note(report, Phase::outer, report.iterations_outer, change);
    return change;
  }

  void start_rigid_slip(const StepInput& step) {
    model_.rigid =
        first_rigid_slip(step.tangential, model_.state.creepage_x, model_.state.creepage_y);
  }
  void note(StepReport& report, Phase phase, int iteration, double change) {
    report.history.push_back({phase, iteration, change});
    if (progress_) progress_({phase, iteration, change});
  }

  // Forms displacements, slip and totals of the tractions found, and the residual from them.
  void measure(const StepInput& step, StepReport& report) {
    const bool sliding = step.tangential.problem != TangentialProblem::none;
    model_.form_displacements(sliding);
    for (const auto& part : parts_) part->add_to_displacements();
    if (sliding) {
      form_base();
      model_.form_slip();
    } else {
      model_.enter_contact();
      if (model_.state.has_tangential())
        for (double* slip : {model_.fields.slip_x, model_.fields.slip_y})
          model_.run(FillField{0.0, slip});
    }
    hold_launches(model_.backend, true);
    model_.sum_step();
    model_.run(MeasureResiduals{model_.centres(), model_.whole.my, model_.fields,
                                model_.state.approach, 1.0 / model_.influence.self(Component::nn),
                                sliding ? 1.0 / model_.slip_operator.self(Component::xx) : 0.0,
                                residuals_.data(), model_.rows.first,
                                !repeats_in_x(model_.grid.boundary),
                                !repeats_in_y(model_.grid.boundary)});
    fill_report(step, report);
    const bool rolled = is_rolling(step.tangential.problem) && report.outcome == Outcome::converged;
    model_.state.creepage_x = rolled ? report.rigid_x : 0.0;
    model_.state.creepage_y = rolled ? report.rigid_y : 0.0;
    if (report.outcome != Outcome::converged) find_broken_field(model_, report);
  }

  // Accumulates shifts, the abscissa of a hysteresis loop, and what its area dissipates. Rolling
  // leaves both sums unchanged.
  void add_shift(const StepInput& step, StepReport& report) {
    if (step.tangential.problem == TangentialProblem::shift && std::isfinite(report.rigid_x) &&
        std::isfinite(report.rigid_y) && std::isfinite(report.friction_work)) {
      model_.state.shift_total_x += report.rigid_x;
      model_.state.shift_total_y += report.rigid_y;
      model_.state.friction_work_total += report.friction_work;
    }
    report.shift_total_x = model_.state.shift_total_x;
    report.shift_total_y = model_.state.shift_total_y;
    report.friction_work_total = model_.state.friction_work_total;
  }

  void fill_report(const StepInput& step, StepReport& report) {
    begin_read(model_.backend, model_.totals);
    begin_read(model_.backend, residuals_);
    report.max_pressure = model_.backend.greatest(model_.state.pressure);
    StepMeasures found{end_read<StepTotals>(model_.backend, model_.totals),
                       end_read<StepResiduals>(model_.backend, residuals_)};
    report_totals(found.totals, model_.whole, report);
    report.approach = model_.state.approach;
    report_rigid_slip(model_.rigid, slip_distance(step.tangential), report);
    report.touches_edge = found.residuals.at_edge > 0.0;
    for (const auto& part : parts_) part->report(step, found, report);
    report_residual(found.residuals, found.totals, found.frictional, settings_.tolerance, report);
    report_range(step.normal, step.friction.shear_strength, settings_.tolerance, report);
  }

  ProgressCallback progress_;
  SolverSettings settings_;
  Units units_;
  BeyondBounds beyond_;    // of the last round
  bool keeps_tangential_;  // the tangential fields exist whatever the steps are
  StepModel<Backend> model_;
  StepParts<Backend> parts_;
  Array<StepResiduals> residuals_;
  Array<double> last_pressure_, last_x_, last_y_;  // of the last round, if rounds compare tractions
  FixedPoint<Backend> outer_;                      // relaxes pressure and tractions between rounds
  RoundNeeds needs_;                               // of the current round
};

}  // namespace slipfield
