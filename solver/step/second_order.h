// SPDX-License-Identifier: Apache-2.0
// Rolling to second order in the element size, by defect correction (THEORY.md 5.8).
//
// The solvers keep the one-sided operator S, which they solve well. A second-order difference that
// uses the known behaviour of tractions at the leading edge differs from S p. The difference is
// formed from the last tractions and enters as part of the given slip, and the outer iteration
// converges. In transient rolling it is taken along a particle's path, through this step and the
// two before it; the first step of a sequence has none before it and is of first order.
//
// The element operations are in solver/tangential/second_order/.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/grid.h"
#include "solver/material.h"
#include "solver/number_text.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/energy_balance.h"
#include "solver/step/step_part.h"
#include "solver/step/step_task.h"
#include "solver/tangential/second_order/edge_ops.h"
#include "solver/tangential/slip_operator.h"

namespace slipfield {

// Warning if the last correction changed the tractions by more than `settled`; change: relative.
inline std::string unsettled_text(double change, double settled) {
  const auto percent = [](double part) { return number_text(1.0e-3 * std::round(1.0e5 * part)); };
  return "the corrections of second order did not settle: the last one still changed the tractions "
         "by " +
         percent(change) + " %, where " + percent(settled) +
         " % is wanted. The forces may be off by some tenths of that; a finer grid shows how far";
}

// Warning if second order does not hold at the leading edges of this part of the rows.
inline std::string first_order_rows_text(double part) {
  return "second order does not hold in " + number_text(std::round(100.0 * part)) +
         " % of the rows, whose pressure peaks within two and a half elements of the leading edge: "
         "they are solved to first order there. A grid that is finer along the rolling direction "
         "resolves it";
}

template <SolverBackend Backend>
class SecondOrder final : public StepPart<Backend> {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  SecondOrder(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model),
        backend_(model.backend),
        whole_(model.whole),
        grid_(model.grid),
        beside_(backend_, whole_, kRowsOfEdge),
        material_(model.material),
        tolerance_(problem.solver.tolerance),
        problem_(without_geometry(problem)),
        shares_(1),
        change_(1),
        at_end_(1) {}

  void reserve(const StepInput& step) override {
    begin(step);
    begin(step);  // the second one of transient rolling has a correction
    if (active_) form_correction();
  }

  // Decides whether the step is of second order; it starts from the correction of the step before
  // if it continues a corrected one, else from zero.
  void begin(const StepInput& step) override {
    if (!model_.state.has_tangential()) return;
    const Tangential& tangential = step.tangential;
    const Last last = last_;
    last_ = {tangential.problem, tangential.direction, tangential.step};
    transient_ = last_.problem == TangentialProblem::transient_rolling;
    const bool goes_on =
        is_rolling(last.problem) && last.direction == last_.direction && last.step == last_.step;
    passes_ = transient_ && goes_on && active_ ? 1 : 0;
    active_ =
        last_.problem == TangentialProblem::steady_rolling || (transient_ && goes_on && !jumped_);
    jumped_ = false;
    load_change_before_ = std::exchange(load_change_, 0.0);
    growth_ = 0.0;
    frictionless_ = false;
    bound_before_ = transient_ ? sum_of_bounds() : 0.0;
    load_before_ = transient_ && bound_before_ == 0.0 ? sum_of_pressures() : bound_before_;
    take_extra(tangential);
    if (transient_) take_particles(goes_on, last.problem);
    if (!active_) return;
    if (correction_x_.size() == 0) allocate();
    const bool along_y = rolls_along_y(tangential.direction);
    const double towards =
        along_y ? std::sin(tangential.direction) : std::cos(tangential.direction);
    line_ = {grid_.mx, beside_.grid().my, along_y, towards > 0.0 ? 1 : -1};
    step_ = tangential.step;
    if (passes_ > 0) return;
    run_beside(FillField{0.0, correction_x_.data()});
    run_beside(FillField{0.0, correction_y_.data()});
  }

  void begin_rounds(const StepInput& /*step*/, const RoundNeeds& /*others*/) override {
    settled_ = !active_;
    unsettled_ = 0.0;
  }
  // From no pressure or no friction at all a sequence starts, with a jump if the pressure that
  // arises displaces the surfaces against each other. Without friction it continues, as with
  // little, and the load is the sum of the pressures.
  void enter_contact(int round) override {
    if (round != 1 || !transient_) return;
    const double bound = sum_of_bounds();
    frictionless_ = bound == 0.0;
    if (bound_before_ > 0.0 || (frictionless_ && load_before_ > 0.0)) {
      load_change_ = (bound_before_ > 0.0 ? bound : sum_of_pressures()) - load_before_;
      growth_ = load_change_ / load_before_;
      // In little friction a greater one before was a load that fell by many times what is left.
      constexpr double kVanished = 1.0e6;
      if (bound_before_ > 0.0 && frictionless_) load_change_ = -kVanished * sum_of_pressures();
      return;
    }
    active_ = false;
    settled_ = true;
    jumped_ = couples();
  }
  void add_needs(RoundNeeds& needs) const override {
    needs.whole_law = needs.whole_law && !(transient_ && active_);
    if (!active_) return;
    needs.compares = true;
    needs.reach = transient_ ? 2 : 1;
    if (settled_) return;
    if (needs.agree == nullptr) needs.agree = "tractions and the correction of second order";
    needs.open = needs.changes = needs.corrects = true;
    ++needs.leads;
  }
  // Adds the correction from the tractions found so far. S p alone represents the slip half a step
  // ahead, so the spin is taken there; with the correction it represents the slip at the centre.
  void correct(int round) override {
    if (!active_) return;
    if (!settled_ && round > 1) form_correction();
    place_spin(last_.direction, transient_ || passes_ == 0 ? 0.5 * step_ : 0.0, model_.rigid);
  }
  void add_to_slip(double* x, double* y) override {
    if (!active_) return;
    run(AddFields{x, own(correction_x_), x});
    run(AddFields{y, own(correction_y_), y});
  }
  double update(const StepInput& /*step*/, int round, const OuterChanges& changes) override {
    constexpr int kMostCorrections = 8;
    if (settled_ || round == 1) return 0.0;
    settled_ = changes.tangential <= settled_change() || round > kMostCorrections;
    if (settled_) unsettled_ = changes.tangential;
    return 0.0;
  }

  void remark(const StepInput& /*step*/, StepReport& report) override {
    constexpr double kWarnedRows = 0.05;
    if (unsettled_ > kUnsettled) add_remark(report, unsettled_text(unsettled_, kUnsettled));
    const EdgeShares edges = edge_shares();
    report.first_order_rows = edges.first_order;
    report.unlike_edges = edges.unlike;
    if (edges.first_order > kWarnedRows)
      add_remark(report, first_order_rows_text(edges.first_order));
  }
  // Friction dissipates the work of the forces less what the tractions give to the bodies.
  void report(const StepInput& step, StepMeasures& /*found*/, StepReport& report) override {
    const Tangential& tangential = step.tangential;
    rigid_ = model_.rigid;
    if (!active_ || tangential.problem != TangentialProblem::steady_rolling) return;
    double work = work_of_forces(report, 1.0);
    if (tangential.extra.given()) work += work_of_extra_slip(tangential.extra);
    const std::optional<double> dissipated =
        dissipated_by_slip(problem_, report, -work, tangential.step);
    if (dissipated) report.friction_work = std::min(0.0, -tangential.step * *dissipated);
  }

  void clear() override {
    last_ = {};
    transient_ = active_ = jumped_ = false;
    rigid_ = {};
    load_change_ = 0.0;
    extra_.given = extra_before_.given = false;
  }
  // Saves all that begin() uses from earlier steps, as values on the whole grid.
  void save(SolverState& state) const override {
    if (last_.problem == TangentialProblem::none) return;
    std::vector<double>& out = state[kRollingMemory];
    out = {static_cast<double>(last_.problem),
           last_.direction,
           last_.step,
           transient_ ? (jumped_ ? kAfterJump : 1.0) : 0.0,
           active_ ? 1.0 : 0.0,
           rigid_.x,
           rigid_.y,
           rigid_.rotation,
           load_change_};
    const auto add = [&](const double* own) {
      const std::vector<double> values = backend_.gather(backend_.download(own, grid_.count()));
      out.insert(out.end(), values.begin(), values.end());
    };
    if (transient_) {
      add(particles_x_.data());
      add(particles_y_.data());
    }
    if (active_) {
      add(own(correction_x_));
      add(own(correction_y_));
    }
  }
  // The extra slip of the last step is part of its input.
  void restore(const SolverState& state, const StepInput& last) override {
    const auto found = state.find(kRollingMemory);
    if (!restore(found == state.end() ? std::vector<double>{} : found->second))
      refuse_state(kRollingMemory);
    if (is_rolling(last_.problem)) take_extra(last.tangential);
  }

 private:
  using StepPart<Backend>::model_;

  // Extra slip of single elements in a step [length]; not given: the fields are not used.
  struct Extra {
    Array<double> x, y;
    bool given = false;
  };

  // Returns false if the values do not fit this grid.
  bool restore(const std::vector<double>& values) {
    clear();
    if (values.empty()) return true;
    constexpr std::size_t kHead = 9;
    if (values.size() < kHead) return false;
    const bool transient = values[3] != 0.0;
    const bool active = values[4] != 0.0;
    const std::size_t pairs = (transient ? 1 : 0) + (active ? 1 : 0);
    if (values.size() != kHead + 2 * pairs * whole_.count()) return false;
    auto next = values.begin() + kHead;
    const auto take = [&] {
      const auto begin = next;
      next += static_cast<std::ptrdiff_t>(whole_.count());
      return std::vector<double>(begin, next);
    };
    if (transient) {
      allocate_particles();
      backend_.upload(own_values(backend_, whole_, take()), particles_x_);
      backend_.upload(own_values(backend_, whole_, take()), particles_y_);
    }
    if (active) {
      if (correction_x_.size() == 0) allocate();
      backend_.upload(beside_.cut(take()), correction_x_);
      backend_.upload(beside_.cut(take()), correction_y_);
    }
    for (const auto problem : {TangentialProblem::shift, TangentialProblem::transient_rolling,
                               TangentialProblem::steady_rolling})
      if (values[0] == static_cast<double>(problem)) last_ = {problem, values[1], values[2]};
    rigid_.x = values[5];
    rigid_.y = values[6];
    rigid_.rotation = values[7];
    load_change_ = values[8];
    transient_ = transient;
    active_ = active;
    jumped_ = values[3] == kAfterJump;
    return true;
  }

  // Above this last change of the tractions the step reports a warning.
  static constexpr double kUnsettled = 7.0e-3;
  // Below this change of the tractions in contact a correction is kept: the scheme's own error is
  // greater. That error falls with the number of elements along the contact, but hardly so if
  // pressure displaces the surfaces against each other.
  [[nodiscard]] double settled_change() {
    const auto contact_count = static_cast<double>(backend_.read(model_.contact_count));
    constexpr double kMost = 2.0e-3;
    constexpr double kOfElement = 0.05;
    const double rows = line_.along_y ? whole_.mx : whole_.my;  // one for a line contact
    const double length = std::fmax(std::sqrt(contact_count), contact_count / rows);
    const double like = std::min(kMost, kOfElement / length);
    return std::max(tolerance_, like + unlikeness(material_) * (kUnsettled - like));
  }

  // Shares of the rows' leading edges by type in the last correction.
  [[nodiscard]] EdgeShares edge_shares() {
    if (!active_ || passes_ == 0 || distance_.size() == 0) return {};
    run(SumEdges{own(distance_), own(first_order_), own(unlike_), shares_.data()});
    return backend_.read(shares_);
  }

  // The slip due to the step's tractions and pressure; in transient rolling the mean slip of the
  // step, with the displacement of the step before, the rigid motion found so far and the extra
  // slip.
  void form_slip() {
    const StepFields& fields = model_.fields;
    model_.multiply_slip(Block::tangential, {fields.traction_x, fields.traction_y},
                         {slip_x_.data(), slip_y_.data()});
    if (couples()) {
      model_.multiply_slip(Block::tangential_from_normal, {.n = fields.pressure}, by_pressure());
      add_by_pressure(slip_x_, slip_y_);
    }
    if (!transient_) return;
    run(SubtractPrevious{.previous_x = particles_x_.data(),
                         .previous_y = particles_y_.data(),
                         .base_x = slip_x_.data(),
                         .base_y = slip_y_.data()});
    add_rigid(model_.rigid, slip_x_, slip_y_);
  }
  // Adds the rigid slip of a particle that ends a step at the element: the spin is that of the
  // middle of its path.
  void add_rigid(RigidSlip rigid, Array<double>& x, Array<double>& y) {
    place_spin(last_.direction, 0.5 * last_.step, rigid);
    run(AddRigidMotion{model_.centres(), rigid, x.data(), y.data()});
  }

  // The part of second order in a transient step, by the change from the step before of the rigid
  // slip in the contact, the extra one included, and of the displacement by which the surfaces
  // follow the load: 1 up to half of the greater of both, 0 from three quarters on. A force that
  // jumps moves the bodies by a finite distance in one step, a motion that starts or turns changes
  // by as much as it is, a load or friction that jumps displaces the surface or lets it spring
  // back; no difference over two steps represents the slip at the end of such a step, nor of the
  // next one. Of a smooth motion, and of a smooth load, the change is as small as the step.
  [[nodiscard]] double smoothness() {
    if (!transient_) return 1.0;
    constexpr double kSmooth = 0.5;
    constexpr double kJump = 0.75;
    RigidSlip before = rigid_before_;
    place_spin(last_.direction, 0.5 * last_.step, before);
    run(SumMotionChange{
        .centres = model_.centres(),
        .now = model_.rigid,
        .before = before,
        .state = model_.fields.state,
        .extra_x = extra_.given ? extra_.x.data() : nullptr,
        .extra_y = extra_.given ? extra_.y.data() : nullptr,
        .before_x = extra_before_.given ? extra_before_.x.data() : nullptr,
        .before_y = extra_before_.given ? extra_before_.y.data() : nullptr,
        .displacement_x = model_.slip_operator.previous_x(),
        .displacement_y = model_.slip_operator.previous_y(),
        .growth = growth_,
        .growth_before = load_before_ > 0.0 ? load_change_before_ / load_before_ : 0.0,
        .out = change_.data()});
    if (kCountsOnly<Backend>) return 1.0;
    return std::clamp((kJump - backend_.read(change_)) / (kJump - kSmooth), 0.0, 1.0);
  }

  // Forms the correction from the tractions found so far; elements in contact have pressure.
  void form_correction() {
    const StepFields& fields = model_.fields;
    form_slip();
    const bool past_end = reaches_end();
    if (past_end) multiply_ahead(fields.traction_x, fields.traction_y, fields.pressure, 0);
    const double ratio = line_.along_y ? grid_.dx / grid_.dy : grid_.dy / grid_.dx;
    const unsigned char* const state = beside_.with(fields.state, room_.state);
    const double* const pressure = beside_.with(fields.pressure, room_.pressure);
    run_beside(FindEdge{line_, ratio, state, pressure, distance_.data(), along_.data(),
                        across_.data(), pressure_factor_.data(), first_order_.data(),
                        unlike_.data(), past_end});
    const double* const traction_x = beside_.with(fields.traction_x, room_.traction_x);
    const double* const traction_y = beside_.with(fields.traction_y, room_.traction_y);
    const double* const bound = beside_.with(fields.bound, room_.bound);
    if (couples())
      run_beside(FindAnswer{line_, answer_of_pressure(), state, traction_x, traction_y, bound,
                            distance_.data(), pressure_factor_.data(), answer_.data()});
    constexpr double kReach = 1.5;  // lengths of an element
    run_beside(FindFactor{line_, kReach / ratio, state, traction_x, traction_y, distance_.data(),
                          along_.data(), across_.data(), answer_.data(), factor_x_.data(),
                          factor_y_.data()});
    run_beside(FindMissing{line_, state, pressure, bound, distance_.data(), along_.data(),
                           across_.data(), pressure_factor_.data(), answer_.data(),
                           factor_x_.data(), factor_y_.data(), missing_x_.data(), missing_y_.data(),
                           missing_n_.data()});
    model_.multiply_slip(Block::tangential, {own(missing_x_), own(missing_y_)},
                         {moved_x_.data(), moved_y_.data()});
    if (couples()) {
      model_.multiply_slip(Block::tangential_from_normal, {.n = own(missing_n_)}, by_pressure());
      add_by_pressure(moved_x_, moved_y_);
    }
    if (past_end)
      multiply_ahead(own(missing_x_), own(missing_y_), couples() ? own(missing_n_) : nullptr, 2);
    const double* const slip_x = beside_.with(slip_x_.data(), room_.slip_x);
    const double* const slip_y = beside_.with(slip_y_.data(), room_.slip_y);
    // Half a correction at a time: correction and tractions of the first elements drive each other.
    constexpr double kTaken = 0.5;
    run_beside(CorrectSlip{
        .line = line_,
        .per_traction = 2.0 * step_ / (std::numbers::pi * material_.shear_modulus),
        .per_pressure = 2.0 * step_ * material_.coupling / material_.shear_modulus,
        .poisson_ratio = material_.poisson_ratio,
        .share = passes_ == 0 || frictionless_ ? 1.0 : kTaken,
        .smooth = smoothness(),
        .state = state,
        .slip_x = slip_x,
        .slip_y = slip_y,
        .ahead_x = transient_ ? beside_.with(before_x_.data(), room_.before_x) : slip_x,
        .ahead_y = transient_ ? beside_.with(before_y_.data(), room_.before_y) : slip_y,
        .moved_x = beside_.with(moved_x_.data(), room_.moved_x),
        .moved_y = beside_.with(moved_y_.data(), room_.moved_y),
        .transient = transient_,
        .distance = distance_.data(),
        .along = along_.data(),
        .across = across_.data(),
        .factor_x = factor_x_.data(),
        .factor_y = factor_y_.data(),
        .pressure_factor = pressure_factor_.data(),
        .answer = answer_.data(),
        .answer_of_pressure = answer_of_pressure(),
        .correction_x = correction_x_.data(),
        .correction_y = correction_y_.data(),
        .first_order = first_order_.data(),
        .plain_x = line_.along_y ? -model_.rigid.rotation * plain_ahead() : 0.0,
        .plain_y = line_.along_y ? 0.0 : model_.rigid.rotation * plain_ahead(),
        .end_x = past_end ? beside_.with(end_[0].data(), room_.end[0]) : nullptr,
        .end_y = past_end ? beside_.with(end_[1].data(), room_.end[1]) : nullptr,
        .moved_end_x = past_end ? beside_.with(end_[2].data(), room_.end[2]) : nullptr,
        .moved_end_y = past_end ? beside_.with(end_[3].data(), room_.end[3]) : nullptr});
    ++passes_;
  }

  static constexpr double kAfterJump = 2.0;  // saved in place of `transient`

  // Whether the contact reaches the grid's end in the rolling direction and the slip beyond is
  // known.
  [[nodiscard]] bool reaches_end() {
    if (transient_ || !model_.slip_operator.reaches_ahead()) return false;
    const RollingLine line{whole_.mx, whole_.my, line_.along_y, line_.ahead};
    run(CountAtEnd{line, model_.fields.state, at_end_.data(),
                   whole_.index(0, backend_.own_rows(whole_.my).first)});
    return kCountsOnly<Backend> || backend_.read(at_end_) > 0.0;
  }
  // S of tractions and pressure one element ahead, into end_[at] and end_[at + 1].
  void multiply_ahead(const double* x, const double* y, const double* pressure, std::size_t at) {
    for (Array<double>& array : end_)
      if (array.size() == 0) array = Array<double>(grid_.count());
    Array<double>& slip_x = end_[at];
    Array<double>& slip_y = end_[at + 1];
    model_.slip_operator.apply_ahead(Block::tangential, {x, y}, {slip_x.data(), slip_y.data()});
    if (!couples()) return;
    model_.slip_operator.apply_ahead(Block::tangential_from_normal, {.n = pressure}, by_pressure());
    add_by_pressure(slip_x, slip_y);
  }
  [[nodiscard]] DisplacementField by_pressure() {
    return {by_pressure_x_.data(), by_pressure_y_.data()};
  }
  void add_by_pressure(Array<double>& x, Array<double>& y) {
    run(AddFields{x.data(), by_pressure_x_.data(), x.data()});
    run(AddFields{y.data(), by_pressure_y_.data(), y.data()});
  }

  // Distance along the rolling axis between the places at which the first-order scheme and this one
  // take the spin.
  [[nodiscard]] double plain_ahead() const {
    return line_.ahead * step_ * (1.0 / 6.0 - (transient_ ? 0.5 : 0.0));
  }

  template <class Op>
  void run(const Op& op) {
    backend_.run(grid_.count(), op);
  }
  // Runs on the own rows and the halo rows; the outermost halo rows have no neighbours beyond them.
  template <class Op>
  void run_beside(const Op& op) {
    backend_.run(beside_.grid().count(), op);
  }
  [[nodiscard]] const double* own(const Array<double>& beside) const {
    return beside.data() + beside_.own_place();
  }
  // Keeps the particles' displacement one step ago, less this step's extra slip, and their slip in
  // the step before.
  void take_particles(bool goes_on, TangentialProblem last) {
    allocate_particles();
    rigid_before_ = rigid_;
    if (last == TangentialProblem::steady_rolling) copy_particles(extra_before_);
    if (goes_on) {
      run(CopyField{model_.fields.displacement_x, before_x_.data()});
      run(CopyField{model_.fields.displacement_y, before_y_.data()});
      run(SubtractPrevious{.previous_x = particles_x_.data(),
                           .previous_y = particles_y_.data(),
                           .base_x = before_x_.data(),
                           .base_y = before_y_.data()});
      add_rigid(rigid_before_, before_x_, before_y_);
    }
    copy_particles(extra_);
  }
  void copy_particles(const Extra& extra) {
    run(CopyField{model_.slip_operator.previous_x(), particles_x_.data()});
    run(CopyField{model_.slip_operator.previous_y(), particles_y_.data()});
    if (!extra.given) return;
    run(SubtractPrevious{.previous_x = extra.x.data(),
                         .previous_y = extra.y.data(),
                         .base_x = particles_x_.data(),
                         .base_y = particles_y_.data()});
  }
  // Takes the extra slip of a rolling step [length] and keeps that of the step before.
  void take_extra(const Tangential& tangential) {
    std::swap(extra_before_, extra_);
    extra_.given = is_rolling(tangential.problem) && tangential.extra.given();
    if (!extra_.given) return;
    const auto take = [&](const auto& given, Array<double>& array) {
      if (array.size() == 0) array = Array<double>(grid_.count());
      std::vector<double> values(grid_.count());
      if (given) values = own_values(backend_, whole_, *given);
      for (double& value : values) value *= tangential.step;
      backend_.upload(values, array);
    };
    take(tangential.extra.x, extra_.x);
    take(tangential.extra.y, extra_.y);
  }
  // Work of the tractions on the extra slip, per rolling distance [force].
  [[nodiscard]] double work_of_extra_slip(const ExtraSlip& extra) const {
    const VectorField tractions = model_.tractions();
    double sum = 0.0;
    const auto add = [&](const std::vector<double>& traction, const auto& given) {
      if (!given) return;
      const std::vector<double> slip = own_values(backend_, whole_, *given);
      for (std::size_t i = 0; i < slip.size(); ++i) sum += traction[i] * slip[i];
    };
    add(tractions[0], extra.x);
    add(tractions[1], extra.y);
    return grid_.element_area() * sum_over_owners(backend_, sum);
  }
  [[nodiscard]] double sum_of_bounds() {
    model_.sum_tractions();
    return backend_.read(model_.tangential_sums).bound;
  }
  [[nodiscard]] double sum_of_pressures() {
    const auto& state = model_.state;
    model_.run(SumTractions{state.traction_x.data(), state.traction_y.data(), state.pressure.data(),
                            model_.tangential_sums.data()});
    return backend_.read(model_.tangential_sums).bound;
  }
  void allocate_particles() {
    if (particles_x_.size() != 0) return;
    for (Array<double>* array : {&particles_x_, &particles_y_, &before_x_, &before_y_})
      *array = Array<double>(grid_.count());
  }
  void allocate() {
    for (Array<double>* array : {&slip_x_, &slip_y_, &moved_x_, &moved_y_})
      *array = Array<double>(grid_.count());
    for (Array<double>* array :
         {&correction_x_, &correction_y_, &missing_x_, &missing_y_, &factor_x_, &factor_y_,
          &distance_, &along_, &across_, &first_order_, &unlike_})
      *array = Array<double>(beside_.grid().count());
    if (!couples()) return;
    by_pressure_x_ = Array<double>(grid_.count());
    by_pressure_y_ = Array<double>(grid_.count());
    for (Array<double>* array : {&pressure_factor_, &answer_, &missing_n_})
      *array = Array<double>(beside_.grid().count());
  }
  // Only half-spaces are solved to second order (solver/check/combinations.cpp).
  [[nodiscard]] bool couples() const { return may_couple(material_, model_.influence.kind()); }
  [[nodiscard]] double answer_of_pressure() const {
    return -material_.coupling / (std::numbers::pi * (1.0 - material_.poisson_ratio));
  }

  struct Last {
    TangentialProblem problem = TangentialProblem::none;
    double direction = 0.0;
    double step = 0.0;
  };

  // Fields of the own rows and the halo rows.
  struct Room {
    Array<unsigned char> state;
    Array<double> pressure, traction_x, traction_y, bound, slip_x, slip_y, before_x, before_y;
    Array<double> moved_x, moved_y;
    std::array<Array<double>, 4> end;
  };

  Backend& backend_;
  Grid whole_;
  Grid grid_;  // the rows that the backend holds
  RowsBeside<Backend> beside_;
  CombinedMaterial material_;
  double tolerance_;
  ContactProblem problem_;  // without its geometry
  Last last_;               // the step begun last
  bool transient_ = false;  // that step is transient rolling
  bool active_ = false;
  bool jumped_ = false;  // the step begun last started a sequence and displaced the surfaces
  int passes_ = 0;
  RigidSlip rigid_;            // of the last step that ended
  RigidSlip rigid_before_;     // of the step before the one begun last
  double bound_before_ = 0.0;  // sum of traction bounds before a transient step
  double load_before_ = 0.0;   // the same, or without friction the sum of pressures
  double growth_ = 0.0;        // change of that load in the step begun last, over it
  double load_change_ = 0.0;   // the change, as the next step's load counts it
  double load_change_before_ = 0.0;
  bool frictionless_ = false;  // the step begun last, if transient
  bool settled_ = true;        // the correction is final
  double unsettled_ = 0.0;     // relative change of the tractions by the last correction
  double step_ = 0.0;
  RollingLine line_;
  Extra extra_;         // of the step begun last
  Extra extra_before_;  // of the step before it
  // their displacement one step before the step begun last, less the extra slip of that step
  Array<double> particles_x_, particles_y_;
  Array<double> before_x_, before_y_;  // mean slip of the step before, also outside the contact
  Array<double> slip_x_, slip_y_, moved_x_, moved_y_;
  // allocated with coupling only, like the last three
  Array<double> by_pressure_x_, by_pressure_y_;
  // With halo rows:
  Array<double> correction_x_, correction_y_, missing_x_, missing_y_, factor_x_, factor_y_,
      distance_, along_, across_, first_order_, unlike_, pressure_factor_, answer_, missing_n_;
  Room room_;
  Array<EdgeShares> shares_;
  Array<double> change_;
  std::array<Array<double>, 4> end_;  // allocated if the contact reaches the grid's end
  Array<double> at_end_;
};

}  // namespace slipfield
