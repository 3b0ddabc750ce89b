// SPDX-License-Identifier: Apache-2.0
// Derivatives of a wheelset's totals, addressed by names of results and paths of keys, for C and
// Python (solver/wheel_rail/gradient/wheel_gradient.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/library/case_solver.h"
#include "app/library/step_gradient.h"
#include "solver/wheel_rail/gradient/wheel_gradient.h"

namespace slipfield {

// Derivatives of the last step of a wheel on a rail, of a wheelset, or of one of its sides.
// Outputs, all numbers: track_force_x, ..., wheelset_force_x, ..., track_moment_x, ... of the side,
// for the whole their sums and "left_track_force_x", ...; of each contact its results with
// derivatives and its angle ("contact_1_force_x", "left_contact_2_spin",
// "contact_1_contact_angle").
// Inputs: what the step prescribes of wheel_rail.wheelset, .vertical_force and .longitudinal_force;
// the points of both profiles, wheel_rail.wheel.profile and wheel_rail.rail.profile, with two
// wheels wheel_rail.wheel.left.profile and so on; the numbers of the friction law if all contacts
// share it; stiffness, the relative change of all moduli.
// Free numbers adapt: height and roll under vertical forces, the pitch velocity under a
// longitudinal one.
class WheelsetGradient {
 public:
  // Throws InputError if there is no step of a wheel, or if it has no derivatives.
  explicit WheelsetGradient(const CaseSolver& solver);

  // Chooses what the calls from now on are for: the side that totals and contacts belong to, and
  // the profiles whose points are among the inputs. Throws InputError if there is no such side.
  void choose(StepSide side, ProfilePoints points);

  // Like StepGradient::gradient().
  NamedValues gradient(const NamedValues& seed);
  [[nodiscard]] std::size_t size_of_output(const std::string& name) const;
  [[nodiscard]] std::size_t size_of_input(const std::string& name) const;
  [[nodiscard]] std::int64_t near_change() const;

 private:
  struct OneWheel {
    WheelStep step;  // as it was solved
    const SolvedWheel* solved = nullptr;
    std::unique_ptr<WheelGradient> gradient{};
    std::size_t wheel_points = 0;
    std::size_t rail_points = 0;
  };
  // A prescribed force, summed over some wheels, and the number of the wheelset that was found from
  // it.
  struct Condition {
    std::vector<std::size_t> wheels;
    Eigen::Vector3d track_force = Eigen::Vector3d::Zero();     // the weights of its components
    Eigen::Vector3d wheelset_force = Eigen::Vector3d::Zero();  // likewise for the wheelset's force
  };
  struct Unknown {
    std::vector<std::size_t> wheels;
    std::size_t number = 0;  // of kWheelsetNumbers
  };
  using OfWheels = std::vector<std::vector<WheelInputs>>;  // of each wheel, by conditions

  void find_conditions();
  void differentiate_conditions();
  void add_seed(const std::string& name, double value, std::vector<WheelSeed>& seeds) const;
  [[nodiscard]] bool add_total(const std::string& name, double value,
                               std::vector<WheelSeed>& seeds) const;
  [[nodiscard]] bool add_contact(const std::string& name, double value,
                                 std::vector<WheelSeed>& seeds) const;
  // Lagrange multipliers of the prescribed forces.
  [[nodiscard]] std::vector<double> multipliers(const std::vector<WheelInputs>& found) const;
  [[nodiscard]] NamedValues numbers_of_all(const WheelInputs& sum,
                                           const std::vector<double>& pulls) const;

  std::shared_ptr<const WheelsetOfStep> step_;
  StepSide side_ = StepSide::whole;
  ProfilePoints points_ = ProfilePoints::all;
  std::vector<OneWheel> wheels_;
  std::vector<Condition> conditions_;
  std::vector<Unknown> unknowns_;  // one for each condition
  // The conditions' derivatives with these points, for all seeds; empty before the first one.
  OfWheels by_conditions_;
  ProfilePoints conditions_points_ = ProfilePoints::none;
};

// Throws InputError if a step that is yet to be solved will have no derivatives of a number to an
// input (points excluded); assumes that each contact exists.
void require_derivatives(const WheelsetStep& task, const std::vector<std::string>& numbers,
                         const std::vector<std::string>& inputs);

// Returns the points of a profile as contacts use them, y and z each [mm], for a right wheel or
// rail with z down and y to the field side; those of the last step, or of the first one before it
// is solved. Throws InputError for a case of one contact, and if the side is not one wheel.
std::vector<double> profile_points(CaseSolver& solver, ProfileRole role, StepSide side);

}  // namespace slipfield
