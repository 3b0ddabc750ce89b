// SPDX-License-Identifier: Apache-2.0
// All contacts of a wheel with its rail at a position of the wheelset: geometry only, nothing is
// deformed (THEORY.md 13.3).
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

// Where wheel and rail are nearest to each other, measured vertically.
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

// A rail as it lies in the track, and its samples for the search.
struct SearchedRail {
  SearchedRail(const Profile& rail, const Track& in, double step);

  Track track;
  PlacedRail placed;
  RailSamples samples;

  // `rail` is the same profile. The head is found by the first call, from any thread.
  [[nodiscard]] const RailHead& head(const Profile& rail) const;

 private:
  mutable std::once_flag has_head_;
  mutable RailHead head_;
};

// Keeps rails that were placed last, for all searches of their profiles; from any thread.
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
  std::deque<Entry> entries_;  // the newest is first
};

// Finds contacts of two profiles; keeps what does not change from one position to the next.
class WheelRailSearch {
 public:
  // Profiles of a wheel and of a rail; the search shares them. placed: where it looks for its rail,
  // or null.
  WheelRailSearch(std::shared_ptr<const Profile> wheel, std::shared_ptr<const Profile> rail,
                  const PatchSettings& settings, std::shared_ptr<PlacedRails> placed = {});

  // InputError where wheel and rail have nothing in common across the track.
  [[nodiscard]] NearestPoint nearest(const WheelRailPosition& position);
  // From the field side to the track's centre; none where the bodies do not touch. InputError as
  // nearest().
  [[nodiscard]] std::vector<ContactRegion> regions(const WheelRailPosition& position);
  // The same as contact problems, with their grids. `before`: the elements that touched in the step
  // before, contact by contact; each contact that meets one of them takes the rows of it that are
  // nearest to it, and its grid covers them (on a lattice).
  [[nodiscard]] std::vector<ContactPatch> patches(const WheelRailPosition& position,
                                                  std::span<const LatticeBox> before = {});
  // The same near the position of patches(), each on the grid of the one that is given of it. Error
  // where there are more contacts or fewer.
  [[nodiscard]] std::vector<ContactPatch> patches_on(const WheelRailPosition& position,
                                                     const std::vector<Grid>& grids);
  // The creepages of a patch of that position; the position's velocities may differ from those of
  // patches().
  [[nodiscard]] PatchCreepages creepages(const WheelRailPosition& position,
                                         const ContactPatch& patch);
  [[nodiscard]] const PatchSettings& settings() const { return settings_; }
  [[nodiscard]] const Profile& wheel() const { return *wheel_; }
  [[nodiscard]] const Profile& rail() const { return *rail_; }
  // The rail where it was at the last position, of the right side.
  [[nodiscard]] const PlacedRail& placed_rail() const { return placed_->placed; }
  [[nodiscard]] const RailHead& rail_head() const { return placed_->head(*rail_); }
  // The search of other profiles.
  [[nodiscard]] WheelRailSearch with_wheel(Profile wheel) const;
  [[nodiscard]] WheelRailSearch with_rail(Profile rail) const;

  // Takes the rail over as `other` has placed it last, where it is of the same profile.
  void share_rail(const WheelRailSearch& other);

 private:
  // Where the vertical gap is least, at the height 0; interpolated between the search's samples.
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
  // As of the right side: what is on the left is seen in a mirror.
  void look(const WheelRailPosition& right, Side side);
  [[nodiscard]] WheelOnRail bodies(const WheelRailPosition& right) const;
  [[nodiscard]] std::vector<ContactRegion> regions_of(const WheelRailPosition& right);

  std::shared_ptr<const Profile> wheel_;
  std::shared_ptr<const Profile> rail_;
  PatchSettings settings_;
  std::shared_ptr<PlacedRails> known_;
  std::shared_ptr<const SearchedRail> placed_;
  // The wheelset at the height 0: a height moves the locus along z alone.
  std::optional<Wheelset> wheelset_;
  std::optional<SplineCurve> locus_;
  Touch touch_;
  std::optional<GapSamples> gap_;
};

}  // namespace slipfield
