// SPDX-License-Identifier: Apache-2.0
// What combines with what: the table itself, and what a refusal says to do instead.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "solver/combinations.h"
#include "solver/error.h"
#include "solver/problem_check.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

ContactProblem rolling_problem() {
  ContactProblem problem = test::normal_problem(test::centred_grid(8, 8, 1.6, 1.6), {200.0, 0.3},
                                                SphereShape{20.0}, NormalControl::force, 10.0);
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.3;
  step.tangential.problem = TangentialProblem::steady_rolling;
  step.tangential.step = problem.grid.dx;
  step.tangential.x = {TangentialControl::rigid, 1.0e-4};
  return problem;
}

// The one fault of a problem.
Fault fault_of(const ContactProblem& problem) {
  const std::vector<Fault> faults = check_problem(problem);
  for (const Fault& fault : faults) CAPTURE(fault_text(fault));
  REQUIRE(faults.size() == 1);
  return faults[0];
}

constexpr std::array kAllNormal{NormalMethod::automatic, NormalMethod::active_set_cg,
                                NormalMethod::bound_cg,  NormalMethod::dense,
                                NormalMethod::newton,    NormalMethod::kpec,
                                NormalMethod::analyn};
constexpr std::array kAllTangential{TangentialMethod::automatic, TangentialMethod::gauss_seidel,
                                    TangentialMethod::newton,    TangentialMethod::dense,
                                    TangentialMethod::fastsim,   TangentialMethod::fastrip};

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("combinations: every pair is listed on both of its lines, and no line twice") {
    const std::vector<CombinationLine> lines = combination_lines();
    std::set<std::string> names;
    for (const CombinationLine& line : lines) {
      CAPTURE(line.feature);
      CHECK(names.insert(line.feature).second);
      CHECK(!line.feature.empty());
    }
    for (const CombinationLine& line : lines)
      for (const std::string& other : line.not_with) {
        CAPTURE(line.feature);
        CAPTURE(other);
        const auto there =
            std::find_if(lines.begin(), lines.end(),
                         [&](const CombinationLine& each) { return each.feature == other; });
        REQUIRE(there != lines.end());
        CHECK(std::count(there->not_with.begin(), there->not_with.end(), line.feature) ==
              std::count(line.not_with.begin(), line.not_with.end(), other));
      }
  }

  TEST_CASE("combinations: the methods that a refusal names are those that have no fault") {
    ContactProblem problem = rolling_problem();
    problem.lower.creep = {{1.0, 0.1}};
    problem.steps[0].tangential.velocity = 100.0;
    problem.solver.normal = NormalMethod::bound_cg;
    CHECK(fault_of(problem).remedy == "auto, direct, newton, or elastic bodies");
    for (const NormalMethod method : kAllNormal) {
      CAPTURE(static_cast<int>(method));
      problem.solver.normal = method;
      const bool named = method == NormalMethod::automatic || method == NormalMethod::dense ||
                         method == NormalMethod::newton;
      CHECK(check_problem(problem).empty() == named);
    }
    problem = rolling_problem();
    problem.grid.boundary = Boundary::periodic;
    problem.steps[0].tangential.problem = TangentialProblem::shift;
    problem.solver.tangential = TangentialMethod::gauss_seidel;
    CHECK(fault_of(problem).remedy == "auto, newton, or grid.boundary: free");
    for (const TangentialMethod method : kAllTangential) {
      CAPTURE(static_cast<int>(method));
      problem.solver.tangential = method;
      const bool named =
          method == TangentialMethod::automatic || method == TangentialMethod::newton;
      CHECK(check_problem(problem).empty() == named);
    }
  }

  TEST_CASE("combinations: what is wrong with a method in every step is said once") {
    ContactProblem problem = rolling_problem();
    problem.solver.tangential = TangentialMethod::fastsim;
    problem.steps.resize(3, problem.steps[0]);
    CHECK(check_problem(problem).empty());
    for (std::size_t i = 1; i < 3; ++i)
      problem.steps[i].tangential.problem = TangentialProblem::transient_rolling;
    problem.steps[0].repeat = 4;
    CHECK(fault_of(problem).reason == "fastsim solves steady rolling only (step 5)");
  }

  TEST_CASE("combinations: each way says why it does not take a problem, or takes it") {
    const ContactProblem sound = rolling_problem();
    const std::array ways{Way::gpu, Way::several_gpus, Way::several_ranks, Way::batch};
    const auto refused_by = [&](const auto& change) {
      ContactProblem problem = sound;
      change(problem);
      std::string by;
      for (const Way way : ways) by += refusal_on(way, problem).empty() ? '-' : 'x';
      return by;
    };
    CHECK(refused_by([](ContactProblem&) {}) == "----");
    CHECK(refused_by([](auto& p) { p.grid.boundary = Boundary::periodic; }) == "---x");
    CHECK(refused_by([](auto& p) { p.lower.creep = {{1.0, 0.1}}; }) == "-x-x");
    CHECK(refused_by([](auto& p) { p.patches.rectangles = {{-1, 1, -1, 1}}; }) == "xx-x");
    CHECK(refused_by([](auto& p) {
            p.influence.conformal = std::make_shared<const ConformalCorrection>();
          }) == "-xxx");
    for (const auto method : {TangentialMethod::gauss_seidel, TangentialMethod::dense,
                              TangentialMethod::fastsim, TangentialMethod::fastrip})
      CHECK(refused_by([&](auto& p) { p.solver.tangential = method; }) == "-xxx");
    ContactProblem tiled = sound;
    tiled.solver.influence = InfluenceMethod::summation;
    CHECK_THROWS_WITH_AS(require_on(Way::several_ranks, tiled),
                         "not computed on several ranks, because it asks for products by direct "
                         "summation; accepted: one process",
                         InputError);
  }
}

}  // namespace slipfield
