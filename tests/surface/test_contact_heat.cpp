// SPDX-License-Identifier: Apache-2.0
// Heat (H) and friction by temperature (L = 6) of CONTACT's input.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "io/case/reader.h"
#include "io/yaml/error.h"
#include "tests/support/contact_input_support.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

using test::converted;
using test::edited;
using test::kEnd;
using test::kGrid;
using test::kRolling;
using test::problem_of;

const std::string kHeat =
    "  5. 450. 0.05 7.85e-6     BKTEMP, HEATCP, LAMBDA, DENS\n"
    "  150. 460. 0.06 7.8e-6\n";

// H = 3 with its two lines, which follow the material.
std::string heated(const std::string& text) {
  return edited(edited(text, " 0000341   H", " 3000341   H"), kGrid, kHeat + kGrid);
}

std::string warm(const std::string& text) {
  return edited(edited(text, "  022020   L", "  622020   L"),
                "  0.3  0.3                  FSTAT, FKIN\n",
                "  0.36 20. -0.18 400.     FREF, TREF, DFHEAT, DTHEAT\n  0. 1.\n");
}

std::string refusal_of(const std::string& text) {
  try {
    static_cast<void>(converted(text + kEnd));
  } catch (const CaseError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("convert: H = 3 becomes the section heat, with body 1 above") {
    CHECK(problem_of(kRolling).surface.empty());
    const ContactProblem problem = problem_of(heated(kRolling));
    REQUIRE(problem.surface.heat);
    const auto& bodies = problem.surface.heat->bodies;
    CHECK(bodies[0].temperature == 5.0);
    CHECK(bodies[0].capacity == 450.0);
    CHECK(bodies[0].conductivity == 0.05);
    CHECK(bodies[0].density == 7.85e-6);
    CHECK(bodies[1].temperature == 150.0);
    CHECK(bodies[1].capacity == 460.0);
    CHECK(bodies[1].conductivity == 0.06);
    CHECK(bodies[1].density == 7.8e-6);
  }

  TEST_CASE("convert: L = 6 becomes two points over the temperature") {
    const ContactProblem problem = problem_of(heated(warm(kRolling)));
    const auto* law = std::get_if<FrictionByTemperature>(&test::only_step(problem).friction.place);
    REQUIRE(law != nullptr);
    CHECK(law->temperature == std::vector{20.0, 420.0});
    CHECK(law->value[0] == 0.36);
    CHECK(law->value[1] == test::near(0.18));
  }

  TEST_CASE("convert: another bulk temperature begins another file") {
    const std::string second = edited(heated(kRolling), "  150. 460.", "  90. 460.");
    const ConvertedInput input = converted(heated(kRolling) + second + kEnd);
    REQUIRE(input.cases.size() == 2);
    CHECK(test::read_converted(input.cases[1]).problem.surface.heat->bodies[1].temperature == 90.0);
    CHECK(converted(heated(kRolling) + heated(kRolling) + kEnd).cases.size() == 1);
  }

  TEST_CASE("convert: friction by temperature without heat, and heat that never was, are refused") {
    CHECK(refusal_of(warm(kRolling)).find("depends on temperatures that are not computed") !=
          std::string::npos);
    CHECK(refusal_of(edited(kRolling, " 0000341   H", " 1000341   H"))
              .find("no thermal properties to keep yet") != std::string::npos);
    CHECK(refusal_of(edited(heated(warm(kRolling)), "-0.18 400.", "-0.18 -1."))
              .find("DTHEAT: is negative") != std::string::npos);
    CHECK(refusal_of(edited(heated(warm(kRolling)), "-0.18 400.", "-0.38 400."))
              .find("DFHEAT: makes the coefficient negative") != std::string::npos);
  }

  TEST_CASE("convert: a step over the temperature is a steep line, with a warning") {
    const ConvertedInput input =
        converted(edited(heated(warm(kRolling)), "-0.18 400.", "-0.18 0.") + kEnd);
    const auto of_the_step =
        std::count_if(input.warnings.begin(), input.warnings.end(), [](const std::string& warning) {
          return warning.find("DTHEAT: is 0") != std::string::npos;
        });
    CHECK(of_the_step == 1);
    const ContactProblem problem = test::read_converted(input.cases.at(0)).problem;
    const auto& law = std::get<FrictionByTemperature>(test::only_step(problem).friction.place);
    CHECK(law.at(20.0) == 0.36);
    CHECK(law.at(20.001) == test::near(0.18));
  }

  TEST_CASE("convert: rows of L = 6 that differ keep their lines, and their memory") {
    std::string rows;
    const auto row_of = [](int iy) {
      return std::array{0.3 + 0.01 * iy, 10.0 * (iy % 3), -0.1 - 0.005 * iy, 200.0 + 10.0 * iy};
    };
    for (int iy = 0; iy < 10; ++iy) {
      const auto row = row_of(iy);
      rows += fmt::format(" {} {} {} {}\n", row[0], row[1], row[2], row[3]);
    }
    const std::string uniform = "  0.36 20. -0.18 400.     FREF, TREF, DFHEAT, DTHEAT\n  0. 1.\n";
    const std::string text =
        edited(edited(heated(warm(kRolling)), "  622020   L", "  3622020   L"), uniform, "");
    const ContactProblem problem = problem_of(text + rows + " .002 1.\n");
    const auto& law = std::get<FrictionByTemperature>(test::only_step(problem).friction.place);
    CHECK(law.memory_distance == 0.002);
    CHECK(law.memory_velocity == 1.0);
    for (int iy = 0; iy < 10; ++iy)
      for (const double temperature : {-5.0, 0.0, 15.0, 77.0, 205.0, 300.0, 1000.0}) {
        const auto [cold, from, change, range] = row_of(iy);
        const double part = std::clamp((temperature - from) / range, 0.0, 1.0);
        CHECK(law.at(temperature, problem.grid.y(iy)) == test::near(cold + change * part, 1e-12));
      }
    const CaseFile again = test::read_text(
        write_case(test::read_converted(converted(text + rows + " .002 1.\n" + kEnd).cases.at(0))));
    CHECK(again.problem.steps[0].friction == problem.steps[0].friction);
  }

  TEST_CASE("convert: BETAPL is the share of the plastic work that becomes heat") {
    const std::string layer =
        edited(edited(heated(kRolling), "  022020   L", "  022420   L"), kHeat,
               "  100. .1 50. 0.  GG3, LAYTHK, TAU_C0, K_TAU\n" + kHeat + "  0.4 BETAPL\n");
    CHECK(problem_of(layer).surface.heat->plastic_share == 0.4);
    CHECK(problem_of(edited(layer, " 50. 0.  GG3", " 0. 0.  GG3")).surface.heat->plastic_share ==
          1.0);
    CHECK(refusal_of(edited(layer, "  0.4 BETAPL", "  1.4 BETAPL")).find("out of range") !=
          std::string::npos);
  }
}

}  // namespace slipfield
