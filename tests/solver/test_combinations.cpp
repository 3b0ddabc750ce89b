// SPDX-License-Identifier: Apache-2.0
// What combines with what: the table itself, and what a refusal says to do instead.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "solver/combinations.h"
#include "solver/error.h"
#include "solver/method_names.h"
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
  std::string texts;
  for (const Fault& fault : faults) texts += fault_text(fault) + "\n";
  CAPTURE(texts);
  REQUIRE(faults.size() == 1);
  return faults[0];
}

// A name without what its pairs hold with only: "x (with y)".
std::string without_condition(const std::string& name) {
  return name.substr(0, name.find(" (with "));
}

// A problem with features taken at random.
ContactProblem random_problem(std::mt19937& random) {
  const auto chance = [&](double share) {
    return std::uniform_real_distribution<>(0.0, 1.0)(random) < share;
  };
  const auto one_of = [&](const auto& choices) {
    return choices.at(random() % choices.size()).value;
  };
  ContactProblem problem = rolling_problem();
  Tangential& tangential = problem.steps[0].tangential;
  tangential.velocity = 100.0;
  tangential.duration = 0.1;
  tangential.problem = static_cast<TangentialProblem>(random() % 4);
  if (chance(0.2)) tangential.direction = 0.5 * test::kPi;
  if (chance(0.2)) tangential.moment = 0.1;
  if (chance(0.3)) problem.grid.boundary = static_cast<Boundary>(1 + random() % 3);
  if (chance(0.3)) problem.lower.creep = {{1.0, 0.1}};
  if (chance(0.2)) problem.layer.normal_compliance = 1.0e-6;
  if (chance(0.2)) problem.patches.rectangles = {{-1, 1, -1, 1}};
  if (chance(0.2)) problem.sensitivities = true;
  if (chance(0.2)) problem.solver.rolling = RollingScheme::second_order;
  if (chance(0.5)) problem.solver.normal = one_of(kNormalMethods);
  if (chance(0.5)) problem.solver.tangential = one_of(kTangentialMethods);
  if (chance(0.3)) problem.solver.influence = one_of(kInfluenceMethods);
  problem.solver.half_ellipses = {0.5, 0.3, 0.3, 0.0};
  return problem;
}

// Puts the method of that name at the field; false where it is none.
bool take(SolverSettings& solver, const std::string& field, const std::string& name) {
  const auto from = [&](const auto& choices, auto& member) {
    for (const auto& choice : choices) {
      if (choice.name != name) continue;
      member = choice.value;
      return true;
    }
    return false;
  };
  if (field == "solver.normal") return from(kNormalMethods, solver.normal);
  if (field == "solver.tangential") return from(kTangentialMethods, solver.tangential);
  return field == "solver.influence" && from(kInfluenceMethods, solver.influence);
}

bool has_fault(const ContactProblem& problem, const Fault& fault) {
  const std::vector<Fault> faults = check_problem(problem);
  return std::any_of(faults.begin(), faults.end(), [&](const Fault& each) {
    return each.field == fault.field && each.reason == fault.reason;
  });
}

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
        const auto there = std::find_if(
            lines.begin(), lines.end(),
            [&](const CombinationLine& each) { return each.feature == without_condition(other); });
        REQUIRE(there != lines.end());
        const auto count_of = [&](const CombinationLine& each, const std::string& name) {
          return std::count_if(each.not_with.begin(), each.not_with.end(),
                               [&](const auto& text) { return without_condition(text) == name; });
        };
        CHECK(count_of(*there, line.feature) == count_of(line, without_condition(other)));
      }
  }

  TEST_CASE("combinations: the methods that a refusal names are those that have no fault") {
    ContactProblem problem = rolling_problem();
    problem.lower.creep = {{1.0, 0.1}};
    problem.steps[0].tangential.velocity = 100.0;
    problem.solver.normal = NormalMethod::bound_cg;
    CHECK(fault_of(problem).remedy == "auto, direct, newton, or elastic bodies");
    for (const auto& method : kNormalMethods) {
      CAPTURE(method.name);
      problem.solver.normal = method.value;
      problem.solver.half_ellipses = {0.5, 0.3, 0.3, 0.0};
      const bool named =
          method.name == "auto" || method.name == "direct" || method.name == "newton";
      CHECK(check_problem(problem).empty() == named);
    }
    problem = rolling_problem();
    problem.grid.boundary = Boundary::periodic;
    problem.steps[0].tangential.problem = TangentialProblem::shift;
    problem.solver.tangential = TangentialMethod::gauss_seidel;
    CHECK(fault_of(problem).remedy == "auto, newton, or grid.boundary: free");
    for (const auto& method : kTangentialMethods) {
      CAPTURE(method.name);
      problem.solver.tangential = method.value;
      CHECK(check_problem(problem).empty() == (method.name == "auto" || method.name == "newton"));
    }
  }

  TEST_CASE("combinations: each method that a message names removes its fault") {
    std::mt19937 random(7);
    int applied = 0;
    for (int i = 0; i < 2000; ++i) {
      const ContactProblem problem = random_problem(random);
      for (const Fault& fault : check_problem(problem)) {
        std::istringstream names(fault.remedy);
        for (std::string name; names >> name;) {
          if (name.back() == ',') name.pop_back();
          ContactProblem changed = problem;
          if (!take(changed.solver, fault.field, name)) break;
          const std::string text = fault_text(fault);
          CAPTURE(text);
          CAPTURE(name);
          CHECK(!has_fault(changed, fault));
          ++applied;
        }
      }
    }
    CHECK(applied > 1000);
  }

  TEST_CASE("combinations: everything that is wrong with a step is reported at once") {
    ContactProblem problem = rolling_problem();
    problem.grid.boundary = Boundary::periodic;
    StepInput& step = problem.steps[0];
    step.friction.kinetic = 0.2;
    step.friction.law = FrictionLaw::rational;
    step.friction.half_velocity = 1.0;
    step.friction.memory_distance = 1.0;
    step.tangential.direction = 0.5;
    step.tangential.step = -1.0;
    step.normal.value = -3.0;
    std::string fields;
    for (const Fault& fault : check_problem(problem)) fields += fault.field + " ";
    CHECK(fields ==
          "steps[0].normal.value steps[0].tangential.step steps[0].tangential.problem "
          "steps[0].friction.memory_distance steps[0].friction.law ");
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
    const std::array ways{Way::gpu, Way::several_gpus, Way::several_ranks, Way::batch,
                          Way::derivatives};
    const auto refused_by = [&](const auto& change) {
      ContactProblem problem = sound;
      change(problem);
      std::string by;
      for (const Way way : ways) by += refusal_on(way, problem).empty() ? '-' : 'x';
      return by;
    };
    CHECK(refused_by([](ContactProblem&) {}) == "-----");
    CHECK(refused_by([](auto& p) { p.grid.boundary = Boundary::periodic; }) == "---x-");
    CHECK(refused_by([](auto& p) { p.grid.boundary = Boundary::periodic_y; }) == "-x-x-");
    CHECK(refused_by([](auto& p) { p.lower.creep = {{1.0, 0.1}}; }) == "-x-xx");
    CHECK(refused_by([](auto& p) { p.patches.rectangles = {{-1, 1, -1, 1}}; }) == "xx-xx");
    CHECK(refused_by([](auto& p) {
            p.influence.conformal = std::make_shared<const ConformalCorrection>();
          }) == "-xxxx");
    for (const auto method : {TangentialMethod::gauss_seidel, TangentialMethod::dense,
                              TangentialMethod::fastsim, TangentialMethod::fastrip})
      CHECK(refused_by([&](auto& p) { p.solver.tangential = method; }) ==
            (is_simplified(method) ? "-xxxx" : "-xxx-"));
    CHECK(refused_by([](auto& p) { p.steps[0].friction.kinetic = 0.1; }) == "-----");
    CHECK(refused_by([](auto& p) {
            p.steps[0].friction.kinetic = 0.1;
            p.steps[0].friction.memory_distance = 0.1;
          }) == "---xx");
    ContactProblem tiled = sound;
    tiled.solver.influence = InfluenceMethod::summation;
    CHECK_THROWS_WITH_AS(
        require_on(Way::several_ranks, tiled),
        "solver.influence: not computed on several ranks, because it asks for products by direct "
        "summation; accepted: one process",
        InputError);
  }
}

}  // namespace slipfield
