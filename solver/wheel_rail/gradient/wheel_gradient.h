// SPDX-License-Identifier: Apache-2.0
// Derivatives of the totals of a wheel on its rail with respect to the wheelset's position and
// velocity and the points of both profiles, through geometry and contacts (THEORY.md 13.17).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solver/gradient/step_derivatives.h"
#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {

// dJ of a contact's results, in its own coordinates, and of the angle of its plane.
struct ContactSeed {
  StepOutputs outputs;
  double angle = 0.0;
};

// dJ of a wheel's totals (SolvedWheel) and of its contacts.
struct WheelSeed {
  Eigen::Vector3d track_force = Eigen::Vector3d::Zero();
  Eigen::Vector3d wheelset_force = Eigen::Vector3d::Zero();
  Eigen::Vector3d track_moment = Eigen::Vector3d::Zero();
  std::vector<ContactSeed> contacts;  // one per contact, or empty
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

// dJ of a wheel's inputs; values found from forces are held at what was found.
struct WheelInputs {
  std::array<double, kWheelsetNumbers.size()> wheelset{};  // of each of kWheelsetNumbers
  // dJ/dy and dJ/dz of each point of the canonical profiles (profile.h).
  std::vector<ProfilePoint> wheel_points;
  std::vector<ProfilePoint> rail_points;
  LawNumbers law;          // as in StepInputs, common to all contacts
  double stiffness = 0.0;  // relative, common to all moduli
};

// For which profiles to compute the derivatives with respect to the points, which take most of the
// time.
enum class ProfilePoints { none, wheel, rail, all };

// Held fixed: which elements touch and which stick; the elements of each grid, counted from the
// contact's reference point; which regions form one contact; and the kinks of the profiles.
// Variable: distances, penetration, reference point, plane and creepages of each contact.
class WheelGradient {
 public:
  // step: with the height, roll and pitch velocity that were found. wheel: its solution; it must
  // outlive this. between: called between products and between placements of the wheel; what it
  // throws leaves gradients(). Throws InputError like StepDerivatives.
  WheelGradient(const WheelRailSearch& search, const ContactProblem& bodies, const WheelStep& step,
                const SolvedWheel& wheel, std::function<void()> between = {});
  ~WheelGradient();
  WheelGradient(const WheelGradient&) = delete;
  WheelGradient& operator=(const WheelGradient&) = delete;

  // Gradients of several scalars, one per seed, by one adjoint solution per contact and seed. The
  // first call differentiates the geometry, and keeps a number for each element in contact by each
  // number of the wheelset and each coordinate of a point that matters.
  // Throws like StepDerivatives::gradient(), and Error if a contact appears or vanishes very close
  // to this position.
  std::vector<WheelInputs> gradients(const std::vector<WheelSeed>& seeds,
                                     ProfilePoints points = ProfilePoints::all);

  // Number of elements close to another state, over all contacts.
  [[nodiscard]] std::int64_t near_change() const;

 private:
  class Chain;
  std::unique_ptr<Chain> chain_;
};

}  // namespace slipfield
