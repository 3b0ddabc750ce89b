// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/wheelset/rolling_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kNoDifference = 1.0e-6;  // [mm] of radii; smaller ones are rounding
constexpr int kWellSamples = 200;         // between the turning points
constexpr int kPhases = 4000;             // samples of the integral over a motion
constexpr int kBisections = 60;
constexpr double kJumpOfPoint = 0.5;    // [mm] along a profile between neighbouring places
constexpr double kJumpOfRadii = 0.005;  // [mm]; less changes no conicity
constexpr double kJumpWidth = 1.0e-3;   // [mm] of the axle's shift

std::optional<WheelsetPlace> place_at(std::span<WheelRailSearch> searches, WheelsetStep step,
                                      double y, AxleRoll roll) {
  for (WheelStep& wheel : step.wheels) {
    wheel.position.wheelset.y = y;
    wheel.position.wheelset.z = 0.0;
    wheel.position.wheelset.roll = 0.0;
  }
  WheelsetPlace place;
  try {
    if (roll == AxleRoll::found) {
      step.geometry_only = step.touching = true;
      const AxlePose pose = estimated_pose(searches, {}, step);
      place.z = pose.z;
      place.roll = pose.roll;
      for (WheelStep& wheel : step.wheels) {
        wheel.position.wheelset.z = pose.z;
        wheel.position.wheelset.roll = pose.roll;
      }
    }
    place.left = searches[0].nearest(step.wheels[0].position);
    place.right = searches[1].nearest(step.wheels[1].position);
  } catch (const InputError&) {
    return std::nullopt;
  }
  if (roll == AxleRoll::none) place.z = 0.5 * (place.left.gap + place.right.gap);
  return place;
}

bool jumps(const WheelsetPlace& a, const WheelsetPlace& b) {
  return std::fabs(a.radius_difference() - b.radius_difference()) > kJumpOfRadii &&
         std::max(std::fabs(a.left.wheel_y - b.left.wheel_y),
                  std::fabs(a.right.wheel_y - b.right.wheel_y)) > kJumpOfPoint;
}

}  // namespace

std::vector<std::optional<WheelsetPlace>> places_across(std::span<WheelRailSearch> searches,
                                                        const WheelsetStep& step,
                                                        const std::vector<double>& y,
                                                        AxleRoll roll) {
  std::vector<std::optional<WheelsetPlace>> places;
  places.reserve(y.size());
  for (const double at : y) places.push_back(place_at(searches, step, at, roll));
  return places;
}

PlacesAcross places_with_jumps(std::span<WheelRailSearch> searches, const WheelsetStep& step,
                               const std::vector<double>& y, AxleRoll roll) {
  const auto places = places_across(searches, step, y, roll);
  PlacesAcross found;
  for (std::size_t i = 0; i < y.size(); ++i) {
    // Halves the last piece until the places at its ends are near each other.
    std::vector<std::pair<double, std::optional<WheelsetPlace>>> ahead{{y[i], places[i]}};
    while (!ahead.empty()) {
      const auto [next, place] = ahead.back();
      const bool halve = place && !found.y.empty() && found.places.back() &&
                         next - found.y.back() > kJumpWidth && jumps(*found.places.back(), *place);
      if (halve) {
        const double middle = 0.5 * (found.y.back() + next);
        ahead.emplace_back(middle, place_at(searches, step, middle, roll));
        continue;
      }
      found.y.push_back(next);
      found.places.push_back(place);
      ahead.pop_back();
    }
  }
  return found;
}

KinematicMotion::KinematicMotion(std::vector<double> y, std::vector<double> radius_difference)
    : y_(std::move(y)), difference_(std::move(radius_difference)), potential_(y_.size(), 0.0) {
  for (std::size_t i = 1; i < y_.size(); ++i)
    potential_[i] =
        potential_[i - 1] + 0.5 * (y_[i] - y_[i - 1]) * (difference_[i - 1] + difference_[i]);
}

std::size_t KinematicMotion::piece(double y) const {
  const auto after = std::upper_bound(y_.begin(), y_.end(), y);
  const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - y_.begin() - 1, 0));
  return std::min(i, y_.size() - 2);
}

double KinematicMotion::difference(double y) const {
  const std::size_t i = piece(y);
  const double share = (y - y_[i]) / (y_[i + 1] - y_[i]);
  return difference_[i] + share * (difference_[i + 1] - difference_[i]);
}

double KinematicMotion::potential(double y) const {
  const std::size_t i = piece(y);
  return potential_[i] + 0.5 * (y - y_[i]) * (difference_[i] + difference(y));
}

bool KinematicMotion::rests(double first, double amplitude) const {
  const double last = first + 2.0 * amplitude;
  if (std::fabs(difference(first)) > kNoDifference || std::fabs(difference(last)) > kNoDifference)
    return false;
  for (std::size_t i = piece(first) + 1; i < y_.size() && y_[i] < last; ++i)
    if (std::fabs(difference_[i]) > kNoDifference) return false;
  return true;
}

// Finds, between `low` and `high`, where a motion of this amplitude ends with the potential that it
// started with.
double KinematicMotion::turning_point(double low, double high, double amplitude) const {
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    (potential(middle + 2.0 * amplitude) > potential(middle) ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

// Nothing if the potential is higher somewhere between the turning points: the motion turns there.
std::optional<double> KinematicMotion::depth(double first, double amplitude) const {
  const double top = potential(first);
  double least = top;
  for (int i = 1; i < kWellSamples; ++i) {
    const double here = potential(first + 2.0 * amplitude * i / kWellSamples);
    if (here >= top) return std::nullopt;
    least = std::min(least, here);
  }
  return top - least;
}

// Wavelength for e r0 = 1. With y = middle + amplitude sin(phase) the integrand is finite at the
// turning points.
double KinematicMotion::wave_length(const Motion& motion, double amplitude) const {
  const double top = potential(motion.first);
  const double middle = motion.first + amplitude;
  double sum = 0.0;
  for (int i = 0; i < kPhases; ++i) {
    const double phase = std::numbers::pi * ((i + 0.5) / kPhases - 0.5);
    const double fall = top - potential(middle + amplitude * std::sin(phase));
    if (fall > 0.0) sum += std::cos(phase) / std::sqrt(2.0 * fall);
  }
  return 2.0 * amplitude * sum * std::numbers::pi / kPhases;
}

std::optional<double> KinematicMotion::equivalent_conicity(double amplitude) const {
  if (y_.size() < 2 || !(amplitude > 0.0)) return std::nullopt;
  std::optional<Motion> deepest;
  double before = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < y_.size() && y_[i] + 2.0 * amplitude <= y_.back(); ++i) {
    if (rests(y_[i], amplitude)) return 0.0;
    const double rise = potential(y_[i] + 2.0 * amplitude) - potential(y_[i]);
    if (i > 0 && before <= 0.0 && rise > 0.0) {
      const double first = turning_point(y_[i - 1], y_[i], amplitude);
      const auto found = depth(first, amplitude);
      if (found && (!deepest || *found > deepest->depth)) deepest = Motion{first, *found};
    }
    before = rise;
  }
  if (!deepest) return std::nullopt;
  // tan(gamma) = (2 pi/L)^2 e r0/2 [Klingel]
  const double turns = 2.0 * std::numbers::pi / wave_length(*deepest, amplitude);
  return 0.5 * turns * turns;
}

}  // namespace slipfield
