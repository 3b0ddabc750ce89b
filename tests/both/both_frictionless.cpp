// SPDX-License-Identifier: Apache-2.0
// Normal contact without a tangential problem holds none of its fields, and is the same contact.
#include <doctest/doctest.h>

#include <vector>

#include "io/result/field_table.h"
#include "solver/memory_estimate.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

ContactProblem normal_contact(int mx, int my, NormalMethod method) {
  ContactProblem problem =
      normal_problem(centred_grid(mx, my, 1.4, 1.5), {200.0, 0.42},
                     QuadraticShape{0.01, 0.0, 0.012}, NormalControl::force, 9.0, 1e-8);
  problem.solver.normal = method;
  problem.steps[0].friction.coefficient = 0.4;
  return problem;
}

StepInput shifted(StepInput step) {
  step.tangential.problem = TangentialProblem::shift;
  step.tangential.x = {TangentialControl::force_ratio, -0.5};
  return step;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("frictionless: pressure, gap and bound have the bits of a step that shifts as well") {
    for (const NormalMethod method : {NormalMethod::bound_cg, NormalMethod::active_set_cg}) {
      const ContactProblem problem = normal_contact(33, 27, method);
      const auto alone = make_solver_under_test(problem);
      const auto with_shift = make_solver_under_test(problem);
      const StepReport report = alone->advance(problem.steps[0]);
      const StepReport other = with_shift->advance(shifted(problem.steps[0]));
      const ContactSolution a = alone->download();
      const ContactSolution b = with_shift->download();
      CHECK(a.pressure == b.pressure);
      CHECK(a.displacement_n == b.displacement_n);
      CHECK(a.gap == b.gap);
      CHECK(a.traction_bound == b.traction_bound);
      CHECK(report.approach == other.approach);
      CHECK(report.normal_force == other.normal_force);
      CHECK(report.elements_contact == other.elements_contact);
      CHECK(report.elements_adhesion == report.elements_contact);  // nothing slips
      const std::vector<double> zeros(problem.grid.count(), 0.0);
      for (const auto field : {&ContactSolution::traction_x, &ContactSolution::slip_y,
                               &ContactSolution::displacement_x})
        CHECK(a.*field == zeros);
      // A shift afterwards starts from what a loaded contact without tractions is.
      const StepReport later = alone->advance(shifted(problem.steps[0]));
      CHECK(later.outcome == Outcome::converged);
      CHECK(later.force_x == near(-0.5 * 0.4 * 9.0, 1e-7));
    }
  }

  TEST_CASE("frictionless: a state goes back behind the first step that shifts") {
    const ContactProblem problem = normal_contact(23, 20, NormalMethod::automatic);
    const auto solver = make_solver_under_test(problem);
    solver->advance(problem.steps[0]);
    const SolverState loaded = solver->state();
    CHECK(loaded.count("traction_x") == 0);
    const StepReport first = solver->advance(shifted(problem.steps[0]));
    const ContactSolution fields = solver->download();
    solver->restore(loaded, problem.steps[0]);
    CHECK(solver->download().traction_x == std::vector<double>(problem.grid.count(), 0.0));
    const StepReport again = solver->advance(shifted(problem.steps[0]));
    CHECK(again.rigid_x == first.rigid_x);
    CHECK(solver->download().traction_x == fields.traction_x);
  }
}

TEST_SUITE("unit") {
  TEST_CASE("chosen fields are those of the whole download") {
    const ContactProblem problem = normal_contact(23, 20, NormalMethod::automatic);
    const auto solver = make_solver_under_test(problem);
    for (const StepInput& step : {problem.steps[0], shifted(problem.steps[0])}) {
      solver->advance(step);
      const ContactSolution all = solver->download();
      for (const FieldEntry& entry : field_table()) {
        CAPTURE(entry.name);
        const ContactSolution one = solver->download_fields({{entry.values}, false});
        CHECK(one.*(entry.values) == all.*(entry.values));
      }
      const ContactSolution division = solver->download_fields({{}, true});
      CHECK(division.element_division == all.element_division);
      CHECK(division.pressure.empty());
    }
  }

  TEST_CASE("memory: a frictionless problem holds six fields and two bytes of each element") {
    if (!counts_memory()) return;
    const ContactProblem problem = normal_contact(250, 240, NormalMethod::automatic);
    const std::size_t before = bytes_in_use();
    const auto solver = make_solver_under_test(problem);
    const auto used = [&] { return static_cast<double>(bytes_in_use() - before); };
    const auto fields = static_cast<double>(frictionless_field_bytes(problem.grid));
    constexpr double kConstant = 262144.0;  // what does not grow with the grid
    CHECK(used() <= 1.1 * fields + kConstant);
    solver->advance(problem.steps[0]);
    CHECK(used() >= fields);
    CHECK(used() <= static_cast<double>(bytes_said(problem)));
  }

  TEST_CASE("memory: surfaces that adhere take sixteen fields more, and no more than estimated") {
    if (!counts_memory()) return;
    ContactProblem problem = normal_contact(250, 240, NormalMethod::automatic);
    problem.adhesion = {AdhesionLaw::exponential, 1e-3, 1e-2};
    const std::size_t before = bytes_in_use();
    const auto solver = make_solver_under_test(problem);
    solver->advance(problem.steps[0]);
    const auto used = static_cast<double>(bytes_in_use() - before);
    CHECK(used >= static_cast<double>(frictionless_field_bytes(problem.grid) +
                                      16 * sizeof(double) * problem.grid.count()));
    CHECK(used <= static_cast<double>(bytes_said(problem)));
  }
}
