// SPDX-License-Identifier: Apache-2.0
// Numbers that follow from a step's totals and its input. They are computed once, when the step is
// solved, and belong to its report from then on: a reader of a result has the report alone.
#pragma once

#include <optional>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

struct TGamma {
  double total = 0.0;  // [force]
  double spin = 0.0;   // the part due to spin: minus moment times spin
};

// T-gamma of steady rolling: minus (forces times creepages plus moment times spin). Nothing if
// other terms count: in transient rolling, and with extra slip of single elements.
inline std::optional<TGamma> t_gamma_of_motion(const Tangential& motion, const StepReport& report) {
  if (motion.problem != TangentialProblem::steady_rolling || motion.extra.given() ||
      motion.spin_slip != SpinSlip::both)
    return std::nullopt;
  const double spin = report.moment_z * report.rotation;
  const double work = report.force_x * report.rigid_x + report.force_y * report.rigid_y + spin;
  return TGamma{0.0 - work, 0.0 - spin};  // no -0
}

// Adds the force ratios, if the bound of friction is mu p_n, and T-gamma of steady rolling. Every
// solver calls it with the totals of the step.
inline void add_derived_numbers(const Tangential& motion, double shear_strength,
                                StepReport& report) {
  SurfaceNumbers& numbers = report.surface;
  report.shear_strength = shear_strength;
  // The bound of friction uses the contact pressure, which adhesion increases.
  const double bound = report.friction_coefficient * (report.normal_force + report.adhesive_force);
  if (bound > 0.0 && shear_strength == 0.0) {
    numbers.force_ratio_x = report.force_x / bound;
    numbers.force_ratio_y = report.force_y / bound;
  }
  if (const auto found = t_gamma_of_motion(motion, report)) {
    numbers.t_gamma = found->total;
    numbers.t_gamma_spin = found->spin;
  }
}

}  // namespace slipfield
