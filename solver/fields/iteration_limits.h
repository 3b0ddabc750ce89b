// SPDX-License-Identifier: Apache-2.0
// Limits that control the iterations of a step: in the solvers on a grid, and in the solvers for a
// small contact of a batch (solver/batch). The two share element operations, stopping rules and
// this file, but not their loops: a thread block keeps all scalars of GMRES next to its vectors and
// runs a contact from start to end, while for a grid the host reads one column per iteration and
// decides.
#pragma once

#include <cmath>

#include "solver/fields/krylov_length.h"
#include "solver/host_device.h"

namespace slipfield {

// For both, in rounds that bring parts of a step into agreement (THEORY.md 8): the change assumed
// before the first round, and the tolerance of a round relative to the last change, which
// saves products (steady rolling of 64 x 64 elements between unlike bodies: 208 in place of 214).
struct RoundLimits {
  static constexpr double kFirstChange = 0.1;
  static constexpr double kOfChange = 0.01;
};

struct GridLimits {
  static constexpr int kNormal = 1000;          // iterations of bound_cg
  static constexpr int kNewtonSteps = 60;       // of a tangential problem
  static constexpr int kNewtonWithoutGain = 8;  // steps that do not lower the error by a tenth
  // Relative residual of the linearized problems. In rolling 0.1 takes a tenth fewer products than
  // 0.05, in shifts a tenth to a quarter more.
  static constexpr double kForcing = 0.05;
  static constexpr double kForcingRolling = 0.1;
  static constexpr int kKrylov = kKrylovRestart;  // products of GMRES
  // A remainder below this part of |w|^2 is rounding: w lies in the span of the basis, whose
  // vectors have length 1 and are orthogonal only to 1e-7.
  static constexpr double kKrylovRounding = 1.0e-6;
  // Relative to the greatest diagonal entry of the triangle: below it the matrix is singular.
  static constexpr double kSingular = 1.0e-10;
  static constexpr int kRounds = 200;  // for friction and slip to agree
  // Normal problems solved to find the yielding elements or the adhesive stress.
  static constexpr int kTurns = 1000;
};

// A batch has no fallback method, and its other contacts wait for the slowest: failures are
// reported and left to the single solver (THEORY.md 6.8).
struct BatchLimits {
  static constexpr int kNormal = 200;
  static constexpr int kNewtonSteps = 40;
  static constexpr int kNewtonWithoutGain = 6;
  static constexpr double kForcing = 0.1;
  static constexpr int kKrylov = 40;
  // As above. Here the newest vector is a basis vector, so rounding is smaller; the triangle is
  // solved only to a tenth.
  template <class Real>
  static constexpr double kKrylovRounding = sizeof(Real) == 4 ? 1.0e-10 : 1.0e-12;
  static constexpr double kSingular = 1.0e-6;
  static constexpr int kRounds = 60;
};

// What newton does if its error stops falling (THEORY.md 6.6, 6.11).
enum class WithoutGain {
  // It gives up. For steady rolling: only steps much shorter than an element stall; half steps
  // would stall as well, and the proximal point method takes over.
  gives_up,
  // After that many steps without gain it takes as many half steps. For shifts and transient
  // rolling: full steps may run through a cycle of states, such as slip everywhere and adhesion in
  // the middle. A half step ends between two of these, where fewer elements change.
  halves_steps,
  // It shortens its steps at once. For a bound that depends on the slip: elements that jump between
  // adhesion and slip keep the error from falling.
  shortens_steps
};

// Tracks whether newton's error, which ends the iteration (9.2), still falls, and otherwise decides
// what part of its steps to take.
class NewtonProgress {
 public:
  SLIPFIELD_HD explicit NewtonProgress(WithoutGain reaction,
                                       int without_gain = GridLimits::kNewtonWithoutGain)
      : reaction_(reaction),
        most_full_steps_(without_gain),
        most_without_gain_(most_steps(reaction, without_gain)) {}

  // Records the error before the next step.
  SLIPFIELD_HD void see(double error) {
    if (error < 0.9 * last_gain_) {
      last_gain_ = error;
      without_gain_ = 0;
    } else {
      ++without_gain_;
    }
    if (reaction_ == WithoutGain::shortens_steps)
      part_ = without_gain_ > 0 ? std::fmax(0.3, 0.7 * part_) : std::fmin(1.0, 1.2 * part_);
    else
      part_ = without_gain_ > most_full_steps_ ? 0.5 : 1.0;
  }
  // Later errors belong to other tractions.
  SLIPFIELD_HD void begin_again() { last_gain_ = HUGE_VAL; }

  [[nodiscard]] SLIPFIELD_HD bool stalls() const { return without_gain_ > most_without_gain_; }
  // The part of the next step to take.
  [[nodiscard]] SLIPFIELD_HD double part() const { return part_; }

 private:
  static constexpr int kWithoutGainShortened = 20;
  SLIPFIELD_HD static int most_steps(WithoutGain reaction, int without_gain) {
    if (reaction == WithoutGain::shortens_steps) return kWithoutGainShortened;
    return reaction == WithoutGain::halves_steps ? 2 * without_gain : without_gain;
  }
  WithoutGain reaction_;
  int most_full_steps_;
  int most_without_gain_;
  double last_gain_ = HUGE_VAL;  // the error when it last fell by a tenth
  int without_gain_ = 0;
  double part_ = 1.0;
};

}  // namespace slipfield
