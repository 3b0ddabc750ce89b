// SPDX-License-Identifier: Apache-2.0
// gauss_seidel: sweeps over the elements in contact on either backend, solving each exactly with
// the others fixed (THEORY.md 7).
//
// With a prescribed force the rigid slip in its direction is unknown. The force is a monotone
// function of it; quasi-Newton steps find it, each followed by sweeps from the last tractions.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/fields/tangential_ops.h"
#include "solver/grid.h"
#include "solver/tangential/slip_operator.h"
#include "solver/tangential/tangential_task.h"

namespace slipfield {

struct GaussSeidelResult {
  TangentialResult tangential;
  bool unseen = false;  // the squares of the last sweep's tractions underflowed
};

template <class Backend>
class GaussSeidelSolver {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  GaussSeidelSolver(Backend& backend, const Grid& grid)
      : backend_(backend),
        count_(grid.count()),
        centres_(grid),
        sweeper_(backend, grid),
        displacement_x_(count_),
        displacement_y_(count_),
        sums_(1) {}

  void reserve(SlipOperator<Backend>& influence) {
    sweeper_.set_contact(*influence.table_operator(), nullptr, {});
    influence.apply(Block::tangential, {}, {});
  }

  // Implements TangentialSolver::solve on a grid that is not periodic in both directions.
  GaussSeidelResult solve(const TangentialTask& task, const TangentialSystem<Backend>& system,
                          double tolerance, const IterationReport& report) {
    const TangentialFields& fields = system.fields;
    Sweeps at{fields, report, {}};
    at.result.tangential.rigid = task.rigid;
    sweeper_.set_contact(*system.influence.table_operator(), fields.state, task.order);
    system.influence.apply(Block::tangential, {fields.traction_x, fields.traction_y},
                           {displacement_x_.data(), displacement_y_.data()});
    run(FormSlip{centres_, task.rigid, system.base_x, system.base_y, displacement_x_.data(),
                 displacement_y_.data(), fields});
    at.result.tangential.converged = task.force_x_given || task.force_y_given
                                         ? find_rigid_slip(at, task, tolerance)
                                         : sweep_until(at, tolerance);
    return at.result;
  }

 private:
  static constexpr int kMaxSweeps = 5000;
  // Full sweeps overshoot in the smooth parts of the traction: half steps take 33 and 48 sweeps on
  // the Cattaneo shift at 64^2 and 128^2, full ones 68 and 103.
  static constexpr double kRelaxation = 0.5;

  struct Vector {
    double x = 0.0;
    double y = 0.0;
  };

  // The swept problem and its result so far.
  struct Sweeps {
    const TangentialFields& fields;
    const IterationReport& report;
    GaussSeidelResult result;
  };

  template <class Op>
  void run(const Op& op) {
    backend_.run(count_, op);
  }

  // Sweeps until the remaining change, extrapolated from the last changes, is below the tolerance.
  bool sweep_until(Sweeps& at, double tolerance) {
    // relative to the greatest tractions; smaller ones count as 0
    constexpr double kRounding2 = 1.0e-18;
    double last = 0.0;
    double greatest2 = 0.0;
    for (int sweep = 1; at.result.tangential.iterations < kMaxSweeps; ++sweep) {
      const SweepChange sums = sweeper_.sweep(at.fields, kRelaxation);
      at.result.unseen = sums.traction2 < kLeastSquare;
      greatest2 = std::max(greatest2, sums.traction2);
      const double traction2 = std::max(sums.traction2, kRounding2 * greatest2);
      const double change = traction2 > 0.0 ? std::sqrt(sums.change2 / traction2) : 0.0;
      ++at.result.tangential.iterations;
      at.report(at.result.tangential.iterations, change);
      if (!std::isfinite(change)) return false;
      if (change == 0.0) return true;
      const double rate = sweep > 1 ? std::min(change / last, 0.99) : 0.99;
      if (sweep > 1 && change * std::max(1.0, rate / (1.0 - rate)) <= tolerance) return true;
      last = change;
    }
    return false;
  }

  Vector force_error(const TangentialFields& fields, const TangentialTask& task) {
    run(SumTractions{fields.traction_x, fields.traction_y, fields.bound, sums_.data()});
    const TangentialSums sums = backend_.read(sums_);
    return {task.force_x_given ? sums.traction_x - task.force_x : 0.0,
            task.force_y_given ? sums.traction_y - task.force_y : 0.0};
  }

  void move(Sweeps& at, Vector step) {
    at.result.tangential.rigid.x += step.x;
    at.result.tangential.rigid.y += step.y;
    run(AddRigidSlip{step.x, step.y, at.fields});
  }

  // Broyden's method on force_error(rigid) = 0. Slip opposes the traction, so more rigid slip means
  // less force. With a single prescribed force, its rigid slip is also kept between values known to
  // be too small and too large.
  bool find_rigid_slip(Sweeps& at, const TangentialTask& task, double tolerance) {
    constexpr int kMaxSteps = 200;
    constexpr double kExact = 1.0e-13;
    const double target = std::hypot(task.force_x, task.force_y);
    run(SumTractions{at.fields.traction_x, at.fields.traction_y, at.fields.bound, sums_.data()});
    const double bound = backend_.read(sums_).bound;
    if (bound == 0.0) return true;  // no force, whatever the rigid slip
    // Sweeps leave an error of the tolerance in the tractions, which limits the digits of a force
    // near 0.
    const double scale = std::max(target, 0.05 * bound);
    const double longest = 4.0 * task.compliance * bound;
    double stretch = 1.0;
    double inverse[2][2] = {{task.compliance, 0.0}, {0.0, task.compliance}};  // -d rigid/d force
    double accuracy = 1.0e-2;
    Vector error{};
    Vector step{};
    double last_size = 0.0;
    Bracket bracket;
    const bool single = task.force_x_given != task.force_y_given;
    for (int k = 0; k < kMaxSteps; ++k) {
      if (!sweep_until(at, accuracy)) return false;
      const Vector now = force_error(at.fields, task);
      const double size = std::hypot(now.x, now.y) / scale;
      if (!std::isfinite(size)) return false;
      if (size <= tolerance && accuracy <= tolerance) return true;
      if (k > 0) {
        const Vector change{now.x - error.x, now.y - error.y};
        update_inverse(inverse, step, change, task);
      }
      const bool worse = k > 0 && size > 1.5 * last_size;
      const bool stalled =
          k > 0 && size > 0.9 * last_size && now.x * error.x + now.y * error.y > 0.0;
      error = now;
      last_size = size;
      step = {inverse[0][0] * error.x + inverse[0][1] * error.y,
              inverse[1][0] * error.x + inverse[1][1] * error.y};
      if (worse) {  // the model is wrong: take a cautious step with the first guess
        step = {0.5 * task.compliance * error.x, 0.5 * task.compliance * error.y};
        inverse[0][0] = inverse[1][1] = task.compliance;
        inverse[0][1] = inverse[1][0] = 0.0;
      }
      // Far from the solution all elements slide and the forces hardly depend on the motion: the
      // steps must grow.
      const double length = std::hypot(step.x, step.y);
      stretch = stalled ? 2.0 * stretch : 1.0;
      const double taken = std::min(1.0, longest / length) * stretch;
      step = {step.x * taken, step.y * taken};
      if (single && task.force_x_given)
        step.x = bracket.keep(at.result.tangential.rigid.x, error.x, step.x);
      if (single && task.force_y_given)
        step.y = bracket.keep(at.result.tangential.rigid.y, error.y, step.y);
      move(at, step);
      // If the force depends on few elements, or is small against the tractions, errors left by
      // sweeps mislead the search: after some steps the sweeps are exact, and ever more so.
      constexpr int kRoughSteps = 12;
      accuracy = k < kRoughSteps ? std::clamp(0.1 * size, tolerance, std::max(tolerance, 1.0e-2))
                                 : std::max(0.7 * std::min(accuracy, tolerance), kExact);
      if (k == kRoughSteps) bracket = {};
    }
    return false;
  }

  // Rigid slips known to give too much force (low) and too little (high).
  struct Bracket {
    double low = -HUGE_VAL;
    double high = HUGE_VAL;

    // Records the error found at `rigid` and returns a step that stays inside the bracket, halving
    // it if the proposed one does not.
    double keep(double rigid, double error, double step) {
      if (error > 0.0) low = std::max(low, rigid);
      if (error < 0.0) high = std::min(high, rigid);
      // Crossed, or closed without a small error: the sweeps were not exact enough to order the
      // bounds.
      const bool closed = std::isfinite(low) && std::isfinite(high);
      if (closed && !(high - low > 1.0e-10 * std::max(std::abs(low), std::abs(high)))) {
        low = -HUGE_VAL;
        high = HUGE_VAL;
        return step;
      }
      const double next = rigid + step;
      if (closed && !(next > low && next < high)) {
        return 0.5 * (low + high) - rigid;
      }
      return step;
    }
  };

  // Broyden's good update of the inverse of -d force/d rigid, for the directions with a prescribed
  // force.
  static void update_inverse(double (&inverse)[2][2], Vector step, Vector change,
                             const TangentialTask& task) {
    const Vector image{-(inverse[0][0] * change.x + inverse[0][1] * change.y),
                       -(inverse[1][0] * change.x + inverse[1][1] * change.y)};
    const double denominator = step.x * image.x + step.y * image.y;
    if (!(denominator > 0.0)) return;
    const Vector difference{step.x - image.x, step.y - image.y};
    const Vector row{step.x * inverse[0][0] + step.y * inverse[1][0],
                     step.x * inverse[0][1] + step.y * inverse[1][1]};
    inverse[0][0] += difference.x * row.x / denominator;
    inverse[0][1] += difference.x * row.y / denominator;
    inverse[1][0] += difference.y * row.x / denominator;
    inverse[1][1] += difference.y * row.y / denominator;
    if (!task.force_x_given) inverse[0][0] = inverse[0][1] = inverse[1][0] = 0.0;
    if (!task.force_y_given) inverse[1][1] = inverse[0][1] = inverse[1][0] = 0.0;
  }

  Backend& backend_;
  std::size_t count_;
  ElementCentres centres_;
  typename Backend::GaussSeidel sweeper_;
  Array<double> displacement_x_, displacement_y_;
  Array<TangentialSums> sums_;
};

}  // namespace slipfield
