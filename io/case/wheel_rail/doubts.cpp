// SPDX-License-Identifier: Apache-2.0
#include "io/case/wheel_rail/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "io/result/wheel/table.h"
#include "solver/wheel_rail/placement.h"

namespace slipfield {
namespace {

constexpr double kLeastUsualRadius = 50.0;       // [mm]
constexpr double kGreatestUsualRadius = 5000.0;  // [mm]
constexpr double kLargestWheel = 700.0;          // [mm], of locomotives 625; rollers may be larger
constexpr double kMostCurvature = 1.0e-4;        // [1/mm], 10 m: tighter than any track
// [mm] A flange is some 28 mm high and touches a rail's side up to 15 mm below the tread.
constexpr double kFlangeTip = 20.0;
// [mm] from a flange's back to its tip: some 15, or 0 of a profile that begins at its tip
constexpr double kLeastFlange = -5.0;
constexpr double kWidestFlange = 40.0;
constexpr double kMostYaw = 0.1;               // [rad], of bogies in curves of tramways
constexpr double kLeastUsualForce = 1000.0;    // [N], of a wheel of a vehicle
constexpr double kVehicleRadius = 250.0;       // [mm], smaller wheels are those of models and rigs
constexpr double kMostMetres = 10.0;           // [mm], below any gauge, radius or distance
constexpr double kLeastUsualVelocity = 100.0;  // [mm/s], of a vehicle that runs
// [mm] gauge minus flange_back_distance: from 50 (tramways) to 82, and up to 30 more where curves
// widen the gauge; two tramway flanges are 30 thick together
constexpr double kLeastClearance = 30.0;
constexpr double kMostClearance = 115.0;
constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kMillimetresOfMetre = 1000.0;
constexpr double kWidestLip = 30.0;  // [mm]
// Some tenth of the creepage at which a steel wheel slides.
constexpr double kDrivingCreepage = 5.0e-4;

bool is_unusual_radius(double radius) {
  return radius < kLeastUsualRadius || radius > kGreatestUsualRadius;
}

// The y of the flange's tip in the profile; nothing for a wheel without a flange.
std::optional<double> flange_tip(const Profile& wheel) {
  const auto by_y = [](const ProfilePoint& a, const ProfilePoint& b) { return a.y < b.y; };
  const auto [back, front] = std::minmax_element(wheel.points.begin(), wheel.points.end(), by_y);
  const auto tip = std::ranges::max_element(
      wheel.points, [](const ProfilePoint& a, const ProfilePoint& b) { return a.z < b.z; });
  const bool has_flange = std::isfinite(wheel.flange_angle) && tip->y < 0.5 * (back->y + front->y);
  return has_flange ? std::optional(tip->y) : std::nullopt;
}

// Explains why a wheel runs on its flange. MiniProf's y counts from the flange's back, in most
// other files from the rolling circle, 70 mm away.
std::string derailed_text(const Wheelset& set, const Profile& wheel, double radius) {
  const std::string runs = fmt::format(
      "the wheel touches where its radius is {:.4g} mm, {:.3g} mm from the nominal one: the tip of "
      "its flange is on the rail, or its tread next to it; ",
      radius, std::fabs(radius - set.nominal_radius));
  const auto back = std::ranges::min_element(
      wheel.points, [](const ProfilePoint& a, const ProfilePoint& b) { return a.y < b.y; });
  const std::optional<double> tip = flange_tip(wheel);
  const double width = tip.value_or(0.0) - set.flange_back_position;
  if (!tip || (width > kLeastFlange && width < kWidestFlange))
    return runs + "accepted: another wheelset.y, or another shift of the profile";
  return runs + fmt::format(
                    "wheelset.flange_back_position is {:.4g} mm, and the flange's tip is at y = "
                    "{:.3g} mm of a profile that begins at {:.3g} mm; accepted: the y of the "
                    "flange's back in the profile, such as {:.0f}, or a shift of the profile",
                    set.flange_back_position, *tip, back->y, std::round(back->y) + 0.0);
}

// Warns of a lip that counts as the highest part, like a crossing's nose, because it is higher than
// the head, though by less than a check rail.
std::optional<WheelDoubt> lip_doubt(const Profile& rail, const GroovedRail& grooves,
                                    const Track& track, double measured_at) {
  if (track.gauge_face != GaugeFace::automatic || track.gauge_between) return std::nullopt;
  if (grooves.gauge_side == 0.0 || grooves.gauge_side > kWidestLip) return std::nullopt;
  Track on_head = track;
  on_head.gauge_face = GaugeFace::head;
  const double of_head = place_rail(rail, on_head).gauge_point;
  if (!(measured_at < of_head)) return std::nullopt;
  return WheelDoubt{
      "gauge_lip",
      fmt::format("the gauge is measured at y = {:.4g} mm, on the highest part of the rail's "
                  "profile, {:.2g} mm wide; the head beyond the groove, {:.3g} mm wide, has its "
                  "face at y = {:.4g} mm; track.gauge_face: head, or [y, y] about the one meant",
                  measured_at, grooves.gauge_side, grooves.head, of_head)};
}

}  // namespace

std::optional<WheelDoubt> clearance_doubt(const WheelRailPosition& position, const Profile& wheel) {
  const Wheelset& set = position.wheelset;
  const std::optional<double> tip = flange_tip(wheel);
  if (!tip || position.track.rail_origin || set.nominal_radius < kVehicleRadius ||
      *tip - set.flange_back_position < kLeastFlange ||
      *tip - set.flange_back_position > kWidestFlange)
    return std::nullopt;
  const double apart = position.track.gauge - set.flange_back_distance;
  if (apart >= kLeastClearance && apart <= kMostClearance) return std::nullopt;
  if (apart < kLeastClearance)
    return WheelDoubt{
        "track_clearance",
        fmt::format("track.gauge is {:.5g} mm and wheelset.flange_back_distance {:.5g} mm, {:.3g} "
                    "mm {}, where 50 to 85 mm less are usual: the flanges do not fit between the "
                    "rails; a gauge and a distance of the flange backs that go together",
                    position.track.gauge, set.flange_back_distance, std::fabs(apart),
                    apart < 0.0 ? "more" : "less")};
  return WheelDoubt{
      "track_clearance",
      fmt::format(
          "track.gauge is {:.5g} mm and wheelset.flange_back_distance {:.5g} mm, {:.3g} mm "
          "less, where 50 to 85 mm are usual: the wheelset has some {:.2g} mm to either side "
          "until a flange touches; a gauge and a distance of the flange backs that go "
          "together",
          position.track.gauge, set.flange_back_distance, apart, 0.5 * (apart - 62.0))};
}

std::optional<WheelDoubt> radius_doubt(double nominal) {
  if (is_unusual_radius(nominal))
    return WheelDoubt{"wheel_radius",
                      fmt::format("wheelset.nominal_radius is {:.4g} mm, where {:g} to {:g} mm are "
                                  "usual; a radius in mm",
                                  nominal, kLeastUsualRadius, kGreatestUsualRadius)};
  if (nominal > kLargestWheel)
    return WheelDoubt{"wheel_radius",
                      fmt::format("wheelset.nominal_radius is {:.4g} mm, where wheels of vehicles "
                                  "have up to {:g} mm. Is it the diameter?",
                                  nominal, kLargestWheel)};
  return std::nullopt;
}

std::vector<WheelDoubt> wheel_doubts(const WheelRailPosition& position, const NearestPoint& nearest,
                                     const Profile& wheel) {
  std::vector<WheelDoubt> doubts;
  const double nominal = position.wheelset.nominal_radius;
  if (auto radius = radius_doubt(nominal)) doubts.push_back(std::move(*radius));
  const double curvature = std::fabs(position.track.curvature);
  if (curvature > kMostCurvature)
    doubts.push_back(
        {"track_curvature",
         fmt::format("track.curvature is {:.4g} 1/mm, a curve with a radius of {:.3g} "
                     "m; a curvature in 1/mm",
                     position.track.curvature, 1.0 / (curvature * kMillimetresOfMetre))});
  const double yaw = position.wheelset.yaw;
  if (std::fabs(yaw) > kMostYaw)
    doubts.push_back({"wheel_yaw", fmt::format("wheelset.yaw is {:.4g} rad, {:.3g} degrees, where "
                                               "up to {:g} rad are usual. Is it in degrees?",
                                               yaw, kDegrees * yaw, kMostYaw)});
  auto clearance = clearance_doubt(position, wheel);
  if (!clearance && std::fabs(nearest.radius - nominal) > kFlangeTip)
    doubts.push_back({"wheel_derailed", derailed_text(position.wheelset, wheel, nearest.radius)});
  if (clearance) doubts.push_back(std::move(*clearance));
  return doubts;
}

bool rolls_off_nominal_radius(const WheelStep& wheel, double radius) {
  const Wheelset& set = wheel.position.wheelset;
  const double rolling = -set.velocity_x / set.nominal_radius;
  return !wheel.longitudinal_force && set.velocity_x != 0.0 &&
         std::fabs(set.velocity_pitch - rolling) <= 1.0e-9 * std::fabs(rolling) &&
         std::fabs(radius / set.nominal_radius - 1.0) > kDrivingCreepage;
}

std::optional<WheelDoubt> pitch_doubt(const WheelStep& wheel, double radius, double other,
                                      bool is_alone) {
  if (!rolls_off_nominal_radius(wheel, radius) || !rolls_off_nominal_radius(wheel, other))
    return std::nullopt;
  const double nominal = wheel.position.wheelset.nominal_radius;
  const double creepage = radius / nominal - 1.0;
  const double of_other = other / nominal - 1.0;
  if (creepage * of_other < 0.0) return std::nullopt;
  const bool drives = creepage > 0.0;
  const std::string pitch = fmt::format(
      "the pitch velocity is that of rolling at wheelset.nominal_radius, {:.5g} mm", nominal);
  const std::string least = fmt::format(
      "with a creepage of {:.2g} or more; longitudinal_force: 0 lets the wheelset roll "
      "freely, or a nominal_radius that fits the worn {}",
      std::min(std::fabs(creepage), std::fabs(of_other)), is_alone ? "wheel" : "wheels");
  const std::string at =
      !is_alone ? fmt::format("the wheels roll at radii of {:.5g} mm (left) and {:.5g} mm (right)",
                              radius, other)
      : std::fabs(radius - other) < 5.0e-5 * radius
          ? fmt::format("the wheel rolls at a radius of {:.5g} mm", radius)
          : fmt::format(
                "the wheel rolls at a radius of {:.5g} mm, and one like it on the other "
                "side would roll at {:.5g} mm",
                radius, other);
  const char* const does = is_alone ? (drives ? "the wheel drives" : "the wheel brakes")
                                    : (drives ? "both wheels drive" : "both wheels brake");
  return WheelDoubt{"wheel_pitch", fmt::format("{}, and {}: {} {}", at, pitch, does, least)};
}

std::optional<WheelDoubt> velocity_doubt(const WheelStep& wheel, bool warms) {
  const WheelRailPosition& at = wheel.position;
  const Wheelset& set = at.wheelset;
  const double velocity = std::fabs(set.velocity_x);
  if (at.shifts || velocity == 0.0 || at.track.roller_radius > 0.0) return std::nullopt;
  const double rolling = std::fabs(set.velocity_pitch) * set.nominal_radius;
  constexpr double kAbout = 1.3;
  const double ratio = rolling / (kMillimetresOfMetre * velocity);
  if (ratio > 1.0 / kAbout && ratio < kAbout)
    return WheelDoubt{
        "wheel_velocity",
        fmt::format(
            "wheelset.velocity.x is {:.4g} mm/s, and with its pitch velocity the wheel rolls "
            "at {:.4g} mm/s. Is it in m/s?",
            set.velocity_x, rolling)};
  const bool matters = warms || wheel.friction.depends_on_slip();
  if (!matters || velocity >= kLeastUsualVelocity || set.nominal_radius < kVehicleRadius)
    return std::nullopt;
  return WheelDoubt{
      "wheel_velocity",
      fmt::format("wheelset.velocity.x is {:.4g} mm/s, {:.3g} km/h, and {} on it. Is it in m/s?",
                  set.velocity_x, 3.6e-3 * velocity,
                  warms ? "temperatures depend" : "friction depends")};
}

std::optional<WheelDoubt> force_doubt(const std::optional<double>& vertical_force,
                                      const Wheelset& wheelset) {
  if (!vertical_force || *vertical_force >= kLeastUsualForce ||
      wheelset.nominal_radius < kVehicleRadius)
    return std::nullopt;
  return WheelDoubt{"wheel_force",
                    fmt::format("vertical_force is {:.4g} N, where a wheel of a vehicle carries "
                                "10000 to 150000 N. Is it in kN?",
                                *vertical_force)};
}

std::optional<WheelDoubt> driving_doubt(const WheelsetStep& step) {
  constexpr double kInclined = 1.1;  // a contact's normal force over the vertical one
  const WheelStep& wheel = step.wheels.front();
  const Friction& friction = wheel.friction;
  if (!wheel.longitudinal_force || friction.varies() || !friction.along_y.empty())
    return std::nullopt;
  double carried = 0.0;
  for (const WheelStep& each : step.wheels) {
    if (!each.vertical_force) return std::nullopt;
    carried += friction.coefficient * *each.vertical_force;
  }
  if (std::fabs(*wheel.longitudinal_force) <= kInclined * carried) return std::nullopt;
  return WheelDoubt{
      "wheel_driving",
      fmt::format("longitudinal_force is {:.4g} N, and friction carries about {:.4g} N, the "
                  "coefficient times the vertical force; a smaller one",
                  *wheel.longitudinal_force, carried)};
}

std::optional<WrongLength> wrong_length(const WheelRailPosition& position, const Profile& wheel) {
  const Wheelset& set = position.wheelset;
  struct Length {
    const char* key;
    double value;
    const char* usual;
  };
  const std::array lengths{
      Length{"track.gauge", position.track.rail_origin ? 0.0 : position.track.gauge,
             "a gauge in mm, as 1435"},
      Length{"wheelset.nominal_radius", set.nominal_radius, "a radius in mm, as 460"},
      Length{"wheelset.flange_back_distance", set.flange_back_distance, "in mm, as 1360"}};
  for (const auto& [key, value, usual] : lengths)
    if (value > 0.0 && value < kMostMetres)
      return WrongLength{key, fmt::format("is {:.4g} mm. Is it in m?", value), usual};
  if (is_unusual_radius(set.nominal_radius))
    return WrongLength{"wheelset.nominal_radius",
                       fmt::format("is {:.4g} mm, where {:g} to {:g} mm are usual",
                                   set.nominal_radius, kLeastUsualRadius, kGreatestUsualRadius),
                       "a radius in mm, as 460"};
  if (!clearance_doubt(position, wheel)) return std::nullopt;
  const double apart = position.track.gauge - set.flange_back_distance;
  return WrongLength{
      "track.gauge",
      fmt::format("is {:.5g} mm, {:.4g} mm {} than wheelset.flange_back_distance, {:.5g} mm, where "
                  "50 to 85 mm more are usual",
                  position.track.gauge, std::fabs(apart), apart < 0.0 ? "less" : "more",
                  set.flange_back_distance),
      "a gauge and a distance of the flange backs that go together"};
}

WheelDoubt gap_doubt(Side side, double gap) {
  return {fmt::format("wheel_gap {}", side_name(side)),
          fmt::format("the {} wheel touches nothing, and its forces are 0: it is {:.3g} mm above "
                      "the rail; a greater wheelset.z, or vertical_force",
                      side_name(side), gap)};
}

std::optional<WheelDoubt> motion_doubt(const WheelRailPosition& before,
                                       const WheelRailPosition& now) {
  constexpr double kFarOff = 0.5;  // of the length
  const Wheelset& set = now.wheelset;
  const double velocity = std::fabs(set.velocity_x);
  const double moved = set.y - before.wheelset.y;
  if (!(now.rolled > 0.0) || velocity == 0.0 || moved == 0.0) return std::nullopt;
  const double time = now.rolled / velocity;
  if (std::fabs(moved - set.velocity_y * time) <= kFarOff * std::fabs(moved)) return std::nullopt;
  return WheelDoubt{
      "wheel_motion",
      fmt::format("the wheelset moves across by {:.3g} mm while it rolls {:.3g} mm, which is a "
                  "wheelset.velocity.y of {:.4g} mm/s, and that is {:.4g}; both, as creepages "
                  "follow from velocities",
                  moved, now.rolled, moved / time, set.velocity_y)};
}

std::optional<WheelDoubt> gauge_doubt(const Profile& rail, const RailHead& head, const Track& track,
                                      const PlacedRail& placed) {
  if (!placed.gauge_point_is_end) return lip_doubt(rail, head.grooves, track, placed.gauge_point);
  return WheelDoubt{
      "gauge_end",
      fmt::format("the gauge is measured where the rail's profile begins, at y = {:.4g} mm, less "
                  "than track.gauge_height = {:g} mm below its top; a longer profile, another "
                  "gauge_height or gauge_face, or track.rail_origin",
                  placed.gauge_point, track.gauge_height)};
}

// A groove and a lip are on the gauge side of a rail's head. Crossings have grooves on both sides
// of a nose.
std::optional<WheelDoubt> groove_doubt(const GroovedRail& grooves) {
  if (grooves.gauge_side > 0.0 || grooves.field_side == 0.0 || grooves.field_side > kWidestLip)
    return std::nullopt;
  return WheelDoubt{
      "rail_groove",
      fmt::format("the rail's groove is on the field side of its head: beyond the head, {:.3g} mm "
                  "wide, there is a lip of {:.2g} mm away from the track's centre; accepted: the "
                  "other mirror_y, if the profile is mirrored",
                  grooves.head, grooves.field_side)};
}

// Worn heads are level within some 0.005 rad; rails are inclined by 1:40 to 1:20 towards the
// centre. A cant is for a profile that stands upright; otherwise it would count the profile's own
// inclination twice.
std::optional<WheelDoubt> lean_doubt(const std::optional<double>& inclined, const Track& track) {
  constexpr double kLeast = 1.0 / 80.0;
  if (!inclined) return std::nullopt;
  if (track.cant >= 0.0 && *inclined + track.cant < -kLeast)
    return WheelDoubt{
        "rail_lean",
        fmt::format("the rail's head leans by some {:.2g} rad away from the track's centre, where "
                    "rails lean towards it or stand upright; accepted: the other mirror_y, if the "
                    "profile is mirrored",
                    -*inclined - track.cant)};
  if (track.cant == 0.0) return std::nullopt;
  if (std::copysign(1.0, track.cant) * *inclined < kLeast) return std::nullopt;
  return WheelDoubt{
      "rail_cant",
      fmt::format(
          "track.cant is {:.4g} rad, and the middle of the rail's head is inclined by some "
          "{:.2g} rad in its profile already; accepted: cant: 0, if the profile lies as the "
          "rail does in the track",
          track.cant, *inclined)};
}

}  // namespace slipfield
