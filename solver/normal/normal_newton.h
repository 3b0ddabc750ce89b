// SPDX-License-Identifier: Apache-2.0
// newton for the normal problem on either backend: semismooth Newton steps on the contact, each a
// linear system that GMRES solves, preconditioned with the inverse symbol of A_nn (THEORY.md 4.6).
//
// It needs only a positive real part of A_nn: rolling viscoelastic bodies have unsymmetric
// coefficients, for which conjugate gradients diverge.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/fields/gmres.h"
#include "solver/fields/iteration_limits.h"
#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/influence/block.h"
#include "solver/normal/normal_ops.h"

namespace slipfield {

template <class Backend>
class NormalNewton {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  NormalNewton(Backend& backend, std::size_t count, Influence& influence)
      : backend_(backend),
        influence_(influence),
        count_(count),
        gmres_(backend, count + 1, 1),
        rhs_(count + 1),
        step_(count + 1),
        joined_(count + 1),
        inner_(count),
        scalars_(1) {}

  void reserve() { gmres_.reserve(); }

  // The start and the load: the prescribed sum of the pressures or, if that is 0, the prescribed
  // approach. open_when_full: a uniform pressure causes no displacement, as on a periodic grid.
  struct Load {
    double pressure_sum = 0.0;
    double approach = 0.0;
    bool open_when_full = false;
  };

  // fields: distance, pressure with displacement = A_nn pressure, active; this function sets rho,
  // count and scalars. Returns pressure and displacement in place. report(iteration, relative
  // change).
  //
  // Under a prescribed approach, starting pressures far from the solution, such as those for a much
  // greater approach, may not converge: it then starts again without pressure. Under a prescribed
  // force a loose step may cut off all pressures, from where no step leads back: start_evenly()
  // then spreads the force again and returns the approach, and every linear system is solved
  // closely.
  template <class Report, class Start>
  NormalResult solve(NormalNewtonFields fields, double* displacement, Load load, double tolerance,
                     const Report& report, const Start& start_evenly) {
    NormalResult result = solve_from(fields, displacement, load, tolerance, 0, false, report);
    const bool force = load.pressure_sum > 0.0;
    if (result.converged || (from_nothing_ && !force)) return result;
    backend_.run(count_, FillField{0.0, fields.pressure});
    backend_.run(count_, FillField{0.0, displacement});
    if (force) load.approach = start_evenly();
    return solve_from(fields, displacement, load, tolerance, result.iterations, force, report);
  }

  // Solves on the given active set with pressures of any sign; returns whether it converged.
  bool solve_held(NormalNewtonFields fields, double* displacement, const Load& load,
                  double tolerance) {
    fields.held = true;
    begin(fields, load);
    for (int k = 0; k < kMaxSteps; ++k) {
      backend_.run(count_, LinearizeNormal{fields, rhs_.data()});
      const NormalNewtonScalars now = backend_.read(scalars_);
      const double error = part(now.residual2, now.pressure2);
      if (!std::isfinite(error) && k > 0) return false;
      if (error <= tolerance) return true;
      step(fields, displacement, forcing(now, error, tolerance, false));
    }
    return false;
  }

 private:
  static constexpr int kMaxSteps = 100;
  static constexpr int kMaxWithoutGain = 40;
  static constexpr int kCarefulFrom = 15;
  static constexpr double kForcing = 0.1;

  // before: iterations of an earlier try; closely: see solve().
  template <class Report>
  NormalResult solve_from(NormalNewtonFields fields, double* displacement, const Load& load,
                          double tolerance, int before, bool closely, const Report& report) {
    begin(fields, load);
    NormalResult result;
    result.iterations = before;
    double change = HUGE_VAL;
    NewtonProgress progress(WithoutGain::gives_up, kMaxWithoutGain);
    while (true) {
      backend_.run(count_, LinearizeNormal{fields, rhs_.data()});
      const NormalNewtonScalars now = backend_.read(scalars_);
      if (result.iterations == 0) from_nothing_ = now.pressure2 == 0.0;
      const double error = std::max(part(now.residual2, now.pressure2), force_error(now));
      result.approach = now.approach;
      result.converged = error <= tolerance && (change <= tolerance || now.residual2 == 0.0);
      // The error is infinite without pressure: at the start, and if a step cut all of it off, as
      // it may in nearly full contact. The next step then starts from the penetrating elements.
      const bool broken = std::isnan(error) || !std::isfinite(now.residual2 + now.pressure2);
      const bool singular = load.open_when_full && load.pressure_sum == 0.0 && now.idle == 0.0;
      result.converged = result.converged && !singular;
      if (result.converged || broken || singular) return result;
      progress.see(error);
      const int taken = result.iterations - before;
      if (taken == kMaxSteps || progress.stalls()) return result;
      fields.careful = fields.careful || taken >= kCarefulFrom;
      step(fields, displacement, forcing(now, error, tolerance, closely));
      const NormalNewtonScalars after = backend_.read(scalars_);
      change = part(after.change2, std::max(after.change2, after.changed2));
      report(++result.iterations, change);
    }
  }

  void begin(NormalNewtonFields& fields, const Load& load) {
    fields.count = count_;
    fields.rho = 1.0 / influence_.self(Component::nn);
    fields.scalars = scalars_.data();
    NormalNewtonScalars scalars;
    scalars.pressure_sum = load.pressure_sum;
    scalars.approach = load.approach;
    backend_.write(scalars_, scalars);
  }

  static double part(double squares, double whole) {
    return squares == 0.0 ? 0.0 : std::sqrt(squares / whole);
  }
  static double force_error(const NormalNewtonScalars& s) {
    return s.pressure_sum > 0.0 ? std::abs(s.pressure / s.pressure_sum - 1.0) : 0.0;
  }

  // On a fixed set the system is linear: a single solution with more digits suffices.
  static double forcing(const NormalNewtonScalars& now, double error, double tolerance,
                        bool closely) {
    constexpr double kTightest = 1.0e-4;  // reliably reached by one run of GMRES
    if (closely) return kTightest;
    if (now.moved > 0.0 || !std::isfinite(error)) return kForcing;
    return std::clamp(0.3 * tolerance / error, kTightest, kForcing);
  }

  void step(const NormalNewtonFields& fields, double* displacement, double forcing) {
    gmres_.solve(
        rhs_, step_, forcing,
        [this, &fields](const double* in, double* out) { multiply(fields, in, out); },
        [this, &fields](const double* in, double* out) { precondition(fields, in, out); },
        made_of_launches(influence_));
    backend_.run(count_, TakeNormalStep{fields, step_.data()});
    apply(fields.pressure, displacement);
    send_launches(backend_);
  }

  void apply(const double* pressure, double* displacement) {
    influence_.apply(Block::normal, {.n = pressure}, {.n = displacement});
  }

  void multiply(const NormalNewtonFields& fields, const double* in, double* out) {
    precondition(fields, in, joined_.data());
    apply(joined_.data(), inner_.data());
    backend_.run(count_, MultiplyNormal{fields, joined_.data(), inner_.data(), out});
  }

  void precondition(const NormalNewtonFields& fields, const double* in, double* out) {
    backend_.run(count_, MaskInactive{fields, in, inner_.data()});
    influence_.precondition_normal(inner_.data(), inner_.data());
    backend_.run(count_, JoinNormal{fields, in, inner_.data(), out});
    if (count_ == 0) backend_.run(1, CopyField{in, out});
  }

  Backend& backend_;
  Influence& influence_;
  std::size_t count_;
  Gmres<Backend> gmres_;
  Array<double> rhs_, step_, joined_, inner_;
  Array<NormalNewtonScalars> scalars_;
  bool from_nothing_ = false;  // the last start had no pressure
};

}  // namespace slipfield
