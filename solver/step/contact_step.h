// SPDX-License-Identifier: Apache-2.0
// A whole step on either backend: normal and tangential problem, their outer iteration, totals and
// residual (THEORY.md 8, 9.4, 11).
//
// Panagiotopoulos's process: where K != 0 the normal problem with the tangential tractions given
// and the tangential problem with the pressure given alternate until neither changes, else once.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/error.h"
#include "solver/normal/normal_solver.h"
#include "solver/rolling.h"
#include "solver/step/broken_field.h"
#include "solver/step/coarse_twins.h"
#include "solver/step/friction_field.h"
#include "solver/step/outer_rounds.h"
#include "solver/step/own_rows.h"
#include "solver/step/rigid_motion.h"
#include "solver/step/sensitivities.h"
#include "solver/step/solver_backend.h"
#include "solver/step/step_download.h"
#include "solver/step/step_model.h"
#include "solver/step/step_ops.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_state.h"
#include "solver/step/stored_work.h"
#include "solver/tangential/slip_operator.h"
#include "solver/tangential/tangential_solver.h"

namespace slipfield {

template <SolverBackend Backend>
class ContactRun final : public ContactSolver {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // parts: what the backend is made of.
  template <class... Parts>
  ContactRun(const ContactProblem& problem, ProgressCallback progress, Parts&&... parts)
      : progress_(std::move(progress)),
        settings_(problem.solver),
        wants_sensitivities_(problem.sensitivities),
        keeps_tangential_(keeps_tangential_fields(problem)),
        conserves_(conserves_energy(problem)),
        model_(problem, std::forward<Parts>(parts)...),
        friction_(model_.backend, model_.whole, problem.layer, model_.state.friction),
        residuals_(1),
        stored_work_(problem.surface.wear.has_value()) {
    if (problem.error_estimate) twins_.emplace(problem);
  }

  StepReport advance(const StepInput& step) override {
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t products = model_.products();
    const std::int64_t coarse = model_.tangential_window.coarse_products();
    StepReport report;
    if (model_.state.broken) start_again();
    start_rigid_slip(step);
    if (needs_tangential_fields(step)) model_.make_tangential();
    model_.fields.coefficient = step.friction.coefficient;
    model_.begin(step.tangential);
    if (model_.state.has_tangential()) friction_.take_up(step, model_.state.plastic_path);
    stored_work_.begin(model_, step.tangential);
    solve(step, report);
    measure(step, report);
    report.stored_work = stored_work_.finish(model_);
    if (model_.creep.exists()) model_.creep.finish(step.tangential, model_.tractions());
    const bool rolled = is_rolling(step.tangential.problem) && report.outcome == Outcome::converged;
    model_.state.creepage_x = rolled ? report.rigid_x : 0.0;
    model_.state.creepage_y = rolled ? report.rigid_y : 0.0;
    if (report.outcome != Outcome::converged) find_broken_field(model_, report);
    const bool wanted = wants_sensitivities_ && report.outcome == Outcome::converged;
    std::optional<Sensitivities<Backend>> sensitivities;
    if (wanted) sensitivities.emplace(model_, settings_.tolerance);
    if (wanted && step.tangential.problem != TangentialProblem::none)
      sensitivities->to_rigid_motion(task(step), slip_distance(step.tangential), report);
    friction_.keep_shear(step, model_.state, report);
    report.matrix_products =
        model_.products() - products - (wanted ? sensitivities->response_products() : 0);
    if (wanted) sensitivities->to_approach(report);
    report.matrix_products_coarse = model_.tangential_window.coarse_products() - coarse;
    report.seconds = greatest_over_sharers(
        model_.backend,
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (twins_ && report.outcome == Outcome::converged)
      report.error = twins_->estimate(model_, step, report);
    return report;
  }

  [[nodiscard]] ContactSolution download() const override { return download_step(model_, {}); }
  [[nodiscard]] ContactSolution download_fields(const ChosenFields& chosen) const override {
    return download_step(model_, chosen);
  }

  [[nodiscard]] const double* device_values(
      std::vector<double> ContactSolution::*field) const override {
    return device_values_of_step(model_, field);
  }

  [[nodiscard]] SolverState state() const override { return model_.saved(); }

  void restore(const SolverState& state, const StepInput& last) override {
    model_.restore(state, keeps_tangential_);
    model_.fields.coefficient = last.friction.coefficient;
    if (last.friction.varies() && !friction_.follows(last.friction) &&
        saved_values(state, "friction") != friction_.static_values(last.friction)) {
      throw InputError("the friction is not the one that the saved state belongs to");
    }
    if (has_no_tangential_fields(state))
      friction_.forget();
    else
      friction_.restored(last.friction);
  }

  // As if no step had been before; also where that left fields that are not finite.
  void start_again() {
    model_.clear();
    friction_.forget();
  }

  [[nodiscard]] std::string backend_name() const override { return Backend::name(); }
  [[nodiscard]] std::string device_name() const override { return model_.backend.device_name(); }

 private:
  void note(StepReport& report, Phase phase, int iteration, double change) {
    report.history.push_back({phase, iteration, change});
    if (progress_) progress_({phase, iteration, change});
  }

  void solve(const StepInput& step, StepReport& report) {
    const bool sliding = step.tangential.problem != TangentialProblem::none;
    if (!sliding && model_.state.has_tangential())
      for (auto* field : {&model_.state.traction_x, &model_.state.traction_y})
        model_.run(FillField{0.0, field->data()});
    if (step.normal.control == NormalControl::approach &&
        step.normal.value >= model_.full_approach) {
      model_.state.approach = step.normal.value;
      fail(report, full_contact_text(model_.state.approach, model_.full_approach));
      return;
    }
    const bool may_harden = friction_.hardens() && has_force(step.tangential);
    most_rounds_ = may_harden ? kRoundsBeforeHardening : kMaxOuter;
    Ending ending = alternate(step, report);
    if (ending == Ending::beyond_friction && friction_.carried_over()) {
      // What slipped before may adhere again under the force.
      friction_.fill_static(step.friction);
      start_rigid_slip(step);
      ending = alternate(step, report);
    }
    if (may_harden && ending != Ending::agreed && ending != Ending::normal_failed) {
      friction_.follow_hardening();
      start_rigid_slip(step);
      most_rounds_ = report.iterations_outer + kMaxOuter;
      ending = alternate(step, report);
    }
    if (ending == Ending::beyond_friction && friction_.yields())
      return fail(report, friction_.hardens() ? kBeyondHardening : kBeyondLayer);
    if (ending == Ending::agreed) {
      constexpr double kTold = SecondOrder<Backend>::kUnsettled;
      if (unsettled_ > kTold) add_remark(report, unsettled_text(unsettled_, kTold));
      const EdgeShares edges = model_.second_order.edge_shares();
      report.first_order_rows = edges.first_order;
      report.unlike_edges = edges.unlike;
      if (edges.first_order > kToldRows)
        add_remark(report, first_order_rows_text(edges.first_order));
      if (friction_.continues() && report.iterations_outer >= kSlowRounds)
        look_for_another(step, report);
      return;
    }
    add_remark(report, longer_step_text(ending, step.tangential, model_.grid));
    fail(report, failure_of(ending, step.friction, model_.coupled(), model_.periodic(), report,
                            kSharesRows<Backend>) +
                     (ending == Ending::no_agreement ? friction_.jumps(step, model_) : ""));
  }

  static constexpr double kToldRows = 0.05;
  static constexpr int kMaxOuter = 200;
  // Before newton's rows follow the hardening of a layer under a prescribed force.
  static constexpr int kRoundsBeforeHardening = 60;
  // A step that takes as many rounds of relaxation may be near another solution.
  static constexpr int kSlowRounds = 7;
  // Rounds of the outer iteration, one where nothing acts back on the pressure or the friction.
  Ending alternate(const StepInput& step, StepReport& report) {
    const bool sliding = step.tangential.problem != TangentialProblem::none;
    const bool iterate = sliding && (model_.coupled() || friction_.follows(step.friction));
    SecondOrder<Backend>& second_order = model_.second_order;
    const double bound_before = second_order.transient() ? sum_of_bounds() : 0.0;
    const bool looks_back = second_order.transient() && second_order.active();
    bool settled = !second_order.active();
    double change = kFirstChange;
    friction_.begin_rounds(step, settings_.tangential, !model_.coupled() && !looks_back);
    falling_ = {};
    unsettled_ = 0.0;
    rounds_.begin(friction_.follows(step.friction));
    for (int round = 1; report.iterations_outer < most_rounds_; ++round) {
      ++report.iterations_outer;
      if ((round == 1 || model_.coupled()) && !solve_normal(step, report))
        return Ending::normal_failed;
      if (!sliding) return Ending::agreed;
      model_.enter_contact();
      if (round == 1 && bound_before > 0.0 && sum_of_bounds() < kFall * bound_before) {
        second_order.load_fell();
        settled = true;
      }
      const bool exact = settled && (friction_.whole() || !iterate);
      const double tolerance = exact ? settings_.tolerance : inner_tolerance(change, settled);
      enter_window(round);
      if (!settled && round > 1) second_order.correct(model_, rigid_);
      const Ending ending = solve_tangential(step, round, tolerance, report);
      if (ending == Ending::refused && round == 1) round = 0;  // nothing of it is left
      if (ending == Ending::refused) continue;
      if (ending != Ending::agreed || (!iterate && settled)) return ending;
      change = outer_change(step, round, report);
      if (settled) {
        if (change <= settings_.tolerance && tolerance <= settings_.tolerance)
          return Ending::agreed;
      } else if (round > 1) {
        settled = changes_.tangential <= settled_change() || round > kMostCorrections;
        if (settled) unsettled_ = changes_.tangential;
      }
    }
    return Ending::no_agreement;
  }

  // Tractions that still move need not be exact; those of gauss_seidel would be far off.
  static constexpr double kFirstChange = 0.1;
  [[nodiscard]] double inner_tolerance(double change, bool settled) const {
    if (settings_.tangential == TangentialMethod::gauss_seidel && (!settled || model_.coupled()))
      return settings_.tolerance;
    // Rounds of pressure and friction, or of corrections, bring the tractions but so much closer.
    const bool rounds_lead = settled == model_.coupled();
    const double part = falling_.follows() || rounds_lead ? 0.05 : 0.01;
    return std::max(settings_.tolerance, part * change);
  }

  [[nodiscard]] double settled_change() {
    const auto count = static_cast<double>(model_.backend.read(model_.contact_count));
    return std::max(settings_.tolerance, model_.second_order.settled_change(count));
  }
  // Of what friction can carry, from one transient step to the next.
  static constexpr double kFall = 0.8;
  [[nodiscard]] double sum_of_bounds() {
    model_.sum_tractions();
    return model_.backend.read(model_.tangential_sums).bound;
  }
  static constexpr int kMostCorrections = 8;

  void start_rigid_slip(const StepInput& step) {
    rigid_ = first_rigid_slip(step.tangential, model_.state.creepage_x, model_.state.creepage_y);
  }

  bool solve_normal(const StepInput& step, StepReport& report) {
    const int done = report.iterations_normal;
    const auto tell = [&](int iteration, double change) {
      note(report, Phase::normal, done + iteration, change);
    };
    const NormalResult result = model_.normal_window->solve(
        model_.form_distance(), step.normal, settings_.normal, settings_.tolerance,
        model_.state.pressure, model_.state.displacement_n, tell);
    model_.state.approach = result.approach;
    report.iterations_normal += result.iterations;
    if (!result.converged) model_.tangential_window.leave();  // the contact may have left it
    return result.converged;
  }

  // The contact has been entered.
  void enter_window(int round) {
    model_.slip_operator.enter_contact(model_.state.division, round);
    if (round == 1 || model_.coupled())  // otherwise the contact stays as it is
      model_.tangential_window.choose(model_.state.division, model_.slip_operator.kind(),
                                      round == 1, model_.second_order.reach());
  }

  Ending solve_tangential(const StepInput& step, int round, double tolerance, StepReport& report) {
    model_.form_base();
    TangentialTask wanted = task(step);
    wanted.falling = falling_ = friction_.falling(step, model_.fields.pressure, round);
    if (falling_.follows()) model_.keep_tractions();
    if (friction_.follows_hardening()) {
      model_.tangential_window.leave();  // the bounds are of the grid
      wanted.hardening = friction_.hardening(model_.state.pressure.data());
    }
    if ((wanted.force_x_given || wanted.force_y_given) &&
        is_beyond_friction(wanted, greatest_force()))
      return Ending::beyond_friction;
    if (wanted.moment_given && std::abs(wanted.moment) >= greatest_moment())
      return Ending::beyond_moment;
    const TangentialResult result = model_.tangential_window.solve(
        wanted, model_.slip_operator, model_.tangential_fields(), model_.base_x.data(),
        model_.base_y.data(), tolerance, tangential_note(report));
    if (result.took_over != TookOver::none) add_remark(report, stalled_text(result.took_over));
    report.iterations_tangential += result.iterations;
    if (falling_.follows() &&
        (!result.converged || friction_.jumped(step, model_.fields, falling_))) {
      model_.put_back_tractions();
      friction_.refuse();
      return Ending::refused;
    }
    rigid_ = result.rigid;
    return result.converged ? Ending::agreed : Ending::tangential_failed;
  }

  // A step in time whose friction falls with slip: from full slip, or where all elements slip from
  // the static coefficient, newton may find another solution. The one found stays.
  void look_for_another(const StepInput& step, StepReport& report) {
    constexpr double kLoose = 1.0e-3;
    constexpr double kApart = 0.01;  // of the sum of bounds
    const VectorField found = model_.tractions();
    const std::vector<unsigned char> division = model_.backend.download(model_.state.division);
    const auto adhering = std::count(division.begin(), division.end(),
                                     static_cast<unsigned char>(ElementState::adhesion));
    const bool adheres = sum_over_sharers(model_.backend, static_cast<double>(adhering)) > 0.0;
    TangentialTask wanted = task(step);
    wanted.falling = friction_.whole_law(step, model_.fields.pressure);
    wanted.falling.first = !adheres;
    wanted.search = WholeLawSearch::from_elsewhere;
    const auto search = [&](double tolerance) {
      const TangentialResult other = model_.tangential_window.solve(
          wanted, model_.slip_operator, model_.tangential_fields(), model_.base_x.data(),
          model_.base_y.data(), tolerance, [](int, double) {});
      wanted.rigid = other.rigid;
      wanted.falling.first = false;
      wanted.search = WholeLawSearch::on;
      return other.converged ? distance_from(found) : TractionDistance{};
    };
    TractionDistance other = search(kLoose);
    if (other.part > kApart) other = search(settings_.tolerance);
    model_.backend.upload(found[0], model_.state.traction_x);
    model_.backend.upload(found[1], model_.state.traction_y);
    model_.backend.upload(division, model_.state.division);
    const double area = model_.grid.element_area();
    if (other.part > kApart)
      add_remark(report, another_solution_text(other.part, area * other.sum_x, area * other.sum_y));
  }

  // The distance of the tractions from others, as part of the sum of bounds, and their sums.
  struct TractionDistance {
    double part = 0.0;
    double sum_x = 0.0;
    double sum_y = 0.0;
  };
  TractionDistance distance_from(const VectorField& others) {
    const VectorField now = model_.tractions();
    double apart = 0.0;
    for (std::size_t i = 0; i < now[0].size(); ++i)
      apart += std::hypot(now[0][i] - others[0][i], now[1][i] - others[1][i]);
    apart = sum_over_sharers(model_.backend, apart);
    model_.sum_tractions();
    const TangentialSums sums = model_.backend.read(model_.tangential_sums);
    return {sums.bound > 0.0 ? apart / sums.bound : 0.0, sums.traction_x, sums.traction_y};
  }

  // What the bounds carry in this round, over an element's area: of a layer that hardens the bound of
  // friction.
  [[nodiscard]] double greatest_force() {
    if (!friction_.follows_hardening()) return model_.backend.read(model_.tangential_sums).bound;
    const std::vector<double> bound = model_.backend.download(friction_.greatest_bound());
    return sum_over_sharers(model_.backend, std::accumulate(bound.begin(), bound.end(), 0.0));
  }
  [[nodiscard]] double greatest_moment() {
    return model_.greatest_moment(friction_.follows_hardening() ? friction_.greatest_bound()
                                                                : model_.state.bound);
  }

  [[nodiscard]] IterationReport tangential_note(StepReport& report) {
    return [this, &report, done = report.iterations_tangential](int iteration, double change) {
      note(report, Phase::tangential, done + iteration, change);
    };
  }

  // rigid_: prescribed, or as the step has found it so far.
  [[nodiscard]] TangentialTask task(const StepInput& step) {
    const Tangential& tangential = step.tangential;
    TangentialTask task;
    if (model_.second_order.active())
      place_spin(tangential, model_.second_order.spin_ahead(), rigid_);
    task.rigid = rigid_;
    task.rolling = is_rolling(tangential.problem);
    // From the leading edge, as far as rows along x allow.
    if (task.rolling && std::cos(tangential.direction) > 0.0) task.order = SweepOrder::backwards;
    task.force_x_given = tangential.x.control != TangentialControl::rigid;
    task.force_y_given = tangential.y.control != TangentialControl::rigid;
    task.contact_count = model_.backend.read(model_.contact_count);
    if (task.force_x_given || task.force_y_given) {
      model_.sum_step();
      model_.sum_tractions();
      const ForceSums sums{static_bound(step.friction),
                           model_.backend.read(model_.totals).pressure};
      task.force_x = force_sum(tangential.x, sums, model_.grid);
      task.force_y = force_sum(tangential.y, sums, model_.grid);
    }
    task.moment_given = tangential.moment.has_value();
    task.moment = tangential.moment.value_or(0.0) / model_.grid.element_area();
    task.compliance =
        adhesive_compliance(tangential, task.contact_count, model_.grid, model_.material);
    return task;
  }

  // Sum of the tractions that the static coefficient allows: mu F_n over an element's area.
  [[nodiscard]] double static_bound(const Friction& friction) {
    if (friction.varies()) return model_.backend.read(model_.tangential_sums).bound;
    return friction_.mean_static(friction, model_.state.pressure.data()) *
           model_.backend.read(model_.totals).pressure;
  }

  // The greater one of the changes that K or second order, and the law of friction, ask for.
  double outer_change(const StepInput& step, int round, StepReport& report) {
    double change = 0.0;
    if (model_.coupled() || model_.second_order.active()) {
      changes_ =
          rounds_.take(model_, round, report.iterations_outer == most_rounds_, settings_.tolerance);
      change = changes_.all;
    }
    if (friction_.follows(step.friction)) {
      const double self = model_.slip_operator.self(Component::xx);
      change = std::max(change, friction_.follow_slip(step, model_.fields, self, round, falling_));
    }
    note(report, Phase::outer, report.iterations_outer, change);
    return change;
  }

  // Displacements, slip and totals of the tractions found, and from them the residual.
  void measure(const StepInput& step, StepReport& report) {
    const bool sliding = step.tangential.problem != TangentialProblem::none;
    model_.form_displacements(sliding);
    if (sliding) {
      model_.form_slip(rigid_);
    } else {
      model_.enter_contact();
      if (model_.state.has_tangential()) {
        model_.run(FillField{0.0, model_.state.slip_x.data()});
        model_.run(FillField{0.0, model_.state.slip_y.data()});
      }
    }
    model_.sum_step();
    if (step.friction.varies()) model_.sum_tractions();  // its mean over the pressure is reported
    model_.run(MeasureResiduals{model_.centres(), model_.whole.my, model_.fields,
                                model_.state.approach, 1.0 / model_.influence.self(Component::nn),
                                sliding ? 1.0 / model_.slip_operator.self(Component::xx) : 0.0,
                                residuals_.data(), model_.rows.first});
    fill_report(step, report);
  }

  void fill_report(const StepInput& step, StepReport& report) {
    const Tangential& tangential = step.tangential;
    const StepTotals totals = model_.backend.read(model_.totals);
    const StepResiduals residuals = model_.backend.read(residuals_);
    report_totals(totals, model_.grid.element_area(), report);
    report.surface.rolling_resistance = model_.rolling_resistance(tangential);
    report.approach = model_.state.approach;
    report_rigid_slip(rigid_, slip_distance(tangential), report);
    if (conserves_ && model_.second_order.active() && !tangential.extra.given() &&
        tangential.problem == TangentialProblem::steady_rolling)
      report.friction_work = std::min(0.0, work_of_forces(report, tangential.step));
    report.friction_coefficient =
        step.friction.varies() && totals.pressure > 0.0
            ? model_.backend.read(model_.tangential_sums).bound / totals.pressure
            : friction_.mean_static(step.friction, model_.state.pressure.data());
    report.max_pressure = model_.backend.greatest(model_.state.pressure);
    report.touches_edge = model_.grid.boundary == Boundary::free && residuals.at_edge > 0.0;
    const bool softened = friction_.may_soften() && totals.pressure > 0.0 &&
                          !(residuals.bound1 > 0.0) && residuals.tangential1 == 0.0 &&
                          tangential.problem != TangentialProblem::none;
    if (softened && report.outcome == Outcome::converged) add_remark(report, kSoftenedLayer);
    const bool frictional = !softened && !step.friction.varies() && step.friction.coefficient > 0.0;
    report_residual(residuals, totals, frictional, settings_.tolerance, report);
    report_range(step.normal, settings_.tolerance, report);
  }

  ProgressCallback progress_;
  SolverSettings settings_;
  bool wants_sensitivities_;
  bool keeps_tangential_;  // the fields of the tangential problem, whatever the steps are
  bool conserves_;         // energy: friction dissipates what the forces do
  StepModel<Backend> model_;
  FrictionField<Backend> friction_;  // of the state's friction
  Array<StepResiduals> residuals_;
  StoredWork stored_work_;
  OuterRounds<Backend> rounds_;
  int most_rounds_ = kMaxOuter;
  OuterChanges changes_;    // of the last round
  double unsettled_ = 0.0;  // what the last correction of second order still changed
  RigidSlip rigid_;
  FallingBound falling_;  // what the last round's rows followed of the friction
  std::optional<CoarseTwins<ContactRun>> twins_;  // where errors are to be estimated
};

}  // namespace slipfield
