// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/rail_slices.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "solver/error.h"
#include "solver/number_text.h"

namespace slipfield {
namespace {

constexpr double kBlendSpacing = 0.2;           // [mm] of the points of a blended profile
constexpr double kLeastSliceDistance = 1.0e-3;  // [mm] of slices, and of features
constexpr double kSlopeReach = 1.0;             // [mm] on either side, for forming a slope
constexpr int kFewestPieces = 2;                // of a part
// Slices on each side through which the spline along the track passes; the effect of a slice falls
// by a factor of four per slice.
constexpr std::ptrdiff_t kBlended = 12;

std::string place_of(std::size_t slice, const RailSlice& of) {
  return "slice " + std::to_string(slice + 1) + ", at " + number_text(of.position) + " mm";
}

// Lengths along the profile at which its parts start, and at which the last one ends.
std::vector<double> breaks_of(const RailSlice& slice) {
  const double length = slice.profile->curve.last() - slice.profile->curve.first();
  if (slice.features.empty()) return {0.0, length};
  std::vector<double> breaks = slice.features;
  breaks.back() = std::min(breaks.back(), length);
  if (slice.profile->reversed) {
    std::ranges::reverse(breaks);
    for (double& at : breaks) at = length - at;
  }
  return breaks;
}

void check_slice(std::size_t i, const std::vector<RailSlice>& slices) {
  const RailSlice& slice = slices[i];
  if (i > 0 && !(slice.position >= slices[i - 1].position + kLeastSliceDistance))
    throw InputError(place_of(i, slice) +
                     ", is not beyond the slice before it; accepted: positions that increase by "
                     "0.001 mm or more");
  if (slice.features.size() != slices.front().features.size() || slice.features.size() == 1)
    throw InputError(place_of(i, slice) + ", has " + std::to_string(slice.features.size()) +
                     " features; accepted: as many in each slice, none or two and more");
  const std::vector<double> breaks = breaks_of(slice);
  for (std::size_t k = 0; k < breaks.size(); ++k)
    if (!(breaks[k] >= (k == 0 ? 0.0 : breaks[k - 1] + kLeastSliceDistance)))
      throw InputError(
          place_of(i, slice) + ": its feature " + std::to_string(k + 1) + " is " +
          (breaks[k] < 0.0 ? "negative, as of a rail that is interrupted"
                           : "not beyond the one before it") +
          "; accepted: lengths along the profile that increase, the last but one within "
          "it");
}

}  // namespace

RailSlices::RailSlices(std::vector<RailSlice> slices) : slices_(std::move(slices)) {
  if (slices_.size() < 2)
    throw InputError(
        "one slice does not change along the track; accepted: two slices or more, or a "
        "profile");
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    check_slice(i, slices_);
    const std::vector<double> breaks = breaks_of(slices_[i]);
    counts_.resize(breaks.size() - 1, kFewestPieces);
    for (std::size_t k = 0; k + 1 < breaks.size(); ++k)
      counts_[k] = std::max(
          counts_[k], static_cast<int>(std::ceil((breaks[k + 1] - breaks[k]) / kBlendSpacing)));
  }
}

std::vector<Eigen::Vector3d> RailSlices::samples_of(const RailSlice& slice) const {
  const std::vector<double> breaks = breaks_of(slice);
  const SplineCurve& curve = slice.profile->curve;
  std::vector<Eigen::Vector3d> samples;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k)
    for (int i = k == 0 ? 0 : 1; i <= counts_[k]; ++i)
      samples.push_back(
          curve.at(curve.first() + breaks[k] + (breaks[k + 1] - breaks[k]) * i / counts_[k]));
  return samples;
}

Profile RailSlices::at(double position) const {
  if (!(position >= first() && position <= last()))
    throw InputError("x = " + number_text(position) +
                     " mm is beyond the rail's slices, which reach from " + number_text(first()) +
                     " to " + number_text(last()) + " mm; accepted: a position between them");
  const auto after =
      std::upper_bound(slices_.begin() + 1, slices_.end() - 1, position,
                       [](double at, const RailSlice& slice) { return at < slice.position; });
  const auto first_used = after - std::min<std::ptrdiff_t>(after - slices_.begin(), kBlended);
  const auto end_used = after + std::min<std::ptrdiff_t>(slices_.end() - after, kBlended);
  SplineInput along_track;
  std::vector<std::vector<Eigen::Vector3d>> sampled;
  for (auto slice = first_used; slice != end_used; ++slice) {
    along_track.parameter.push_back(slice->position);
    sampled.push_back(samples_of(*slice));
  }
  along_track.points.resize(sampled.size());
  std::vector<ProfilePoint> points;
  for (std::size_t k = 0; k < sampled.front().size(); ++k) {
    for (std::size_t n = 0; n < sampled.size(); ++n) along_track.points[n] = sampled[n][k];
    const Eigen::Vector3d at = SplineCurve(along_track).at(position);
    points.push_back({at.y(), at.z()});
  }
  ProfileChanges as_they_are;
  as_they_are.mirror_y = as_they_are.mirror_z = false;
  as_they_are.unit = LengthUnit::millimetre;
  Profile profile = canonical_profile(ProfileRole::rail, std::move(points), as_they_are);
  profile.warnings.clear();  // the slices have issued theirs
  profile.notes = {"blended at x = " + number_text(position) + " mm"};
  return profile;
}

double RailSlices::slope(double position, double y) const {
  const double before = std::max(first(), position - kSlopeReach);
  const double behind = std::min(last(), position + kSlopeReach);
  const auto height = [&](double x) {
    const Profile profile = at(x);
    const auto s = profile.curve.parameter_at_y(y, SeenFrom::above);
    return s ? profile.curve.at(*s).z() : std::numeric_limits<double>::quiet_NaN();
  };
  return (height(behind) - height(before)) / (behind - before);
}

}  // namespace slipfield
