// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <utility>

#include "solver/error.h"
#include "solver/wheel_rail/profile.h"
#include "solver/wheel_rail/profile_points.h"
#include "tests/support/near.h"

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

// A grooved rail, z down, y towards the field side: lip, groove 36 mm wide and 45 mm deep, head.
std::vector<ProfilePoint> grooved_rail() {
  std::vector<ProfilePoint> points;
  const auto line = [&](ProfilePoint from, ProfilePoint to) {
    const int parts = static_cast<int>(std::hypot(to.y - from.y, to.z - from.z));
    for (int i = 0; i < parts; ++i) {
      const double t = static_cast<double>(i) / parts;
      points.push_back({from.y + t * (to.y - from.y), from.z + t * (to.z - from.z)});
    }
  };
  line({-92, 25}, {-92, 9});
  line({-92, 9}, {-80, 9});
  line({-80, 9}, {-76, 45});
  line({-76, 45}, {-42, 45});
  line({-42, 45}, {-36, 9});
  line({-36, 9}, {-26, 1.5});
  line({-26, 1.5}, {0, 0});
  line({0, 0}, {26, 1.5});
  line({26, 1.5}, {36, 9});
  line({36, 9}, {36, 25});
  return points;
}

// A crane's wheel, z down: a tread 60 mm wide between two flanges, each 25 mm high and 20 mm thick.
std::vector<ProfilePoint> crane_wheel() {
  std::vector<ProfilePoint> points;
  for (int i = 0; i <= 220; ++i) {
    const double y = 55.0 - 0.5 * i;
    const double beyond = std::max(0.0, std::fabs(y) - 30.0);  // the flange rises over 10 mm
    points.push_back({y, 12.5 * (1.0 - std::cos(std::min(beyond, 10.0) * 0.314159265358979))});
  }
  return points;
}

// From point to point in steps of 1 mm.
std::vector<ProfilePoint> outline(const std::vector<ProfilePoint>& corners) {
  std::vector<ProfilePoint> points;
  for (std::size_t k = 1; k < corners.size(); ++k) {
    const ProfilePoint& a = corners[k - 1];
    const ProfilePoint& b = corners[k];
    const int parts = static_cast<int>(std::ceil(std::hypot(b.y - a.y, b.z - a.z)));
    for (int i = k == 1 ? 0 : 1; i <= parts; ++i)
      points.push_back({a.y + i * (b.y - a.y) / parts, a.z + i * (b.z - a.z) / parts});
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
    const double a = (y + 35.0) / 30.0 * std::numbers::pi;
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
  REQUIRE(rail.notes.size() == 1);
  CHECK(rail.notes[0] ==
        "z points down by the shape (49.9 mm of its width are where z is in the lower half of its "
        "range of 6.33 mm, 20.1 mm in the greater half); mirror_z: true turns it");
  CHECK(rail.warnings.empty());
  CHECK(rail.points.size() == 141);
  CHECK(std::fabs(rail.curve.at(0.0).y()) <= 1e-12);
  // Chords are shorter than arcs by (0.5/100)^2/24 of their length.
  CHECK(rail.curve.last() == test::near(100.0 * std::asin(0.35), 2e-6));
}

TEST_CASE("profile: the curvature of a rail's head and of a wheel's flange tip is positive") {
  const Profile rail = canonical_profile(ProfileRole::rail, rail_points(), {});
  // A natural spline is straight at its ends; 35 mm away that has no effect.
  CHECK(profile_curvature(rail, 0.0) == test::near(0.01, 1e-4));
  const Profile wheel = canonical_profile(ProfileRole::wheel, wheel_points(), {});
  const double tip = wheel.curve.parameter_at_y(-50.0, SeenFrom::below).value();
  const double ripple = 13.0 * std::pow(2.0 * std::numbers::pi / 30.0, 2);  // z'' at the tip
  CHECK(profile_curvature(wheel, tip) == test::near(ripple, 0.04));         // .5 mm on 1.75
}

TEST_CASE("profile: whatever way a file has it, the canonical form is the same") {
  const Profile wheel = canonical_profile(ProfileRole::wheel, wheel_points(), {});
  const auto same = [&](std::vector<ProfilePoint> points, const ProfileChanges& changes) {
    const Profile other = canonical_profile(ProfileRole::wheel, std::move(points), changes);
    REQUIRE(other.points.size() == wheel.points.size());
    for (std::size_t i = 0; i < wheel.points.size(); ++i) {
      CHECK(other.points[i].y == test::near(wheel.points[i].y, 1e-12));
      CHECK(other.points[i].z == test::near(wheel.points[i].z, 1e-12));
    }
    return other;
  };
  auto reversed = wheel_points();
  std::reverse(reversed.begin(), reversed.end());
  CHECK(same(reversed, {}).notes.back() == "the order of the points was reversed");
  ProfileChanges mirror;
  mirror.mirror_y = true;
  same(changed(wheel_points(), [](ProfilePoint& p) { p.y = -p.y; }), mirror);
  const auto up = changed(wheel_points(), [](ProfilePoint& p) { p.z = -p.z; });
  CHECK(contains(same(up, {}).notes.front(), "z points up by the shape (the flange, "));
  ProfileChanges metres;
  metres.scale = 1000.0;
  same(changed(wheel_points(), [](ProfilePoint& p) { p = {p.y / 1000.0, p.z / 1000.0}; }), metres);
  ProfileChanges shift;
  shift.shift_y = 2.0;
  shift.shift_z = -1.0;
  same(changed(wheel_points(), [](ProfilePoint& p) { p = {p.y - 2.0, p.z + 1.0}; }), shift);
}

TEST_CASE("profile: metres, gaps and the wrong side are one sentence each") {
  const auto rail = rail_points();
  const auto wheel = wheel_points();
  const auto in_metres = changed(rail, [](ProfilePoint& p) { p = {p.y / 1000.0, p.z / 1000.0}; });
  CHECK(error_of(ProfileRole::rail, in_metres) ==
        "is 0.07151 mm long; accepted: a profile of 5 to 500 mm; if it is in metres: unit: m "
        "(scale: 1000)");
  // Where no unit makes it a profile, none is named; one wild point is.
  const auto times = [&](double factor) {
    return changed(rail, [&](ProfilePoint& p) { p = {factor * p.y, factor * p.z}; });
  };
  CHECK(error_of(ProfileRole::rail, times(1.0 / 25.4)) ==
        "is 2.816 mm long; accepted: a profile of 5 to 500 mm; if it is in inches: unit: inch "
        "(scale: 25.4)");
  CHECK(error_of(ProfileRole::rail, times(1e7)) ==
        "is 7.151e+08 mm long; accepted: a profile of 5 to 500 mm");
  ProfileChanges inch;
  inch.unit = LengthUnit::inch;
  CHECK(error_of(ProfileRole::rail, rail, inch) ==
        "is 1816 mm long with the case's unit; accepted: a profile of 5 to 500 mm");
  auto wild = rail;
  wild.push_back({-9999.0, -9999.0});
  CHECK(contains(error_of(ProfileRole::rail, wild), "to (-9999, -9999), which is most of it"));
  auto gap = rail;
  gap.erase(gap.begin() + 60, gap.begin() + 85);
  CHECK(
      error_of(ProfileRole::rail, gap) ==
      "has a gap of 13 mm between y = -5.5 and 7.5, where it is not straight; accepted: points at "
      "most 5 mm apart");
  CHECK(contains(
      error_of(ProfileRole::wheel, changed(wheel, [](ProfilePoint& p) { p.y = -p.y; })),
      "has its lowest place at y = 50 (z = 27.75), the flange on the field side; accepted: "
      "a flange on the side of the track's centre"));
  CHECK(error_of(ProfileRole::rail, {{0, 0}, {1, 0}, {1, 0}}) ==
        "has 2 different points; accepted: at least 5");
  auto loop = rail;
  std::swap(loop[60], loop[63]);
  CHECK(contains(error_of(ProfileRole::rail, loop), "crosses itself near (-"));
  ProfileChanges zero;
  zero.scale = 0.0;
  CHECK(error_of(ProfileRole::rail, rail, zero) == "scale 0 is not a number above 0");
}

TEST_CASE("profile: a closed outline is refused, wherever it begins and whichever way it goes") {
  auto rail = rail_points();
  for (int i = 1; i < 40; ++i)  // back below the head
    rail.push_back(
        {rail_points().back().y + i / 40.0 * (rail_points().front().y - rail_points().back().y),
         rail_points().back().z + 3.0});
  auto wheel = wheel_points();
  for (int i = 1; i < 80; ++i)  // back above the tread
    wheel.push_back(
        {wheel_points().back().y + i / 80.0 * (wheel_points().front().y - wheel_points().back().y),
         -30.0});
  for (const auto& [role, outline, part] :
       {std::tuple(ProfileRole::rail, rail, "from the rail's outer side over its top"),
        std::tuple(ProfileRole::wheel, wheel, "from the flange's back to the end of the tread")})
    for (const std::size_t begin : {std::size_t{0}, std::size_t{30}, outline.size() - 20})
      for (const bool reversed : {false, true}) {
        CAPTURE(begin);
        auto closed = outline;
        std::ranges::rotate(closed, closed.begin() + static_cast<std::ptrdiff_t>(begin));
        closed.push_back(closed.front());
        if (reversed) std::ranges::reverse(closed);
        const std::string error = error_of(role, closed);
        CHECK(contains(error, "is a closed outline: it ends where it begins, at ("));
        CHECK(contains(error, part));
      }
}

TEST_CASE("profile: an outline that is cut on a side with few points is closed all the same") {
  const auto head = rail_points();
  auto outline = head;
  for (const double part : {0.1, 0.35, 0.7, 0.95})  // below the head
    outline.push_back({head.back().y + part * (head.front().y - head.back().y),
                       std::max(head.front().z, head.back().z) + 3.0});
  const std::string says = "is a closed outline: it goes around the body and ends ";
  for (std::size_t begin = head.size(); begin < outline.size(); ++begin)
    for (const bool reversed : {false, true}) {
      CAPTURE(begin);
      auto cut = outline;
      std::ranges::rotate(cut, cut.begin() + static_cast<std::ptrdiff_t>(begin));
      if (reversed) std::ranges::reverse(cut);
      CHECK(contains(error_of(ProfileRole::rail, cut), says));
    }
  CHECK(error_of(ProfileRole::rail, head).empty());
}

TEST_CASE("profile: z and y are turned as the user says, with a warning where the shape differs") {
  const auto first_warning = [](const Profile& profile) {
    return profile.warnings.empty() ? std::string() : profile.warnings.front();
  };
  for (const bool mirror : {false, true}) {
    CAPTURE(mirror);
    ProfileChanges changes;
    changes.mirror_z = mirror;
    for (const auto& [role, upright] :
         {std::pair(ProfileRole::rail, rail_points()), std::pair(ProfileRole::rail, grooved_rail()),
          std::pair(ProfileRole::wheel, wheel_points()),
          std::pair(ProfileRole::wheel, crane_wheel())}) {
      const auto z_up = changed(upright, [](ProfilePoint& p) { p.z = -p.z; });
      const Profile right = canonical_profile(role, mirror ? z_up : upright, changes);
      CHECK(right.points.front().z == test::near(upright.front().z));
      CHECK(right.warnings.empty());
      const Profile wrong = canonical_profile(role, mirror ? upright : z_up, changes);
      CHECK(wrong.points.front().z == test::near(-upright.front().z));
      CHECK(contains(first_warning(wrong), mirror ? "looks upside down with mirror_z: true"
                                                  : "looks upside down with mirror_z: false"));
    }
  }
  ProfileChanges turned;
  turned.mirror_y = true;  // the flange comes to lie on the field side
  const Profile wheel = canonical_profile(ProfileRole::wheel, wheel_points(), turned);
  CHECK(wheel.points.front().y == test::near(65.0));
  CHECK(contains(first_warning(wheel), "the flange on the field side, as mirror_y: true has it"));
}

TEST_CASE("profile: grooved rails, crane wheels and wing rails are turned upright by their shape") {
  auto wing = grooved_rail();  // two heads with a flangeway between them
  for (ProfilePoint& point : wing)
    if (point.y < -79.0) point.z -= 9.0;
  for (const auto& [role, upright] :
       {std::pair(ProfileRole::rail, grooved_rail()), std::pair(ProfileRole::rail, wing),
        std::pair(ProfileRole::wheel, crane_wheel())}) {
    const Profile as_it_is = canonical_profile(role, upright, {});
    CHECK(as_it_is.notes.size() == 1);
    CHECK(as_it_is.points.front().z == test::near(upright.front().z));
    const auto z_up = changed(upright, [](ProfilePoint& p) { p.z = -p.z; });
    const Profile turned = canonical_profile(role, z_up, {});
    CHECK(turned.points.front().z == test::near(upright.front().z));
    CHECK(contains(turned.notes.front(), "mirror_z: false"));
  }
}

namespace {

struct Outline {
  std::string name;
  ProfileRole role;
  bool shows;
  std::vector<ProfilePoint> corners;  // z down
};
std::vector<Outline> outlines_of_every_kind() {
  const ProfileRole rail = ProfileRole::rail;
  const ProfileRole wheel = ProfileRole::wheel;
  return {
      // A check rail of the UIC 33 kind, 20 mm above the rail next to it.
      {"guard rail",
       rail,
       true,
       {{-115, 30},
        {-115, -20},
        {-85, -20},
        {-80, 45},
        {-38, 45},
        {-35, 5},
        {0, 0},
        {35, 5},
        {37, 30}}},
      {"guard rail alone", rail, true, {{-20, 60}, {-18, 0}, {18, 0}, {20, 12}}},
      {"nose", rail, true, {{-14, 40}, {-9, 4}, {-7, 0}, {7, 0}, {9, 4}, {14, 40}}},
      // What the floors of the flangeways would be of a rail turned over: two heads.
      {"nose and floors",
       rail,
       false,
       {{-64, 45}, {-14, 45}, {-9, 2}, {0, 0}, {9, 2}, {14, 45}, {64, 45}}},
      {"wing rails and nose",
       rail,
       true,
       {{-110, 30},
        {-108, 0},
        {-60, 0},
        {-57, 40},
        {-20, 40},
        {-14, 0},
        {14, 0},
        {20, 40},
        {57, 40},
        {60, 0},
        {108, 0},
        {110, 30}}},
      {"flat roller", rail, false, {{-40, 0}, {40, 0.2}}},
      {"crane, tread 60",
       wheel,
       true,
       {{55, 25}, {40, 25}, {33, 2}, {30, 0}, {-30, 0}, {-33, 2}, {-40, 25}, {-55, 25}}},
      // The flanges together are wider than the tread.
      {"crane, tread 44",
       wheel,
       true,
       {{62, 20}, {34, 25}, {26, 2}, {22, 0}, {-22, 0}, {-26, 2}, {-34, 25}, {-62, 20}}},
      // Measured up to the hub: the flange is between two higher parts.
      {"wheel with its back",
       wheel,
       true,
       {{60, -2}, {-36, 2}, {-42, 15}, {-50, 28}, {-60, 28}, {-68, 20}, {-70, -15}, {-76, -20}}},
      {"blind wheel", wheel, false, {{65, -3}, {-65, 3}}}};
}

}  // namespace

TEST_CASE("profile: the shape of rails and wheels of every kind shows where z points, or nothing") {
  for (const Outline& shape : outlines_of_every_kind()) {
    CAPTURE(shape.name);
    for (const bool up : {false, true}) {
      CAPTURE(up);
      auto points = outline(shape.corners);
      if (up) points = changed(points, [](ProfilePoint& p) { p.z = -p.z; });
      const Profile profile = canonical_profile(shape.role, points, {});
      const double first = points.front().z * (up && shape.shows ? -1.0 : 1.0);
      const bool reversed = profile.points.front().y != points.front().y;
      CHECK((reversed ? profile.points.back() : profile.points.front()).z == test::near(first));
      const bool asks = std::any_of(
          profile.warnings.begin(), profile.warnings.end(),
          [](const std::string& text) { return contains(text, "Give mirror_z: false or true"); });
      CHECK(asks != shape.shows);
    }
  }
}

TEST_CASE("profile: a wheel without a flange is taken as it is, with the question which way z is") {
  for (const double radius : {300.0, -300.0}) {  // crowned and hollow
    std::vector<ProfilePoint> points;
    for (int i = 0; i <= 80; ++i) {
      const double y = 40.0 - i;
      points.push_back({y, -y * y / (2.0 * radius)});
    }
    const Profile wheel = canonical_profile(ProfileRole::wheel, points, {});
    CHECK(wheel.points.front().z == test::near(-800.0 / radius));
    REQUIRE(wheel.warnings.size() == 1);
    CHECK(wheel.warnings[0] ==
          "the shape does not show whether z points up (it has no flange, in a range of z of 2.67 "
          "mm); z is taken as it is. Give mirror_z: false or true");
    ProfileChanges said;
    said.mirror_z = false;
    CHECK(canonical_profile(ProfileRole::wheel, points, said).warnings.empty());
  }
}

TEST_CASE(
    "profile: a size of another unit is warned of with both numbers, and `unit` converts it") {
  struct Row {
    LengthUnit unit;
    double millimetres;
    const char* says;
  };
  for (const Row& row :
       {Row{LengthUnit::inch, 25.4, "and 125 mm wide if its points are in inches (unit: inch)"},
        Row{LengthUnit::centimetre, 10.0, "mm wide if its points are in centimetres (unit: cm)"}}) {
    const auto points = changed(wheel_points(), [&](ProfilePoint& p) {
      p = {p.y / row.millimetres, p.z / row.millimetres};
    });
    const Profile small = canonical_profile(ProfileRole::wheel, points, {});
    REQUIRE_FALSE(small.warnings.empty());
    CHECK(contains(small.warnings[0], "where wheels are usually 40 to 200 mm, and "));
    CHECK(contains(small.warnings[0], row.says));
    ProfileChanges changes;
    changes.unit = row.unit;
    const Profile wheel = canonical_profile(ProfileRole::wheel, points, changes);
    CHECK(wheel.warnings.empty());
    CHECK(wheel.points.front().y == test::near(60.0, 1e-12));
  }
  ProfileChanges wrong;  // a wheel in cm, said to be in inches; what is said is done
  wrong.unit = LengthUnit::inch;
  const auto in_cm = changed(wheel_points(), [](ProfilePoint& p) { p = {p.y / 10.0, p.z / 10.0}; });
  const Profile large = canonical_profile(ProfileRole::wheel, in_cm, wrong);
  CHECK(large.points.front().y == test::near(152.4));
  REQUIRE_FALSE(large.warnings.empty());
  CHECK(large.warnings[0] ==
        "is 318 mm wide with unit: inch, where wheels are usually 40 to 200 mm, and 125 mm wide if "
        "its points are in centimetres (unit: cm)");
  ProfileChanges metres;
  metres.unit = LengthUnit::metre;
  const auto points = changed(rail_points(), [](ProfilePoint& p) {
    p = {p.y / 1000.0, p.z / 1000.0};
  });
  CHECK(canonical_profile(ProfileRole::rail, points, metres).points.front().y ==
        test::near(-35.0, 1e-12));
}

TEST_CASE("profile: straight ends and flange backs are given by their ends, other gaps are not") {
  auto wheel = wheel_points();  // its tread's end goes up to the rim, its flange's back to the hub
  wheel.insert(wheel.begin(), {60.0, -20.0});
  wheel.push_back({-65.5, -25.0});
  const Profile profile = canonical_profile(ProfileRole::wheel, wheel, {});
  CHECK(profile.warnings.empty());
  const double z = profile.curve.at(profile.curve.first() + 8.5).z();
  CHECK(z == test::near(-11.5, 1e-6));  // 8.5 mm along a straight line
  auto rail = rail_points();
  rail.erase(rail.begin() + 20, rail.begin() + 45);
  CHECK(contains(error_of(ProfileRole::rail, rail), "has a gap of "));
}

TEST_CASE("profile: a gap in a curve is refused or has a warning, a straight piece has neither") {
  // A crown of radius 300 mm, less flat beyond, with points about a millimetre apart.
  const auto crown = [](double step) {
    std::vector<ProfilePoint> points;
    for (double y = -34.0; y <= 34.0 + 0.5 * step; y += step) {
      const double beyond = std::max(std::fabs(y) - 20.0, 0.0);
      points.push_back({y, y * y / 600.0 + beyond * beyond / 40.0});
    }
    return points;
  };
  const auto without = [](std::vector<ProfilePoint> points, double from, double to) {
    std::erase_if(points, [&](const ProfilePoint& p) { return p.y > from && p.y < to; });
    return points;
  };
  // Chords of 20 mm turn by less than 2 degrees at their ends, and are .17 mm off the crown.
  CHECK(contains(error_of(ProfileRole::rail, without(crown(0.97), -10.2, 10.2)), "has a gap of "));
  CHECK(contains(error_of(ProfileRole::rail, without(crown(0.5), -7.6, 7.6)), "has a gap of "));
  const Profile shorter =
      canonical_profile(ProfileRole::rail, without(crown(0.97), -27.0, -11.0), {});
  REQUIRE(shorter.warnings.size() == 1);
  CHECK(contains(shorter.warnings[0], "has no point between y = -27"));
  CHECK(shorter.added.empty());
  CHECK(canonical_profile(ProfileRole::rail, crown(0.97), {}).warnings.empty());
  // Straight between y = -12 and 12, with arcs that end between two points on both sides, and
  // points rounded to 0.01 mm.
  std::vector<ProfilePoint> straight;
  for (double y = -33.7; y <= 33.7; y += 0.93) {
    const double beyond = std::max(std::fabs(y) - 12.0, 0.0);
    straight.push_back({y, 0.01 * std::round(100.0 * (0.05 * y + beyond * beyond / 60.0))});
  }
  const std::size_t all = without(straight, -11.0, 11.0).size();
  const Profile profile = canonical_profile(ProfileRole::rail, without(straight, -11.0, 11.0), {});
  CHECK(profile.warnings.empty());
  CHECK(profile.points.size() - profile.added.size() == all);
  CHECK(profile.added.size() > 15);
}

TEST_CASE(
    "profile: a coarse table is interpolated, and not taken for noise [Manchester's shapes]") {
  // Some 25 points of curves whose curvature changes from one to the next.
  const auto check = [](ProfileRole role, std::vector<ProfilePoint> all, std::size_t every) {
    std::vector<ProfilePoint> coarse;
    for (std::size_t i = 0; i < all.size(); i += every) coarse.push_back(all[i]);
    REQUIRE(coarse.size() >= 20);
    const Profile profile = canonical_profile(role, coarse, {});
    CHECK(profile.points.size() == coarse.size());
    REQUIRE(profile.warnings.size() == 1);
    CHECK(contains(profile.warnings[0], "mm apart (median), so that the curvature between"));
    const Profile dense = canonical_profile(role, std::move(all), {});
    for (double y = -29.0; y <= 29.0; y += 1.7) {
      const auto z = [&](const Profile& of) {
        return of.curve.at(of.curve.parameter_at_y(y, SeenFrom::above).value()).z();
      };
      CHECK(std::fabs(z(profile) - z(dense)) <=
            0.01);  // cubics over 3 mm: h^4/384 times f's fourth derivative
    }
  };
  check(ProfileRole::rail, rail_points(), 6);
  std::vector<ProfilePoint> waves;  // of a wheel: amplitude 1, length 60 mm, and its flange
  for (const ProfilePoint& point : wheel_points())
    waves.push_back({point.y, point.z + 0.5 * std::cos(point.y / 10.0)});
  check(ProfileRole::wheel, waves, 6);
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
  CHECK(profile.curve.at(s).z() == test::near(100.0 - std::sqrt(9900.0), 1e-5));
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
  CHECK(std::stod(noisy.warnings[0].substr(start.size())) == test::near(kDeviation, 0.3));
  const std::string remedy = "; a smoothing of some ";
  const std::size_t at = noisy.warnings[0].find(remedy);
  REQUIRE(at != std::string::npos);
  changes.smoothing = std::stod(noisy.warnings[0].substr(at + remedy.size()));
  CHECK(canonical_profile(ProfileRole::rail, points, changes).warnings.empty());
}

TEST_CASE("profile: unordered points and the outline of a whole rail are refused with a remedy") {
  const auto error = [](std::vector<ProfilePoint> points) -> std::string {
    try {
      canonical_profile(ProfileRole::rail, std::move(points), {});
    } catch (const InputError& refused) {
      return refused.what();
    }
    return {};
  };
  auto mixed = rail_points();
  std::shuffle(mixed.begin(), mixed.end(), std::mt19937(1));
  CHECK(contains(error(mixed), "has points out of order: joined in turn they are "));
  CHECK(contains(error(outline({{0, 0},
                                {36, 3},
                                {36, 38},
                                {8, 50},
                                {8, 150},
                                {75, 160},
                                {75, 172},
                                {-75, 172},
                                {-75, 160},
                                {-8, 150},
                                {-8, 50},
                                {-36, 38},
                                {-36, 3},
                                {0, 0}})),
                 "; accepted: a profile of 5 to 500 mm; if this is a whole rail, only its head"));
}

TEST_CASE("profile: a scanner's fill value is left out, also of points side by side") {
  const auto whole = rail_points();
  std::vector<ProfilePoint> kept;
  std::vector<ProfilePoint> scanned;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const bool missed = i % 31 == 3 || i % 31 == 4 || i % 31 == 6;
    if (!missed) kept.push_back(whole[i]);
    scanned.push_back({whole[i].y, missed ? -20.0 : whole[i].z});
  }
  const Profile rail = canonical_profile(ProfileRole::rail, scanned, {});
  REQUIRE(rail.points.size() == kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) CHECK(rail.points[i].z == kept[i].z);
  REQUIRE(rail.warnings.size() == 1);
  CHECK(contains(rail.warnings[0], "15 points at z = -20, more than 1 mm off those next to them"));
  for (std::size_t i = 0; i < scanned.size(); ++i)  // another value for some, next to the first one
    if (i % 31 == 4) scanned[i].z = -999.0;
  const Profile both = canonical_profile(ProfileRole::rail, scanned, {});
  CHECK(both.points.size() == kept.size());
  REQUIRE(both.warnings.size() == 2);
  CHECK(contains(both.warnings[0], "5 points at z = -999"));
  CHECK(contains(both.warnings[1], "10 points at z = -20"));
  for (const auto& points :
       {grooved_rail(), outline({{-36, 30}, {-35, 6}, {0, 0}, {35, 6}, {36, 30}})})
    for (const std::string& warning : canonical_profile(ProfileRole::rail, points, {}).warnings)
      CHECK_FALSE(contains(warning, "not measured"));
}

TEST_CASE("profile: many points off their neighbours are counted in one warning") {
  auto points = rail_points();
  for (std::size_t i = 10; i + 10 < points.size(); i += 10) points[i].z += 0.3;
  std::vector<std::string> found;
  for (const std::string& warning : canonical_profile(ProfileRole::rail, points, {}).warnings)
    if (contains(warning, "left out")) found.push_back(warning);
  REQUIRE(found.size() == 4);
  CHECK(contains(found[3],
                 "more points lie up to 0.3 mm off their neighbours' line, and are left out"));
}

// Elements see no waves of less than .1 mm: points 0.02 mm apart that scatter by 3.5e-5 mm, as
// after rounding to 1e-4 mm, raise no pressure.
TEST_CASE("profile: a scatter of points closer than elements is not warned of") {
  const auto scattered = [](double deviation) {
    std::mt19937 random(3);
    std::vector<ProfilePoint> points;
    for (int i = 0; i <= 3000; ++i) {
      const double y = -30.0 + 0.02 * i;
      double sum = -6.0;
      for (int k = 0; k < 12; ++k) sum += static_cast<double>(random()) / 4294967296.0;
      points.push_back({y, 300.0 - std::sqrt(9.0e4 - y * y) + deviation * sum});
    }
    ProfileChanges changes;
    changes.mirror_z = false;
    return canonical_profile(ProfileRole::rail, points, changes).warnings;
  };
  CHECK(scattered(3.5e-5).empty());
  REQUIRE(scattered(1.0e-4).size() == 1);
  CHECK(contains(scattered(1.0e-4)[0], "the points scatter by about"));
}

TEST_CASE("profile: a smoothing that changes the shape is warned of with how much") {
  const auto warnings = [](const std::vector<ProfilePoint>& points, double smoothing) {
    ProfileChanges changes;
    changes.smoothing = smoothing;
    std::vector<std::string> found;
    for (const std::string& text : canonical_profile(ProfileRole::rail, points, changes).warnings)
      if (contains(text, "it changes the shape")) found.push_back(text);
    return found;
  };
  // Its top turns by less than a kink.
  const auto bent = outline({{-36, 30}, {-35, 6}, {0, 3}, {35, 6}, {36, 30}});
  CHECK(warnings(bent, 0.0).empty());
  const auto found = warnings(bent, 40.0);
  REQUIRE(found.size() == 1);
  CHECK(found[0].rfind("smoothing: 40 moves the points by ", 0) == 0);
  CHECK(warnings(rail_points(), 2.0).empty());  // a wave of 2 mm is none of a circle of 100 mm
  std::vector<ProfilePoint> coarse;
  for (std::size_t i = 0; i < rail_points().size(); i += 7) coarse.push_back(rail_points()[i]);
  CHECK(warnings(coarse, 3.0).empty());
  const auto of_coarse = warnings(coarse, 60.0);
  REQUIRE(of_coarse.size() == 1);
  CHECK(
      contains(of_coarse[0], "which lie too far apart to show any scatter: it changes the shape"));
}

TEST_CASE("profile: no smoothing is suggested that would change the shape") {
  // Points 1 mm apart along a shape with waves of 8 mm, and as much noise: to smooth one is to
  // smooth the other.
  std::mt19937 random(3);
  std::vector<ProfilePoint> points;
  for (int i = 0; i <= 70; ++i) {
    const double y = -35.0 + i;
    const double noise = static_cast<double>(random()) / 4294967296.0 - 0.5;
    points.push_back({y, 100.0 - std::sqrt(1e4 - y * y) + 0.1 * noise});
  }
  const Profile profile = canonical_profile(ProfileRole::rail, points, {});
  REQUIRE_FALSE(profile.warnings.empty());
  CHECK(contains(profile.warnings.back(),
                 "; better points: a smoothing long enough would change the shape itself"));
}

TEST_CASE("profile: corners do not count as outliers, and stay corners") {
  std::vector<ProfilePoint> points;
  for (int i = 0; i <= 40; ++i) points.push_back({-20.0 + 0.5 * i, 10.0 - 0.5 * i});
  for (int i = 1; i <= 40; ++i) points.push_back({0.5 * i, -10.0 + 0.5 * i});
  ProfileChanges as_it_is;
  as_it_is.mirror_z = false;
  const Profile profile = canonical_profile(ProfileRole::rail, points, as_it_is);
  CHECK(profile.warnings.empty());
  CHECK(profile.points.size() == 81);
  const double s = profile.curve.parameter_at_y(0.25, SeenFrom::above).value();
  CHECK(profile.curve.at(s).z() == test::near(-9.75, 1e-12));
}

TEST_CASE("profile: next to a corner between two points straight lines stay straight") {
  const auto faces = [](double spacing,
                        double start) {  // 45 degrees down from y = 10
    std::vector<ProfilePoint> points;
    for (double y = -30.0 + start; y < 30.0; y += spacing)
      points.push_back({y, y < 10.0 ? 0.05 * (y + 30.0) : 2.0 + (y - 10.0)});
    return points;
  };
  for (const auto& [spacing, start] :
       {std::pair{0.5, 0.2}, std::pair{0.5, 0.35}, std::pair{1.0, 0.3}, std::pair{3.0, 2.0}}) {
    CAPTURE(spacing);
    ProfileChanges as_it_is;
    as_it_is.mirror_z = false;
    const Profile rail = canonical_profile(ProfileRole::rail, faces(spacing, start), as_it_is);
    REQUIRE(rail.corners.size() == 1);
    CHECK(std::ranges::any_of(rail.notes, [](const std::string& note) {
      return note.starts_with("turns between (") && note.ends_with("), and is rounded there");
    }));
    for (double y = -25.0; y < 25.0; y += 0.1) {
      const CurvePoint at{rail.curve.parameter_at_y(y, SeenFrom::above).value(), {}};
      const double off =
          rail.curve.at(at.s).z() - (y < 10.0 ? 0.05 * (y + 30.0) : 2.0 + (y - 10.0));
      if (std::fabs(y - 10.0) > spacing)
        CHECK(std::fabs(off) < 1e-9);  // [mm]
      else
        CHECK(off > -1e-9);  // inside the corner, as the chord is
    }
  }
  for (const auto& points : {rail_points(), wheel_points(), crane_wheel(), grooved_rail()})
    CHECK(canonical_profile(points.front().y < 0.0 ? ProfileRole::rail : ProfileRole::wheel, points,
                            {})
              .corners.empty());
}

TEST_CASE("profile: next to a corner of any angle and place, in any unit, lines stay straight") {
  constexpr double kCorner = 10.0;
  constexpr double kFace = 0.05;  // slope before the corner
  for (const double degrees : {14.0, 20.0, 29.0, 31.4, 45.0})
    for (const auto& [spacing, gap] :
         {std::pair{0.5, 0.0}, std::pair{0.2, 0.0}, std::pair{0.5, 1.3}})
      for (const double share : {0.0, 0.02, 0.12, 0.4, 0.9}) {  // of the spacing, point to corner
        const double slope = std::tan(std::atan(kFace) + degrees * std::numbers::pi / 180.0);
        // What turns over 2.6 mm by less than 30 degrees may be a part of an arc.
        if (gap > 0.0 && degrees < 31.0) continue;
        CAPTURE(degrees);
        CAPTURE(spacing);
        CAPTURE(gap);
        CAPTURE(share);
        const auto z = [&](double y) {
          return y < kCorner ? kFace * (y - kCorner) : slope * (y - kCorner);
        };
        std::vector<ProfilePoint> points;
        for (int k = -60; k < 50; ++k) {
          const double y = kCorner + (k + share) * spacing;
          if (std::fabs(y - kCorner) >= gap) points.push_back({y, z(y)});
        }
        ProfileChanges as_it_is;
        as_it_is.mirror_z = false;
        const Profile rail = canonical_profile(ProfileRole::rail, points, as_it_is);
        CHECK(rail.kinks.size() + rail.corners.size() == 1);
        double most = 0.0;
        for (double y = points.front().y; y < points.back().y; y += 0.11)
          if (std::fabs(y - kCorner) > std::max(2.0 * gap, 0.5))
            most = std::max(
                most,
                std::fabs(rail.curve.at(rail.curve.parameter_at_y(y, SeenFrom::above).value()).z() -
                          z(y)));
        CHECK(most < 5e-4);  // [mm] a tenth of what it was; a turn below a degree remains at a kink
        ProfileChanges in_inches = as_it_is;
        in_inches.unit = LengthUnit::inch;
        in_inches.mirror_y = true;
        for (ProfilePoint& point : points) point = {-point.y / 25.4, point.z / 25.4};
        const Profile same = canonical_profile(ProfileRole::rail, points, in_inches);
        CHECK(same.kinks == rail.kinks);
        CHECK(same.corners == rail.corners);
      }
}

TEST_CASE("profile: measurement errors are no corners, however near the points") {
  std::mt19937_64 random(7);
  for (const auto& [spacing, error] : {std::pair{0.05, 0.006}, std::pair{0.05, 0.01},
                                       std::pair{0.1, 0.01}, std::pair{0.1, 0.02}}) {
    CAPTURE(spacing);
    CAPTURE(error);
    std::normal_distribution<double> off(0.0, error);
    for (int profile = 0; profile < 50; ++profile) {
      std::vector<ProfilePoint> points;
      for (int k = -300; k <= 300; ++k) {
        const double y = k * spacing;
        points.push_back({y, y * y / 600.0 + off(random)});
      }
      const ProfileCuts cuts = find_cuts(points, false);
      CHECK(cuts.kinks.empty());
      CHECK(cuts.corners.empty());
    }
  }
}

TEST_CASE("profile: a step between points that lie far apart does not count as an outlier") {
  auto points = rail_points();  // the gauge face as a drawing has it, with few points
  points.insert(points.begin(), {{-42, 30}, {-38, 18}, {-36, 14}, {-35.5, 10}});
  const Profile profile = canonical_profile(ProfileRole::rail, points, {});
  CHECK(std::any_of(profile.points.begin(), profile.points.end(),
                    [](const ProfilePoint& p) { return p.y == -36.0 && p.z == 14.0; }));
  CHECK(profile.warnings.empty());
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
