// SPDX-License-Identifier: Apache-2.0
// Wear and damage of surfaces, by rolling and by shifts (THEORY.md 14).
#pragma once

#include <optional>
#include <vector>

#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/solution.h"
#include "solver/surface/surface_request.h"

namespace slipfield {

// Depth that a shift wears off at each element [length], by Archard's law.
std::vector<double> depth_of_shift(const WearRequest& request, const StepInput& step,
                                   const ContactSolution& solution);

// -(p_x s_x + p_y s_y)/dq of each element [traction]: its sum times the element's area is minus the
// sum of friction work over dq [force].
std::vector<double> t_gamma_density(const ContactSolution& solution, double rolling_step);

struct TGamma {
  double total = 0.0;  // [force]
  double spin = 0.0;   // of it: minus moment times spin
};

// Minus the forces times the creepages and the moment times the spin, in steady rolling. Nothing
// where that is not all of it: in transient rolling, and where single elements slip by other
// motions.
std::optional<TGamma> t_gamma_of_motion(const StepInput& step, const StepReport& report);

// Minus the forces times the creepages, the moment times the spin, and tractions times the slip of
// single elements (Tangential::extra); in transient rolling less what the bodies store.
TGamma t_gamma(const StepInput& step, const StepReport& report, const Grid& grid,
               const ContactSolution& solution);

// The slip of elements as wear takes it: that of slipping elements times one factor, so that their
// T-gamma is `total`, and none of the others; where none slips, of the elements at the trailing
// edge along their tractions. Their own where the bodies do not conserve energy (conserves_energy
// of solver/step/coarse_twins.h), or where `total` or what slips dissipates nothing.
struct WearingSlip {
  std::vector<double> distance;  // |s| [length]
  std::vector<double> t_gamma;   // per area [traction]
};
WearingSlip wearing_slip(const ContactProblem& problem, const StepInput& step, double total,
                         const ContactSolution& solution);

// Depth that one pass removes at each element [length]; summed along the rolling direction it is
// the worn depth. step: rolling along x, with a velocity where the coefficient depends on it.
std::vector<double> wear_per_pass(const WearRequest& request, const Grid& grid, Units units,
                                  const StepInput& step, const std::vector<double>& pressure,
                                  const WearingSlip& slip);

// Sums over each row of elements, times the passes: the worn depth by iy [length].
std::vector<double> worn_profile(const std::vector<double>& wear_per_pass, const Grid& grid,
                                 double passes);

// Points of a profile across the rolling direction.
struct ProfileTable {
  std::vector<double> y;  // increasing
  std::vector<double> z;
};

// The profile after `depth` at each `y` (increasing) has been added to it, between them linearly,
// beyond them nothing. It has the points of both; between its own a profile is the spline of
// ProfileShape.
ProfileTable add_depth(const ProfileTable& profile, const std::vector<double>& y,
                       const std::vector<double>& depth);

}  // namespace slipfield
