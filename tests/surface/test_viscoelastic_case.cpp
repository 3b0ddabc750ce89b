// SPDX-License-Identifier: Apache-2.0
// Viscoelastic bodies and a prescribed moment in a case: what arrives, and what does not go
// together.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kPlainCase;
using test::messages_of;
using test::read_text;

const std::string kShiftKeys =
    "  problem: shift\n  x: {force_ratio: -0.875}\n  y: {shift: 0.001}\n";
const std::string kRollsSteadily = "  problem: steady_rolling\n  x: {creepage: 1.0e-3}\n";

// The plain case whose upper body creeps, rolling as the keys say.
std::string creeping(const std::string& creep, const std::string& tangential) {
  const std::string body = "upper: {shear_modulus: 200.0,";
  return edited(
      edited(kPlainCase, body, "upper: {viscoelastic: " + creep + ", shear_modulus: 200.0,"),
      kShiftKeys, tangential);
}

// Its only message holds these words.
void check_says(const std::string& text, const std::vector<std::string>& words) {
  CAPTURE(text);
  const std::vector<std::string> messages = messages_of(text);
  REQUIRE(messages.size() == 1);
  CAPTURE(messages[0]);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(messages[0].find(word) != std::string::npos);
  }
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("viscoelastic case: one term or a Prony series arrives, and reads back") {
    const std::string rolling = kRollsSteadily + "  velocity: 10.0\n";
    const CaseFile one = read_text(creeping("{ratio: 0.5, creep_time: 0.01}", rolling));
    CHECK(one.problem.lower.creep.empty());
    CHECK(one.problem.upper.creep == std::vector<CreepTerm>{{0.5, 0.01}});
    const CaseFile two =
        read_text(creeping("{ratio: [0.5, 0.25], creep_time: [0.01, 0.2]}", rolling));
    CHECK(two.problem.upper.creep == std::vector<CreepTerm>{{0.5, 0.01}, {0.25, 0.2}});
    const CaseFile again = read_text(two.resolved_yaml);
    CHECK(again.problem.upper.creep == two.problem.upper.creep);
    CHECK(again.resolved_yaml == two.resolved_yaml);
  }

  TEST_CASE("viscoelastic case: what is wrong with the creep is said at its key") {
    const std::string rolling = kRollsSteadily + "  velocity: 10.0\n";
    check_says(creeping("{ratio: 0.5}", rolling), {"viscoelastic.creep_time: missing"});
    check_says(creeping("{ratio: -1, creep_time: 1}", rolling),
               {"viscoelastic.ratio: -1 is out of range"});
    check_says(
        creeping("{ratio: 1.0e308, creep_time: 1}", rolling),
        {"viscoelastic.ratio: 1.0e308 is out of range; accepted: a number >= 0 and <= 1e+09"});
    check_says(creeping("{ratio: [1, 2], creep_time: 1}", rolling),
               {"creep_time: has 1 numbers for 2 of ratio", "as many numbers as ratio has"});
    check_says(creeping("{ratio: 1, creep_time: 1, tau: 1}", rolling), {"tau: unknown key"});
  }

  TEST_CASE("viscoelastic case: what such bodies do not go together with is refused") {
    const std::string creep = "{ratio: 0.5, creep_time: 0.01}";
    const std::string rolling = kRollsSteadily + "  velocity: 10.0\n";
    check_says(creeping(creep, kShiftKeys), {"tangential", "creep in a shift depends on it"});
    CHECK(messages_of(creeping(creep, kShiftKeys + "  duration: 0.1\n")).empty());
    check_says(creeping(creep, "  problem: none\n"), {"viscoelastic bodies need a time"});
    check_says(creeping(creep, "  problem: transient_rolling\n  velocity: 10.0\n  step: 0.01\n"),
               {"tangential.step: viscoelastic bodies take transient steps of one element"});
    for (const char* boundary : {"periodic", "periodic_x"})
      CHECK(messages_of(edited(creeping(creep, kShiftKeys + "  duration: 0.1\n"),
                               "elements: [19, 17]",
                               std::string("boundary: ") + boundary + "\n  elements: [19, 17]"))
                .empty());
    check_says(
        edited(creeping(creep, "  problem: transient_rolling\n  velocity: 10.0\n"),
               "elements: [19, 17]", "boundary: periodic_y\n  elements: [19, 17]"),
        {"tangential.problem: what viscoelastic bodies remember behind the grid has no images"});
    check_says(creeping(creep, kRollsSteadily),
               {"tangential", "missing: how far viscoelastic bodies"});
    check_says(creeping(creep, rolling + "  direction: 30\n"),
               {"tangential.direction: viscoelastic bodies roll along x or y"});
    for (const std::string& keys : {rolling, kShiftKeys + "  duration: 0.1\n"})
      check_says(creeping(creep, keys) + "solver: {normal: bound_cg}\n",
                 {"solver.normal: conjugate gradients are for elastic bodies, in shifts too",
                  "auto, direct, newton, or elastic bodies"});
    check_says(creeping(creep, rolling) + "solver: {rolling: second_order}\n",
               {"solver.rolling: second_order knows how tractions begin"});
    check_says(creeping(creep, rolling) + "solver: {tangential: fastrip}\n",
               {"solver.tangential", "elastic bodies"});
    check_says(creeping(creep, rolling) +
                   "interior: {depths: [0.1], quantities: [stress, displacement]}\n",
               {"interior.quantities: displacements inside viscoelastic bodies"});
    CHECK(messages_of(creeping(creep, rolling) + "interior: {depths: [0.1]}\n").empty());
  }

  TEST_CASE("moment in a case: it replaces spin or rotation, also in a later step") {
    const auto with = [](const std::string& keys) { return edited(kPlainCase, kShiftKeys, keys); };
    const CaseFile file = read_text(with(kRollsSteadily + "  moment: 0.5\n") +
                                    "steps:\n  - {}\n  - {tangential: {spin: 0.1}}\n"
                                    "  - {tangential: {moment: -0.25}}\n");
    REQUIRE(file.problem.steps.size() == 3);
    CHECK(file.problem.steps[0].tangential.moment == 0.5);
    CHECK(!file.problem.steps[1].tangential.moment);
    CHECK(file.problem.steps[1].tangential.rotation == 0.1);
    CHECK(file.problem.steps[2].tangential.moment == -0.25);
    CHECK(read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
    CHECK(read_text(with("  problem: shift\n  moment: 0\n")).problem.steps[0].tangential.moment ==
          0.0);
  }

  TEST_CASE("moment in a case: what it does not go together with is refused") {
    const auto with = [](const std::string& keys) { return edited(kPlainCase, kShiftKeys, keys); };
    const std::string moment = kRollsSteadily + "  moment: 0.0\n";
    check_says(with(moment + "  spin: 0.1\n"), {"spin: given together with 'moment'"});
    check_says(with("  problem: shift\n  moment: 0\n  rotation: 0.1\n"),
               {"rotation: given together with 'moment'"});
    check_says(with("  problem: none\n  moment: 0\n"),
               {"tangential.moment: given although the tangential problem is none"});
    check_says(with(moment) + "solver: {tangential: gauss_seidel}\n",
               {"tangential.moment: only newton finds the rotation"});
    check_says(edited(with(moment), "{coefficient: 0.4}", "{coefficient: 0.0}"),
               {"tangential.moment: a moment is prescribed without friction"});
  }
}

}  // namespace slipfield
