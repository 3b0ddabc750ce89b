// SPDX-License-Identifier: Apache-2.0
// Where both wheels of a wheelset touch their rails as it moves across the track, undeformed, and
// the equivalent conicity that follows from their rolling radii (THEORY.md 13.12).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

// found: the roll at which both wheels touch; none: 0, each wheel at the height at which it alone
// touches, as EN 15302 computes the conicity.
enum class AxleRoll { found, none };

struct WheelsetPlace {
  double z = 0.0;  // of the axle; without roll the mean of both wheels' heights
  double roll = 0.0;
  NearestPoint left;
  NearestPoint right;
  [[nodiscard]] double radius_difference() const { return right.radius - left.radius; }
};

// The place at each lateral position of the axle; nothing where a wheel is not over its rail, or no
// roll is found. `searches`: of the left and of the right wheel; `step`: with both wheels, of which
// the tracks, the dimensions of the wheelset and its yaw count.
std::vector<std::optional<WheelsetPlace>> places_across(std::span<WheelRailSearch> searches,
                                                        const WheelsetStep& step,
                                                        const std::vector<double>& y,
                                                        AxleRoll roll);

// The free motion of a wheelset on straight track, y'' = -dr(y)/(e r0), which is periodic about the
// place where dr = 0; the equivalent conicity is that of the cones that have its wave length. It
// depends neither on the distance e of the rolling circles nor on the nominal radius r0.
class KinematicMotion {
 public:
  // The difference of the rolling radii, right less left, linear between these places; y
  // increasing.
  KinematicMotion(std::vector<double> y, std::vector<double> radius_difference);

  // For the amplitude, half of the distance of the two turning points. Nothing where the places end
  // before the motion turns, or it does not turn (a wheelset that leaves the middle); 0 where dr is
  // 0 all over it, so that nothing drives it back.
  [[nodiscard]] std::optional<double> equivalent_conicity(double amplitude) const;

 private:
  struct Motion {
    double first = 0.0;  // where it turns
    double depth = 0.0;  // of the potential between the turning points
  };
  [[nodiscard]] std::size_t piece(double y) const;
  [[nodiscard]] double difference(double y) const;
  [[nodiscard]] double potential(double y) const;  // integral of dr
  [[nodiscard]] bool rests(double first, double amplitude) const;
  [[nodiscard]] double turning_point(double low, double high, double amplitude) const;
  [[nodiscard]] std::optional<double> depth(double first, double amplitude) const;
  [[nodiscard]] double wave_length(const Motion& motion, double amplitude) const;

  std::vector<double> y_;
  std::vector<double> difference_;
  std::vector<double> potential_;
};

}  // namespace slipfield
