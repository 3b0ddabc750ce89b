// SPDX-License-Identifier: Apache-2.0
// Derivatives of a wheelset's totals by the names of results and the paths of keys, for C and
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

// The last step of a wheel on a rail, or of both, or one side of these. Outputs, all numbers:
// track_force_x, ..., wheelset_force_x, ..., track_moment_x, ... of the side, of the whole the sums
// of both and "left_track_force_x", ...; of each contact its results with derivatives and its angle
// ("contact_1_force_x", "left_contact_2_spin", "contact_1_contact_angle"). Inputs: what the step
// prescribes of wheel_rail.wheelset, .vertical_force and .longitudinal_force; the points of both
// profiles, wheel_rail.wheel.profile and wheel_rail.rail.profile, of two wheels
// wheel_rail.wheel.left.profile and so on; the numbers of the friction law where all contacts have
// the same; stiffness, the relative change of all moduli. What the step leaves free adapts: the
// height and the roll under vertical forces, the pitch velocity under a longitudinal one.
class WheelsetGradient {
 public:
  // Throws InputError where there is no step of a wheel, no such side, or a step without
  // derivatives. points: none: without the profiles, which take most of the time.
  WheelsetGradient(const CaseSolver& solver, StepSide side,
                   ProfilePoints points = ProfilePoints::all);

  // As StepGradient::gradient().
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
  // A force that is prescribed, as the sum over some wheels, and a number of the wheelset that was
  // found for it.
  struct Condition {
    std::vector<std::size_t> wheels;
    Eigen::Vector3d track_force = Eigen::Vector3d::Zero();     // which of them
    Eigen::Vector3d wheelset_force = Eigen::Vector3d::Zero();  // or of these
  };
  struct Unknown {
    std::vector<std::size_t> wheels;
    std::size_t number = 0;  // of kWheelsetNumbers
  };
  using OfWheels = std::vector<std::vector<WheelInputs>>;  // of the seed, then of each condition

  void find_conditions();
  void add_seed(const std::string& name, double value, std::vector<WheelSeed>& seeds) const;
  [[nodiscard]] bool add_total(const std::string& name, double value,
                               std::vector<WheelSeed>& seeds) const;
  [[nodiscard]] bool add_contact(const std::string& name, double value,
                                 std::vector<WheelSeed>& seeds) const;
  // Lagrange multipliers of the prescribed forces.
  [[nodiscard]] std::vector<double> multipliers(const OfWheels& found) const;
  [[nodiscard]] NamedValues numbers_of_all(const WheelInputs& sum,
                                           const std::vector<double>& pulls) const;

  std::shared_ptr<const WheelsetOfStep> step_;
  StepSide side_;
  ProfilePoints points_;
  std::vector<OneWheel> wheels_;
  std::vector<Condition> conditions_;
  std::vector<Unknown> unknowns_;  // as many
};

// Throws InputError where a step that is to be solved will have no derivatives of a number to an
// input, points apart; a contact is taken to be there.
void require_derivatives(const WheelsetStep& task, const std::vector<std::string>& numbers,
                         const std::vector<std::string>& inputs);

// The points of a profile as contacts are computed with them, y and z of each [mm]: of a right
// wheel or rail, z down, y to the field side. Of the last step, or before the first of that one.
// Throws InputError for a case of one contact, and where the side is not one wheel.
std::vector<double> profile_points(CaseSolver& solver, ProfileRole role, StepSide side);

}  // namespace slipfield
