// A whole step on either backend: normal and tangential problem, their outer iteration, totals and
// residual.
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
#include <optional>
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
#include "solver/step/friction_ops.h"
#include "solver/step/step_ops.h"
#include "solver/tangential/slip_operator.h"
#include "solver/tangential/tangential_solver.h"

namespace slipfield {

template <class Backend>
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
        pressure_(count_),
        traction_x_(count_),
        traction_y_(count_),
        displacement_x_(count_),
        displacement_y_(count_),
        displacement_n_(count_),
        scratch_x_(count_),
        scratch_y_(count_),
        base_x_(count_),
        base_y_(count_),
        slip_x_(count_),
        slip_y_(count_),
        bound_(count_),
        friction_(count_),
        state_(count_),
        contact_count_(1),
        totals_(1),
        residuals_(1),
        change_(1),
        friction_change_(1),
        tangential_sums_(1) {
    const std::vector<double> h = undeformed_distance(problem.geometry, grid_, material_);
    if (std::none_of(h.begin(), h.end(), [](double v) { return std::isfinite(v); })) {
      throw InputError(
          "geometry: no element can touch; the undeformed distance is infinite everywhere");
    }
    if (periodic()) {
      full_approach_ = std::accumulate(h.begin(), h.end(), 0.0) / static_cast<double>(count_);
    }
    backend_.upload(h, distance_);
    if (coupled()) {
      previous_pressure_ = Array<double>(count_);
      previous_x_ = Array<double>(count_);
      previous_y_ = Array<double>(count_);
    }
    fields_ = {pressure_.data(),       traction_x_.data(),     traction_y_.data(),
               displacement_x_.data(), displacement_y_.data(), displacement_n_.data(),
               slip_x_.data(),         slip_y_.data(),         bound_.data(),
               distance_.data(),       state_.data()};
  }

  StepReport advance(const StepInput& step) override {
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t products = all_products();
    const std::int64_t coarse_products = tangential_.coarse_products();
    StepReport report;
    if (broken_) start_again();
    rigid_ = first_rigid_slip(step.tangential);
    slip_operator_.prepare(step.tangential, fields_);
    take_up(step);
    solve(step, report);
    measure(step, report);
    const bool rolled = is_rolling(step.tangential.problem) && report.outcome == Outcome::converged;
    creepage_x_ = rolled ? report.rigid_x : 0.0;
    creepage_y_ = rolled ? report.rigid_y : 0.0;
    if (report.outcome != Outcome::converged) {
      find_broken_field(report);
      if (!broken_) find_broken_change(report);
    }
    report.matrix_products = all_products() - products;
    report.matrix_products_coarse = tangential_.coarse_products() - coarse_products;
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
  }

  [[nodiscard]] ContactSolution download() const override {
    ContactSolution out;
    out.pressure = backend_.download(pressure_);
    out.traction_x = backend_.download(traction_x_);
    out.traction_y = backend_.download(traction_y_);
    out.traction_bound = backend_.download(bound_);
    out.displacement_x = backend_.download(displacement_x_);
    out.displacement_y = backend_.download(displacement_y_);
    out.displacement_n = backend_.download(displacement_n_);
    out.undeformed_distance = backend_.download(distance_);
    out.slip_x = backend_.download(slip_x_);
    out.slip_y = backend_.download(slip_y_);
    out.gap.resize(count_);
    out.element_division.resize(count_);
    const std::vector<unsigned char> state = backend_.download(state_);
    for (std::size_t i = 0; i < count_; ++i) {
      out.gap[i] = out.undeformed_distance[i] + out.displacement_n[i] - approach_;
      out.element_division[i] = static_cast<ElementState>(state[i]);
    }
    return out;
  }

  [[nodiscard]] SolverState state() const override {
    SolverState state;
    const auto save = [&](const char* name, const auto& array) {
      if (array.size() == 0) return;
      const auto values = backend_.download(array);
      state[name].assign(values.begin(), values.end());
    };
    visit_state(*this, save);
    slip_operator_.visit_state(save);
    save("undeformed_distance", distance_);
    state["scalars"] = {approach_, creepage_x_, creepage_y_, broken_ ? 1.0 : 0.0};
    return state;
  }

  void restore(const SolverState& state, const StepInput& last) override {
    if (state_values(state, "undeformed_distance") != backend_.download(distance_)) {
      throw InputError("the geometry is not the one that the saved state belongs to");
    }
    slip_operator_.prepare_restore(state.count("leading_edge") != 0);
    const auto load = [&](const char* name, auto& array) {
      if (array.size() == 0) return;
      const std::vector<double>& values = state_values(state, name);
      if (values.size() != array.size()) refuse_state(name);
      using Value = typename decltype(backend_.download(array))::value_type;
      std::vector<Value> converted;
      converted.reserve(values.size());
      for (const double value : values) converted.push_back(static_cast<Value>(value));
      backend_.upload(converted, array);
    };
    visit_state(*this, load);
    slip_operator_.visit_state(load);
    const std::vector<double>& scalars = state_values(state, "scalars");
    if (scalars.size() != 4) refuse_state("scalars");
    approach_ = scalars[0];
    creepage_x_ = scalars[1];
    creepage_y_ = scalars[2];
    broken_ = scalars[3] != 0.0;
    if (last.friction.local && !last.friction.depends_on_slip() &&
        state_values(state, "friction") != static_coefficients(last.friction, grid_)) {
      throw InputError("the friction is not the one that the saved state belongs to");
    }
    friction_taken_up_ = last.friction;
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

  // Every field that a step takes from the step before, also where one of the two does not
  // converge.
  template <class Self, class Visit>
  static void visit_state(Self& self, const Visit& visit) {
    visit("pressure", self.pressure_);
    visit("traction_x", self.traction_x_);
    visit("traction_y", self.traction_y_);
    visit("displacement_x", self.displacement_x_);
    visit("displacement_y", self.displacement_y_);
    visit("displacement_n", self.displacement_n_);
    visit("slip_x", self.slip_x_);
    visit("slip_y", self.slip_y_);
    visit("traction_bound", self.bound_);
    visit("friction", self.friction_);
    visit("element_division", self.state_);
    visit("outer_pressure", self.previous_pressure_);
    visit("outer_traction_x", self.previous_x_);
    visit("outer_traction_y", self.previous_y_);
  }

  [[noreturn]] static void refuse_state(const std::string& name) {
    throw InputError("the saved state does not fit the case: " + name);
  }
  static const std::vector<double>& state_values(const SolverState& state, const char* name) {
    const auto found = state.find(name);
    if (found == state.end()) refuse_state(name);
    return found->second;
  }

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
      run(FillField{0.0, traction_x_.data()});
      run(FillField{0.0, traction_y_.data()});
    }
    if (step.normal.control == NormalControl::approach && step.normal.value >= full_approach_) {
      approach_ = step.normal.value;
      fail(report, "the approach prescribed, " + number_text(approach_) +
                       ", is not below the mean of the undeformed distance, " +
                       number_text(full_approach_) +
                       ", at which a periodic surface is in full contact: no pressure gives it");
      return;
    }
    Ending ending = alternate(step, report);
    if (ending == Ending::beyond_friction && friction_carried_over_) {
      start_from_static_friction(step);
      ending = alternate(step, report);
    }
    if (ending != Ending::agreed) fail(report, reason(ending, step, report));
  }

  enum class Ending { agreed, normal_failed, tangential_failed, beyond_friction, no_agreement };

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

  std::string reason(Ending ending, const StepInput& step, const StepReport& report) const {
    switch (ending) {
      case Ending::normal_failed:
        return "the normal problem did not converge in " +
               std::to_string(report.iterations_normal) + " iterations";
      case Ending::beyond_friction:
        return step.friction.depends_on_slip()
                   ? "the tangential force prescribed is not below mu F_n, with the friction of "
                     "sliding where the contact slips: no rigid slip was found for it"
                   : "the tangential force prescribed is not below mu F_n: no rigid slip gives it";
      case Ending::tangential_failed:
        return "the tangential problem did not converge in " +
               std::to_string(report.iterations_tangential) + " iterations" +
               (periodic() ? ": newton stalled twice, and no other method solves periodic grids"
                           : "");
      case Ending::no_agreement:
        return std::string(coupled() ? "normal and tangential problem" : "friction and slip") +
               " did not agree in " + std::to_string(report.iterations_outer) + " outer iterations";
      case Ending::agreed:
        break;
    }
    return "";
  }

  // While the outer iteration still moves the tractions, the tangential problem need not be exact.
  static constexpr double kFirstChange = 0.1;
  [[nodiscard]] double inner_tolerance(double change) const {
    return coupled() ? settings_.tolerance : std::max(settings_.tolerance, 0.01 * change);
  }

  // The friction of a step before stays where the law stays the same, unless the step asks for
  // another start: what slipped then starts with its sliding coefficient.
  void take_up(const StepInput& step) {
    const Friction& friction = step.friction;
    const FrictionStart start =
        friction.depends_on_slip() ? step.tangential.start : FrictionStart::last;
    const bool same =
        start == FrictionStart::last && friction_taken_up_ && *friction_taken_up_ == friction;
    friction_carried_over_ = friction.depends_on_slip() && (same || start == FrictionStart::slip);
    if (same) return;
    fill_friction(friction, start == FrictionStart::slip
                                ? sliding_law(friction).at(step.tangential.velocity)
                                : friction.coefficient);
    friction_taken_up_ = friction;
  }

  // Where the coefficient varies over the grid, with its static values.
  void fill_friction(const Friction& friction, double coefficient) {
    if (friction.local) {
      backend_.upload(static_coefficients(friction, grid_), friction_);
    } else {
      run(FillField{coefficient, friction_.data()});
    }
  }

  // Where the coefficients carried over do not suffice for the force: what slipped before may
  // adhere again under it.
  void start_from_static_friction(const StepInput& step) {
    fill_friction(step.friction, step.friction.coefficient);
    rigid_ = first_rigid_slip(step.tangential);
  }

  // Where a field is no longer finite, that is why the step did not converge.
  void find_broken_field(StepReport& report) {
    visit_state(*this, [&](const char* name, const auto& array) {
      if (broken_ || array.size() == 0) return;
      const auto values = backend_.download(array);
      const auto bad = std::find_if(values.begin(), values.end(), [](auto value) {
        return !std::isfinite(static_cast<double>(value));
      });
      if (bad == values.end()) return;
      broken_ = true;
      const auto i = static_cast<int>(bad - values.begin());
      std::string where = "before the first iteration";
      if (!report.history.empty()) {
        const IterationRecord& last = report.history.back();
        where = "in " + std::string(phase_name(last.phase)) + " iteration " +
                std::to_string(last.iteration);
      }
      report.message = std::string(name) + " is not finite at element (" +
                       std::to_string(i % grid_.mx) + ", " + std::to_string(i / grid_.mx) + ") " +
                       where + ": the numbers of the case are beyond what doubles hold";
    });
  }

  // The same where fields are finite, but sums of their squares are not.
  void find_broken_change(StepReport& report) {
    if (report.history.empty() || std::isfinite(report.history.back().change)) return;
    broken_ = true;
    const IterationRecord& last = report.history.back();
    report.message =
        std::string(last.phase == Phase::normal ? "the sum of the squares of pressure"
                                                : "the sum of the squares of traction") +
        " is not finite in " + std::string(phase_name(last.phase)) + " iteration " +
        std::to_string(last.iteration) + ": the numbers of the case are beyond what doubles hold";
  }

  // From an unloaded contact: the step before left fields that are not finite.
  void start_again() {
    for (Array<double>* array : {&pressure_, &traction_x_, &traction_y_, &displacement_x_,
                                 &displacement_y_, &displacement_n_, &slip_x_, &slip_y_, &bound_,
                                 &previous_pressure_, &previous_x_, &previous_y_}) {
      if (array->size() != 0) run(FillField{0.0, array->data()});
    }
    friction_taken_up_.reset();
    approach_ = 0.0;
    broken_ = false;
  }

  static void fail(StepReport& report, const std::string& message) {
    report.outcome = Outcome::not_converged;
    report.message = message;
  }

  bool solve_normal(const StepInput& step, StepReport& report) {
    const Array<double>* distance = &distance_;
    if (coupled()) {
      influence_.apply(Block::normal_from_tangential,
                       {traction_x_.data(), traction_y_.data(), nullptr},
                       {nullptr, nullptr, coupled_distance_.data()});
      run(AddFields{distance_.data(), coupled_distance_.data(), coupled_distance_.data()});
      distance = &coupled_distance_;
    }
    const int done = report.iterations_normal;
    const NormalResult result =
        normal_.solve(*distance, step.normal, settings_.normal, settings_.tolerance, pressure_,
                      displacement_n_, [&](int iteration, double change) {
                        note(report, Phase::normal, done + iteration, change);
                      });
    approach_ = result.approach;
    report.iterations_normal += result.iterations;
    return result.converged;
  }

  Ending solve_tangential(const StepInput& step, int round, double tolerance, StepReport& report) {
    enter_contact();
    slip_operator_.enter_contact(state_, round);
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
    run(EnterContact{pressure_.data(), friction_.data(), bound_.data(), traction_x_.data(),
                     traction_y_.data(), state_.data(), contact_count_.data()});
  }

  // The slip that pressure makes, less the displacement one step ago.
  void form_base() {
    if (coupled()) {
      slip_operator_.apply(Block::tangential_from_normal, {nullptr, nullptr, pressure_.data()},
                           {base_x_.data(), base_y_.data(), nullptr});
    } else {
      run(FillField{0.0, base_x_.data()});
      run(FillField{0.0, base_y_.data()});
    }
    slip_operator_.subtract_previous(base_x_.data(), base_y_.data());
  }

  [[nodiscard]] TangentialFields tangential_fields() {
    return {traction_x_.data(), traction_y_.data(), slip_x_.data(),           slip_y_.data(),
            bound_.data(),      state_.data(),      slip_operator_.fraction()};
  }

  // Rigid slip of a step over its creepage; a shift is a rigid slip already.
  static double slip_distance(const Tangential& tangential) {
    return is_rolling(tangential.problem) ? tangential.step : 1.0;
  }

  // What is prescribed; where that is a force, a start: in rolling the creepage of the step before.
  [[nodiscard]] RigidSlip first_rigid_slip(const Tangential& tangential) const {
    RigidSlip rigid;
    if (tangential.problem == TangentialProblem::none) return rigid;
    const bool rolling = is_rolling(tangential.problem);
    const double distance = slip_distance(tangential);
    const auto first = [&](const TangentialLoad& load, double creepage) {
      if (load.control == TangentialControl::rigid) return distance * load.value;
      return rolling ? distance * creepage : 0.0;
    };
    rigid.x = first(tangential.x, creepage_x_);
    rigid.y = first(tangential.y, creepage_y_);
    rigid.rotation = distance * tangential.rotation;
    if (rolling) {
      rigid.arm_x = distance / 6.0 * std::cos(tangential.direction);
      rigid.arm_y = distance / 6.0 * std::sin(tangential.direction);
    }
    return rigid;
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
      run(SumTractions{traction_x_.data(), traction_y_.data(), bound_.data(),
                       tangential_sums_.data()});
      const double bound = static_bound(step.friction);
      task.force_x = force_sum(tangential.x, bound);
      task.force_y = force_sum(tangential.y, bound);
    }
    // Mindlin 1949: a circle of the same area in full adhesion has shift/force = (2 - nu)/(8 G a)
    // for each body. Steady rolling: force = C11 G a^2 creepage with C11 near 4 [Kalker1990].
    const double area = std::max(task.contact_count, 1.0) * grid_.element_area();
    const double radius = std::sqrt(area / 3.14159265358979323846);
    const double stiffness = tangential.problem == TangentialProblem::steady_rolling
                                 ? 4.0 * radius * radius / tangential.step
                                 : 4.0 * radius / (2.0 - material_.poisson_ratio);
    task.compliance = grid_.element_area() / (material_.shear_modulus * stiffness);
    return task;
  }

  // Sum of the tractions that the static coefficient allows: mu F_n over an element's area.
  [[nodiscard]] double static_bound(const Friction& friction) {
    if (friction.local) return backend_.read(tangential_sums_).bound;
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
      run(OuterChange{fields_, previous_pressure_.data(), previous_x_.data(), previous_y_.data(),
                      change_.data()});
      change = backend_.read(change_);
    }
    if (step.friction.depends_on_slip()) {
      change = std::max(change, follow_slip(step, round));
    }
    note(report, Phase::outer, report.iterations_outer, change);
    return change;
  }

  double follow_slip(const StepInput& step, int round) {
    constexpr int kFreeSteps = 10;
    if (wanted_friction_.size() == 0) wanted_friction_ = Array<double>(count_);
    const bool falls = step.friction.law != FrictionLaw::constant;
    FollowSlip op;
    op.law = sliding_law(step.friction);
    op.rate = falls ? step.tangential.velocity / step.tangential.step : 0.0;
    op.relaxed = falls;
    op.only_down = !falls && round > kFreeSteps;  // alternating elements would never settle
    op.escapes = round > kFreeSteps;  // before, distances also grow where a border still moves
    op.first = round == 1;
    op.f = fields_;
    op.friction = friction_.data();
    op.wanted = wanted_friction_.data();
    op.out = friction_change_.data();
    run(op);
    run(TakeFriction{op.law, wanted_friction_.data(), friction_change_.data(), friction_.data()});
    return backend_.read(friction_change_).change;
  }

  [[nodiscard]] ElementCentres centres() const { return ElementCentres(grid_); }

  // Displacements, slip and totals of the tractions found, and from them the residual.
  void measure(const StepInput& step, StepReport& report) {
    const bool sliding = step.tangential.problem != TangentialProblem::none;
    form_displacements(sliding);
    if (sliding) {
      // the slip again from all tractions; displacement_x_ and _y_ already hold u_t
      slip_operator_.apply(Block::tangential, {traction_x_.data(), traction_y_.data(), nullptr},
                           {scratch_x_.data(), scratch_y_.data(), nullptr});
      form_base();
      run(FormSlip{centres(), rigid_, base_x_.data(), base_y_.data(), scratch_x_.data(),
                   scratch_y_.data(), tangential_fields()});
    } else {
      enter_contact();
      run(FillField{0.0, slip_x_.data()});
      run(FillField{0.0, slip_y_.data()});
    }
    run(SumStep{centres(), fields_, totals_.data()});
    if (step.friction.local) {  // its mean over the pressure is reported
      run(SumTractions{traction_x_.data(), traction_y_.data(), bound_.data(),
                       tangential_sums_.data()});
    }
    run(MeasureResiduals{
        centres(), grid_.my, fields_, approach_, 1.0 / influence_.self(Component::nn),
        sliding ? 1.0 / slip_operator_.self(Component::xx) : 0.0, residuals_.data()});
    fill_report(step, report);
    if (sliding && wants_sensitivities_ && report.outcome == Outcome::converged) {
      report.sensitivities = find_sensitivities(step);
    }
  }

  // From the fields that measure() left: base_x_ and base_y_ are the step's.
  std::array<double, 9> find_sensitivities(const StepInput& step) {
    if (slip_operator_.table_operator() == nullptr) {
      throw InputError(
          "output.sensitivities: not on a periodic grid; accepted: grid.boundary: free");
    }
    std::array<double, 9> result = tangential_.sensitivities(
        task(step), slip_operator_, tangential_fields(), base_x_.data(), base_y_.data());
    const double scale = grid_.element_area() * slip_distance(step.tangential);
    for (double& value : result) value *= scale;
    return result;
  }

  void form_displacements(bool sliding) {
    influence_.apply(Block::normal, {nullptr, nullptr, pressure_.data()},
                     {nullptr, nullptr, displacement_n_.data()});
    if (sliding || coupled()) {
      influence_.apply(Block::tangential, {traction_x_.data(), traction_y_.data(), nullptr},
                       {displacement_x_.data(), displacement_y_.data(), nullptr});
    } else {
      run(FillField{0.0, displacement_x_.data()});
      run(FillField{0.0, displacement_y_.data()});
    }
    if (!coupled()) return;
    influence_.apply(Block::normal_from_tangential,
                     {traction_x_.data(), traction_y_.data(), nullptr},
                     {nullptr, nullptr, base_x_.data()});
    run(AddFields{displacement_n_.data(), base_x_.data(), displacement_n_.data()});
    influence_.apply(Block::tangential_from_normal, {nullptr, nullptr, pressure_.data()},
                     {base_x_.data(), base_y_.data(), nullptr});
    run(AddFields{displacement_x_.data(), base_x_.data(), displacement_x_.data()});
    run(AddFields{displacement_y_.data(), base_y_.data(), displacement_y_.data()});
  }

  void fill_report(const StepInput& step, StepReport& report) {
    const Tangential& tangential = step.tangential;
    const StepTotals totals = backend_.read(totals_);
    const StepResiduals residuals = backend_.read(residuals_);
    const double area = grid_.element_area();
    report.normal_force = area * totals.pressure;
    report.approach = approach_;
    report.force_x = area * totals.traction_x;
    report.force_y = area * totals.traction_y;
    report.moment_z = area * totals.moment_z;
    const double distance = slip_distance(tangential);
    report.rigid_x = rigid_.x / distance;
    report.rigid_y = rigid_.y / distance;
    report.rotation = rigid_.rotation / distance;
    report.friction_coefficient = step.friction.local && totals.pressure > 0.0
                                      ? backend_.read(tangential_sums_).bound / totals.pressure
                                      : step.friction.coefficient;
    report.max_pressure = backend_.greatest(pressure_);
    report.elements_adhesion = static_cast<std::int64_t>(totals.adhesion);
    report.elements_slip = static_cast<std::int64_t>(totals.slip);
    report.elements_contact = report.elements_adhesion + report.elements_slip;
    report.elastic_energy = 0.5 * area * totals.energy;
    report.friction_work = area * totals.work;
    report.touches_edge = grid_.boundary == Boundary::free && residuals.at_edge > 0.0;
    const double normal_part =
        relative_size(residuals.normal2, residuals.pressure2, residuals.normal1, totals.pressure);
    const double tangential_part = relative_size(residuals.tangential2, residuals.bound2,
                                                 residuals.tangential1, residuals.bound1);
    report.residual =
        std::isnan(tangential_part) ? tangential_part : std::max(normal_part, tangential_part);
    // Friction whose bound has vanished leaves nothing to judge by.
    const bool friction = !step.friction.local && step.friction.coefficient > 0.0;
    if (report.elements_contact > 0 && friction && !(residuals.bound1 > 0.0))
      report.residual = std::numeric_limits<double>::quiet_NaN();
    // The residual weighs smooth errors up to a grid's width more than the change of the tractions
    // does.
    const double accepted = 100.0 * settings_.tolerance;
    if (report.outcome == Outcome::converged && !(report.residual <= accepted)) {
      fail(report, "the residual of the fields found is " + number_text(report.residual) +
                       ", above 100 times the tolerance of " + number_text(settings_.tolerance));
    }
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
  Array<double> distance_, coupled_distance_, pressure_, traction_x_, traction_y_;
  Array<double> displacement_x_, displacement_y_, displacement_n_;
  Array<double> scratch_x_, scratch_y_, base_x_, base_y_, slip_x_, slip_y_, bound_, friction_;
  Array<unsigned char> state_;
  Array<double> contact_count_;
  Array<StepTotals> totals_;
  Array<StepResiduals> residuals_;
  Array<double> previous_pressure_, previous_x_, previous_y_, change_;
  Array<double> wanted_friction_;  // made when first asked for
  Array<FrictionChange> friction_change_;
  Array<TangentialSums> tangential_sums_;
  std::optional<Friction> friction_taken_up_;
  bool friction_carried_over_ = false;  // from the step before
  StepFields fields_;
  RigidSlip rigid_;
  double creepage_x_ = 0.0;  // of the step before, where that rolled and converged
  double creepage_y_ = 0.0;
  double approach_ = 0.0;
  // Periodic: displacements have the mean 0, so gaps have the mean of h less the approach.
  double full_approach_ = std::numeric_limits<double>::infinity();
  bool broken_ = false;  // the last step ended with a field that is not finite
};

}  // namespace slipfield
