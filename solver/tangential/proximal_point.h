// SPDX-License-Identifier: Apache-2.0
// The proximal point method for steady rolling, around newton (THEORY.md 6.12).
//
// In steps much shorter than an element S is nearly antisymmetric and nearly singular: newton jumps
// between states. S is monotone all the same. Each round solves the problem of S + c I, whose slip
// has c times the change of the tractions since the round before on top of it; where the tractions
// stay, that is the problem wanted. c falls from round to round as newton finds it easy, and
// Anderson's mixing shortens the end.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/influence/influence_table.h"
#include "solver/rolling.h"
#include "solver/step/step_ops.h"
#include "solver/tangential/anderson_mixing.h"
#include "solver/tangential/newton_solver.h"
#include "solver/tangential/slip_operator.h"
#include "solver/tangential/tangential_ops.h"
#include "solver/tangential/tangential_task.h"

namespace slipfield {

template <class Backend>
class ProximalPoint {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // grid: the whole one, not shared out.
  ProximalPoint(Backend& backend, const Grid& grid, const CombinedMaterial& material)
      : backend_(backend),
        grid_(grid),
        material_(material),
        count_(grid.count()),
        base_x_(count_),
        base_y_(count_) {}

  // As TangentialSolver::solve, of steady rolling with one table of coefficients.
  TangentialResult solve(TangentialTask task, NewtonSolver<Backend>& newton,
                         SlipOperator<Backend>& influence, const TangentialFields& fields,
                         const double* base_x, const double* base_y, double tolerance,
                         const IterationReport& report) {
    InfluenceKind kind = influence.kind();
    SlipOperator<Backend> raised = influence.beside();
    kind.own_compliance = first_compliance(kind);
    const double least = kLeastCompliance * influence.self(Component::xx);
    AndersonMixing mixing(kMixed);
    TangentialResult result;
    result.rigid = task.rigid;
    int iterations = 0;
    double inner = kFirstTolerance;
    backend_.run(count_, FitTractions{fields});
    for (int round = 0; round < kMostRounds; ++round) {
      raised.take_up(kind);
      const std::vector<double> before = tractions(fields);
      hold(kind.own_compliance, fields.traction_x, base_x, base_x_);
      hold(kind.own_compliance, fields.traction_y, base_y, base_y_);
      const TangentialResult found = newton.solve(
          task, LinearMethod::gmres, kMostSteps, raised, fields, base_x_.data(), base_y_.data(),
          inner, [&](int iteration, double change) { report(iterations + iteration, change); });
      iterations += found.iterations;
      if (!std::isfinite(found.rigid.x) || !std::isfinite(found.rigid.y)) break;
      result.rigid = task.rigid = found.rigid;
      std::vector<double> after = tractions(fields);
      const double change = relative_change(before, after);
      if (!std::isfinite(change)) break;
      if (change <= tolerance &&
          newton.start_error(task, influence, fields, base_x, base_y) <= tolerance) {
        result.converged = true;
        break;
      }
      if (change < kMixedFrom) {
        mixing.mix(before, after);
        upload_both(backend_, after, fields.traction_x, fields.traction_y);
        backend_.run(count_, FitTractions{fields});
      }
      inner = std::max(0.5 * tolerance, std::min(inner, kOfChange * change));
      if (found.iterations <= kEasy && kind.own_compliance > least) kind.own_compliance *= 0.5;
      if (found.iterations > kHard) kind.own_compliance *= 2.0;
    }
    influence.add_products(raised.products());
    result.iterations = iterations;
    result.took_over = TookOver::proximal_point;
    return result;
  }

 private:
  static constexpr int kMostRounds = 60;
  static constexpr int kMostSteps = 20;              // of newton, in a round
  static constexpr int kEasy = 3;                    // and of how many on c falls
  static constexpr int kHard = 10;                   // or grows
  static constexpr double kFirstCompliance = 0.3;    // c, of the size of S at so short a step
  static constexpr double kLeastCompliance = 0.1;    // of S_xx(0)
  static constexpr double kFirstTolerance = 1.0e-2;  // of a round
  static constexpr double kOfChange = 0.1;           // and of the change in the one before
  static constexpr int kMixed = 8;                   // changes of rounds
  static constexpr double kMixedFrom = 3.0e-3;

  // S grows with the step as its entries beside the diagonal do.
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

  [[nodiscard]] std::vector<double> tractions(const TangentialFields& fields) {
    return download_both(backend_, fields.traction_x, fields.traction_y, count_);
  }

  static double relative_change(const std::vector<double>& before,
                                const std::vector<double>& after) {
    double change = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      change += std::abs(after[i] - before[i]);
      size += std::abs(after[i]);
    }
    return size > 0.0 ? change / size : change;
  }

  Backend& backend_;
  Grid grid_;
  CombinedMaterial material_;
  std::size_t count_;
  Array<double> base_x_, base_y_;
};

}  // namespace slipfield
