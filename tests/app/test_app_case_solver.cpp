// SPDX-License-Identifier: Apache-2.0
// What the libraries' solver refuses leaves it as it was.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "app/library/case_solver.h"
#include "io/case/change/open_case.h"
#include "solver/error.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

const std::string kHertzCase = R"(schema: 1
title: Hertz
units: N-mm-s
bodies:
  upper: {shear_modulus: 82000.0, poisson_ratio: 0.28}
  lower: {shear_modulus: 82000.0, poisson_ratio: 0.28}
friction: {coefficient: 0.3}
grid: {elements: [12, 10], extent: {x: [-1.2, 1.2], y: [-1.0, 1.0]}}
geometry: {type: hertz, semi_axes: [0.9, 0.7]}
normal: {force: 1000.0}
tangential: {problem: shift, x: {force_ratio: -0.5}}
)";

double approach_of(CaseSolver& solver) { return solver.totals({"approach"}).front(); }

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("a solver of the libraries: a state that it refuses leaves it as it was") {
    CaseSolverOptions options;
    options.backend.choice = BackendChoice::cpu;
    const auto solver = CaseSolver::from_text(kHertzCase, options);
    solver->advance();
    const double approach = approach_of(*solver);
    // A state of other curvatures, which needs another solver, and then of another grid.
    const auto other = CaseSolver::from_text(kHertzCase, options);
    other->set({{"normal.force", "3000.0"}});
    other->advance();
    SavedSteps saved = other->save();
    ++saved.grid.mx;
    CHECK_THROWS_WITH_AS(solver->restore(saved), doctest::Contains("another grid"), InputError);
    CHECK(solver->steps_done() == 1);
    CHECK(solver->problem().steps.front().normal.value == 1000.0);
    CHECK(approach_of(*solver) == approach);
    solver->advance();                                          // the same force again
    CHECK(approach_of(*solver) == test::near(approach, 1e-5));  // to the solver's tolerance
    --saved.grid.mx;
    solver->restore(saved);
    CHECK(approach_of(*solver) == approach_of(*other));
  }

  TEST_CASE("a solver of the libraries: damage to any part of a state leaves it as it was") {
    CaseSolverOptions options;
    options.backend.choice = BackendChoice::cpu;
    const std::string warm = kHertzCase.substr(0, kHertzCase.find("tangential:")) +
                             "tangential: {problem: shift, x: {shift: 0.001}, duration: 0.01}\n"
                             "heat:\n"
                             "  upper: {conductivity: 0.05, capacity: 450.0, density: 7.85e-6}\n"
                             "  lower: {conductivity: 0.05, capacity: 450.0, density: 7.85e-6}\n";
    const auto make = [&](const char* shift) {
      auto made = CaseSolver::from_text(warm, options);
      made->set({{"tangential.x.shift", shift}});
      made->advance();
      made->advance();
      return made;
    };
    const auto fields_of = [](CaseSolver& of) {
      const ContactSolution& is = of.solution();
      return std::vector{is.pressure, is.traction_x, is.displacement_x, is.slip_x,
                         is.temperature_upper};
    };
    const auto untouched = make("0.001");
    const SavedSteps start = untouched->save();
    const auto fields = fields_of(*untouched);
    untouched->advance();
    const auto after = fields_of(*untouched);
    const auto other = make("0.002");
    const SavedSteps intact = other->save();
    int refused = 0;
    for (const auto& [name, values] : intact.state) {
      if (values.empty()) continue;
      CAPTURE(name);
      const auto solver = make("0.001");
      SavedSteps damaged = intact;
      damaged.state.at(name).pop_back();
      try {
        solver->restore(damaged);
        continue;
      } catch (const InputError&) {
        ++refused;
      }
      CHECK(solver->steps_done() == 2);
      CHECK(fields_of(*solver) == fields);
      solver->set({{"tangential.x.shift", "0.001"}});
      solver->advance();
      CHECK(fields_of(*solver) == after);
    }
    CHECK(refused >= 10);
    // Nor does a solver begin that had not begun.
    const auto fresh = CaseSolver::from_text(warm, options);
    SavedSteps damaged = start;
    damaged.state.at("temperature_lower").pop_back();
    CHECK_THROWS_AS(fresh->restore(damaged), InputError);
    CHECK(fresh->steps_done() == 0);
    fresh->set({{"tangential.x.shift", "0.001"}});
    fresh->advance();
    fresh->advance();
    CHECK(fields_of(*fresh) == fields);
  }

  TEST_CASE("an open case: copies share its text and tree until one changes, and outlive it") {
    CaseDiagnostics diagnostics;
    const std::string text = kHertzCase + "steps: [{repeat: 2}]\n";
    auto original = std::make_unique<OpenCase>(make_case_text(text, "hertz", ".", diagnostics),
                                               HeightsFiles(), diagnostics);
    OpenCase copy(*original);
    OpenCase changed(copy);
    CHECK(copy.values().tree == original->values().tree);
    const auto set = [](OpenCase& open, const std::string& key, const std::string& value) {
      open.set({{key, value}}, {}, 1, OpenCase::Loads::in_case);
    };
    set(changed, "steps.0.repeat", "3");
    CHECK(changed.steps_in_case() == 3);
    CHECK(copy.values().tree == original->values().tree);
    CHECK(changed.values().tree != copy.values().tree);
    set(*original, "bodies.upper.poisson_ratio", "0.1");
    original.reset();
    CHECK(copy.value("bodies.upper.poisson_ratio", 1) == "0.28");
    CHECK_THROWS_WITH_AS(set(copy, "bodies.lower.poisson_ratio", "0.7"),
                         doctest::Contains("bodies.lower.poisson_ratio"), Error);
    CHECK(copy.steps_in_case() == 2);
    set(copy, "steps.0.repeat", "4");
    CHECK(copy.steps_in_case() == 4);
  }

  TEST_CASE("a batch that keeps contacts: one whose steps become two is refused, and no other") {
    CaseSolverOptions options;
    options.backend.choice = BackendChoice::cpu;
    const auto solver =
        CaseSolver::from_text(kHertzCase + "steps: [{normal: {force: 1000.0}}]\n", options);
    BatchRequest request;
    request.count = 2;
    request.outputs = {"normal_force"};
    request.keep = true;
    request.inputs = [](std::size_t i) {
      return std::vector<KeyValue>{{"steps.0.repeat", i == 0 ? "1" : "2"}};
    };
    const BatchResult result = solve_batch(*solver, request);
    CHECK_FALSE(result.failed[0]);
    CHECK(result.kept[0] != nullptr);
    CHECK(result.refused[1]);
    CHECK(result.kept[1] == nullptr);
    CHECK(result.messages[1].find("contacts of one step") != std::string::npos);
  }
}

}  // namespace slipfield
