// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>

#include "solver/error.h"
#include "solver/wheel_rail/profile.h"

namespace slipfield {
namespace {

// A rail's head: a circle of 100 mm, y from -35 to 35, z down, in the order of y.
std::vector<ProfilePoint> rail_points() {
  std::vector<ProfilePoint> points;
  for (int i = 0; i <= 140; ++i) {
    const double y = -35.0 + 0.5 * i;
    points.push_back({y, 100.0 - std::sqrt(1e4 - y * y)});
  }
  return points;
}

// A cone of 1 : 20 from the field side to y = -35, then a flange whose tip is at y = -50; its back
// ends at y = -65.
std::vector<ProfilePoint> wheel_points() {
  std::vector<ProfilePoint> points;
  for (int i = 0; i <= 190; ++i) {
    const double y = 60.0 - 0.5 * i;
    points.push_back({y, -y / 20.0});
  }
  for (int i = 1; i <= 60; ++i) {
    const double y = -35.0 - 0.5 * i;
    const double a = (y + 35.0) / 30.0 * 3.14159265358979;
    points.push_back({y, 1.75 + 13.0 * (1.0 - std::cos(2.0 * a))});
  }
  return points;
}

std::string error_of(ProfileRole role, std::vector<ProfilePoint> points,
                     const ProfileChanges& changes = {}) {
  try {
    canonical_profile(role, std::move(points), changes);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

template <typename Change>
std::vector<ProfilePoint> changed(std::vector<ProfilePoint> points, Change change) {
  for (ProfilePoint& point : points) change(point);
  return points;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE_BEGIN("unit");

TEST_CASE("profile: a good one is taken as it is, with s = 0 at y = 0") {
  const Profile rail = canonical_profile(ProfileRole::rail, rail_points(), {});
  CHECK(rail.notes.empty());
  CHECK(rail.warnings.empty());
  CHECK(rail.points.size() == 141);
  CHECK(std::fabs(rail.curve.at(0.0).y()) <= 1e-12);
  // Chords are shorter than arcs by (0.5/100)^2/24 of their length.
  CHECK(rail.curve.last() == doctest::Approx(100.0 * std::asin(0.35)).epsilon(2e-6));
}

TEST_CASE("profile: the curvature of a rail's head and of a wheel's flange tip is positive") {
  const Profile rail = canonical_profile(ProfileRole::rail, rail_points(), {});
  // A natural spline is straight at its ends; 35 mm away nothing is left of that.
  CHECK(profile_curvature(rail, 0.0) == doctest::Approx(0.01).epsilon(1e-4));
  const Profile wheel = canonical_profile(ProfileRole::wheel, wheel_points(), {});
  const double tip = wheel.curve.parameter_at_y(-50.0, SeenFrom::below).value();
  const double ripple = 13.0 * std::pow(2.0 * 3.14159265358979 / 30.0, 2);        // z'' at the tip
  CHECK(profile_curvature(wheel, tip) == doctest::Approx(ripple).epsilon(0.04));  // .5 mm on 1.75
}

TEST_CASE("profile: whatever way a file has it, the canonical form is the same") {
  const Profile wheel = canonical_profile(ProfileRole::wheel, wheel_points(), {});
  const auto same = [&](std::vector<ProfilePoint> points, const ProfileChanges& changes) {
    const Profile other = canonical_profile(ProfileRole::wheel, std::move(points), changes);
    REQUIRE(other.points.size() == wheel.points.size());
    for (std::size_t i = 0; i < wheel.points.size(); ++i) {
      CHECK(other.points[i].y == doctest::Approx(wheel.points[i].y).epsilon(1e-12));
      CHECK(other.points[i].z == doctest::Approx(wheel.points[i].z).epsilon(1e-12));
    }
    return other;
  };
  auto reversed = wheel_points();
  std::reverse(reversed.begin(), reversed.end());
  CHECK(same(reversed, {}).notes.front() == "the order of the points was reversed");
  ProfileChanges mirror;
  mirror.mirror_y = true;
  same(changed(wheel_points(), [](ProfilePoint& p) { p.y = -p.y; }), mirror);
  const auto up = changed(wheel_points(), [](ProfilePoint& p) { p.z = -p.z; });
  CHECK(same(up, {}).notes.front() == "z pointed up, and was mirrored");
  ProfileChanges metres;
  metres.scale = 1000.0;
  same(changed(wheel_points(), [](ProfilePoint& p) { p = {p.y / 1000.0, p.z / 1000.0}; }), metres);
  ProfileChanges shift;
  shift.shift_y = 2.0;
  shift.shift_z = -1.0;
  same(changed(wheel_points(), [](ProfilePoint& p) { p = {p.y - 2.0, p.z + 1.0}; }), shift);
}

TEST_CASE("profile: metres, gaps, the wrong side and the wrong way up are one sentence each") {
  const auto rail = rail_points();
  const auto wheel = wheel_points();
  const auto in_metres = changed(rail, [](ProfilePoint& p) { p = {p.y / 1000.0, p.z / 1000.0}; });
  CHECK(error_of(ProfileRole::rail, in_metres) ==
        "is 0.07151 mm long; accepted: a profile of 5 to 500 mm; if it is in metres: scale: 1000");
  auto gap = rail;
  gap.erase(gap.begin() + 60, gap.begin() + 85);
  CHECK(error_of(ProfileRole::rail, gap) ==
        "has a gap of 13 mm between y = -5.5 and 7.5; accepted: points at most 5 mm apart");
  ProfileChanges as_is;
  as_is.mirror_z = false;
  const auto up = changed(rail, [](ProfilePoint& p) { p.z = -p.z; });
  CHECK(error_of(ProfileRole::rail, up, as_is) ==
        "is upside down: z points up (z is down here); accepted: mirror_z: true");
  ProfileChanges turned;
  turned.mirror_z = true;
  CHECK(error_of(ProfileRole::rail, rail, turned) ==
        "is upside down with mirror_z: true, which turns z up (z is down here); accepted: "
        "mirror_z: false");
  turned = {};
  turned.mirror_y = true;
  CHECK(contains(error_of(ProfileRole::wheel, wheel, turned),
                 "flange at negative y (mirror_y: false)"));
  CHECK(contains(error_of(ProfileRole::wheel, changed(wheel, [](ProfilePoint& p) { p.y = -p.y; })),
                 "has its lowest place at y = 50 (z = 27.75); accepted: a wheel with its flange at "
                 "negative y"));
  CHECK(error_of(ProfileRole::rail, {{0, 0}, {1, 0}, {1, 0}}) ==
        "has 2 different points; accepted: at least 5");
  auto loop = rail;
  std::swap(loop[60], loop[63]);
  CHECK(contains(error_of(ProfileRole::rail, loop), "crosses itself near (-"));
  ProfileChanges zero;
  zero.scale = 0.0;
  CHECK(error_of(ProfileRole::rail, rail, zero) == "scale 0 is not a number above 0");
}

TEST_CASE("profile: a single point that is off its neighbours is left out with a warning") {
  auto points = rail_points();
  points[50].z -= 0.3;
  const Profile profile = canonical_profile(ProfileRole::rail, points, {});
  REQUIRE(profile.warnings.size() == 1);
  CHECK(profile.warnings[0] ==
        "the point (-10, 0.2013) lies 0.3 mm off its neighbours' line, and is left out");
  CHECK(profile.points.size() == 140);
  const double s = profile.curve.parameter_at_y(-10.0, SeenFrom::above).value();
  // Interpolated over 1 mm of a circle of 100 mm.
  CHECK(profile.curve.at(s).z() == doctest::Approx(100.0 - std::sqrt(9900.0)).epsilon(1e-5));
  for (const double off : {-20.0, -3.0, 1.5, 3.0, 20.0}) {  // more than the points' distance
    CAPTURE(off);
    points[50].z = rail_points()[50].z + off;
    const Profile without = canonical_profile(ProfileRole::rail, points, {});
    CHECK(without.warnings.size() == 1);
    CHECK(without.points.size() == 140);
  }
}

TEST_CASE("profile: points that scatter are warned of with how much, unless they are smoothed") {
  CHECK(canonical_profile(ProfileRole::rail, rail_points(), {}).warnings.empty());
  std::mt19937 random(1);
  auto points = rail_points();
  constexpr double kDeviation = 0.002;
  for (ProfilePoint& point : points) {
    double sum = -6.0;  // of twelve numbers from 0 to 1: a deviation of 1
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random()) / 4294967296.0;
    point.z += kDeviation * sum;
  }
  ProfileChanges changes;
  const Profile noisy = canonical_profile(ProfileRole::rail, points, changes);
  REQUIRE(noisy.warnings.size() == 1);
  const std::string start = "the points scatter by about ";
  REQUIRE(noisy.warnings[0].find(start) == 0);
  // 137 fourth differences, of which a median is good to some 15 %.
  CHECK(std::stod(noisy.warnings[0].substr(start.size())) ==
        doctest::Approx(kDeviation).epsilon(0.3));
  const std::string remedy = "; a smoothing of some ";
  const std::size_t at = noisy.warnings[0].find(remedy);
  REQUIRE(at != std::string::npos);
  changes.smoothing = std::stod(noisy.warnings[0].substr(at + remedy.size()));
  CHECK(canonical_profile(ProfileRole::rail, points, changes).warnings.empty());
}

TEST_CASE("profile: corners are no outliers, and stay corners") {
  std::vector<ProfilePoint> points;
  for (int i = 0; i <= 40; ++i) points.push_back({-20.0 + 0.5 * i, 10.0 - 0.5 * i});
  for (int i = 1; i <= 40; ++i) points.push_back({0.5 * i, -10.0 + 0.5 * i});
  const Profile profile = canonical_profile(ProfileRole::rail, points, {});
  CHECK(profile.warnings.empty());
  CHECK(profile.points.size() == 81);
  const double s = profile.curve.parameter_at_y(0.25, SeenFrom::above).value();
  CHECK(profile.curve.at(s).z() == doctest::Approx(-9.75).epsilon(1e-12));
}

TEST_CASE("profile: where two measurements overlap, the way back and forth becomes one point") {
  auto points = rail_points();
  const ProfilePoint a = points[70];
  const ProfilePoint b = points[71];
  points.insert(points.begin() + 71, {b.y - 0.1, b.z});
  points.insert(points.begin() + 72, {a.y + 0.1, a.z});
  const Profile profile = canonical_profile(ProfileRole::rail, points, {});
  REQUIRE_FALSE(profile.notes.empty());
  CHECK(profile.notes[0] == "1 zig-zags were joined");
  CHECK(profile.points.size() == 142);
}

TEST_SUITE_END();

}  // namespace slipfield
