// SPDX-License-Identifier: Apache-2.0
// The sections wear, heat and fatigue of a case.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::kPlainCase;
using test::messages_of;
using test::read_text;

const std::string kWarmRolling =
    "steps: [{tangential: {problem: steady_rolling, x: {creepage: 0.001}, velocity: 1000.0}}]\n";
const std::string kSteel = "{conductivity: 0.05, capacity: 450.0, density: 7.85e-6}";

CaseFile rolling_with(const std::string& sections) {
  return read_text(kPlainCase + kWarmRolling + sections);
}

// The messages without "case.yaml:line:column: ".
std::vector<std::string> told(const std::string& sections,
                              const std::string& steps = kWarmRolling) {
  std::vector<std::string> texts;
  for (const std::string& message : messages_of(kPlainCase + steps + sections))
    texts.push_back(message.substr(message.find(": ") + 2));
  return texts;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("case: wear has two laws, defaults, and a map of coefficients") {
    CHECK(read_text(kPlainCase).problem.surface.empty());
    const WearRequest plain =
        *rolling_with("wear: {law: archard, coefficient: 1e-4, hardness: 3000}\n")
             .problem.surface.wear;
    CHECK(plain.law == WearLaw::archard);
    CHECK(plain.coefficient.value == std::vector{1.0e-4});
    CHECK(plain.passes == 1.0);
    CHECK(plain.damage.t_gamma == std::vector{20.0, 65.0, 175.0});
    const WearRequest map =
        *rolling_with(
             "wear: {law: archard, hardness: 3000, passes: 5e5, coefficient: {slip_velocity: "
             "[200, 700], pressure: [2400], value: [[1, 2, 3], [4, 5, 6]]}}\n")
             .problem.surface.wear;
    CHECK(map.coefficient.at(300.0, 2500.0) == 5.0);
    CHECK(map.passes == 5.0e5);
    const WearRequest law =
        *rolling_with("wear: {law: t_gamma, density: 7.85e-6, rates: [1, 2, 3]}\n")
             .problem.surface.wear;
    CHECK(law.t_gamma.rate == std::array{1.0, 2.0, 3.0});
    CHECK(law.t_gamma.limit == std::array{10.4, 77.2});
  }

  TEST_CASE("case: sections of the surfaces that are written out read back as themselves") {
    for (const std::string& sections :
         {std::string("wear: {law: archard, hardness: 3000, coefficient: {pressure: [2400], value: "
                      "[[1], [4]]}}\nfatigue: {shear_yield: 300}\n"),
          std::string("wear: {law: t_gamma, density: 7.85e-6, passes: 7, damage: {t_gamma: [1, 2], "
                      "value: [0, 3]}}\n"),
          "heat: {upper: " + kSteel + ", lower: " + kSteel +
              ", conduction: depth, contact_on: lower}\n"}) {
      const CaseFile file = rolling_with(sections);
      const CaseFile again = read_text(file.resolved_yaml);
      CHECK(again.resolved_yaml == file.resolved_yaml);
      CHECK_FALSE(again.problem.surface.empty());
    }
    const CaseFile warm =
        read_text(test::edited(kPlainCase, "{coefficient: 0.4}",
                               "{coefficient: {temperature: [0, 400], value: [0.4, 0.2]}}") +
                  kWarmRolling + "heat: {upper: " + kSteel + ", lower: " + kSteel + "}\n");
    CHECK(read_text(warm.resolved_yaml).problem.steps.front().friction ==
          warm.problem.steps.front().friction);
  }

  TEST_CASE("case: a density of another unit is asked about, at its key") {
    const auto asks = [](const std::string& sections, const std::string& sentence) {
      const auto& warnings = rolling_with(sections).warnings;
      return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& warning) {
        return warning.find(sentence) != std::string::npos;
      });
    };
    const std::string of =
        " kg/m³; solids have 100 to 23000. Is it per another volume? In N-mm-s steel has 7.85e-06 "
        "kg/mm³";
    CHECK(asks("heat: {upper: " + kSteel +
                   ", lower: {conductivity: 0.05, capacity: 450, density: 7850}}\n",
               "heat.lower.density: 7850 kg/mm³ is 7.85e+12" + of));
    CHECK(asks("wear: {law: t_gamma, density: 7.85e-9}\n",
               "wear.density: 7.85e-09 kg/mm³ is 7.85" + of));
    CHECK_FALSE(asks("wear: {law: t_gamma, density: 7.85e-6}\n", "density"));
    CHECK_FALSE(asks("heat: {upper: " + kSteel + ", lower: " + kSteel + "}\n", "density"));
  }

  TEST_CASE(
      "case: shifts wear by Archard's law, not next to rolling, and at a velocity for a time") {
    using Texts = std::vector<std::string>;
    const std::string archard = "wear: {law: archard, coefficient: 1, hardness: 1}\n";
    const std::string shift = "{tangential: {problem: shift, x: {shift: 0.1}}}";
    CHECK(told(archard, "steps: [{}, " + shift + "]\n").empty());  // pressed, then shifted
    CHECK(
        told(archard, "steps: [" + shift +
                          ", {tangential: {problem: steady_rolling, x: {creepage: 0.001}}}]\n") ==
        Texts{"wear: wear takes a depth off each place in shifts, and off a whole row in rolling, "
              "and the steps do both; accepted: steps that all roll, or that all shift"});
    const std::string volume = "expected: [{quantity: worn_volume, value: 1, tolerance: 1}]\n";
    CHECK(told(archard + volume, "steps: [" + shift + "]\n").empty());
    CHECK(told(archard + volume) ==
          Texts{"expected.0.quantity: 'worn_volume' does not exist in a step whose tangential "
                "problem is steady_rolling; accepted: a quantity of that problem"});
    CHECK(told("wear: {law: t_gamma, density: 1}\n", "steps: [" + shift + "]\n") ==
          Texts{"wear: wear needs steps that roll along x, and the step does not; "
                "accepted: rolling along x"});
    CHECK(
        told("wear: {law: archard, hardness: 1, coefficient: {slip_velocity: [1], value: [[1, "
             "2]]}}\n",
             "steps: [" + shift + "]\n") ==
        Texts{"wear: wear needs steps that roll along x at a velocity or shift for a time, and "
              "the step does not; accepted: rolling along x, with tangential.velocity, or a shift "
              "with tangential.duration"});
  }

  TEST_CASE("case: what is wrong with wear, heat and fatigue is one sentence each") {
    using Texts = std::vector<std::string>;
    CHECK(told("wear: {law: archard, coefficient: -1, hardness: 3000}\n") ==
          Texts{"wear.coefficient: -1 is out of range; accepted: a number >= 0"});
    CHECK(told("wear: {law: archard, coefficient: 1, hardness: 3000, passes: 0}\n") ==
          Texts{"wear.passes: 0 is out of range; accepted: a number > 0"});
    CHECK(
        told("wear: {law: archard, coefficient: 1, hardness: 1, density: 2}\n") ==
        Texts{
            "wear.density: given although law is archard; accepted: no such key, or law: t_gamma"});
    CHECK(told("wear: {law: t_gamma, density: 1, limits: [5, 4]}\n") ==
          Texts{"wear.limits: does not increase; accepted: a list of increasing numbers"});
    CHECK(
        told("wear: {law: archard, hardness: 1, coefficient: {pressure: [1], value: [[1]]}}\n") ==
        Texts{
            "wear.coefficient.value: has 1 number for 2 ranges of pressure and 1 of slip velocity; "
            "accepted: one row for each range of pressure, in it one number for each of slip "
            "velocity"});
    CHECK(told("wear: {law: archard, coefficient: 1, hardness: 1}\n",
               "steps: [{tangential: {problem: none}}]\n") ==
          Texts{"wear: wear needs steps that roll along x or shift, and the step does not; "
                "accepted: rolling along x, or a shift"});
    const std::string slow =
        "steps: [{tangential: {problem: steady_rolling, x: {creepage: 0.001}}}]\n";
    const std::string both = "upper: " + kSteel + ", lower: " + kSteel;
    CHECK(told("heat: {" + both + "}\n", slow) ==
          Texts{"heat: heat needs steps that take a time, and the step does not; accepted: rolling "
                "with tangential.velocity, or a shift with tangential.duration"});
    CHECK(told("heat: {" + both + ", conduction: half_space}\n") ==
          Texts{"heat.conduction: is half_space, and a step rolls steadily; accepted: depth, or "
                "transient rolling in as many steps as it takes"});
    const std::string slides =
        "steps: [{tangential: {problem: shift, x: {shift: 0.1}, duration: 0.1}}]\n";
    CHECK(
        told("heat: {" + both + ", conduction: half_space, contact_on: lower}\n", slides).empty());
    CHECK(told("heat: {" + both + ", contact_on: rail}\n", slides).size() == 1);
    const std::vector<std::string> idle =
        rolling_with("heat: {" + both + ", plastic_share: 0.5}\n").warnings;
    CHECK(std::any_of(idle.begin(), idle.end(), [](const std::string& text) {
      return text.find("changes nothing, since no layer yields") != std::string::npos;
    }));
    const auto idle_on = [&](const std::string& steps) {
      return read_text(kPlainCase + steps + "heat: {" + both + ", contact_on: lower}\n").warnings;
    };
    const auto says_idle = [](const std::string& text) {
      return text.find("changes nothing, since all steps roll") != std::string::npos;
    };
    CHECK(std::ranges::any_of(idle_on(kWarmRolling), says_idle));
    CHECK(std::ranges::none_of(idle_on(slides), says_idle));
    CHECK(told("heat: {upper: " + kSteel + "}\n").size() == 1);
    CHECK(told("fatigue: {shear_yield: 0}\n") ==
          Texts{"fatigue.shear_yield: 0 is out of range; accepted: a number > 0"});
    const std::string warm = test::edited(kPlainCase, "{coefficient: 0.4}",
                                          "{coefficient: {temperature: [0, 9], value: [0.4, 0]}}");
    const auto cold = messages_of(warm + kWarmRolling);
    REQUIRE(cold.size() == 1);
    CHECK(cold[0].find("depends on a temperature, and no heat is computed") != std::string::npos);
    CHECK(told("output: {fields: [temperature_upper]}\n").size() == 1);
    CHECK(told("expected: [{quantity: worn_area, value: 1, tolerance: 1}]\n").size() == 1);
    const std::string t_gamma = "expected: [{quantity: t_gamma, value: 1, tolerance: 1}]\n";
    CHECK(told(t_gamma).empty());
    CHECK(told(t_gamma, slides) ==
          Texts{"expected.0.quantity: 't_gamma' does not exist without 'steady_rolling, or wear'; "
                "accepted: a quantity of the step, or a case with 'steady_rolling, or wear'"});
  }
}

}  // namespace slipfield
