// SPDX-License-Identifier: Apache-2.0
// The contacts of a wheel at the heights and pitch velocities that are tried until the wheel has
// its forces (THEORY.md 13.6, 13.10).
#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/material.h"
#include "solver/wheel_rail/contact_patch.h"
#include "solver/wheel_rail/height_search.h"
#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {

// The pitch velocity at which a wheelset has a given longitudinal force (THEORY.md 13.10).

// Where to look for a force on the rail, which rises with the pitch velocity up to the limit of
// friction. In a shift the velocity is an angle.
struct PitchTask {
  double force = 0.0;      // [N] asked for
  double tolerance = 0.0;  // [N]
  double start = 0.0;      // [rad/s]
  double stiffness = 0.0;  // [N s] roughly, of contacts that stick: dF/dpitch, > 0
  double bound = 0.0;      // [N] mu F_n of all contacts
  double farthest = 0.0;   // [rad/s] from `start`
  // [N] The force at `start` by the linear theory, from which the pitch tried first follows; not a
  // number: that is `start`.
  double linear_force = std::numeric_limits<double>::quiet_NaN();
  // [rad/s] Tried first in place of that one; not a number: none is known.
  double first = std::numeric_limits<double>::quiet_NaN();
};

struct PitchResult {
  double pitch = 0.0;
  double force = 0.0;  // there: the one nearest to that asked for
  bool met = false;
  double stiffness = 0.0;  // [N s] as that of the task, as the last two pitches have it
};

// The last call of force_at() is at the pitch returned. Not met: the force is beyond the bound, and
// the pitch is `start`; or it was not found up to the farthest pitch, or between two that
// bracket it to rounding.
PitchResult find_pitch(const PitchTask& task, const std::function<double(double)>& force_at);

// How much of a normal force a rolling patch passes on across the track, before its tangential
// problem is solved (THEORY.md 13.6).

// F_s/F_n on the rail: Kalker's linear theory for the ellipse with the length and the width of the
// contact, cut off at the friction by the cubic law of Johnson and Vermeulen. Good to some percent;
// the spin counts in the linear part alone. `pressure` on the patch's grid, `normal_force` > 0;
// 0 where nothing rolls.
double expected_lateral_share(const ContactPatch& patch, const std::vector<double>& pressure,
                              double normal_force, const CombinedMaterial& material,
                              double friction_coefficient);

// The patches at one height, whose normal problems are solved first, and their tangential problems
// by the same solvers where the height turns out to be the right one. The simplified theory solves
// both at once, and so does friction by temperatures, which are those of rolling. Where the step
// has a longitudinal force, the pitch velocity that gives it belongs to the tangential problems.
class WheelUnderForce final : public LoadedWheel {
 public:
  // All outlive this. The contacts go into `wheel`.
  WheelUnderForce(WheelRailSearch& search, const ContactProblem& bodies, const WheelStep& step,
                  const SolverMaker& make, SolvedWheel& wheel);

  double normal_problem(double z) override;
  double complete() override;

  // After the last complete solution of a step with a longitudinal force: empty, or a sentence
  // that says by what it was missed.
  [[nodiscard]] const std::string& missed_force() const { return missed_; }
  // States of the contacts for the next step to continue from.
  [[nodiscard]] CarriedContacts left() const;

 private:
  struct Start {
    Grid grid;
    SolverState state;
  };
  using Starts = std::vector<Start>;

  [[nodiscard]] Starts starts() const;
  void choose_way(const ContactSolver& solver);
  [[nodiscard]] bool whole() const { return whole_.value_or(at_once_); }
  [[nodiscard]] StepInput first_part(const StepInput& input) const;
  static void take_over(const Start& start, std::initializer_list<const char*> names,
                        const Grid& grid, SolverState& state);
  double solve_normal_problem(ContactPatch patch);
  [[nodiscard]] double expected_vertical_share() const;
  void start_tangential_problem(std::size_t i);
  void forget_displacements_by_pressure(std::size_t i);
  void solve_tangential_problems();
  void sum_forces();
  void find_longitudinal_force();
  double longitudinal_force_at(double pitch);

  WheelRailSearch& search_;
  const ContactProblem& bodies_;
  const WheelStep& step_;
  const SolverMaker& make_;
  SolvedWheel& wheel_;
  bool at_once_;
  // Tangential problems depend on what they start from, so that each one starts from nothing.
  bool from_nothing_;
  WheelRailPosition position_;  // at the last height and pitch
  PitchResult pitch_;
  std::string missed_;
  std::vector<std::unique_ptr<ContactSolver>> solvers_;  // of the patches of wheel_
  std::vector<double> normal_forces_;                    // by their normal problems
  std::vector<double> vertical_shares_;                  // of the last complete solution
  // Whether tangential problems are solved with the normal ones at each height; of the first
  // solver.
  std::optional<bool> whole_;
  Starts normal_starts_;
  Starts complete_starts_;
};

// What the search for a longitudinal force starts from: `position` has the first pitch velocity,
// the wheels their solutions at it.
PitchTask pitch_task(double force, const WheelRailPosition& position,
                     const CombinedMaterial& material,
                     std::initializer_list<const SolvedWheel*> wheels);
// A sentence for a force that was not met.
std::string missed_pitch_text(const PitchTask& task, const PitchResult& found, bool shifts);

// The friction of a contact.
Friction patch_friction(const WheelStep& step, const ContactPatch& patch);

// Before advance(): what a patch of a step of transient rolling takes from the step before.
void continue_from(const WheelStep& step, const SolvedPatch& solved, ContactSolver& solver);

// The patches at a position of the step. An estimate (solver.normal) of a contact that its elements
// do not hold is left out, with a sentence in `warning`, which is emptied first.
std::vector<ContactPatch> solvable_patches(WheelRailSearch& search, const ContactProblem& bodies,
                                           const WheelStep& step, const WheelRailPosition& position,
                                           std::string& warning);

}  // namespace slipfield
