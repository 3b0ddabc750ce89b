// SPDX-License-Identifier: Apache-2.0
// Friction that depends on the slip of each element (THEORY.md 8.2): rounds relax the coefficients,
// or newton's rows follow a share of the law, or all of it, themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/friction.h"
#include "solver/number_text.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/friction_ops.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_part.h"
#include "solver/step/step_task.h"

namespace slipfield {

// Advice if rounds did not agree because single elements jump (THEORY.md 8.2). rate: converts the
// slip distance of a step to a velocity; self: slip of an element by its own traction; pressure:
// the greatest.
inline std::string jumping_text(const Friction& friction, double rate, double self,
                                double pressure) {
  if (friction.law == FrictionLaw::constant || !friction.depends_on_slip()) return "";
  if (!friction.along_y.empty()) return "";
  const double fall = -pressure * sliding_law(friction).slope(0.0) * rate * self;
  const double enough = 8.0 * fall * friction.half_velocity / rate;
  if (!(fall > 1.0) || friction.memory_distance >= enough) return "";
  return ": an element's friction falls with its slip " + number_text(fall) +
         " times as fast as its traction gives way, above 1 elements jump between adhesion and "
         "slip; a memory of the friction over a slip distance of " +
         number_text(enough) + ", as of a velocity of " + number_text(friction.half_velocity) +
         " or more, may prevent it";
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
  // Limits of the coefficients' change relative to the bound, with which 126 random sequences of
  // six steps ended in the solutions that gauss_seidel continues to.
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

// Used by FrictionField (friction_field.h) as a part of its own.
template <SolverBackend Backend>
class FrictionBySlip {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  FrictionBySlip(StepModel<Backend>& model, const ContactProblem& problem)
      : model_(model),
        backend_(model.backend),
        newton_(problem.solver.tangential != TangentialMethod::gauss_seidel),
        tolerance_(problem.solver.tolerance),
        coefficients_(model.state.friction),
        change_(1) {}

  void reserve() {
    if (wanted_.size() == 0) wanted_ = Array<double>(model_.count);
  }

  // Only newton follows a falling law in its own rows: the whole law if nothing else changes
  // between rounds, except perhaps the pressures of unlike bodies. In steady rolling it does so
  // from the first round; slipping elements may stay so if the step starts from slip. A step in
  // time continues the one before, and the whole law might leave it for another solution (THEORY.md
  // 8.2): it relaxes until the rounds are near.
  //
  // others: needs of the parts before. may_follow: friction depends on the slip of each element
  // alone. carried_over: the coefficients may start at those of the sliding state.
  void begin_rounds(const StepInput& step, const RoundNeeds& others, bool may_follow,
                    bool carried_over) {
    const bool steady = step.tangential.problem == TangentialProblem::steady_rolling;
    std::optional<WholeLaw> when;
    if (others.whole_law) when = steady ? WholeLaw::at_first : WholeLaw::when_near;
    share_.reset();
    presses_ = others.presses;
    carried_over_ = carried_over;
    begins_again_ = false;
    falling_ = {};
    if (newton_ && may_follow && step.friction.law != FrictionLaw::constant) share_.emplace(when);
  }
  [[nodiscard]] bool follows_whole_law() const { return share_ && share_->whole(); }
  // Whether the tractions of rounds whose rows do not follow the law must be near their solutions:
  // those of sweeps, whose loose solutions are far off, and of laws that newton's rows may follow
  // later, which may be steep.
  [[nodiscard]] bool needs_closer() const { return !newton_ || share_.has_value(); }
  // Whether the last round's rows followed the law.
  [[nodiscard]] bool is_in_rows() const { return falling_.follows(); }

  void pose(const StepInput& step, int round, TangentialTask& task) {
    if (round == 1 && presses_ && share_ && !falls_gently(step)) share_.emplace(std::nullopt);
    falling_ = falling(step, round);
    if (!falling_.follows()) return;
    task.law = falling_;
    copy(model_.state.traction_x, model_.scratch_x);
    copy(model_.state.traction_y, model_.scratch_y);
  }
  // Rejects the round, which is repeated with a smaller share of the law, if newton failed or
  // jumped to another solution than the one that relaxation was near.
  bool accepts(const StepInput& step, const TangentialResult& found) {
    if (!falling_.follows() || (found.converged && !jumped(step))) return true;
    copy(model_.scratch_x, model_.state.traction_x);
    copy(model_.scratch_y, model_.state.traction_y);
    begins_again_ = share_->whole();
    share_->refused();
    return false;
  }

  // Relaxes the coefficients by one round towards those of the slip; returns their relative change.
  double follow(const StepInput& step, int round) {
    reserve();
    FollowSlip op = slip_followed(step, round);
    if (falling_.follows()) op.relaxed = false;
    op.first = op.first || begins_again_;
    begins_again_ = false;
    model_.run(op);
    if (falling_.follows()) return take_share();
    model_.run(TakeFriction{op.law, wanted_.data(), change_.data(), coefficients_.data()});
    const double change = backend_.read(change_).change;
    if (share_) share_->relaxed(change, round);
    return change;
  }

  // So many rounds of relaxation suggest that another solution is near. Unlike bodies need six or
  // seven rounds anyway.
  void remark(const StepInput& step, StepReport& report) {
    const int slow_rounds = presses_ ? 12 : 7;
    if constexpr (!kCountsOnly<Backend>)
      if (share_ && share_->continues() && report.iterations_outer >= slow_rounds)
        look_for_another(step, report);
  }
  // What to add to the message if rounds did not agree.
  [[nodiscard]] std::string advice(const StepInput& step) const {
    return jumping_text(step.friction, slip_rate(step.tangential), self_slip(),
                        backend_.greatest(model_.state.pressure));
  }

 private:
  [[nodiscard]] double self_slip() const { return model_.slip_operator.self(Component::xx); }
  void copy(const Array<double>& from, Array<double>& to) {
    model_.run(CopyField{from.data(), to.data()});
  }

  // Whether the law falls so gently that no element jumps, alone or against its neighbours
  // (THEORY.md 8.2). Otherwise rounds that move the pressure jump between solutions of the whole
  // law.
  [[nodiscard]] bool falls_gently(const StepInput& step) {
    constexpr double kSteepest = 0.5;  // an element alone jumps at 1
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
    model_.run(slip_followed(step, 1));
    return share_->jumped(backend_.read(change_).change);
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
    model_.run(TakeFrictionShare{falling_.law, falling_.share, wanted_.data(), fields.pressure,
                                 coefficients_.data(), fields.bound});
    const double change = (1.0 - falling_.share) * backend_.read(change_).change;
    if (!falling_.whole) share_->agreed(change);
    return change;
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

  StepModel<Backend>& model_;
  Backend& backend_;
  bool newton_;  // newton solves the tangential problem
  double tolerance_;
  Array<double>& coefficients_;
  Array<double> wanted_;  // made on first use
  Array<FrictionChange> change_;
  bool presses_ = false;  // the tractions act on the normal problem
  bool carried_over_ = false;
  FallingBound falling_;                // what the last round's rows followed of the law
  std::optional<FrictionShare> share_;  // of this step, if newton's rows follow the law
  bool begins_again_ = false;           // relaxation restarts after a refused round
};

}  // namespace slipfield
