// SPDX-License-Identifier: Apache-2.0
// Friction whose coefficient varies or depends on the slip or the temperature, and a layer that
// yields (THEORY.md 5.6, 5.9, 5.11, 8.2, 15.4): the coefficient of each element, its update from
// round to round, and the part of the law that newton's rows follow themselves.
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
#include "solver/number_text.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/friction_ops.h"
#include "solver/step/local_friction.h"
#include "solver/step/rigid_motion.h"
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

// Advice if rounds did not agree because single elements jump (THEORY.md 8.2). rate: converts the
// slip distance of a step to a velocity; self: slip of an element by its own traction; pressure:
// the greatest.
inline std::string jumping_text(const Friction& friction, double rate, double self,
                                double pressure) {
  if (friction.law == FrictionLaw::constant || !friction.depends_on_slip()) return "";
  if (friction.remembers() || !friction.along_y.empty()) return "";
  const double fall = -pressure * sliding_law(friction).slope(0.0) * rate * self;
  if (!(fall > 1.0)) return "";
  return ": an element's friction falls with its slip " + number_text(fall) +
         " times as fast as its traction gives way, above 1 elements jump between adhesion and "
         "slip; a memory of the friction over a slip distance of " +
         number_text(8.0 * fall * friction.half_velocity / rate) + ", as of a velocity of " +
         number_text(friction.half_velocity) + " or more, may prevent it";
}

// When newton's rows use the full law, each element's bound following its own slip.
enum class WholeLaw {
  at_first,  // from the first round; no step before decides which solution is found
  when_near  // once relaxation has come close, so that the step continues the one before
};

// Share of the law in Newton's rows: none while relaxation may converge, then a little, since
// elements jump between adhesion and slip, and finally all.
class FrictionShare {
 public:
  // when: empty if newton does not use the full law in its own rows.
  explicit FrictionShare(std::optional<WholeLaw> when)
      : when_(when), whole_(when == WholeLaw::at_first) {}

  [[nodiscard]] bool whole() const { return whole_; }
  [[nodiscard]] bool continues() const { return when_ == WholeLaw::when_near; }
  // 0: newton's rows take the coefficients as given, and the rounds relax them.
  [[nodiscard]] double value(int round) const {
    if (whole_) return 1.0;
    return given_up_ || round <= kRoundsBefore ? 0.0 : share_;
  }

  // Records a round of relaxation; change: the distance of the coefficients from those wanted.
  void relaxed(double change, int round) {
    last_relaxed_ = change;
    if (when_ != WholeLaw::when_near) return;
    near_ = change <= near_limit_;
    const bool last_resort = (given_up_ || round >= kRoundsAtMost) && !resorted_;
    resorted_ = resorted_ || last_resort;
    whole_ = near_ || last_resort;
  }
  // Whether a round of the whole law may have found another solution than the one near relaxation:
  // it has if the coefficients moved much further than in the last relaxation.
  [[nodiscard]] bool may_jump() const { return whole_ && near_; }
  [[nodiscard]] bool jumped(double moved) const { return moved > kFarthest * last_relaxed_; }

  // newton found the tractions; change: the remaining distance of the coefficients.
  void agreed(double change) {
    const bool settles = change < kSettling * last_change_;
    last_change_ = change;
    if (++since_refusal_ > kPatience) share_ = 1.0 - (1.0 - share_) / (settles ? 2.0 : 1.3);
  }

  // newton failed, or found another solution.
  void refused() {
    if (whole_) {
      whole_ = false;
      near_limit_ *= kNearer;
      return;
    }
    share_ *= 0.6;
    since_refusal_ = 0;
    if (share_ < kLeast) given_up_ = true;
  }

 private:
  // Where relaxation converges it is cheap, and mostly ends before this.
  static constexpr int kRoundsBefore = 40;
  static constexpr int kRoundsAtMost = 120;  // then the whole law, near or not
  static constexpr double kFirst = 0.3;
  static constexpr double kLeast = 0.02;
  static constexpr double kSettling = 0.6;  // if the change falls this fast the share grows faster
  static constexpr int kPatience = 2;       // rounds after a refusal
  // Limits of the coefficients' change relative to the bound.
  static constexpr double kNear = 1.0e-3;
  static constexpr double kNearer = 0.1;  // factor on the limit after a refusal
  static constexpr double kFarthest = 10.0;
  std::optional<WholeLaw> when_;
  bool whole_;
  bool near_ = false;
  bool resorted_ = false;
  double near_limit_ = kNear;
  double last_relaxed_ = 1.0;
  double share_ = kFirst;
  double last_change_ = 1.0;
  int since_refusal_ = kPatience;
  bool given_up_ = false;
};

// Remark: the step has another solution; `part` is how far its tractions differ, as part of the sum
// of bounds.
inline std::string another_solution_text(double part, double force_x, double force_y) {
  return "friction that falls with slip allows another solution of this step, in which the "
         "tractions differ by " +
         number_text(std::round(100.0 * part)) + " % of what friction carries and the forces are " +
         number_text(force_x) + " and " + number_text(force_y) +
         "; the one given continues the step before";
}

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
        newton_(problem.solver.tangential != TangentialMethod::gauss_seidel),
        tolerance_(problem.solver.tolerance),
        local_(whole_, problem.layer),
        coefficients_(model.state.friction),
        change_(1) {
    if (!layer_.yields()) return;
    model.state.add({"friction_without_layer", &without_layer_, Allocated::with_tangential});
    model.state.add({"plastic_path", &plastic_path_, Allocated::with_tangential});
  }

  void follow_friction(FrictionFollower& follower) override { follower_ = &follower; }

  void reserve(const StepInput& step) override {
    if (step.tangential.problem == TangentialProblem::none) return;
    if (local_.takes(step))
      count_held(backend_, this, LocalFriction::kMostFields * sizeof(double) * whole_.count());
    for (Array<double>* array : {&wanted_, &limit_, &greatest_})
      if (array->size() == 0 && (array == &wanted_ ? follows(step.friction) : hardens()))
        *array = Array<double>(grid_.count());
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

  // Only newton follows a falling law in its own rows: the whole law if nothing else changes
  // between rounds, except perhaps the pressures of unlike bodies. In steady rolling it does so
  // from the first round; slipping elements may stay so if the step starts from slip. A step in
  // time continues the one before, and the whole law might leave it for another solution (THEORY.md
  // 8.2): it relaxes until the rounds are near.
  void begin_rounds(const StepInput& step, const RoundNeeds& others) override {
    follows_ = step.tangential.problem != TangentialProblem::none && follows(step.friction);
    hardens_ = hardens() && has_force(step.tangential);
    const bool falls =
        step.friction.depends_on_slip() && step.friction.law != FrictionLaw::constant;
    const bool steady = step.tangential.problem == TangentialProblem::steady_rolling;
    std::optional<WholeLaw> when;
    if (others.whole_law) when = steady ? WholeLaw::at_first : WholeLaw::when_near;
    share_.reset();
    presses_ = others.presses;
    begins_again_ = false;
    falling_ = {};
    if (newton_ && falls && !local_.takes(step)) share_.emplace(when);
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
    needs.changes = needs.changes || !(share_ && share_->whole());
    needs.close = falling_.follows();
  }
  void pose(const StepInput& step, int round, TangentialTask& task) override {
    if (round == 1 && presses_ && share_ && !falls_gently(step)) share_.emplace(std::nullopt);
    falling_ = falling(step, round);
    if (falling_.follows()) {
      task.law = falling_;
      copy(model_.state.traction_x, model_.scratch_x);
      copy(model_.state.traction_y, model_.scratch_y);
    }
    if (!follows_hardening_) return;
    model_.tangential_window.leave();  // the bounds below are arrays over the whole grid
    task.law = hardening();
  }
  // Repeats the round with a smaller share of the law if newton failed or jumped to another
  // solution than the one that relaxation was near.
  bool accepts(const StepInput& step, const TangentialResult& found) override {
    if (!falling_.follows() || (found.converged && !jumped(step))) return true;
    copy(model_.scratch_x, model_.state.traction_x);
    copy(model_.scratch_y, model_.state.traction_y);
    begins_again_ = share_->whole();
    share_->refused();
    return false;
  }
  double update(const StepInput& step, int round, const OuterChanges& /*changes*/) override {
    if (!follows_) return 0.0;
    double change = 0.0;
    if (local_.takes(step))
      change = follow_locally(round);
    else if (step.friction.depends_on_slip())
      change = follow_slip(step, round);
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
    if (ending == Ending::no_agreement)
      message += jumping_text(step.friction, slip_rate(step.tangential), self_slip(),
                              backend_.greatest(model_.state.pressure));
  }
  // So many rounds of relaxation suggest that another solution is near. Unlike bodies need six or
  // seven rounds anyway.
  void remark(const StepInput& step, StepReport& report) override {
    const int slow_rounds = presses_ ? 12 : 7;
    if constexpr (!kCountsOnly<Backend>)
      if (share_ && share_->continues() && report.iterations_outer >= slow_rounds)
        look_for_another(step, report);
  }

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
  void copy(const Array<double>& from, Array<double>& to) {
    model_.run(CopyField{from.data(), to.data()});
  }

  // Whether the law falls so gently that no element jumps, alone or against its neighbours
  // (THEORY.md 8.2). Otherwise rounds that move the pressure jump between solutions of the whole
  // law.
  [[nodiscard]] bool falls_gently(const StepInput& step) {
    constexpr double kSteepest = 0.5;
    const double fall = -sliding_law(step.friction).slope(0.0) * slip_rate(step.tangential);
    return step.friction.second_drop == 0.0 &&
           fall * self_slip() * backend_.greatest(model_.state.pressure) <= kSteepest;
  }
  // The part of the law that newton's rows follow in this round.
  [[nodiscard]] FallingBound falling(const StepInput& step, int round) const {
    const double share = share_ ? share_->value(round) : 0.0;
    if (!(share > 0.0)) return {};
    FallingBound bound = whole_law(step);
    bound.share = share;
    bound.whole = share_->whole();
    bound.first = round == 1 && !carried_over_;
    return bound;
  }
  [[nodiscard]] FallingBound whole_law(const StepInput& step) const {
    FallingBound bound;
    bound.law = sliding_law(step.friction);
    bound.rate = slip_rate(step.tangential);
    bound.share = 1.0;
    bound.whole = true;
    bound.pressure = model_.fields.pressure;
    return bound;
  }
  // Whether the coefficients of the tractions found are far from those of relaxation.
  bool jumped(const StepInput& step) {
    if (!falling_.whole || !share_->may_jump()) return false;
    backend_.run(grid_.count(), slip_followed(step, 1));
    return share_->jumped(backend_.read(change_).change);
  }
  // The rows' bounds at the pressures of this round, and their upper limits.
  HardeningBound hardening() {
    const std::vector<double> p = backend_.download(model_.state.pressure);
    std::vector<double> greatest = own_values(backend_, whole_, local_.greatest());
    for (std::size_t i = 0; i < p.size(); ++i) greatest[i] *= std::fmax(p[i], 0.0);
    if (limit_.size() == 0) {
      limit_ = Array<double>(grid_.count());
      greatest_ = Array<double>(grid_.count());
    }
    backend_.upload(own_values(backend_, whole_, local_.limit()), limit_);
    backend_.upload(greatest, greatest_);
    return {limit_.data(), greatest_.data(), local_.hardening()};
  }

  // Relaxes the coefficients by one round towards those of the slip; returns their relative change.
  double follow_slip(const StepInput& step, int round) {
    if (wanted_.size() == 0) wanted_ = Array<double>(grid_.count());
    FollowSlip op = slip_followed(step, round);
    if (falling_.follows()) op.relaxed = false;
    op.first = op.first || begins_again_;
    begins_again_ = false;
    backend_.run(grid_.count(), op);
    if (falling_.follows()) return take_share();
    backend_.run(grid_.count(),
                 TakeFriction{op.law, wanted_.data(), change_.data(), coefficients_.data()});
    const double change = backend_.read(change_).change;
    if (share_) share_->relaxed(change, round);
    return change;
  }
  [[nodiscard]] FollowSlip slip_followed(const StepInput& step, int round) {
    FollowSlip op =
        follow_slip_in_round(sliding_law(step.friction), slip_rate(step.tangential), round);
    op.f = model_.fields;
    op.friction = coefficients_.data();
    op.wanted = wanted_.data();
    op.out = change_.data();
    return op;
  }

  // Stores the coefficients that match the bounds of the tractions found; returns their change.
  double take_share() {
    const StepFields& fields = model_.fields;
    backend_.run(grid_.count(),
                 TakeFrictionShare{falling_.law, falling_.share, wanted_.data(), fields.pressure,
                                   coefficients_.data(), fields.bound});
    const double change = (1.0 - falling_.share) * backend_.read(change_).change;
    if (!falling_.whole) share_->agreed(change);
    return change;
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
    if (layer_.yields()) copy(coefficients_, without_layer_);
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

  // In a step in time with friction falling with slip, lets newton look for another solution,
  // starting from full slip or, if all elements slip, from the static coefficient. Keeps the
  // solution found first.
  void look_for_another(const StepInput& step, StepReport& report) {
    constexpr double kLoose = 1.0e-3;
    constexpr double kApart = 0.01;  // of the sum of bounds
    const VectorField found = model_.tractions();
    const std::vector<unsigned char> division = backend_.download(model_.state.division);
    const auto adhering = std::count(division.begin(), division.end(),
                                     static_cast<unsigned char>(ElementState::adhesion));
    const bool adheres = sum_over_owners(backend_, static_cast<double>(adhering)) > 0.0;
    TangentialTask wanted = tangential_task(model_, step);
    FallingBound law = whole_law(step);
    law.first = !adheres;
    wanted.search = WholeLawSearch::from_elsewhere;
    const auto search = [&](double tolerance) {
      wanted.law = law;
      const TangentialResult other = model_.tangential_window.solve(
          wanted, model_.tangential_system(), tolerance, [](int, double) {});
      wanted.rigid = other.rigid;
      law.first = false;
      wanted.search = WholeLawSearch::on;
      return other.converged ? distance_from(found) : TractionDistance{};
    };
    TractionDistance other = search(kLoose);
    if (other.part > kApart) other = search(tolerance_);
    backend_.upload(found[0], model_.state.traction_x);
    backend_.upload(found[1], model_.state.traction_y);
    backend_.upload(division, model_.state.division);
    const double area = model_.grid.element_area();
    if (other.part > kApart)
      add_remark(report, another_solution_text(other.part, area * other.sum_x, area * other.sum_y));
  }

  // The distance between two traction fields as part of the sum of bounds, and the force sums of
  // the first.
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
    apart = sum_over_owners(backend_, apart);
    model_.sum_tractions();
    const TangentialSums sums = backend_.read(model_.tangential_sums);
    return {sums.bound > 0.0 ? apart / sums.bound : 0.0, sums.traction_x, sums.traction_y};
  }

  Backend& backend_;
  Grid whole_;
  Grid grid_;  // the rows that the backend holds
  ContactLayer layer_;
  bool newton_;  // newton solves the tangential problem
  double tolerance_;
  LocalFriction local_;                   // on the whole grid
  WarmCoefficients warm_;                 // on the whole grid
  FrictionFollower* follower_ = nullptr;  // null: no heat is computed
  Array<double>& coefficients_;
  Array<double> without_layer_;  // coefficient before the layer's bound lowers it
  Array<double> plastic_path_;   // accumulated plastic shear of the layer
  Array<double> wanted_;         // made on first use
  Array<FrictionChange> change_;
  std::optional<Friction> taken_up_;
  bool carried_over_ = false;           // coefficients may start at those of the sliding state
  bool filled_static_ = false;          // the step has begun again from the static coefficient
  bool presses_ = false;                // the tractions act on the normal problem
  bool follows_ = false;                // the coefficients depend on the fields of this step
  bool follows_warmth_ = false;         // they depend on the temperatures
  bool hardens_ = false;                // the layer hardens, and a force is prescribed
  bool follows_hardening_ = false;      // newton's rows follow the hardening
  FallingBound falling_;                // what the last round's rows followed of the law
  Array<double> limit_, greatest_;      // of each element; made on first use
  std::optional<FrictionShare> share_;  // of this step, if newton's rows follow the law
  bool begins_again_ = false;           // relaxation restarts after a refused round
};

}  // namespace slipfield
