// SPDX-License-Identifier: Apache-2.0
// Every message of the case reader, by its text.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::error_of;
using test::kPlainCase;
using test::kPlainGeometry;
using test::messages_of;

// An edit of the plain case and the only message that it gives.
struct Example {
  std::string old_text;
  std::string new_text;
  std::string message;  // without "case.yaml:"
};

void check_examples(const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    CAPTURE(example.new_text);
    const auto messages = messages_of(edited(kPlainCase, example.old_text, example.new_text));
    REQUIRE(messages.size() == 1);
    CHECK(messages[0] == "case.yaml:" + example.message);
  }
}

// As above, with the new text at the end of the case.
void check_additions(const std::vector<std::pair<std::string, std::string>>& examples) {
  for (const auto& example : examples) {
    CAPTURE(example.first);
    const auto& [addition, message] = example;
    const auto messages = messages_of(kPlainCase + addition);
    REQUIRE(messages.size() == 1);
    CHECK(messages[0] == "case.yaml:" + message);
  }
}

const std::string kLoadCases = "  x: {force_ratio: -0.875}\n  y: {shift: 0.001}\n";

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("messages: all errors at once, in the order of the lines, with line and caret") {
    std::string text = edited(kPlainCase, "{coefficient: 0.4}", "{coeficient: 0.4}");
    text = edited(text, "[19, 17]", "[19, 17, 3]");
    text = edited(text, "units: N-mm-s", "units: n-mm-s");
    CHECK(
        error_of(text) ==
        R"(case.yaml:3:8: units: 'n-mm-s' is not known; did you mean 'N-mm-s'? accepted: N-mm-s, SI
    3 | units: n-mm-s
      |        ^
error: case.yaml:7:12: friction.coeficient: unknown key; did you mean 'coefficient'? accepted: coefficient, shear_strength, condition, static, kinetic, law, half_velocity, second_drop, second_half_velocity, memory_distance, memory_velocity, y
    7 | friction: {coeficient: 0.4}
      |            ^
error: case.yaml:9:13: grid.elements: is a list of 3; accepted: a list [mx, my] of two, each an integer from 1 to 65536
    9 |   elements: [19, 17, 3]
      |             ^)");
  }

  TEST_CASE("messages: a hundred errors are shown, the rest is counted") {
    std::string text = kPlainCase;
    for (int i = 0; i < 150; ++i) text += "unknown" + std::to_string(i) + ": 1\n";
    const auto messages = messages_of(text);
    REQUIRE(messages.size() == 101);
    CHECK(messages.back() == "and 50 more errors");
  }

  TEST_CASE("messages: schema, units and title") {
    check_examples(
        {{"schema: 1\n", "schema: 2\n",
          "1:9: schema: '2' is not known to this program; accepted: schema: 1"},
         {"schema: 1\n", "schema: [1]\n", "1:9: schema: is a list; accepted: schema: 1"},
         {"schema: 1\n", "", " schema: missing; accepted: schema: 1"},
         {"units: N-mm-s\n", "", " units: missing; accepted: N-mm-s, SI"},
         {"Cattaneo shift", "[a]", "2:8: title: is a list; accepted: a title in one line"},
         {"Cattaneo shift", "''", "2:8: title: is empty; accepted: a title in one line"},
         {"Cattaneo shift", "\"a\\nb\"",
          "2:8: title: has a line break or a control character; accepted: a title in one line"},
         {"Cattaneo shift", "\"a\\_b\"",
          "2:8: title: has the escape \\_ or \\N; accepted: the character itself, in UTF-8"}});
  }

  TEST_CASE("messages: under an unknown schema nothing else is reported") {
    CHECK(messages_of("schema: 7\nfoo: 1\n").size() == 1);
  }

  TEST_CASE("messages: bodies and friction") {
    check_examples(
        {{"shear_modulus: 100.0, ", "",
          "6:3: bodies.lower: none of shear_modulus, young_modulus is given; accepted: exactly one "
          "of shear_modulus, young_modulus"},
         {"shear_modulus: 100.0", "shear_modulus: 100.0, young_modulus: 260",
          "6:33: bodies.lower.young_modulus: given together with 'shear_modulus'; accepted: "
          "exactly one of shear_modulus, young_modulus"},
         {"shear_modulus: 100.0", "shear_modulus: 0",
          "6:26: bodies.lower.shear_modulus: 0 is out of range; accepted: a number > 0"},
         {"shear_modulus: 100.0", "shear_modulus: 1e-310",
          "6:26: bodies.lower.shear_modulus: is too large or too small to compute with; accepted: "
          "a modulus in the units of the case"},
         {"poisson_ratio: 0.3", "poisson_ratio: 0.51",
          "6:48: bodies.lower.poisson_ratio: 0.51 is out of range; accepted: a number >= 0 and <= "
          "0.5"},
         {", poisson_ratio: 0.3", "",
          "6:3: bodies.lower.poisson_ratio: missing; accepted: a number >= 0 and <= 0.5"},
         {"poisson_ratio: 0.3", "poisson_ratio: '0.3'",
          "6:48: bodies.lower.poisson_ratio: '0.3' is quoted text; accepted: a number >= 0 and <= "
          "0.5, without quotes"},
         {"poisson_ratio: 0.3", "poisson_ratio: [0.3]",
          "6:48: bodies.lower.poisson_ratio: is a list; accepted: a number >= 0 and <= 0.5"},
         {"{shear_modulus: 100.0, poisson_ratio: 0.3}", "5",
          "6:10: bodies.lower: is '5'; accepted: a map {shear_modulus, poisson_ratio}"},
         {"  lower: {shear_modulus: 100.0, poisson_ratio: 0.3}\n", "",
          "4:1: bodies.lower: missing; accepted: a map {shear_modulus, poisson_ratio}"},
         {"coefficient: 0.4", "coefficient: -0.1",
          "7:25: friction.coefficient: -0.1 is out of range; accepted: a number >= 0"},
         {"coefficient: 0.4", "coefficient: .nan",
          "7:25: friction.coefficient: '.nan' is not finite; accepted: a number >= 0"},
         {"friction: {coefficient: 0.4}\n", "",
          " friction: missing; accepted: a map {coefficient}"}});
  }

  TEST_CASE("messages: grid") {
    const std::string origin = "  origin: [-1.25, -2.0]\n";
    check_examples(
        {{"[19, 17]", "[0, 17]",
          "9:14: grid.elements.0: 0 is out of range; accepted: an integer from 1 to 65536"},
         {"[19, 17]", "[19, 65537]",
          "9:18: grid.elements.1: 65537 is out of range; accepted: an integer from 1 to 65536"},
         {"[19, 17]", "[19.0, 17]",
          "9:14: grid.elements.0: '19.0' is not an integer; accepted: an integer from 1 to 65536"},
         {"[19, 17]", "19",
          "9:13: grid.elements: is '19'; accepted: a list [mx, my] of two, each an integer from 1 "
          "to 65536"},
         {"[0.125, 0.25]", "[0.125, -0.25]",
          "10:20: grid.spacing.1: -0.25 is out of range; accepted: a number > 0"},
         {"  spacing: [0.125, 0.25]\n", "",
          "8:1: grid: none of spacing, extent is given; accepted: exactly one of spacing, extent"},
         {origin, "  extent: {x: [0, 1], y: [0, 1]}\n",
          "11:3: grid.extent: given together with 'spacing'; accepted: exactly one of spacing, "
          "extent"},
         {"  spacing: [0.125, 0.25]\n", "  extent: {x: [0, 1], y: [0, 1]}\n",
          "11:3: grid.origin: given together with 'extent'; accepted: exactly one of extent, "
          "spacing with origin"},
         {"  spacing: [0.125, 0.25]\n" + origin, "  extent: {x: [0, 1], y: [1, 1]}\n",
          "10:26: grid.extent.y: does not increase; accepted: a list [least, greatest]"},
         {"  spacing: [0.125, 0.25]\n" + origin, "  extent: {x: [0, 1]}\n",
          "10:3: grid.extent.y: missing; accepted: a list [least, greatest] of two, each a number"},
         {"origin: [-1.25, -2.0]", "origin: [1e20, 0]",
          "10:12: grid.spacing: gives elements whose coordinates do not differ in a double; "
          "accepted: elements that are not tiny against their distance from (0, 0)"},
         {origin, "  boundary: fre\n",
          "11:13: grid.boundary: 'fre' is not known; did you mean 'free'? accepted: free, "
          "periodic, periodic_x, periodic_y"}});
  }

  TEST_CASE("messages: geometry") {
    const std::string types =
        "accepted: quadratic, sphere, ellipsoid, cylinder, hertz, punch, planform, profile, "
        "heights, rough";
    check_examples(
        {{"geometry: " + kPlainGeometry + "\n", "",
          " geometry: missing; accepted: a map {type, ...}, or a list of such maps"},
         {kPlainGeometry, "[]",
          "12:11: geometry: is an empty list; accepted: a map {type, ...}, or a list of such maps"},
         {kPlainGeometry, "flat",
          "12:11: geometry: is 'flat'; accepted: a map {type, ...}, or a list of such maps"},
         {kPlainGeometry, "[{type: sphere, radius: 3}, 4]",
          "12:39: geometry.1: is '4'; accepted: a map with keys of its own"},
         {kPlainGeometry, "{radius: 3}", "12:1: geometry.type: missing; " + types},
         {kPlainGeometry, "{type: spheer, radius: 3}",
          "12:18: geometry.type: 'spheer' is not known; did you mean 'sphere'? " + types},
         {kPlainGeometry, "{type: sphere}",
          "12:1: geometry.radius: missing; accepted: a number > 0, or type: quadratic for a "
          "concave body"},
         {kPlainGeometry, "{type: sphere, radius: 3, radii: [1, 2]}",
          "12:37: geometry.radii: unknown key; accepted: type, radius"},
         {kPlainGeometry, "{type: ellipsoid, radii: [3, -4]}",
          "12:40: geometry.radii.1: -4 is out of range; accepted: a number > 0, or type: quadratic "
          "for a concave body"},
         {kPlainGeometry, "{type: cylinder, radius: 3, axis: z}",
          "12:45: geometry.axis: 'z' is not known; accepted: x, y"},
         {kPlainGeometry, "{type: punch, shape: circle}",
          "12:1: geometry.radius: missing; accepted: a number > 0"},
         {kPlainGeometry, "{type: punch, shape: rectangle}",
          "12:1: geometry.half_widths: missing; accepted: a list [wx, wy] of two, each a number > "
          "0"},
         {kPlainGeometry, "{type: punch, shape: circle, radius: 1, half_widths: [1, 2]}",
          "12:51: geometry.half_widths: given although shape is circle; accepted: no such key, or "
          "shape: rectangle"},
         {kPlainGeometry, "{type: punch, shape: rectangle, radius: 1, half_widths: [1, 2]}",
          "12:43: geometry.radius: given although shape is rectangle; accepted: no such key, or "
          "shape: circle"},
         {kPlainGeometry, "{type: punch, shape: circle, radius: 0.01}",
          "12:48: geometry.radius: no element's centre is inside the outline; accepted: an outline "
          "around at least one element of the grid"}});
  }

  TEST_CASE("messages: a punch away from the grid, and Hertz without a force") {
    std::string text =
        edited(kPlainCase, kPlainGeometry, "{type: punch, shape: circle, radius: 1}");
    text = edited(text, "origin: [-1.25, -2.0]", "origin: [1.01, 0.1]");
    CHECK(messages_of(text).at(0).find("no element's centre is inside the outline") !=
          std::string::npos);
    text = edited(kPlainCase, kPlainGeometry, "{type: hertz, semi_axes: [2, 1]}");
    text = edited(text, "normal: {force: 9.0}", "normal: {approach: 0.1}");
    CHECK(messages_of(text) ==
          std::vector<std::string>{
              "case.yaml:12:18: geometry.type: hertz takes its curvatures from the normal force of "
              "the first step, which prescribes the approach; accepted: normal: {force: F}, or a "
              "shape with given curvatures"});
    CHECK(messages_of(text + "steps: [{normal: {force: 3}}]\n").empty());
  }

  TEST_CASE("messages: normal load") {
    check_examples(
        {{"normal: {force: 9.0}\n", "",
          " normal: missing; accepted: a map with exactly one of force, approach, pull_off"},
         {"{force: 9.0}", "{}",
          "13:1: normal: none of force, approach, pull_off is given; accepted: exactly one of "
          "force, approach, pull_off"},
         {"{force: 9.0}", "{force: 9.0, approach: 1}",
          "13:22: normal.approach: given together with 'force'; accepted: exactly one of force, "
          "approach, pull_off"},
         {"{force: 9.0}", "{force: 0}",
          "13:17: normal.force: 0 is out of range; accepted: a number > 0"},
         {"{force: 9.0}", "9.0", "13:9: normal: is '9.0'; accepted: a map with keys of its own"}});
  }

  TEST_CASE("messages: tangential load") {
    check_examples(
        {{kLoadCases, "  x: {shift: 1, force: 2}\n",
          "16:17: tangential.x.force: given together with 'shift'; accepted: exactly one of shift, "
          "force, force_ratio, traction_coefficient"},
         {kLoadCases, "  x: {}\n",
          "16:3: tangential.x: none of shift, force, force_ratio, traction_coefficient is given; "
          "accepted: exactly one of shift, force, force_ratio, traction_coefficient"},
         {kLoadCases, "  x: 3\n",
          "16:6: tangential.x: is '3'; accepted: a map with exactly one of shift, force, "
          "force_ratio, traction_coefficient"},
         {kLoadCases, "  x: {force_ratio: 1}\n",
          "16:20: tangential.x.force_ratio: 1 is out of range; accepted: a number > -1 and < 1"},
         {kLoadCases, "  x: {force: -3.6}\n",
          "16:14: tangential.x: the force -3.6 reaches the friction bound mu F_n = 3.6; accepted: "
          "a force below it in magnitude"},
         {kLoadCases, "  x: {force_ratio: 0.6}\n  y: {force: 3}\n",
          "17:14: tangential.y: the forces in x and y together are 1.027 of the friction bound mu "
          "F_n; accepted: forces whose resultant is below it"},
         {"  problem: shift\n" + kLoadCases, "  problem: none\n  rotation: 1\n",
          "16:3: tangential.rotation: given although the tangential problem is none; accepted: no "
          "such key, or problem: shift"},
         {"  problem: shift\n" + kLoadCases, "  y: {shift: 1}\n",
          "15:3: tangential.y: given although the tangential problem is none; accepted: no such "
          "key, or problem: shift"},
         {"coefficient: 0.4", "coefficient: 0",
          "16:20: tangential.x: a force is prescribed without friction; accepted: a friction "
          "coefficient > 0, or a shift"}});
  }

  TEST_CASE("messages: steps") {
    check_additions(
        {{"steps: []\n",
          "18:8: steps: is an empty list; accepted: at least one step, or no such key"},
         {"steps: 3\n",
          "18:8: steps: is '3'; accepted: a list of steps with friction, normal, tangential, "
          "repeat"},
         {"steps: [3]\n", "18:9: steps.0: is '3'; accepted: a map with keys of its own"},
         {"steps: [{repeat: 0}]\n",
          "18:18: steps.0.repeat: 0 is out of range; accepted: an integer from 1 to 1000000"},
         {"steps: [{repeat: 1000000}, {}]\n",
          "18:1: steps: the sequence has 1000001 steps; accepted: at most 1000000"},
         {"steps: [{repaet: 2}]\n",
          "18:10: steps.0.repaet: unknown key; did you mean 'repeat'? accepted: repeat, friction, "
          "normal, tangential"},
         {"steps: [{}, {normal: {force: x}}, {normal: {force: 2}}]\n",
          "18:30: steps.1.normal.force: 'x' is not a number; accepted: a number, > 0 without "
          "adhesion"},
         {"steps: [{}, {normal: {force: 2, approach: 1}}]\n",
          "18:33: steps.1.normal.approach: given together with 'force'; accepted: exactly one of "
          "force, approach, pull_off"},
         {"steps: [{}, {normal: {force: 5}, tangential: {x: {force: 2}}}]\n",
          "18:58: steps.1.tangential.x: the force 2 reaches the friction bound mu F_n = 2; "
          "accepted: a force below it in magnitude"},
         {"steps: [{}, {tangential: {problem: none, x: {shift: 2}}}]\n",
          "18:42: steps.1.tangential.x: given although the tangential problem is none; accepted: "
          "no such key, or problem: shift"}});
  }

  TEST_CASE("messages: an error above the steps is reported once, also where steps replace it") {
    const std::string steps = "steps: [{}, {normal: {force: 2}}, {}]\n";
    CHECK(messages_of(edited(kPlainCase, "{force: 9.0}", "{force: -9}") + steps) ==
          std::vector<std::string>{
              "case.yaml:13:17: normal.force: -9 is out of range; accepted: a number > 0"});
    CHECK(messages_of(edited(kPlainCase, "{force: 9.0}", "{force: -9}") +
                      "steps: [{normal: {force: 2}}]\n")
              .size() == 1);
    CHECK(messages_of(edited(kPlainCase, "normal: {force: 9.0}\n", "") + "steps: [{}, {}]\n") ==
          std::vector<std::string>{
              "case.yaml:17:9: steps.0.normal: missing; accepted: a map with exactly one "
              "of force, approach, pull_off"});
  }

  TEST_CASE("messages: adhesion") {
    const std::string law = "adhesion: {law: maugis, ";
    check_additions(
        {{"adhesion: {law: jkr, work: 1, length: 1}\n",
          "18:17: adhesion.law: 'jkr' is not known; accepted: maugis, exponential, power"},
         {law + "work: -1, length: 1}\n",
          "18:31: adhesion.work: -1 is out of range; accepted: a number > 0"},
         {law + "work: 1, length: 0}\n",
          "18:42: adhesion.length: 0 is out of range; accepted: a number > 0"},
         {law + "work: 1}\n", "18:1: adhesion.length: missing; accepted: a number > 0"}});
    check_examples({{"force: 9.0", "force: -1",
                     "13:17: normal.force: -1 is out of range; accepted: a number > 0"}});
    // With adhesion the pull is right, and the shift of the case by a ratio of forces is wrong.
    const auto pulled =
        messages_of(edited(kPlainCase, "force: 9.0", "force: -1") + law + "work: 1, length: 1}\n");
    REQUIRE(pulled.size() == 2);
    CHECK(pulled[0].find(
              "a force_ratio is one to mu F_n, and friction between surfaces that adhere") !=
          std::string::npos);
    CHECK(pulled[1].find("only if bodies are quasi-identical (K is 0, and equal layers)") !=
          std::string::npos);
  }

  TEST_CASE("messages: solver and output") {
    check_additions(
        {{"solver: {tolerance: 0}\n",
          "18:21: solver.tolerance: 0 is out of range; accepted: a number > 0 and <= 0.1"},
         {"solver: {tangential: neton}\n",
          "18:22: solver.tangential: 'neton' is not known; did you mean 'newton'? accepted: auto, "
          "gauss_seidel, newton, direct, fastsim, fastrip"},
         {"solver: {normal: boundcg}\n",
          "18:18: solver.normal: 'boundcg' is not known; did you mean 'bound_cg'? accepted: auto, "
          "active_set_cg, bound_cg, direct, newton, kpec, analyn, sdec"},
         {"output: {fields: [presure]}\n",
          "18:19: output.fields.0: 'presure' is not a field; did you mean 'pressure'? accepted: a "
          "name that `slipfield info --fields` lists"},
         {"output: {fields: some}\n",
          "18:18: output.fields: is 'some'; accepted: all, none, or a list of field names"},
         {"output: {fields: [gap, gap]}\n",
          "18:24: output.fields.1: is listed twice; accepted: all, none, or a list of field names"},
         {"output: {steps: []}\n",
          "18:17: output.steps: is an empty list; accepted: all, last, or a list of step numbers"},
         {"output: {steps: first}\n",
          "18:17: output.steps: is 'first'; accepted: all, last, or a list of step numbers"},
         {"output: {steps: [2]}\n",
          "18:18: output.steps.0: 2 is out of range; accepted: the integer 1"}});
  }

  TEST_CASE("messages: expected") {
    check_additions(
        {{"expected: {quantity: shift_x}\n",
          "18:11: expected: is a map; accepted: a list of maps {quantity, value, tolerance, step, "
          "point, source}"},
         {"expected: [{quantity: shift_x, value: 1}]\n",
          "18:12: expected.0.tolerance: missing; accepted: a number >= 0"},
         {"expected: [{value: 1}]\n",
          "18:12: expected.0.quantity: missing; accepted: the name of a quantity of a step"},
         {"expected: [{quantity: elements_slip}]\n",
          "18:12: expected.0.value: missing; accepted: a number"},
         {"expected: [{quantity: elements_slip, value: 1, step: 2}]\n",
          "18:54: expected.0.step: 2 is out of range; accepted: the integer 1"},
         {"expected: [{quantity: creepage_x, value: 1, tolerance: 0}]\n",
          "18:23: expected.0.quantity: 'creepage_x' does not exist in a step whose tangential "
          "problem is shift; accepted: a quantity of that problem"}});
    const auto unknown = messages_of(kPlainCase + "expected: [{quantity: shift_z, value: 1}]\n");
    REQUIRE(unknown.size() == 1);
    CHECK(unknown[0].find("case.yaml:18:23: expected.0.quantity: 'shift_z' is not a quantity of a "
                          "step; did you mean 'shift_x' or 'shift_y'? accepted: a name that "
                          "`slipfield info --fields` lists") == 0);
    std::string text = edited(kPlainCase, "coefficient: 0.4", "coefficient: 0");
    text = edited(text, kLoadCases, "");
    CHECK(messages_of(text + "expected: [{quantity: force_ratio_x, value: 1, tolerance: 0}]\n") ==
          std::vector<std::string>{
              "case.yaml:16:23: expected.0.quantity: 'force_ratio_x' does not exist without "
              "friction; accepted: force_x, force_y, or a friction coefficient > 0"});
  }

  TEST_CASE("messages: a title is a line, not a book") {
    const std::string title = "title: " + std::string(10'000'000, 'x');
    CHECK(messages_of(edited(kPlainCase, "title: Cattaneo shift", title)) ==
          std::vector<std::string>{
              "case.yaml:2:8: title: is 10000000 bytes long; accepted: a title in one "
              "line, of at most 10000 bytes"});
    const std::string longest = "title: " + std::string(10'000, 'x');
    CHECK(error_of(edited(kPlainCase, "title: Cattaneo shift", longest)).empty());
  }
}

}  // namespace slipfield
