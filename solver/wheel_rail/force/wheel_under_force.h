// SPDX-License-Identifier: Apache-2.0
// The contacts of a wheel at the heights and pitch velocities that are tried until the wheel
// carries its forces (THEORY.md 13.6, 13.10).
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

// The search for the pitch velocity at which a wheelset has a given longitudinal force (THEORY.md
// 13.10).

// The force on the rail increases with the pitch velocity up to the friction limit. In a shift the
// velocity is an angle.
struct PitchTask {
  double force = 0.0;      // [N] wanted
  double tolerance = 0.0;  // [N]
  double start = 0.0;      // [rad/s]
  double stiffness = 0.0;  // [N s] estimate of dF/dpitch for sticking contacts, > 0
  double bound = 0.0;      // [N] sum of mu F_n over the contacts
  double farthest = 0.0;   // [rad/s] greatest distance from `start`
  // [N] The force at `start` by the linear theory, which gives the first pitch to try; NaN: try
  // `start` first.
  double linear_force = std::numeric_limits<double>::quiet_NaN();
  // [rad/s] First pitch to try instead of that one; NaN: none.
  double first = std::numeric_limits<double>::quiet_NaN();
  int most = 60;  // pitches to try
};

struct PitchResult {
  double pitch = 0.0;
  double force = 0.0;  // [N] at this pitch, the nearest to the wanted one
  bool met = false;
  double stiffness = 0.0;  // [N s] dF/dpitch, from the last two pitches
  double next = 0.0;      // [rad/s] the pitch that would be tried next; `pitch` if the force is met
  bool suffices = false;  // the search ended by `suffices`
};

// The last call of force_at() is at the returned pitch. If the force is not met, it exceeds the
// bound, and the pitch is `start`; or it was not reached up to the farthest pitch; or it jumps
// between two pitches that differ only by rounding; or it satisfies `suffices`, if there is one.
PitchResult find_pitch(const PitchTask& task, const std::function<double(double)>& force_at,
                       const std::function<bool(double)>& suffices = {});

// Inverts the cubic law of Johnson and Vermeulen: the linear force, over the friction, that the law
// reduces to this force. It is nearly linear in the pitch, while the force itself bends.
double linear_force(double force, double bound);

// How much lateral force a rolling patch transmits, before its tangential problem is solved
// (THEORY.md 13.6).

// F_s/F_n on the rail: Kalker's linear theory for the ellipse with the contact's length and width,
// limited by friction with the cubic law of Johnson and Vermeulen. Accurate to some percent; the
// spin enters only the linear part. `pressure` on the patch's grid, `normal_force` > 0; 0 if
// nothing rolls.
double expected_lateral_share(const ContactPatch& patch, const std::vector<double>& pressure,
                              double normal_force, const CombinedMaterial& material,
                              double friction_coefficient);

// The patches at one height. Their normal problems are solved first, and their tangential problems,
// by the same solvers, only if the height turns out to be right. The simplified theory solves both
// at once, and so does friction by temperature, since the temperatures are those of rolling. If the
// step has a longitudinal force, finding its pitch velocity is part of the tangential problems.
class WheelUnderForce final : public LoadedWheel {
 public:
  // All arguments must outlive this. The contacts are stored in `wheel`.
  WheelUnderForce(WheelRailSearch& search, const ContactProblem& bodies, const WheelStep& step,
                  const SolverMaker& make, SolvedWheel& wheel);

  double normal_problem(double z) override;
  [[nodiscard]] double doubt() const override { return doubt_; }
  double complete(Exactness exactness) override;

  // Call it before the first normal_problem(): takes the contacts of a start, but not its height.
  void begin_at(WheelStart&& start);
  // A start for another search, from the last complete solution.
  [[nodiscard]] WheelStart start_from_here(const HeightStart& height) const;

  // After the last complete solution of a step with a longitudinal force: empty, or a sentence that
  // states the error of the force.
  [[nodiscard]] const std::string& missed_force() const { return missed_; }
  // States of the contacts from which the next step continues.
  [[nodiscard]] CarriedContacts left() const;

 private:
  using Start = WheelStart::Contact;
  using Starts = std::vector<Start>;
  using Known = WheelStart::Known;

  [[nodiscard]] Starts starts() const;
  void choose_way(const ContactSolver& solver);
  [[nodiscard]] bool whole() const { return whole_.value_or(at_once_); }
  [[nodiscard]] StepInput first_part(const StepInput& input) const;
  static void take_over(const Start& start, std::initializer_list<const char*> names,
                        const Grid& grid, SolverState& state);
  void move_known_to(double z);
  void move_known_to(const Known& here);
  [[nodiscard]] std::optional<Known> known_at(double z) const;
  void learn_known();
  double solve_normal_problem(ContactPatch patch);
  void expect_pitch();
  void expect_creepages();
  [[nodiscard]] double expected_vertical_share(const SolvedPatch& solved) const;
  void start_tangential_problem(std::size_t i);
  void forget_displacements_by_pressure(std::size_t i);
  void solve_tangential_problems();
  void sum_forces();
  void find_longitudinal_force(Exactness exactness);
  double longitudinal_force_at(double pitch);

  WheelRailSearch& search_;
  const ContactProblem& bodies_;
  const WheelStep& step_;
  const SolverMaker& make_;
  SolvedWheel& wheel_;
  bool at_once_;
  // The results of tangential problems depend on their start, so each one starts unloaded.
  bool from_nothing_;
  WheelRailPosition position_;  // at the last height and pitch
  PitchResult pitch_;
  double vertical_ = 0.0;  // [N] force at the last pitch tried
  double doubt_ = 0.0;
  std::string missed_;
  std::vector<std::unique_ptr<ContactSolver>> solvers_;  // of the patches of wheel_
  std::vector<double> normal_forces_;                    // from their normal problems
  std::vector<Known> known_;                             // from complete solutions
  bool is_moved_ = false;                                // all of them are of another search
  // Whether tangential problems are solved together with the normal ones at each height; set by the
  // first solver.
  std::optional<bool> whole_;
  Starts normal_starts_;
  Starts complete_starts_;
};

// The start of a search for a longitudinal force: `position` has the first pitch velocity, and the
// wheels have their solutions there.
PitchTask pitch_task(double force, const WheelRailPosition& position,
                     const CombinedMaterial& material,
                     std::initializer_list<const SolvedWheel*> wheels);
// A sentence about a force that was not met.
std::string missed_pitch_text(const PitchTask& task, const PitchResult& found, bool shifts);

// The friction of a contact.
Friction patch_friction(const WheelStep& step, const ContactPatch& patch);

// Call it before advance(): sets what a patch in a step of transient rolling takes from the step
// before.
void continue_from(const WheelStep& step, const SolvedPatch& solved, ContactSolver& solver);

// The patches at a position of the step. Omits a contact whose elements cannot hold its estimate
// (solver.normal), with a sentence in `warning`, which is cleared first.
std::vector<ContactPatch> solvable_patches(WheelRailSearch& search, const ContactProblem& bodies,
                                           const WheelStep& step, const WheelRailPosition& position,
                                           std::string& warning);

}  // namespace slipfield
