// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/case/wheel_rail/wheel_rail.h"
#include "io/profiles/reader.h"
#include "solver/error.h"
#include "solver/wheel_rail/rail_slices.h"
#include "tests/support/near.h"
#include "tests/support/test_case_support.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

using test::edited;
using test::TemporaryFolder;

std::shared_ptr<const Profile> rail_shifted(double y, double z) {
  ProfileChanges changes;
  changes.shift_y = y;
  changes.shift_z = z;
  return std::make_shared<const Profile>(
      read_profile(test::kCases / "profiles" / "MBench_UIC60_v3.prr", ProfileRole::rail, changes));
}

// A flat top of this width between two slopes of 45 degrees.
std::shared_ptr<const Profile> roof(double width) {
  std::vector<ProfilePoint> points;
  const auto add = [&](double y, double z) { points.push_back({y, z}); };
  for (int i = 0; i < 20; ++i) add(0.5 * i, 10.0 - 0.5 * i);
  const int count = static_cast<int>(2.0 * width);
  for (int i = 0; i < count; ++i) add(10.0 + width * i / count, 0.0);
  for (int i = 0; i <= 20; ++i) add(10.0 + width + 0.5 * i, 0.5 * i);
  ProfileChanges changes;
  changes.mirror_y = changes.mirror_z = false;
  return std::make_shared<const Profile>(
      canonical_profile(ProfileRole::rail, std::move(points), changes));
}

double height_at(const Profile& profile, double y) {
  const auto s = profile.curve.parameter_at_y(y, SeenFrom::above);
  REQUIRE(s.has_value());
  return profile.curve.at(*s).z();
}

std::string refused(std::vector<RailSlice> slices) {
  try {
    const RailSlices made(std::move(slices));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string profiles_folder() {
  return std::filesystem::absolute(test::kCases / "profiles").string();
}

// Three steps along a rail with these keys.
std::string case_on_rail(const std::string& of_rail) {
  return fmt::format(
      "schema: 1\ntitle: slices\nunits: N-mm-s\nbodies:\n"
      "  wheel: {{shear_modulus: 82000, poisson_ratio: 0.28}}\n"
      "  rail: {{shear_modulus: 82000, poisson_ratio: 0.28}}\n"
      "friction: {{coefficient: 0.3}}\n"
      "wheel_rail:\n"
      "  side: right\n"
      "  wheel: {{profile: {0}/MBench_S1002_v3.prw}}\n"
      "  rail: {1}\n"
      "  track: {{rail_origin: [760.5, 0]}}\n"
      "  wheelset: {{velocity: {{x: 2000}}}}\n"
      "  vertical_force: 10000\n"
      "  spacing: [0.4, 0.4]\n"
      "steps:\n  - wheel_rail: {{wheelset: {{x: 0}}}}\n  - wheel_rail: {{wheelset: {{x: 500}}}}\n"
      "  - wheel_rail: {{wheelset: {{x: 1000}}}}\n",
      profiles_folder(), of_rail);
}

std::string only_message_of(const std::string& changed) {
  const auto messages = test::messages_of(changed);
  REQUIRE(messages.size() == 1);
  return messages[0];
}

}  // namespace

TEST_SUITE_BEGIN("analytic");

TEST_CASE("rail slices: a rail that moves sideways and down is in between where it should be") {
  const RailSlices slices({{-100.0, rail_shifted(0.0, 0.0)},
                           {-40.0, rail_shifted(0.6, 1.2)},
                           {0.0, rail_shifted(1.0, 2.0)}});
  const auto rail = rail_shifted(0.0, 0.0);
  for (const double share : {0.0, 0.3, 1.0}) {
    const Profile blended = slices.at(-100.0 + 100.0 * share);
    for (const double y : {-30.0, 0.0, 12.0, 30.0})  // chords of .2 mm on the curves
      CHECK(height_at(blended, y + share) == test::within(height_at(*rail, y) + 2.0 * share, 1e-4));
  }
  CHECK(slices.slope(-70.0, 0.0) == test::near(0.02, 0.05));  // falls by 2 mm in 100
}

TEST_CASE(
    "rail slices: along the track the surface is smooth, a natural spline through the slices") {
  const auto at = [](double z) { return rail_shifted(0.0, z); };
  const RailSlices dip(
      {{0.0, at(0.0)}, {10.0, at(0.0)}, {20.0, at(1.0)}, {30.0, at(0.0)}, {40.0, at(0.0)}});
  SplineInput input;
  input.parameter = {0.0, 10.0, 20.0, 30.0, 40.0};
  for (const double z : {0.0, 0.0, 1.0, 0.0, 0.0}) input.points.emplace_back(0.0, 0.0, z);
  const SplineCurve expected(input);
  const double level = height_at(*at(0.0), 5.0);
  for (const double x : {0.0, 6.0, 14.0, 20.0, 27.5})
    CHECK(height_at(dip.at(x), 5.0) - level == test::within(expected.at(x).z(), 1e-4));
  CHECK(std::fabs(dip.slope(20.0, 5.0)) <= 1e-6);
}

TEST_CASE("rail slices: features keep corners on lines, where shares of the length do not") {
  constexpr double kSide = 14.142135623730951;
  const auto narrow = roof(20.0);
  const auto wide = roof(40.0);
  const RailSlices parts({{0.0, narrow, {0.0, kSide, kSide + 20.0, 999.0}},
                          {10.0, wide, {0.0, kSide, kSide + 40.0, 999.0}}});
  const Profile middle = parts.at(5.0);
  CHECK(height_at(middle, 39.0) == test::within(0.0, 1e-6));
  CHECK(height_at(middle, 45.0) == test::near(5.0, 1e-6));
  CHECK(middle.curve.at(middle.curve.last()).y() == test::near(50.0));
  // Counted from the first point of the file, also where the file runs the other way.
  const auto backwards = [](const std::shared_ptr<const Profile>& profile) {
    Profile other = *profile;
    other.reversed = true;
    return std::make_shared<const Profile>(std::move(other));
  };
  const RailSlices other({{0.0, backwards(narrow), {0.0, 20.0 + kSide, 999.0}},
                          {10.0, backwards(wide), {0.0, 40.0 + kSide, 999.0}}});
  CHECK(height_at(other.at(5.0), 11.0) == test::within(0.0, 1e-6));
  const RailSlices plain({{0.0, narrow}, {10.0, wide}});
  CHECK(std::fabs(height_at(plain.at(5.0), 39.0)) > 0.05);
  CHECK(std::fabs(height_at(plain.at(5.0), 11.0)) > 0.05);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("unit");

TEST_CASE("rail slices: what cannot be blended is refused with its place") {
  const auto rail = rail_shifted(0.0, 0.0);
  CHECK(says(refused({{0.0, rail}}), "one slice does not change along the track"));
  CHECK(says(refused({{0.0, rail}, {0.0, rail}}), "slice 2, at 0 mm, is not beyond the slice"));
  CHECK(says(refused({{0.0, rail, {0.0, 20.0}}, {1.0, rail}}), "slice 2, at 1 mm, has 0 features"));
  CHECK(says(refused({{0.0, rail, {0.0, 20.0, 60.0}}, {1.0, rail, {-1.0, 20.0, 60.0}}}),
             "its feature 1 is negative, as of a rail that is interrupted"));
  CHECK(says(refused({{0.0, rail, {0.0, 900.0, 999.0}}, {1.0, rail, {0.0, 20.0, 60.0}}}),
             "slice 1, at 0 mm: its feature 3 is not beyond the one before it"));
  const RailSlices slices({{0.0, rail}, {10.0, rail}});
  CHECK_THROWS_WITH_AS(slices.at(10.5),
                       "x = 10.5 mm is beyond the rail's slices, which reach from 0 to 10 mm; "
                       "accepted: a position between them",
                       InputError);
}

TEST_CASE("rail slices: CONTACT's file has positions in a unit of its own, and features") {
  const TemporaryFolder folder;
  const auto path = folder.write(
      "crossing.slcs",
      "% a comment\n\n  0.5  1000.0   U_OFFSET [usr], U_SCALE\n 2   NSLC\n 3 0 0  NFEAT, "
      "NKINK, NACCEL\n 1   U_INTPOL\n  -0.5 'a/one.prr'\n 0.25  \"a\\two.prr\"  % the "
      "second\n\n -0.5  0.0  33.1 299.0\n 0.25 0. 34.2 299\n");
  const auto slices = read_slices(path);
  REQUIRE(slices.size() == 2);
  CHECK(slices[0].position == 0.0);
  CHECK(slices[1].position == 750.0);
  CHECK(slices[1].file == folder.path() / "a/two.prr");
  CHECK(slices[1].features == std::vector<double>{0.0, 34.2, 299.0});
  const auto problem = [&](const std::string& text) {
    folder.write("crossing.slcs", text);
    try {
      read_slices(path);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(
      says(problem("0 1\n2\n0 0 0\n1\n 0 'a.prr'\n"), "ends too early; accepted: a position and"));
  CHECK(says(problem("0 1\n1\n0 0 0\n1 1\n 0 'a.prr'\n"), "crossing.slcs:4: has perturbations"));
  CHECK(says(problem("0 1\n1\n5 2 0\n"), "crossing.slcs:3: has kinks or accelerations"));
  CHECK(says(problem("0 1\n1\n0\n1\n 5 a.prr\n"), "crossing.slcs:5: names no profile"));
}

TEST_CASE("wheel case: a rail of slices is met where the axle is, and a steep one is warned of") {
  const TemporaryFolder folder;
  const std::string rail = profiles_folder();
  const auto low = folder / "low.prr";
  std::filesystem::copy_file(rail + "/MBench_UIC60_v3.prr", low);
  const std::string listed = fmt::format(
      "{{profile: [{0}/MBench_UIC60_v3.prr, {1}], position: [0, 1000]}}", rail, low.string());
  const CaseFile file = test::read_text(case_on_rail(listed));
  CHECK(file.warnings.empty());
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
  CHECK(file.input_files.size() == 4);  // the case, the wheel and both slices
  REQUIRE(file.wheel_rail->rail.right.slices);
  // The rail is lower by 10 mm at its end: by 1:100 along the track.
  ProfileChanges lower;
  lower.shift_z = 10.0;
  const auto text = fmt::format("0 1\n2\n0 0 0\n1\n0 '{0}/MBench_UIC60_v3.prr'\n1000 '{1}'\n", rail,
                                (folder.path() / "table.txt").string());
  std::string table;
  const auto shape = test::manchester_rail();
  for (const ProfilePoint& point : shape->points)
    table += fmt::format("{} {}\n", point.y, point.z + 10.0);
  folder.write("table.txt", table);
  folder.write("ramp.slcs", text);
  const std::string ramp = case_on_rail(
      fmt::format("{{profile: {}, mirror_z: false}}", (folder.path() / "ramp.slcs").string()));
  const CaseFile sloped = test::read_text(ramp);
  REQUIRE(sloped.warnings.size() == 1);
  CHECK(
      says(sloped.warnings[0], "the rail falls by 1:100 along the track at the contact at y = 75"));
  SideSearches searches = sloped.wheel_rail->searches;
  std::vector<double> heights;
  for (WheelsetStep step : sloped.wheel_rail->steps) {
    step.geometry_only = step.touching = true;
    heights.push_back(estimated_pose(searches.of(step), {}, step).z);
  }
  CHECK(heights[1] - heights[0] == test::near(5.0, 1e-4));
  CHECK(heights[2] - heights[0] == test::near(10.0, 1e-4));
  CHECK(says(
      only_message_of(edited(case_on_rail(listed), "rail_origin: [760.5, 0]", "gauge: 1435")),
      "rail: changes along the track, where its gauge and its top follow no one profile; accepted: "
      "track.rail_origin"));
  CHECK(says(only_message_of(edited(case_on_rail(listed), "x: 1000", "x: 1001")),
             "x = 1001 mm is beyond the rail's slices, which reach from 0 to 1000 mm"));
  CHECK(says(only_message_of(
                 edited(case_on_rail(listed), "position: [0, 1000]", "position: [0, 500, 1000]")),
             "lists 2 profiles, and 'position' 3 places"));
  CHECK(says(only_message_of(edited(case_on_rail(listed), "  side: right\n",
                                    "  side: right\n  problem: transient_rolling\n")),
             "wheel_rail.rail: changes along the track, given together with 'wheel_rail.problem: "
             "transient_rolling', whose contacts keep their elements on one profile"));
}

TEST_CASE("wheel case: one rail may change along the track while the other one is one profile") {
  const std::string rail = profiles_folder() + "/MBench_UIC60_v3.prr";
  const std::string slices = fmt::format("profile: [{0}, {0}], position: [0, 1000]", rail);
  const auto sides = [&](const std::string& text) {
    return edited(case_on_rail(text), "side: right", "side: both");
  };
  const CaseFile file =
      test::read_text(sides(fmt::format("{{{}, right: {{profile: {}}}}}", slices, rail)));
  CHECK(file.wheel_rail->rail.left.slices);
  CHECK_FALSE(file.wheel_rail->rail.right.slices);
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
  CHECK(says(
      only_message_of(sides(fmt::format("{{profile: {}, right: {{position: [0, 1]}}}}", rail))),
      "rail.right.position: given together with one profile"));
  const TemporaryFolder folder;
  const std::string name = (folder.path() / "ramp.slcs").string();
  folder.write("ramp.slcs", fmt::format("0 1\n2\n0 0 0\n1\n0 '{0}'\n1000 '{0}'\n", rail));
  CHECK(says(only_message_of(case_on_rail(fmt::format("{{profile: {}, position: [0, 1]}}", name))),
             "rail.position: given together with a file of slices, which has their places"));
}

TEST_CASE("wheel case: what three slices have in common is said once") {
  const TemporaryFolder folder;
  std::string table;
  const auto shape = test::manchester_rail();
  for (std::size_t i = 0; i < shape->points.size(); ++i)
    table += fmt::format("{} {}\n", shape->points[i].y,
                         shape->points[i].z + (i % 2 == 0 ? 0.01 : -0.01));
  folder.write("noisy.txt", table);
  const CaseFile noisy = test::read_text(case_on_rail(
      fmt::format("{{profile: [{0}, {0}, {0}], position: [0, 500, 1000], mirror_z: false}}",
                  (folder.path() / "noisy.txt").string())));
  CHECK(std::count_if(noisy.warnings.begin(), noisy.warnings.end(), [](const std::string& warning) {
          return warning.find("the points scatter") != std::string::npos;
        }) == 1);
  CHECK(says(noisy.warnings[0], "3 of 3 slices, noisy.txt to noisy.txt: the points scatter by"));
}

TEST_SUITE_END();

}  // namespace slipfield
