// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "solver/error.h"
#include "tests/support/near.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

using test::kConeSlope;
using test::kHeadRadius;

WheelRailPosition round_position(double lowered) {
  WheelRailPosition position;
  position.track.gauge_height = 1.0;
  position.wheelset.z = lowered;
  return position;
}

// Height of the wheel's surface in its own coordinates above (x, y): positive below it.
double outside_wheel(const Profile& wheel, double radius, const Eigen::Vector3d& point) {
  const double s = wheel.curve.parameter_at_y(point.y(), SeenFrom::below).value();
  const double r = radius + wheel.curve.at(s).z();
  return point.z() - (std::sqrt(r * r - point.x() * point.x()) - radius);
}

}  // namespace

TEST_SUITE_BEGIN("unit");

TEST_CASE("contact search: a cone touches a round rail where both have one slope") {
  WheelRailSearch search = test::cone_on_round_rail();
  const NearestPoint nearest = search.nearest(round_position(0.0));
  // Sampled at .06 mm, of which half: .03 mm, or 1e-4 of the rail's inclination.
  CHECK(nearest.angle == test::near(-std::atan(kConeSlope), 0.01));
  const double slope = std::atan(kConeSlope);
  const auto rail = place_rail(*test::round_rail(), round_position(0.0).track);
  CHECK(nearest.y == test::near(rail.frame.origin.y() - kHeadRadius * std::sin(slope),
                                1e-4));  // of 720 mm: .07 mm
  CHECK(nearest.radius == test::near(460.0 - kConeSlope * nearest.wheel_y, 1e-9));
}

TEST_CASE("contact search: lowered by the gap the wheel just touches the rail") {
  WheelRailSearch search = test::cone_on_round_rail();
  const double gap = search.nearest(round_position(0.0)).gap;
  CHECK(std::fabs(search.nearest(round_position(gap)).gap) <= 1e-12);
  CHECK(search.patches(round_position(gap - 1e-9)).empty());
  const auto patches = search.patches(round_position(gap + 0.02));
  REQUIRE(patches.size() == 1);
  // The surfaces approach along the normal of the contact.
  CHECK(patches[0].penetration == test::near(0.02 * std::cos(std::atan(kConeSlope)), 1e-4));
  CHECK(*std::min_element(patches[0].distance.begin(), patches[0].distance.end()) == 0.0);
}

TEST_CASE("contact search: left and right are images of each other") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  WheelRailPosition right;
  right.wheelset.y = 3.0;
  right.wheelset.z = 0.15;
  right.wheelset.roll = 0.0004;
  right.wheelset.yaw = 0.01;
  right.wheelset.velocity_x = 2000.0;
  right.wheelset.velocity_pitch = -4.3;
  right.wheelset.velocity_yaw = 0.01;
  const WheelRailPosition left = mirrored(right);
  CHECK(left.side == Side::left);
  CHECK(left.wheelset.yaw == -0.01);
  const auto a = search.patches(right);
  const auto b = search.patches(left);
  REQUIRE(a.size() == 1);
  REQUIRE(b.size() == 1);
  CHECK(a[0].angle == -b[0].angle);
  CHECK(a[0].frame.origin.x() == b[0].frame.origin.x());
  CHECK(a[0].frame.origin.y() == -b[0].frame.origin.y());
  CHECK(a[0].creepages.x == b[0].creepages.x);
  CHECK(a[0].creepages.y == -b[0].creepages.y);
  CHECK(a[0].creepages.spin == -b[0].creepages.spin);
  const Grid& grid = a[0].grid;
  REQUIRE(b[0].grid.count() == grid.count());
  for (int iy = 0; iy < grid.my; ++iy) {
    CHECK(b[0].grid.y(iy) == test::within(-grid.y(grid.my - 1 - iy), 1e-13));  // a row may be at 0
    CHECK(b[0].distance[grid.index(3, iy)] == a[0].distance[grid.index(3, grid.my - 1 - iy)]);
  }
}

TEST_CASE("contact search: the locus holds the lowest point of every circle, at any yaw") {
  const auto wheel = test::manchester_wheel();
  const auto rail = test::manchester_rail();
  for (const double roller_radius : {0.0, 1000.0, 400.0}) {
    CAPTURE(roller_radius);
    WheelRailSearch search(wheel, rail, {});
    WheelRailPosition position;
    position.track.roller_radius = roller_radius;
    position.wheelset.y = 4.0;
    position.wheelset.roll = 0.005;
    position.wheelset.yaw = 0.03;
    const double gap = search.nearest(position).gap;
    const PlacedWheel placed = place_wheel(position.wheelset);
    const PlacedRail on = place_rail(*rail, position.track);
    double least = 1e9;
    double least_y = 0.0;
    double least_x = 0.0;
    const auto sample = [&](double y, double x) {
      const double s = wheel->curve.parameter_at_y(y, SeenFrom::below).value();
      const Eigen::Vector3d point = placed.frame.out(placed.around(wheel->curve.at(s), x));
      const auto below = on.curve.parameter_at_y(point.y(), SeenFrom::above);
      if (!below) return;
      const double z = on.curve.at(*below).z();
      const double distance = z + on.drop(z, point.x()) - point.z();
      if (distance < least) {
        least = distance;
        least_y = y;
        least_x = x;
      }
    };
    for (int i = 0; i <= 160; ++i) {
      for (int j = -40; j <= 40; ++j) sample(40.0 - 0.5 * i, j);
    }
    const double near_y = least_y;
    const double near_x = least_x;
    for (int i = -12; i <= 12; ++i) {
      for (int j = -12; j <= 12; ++j) sample(near_y + 0.05 * i, near_x + 0.1 * j);
    }
    // Samples of .05 x .1 mm miss the lowest point by less than .05^2/(2 13) + .1^2/(2 460), the
    // flange's root having a radius of 13 mm; the locus is right to the first order of x/R.
    CHECK(gap == test::near(least, 1e-3));
    CHECK(gap <= least + 1e-4);
  }
}

TEST_CASE("contact search: the distance is that of rays along the normal to both surfaces") {
  const auto wheel = test::manchester_wheel();
  const auto rail = test::manchester_rail();
  WheelRailSearch search(wheel, rail, {});
  WheelRailPosition position = mirrored(test::manchester_position(test::manchester_cases()[20]));
  const double depth = -search.nearest(position).gap;
  for (const double roller_radius : {0.0, 500.0}) {
    CAPTURE(roller_radius);
    position.track.roller_radius = roller_radius;
    position.wheelset.z += search.nearest(position).gap + depth;
    const auto patches = search.patches(position);
    REQUIRE(patches.size() == 1);
    const ContactPatch& patch = patches[0];
    const PlacedWheel placed = place_wheel(position.wheelset);
    const PlacedRail on = place_rail(*rail, position.track);
    const auto root = [](auto f) {
      double low = -5.0;
      double high = 5.0;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (f(middle) < 0.0 ? low : high) = middle;
      }
      return low;
    };
    for (int iy = 0; iy < patch.grid.my; iy += 5) {
      for (int ix = 0; ix < patch.grid.mx; ix += 7) {
        const auto at = [&](double n) {
          return patch.frame.out({patch.grid.x(ix), patch.grid.y(iy), n});
        };
        const double n_wheel = root(
            [&](double n) { return outside_wheel(*wheel, placed.radius, placed.frame.in(at(n))); });
        const double n_rail = root([&](double n) {
          const Eigen::Vector3d point = at(n);
          const double z = roller_radius > 0.0
                               ? roller_radius - std::hypot(point.x(), roller_radius - point.z())
                               : point.z();
          return z - on.curve.at(on.curve.parameter_at_y(point.y(), SeenFrom::above).value()).z();
        });
        const double h = patch.distance[patch.grid.index(ix, iy)] - patch.penetration;
        // A mesh of .2 mm is off a wheel of 460 and, across, some 100 mm by 6e-5 mm at most.
        CHECK(std::fabs(h - (n_rail - n_wheel)) <= 1e-4);
      }
    }
  }
}

TEST_CASE("contact search: a wheelset off the track is one sentence") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  WheelRailPosition position;
  position.wheelset.y = 200.0;
  CHECK_THROWS_WITH_AS(static_cast<void>(search.nearest(position)),
                       doctest::Contains("the wheel is not over the rail: across the track the "
                                         "wheel reaches over y = "),
                       InputError);
}

TEST_CASE("contact search: regions merge up to the distance asked for") {
  WheelRailPosition position;  // between contact on the tread and in the flange's root
  position.side = Side::left;
  position.wheelset.y = -5.25;
  position.wheelset.z = -0.273;
  PatchSettings apart;
  apart.merge_distance = 0.0;
  WheelRailSearch many(test::manchester_wheel(), test::manchester_rail(), apart);
  PatchSettings together;
  together.merge_distance = 100.0;
  WheelRailSearch one(test::manchester_wheel(), test::manchester_rail(), together);
  const auto regions = many.regions(position);
  REQUIRE(regions.size() >= 2);
  const auto merged = one.regions(position);
  REQUIRE(merged.size() == 1);
  double weight = 0.0;
  double y = 0.0;
  for (const ContactRegion& region : regions) {
    weight += region.weight;
    y += region.weight * region.y;
    CHECK(region.y_first >= merged[0].y_first);
    CHECK(region.y_last <= merged[0].y_last);
  }
  CHECK(merged[0].weight == test::near(weight, 1e-12));
  CHECK(merged[0].y == test::near(y / weight, 1e-12));
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("analytic");

TEST_CASE("contact search: positions, grids and creepages of the Manchester benchmark [CONTACT]") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  int other_grids = 0;
  for (const test::ManchesterCase& entry : test::manchester_cases()) {
    CAPTURE(entry.at("case"));
    const auto patches = search.patches(test::manchester_position(entry));
    REQUIRE(patches.size() == 1);
    const ContactPatch& patch = patches[0];
    // Where a height of 4 decimals is half a unit off, the reference moves by up to 1e-3 across.
    CHECK(std::fabs(patch.frame.origin.x() - entry.at("xcp_tr")) <= 1e-4);
    CHECK(std::fabs(patch.frame.origin.y() - entry.at("ycp_tr")) <= 1.2e-3);
    CHECK(std::fabs(patch.frame.origin.z() - entry.at("zcp_tr")) <= 1e-4);
    CHECK(std::fabs(patch.angle - entry.at("delta")) <= 1e-4);
    CHECK(std::fabs(patch.on_rail.y() - entry.at("y_r")) <= 1.2e-3);
    CHECK(std::fabs(patch.on_wheel.x() - entry.at("x_w")) <= 1e-4);
    CHECK(std::fabs(patch.on_wheel.y() - entry.at("y_w")) <= 1.2e-3);
    CHECK(std::fabs(patch.on_wheel.z() - entry.at("z_w")) <= 1e-4);
    CHECK(std::fabs(patch.penetration - entry.at("approach")) <= 6e-5);  // the height's rounding
    CHECK(patch.creepages.direction == 0.0);
    // Half a unit of the last digit, and the height's rounding: 5e-5/460 of the velocity.
    CHECK(std::fabs(patch.creepages.velocity - entry.at("veloc")) <= 0.51);
    CHECK(std::fabs(patch.creepages.x - entry.at("xi")) <=
          5.1e-4 * std::fabs(entry.at("xi")) + 2e-7);
    CHECK(std::fabs(patch.creepages.y - entry.at("eta")) <= 5.1e-4 * std::fabs(entry.at("eta")));
    CHECK(std::fabs(patch.creepages.spin - entry.at("phi")) <= 2e-4 * std::fabs(entry.at("phi")));
    other_grids += static_cast<double>(patch.grid.count()) == entry.at("npot") ? 0 : 1;
  }
  // Cases 18 and 20 are at the edge of one more row or column: which side they fall on hangs on the
  // digits of the height that were not printed.
  CHECK(other_grids <= 2);
}

TEST_CASE("contact search: profiles moved in their own coordinates are the same wheel and rail") {
  const std::vector<test::ManchesterCase> cases = test::manchester_cases();
  const auto wheel = test::manchester_wheel();
  const auto rail = test::manchester_rail();
  const auto moved = [](const Profile& profile, double y, double z) {
    std::vector<ProfilePoint> points = profile.points;
    for (ProfilePoint& point : points) point = {point.y + y, point.z + z};
    return std::make_shared<const Profile>(with_points(profile, points));
  };
  // The wheel with its flange's back; the rail, whose gauge point and top are found, anywhere.
  WheelRailSearch here(wheel, rail, {});
  WheelRailSearch there(moved(*wheel, 3.7, 0.0), moved(*rail, -5.3, 2.1), {});
  for (const std::size_t i : {0U, 8U, 20U}) {
    CAPTURE(i);
    const WheelRailPosition position = test::manchester_position(cases[i]);
    WheelRailPosition with_flange = position;
    with_flange.wheelset.flange_back_position += 3.7;
    CHECK(there.nearest(with_flange).gap == test::within(here.nearest(position).gap, 1e-11));
    const std::vector<ContactPatch> patches = here.patches(position);
    const std::vector<ContactPatch> others = there.patches(with_flange);
    REQUIRE(patches.size() == others.size());
    for (std::size_t k = 0; k < patches.size(); ++k) {
      const ContactPatch& patch = patches[k];
      const ContactPatch& other = others[k];
      CHECK((patch.frame.origin - other.frame.origin).norm() <= 1e-9);
      CHECK(other.penetration == test::near(patch.penetration, 1e-8));
      REQUIRE(other.distance.size() == patch.distance.size());
      double greatest = 0.0;
      for (std::size_t e = 0; e < patch.distance.size(); ++e)
        greatest = std::fmax(greatest, std::fabs(other.distance[e] - patch.distance[e]));
      CHECK(greatest <= 1e-9);  // [mm]; the rounding of radii of 460 mm is 1e-13
    }
  }
}

TEST_CASE("contact search: rails that searches share are the same as their own") {
  const auto wheel = test::manchester_wheel();
  const auto rail = test::manchester_rail();
  const auto shared = std::make_shared<PlacedRails>();
  for (const double cant : {0.0, 0.025, 0.0, 0.025})
    for (const double spacing : {0.2, 0.5}) {
      PatchSettings settings;
      settings.spacing_x = settings.spacing_y = spacing;
      WheelRailPosition position;
      position.wheelset.y = 3.0;
      position.track.cant = cant;
      const NearestPoint own = WheelRailSearch(wheel, rail, settings).nearest(position);
      const NearestPoint same = WheelRailSearch(wheel, rail, settings, shared).nearest(position);
      CHECK(own.gap == same.gap);
      CHECK(own.y == same.y);
      CHECK(own.radius == same.radius);
    }
}

// The profile is moved so that its origin is on the axle's centre, about which the wheel yaws.
TEST_CASE("contact search: a yawed wheelset on a roller is a wheel yawed about its own centre") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  WheelRailPosition position;
  position.track.roller_radius = 500.0;
  position.track.roller_pitch = 4.0;
  position.wheelset.y = 3.0;
  position.wheelset.yaw = 0.01;
  position.wheelset.velocity_pitch = -4.35;
  const double across =
      0.5 * position.wheelset.flange_back_distance - position.wheelset.flange_back_position;
  const double rail_y = place_rail(*test::manchester_rail(), position.track).frame.origin.y();
  WheelRailPosition own = position;
  own.wheelset.flange_back_distance = own.wheelset.flange_back_position = 0.0;
  own.track.rail_origin = {rail_y - across * std::cos(position.wheelset.yaw), 0.0};
  WheelRailPosition level = position;
  level.track.rail_origin = {rail_y, 0.0};
  level.wheelset.z = search.nearest(level).gap + 0.08;
  own.wheelset.z = search.nearest(own).gap + 0.08;
  // Only the axle's circle is another one: x_o^2/2 (1/R_r) = .06 mm of height, and the place along
  // it.
  const auto a = search.patches(level);
  const auto b = search.patches(own);
  REQUIRE(a.size() == 1);
  REQUIRE(b.size() == 1);
  CHECK(a[0].creepages.y == test::near(b[0].creepages.y, 0.01));
  CHECK(a[0].creepages.x == test::within(b[0].creepages.x, 1e-4));
  CHECK(a[0].penetration == test::near(b[0].penetration, 1e-3));
}

TEST_CASE("contact search: a roller of a great radius is the rail, its rotation the velocity") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  WheelRailPosition on_rail;
  on_rail.wheelset.y = 4.0;
  on_rail.wheelset.z = 0.2;
  on_rail.wheelset.roll = 0.002;
  on_rail.wheelset.yaw = 0.01;
  on_rail.wheelset.velocity_x = 2000.0;
  on_rail.wheelset.velocity_pitch = -4.3;
  WheelRailPosition on_roller = on_rail;
  on_roller.wheelset.velocity_x = 0.0;
  on_roller.track.rail_z = place_rail(*test::manchester_rail(), {}).frame.origin.z();
  on_roller.track.roller_radius = 1.0e9;
  on_roller.track.roller_pitch = 2.0e-6;
  const auto a = search.patches(on_rail);
  const auto b = search.patches(on_roller);
  REQUIRE(a.size() == b.size());
  REQUIRE(!a.empty());
  for (std::size_t i = 0; i < a.size(); ++i) {  // 1e-7: x of 10 mm drops by 5e-8 mm
    CHECK((a[i].frame.origin - b[i].frame.origin).norm() <= 1e-5);
    CHECK(std::fabs(a[i].penetration - b[i].penetration) <= 1e-7);
    REQUIRE(a[i].distance.size() == b[i].distance.size());
    for (std::size_t k = 0; k < a[i].distance.size(); k += 17)
      CHECK(std::fabs(a[i].distance[k] - b[i].distance[k]) <= 1e-5);
    CHECK(b[i].creepages.direction == 0.0);
    CHECK(b[i].creepages.velocity == test::near(a[i].creepages.velocity, 1e-7));
    CHECK(std::fabs(b[i].creepages.x - a[i].creepages.x) <= 1e-7);
    CHECK(std::fabs(b[i].creepages.y - a[i].creepages.y) <= 1e-7);
    CHECK(std::fabs(b[i].creepages.spin - a[i].creepages.spin) <= 1e-8);
  }
  const NearestPoint rail = search.nearest(on_rail);
  const NearestPoint roller = search.nearest(on_roller);
  CHECK(std::fabs(rail.gap - roller.gap) <= 1e-7);
  // The parabola through three gaps magnifies their differences.
  CHECK(std::fabs(rail.wheel_y - roller.wheel_y) <= 1e-6);
}

// Pressed in by millimetres a contact reaches where the profile stands upright over its plane: some
// rows end there before the grid does.
TEST_CASE("contact search: on a roller a wheel may overlap the rail's upright face") {
  PatchSettings settings;
  settings.spacing_x = settings.spacing_y = 0.5;
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), settings);
  WheelRailPosition position;
  position.side = Side::left;
  position.wheelset.velocity_x = 2000.0;
  WheelRailPosition on_roller = position;
  on_roller.track.rail_z = place_rail(*test::manchester_rail(), {}).frame.origin.z();
  on_roller.track.roller_pitch = 4.0;
  const auto approach = [&](WheelRailPosition at, double y, double depth) {
    at.wheelset.y = y;
    at.wheelset.z = search.nearest(at).gap + depth;
    const auto patches = search.patches(at);
    REQUIRE(patches.size() == 1);
    return patches[0].penetration;
  };
  constexpr double kStep = 0.5;
  for (const double y : {-8.0, -5.0, -3.0, 8.0}) {
    CAPTURE(y);
    double before = 0.0;
    for (double depth = kStep; depth < 9.0; depth += kStep) {
      CAPTURE(depth);
      const double on_rail = approach(position, y, depth);
      on_roller.track.roller_radius = 1.0e9;
      CHECK(approach(on_roller, y, depth) == test::near(on_rail, 1e-6));
      on_roller.track.roller_radius = 500.0;
      const double now = approach(on_roller, y, depth);
      // The deepest place is at the top of both circles, where a roller is as high as a rail.
      CHECK(now == test::near(on_rail, 1e-3));
      CHECK(now > before);
      CHECK(now - before <= 1.01 * kStep);  // the plane's direction changes too
      before = now;
    }
  }
}

TEST_CASE("contact search: where the gap is least is found between the samples") {
  ProfileChanges changes;
  changes.mirror_y = changes.mirror_z = false;
  std::vector<ProfilePoint> crown;
  std::vector<ProfilePoint> flat;
  for (int i = -60; i <= 60; ++i) {
    crown.push_back({0.5 * i, -0.25 * i * i / 300.0});
    flat.push_back({0.5 * i, 0.0});
  }
  WheelRailSearch search(
      std::make_shared<const Profile>(canonical_profile(ProfileRole::wheel, crown, changes)),
      std::make_shared<const Profile>(canonical_profile(ProfileRole::rail, flat, changes)), {});
  WheelRailPosition position;
  position.side = Side::right;
  position.track.rail_origin = {750.0, 0.0};
  for (const double y : {0.0, 0.013, 0.029, 0.047}) {  // samples are .06 mm apart
    position.wheelset.y = y;
    const NearestPoint nearest = search.nearest(position);
    CHECK(std::fabs(nearest.wheel_y) <= 1e-5);
    CHECK(std::fabs(nearest.rail_y - y) <= 1e-5);
    CHECK(std::fabs(nearest.gap) <= 1e-9);
  }
}

TEST_CASE("contact search: on a roller both circles part, and its rotation adds to the spin") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  WheelRailPosition position;
  position.track.roller_radius = 500.0;
  position.track.roller_pitch = 4.0;
  position.wheelset.y = 2.0;
  position.wheelset.z = search.nearest(position).gap + 0.05;
  const NearestPoint nearest = search.nearest(position);
  position.wheelset.velocity_pitch = -4.0 * (500.0 - nearest.z) / nearest.radius;
  const auto patches = search.patches(position);
  REQUIRE(patches.size() == 1);
  const ContactPatch& patch = patches[0];
  const double z = patch.frame.origin.z();
  const PatchCreepages& creepages = patch.creepages;
  CHECK(creepages.direction == 0.0);
  CHECK(creepages.velocity == test::near(4.0 * (500.0 - z), 1e-4));
  CHECK(std::fabs(creepages.x) <= 2e-4);  // from the penetration, and a tread of 1 in 40
  const double pitch = position.wheelset.velocity_pitch;
  CHECK(creepages.spin ==
        test::near(-std::sin(patch.angle) * (4.0 - pitch) / creepages.velocity, 1e-9));
  // Along the contact the surfaces part by both circles' versed sines, seen along the normal; the
  // mesh errs by dx^2/(8 R) = 1e-5 mm, and the slopes at the reference differ a little.
  const Grid& grid = patch.grid;
  const auto iy = static_cast<int>(std::lround(-grid.y0 / grid.dy - 0.5));
  const auto centre = static_cast<int>(std::lround(-grid.x0 / grid.dx - 0.5));
  REQUIRE(std::fabs(grid.y(iy)) <= 1e-9);
  REQUIRE(std::fabs(grid.x(centre)) <= 1e-9);
  const auto versed = [](double radius, double x) {
    return radius - std::sqrt(radius * radius - x * x);
  };
  for (int ix = 0; ix < grid.mx; ix += 4) {
    const double x = grid.x(ix);
    const double parting =
        std::cos(patch.angle) * (versed(500.0 - z, x) + versed(nearest.radius, x));
    const double h = patch.distance[grid.index(ix, iy)] - patch.distance[grid.index(centre, iy)];
    CHECK(std::fabs(h - parting) <= 3e-5 + 2e-3 * parting);
  }
}

TEST_CASE("placement: the gauge is measured on a rail's head, not on a lip or a check rail") {
  // A head 70 mm wide with a gauge face at y = -35, a groove 40 mm deep, and a lip or check rail
  // beyond it whose top is at the height z.
  for (const double z : {9.0, 2.0, -20.0}) {
    CAPTURE(z);
    const std::vector<ProfilePoint> points = test::between(
        {{-90, z}, {-75, z}, {-73, 40}, {-38, 40}, {-35, 6}, {0, 0}, {35, 6}, {35, 30}});
    Track track;
    track.gauge_height = 14.0;
    const PlacedRail placed = place_rail(canonical_profile(ProfileRole::rail, points, {}), track);
    // 14 mm below the top the face is 8/34 of 3 mm farther in.
    CHECK(placed.gauge_point == test::near(-35.0 - 3.0 * 8.0 / 34.0, 1e-3));
    CHECK_FALSE(placed.gauge_point_is_end);
    // The head's top is at the height of the track; its points are on a ridge, rounded a little.
    CHECK(std::fabs(placed.frame.origin.z()) <= 0.1);
  }
}

namespace {

// From the track's centre: a lip 16 mm wide, a groove 45 mm deep, a head 70 mm wide whose gauge
// face is upright at y = -35, a flangeway and a wing rail 40 mm wide.
Profile rail_of_three_parts() {
  const std::vector<ProfilePoint> corners{{-92, 40}, {-92, 9}, {-76, 9},  {-74, 45}, {-37, 45},
                                          {-35, 30}, {-35, 4}, {0, 0},    {35, 4},   {37, 45},
                                          {78, 45},  {80, -2}, {120, -2}, {122, 30}};
  ProfileChanges z_down;
  z_down.mirror_z = false;
  return canonical_profile(ProfileRole::rail, test::between(corners), z_down);
}

}  // namespace

TEST_CASE("placement: the gauge face is the one that is asked for, and the rail's top its part's") {
  const Profile rail = rail_of_three_parts();
  const auto placed = [&](GaugeFace face, std::optional<std::array<double, 2>> between,
                          double height = 14.0) {
    Track track;
    track.gauge_height = height;
    track.gauge_face = face;
    track.gauge_between = between;
    return place_rail(rail, track);
  };
  // Splines through corners leave them by some 0.1 mm.
  const PlacedRail head = placed(GaugeFace::head, {});
  CHECK(std::fabs(head.gauge_point + 35.0) <= 0.1);
  CHECK(std::fabs(head.frame.origin.z()) <= 0.1);
  const PlacedRail lip = placed(GaugeFace::lip, {});
  CHECK(std::fabs(lip.gauge_point + 92.0) <= 0.1);
  CHECK(std::fabs(lip.frame.origin.z()) <= 0.1);  // the head's top, not the lip's
  CHECK(std::fabs(lip.frame.origin.y() - (717.5 + 92.0)) <= 0.1);
  const PlacedRail wing = placed(GaugeFace::automatic, std::array{60.0, 122.0});
  CHECK(std::fabs(wing.gauge_point - 79.4) <= 0.3);  // the face has a slope of 2 : 47
  CHECK(std::fabs(wing.frame.origin.z() - 2.0) <= 0.1);
  for (const PlacedRail& each : {head, lip, wing}) CHECK_FALSE(each.gauge_point_is_end);
  CHECK(placed(GaugeFace::automatic, std::array{-20.0, 30.0}).gauge_point_is_end);
  CHECK_THROWS_WITH_AS(
      placed(GaugeFace::lip, {}, 5.0),
      "track.gauge_face is lip, and the rail has none: nothing beyond a groove is less than the "
      "gauge height, 5 mm, below its head's top; accepted: auto, head or [y, y]",
      InputError);
  CHECK_THROWS_WITH_AS(
      placed(GaugeFace::automatic, std::array{200.0, 300.0}),
      "track.gauge_face: the rail's profile has no two points between y = 200 and 300 mm",
      InputError);
}

TEST_CASE("placement: the head of one part is the rail itself, as before") {
  Track track;
  track.gauge_face = GaugeFace::head;
  const PlacedRail head = place_rail(*test::manchester_rail(), track);
  const PlacedRail usual = place_rail(*test::manchester_rail(), {});
  CHECK(head.gauge_point == usual.gauge_point);
  CHECK(head.frame.origin == usual.frame.origin);
}

TEST_CASE("contact search: the gauge point of the Manchester rail [CONTACT]") {
  const PlacedRail rail = place_rail(*test::manchester_rail(), {});
  CHECK(std::fabs(rail.gauge_point + 43.032558) <= 5e-7);  // as printed
  CHECK(std::fabs(rail.frame.origin.y() - 760.532558) <= 5e-7);
  CHECK(std::fabs(rail.frame.origin.z()) <= 5e-7);
  CHECK_FALSE(rail.gauge_point_is_end);
}

TEST_SUITE_END();

}  // namespace slipfield
