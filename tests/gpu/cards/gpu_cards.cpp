// SPDX-License-Identifier: Apache-2.0
// The rows of a grid shared out over several cards, against one card. Device 0 is named several
// times, so that one card will do; where the machine has two, also over both.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "gpu/cuda_device.h"
#include "solver/error.h"
#include "tests/gpu/cards/cards_support.h"
#include "tests/gpu/gpu_support.h"

namespace slipfield {

using test::check_on_all_teams;
using test::check_same_solution;
using test::Devices;
using test::teams;

namespace {

// With displacements along the surface as well, where the bodies are unlike each other.
ContactProblem free_problem(int mx, int my, bool unlike) {
  return test::free_problem(mx, my, unlike, 1e-11);
}

ContactProblem rough_problem(int mx, int my) {
  Grid grid = test::centred_grid(mx, my, 1.0, 1.0);
  grid.boundary = Boundary::periodic;
  ContactProblem problem =
      test::normal_problem(grid, {1.0, 0.28}, RoughShape{{0.8, true, 0.1, 0.25, 1.0, 5}},
                           NormalControl::force, 0.05, 1e-11);
  problem.lower = {5.0, 0.1};
  return problem;
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("gpu cards: a free grid of any size, with fewer rows than cards, as on one card") {
    for (const test::GridSize& size : test::kAwkwardSizes)
      check_on_all_teams(free_problem(size.mx, size.my, false));
    check_on_all_teams(free_problem(2, 2, false));
    check_on_all_teams(free_problem(4999, 11, false));  // beyond the program's own transforms
  }

  TEST_CASE("gpu cards: bodies of unlike materials are displaced along the surface as on one") {
    for (const auto& [mx, my] : {std::pair{37, 53}, {64, 60}, {29, 2}, {41, 1}})
      check_on_all_teams(free_problem(mx, my, true));
  }

  TEST_CASE("gpu cards: a periodic rough surface as on one card, of even and of prime sizes") {
    for (const auto& [mx, my] : {std::pair{64, 64}, {61, 67}, {96, 45}, {75, 128}})
      check_on_all_teams(rough_problem(mx, my));
  }

  TEST_CASE("gpu cards: the same cards give the same bits") {
    const ContactProblem problem = rough_problem(64, 61);
    for (const Devices& devices : teams()) {
      const test::Solved first = test::solve(problem, *make_cards_solver(problem, devices));
      const test::Solved second = test::solve(problem, *make_cards_solver(problem, devices));
      CHECK(first.fields.pressure == second.fields.pressure);
      CHECK(first.report.approach == second.report.approach);
    }
  }

  TEST_CASE("gpu cards: a step saved on some cards continues on any other number, or on one") {
    for (const bool unlike : {true, false}) {
      CAPTURE(unlike);
      const ContactProblem problem = free_problem(31, 17, unlike);
      StepInput next = problem.steps[0];
      next.normal.value *= 1.5;
      const auto two = make_cards_solver(problem, {0, 0});
      const StepReport saved_report = two->advance(problem.steps[0]);
      const test::Solved saved{saved_report, two->download()};
      const SolverState state = two->state();
      const StepReport next_report = two->advance(next);
      const test::Solved unbroken{next_report, two->download()};
      const auto again = make_cards_solver(problem, {0, 0});
      again->restore(state, problem.steps[0]);
      CHECK(again->download().pressure == saved.fields.pressure);
      CHECK(again->download().traction_bound == saved.fields.traction_bound);
      CHECK(again->download().element_division == saved.fields.element_division);
      CHECK(again->download().gap == saved.fields.gap);
      again->advance(next);
      CHECK(again->download().pressure == unbroken.fields.pressure);
      for (const Devices& devices : {Devices{0}, Devices{0, 0, 0}}) {
        const auto other = make_cards_solver(problem, devices);
        other->restore(state, problem.steps[0]);
        CHECK(other->download().traction_bound == saved.fields.traction_bound);
        const StepReport report = other->advance(next);
        check_same_solution(unbroken, {report, other->download()});
      }
      const auto one = make_cuda_solver(problem);
      const StepReport one_report = one->advance(problem.steps[0]);
      again->restore(one->state(), problem.steps[0]);
      check_same_solution({one_report, one->download()}, {one_report, again->download()});
      const StepReport report = again->advance(next);
      check_same_solution(unbroken, {report, again->download()});
    }
  }

  TEST_CASE("gpu cards: a state of another problem is refused, and the solver continues") {
    const ContactProblem problem = free_problem(31, 17, true);
    const auto solver = make_cards_solver(problem, {0, 0});
    solver->advance(problem.steps[0]);
    const SolverState state = solver->state();
    SolverState other = state;
    other["undeformed_distance"].back() += 1.0;  // in the second card's rows
    CHECK_THROWS_WITH_AS(solver->restore(other, problem.steps[0]),
                         "the geometry is not the one that the saved state belongs to", InputError);
    other = state;
    other.erase("displacement_x");
    CHECK_THROWS_AS(solver->restore(other, problem.steps[0]), InputError);
    solver->restore(state, problem.steps[0]);
    CHECK(solver->advance(problem.steps[0]).outcome == Outcome::converged);
  }

  TEST_CASE("gpu cards: chosen fields are those of the whole download, and no others come") {
    for (const bool unlike : {true, false}) {
      const ContactProblem problem = free_problem(31, 17, unlike);
      const auto solver = make_cards_solver(problem, {0, 0, 0});
      solver->advance(problem.steps[0]);
      const ContactSolution all = solver->download();
      for (const auto field :
           {&ContactSolution::pressure, &ContactSolution::gap, &ContactSolution::slip_y,
            &ContactSolution::traction_bound, &ContactSolution::displacement_x}) {
        const ContactSolution one = solver->download_fields({{field}, false});
        CHECK((one.*field).size() == problem.grid.count());
        CHECK(one.*field == all.*field);
        CHECK(one.undeformed_distance.empty());
        CHECK(one.element_division.empty());
      }
      CHECK(solver->download_fields({{}, true}).element_division == all.element_division);
    }
  }

  TEST_CASE("gpu cards: a report of one step that does not converge, and a step after it") {
    ContactProblem problem = rough_problem(40, 40);
    const auto solver = make_cards_solver(problem, {0, 0});
    StepInput full = problem.steps[0];
    full.normal = {NormalControl::approach, 10.0};
    const StepReport report = solver->advance(full);
    CHECK(report.outcome == Outcome::not_converged);
    CHECK(report.message.find("full contact") != std::string::npos);
    CHECK(solver->advance(problem.steps[0]).outcome == Outcome::converged);
  }

  TEST_CASE("gpu cards: an error of one card ends the others' work, and is the one reported") {
    const ContactProblem problem = rough_problem(40, 40);
    int seen = 0;
    const auto solver = make_cards_solver(problem, {0, 0, 0}, [&](const Progress&) {
      if (++seen == 3) throw InputError("told to end");
    });
    CHECK_THROWS_WITH_AS(solver->advance(problem.steps[0]), "told to end", InputError);
  }

  TEST_CASE("gpu cards: what several do not compute is refused with one sentence") {
    ContactProblem problem = free_problem(16, 16, false);
    problem.solver.tangential = TangentialMethod::gauss_seidel;
    CHECK_THROWS_WITH_AS(
        make_cards_solver(problem, {0, 0}),
        "solver.tangential: not computed on several GPUs, because its tangential problem is solved "
        "by gauss_seidel; accepted: one GPU",
        InputError);
    problem = free_problem(16, 16, false);
    problem.solver.influence = InfluenceMethod::summation;
    CHECK_THROWS_WITH_AS(
        make_cards_solver(problem, {0, 0}),
        "solver.influence: not computed on several GPUs, because it asks for products by direct "
        "summation; accepted: one GPU",
        InputError);
    problem = free_problem(16, 16, false);
    const auto devices = static_cast<int>(cuda_status().devices.size());
    CHECK_THROWS_AS(make_cards_solver(problem, {0, devices}), InputError);
  }
}

}  // namespace slipfield
