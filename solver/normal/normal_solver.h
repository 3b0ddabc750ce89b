// SPDX-License-Identifier: Apache-2.0
// The normal problem on either backend: bound_cg and active_set_cg (conjugate_normal.h,
// preconditioned with the inverse of the padded circulant), dense (DenseNormal), newton
// (normal_newton.h).
//
// dense starts from a rough bound_cg or, for viscoelastic bodies, from newton, which works with
// unsymmetric coefficients.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "solver/influence/block.h"
#include "solver/influence/influence_table.h"
#include "solver/normal/conjugate_normal.h"
#include "solver/normal/normal_newton.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// dense (`direct` in a case): the normal problem by Cholesky factors of the contact's influence
// matrix; elements leave and enter until nothing changes.
//
// Within a contact C the pressure is approach z - y with A_CC z = 1 and A_CC y = h; a prescribed
// force determines the approach. Then elements with p <= 0 leave and those with a negative gap
// enter (THEORY.md 4.5).
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

  // pressure: in, a start whose contact is nearly the right one; out, the solution.
  // report(exchange, relative change of the pressures). Returns whether the contact settled.
  template <class Report>
  bool solve(const Array<double>& distance, const NormalLoad& load, Array<double>& pressure,
             Array<double>& displacement, const Report& report) {
    constexpr int kMaxExchanges = 100;
    h_ = backend_.download(distance);
    std::vector<double> p = backend_.download(pressure);
    std::vector<int> elements;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (p[i] > 0.0) elements.push_back(static_cast<int>(i));
    // Whatever carries a force, the lowest element touches.
    const auto with_lowest = [&] {
      if (load.control == NormalControl::force && elements.empty())
        elements.push_back(static_cast<int>(std::ranges::min_element(h_) - h_.begin()));
    };
    with_lowest();
    for (int exchange = 1; exchange <= kMaxExchanges; ++exchange) {
      const double approach = solve_contact(elements, load, p, exchange, report);
      backend_.upload(p, pressure);
      influence_.apply(Block::normal, {.n = pressure.data()}, {.n = displacement.data()});
      std::vector<int> next = contact_of(p, backend_.download(displacement), approach);
      if (next == elements) return true;
      elements = std::move(next);
      with_lowest();
    }
    return false;
  }

 private:
  // Computes the pressures of a fixed contact, which may be negative; returns the approach.
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

  // Elements with pressure stay and penetrating elements enter; gaps within rounding stay open.
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
  using Report = NormalReport;

  NormalSolver(Backend& backend, const Grid& grid, Influence& influence)
      : backend_(backend),
        influence_(influence),
        grid_(grid),
        cg_(backend, grid.count(), grid.element_area(), grid.boundary == Boundary::periodic,
            OnGrid{influence}) {}

  void reserve(NormalMethod method) {
    const bool symmetric = has_symmetric_normal(influence_.kind());
    if (by_newton(method) || (method == NormalMethod::dense && !symmetric)) made_newton().reserve();
    influence_.apply(Block::normal, {}, {});
    influence_.precondition_normal(nullptr, nullptr);
  }

  // distance: h plus the displacement by the tangential tractions; pressure: in, the start; out,
  // the solution; displacement: out, A_nn pressure.
  NormalResult solve(const Array<double>& distance, const NormalLoad& load, NormalMethod method,
                     double tolerance, Array<double>& pressure, Array<double>& displacement,
                     const Report& report) {
    cg_.take(distance.data(), pressure.data(), displacement.data());
    cg_.start(load);
    NormalResult result;
    if (by_newton(method)) {
      result = newton(load, tolerance, report);
    } else if (method == NormalMethod::dense) {
      result = dense(distance, load, pressure, displacement, report);
    } else {
      result = cg_.solve(method, tolerance, report);
    }
    result.approach = cg_.approach();
    return result;
  }

  // The change of the pressures with the approach for a fixed contact: q with A_nn q = 1 - u on its
  // elements, 0 elsewhere (THEORY.md 11.5). contact: not 0 for `elements` of the elements, and only
  // read; u: displaced; q and displacement: in, a consistent start q and A_nn q; out, the solution.
  // Returns whether it converged.
  bool follow_approach(unsigned char* contact, double elements, const Array<double>& displaced,
                       double tolerance, Array<double>& q, Array<double>& displacement) {
    NormalFields& fields = cg_.take(displaced.data(), q.data(), displacement.data());
    fields.active = contact;
    if (!has_symmetric_normal(influence_.kind()))
      return made_newton().solve_held(newton_fields(), fields.displacement, {0.0, 1.0}, tolerance);
    return cg_.hold(Held::approach, 1.0, elements, tolerance);
  }

  // Solves A_nn v + h = load on the elements of a fixed contact, for symmetric coefficients; v = 0
  // elsewhere. Held: the approach, load = 0; or the sum of v, 0. h: in, sum of squares 1 over the
  // contact; out, the gap that is left. wanted: of its length. Returns the load; nothing if the
  // length reached neither kEnough nor `wanted`.
  //
  // Each run of conjugate gradients corrects what the ones before have left, because the rounding
  // of a run is relative to what it begins with.
  std::optional<double> respond(unsigned char* contact, double elements, Held held, double wanted,
                                Array<double>& h, Array<double>& v) {
    constexpr int kMostRuns = 8;
    constexpr double kOfOneRun = 1.0e-9;
    constexpr double kEnough = 1.0e-9;
    constexpr double kShare = 0.1;  // a step's relative size, over what it leaves
    for (Array<double>* array : {&correction_, &by_correction_})
      if (array->size() == 0) *array = Array<double>(grid_.count());
    const auto clear = [&](double* field) { backend_.run(grid_.count(), FillField{0.0, field}); };
    clear(v.data());
    double load = 0.0;
    double left = 1.0;
    for (int k = 0; k < kMostRuns && left > wanted; ++k) {
      clear(correction_.data());
      clear(by_correction_.data());
      cg_.take(h.data(), correction_.data(), by_correction_.data()).active = contact;
      if (!cg_.hold(held, 0.0, elements, std::fmax(kOfOneRun, kShare * wanted / left))) break;
      const NormalScalars now = cg_.take_correction(h.data(), v.data());
      load += now.approach;
      const double before = std::exchange(left, std::sqrt(now.gap2));
      if (!(left < 0.5 * before)) break;
    }
    if (!(left <= std::fmax(kEnough, wanted))) return std::nullopt;
    return load;
  }

 private:
  struct OnGrid {
    Influence& influence;
    void multiply(const double* pressure, double* displacement) {
      influence.apply(Block::normal, {.n = pressure}, {.n = displacement});
    }
    [[nodiscard]] bool made_of_launches() const { return slipfield::made_of_launches(influence); }
    void precondition(const NormalFields& f) {
      influence.precondition_normal(f.residual, f.preconditioned);
    }
  };

  [[nodiscard]] bool by_newton(NormalMethod method) const {
    return method == NormalMethod::newton ||
           (method == NormalMethod::automatic && !has_symmetric_normal(influence_.kind()));
  }
  NormalNewton<Backend>& made_newton() {
    if (!newton_) newton_.emplace(backend_, grid_.count(), influence_);
    return *newton_;
  }
  [[nodiscard]] NormalNewtonFields newton_fields() {
    const NormalFields& fields = cg_.fields();
    NormalNewtonFields f;
    f.distance = fields.distance;
    f.pressure = fields.pressure;
    f.displacement = fields.displacement;
    f.active = fields.active;
    return f;
  }
  NormalResult newton(const NormalLoad& load, double tolerance, const Report& report) {
    const double approach = cg_.given_approach();
    const bool force = load.control == NormalControl::force;
    return made_newton().solve(newton_fields(), cg_.fields().displacement,
                               {force ? load.value / grid_.element_area() : 0.0, approach,
                                grid_.boundary == Boundary::periodic},
                               tolerance, report, [&] {
                                 cg_.start(load);
                                 return cg_.given_approach();
                               });
  }

  NormalResult dense(const Array<double>& distance, const NormalLoad& load, Array<double>& pressure,
                     Array<double>& displacement, const Report& report) {
    constexpr double kRough = 1.0e-2;
    NormalResult result = has_symmetric_normal(influence_.kind())
                              ? cg_.solve(NormalMethod::bound_cg, kRough, report)
                              : newton(load, kRough, report);
    const int before = result.iterations;
    if (!dense_) dense_.emplace(backend_, grid_, influence_);
    result.converged =
        dense_->solve(distance, load, pressure, displacement, [&](int exchange, double change) {
          result.iterations = before + exchange;
          report(result.iterations, change);
        });
    return result;
  }

  Backend& backend_;
  Influence& influence_;
  Grid grid_;
  ConjugateNormal<Backend, OnGrid> cg_;
  std::optional<DenseNormal<Backend>> dense_;    // made on first use
  std::optional<NormalNewton<Backend>> newton_;  // made on first use
  Array<double> correction_, by_correction_;     // likewise
};

}  // namespace slipfield
