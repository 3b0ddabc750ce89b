// SPDX-License-Identifier: Apache-2.0
// A whole contact of a batch, by a team: normal problem, tangential problem, totals and the
// independent residual, as solver/step/contact_step.h has them (THEORY.md 6.8).
//
// A team is one thread of the CPU or one block of the GPU. It offers
//   run(count, op)                    an element operation (element_op.h), its sums, then a barrier
//   first(), wait()                   one of the team, a barrier
//   multiply_normal, precondition_normal, multiply_slip, precondition_slip, multiply_displacement
//   multiply_basis, subtract_basis, combine_basis
// and leaves every choice to what all of the team see, so that they stay together. Its loops are a text
// of their own because a block of the GPU runs a contact from beginning to end, where the host decides
// after each iteration on a grid (solver/fields/iteration_limits.h).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/batch/small_contact.h"
#include "solver/batch/small_newton.h"
#include "solver/batch/small_normal.h"

namespace slipfield {

// A field of the task, from one in the units of the case.
struct ScaleField {
  const double* from = nullptr;
  double factor = 1.0;
  double* to = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const { to[i] = factor * from[i]; }
};

// The undeformed distance that belongs to a given pressure: no gap under pressure, no contact
// elsewhere.
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

// The normal problem, or the pressure that is given in its place. start: null, or a pressure.
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

// The tangential problem, in rounds where the coefficient depends on the slip, as alternate() of
// solver/step/contact_step.h has them. The contact has been entered, the sums of the step formed.
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
    follow.wanted = f.image;  // the normal problem is solved
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
