// SPDX-License-Identifier: Apache-2.0
// The numbers by which the iterations of a step continue and end: those of the solvers on a grid,
// and of the solvers for a small contact of a batch (solver/batch). These share element operations,
// the rules by which they end and this file, but not the text of their loops: a thread block keeps
// all scalars of GMRES next to its vectors, and runs a contact from beginning to end, where the
// host reads one column of each iteration and decides.
#pragma once

#include <cmath>

#include "solver/fields/krylov_length.h"
#include "solver/host_device.h"

namespace slipfield {

// For both, of rounds in which parts of a step come to agree (THEORY.md 8): the change before the
// first one, and the tolerance of a round as part of the change of the one before.
struct RoundLimits {
  static constexpr double kFirstChange = 0.1;
  static constexpr double kOfChange = 0.01;
};

struct GridLimits {
  static constexpr int kNormal = 1000;          // iterations of bound_cg
  static constexpr int kNewtonSteps = 60;       // of a tangential problem
  static constexpr int kNewtonWithoutGain = 8;  // steps that do not lower the error by a tenth
  // Relative residual of the linearized problems. In rolling a tenth less products are taken at 0.1
  // than at 0.05, in shifts a tenth to a quarter more.
  static constexpr double kForcing = 0.05;
  static constexpr double kForcingRolling = 0.1;
  static constexpr int kKrylov = kKrylovRestart;  // products of GMRES
  // Less than this part of |w|^2 counts as rounding: w lies in the span of the basis, whose vectors
  // are of length 1 and at right angles to 1e-7 only.
  static constexpr double kKrylovRounding = 1.0e-6;
  // Likewise of the greatest entry on the diagonal of its triangle: the matrix is singular.
  static constexpr double kSingular = 1.0e-10;
  static constexpr int kRounds = 200;  // in which friction and slip come to agree
  // Normal problems in which yielding elements, or the adhesive stress, are found.
  static constexpr int kTurns = 1000;
};

// A batch has no other method to fall back on, and its other contacts wait for the slowest: what
// fails is reported, and belongs to the single solver (THEORY.md 6.8).
struct BatchLimits {
  static constexpr int kNormal = 200;
  static constexpr int kNewtonSteps = 40;
  static constexpr int kNewtonWithoutGain = 6;
  static constexpr double kForcing = 0.1;
  static constexpr int kKrylov = 40;
  // As above. The newest vector is one of the basis here, so that less of it is rounding; its
  // triangle is solved to a tenth.
  template <class Real>
  static constexpr double kKrylovRounding = sizeof(Real) == 4 ? 1.0e-10 : 1.0e-12;
  static constexpr double kSingular = 1.0e-6;
  static constexpr int kRounds = 60;
};

// What newton does where its error does not fall (THEORY.md 6.6, 6.11).
enum class WithoutGain {
  // It gives up. Of steady rolling: only steps much shorter than an element stall, where half steps
  // stall as well and the proximal point method takes over.
  gives_up,
  // Once as many steps as that brought no gain, it takes half steps, for as many again. Of shifts
  // and transient rolling: full steps may lead around a cycle of states, such as slip everywhere
  // and adhesion in the middle. A half step ends between two of these, where fewer elements change.
  halves_steps,
  // It shortens its steps at once. Of a bound that depends on the slip: elements that jump between
  // adhesion and slip keep the error from falling.
  shortens_steps
};

// Whether newton's error, by which it ends (9.2), falls, and where it does not, what part of its
// steps to take.
class NewtonProgress {
 public:
  SLIPFIELD_HD explicit NewtonProgress(WithoutGain reaction,
                                       int without_gain = GridLimits::kNewtonWithoutGain)
      : reaction_(reaction),
        most_full_steps_(without_gain),
        most_without_gain_(most_steps(reaction, without_gain)) {}

  // The error before the next step.
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
  // The errors are those of other tractions from here on.
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
