// SPDX-License-Identifier: Apache-2.0
// A longitudinal force in a case, and wheels that are where they are rarely meant to be.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "io/case/doubts.h"
#include "io/case/wheel_rail/doubts.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/wheel/table.h"
#include "solver/plausibility.h"
#include "solver/wheel_rail/placement.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case_support.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

std::string driven_case(const std::string& wheelset, const std::string& rest) {
  const std::string folder = std::filesystem::absolute(test::kCases / "profiles").string();
  return "schema: 1\ntitle: driven\nunits: N-mm-s\nbodies:\n"
         "  wheel: {shear_modulus: 82000, poisson_ratio: 0.28}\n"
         "  rail: {shear_modulus: 82000, poisson_ratio: 0.28}\n"
         "friction: {coefficient: 0.3}\n"
         "wheel_rail:\n  side: right\n  spacing: [0.5, 0.5]\n  wheel: {profile: " +
         folder + "/MBench_S1002_v3.prw}\n  rail: {profile: " + folder +
         "/MBench_UIC60_v3.prr}\n  vertical_force: 10000\n  wheelset: {" + wheelset + "}\n" + rest;
}

// Number of warnings that contain `part`.
long warnings_with(const std::string& text, const std::string& part) {
  const auto warnings = test::read_text(text).warnings;
  return std::count_if(warnings.begin(), warnings.end(), [&](const std::string& warning) {
    return warning.find(part) != std::string::npos;
  });
}

}  // namespace

TEST_SUITE_BEGIN("unit");

TEST_CASE("wheel case: a longitudinal force and a pitch velocity take each other's place") {
  const std::string text = driven_case("velocity: {x: 2000}",
                                       "  longitudinal_force: -500\nsteps:\n  - {}\n"
                                       "  - wheel_rail: {wheelset: {velocity: {pitch: -4.4}}}\n"
                                       "  - wheel_rail: {side: both, longitudinal_force: 200}\n");
  const CaseFile file = test::read_text(text);
  REQUIRE(file.wheel_rail->steps.size() == 3);
  const auto wheel = [&](std::size_t i) -> const WheelStep& {
    return file.wheel_rail->steps[i].wheels.back();
  };
  CHECK(wheel(0).longitudinal_force == -500.0);
  // Where the search starts: rolling at the nominal radius.
  CHECK(wheel(0).position.wheelset.velocity_pitch == test::near(-2000.0 / 460.0));
  CHECK_FALSE(wheel(1).longitudinal_force);
  CHECK(wheel(1).position.wheelset.velocity_pitch == -4.4);
  CHECK(wheel(2).longitudinal_force == 200.0);
  CHECK(wheel(2).position.wheelset.velocity_pitch == test::near(-2000.0 / 460.0));
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
  const auto both = test::messages_of(
      driven_case("velocity: {x: 2000, pitch: -4}", "  longitudinal_force: -500\n"));
  REQUIRE(both.size() == 1);
  CHECK(both[0].find("given together with 'wheelset.velocity.pitch'") != std::string::npos);
  const auto still = test::messages_of(driven_case("y: 0", "  longitudinal_force: -500\n"));
  REQUIRE(still.size() == 1);
  CHECK(still[0].find("given of a wheel that does not roll") != std::string::npos);
}

TEST_CASE("wheel case: worn wheels that drive or brake by the default pitch velocity are doubted") {
  const auto doubts = [](const std::string& wheelset, double deeper, const std::string& rest = "",
                         const std::string& who = "the wheel", const std::string& s = "s") {
    std::string text = driven_case("velocity: {x: 2000}, " + wheelset, rest);
    const std::string key = "v3.prw}";
    text.replace(text.find(key), key.size(), fmt::format("v3.prw, shift: [0, {}]}}", deeper));
    if (s.empty()) text.replace(text.find("side: right"), 11, "side: both");
    return warnings_with(text, fmt::format("{} drive{} with a creepage of", who, s)) * 10 +
           warnings_with(text, fmt::format("{} brake{} with a creepage of", who, s));
  };
  CHECK(doubts("y: 0", 0.0) == 0);
  CHECK(doubts("y: 3", 0.0) == 0);  // one wheel drives, the other one brakes
  // 2 mm of 460: a creepage of 0.004. A greater radius runs faster than the rail.
  CHECK(doubts("y: 0", 2.0) == 10);
  CHECK(doubts("y: 0", -2.0) == 1);
  CHECK(doubts("y: 1", -2.0) == 1);
  CHECK(doubts("y: 0", -2.0, "  longitudinal_force: 0\n") == 0);
  CHECK(doubts("y: 0, nominal_radius: 400", -2.0) == 1);
  CHECK(warnings_with(driven_case("velocity: {x: 2000, pitch: -4.2}", ""), "with a creepage of") ==
        0);
  CHECK(doubts("y: 0", 2.0, "", "both wheels", "") == 10);
  CHECK(doubts("y: 1", -2.0, "", "both wheels", "") == 1);
  CHECK(doubts("y: 3", 0.0, "", "both wheels", "") == 0);
}

TEST_CASE(
    "wheel case: the pitch velocity is a number of the result where it was found, and only there") {
  SolvedWheelset solved;
  solved.wheels.resize(1);
  CHECK_FALSE(wheelset_numbers(solved).contains("axle_pitch_velocity"));
  solved.wheels[0].pitch_velocity = solved.pose.pitch_velocity = -4.5;
  CHECK(wheelset_numbers(solved).at("axle_pitch_velocity") == -4.5);
  solved.wheels.push_back(solved.wheels[0]);
  const NamedNumbers numbers = wheelset_numbers(solved);
  CHECK(numbers.at("axle_pitch_velocity") == -4.5);
  CHECK_FALSE(numbers.contains("left_axle_pitch_velocity"));
}

TEST_CASE("wheel case: a wheel on a test rig has no second one, at a distance of 0") {
  // The wheel's origin is 70 mm from its flange's back, that of 1360 mm 680 mm farther out.
  const auto origin = [](const std::string& keys) {
    const CaseFile file = test::read_text(driven_case(keys, "  track: {rail_origin: [750, 0]}\n"));
    return place_wheel(file.wheel_rail->steps.front().wheels.front().position.wheelset)
        .in_wheelset.origin.y();
  };
  CHECK(origin("velocity: {x: 2000}") == 750.0);
  CHECK(origin("y: 680, flange_back_distance: 0, velocity: {x: 2000}") == 70.0);
}

TEST_CASE("wheel case: flange tips on the rail, and metres for millimetres, are warned of") {
  CHECK(warnings_with(driven_case("y: 0, velocity: {x: 2000}", ""), "wheel_rail") == 0);
  CHECK(warnings_with(driven_case("y: 30, velocity: {x: 2000}", ""),
                      "the tip of its flange is on the rail") == 1);
  CHECK(warnings_with(driven_case("nominal_radius: 0.46, velocity: {x: 2000}", ""),
                      "wheelset.nominal_radius is 0.46 mm") == 1);
  CHECK(warnings_with(driven_case("nominal_radius: 920, velocity: {x: 2000}", ""),
                      "nominal_radius is 920 mm, where wheels of vehicles have up to 700 mm. Is it "
                      "the diameter?") == 1);
  const auto of_moduli = [](const std::string& wheel, const std::string& rail) {
    std::string text = driven_case("velocity: {x: 2000}", "");
    text = test::edited(text, "wheel: {shear_modulus: 82000", "wheel: {shear_modulus: " + wheel);
    text = test::edited(text, "rail: {shear_modulus: 82000", "rail: {shear_modulus: " + rail);
    return warnings_with(text,
                         "the harder body has a Young's modulus of 209.92 N/mm^2, where that "
                         "of steel is 210000 N/mm^2. Is it in GPa?");
  };
  CHECK(of_moduli("82", "82") == 1);
  CHECK(of_moduli("82", "82000") == 0);  // a wheel of plastic
  ContactProblem metres;
  metres.units = Units::si;
  metres.upper = metres.lower = {.shear_modulus = 8.2e7, .poisson_ratio = 0.28};
  const std::vector<Finding> found = doubts_of_rail_bodies(metres);
  REQUIRE(found.size() == 1);
  CHECK(doubt_sentence(found.front(), Units::si) ==
        "the harder body has a Young's modulus of 2.0992e+08 Pa, where that of steel is 2.1e+11 "
        "Pa. Is a factor of 1000 missing?");
  CHECK(warnings_with(driven_case("velocity: {x: 2000}", "  track: {curvature: 0.003}\n"),
                      "track.curvature is 0.003 1/mm, a curve with a radius of 0.333 m") == 1);
}

TEST_CASE(
    "wheel case: a profile of a side without a wheel is warned of, not where --set chose it") {
  std::string text = driven_case("velocity: {x: 2000}", "");
  const std::string name = "MBench_S1002_v3.prw";
  text.replace(text.find(name), name.size(), name + ", left: {mirror_y: false}");
  const auto with_side = [&](const std::string& side) {
    return test::edited(text, "side: right", "side: " + side);
  };
  const std::string said =
      "wheel_rail.wheel.left: has no effect: wheel_rail.side has no left wheel";
  CHECK(warnings_with(with_side("right"), said) == 1);
  CHECK(warnings_with(with_side("left"), "has no effect") == 0);
  CHECK(warnings_with(with_side("both"), "has no effect") == 0);
}

// MiniProf's y counts from the flange's back.
TEST_CASE("wheel case: a wheel whose y counts from its flange's back gets flange_back_position") {
  const auto measured = [](const std::string& keys) {
    std::string text = driven_case(keys + "velocity: {x: 2000}", "");
    const std::string name = "MBench_S1002_v3.prw";
    return text.replace(text.find(name), name.size(), name + ", shift: [70, 0]");
  };
  CHECK(warnings_with(
            measured(""),
            "the tip of its flange is on the rail, or its tread next to it; "
            "wheelset.flange_back_position is -70 mm, and the flange's tip is at y = 15.1 mm "
            "of a profile that begins at 0.387 mm; accepted: the y of the flange's back in "
            "the profile, such as 0, or a shift of the profile") == 1);
  CHECK(warnings_with(measured("flange_back_position: 0, "), "wheel_rail") == 0);
  CHECK(warnings_with(driven_case("y: 30, velocity: {x: 2000}", ""), "flange_back_position") == 0);
}

TEST_CASE("wheel case: degrees for radians, kN for N and m for mm are asked about") {
  const auto force = [](const std::string& number) {
    std::string text = driven_case("velocity: {x: 2000}", "");
    text.replace(text.find("vertical_force: 10000"), 21, "vertical_force: " + number);
    return warnings_with(text, "vertical_force is " + number + " N, where a wheel of a vehicle");
  };
  CHECK(force("80") == 1);
  CHECK(force("1000") == 0);
  CHECK(warnings_with(driven_case("yaw: 0.5, velocity: {x: 2000}", ""),
                      "wheelset.yaw is 0.5 rad, 28.6 degrees") == 1);
  CHECK(warnings_with(driven_case("yaw: 0.09, velocity: {x: 2000}", ""), "wheelset.yaw is") == 0);
  const auto gauge =
      test::messages_of(driven_case("velocity: {x: 2000}", "  track: {gauge: 1.435}\n"));
  REQUIRE(gauge.size() == 1);
  CHECK(gauge[0].find(
            "wheel_rail.track.gauge: is 1.435 mm. Is it in m? accepted: a gauge in mm, as 1435") !=
        std::string::npos);
  // The lengths that explain why a position cannot be are named, with what is usual.
  const auto refused = [](const std::string& keys, const std::string& rest,
                          const std::string& vertical = "10000") {
    std::string text = driven_case(keys + "velocity: {x: 2000}", rest);
    text.replace(text.find("vertical_force: 10000"), 21, "vertical_force: " + vertical);
    const auto messages = test::messages_of(text);
    return messages.size() == 1 ? messages[0].substr(messages[0].find("wheel_rail")) : "";
  };
  CHECK(refused("nominal_radius: 0.46, ", "", "1e8") ==
        "wheel_rail.wheelset.nominal_radius: is 0.46 mm. Is it in m? accepted: a radius in mm, as "
        "460");
  CHECK(refused("flange_back_distance: 1.36, ", "") ==
        "wheel_rail.wheelset.flange_back_distance: is 1.36 mm. Is it in m? accepted: in mm, as "
        "1360");
  CHECK(refused("", "  track: {gauge: 1000}\n") ==
        "wheel_rail.track.gauge: is 1000 mm, 360 mm less than wheelset.flange_back_distance, 1360 "
        "mm, where 50 to 85 mm more are usual; accepted: a gauge and a distance of the flange "
        "backs that go together");
  CHECK(warnings_with(driven_case("velocity: {x: 2000}", "  track: {gauge: 1380}\n"),
                      "1360 mm, 20 mm less, where 50 to 85 mm less are usual: the flanges do not "
                      "fit between the rails") == 1);
  CHECK(refused("", "", "1e9").find("a vertical force of 1e+09 N") != std::string::npos);
  const auto dense = [](const std::string& density) {
    const std::string body = "{conductivity: 0.05, capacity: 450, density: ";
    return warnings_with(
        driven_case("velocity: {x: 2000}",
                    "heat: {rail: " + body + "7.85e-6}, wheel: " + body + density + "}}\n"),
        "heat.wheel.density: " + density + " kg/mm³ is");
  };
  CHECK(dense("7850") == 1);
  CHECK(dense("7.85e-09") == 1);  // in t/mm³
  CHECK(dense("2.7e-06") == 0);
}

TEST_CASE("wheel case: GPa of one body, m/s, and a track that no wheelset fits are asked about") {
  const std::string rolling = "y: 0, velocity: {x: 2000}";
  CHECK(warnings_with(test::edited(driven_case(rolling, ""), "wheel: {shear_modulus: 82000",
                                   "wheel: {shear_modulus: 82"),
                      "a Young's modulus of 209.92 N/mm^2 is a thousandth of that of the other "
                      "body, 209920 N/mm^2. Is it in GPa?") == 1);
  CHECK(warnings_with(driven_case("y: 0, velocity: {x: 20, pitch: -43.5}", ""), "Is it in m/s?") ==
        1);
  const std::string warm =
      "heat:\n  rail: {conductivity: 0.05, capacity: 450, density: 7.85e-6}\n"
      "  wheel: {conductivity: 0.05, capacity: 450, density: 7.85e-6}\n";
  CHECK(warnings_with(driven_case("y: 0, velocity: {x: 20}", warm),
                      "20 mm/s, 0.072 km/h, and temperatures depend on it. Is it in m/s?") == 1);
  CHECK(warnings_with(driven_case("y: 0, velocity: {x: 20}", ""), "m/s?") == 0);
  CHECK(warnings_with(driven_case(rolling, warm), "m/s?") == 0);
  CHECK(warnings_with(driven_case(rolling, "  track: {gauge: 1500}\n"),
                      "track.gauge is 1500 mm and wheelset.flange_back_distance 1360 mm, 140 mm "
                      "less") == 1);
  CHECK(warnings_with(driven_case(rolling, "  track: {gauge: 1465}\n"), "flange_back_distance") ==
        0);  // widened in a curve
}

TEST_CASE("wheel case: conformal contacts are advised where the case goes with them") {
  const std::string flange = "y: 5, velocity: {x: 2000}";
  const char* const advice = "contact_surface: conformal beyond them";
  CHECK(warnings_with(driven_case(flange, ""), advice) == 1);
  const std::string worn = driven_case(flange, "wear: {law: t_gamma, density: 7.85e-6}\n");
  CHECK(warnings_with(worn, advice) == 0);
  CHECK(warnings_with(worn, "does not go with 'wear' of this case") == 1);
}

TEST_CASE("wheel case: a groove on the field side of a rail's head is warned of") {
  // Head 50 mm wide, a groove of 40 mm, a lip of 12 mm, from right to left.
  const std::vector<ProfilePoint> points{{-77.0, 40.0}, {-76.0, 2.0}, {-64.0, 2.0},  {-63.0, 40.0},
                                         {-26.0, 40.0}, {-25.0, 0.0}, {-10.0, -1.0}, {10.0, -1.0},
                                         {25.0, 0.0},   {26.0, 40.0}};
  const auto rail = [&](bool mirrored) {
    ProfileChanges changes;
    changes.mirror_y = mirrored;
    changes.mirror_z = false;
    return canonical_profile(ProfileRole::rail, points, changes);
  };
  CHECK_FALSE(groove_doubt(grooves_of(rail(false), Track().gauge_height)).has_value());
  const auto doubt = groove_doubt(grooves_of(rail(true), Track().gauge_height));
  REQUIRE(doubt.has_value());
  CHECK(doubt->text ==
        "the rail's groove is on the field side of its head: beyond the head, 50 mm wide, there is "
        "a lip of 12 mm away from the track's centre; accepted: the other mirror_y, if the "
        "profile is mirrored");
}

TEST_CASE(
    "wheel case: a gauge that is measured on a lip a little higher than the head is warned of") {
  const auto rail = [](double lip) {
    const std::vector<ProfilePoint> corners{{-92, 40}, {-92, lip}, {-76, lip}, {-74, 45}, {-37, 45},
                                            {-35, 30}, {-35, 4},   {0, 0},     {35, 4},   {37, 45}};
    ProfileChanges z_down;
    z_down.mirror_z = false;
    return canonical_profile(ProfileRole::rail, test::between(corners), z_down);
  };
  Track track;
  const auto gauge_doubt = [](const Profile& profile, const Track& in) {
    return slipfield::gauge_doubt(profile, head_of(profile, in.gauge_height), in,
                                  place_rail(profile, in));
  };
  for (const double lip : {9.0, 1.0, -20.0}) CHECK_FALSE(gauge_doubt(rail(lip), track).has_value());
  for (const double lip : {-0.2, -2.0, -4.0}) {
    CAPTURE(lip);
    const auto doubt = gauge_doubt(rail(lip), track);
    REQUIRE(doubt.has_value());
    CHECK(doubt->text.starts_with("the gauge is measured at y = -92"));
    CHECK(doubt->text.find("mm wide, has its face at y = -35") != std::string::npos);
    for (const GaugeFace face : {GaugeFace::head, GaugeFace::lip}) {
      Track said = track;
      said.gauge_face = face;
      CHECK_FALSE(gauge_doubt(rail(lip), said).has_value());
    }
    Track between = track;
    between.gauge_between = {-93.0, -75.0};
    CHECK_FALSE(gauge_doubt(rail(lip), between).has_value());
  }
}

TEST_CASE("wheel case: a rail that leans outwards, or inwards twice, is warned of") {
  // The benchmark's rail lies at 1:40 in its file; turned back it stands upright.
  constexpr double kLean = 1.0 / 40.0;
  const Profile rail = *test::manchester_rail();
  const auto turned = [&](double angle) {
    std::vector<ProfilePoint> points = rail.points;
    for (ProfilePoint& point : points)
      point = {std::cos(angle) * point.y - std::sin(angle) * point.z,
               std::sin(angle) * point.y + std::cos(angle) * point.z};
    return with_points(rail, points);
  };
  constexpr double kWithin = 0.001;  // 0.3 mm on a head of radius 300 mm
  for (const double angle : {-0.025, 0.0, kLean, 0.05})
    CHECK(std::fabs(head_inclination(turned(angle), 14.0).value() - (kLean - angle)) < kWithin);
  const auto lean_doubt = [](const Profile& profile, const Track& in) {
    return slipfield::lean_doubt(head_inclination(profile, in.gauge_height), in);
  };
  Track track;
  CHECK_FALSE(lean_doubt(rail, track));
  for (const double cant : {0.01, kLean, 0.045, 0.05, 0.1}) {
    CAPTURE(cant);
    track.cant = cant;
    CHECK(lean_doubt(rail, track));
    CHECK_FALSE(lean_doubt(turned(kLean), track));
  }
  track.cant = -kLean;
  CHECK_FALSE(lean_doubt(rail, track));
  // Mirrored it leans away from the centre, unless it is canted by as much.
  track.cant = 0.0;
  const Profile mirrored = turned(2.0 * kLean);
  REQUIRE(lean_doubt(mirrored, track));
  CHECK(lean_doubt(mirrored, track)->text.find("leans by some 0.025 rad away") !=
        std::string::npos);
  CHECK_FALSE(lean_doubt(turned(kLean), track));
  track.cant = kLean;
  CHECK_FALSE(lean_doubt(mirrored, track));
  const std::string at = "velocity: {x: 2000}";
  const std::string says =
      "track.cant is 0.025 rad, and the middle of the rail's head is inclined by some 0.025 rad in "
      "its profile already; accepted: cant: 0";
  CHECK(warnings_with(driven_case(at, "  track: {cant: 0.025}\n"), says) == 1);
  CHECK(warnings_with(driven_case(at, ""), "in its profile already") == 0);
}

TEST_CASE("wheel case: of a wheelset the warning of a groove names the rail") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "rail.txt")
      << "-77 40\n-76 2\n-64 2\n-63 40\n-26 40\n-25 0\n-10 -1\n10 -1\n25 0\n26 40\n";
  const std::string whole = driven_case("velocity: {x: 2000}", "  geometry_only: true\n");
  const std::size_t rail = whole.find("  rail: {profile");
  std::string text =
      whole.substr(0, rail) + "  rail: {profile: " + (folder.path() / "rail.txt").string() +
      ", mirror_z: false, left: {mirror_y: true}}" + whole.substr(whole.find('\n', rail));
  text = test::edited(text, "side: right", "side: both");
  CHECK(warnings_with(text, "left rail: the rail's groove is on the field side") == 1);
  CHECK(warnings_with(text, ": the rail's groove is on the field side") == 1);
}

TEST_CASE("wheel case: a step of half the contact's length or more is warned of") {
  const auto warned = [](const std::string& step) {
    return warnings_with(
        driven_case("velocity: {x: 2000}", "  problem: transient_rolling\n  step: " + step + "\n"),
        "times the length of its contact, about ");
  };
  CHECK(warned("50") == 1);
  CHECK(warned("0.5") == 0);
  CHECK(warned("1") == 0);
  CHECK(warnings_with(
            driven_case("velocity: {x: 2000}", "  problem: transient_rolling\n  step: 50\n"),
            "the wheel rolls 50 mm in a step, ") == 1);
}

TEST_CASE("wheel case: a wheelset that moves across by more than its velocity says is warned of") {
  const auto warned = [](const std::string& moved) {
    return warnings_with(driven_case("velocity: {x: 2000}",
                                     "  problem: transient_rolling\nsteps:\n  - {}\n"
                                     "  - wheel_rail: {wheelset: {" +
                                         moved + "}}\n"),
                         "the wheelset moves across by 0.01 mm while it rolls 0.5 mm, which is a "
                         "wheelset.velocity.y of 40 mm/s, and that is 0;");
  };
  CHECK(warned("y: 0.01") == 1);
  CHECK(warned("y: 0.01, velocity: {y: 40}") == 0);
  CHECK(warned("velocity: {y: 40}") == 0);  // a creepage alone
}

TEST_CASE("wheel case: a coefficient of friction above 1.5 is warned of, in steps too") {
  const std::string text = driven_case("velocity: {x: 2000}", "");
  const auto warned = [](const std::string& of) {
    return warnings_with(of, "friction.coefficient: 30 is above 1.5. Is it in percent?");
  };
  CHECK(warned(text) == 0);
  CHECK(warned(test::edited(text, "coefficient: 0.3", "coefficient: 30")) == 1);
  CHECK(warned(text + "steps:\n  - {}\n  - friction: {coefficient: 30}\n") == 1);
}

TEST_CASE("wheel case: a shift along the track in which the wheel rolls by default is warned of") {
  const std::string says =
      "the wheel turns by wheelset.velocity.pitch = -4.348e-05 rad";  // .02/460
  const auto warned = [&](const std::string& wheelset, const std::string& rest = "") {
    return warnings_with(driven_case(wheelset, "  problem: shift\n" + rest), says);
  };
  CHECK(warned("velocity: {x: 0.02}") == 1);
  CHECK(warned("velocity: {x: 0.02, pitch: 0}") == 0);
  CHECK(warned("velocity: {x: 0.02, pitch: -4.348e-5}") == 0);  // meant
  CHECK(warned("velocity: {y: 0.02}") == 0);
  CHECK(warned("velocity: {x: 0.02}", "  longitudinal_force: -500\n") == 0);
  CHECK(warnings_with(driven_case("velocity: {x: 0.02}", ""), says) == 0);  // it is rolling
}

TEST_SUITE_END();

}  // namespace slipfield
