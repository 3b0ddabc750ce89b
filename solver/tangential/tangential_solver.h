// The tangential problem of one step on either backend, the pressure being known (THEORY.md
// 5 to 7).
//
// newton where the method is automatic, and direct with dense factors; if it stalls, gauss_seidel
// takes over from its tractions and the result says so. gauss_seidel sweeps element by element. A
// prescribed force makes the rigid slip of that direction an unknown: the force is a monotone
// function of it, found by quasi-Newton steps around sweeps that start from the last tractions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "solver/problem.h"
#include "solver/tangential/coarse_start.h"
#include "solver/tangential/krylov_ops.h"
#include "solver/tangential/newton_solver.h"
#include "solver/tangential/tangential_ops.h"
#include "solver/tangential/tangential_task.h"

namespace slipfield {

template <class Backend>
class TangentialSolver {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  TangentialSolver(Backend& backend, const Grid& grid, const CombinedMaterial& material,
                   InfluenceMethod influence_method)
      : backend_(backend),
        grid_(grid),
        material_(material),
        influence_method_(influence_method),
        count_(grid.count()),
        centres_(grid),
        displacement_x_(count_),
        displacement_y_(count_),
        sums_(1) {}

  // influence: from tractions to slip. fields: contact, bound and the tractions to start from; on
  // return tractions, slip and state. base_x, base_y: the part of the slip that neither tractions
  // nor rigid slip make.
  TangentialResult solve(const TangentialTask& task, TangentialMethod method,
                         SlipOperator<Backend>& influence, const TangentialFields& fields,
                         const double* base_x, const double* base_y, double tolerance,
                         const IterationReport& report) {
    const bool direct = method == TangentialMethod::direct;
    int steps = 0;
    TangentialTask rest = task;
    if (method != TangentialMethod::gauss_seidel) {
      if (!newton_) newton_.emplace(backend_, grid_);
      if (!direct) start_from_coarse(rest, influence, fields, base_x, base_y);
      TangentialResult result =
          newton_->solve(rest, direct ? LinearMethod::direct : LinearMethod::gmres, influence,
                         fields, base_x, base_y, tolerance, report);
      if (result.converged) return result;
      steps = result.iterations;
      if (influence.table_operator() == nullptr) {
        start_from_sliding(task, fields);
        result = newton_after(steps, task, influence, fields, base_x, base_y, tolerance, report);
        result.newton_stalled = true;
        return result;
      }
      run(FitTractions{fields});
      if (std::isfinite(result.rigid.x) && std::isfinite(result.rigid.y)) rest.rigid = result.rigid;
    }
    TangentialResult result = gauss_seidel(
        rest, influence, fields, base_x, base_y, tolerance,
        [&report, steps](int iteration, double change) { report(steps + iteration, change); });
    result.newton_stalled = method != TangentialMethod::gauss_seidel;
    result.iterations += steps;
    if (!result.newton_stalled && result.converged && unseen_) {
      rest.rigid = result.rigid;
      // Sweeps take tractions for 0 whose squares are. newton tells them apart, and finds them.
      return newton_after(result.iterations, rest, influence, fields, base_x, base_y, tolerance,
                          report);
    }
    return result;
  }

  // As NewtonSolver::sensitivities.
  std::array<double, 9> sensitivities(const TangentialTask& task, SlipOperator<Backend>& influence,
                                      const TangentialFields& fields, const double* base_x,
                                      const double* base_y) {
    if (!newton_) newton_.emplace(backend_, grid_);
    return newton_->sensitivities(task, influence, fields, base_x, base_y);
  }

  // Since it was made, on coarser grids than its own.
  [[nodiscard]] std::int64_t coarse_products() const { return coarse_ ? coarse_->products() : 0; }

 private:
  static constexpr int kMaxSweeps = 5000;
  // The smooth parts of the traction overshoot in a full sweep: half of it takes 33 and 48 sweeps
  // on the Cattaneo shift at 64^2 and 128^2, where the full one takes 68 and 103.
  static constexpr double kRelaxation = 0.5;

  struct Vector {
    double x = 0.0;
    double y = 0.0;
  };

  template <class Op>
  void run(const Op& op) {
    backend_.run(count_, op);
  }

  // Where the tractions given are far from a solution.
  void start_from_coarse(TangentialTask& task, SlipOperator<Backend>& influence,
                         const TangentialFields& fields, const double* base_x,
                         const double* base_y) {
    constexpr double kFar = 0.1;
    if (!coarse_start_pays(grid_)) return;
    if (!(newton_->start_error(task, influence, fields, base_x, base_y) > kFar)) return;
    if (!coarse_) coarse_.emplace(backend_, grid_, material_, influence_method_);
    task.rigid = coarse_->improve(task, influence.kind(), fields, base_x, base_y);
  }

  // All slips, against the rigid slips given and with the forces given. A periodic surface in full
  // contact has no mean displacement: from adhesion everywhere nothing leads newton to slip.
  void start_from_sliding(const TangentialTask& task, const TangentialFields& fields) {
    run(SumTractions{fields.traction_x, fields.traction_y, fields.bound, sums_.data()});
    const double bound = backend_.read(sums_).bound;
    if (!(bound > 0.0)) return;
    const double force_x = task.force_x_given ? task.force_x / bound : 0.0;
    const double force_y = task.force_y_given ? task.force_y / bound : 0.0;
    const double slip_x = task.force_x_given ? 0.0 : task.rigid.x;
    const double slip_y = task.force_y_given ? 0.0 : task.rigid.y;
    const double slip = std::hypot(slip_x, slip_y);
    const double rest = std::sqrt(std::max(0.0, 1.0 - force_x * force_x - force_y * force_y));
    const double part = slip > 0.0 ? -rest / slip : 0.0;
    const auto fill = [&](double factor, double* traction) {
      run(CombineBasis{{fields.bound}, {factor}, 1, false, traction});
    };
    fill(force_x + part * slip_x, fields.traction_x);
    fill(force_y + part * slip_y, fields.traction_y);
  }

  // newton after other iterations, which its own are counted on from.
  TangentialResult newton_after(int done, const TangentialTask& task,
                                SlipOperator<Backend>& influence, const TangentialFields& fields,
                                const double* base_x, const double* base_y, double tolerance,
                                const IterationReport& report) {
    if (!newton_) newton_.emplace(backend_, grid_);
    TangentialResult result = newton_->solve(
        task, LinearMethod::gmres, influence, fields, base_x, base_y, tolerance,
        [&report, done](int iteration, double change) { report(done + iteration, change); });
    result.iterations += done;
    return result;
  }

  TangentialResult gauss_seidel(const TangentialTask& task, SlipOperator<Backend>& influence,
                                const TangentialFields& fields, const double* base_x,
                                const double* base_y, double tolerance,
                                const IterationReport& report) {
    if (!gauss_seidel_) gauss_seidel_.emplace(backend_, grid_);
    fields_ = fields;
    report_ = &report;
    result_ = {};
    result_.rigid = task.rigid;
    gauss_seidel_->set_contact(*influence.table_operator(), fields.state, task.order);
    influence.apply(Block::tangential, {fields.traction_x, fields.traction_y, nullptr},
                    {displacement_x_.data(), displacement_y_.data(), nullptr});
    run(FormSlip{centres_, task.rigid, base_x, base_y, displacement_x_.data(),
                 displacement_y_.data(), fields});
    if (task.force_x_given || task.force_y_given) {
      result_.converged = find_rigid_slip(task, tolerance);
    } else {
      result_.converged = sweep_until(tolerance);
    }
    return result_;
  }

  // Sweeps until the change that is still to come, as the last changes tell, is under the
  // tolerance.
  bool sweep_until(double tolerance) {
    constexpr double kRounding2 = 1.0e-18;  // of the greatest tractions so far: below is nothing
    double last = 0.0;
    double greatest2 = 0.0;
    for (int sweep = 1; result_.iterations < kMaxSweeps; ++sweep) {
      const SweepChange sums = gauss_seidel_->sweep(fields_, kRelaxation);
      unseen_ = sums.traction2 < kLeastSquare;
      greatest2 = std::max(greatest2, sums.traction2);
      const double traction2 = std::max(sums.traction2, kRounding2 * greatest2);
      const double change = traction2 > 0.0 ? std::sqrt(sums.change2 / traction2) : 0.0;
      ++result_.iterations;
      (*report_)(result_.iterations, change);
      if (!std::isfinite(change)) return false;
      if (change == 0.0) return true;
      const double rate = sweep > 1 ? std::min(change / last, 0.99) : 0.99;
      if (sweep > 1 && change * std::max(1.0, rate / (1.0 - rate)) <= tolerance) return true;
      last = change;
    }
    return false;
  }

  Vector force_error(const TangentialTask& task) {
    run(SumTractions{fields_.traction_x, fields_.traction_y, fields_.bound, sums_.data()});
    const TangentialSums sums = backend_.read(sums_);
    return {task.force_x_given ? sums.traction_x - task.force_x : 0.0,
            task.force_y_given ? sums.traction_y - task.force_y : 0.0};
  }

  void move(Vector step) {
    result_.rigid.x += step.x;
    result_.rigid.y += step.y;
    run(AddRigidSlip{step.x, step.y, fields_});
  }

  // Broyden's method on force_error(rigid) = 0; the slip opposes the traction, so more rigid slip
  // means less force. Where one force is given its rigid slip is also kept between those known to
  // be too small and too large.
  bool find_rigid_slip(const TangentialTask& task, double tolerance) {
    constexpr int kMaxSteps = 200;
    constexpr double kExact = 1.0e-13;
    const double target = std::hypot(task.force_x, task.force_y);
    run(SumTractions{fields_.traction_x, fields_.traction_y, fields_.bound, sums_.data()});
    const double bound = backend_.read(sums_).bound;
    if (bound == 0.0) return true;  // no force at all, whatever the rigid slip
    // Sweeps leave an error of the tolerance in the tractions: a force next to 0 has no more digits
    // than that.
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
      if (!sweep_until(accuracy)) return false;
      const Vector now = force_error(task);
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
      if (worse) {  // the model is off: a cautious step with the first guess
        step = {0.5 * task.compliance * error.x, 0.5 * task.compliance * error.y};
        inverse[0][0] = inverse[1][1] = task.compliance;
        inverse[0][1] = inverse[1][0] = 0.0;
      }
      // Far from the solution all slides, and forces hardly tell how far: longer and longer steps.
      const double length = std::hypot(step.x, step.y);
      stretch = stalled ? 2.0 * stretch : 1.0;
      const double taken = std::min(1.0, longest / length) * stretch;
      step = {step.x * taken, step.y * taken};
      if (single && task.force_x_given) step.x = bracket.keep(result_.rigid.x, error.x, step.x);
      if (single && task.force_y_given) step.y = bracket.keep(result_.rigid.y, error.y, step.y);
      move(step);
      // Where the force hangs on few elements, or is small against the tractions, what sweeps leave
      // misleads: after some steps they are exact, and the longer it takes the more.
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

    // Takes up what was found at `rigid` and returns a step that stays inside: half way where the
    // one proposed does not.
    double keep(double rigid, double error, double step) {
      if (error > 0.0) low = std::max(low, rigid);
      if (error < 0.0) high = std::min(high, rigid);
      // Crossed, or closed where the error is not: the sweeps were not exact enough to order them.
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

  // Broyden's good update of the inverse of -d force/d rigid, for the directions whose force is
  // given.
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
  Grid grid_;
  CombinedMaterial material_;
  InfluenceMethod influence_method_;
  std::size_t count_;
  ElementCentres centres_;
  Array<double> displacement_x_, displacement_y_;
  Array<TangentialSums> sums_;
  std::optional<typename Backend::GaussSeidel> gauss_seidel_;  // made when first asked for
  std::optional<NewtonSolver<Backend>> newton_;
  std::optional<CoarseStart<Backend>> coarse_;
  TangentialFields fields_;
  const IterationReport* report_ = nullptr;
  TangentialResult result_;
  bool unseen_ = false;  // the squares of the tractions of the last sweep are 0, or next to it
};

}  // namespace slipfield
