// SPDX-License-Identifier: Apache-2.0
// What the solver finds wrong with a problem, at its key and place in the case.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "solver/problem_check.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kPlainCase;
using test::kPlainGeometry;
using test::messages_of;

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("faults: a Hertzian shape beyond doubles is refused at its place in the case") {
    const std::string hertz = "{type: hertz, semi_axes: [1e200, 1e-200]}";
    const std::string told =
        ": the curvatures of these semi-axes are beyond a double; accepted: semi-axes nearer to "
        "each other and to 1";
    CHECK(messages_of(edited(kPlainCase, kPlainGeometry, hertz)) ==
          std::vector<std::string>{"case.yaml:12:11: geometry" + told});
    CHECK(messages_of(edited(kPlainCase, kPlainGeometry, "[" + hertz + "]")) ==
          std::vector<std::string>{"case.yaml:12:12: geometry.0" + told});
  }

  TEST_CASE("faults: shapes that leave no element free together are refused before a run") {
    const std::string punch = "{type: punch, shape: circle, radius: 0.3, centre: ";
    CHECK(messages_of(edited(kPlainCase, kPlainGeometry,
                             "[" + punch + "[-0.9, -1]}, " + punch + "[0.9, 1]}]")) ==
          std::vector<std::string>{
              "case.yaml:12:11: geometry: no element can touch: the undeformed distance is "
              "infinite everywhere; accepted: shapes that are finite together for at least one "
              "element"});
  }

  TEST_CASE("faults: a modulus is named by the key that gave it") {
    CHECK(messages_of(edited(kPlainCase, "shear_modulus: 100.0", "young_modulus: 1e-310")) ==
          std::vector<std::string>{
              "case.yaml:6:26: bodies.lower.young_modulus: is too large or too small to compute "
              "with; accepted: a modulus in the units of the case"});
  }

  TEST_CASE("faults: a modulus, a load and a method are reported together") {
    std::string text = edited(kPlainCase, "shear_modulus: 100.0", "shear_modulus: 1e-310");
    text = edited(text, "  origin: [-1.25, -2.0]\n", "  boundary: periodic\n");
    text = edited(text, "{force_ratio: -0.875}", "{force: 5}");
    CHECK(messages_of(text + "solver: {influence: tiled}\n").size() == 3);
  }

  TEST_CASE("faults: methods and a misspelt key are reported together") {
    const std::vector<std::string> messages =
        messages_of(edited(kPlainCase, "  origin: [-1.25, -2.0]\n", "  boundary: periodic\n") +
                    "solver: {tangential: direct, tolerence: 1e-6, normal: direct}\n"
                    "output: {sensitivities: true}\n");
    REQUIRE(messages.size() == 3);
    CHECK(messages[0].find("18:22: solver.tangential: direct does not sum over") !=
          std::string::npos);
    CHECK(messages[1].find("18:30: solver.tolerence: unknown key") != std::string::npos);
    CHECK(messages[2] ==
          "case.yaml:18:55: solver.normal: direct does not sum over the images of a periodic grid; "
          "accepted: auto, active_set_cg, bound_cg, newton, or grid.boundary: free");
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("check_problem: every case of the folder has no fault") {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SLIPFIELD_CASES_DIR)) {
      if (entry.path().extension() != ".yaml") continue;
      const CaseFile file = read_case(entry.path());
      if (file.wheel_rail) continue;
      for (const Fault& fault : check_problem(file.problem))
        FAIL_CHECK((entry.path().string() + ": " + fault_text(fault)));
      ++count;
    }
    CHECK(count > 10);
  }
}

}  // namespace slipfield
