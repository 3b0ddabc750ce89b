// SPDX-License-Identifier: Apache-2.0
// One contact of a wheel on a rail as a contact problem of half-spaces: its tangent plane, the grid
// in it, the undeformed distance and the creepages (THEORY.md 13.4, 13.5).
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

// [mm/s]; slower motion does not count as rolling
inline constexpr double kSlowestRolling = 1.0e-6;

// Creepages of one row of a conformal contact: its velocities over that of the contact.
struct RowCreepages {
  double x = 0.0;
  double y = 0.0;  // along the row's own tangent
  double spin = 0.0;
};

struct PatchCreepages {
  double velocity = 0.0;   // V, rolling velocity
  double direction = 0.0;  // 0, or pi if the wheel rolls backwards
  double x = 0.0;          // rail minus wheel, over V; in a shift a length
  double y = 0.0;
  double spin = 0.0;      // [1/mm]; in a shift the rotation
  bool is_shift = false;  // without a velocity
  double rolled = 0.0;    // > 0: distance of this step of transient rolling; 0: steady
  std::vector<RowCreepages> rows = {};  // for a conformal contact, at x = 0 of each row
};

// A row of elements of a conformal contact: its position on the curved reference surface.
struct ReferenceRow {
  double y = 0.0;  // in contact coordinates
  double n = 0.0;
  double angle = 0.0;  // of the tangent in track coordinates, like that of the contact [rad]
};

// A box of elements with integer coordinates on a lattice: along x from the axle; across by the
// length along the rail's profile, like s of the contact coordinates. Both ends are included.
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

// Rows of a contact of the step before, counted from 0, from which a contact takes its state.
struct TakenRows {
  std::size_t contact = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct ContactPatch {
  // The contact coordinates in track coordinates: turned about x by `angle` and, on a roller, with
  // its profile about its axle by `turn`.
  AxesFrame frame;
  double angle = 0.0;
  double turn = 0.0;
  // The origin in the coordinates of the profiles.
  Eigen::Vector3d on_rail = Eigen::Vector3d::Zero();
  Eigen::Vector3d on_wheel = Eigen::Vector3d::Zero();
  Grid grid;
  std::vector<double>
      distance;              // undeformed, least 0, x fastest; +infinity where a body is missing
  double penetration = 0.0;  // of the undeformed bodies along n, i.e. their approach
  // How much the rail's normal turns within the penetration [rad].
  double turning = 0.0;
  bool at_profile_end = false;  // like that of its region
  PatchCreepages creepages;
  // The rows of a conformal contact, one for each iy; y of the grid is then the length along the
  // reference surface, and `distance` is measured along each row's normal. Empty: planar.
  std::vector<ReferenceRow> rows;
  LatticeBox elements;             // of the grid, on the lattice of the settings
  std::vector<TakenRows> takes{};  // from the contacts of the step before

  [[nodiscard]] bool is_conformal() const { return !rows.empty(); }
};

// The axes of a plane with this angle about x, turned about y by `turn` (0: exactly turn_x(angle)).
Eigen::Matrix3d contact_axes(double angle, double turn);

// A wheel on its rail; everything here treats it as the right side.
struct WheelOnRail {
  const Profile* wheel_profile = nullptr;
  const Profile* rail_profile = nullptr;
  const PlacedRail* rail = nullptr;
  PlacedWheel wheel;
  WheelRailPosition position;
};

// with: lattice elements that the grid must also cover. held: use this grid instead of one that
// covers the region.
ContactPatch make_patch(const WheelOnRail& bodies, const ContactRegion& region,
                        const PatchSettings& settings, const LatticeBox& with = {},
                        const Grid* held = nullptr);
// The elements that cover the region, on the lattice of the settings. Throws InputError like
// make_patch().
LatticeBox elements_of(const WheelOnRail& bodies, const ContactRegion& region,
                       const PatchSettings& settings);

// The creepages of a patch: those at its reference point, and of the rows of a conformal patch.
PatchCreepages patch_creepages(const WheelOnRail& bodies, const ContactPatch& patch);

// Mirrors in a plane along the track.
ContactPatch mirrored(const ContactPatch& patch);
PatchCreepages mirrored(const PatchCreepages& creepages);
std::vector<ReferenceRow> mirrored(std::vector<ReferenceRow> rows);

}  // namespace slipfield
