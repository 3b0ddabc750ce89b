// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"
#include "tests/support/skew_contact.h"

namespace slipfield {
namespace {

using test::prescribed;
using test::ratio;
using test::shift;
using test::skew_grid;
using test::skew_problem;
using test::typical_shift;

TEST_SUITE("unit") {
  TEST_CASE(
      "shift: full sliding has |F| = mu F_n against the shift and pure rotation no force on a "
      "symmetric contact") {
    ContactProblem problem =
        test::normal_problem(test::centred_grid(40, 31, 1.2, 1.2), test::kBody,
                             EllipsoidShape{20.0, 35.0}, NormalControl::force, 0.03, 1e-9);
    problem.steps[0].friction.coefficient = 0.35;
    for (const TangentialMethod method : test::kTangentialMethods) {
      problem.solver.tangential = method;
      for (const double angle : {0.0, 0.9, 2.5, -1.3}) {
        problem.steps[0].tangential =
            prescribed(shift(1e4 * std::cos(angle)), shift(1e4 * std::sin(angle)));
        const StepReport report = test::solve(problem).report;
        CHECK(report.outcome == Outcome::converged);
        CHECK(report.elements_adhesion == 0);
        const double sliding = 0.35 * 0.03;
        // The elastic displacement turns the slip by 1e-7 of the shift.
        CHECK(std::abs(report.force_x + sliding * std::cos(angle)) <= 1e-6 * sliding);
        CHECK(std::abs(report.force_y + sliding * std::sin(angle)) <= 1e-6 * sliding);
      }
      problem.steps[0].tangential = prescribed(shift(0.0), shift(0.0), 0.003);
      const StepReport report = test::solve(problem).report;
      CHECK(report.outcome == Outcome::converged);
      CHECK(report.moment_z < 0.0);
      CHECK(report.elements_adhesion > 50);
      CHECK(std::abs(report.force_x) <= 1e-8 * std::abs(report.moment_z));  // tolerance
      CHECK(std::abs(report.force_y) <= 1e-8 * std::abs(report.moment_z));
    }
  }

  TEST_CASE(
      "shift: the total of a cycle of equal forces is the first shift [Mindlin and Deresiewicz "
      "1953], rolling and rest leave it, and a restored state has it") {
    ContactProblem problem =
        test::normal_problem(test::centred_grid(40, 31, 1.2, 1.2), test::kBody, SphereShape{25.0},
                             NormalControl::force, 0.03, 1e-10);
    problem.steps[0].friction.coefficient = 0.35;
    const auto step = [&](const TangentialLoad& x) {
      StepInput input = problem.steps[0];
      input.tangential = prescribed(x, shift(0.0));
      return input;
    };
    const auto solver = make_cpu_solver(problem);
    const StepReport push = solver->advance(step(ratio(-0.8)));
    CHECK(push.shift_total_x == push.rigid_x);
    const StepReport back = solver->advance(step(ratio(0.8)));
    CHECK(back.shift_total_x == push.rigid_x + back.rigid_x);
    const SolverState saved = solver->state();
    const StepReport again = solver->advance(step(ratio(-0.8)));
    // To 1e-6: the state after the cycle is the one before it up to the solver's tolerance.
    CHECK(std::abs(again.shift_total_x - push.rigid_x) <= 1e-6 * push.rigid_x);
    CHECK(solver->advance(problem.steps[0]).shift_total_x == again.shift_total_x);  // at rest
    solver->restore(saved, step(ratio(0.8)));
    CHECK(solver->advance(step(ratio(-0.8))).shift_total_x == again.shift_total_x);
  }

  TEST_CASE("a force is met: of few elements too, and next to a far slip the other way") {
    test::Random random(19);
    for (const TangentialMethod method : test::kTangentialMethods) {
      for (int i = 0; i < 60; ++i) {
        CAPTURE(static_cast<int>(method));
        CAPTURE(i);
        const int mx = 2 + i % 9;
        const int my = 1 + i % 7;
        ContactProblem problem = skew_problem({mx, my, 1.4 / mx, 1.7 / my, -0.7, -0.9}, 1e-7);
        problem.solver.tangential = method;
        if (i % 3 == 0) problem.lower = {5.0, 0.1};  // K != 0
        const double scale = typical_shift(problem);
        const double wanted_x = random.uniform(-0.65, 0.65);
        const double wanted_y = random.uniform(-0.65, 0.65);
        const bool both = i % 4 == 0;
        Tangential& tangential = problem.steps[0].tangential;
        tangential = prescribed(ratio(wanted_x),
                                both ? ratio(wanted_y) : shift(scale * std::pow(10.0, i % 5 - 2)),
                                random.uniform(-0.2, 0.2) * scale);
        if (i % 2 == 1) {
          tangential.problem = TangentialProblem::steady_rolling;
          tangential.step = problem.grid.dx;
          tangential.y.value /= problem.grid.dx;
          tangential.rotation = 0.0;
        }
        const StepReport report = test::solve(problem).report;
        REQUIRE(report.normal_force > 0.0);
        CHECK(report.outcome == Outcome::converged);
        const double bound = 0.35 * report.normal_force;
        CHECK(std::abs(report.force_x / bound - wanted_x) <= 1e-6);  // 10 tolerances
        if (both) CHECK(std::abs(report.force_y / bound - wanted_y) <= 1e-6);
      }
    }
  }

  TEST_CASE(
      "shift: a force above mu F_n is reported as not converged with finite numbers and the "
      "next step recovers") {
    ContactProblem problem = skew_problem({17, 13, 0.08, 0.12, -0.7, -0.8}, 1e-6);
    for (const TangentialMethod method : test::kTangentialMethods) {
      for (const double beyond : {1.01, 1.2, -5.0}) {
        problem.solver.tangential = method;
        CAPTURE(static_cast<int>(method));
        CAPTURE(beyond);
        const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
        StepInput step = problem.steps[0];
        step.tangential = prescribed(ratio(beyond), shift(0.0));
        const StepReport report = solver->advance(step);
        CHECK(report.outcome == Outcome::not_converged);
        CHECK(!report.message.empty());
        CHECK(std::isfinite(report.force_x));
        CHECK(std::isfinite(report.rigid_x));
        CHECK(std::isfinite(report.residual));
        CHECK(std::isfinite(test::norm(solver->download().traction_x)));
        step.tangential = prescribed(ratio(0.5), shift(0.0));
        const StepReport next = solver->advance(step);
        CHECK(next.outcome == Outcome::converged);
        CHECK(next.force_x == test::near(0.5 * 0.35 * next.normal_force, 1e-5));
      }
    }
  }

  TEST_CASE(
      "shift: tractions scale with G at the same shift and the opposite shift turns them round") {
    ContactProblem problem = skew_problem(skew_grid());
    const double d = typical_shift(problem);
    problem.steps[0].tangential = prescribed(shift(0.6 * d), shift(-0.3 * d), 0.4 * d);
    const test::Solved base = test::solve(problem);
    ContactProblem stiff = problem;
    stiff.upper.shear_modulus *= 2.0;
    stiff.lower.shear_modulus *= 2.0;
    const test::Solved twice = test::solve(stiff);
    CHECK(twice.report.force_x == test::near(2.0 * base.report.force_x, 1e-8));
    CHECK(twice.report.force_y == test::near(2.0 * base.report.force_y, 1e-8));
    CHECK(twice.report.elements_adhesion == base.report.elements_adhesion);
    ContactProblem opposite = problem;
    opposite.steps[0].tangential = prescribed(shift(-0.6 * d), shift(0.3 * d), -0.4 * d);
    const test::Solved back = test::solve(opposite);
    std::vector<double> turned = back.fields.traction_x;
    for (double& p : turned) p = -p;
    CHECK(test::relative_difference(turned, base.fields.traction_x) <= 1e-8);  // tolerance
    CHECK(back.report.friction_work == test::near(base.report.friction_work, 1e-8));
  }

  TEST_CASE("shift: more shift means no less force and no more adhesion") {
    ContactProblem problem = skew_problem(skew_grid());
    const double d = typical_shift(problem);
    double last_force = 0.0;
    std::int64_t adhesion = 10000;
    for (const double factor : {0.01, 0.1, 0.3, 0.6, 1.0, 1.5, 2.5}) {
      problem.steps[0].tangential = prescribed(shift(factor * d), shift(0.0));
      const StepReport report = test::solve(problem).report;
      CHECK(-report.force_x > last_force);
      CHECK(report.elements_adhesion <= adhesion);
      last_force = -report.force_x;
      adhesion = report.elements_adhesion;
    }
    CHECK(adhesion < 100);
  }

  TEST_CASE(
      "shift: random sequences on grids and elements of all shapes converge with the automatic "
      "method") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      test::Random random(seed);
      const auto size = [&] { return static_cast<int>(std::pow(10.0, random.uniform(0.3, 1.5))); };
      const int mx = size();
      const int my = size();
      const double dy = std::pow(10.0, random.uniform(-2.0, 2.0));
      const Grid grid{mx,
                      my,
                      1.0,
                      dy,
                      -0.5 * mx + random.uniform(-0.3, 0.3),
                      (-0.5 * my + random.uniform(-0.3, 0.3)) * dy};
      ContactProblem problem = skew_problem(grid, 1e-6);
      problem.upper = {std::pow(10.0, random.uniform(-1.0, 1.0)), random.uniform(0.0, 0.5)};
      problem.lower = seed % 3 == 0 ? ElasticBody{0.8, 0.3} : problem.upper;
      const double friction = std::pow(10.0, random.uniform(-2.0, 0.3));
      const double d = 0.12 * friction;
      const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
      for (int k = 0; k < 3; ++k) {
        StepInput step = problem.steps[0];
        step.friction.coefficient = friction;
        step.normal.value = random.uniform(0.1, 0.15);
        const TangentialLoad x = random.uniform(0.0, 1.0) < 0.5
                                     ? ratio(random.uniform(-0.6, 0.6))
                                     : shift(d * random.uniform(-1.0, 1.0));
        const TangentialLoad y = random.uniform(0.0, 1.0) < 0.5
                                     ? ratio(random.uniform(-0.6, 0.6))
                                     : shift(d * random.uniform(-1.0, 1.0));
        step.tangential = prescribed(x, y);
        const StepReport report = solver->advance(step);
        CAPTURE(seed);
        CAPTURE(k);
        CHECK(report.outcome == Outcome::converged);
        CHECK(report.residual <= 1e-4);  // 100 times the tolerance
      }
    }
  }

  TEST_CASE(
      "shift: large grids of odd sizes and long rows give newton's and gauss_seidel's same "
      "tractions") {
    // Large enough that newton starts from coarser grids, which halves of odd sizes overhang.
    for (const Grid& grid :
         {Grid{131, 97, 0.01, 0.015, -0.63, -0.75}, Grid{387, 1, 0.01, 30.0, -1.93, -15.0}}) {
      ContactProblem problem = skew_problem(grid, 1e-7);
      const double d = typical_shift(problem);
      for (const Tangential& load : {prescribed(shift(0.6 * d), shift(-0.3 * d), 0.2 * d),
                                     prescribed(ratio(-0.6), shift(0.2 * d))}) {
        problem.steps[0].tangential = load;
        problem.solver.tangential = TangentialMethod::newton;
        const test::Solved newton = test::solve(problem);
        problem.solver.tangential = TangentialMethod::gauss_seidel;
        const test::Solved sweeps = test::solve(problem);
        REQUIRE(newton.report.outcome == Outcome::converged);
        REQUIRE(sweeps.report.outcome == Outcome::converged);
        CAPTURE(grid.mx);
        CHECK(newton.report.elements_slip > 20);
        CHECK(newton.report.elements_adhesion > 20);
        // Tolerance times the condition of the problem.
        CHECK(test::relative_difference(newton.fields.traction_x, sweeps.fields.traction_x) <=
              1e-5);
        CHECK(test::relative_difference(newton.fields.traction_y, sweeps.fields.traction_y) <=
              1e-5);
        CHECK(newton.report.rigid_x == test::near(sweeps.report.rigid_x, 1e-5));
      }
    }
  }

  TEST_CASE("matrix products on coarser grids are counted, where a large grid starts from them") {
    for (const int n : {47, 110}) {  // of 110 the window of the contact has more than 48
      CAPTURE(n);
      ContactProblem problem = skew_problem(Grid{n, n, 1.4 / n, 1.6 / n, -0.7, -0.8}, 1e-6);
      const double d = typical_shift(problem);
      problem.steps[0].tangential = prescribed(shift(0.6 * d), shift(-0.3 * d));
      const auto solver = make_cpu_solver(problem);
      const StepReport first = solver->advance(problem.steps[0]);
      REQUIRE(first.outcome == Outcome::converged);
      CHECK((first.matrix_products_coarse > 0) == (n == 110));
      problem.steps[0].tangential = prescribed(shift(0.0), shift(0.0));  // nothing moves on
      const StepReport next = solver->advance(problem.steps[0]);
      REQUIRE(next.outcome == Outcome::converged);
      CHECK(next.matrix_products_coarse == 0);
      CHECK(next.matrix_products > 0);
    }
  }

  TEST_CASE("coarser grids are started from where rows and columns have 48 elements or more") {
    // The contact fills its grid, so that no window of fewer elements stands for it.
    for (const auto& [mx, my] : {std::pair(47, 48), std::pair(48, 47), std::pair(48, 48)}) {
      CAPTURE(mx);
      CAPTURE(my);
      ContactProblem problem =
          test::normal_problem(test::centred_grid(mx, my, 1.05, 0.84), test::kBody,
                               HertzShape{1.0, 0.8, 0.05}, NormalControl::force, 0.05, 1e-6);
      problem.steps[0].friction.coefficient = 0.3;
      problem.steps[0].tangential = prescribed(ratio(-0.7), ratio(0.2));
      const StepReport report = test::solve(problem).report;
      REQUIRE(report.outcome == Outcome::converged);
      CHECK((report.matrix_products_coarse > 0) == (mx == 48 && my == 48));
    }
  }

  TEST_CASE("shift: 1 and 2 threads give the same bits") {
    const int threads = omp_get_max_threads();
    ContactProblem problem = skew_problem(skew_grid(), 1e-2);
    problem.steps[0].tangential = prescribed(shift(0.01), shift(0.001));
    for (const TangentialMethod method : test::kTangentialMethods) {
      problem.solver.tangential = method;
      omp_set_num_threads(1);
      const test::Solved one = test::solve(problem);
      omp_set_num_threads(2);
      const test::Solved two = test::solve(problem);
      omp_set_num_threads(threads);
      CHECK(one.report.iterations_tangential == two.report.iterations_tangential);
      CHECK(one.report.rigid_x == two.report.rigid_x);
      CHECK(one.fields.traction_x == two.fields.traction_x);
      CHECK(one.fields.traction_y == two.fields.traction_y);
    }
  }
}

}  // namespace
}  // namespace slipfield
