// SPDX-License-Identifier: Apache-2.0
// Friction whose coefficient varies or depends on the slip or the temperature, and a layer that
// yields (THEORY.md 5.6, 5.9, 5.11, 8.2, 15.4): the coefficient of each element, its update from
// round to round, and bounds that newton's rows follow themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/friction.h"
#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/friction_by_slip.h"
#include "solver/step/local_friction.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_part.h"
#include "solver/step/step_task.h"

namespace slipfield {

inline constexpr const char* kSoftenedLayer =
    "the layer has softened until no element carries a tangential traction: the forces are 0, "
    "whatever the motion";
inline constexpr const char* kBeyondLayer =
    "the tangential force prescribed is not below what the layer carries, its yield stress over "
    "the contact and at most mu F_n: no rigid slip gives it";
inline constexpr const char* kBeyondHardening =
    "the tangential force prescribed is not below mu F_n, which is what a layer that hardens "
    "carries at most: no rigid slip gives it";

inline constexpr const char* kBeyondStrength =
    "the tangential force prescribed is not below what the contact carries, its area times the "
    "shear strength and mu times the force of the pressure: no rigid slip gives it";

template <SolverBackend Backend>
class FrictionField final : public StepPart<Backend> {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  FrictionField(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model),
        backend_(model.backend),
        whole_(model.whole),
        grid_(model.grid),
        layer_(problem.layer),
        tolerance_(problem.solver.tolerance),
        local_(whole_, problem.layer, problem.solver.tolerance),
        coefficients_(model.state.friction),
        by_slip_(model, problem) {
    if (!layer_.yields()) return;
    model.state.add({"friction_without_layer", &without_layer_, Allocated::with_tangential});
    model.state.add({"plastic_path", &plastic_path_, Allocated::with_tangential});
  }

  void follow_friction(FrictionFollower& follower) override { follower_ = &follower; }

  void reserve(const StepInput& step) override {
    if (step.tangential.problem == TangentialProblem::none) return;
    if (local_.takes(step))
      count_held(backend_, this, LocalFriction::kMostFields * sizeof(double) * whole_.count());
    if (follows(step.friction)) by_slip_.reserve();
    if (hardens()) reserve_limits();
  }

  // Keeps the coefficients of the step before if the law is the same, unless the step requests
  // another start; with a start from slip they begin at the sliding value.
  void begin(const StepInput& step) override {
    if (!model_.state.has_tangential()) return;
    choose_start(step);
    follows_hardening_ = filled_static_ = false;
    follows_warmth_ = follows_warmth(step.friction);
    if (follows_warmth_) warm_.begin(backend_.gather(model_.warm_friction));
    if (local_.takes(step)) {
      const Array<double>& friction = layer_.yields() ? without_layer_ : coefficients_;
      local_.begin(step, backend_.gather(backend_.download(friction)),
                   layer_.yields() ? backend_.gather(backend_.download(plastic_path_))
                                   : std::vector<double>{});
      if (follows_warmth_) local_.take_static(warm_.values());
    }
  }

  void begin_rounds(const StepInput& step, const RoundNeeds& others) override {
    follows_ = step.tangential.problem != TangentialProblem::none && follows(step.friction);
    hardens_ = hardens() && has_force(step.tangential);
    by_slip_.begin_rounds(step, others, step.friction.depends_on_slip() && !local_.takes(step),
                          carried_over_);
  }
  void add_needs(RoundNeeds& needs) const override {
    // A hardening layer carries more than its bound at the start of the step: if rounds with a
    // given bound do not converge, newton's rows follow the hardening (element_law.h).
    constexpr int kRoundsBeforeHardening = 60;
    if (hardens_ && !follows_hardening_) needs.most = kRoundsBeforeHardening;
    if (!follows_) return;
    if (needs.agree == nullptr || !needs.presses)
      needs.agree = follows_warmth_ ? "friction and temperature" : "friction and slip";
    needs.relaxes = true;
    needs.changes = needs.changes || !by_slip_.follows_whole_law();
    // Loose tractions save newton a tenth to a quarter of its products. The pressures of unlike
    // bodies need closer ones.
    needs.loosely = by_slip_.is_in_rows() || !(by_slip_.needs_closer() || needs.presses);
  }
  void pose(const StepInput& step, int round, TangentialTask& task) override {
    by_slip_.pose(step, round, task);
    if (!follows_hardening_) return;
    model_.tangential_window.leave();  // the bounds below are arrays over the whole grid
    task.law = hardening();
  }
  bool accepts(const StepInput& step, const TangentialResult& found) override {
    return by_slip_.accepts(step, found);
  }
  double update(const StepInput& step, int round, const OuterChanges& /*changes*/) override {
    if (!follows_) return 0.0;
    double change = 0.0;
    if (local_.takes(step))
      change = follow_locally(round);
    else if (step.friction.depends_on_slip())
      change = by_slip_.follow(step, round);
    return follows_warmth_ ? std::max(change, follow_temperature(step)) : change;
  }

  // If the coefficients carried over cannot hold the force, starts again from the static ones.
  bool tries_again(const StepInput& step, Ending ending) override {
    if (ending == Ending::beyond_friction && carried_over_ && !filled_static_ &&
        !follows_hardening_) {
      filled_static_ = true;
      fill(step.friction, step.friction.coefficient);
      return true;
    }
    if (!hardens_ || follows_hardening_ || ending == Ending::normal_failed) return false;
    follows_hardening_ = true;
    local_.follow_hardening();
    return true;
  }
  void explain(const StepInput& step, Ending ending, std::string& message) override {
    if (ending == Ending::beyond_friction && layer_.yields())
      message = hardens() ? kBeyondHardening : kBeyondLayer;
    if (ending == Ending::beyond_friction && step.friction.shear_strength > 0.0)
      message = kBeyondStrength;
    if (ending == Ending::no_agreement) message += by_slip_.advice(step);
  }
  void remark(const StepInput& step, StepReport& report) override { by_slip_.remark(step, report); }

  void report(const StepInput& step, StepMeasures& found, StepReport& report) override {
    const bool varies = step.friction.varies();
    report.friction_coefficient = mean_static(model_, step.friction);
    const bool softened = layer_.yields() && layer_.hardening < 0.0 &&
                          found.totals.pressure > 0.0 && !(found.residuals.bound1 > 0.0) &&
                          found.residuals.tangential1 == 0.0 &&
                          step.tangential.problem != TangentialProblem::none;
    if (softened && report.outcome == Outcome::converged) add_remark(report, kSoftenedLayer);
    found.frictional = !softened && !varies && step.friction.exists();
  }
  // Keeps the plastic shear of the layer and marks where it yielded in this step. To the solvers
  // these elements slip; the next step determines them again.
  void finish(const StepInput& step, StepReport& report) override {
    if (!layer_.yields() || step.tangential.problem == TangentialProblem::none) return;
    backend_.upload(own_values(backend_, whole_, local_.friction()), without_layer_);
    backend_.upload(own_values(backend_, whole_, local_.path()), plastic_path_);
    const auto yields = own_values(backend_, whole_, local_.yields());
    auto division = backend_.download(model_.state.division);
    double plastic = 0.0;
    for (std::size_t i = 0; i < division.size(); ++i) {
      if (yields[i] == 0) continue;
      division[i] = static_cast<unsigned char>(ElementState::plastic);
      plastic += 1.0;
    }
    report.elements_plastic += static_cast<std::int64_t>(sum_over_owners(backend_, plastic));
    report.elements_slip -= report.elements_plastic;
    backend_.upload(division, model_.state.division);
  }

  void clear() override { taken_up_.reset(); }
  void save(SolverState& state) const override {
    if (taken_up_ && follows_warmth(*taken_up_)) state[kWarmFriction] = model_.warm_friction;
  }
  void restore(const SolverState& state, const StepInput& last) override {
    const Friction& friction = last.friction;
    if (friction.varies() && !follows(friction) &&
        saved_values(state, "friction") != static_values(model_, friction))
      throw InputError("the friction is not the one that the saved state belongs to");
    taken_up_.reset();
    if (has_no_tangential_fields(state)) return;
    if (follows_warmth(friction)) {
      const auto saved = state.find(kWarmFriction);
      if (saved == state.end()) return;
      if (saved->second.size() != grid_.count()) refuse_state(kWarmFriction);
      model_.warm_friction = saved->second;
    }
    taken_up_ = friction;
  }

 private:
  using StepPart<Backend>::model_;

  // Whether the coefficients depend on results of the tangential problem.
  [[nodiscard]] bool follows(const Friction& friction) const {
    return friction.depends_on_slip() || layer_.yields() || follows_warmth(friction);
  }
  [[nodiscard]] bool follows_warmth(const Friction& friction) const {
    return follower_ != nullptr && std::holds_alternative<FrictionByTemperature>(friction.place);
  }
  [[nodiscard]] bool hardens() const { return layer_.yields() && layer_.hardening > 0.0; }
  // Slip of an element by its own traction.
  [[nodiscard]] double self_slip() const { return model_.slip_operator.self(Component::xx); }
  void reserve_limits() {
    for (Array<double>* array : {&limit_, &greatest_})
      if (array->size() == 0) *array = Array<double>(grid_.count());
  }
  // The rows' bounds at the pressures of this round, and their upper limits.
  HardeningBound hardening() {
    const std::vector<double> p = backend_.download(model_.state.pressure);
    std::vector<double> greatest = own_values(backend_, whole_, local_.greatest());
    for (std::size_t i = 0; i < p.size(); ++i) greatest[i] *= std::fmax(p[i], 0.0);
    reserve_limits();
    backend_.upload(own_values(backend_, whole_, local_.limit()), limit_);
    backend_.upload(greatest, greatest_);
    return {limit_.data(), greatest_.data(), local_.hardening()};
  }

  void choose_start(const StepInput& step) {
    const Friction& friction = step.friction;
    const FrictionStart start =
        friction.depends_on_slip() ? step.tangential.start : FrictionStart::last;
    const bool same = start == FrictionStart::last && taken_up_ && *taken_up_ == friction;
    carried_over_ =
        (friction.depends_on_slip() || layer_.yields()) && (same || start == FrictionStart::slip);
    if (same) return;
    if (follows_warmth(friction))
      model_.warm_friction = own_values(
          backend_, whole_, made_by_first(backend_, whole_.count(), [&] {
            return follower_->first_coefficients(std::get<FrictionByTemperature>(friction.place));
          }));
    if (start == FrictionStart::slip && !friction.along_y.empty())
      fill_sliding(friction, sliding_velocity(step.tangential));
    else
      fill(friction, start == FrictionStart::slip
                         ? sliding_law(friction).at(sliding_velocity(step.tangential))
                         : friction.coefficient);
    if (layer_.yields()) model_.run(CopyField{coefficients_.data(), without_layer_.data()});
    taken_up_ = friction;
  }

  // Sets the coefficient everywhere, or the static values if the coefficient varies over the grid.
  void fill(const Friction& friction, double coefficient) {
    if (follows_warmth(friction)) {
      backend_.upload(model_.warm_friction, coefficients_);
    } else if (friction.varies() || !friction.along_y.empty()) {
      backend_.upload(static_values(model_, friction), coefficients_);
    } else {
      backend_.run(grid_.count(), FillField{coefficient, coefficients_.data()});
    }
  }

  void fill_sliding(const Friction& friction, double velocity) {
    std::vector<double> values;
    for (int iy = 0; iy < grid_.my; ++iy)
      values.insert(values.end(), static_cast<std::size_t>(grid_.mx),
                    sliding_law(friction, grid_.y(iy)).at(velocity));
    backend_.upload(values, coefficients_);
  }

  // Gathers a field on the whole grid; all owners must call it.
  template <class T>
  std::vector<T> whole(const T* field) {
    return backend_.gather(backend_.download(field, grid_.count()));
  }

  double follow_locally(int round) {
    const StepFields& fields = model_.fields;
    LocalFrictionFields host;
    host.pressure = whole(fields.pressure);
    host.slip_x = whole(fields.slip_x);
    host.slip_y = whole(fields.slip_y);
    host.traction = whole(fields.traction_x);
    const std::vector<double> traction_y = whole(fields.traction_y);
    for (std::size_t i = 0; i < traction_y.size(); ++i)
      host.traction[i] = std::hypot(host.traction[i], traction_y[i]);
    host.division = whole(fields.state);
    std::vector<double> coefficients = whole<double>(coefficients_.data());
    const double change = local_.follow(host, self_slip(), round, coefficients);
    backend_.upload(own_values(backend_, whole_, std::move(coefficients)), coefficients_);
    return backend_.greatest_of(change);
  }

  // Updates the coefficients from the temperatures; a layer's update comes first.
  double follow_temperature(const StepInput& step) {
    const StepFields& fields = model_.fields;
    ContactSolution found;
    found.pressure = whole(fields.pressure);
    found.traction_x = whole(fields.traction_x);
    found.traction_y = whole(fields.traction_y);
    found.slip_x = whole(fields.slip_x);
    found.slip_y = whole(fields.slip_y);
    const std::vector<unsigned char> division = whole(fields.state);
    for (const unsigned char state : division)
      found.element_division.push_back(static_cast<ElementState>(state));
    for (std::size_t i = 0; layer_.yields() && i < division.size(); ++i)
      if (local_.yields()[i] != 0) found.element_division[i] = ElementState::plastic;
    model_.sum_step();
    StepReport report;
    report_totals(backend_.read(model_.totals), whole_, report);
    report_rigid_slip(model_.rigid, slip_distance(step.tangential), report);
    const std::vector<double> wanted = made_by_first(
        backend_, whole_.count(), [&] { return follower_->coefficients(step, found, report); });
    const double change =
        warm_.follow(wanted, found.pressure, step.friction.coefficient, tolerance_);
    model_.warm_friction = own_values(backend_, whole_, warm_.values());
    if (layer_.yields())
      local_.take_static(warm_.values());
    else
      backend_.upload(model_.warm_friction, coefficients_);
    return backend_.greatest_of(change);
  }

  Backend& backend_;
  Grid whole_;
  Grid grid_;  // the rows that the backend holds
  ContactLayer layer_;
  double tolerance_;
  LocalFriction local_;                   // on the whole grid
  WarmCoefficients warm_;                 // on the whole grid
  FrictionFollower* follower_ = nullptr;  // null: no heat is computed
  Array<double>& coefficients_;
  Array<double> without_layer_;  // coefficient before the layer's bound lowers it
  Array<double> plastic_path_;   // accumulated plastic shear of the layer
  FrictionBySlip<Backend> by_slip_;
  std::optional<Friction> taken_up_;
  bool carried_over_ = false;       // coefficients may start at those of the sliding state
  bool filled_static_ = false;      // the step has begun again from the static coefficient
  bool follows_ = false;            // the coefficients depend on the fields of this step
  bool follows_warmth_ = false;     // they depend on the temperatures
  bool hardens_ = false;            // the layer hardens, and a force is prescribed
  bool follows_hardening_ = false;  // newton's rows follow the hardening
  Array<double> limit_, greatest_;  // of each element; made on first use
};

}  // namespace slipfield
