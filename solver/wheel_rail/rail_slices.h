// SPDX-License-Identifier: Apache-2.0
// A rail whose profile changes along the track, such as a switch or a crossing: profiles at several
// positions, with blending in between (THEORY.md 13.14).
#pragma once

#include <memory>
#include <vector>

#include "solver/wheel_rail/profile.h"

namespace slipfield {

struct RailSlice {
  double position = 0.0;  // [mm] along the track
  std::shared_ptr<const Profile> profile;
  // [mm] Lengths along the profile from the first point of its file: where the parts start that
  // correspond to those of the next slice, and where the last one ends; beyond the profile's
  // length: its end. Empty: one part.
  std::vector<double> features = {};
};

class RailSlices {
 public:
  // Throws InputError: fewer than two slices, positions that do not increase, different numbers of
  // features, features that do not increase or lie outside their profile.
  explicit RailSlices(std::vector<RailSlice> slices);

  [[nodiscard]] double first() const { return slices_.front().position; }
  [[nodiscard]] double last() const { return slices_.back().position; }
  [[nodiscard]] const std::vector<RailSlice>& slices() const { return slices_; }

  // The profile at a position: points at equal fractions of each part's length, interpolated by a
  // natural cubic spline through the slices along the track. Throws InputError outside the first
  // and last slice.
  [[nodiscard]] Profile at(double position) const;
  // Slope of the surface along the track at y of the profile, dz/dx, > 0 downwards; NaN if the
  // profile has no such y.
  [[nodiscard]] double slope(double position, double y) const;

 private:
  [[nodiscard]] std::vector<Eigen::Vector3d> samples_of(const RailSlice& slice) const;

  std::vector<RailSlice> slices_;
  std::vector<int> counts_;  // pieces per part
};

}  // namespace slipfield
