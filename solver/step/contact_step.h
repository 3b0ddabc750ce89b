// A whole step on either backend: normal and tangential problem, their outer iteration, totals and
// residual (THEORY.md 8, 9.4, 11).
//
// Panagiotopoulos's process: where K != 0 the normal problem with the tangential tractions given
// and the tangential problem with the pressure given alternate until neither changes. Where K = 0
// once is enough.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/error.h"
#include "solver/influence/influence_operator.h"
#include "solver/influence/influence_table.h"
#include "solver/normal/normal_solver.h"
#include "solver/number_text.h"
#include "solver/rolling.h"
#include "solver/step/friction_field.h"
#include "solver/step/rigid_motion.h"
#include "solver/step/solver_backend.h"
#include "solver/step/step_ops.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_state.h"
#include "solver/tangential/slip_operator.h"
#include "solver/tangential/tangential_solver.h"

namespace slipfield {

template <SolverBackend Backend>
class ContactRun final : public ContactSolver {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  ContactRun(const ContactProblem& problem, ProgressCallback progress)
      : progress_(std::move(progress)),
        grid_(problem.grid),
        settings_(problem.solver),
        wants_sensitivities_(problem.sensitivities),
        material_(combine(problem.upper, problem.lower)),
        count_(grid_.count()),
        influence_(backend_, grid_, material_, settings_.influence),
        slip_operator_(backend_, grid_, material_, settings_.influence, influence_),
        normal_(backend_, grid_, influence_),
        tangential_(backend_, grid_, material_, settings_.influence),
        distance_(count_),
        coupled_distance_(count_),
        state_(count_, material_.coupling != 0.0),
        friction_(backend_, grid_, state_.friction),
        scratch_x_(count_),
        scratch_y_(count_),
        base_x_(count_),
        base_y_(count_),
        contact_count_(1),
        totals_(1),
        residuals_(1),
        change_(1),
        tangential_sums_(1) {
    const std::vector<double> h = undeformed_distance(problem.geometry, grid_, material_);
    if (std::none_of(h.begin(), h.end(), [](double v) { return std::isfinite(v); })) {
      throw InputError("no element can touch: the undeformed distance is infinite everywhere");
    }
    if (periodic()) {
      full_approach_ = std::accumulate(h.begin(), h.end(), 0.0) / static_cast<double>(count_);
    }
    backend_.upload(h, distance_);
    fields_ = {.pressure = state_.pressure.data(),
               .traction_x = state_.traction_x.data(),
               .traction_y = state_.traction_y.data(),
               .displacement_x = state_.displacement_x.data(),
               .displacement_y = state_.displacement_y.data(),
               .displacement_n = state_.displacement_n.data(),
               .slip_x = state_.slip_x.data(),
               .slip_y = state_.slip_y.data(),
               .bound = state_.bound.data(),
               .distance = distance_.data(),
               .state = state_.division.data()};
  }

  StepReport advance(const StepInput& step) override {
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t products = all_products();
    const std::int64_t coarse_products = tangential_.coarse_products();
    StepReport report;
    if (state_.broken) start_again();
    start_rigid_slip(step);
    slip_operator_.prepare(step.tangential, fields_);
    friction_.take_up(step);
    solve(step, report);
    measure(step, report);
    const bool rolled = is_rolling(step.tangential.problem) && report.outcome == Outcome::converged;
    state_.creepage_x = rolled ? report.rigid_x : 0.0;
    state_.creepage_y = rolled ? report.rigid_y : 0.0;
    if (report.outcome != Outcome::converged) find_broken_field(report);
    report.matrix_products = all_products() - products;
    report.matrix_products_coarse = tangential_.coarse_products() - coarse_products;
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
  }

  [[nodiscard]] ContactSolution download() const override {
    ContactSolution out;
    out.pressure = backend_.download(state_.pressure);
    out.traction_x = backend_.download(state_.traction_x);
    out.traction_y = backend_.download(state_.traction_y);
    out.traction_bound = backend_.download(state_.bound);
    out.displacement_x = backend_.download(state_.displacement_x);
    out.displacement_y = backend_.download(state_.displacement_y);
    out.displacement_n = backend_.download(state_.displacement_n);
    out.undeformed_distance = backend_.download(distance_);
    out.slip_x = backend_.download(state_.slip_x);
    out.slip_y = backend_.download(state_.slip_y);
    out.gap.resize(count_);
    out.element_division.resize(count_);
    const std::vector<unsigned char> state = backend_.download(state_.division);
    for (std::size_t i = 0; i < count_; ++i) {
      out.gap[i] = out.undeformed_distance[i] + out.displacement_n[i] - state_.approach;
      out.element_division[i] = static_cast<ElementState>(state[i]);
    }
    return out;
  }

  [[nodiscard]] SolverState state() const override {
    SolverState state;
    const SaveArray<Backend> save{backend_, state};
    StepState<Backend>::visit(state_, save);
    slip_operator_.visit_state(save);
    save("undeformed_distance", distance_);
    state["scalars"] = state_.scalars();
    return state;
  }

  void restore(const SolverState& state, const StepInput& last) override {
    if (saved_values(state, "undeformed_distance") != backend_.download(distance_)) {
      throw InputError("the geometry is not the one that the saved state belongs to");
    }
    slip_operator_.prepare_restore(state.count("leading_edge") != 0);
    const LoadArray<Backend> load{backend_, state};
    StepState<Backend>::visit(state_, load);
    slip_operator_.visit_state(load);
    const std::vector<double>& scalars = saved_values(state, "scalars");
    if (scalars.size() != state_.kScalars) refuse_state("scalars");
    state_.set_scalars(scalars);
    if (last.friction.varies() && !last.friction.depends_on_slip() &&
        saved_values(state, "friction") != static_coefficients(last.friction, grid_)) {
      throw InputError("the friction is not the one that the saved state belongs to");
    }
    friction_.restored(last.friction);
  }

  [[nodiscard]] std::string backend_name() const override { return Backend::name(); }
  [[nodiscard]] std::string device_name() const override { return backend_.device_name(); }

 private:
  template <class Op>
  void run(const Op& op) {
    backend_.run(count_, op);
  }
  [[nodiscard]] bool coupled() const { return material_.coupling != 0.0; }
  [[nodiscard]] bool periodic() const { return grid_.boundary == Boundary::periodic; }

  [[nodiscard]] std::int64_t all_products() const {
    return influence_.products() + slip_operator_.products();
  }

  void note(StepReport& report, Phase phase, int iteration, double change) {
    report.history.push_back({phase, iteration, change});
    if (progress_) progress_({phase, iteration, change});
  }

  void solve(const StepInput& step, StepReport& report) {
    const bool sliding = step.tangential.problem != TangentialProblem::none;
    if (!sliding) {
      run(FillField{0.0, state_.traction_x.data()});
      run(FillField{0.0, state_.traction_y.data()});
    }
    if (step.normal.control == NormalControl::approach && step.normal.value >= full_approach_) {
      state_.approach = step.normal.value;
      fail(report, "the approach prescribed, " + number_text(state_.approach) +
                       ", is not below the mean of the undeformed distance, " +
                       number_text(full_approach_) +
                       ", at which a periodic surface is in full contact: no pressure gives it");
      return;
    }
    Ending ending = alternate(step, report);
    if (ending == Ending::beyond_friction && friction_.carried_over()) {
      start_from_static_friction(step);
      ending = alternate(step, report);
    }
    if (ending != Ending::agreed)
      fail(report, failure_of(ending, step.friction, coupled(), periodic(), report));
  }

  // Rounds of the outer iteration, one where nothing acts back on the pressure or the friction.
  Ending alternate(const StepInput& step, StepReport& report) {
    constexpr int kMaxOuter = 200;
    const bool sliding = step.tangential.problem != TangentialProblem::none;
    const bool iterate = sliding && (coupled() || step.friction.depends_on_slip());
    double change = kFirstChange;
    for (int round = 1; report.iterations_outer < kMaxOuter; ++round) {
      ++report.iterations_outer;
      if ((round == 1 || coupled()) && !solve_normal(step, report)) return Ending::normal_failed;
      if (!sliding) return Ending::agreed;
      const double tolerance = iterate ? inner_tolerance(change) : settings_.tolerance;
      const Ending ending = solve_tangential(step, round, tolerance, report);
      if (ending != Ending::agreed || !iterate) return ending;
      change = outer_change(step, round, report);
      if (change <= settings_.tolerance && tolerance <= settings_.tolerance) return Ending::agreed;
    }
    return Ending::no_agreement;
  }

  // While the outer iteration still moves the tractions, the tangential problem need not be exact.
  static constexpr double kFirstChange = 0.1;
  [[nodiscard]] double inner_tolerance(double change) const {
    return coupled() ? settings_.tolerance : std::max(settings_.tolerance, 0.01 * change);
  }

  // Where the coefficients carried over do not suffice for the force: what slipped before may
  // adhere again under it.
  void start_from_static_friction(const StepInput& step) {
    friction_.fill_static(step.friction);
    start_rigid_slip(step);
  }

  void start_rigid_slip(const StepInput& step) {
    rigid_ = first_rigid_slip(step.tangential, state_.creepage_x, state_.creepage_y);
  }

  // The step before left fields that are not finite.
  void start_again() {
    state_.clear(backend_);
    friction_.forget();
  }

  // Where a field is no longer finite, or a sum over it, that is why the step did not converge.
  void find_broken_field(StepReport& report) {
    StepState<Backend>::visit(state_, [&](const char* name, const auto& array) {
      if (state_.broken || array.size() == 0) return;
      const auto values = backend_.download(array);
      const auto bad = std::find_if(values.begin(), values.end(), [](auto value) {
        return !std::isfinite(static_cast<double>(value));
      });
      if (bad == values.end()) return;
      state_.broken = true;
      report.message =
          broken_field_text(name, static_cast<int>(bad - values.begin()), grid_, report);
    });
    if (state_.broken || report.history.empty() || std::isfinite(report.history.back().change))
      return;
    state_.broken = true;
    report.message = broken_change_text(report.history.back());
  }

  bool solve_normal(const StepInput& step, StepReport& report) {
    const Array<double>* distance = &distance_;
    if (coupled()) {
      influence_.apply(Block::normal_from_tangential,
                       {state_.traction_x.data(), state_.traction_y.data(), nullptr},
                       {nullptr, nullptr, coupled_distance_.data()});
      run(AddFields{distance_.data(), coupled_distance_.data(), coupled_distance_.data()});
      distance = &coupled_distance_;
    }
    const int done = report.iterations_normal;
    const NormalResult result =
        normal_.solve(*distance, step.normal, settings_.normal, settings_.tolerance,
                      state_.pressure, state_.displacement_n, [&](int iteration, double change) {
                        note(report, Phase::normal, done + iteration, change);
                      });
    state_.approach = result.approach;
    report.iterations_normal += result.iterations;
    return result.converged;
  }

  Ending solve_tangential(const StepInput& step, int round, double tolerance, StepReport& report) {
    enter_contact();
    slip_operator_.enter_contact(state_.division, round);
    form_base();
    const TangentialTask wanted = task(step);
    if (is_beyond_friction(wanted)) return Ending::beyond_friction;
    const TangentialResult result =
        tangential_.solve(wanted, settings_.tangential, slip_operator_, tangential_fields(),
                          base_x_.data(), base_y_.data(), tolerance, tangential_note(report));
    if (result.newton_stalled) {
      report.message =
          periodic() ? "newton stalled in the tangential problem and started again from full slip"
                     : "newton stalled in the tangential problem and gauss_seidel took over";
    }
    rigid_ = result.rigid;
    report.iterations_tangential += result.iterations;
    return result.converged ? Ending::agreed : Ending::tangential_failed;
  }

  [[nodiscard]] IterationReport tangential_note(StepReport& report) {
    return [this, &report, done = report.iterations_tangential](int iteration, double change) {
      note(report, Phase::tangential, done + iteration, change);
    };
  }

  void enter_contact() {
    run(EnterContact{state_.pressure.data(), state_.friction.data(), state_.bound.data(),
                     state_.traction_x.data(), state_.traction_y.data(), state_.division.data(),
                     contact_count_.data()});
  }

  // The slip that pressure makes, less the displacement one step ago.
  void form_base() {
    if (coupled()) {
      slip_operator_.apply(Block::tangential_from_normal,
                           {nullptr, nullptr, state_.pressure.data()},
                           {base_x_.data(), base_y_.data(), nullptr});
    } else {
      run(FillField{0.0, base_x_.data()});
      run(FillField{0.0, base_y_.data()});
    }
    slip_operator_.subtract_previous(base_x_.data(), base_y_.data());
  }

  [[nodiscard]] TangentialFields tangential_fields() {
    return {.traction_x = state_.traction_x.data(),
            .traction_y = state_.traction_y.data(),
            .slip_x = state_.slip_x.data(),
            .slip_y = state_.slip_y.data(),
            .bound = state_.bound.data(),
            .state = state_.division.data(),
            .fraction = slip_operator_.fraction()};
  }

  // rigid_: prescribed, or as the step has found it so far.
  [[nodiscard]] TangentialTask task(const StepInput& step) {
    const Tangential& tangential = step.tangential;
    TangentialTask task;
    task.rigid = rigid_;
    task.rolling = is_rolling(tangential.problem);
    // From the leading edge, as far as rows along x allow.
    if (task.rolling && std::cos(tangential.direction) > 0.0) task.order = SweepOrder::backwards;
    task.force_x_given = tangential.x.control != TangentialControl::rigid;
    task.force_y_given = tangential.y.control != TangentialControl::rigid;
    task.contact_count = backend_.read(contact_count_);
    if (task.force_x_given || task.force_y_given) {
      run(SumStep{centres(), fields_, totals_.data()});
      run(SumTractions{state_.traction_x.data(), state_.traction_y.data(), state_.bound.data(),
                       tangential_sums_.data()});
      const double bound = static_bound(step.friction);
      task.force_x = force_sum(tangential.x, bound);
      task.force_y = force_sum(tangential.y, bound);
    }
    task.compliance = adhesive_compliance(tangential, task.contact_count, grid_, material_);
    return task;
  }

  // Sum of the tractions that the static coefficient allows: mu F_n over an element's area.
  [[nodiscard]] double static_bound(const Friction& friction) {
    if (friction.varies()) return backend_.read(tangential_sums_).bound;
    return friction.coefficient * backend_.read(totals_).pressure;
  }

  // The bound sum mu F_n is reached by full sliding only, and then by any rigid slip.
  [[nodiscard]] bool is_beyond_friction(const TangentialTask& wanted) {
    if (!wanted.force_x_given && !wanted.force_y_given) return false;
    const double force = std::hypot(wanted.force_x, wanted.force_y);
    return force > 0.0 && force >= backend_.read(tangential_sums_).bound;
  }

  [[nodiscard]] double force_sum(const TangentialLoad& load, double bound_sum) const {
    if (load.control == TangentialControl::force) return load.value / grid_.element_area();
    if (load.control == TangentialControl::force_ratio) return load.value * bound_sum;
    return 0.0;
  }

  // The greater one of the changes that K and the law of friction ask for.
  double outer_change(const StepInput& step, int round, StepReport& report) {
    double change = 0.0;
    if (coupled()) {
      run(OuterChange{fields_, state_.outer_pressure.data(), state_.outer_x.data(),
                      state_.outer_y.data(), change_.data()});
      change = backend_.read(change_);
    }
    if (step.friction.depends_on_slip()) {
      change = std::max(change, friction_.follow_slip(step, fields_, round));
    }
    note(report, Phase::outer, report.iterations_outer, change);
    return change;
  }

  [[nodiscard]] ElementCentres centres() const { return ElementCentres(grid_); }

  // Displacements, slip and totals of the tractions found, and from them the residual.
  void measure(const StepInput& step, StepReport& report) {
    const bool sliding = step.tangential.problem != TangentialProblem::none;
    form_displacements(sliding);
    if (sliding) {
      // the slip again from all tractions; state_.displacement_x and _y_ already hold u_t
      slip_operator_.apply(Block::tangential,
                           {state_.traction_x.data(), state_.traction_y.data(), nullptr},
                           {scratch_x_.data(), scratch_y_.data(), nullptr});
      form_base();
      run(FormSlip{centres(), rigid_, base_x_.data(), base_y_.data(), scratch_x_.data(),
                   scratch_y_.data(), tangential_fields()});
    } else {
      enter_contact();
      run(FillField{0.0, state_.slip_x.data()});
      run(FillField{0.0, state_.slip_y.data()});
    }
    run(SumStep{centres(), fields_, totals_.data()});
    if (step.friction.varies()) {  // its mean over the pressure is reported
      run(SumTractions{state_.traction_x.data(), state_.traction_y.data(), state_.bound.data(),
                       tangential_sums_.data()});
    }
    run(MeasureResiduals{
        centres(), grid_.my, fields_, state_.approach, 1.0 / influence_.self(Component::nn),
        sliding ? 1.0 / slip_operator_.self(Component::xx) : 0.0, residuals_.data()});
    fill_report(step, report);
    if (sliding && wants_sensitivities_ && report.outcome == Outcome::converged) {
      report.sensitivities = find_sensitivities(step);
    }
  }

  // From the fields that measure() left: base_x_ and base_y_ are the step's.
  std::array<double, 9> find_sensitivities(const StepInput& step) {
    std::array<double, 9> result = tangential_.sensitivities(
        task(step), slip_operator_, tangential_fields(), base_x_.data(), base_y_.data());
    const double scale = grid_.element_area() * slip_distance(step.tangential);
    for (double& value : result) value *= scale;
    return result;
  }

  void form_displacements(bool sliding) {
    influence_.apply(Block::normal, {nullptr, nullptr, state_.pressure.data()},
                     {nullptr, nullptr, state_.displacement_n.data()});
    if (sliding || coupled()) {
      influence_.apply(Block::tangential,
                       {state_.traction_x.data(), state_.traction_y.data(), nullptr},
                       {state_.displacement_x.data(), state_.displacement_y.data(), nullptr});
    } else {
      run(FillField{0.0, state_.displacement_x.data()});
      run(FillField{0.0, state_.displacement_y.data()});
    }
    if (!coupled()) return;
    influence_.apply(Block::normal_from_tangential,
                     {state_.traction_x.data(), state_.traction_y.data(), nullptr},
                     {nullptr, nullptr, base_x_.data()});
    run(AddFields{state_.displacement_n.data(), base_x_.data(), state_.displacement_n.data()});
    influence_.apply(Block::tangential_from_normal, {nullptr, nullptr, state_.pressure.data()},
                     {base_x_.data(), base_y_.data(), nullptr});
    run(AddFields{state_.displacement_x.data(), base_x_.data(), state_.displacement_x.data()});
    run(AddFields{state_.displacement_y.data(), base_y_.data(), state_.displacement_y.data()});
  }

  void fill_report(const StepInput& step, StepReport& report) {
    const Tangential& tangential = step.tangential;
    const StepTotals totals = backend_.read(totals_);
    const StepResiduals residuals = backend_.read(residuals_);
    report_totals(totals, grid_.element_area(), report);
    report.approach = state_.approach;
    const double distance = slip_distance(tangential);
    report.rigid_x = rigid_.x / distance;
    report.rigid_y = rigid_.y / distance;
    report.rotation = rigid_.rotation / distance;
    report.friction_coefficient = step.friction.varies() && totals.pressure > 0.0
                                      ? backend_.read(tangential_sums_).bound / totals.pressure
                                      : step.friction.coefficient;
    report.max_pressure = backend_.greatest(state_.pressure);
    report.touches_edge = grid_.boundary == Boundary::free && residuals.at_edge > 0.0;
    const bool frictional = !step.friction.varies() && step.friction.coefficient > 0.0;
    report_residual(residuals, totals, frictional, settings_.tolerance, report);
  }

  ProgressCallback progress_;
  Grid grid_;
  SolverSettings settings_;
  bool wants_sensitivities_;
  CombinedMaterial material_;
  std::size_t count_;
  Backend backend_;
  Influence influence_;
  SlipOperator<Backend> slip_operator_;
  NormalSolver<Backend> normal_;
  TangentialSolver<Backend> tangential_;
  Array<double> distance_, coupled_distance_;
  StepState<Backend> state_;
  FrictionField<Backend> friction_;  // of state_.friction
  Array<double> scratch_x_, scratch_y_, base_x_, base_y_;
  Array<double> contact_count_;
  Array<StepTotals> totals_;
  Array<StepResiduals> residuals_;
  Array<double> change_;
  Array<TangentialSums> tangential_sums_;
  StepFields fields_;
  RigidSlip rigid_;
  // Periodic: displacements have the mean 0, so gaps have the mean of h less the approach.
  double full_approach_ = std::numeric_limits<double>::infinity();
};

}  // namespace slipfield
