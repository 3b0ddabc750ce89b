// SPDX-License-Identifier: Apache-2.0
// Solves a whole contact of a batch by a team: normal problem, tangential problem, totals and the
// independent residual, as solver/step/contact_step.h does (THEORY.md 6.8).
//
// A team is one thread of the CPU or one block of the GPU. It offers
//   run(count, op)                    an element operation (element_op.h), its sums, then a barrier
//   first(), wait()                   true on one member of the team; a barrier
//   multiply_normal, precondition_normal, multiply_slip, precondition_slip, multiply_displacement
//   multiply_basis, subtract_basis, combine_basis
// All decisions depend only on values visible to the whole team, so that its members stay together.
// Its loops are written separately because a block of the GPU runs a contact from start to end,
// while for a grid the host decides after each iteration (solver/fields/iteration_limits.h).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/batch/small_contact.h"
#include "solver/fields/iteration_limits.h"
#include "solver/fields/krylov_column.h"
#include "solver/host_device.h"
#include "solver/solution.h"

namespace slipfield {

// bound_cg for one contact of a batch, by a team: the iteration of solver/normal/normal_solver.h
// with the same element operations (THEORY.md 4.3, 6.8).
struct SmallNormalResult {
  bool converged = false;
  int iterations = 0;
  int products = 0;
};

// f.pressure holds the starting pressure.
template <class Team, class Real>
SLIPFIELD_TEAM SmallNormalResult solve_small_normal(Team& team, const SmallTask& task,
                                                    const SmallFields<Real>& f,
                                                    SmallScalars& scalars) {
  const std::size_t count = task.count();
  NormalFields fields;
  fields.distance = f.distance;
  fields.pressure = f.pressure;
  fields.displacement = f.displacement_n;
  fields.residual = f.residual;
  fields.old_residual = f.old_residual;
  fields.preconditioned = f.preconditioned;
  fields.direction = f.direction;
  fields.image = f.image;
  fields.active = f.active;
  fields.scalars = &scalars.normal;
  const bool force_given = task.control == SmallNormal::force;
  if (team.first()) {
    scalars.normal = NormalScalars{};
    scalars.normal.pressure_sum = force_given ? task.normal : 0.0;
    scalars.normal.approach = force_given ? 0.0 : task.normal;
  }
  team.wait();
  team.run(count, SumPressure{fields});
  const bool loaded = scalars.normal.work > 0.0;
  team.wait();
  if (force_given && loaded) team.run(count, ScalePressure{fields});
  if (force_given && !loaded) team.run(count, StartEvenly{fields});
  SmallNormalResult result;
  team.multiply_normal(f.pressure, f.displacement_n);
  ++result.products;
  team.run(count, ClearDirection{fields});
  SmallSteps small;
  while (result.iterations < BatchLimits::kNormal && !result.converged) {
    team.run(count, UpdateApproach{fields});
    team.run(count, ActivateBound{fields});
    team.run(count, FormResidual{fields});
    team.precondition_normal(f.residual, f.preconditioned);
    team.run(count, MeasureDirection{fields});
    team.run(count, UpdateDirection{fields});
    team.multiply_normal(f.direction, f.image);
    ++result.products;
    team.run(count, MeasureStep{fields});
    team.run(count, TakeStep{fields, true});
    const NormalScalars s = scalars.normal;
    team.wait();
    ++result.iterations;
    if (s.active == 0.0) {
      result.converged = true;
      break;
    }
    if (!std::isfinite(s.change) || !std::isfinite(s.energy) || !std::isfinite(s.work)) break;
    result.converged = small.end_with(s, task.tolerance);
    if (s.clipped > 0.0) {
      team.run(count, ScalePressure{fields});
      if (!result.converged) {
        team.multiply_normal(f.pressure, f.displacement_n);
        ++result.products;
      }
    }
  }
  team.multiply_normal(f.pressure, f.displacement_n);
  ++result.products;
  team.run(count, UpdateApproach{fields});
  return result;
}

// GMRES for one contact of a batch, by a team: solver/fields/gmres.h with all scalars stored by the
// team (THEORY.md 6.4, 6.8).
//
// Solves J x = b to |b - J x| <= tolerance |b| from x = 0, or as far as BatchLimits::kKrylov
// products allow. b is the first vector of the basis. multiply(in, out) = J M in; the caller
// applies M to the resulting x. Returns the number of products.
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
// Restricts v to these elements.
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

// newton for one contact of a batch, by a team: the iteration of solver/tangential/newton_solver.h
// with the same element operations (THEORY.md 6, 6.8).
//
// The slip, F, its tolerance and the tractions are doubles; the linear system, which each step
// solves to a tenth, may use another number type.
struct SmallNewtonResult {
  bool converged = false;
  int iterations = 0;
  int products = 0;
};

// Sets up the fields of a Newton step after the contact has been entered. target_x, target_y:
// prescribed sums of tractions.
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

// Solves the linearized problem into f.step, from its right-hand side in f.basis; returns the
// number of products.
template <class Team, class Real>
SLIPFIELD_TEAM int solve_small_linear(Team& team, const SmallFields<Real>& f,
                                      const NewtonFieldsOf<Real>& newton, double tolerance,
                                      SmallGmresState& gmres) {
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
      solve_small_gmres(team, f, 2 * count + 2, tolerance, gmres, f.joined, multiply);
  precondition(f.joined, f.step);
  return products;
}

// Starts from the tractions in f and a rigid slip; leaves tractions, slip and division in f, and
// the rigid slip in scalars.newton.
template <class Team, class Real>
SLIPFIELD_TEAM SmallNewtonResult solve_small_newton(Team& team, const SmallTask& task,
                                                    RigidSlip rigid, double tolerance,
                                                    const SmallFields<Real>& f, double target_x,
                                                    double target_y, SmallScalars& scalars) {
  const std::size_t count = task.count();
  NewtonFieldsOf<Real> newton = small_newton_fields(task, f, target_x, target_y, scalars);
  // Scales the linear system so that tractions are near 1, whatever the load.
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
    result.products += solve_small_linear(team, f, newton, BatchLimits::kForcing, scalars.gmres);
    team.run(count, TakeNewtonStepOf<Real>{newton, f.step});
    const NewtonScalars after = scalars.newton;
    team.wait();
    rigid.x = after.rigid_x;
    rigid.y = after.rigid_y;
    change = relative_size(after.change2, after.traction2, after.change1, after.traction1);
    ++result.iterations;
  }
}

// Converts a field from the units of the case to those of the task.
struct ScaleField {
  const double* from = nullptr;
  double factor = 1.0;
  double* to = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const { to[i] = factor * from[i]; }
};

// Sets the undeformed distance that is consistent with a given pressure: no gap under pressure, no
// contact elsewhere.
struct FitDistance {
  const double* pressure = nullptr;
  const double* displacement = nullptr;
  double* distance = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    distance[i] = pressure[i] > 0.0 ? -displacement[i] : HUGE_VAL;
  }
};

namespace small_detail {

SLIPFIELD_HD inline double target_of(SmallControl control, double value, double bound) {
  if (control == SmallControl::rigid) return 0.0;
  return control == SmallControl::force ? value : value * bound;
}

}  // namespace small_detail

template <class Real>
SLIPFIELD_TEAM StepFields small_step_fields(std::size_t count, const SmallFields<Real>& f) {
  StepFields fields;
  fields.pressure = f.pressure;
  fields.traction_x = f.traction;
  fields.traction_y = f.traction + count;
  fields.displacement_x = f.displacement;
  fields.displacement_y = f.displacement + count;
  fields.displacement_n = f.displacement_n;
  fields.slip_x = f.slip;
  fields.slip_y = f.slip + count;
  fields.bound = f.bound;
  fields.distance = f.distance;
  fields.state = f.state;
  return fields;
}

// Solves the normal problem, or takes the given pressure instead. start: a starting pressure or
// null.
template <class Team, class Real>
SLIPFIELD_TEAM SmallNormalResult solve_or_take_normal(Team& team, const SmallTask& task,
                                                      const double* shape, const double* start,
                                                      const SmallFields<Real>& f,
                                                      SmallScalars& scalars) {
  const std::size_t count = task.count();
  if (task.control != SmallNormal::pressure) {
    team.run(count, ScaleField{shape, task.shape_scale, f.distance});
    if (start != nullptr)
      team.run(count, ScaleField{start, task.start_scale, f.pressure});
    else
      team.run(count, FillField{0.0, f.pressure});
    return solve_small_normal(team, task, f, scalars);
  }
  if (team.first()) scalars.normal = NormalScalars{};
  team.wait();
  team.run(count, ScaleField{shape, task.shape_scale, f.pressure});
  team.multiply_normal(f.pressure, f.displacement_n);
  team.run(count, FitDistance{f.pressure, f.displacement_n, f.distance});
  return {true, 0, 1};
}

// Solves the tangential problem, in rounds if the coefficient depends on the slip, as
// solver/step/contact_step.h does. The contact must be entered and the sums of the step formed.
template <class Team, class Real>
SLIPFIELD_TEAM void solve_small_tangential(Team& team, const SmallTask& task,
                                           const SmallFields<Real>& f, SmallScalars& scalars,
                                           SmallResult& result) {
  const std::size_t count = task.count();
  const StepFields fields = small_step_fields(count, f);
  const double bound = task.friction * scalars.totals.pressure;
  const double x = small_detail::target_of(task.control_x, task.force_x, bound);
  const double y = small_detail::target_of(task.control_y, task.force_y, bound);
  const double force = length_of(x, y);
  if (reaches_bound(force, bound)) {
    result.status = SmallStatus::beyond_friction;
    return;
  }
  if (team.first()) scalars.normal.work = bound / std::fmax(scalars.contact_count, 1.0);
  team.wait();
  RigidSlip rigid = task.rigid;
  double change = RoundLimits::kFirstChange;
  for (int round = 1;; ++round) {
    const double tolerance = task.follows_slip
                                 ? std::fmax(task.tolerance, RoundLimits::kOfChange * change)
                                 : task.tolerance;
    const SmallNewtonResult newton =
        solve_small_newton(team, task, rigid, tolerance, f, x, y, scalars);
    result.iterations_outer = round;
    result.iterations_tangential += newton.iterations;
    result.products += newton.products;
    result.rigid_x = rigid.x = scalars.newton.rigid_x;
    result.rigid_y = rigid.y = scalars.newton.rigid_y;
    if (!newton.converged) {
      result.status = SmallStatus::tangential_failed;
      return;
    }
    if (!task.follows_slip) return;
    FollowSlip follow = follow_slip_in_round(task.sliding_law, task.slip_rate, round);
    follow.f = fields;
    follow.friction = f.friction;
    follow.wanted = f.image;  // the normal problem's scratch
    follow.out = &scalars.friction;
    team.run(count, follow);
    change = scalars.friction.change;
    if (change <= task.tolerance && tolerance <= task.tolerance) return;
    if (round == BatchLimits::kRounds || !std::isfinite(change)) {
      result.status = SmallStatus::no_agreement;
      return;
    }
    team.run(count, TakeFriction{task.sliding_law, f.image, &scalars.friction, f.friction});
    team.run(count, EnterContact{f.pressure, f.friction, f.bound, f.traction, f.traction + count,
                                 f.state, &scalars.contact_count});
  }
}

// shape: the undeformed distance of the contact, or its pressure, in the units of the case; start:
// a pressure to start from, or null.
template <class Team, class Real>
SLIPFIELD_TEAM SmallResult solve_small_contact(Team& team, const SmallTask& task,
                                               const double* shape, const double* start,
                                               const SmallFields<Real>& f, SmallScalars& scalars) {
  const std::size_t count = task.count();
  team.run(2 * count, FillField{0.0, f.traction});
  team.run(2 * count, FillField{0.0, f.slip});
  team.run(2 * count, FillField{0.0, f.displacement});
  team.run(2 * count, FillField{0.0, f.none});
  team.run(count, FillField{task.friction_start, f.friction});

  SmallResult result;
  const SmallNormalResult normal = solve_or_take_normal(team, task, shape, start, f, scalars);
  result.iterations_normal = normal.iterations;
  result.products = normal.products;
  result.approach = scalars.normal.approach;
  result.rigid_x = task.rigid.x;
  result.rigid_y = task.rigid.y;
  result.status = normal.converged ? SmallStatus::converged : SmallStatus::normal_failed;
  team.run(count, EnterContact{f.pressure, f.friction, f.bound, f.traction, f.traction + count,
                               f.state, &scalars.contact_count});
  const StepFields fields = small_step_fields(count, f);
  team.run(count, SumStep{task.centres, fields, &scalars.totals});
  if (normal.converged && task.sliding) {
    solve_small_tangential(team, task, f, scalars, result);
    if (result.status != SmallStatus::beyond_friction) {
      team.multiply_displacement(f.traction, f.displacement);
      ++result.products;
    }
  }
  team.run(count, SumStep{task.centres, fields, &scalars.totals});
  team.run(count,
           MeasureResiduals{task.centres, task.my, fields, result.approach, 1.0 / task.self_normal,
                            task.sliding ? 1.0 / task.self_slip : 0.0, &scalars.residuals});
  result.totals = scalars.totals;
  result.residuals = scalars.residuals;
  result.greatest_pressure = team.greatest(f.pressure, count);
  return result;
}

}  // namespace slipfield
