// SPDX-License-Identifier: Apache-2.0
// wheel_rail: two profiles, a track and a wheelset's positions, instead of grid, geometry, normal
// and tangential (io/CASE.md).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/case/reader.h"
#include "io/case/sections.h"
#include "solver/wheel_rail/rail_slices.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

const KeyTable& wheel_rail_table();

struct ProfileSource {
  std::filesystem::path path;  // absolute, or as the case has it
  ProfileChanges changes;
  std::shared_ptr<const Profile> profile;  // for slices: the first one
  // The slices of a rail that changes along the track, and their files if the case lists them.
  std::shared_ptr<const RailSlices> slices = {};
  std::vector<std::filesystem::path> files = {};

  // The profile at this place along the track. Throws InputError beyond the slices.
  [[nodiscard]] std::shared_ptr<const Profile> at(double x) const {
    return slices ? std::make_shared<const Profile>(slices->at(x)) : profile;
  }
};

// The profiles of the left and the right wheel or rail, both as if on the right side.
struct SideProfiles {
  ProfileSource left;
  ProfileSource right;
  bool differ = false;  // the case gives keys to one side

  [[nodiscard]] const ProfileSource& of(Side side) const {
    return side == Side::left ? left : right;
  }
};

// A checksum over all points of both, including all slices.
std::uint64_t points_checksum(const SideProfiles& profiles);

// The contact searches of the left and the right wheel.
class SideSearches {
 public:
  SideSearches() = default;
  SideSearches(const SideProfiles& wheels, const SideProfiles& rails, const PatchSettings& settings,
               const std::shared_ptr<PlacedRails>& placed = {});

  // The searches of the step's wheels, with the rails at its place along the track. Throws
  // InputError beyond their slices.
  [[nodiscard]] std::span<WheelRailSearch> of(const WheelsetStep& step);

 private:
  struct One {
    ProfileSource wheel;
    ProfileSource rail;
    double x = 0.0;  // place along the track
  };
  std::vector<WheelRailSearch> searches_;
  std::vector<One> sources_;
};

struct WheelRailCase {
  SideProfiles wheel;
  SideProfiles rail;
  PatchSettings patches;
  std::vector<WheelsetStep> steps;  // each with one wheel or two
  SideSearches searches;            // with the rails of the last step

  // The number of steps, repeats counted; step `number`, from 1, or null beyond the last.
  [[nodiscard]] int count() const;
  [[nodiscard]] const WheelsetStep* step(int number) const;
};

// Reads the rest of a case that has `wheel_rail`; `file` holds its title and units. Its problem
// gets the bodies (upper: the rail), the solver's settings, one step with the friction for each
// position, and the grid of the largest contact of the undeformed bodies. Nothing if the
// diagnostics are not empty at the end.
std::optional<CaseFile> read_wheel_rail(CaseSection& root, const std::filesystem::path& path,
                                        const SweepPosition& position, HeightsFiles& files,
                                        CaseFile file);

// The section `wheel_rail` of a case and its steps, for write_case().
std::string wheel_rail_text(const CaseFile& file);

}  // namespace slipfield
