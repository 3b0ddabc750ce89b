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
#include "solver/fields/iteration_limits.h"
#include "solver/fields/krylov_column.h"
#include "solver/host_device.h"
#include "solver/solution.h"

namespace slipfield {

// GMRES for one contact of a batch, by a team: solver/fields/gmres.h with all of its scalars
// where the team keeps them (THEORY.md 6.4, 6.8).
//
// Solves J x = b to |b - J x| <= tolerance |b| from x = 0, or as far as BatchLimits::kKrylov products go.
// b lies in the first vector of the basis. multiply(in, out) = J M in; the caller applies M to what
// this leaves in x. Returns the number of products.
template <class Team, class Real, class Multiply>
SLIPFIELD_TEAM int solve_small_gmres(Team& team, const SmallFields<Real>& f, std::size_t size,
                                     double tolerance, SmallGmresState& s, Real* x,
                                     const Multiply& multiply) {
  const auto vector = [&f](int k) {
    return f.basis + static_cast<std::size_t>(k) * f.krylov_stride;
  };
  team.multiply_basis(f.basis, f.krylov_stride, 0, vector(0), size, s.column);
  const double norm = std::sqrt(s.column[0]);
  if (!(norm > 0.0)) {
    team.combine_basis(f.basis, f.krylov_stride, 0, s.factor, size, x);
    return 0;
  }
  if (team.first()) {
    s.rhs[0] = norm;
    s.norm2 = norm * norm;
  }
  team.wait();
  team.subtract_basis(f.basis, f.krylov_stride, 0, s.column, s.norm2, size, vector(0));
  int n = 0;
  double left = norm;
  while (n < BatchLimits::kKrylov && left > tolerance * norm) {
    multiply(vector(n), vector(n + 1));
    team.multiply_basis(f.basis, f.krylov_stride, n + 1, vector(n + 1), size, s.column);
    if (team.first()) take_column(s, n, BatchLimits::kKrylovRounding<Real>);
    team.wait();
    const double norm2 = s.norm2;
    left = std::fabs(s.rhs[n + 1]);
    ++n;
    if (!(norm2 > 0.0) || !std::isfinite(norm2)) break;
    if (n < BatchLimits::kKrylov && left > tolerance * norm)
      team.subtract_basis(f.basis, f.krylov_stride, n, s.column, norm2, size, vector(n));
  }
  if (team.first()) back_substitute(s, n, BatchLimits::kSingular);
  team.wait();
  team.combine_basis(f.basis, f.krylov_stride, n, s.factor, size, x);
  return n;
}

// The inverse symbols precondition the adhering elements of a small contact (THEORY.md 6.5).
// The part of v on them.
template <class Real>
struct RestrictToAdhesion {
  std::size_t count = 0;
  const unsigned char* state = nullptr;
  const Real* v = nullptr;
  Real* out_x = nullptr;
  Real* out_y = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const bool adheres = state[i] == static_cast<unsigned char>(ElementState::adhesion);
    out_x[i] = adheres ? v[i] : Real{0};
    out_y[i] = adheres ? v[count + i] : Real{0};
  }
};

// out = preconditioned / rho in adhesion, v elsewhere.
template <class Real>
struct JoinAdhesion {
  std::size_t count = 0;
  Real rho = 0;
  const unsigned char* state = nullptr;
  const Real* v = nullptr;
  const Real* inner_x = nullptr;
  const Real* inner_y = nullptr;
  Real* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const bool adheres = state[i] == static_cast<unsigned char>(ElementState::adhesion);
    out[i] = adheres ? inner_x[i] / rho : v[i];
    out[count + i] = adheres ? inner_y[i] / rho : v[count + i];
    if (i != 0) return;
    out[2 * count] = v[2 * count];
    out[2 * count + 1] = v[2 * count + 1];
  }
};

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
  const int products = solve_small_gmres(team, f, 2 * count + 2, BatchLimits::kForcing,
                                         scalars.gmres, f.joined, multiply);
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
  NewtonProgress progress(WithoutGain::gives_up, BatchLimits::kNewtonWithoutGain);
  double change = HUGE_VAL;
  while (true) {
    team.multiply_slip(f.traction, f.displacement);
    ++result.products;
    team.run(count, FormSlip{task.centres, rigid, f.none, f.none, f.displacement,
                             f.displacement + count, newton.tangential});
    team.run(count, LinearizeFrictionOf<Real>{newton, f.basis});
    const NewtonScalars now = scalars.newton;
    team.wait();
    const double error = newton_error(now);
    if (!std::isfinite(error)) return result;
    result.converged = newton_converged(now, error, change, tolerance);
    if (result.converged) return result;
    progress.see(error);
    if (result.iterations == BatchLimits::kNewtonSteps || progress.stalls()) return result;
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
