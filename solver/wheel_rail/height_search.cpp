// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/height_search.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "solver/error.h"
#include "solver/geometry/hertz_ellipse.h"
#include "solver/number_text.h"

namespace slipfield {
namespace {

// of the tolerance, for the normal problem: the rest is left for the tangential one
constexpr double kShareOfSearch = 0.5;
constexpr double kLeastBracket = 1.0e-7;  // [mm] of heights: the force jumps within it
constexpr double kBracketShare = 2.0e-6;  // of the depth: 3e-6 of a force by Hertz's theory
constexpr int kMostSlowSteps = 2;
constexpr double kEstimateTolerance = 1.0e-3;
constexpr int kMostSolves = 60;
constexpr int kMostEstimates = 60;
constexpr double kDeepest = 20.0;           // [mm]
constexpr double kFirstPenetration = 0.02;  // [mm]

// Finds the next depth below the first touch by F ~ depth^exponent, with the exponent from the last
// two points. If that leads out of the bracket of the force, it interpolates linearly within the
// bracket; if the bracket shrinks too slowly, it takes its middle.
class DepthIteration {
 public:
  DepthIteration(double target, const HeightStart& first)
      : target_(target), depth_(first.depth), known_exponent_(first.exponent) {}

  [[nodiscard]] double depth() const { return depth_; }
  [[nodiscard]] double exponent() const { return known_exponent_; }
  // Whether the bracket contains no further depth.
  [[nodiscard]] bool is_stuck() const {
    return has_high() && high_ - low_ < std::min(kLeastBracket, kBracketShare * high_);
  }
  // Sets depth() to the end of the bracket whose force is nearer.
  void take_nearer() { depth_ = target_ - low_force_ <= high_force_ - target_ ? low_ : high_; }
  [[nodiscard]] double low_force() const { return low_force_; }
  [[nodiscard]] double high_force() const { return high_force_; }

  // Call it if the force at depth() changed and is no longer comparable with earlier ones: drops
  // what they taught, except the exponent.
  void start_again(double force) {
    *this = DepthIteration(target_, {depth_, known_exponent_});
    learn(force);
  }

  void learn(double force) {
    const double width = high_ - low_;
    (force < target_ ? low_ : high_) = depth_;
    (force < target_ ? low_force_ : high_force_) = force;
    slow_steps_ = has_high() && high_ - low_ > 0.5 * width ? slow_steps_ + 1 : 0;
    known_exponent_ = exponent_with(force);
    double next = force > 0.0 ? depth_ * std::pow(target_ / force, 1.0 / known_exponent_) : 0.0;
    last_depth_ = depth_;
    last_force_ = force;
    if (!has_high()) {
      depth_ = next > low_ ? std::min(next, 4.0 * depth_) : 2.0 * depth_;
      return;
    }
    if (next <= low_ || next >= high_)
      next = low_ + (high_ - low_) * (target_ - low_force_) / (high_force_ - low_force_);
    if (slow_steps_ > kMostSlowSteps || next <= low_ || next >= high_) {
      next = 0.5 * (low_ + high_);
      slow_steps_ = 0;
    }
    depth_ = next;
  }

 private:
  [[nodiscard]] bool has_high() const { return high_ > 0.0; }
  [[nodiscard]] double exponent_with(double force) const {
    if (!(last_force_ > 0.0 && force > 0.0) || depth_ == last_depth_) return known_exponent_;
    const double slope = std::log(force / last_force_) / std::log(depth_ / last_depth_);
    return slope > 0.2 && slope < 20.0 ? slope : known_exponent_;
  }

  double target_;
  double depth_;
  double low_ = 0.0;  // its force is too small
  double low_force_ = 0.0;
  double high_ = 0.0;  // its force is too great; 0: not known
  double high_force_ = 0.0;
  double last_depth_ = 0.0;
  double last_force_ = 0.0;
  double known_exponent_;  // used if two points do not give one
  int slow_steps_ = 0;
};

}  // namespace

double estimated_force(const ContactRegion& region, const WheelRailPosition& position,
                       const CombinedMaterial& material) {
  const double roller = position.track.roller_radius;
  const double along = 0.5 / position.wheelset.nominal_radius + (roller > 0.0 ? 0.5 / roller : 0.0);
  const double half_width = 0.5 * std::fabs(region.y_last - region.y_first);
  if (!(half_width > 0.0)) return 0.0;
  const double depth = -region.least_gap;
  const double across = depth / (half_width * half_width);
  return hertz_ellipse(along, across, {NormalControl::approach, depth * std::cos(region.angle)},
                       material.contact_modulus())
      .force;
}

double estimated_vertical_force(WheelRailSearch& search, const WheelRailPosition& position,
                                const CombinedMaterial& material) {
  double force = 0.0;
  for (const ContactRegion& region : search.regions(position))
    force += std::cos(region.angle) * estimated_force(region, position, material);
  return force;
}

namespace {

// A wheel does not reach the tread of a rail that is turned far: then the turn is to blame, not the
// force.
std::string turned_text(const WheelRailPosition& position) {
  constexpr double kFar = 0.2;  // [rad] rails are inclined by 1:20 or 1:40, curves canted by .1
  const double turn = position.track.rail_roll;
  if (!(std::fabs(turn) > kFar)) return "; accepted: less force";
  return ", which is turned by " + number_text(turn) +
         " rad about its length; accepted: a rail turned by up to " + number_text(kFar) +
         " rad, or less force";
}

// Whether an end of the profile is near a place on it.
enum class ProfileEnd { none, inner, outer };  // inner: towards the track's centre

// y: canonical, i.e. for a right rail or wheel.
ProfileEnd end_near(const Profile& profile, double y) {
  constexpr double kNear = 1.0;  // [mm]
  const auto [least, greatest] = std::ranges::minmax_element(profile.points, {}, &ProfilePoint::y);
  if (y - least->y < kNear) return ProfileEnd::inner;
  return greatest->y - y < kNear ? ProfileEnd::outer : ProfileEnd::none;
}

// Explains a missing height by a profile that ends where the wheel touches the rail. Empty if none
// does.
std::string end_text(WheelRailSearch& search, WheelRailPosition position, double force) {
  position.wheelset.z = 0.0;
  const NearestPoint touch = search.nearest(position);
  const double sign = position.side == Side::right ? 1.0 : -1.0;
  const auto sentence = [&](const std::string& whose, double y, const std::string& missing,
                            const std::string& accepted) {
    return "the profile of the " + whose + " ends where the two touch, at y = " + number_text(y) +
           " mm: it has no " + missing + " there that could carry " + number_text(force) +
           " N; accepted: " + accepted + ", or another wheelset.y";
  };
  const ProfileEnd of_rail = end_near(search.rail(), sign * touch.rail_y);
  if (of_rail != ProfileEnd::none)
    return sentence("rail", touch.rail_y,
                    of_rail == ProfileEnd::inner ? "gauge face" : "outer side",
                    "a rail whose profile continues there");
  const ProfileEnd of_wheel = end_near(search.wheel(), sign * touch.wheel_y);
  if (of_wheel == ProfileEnd::none) return {};
  return sentence("wheel", touch.wheel_y, of_wheel == ProfileEnd::inner ? "flange" : "tread",
                  "a wheel whose profile continues there");
}

// Repeats the warnings about the profiles, which may be the reason and would be lost when the run
// ends.
std::string profile_doubts(const WheelRailSearch& search) {
  std::string text;
  for (const auto& [name, profile] :
       {std::pair{"rail", &search.rail()}, std::pair{"wheel", &search.wheel()}})
    if (!profile->warnings.empty())
      text += std::string(". The profile of the ") + name + ": " + profile->warnings.front();
  return text;
}

// Explains that the two touch but no force arises however deep the wheel is pressed: its surface is
// vertical there, or one surface lies behind the other.
std::string no_force_text(WheelRailSearch& search, WheelRailPosition position) {
  position.wheelset.z = 0.0;
  const NearestPoint touch = search.nearest(position);
  return "no vertical force arises where the two touch, at y = " + number_text(touch.rail_y) +
         " mm of the rail's profile and " + number_text(touch.wheel_y) +
         " mm of the wheel's; accepted: profiles that are upright and have their surfaces there, "
         "or another wheelset.y";
}

// The height at which the vertical gap closes.
double touching_height(WheelRailSearch& search, WheelRailPosition position) {
  position.wheelset.z = 0.0;
  return search.nearest(position).gap;
}

// Throws because no searched depth gives the force; any: whether some force arises.
[[noreturn]] void refuse_depth(WheelRailSearch& search, const WheelRailPosition& position,
                               double force, bool any) {
  const std::string at_end = end_text(search, position, force);
  const std::string doubts = profile_doubts(search);
  if (!at_end.empty()) throw InputError(at_end + doubts);
  if (!any) throw InputError(no_force_text(search, position) + doubts);
  throw InputError("a vertical force of " + number_text(force) +
                   " N would press the undeformed wheel more than " + number_text(kDeepest) +
                   " mm into the rail" + turned_text(position) + doubts);
}

}  // namespace

double estimated_height(WheelRailSearch& search, const WheelRailPosition& position,
                        const CombinedMaterial& material, double force) {
  WheelRailPosition at = position;
  const double touch = touching_height(search, position);
  DepthIteration estimate(force, {kFirstPenetration});
  double most = 0.0;  // estimated force
  for (int i = 0; i < kMostEstimates && !estimate.is_stuck(); ++i) {
    at.wheelset.z = touch + estimate.depth();
    const double estimated = estimated_vertical_force(search, at, material);
    if (std::fabs(estimated - force) <= kEstimateTolerance * force) break;
    estimate.learn(estimated);
    most = std::max(most, estimated);
    const bool looks_on = estimate.depth() <= kDeepest;  // false for NaN
    if (!looks_on) refuse_depth(search, position, force, most > 0.0);
  }
  return touch + estimate.depth();
}

HeightResult find_height(WheelRailSearch& search, const WheelRailPosition& position,
                         const CombinedMaterial& material, double force, LoadedWheel& wheel,
                         const std::optional<HeightStart>& start, double tolerance) {
  const double touch = touching_height(search, position);
  DepthIteration iteration(
      force,
      start ? *start : HeightStart{estimated_height(search, position, material, force) - touch});
  HeightResult result;
  bool any = false;    // a force was found
  bool known = false;  // its tangential part comes from a complete solution
  const auto solve_at = [&](double depth) {
    result.z = touch + depth;
    result.next = {depth, iteration.exponent()};
    return wheel.normal_problem(result.z);
  };
  const auto complete = [&] {
    const double found = wheel.complete();
    known = true;
    result.met = std::fabs(found - force) <= tolerance * force;
    return found;
  };
  for (int i = 0; i < kMostSolves; ++i) {
    const bool jumps = iteration.is_stuck();
    if (jumps) iteration.take_nearer();
    const double found = solve_at(iteration.depth());
    const bool looks_met = std::fabs(found - force) <= kShareOfSearch * tolerance * force;
    if (!looks_met && !jumps) {
      iteration.learn(found);
      any = any || found > 0.0;
      const bool looks_on = iteration.depth() <= kDeepest;
      if (!looks_on) refuse_depth(search, position, force, any);
      continue;
    }
    // With an assumed tangential part the force may jump across the wanted one, although with the
    // true part it reaches it elsewhere.
    const bool was_known = known;
    const double whole = complete();
    if (result.met) return result;
    if (jumps && (was_known || std::fabs(whole - found) <= kShareOfSearch * tolerance * force)) {
      result.jumps = true;
      result.below = iteration.low_force();
      result.above = iteration.high_force();
      return result;
    }
    iteration.start_again(whole);
  }
  solve_at(iteration.depth());
  complete();
  return result;
}

}  // namespace slipfield
