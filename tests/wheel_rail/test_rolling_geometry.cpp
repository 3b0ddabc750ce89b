// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "solver/wheel_rail/wheelset/rolling_geometry.h"
#include "tests/support/near.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

constexpr double kSlope = 0.1;

// Places 0.01 mm apart over [-10, 10].
KinematicMotion motion(const std::function<double(double)>& difference) {
  std::vector<double> y;
  std::vector<double> values;
  for (int i = -1000; i <= 1000; ++i) {
    y.push_back(0.01 * i);
    values.push_back(difference(y.back()));
  }
  return {std::move(y), std::move(values)};
}

// A piece of a profile, from one y to the next: an arc about (y, z), its top or its bottom, or a
// line.
struct Arc {
  double from = 0.0;
  double to = 0.0;
  double centre_y = 0.0;
  double centre_z = 0.0;
  double radius = 0.0;  // < 0: the half at less z; 0: the line z = centre_z + slope y
  double slope = 0.0;

  [[nodiscard]] double z(double y) const {
    if (radius == 0.0) return centre_z + slope * y;
    const double reach = y - centre_y;
    return centre_z + std::copysign(std::sqrt(radius * radius - reach * reach), radius);
  }
};

std::shared_ptr<const Profile> profile_of(ProfileRole role, const std::vector<Arc>& arcs,
                                          double shift_z = 0.0) {
  constexpr double kDistance = 0.25;
  std::vector<ProfilePoint> points;
  for (const Arc& arc : arcs) {
    const int count = static_cast<int>(std::ceil((arc.to - arc.from) / kDistance));
    for (int i = 0; i < count; ++i) {
      const double y = arc.from + (arc.to - arc.from) * i / count;
      points.push_back({y, arc.z(y)});
    }
  }
  points.push_back({arcs.back().to, arcs.back().z(arcs.back().to)});
  ProfileChanges changes;
  changes.mirror_y = changes.mirror_z = false;
  changes.shift_z = shift_z;
  return std::make_shared<const Profile>(canonical_profile(role, std::move(points), changes));
}

// The reference profiles of EN 15302:2021, annex I, as the public package
// github.com/rohrbecka/EN15302 has transcribed them: flange, tread, field side.
std::vector<Arc> reference_wheel(char name) {
  std::vector<Arc> flange = {{-70.0, -62.7647, -49.5, 9.5193, 20.5},
                             {-62.7647, -49.6625, -55.0, 16.0, 12.0}};
  const auto with = [&](const std::vector<Arc>& rest) {
    flange.insert(flange.end(), rest.begin(), rest.end());
    return flange;
  };
  switch (name) {
    case 'A':
      return with({{-49.6625, -39.7645, -58.5583, 8.83556, 20.0},
                   {-39.7645, -38.7372, 0.0, -93.57685, 0.0, -2.7475},
                   {-38.7372, -29.4591, -25.5816, 17.64215, -14.0},
                   {-29.4591, -10.8749, -2.6594, 97.16493, -96.76055},
                   {-10.8749, 18.4173, 18.4173, 344.50806, -345.0},
                   {18.4173, 30.0, 0.0, -0.49194},
                   {30.0, 60.0, 0.0, 1.50804, 0.0, -0.066666}});
    case 'B':
      return with({{-49.6625, -39.764, -58.5583, 8.8349, 20.0},
                   {-39.764, -38.7879, 0.0, -93.5767, 0.0, -2.7475},
                   {-38.7879, -29.3505, -25.6322, 17.7814, -14.0},
                   {-29.3505, -0.4787, 2.5204, 119.9745, -120.0},
                   {-0.4787, 30.0, 0.0, 0.0, 0.0, -0.025},
                   {30.0, 60.0, 0.0, 0.75, 0.0, -0.05}});
    case 'H':
      return with({{-49.6625, -39.7645, -58.5583, 8.8349, 20.0},
                   {-39.7645, -38.722, 0.0, -93.5767, 0.0, -2.7475},
                   {-38.722, -28.3119, -25.5663, 17.6003, -14.0},
                   {-28.3119, -10.2297, 0.0, -1.7902, 0.0, -0.2},
                   {-10.2297, 30.0, 0.0, 0.0, 0.0, -0.025},
                   {30.0, 60.0, 0.0, 1.251, 0.0, -0.0667}});
    case 'I':
      return with({{-49.6625, -39.764, -58.5583, 8.83545, 20.0},
                   {-39.764, -39.0486, 0.0, -93.5767, 0.0, -2.7475},
                   {-39.0486, -29.9231, -25.8929, 18.49733, -14.0},
                   {-29.9231, 5.0, 5.0, std::sqrt(14375.0), -120.0},
                   {5.0, 30.0, 0.0, std::sqrt(14375.0) - 120.0},
                   {30.0, 60.0, 0.0, 1.89679, 0.0, -0.0667}});
    default:  // C
      return {{-69.4027, -59.5, -59.5, 20.00006, 10.0},
              {-59.5, -43.8048, -60.4941, 12.02753, 18.0},
              {-43.8048, -41.0534, 0.0, 11.96051 - 2.47508685 * 41.05339, 0.0, -2.47508685},
              {-41.0534, -32.3621, -29.0, 16.830365, -13.0},
              {-32.3621, -17.587, -6.5, 100.870534, -100.0},
              {-17.587, 19.0, 19.0, 329.45258, -330.0},
              {19.0, 29.0, 0.0, -0.54742374},
              {29.0, 59.0, 0.0, -0.54742374 + 2.9, 0.0, -0.1}};
  }
}
std::shared_ptr<const Profile> reference_rail() {
  return profile_of(ProfileRole::rail, {{-32.634, -23.2401, -19.63949, 15.899044, -13.0},
                                        {-23.2401, -7.8749, -1.0825, 80.277908, -80.0},
                                        {-7.8749, 13.0989, 17.5966, 299.48349, -300.0},
                                        {13.0989, 28.6709, 14.29829, 79.508225, -80.0},
                                        {28.6709, 39.2705, 26.33535, 13.598369, -13.0}});
}

struct ReferenceConicity {
  double amplitude = 0.0;
  double value = 0.0;
  double least = 0.0;  // with the standard's shift of jumps
  double greatest = 0.0;
};
struct ReferencePair {
  char left = 'A';
  char right = 'A';
  double smaller = 0.0;  // [mm] radius of the left wheel
  double closest = 1.0;  // to the values at all amplitudes
  std::vector<ReferenceConicity> expected;
};
// The conicities of annex K, and how closely they are met here where dr has no jumps.
const std::vector<ReferencePair> kReferencePairs = {{'A',
                                                     'A',
                                                     0.0,
                                                     0.002,
                                                     {{1, 0.125, 0.075, 0.175},
                                                      {2, 0.155, 0.105, 0.205},
                                                      {3, 0.188, 0.138, 0.238},
                                                      {4, 0.216, 0.166, 0.266},
                                                      {5, 0.254, 0.204, 0.305},
                                                      {6, 0.303, 0.252, 0.354},
                                                      {6.6, 0.368, 0.297, 0.46},
                                                      {7, 0.505, 0.395, 0.598},
                                                      {7.4, 0.615, 0.532, 0.691}}},
                                                    {'B',
                                                     'B',
                                                     0.0,
                                                     1.0,
                                                     {{1, 0.025, 0.012, 0.037},
                                                      {2, 0.025, 0.012, 0.037},
                                                      {3, 0.03, 0.014, 0.135},
                                                      {3.4, 0.162, 0.076, 0.23},
                                                      {4, 0.236, 0.181, 0.289},
                                                      {5, 0.28, 0.23, 0.331},
                                                      {6, 0.3, 0.25, 0.35},
                                                      {6.6, 0.351, 0.277, 0.439},
                                                      {7, 0.484, 0.373, 0.58},
                                                      {7.4, 0.6, 0.515, 0.678}}},
                                                    {'C',
                                                     'C',
                                                     0.0,
                                                     0.002,
                                                     {{1, 0.515, 0.465, 0.565},
                                                      {2, 0.365, 0.306, 0.427},
                                                      {3, 0.271, 0.219, 0.323},
                                                      {4, 0.221, 0.171, 0.271},
                                                      {5, 0.191, 0.14, 0.241},
                                                      {6, 0.17, 0.12, 0.22},
                                                      {7, 0.156, 0.106, 0.206},
                                                      {7.4, 0.151, 0.101, 0.201}}},
                                                    {'H',
                                                     'H',
                                                     0.0,
                                                     1.0,
                                                     {{1, 0.025, 0.012, 0.037},
                                                      {2, 0.025, 0.012, 0.037},
                                                      {2.6, 0.11, 0.023, 0.236},
                                                      {3, 0.26, 0.169, 0.327},
                                                      {3.4, 0.309, 0.253, 0.361},
                                                      {4, 0.323, 0.273, 0.373},
                                                      {5, 0.307, 0.256, 0.357},
                                                      {6, 0.284, 0.234, 0.334},
                                                      {7, 0.448, 0.317, 0.551},
                                                      {7.4, 0.575, 0.485, 0.656}}},
                                                    {'I',
                                                     'I',
                                                     0.0,
                                                     1.0,
                                                     {{1, 0.0, 0.0, 0.0005},
                                                      {2, 0.301, 0.101, 0.432},
                                                      {2.6, 0.475, 0.413, 0.529},
                                                      {3, 0.493, 0.443, 0.543},
                                                      {4, 0.488, 0.438, 0.538},
                                                      {5, 0.476, 0.426, 0.526},
                                                      {6, 0.448, 0.398, 0.498},
                                                      {7, 0.49, 0.416, 0.586},
                                                      {7.4, 0.617, 0.523, 0.696}}},
                                                    {'A',
                                                     'A',
                                                     1.0,
                                                     0.006,
                                                     {{1, 0.28, 0.23, 0.33},
                                                      {2, 0.272, 0.222, 0.322},
                                                      {3, 0.261, 0.211, 0.311},
                                                      {4, 0.269, 0.219, 0.319},
                                                      {5, 0.307, 0.255, 0.36},
                                                      {6, 0.395, 0.34, 0.449},
                                                      {7, 0.491, 0.429, 0.569},
                                                      {7.4, 0.592, 0.504, 0.676}}},
                                                    {'B',
                                                     'A',
                                                     0.0,
                                                     1.0,
                                                     {{1, 0.136, 0.086, 0.186},
                                                      {2, 0.104, 0.054, 0.154},
                                                      {3, 0.124, 0.06, 0.191},
                                                      {4, 0.222, 0.171, 0.274},
                                                      {5, 0.27, 0.219, 0.32},
                                                      {6, 0.306, 0.255, 0.357},
                                                      {7, 0.49, 0.389, 0.586},
                                                      {7.4, 0.607, 0.521, 0.684}}}};

// In the middle of the track, without velocities.
WheelsetStep both(const Track& track) {
  WheelsetStep step;
  for (const Side side : {Side::left, Side::right}) {
    WheelStep wheel;
    wheel.position.side = side;
    wheel.position.track = track;
    if (track.rail_origin && side == Side::left)
      wheel.position.track.rail_origin->front() = -track.rail_origin->front();
    step.wheels.push_back(wheel);
  }
  return step;
}

std::vector<double> places_to(double reach, double step) {
  const int count = static_cast<int>(std::round(reach / step));
  std::vector<double> y;
  for (int i = -count; i <= count; ++i) y.push_back(step * i);
  return y;
}

KinematicMotion motion_across(const std::shared_ptr<const Profile>& left,
                              const std::shared_ptr<const Profile>& right,
                              const std::shared_ptr<const Profile>& rail, const Track& track,
                              const std::vector<double>& y, AxleRoll roll) {
  PatchSettings settings;
  settings.spacing_y = 0.02;
  std::vector<WheelRailSearch> searches{{left, rail, settings}, {right, rail, settings}};
  std::vector<double> difference;
  for (const auto& place : places_across(searches, both(track), y, roll)) {
    REQUIRE(place.has_value());
    difference.push_back(place->radius_difference());
  }
  return {y, std::move(difference)};
}

}  // namespace

TEST_SUITE_BEGIN("analytic");

TEST_CASE(
    "conicity: of cones it is their slope, whatever the amplitude and the wheels' diameters") {
  for (const double equal_at : {0.0, 1.7}) {  // wheels of unequal diameter run off the middle
    const KinematicMotion cones = motion([&](double y) { return 2.0 * kSlope * (y - equal_at); });
    for (const double amplitude : {0.3, 1.0, 3.0, 7.0}) {
      const auto conicity = cones.equivalent_conicity(amplitude);
      REQUIRE(conicity.has_value());
      CHECK(*conicity == test::near(kSlope, 1e-6));  // the midpoint rule's error
    }
    CHECK(cones.equivalent_conicity(9.99).has_value() == (equal_at == 0.0));
  }
}

TEST_CASE("conicity: cones with a cylinder between them have the closed form of a free flight") {
  constexpr double kHalf = 2.0;  // of the cylinder's width
  const KinematicMotion wheels = motion([&](double y) {
    return std::fabs(y) <= kHalf ? 0.0 : 2.0 * kSlope * std::copysign(std::fabs(y) - kHalf, y);
  });
  for (const double amplitude : {2.5, 4.0, 7.0}) {
    const double swing = amplitude - kHalf;
    const double rate = std::sqrt(2.0 * kSlope);
    const double length = 2.0 * std::numbers::pi / rate + 4.0 * kHalf / (swing * rate);
    const auto conicity = wheels.equivalent_conicity(amplitude);
    REQUIRE(conicity.has_value());
    const double expected = 2.0 * std::numbers::pi * std::numbers::pi / (length * length);
    CHECK(*conicity == test::near(expected, 1e-4));  // kinks of the integrand
  }
  CHECK(wheels.equivalent_conicity(1.5) == 0.0);  // nothing drives it back
}

TEST_CASE("conicity: a wheelset that leaves the middle has none, one that does in part has") {
  CHECK_FALSE(motion([](double y) { return -0.2 * y; }).equivalent_conicity(2.0).has_value());
  // dr = y^3 - 4 y: unstable between -2 and 2. With an amplitude of less than 2 sqrt 2 it stays on
  // one side; beyond, it passes over both.
  const KinematicMotion two_wells = motion([](double y) { return 0.01 * (y * y * y - 4.0 * y); });
  for (const double amplitude : {0.5, 4.0}) {
    const auto conicity = two_wells.equivalent_conicity(amplitude);
    REQUIRE(conicity.has_value());
    CHECK(*conicity > 0.0);
  }
  // About 2 the slope of dr is 0.01 (12 - 4) = 2 tan(gamma); the cubic part lengthens the motion.
  CHECK(*two_wells.equivalent_conicity(0.05) == test::near(0.04, 0.01));
}

TEST_CASE("conicity: hollow wheels on round rails have the slope times R_w/(R_w - R_r)") {
  constexpr double kWheel = 400.0;
  constexpr double kRail = 300.0;
  constexpr double kAngle = 0.05;
  const auto rail = profile_of(ProfileRole::rail, {{-36.0, 36.0, 0.0, kRail, -kRail}});
  const double off = kAngle * (kWheel - kRail);
  const auto wheel = profile_of(ProfileRole::wheel, {{-60.0, 60.0, off, kWheel, -kWheel}});
  Track track;
  track.rail_origin = {750.0, 0.0};
  const KinematicMotion hollow =
      motion_across(wheel, wheel, rail, track, places_to(3.0, 0.05), AxleRoll::none);
  const double expected = kAngle * kWheel / (kWheel - kRail);
  for (const double amplitude : {0.5, 1.0, 2.0}) {
    const auto conicity = hollow.equivalent_conicity(amplitude);
    REQUIRE(conicity.has_value());
    CHECK(*conicity == test::near(expected, 5e-3));  // slopes are not small angles
  }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("oracle");

TEST_CASE("conicity: that of EN 15302's reference profiles is within its tolerances") {
  const auto rail = reference_rail();
  Track track;
  track.gauge = 1435.16;
  const std::vector<double> y = places_to(11.0, 0.05);
  for (const ReferencePair& pair : kReferencePairs) {
    const KinematicMotion motion =
        motion_across(profile_of(ProfileRole::wheel, reference_wheel(pair.left), -pair.smaller),
                      profile_of(ProfileRole::wheel, reference_wheel(pair.right)), rail, track, y,
                      AxleRoll::none);
    for (const ReferenceConicity& expected : pair.expected) {
      CAPTURE(pair.left);
      CAPTURE(pair.right);
      CAPTURE(expected.amplitude);
      const auto conicity = motion.equivalent_conicity(expected.amplitude);
      REQUIRE(conicity.has_value());
      CHECK(*conicity >= expected.least);
      CHECK(*conicity <= expected.greatest);
      CHECK(std::fabs(*conicity - expected.value) <= pair.closest);
    }
  }
}

TEST_CASE(
    "conicity: where the radii jump, a few more places do what a hundred times finer ones do") {
  PatchSettings settings;
  settings.spacing_y = 0.02;
  std::vector<WheelRailSearch> searches(
      2, WheelRailSearch(test::manchester_wheel(), test::manchester_rail(), settings));
  Track narrow;
  narrow.gauge = 1433.0;  // the flange's root touches soon
  const auto motion_of = [](const PlacesAcross& across) {
    std::vector<double> difference;
    for (const auto& place : across.places) {
      REQUIRE(place.has_value());
      difference.push_back(place->radius_difference());
    }
    return KinematicMotion(across.y, std::move(difference));
  };
  const std::vector<double> y = places_to(4.0, 0.05);
  const PlacesAcross more = places_with_jumps(searches, both(narrow), y, AxleRoll::none);
  CHECK(more.y.size() > y.size());
  CHECK(more.y.size() < y.size() + 100);
  const std::vector<double> finest = places_to(4.0, 0.0025);
  const KinematicMotion known =
      motion_of({finest, places_across(searches, both(narrow), finest, AxleRoll::none)});
  for (const double amplitude : {1.0, 2.0}) {
    const auto conicity = motion_of(more).equivalent_conicity(amplitude);
    const auto expected = known.equivalent_conicity(amplitude);
    REQUIRE(conicity.has_value());
    REQUIRE(expected.has_value());
    CHECK(*conicity == test::near(*expected, 2e-3));  // half of the finest step smears the jump
  }
}

TEST_CASE("geometry: with the roll found, both wheels touch at one height of the axle") {
  PatchSettings settings;
  std::vector<WheelRailSearch> searches(
      2, WheelRailSearch(test::manchester_wheel(), test::manchester_rail(), settings));
  const std::vector<double> y = {-6.0, 0.0, 3.0};
  const auto places = places_across(searches, both({}), y, AxleRoll::found);
  for (std::size_t i = 0; i < y.size(); ++i) {
    REQUIRE(places[i].has_value());
    WheelsetStep step = both({});
    for (std::size_t k = 0; k < 2; ++k) {
      Wheelset& set = step.wheels[k].position.wheelset;
      set.y = y[i];
      set.z = places[i]->z;
      set.roll = places[i]->roll;
      CHECK(std::fabs(searches[k].nearest(step.wheels[k].position).gap) <= 2e-5);  // the search's
    }
  }
  CHECK(places[1]->radius_difference() == test::within(0.0, 1e-9));
  CHECK(places[0]->radius_difference() < -1.0);  // the left flange's root
  CHECK_FALSE(places_across(searches, both({}), {90.0}, AxleRoll::found)[0].has_value());
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("unit");

TEST_CASE("profile: the flange angle is that of the flange's straight part, and rails have none") {
  const double degree = std::numbers::pi / 180.0;
  CHECK(test::manchester_wheel()->flange_angle == test::near(70.0 * degree, 1e-4));
  const auto wheel = profile_of(ProfileRole::wheel, reference_wheel('C'));
  CHECK(wheel->flange_angle == test::near(std::atan(2.47508685), 1e-4));
  CHECK(std::isnan(test::manchester_rail()->flange_angle));
  const auto roller = profile_of(ProfileRole::wheel, {{-40.0, 40.0, 0.0, 400.0, -400.0}});
  CHECK(std::isnan(roller->flange_angle));
}

TEST_SUITE_END();

}  // namespace slipfield
