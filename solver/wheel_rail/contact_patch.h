// SPDX-License-Identifier: Apache-2.0
// One contact of a wheel on a rail as a contact problem of half-spaces: its tangent plane, the grid
// in it, the undeformed distance, and the creepages (THEORY.md 13.4, 13.5).
//
// Contact coordinates: origin on the rail's surface, x forward, y = s along the rail's surface
// across, n into the rail (down). Body 1 is the rail, body 2 the wheel.
#pragma once

#include <vector>

#include "solver/grid.h"
#include "solver/wheel_rail/contact_search.h"

namespace slipfield {

inline constexpr double kSlowestRolling = 1.0e-6;  // [mm/s]: below it nothing rolls

// Velocities of one row of a conformal contact over that of the contact.
struct RowCreepages {
  double x = 0.0;
  double y = 0.0;  // along the row's own tangent
  double spin = 0.0;
};

struct PatchCreepages {
  double velocity = 0.0;   // V, of the rolling
  double direction = 0.0;  // 0, or pi where the wheel rolls backwards
  double x = 0.0;          // rail minus wheel, over V; of a shift lengths
  double y = 0.0;
  double spin = 0.0;                    // [1/mm]; of a shift the rotation
  bool is_shift = false;                // which has no velocity
  std::vector<RowCreepages> rows = {};  // of a conformal contact, at x = 0 of each row
};

// A row of elements of a conformal contact: a place on the curved reference surface.
struct ReferenceRow {
  double y = 0.0;  // in contact coordinates
  double n = 0.0;
  double angle = 0.0;  // of the tangent in track coordinates, as that of the contact [rad]
};

struct ContactPatch {
  AxesFrame frame;  // of the contact coordinates in track coordinates: turned about x by `angle`
  double angle = 0.0;
  // The origin in the profiles' coordinates.
  Eigen::Vector3d on_rail = Eigen::Vector3d::Zero();
  Eigen::Vector3d on_wheel = Eigen::Vector3d::Zero();
  Grid grid;
  std::vector<double>
      distance;              // undeformed, least 0, x fastest; +infinity where a body is missing
  double penetration = 0.0;  // of the undeformed bodies along n, their approach
  // How much the rail's normal turns within the penetration [rad].
  double turning = 0.0;
  bool at_profile_end = false;  // as of its region
  PatchCreepages creepages;
  // The rows of a conformal contact, one for each iy; y of the grid is then the length along the
  // reference surface, and `distance` is along the normal of each row. Planar: none.
  std::vector<ReferenceRow> rows;

  [[nodiscard]] bool is_conformal() const { return !rows.empty(); }
};

// A wheel on its rail, on the right side, as everything here.
struct WheelOnRail {
  const Profile* wheel_profile = nullptr;
  const Profile* rail_profile = nullptr;
  const PlacedRail* rail = nullptr;
  PlacedWheel wheel;
  WheelRailPosition position;
};

// held: a grid to take in place of one that covers the region.
ContactPatch make_patch(const WheelOnRail& bodies, const ContactRegion& region,
                        const PatchSettings& settings, const Grid* held = nullptr);

// The creepages of a patch: those of its reference point, and of the rows of a conformal one.
PatchCreepages patch_creepages(const WheelOnRail& bodies, const ContactPatch& patch);

// As seen in a mirror along the track.
ContactPatch mirrored(const ContactPatch& patch);
PatchCreepages mirrored(const PatchCreepages& creepages);
std::vector<ReferenceRow> mirrored(std::vector<ReferenceRow> rows);

}  // namespace slipfield
