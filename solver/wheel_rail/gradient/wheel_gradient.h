// SPDX-License-Identifier: Apache-2.0
// Derivatives of the totals of a wheel on its rail with respect to the wheelset's position and
// velocity and to the points of both profiles, through the geometry and the contacts (THEORY.md
// 13.17).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "solver/gradient/step_derivatives.h"
#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {

// dJ of the results of a contact, in its own coordinates, and of the angle of its plane.
struct ContactSeed {
  StepOutputs outputs;
  double angle = 0.0;
};

// dJ of the totals of a wheel (SolvedWheel) and of its contacts.
struct WheelSeed {
  Eigen::Vector3d track_force = Eigen::Vector3d::Zero();
  Eigen::Vector3d wheelset_force = Eigen::Vector3d::Zero();
  Eigen::Vector3d track_moment = Eigen::Vector3d::Zero();
  std::vector<ContactSeed> contacts;  // one for each contact, or none
};

inline constexpr std::array<double Wheelset::*, 10> kWheelsetNumbers{&Wheelset::y,
                                                                     &Wheelset::z,
                                                                     &Wheelset::roll,
                                                                     &Wheelset::yaw,
                                                                     &Wheelset::velocity_x,
                                                                     &Wheelset::velocity_y,
                                                                     &Wheelset::velocity_z,
                                                                     &Wheelset::velocity_roll,
                                                                     &Wheelset::velocity_pitch,
                                                                     &Wheelset::velocity_yaw};

// dJ of what a wheel is given, whatever of it was found under forces held as it was found.
struct WheelInputs {
  std::array<double, kWheelsetNumbers.size()> wheelset{};  // of each of kWheelsetNumbers
  // dJ/dy and dJ/dz of each point of the canonical profiles (profile.h).
  std::vector<ProfilePoint> wheel_points;
  std::vector<ProfilePoint> rail_points;
  LawNumbers law;          // as in StepInputs, of all contacts together
  double stiffness = 0.0;  // relative, of all moduli
};

// Derivatives to the points of the profiles take most of the time.
enum class ProfilePoints { none, all };

// What is held: which elements touch, and which stick; the elements of each grid, counted from the
// contact's reference point; which regions are one contact, and the kinks of the profiles. What
// follows: distances, penetration, reference point, plane and creepages of each contact.
class WheelGradient {
 public:
  // step: with the height, the roll and the pitch velocity that were found. `wheel`: its solution,
  // which outlives this, as `bodies` does. Throws InputError as StepDerivatives.
  WheelGradient(const WheelRailSearch& search, const ContactProblem& bodies, const WheelStep& step,
                const SolvedWheel& wheel);
  ~WheelGradient();
  WheelGradient(const WheelGradient&) = delete;
  WheelGradient& operator=(const WheelGradient&) = delete;

  // Gradients of several scalars, one for each seed, by one adjoint solution per contact and seed.
  // Throws as StepDerivatives::gradient(), and Error where a contact comes or goes very near to
  // here.
  std::vector<WheelInputs> gradients(const std::vector<WheelSeed>& seeds,
                                     ProfilePoints points = ProfilePoints::all);

  // Elements near another state, of all contacts.
  [[nodiscard]] std::int64_t near_change() const;

 private:
  class Chain;
  std::unique_ptr<Chain> chain_;
};

}  // namespace slipfield
