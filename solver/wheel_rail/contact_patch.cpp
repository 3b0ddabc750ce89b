// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/contact_patch.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "solver/error.h"
#include "solver/number_text.h"
#include "solver/wheel_rail/conformal/conformal_patch.h"
#include "solver/wheel_rail/undeformed_distance.h"

namespace slipfield {
namespace {

constexpr double kGreatestAngle = 0.5 * std::numbers::pi - 1.0e-3;  // of a contact's angle
constexpr double kMostElements = 1 << 20;

// Multiples of the spacing that cover [first, last], plus one more at either end.
std::pair<double, double> covering(double first, double last, double spacing) {
  return {std::floor(first / spacing) - 1.0, std::ceil(last / spacing) + 1.0};
}

// Why a contact of elements_x x elements_y is not solved. At the end of a profile the wheel sinks
// in until the rest of the profile carries the load.
std::string size_text(const ContactRegion& region, const PatchSettings& settings, double elements_x,
                      double elements_y) {
  if (!(elements_x >= 1.0 && elements_y >= 1.0))
    return "the wheel touches the rail where a profile ends, and leaves it no surface to press on; "
           "accepted: another wheelset.y, longer profiles, or a smaller load";
  std::string text = "a contact of " + number_text(elements_x * settings.spacing_x) + " x " +
                     number_text(elements_y * settings.spacing_y) +
                     " mm has more than a million elements of " + number_text(settings.spacing_x) +
                     " x " + number_text(settings.spacing_y) + " mm";
  if (region.at_profile_end)
    return text +
           ", because it reaches the end of a profile, where the rest of the profile is missing; "
           "accepted: another wheelset.y, longer profiles, or a smaller load";
  return text + "; accepted: a wider spacing of the elements, or a smaller load";
}

void require_size(const ContactRegion& region, const PatchSettings& settings, double elements_x,
                  double elements_y) {
  const bool has_size = elements_x >= 1.0 && elements_y >= 1.0;  // false if an end is NaN
  if (!has_size || !(elements_x * elements_y <= kMostElements))
    throw InputError(size_text(region, settings, elements_x, elements_y));
}

double parameter_at(const SplineCurve& curve, double y) {
  return curve.parameter_at_y(y, SeenFrom::above)
      .value_or(curve.at(curve.first()).y() > y ? curve.first() : curve.last());
}

// The reference point of a contact. On a lattice it is an element's centre, and column and row are
// its indices: x is a multiple of the spacing, counted from the axle, s from the start of the
// rail's profile. Otherwise it is the region's reference, with index 0.
struct ReferencePoint {
  double x = 0.0;
  double y = 0.0;
  double s = 0.0;  // parameter of the rail's curve
  std::int64_t column = 0;
  std::int64_t row = 0;
};

ReferencePoint reference_of(const WheelOnRail& bodies, const ContactRegion& region,
                            const PatchSettings& settings) {
  const SplineCurve& rail = bodies.rail->curve;
  ReferencePoint at{region.x, region.y, parameter_at(rail, region.y)};
  if (!settings.lattice || !std::isfinite(at.x) || !std::isfinite(at.s)) return at;
  at.column = std::llround(at.x / settings.spacing_x);
  at.row = std::llround(at.s / settings.spacing_y);
  at.x = static_cast<double>(at.column) * settings.spacing_x;
  at.s = static_cast<double>(at.row) * settings.spacing_y;
  at.y = rail.at(at.s).y();
  return at;
}

LatticeBox elements_of(const WheelOnRail& bodies, const ContactRegion& region,
                       const PatchSettings& settings, const ReferencePoint& at) {
  const SplineCurve& rail = bodies.rail->curve;
  const auto [x0, x1] = covering(region.x_first - at.x, region.x_last - at.x, settings.spacing_x);
  const auto [y0, y1] = covering(parameter_at(rail, region.y_first) - at.s,
                                 parameter_at(rail, region.y_last) - at.s, settings.spacing_y);
  require_size(region, settings, x1 - x0 + 1.0, y1 - y0 + 1.0);
  return {at.column + std::llround(x0), at.column + std::llround(x1), at.row + std::llround(y0),
          at.row + std::llround(y1)};
}

// How much the direction of the rail's surface turns over [from, to].
double turning(const SplineCurve& curve, double from, double to) {
  double least = inclination(curve, from);
  double greatest = least;
  constexpr int kSamples = 20;
  for (int i = 1; i <= kSamples; ++i) {
    const double angle = inclination(curve, from + (to - from) * i / kSamples);
    least = std::min(least, angle);
    greatest = std::max(greatest, angle);
  }
  return greatest - least;
}

// Forms the distance, shifted so that its least value is 0, and the penetration.
void form_distance(const WheelOnRail& bodies, ContactPatch& patch) {
  patch.distance =
      patch.is_conformal() ? conformal_distance(bodies, patch) : distance_over_plane(bodies, patch);
  const double least = *std::min_element(patch.distance.begin(), patch.distance.end());
  if (!std::isfinite(least)) throw InputError(no_surface_text(patch.grid));
  for (double& h : patch.distance) h -= least;
  patch.penetration = -least;
}

// Velocities of the rail's particle at p and the wheel's at q, in track coordinates; in a shift
// displacements.
struct BodyMotion {
  Eigen::Vector3d rail;
  Eigen::Vector3d wheel;
  Eigen::Vector3d rail_rate;
  Eigen::Vector3d wheel_rate;
  double by_pitch = 0.0;  // part of the wheel's motion along x that is due to pitch
};

BodyMotion motion_at(const WheelOnRail& bodies, const Eigen::Vector3d& p,
                     const Eigen::Vector3d& q) {
  const Track& track = bodies.position.track;
  const Wheelset& set = bodies.position.wheelset;
  BodyMotion motion;
  const Eigen::Vector3d rail_origin = bodies.rail->frame.origin;
  const double turning = -set.velocity_x * track.curvature;
  motion.rail_rate = {track.rail_velocity_roll, track.roller_pitch, turning};
  const Eigen::Vector3d roller_axle(0.0, 0.0, track.roller_radius);
  const Eigen::Vector3d by_roller =
      Eigen::Vector3d(0.0, track.roller_pitch, 0.0).cross(p - roller_axle);
  motion.rail =
      Eigen::Vector3d(-turning * rail_origin.y(), track.rail_velocity_y, track.rail_velocity_z) +
      Eigen::Vector3d(track.rail_velocity_roll, 0.0, turning).cross(p - rail_origin) + by_roller;

  const Eigen::Matrix3d& axes = bodies.wheel.axle.rotation;
  const Eigen::Vector3d arm = q - bodies.wheel.axle.origin;
  motion.wheel_rate =
      axes * Eigen::Vector3d(set.velocity_roll, set.velocity_pitch, set.velocity_yaw);
  motion.wheel = Eigen::Vector3d(set.velocity_x, set.velocity_y, set.velocity_z) +
                 motion.wheel_rate.cross(arm);
  motion.by_pitch = (axes * Eigen::Vector3d(0.0, set.velocity_pitch, 0.0)).cross(arm).x();
  return motion;
}

// The motion over `velocity`; the third axis is the normal.
RowCreepages creepages_of(const BodyMotion& motion, const Eigen::Matrix3d& axes, double velocity) {
  const Eigen::Matrix3d to_contact = axes.transpose();
  const Eigen::Vector3d slip = to_contact * (motion.rail - motion.wheel) / velocity;
  return {slip.x(), slip.y(), (to_contact * (motion.rail_rate - motion.wheel_rate)).z() / velocity};
}

// Uses particles of both bodies half the penetration off the reference surface, row by row.
void add_rows(const WheelOnRail& bodies, const ContactPatch& patch, PatchCreepages& creepages) {
  const double velocity = creepages.is_shift ? 1.0 : creepages.velocity;
  for (const ReferenceRow& row : patch.rows) {
    const AxesFrame frame = row_frame(patch, row);
    const Eigen::Vector3d half = 0.5 * patch.penetration * frame.rotation.col(2);
    creepages.rows.push_back(creepages_of(
        motion_at(bodies, frame.origin - half, frame.origin + half), frame.rotation, velocity));
  }
}

Grid grid_over(const LatticeBox& box, const ContactRegion& region, const PatchSettings& settings,
               const ReferencePoint& at) {
  require_size(region, settings, static_cast<double>(box.x_last - box.x_first + 1),
               static_cast<double>(box.s_last - box.s_first + 1));
  Grid grid;
  grid.mx = static_cast<int>(box.x_last - box.x_first + 1);
  grid.my = static_cast<int>(box.s_last - box.s_first + 1);
  grid.dx = settings.spacing_x;
  grid.dy = settings.spacing_y;
  grid.x0 = (static_cast<double>(box.x_first - at.column) - 0.5) * grid.dx;
  grid.y0 = (static_cast<double>(box.s_first - at.row) - 0.5) * grid.dy;
  return grid;
}

}  // namespace

std::string no_surface_text(const Grid& grid) {
  return "wheel and rail have no surface in common near their contact at the centres of elements "
         "of " +
         number_text(grid.dx) + " x " + number_text(grid.dy) +
         " mm; accepted: a smaller wheel_rail.spacing, a higher wheel, or another position";
}

Eigen::Matrix3d contact_axes(double angle, double turn) {
  if (turn == 0.0) return turn_x(angle);
  return turn_y(turn) * turn_x(angle);
}

LatticeBox united(const LatticeBox& a, const LatticeBox& b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {std::min(a.x_first, b.x_first), std::max(a.x_last, b.x_last),
          std::min(a.s_first, b.s_first), std::max(a.s_last, b.s_last)};
}

LatticeBox mirrored(const LatticeBox& box) {
  return {box.x_first, box.x_last, -box.s_last, -box.s_first};
}

LatticeBox elements_of(const WheelOnRail& bodies, const ContactRegion& region,
                       const PatchSettings& settings) {
  return elements_of(bodies, region, settings, reference_of(bodies, region, settings));
}

ContactPatch make_patch(const WheelOnRail& bodies, const ContactRegion& region,
                        const PatchSettings& settings, const LatticeBox& with, const Grid* held) {
  ContactPatch patch;
  const SplineCurve& rail = bodies.rail->curve;
  const ReferencePoint at = reference_of(bodies, region, settings);
  patch.angle = std::clamp(region.angle, -kGreatestAngle, kGreatestAngle);
  const double z = rail.at(at.s).z();
  patch.turn = bodies.rail->turn_to(z, at.x);
  patch.frame = {contact_axes(patch.angle, patch.turn),
                 {at.x, at.y, z + bodies.rail->drop(z, at.x)}};
  patch.on_rail = bodies.rail->frame.in({at.x, at.y, z});
  patch.on_wheel = bodies.wheel.frame.in(patch.frame.origin);

  patch.elements = united(elements_of(bodies, region, settings, at), with);
  patch.grid = held != nullptr ? *held : grid_over(patch.elements, region, settings, at);
  patch.turning =
      turning(rail, parameter_at(rail, region.y_first), parameter_at(rail, region.y_last));
  patch.at_profile_end = region.at_profile_end;
  if (settings.conformal) patch.rows = reference_rows(bodies, patch);
  form_distance(bodies, patch);
  patch.creepages = patch_creepages(bodies, patch);
  return patch;
}

PatchCreepages patch_creepages(const WheelOnRail& bodies, const ContactPatch& patch) {
  const Eigen::Vector3d p = patch.frame.origin;
  const Eigen::Vector3d q = p + patch.penetration * patch.frame.rotation.col(2);
  const BodyMotion motion = motion_at(bodies, p, q);
  const double by_rest = motion.wheel.x() - motion.rail.x() - motion.by_pitch;
  PatchCreepages creepages;
  creepages.rolled = bodies.position.rolled;
  const auto take = [&](double velocity) {
    const RowCreepages found = creepages_of(motion, patch.frame.rotation, velocity);
    creepages.x = found.x;
    creepages.y = found.y;
    creepages.spin = found.spin;
    add_rows(bodies, patch, creepages);
  };
  if (bodies.position.shifts) {
    creepages.is_shift = true;
    take(1.0);
    return creepages;
  }
  bool forward =
      std::fabs(by_rest) >= std::fabs(motion.by_pitch) ? by_rest >= 0.0 : motion.by_pitch <= 0.0;
  creepages.velocity = 0.5 * (std::fabs(by_rest) + std::fabs(motion.by_pitch));
  // both bodies pass through the contact, which is at rest
  if (bodies.position.track.roller_radius > 0.0) {
    const double mean = 0.5 * patch.frame.rotation.col(0).dot(motion.rail + motion.wheel);
    creepages.velocity = std::fabs(mean);
    forward = mean <= 0.0;
  }
  creepages.direction = forward ? 0.0 : std::numbers::pi;
  if (creepages.velocity >= kSlowestRolling) take(creepages.velocity);
  return creepages;
}

PatchCreepages mirrored(const PatchCreepages& creepages) {
  PatchCreepages result = creepages;
  result.y = -creepages.y;
  result.spin = -creepages.spin;
  std::reverse(result.rows.begin(), result.rows.end());
  for (RowCreepages& row : result.rows) {
    row.y = -row.y;
    row.spin = -row.spin;
  }
  return result;
}

std::vector<ReferenceRow> mirrored(std::vector<ReferenceRow> rows) {
  std::reverse(rows.begin(), rows.end());
  for (ReferenceRow& row : rows) {
    row.y = -row.y;
    row.angle = -row.angle;
  }
  return rows;
}

ContactPatch mirrored(const ContactPatch& patch) {
  ContactPatch result = patch;
  result.angle = -patch.angle;
  result.frame.rotation = contact_axes(result.angle, result.turn);
  for (Eigen::Vector3d* point : {&result.frame.origin, &result.on_rail, &result.on_wheel})
    point->y() = -point->y();
  const Grid& grid = patch.grid;
  result.grid.y0 = -(grid.y0 + grid.my * grid.dy);
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix)
      result.distance[grid.index(ix, iy)] = patch.distance[grid.index(ix, grid.my - 1 - iy)];
  result.rows = mirrored(patch.rows);
  result.elements = mirrored(patch.elements);
  for (TakenRows& taken : result.takes) taken = {taken.contact, -taken.last, -taken.first};
  result.creepages = mirrored(patch.creepages);
  return result;
}

}  // namespace slipfield
