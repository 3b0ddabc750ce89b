// SPDX-License-Identifier: Apache-2.0
// A wheel on its rail, solved contact by contact under a given vertical force or at a given height
// (THEORY.md 13.6).
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/wheel_rail/force/carried_contacts.h"
#include "solver/wheel_rail/height_search.h"
#include "solver/wheel_rail/wheel_contacts.h"

namespace slipfield {

struct WheelStep {
  // position.wheelset.z is used only if no vertical force is given.
  WheelRailPosition position;
  std::optional<double> vertical_force;  // [N] > 0, downwards on the rail
  // [N] On the rail, along the wheelset's x axis: the solver finds the pitch velocity for it,
  // starting from that of the position.
  std::optional<double> longitudinal_force;
  Friction friction;
  // `friction` varies with y, which means the inclination of a contact (surface/rail_friction.h).
  bool friction_by_inclination = false;
  // The state from which a step of transient rolling continues; null: contacts without tractions.
  std::shared_ptr<const CarriedContacts> before = {};
  // `friction` equals that of the step before: coefficients that depend on the slip continue.
  bool friction_continues = true;

  [[nodiscard]] bool is_transient() const { return position.rolled > 0.0; }
};

// A solved contact: rolling or a shift, or frictionless if the coefficient is 0 or nothing rolls.
struct SolvedPatch {
  ContactPatch patch;
  StepInput input;
  StepReport report;
  ContactSolution solution;

  // Force on the rail in contact coordinates (x, s, n), and in track coordinates. For a conformal
  // contact: the sum over its rows, each with its own axes, from the tractions of `solution`.
  [[nodiscard]] Eigen::Vector3d force() const;
  [[nodiscard]] Eigen::Vector3d track_force() const;
  // Moment of the tractions on the rail about the reference point, in contact coordinates.
  [[nodiscard]] Eigen::Vector3d moment() const;
  // In the coordinates of the rail's profile.
  Eigen::Vector3d rail_force = Eigen::Vector3d::Zero();
};

struct SolvedWheel {
  Side side = Side::right;
  Outcome outcome = Outcome::converged;
  std::string message;  // empty when converged; otherwise one sentence that says what did not
  // Sentences with numbers if the vertical force jumps across the wanted one, by at most 2 % of it,
  // or if a contact was omitted because its elements cannot hold it; else empty. At a jump the
  // height is on the side whose force is nearer.
  std::string warning;
  double z = 0.0;     // of the axle, below its nominal height
  double roll = 0.0;  // of the axle
  // [rad/s] Found for a given longitudinal force, otherwise NaN; in a shift [rad].
  double pitch_velocity = std::numeric_limits<double>::quiet_NaN();
  bool is_independent = false;  // the wheelset's other wheel has its own pitch velocity
  NearestPoint nearest;
  // Rolling radius of the wheelset's right wheel less that of its left one. For a single wheel the
  // other one is assumed to have the same profile, on a rail of the same profile without
  // irregularity; NaN if that wheel is not over its rail.
  double radius_difference = 0.0;
  // From the wheel's profile.
  double flange_angle = std::numeric_limits<double>::quiet_NaN();
  // Force on the rail, sum over all patches, in track coordinates and in those of the wheelset.
  Eigen::Vector3d track_force = Eigen::Vector3d::Zero();
  Eigen::Vector3d wheelset_force = Eigen::Vector3d::Zero();
  // Moment of the tractions on the rail about the axle's centre, in track coordinates.
  Eigen::Vector3d track_moment = Eigen::Vector3d::Zero();
  std::vector<SolvedPatch> patches;  // from the field side to the track's centre
  // States for the next step, if the search has a lattice.
  CarriedContacts left;
  int positions = 0;           // number of heights at which normal problems were solved
  int complete_solutions = 0;  // of the tangential problems: at some heights, for each pitch tried
  double seconds = 0.0;
};

using SolverMaker = std::function<std::unique_ptr<ContactSolver>(const ContactProblem&)>;

// What the solution of a wheel under a vertical force leaves for another one nearby, which takes
// fewer heights from there: at another roll, or another pitch velocity.
struct WheelStart {
  struct Contact {
    Grid grid;
    SolverState state;
  };
  // What a complete solution showed of the tangential problems.
  struct Known {
    double z = 0.0;
    std::vector<double> vertical_shares;  // F_z of each contact over its normal force
    double pitch = 0.0;                   // for the longitudinal force, if there is one
  };
  std::optional<HeightStart> height;   // empty: nothing is known
  std::vector<Contact> contacts;       // empty where each height is solved afresh
  std::vector<Known> known;            // the last ones, with as many contacts; the latest is last
  double pitch_stiffness = 0.0;        // [N s] of the longitudinal force; 0: not known
  double tolerance = kForceTolerance;  // of the vertical force
};

// bodies: upper is the rail (body 1), lower the wheel; of the rest of the problem only the solver's
// settings, the title, and the surface request are used. start: where the search begins and, after
// it, what it leaves; null: begins at an estimate. Throws InputError like WheelRailSearch and the
// makers. `make` may throw to end the search.
SolvedWheel solve_wheel(WheelRailSearch& search, const ContactProblem& bodies,
                        const WheelStep& step, const SolverMaker& make,
                        WheelStart* start = nullptr);

// Whether the lateral force on the rail is more than 10 times the vertical one: the wheel is pressed
// into the rail with millimetres of overlap, since friction on a steep flange takes nearly all of
// the vertical force away. On a flange of 70 degrees it is less than 3 times without friction.
bool is_wedged(const SolvedWheel& wheel);
// Half a sentence that says so with numbers: "the right wheel is wedged: ...".
std::string wedged_text(const SolvedWheel& wheel);

// Describes the undeformed bodies at a position: sets nearest and radius_difference of `wheel`.
void describe_position(WheelRailSearch& search, const WheelRailPosition& position,
                       SolvedWheel& wheel);

// The problem that the solver of one patch gets: without surface requests, except for the heat that
// friction by temperature needs.
ContactProblem patch_problem(const ContactProblem& bodies, const ContactPatch& patch,
                             const Friction& friction);

}  // namespace slipfield
