// SPDX-License-Identifier: Apache-2.0
// How much of a falling law newton's rows follow at once, from round to round (THEORY.md 8.2).
#pragma once

namespace slipfield {

// A little at first, where elements jump from adhesion to slip; all of it in the end.
class FrictionShare {
 public:
  // 0: none, the coefficients are given; the rounds are those of relaxation.
  [[nodiscard]] double value() const { return given_up_ ? 0.0 : share_; }

  // newton found the tractions; change: what is left of the coefficients' way.
  void agreed(double change) {
    const bool settles = change < kSettling * last_change_;
    last_change_ = change;
    if (++rounds_ > kMostRounds) given_up_ = true;
    if (++since_refusal_ > kPatience) share_ = 1.0 - (1.0 - share_) / (settles ? 2.0 : 1.3);
  }

  // newton did not find them.
  void refused() {
    share_ *= 0.6;
    since_refusal_ = 0;
    if (share_ < kLeast) given_up_ = true;
  }

 private:
  static constexpr double kFirst = 0.3;
  static constexpr double kLeast = 0.02;
  static constexpr double kSettling = 0.6;  // a change that falls as fast needs no care
  static constexpr int kPatience = 2;       // rounds after a refusal
  static constexpr int kMostRounds = 100;
  double share_ = kFirst;
  double last_change_ = 1.0;
  int rounds_ = 0;
  int since_refusal_ = kPatience;
  bool given_up_ = false;
};

}  // namespace slipfield
