// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/wheel_contacts.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "solver/error.h"
#include "solver/number_text.h"

namespace slipfield {
namespace {

constexpr double kSearchSpacing = 0.3;  // of the search, relative to that of the elements

ContactRegion mirrored(ContactRegion region) {
  region.y = -region.y;
  region.angle = -region.angle;
  std::swap(region.y_first, region.y_last);
  std::swap(region.z_first, region.z_last);
  region.y_first = -region.y_first;
  region.y_last = -region.y_last;
  return region;
}

std::int64_t distance_of(const LatticeBox& box, std::int64_t row) {
  return std::max({box.s_first - row, row - box.s_last, std::int64_t{0}});
}

// The rows of the contacts of the step before that each contact of `now` takes.
std::vector<std::vector<TakenRows>> taken_rows(const std::vector<LatticeBox>& now,
                                               std::span<const LatticeBox> before) {
  std::vector<std::vector<TakenRows>> taken(now.size());
  for (std::size_t k = 0; k < before.size(); ++k)
    for (std::int64_t row = before[k].s_first; row <= before[k].s_last; ++row) {
      std::optional<std::size_t> nearest;
      for (std::size_t i = 0; i < now.size(); ++i)
        if (now[i].meets(before[k]) &&
            (!nearest || distance_of(now[i], row) < distance_of(now[*nearest], row)))
          nearest = i;
      if (!nearest) break;  // the contact has vanished
      std::vector<TakenRows>& rows = taken[*nearest];
      if (!rows.empty() && rows.back().contact == k && rows.back().last == row - 1)
        rows.back().last = row;
      else
        rows.push_back({k, row, row});
    }
  return taken;
}

std::string range_text(double first, double last) {
  return number_text(std::min(first, last)) + " to " + number_text(std::max(first, last));
}

WheelRailPosition as_right(const WheelRailPosition& position) {
  return position.side == Side::right ? position : slipfield::mirrored(position);
}

}  // namespace

SearchedRail::SearchedRail(const Profile& rail, const Track& in, double step)
    : track(in), placed(place_rail(rail, in)), samples(sample_rail(placed, step)) {}

const RailHead& SearchedRail::head(const Profile& rail) const {
  std::call_once(has_head_, [&] { head_ = head_of(rail, track.gauge_height); });
  return head_;
}

std::shared_ptr<const SearchedRail> PlacedRails::find(const std::shared_ptr<const Profile>& profile,
                                                      const Track& track, double step) {
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    for (const Entry& entry : entries_)
      if (entry.profile == profile && entry.step == step && entry.rail->track.places_as(track))
        return entry.rail;
  }
  Entry made{profile, step, std::make_shared<const SearchedRail>(*profile, track, step)};
  const std::lock_guard<std::mutex> guard(mutex_);
  if (entries_.size() >= kKept) entries_.pop_back();
  entries_.push_front(made);
  return made.rail;
}

WheelRailSearch::WheelRailSearch(std::shared_ptr<const Profile> wheel,
                                 std::shared_ptr<const Profile> rail, const PatchSettings& settings,
                                 std::shared_ptr<PlacedRails> placed)
    : wheel_(std::move(wheel)),
      rail_(std::move(rail)),
      settings_(settings),
      known_(std::move(placed)) {}

void WheelRailSearch::share_rail(const WheelRailSearch& other) {
  if (other.rail_ != rail_ || other.settings_.spacing_y != settings_.spacing_y) return;
  if (other.placed_ == placed_) return;
  placed_ = other.placed_;
  wheelset_.reset();
}

void WheelRailSearch::look(const WheelRailPosition& right, Side side) {
  if (!placed_ || !placed_->track.places_as(right.track)) {
    const double step = kSearchSpacing * settings_.spacing_y;
    placed_ = known_ ? known_->find(rail_, right.track, step)
                     : std::make_shared<const SearchedRail>(*rail_, right.track, step);
    wheelset_.reset();
  }
  if (wheelset_ && wheelset_->is_above(right.wheelset)) return;
  wheelset_.reset();
  gap_.reset();
  Wheelset at_zero = right.wheelset;
  at_zero.z = 0.0;
  const PlacedRail& rail = placed_->placed;
  const RailSamples& samples = placed_->samples;
  locus_ = contact_locus(*wheel_, place_wheel(at_zero), rail.curvature());
  std::optional<CurveSample> least;
  if (rail.roller_radius > 0.0) {
    gap_ = sample_gap(rail, samples, *locus_);
    least = gap_->least(samples);
  } else {
    least = locus_->least_below(samples.start, samples.step, samples.z);
  }
  if (!least) {
    const double sign = side == Side::right ? 1.0 : -1.0;
    const double wheel_from = locus_->at(locus_->first()).y();
    const double wheel_to = locus_->at(locus_->last()).y();
    const auto [from, to] = std::minmax(wheel_from, wheel_to);
    const double rail_end = samples.y(samples.count() - 1);
    if (std::max(from, std::min(samples.start, rail_end)) <
        std::min(to, std::max(samples.start, rail_end)))
      throw InputError("no distance is found between the wheel and the rail, which lies at z = " +
                       number_text(samples.z.front()) +
                       " mm; accepted: a track and its irregularity within some 1e6 mm of z = 0");
    throw InputError(
        "the wheel is not over the rail: across the track the wheel reaches over y = " +
        range_text(sign * wheel_from, sign * wheel_to) + ", the rail over " +
        range_text(sign * samples.start, sign * rail_end) +
        " mm; accepted: a wheelset on the track");
  }
  touch_ = touch_near(least->k, least->point.at);
  wheelset_ = at_zero;
}

std::optional<WheelRailSearch::Touch> WheelRailSearch::touch_at(double y) const {
  const SplineCurve& rail = placed_->placed.curve;
  const auto on_rail = rail.parameter_at_y(y, SeenFrom::above);
  const auto on_locus = locus_->parameter_at_y(y, SeenFrom::below);
  if (!on_rail || !on_locus) return std::nullopt;
  return Touch{y, *on_rail, rail.at(*on_rail).z(), locus_->at(*on_locus)};
}

// The vertex of the parabola through the gaps of the sample and its neighbours, if the gap is
// smaller there.
WheelRailSearch::Touch WheelRailSearch::touch_near(std::size_t sample,
                                                   const Eigen::Vector3d& locus) const {
  const RailSamples& samples = placed_->samples;
  const PlacedRail& rail = placed_->placed;
  Touch here{samples.y(sample), samples.parameter[sample], samples.z[sample], locus};
  const auto before = touch_at(here.y - samples.step);
  const auto after = touch_at(here.y + samples.step);
  if (!before || !after) return here;
  const double rise = after->gap(rail) - before->gap(rail);
  const double bend = after->gap(rail) + before->gap(rail) - 2.0 * here.gap(rail);
  if (!(bend > 0.0) || !(std::fabs(rise) <= 2.0 * bend)) return here;
  const auto between = touch_at(here.y - 0.5 * rise / bend * samples.step);
  return between && between->gap(rail) < here.gap(rail) ? *between : here;
}

WheelOnRail WheelRailSearch::bodies(const WheelRailPosition& right) const {
  return {wheel_.get(), rail_.get(), &placed_->placed, place_wheel(right.wheelset), right};
}

NearestPoint WheelRailSearch::nearest(const WheelRailPosition& position) {
  const WheelRailPosition right = as_right(position);
  look(right, position.side);
  const WheelOnRail on = bodies(right);
  const double sign = position.side == Side::right ? 1.0 : -1.0;
  const double x = touch_.locus.x();
  const double y = touch_.y;
  NearestPoint point;
  point.x = x;
  point.y = sign * y;
  point.z = touch_.rail_z + on.rail->drop(touch_.rail_z, x);
  const double wheel_z = touch_.locus.z() + right.wheelset.z;
  point.gap = point.z - wheel_z;
  point.angle = sign * inclination(on.rail->curve, touch_.parameter);
  point.rail_y = sign * on.rail->frame.in({x, y, touch_.rail_z}).y();
  const Eigen::Vector3d on_wheel = on.wheel.frame.in({x, y, wheel_z});
  point.wheel_y = sign * on_wheel.y();
  point.radius = std::hypot(on.wheel.radius + on_wheel.z(), on_wheel.x());
  return point;
}

std::vector<ContactRegion> WheelRailSearch::regions_of(const WheelRailPosition& right) {
  if (!gap_) gap_ = sample_gap(placed_->placed, placed_->samples, *locus_);
  return find_regions(placed_->samples, *gap_, right.wheelset.z,
                      0.5 / right.wheelset.nominal_radius + 0.5 * placed_->placed.curvature(),
                      settings_);
}

std::vector<ContactRegion> WheelRailSearch::regions(const WheelRailPosition& position) {
  const WheelRailPosition right = as_right(position);
  look(right, position.side);
  auto regions = regions_of(right);
  if (position.side == Side::left)
    for (ContactRegion& region : regions) region = mirrored(region);
  return regions;
}

std::vector<ContactPatch> WheelRailSearch::patches(const WheelRailPosition& position,
                                                   std::span<const LatticeBox> before) {
  const WheelRailPosition right = as_right(position);
  look(right, position.side);
  const WheelOnRail on = bodies(right);
  const std::vector<ContactRegion> regions = regions_of(right);
  std::vector<LatticeBox> now;
  std::vector<LatticeBox> there(before.begin(), before.end());
  if (!before.empty())
    for (const ContactRegion& region : regions) now.push_back(elements_of(on, region, settings_));
  if (position.side == Side::left)
    for (LatticeBox& box : there) box = slipfield::mirrored(box);
  const std::vector<std::vector<TakenRows>> taken = taken_rows(now, there);
  std::vector<ContactPatch> patches;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    LatticeBox with;
    if (!before.empty())
      for (const TakenRows& rows : taken[i])
        with = united(
            with, {there[rows.contact].x_first, there[rows.contact].x_last, rows.first, rows.last});
    ContactPatch patch = make_patch(on, regions[i], settings_, with);
    if (!before.empty()) patch.takes = taken[i];
    patches.push_back(position.side == Side::right ? std::move(patch) : slipfield::mirrored(patch));
  }
  return patches;
}

std::vector<ContactPatch> WheelRailSearch::patches_on(const WheelRailPosition& position,
                                                      const std::vector<Grid>& grids) {
  const WheelRailPosition right = as_right(position);
  look(right, position.side);
  const WheelOnRail on = bodies(right);
  const std::vector<ContactRegion> regions = regions_of(right);
  if (regions.size() != grids.size())
    throw Error("wheel and rail have " + std::to_string(grids.size()) + " contacts, and " +
                std::to_string(regions.size()) +
                " very near to there; accepted: another position, or another merge_distance");
  std::vector<ContactPatch> patches;
  for (std::size_t i = 0; i < grids.size(); ++i) {
    const bool is_left = position.side == Side::left;
    Grid grid = grids[i];
    if (is_left) grid.y0 = -(grid.y0 + grid.my * grid.dy);
    ContactPatch patch = make_patch(on, regions[i], settings_, {}, &grid);
    patches.push_back(is_left ? slipfield::mirrored(patch) : std::move(patch));
  }
  return patches;
}

WheelRailSearch WheelRailSearch::with_wheel(Profile wheel) const {
  WheelRailSearch other(std::make_shared<const Profile>(std::move(wheel)), rail_, settings_);
  other.placed_ = placed_;
  return other;
}
WheelRailSearch WheelRailSearch::with_rail(Profile rail) const {
  return {wheel_, std::make_shared<const Profile>(std::move(rail)), settings_};
}

PatchCreepages WheelRailSearch::creepages(const WheelRailPosition& position,
                                          const ContactPatch& patch) {
  const WheelRailPosition right = as_right(position);
  look(right, position.side);
  const bool is_left = position.side == Side::left;
  ContactPatch place;  // what creepages depend on
  place.frame = patch.frame;
  place.penetration = patch.penetration;
  place.turn = patch.turn;
  if (is_left) {
    place.frame.rotation = contact_axes(-patch.angle, patch.turn);
    place.frame.origin.y() = -place.frame.origin.y();
  }
  place.rows = is_left ? slipfield::mirrored(patch.rows) : patch.rows;
  const PatchCreepages creepages = patch_creepages(bodies(right), place);
  return is_left ? slipfield::mirrored(creepages) : creepages;
}

}  // namespace slipfield
