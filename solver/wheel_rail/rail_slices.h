// SPDX-License-Identifier: Apache-2.0
// A rail whose profile changes along the track, such as a switch or a crossing: profiles at
// positions along it, blended between them (THEORY.md 13.14).
#pragma once

#include <memory>
#include <vector>

#include "solver/wheel_rail/profile.h"

namespace slipfield {

struct RailSlice {
  double position = 0.0;  // [mm] along the track
  std::shared_ptr<const Profile> profile;
  // [mm] Along the profile from its first point, at the track's centre: where parts begin that
  // correspond to those of the next slice, and where the last one ends; beyond the profile's
  // length: its end. Empty: one part.
  std::vector<double> features = {};
};

class RailSlices {
 public:
  // InputError: fewer than two slices, positions that do not increase, unlike numbers of features,
  // features that do not increase or lie outside of their profile.
  explicit RailSlices(std::vector<RailSlice> slices);

  [[nodiscard]] double first() const { return slices_.front().position; }
  [[nodiscard]] double last() const { return slices_.back().position; }
  [[nodiscard]] const std::vector<RailSlice>& slices() const { return slices_; }

  // The profile at a position: points at equal shares of the lengths of each part, by a natural
  // cubic spline through the slices along the track. InputError where it is not between the first
  // slice and the last one.
  [[nodiscard]] Profile at(double position) const;
  // How fast the surface falls along the track at y of the profile, dz/dx; not a number where it
  // has no such y.
  [[nodiscard]] double slope(double position, double y) const;

 private:
  [[nodiscard]] std::vector<Eigen::Vector3d> samples_of(const RailSlice& slice) const;

  std::vector<RailSlice> slices_;
  std::vector<int> counts_;  // of the pieces of each part
};

}  // namespace slipfield
