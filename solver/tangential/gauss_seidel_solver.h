// SPDX-License-Identifier: Apache-2.0
// gauss_seidel: sweeps over the elements in contact on either backend, solving each exactly with
// the others fixed (THEORY.md 7).
//
// With a prescribed force the rigid slip in its direction is unknown. The force is a monotone
// function of it; quasi-Newton steps find it, each followed by sweeps from the last tractions:
// secants within a bracket for one force, Broyden's method with a line search for two.
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

  // What a search for the rigid slip needs to know. Slip opposes the traction, so more rigid slip
  // means less force.
  struct Search {
    const TangentialTask& task;
    double tolerance = 0.0;
    double scale = 0.0;        // of the forces
    double longest = 0.0;      // step of the rigid slip
    double accuracy = 1.0e-2;  // of the next sweeps
    int runs = 0;              // of sweeps

    [[nodiscard]] bool found(double size) const {
      return size <= tolerance && accuracy <= tolerance;
    }
    // If the force depends on few elements, or is small against the tractions, errors left by
    // sweeps mislead the search: after some runs the sweeps are exact, and ever more so.
    void sharpen(double size) {
      constexpr double kExact = 1.0e-13;
      accuracy = runs <= kRoughRuns ? std::clamp(0.1 * size, tolerance, std::max(tolerance, 1.0e-2))
                                    : std::max(0.7 * std::min(accuracy, tolerance), kExact);
    }
    static constexpr int kRoughRuns = 12;
    static constexpr int kMostRuns = 200;
  };

  bool find_rigid_slip(Sweeps& at, const TangentialTask& task, double tolerance) {
    const double target = std::hypot(task.force_x, task.force_y);
    run(SumTractions{at.fields.traction_x, at.fields.traction_y, at.fields.bound, sums_.data()});
    const double bound = backend_.read(sums_).bound;
    if (bound == 0.0) return true;  // no force, whatever the rigid slip
    // Sweeps leave an error of the tolerance in the tractions, which limits the digits of a force
    // near 0.
    Search search{.task = task,
                  .tolerance = tolerance,
                  .scale = std::max(target, 0.05 * bound),
                  .longest = 4.0 * task.compliance * bound};
    return task.force_x_given && task.force_y_given ? find_both(at, search) : find_one(at, search);
  }

  // Secants on the one force given, kept between rigid slips known to be too small and too large.
  bool find_one(Sweeps& at, Search& search) {
    const TangentialTask& task = search.task;
    double stretch = 1.0;
    double inverse = task.compliance;  // -d rigid/d force
    double error = 0.0;
    double step = 0.0;
    double last_size = 0.0;
    Bracket bracket;
    while (search.runs < Search::kMostRuns) {
      if (!sweep_until(at, search.accuracy)) return false;
      const Vector errors = force_error(at.fields, task);
      const double now = task.force_x_given ? errors.x : errors.y;
      const double size = std::abs(now) / search.scale;
      if (!std::isfinite(size)) return false;
      if (search.found(size)) return true;
      const bool first = search.runs++ == 0;
      if (!first && inverse * step * (error - now) > 0.0) inverse = step / (error - now);
      const bool worse = !first && size > 1.5 * last_size;
      const bool stalled = !first && size > 0.9 * last_size && now * error > 0.0;
      error = now;
      last_size = size;
      if (worse) inverse = task.compliance;  // the model is wrong: take a cautious step
      step = (worse ? 0.5 : 1.0) * inverse * error;
      // Far from the solution all elements slide and the force hardly depends on the motion: the
      // steps must grow.
      stretch = stalled ? 2.0 * stretch : 1.0;
      step *= std::min(1.0, search.longest / std::abs(step)) * stretch;
      const RigidSlip& rigid = at.result.tangential.rigid;
      step = bracket.keep(task.force_x_given ? rigid.x : rigid.y, error, step);
      move(at, task.force_x_given ? Vector{step, 0.0} : Vector{0.0, step});
      search.sharpen(size);
      if (search.runs == Search::kRoughRuns + 1) bracket = {};
    }
    return false;
  }

  // -d rigid/d force of both forces, by Broyden's good update.
  struct Compliance {
    double xx = 0.0;
    double xy = 0.0;
    double yx = 0.0;
    double yy = 0.0;

    [[nodiscard]] Vector times(Vector force) const {
      return {xx * force.x + xy * force.y, yx * force.x + yy * force.y};
    }
    // change: of the forces after this step.
    void update(Vector step, Vector change) {
      const Vector image = times({-change.x, -change.y});
      const double denominator = dot(step, image);
      if (!(denominator > 0.0)) return;
      const Vector difference{(step.x - image.x) / denominator, (step.y - image.y) / denominator};
      const Vector row{step.x * xx + step.y * yx, step.x * xy + step.y * yy};
      xx += difference.x * row.x;
      xy += difference.x * row.y;
      yx += difference.y * row.x;
      yy += difference.y * row.y;
    }
  };
  static double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y; }
  static double length(Vector a) { return std::hypot(a.x, a.y); }

  bool find_both(Sweeps& at, Search& search) {
    const double first_guess = search.task.compliance;
    Compliance compliance{first_guess, 0.0, 0.0, first_guess};
    if (!sweep_until(at, search.accuracy)) return false;
    Vector error = force_error(at.fields, search.task);
    while (search.runs < Search::kMostRuns) {
      const double size = length(error) / search.scale;
      if (!std::isfinite(size)) return false;
      if (search.found(size)) return true;
      Vector direction = compliance.times(error);
      // A step must lower the force along it. If the model says otherwise, its length alone counts.
      constexpr double kLeast = 0.02;
      if (!(dot(direction, error) > kLeast * length(direction) * length(error))) {
        const double guess = std::max(first_guess, length(direction) / length(error));
        compliance = {guess, 0.0, 0.0, guess};
        direction = compliance.times(error);
      }
      const RigidSlip& rigid = at.result.tangential.rigid;
      const double longest = std::max(search.longest, 4.0 * std::hypot(rigid.x, rigid.y));
      const double taken = std::min(1.0, longest / length(direction));
      direction = {taken * direction.x, taken * direction.y};
      if (!search_line(at, search, direction, compliance, error)) return false;
    }
    return false;
  }

  // Moves along the direction until the error has fallen, or its part along the direction has,
  // which falls steadily with the way. Far from the solution all elements slide and the forces
  // hardly depend on the motion, so that the way grows. Returns false if sweeps failed.
  bool search_line(Sweeps& at, Search& search, Vector direction, Compliance& compliance,
                   Vector& error) {
    constexpr int kMostShortenings = 12;
    constexpr double kLower = 0.7;  // error that is enough, over that before
    constexpr double kAlong = 0.3;  // its part along the direction that is enough
    const Vector before = error;
    const double start = dot(before, direction);
    double low = 0.0;  // too short a way, and the error along the direction there
    double low_error = start;
    double high = 0.0;  // too long a way; 0: none known
    double high_error = 0.0;
    double way = 1.0;
    double there = 0.0;
    for (int tries = 0; tries < kMostShortenings; ++tries) {
      search.sharpen(length(error) / search.scale);
      move(at, {(way - there) * direction.x, (way - there) * direction.y});
      there = way;
      if (!sweep_until(at, search.accuracy)) return false;
      ++search.runs;
      error = force_error(at.fields, search.task);
      const double along = dot(error, direction);
      if (!std::isfinite(along)) return false;
      if (length(error) <= std::max(kLower * length(before), search.tolerance * search.scale) ||
          std::abs(along) <= kAlong * start)
        break;
      (along < 0.0 ? high : low) = way;
      (along < 0.0 ? high_error : low_error) = along;
      constexpr double kStalled = 0.6;
      constexpr double kLeastPart = 0.1;  // of the bracket
      if (high == 0.0)
        way *= low_error > kStalled * start ? 4.0 : 2.0;
      else
        way = low + (high - low) * std::clamp(low_error / (low_error - high_error), kLeastPart,
                                              1.0 - kLeastPart);
    }
    compliance.update({there * direction.x, there * direction.y},
                      {error.x - before.x, error.y - before.y});
    return true;
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

  Backend& backend_;
  std::size_t count_;
  ElementCentres centres_;
  typename Backend::GaussSeidel sweeper_;
  Array<double> displacement_x_, displacement_y_;
  Array<TangentialSums> sums_;
};

}  // namespace slipfield
