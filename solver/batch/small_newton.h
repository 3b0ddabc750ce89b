// SPDX-License-Identifier: Apache-2.0
// newton for one contact of a batch, by a team: the iteration of solver/tangential/newton_solver.h,
// its element operations included (THEORY.md 6, 6.8).
//
// The slip, F, its tolerance and the tractions are doubles; the linear system, which each step
// solves to a tenth, may be of another kind of number.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/batch/small_contact.h"
#include "solver/batch/small_gmres.h"
#include "solver/batch/small_preconditioner.h"

namespace slipfield {

struct SmallNewtonResult {
  bool converged = false;
  int iterations = 0;
  int products = 0;
};

// What a Newton step works with; the contact has been entered. target_x, target_y: prescribed sums
// of tractions.
template <class Real>
SLIPFIELD_TEAM NewtonFieldsOf<Real> small_newton_fields(const SmallTask& task,
                                                        const SmallFields<Real>& f, double target_x,
                                                        double target_y, SmallScalars& scalars) {
  const std::size_t count = task.count();
  NewtonFieldsOf<Real> newton;
  newton.count = count;
  newton.tangential = {f.traction, f.traction + count, f.slip, f.slip + count, f.bound, f.state,
                       nullptr};
  newton.rho = 1.0 / task.self_slip;
  newton.force_x_given = task.control_x != SmallControl::rigid;
  newton.force_y_given = task.control_y != SmallControl::rigid;
  newton.force_x = target_x;
  newton.force_y = target_y;
  newton.scale = 1.0 / std::sqrt(std::fmax(scalars.contact_count, 1.0));
  newton.dxx = f.derivative;
  newton.dxy = f.derivative + count;
  newton.dyx = f.derivative + 2 * count;
  newton.dyy = f.derivative + 3 * count;
  newton.scalars = &scalars.newton;
  return newton;
}

// The step of the linearized problem into f.step; returns the products.
template <class Team, class Real>
SLIPFIELD_TEAM int solve_small_linear(Team& team, const SmallFields<Real>& f,
                                      const NewtonFieldsOf<Real>& newton, SmallScalars& scalars) {
  constexpr double kForcing = 0.1;
  const std::size_t count = newton.count;
  const auto precondition = [&](const Real* in, Real* out) {
    team.run(count,
             RestrictToAdhesion<Real>{count, f.state, in, f.slip_image, f.slip_image + count});
    team.precondition_slip(f.slip_image, f.slip_image);
    team.run(count, JoinAdhesion<Real>{count, static_cast<Real>(newton.rho), f.state, in,
                                       f.slip_image, f.slip_image + count, out});
  };
  const auto multiply = [&](const Real* in, Real* out) {
    precondition(in, f.joined);
    team.multiply_slip(f.joined, f.slip_image);
    team.run(count,
             MultiplyJacobianOf<Real>{newton, f.joined, f.slip_image, f.slip_image + count, out});
  };
  const int products =
      solve_small_gmres(team, f, 2 * count + 2, kForcing, scalars.gmres, f.joined, multiply);
  precondition(f.joined, f.step);
  return products;
}

// From the tractions in f and a rigid slip; leaves tractions, slip and division. scalars.newton
// holds the rigid slip found.
template <class Team, class Real>
SLIPFIELD_TEAM SmallNewtonResult solve_small_newton(Team& team, const SmallTask& task,
                                                    RigidSlip rigid, double tolerance,
                                                    const SmallFields<Real>& f, double target_x,
                                                    double target_y, SmallScalars& scalars) {
  constexpr int kMaxSteps = 40;
  constexpr int kMaxStepsWithoutGain = 6;
  const std::size_t count = task.count();
  NewtonFieldsOf<Real> newton = small_newton_fields(task, f, target_x, target_y, scalars);
  // In the linear system tractions are near 1, whatever the load.
  const double mean = scalars.normal.work;
  newton.unit = mean > 0.0 && std::isfinite(mean) ? mean : 1.0;
  team.wait();
  if (team.first()) {
    scalars.newton = NewtonScalars{};
    scalars.newton.rigid_x = rigid.x;
    scalars.newton.rigid_y = rigid.y;
  }
  team.wait();
  SmallNewtonResult result;
  double last_gain = HUGE_VAL;  // the error when it last fell by a tenth
  double change = HUGE_VAL;
  int without_gain = 0;
  while (true) {
    team.multiply_slip(f.traction, f.displacement);
    ++result.products;
    team.run(count, FormSlip{task.centres, rigid, f.none, f.none, f.displacement,
                             f.displacement + count, newton.tangential});
    team.run(count, LinearizeFrictionOf<Real>{newton, f.basis});
    const NewtonScalars now = scalars.newton;
    team.wait();
    const double residual = relative_size(now.residual2, now.bound2, now.residual1, now.bound1);
    const double error = std::isfinite(residual) ? std::fmax(residual, now.force_error) : residual;
    if (!std::isfinite(error)) return result;
    const bool exact = now.residual1 == 0.0 && now.rows1 == 0.0;
    result.converged = error <= tolerance && (change <= tolerance || exact);
    if (result.converged) return result;
    const bool gain = error < 0.9 * last_gain;
    without_gain = gain ? 0 : without_gain + 1;
    if (gain) last_gain = error;
    if (result.iterations == kMaxSteps || without_gain > kMaxStepsWithoutGain) return result;
    result.products += solve_small_linear(team, f, newton, scalars);
    team.run(count, TakeNewtonStepOf<Real>{newton, f.step});
    const NewtonScalars after = scalars.newton;
    team.wait();
    rigid.x = after.rigid_x;
    rigid.y = after.rigid_y;
    change = relative_size(after.change2, after.traction2, after.change1, after.traction1);
    ++result.iterations;
  }
}

}  // namespace slipfield
