// SPDX-License-Identifier: Apache-2.0
// All contacts of a wheel with its rail at a position of the wheelset: geometry of undeformed
// bodies only (THEORY.md 13.3).
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// Where wheel and rail are closest to each other, measured vertically.
struct NearestPoint {
  double gap = 0.0;  // < 0: they penetrate each other
  // In track coordinates, on the rail.
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  double angle = 0.0;    // of the rail's surface
  double rail_y = 0.0;   // of the rail's profile
  double wheel_y = 0.0;  // of the wheel's profile
  double radius = 0.0;   // of the wheel there: its rolling radius
};

// A rail placed in the track, with its samples for the search.
struct SearchedRail {
  SearchedRail(const Profile& rail, const Track& in, double step);

  Track track;
  PlacedRail placed;
  RailSamples samples;

  // rail: the same profile. The first call, from any thread, finds the head.
  [[nodiscard]] const RailHead& head(const Profile& rail) const;

 private:
  mutable std::once_flag has_head_;
  mutable RailHead head_;
};

// Caches the rails placed last, shared by all searches of their profiles; thread-safe.
class PlacedRails {
 public:
  std::shared_ptr<const SearchedRail> find(const std::shared_ptr<const Profile>& profile,
                                           const Track& track, double step);

 private:
  static constexpr std::size_t kKept = 8;
  struct Entry {
    std::shared_ptr<const Profile> profile;
    double step = 0.0;
    std::shared_ptr<const SearchedRail> rail;
  };
  std::mutex mutex_;
  std::deque<Entry> entries_;  // newest first
};

// Finds the contacts of two profiles; caches what does not change between positions.
class WheelRailSearch {
 public:
  // wheel, rail: the profiles, which the search shares. placed: cache in which to look for the
  // rail, or null.
  WheelRailSearch(std::shared_ptr<const Profile> wheel, std::shared_ptr<const Profile> rail,
                  const PatchSettings& settings, std::shared_ptr<PlacedRails> placed = {});

  // Throws InputError if wheel and rail do not overlap across the track.
  [[nodiscard]] NearestPoint nearest(const WheelRailPosition& position);
  // Ordered from the field side to the track's centre; empty if the bodies do not touch. Throws
  // InputError like nearest().
  [[nodiscard]] std::vector<ContactRegion> regions(const WheelRailPosition& position);
  // The regions as contact problems with their grids. before: the elements that touched in the step
  // before, one box per contact. With a lattice, each contact that meets one of the boxes takes its
  // nearest rows, and its grid covers them.
  [[nodiscard]] std::vector<ContactPatch> patches(const WheelRailPosition& position,
                                                  std::span<const LatticeBox> before = {});
  // The same near the position of patches(), with each contact on the given grid. Throws Error if
  // the number of contacts differs.
  [[nodiscard]] std::vector<ContactPatch> patches_on(const WheelRailPosition& position,
                                                     const std::vector<Grid>& grids);
  // The creepages of a patch at its position; the position's velocities may differ from those of
  // patches().
  [[nodiscard]] PatchCreepages creepages(const WheelRailPosition& position,
                                         const ContactPatch& patch);
  [[nodiscard]] const PatchSettings& settings() const { return settings_; }
  [[nodiscard]] const Profile& wheel() const { return *wheel_; }
  [[nodiscard]] const Profile& rail() const { return *rail_; }
  // The rail as placed at the last position, for the right side.
  [[nodiscard]] const PlacedRail& placed_rail() const { return placed_->placed; }
  [[nodiscard]] const RailHead& rail_head() const { return placed_->head(*rail_); }
  // A search with another profile.
  [[nodiscard]] WheelRailSearch with_wheel(Profile wheel) const;
  [[nodiscard]] WheelRailSearch with_rail(Profile rail) const;

  // Shares the rail that `other` placed last, if it has the same profile.
  void share_rail(const WheelRailSearch& other);

 private:
  // The point of least vertical gap at height 0, interpolated between the search's samples.
  struct Touch {
    double y = 0.0;
    double parameter = 0.0;  // of the rail's curve
    double rail_z = 0.0;
    Eigen::Vector3d locus = Eigen::Vector3d::Zero();

    [[nodiscard]] double gap(const PlacedRail& rail) const {
      return rail_z + rail.drop(rail_z, locus.x()) - locus.z();
    }
  };
  [[nodiscard]] std::optional<Touch> touch_at(double y) const;
  [[nodiscard]] Touch touch_near(std::size_t sample, const Eigen::Vector3d& locus) const;
  // Treated as the right side: the left side is mirrored.
  void look(const WheelRailPosition& right, Side side);
  [[nodiscard]] WheelOnRail bodies(const WheelRailPosition& right) const;
  [[nodiscard]] std::vector<ContactRegion> regions_of(const WheelRailPosition& right);

  std::shared_ptr<const Profile> wheel_;
  std::shared_ptr<const Profile> rail_;
  PatchSettings settings_;
  std::shared_ptr<PlacedRails> known_;
  std::shared_ptr<const SearchedRail> placed_;
  // The wheelset at height 0: the height only moves the locus along z.
  std::optional<Wheelset> wheelset_;
  std::optional<SplineCurve> locus_;
  Touch touch_;
  std::optional<GapSamples> gap_;
};

}  // namespace slipfield
