// SPDX-License-Identifier: Apache-2.0
// The section `interior` of a case, and of the case in a result.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "io/case/of_result.h"
#include "io/case/text.h"
#include "tests/support/near.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kPlainCase;
using test::messages_of;
using test::read_text;

std::string with_interior(const std::string& body) {
  return kPlainCase + "interior: " + body + "\n";
}

InteriorRequest request_of(const std::string& body) {
  const CaseFile file = read_text(with_interior(body));
  REQUIRE(file.interior);
  return *file.interior;
}

// The messages without "case.yaml:line:column: ".
std::vector<std::string> told_of(const std::string& text) {
  std::vector<std::string> texts;
  for (const std::string& message : messages_of(text))
    texts.push_back(message.substr(message.find(": ") + 2));
  return texts;
}
std::vector<std::string> told(const std::string& body) { return told_of(with_interior(body)); }

// A contact whose material passes: without friction.
std::string passing(const std::string& body) {
  return edited(with_interior(body),
                "problem: shift\n  x: {force_ratio: -0.875}\n  y: {shift: 0.001}\n",
                "problem: none\n");
}
InteriorRequest passing_request(const std::string& body) {
  return *read_text(passing(body)).interior;
}
std::vector<std::string> passing_told(const std::string& body) { return told_of(passing(body)); }

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("case: an interior has defaults, lists, ranges and groups of quantities") {
    CHECK_FALSE(read_text(kPlainCase).interior);
    const InteriorRequest plain = request_of("{depths: [0, 0.5, 2]}");
    CHECK(plain.bodies == std::vector{Body::upper, Body::lower});
    CHECK(plain.depths == std::vector{0.0, 0.5, 2.0});
    CHECK(plain.region == InteriorRegion::contact);
    CHECK(plain.quantities == std::vector{InteriorQuantity::von_mises, InteriorQuantity::tresca});
    const InteriorRequest full = request_of(
        "{body: lower, depths: {from: 0.01, to: 1, points: 3, spacing: logarithmic}, region: {x: "
        "[-1, 1], y: [0, 0.3]}, quantities: [displacement, stress_xz, displacement_x]}");
    CHECK(full.bodies == std::vector{Body::lower});
    CHECK(full.depths == logarithmic_depths(0.01, 1.0, 3));
    CHECK(full.region == InteriorRegion::box);
    CHECK(full.box_y == std::array{0.0, 0.3});
    CHECK(full.quantities ==
          std::vector{InteriorQuantity::displacement_x, InteriorQuantity::displacement_y,
                      InteriorQuantity::displacement_z, InteriorQuantity::stress_xz});
    CHECK(request_of("{depths: {to: 2, points: 3}, quantities: all}").quantities.size() ==
          kLocalQuantities);
  }

  TEST_CASE("case: an interior that is written out reads back as itself") {
    for (const std::string body :
         {"{body: both, depths: [0, 0.1], region: grid}",
          "{body: upper, depths: {to: 0.3, points: 4}, region: {x: [-1, 1], y: [-1, 1]}, "
          "quantities: all}"}) {
      const CaseFile file = read_text(with_interior(body));
      const CaseFile again = read_text(file.resolved_yaml);
      REQUIRE(again.interior);
      CHECK(again.interior->bodies == file.interior->bodies);
      CHECK(again.interior->depths == file.interior->depths);
      CHECK(again.interior->region == file.interior->region);
      CHECK(again.interior->box_x == file.interior->box_x);
      CHECK(again.interior->quantities == file.interior->quantities);
      CHECK(again.resolved_yaml == file.resolved_yaml);
    }
  }

  TEST_CASE("case: a fault of an interior is reported at its key, with what is accepted") {
    CHECK(told("{}") ==
          std::vector<std::string>{
              "interior.depths: missing; accepted: a list of depths, or a map {from, to, "
              "points, spacing}, in the case's length"});
    CHECK(
        told("{depths: [-0.1, 1]}") ==
        std::vector<std::string>{"interior.depths: -0.1 is not inside the body; depths count from "
                                 "the surface into it; accepted: depths >= 0"});
    CHECK(told("{depths: [1, 1]}") ==
          std::vector<std::string>{"interior.depths: 1 follows 1; accepted: depths in increasing "
                                   "order"});
    CHECK(told("{depths: {from: 0, to: 1, points: 3, spacing: logarithmic}}") ==
          std::vector<std::string>{
              "interior.depths.from: 0 is out of range; accepted: a number > 0"});
    CHECK(told("{depths: [0], body: middle}") ==
          std::vector<std::string>{
              "interior.body: 'middle' is not known; accepted: upper, lower, both"});
    const auto misspelt = told("{depths: [0], quantities: [von_misses]}");
    REQUIRE(misspelt.size() == 1);
    CHECK(
        misspelt[0].starts_with("interior.quantities.0: 'von_misses' is not known; did you mean "
                                "'von_mises'? accepted: stress_xx, "));
    CHECK(told("{depths: [0], region: {x: [50, 60], y: [0, 0.3]}}").size() == 1);
    // Two at once.
    CHECK(told("{depths: [2, 1], region: here}").size() == 2);
  }

  TEST_CASE("case: fatigue inside has the limits of the material or slopes, and reads back") {
    const CaseFile file =
        read_text(passing("{depths: [0.5], fatigue: {torsion_limit: 300, bending_limit: 500}}"));
    REQUIRE(file.interior);
    CHECK(*file.interior->fatigue.dang_van == test::near(0.3));
    CHECK(*file.interior->fatigue.crossland == test::near(1.8 - std::sqrt(3.0)));
    CHECK(file.interior->quantities.back() == InteriorQuantity::crossland);
    const CaseFile again = read_text(file.resolved_yaml);
    CHECK(again.interior->fatigue == file.interior->fatigue);
    CHECK(again.resolved_yaml == file.resolved_yaml);
    const InteriorRequest one = passing_request("{depths: [0], fatigue: {dang_van: 0.4}}");
    CHECK(one.quantities == std::vector{InteriorQuantity::von_mises, InteriorQuantity::tresca,
                                        InteriorQuantity::dang_van});
    // `all` is all that a single state has.
    CHECK(passing_request("{depths: [0], quantities: all, fatigue: {crossland: 0}}")
              .quantities.size() == kLocalQuantities + 1);
  }

  TEST_CASE("case: senseless fatigue inside is one sentence each") {
    const auto fatigue = [](const std::string& map) {
      return passing_told("{depths: [0], fatigue: " + map + "}");
    };
    CHECK(fatigue("{torsion_limit: 200, bending_limit: 500}") ==
          std::vector<std::string>{
              "interior.fatigue.torsion_limit: is 0.4 of the bending limit; accepted: 0.5774 to 1 "
              "of it, where both slopes are 0 or above; or the slope dang_van or crossland "
              "itself"});
    CHECK(fatigue("{torsion_limit: 600, bending_limit: 500}").size() == 1);
    CHECK(fatigue("{torsion_limit: 200}") ==
          std::vector<std::string>{
              "interior.fatigue.bending_limit: missing; accepted: a number > 0"});
    CHECK(fatigue("{torsion_limit: 300, bending_limit: 500, dang_van: 0.3}") ==
          std::vector<std::string>{"interior.fatigue.dang_van: given together with "
                                   "'torsion_limit'; accepted: torsion_limit and "
                                   "bending_limit, or the slopes dang_van, crossland"});
    CHECK(fatigue("{dang_van: 2}") ==
          std::vector<std::string>{"interior.fatigue: dang_van of 2 is a torsion limit above the "
                                   "bending limit; accepted: 0 to 1.5"});
    CHECK(fatigue("{dang_van: -0.3}").size() == 1);
    CHECK(fatigue("{}").size() == 1);
    CHECK(passing_told("{depths: [0], quantities: [dang_van]}").size() == 1);
    const auto wanted =
        messages_of(passing("{depths: [0], fatigue: {dang_van: 0.3}}") +
                    "expected: [{quantity: max_crossland, value: 1, tolerance: 1}]\n");
    REQUIRE(wanted.size() == 1);
    CHECK(wanted[0].find("'max_crossland' does not exist without interior.fatigue") !=
          std::string::npos);
    const auto shifted = told("{depths: [0], fatigue: {dang_van: 0.3}}");
    REQUIRE(shifted.size() == 1);
    CHECK(shifted[0] ==
          "interior.fatigue: is of material that passes a steady load along x, and a step is not; "
          "accepted: steady rolling along x, tangential.problem: none, or no fatigue");
  }

  TEST_CASE("case: the greatest stress inside is a quantity only where there is an interior") {
    const std::string expected = "expected: [{quantity: max_von_mises, value: 1, tolerance: 1}]\n";
    const auto messages = messages_of(kPlainCase + expected);
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].find("'max_von_mises' does not exist without an interior") !=
          std::string::npos);
    CHECK(messages_of(with_interior("{depths: [0]}") + expected).empty());
  }

  TEST_CASE("result file: its case gives the bodies for an interior that is asked for later") {
    ResultHeader header;
    const CaseFile file = read_text(kPlainCase);
    header.case_yaml = file.resolved_yaml;
    header.grid = file.problem.grid;
    CHECK_FALSE(has_section(header, "interior"));
    const ResultBodies bodies = read_result_bodies(
        header,
        {override_source("interior.depths=[0, 1]"), override_source("interior.body=lower")});
    CHECK(bodies.bodies[1].shear_modulus == file.problem.lower.shear_modulus);
    CHECK(bodies.interior.depths == std::vector{0.0, 1.0});
    CHECK(bodies.interior.bodies == std::vector{Body::lower});
    CHECK_THROWS_WITH_AS(
        static_cast<void>(read_result_bodies(header, {override_source("interior.depths=[-1]")})),
        doctest::Contains("-1 is not inside the body"), CaseError);
  }
}

}  // namespace slipfield
