// SPDX-License-Identifier: Apache-2.0
// A run interrupted after any step and resumed in another solver gives the same bits.
#include <doctest/doctest.h>

#include <cstring>

#include "io/result/field_table.h"
#include "solver/error.h"
#include "tests/support/both_backends.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

const ElasticBody kSoft{200.0, 0.42};
const ElasticBody kHard{900.0, 0.3};

ContactProblem sphere_problem(const ElasticBody& lower) {
  ContactProblem problem =
      normal_problem(centred_grid(23, 20, 1.4, 1.5), kSoft, QuadraticShape{0.01, 0.0, 0.012},
                     NormalControl::force, 9.0, 1e-6);
  problem.lower = lower;
  problem.steps[0].friction.coefficient = 0.4;
  return problem;
}

StepInput& add_step(ContactProblem& problem) {
  problem.steps.push_back(problem.steps.back());
  return problem.steps.back();
}

Tangential shift(double x, double ratio_y) {
  Tangential tangential;
  tangential.problem = TangentialProblem::shift;
  tangential.x = {TangentialControl::rigid, x};
  tangential.y = {TangentialControl::force_ratio, ratio_y};
  return tangential;
}

Tangential rolling(TangentialProblem kind, const Grid& grid, double elements) {
  Tangential tangential;
  tangential.problem = kind;
  tangential.x = {TangentialControl::force_ratio, -0.4};
  tangential.y = {TangentialControl::rigid, 1.0e-3};
  tangential.rotation = 2.0e-3;
  tangential.step = elements * grid.dx;
  tangential.velocity = 100.0;
  return tangential;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void check_same(const Solved& a, const Solved& b) {
  for (const FieldEntry& entry : field_table()) {
    CAPTURE(entry.name);
    CHECK(same_bits(a.fields.*(entry.values), b.fields.*(entry.values)));
  }
  CHECK(a.fields.element_division == b.fields.element_division);
  for (const QuantityEntry& entry : quantity_table()) {
    if (entry.name == "seconds") continue;
    CAPTURE(entry.name);
    CHECK(same_bits({entry.get(a.report)}, {entry.get(b.report)}));
  }
  CHECK(a.report.message == b.report.message);
}

// Every step in a solver of its own against all steps in one.
void check_restored(const ContactProblem& problem) {
  const std::unique_ptr<ContactSolver> whole = make_solver_under_test(problem);
  SolverState state;
  const StepInput* last = nullptr;
  int number = 0;
  for (const StepInput& step : problem.steps) {
    CAPTURE(++number);
    const Solved expected{whole->advance(step), whole->download()};
    const std::unique_ptr<ContactSolver> piece = make_solver_under_test(problem);
    if (last != nullptr) piece->restore(state, *last);
    const Solved found{piece->advance(step), piece->download()};
    check_same(expected, found);
    state = piece->state();
    last = &step;
    const std::unique_ptr<ContactSolver> copy = make_solver_under_test(problem);
    copy->restore(state, step);
    CHECK(copy->state() == state);
    check_same(expected, {found.report, copy->download()});
  }
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("restore: shifts after shifts, uncoupled and coupled, have the same bits") {
    for (const ElasticBody& lower : {kSoft, kHard}) {
      ContactProblem problem = sphere_problem(lower);
      problem.steps[0].tangential = shift(2.0e-3, -0.3);
      add_step(problem);
      add_step(problem).normal.value = 12.0;
      add_step(problem).tangential = shift(-1.0e-3, 0.5);
      add_step(problem).tangential.problem = TangentialProblem::none;
      add_step(problem).tangential = shift(1.0e-3, 0.0);
      check_restored(problem);
    }
  }

  TEST_CASE("restore: rolling by short and by long steps has the same bits") {
    for (const ElasticBody& lower : {kSoft, kHard}) {
      ContactProblem problem = sphere_problem(lower);
      problem.steps[0].tangential = shift(2.0e-3, -0.3);
      const auto transient = TangentialProblem::transient_rolling;
      add_step(problem).tangential = rolling(transient, problem.grid, 0.7);
      add_step(problem).tangential = rolling(transient, problem.grid, 2.5);
      add_step(problem);
      add_step(problem).tangential = rolling(TangentialProblem::steady_rolling, problem.grid, 1.0);
      add_step(problem).tangential = rolling(transient, problem.grid, 2.5);
      check_restored(problem);
    }
  }

  TEST_CASE("restore: rolling to second order, which looks two steps back, has the same bits") {
    for (const ElasticBody& lower : {kSoft, kHard}) {
      ContactProblem problem = sphere_problem(lower);
      problem.solver.rolling = RollingScheme::second_order;
      const auto transient = TangentialProblem::transient_rolling;
      problem.steps[0].tangential = shift(2.0e-3, -0.3);
      add_step(problem).tangential = rolling(transient, problem.grid, 1.0);
      add_step(problem);
      add_step(problem).normal.value = 9.5;
      add_step(problem).tangential = rolling(TangentialProblem::steady_rolling, problem.grid, 1.0);
      add_step(problem);
      add_step(problem).tangential = rolling(transient, problem.grid, 1.0);
      add_step(problem);
      add_step(problem).normal.value = 3.0;  // a fall
      add_step(problem);
      add_step(problem);
      check_restored(problem);
    }
  }

  TEST_CASE("restore: rolling to second order with extra slip has the same bits") {
    ContactProblem problem = sphere_problem(kSoft);
    problem.solver.rolling = RollingScheme::second_order;
    const auto slip_of = [&](double size) {
      std::vector<double> slip(problem.grid.count());
      for (std::size_t i = 0; i < slip.size(); ++i)
        slip[i] = size * (1.0 + 0.1 * static_cast<double>(i % 7));
      return std::make_shared<const std::vector<double>>(std::move(slip));
    };
    problem.steps[0].tangential = rolling(TangentialProblem::steady_rolling, problem.grid, 1.0);
    problem.steps[0].tangential.extra.x = slip_of(2.0e-4);
    add_step(problem).tangential.problem = TangentialProblem::transient_rolling;
    add_step(problem);
    add_step(problem).tangential.extra.y = slip_of(5.0e-4);
    add_step(problem);
    add_step(problem).tangential.extra = {};
    add_step(problem);
    check_restored(problem);
  }

  TEST_CASE("restore: friction that follows the slip, and a bound that is passed") {
    ContactProblem problem = sphere_problem(kSoft);
    problem.steps[0].friction.kinetic = 0.3;
    problem.steps[0].tangential = shift(3.0e-3, -0.3);
    add_step(problem).tangential = shift(3.0e-3, -0.6);
    add_step(problem).tangential = shift(0.0, -1.5);  // no rigid slip gives it
    add_step(problem).tangential = shift(0.0, -0.5);
    check_restored(problem);
  }

  TEST_CASE("restore: every method") {
    for (const TangentialMethod method :
         {TangentialMethod::gauss_seidel, TangentialMethod::dense}) {
      ContactProblem problem = sphere_problem(kHard);
      problem.solver.tangential = method;
      problem.solver.normal =
          method == TangentialMethod::dense ? NormalMethod::dense : NormalMethod::active_set_cg;
      problem.steps[0].tangential = shift(2.0e-3, -0.3);
      add_step(problem).tangential =
          rolling(TangentialProblem::transient_rolling, problem.grid, 0.7);
      add_step(problem);
      check_restored(problem);
    }
    ContactProblem simplified = sphere_problem(kSoft);
    simplified.solver.tangential = TangentialMethod::fastsim;
    simplified.steps[0].tangential =
        rolling(TangentialProblem::steady_rolling, simplified.grid, 1.0);
    add_step(simplified).tangential.rotation = 0.0;
    check_restored(simplified);
  }

  TEST_CASE("restore: the state of another problem is refused") {
    ContactProblem problem = sphere_problem(kSoft);
    const std::unique_ptr<ContactSolver> solver = make_solver_under_test(problem);
    solver->advance(problem.steps[0]);
    const SolverState state = solver->state();
    ContactProblem other = problem;
    other.geometry = {QuadraticShape{0.01, 0.0, 0.011}};
    CHECK_THROWS_WITH_AS(make_solver_under_test(other)->restore(state, other.steps[0]),
                         doctest::Contains("the geometry is not the one"), InputError);
    other = problem;
    other.lower = kHard;  // the coupled problem has more state
    CHECK_THROWS_WITH_AS(make_solver_under_test(other)->restore(state, other.steps[0]),
                         doctest::Contains("does not fit the case: traction_x"), InputError);
  }

  // Other owners of the rows, or another processor, generate a rough surface with other rounding.
  TEST_CASE("restore: a distance that differs by rounding is the same geometry, a wave is not") {
    const ContactProblem problem = sphere_problem(kSoft);
    const std::unique_ptr<ContactSolver> solver = make_solver_under_test(problem);
    solver->advance(problem.steps[0]);
    SolverState state = solver->state();
    const std::vector<double> distance = state["undeformed_distance"];
    const auto restore_with = [&](double part) {
      for (std::size_t i = 0; i < distance.size(); ++i)
        state["undeformed_distance"][i] =
            distance[i] * (1.0 + part * (static_cast<double>(i % 5) - 2.0));
      solver->restore(state, problem.steps[0]);
    };
    restore_with(1e-13);
    CHECK(solver->download().pressure == state["pressure"]);
    CHECK_THROWS_WITH_AS(restore_with(1e-8), doctest::Contains("the geometry is not the one"),
                         InputError);
  }
}
