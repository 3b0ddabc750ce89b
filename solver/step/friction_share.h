// SPDX-License-Identifier: Apache-2.0
// How much of a falling law newton's rows follow at once, from round to round (THEORY.md 8.2).
#pragma once

#include <optional>
#include <string>

#include "solver/friction.h"
#include "solver/number_text.h"
#include "solver/tangential/falling_ops.h"

namespace slipfield {

// What to say of rounds that did not agree where single elements jump (THEORY.md 8.2). rate: from
// the slip distance of a step to a velocity; self: slip of an element by its own traction;
// pressure: the greatest.
inline std::string jumping_text(const Friction& friction, double rate, double self,
                                double pressure) {
  if (friction.law == FrictionLaw::constant || !friction.depends_on_slip()) return "";
  if (friction.remembers() || !friction.along_y.empty()) return "";
  const double fall = -pressure * sliding_slope(sliding_law(friction), 0.0) * rate * self;
  if (!(fall > 1.0)) return "";
  return ": an element's friction falls with its slip " + number_text(fall) +
         " times as fast as its traction gives way, above 1 elements jump between adhesion and "
         "slip; a memory of the friction over a slip distance of " +
         number_text(8.0 * fall * friction.half_velocity / rate) + ", as of a velocity of " +
         number_text(friction.half_velocity) + " or more, may prevent it";
}

// When newton's rows follow all of the law, each element's bound that of its own slip.
enum class WholeLaw {
  at_first,  // from the first round, wherever that leads: no step before matters
  when_near  // once the rounds of relaxation have come near: the step continues the one before
};

// How much of it the rows follow. Where newton does not find all of it, none while relaxation may
// do; then a little, where elements jump between adhesion and slip; all of it in the end.
class FrictionShare {
 public:
  // when: none where something else changes from round to round.
  explicit FrictionShare(std::optional<WholeLaw> when)
      : when_(when), whole_(when == WholeLaw::at_first) {}

  [[nodiscard]] bool whole() const { return whole_; }
  [[nodiscard]] bool continues() const { return when_ == WholeLaw::when_near; }
  // 0: none, the coefficients are given; the rounds are those of relaxation.
  [[nodiscard]] double value(int round) const {
    if (whole_) return 1.0;
    return given_up_ || round <= kRoundsBefore ? 0.0 : share_;
  }

  // A round of relaxation found the coefficients this far away.
  void relaxed(double change, int round) {
    last_relaxed_ = change;
    if (when_ != WholeLaw::when_near) return;
    near_ = change <= near_limit_;
    const bool last_resort = (given_up_ || round >= kRoundsAtMost) && !resorted_;
    resorted_ = resorted_ || last_resort;
    whole_ = near_ || last_resort;
  }
  // Whether coefficients that moved so far in a round of the whole law are those of another solution
  // than the one that relaxation was near.
  [[nodiscard]] bool may_jump() const { return whole_ && near_; }
  [[nodiscard]] bool jumped(double moved) const { return moved > kFarthest * last_relaxed_; }

  // newton found the tractions; change: what is left of the coefficients' way.
  void agreed(double change) {
    const bool settles = change < kSettling * last_change_;
    last_change_ = change;
    if (++since_refusal_ > kPatience) share_ = 1.0 - (1.0 - share_) / (settles ? 2.0 : 1.3);
  }

  // newton did not find them, or others.
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
  // Rounds of relaxation end cheaply where they end at all, and mostly before.
  static constexpr int kRoundsBefore = 40;
  static constexpr int kRoundsAtMost = 120;  // after them the whole law, near or not
  static constexpr double kFirst = 0.3;
  static constexpr double kLeast = 0.02;
  static constexpr double kSettling = 0.6;  // a change that falls as fast needs no care
  static constexpr int kPatience = 2;       // rounds after a refusal
  // Of the coefficients, as part of the bound.
  static constexpr double kNear = 1.0e-3;
  static constexpr double kNearer = 0.1;  // of it, after a refusal
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

}  // namespace slipfield
