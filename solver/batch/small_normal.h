// SPDX-License-Identifier: Apache-2.0
// bound_cg for one contact of a batch: the iteration of solver/normal/normal_solver.h, its element
// operations included, by a team (THEORY.md 4.3, 6.8).
#pragma once

#include <cmath>

#include "solver/batch/small_contact.h"
#include "solver/fields/iteration_limits.h"

namespace slipfield {

struct SmallNormalResult {
  bool converged = false;
  int iterations = 0;
  int products = 0;
};

// The pressure in f.pressure is the start.
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

}  // namespace slipfield
