// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/wheel_contacts.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "solver/error.h"
#include "solver/number_text.h"

namespace slipfield {
namespace {

constexpr double kSearchSpacing = 0.3;  // of the search, over that of the elements

ContactRegion mirrored(ContactRegion region) {
  region.y = -region.y;
  region.angle = -region.angle;
  std::swap(region.y_first, region.y_last);
  std::swap(region.z_first, region.z_last);
  region.y_first = -region.y_first;
  region.y_last = -region.y_last;
  return region;
}

std::string range_text(double first, double last) {
  return number_text(std::min(first, last)) + " to " + number_text(std::max(first, last));
}

}  // namespace

struct WheelRailSearch::View {
  WheelOnRail bodies;
  GapSamples gap;
};

WheelRailSearch::WheelRailSearch(std::shared_ptr<const Profile> wheel,
                                 std::shared_ptr<const Profile> rail, const PatchSettings& settings)
    : wheel_(std::move(wheel)), rail_(std::move(rail)), settings_(settings) {}

void WheelRailSearch::place(const Track& track) {
  if (track_ && track_->places_as(track)) return;
  placed_.emplace(place_rail(*rail_, track));
  samples_ = sample_rail(*placed_, kSearchSpacing * settings_.spacing_y);
  track_ = track;
}

WheelRailSearch::View WheelRailSearch::look(const WheelRailPosition& position) {
  const WheelRailPosition right =
      position.side == Side::right ? position : slipfield::mirrored(position);
  place(right.track);
  const PlacedWheel wheel = place_wheel(right.wheelset);
  const SplineCurve locus = contact_locus(*wheel_, wheel);
  View view{{wheel_.get(), rail_.get(), *placed_, wheel, right}, sample_gap(samples_, locus)};
  if (view.gap.overlaps) return view;
  const double sign = position.side == Side::right ? 1.0 : -1.0;
  throw InputError(
      "the wheel is not over the rail: across the track the wheel reaches over y = " +
      range_text(sign * locus.at(locus.first()).y(), sign * locus.at(locus.last()).y()) +
      ", the rail over " +
      range_text(sign * samples_.start, sign * samples_.y(samples_.count() - 1)) +
      " mm; accepted: a wheelset on the track");
}

NearestPoint WheelRailSearch::nearest(const WheelRailPosition& position) {
  const View view = look(position);
  const std::size_t i = view.gap.least;
  const double sign = position.side == Side::right ? 1.0 : -1.0;
  const Eigen::Vector3d on_wheel =
      view.bodies.wheel.frame.in({view.gap.x[i], samples_.y(i), view.gap.z[i]});
  NearestPoint point;
  point.gap = view.gap.gap[i];
  point.x = view.gap.x[i];
  point.y = sign * samples_.y(i);
  point.z = samples_.z[i];
  point.angle = sign * samples_.inclination[i];
  const Eigen::Vector3d on_rail =
      view.bodies.rail.frame.in({view.gap.x[i], samples_.y(i), samples_.z[i]});
  point.rail_y = sign * on_rail.y();
  point.wheel_y = sign * on_wheel.y();
  point.radius = std::hypot(view.bodies.wheel.radius + on_wheel.z(), on_wheel.x());
  return point;
}

std::vector<ContactRegion> WheelRailSearch::regions(const WheelRailPosition& position) {
  const View view = look(position);
  auto regions = find_regions(samples_, view.gap, 0.5 / view.bodies.wheel.radius, settings_);
  if (position.side == Side::left)
    for (ContactRegion& region : regions) region = mirrored(region);
  return regions;
}

std::vector<ContactPatch> WheelRailSearch::patches(const WheelRailPosition& position) {
  const View view = look(position);
  std::vector<ContactPatch> patches;
  for (const ContactRegion& region :
       find_regions(samples_, view.gap, 0.5 / view.bodies.wheel.radius, settings_)) {
    ContactPatch patch = make_patch(view.bodies, region, settings_);
    patches.push_back(position.side == Side::right ? std::move(patch) : slipfield::mirrored(patch));
  }
  return patches;
}

}  // namespace slipfield
