// newton: the semismooth Newton method for the tangential problem on either backend (physics.md
// section 5).
//
// Each step solves the linearized problem with GMRES to a loose tolerance, takes the full step and
// puts each element back onto its disc. Rigid slips whose force is prescribed are unknowns of the
// same system. In rolling GMRES is preconditioned with the inverse symbol of the step's operator on
// the adhering elements.
#pragma once

#include <cmath>

#include "solver/gmres.h"
#include "solver/newton_ops.h"
#include "solver/slip_operator.h"
#include "solver/tangential_task.h"

namespace slipfield {

template <class Backend>
class NewtonSolver {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  NewtonSolver(Backend& backend, const Grid& grid)
      : backend_(backend),
        count_(grid.count()),
        centres_(grid),
        gmres_(backend, 2 * count_ + 2),
        rhs_(2 * count_ + 2),
        step_(2 * count_ + 2),
        joined_(2 * count_ + 2),
        image_x_(count_),
        image_y_(count_),
        dxx_(count_),
        dxy_(count_),
        dyx_(count_),
        dyy_(count_),
        scalars_(1) {}

  // Part of the bound by which the tractions violate the friction law, for a start from elsewhere.
  double start_error(const TangentialTask& task, SlipOperator<Backend>& influence,
                     const TangentialFields& fields, const double* base_x, const double* base_y) {
    begin(task, influence, fields);
    form_slip(task.rigid, base_x, base_y);
    backend_.run(count_, LinearizeFriction{fields_, rhs_.data()});
    return error_of(backend_.read(scalars_));
  }

  // As TangentialSolver::solve; a result that is not converged
  // leaves the best tractions that the last step gave.
  TangentialResult solve(const TangentialTask& task, SlipOperator<Backend>& influence,
                         const TangentialFields& fields, const double* base_x, const double* base_y,
                         double tolerance, const IterationReport& report) {
    begin(task, influence, fields);
    RigidSlip rigid = task.rigid;
    TangentialResult result;
    double best = HUGE_VAL;
    int without_gain = 0;
    double change = HUGE_VAL;
    while (true) {
      form_slip(rigid, base_x, base_y);
      backend_.run(count_, LinearizeFriction{fields_, rhs_.data()});
      const double error = error_of(backend_.read(scalars_));
      result.rigid = rigid;
      if (!std::isfinite(error)) return result;
      if (error <= tolerance && (change <= tolerance || error == 0.0)) {
        result.converged = true;
        return result;
      }
      without_gain = error < 0.9 * best ? 0 : without_gain + 1;
      best = std::fmin(best, error);
      if (result.iterations == kMaxSteps || without_gain > kMaxStepsWithoutGain) return result;

      gmres_.solve(
          rhs_, step_, preconditioned_ ? kForcingRolling : kForcing,
          [this](const double* in, double* out) { multiply(in, out); },
          [this](const double* in, double* out) { precondition(in, out); });
      backend_.run(count_, TakeNewtonStep{fields_, step_.data()});
      const NewtonScalars after = backend_.read(scalars_);
      rigid.x = after.rigid_x;
      rigid.y = after.rigid_y;
      change = after.traction2 > 0.0 ? std::sqrt(after.change2 / after.traction2) : 0.0;
      report(++result.iterations, change);
    }
  }

 private:
  static constexpr int kMaxSteps = 60;
  static constexpr int kMaxStepsWithoutGain = 8;
  // Relative residual of the linearized problems. In rolling an iteration costs a preconditioner
  // beside the product, and a tenth less of them is taken at 0.1 than at 0.05.
  static constexpr double kForcing = 0.05;
  static constexpr double kForcingRolling = 0.1;

  void begin(const TangentialTask& task, SlipOperator<Backend>& influence,
             const TangentialFields& fields) {
    influence_ = &influence;
    fields_ = newton_fields(task, fields);
    preconditioned_ = task.rolling;
    NewtonScalars start;
    start.rigid_x = task.rigid.x;
    start.rigid_y = task.rigid.y;
    backend_.write(scalars_, start);
  }

  static double error_of(const NewtonScalars& now) {
    const double residual = now.bound2 > 0.0 ? std::sqrt(now.residual2 / now.bound2) : 0.0;
    return std::isfinite(residual) ? std::fmax(residual, now.force_error) : residual;
  }

  NewtonFields newton_fields(const TangentialTask& task, const TangentialFields& fields) {
    NewtonFields f;
    f.count = count_;
    f.tangential = fields;
    f.rho = 1.0 / influence_->self(Component::xx);
    f.force_x_given = task.force_x_given;
    f.force_y_given = task.force_y_given;
    f.force_x = task.force_x;
    f.force_y = task.force_y;
    f.scale = 1.0 / std::sqrt(std::fmax(task.contact_count, 1.0));
    f.dxx = dxx_.data();
    f.dxy = dxy_.data();
    f.dyx = dyx_.data();
    f.dyy = dyy_.data();
    f.scalars = scalars_.data();
    return f;
  }

  void form_slip(const RigidSlip& rigid, const double* base_x, const double* base_y) {
    const TangentialFields& t = fields_.tangential;
    influence_->apply(Block::tangential, {t.traction_x, t.traction_y, nullptr},
                      {image_x_.data(), image_y_.data(), nullptr});
    backend_.run(count_,
                 FormSlip{centres_, rigid, base_x, base_y, image_x_.data(), image_y_.data(), t});
  }

  void multiply(const double* in, double* out) {
    const double* v = in;
    if (preconditioned_) {
      precondition(in, joined_.data());
      v = joined_.data();
    }
    influence_->apply(Block::tangential, {v, v + count_, nullptr},
                      {image_x_.data(), image_y_.data(), nullptr});
    backend_.run(count_, MultiplyJacobian{fields_, v, image_x_.data(), image_y_.data(), out});
  }

  void precondition(const double* in, double* out) {
    if (!preconditioned_) {
      backend_.run(2 * count_ + 2, CombineBasis{{in}, {1.0}, 1, false, out});
      return;
    }
    backend_.run(count_, RestrictToAdhesion{count_, fields_.tangential.state, in, image_x_.data(),
                                            image_y_.data()});
    influence_->precondition_tangential(image_x_.data(), image_y_.data(), image_x_.data(),
                                        image_y_.data());
    backend_.run(count_, JoinPreconditioned{count_, fields_.rho, fields_.tangential.state, in,
                                            image_x_.data(), image_y_.data(), out});
  }

  Backend& backend_;
  std::size_t count_;
  ElementCentres centres_;
  Gmres<Backend> gmres_;
  Array<double> rhs_, step_, joined_, image_x_, image_y_, dxx_, dxy_, dyx_, dyy_;
  Array<NewtonScalars> scalars_;
  SlipOperator<Backend>* influence_ = nullptr;
  NewtonFields fields_;
  bool preconditioned_ = false;
};

}  // namespace slipfield
