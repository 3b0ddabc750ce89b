// SPDX-License-Identifier: Apache-2.0
// Wear and damage of surfaces, by rolling and by shifts (THEORY.md 14).
#pragma once

#include <optional>
#include <vector>

#include "solver/derived_numbers.h"
#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/solution.h"
#include "solver/surface/surface_request.h"

namespace slipfield {

// Depth that a shift wears off at each element [length], by Archard's law.
std::vector<double> depth_of_shift(const WearRequest& request, const StepInput& step,
                                   const ContactSolution& solution);

// -(p_x s_x + p_y s_y)/dq of each element [traction]: the sum times the element area is minus the
// sum of the friction work over dq [force].
std::vector<double> t_gamma_density(const ContactSolution& solution, double rolling_step);

// Minus (forces times creepages plus moment times spin plus tractions times the extra slip of
// single elements, Tangential::extra); in transient rolling less what the bodies store.
TGamma t_gamma(const StepInput& step, const StepReport& report, const Grid& grid,
               const ContactSolution& solution);

// The slip used for wear: the slip of slipping elements times a common factor that makes their
// T-gamma equal `total`, and 0 elsewhere. If none slips, it is assigned to the elements at the
// trailing edge along their tractions. The unscaled slip without a `total`, or if it or the slip
// dissipates nothing.
struct WearingSlip {
  std::vector<double> distance;  // |s| [length]
  std::vector<double> t_gamma;   // per area [traction]
};
WearingSlip wearing_slip(const ContactProblem& problem, const StepInput& step,
                         std::optional<double> total, const ContactSolution& solution);

// Whether elements slip and none carries a tangential traction: friction is 0.
bool slips_without_traction(const ContactSolution& solution);

// The slip used for wear if slips_without_traction(): its limit for a coefficient towards 0, at
// which the forces' work and that of the slip keep their ratio.
WearingSlip wearing_slip_without_friction(const ContactProblem& problem, const StepInput& step,
                                          const StepReport& report, ContactSolution solution);

// Depth that one pass removes at each element [length]; its sum along the rolling direction is the
// worn depth. step: rolling along x, with a velocity if the coefficient depends on it.
std::vector<double> wear_per_pass(const WearRequest& request, const Grid& grid, Units units,
                                  const StepInput& step, const std::vector<double>& pressure,
                                  const WearingSlip& slip);

// The worn depth by row iy [length]: the sum over each row of elements, times the passes.
std::vector<double> worn_profile(const std::vector<double>& wear_per_pass, const Grid& grid,
                                 double passes);

// Points of a profile across the rolling direction.
struct ProfileTable {
  std::vector<double> y;  // increasing
  std::vector<double> z;
};

// Adds `depth`, given at each `y` (increasing), linear in between and 0 outside, to the profile.
// The result has the points of both; between its own points a profile is the spline of
// ProfileShape.
ProfileTable add_depth(const ProfileTable& profile, const std::vector<double>& y,
                       const std::vector<double>& depth);

}  // namespace slipfield
