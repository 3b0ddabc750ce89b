// SPDX-License-Identifier: Apache-2.0
// The normal problem on either backend: bound_cg and active_set_cg (THEORY.md 4).
//
// bound_cg [Vollebregt2014, after PolonskyKeer1999]: conjugate gradients and active set in one
// loop, preconditioned with the inverse of the padded circulant. An iteration costs one product and
// one preconditioner, and one more product where pressures were cut off. active_set_cg [deReus2010,
// after Kalker's NORM]: conjugate gradients on a fixed set to the tolerance, then elements leave
// and enter until nothing changes. dense (DenseNormal) starts from a rough bound_cg, of
// viscoelastic bodies from newton (normal_newton.h), which needs no symmetric coefficients.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "solver/fields/iteration_limits.h"
#include "solver/fields/solver_backend.h"
#include "solver/influence/influence_operator.h"
#include "solver/influence/influence_table.h"
#include "solver/normal/normal_newton.h"
#include "solver/normal/normal_ops.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// dense (`direct` in a case): the normal problem by Cholesky factors of the contact's influence
// matrix, elements leaving and entering until nothing changes.
//
// Within a contact C the pressure is approach z - y with A_CC z = 1 and A_CC y = h; a prescribed
// force fixes the approach. Then p <= 0 leaves and a negative gap enters (THEORY.md 4.5).
template <class Backend>
class DenseNormal {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  DenseNormal(Backend& backend, const Grid& grid, Influence& influence)
      : backend_(backend),
        influence_(influence),
        dense_(backend, grid),
        area_(grid.element_area()) {}

  // pressure: a start whose contact is nearly the right one, then the solution. report(exchange,
  // relative change of the pressures). Returns whether the contact settled.
  template <class Report>
  bool solve(const Array<double>& distance, const NormalLoad& load, Array<double>& pressure,
             Array<double>& displacement, const Report& report) {
    constexpr int kMaxExchanges = 100;
    h_ = backend_.download(distance);
    std::vector<double> p = backend_.download(pressure);
    std::vector<int> elements;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (p[i] > 0.0) elements.push_back(static_cast<int>(i));
    for (int exchange = 1; exchange <= kMaxExchanges; ++exchange) {
      const double approach = solve_contact(elements, load, p, exchange, report);
      backend_.upload(p, pressure);
      influence_.apply(Block::normal, {nullptr, nullptr, pressure.data()},
                       {nullptr, nullptr, displacement.data()});
      std::vector<int> next = contact_of(p, backend_.download(displacement), approach);
      if (next == elements) return true;
      elements = std::move(next);
    }
    return false;
  }

 private:
  // The pressures of a contact, which may be negative; returns the approach.
  template <class Report>
  double solve_contact(const std::vector<int>& elements, const NormalLoad& load,
                       std::vector<double>& p, int exchange, const Report& report) {
    const auto n = static_cast<Eigen::Index>(elements.size());
    const bool force = load.control == NormalControl::force;
    Eigen::MatrixXd columns(n, 2);
    for (Eigen::Index k = 0; k < n; ++k) {
      columns(k, 0) = 1.0;
      columns(k, 1) = h_[static_cast<std::size_t>(elements[static_cast<std::size_t>(k)])];
    }
    if (n > 0) {
      dense_.factor_normal(influence_, elements);
      dense_.solve(columns);
    }
    const double approach =
        force ? (load.value / area_ + columns.col(1).sum()) / columns.col(0).sum() : load.value;
    std::vector<double> last(p.size(), 0.0);
    last.swap(p);
    double change2 = 0.0;
    double whole2 = 0.0;
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(elements[static_cast<std::size_t>(k)]);
      p[i] = approach * columns(k, 0) - columns(k, 1);
      change2 += (p[i] - last[i]) * (p[i] - last[i]);
      whole2 += p[i] * p[i];
    }
    report(exchange, whole2 > 0.0 ? std::sqrt(change2 / whole2) : 0.0);
    return approach;
  }

  // Elements under pressure stay, penetrating elements enter; gaps within rounding stay open.
  [[nodiscard]] std::vector<int> contact_of(const std::vector<double>& p,
                                            const std::vector<double>& u, double approach) const {
    constexpr double kRounding = 1.0e-13;
    std::vector<int> elements;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double gap = h_[i] + u[i] - approach;
      const double size = std::abs(approach) + std::abs(u[i]);
      if (p[i] > 0.0 || (p[i] == 0.0 && gap < -kRounding * size))
        elements.push_back(static_cast<int>(i));
    }
    return elements;
  }

  Backend& backend_;
  Influence& influence_;
  typename Backend::Dense dense_;
  double area_;
  std::vector<double> h_;
};

template <class Backend>
class NormalSolver {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;
  using Report = std::function<void(int iteration, double change)>;

  NormalSolver(Backend& backend, const Grid& grid, Influence& influence)
      : backend_(backend),
        influence_(influence),
        grid_(grid),
        count_(grid.count()),
        area_(grid.element_area()),
        old_residual_(count_),
        direction_(count_),
        passing_(count_),
        active_(count_),
        scalars_(1) {}

  void reserve(NormalMethod method) {
    const bool symmetric = has_symmetric_normal(influence_.kind());
    if (by_newton(method) || (method == NormalMethod::dense && !symmetric)) made_newton().reserve();
    influence_.apply(Block::normal, {}, {});
    influence_.precondition_normal(nullptr, nullptr);
  }

  // distance: h with the displacement by the tangential tractions; pressure: the start, then the
  // solution; displacement: A_nn pressure on return.
  NormalResult solve(const Array<double>& distance, const NormalLoad& load, NormalMethod method,
                     double tolerance, Array<double>& pressure, Array<double>& displacement,
                     const Report& report) {
    fields_ = fields_of(distance, pressure, displacement);
    run(MarkLoaded{fields_.pressure, fields_.active});
    start(load);
    if (by_newton(method)) return finish(newton(load, tolerance, report));
    if (method == NormalMethod::dense) return dense(distance, load, pressure, displacement, report);
    const NormalResult result = method == NormalMethod::active_set_cg
                                    ? active_set_cg(tolerance, report)
                                    : bound_cg(tolerance, report);
    return finish(result);
  }

  // How the pressures follow the approach in a contact that stays as it is: q with A_nn q = 1 - u
  // on its elements, 0 elsewhere (THEORY.md 11.5). contact: not 0 for `elements` of the elements,
  // u: displaced. q and A_nn q: a start that belong together, then the solution. Returns whether it
  // was found.
  bool follow_approach(unsigned char* contact, double elements, const Array<double>& displaced,
                       double tolerance, Array<double>& q, Array<double>& displacement) {
    fields_ = fields_of(displaced, q, displacement);
    fields_.active = contact;
    if (!has_symmetric_normal(influence_.kind()))
      return made_newton().solve_held(newton_fields(), fields_.displacement, {0.0, 1.0}, tolerance);
    NormalScalars scalars;
    scalars.approach = 1.0;
    scalars.active = elements;
    backend_.write(scalars_, scalars);
    run(ClearDirection{fields_});
    NormalResult result;
    return settle(
        tolerance, [](int, double) {}, result);
  }

 private:
  static constexpr int kMaxIterations = GridLimits::kNormal;

  template <class Op>
  void run(const Op& op) {
    backend_.run(count_, op);
  }
  NormalFields fields_of(const Array<double>& distance, Array<double>& pressure,
                         Array<double>& displacement) {
    return {.distance = distance.data(),
            .pressure = pressure.data(),
            .displacement = displacement.data(),
            .residual = passing_.data(),
            .old_residual = old_residual_.data(),
            .preconditioned = passing_.data(),
            .direction = direction_.data(),
            .image = passing_.data(),
            .active = active_.data(),
            .scalars = scalars_.data()};
  }
  void multiply_pressure() {
    influence_.apply(Block::normal, {nullptr, nullptr, fields_.pressure},
                     {nullptr, nullptr, fields_.displacement});
  }

  void start(const NormalLoad& load) {
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

  // What becomes of pressures that a step makes negative.
  enum class Negative { cut_off, kept };

  // One step of conjugate gradients on the active set, from a residual that is formed.
  // scalars_after_step() waits for it.
  void conjugate_step(Negative negative) {
    run(FormResidual{fields_});
    influence_.precondition_normal(fields_.residual, fields_.preconditioned);
    run(MeasureDirection{fields_});
    run(UpdateDirection{fields_});
    influence_.apply(Block::normal, {nullptr, nullptr, fields_.direction},
                     {nullptr, nullptr, fields_.image});
    run(MeasureStep{fields_});
    run(TakeStep{fields_, negative == Negative::cut_off});
    begin_read(backend_, scalars_);
  }
  NormalScalars scalars_after_step() {
    auto s = end_read<NormalScalars>(backend_, scalars_);
    if (!std::isfinite(s.energy) || !std::isfinite(s.work)) s.change = NAN;
    return s;
  }

  // |dp| under the tolerance, and the residual in the energy norm that belongs to it, so that a
  // short step alone never passes for convergence.
  static bool small(const NormalScalars& s, double tolerance) {
    return s.change <= tolerance &&
           s.energy <= 100.0 * tolerance * tolerance * std::max(s.work, 0.0);
  }

  NormalResult bound_cg(double tolerance, const Report& report) {
    NormalResult result;
    int quiet = 0;
    bool clipped = false;  // by the step before
    while (result.iterations < kMaxIterations && !result.converged) {
      run(UpdateApproach{fields_});
      run(ActivateBound{fields_});
      conjugate_step(Negative::cut_off);
      // Where that cut pressures off this one mostly does: what follows is under way while the
      // scalars are read.
      const bool ahead = kReadsAhead<Backend, Array<NormalScalars>> && clipped;
      if (ahead) {
        run(ScalePressure{fields_, true});
        multiply_pressure();
      }
      const NormalScalars s = scalars_after_step();
      clipped = s.clipped > 0.0;
      ++result.iterations;
      report(result.iterations, s.change);
      if (s.active == 0.0) {  // nothing touches
        result.converged = true;
        break;
      }
      if (!std::isfinite(s.change)) break;
      // An element at the rim may alternate between in and out for ever, almost without pressure:
      // twice small will do.
      quiet = small(s, tolerance) ? quiet + 1 : 0;
      const bool settled = !clipped && s.entered == 0.0;
      result.converged = quiet >= 2 || (quiet == 1 && settled);
      if (clipped && !ahead) {
        run(ScalePressure{fields_});
        if (!result.converged) multiply_pressure();
      }
    }
    return result;
  }

  // Conjugate gradients on the active set as it is, until an iteration is small; returns whether
  // one was.
  bool settle(double tolerance, const Report& report, NormalResult& result) {
    while (result.iterations < kMaxIterations) {
      run(CentreResidual{fields_});
      conjugate_step(Negative::kept);
      const NormalScalars s = scalars_after_step();
      ++result.iterations;
      report(result.iterations, s.change);
      if (!std::isfinite(s.change)) return false;
      if (s.active == 0.0 || small(s, tolerance)) return true;
    }
    return false;
  }

  NormalResult active_set_cg(double tolerance, const Report& report) {
    NormalResult result;
    run(UpdateApproach{fields_});
    run(ActivateBound{fields_});
    constexpr int kMaxExchanges = 200;
    for (int exchange = 0; exchange < kMaxExchanges; ++exchange) {
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

  [[nodiscard]] bool by_newton(NormalMethod method) const {
    return method == NormalMethod::newton ||
           (method == NormalMethod::automatic && !has_symmetric_normal(influence_.kind()));
  }
  NormalNewton<Backend>& made_newton() {
    if (!newton_) newton_.emplace(backend_, count_, influence_);
    return *newton_;
  }
  [[nodiscard]] NormalNewtonFields newton_fields() const {
    NormalNewtonFields f;
    f.distance = fields_.distance;
    f.pressure = fields_.pressure;
    f.displacement = fields_.displacement;
    f.active = fields_.active;
    return f;
  }
  NormalResult newton(const NormalLoad& load, double tolerance, const Report& report) {
    run(UpdateApproach{fields_});
    const double approach = backend_.read(scalars_).approach;
    const bool force = load.control == NormalControl::force;
    return made_newton().solve(newton_fields(), fields_.displacement,
                               {force ? load.value / area_ : 0.0, approach}, tolerance, report);
  }

  NormalResult dense(const Array<double>& distance, const NormalLoad& load, Array<double>& pressure,
                     Array<double>& displacement, const Report& report) {
    constexpr double kRough = 1.0e-2;
    NormalResult result = has_symmetric_normal(influence_.kind()) ? bound_cg(kRough, report)
                                                                  : newton(load, kRough, report);
    const int before = result.iterations;
    if (!dense_) dense_.emplace(backend_, grid_, influence_);
    result.converged =
        dense_->solve(distance, load, pressure, displacement, [&](int exchange, double change) {
          result.iterations = before + exchange;
          report(result.iterations, change);
        });
    return finish(result);
  }

  NormalResult finish(NormalResult result) {
    multiply_pressure();
    run(UpdateApproach{fields_});
    result.approach = backend_.read(scalars_).approach;
    return result;
  }

  Backend& backend_;
  Influence& influence_;
  Grid grid_;
  std::size_t count_;
  double area_;
  Array<double> old_residual_, direction_;
  Array<double> passing_;  // in turn the residual, what preconditioning makes of it, the image
  Array<unsigned char> active_;
  Array<NormalScalars> scalars_;
  NormalFields fields_;
  std::optional<DenseNormal<Backend>> dense_;    // made when first asked for
  std::optional<NormalNewton<Backend>> newton_;  // likewise
};

}  // namespace slipfield
