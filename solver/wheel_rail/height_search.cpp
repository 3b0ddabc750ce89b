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
constexpr double kLeastTaught = 1.0e-5;   // of the depth: within it forces differ by their errors
constexpr int kMostSlowSteps = 2;
constexpr double kSlowForce = 0.25;  // part of a force's error that a slow step leaves
constexpr double kEstimateTolerance = 1.0e-3;
constexpr int kMostSolves = 150;
constexpr int kMostNormals = 20;  // between two complete solutions
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
  // Whether depth() is the middle of the bracket, since the forces lead on too slowly.
  [[nodiscard]] bool halves() const { return halves_; }
  [[nodiscard]] bool is_end(double depth) const { return depth == low_ || depth == high_; }
  // Whether its bracket has an end in common with `other`.
  [[nodiscard]] bool ends_with(const DepthIteration& other) const {
    return other.is_end(low_) || other.is_end(high_);
  }
  // Whether the bracket contains no further depth.
  [[nodiscard]] bool is_stuck() const {
    return has_high() && high_ - low_ < std::min(kLeastBracket, kBracketShare * high_);
  }
  // Sets depth() to the end of the bracket whose force is nearer, and to the other one if that is
  // an end of the bracket of `known` as well.
  void take_nearer(const DepthIteration& known) {
    const bool low_is_nearer = target_ - low_force_ <= high_force_ - target_;
    depth_ = low_is_nearer ? low_ : high_;
    if (known.is_end(depth_)) depth_ = low_is_nearer ? high_ : low_;
  }
  [[nodiscard]] double low_force() const { return low_force_; }
  [[nodiscard]] double high_force() const { return high_force_; }
  // Whether the wanted force lies within the bracket if the force at its end depth() is `force`.
  [[nodiscard]] bool holds_target_with(double force, double part) const {
    return depth_ == low_ ? force < target_ && part * high_force_ > target_
                          : force > target_ && part * low_force_ < target_;
  }

  // Learns the force at a depth found elsewhere.
  void learn_at(const DepthIteration& other, double force) {
    depth_ = other.depth_;
    if (!(last_force_ > 0.0)) known_exponent_ = other.known_exponent_;
    learn(force);
  }

  void learn(double force) {
    halves_ = false;
    const double width = high_ - low_;
    (force < target_ ? low_ : high_) = depth_;
    (force < target_ ? low_force_ : high_force_) = force;
    const bool is_far = std::fabs(force - target_) > kSlowForce * std::fabs(last_force_ - target_);
    slow_steps_ = has_high() && is_far && high_ - low_ > 0.5 * width ? slow_steps_ + 1 : 0;
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
      halves_ = true;
    }
    depth_ = next;
  }

 private:
  [[nodiscard]] bool has_high() const { return high_ > 0.0; }
  [[nodiscard]] double exponent_with(double force) const {
    if (!(last_force_ > 0.0 && force > 0.0)) return known_exponent_;
    if (std::fabs(depth_ - last_depth_) <= kLeastTaught * last_depth_) return known_exponent_;
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
  bool halves_ = false;
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

constexpr double kLargeElement = 10.0;  // [mm]; contacts of wheels are some 10 to 30 mm long

// Empty unless the elements are so large that their centres may miss the contact.
std::string large_elements_text(const PatchSettings& settings) {
  if (std::max(settings.spacing_x, settings.spacing_y) <= kLargeElement) return {};
  return "no vertical force arises, as the centre of no element of " +
         number_text(settings.spacing_x) + " x " + number_text(settings.spacing_y) +
         " mm lies where the bodies overlap; accepted: a smaller wheel_rail.spacing";
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
  const std::string missed = any ? std::string() : large_elements_text(search.settings());
  if (!missed.empty()) throw InputError(missed);
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

namespace {

// The search for a height. Complete solutions bracket the force once and for all; between two of
// them, normal problems with the tangential part that follows from the last ones look for the next
// height. Normal problems alone would take each new tangential part for that of all heights, which
// it is not where friction carries a steep flange: they may lead further and further away.
class HeightSearch {
 public:
  HeightSearch(WheelRailSearch& search, const WheelRailPosition& position, double touch,
               double force, double tolerance, LoadedWheel& wheel, const HeightStart& start,
               bool touches)
      : search_(search),
        position_(position),
        touch_(touch),
        force_(force),
        tolerance_(tolerance),
        wheel_(wheel),
        complete_(force, start),
        normal_(force, start),
        touches_(touches) {}

  HeightResult run() {
    for (int i = 0; i < kMostSolves; ++i) {
      const bool is_stuck = normal_.is_stuck();
      if (is_stuck) normal_.take_nearer(complete_);
      const double found = solve_at(normal_.depth());
      touches_ = touches_ || found != 0.0;
      if (!looks_ && !is_stuck && !is_near(found)) {
        normal_.learn(found);
        if (has_complete_ && ++normals_ >= kMostNormals) look();
        refuse_too_deep();
        continue;
      }
      const double whole = complete(is_stuck ? Exactness::full : Exactness::by_height);
      if (result_.met) return result_;
      if (is_stuck && found != 0.0 && normal_.holds_target_with(whole, whole / found)) {
        jumps_at(normal_);
        return result_;
      }
      learn(whole, is_stuck && normal_.ends_with(complete_));
      if (!complete_.is_stuck()) continue;
      complete_.take_nearer({force_, {}});
      jumps_at(complete_);
      break;
    }
    solve_at(result_.jumps ? complete_.depth() : normal_.depth());
    complete(Exactness::full);
    return result_;
  }

 private:
  double solve_at(double depth) {
    result_.z = touch_ + depth;
    result_.next = {depth, normal_.exponent()};
    return wheel_.normal_problem(result_.z);
  }
  [[nodiscard]] bool is_near(double force) const {
    const double near = std::max(kShareOfSearch * tolerance_, wheel_.doubt());
    return std::fabs(force - force_) <= near * force_;
  }
  double complete(Exactness exactness) {
    const double found = wheel_.complete(exactness);
    result_.met = std::fabs(found - force_) <= tolerance_ * force_;
    return found;
  }
  void learn(double whole, bool was_at_end) {
    complete_.learn_at(normal_, whole);
    has_complete_ = true;
    looks_ = false;
    normals_ = 0;
    normal_ = complete_;
    if (was_at_end || complete_.halves() || !(whole > 0.0)) look();
    refuse_too_deep();
  }
  // Where normal problems lead nowhere, the next complete solution is that which the last ones
  // suggest.
  void look() {
    normal_ = complete_;
    looks_ = true;
  }
  void refuse_too_deep() {
    const bool looks_on = normal_.depth() <= kDeepest;  // false for NaN
    if (!looks_on) refuse_depth(search_, position_, force_, touches_);
  }
  void jumps_at(const DepthIteration& bracket) {
    result_.jumps = true;
    result_.below = bracket.low_force();
    result_.above = bracket.high_force();
  }

  WheelRailSearch& search_;
  const WheelRailPosition& position_;
  double touch_;
  double force_;
  double tolerance_;
  LoadedWheel& wheel_;
  DepthIteration complete_;  // of complete solutions
  DepthIteration normal_;    // of normal problems
  HeightResult result_;
  bool has_complete_ = false;
  int normals_ = 0;  // since the last complete solution
  // Some element is in contact. The sign of the force does not count: friction on a steep flange
  // may turn it.
  bool touches_;
  bool looks_ = false;  // a complete solution is needed at the next depth in any case
};

}  // namespace

HeightResult find_height(WheelRailSearch& search, const WheelRailPosition& position,
                         const CombinedMaterial& material, double force, LoadedWheel& wheel,
                         const std::optional<HeightStart>& start, double tolerance) {
  const double touch = touching_height(search, position);
  const HeightStart first =
      start ? *start : HeightStart{estimated_height(search, position, material, force) - touch};
  return HeightSearch(search, position, touch, force, tolerance, wheel, first, start.has_value())
      .run();
}

}  // namespace slipfield
