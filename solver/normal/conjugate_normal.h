// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients for the normal problem (THEORY.md 4), generic in elements and operator: all
// elements of a grid, or only the few that may touch.
//
// bound_cg [Vollebregt2014, after PolonskyKeer1999]: conjugate gradients and active set in one
// loop. An iteration costs one product and one preconditioning, and one more product if pressures
// were cut off. active_set_cg [deReus2010, after Kalker's NORM]: conjugate gradients on a fixed set
// to the tolerance, then elements leave and enter until nothing changes.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

#include "solver/fields/iteration_limits.h"
#include "solver/fields/solver_backend.h"
#include "solver/normal/normal_ops.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

using NormalReport = std::function<void(int iteration, double change)>;

// Operator: multiply(p, u), u = A_nn p; precondition(fields), from fields.residual to
// fields.preconditioned on the active elements; both may be the same array.
template <class Backend, class Operator>
class ConjugateNormal {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // count: number of elements; area: of one element. open_when_full: a uniform pressure on all
  // elements causes no displacement, as on a periodic grid.
  ConjugateNormal(Backend& backend, std::size_t count, double area, bool open_when_full,
                  Operator op)
      : backend_(backend),
        operator_(std::move(op)),
        count_(count),
        area_(area),
        open_when_full_(open_when_full),
        old_residual_(count),
        direction_(count),
        passing_(count),
        active_(count),
        scalars_(1) {}

  // distance: h plus the displacement by the tangential tractions; pressure: in, the start; out,
  // the solution; displacement: out, A_nn pressure.
  NormalFields& take(const double* distance, double* pressure, double* displacement) {
    fields_ = {.distance = distance,
               .pressure = pressure,
               .displacement = displacement,
               .residual = passing_.data(),
               .old_residual = old_residual_.data(),
               .preconditioned = passing_.data(),
               .direction = direction_.data(),
               .image = passing_.data(),
               .active = active_.data(),
               .scalars = scalars_.data()};
    return fields_;
  }
  [[nodiscard]] NormalFields& fields() { return fields_; }

  // Scales the starting pressures to the load, and forms their displacement.
  void start(const NormalLoad& load) {
    run(MarkLoaded{fields_.pressure, fields_.active});
    NormalScalars scalars;
    if (load.control == NormalControl::force) {
      scalars.pressure_sum = load.value / area_;
    } else {
      scalars.approach = load.value;
    }
    backend_.write(scalars_, scalars);
    run(SumPressure{fields_});
    if (load.control == NormalControl::force) {
      if (backend_.read(scalars_).work > 0.0) {
        run(ScalePressure{fields_});
      } else {
        run(StartEvenly{fields_});
      }
    }
    multiply_pressure();
    run(ClearDirection{fields_});
  }

  // Solves by bound_cg or active_set_cg; call start() before.
  NormalResult solve(NormalMethod method, double tolerance, const NormalReport& report) {
    return method == NormalMethod::active_set_cg ? active_set_cg(tolerance, report)
                                                 : bound_cg(tolerance, report);
  }

  // Solves for the pressures of a fixed contact, fields().active with `elements` elements. Held: the
  // approach, or the sum of the pressures at the start; the approach then starts as given.
  bool hold(Held held, double approach, double elements, double tolerance) {
    NormalScalars scalars;
    scalars.pressure_sum = held == Held::sum ? 1.0 : 0.0;  // any number but 0 means that
    scalars.approach = approach;
    scalars.active = elements;
    backend_.write(scalars_, scalars);
    run(ClearDirection{fields_});
    NormalResult result;
    return settle(
        tolerance, [](int, double) {}, result);
  }

  // After hold(), whose pressures correct those in `sum`: adds them, and makes the distance the gap
  // that they leave. Returns scalars with the approach and gap2.
  NormalScalars take_correction(double* distance, double* sum) {
    run(CentreResidual{fields_});
    run(TakePressures{fields_, distance, sum});
    return backend_.read(scalars_);
  }

  // Forms the displacement of the pressures and returns the approach of the elements with pressure.
  double approach() {
    multiply_pressure();
    return given_approach();
  }
  // Returns the approach for the displacement as it is.
  double given_approach() {
    run(UpdateApproach{fields_});
    return backend_.read(scalars_).approach;
  }

 private:
  static constexpr int kMaxIterations = GridLimits::kNormal;

  template <class Op>
  void run(const Op& op) {
    backend_.run(count_, op);
  }
  void hold() { hold_launches(backend_, made_of_launches(operator_)); }
  void multiply_pressure() { operator_.multiply(fields_.pressure, fields_.displacement); }

  // What happens to pressures that a step makes negative.
  enum class Negative { cut_off, kept };

  void precondition_residual() {
    run(FormResidual{fields_});
    operator_.precondition(fields_);
  }
  // Determines the active set of bound_cg and the residual on it.
  void begin_bound() {
    run(UpdateApproach{fields_});
    run(ActivateBound{fields_});
    precondition_residual();
  }

  // One step of conjugate gradients on the active set, from a preconditioned residual.
  // scalars_after_step() waits for it.
  void conjugate_step(Negative negative) {
    run(MeasureDirection{fields_});
    run(UpdateDirection{fields_});
    operator_.multiply(fields_.direction, fields_.image);
    run(MeasureStep{fields_});
    run(TakeStep{fields_, negative == Negative::cut_off});
    begin_read(backend_, scalars_);
  }
  NormalScalars scalars_after_step() {
    auto s = end_read<NormalScalars>(backend_, scalars_);
    if (!std::isfinite(s.energy) || !std::isfinite(s.work)) s.change = NAN;
    return s;
  }

  // Full contact at a prescribed approach, where a uniform pressure causes no displacement: the
  // mean gap is not 0 whatever the pressures, and no direction of conjugate gradients closes it.
  [[nodiscard]] bool is_singular(const NormalScalars& s) const {
    return open_when_full_ && s.pressure_sum == 0.0 && s.idle == 0.0;
  }
  // Leaves full contact: the energy falls with the mean pressure, along a straight line, until the
  // first element has none. The displacement stays.
  void leave_full_contact() {
    run(InvertPressure{fields_.pressure, passing_.data()});
    const double greatest = backend_.greatest(passing_);
    run(LowerPressure{fields_.pressure, greatest > 0.0 ? 1.0 / greatest : 0.0});
    run(ClearDirection{fields_});
  }

  NormalResult bound_cg(double tolerance, const NormalReport& report) {
    constexpr bool kAhead = kReadsAhead<Backend, Array<NormalScalars>>;
    NormalResult result;
    SmallSteps small;
    bool clipped = false;  // the last step cut pressures off
    bool begun = false;    // the next step already has its residual
    while (result.iterations < kMaxIterations && !result.converged) {
      hold();
      if (!begun) begin_bound();
      conjugate_step(Negative::cut_off);
      // The next step starts while the scalars are read: a step that cut pressures off is mostly
      // followed by another. This is safe: neither the pressures nor the stopping test depends on
      // the next residual, which can be formed again.
      const bool ahead = kAhead && clipped;
      begun = kAhead && result.iterations > 0;
      if (begun) hold();
      if (ahead) {
        run(ScalePressure{fields_, true});
        multiply_pressure();
      }
      if (begun) begin_bound();
      send_launches(backend_);
      const NormalScalars s = scalars_after_step();
      clipped = s.clipped > 0.0;
      ++result.iterations;
      report(result.iterations, s.change);
      if (s.active == 0.0) {  // nothing touches
        result.converged = true;
        break;
      }
      if (!std::isfinite(s.change)) break;
      const bool singular = is_singular(s);
      result.converged = small.end_with(s, tolerance) && !singular;
      if (clipped && !ahead) {
        hold();
        run(ScalePressure{fields_});
        if (!result.converged) multiply_pressure();
        begun = false;
      }
      if (singular && !clipped) {
        leave_full_contact();
        begun = false;
      }
    }
    send_launches(backend_);
    return result;
  }

  // Conjugate gradients on the fixed active set until a step is small; returns whether one was.
  bool settle(double tolerance, const NormalReport& report, NormalResult& result) {
    while (result.iterations < kMaxIterations) {
      hold();
      run(CentreResidual{fields_});
      precondition_residual();
      conjugate_step(Negative::kept);
      const NormalScalars s = scalars_after_step();
      ++result.iterations;
      report(result.iterations, s.change);
      if (!std::isfinite(s.change)) return false;
      if (s.active == 0.0 || is_small_step(s, tolerance)) return true;
    }
    return false;
  }

  NormalResult active_set_cg(double tolerance, const NormalReport& report) {
    NormalResult result;
    run(UpdateApproach{fields_});
    run(ActivateBound{fields_});
    constexpr int kMaxExchanges = 200;
    for (int exchange = 0; exchange < kMaxExchanges; ++exchange) {
      if (is_singular(backend_.read(scalars_))) {
        leave_full_contact();
        run(ExchangeActiveSet{fields_});
      }
      const bool solved = settle(tolerance, report, result);
      if (!solved && result.iterations < kMaxIterations) return result;  // not finite
      run(CentreResidual{fields_});
      run(ExchangeActiveSet{fields_});
      const NormalScalars s = backend_.read(scalars_);
      if (s.entered == 0.0 && s.released == 0.0) {
        result.converged = solved;
        break;
      }
      run(ScalePressure{fields_});
      run(ClearDirection{fields_});
      multiply_pressure();
    }
    return result;
  }

  Backend& backend_;
  Operator operator_;
  std::size_t count_;
  double area_;
  bool open_when_full_;
  Array<double> old_residual_, direction_;
  Array<double> passing_;  // holds in turn residual, preconditioned residual and image
  Array<unsigned char> active_;
  Array<NormalScalars> scalars_;
  NormalFields fields_;
};

}  // namespace slipfield
