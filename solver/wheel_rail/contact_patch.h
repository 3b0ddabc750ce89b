// SPDX-License-Identifier: Apache-2.0
// One contact of a wheel on a rail as a contact problem of half-spaces: its tangent plane, the grid
// in it, the undeformed distance, and the creepages (THEORY.md 13.4, 13.5).
//
// Contact coordinates: origin on the rail's surface, x forward, y = s along the rail's surface
// across, n into the rail (down). Body 1 is the rail, body 2 the wheel.
#pragma once

#include <cstddef>
#include <cstdint>
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
  double rolled = 0.0;                  // > 0: in this step of transient rolling; 0: steady
  std::vector<RowCreepages> rows = {};  // of a conformal contact, at x = 0 of each row
};

// A row of elements of a conformal contact: a place on the curved reference surface.
struct ReferenceRow {
  double y = 0.0;  // in contact coordinates
  double n = 0.0;
  double angle = 0.0;  // of the tangent in track coordinates, as that of the contact [rad]
};

// Elements by their whole numbers on a lattice: along x from the axle, across by the length along
// the rail's profile, as s of the contact coordinates. Both ends belong to it.
struct LatticeBox {
  std::int64_t x_first = 0;
  std::int64_t x_last = -1;
  std::int64_t s_first = 0;
  std::int64_t s_last = -1;

  [[nodiscard]] bool is_empty() const { return x_last < x_first || s_last < s_first; }
  [[nodiscard]] bool meets(const LatticeBox& other) const {
    return !is_empty() && !other.is_empty() && x_first <= other.x_last && other.x_first <= x_last &&
           s_first <= other.s_last && other.s_first <= s_last;
  }
};
LatticeBox united(const LatticeBox& a, const LatticeBox& b);
LatticeBox mirrored(const LatticeBox& box);

// Rows of a contact of the step before, counted from 0, whose state a contact takes over.
struct TakenRows {
  std::size_t contact = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
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
  LatticeBox elements;             // of the grid, on the lattice that the settings ask for
  std::vector<TakenRows> takes{};  // from the contacts of the step before

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

// `with`: elements of the lattice that the grid covers too. held: a grid to take in place of one
// that covers the region.
ContactPatch make_patch(const WheelOnRail& bodies, const ContactRegion& region,
                        const PatchSettings& settings, const LatticeBox& with = {},
                        const Grid* held = nullptr);
// The elements that cover the region, on the lattice that the settings ask for. InputError as
// make_patch.
LatticeBox elements_of(const WheelOnRail& bodies, const ContactRegion& region,
                       const PatchSettings& settings);

// The creepages of a patch: those of its reference point, and of the rows of a conformal one.
PatchCreepages patch_creepages(const WheelOnRail& bodies, const ContactPatch& patch);

// As seen in a mirror along the track.
ContactPatch mirrored(const ContactPatch& patch);
PatchCreepages mirrored(const PatchCreepages& creepages);
std::vector<ReferenceRow> mirrored(std::vector<ReferenceRow> rows);

}  // namespace slipfield
