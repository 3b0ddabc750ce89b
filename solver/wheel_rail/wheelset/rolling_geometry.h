// SPDX-License-Identifier: Apache-2.0
// Where both undeformed wheels of a wheelset touch their rails as it moves across the track, and
// the equivalent conicity from their rolling radii (THEORY.md 13.12).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

// found: the roll at which both wheels touch; none: no roll, each wheel at the height at which it
// alone touches, as EN 15302 computes the conicity.
enum class AxleRoll { found, none };

struct WheelsetPlace {
  double z = 0.0;  // of the axle; without roll the mean height of both wheels
  double roll = 0.0;
  NearestPoint left;
  NearestPoint right;
  [[nodiscard]] double radius_difference() const { return right.radius - left.radius; }
};

// The place for each lateral position of the axle; nothing if a wheel is not over its rail, or no
// roll is found. searches: of the left and of the right wheel; step: with both wheels; only its
// tracks, wheelset dimensions and yaw are used.
std::vector<std::optional<WheelsetPlace>> places_across(std::span<WheelRailSearch> searches,
                                                        const WheelsetStep& step,
                                                        const std::vector<double>& y,
                                                        AxleRoll roll);

// The same with more places where a nearest point jumps, and the radii with it, so that a line
// between two places crosses a jump within some 0.001 mm of the axle's shift.
struct PlacesAcross {
  std::vector<double> y;
  std::vector<std::optional<WheelsetPlace>> places;
};
PlacesAcross places_with_jumps(std::span<WheelRailSearch> searches, const WheelsetStep& step,
                               const std::vector<double>& y, AxleRoll roll);

// The free motion of a wheelset on straight track, y'' = -dr(y)/(e r0), which is periodic about the
// place where dr = 0. The equivalent conicity is that of cones with the same wavelength; it depends
// neither on the distance e of the rolling circles nor on the nominal radius r0.
class KinematicMotion {
 public:
  // The difference of the rolling radii, right less left, linear between these places; y must
  // increase.
  KinematicMotion(std::vector<double> y, std::vector<double> radius_difference);

  // The equivalent conicity for an amplitude, half of the distance between the two turning points.
  // Nothing if the places end before the motion turns, or it does not turn (a wheelset that leaves
  // the middle); 0 if dr is 0 over the whole range, so that nothing drives it back.
  [[nodiscard]] std::optional<double> equivalent_conicity(double amplitude) const;

 private:
  struct Motion {
    double first = 0.0;  // first turning point
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
