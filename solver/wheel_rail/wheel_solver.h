// SPDX-License-Identifier: Apache-2.0
// A wheel on its rail: its contacts solved patch by patch, under a given vertical force or at a
// given height (THEORY.md 13.6).
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/wheel_rail/force/carried_contacts.h"
#include "solver/wheel_rail/wheel_contacts.h"

namespace slipfield {

struct WheelStep {
  // The height position.wheelset.z counts where no force is given.
  WheelRailPosition position;
  std::optional<double> vertical_force;  // [N] > 0, downwards on the rail
  // [N] On the rail, along the wheelset's x axis: the pitch velocity is found that gives it, from
  // that of the position on.
  std::optional<double> longitudinal_force;
  Friction friction;
  // `friction` varies along y, where y is the inclination of a contact (surface/rail_friction.h).
  bool friction_by_inclination = false;
  // What a step of transient rolling continues from; null: contacts without tractions.
  std::shared_ptr<const CarriedContacts> before = {};
  // `friction` is that of the step before: coefficients that follow the slip continue.
  bool friction_continues = true;

  [[nodiscard]] bool is_transient() const { return position.rolled > 0.0; }
};

// Rolling or a shift, or frictionless where the coefficient is 0 or nothing rolls.
struct SolvedPatch {
  ContactPatch patch;
  StepInput input;
  StepReport report;
  ContactSolution solution;

  // On the rail; in contact coordinates (x, s, n), in track coordinates. Of a conformal contact
  // the sum over its rows, each with its own axes, from the tractions of `solution`.
  [[nodiscard]] Eigen::Vector3d force() const;
  [[nodiscard]] Eigen::Vector3d track_force() const { return patch.frame.rotation * force(); }
  // Moment of the tractions on the rail about the reference point, in contact coordinates.
  [[nodiscard]] Eigen::Vector3d moment() const;
  // In the profile's coordinates of the rail.
  Eigen::Vector3d rail_force = Eigen::Vector3d::Zero();
};

struct SolvedWheel {
  Side side = Side::right;
  Outcome outcome = Outcome::converged;
  std::string message;  // empty when converged; otherwise one sentence that says what did not
  // Empty but where the vertical force jumps over the one asked for, by 2 % of it at most, or a
  // contact is left out that the elements do not hold: sentences with the numbers. The height is on
  // the side of the jump that is nearer to the force.
  std::string warning;
  double z = 0.0;     // of the axle, below its nominal height
  double roll = 0.0;  // of the axle
  // [rad/s] Found where a longitudinal force is given, otherwise not a number; of a shift [rad].
  double pitch_velocity = std::numeric_limits<double>::quiet_NaN();
  bool is_independent = false;  // of the wheelset's other one, whose pitch velocity is another
  NearestPoint nearest;
  // Rolling radius of the wheelset's right wheel less that of its left one. Of a wheel alone the
  // other one has the same profile, on a rail of the same profile without irregularity; not a
  // number where that is not over its rail.
  double radius_difference = 0.0;
  // From the wheel's profile.
  double flange_angle = std::numeric_limits<double>::quiet_NaN();
  // On the rail, of all patches; in track coordinates and in the wheelset's.
  Eigen::Vector3d track_force = Eigen::Vector3d::Zero();
  Eigen::Vector3d wheelset_force = Eigen::Vector3d::Zero();
  // Moment of the tractions on the rail about the axle's centre, in track coordinates.
  Eigen::Vector3d track_moment = Eigen::Vector3d::Zero();
  std::vector<SolvedPatch> patches;  // from the field side to the track's centre
  // To the next step, where the search has a lattice.
  CarriedContacts left;
  int positions = 0;           // heights at which normal problems were solved
  int complete_solutions = 0;  // of the tangential problems: at some heights, of each pitch tried
  double seconds = 0.0;
};

using SolverMaker = std::function<std::unique_ptr<ContactSolver>(const ContactProblem&)>;

// `bodies`: upper is the rail (body 1), lower the wheel; of the rest of the problem the solver's
// settings, the title, and what is asked for of the surfaces count. InputError as WheelRailSearch,
// and of the makers. `make` may throw to end the search.
SolvedWheel solve_wheel(WheelRailSearch& search, const ContactProblem& bodies,
                        const WheelStep& step, const SolverMaker& make);

// What the undeformed bodies show at a position: nearest and radius_difference of `wheel`.
void describe_position(WheelRailSearch& search, const WheelRailPosition& position,
                       SolvedWheel& wheel);

// The problem of one patch, as its solver gets it: without what is asked for of the surfaces, but
// for the heat that friction by temperature needs.
ContactProblem patch_problem(const ContactProblem& bodies, const ContactPatch& patch,
                             const Friction& friction);

}  // namespace slipfield
