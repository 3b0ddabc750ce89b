// SPDX-License-Identifier: Apache-2.0
// Whether newton's error falls, and where it does not, what part of its steps to take (THEORY.md
// 6.11).
#pragma once

#include <cmath>

namespace slipfield {

class NewtonProgress {
 public:
  // falls: the bound falls with slip. Elements that jump between adhesion and slip then keep the
  // error from falling; parts of steps end that.
  explicit NewtonProgress(bool falls) : falls_(falls) {}

  // The error before the next step.
  void see(double error) {
    if (error < 0.9 * last_gain_) {
      last_gain_ = error;
      without_gain_ = 0;
    } else {
      ++without_gain_;
    }
    if (falls_)
      part_ = without_gain_ > 0 ? std::fmax(0.3, 0.7 * part_) : std::fmin(1.0, 1.2 * part_);
  }
  // Of other tractions from here on.
  void begin_again() { last_gain_ = HUGE_VAL; }

  [[nodiscard]] bool stalls() const { return without_gain_ > (falls_ ? 20 : 8); }
  // Of the next step, what to take.
  [[nodiscard]] double part() const { return part_; }

 private:
  bool falls_;
  double last_gain_ = HUGE_VAL;  // the error when it last fell by a tenth
  int without_gain_ = 0;
  double part_ = 1.0;
};

}  // namespace slipfield
