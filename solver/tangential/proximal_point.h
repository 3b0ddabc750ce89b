// SPDX-License-Identifier: Apache-2.0
// The proximal point method for steady rolling, around newton (THEORY.md 6.12).
//
// In steps much shorter than an element S is nearly antisymmetric and nearly singular, and newton
// jumps between states. But S is still monotone. Each round solves the problem of S + c I, which
// adds to the slip c times the change of the tractions since the round before; once the tractions
// stop changing, this is the wanted problem. c is reduced from round to round while newton finds it
// easy, and Anderson's mixing shortens the end.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/fields/fixed_point.h"
#include "solver/fields/step_ops.h"
#include "solver/fields/tangential_ops.h"
#include "solver/influence/influence_table.h"
#include "solver/rolling.h"
#include "solver/tangential/newton_solver.h"
#include "solver/tangential/slip_operator.h"
#include "solver/tangential/tangential_task.h"

namespace slipfield {

template <class Backend>
class ProximalPoint {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // grid: the whole grid, not shared out.
  ProximalPoint(Backend& backend, const Grid& grid, const CombinedMaterial& material)
      : backend_(backend),
        grid_(grid),
        material_(material),
        count_(grid.count()),
        base_x_(count_),
        base_y_(count_),
        before_x_(count_),
        before_y_(count_),
        rounds_(backend, count_, count_) {}

  void reserve(const TangentialTask& task, NewtonSolver<Backend>& newton,
               SlipOperator<Backend>& influence) {
    InfluenceKind kind = influence.kind();
    kind.own_compliance = first_compliance(kind);
    SlipOperator<Backend> raised = influence.beside();
    raised.take_up(kind);
    newton.reserve(task, raised);
    rounds_.reserve();
  }

  // Implements TangentialSolver::solve for steady rolling with one table of coefficients.
  TangentialResult solve(TangentialTask task, NewtonSolver<Backend>& newton,
                         const TangentialSystem<Backend>& system, double tolerance,
                         const IterationReport& report) {
    const TangentialFields& fields = system.fields;
    InfluenceKind kind = system.influence.kind();
    SlipOperator<Backend> raised = system.influence.beside();
    kind.own_compliance = first_compliance(kind);
    const double least = kLeastCompliance * system.influence.self(Component::xx);
    const RoundFields now{nullptr, fields.traction_x, fields.traction_y};
    const RoundFields before{nullptr, before_x_.data(), before_y_.data()};
    rounds_.begin();
    TangentialResult result;
    result.rigid = task.rigid;
    int iterations = 0;
    double inner = kFirstTolerance;
    backend_.run(count_, FitTractions{fields});
    for (int round = 0; round < kMostRounds; ++round) {
      raised.take_up(kind);
      rounds_.keep(now, before);
      hold(kind.own_compliance, fields.traction_x, system.base_x, base_x_);
      hold(kind.own_compliance, fields.traction_y, system.base_y, base_y_);
      const TangentialResult found = newton.solve(task, LinearMethod::gmres, kMostSteps,
                                                  {raised, fields, base_x_.data(), base_y_.data()},
                                                  inner, after(iterations, report));
      iterations += found.iterations;
      if (!std::isfinite(found.rigid.x) || !std::isfinite(found.rigid.y)) break;
      result.rigid = task.rigid = found.rigid;
      const double change = rounds_.measure(now, before).tangential;
      if (!std::isfinite(change)) break;
      if (change <= tolerance && newton.start_error(task, system) <= tolerance) {
        result.converged = true;
        break;
      }
      if (change < kMixedFrom) {
        rounds_.mix(now, before);
        backend_.run(count_, FitTractions{fields});
      }
      inner = std::max(0.5 * tolerance, std::min(inner, kOfChange * change));
      if (found.iterations <= kEasy && kind.own_compliance > least) kind.own_compliance *= 0.5;
      if (found.iterations > kHard) kind.own_compliance *= 2.0;
    }
    system.influence.add_products(raised.products());
    result.iterations = iterations;
    result.took_over = TookOver::proximal_point;
    return result;
  }

 private:
  static constexpr int kMostRounds = 60;
  static constexpr int kMostSteps = 20;            // of newton in a round
  static constexpr int kEasy = 3;                  // steps up to which c falls
  static constexpr int kHard = 10;                 // steps above which c grows
  static constexpr double kFirstCompliance = 0.3;  // c relative to the size of S at so short a step
  static constexpr double kLeastCompliance = 0.1;  // c relative to S_xx(0)
  static constexpr double kFirstTolerance = 1.0e-2;  // tolerance of the first round
  static constexpr double kOfChange = 0.1;      // tolerance of a round relative to the last change
  static constexpr double kMixedFrom = 3.0e-3;  // mixing starts below this change

  // S grows with the step as its entries next to the diagonal do.
  [[nodiscard]] double first_compliance(const InfluenceKind& kind) const {
    const double step = std::hypot(kind.offset_x, kind.offset_y);
    const double part = step / element_length(std::atan2(kind.offset_y, kind.offset_x), grid_);
    InfluenceKind whole = kind;
    whole.offset_x /= part;
    whole.offset_y /= part;
    return kFirstCompliance * part *
           influence_coefficient(Component::xx, 0.0, 0.0, grid_, material_, whole);
  }

  // base - c traction
  void hold(double compliance, const double* traction, const double* base, Array<double>& out) {
    backend_.run(count_, CopyField{traction, out.data(), -compliance});
    backend_.run(count_, AddFields{base, out.data(), out.data()});
  }

  Backend& backend_;
  Grid grid_;
  CombinedMaterial material_;
  std::size_t count_;
  Array<double> base_x_, base_y_, before_x_, before_y_;
  FixedPoint<Backend> rounds_;
};

}  // namespace slipfield
