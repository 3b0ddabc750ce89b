// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "app/run/run_case.h"
#include "app/run/sweep/sweep_point.h"
#include "io/case/reader.h"
#include "io/case/step_task.h"
#include "io/case/sweep.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/heights/files.h"
#include "io/result/any_result.h"
#include "io/result/reader.h"
#include "io/result/wheel/table.h"
#include "solver/error.h"
#include "tests/support/near.h"
#include "tests/support/test_case_support.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

using test::edited;
using test::TemporaryFolder;

std::string rail_file() {
  return std::filesystem::absolute(test::kCases / "profiles" / "MBench_UIC60_v3.prr").string();
}

std::string wheel_case() {
  const std::string folder = std::filesystem::absolute(test::kCases / "profiles").string();
  return "schema: 1\ntitle: wheel\nunits: N-mm-s\nbodies:\n"
         "  wheel: {shear_modulus: 82000, poisson_ratio: 0.28}\n"
         "  rail: {shear_modulus: 82000, poisson_ratio: 0.28}\n"
         "friction: {coefficient: 0.3}\n"
         "wheel_rail:\n"
         "  side: left\n"
         "  wheel: {profile: " +
         folder +
         "/MBench_S1002_v3.prw}\n"
         "  rail: {profile: " +
         rail_file() +
         "}\n"
         "  spacing: [0.4, 0.4]\n"
         "  wheelset: {y: 1.0, yaw: 0.002, velocity: {x: 2000}}\n"
         "  vertical_force: 10000\n";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE_BEGIN("unit");

TEST_CASE("wheel case: what is left out has the usual values, and pitch rolls freely") {
  const CaseFile file = test::read_text(wheel_case());
  REQUIRE(file.wheel_rail);
  CHECK(file.warnings.empty());
  REQUIRE(file.wheel_rail->steps.size() == 1);
  const WheelStep& step = file.wheel_rail->steps[0].wheels[0];
  CHECK(step.position.side == Side::left);
  CHECK(step.position.track.gauge == 1435.0);
  CHECK(step.position.wheelset.velocity_pitch == test::near(-2000.0 / 460.0, 1e-15));
  CHECK(step.vertical_force == 10000.0);
  CHECK(step.friction.coefficient == 0.3);
  CHECK(file.problem.upper.shear_modulus == 82000.0);
  CHECK(file.input_files.size() == 3);
}

TEST_CASE("wheel case: resolved, it reads back to the same") {
  std::string text = wheel_case() +
                     "steps:\n  - {}\n  - wheel_rail: {wheelset: {z: 0.19}, track: {cant: 0.01, "
                     "irregularity: {y: 0.5}}}\n  - friction: {coefficient: 0.1}\n    wheel_rail: "
                     "{vertical_force: 20000}\n";
  text = edited(text, "  - {}\n", "  - friction: {coefficient: 0.3}\n");
  const CaseFile file = test::read_text(text);
  const CaseFile again = test::read_text(file.resolved_yaml);
  CHECK(again.resolved_yaml == file.resolved_yaml);
  REQUIRE(again.wheel_rail->steps.size() == 3);
  CHECK_FALSE(file.wheel_rail->steps[1].wheels[0].vertical_force.has_value());
  CHECK(file.wheel_rail->steps[1].wheels[0].position.wheelset.z == 0.19);
  CHECK(file.wheel_rail->steps[1].wheels[0].position.track.rail_y == 0.5);
  CHECK(file.wheel_rail->steps[1].wheels[0].position.wheelset.y == 1.0);
  CHECK(file.wheel_rail->steps[2].wheels[0].vertical_force == 20000.0);
  CHECK(file.wheel_rail->steps[2].wheels[0].position.track.cant == 0.01);
  CHECK(file.wheel_rail->steps[2].wheels[0].friction.coefficient == 0.1);
}

TEST_CASE("wheel case: steps that roll in time have a length and are repeated") {
  const std::string text = wheel_case();
  const CaseFile file =
      test::read_text(text +
                      "steps:\n  - {}\n  - {repeat: 3, wheel_rail: {problem: transient_rolling}}\n"
                      "  - wheel_rail: {step: 0.1}\n  - wheel_rail: {problem: steady_rolling}\n");
  CHECK(count_steps(file) == 6);
  const CaseFile again = test::read_text(file.resolved_yaml);
  CHECK(again.resolved_yaml == file.resolved_yaml);
  for (const CaseFile* each : {&file, &again}) {
    CHECK(each->wheel_rail->patches.lattice);
    const std::vector<double> rolled{0.0, 0.4, 0.4, 0.4, 0.1, 0.0};
    for (int number = 1; number <= 6; ++number)
      CHECK(each->wheel_rail->step(number)->wheels[0].position.rolled ==
            rolled[static_cast<std::size_t>(number) - 1]);
    CHECK(each->wheel_rail->step(7) == nullptr);
  }
  CHECK_FALSE(test::read_text(text).wheel_rail->patches.lattice);
  const auto refused = [&](const std::string& rest, const std::string& part) {
    const std::vector<std::string> messages = test::messages_of(text + rest);
    return messages.size() == 1 && mentions(messages[0], part);
  };
  CHECK(refused("  step: 0.2\n", "wheel_rail.step: given although problem is steady_rolling"));
  CHECK(refused("  problem: shift\n  step: 0.2\n",
                "wheel_rail.step: given although problem is shift"));
  const std::string transient = "  problem: transient_rolling\n";
  CHECK(refused(transient + "wear: {law: archard, coefficient: 1e-4, hardness: 3000}\n",
                "given together with 'wheel_rail.problem: transient_rolling', whose contacts move "
                "from step to step"));
  CHECK(refused(transient + "solver: {rolling: second_order}\n",
                "whose contacts keep no more than tractions"));
  CHECK(refused(transient + "solver: {tangential: fastsim, normal: kpec}\n",
                "fastsim solves steady rolling only"));
}

TEST_CASE("wheel case: the step of transient rolling outlasts steps of another problem") {
  const auto rolled = [](const std::string& steps) {
    const CaseFile file = test::read_text(wheel_case() + "steps:\n" + steps);
    const CaseFile again = test::read_text(file.resolved_yaml);
    CHECK(again.resolved_yaml == file.resolved_yaml);
    std::vector<double> lengths;
    for (const WheelsetStep& step : file.wheel_rail->steps)
      lengths.push_back(step.wheels[0].position.rolled);
    return lengths;
  };
  const std::string transient = "  - wheel_rail: {problem: transient_rolling}\n";
  const std::string first = "  - wheel_rail: {problem: transient_rolling, step: 0.3}\n";
  const std::string steady = "  - wheel_rail: {problem: steady_rolling}\n";
  const std::string shift = "  - wheel_rail: {problem: shift}\n";
  CHECK(rolled(first + steady + transient) == std::vector{0.3, 0.0, 0.3});
  CHECK(rolled(first + steady + shift + "  - {}\n" + transient + transient) ==
        std::vector{0.3, 0.0, 0.0, 0.0, 0.3, 0.3});
  CHECK(rolled(first + steady + "  - wheel_rail: {problem: transient_rolling, step: 0.2}\n" +
               steady + transient) == std::vector{0.3, 0.0, 0.2, 0.0, 0.2});
  CHECK(rolled(transient + steady + transient) == std::vector{0.4, 0.0, 0.4});
}

TEST_CASE(
    "wheel case: a transient step that nothing rolls in, or a step beyond the range, is refused") {
  const auto refused = [](const std::string& text, const std::string& part) {
    const std::vector<std::string> messages = test::messages_of(text);
    return messages.size() == 1 && mentions(messages[0], part);
  };
  CHECK(refused(
      wheel_case() + "steps:\n  - {}\n  - wheel_rail: {problem: transient_rolling, wheelset: "
                     "{velocity: {x: 0, pitch: 0}}}\n",
      "steps.1.wheel_rail.wheelset.velocity.x: nothing rolls in this step of transient "
      "rolling; accepted: 'wheelset.velocity.x' other than 0, on a roller 'track.roller.pitch', or "
      "problem: shift"));
  CHECK(refused(wheel_case() + "  problem: transient_rolling\n  step: 1e300\n",
                "wheel_rail.step: 1e300 is out of range; accepted: a number > 0 and <= 1e+06"));
  const std::string rolls = "  problem: transient_rolling\n  contact_surface: conformal\n";
  CHECK(refused(wheel_case() + rolls + "  step: 0.5\n",
                "wheel_rail.step: 0.5 is longer than an element, and on a curved surface the slip "
                "of elements is not known for a part of a step; accepted: at most 0.4, or "
                "contact_surface: planar"));
  CHECK(refused(wheel_case() + "  stepp: 0.2\n",
                "wheel_rail.stepp: unknown key; did you mean 'step'? accepted: "));
}

TEST_CASE("wheel case: each mistake is one sentence at its place") {
  const std::string text = wheel_case();
  const auto only = [](const std::string& changed) {
    const auto messages = test::messages_of(changed);
    REQUIRE(messages.size() == 1);
    return messages[0];
  };
  CHECK(mentions(only(edited(text, "units: N-mm-s", "units: SI")), "a case with 'wheel_rail' is"));
  CHECK(mentions(only(text + "normal: {force: 1}\n"), "given together with 'wheel_rail'"));
  CHECK(mentions(only(edited(text, "  vertical_force: 10000\n", "")),
                 "neither 'vertical_force' nor 'wheelset.z' is given"));
  CHECK(mentions(only(edited(text, "{y: 1.0,", "{y: 1.0, z: 0.1,")),
                 "both 'vertical_force' and 'wheelset.z' are given"));
  CHECK(mentions(only(edited(text, "{y: 1.0,", "{y: 200.0,")), "the wheel is not over the rail"));
  CHECK(mentions(only(edited(text, "yaw: 0.002", "yaw: 2")), "wheelset.yaw"));
  CHECK(mentions(
      only(edited(text, "{x: 2000}", "{x: 2000, yaw: 1e308}")),
      "wheelset.velocity.yaw: 1e308 is out of range; accepted: a number >= -1e+12 and <= 1e+12"));
  CHECK(mentions(only(edited(text, "spacing: [0.4, 0.4]", "spacng: [0.4, 0.4]")),
                 "did you mean 'spacing'"));
  CHECK(mentions(only(edited(text, "MBench_S1002_v3.prw", "none.prw")), "there is no such file"));
  CHECK(mentions(only(edited(text, "MBench_UIC60_v3.prr}", "MBench_UIC60_v3.prr, scale: 0.001}")),
                 "if it is in metres: unit: m"));
  CHECK(mentions(
      only(text + "steps:\n  - wheel_rail: {rail: {profile: a.prr}}\n"),
      "rail: unknown key; accepted: side, problem, step, track, wheelset, vertical_force"));
  CHECK(mentions(only(text + "solver: {tangential: fastsim}\n"),
                 "the contacts of 'wheel_rail' are not ellipses"));
  CHECK(mentions(only(text + "  track: {roller: {radius: 500, pitch: 4}}\n"),
                 "wheel_rail.wheelset.velocity.x: given with 'track.roller'"));
  const std::string rig = edited(text, "velocity: {x: 2000}", "velocity: {}");
  CHECK(mentions(only(rig + "  track: {cant: 0.02, roller: {radius: 500}}\n"),
                 "wheel_rail.track.cant: given together with 'roller'"));
  for (const char* z : {"251", "-251", "500"})
    CHECK(mentions(
        only(rig + "  track: {roller: {radius: 500, pitch: 4}, irregularity: {z: " + z + "}}\n"),
        std::string("wheel_rail.track.irregularity.z: ") + z +
            " is more than half the roller's radius of 500 mm"));
  CHECK(test::messages_of(rig +
                          "  track: {roller: {radius: 500, pitch: 4}, irregularity: {z: 250}}\n")
            .empty());
  for (const char* key : {"y", "z"})
    CHECK(mentions(only(text + "  track: {irregularity: {" + key + ": -1.1e6}}\n"),
                   std::string("wheel_rail.track.irregularity.") + key));
  CHECK(mentions(only(rig + "  track: {roller: {radius: 5}}\n"), "wheel_rail.track.roller.radius"));
  CHECK(mentions(only(rig + "  track: {rail_origin: [-760, 2], roller: {radius: 500, pitch: 4}}\n"),
                 "wheel_rail.track.rail_origin: has a z other than 0, and the roller's axle is its "
                 "radius below that of 0"));
  CHECK(mentions(
      only(text + "  track: {gauge_face: foot}\n"),
      "wheel_rail.track.gauge_face: 'foot' is not known; accepted: auto, head, lip or [y, y]"));
  CHECK(mentions(
      only(text + "  track: {gauge_face: [5, -5]}\n"),
      "wheel_rail.track.gauge_face: [5, -5] holds nothing; accepted: two y of the rail's profile, "
      "the lesser one first"));
  CHECK(mentions(only(text + "  track: {gauge_face: lip}\n"),
                 "track.gauge_face is lip, and the rail has none"));
  CHECK(mentions(only(text + "  track: {gauge_face: head, rail_origin: [-760, 0]}\n"),
                 "given together with 'gauge_face'"));
  CHECK(mentions(
      only(edited(text, "{coefficient: 0.3}", "{coefficient: {y: [0, 1], value: [0.3, 0.1]}}")),
      "varies over the elements"));
}

TEST_CASE("wheel case: friction by the inclination arrives, changes with steps, and reads back") {
  const std::string text =
      edited(wheel_case(), "{coefficient: 0.3}",
             "{coefficient: {inclination: [-0.035, -0.01], value: [0.2, 0.4]}}") +
      "steps:\n  - {}\n  - friction: {law: exponential, static: [0.2, 0.4], kinetic: 0.1, "
      "half_velocity: 100, inclination: [-0.03, 0]}\n  - friction: {coefficient: 0.3}\n";
  const CaseFile file = test::read_text(text);
  REQUIRE(file.wheel_rail->steps.size() == 3);
  const auto friction = [&](std::size_t i) -> const WheelStep& {
    return file.wheel_rail->steps[i].wheels[0];
  };
  CHECK(friction(0).friction_by_inclination);
  CHECK(friction(0).friction.coefficient == 0.4);
  CHECK(std::get<FrictionAlongY>(friction(0).friction.place) ==
        FrictionAlongY{{-0.035, -0.01}, {0.2, 0.4}});
  CHECK(friction(1).friction_by_inclination);
  REQUIRE(friction(1).friction.along_y.size() == 2);
  CHECK(friction(1).friction.along_y[1].law.fixed == 0.4);
  CHECK_FALSE(friction(2).friction_by_inclination);
  const CaseFile again = test::read_text(file.resolved_yaml);
  CHECK(again.resolved_yaml == file.resolved_yaml);
  CHECK(again.wheel_rail->steps[1].wheels[0].friction == friction(1).friction);
}

TEST_CASE("wheel case: what friction by the inclination, wear and heat cannot be is one sentence") {
  const std::string text = wheel_case();
  const auto only = [](const std::string& changed) {
    const auto messages = test::messages_of(changed);
    REQUIRE(messages.size() == 1);
    return messages[0];
  };
  const auto with_friction = [&](const std::string& friction) {
    return only(edited(text, "{coefficient: 0.3}", friction));
  };
  CHECK(mentions(with_friction("{coefficient: {inclination: [-2, -0.5], value: [0.2, 0.4]}}"),
                 "friction.coefficient.inclination"));
  CHECK(mentions(with_friction("{coefficient: {inclination: [0, -0.1], value: [0.2, 0.4]}}"),
                 "friction.coefficient.inclination: does not increase"));
  CHECK(mentions(with_friction("{law: exponential, static: [0.3, 0.4], kinetic: 0.1, "
                               "half_velocity: 100, inclination: [-0.1]}"),
                 "has 2 numbers for 1 places"));
  CHECK_FALSE(test::messages_of(edited(text, "{coefficient: 0.3}",
                                       "{static: 0.4, kinetic: 0.1, y: [0]}"))
                  .empty());  // y of which contact?
  CHECK(
      mentions(only(text + "heat: {rail: {conductivity: 0.05, capacity: 450, density: 7.85e-6}}\n"),
               "heat.wheel"));
  CHECK(mentions(only(text + "  geometry_only: true\nfatigue: {shear_yield: 300}\n"),
                 "given together with 'wheel_rail.geometry_only'"));
  const std::string shifts = text + "  problem: shift\n";
  const std::string steel = "{conductivity: 0.05, capacity: 450, density: 7.85e-6}";
  for (const std::string& warm :
       {shifts + "heat: {rail: " + steel + ", wheel: " + steel + "}\n",
        edited(shifts, "{coefficient: 0.3}",
               "{coefficient: {temperature: [0, 400], value: [0.3, 0.2]}}")}) {
    CHECK(mentions(only(warm), "'wheel_rail.problem: shift'"));
    CHECK(mentions(only(warm), "; accepted: wheel_rail.problem: steady_rolling"));
  }
  CHECK(mentions(only(text + "  track: {gauge: 1435, rail_origin: [-760, 0]}\n"),
                 "wheel_rail.track.rail_origin: given together with 'gauge'"));
}

TEST_CASE("wheel case: a contact in two places whose position is between them is warned of") {
  const TemporaryFolder folder;
  for (const char* const y : {"-5.02", "0.0"}) {
    CAPTURE(y);
    const CaseFile file =
        test::read_text(edited(edited(wheel_case(), "y: 1.0, yaw: 0.002", std::string("y: ") + y),
                               "vertical_force: 10000", "vertical_force: 3000"));
    RunOptions options;
    options.backend = BackendChoice::cpu;
    options.output = folder.path() / (std::string(y) + ".h5");
    const RunRecord record = run_case(file, options, silent_observer());
    const std::vector<std::string>& warnings = record.steps.front().wheel->warnings;
    REQUIRE(warnings.size() == (y[0] == '-' ? 1 : 0));
    for (const std::string& warning : warnings)
      CHECK(mentions(warning,
                     "contact 1: it touches in two places 8.8 mm apart, and its position, "
                     "rail_y = "));
  }
}

TEST_CASE("wheel record: the numbers of contacts combine to those of wheels, by one table") {
  WheelRecord record;
  record.side = "both";
  record.wheel = {{"axle_z", 0.1}, {"left_track_force_y", -3.0}, {"right_track_force_y", 4.0}};
  const auto contact = [](double force, double pressure, double t_gamma, double angle) {
    return NamedNumbers{{"normal_force", force},      {"max_pressure", pressure},
                        {"t_gamma", t_gamma},         {"contact_angle", angle},
                        {"shakedown_reserve", force}, {"seconds", 1.0}};
  };
  record.contacts = {contact(10.0, 700.0, 1.0, 0.1), contact(20.0, 500.0, 2.0, 0.2),
                     contact(15.0, 600.0, 4.0, -0.3)};
  record.contact_sides = {"left", "left", "right"};
  const std::vector<TableRow> rows = record.rows();
  REQUIRE(rows.size() == 6);  // both, left, its two contacts, right, its contact
  const NamedNumbers all = record.totals();
  const auto check = [&](const NamedNumbers& row, const std::string& start, double pressure,
                         double t_gamma, double angle, double reserve) {
    for (const auto& [name, value] : NamedNumbers{{"max_pressure", pressure},
                                                  {"t_gamma", t_gamma},
                                                  {"contact_angle", angle},
                                                  {"shakedown_reserve", reserve}}) {
      CAPTURE(name);
      CHECK(row.at(name) == value);
      CHECK(all.at(start + name) == value);
    }
    CHECK_FALSE(row.contains("seconds"));
  };
  check(rows[0].totals, "", 700.0, 7.0, 0.2, 10.0);
  check(rows[1].totals, "left_", 700.0, 3.0, 0.2, 10.0);
  check(rows[4].totals, "right_", 600.0, 4.0, -0.3, 15.0);
  CHECK(record.totals_of("left").at("t_gamma") == 3.0);
  CHECK(rows[1].totals.at("track_force_y") == -3.0);
  // The table knows no name that contacts do not have.
  const std::vector<std::string>& known = total_names();
  for (const std::string_view name : combined_names())
    CHECK(std::ranges::find(known, name) != known.end());
}

TEST_CASE("wheel case: expected numbers of wear and heat need the key that they are of") {
  const std::string text = wheel_case() +
                           "expected:\n"
                           "  - {quantity: total_worn_area, value: 1, tolerance: 1}\n"
                           "  - {quantity: worn_area, value: 1, tolerance: 1, contact: 1}\n";
  const auto messages = test::messages_of(text);
  REQUIRE(messages.size() == 2);
  for (const std::string& message : messages)  // the first under its earlier name
    CHECK(mentions(message, "'worn_area' does not exist without 'wear'"));
  CHECK(test::read_text(text + "wear: {law: t_gamma, density: 7.85e-6}\n").expected.size() == 2);
  for (const auto& [name, behind] :
       {std::pair{"right_max_temperature", "max_temperature"}, {"worn_area", "worn_area"}})
    CHECK(surface_number_behind(name)->name == behind);
  for (const char* name : {"track_force_z", "force_x", "no such number"})
    CHECK(surface_number_behind(name) == nullptr);
}

TEST_CASE("wheel case: expected numbers take the names of earlier programs for contacts") {
  const std::string entry =
      "expected:\n  - {quantity: patch_track_force_z, value: 1, tolerance: 1, ";
  const CaseFile file = test::read_text(
      wheel_case() + entry + "patch: 2}\n  - {quantity: patches, value: 1, tolerance: 0}\n");
  REQUIRE(file.expected.size() == 2);
  CHECK(file.expected[0].quantity == "contact_track_force_z");
  CHECK(file.expected[0].contact == 2);
  CHECK(file.expected[1].quantity == "contact_count");
  CHECK(test::read_text(file.resolved_yaml).expected[0].contact == 2);
  const auto messages = test::messages_of(wheel_case() + entry + "patch: 2, contact: 2}\n");
  REQUIRE(messages.size() == 1);
  CHECK(mentions(messages[0], "is an earlier name of 'contact', which is there"));
}

TEST_CASE("wheel case: steps go from the gauge to the rail's origin and back") {
  const std::string text = wheel_case() +
                           "  track: {gauge: 1436, gauge_height: 10}\n"
                           "steps:\n  - {}\n"
                           "  - wheel_rail: {track: {rail_origin: [-760.5, 0.1]}}\n"
                           "  - {}\n"
                           "  - wheel_rail: {track: {gauge: 1434}}\n";
  const CaseFile file = test::read_text(text);
  REQUIRE(file.wheel_rail->steps.size() == 4);
  const auto track = [&](std::size_t i) {
    return file.wheel_rail->steps[i].wheels[0].position.track;
  };
  CHECK_FALSE(track(0).rail_origin);
  CHECK(track(0).gauge_height == 10.0);
  CHECK(track(1).rail_origin == std::array<double, 2>{-760.5, 0.1});
  CHECK(track(2).rail_origin == track(1).rail_origin);
  CHECK_FALSE(track(3).rail_origin);
  CHECK(track(3).gauge == 1434.0);
  CHECK(track(3).gauge_height == Track().gauge_height);  // went with the gauge
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
}

TEST_CASE("wheel case: the gauge face is read, changes with steps, and reads back") {
  const std::string text = wheel_case() +
                           "  track: {gauge_face: head}\n"
                           "steps:\n  - {}\n"
                           "  - wheel_rail: {track: {gauge_face: [-60, 40.5]}}\n"
                           "  - wheel_rail: {track: {rail_origin: [-760.5, 0]}}\n"
                           "  - wheel_rail: {track: {gauge_face: auto}}\n";
  const CaseFile file = test::read_text(text);
  REQUIRE(file.wheel_rail->steps.size() == 4);
  const auto track = [&](std::size_t i) {
    return file.wheel_rail->steps[i].wheels[0].position.track;
  };
  CHECK(track(0).gauge_face == GaugeFace::head);
  CHECK_FALSE(track(0).gauge_between);
  CHECK(track(1).gauge_between == std::array{-60.0, 40.5});
  CHECK(track(2).rail_origin);
  CHECK_FALSE(track(2).gauge_between);
  CHECK_FALSE(track(3).rail_origin);
  CHECK(track(3).gauge_face == GaugeFace::automatic);
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
}

TEST_CASE("wheel case: a gauge measured where the profile begins is warned of, its origin is not") {
  const TemporaryFolder folder;
  std::string points;  // the top of a head alone: 4.5 mm deep
  for (int i = 0; i <= 60; ++i)
    points += fmt::format("{} {}\n", i - 30, (i - 30.0) * (i - 30.0) / 200.0);
  const auto warnings = [&](const std::string& track) {
    const std::string text = edited(wheel_case(), "{profile: " + rail_file() + "}",
                                    "{profile: " + folder.write("top.txt", points).string() + "}");
    return test::read_text(edited(text, "{y: 1.0,", "{y: 4.0,") + track)
        .warnings;  // off the flange
  };
  const auto usual = warnings("");
  REQUIRE(usual.size() == 1);
  CHECK(mentions(usual[0],
                 "the gauge is measured where the rail's profile begins, at y = -30 mm, less than "
                 "track.gauge_height = 14 mm below its top"));
  // Rolling freely: on a rail so far out the radii are not the nominal one.
  CHECK(warnings("  track: {gauge_height: 4}\n  longitudinal_force: 0\n").empty());
  CHECK(warnings("  track: {rail_origin: [-753, 0]}\n").empty());
}

TEST_CASE("wheel case: friction that does nothing is warned of") {
  const std::string still = edited(wheel_case(), "velocity: {x: 2000}", "velocity: {}");
  const auto warnings = test::read_text(still).warnings;
  REQUIRE(warnings.size() == 1);
  CHECK(mentions(warnings[0], "the wheel stands still (wheelset.velocity.x is 0)"));
  CHECK(test::read_text(edited(still, "coefficient: 0.3", "coefficient: 0")).warnings.empty());
  const auto rig = test::read_text(still + "  track: {roller: {radius: 500}}\n").warnings;
  const auto found = std::find_if(rig.begin(), rig.end(), [](const std::string& warning) {
    return mentions(warning, "the roller stands still: track.roller.pitch is not given");
  });
  CHECK(found != rig.end());
}

TEST_CASE("wheel case: wear and heat of both wheels are in the result, and totals add up") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "worn.h5";
  const CaseFile file = test::read_text(
      edited(edited(wheel_case(), "side: left", "side: both"), "spacing: [0.4, 0.4]",
             "spacing: [0.8, 0.8]") +
      "wear: {law: archard, coefficient: 1.0e-4, hardness: 3000, passes: 1000}\n"
      "heat:\n  rail: {conductivity: 0.05, capacity: 450, density: 7.85e-6}\n"
      "  wheel: {conductivity: 0.05, capacity: 450, density: 7.85e-6, temperature: 20}\n");
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
  RunOptions options;
  options.backend = BackendChoice::cpu;
  options.output = path;
  const RunRecord record = run_case(file, options, {[](const auto&) {}, [](const auto&) {}});
  CHECK(record.outcome == RunOutcome::converged);
  const ResultSteps read = read_steps(path);
  REQUIRE(read.steps.size() == 1);
  const WheelRecord& step = *read.steps.front().wheel;
  CHECK(step.wheel == record.steps.front().wheel->wheel);
  REQUIRE(step.contacts.size() == 2);
  CHECK(step.contacts == record.steps.front().wheel->contacts);
  const double left = step.get("left_t_gamma", 0);
  const double right = step.get("right_t_gamma", 0);
  CHECK(left == step.get("t_gamma", 1));
  CHECK(right == step.get("t_gamma", 2));
  CHECK(step.get("t_gamma", 0) == left + right);
  CHECK(step.get("max_temperature", 0) ==
        std::fmax(step.get("max_temperature", 1), step.get("max_temperature", 2)));
  const ResultFile patch = read_result(path, {0, 1, {}, 2});
  const auto profile = patch.row_field(patch.step(1), "wear_profile");
  double area = 0.0;
  for (const double depth : profile) area += 0.8 * depth;
  CHECK(area == test::near(step.get("worn_area", 2), 1e-12));
}

TEST_CASE("wheel case: stresses inside the bodies, contact by contact") {
  const TemporaryFolder folder;
  const std::string text = edited(edited(wheel_case(), "coefficient: 0.3", "coefficient: 0"),
                                  "vertical_force: 10000", "vertical_force: 2000");
  const CaseFile file =
      test::read_text(text + "interior: {body: lower, depths: {to: 3.0, points: 31}}\n");
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
  RunOptions options;
  options.backend = BackendChoice::cpu;
  options.output = folder.path() / "inside.h5";
  run_case(file, options, {[](const auto&) {}, [](const auto&) {}});
  const ResultFile patch = read_result(options.output, {0, 1, {}, 1});
  REQUIRE(patch.interior(patch.step(1)).size() == 1);
  REQUIRE(patch.step(1).report.interior.size() == 1);
  const InteriorSummary& inside = patch.step(1).report.interior.front();
  CHECK(inside.body == Body::lower);
  // In Hertz's contacts without friction it is .56 (lines) to .62 (circles) of the greatest
  // pressure, at .5 to .8 of the smaller semi-axis [Johnson 1985, ch. 4]; here of 1 to 3 mm.
  const double part = inside.von_mises.value / patch.step(1).report.max_pressure;
  CHECK(part > 0.54);
  CHECK(part < 0.66);
  CHECK(inside.von_mises.z < -0.3);  // n points into the upper body
  CHECK(inside.von_mises.z > -2.4);
  CHECK(mentions(test::messages_of(text + "  geometry_only: true\ninterior: {depths: [1]}\n").at(0),
                 "given together with 'wheel_rail.geometry_only'"));
  CHECK(mentions(
      test::messages_of(text + "interior: {depths: [1], region: {x: [0, 1], y: [0, 1]}}\n").at(0),
      "has a box as its region"));
}

TEST_CASE("wheel case: a point of a sweep with fields is the result of that point alone") {
  const TemporaryFolder folder;
  const CaseFile file = test::read_text(
      wheel_case() + "sweep:\n  - {key: wheel_rail.wheelset.y, values: [0.5, 1.0]}\n" +
      "output: {fields: [pressure, element_division]}\n");
  RunOptions options{BackendChoice::cpu, folder.path() / "sweep.h5"};
  run_case(file, options, silent_observer());
  HeightsFiles files;
  const CaseFile to_run = file.sweep->point(2, PointUse::to_run, files);
  CHECK(to_run.resolved_yaml.empty());
  CHECK(write_case(to_run) == file.sweep->point(2).resolved_yaml);
  const CaseFile second = file.sweep->point(2, PointUse::alone);
  options.output = folder.path() / "alone.h5";
  run_case(second, options, silent_observer());
  const ResultSteps in_sweep = read_steps(folder.path() / "sweep.h5", 2);
  const ResultSteps alone = read_steps(folder.path() / "alone.h5");
  REQUIRE(in_sweep.steps.size() == 1);
  REQUIRE(in_sweep.steps[0].wheel->contacts.size() == 1);
  for (const auto& [name, value] : alone.steps[0].wheel->contacts[0])
    if (name != "seconds") CHECK(in_sweep.steps[0].wheel->contacts[0].at(name) == value);
  const ResultFile a = read_result(folder.path() / "sweep.h5", {2, 1, {}, 1});
  const ResultFile b = read_result(folder.path() / "alone.h5", {0, 1, {}, 1});
  CHECK(a.step(1).fields == std::vector<std::string>{"pressure", "element_division"});
  CHECK(a.field(a.step(1), "pressure") == b.field(b.step(1), "pressure"));
  CHECK_THROWS_WITH_AS(read_result(folder.path() / "sweep.h5", {2}),
                       doctest::Contains("whose contacts have fields of their own"), InputError);
}

TEST_CASE("wheel case: a force that no wheel carries is refused") {
  const auto messages = test::messages_of(edited(wheel_case(), "10000", "1000000000"));
  REQUIRE(messages.size() == 1);
  CHECK(mentions(messages[0], "a vertical force of 1e+09 N would press the undeformed wheel"));
}

TEST_CASE("wheel case: a height without contact, and conformal contact, are warned of") {
  const std::string high = edited(edited(wheel_case(), "  vertical_force: 10000\n", ""), "{y: 1.0,",
                                  "{y: 1.0, z: -2.0,");
  const auto warnings = test::read_text(high).warnings;
  REQUIRE(warnings.size() == 1);
  CHECK(mentions(warnings[0], "the left wheel touches nothing, and its forces are 0: it is 2."));
  const auto deep = test::read_text(edited(high, "z: -2.0", "z: 2.0")).warnings;
  const auto deep_one = std::find_if(deep.begin(), deep.end(), [](const std::string& text) {
    return mentions(text, "the undeformed bodies overlap by");
  });
  REQUIRE(deep_one != deep.end());
  CHECK(mentions(*deep_one, "a smaller wheelset.z"));
  const auto conformal = test::read_text(edited(wheel_case(), "{y: 1.0,", "{y: -5.4,")).warnings;
  REQUIRE_FALSE(conformal.empty());
  CHECK(mentions(conformal[0], "the rail's normal turns by about"));
  // The worst one of several steps is named.
  const auto steps =
      test::read_text(wheel_case() +
                      "steps:\n  - wheel_rail: {wheelset: {y: -5.3}}\n  - wheel_rail: {wheelset: "
                      "{y: -5.4}}\n  - wheel_rail: {wheelset: {y: 1.0}}\n")
          .warnings;
  const auto turning = std::ranges::find_if(
      steps, [](const std::string& text) { return mentions(text, "the rail's normal turns by"); });
  REQUIRE(turning != steps.end());
  const std::string alone = conformal[0].substr(conformal[0].find("about"), 14);
  CHECK(mentions(*turning, "step 2: the rail's normal turns by " + alone));
  CHECK(mentions(*turning, "; less in 1 more of the steps)"));
}

TEST_CASE("wheel case: a contact of many elements is written whole") {
  const TemporaryFolder folder;
  RunOptions options;
  options.backend = BackendChoice::cpu;
  for (const bool fields : {false, true}) {
    const CaseFile file =
        test::read_text(edited(wheel_case(), "spacing: [0.4, 0.4]", "spacing: [0.018, 0.018]") +
                        "solver: {tangential: fastsim, normal: kpec}\noutput: {fields: " +
                        (fields ? "[pressure]" : "none") + "}\n");
    REQUIRE(file.problem.grid.count() > (1U << 18U));
    options.output = folder.path() / (fields ? "fields.h5" : "none.h5");
    run_case(file, options, {[](const auto&) {}, [](const auto&) {}});
    CHECK(read_steps(options.output).steps.at(0).wheel->contacts.size() == 1);
  }
}

TEST_CASE("wheel case: a run writes all contacts, and they read back") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "wheel.h5";
  const CaseFile file =
      test::read_text(wheel_case() +
                      "steps:\n  - wheel_rail: {wheelset: {y: 1.0}}\n  - wheel_rail: {wheelset: "
                      "{y: -5.25}, vertical_force: 20000}\n");
  RunOptions options;
  options.backend = BackendChoice::cpu;
  options.output = path;
  const RunRecord record = run_case(file, options, {[](const auto&) {}, [](const auto&) {}});
  CHECK(record.outcome == RunOutcome::converged);
  CHECK(kind_of(path) == ResultKind::wheel);
  const ResultSteps read = read_steps(path);
  REQUIRE(read.steps.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(read.steps[i].wheel->wheel == record.steps[i].wheel->wheel);
    REQUIRE(read.steps[i].wheel->contacts.size() == record.steps[i].wheel->contacts.size());
    for (std::size_t k = 0; k < read.steps[i].wheel->contacts.size(); ++k) {
      CHECK(read.steps[i].wheel->contacts[k] == record.steps[i].wheel->contacts[k]);
      const int number = static_cast<int>(i) + 1;
      const ResultFile patch = read_result(path, {0, number, {}, static_cast<int>(k) + 1});
      const auto pressure = patch.field(patch.step(number), "pressure");
      double sum = 0.0;
      for (const double value : pressure) sum += 0.4 * 0.4 * value;
      CHECK(sum ==
            test::near(read.steps[i].wheel->get("normal_force", static_cast<int>(k) + 1), 1e-12));
    }
  }
  CHECK_THROWS_WITH_AS(read_result(path), doctest::Contains("this is a wheel on a rail"),
                       InputError);
  CHECK_THROWS_WITH_AS(read_result(path, {0, 1, {}, 7}), doctest::Contains("has no contact 7"),
                       InputError);
  options.resume = true;  // of what is complete already
  const RunRecord again = run_case(file, options, {[](const auto&) {}, [](const auto&) {}});
  REQUIRE(again.steps.size() == read.steps.size());
  CHECK(again.steps.back().wheel->wheel == read.steps.back().wheel->wheel);
}

TEST_CASE("wheel case: a point of a sweep over the lateral position is that position's run") {
  const CaseFile file = test::read_text(
      wheel_case() + "sweep:\n  - {key: wheel_rail.wheelset.y, values: [0.5, 1.0]}\n");
  REQUIRE(file.sweep);
  const CaseFile point = file.sweep->point(2);
  const SettledBackend backend = settle_backend({BackendChoice::cpu}, point.problem);
  const PointObserver silent{[] {}, [](const StepRecord&, StepSession&) {}};
  const PointResult result = solve_point(point, backend, silent);
  const PointResult alone = solve_point(test::read_text(wheel_case()), backend, silent);
  REQUIRE(result.rows.size() == 2);
  REQUIRE(alone.rows.size() == 2);
  const NamedNumbers& wheel = result.rows[0].totals;
  CHECK(wheel.at("axle_z") == alone.rows[0].totals.at("axle_z"));
  CHECK(wheel.at("track_force_z") == test::near(10000.0, 1.01e-5));
  CHECK(result.rows[1].side == "left");
  CHECK(result.rows[1].contact == 1);
  CHECK(result.rows[1].totals.at("normal_force") == alone.rows[1].totals.at("normal_force"));
}

TEST_CASE("wheel case: contacts continue from a state of the same lattice and profiles only") {
  const std::string text =
      edited(
          wheel_case(), "{coefficient: 0.3}",
          "{law: exponential, static: 0.4, kinetic: 0.2, half_velocity: 1, memory_distance: 1}") +
      "  problem: transient_rolling\n";
  const CaseFile file = test::read_text(text);
  const SettledBackend backend = settle_backend({BackendChoice::cpu}, file.problem);
  StepSession session(backend, file, {});
  session.advance(step_task(file, 1));
  SavedSteps saved = session.save();
  saved.last->wheelset.reset();  // as a run resumes
  const auto refusal = [&](const std::string& other) {
    const CaseFile of_other = test::read_text(other);
    StepSession here(backend, of_other, {});
    try {
      here.restore(saved);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal(edited(text, "spacing: [0.4, 0.4]", "spacing: [0.4, 0.5]")) ==
        "the state is of a wheel with elements of 0.4 x 0.4 mm (here 0.4 x 0.5 mm); accepted: a "
        "state of the same case");
  CHECK(refusal(edited(text, "UIC60_v3.prr}", "UIC60_v3.prr, shift: [0.1, 0]}")) ==
        "the state is of another rail's profile; accepted: a state of the same case");
  CHECK(refusal(wheel_case()) ==
        "the state is of a wheel with steps of transient rolling, and this case is one without "
        "them; accepted: a state of the same case");
  CHECK(refusal(text).empty());
  StepSession resumed(backend, file, {});
  resumed.restore(saved);
  for (StepSession* each : {&session, &resumed}) each->advance(step_task(file, 1));
  const SolvedWheel& whole = session.last()->wheelset->solved.wheels.front();
  CHECK(whole.left.empty());  // taken by the next step
  CHECK(resumed.last()->wheelset->solved.wheels.front().track_force == whole.track_force);
}

TEST_CASE("wheel case: each of both wheels rolls in time as it does alone") {
  const std::string text =
      edited(edited(wheel_case(), "  vertical_force: 10000\n", "  problem: transient_rolling\n"),
             "{y: 1.0,", "{y: 1.0, z: 0.3, roll: 0,") +
      "steps:\n  - {}\n  - wheel_rail: {wheelset: {y: 1.4}}\n"
      "  - wheel_rail: {wheelset: {y: 0.6}}\n";
  const auto forces = [&](const std::string& side) {
    const CaseFile file = test::read_text(edited(text, "side: left", "side: " + side));
    StepSession session(settle_backend({BackendChoice::cpu}, file.problem), file, {});
    std::vector<Eigen::Vector3d> found;
    for (int number = 1; number <= 3; ++number)
      for (const SolvedWheel& wheel :
           session.advance(step_task(file, number)).wheelset->solved.wheels)
        found.push_back(wheel.track_force);
    return found;
  };
  const auto left = forces("left");
  const auto right = forces("right");
  const auto both = forces("both");
  REQUIRE(both.size() == 6);
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    REQUIRE(left[i].z() > 1000.0);
    REQUIRE(right[i].z() > 1000.0);
    REQUIRE((left[i] - right[i]).norm() > 10.0);
    CHECK(both[2 * i] == left[i]);
    CHECK(both[2 * i + 1] == right[i]);
  }
}

TEST_CASE("wheel case: sensitivities of rolling in time are those of the step alone") {
  const std::string text =
      edited(edited(wheel_case(), "  vertical_force: 10000\n", "  problem: transient_rolling\n"),
             "{y: 1.0,", "{y: 1.0, z: 0.3,") +
      "solver: {tolerance: 1e-9}\noutput: {sensitivities: true}\n"
      "steps:\n  - {repeat: 2}\n  - wheel_rail: {wheelset: {velocity: {pitch: ";
  const auto last_contact = [&](const std::string& pitch) {
    const CaseFile file = test::read_text(text + pitch + "}}}\n");
    StepSession session(settle_backend({BackendChoice::cpu}, file.problem), file, {});
    for (int number = 1; number <= 3; ++number) session.advance(step_task(file, number));
    return session.last()->wheelset->solved.wheels.front().patches.front();
  };
  const SolvedPatch a = last_contact("-4.3510");
  const SolvedPatch b = last_contact("-4.3511");
  REQUIRE(a.report.sensitivities);
  const std::array<double, 9>& by = *a.report.sensitivities;
  const PatchCreepages& now = a.patch.creepages;
  const PatchCreepages& then = b.patch.creepages;
  const double expected =
      by[0] * (then.x - now.x) + by[1] * (then.y - now.y) + by[2] * (then.spin - now.spin);
  REQUIRE(std::fabs(expected) > 1.0);
  // The slip zone grows a little with the creepage.
  CHECK(b.report.force_x - a.report.force_x == test::near(expected, 1e-2));
}

TEST_CASE("wheel case: another law of friction begins from its static coefficient") {
  const std::string law = ", half_velocity: 1, memory_distance: 1000}";
  const CaseFile file = test::read_text(
      edited(wheel_case(), "{coefficient: 0.3}",
             "{law: exponential, static: 0.3, kinetic: 0.2" + law) +
      "  problem: transient_rolling\nsteps:\n  - {}\n  - friction: {law: exponential, static: 0.6, "
      "kinetic: 0.3" +
      law + "\n");
  StepSession session(settle_backend({BackendChoice::cpu}, file.problem), file, {});
  for (const double coefficient : {0.3, 0.6}) {
    session.advance(step_task(file, session.steps_done() + 1));
    const SolvedPatch& patch = session.last()->wheelset->solved.wheels.front().patches.front();
    double greatest = 0.0;
    for (std::size_t i = 0; i < patch.solution.pressure.size(); ++i)
      if (patch.solution.pressure[i] > 0.0)
        greatest =
            std::max(greatest, patch.solution.traction_bound[i] / patch.solution.pressure[i]);
    CHECK(greatest == test::near(coefficient, 1e-3));  // of 1000 mm one element is behind
  }
}

TEST_SUITE_END();

}  // namespace slipfield
