// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/contact_patch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "solver/error.h"
#include "solver/wheel_rail/wheel_mesh.h"

namespace slipfield {
namespace {

constexpr double kGreatestAngle = 0.5 * std::numbers::pi - 1.0e-3;  // of a contact's angle
constexpr int kMostRollerSteps = 20;
constexpr int kMostElements = 1 << 20;

// Whole multiples of the spacing that cover [first, last], and one more at either end.
std::pair<int, int> covering(double first, double last, double spacing) {
  const double low = std::floor(first / spacing) - 1.0;
  const double high = std::ceil(last / spacing) + 1.0;
  if (!(high - low < kMostElements))
    throw InputError("a contact is longer than a million elements; accepted: a wider spacing");
  return {static_cast<int>(low), static_cast<int>(high)};
}

double parameter_at(const SplineCurve& curve, double y) {
  return curve.parameter_at_y(y, SeenFrom::above)
      .value_or(curve.at(curve.first()).y() > y ? curve.first() : curve.last());
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

// n of a roller's surface at (x, y) of the contact coordinates; s: where the curve has that y.
double roller_normal_at(const PlacedRail& roller, const AxesFrame& frame, double x, double y,
                        double s) {
  const double x_track = frame.origin.x() + x;
  const Eigen::Vector3d across = frame.rotation.col(1);
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();
  for (int step = 0; step < kMostRollerSteps; ++step) {
    const Eigen::Vector3d at = roller.curve.at(s);
    offset = at - frame.origin;
    offset.z() += roller.drop(at.z(), x_track);
    const double off = across.dot(offset) - y;
    if (std::fabs(off) < 1e-12) break;
    s -= off / across.dot(roller.curve.tangent(s));
  }
  return frame.rotation.col(2).dot(offset);
}

// h = n of the rail's surface less n of the wheel's, at the element centres; not shifted yet.
void form_distance(const WheelOnRail& bodies, ContactPatch& patch) {
  const Grid& grid = patch.grid;
  const SplineCurve rail = bodies.rail->curve.moved(patch.frame.inverse());
  const std::vector<CurvePoint> on_rail =
      rail.points_at_y(grid.y(0), grid.dy, static_cast<std::size_t>(grid.my), SeenFrom::above);
  const bool is_roller = bodies.rail->roller_radius > 0.0;
  const WheelMesh wheel(*bodies.wheel_profile, bodies.wheel, patch);
  patch.distance.assign(grid.count(), std::numeric_limits<double>::infinity());
  double least = std::numeric_limits<double>::infinity();
  for (int iy = 0; iy < grid.my; ++iy) {
    const CurvePoint& across = on_rail[static_cast<std::size_t>(iy)];
    if (std::isnan(across.s)) continue;
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double n_rail =
          is_roller ? roller_normal_at(*bodies.rail, patch.frame, grid.x(ix), grid.y(iy), across.s)
                    : across.at.z();
      if (!std::isfinite(n_rail)) continue;
      const double n_wheel = wheel.normal_at(grid.x(ix), grid.y(iy));
      if (std::isnan(n_wheel)) continue;
      double& h = patch.distance[grid.index(ix, iy)];
      h = n_rail - n_wheel;
      least = std::min(least, h);
    }
  }
  if (!std::isfinite(least))
    throw InputError(
        "wheel and rail have no surface in common near their contact; accepted: a higher wheel, or "
        "another position");
  for (double& h : patch.distance) h -= least;
  patch.penetration = -least;
}

}  // namespace

ContactPatch make_patch(const WheelOnRail& bodies, const ContactRegion& region,
                        const PatchSettings& settings) {
  ContactPatch patch;
  const SplineCurve& rail = bodies.rail->curve;
  const double s = parameter_at(rail, region.y);
  patch.angle = std::clamp(region.angle, -kGreatestAngle, kGreatestAngle);
  const double z = rail.at(s).z();
  patch.frame = {turn_x(patch.angle), {region.x, region.y, z + bodies.rail->drop(z, region.x)}};
  patch.on_rail = bodies.rail->frame.in(patch.frame.origin);
  patch.on_wheel = bodies.wheel.frame.in(patch.frame.origin);

  const double s_first = parameter_at(rail, region.y_first);
  const double s_last = parameter_at(rail, region.y_last);
  const auto [x0, x1] =
      covering(region.x_first - region.x, region.x_last - region.x, settings.spacing_x);
  const auto [y0, y1] = covering(s_first - s, s_last - s, settings.spacing_y);
  Grid& grid = patch.grid;
  grid.mx = x1 - x0 + 1;
  grid.my = y1 - y0 + 1;
  grid.dx = settings.spacing_x;
  grid.dy = settings.spacing_y;
  grid.x0 = (x0 - 0.5) * grid.dx;
  grid.y0 = (y0 - 0.5) * grid.dy;
  if (grid.count() > kMostElements)
    throw InputError("a contact has more than a million elements; accepted: a wider spacing");
  patch.turning = turning(rail, s_first, s_last);
  patch.at_profile_end = region.at_profile_end;
  form_distance(bodies, patch);
  patch.creepages = patch_creepages(bodies, patch);
  return patch;
}

PatchCreepages patch_creepages(const WheelOnRail& bodies, const ContactPatch& patch) {
  const Track& track = bodies.position.track;
  const Wheelset& set = bodies.position.wheelset;
  const Eigen::Vector3d p = patch.frame.origin;
  const Eigen::Vector3d q = p + patch.penetration * patch.frame.rotation.col(2);

  const Eigen::Vector3d rail_origin = bodies.rail->frame.origin;
  const double turning = -set.velocity_x * track.curvature;
  const Eigen::Vector3d rail_rate(track.rail_velocity_roll, track.roller_pitch, turning);
  const Eigen::Vector3d roller_axle(0.0, 0.0, track.roller_radius);
  const Eigen::Vector3d by_roller =
      Eigen::Vector3d(0.0, track.roller_pitch, 0.0).cross(p - roller_axle);
  const Eigen::Vector3d rail_velocity =
      Eigen::Vector3d(-turning * rail_origin.y(), track.rail_velocity_y, track.rail_velocity_z) +
      Eigen::Vector3d(track.rail_velocity_roll, 0.0, turning).cross(p - rail_origin) + by_roller;

  const Eigen::Matrix3d& axes = bodies.wheel.axle.rotation;
  const Eigen::Vector3d arm = q - bodies.wheel.axle.origin;
  const Eigen::Vector3d wheel_rate =
      axes * Eigen::Vector3d(set.velocity_roll, set.velocity_pitch, set.velocity_yaw);
  const Eigen::Vector3d wheel_velocity =
      Eigen::Vector3d(set.velocity_x, set.velocity_y, set.velocity_z) + wheel_rate.cross(arm);

  const double by_pitch = (axes * Eigen::Vector3d(0.0, set.velocity_pitch, 0.0)).cross(arm).x();
  const double by_rest = wheel_velocity.x() - rail_velocity.x() - by_pitch;
  const Eigen::Matrix3d to_contact = patch.frame.rotation.transpose();
  PatchCreepages creepages;
  if (bodies.position.shifts) {
    const Eigen::Vector3d shift = to_contact * (rail_velocity - wheel_velocity);
    creepages.x = shift.x();
    creepages.y = shift.y();
    creepages.spin = (to_contact * (rail_rate - wheel_rate)).z();
    creepages.is_shift = true;
    return creepages;
  }
  bool forward = std::fabs(by_rest) >= std::fabs(by_pitch) ? by_rest >= 0.0 : by_pitch <= 0.0;
  creepages.velocity = 0.5 * (std::fabs(by_rest) + std::fabs(by_pitch));
  if (track.roller_radius > 0.0) {  // both surfaces pass through the contact, which stays
    const double mean = 0.5 * (rail_velocity.x() + wheel_velocity.x());
    creepages.velocity = std::fabs(mean);
    forward = mean <= 0.0;
  }
  creepages.direction = forward ? 0.0 : std::numbers::pi;
  if (creepages.velocity < kSlowestRolling) return creepages;
  const Eigen::Vector3d slip = to_contact * (rail_velocity - wheel_velocity) / creepages.velocity;
  creepages.x = slip.x();
  creepages.y = slip.y();
  creepages.spin = (to_contact * (rail_rate - wheel_rate)).z() / creepages.velocity;
  return creepages;
}

ContactPatch mirrored(const ContactPatch& patch) {
  ContactPatch result = patch;
  result.angle = -patch.angle;
  result.frame.rotation = turn_x(result.angle);
  for (Eigen::Vector3d* point : {&result.frame.origin, &result.on_rail, &result.on_wheel})
    point->y() = -point->y();
  const Grid& grid = patch.grid;
  result.grid.y0 = -(grid.y0 + grid.my * grid.dy);
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix)
      result.distance[grid.index(ix, iy)] = patch.distance[grid.index(ix, grid.my - 1 - iy)];
  result.creepages.y = -patch.creepages.y;
  result.creepages.spin = -patch.creepages.spin;
  return result;
}

}  // namespace slipfield
