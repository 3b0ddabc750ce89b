// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "io/case/sweep.h"
#include "io/result/field_table.h"
#include "tests/support/near.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::error_of;
using test::kPlainCase;
using test::messages_of;
using test::read_text;
using test::TemporaryFolder;

const std::string kSweepLines =
    "sweep:\n"
    "  - {key: friction.coefficient, values: [0.2, 0.4]}\n"
    "  - {key: normal.force, from: 1.0, to: 5.0, points: 3}\n";

// The errors of a case with this as its `sweep:`, which begins in line 18.
std::vector<std::string> sweep_messages(const std::string& entry) {
  return messages_of(kPlainCase + "sweep:\n  - " + entry + "\n");
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("sweep: entries make a grid, the last one fastest") {
    const CaseFile file = read_text(kPlainCase + kSweepLines);
    REQUIRE(file.sweep);
    const CaseSweep& sweep = *file.sweep;
    CHECK(sweep.count() == 6);
    CHECK(sweep.shape() == std::vector<std::size_t>{2, 3});
    REQUIRE(sweep.inputs().size() == 2);
    CHECK(sweep.inputs()[0].key == "friction.coefficient");
    CHECK(sweep.inputs()[0].numbers == std::vector<double>{0.2, 0.2, 0.2, 0.4, 0.4, 0.4});
    CHECK(sweep.inputs()[1].numbers == std::vector<double>{1, 3, 5, 1, 3, 5});
  }

  TEST_CASE("sweep: a point is the case with the values put in as --set does it") {
    const TemporaryFolder folder;
    const auto path = folder.write("case.yaml", kPlainCase + kSweepLines);
    const auto plain = folder.write("plain.yaml", kPlainCase);
    const CaseFile file = read_case(path);
    for (int number = 1; number <= 6; ++number) {
      CAPTURE(number);
      const auto index = static_cast<std::size_t>(number - 1);
      const auto& inputs = file.sweep->inputs();
      const CaseFile alone =
          read_case(plain, {"friction.coefficient=" + inputs[0].texts[index],
                            "normal.force=" + inputs[1].texts[index], "output.fields=none"});
      CHECK(file.sweep->point(number).resolved_yaml == alone.resolved_yaml);
    }
    CHECK_THROWS_WITH_AS(file.sweep->point(7), doctest::Contains("no point 7; accepted: 1 to 6"),
                         InputError);
  }

  TEST_CASE("sweep: linear and logarithmic values end where they should") {
    const auto numbers = [](const std::string& entry) {
      return read_text(kPlainCase + "sweep:\n  - " + entry + "\n").sweep->inputs()[0].numbers;
    };
    CHECK(numbers("{key: normal.force, from: 3, to: 1, points: 2}") == std::vector<double>{3, 1});
    const auto linear = numbers("{key: normal.force, from: 0.1, to: 0.7, points: 7}");
    REQUIRE(linear.size() == 7);
    CHECK(linear.front() == 0.1);
    CHECK(linear.back() == 0.7);
    for (std::size_t i = 0; i < 7; ++i)
      CHECK(linear[i] == test::near(0.1 + 0.1 * static_cast<double>(i), 1e-15));
    const auto decades =
        numbers("{key: normal.force, from: 1e-3, to: 10, points: 5, spacing: logarithmic}");
    const std::vector<double> powers{1e-3, 1e-2, 1e-1, 1.0, 10.0};
    REQUIRE(decades.size() == 5);
    CHECK(decades.back() == 10.0);
    for (std::size_t i = 0; i < 5; ++i)
      CHECK(decades[i] == test::near(powers[i], 1e-14));  // pow rounds
  }

  TEST_CASE("sweep: keys together change in step, values may be lists and words") {
    const CaseFile file =
        read_text(edited(kPlainCase, "geometry: {type: quadratic, xx: 0.01, yy: 0.02}",
                         "geometry: {type: ellipsoid, radii: [50, 50]}") +
                  "sweep:\n"
                  "  - together:\n"
                  "      - {key: geometry.radii, values: [[50, 60], [70, 80]]}\n"
                  "      - {key: grid.spacing, values: [[0.125, 0.25], [0.25, 0.5]]}\n"
                  "  - {key: solver.tangential, values: [newton, gauss_seidel]}\n");
    const CaseSweep& sweep = *file.sweep;
    CHECK(sweep.count() == 4);
    CHECK_FALSE(sweep.inputs()[0].is_number());
    CHECK(sweep.inputs()[0].texts[2] == "[70, 80]");
    const CaseFile third = sweep.point(3);
    CHECK(std::get<EllipsoidShape>(third.problem.geometry.at(0)).radius_y == 80.0);
    CHECK(third.problem.grid.dy == 0.5);
    CHECK(third.problem.solver.tangential == TangentialMethod::newton);
    CHECK(sweep.point(4).problem.solver.tangential == TangentialMethod::gauss_seidel);
  }

  TEST_CASE("sweep: fields are left out unless they are asked for") {
    const CaseFile without = read_text(kPlainCase + kSweepLines);
    const CaseFile with = read_text(kPlainCase + kSweepLines + "output: {fields: [gap]}\n");
    REQUIRE(without.sweep->point(1).output.fields);
    CHECK(without.sweep->point(1).output.fields->empty());
    CHECK_FALSE(without.sweep->point(1, PointUse::alone).output.fields);
    CHECK(with.sweep->point(1).output.fields == std::vector<std::string>{"gap"});
  }

  TEST_CASE("sweep: the text of the case reads back to the same points, from any folder") {
    const TemporaryFolder folder;
    std::string row;
    for (int i = 0; i < 19; ++i) row += "0.5 ";
    std::string rows;
    for (int i = 0; i < 17; ++i) rows += row + "\n";
    folder.write("a.txt", rows);
    folder.write("b.txt", rows);
    const auto path = folder.write(
        "case.yaml",
        edited(kPlainCase, "geometry: {type: quadratic, xx: 0.01, yy: 0.02}",
               "geometry: [{type: sphere, radius: 5}, {type: heights, file: a.txt}]") +
            kSweepLines +
            "  - {key: geometry.1.file, values: [a.txt, b.txt]}\n"
            "expected:\n"
            "  - {quantity: shift_x, value: 1, tolerance: 1, point: 2, source: \"a \\\"b\\\"\"}\n");
    const CaseFile first = read_case(path, {"title='x: [y], \"z\" µ'"});
    const TemporaryFolder other;
    const CaseFile second = read_case(other.write("again.yaml", first.resolved_yaml));
    REQUIRE(second.sweep);
    CHECK(second.resolved_yaml == first.resolved_yaml);
    CHECK(second.problem.title == "x: [y], \"z\" µ");
    REQUIRE(second.sweep->count() == first.sweep->count());
    for (int number = 1; number <= first.sweep->count(); ++number)
      CHECK(second.sweep->point(number).resolved_yaml == first.sweep->point(number).resolved_yaml);
  }

  TEST_CASE("sweep: expected numbers belong to a point") {
    const CaseFile file = read_text(kPlainCase + kSweepLines +
                                    "expected:\n"
                                    "  - {quantity: force_x, value: 1, tolerance: 2, point: 5}\n"
                                    "  - {quantity: force_y, value: 3, tolerance: 4, point: 2}\n");
    CHECK(file.expected.empty());
    REQUIRE(file.sweep->expected().size() == 2);
    CHECK(file.sweep->expected()[0].point == 2);
    CHECK(file.sweep->point(5).expected.at(0).quantity == "force_x");
    CHECK(file.sweep->point(1).expected.empty());
    CHECK(messages_of(kPlainCase + kSweepLines +
                      "expected:\n  - {quantity: force_x, value: 1, tolerance: 2}\n") ==
          std::vector<std::string>{
              "case.yaml:22:5: expected.0.point: missing; accepted: an integer from 1 to 6"});
    CHECK(messages_of(kPlainCase +
                      "expected:\n  - {quantity: force_x, value: 1, tolerance: 2, point: 1}\n") ==
          std::vector<std::string>{"case.yaml:19:49: expected.0.point: the case has no sweep, and "
                                   "so no points; accepted: no such key"});
  }

  TEST_CASE("sweep: an error names the value of the sweep, and the point after the first") {
    CHECK(error_of(kPlainCase +
                   "sweep:\n  - {key: friction.coefficient, values: [0.2, -0.3, x]}\n") ==
          "case.yaml:19:47: friction.coefficient: -0.3 is out of range; accepted: a number >= 0 "
          "(point 2 of "
          "the sweep, friction.coefficient = -0.3)\n"
          "   19 |   - {key: friction.coefficient, values: [0.2, -0.3, x]}\n"
          "      |                                               ^\n"
          "error: case.yaml:19:53: friction.coefficient: 'x' is not a number; accepted: a number "
          ">= 0 "
          "(point 3 of "
          "the sweep, friction.coefficient = x)\n"
          "   19 |   - {key: friction.coefficient, values: [0.2, -0.3, x]}\n"
          "      |                                                     ^");
    CHECK(sweep_messages("{key: friction.coeficient, values: [1, 2]}") ==
          std::vector<std::string>{
              "case.yaml:19:20: friction.coeficient: unknown key; did you mean 'coefficient'? "
              "accepted: coefficient, shear_strength, condition, static, kinetic, law, "
              "half_velocity, second_drop, second_half_velocity, memory_distance, "
              "memory_velocity, y"});
    // A value that the rest of the case excludes: here a force above mu F_n.
    CHECK(messages_of(edited(kPlainCase, "{force_ratio: -0.875}", "{force: -3}") +
                      "sweep:\n  - {key: normal.force, values: [9, 5]}\n") ==
          std::vector<std::string>{
              "case.yaml:16:14: tangential.x: the force -3 reaches the friction bound mu F_n = 2; "
              "accepted: a force below it in magnitude (point 2 of the sweep, normal.force = 5)"});
  }

  TEST_CASE("sweep: values of a key that holds texts are texts, whatever they look like") {
    CaseDiagnostics diagnostics;
    const auto text = make_case_text(
        "geometry: {type: heights, file: a.h5, dataset: '1'}\nsweep:\n"
        "  - {key: geometry.dataset, values: [1, 2]}\n"
        "  - together:\n    - {key: geometry.file, values: [1e3, x]}\n"
        "    - {key: friction.coefficient, values: [0.1, 0.2]}\n",
        "case", {}, diagnostics);
    YamlNode& tree = text->tree;
    quote_swept_texts(tree);
    const auto& entries = tree.find("sweep")->items;
    const auto quotes = [](const YamlNode& entry) {
      return entry.find("values")->items.front().quotes;
    };
    CHECK(quotes(entries[0]) == YamlNode::Quotes::given);
    CHECK(quotes(entries[1].find("together")->items[0]) == YamlNode::Quotes::given);
    CHECK(quotes(entries[1].find("together")->items[1]) == YamlNode::Quotes::none);
  }

  TEST_CASE("sweep: an error of the rest of the case is reported once") {
    CHECK(
        messages_of(edited(kPlainCase, "units: N-mm-s", "units: cgs") + kSweepLines) ==
        std::vector<std::string>{"case.yaml:3:8: units: 'cgs' is not known; accepted: N-mm-s, SI"});
  }

  TEST_CASE("sweep: what is not a sweep is refused") {
    const std::string entries =
        "a list of maps {key, values}, {key, from, to, points, spacing}, or {together}";
    CHECK(messages_of(kPlainCase + "sweep: {}\n") ==
          std::vector<std::string>{"case.yaml:18:8: sweep: is a map; accepted: " + entries});
    CHECK(
        messages_of(kPlainCase + "sweep: []\n") ==
        std::vector<std::string>{"case.yaml:18:8: sweep: is an empty list; accepted: " + entries});
    const std::vector<std::array<std::string, 2>> cases{{
        {"{values: [1]}",
         "19:5: sweep.0.key: missing; accepted: the path of a value, for example "
         "friction.coefficient"},
        {"{key: normal.force}",
         "19:5: sweep.0: none of values, from is given; accepted: exactly one of values, from"},
        {"{key: normal.force, values: []}",
         "19:33: sweep.0.values: is an empty list; accepted: a list of values for the key"},
        {"{key: normal.force, values: 3}",
         "19:33: sweep.0.values: is '3'; accepted: a list of values for the key"},
        {"{key: normal.force, values: [1, ~]}",
         "19:37: sweep.0.values.1: has no value; accepted: a value for the key"},
        {"{key: normal.force, values: [1], points: 3}",
         "19:38: sweep.0.points: given without from; accepted: no such key, or from with it"},
        {"{key: normal.force, from: 1, to: 2}",
         "19:5: sweep.0.points: missing; accepted: an integer from 2 to 10000000"},
        {"{key: normal.force, from: 1, to: 2, points: 1}",
         "19:49: sweep.0.points: 1 is out of range; accepted: an integer from 2 to 10000000"},
        {"{key: normal.force, from: 1, to: 1, points: 2}",
         "19:38: sweep.0.to: is the same as 'from'; accepted: another number, or a list of values"},
        {"{key: normal.force, from: 0, to: 1, points: 2, spacing: logarithmic}",
         "19:61: sweep.0.spacing: 'logarithmic' leads from 0 or less, or to it; accepted: numbers "
         "> 0, or spacing: linear"},
        {"{key: normal.force, from: 1, to: 2, points: 3, step: 1}",
         "19:52: sweep.0.step: unknown key; accepted: key, values, from, to, points, spacing, "
         "together"},
        {"{key: units, values: [SI]}",
         "19:11: sweep.0.key: 'units' is nothing to sweep over; accepted: bodies, grid, geometry, "
         "normal, tangential, layer, adhesion, patches, influence, friction, wheel_rail, steps, "
         "solver, wear, heat, fatigue"},
        {"{key: normal..force, values: [1]}",
         "19:18: a key of the path 'normal..force' is empty; accepted: the path of a value, for "
         "example "
         "friction.coefficient"},
        {"{together: [{key: normal.force, values: [1, 2]}, {key: friction.coefficient, values: "
         "[1]}]}",
         "19:54: sweep.0.together.1: has 1 values, and 'normal.force' has 2; accepted: as many "
         "values for each key"},
        {"{together: []}",
         "19:16: sweep.0.together: is an empty list; accepted: a list of maps {key, values} or "
         "{key, from, to, points, spacing}, of as many values each"},
    }};
    for (const auto& [entry, message] : cases) {
      CAPTURE(entry);
      CHECK(sweep_messages(entry) == std::vector<std::string>{"case.yaml:" + message});
    }
    CHECK(messages_of(kPlainCase + "sweep:\n  - {key: normal, values: [{force: 1}]}\n"
                                   "  - {key: normal.force, values: [1]}\n") ==
          std::vector<std::string>{"case.yaml:20:11: sweep.1.key: sets a value that another key of "
                                   "the sweep sets; accepted: each value once"});
    CHECK(messages_of(kPlainCase +
                      "sweep:\n  - {key: normal.force, from: 1, to: 2, points: 10000}\n"
                      "  - {key: friction.coefficient, from: 1, to: 2, points: 10000}\n") ==
          std::vector<std::string>{
              "case.yaml:18:1: sweep: has 100000000 points; accepted: at most 10000000"});
  }

  TEST_CASE("sweep: a key that the first of the steps overrides is a warning, all points are one") {
    const std::string steps = "steps: [{normal: {force: 4.0}}, {normal: {force: 5.0}}]\n";
    const auto warnings = [&](const std::string& key) {
      const std::string sweep = "sweep: [{key: " + key + ", values: [1.0, 2.0]}]\n";
      return std::ranges::count_if(read_text(kPlainCase + steps + sweep).warnings,
                                   [](const std::string& warning) {
                                     return warning.find("changes nothing") != std::string::npos;
                                   });
    };
    CHECK(warnings("normal.force") == 1);
    CHECK(warnings("steps.0.normal.force") == 0);
    CHECK(warnings("friction.coefficient") == 0);
    CHECK(warnings("geometry.xx") == 0);
    const CaseFile file =
        read_text(kPlainCase + steps + "sweep: [{key: normal.force, values: [1.0, 2.0]}]\n");
    for (const int point : {1, 2})
      CHECK(file.sweep->point(point).problem.steps.front().normal.value == 4.0);
  }
}

}  // namespace slipfield
