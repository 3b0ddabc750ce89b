// SPDX-License-Identifier: Apache-2.0
// friction: coefficients, laws and local coefficients in the case file.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kPlainCase;
using test::messages_of;
using test::read_text;
using test::warnings_about;

std::string with_friction(const std::string& text) {
  return edited(kPlainCase, "{coefficient: 0.4}", text);
}

// The case rolls, with a velocity.
std::string rolling_with_friction(const std::string& friction) {
  return with_friction(friction) +
         "steps: [{tangential: {problem: steady_rolling, velocity: 2}}]\n";
}

void check_friction(const std::string& friction, const std::string& expected) {
  CAPTURE(friction);
  const std::vector<std::string> messages = messages_of(rolling_with_friction(friction));
  REQUIRE(messages.size() == 1);
  CHECK(messages[0] == "case.yaml:7:" + expected);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("case reader: a shear strength, alone or with a coefficient, arrives and reads back") {
    const auto shifted = [](const std::string& text) {
      return edited(with_friction(text), "{force_ratio: -0.875}", "{shift: 0.002}");
    };
    for (const auto& [text, coefficient] :
         {std::pair{"{shear_strength: 3.5}", 0.0},
          std::pair{"{coefficient: 0.2, shear_strength: 3.5}", 0.2}}) {
      const CaseFile file = read_text(shifted(text));
      const Friction& friction = file.problem.steps.at(0).friction;
      CHECK(friction.shear_strength == 3.5);
      CHECK(friction.coefficient == coefficient);
      CHECK(read_text(file.resolved_yaml).problem.steps.at(0).friction == friction);
    }
    const auto only_message = [&](const std::string& text) {
      const std::vector<std::string> messages = messages_of(text);
      REQUIRE(messages.size() == 1);
      return messages[0];
    };
    CHECK(only_message(shifted("{shear_strength: -1}")).find("-1 is out of range") !=
          std::string::npos);
    CHECK(only_message(shifted("{coefficient: {y: [0, 1], value: [0.1, 0.2]}, shear_strength: 1}"))
              .find("shear_strength: goes with one coefficient of friction") != std::string::npos);
    CHECK(only_message(with_friction("{shear_strength: 1}"))
              .find("a force_ratio is one to mu F_n alone") != std::string::npos);
  }

  // mu0 ((1 - A) e^(-B w) + A): dry .55, .4, .6 s/m; wet .3, .4, .2 s/m [Polach 2005, table 2].
  TEST_CASE("case reader: a rail's condition is an exponential law, in the units of the case") {
    const struct {
      std::string text;
      double start;
      double decay;
    } rows[] = {{"{condition: dry}", 0.55, 0.6}, {"{condition: wet}", 0.30, 0.2}};
    for (const auto& row : rows) {
      for (const bool si : {false, true}) {
        const std::string text = rolling_with_friction(row.text);
        const CaseFile file = read_text(si ? edited(text, "N-mm-s", "SI") : text);
        const Friction& friction = file.problem.steps.at(0).friction;
        CHECK(friction.law == FrictionLaw::exponential);
        CHECK(friction.coefficient == row.start);
        const double metre = si ? 1.0 : 1000.0;
        for (const double w : {0.0, 0.5, 3.0})  // [m/s]
          CHECK(sliding_law(friction).at(w * metre) ==
                test::near(row.start * (0.6 * std::exp(-row.decay * w) + 0.4), 1e-14));
        CHECK(read_text(file.resolved_yaml).problem.steps.at(0).friction == friction);
      }
    }
    check_friction("{condition: leaves}",
                   "23: friction.condition: 'leaves' is not known; accepted: dry, wet");
    check_friction(
        "{condition: dry, coefficient: 0.4}",
        "28: friction.coefficient: given together with 'condition'; accepted: either coefficient "
        "(a number, or a map such as {y, value}), or static and kinetic, or condition (dry, wet)");
  }

  TEST_CASE(
      "case reader: static and kinetic friction and the falling laws, and in the resolved case") {
    const struct {
      std::string text;
      FrictionLaw law;
      double half_velocity;
    } rows[] = {
        {"{static: 0.4, kinetic: 0.3}", FrictionLaw::constant, 0.0},
        {"{law: constant, static: 0.4, kinetic: 0.3}", FrictionLaw::constant, 0.0},
        {"{law: linear_falling, static: 0.4, kinetic: 0.3, half_velocity: 2}",
         FrictionLaw::linear_falling, 2.0},
        {"{law: rational, static: 0.4, kinetic: 0.3, half_velocity: 3}", FrictionLaw::rational,
         3.0},
        {"{law: exponential, static: 0.4, kinetic: 0.3, half_velocity: 4}",
         FrictionLaw::exponential, 4.0},
    };
    for (const auto& row : rows) {
      CAPTURE(row.text);
      const CaseFile file = read_text(rolling_with_friction(row.text));
      const Friction& friction = file.problem.steps.at(0).friction;
      CHECK(friction.coefficient == 0.4);
      CHECK(friction.kinetic == 0.3);
      CHECK(friction.law == row.law);
      CHECK(friction.half_velocity == row.half_velocity);
      CHECK(read_text(file.resolved_yaml).problem.steps.at(0).friction == friction);
    }
  }

  TEST_CASE("case reader: steps that end a part of the friction read back as they are") {
    const std::string falls = "law: exponential, half_velocity: 0.5";
    for (const auto& [first, second] : {
             std::pair{"{static: 0.4, kinetic: 0.2, " + falls +
                           ", second_drop: 0.15, second_half_velocity: 5}",
                       std::string("{second_drop: 0}")},
             std::pair{"{static: 0.4, kinetic: 0.2, " + falls +
                           ", second_drop: 0.15, second_half_velocity: 5}",
                       std::string("{condition: wet}")},
             std::pair{"{static: 0.4, kinetic: 0.2, " + falls +
                           ", memory_distance: 0.3, memory_velocity: 0.1}",
                       std::string("{memory_distance: 0}")},
             std::pair{std::string("{condition: wet}"), std::string("{static: 0.4, kinetic: 0.3}")},
             std::pair{"{static: 0.4, kinetic: 0.2, " + falls + ", memory_distance: 0.3}",
                       std::string("{law: constant}")},
             std::pair{std::string("{coefficient: 0.2, shear_strength: 3.5}"),
                       std::string("{shear_strength: 0}")},
             std::pair{std::string("{shear_strength: 3.5}"),
                       std::string("{static: 0.4, kinetic: 0.3}")},
             std::pair{"{y: [0, 1], static: [0.4, 0.5], kinetic: 0.2, " + falls +
                           ", second_drop: [0.1, 0.2], second_half_velocity: [5, 6]}",
                       std::string("{y: [-1, 0, 1], static: [0.3, 0.4, 0.5], second_drop: 0, "
                                   "second_half_velocity: 4}")},
         }) {
      CAPTURE(first);
      CAPTURE(second);
      const std::string rolls = "tangential: {problem: steady_rolling, velocity: 2}";
      const CaseFile file =
          read_text(with_friction(first) + "steps: [{" + rolls + "}, {friction: " + second +
                    "}, {friction: " + first + "}]\n");
      REQUIRE(file.problem.steps.size() == 3);
      CHECK(file.problem.steps.at(1).friction != file.problem.steps.at(0).friction);
      const CaseFile again = read_text(file.resolved_yaml);
      for (std::size_t i = 0; i < 3; ++i)
        CHECK(again.problem.steps.at(i).friction == file.problem.steps.at(i).friction);
    }
  }

  TEST_CASE("case reader: a coefficient by points and by file, shared by the steps") {
    const CaseFile file =
        read_text(with_friction("{coefficient: {y: [-1, 0, 2], value: [0.1, 0.2, 0.15]}}") +
                  "steps: [{}, {normal: {force: 2}}]\n");
    const Friction& friction = file.problem.steps.at(0).friction;
    REQUIRE(std::holds_alternative<FrictionAlongY>(friction.place));
    CHECK(friction.coefficient == 0.2);
    const auto& points = std::get<FrictionAlongY>(friction.place);
    CHECK(points.y == std::vector<double>{-1.0, 0.0, 2.0});
    CHECK(points.value == std::vector<double>{0.1, 0.2, 0.15});
    CHECK(file.problem.steps.at(1).friction == friction);
    const CaseFile again = read_text(file.resolved_yaml);
    CHECK(again.problem.steps.at(0).friction == friction);

    const test::TemporaryFolder folder;
    std::string values;
    for (int iy = 0; iy < 2; ++iy) values += "0.1 0.2 0.3\n";
    folder.write("mu.txt", values);
    std::string text = edited(with_friction("{coefficient: {file: mu.txt}}"), "[19, 17]", "[3, 2]");
    const CaseFile from_file = read_case(folder.write("case.yaml", text));
    const Friction& local = from_file.problem.steps.at(0).friction;
    REQUIRE(std::holds_alternative<FrictionByElement>(local.place));
    CHECK(*std::get<FrictionByElement>(local.place).value ==
          std::vector<double>{0.1, 0.2, 0.3, 0.1, 0.2, 0.3});
    CHECK(local.coefficient == 0.3);
    const CaseFile back = read_case(folder.write("again.yaml", from_file.resolved_yaml));
    CHECK(back.problem.steps.at(0).friction == local);

    folder.write("mu.txt", "0.1 0.2 0.3\n0.1 -0.2 0.3\n");
    CHECK_THROWS_WITH_AS(read_case(folder.path() / "case.yaml"),
                         doctest::Contains("the value -0.2 in row 2, column 2 is negative"),
                         InputError);
  }

  TEST_CASE("case reader: a later step changes one number of a law, or the kind of friction") {
    const CaseFile file = read_text(
        rolling_with_friction("{law: rational, static: 0.4, kinetic: 0.3, half_velocity: 3}") +
        "  # two more\n");
    CHECK(file.problem.steps.size() == 1);
    const CaseFile steps =
        read_text(with_friction("{static: 0.4, kinetic: 0.3}") +
                  "steps: [{}, {friction: {kinetic: 0.2}}, {friction: {coefficient: 0.1}}]\n");
    CHECK(steps.problem.steps.at(1).friction.coefficient == 0.4);
    CHECK(steps.problem.steps.at(1).friction.kinetic == 0.2);
    CHECK(steps.problem.steps.at(2).friction.coefficient == 0.1);
    CHECK_FALSE(steps.problem.steps.at(2).friction.kinetic.has_value());
  }

  TEST_CASE("messages: friction") {
    check_friction(
        "{coefficient: {temperature: [0], along_y: [0], value: []}}",
        "65: friction.coefficient.value: is an empty list; accepted: at least one coefficient");
    check_friction(
        "{static: [0.3, 0.2], kinetic: 0.1}",
        "20: friction.static: is a list, and there is no 'y'; accepted: one number, or y with it");

    check_friction(
        "{static: 0.3, kinetic: 0.4}",
        "34: friction.kinetic: 0.4 is above the static coefficient 0.3; accepted: a number of at "
        "most the static coefficient");
    check_friction("{static: 0.3}",
                   "1: steps.0.friction.kinetic: missing; accepted: a number >= 0");
    check_friction(
        "{coefficient: 0.2, kinetic: 0.1, static: 0.3}",
        "44: friction.static: given together with 'coefficient'; accepted: either coefficient (a "
        "number, or a map such as {y, value}), or static and kinetic, or condition (dry, wet)");
    check_friction(
        "{static: 0.3, kinetic: 0.1, half_velocity: 2}",
        "39: steps.0.friction.half_velocity: given although the coefficient does not fall with "
        "the velocity; accepted: no such key, or law: linear_falling, rational or exponential");
    check_friction("{law: exponential, static: 0.3, kinetic: 0.1}",
                   "1: steps.0.friction.half_velocity: missing; accepted: a number > 0");
    check_friction("{law: exponental, static: 0.3, kinetic: 0.1}",
                   "17: friction.law: 'exponental' is not known; did you mean 'exponential'? "
                   "accepted: constant, linear_falling, rational, exponential");
    check_friction(
        "{coefficient: {y: [0, 0], value: [1, 1]}}",
        "29: friction.coefficient.y: does not increase; accepted: a list of increasing numbers");
    check_friction(
        "{coefficient: {y: [0, 1], value: [1]}}",
        "44: friction.coefficient.value: has 1 numbers for 2 points; accepted: as many numbers as "
        "y has");
    check_friction("{coefficient: {y: [0, 1], value: [1, -1]}}",
                   "48: friction.coefficient.value.1: -1 is out of range; accepted: a number >= 0");
    check_friction("{coefficient: {}}",
                   "12: friction.coefficient: none of y, file, temperature is given; accepted: "
                   "exactly one of y, file, temperature");
    check_friction("{coefficient: [1]}",
                   "25: friction.coefficient: is a list; accepted: a number >= 0");
  }

  TEST_CASE("messages: a falling law needs a slip velocity") {
    const std::string law = "{law: rational, static: 0.4, kinetic: 0.3, half_velocity: 3}";
    const std::vector<std::string> shift = messages_of(with_friction(law));
    REQUIRE(shift.size() == 1);
    CHECK(shift[0] ==
          "case.yaml:7:17: friction.law: falls with the slip velocity, but no duration of the "
          "shift is given; accepted: a tangential.duration, or law: constant");
    CHECK(messages_of(with_friction(law) + "steps: [{tangential: {duration: 0.5}}]\n").empty());
    check_friction("{coefficient: 0.3, y: [0, 1]}",
                   "30: friction.y: given together with 'coefficient'; accepted: either "
                   "coefficient (a number, or a map such as {y, value}), or static and kinetic, or "
                   "condition (dry, wet)");
    const std::vector<std::string> rolling =
        messages_of(with_friction(law) + "steps: [{tangential: {problem: steady_rolling}}]\n");
    REQUIRE(rolling.size() == 1);
    CHECK(rolling[0].find(
              "no rolling velocity is given; accepted: a tangential.velocity, or law: constant") !=
          std::string::npos);
  }

  TEST_CASE("case reader: the start of friction is a word of both problems, and written") {
    const auto step = [](const std::string& keys) {
      return "steps: [{tangential: {" + keys + "}}]\n";
    };
    const std::string text = with_friction("{static: 0.4, kinetic: 0.3}");
    for (const std::string problem : {"problem: shift", "problem: steady_rolling"}) {
      const CaseFile none = read_text(text + step(problem));
      CHECK(none.problem.steps[0].tangential.start == FrictionStart::last);
      CHECK(none.resolved_yaml.find("start: last") != std::string::npos);
      for (const auto& [word, start] :
           {std::pair{"last", FrictionStart::last}, std::pair{"adhesion", FrictionStart::adhesion},
            std::pair{"slip", FrictionStart::slip}}) {
        const CaseFile file = read_text(text + step(problem + ", start: " + word));
        CHECK(warnings_about(file, "start").empty());
        CHECK(file.problem.steps[0].tangential.start == start);
        CHECK(read_text(file.resolved_yaml).problem.steps[0].tangential.start == start);
      }
    }
    CHECK(messages_of(text + step("problem: shift, start: slide")) ==
          std::vector<std::string>{"case.yaml:18:46: steps.0.tangential.start: 'slide' is not "
                                   "known; accepted: last, adhesion, slip"});
    CHECK(messages_of(text + step("problem: none, start: slip")) ==
          std::vector<std::string>{
              "case.yaml:18:38: steps.0.tangential.start: given although the tangential problem is "
              "none; accepted: no such key, or problem: shift"});
    const CaseFile plain = read_text(kPlainCase + step("problem: shift, start: slip"));
    const std::vector<std::string> warnings = warnings_about(plain, "tangential.start");
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("steps.0.tangential.start: 'slip' changes nothing: the coefficient "
                           "of friction is 0.4 in adhesion and in slip") != std::string::npos);
  }
}

}  // namespace slipfield
