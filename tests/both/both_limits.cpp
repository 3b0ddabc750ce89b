// SPDX-License-Identifier: Apache-2.0
// Cases at the limit of what can be solved, and beyond: each ends in a defined state with a report,
// by every method.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "solver/number_text.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

const ElasticBody kLimitBody{200.0, 0.42};
constexpr double kLimitForce = 9.1954;
constexpr double kLimitFriction = 0.4;

ContactProblem sphere(TangentialMethod method, int mx = 21, int my = 18) {
  ContactProblem problem =
      normal_problem(centred_grid(mx, my, 1.3, 1.4), kLimitBody, QuadraticShape{0.01, 0.0, 0.01},
                     NormalControl::force, kLimitForce, 1e-7);
  problem.solver.tangential = method;
  problem.steps[0].friction.coefficient = kLimitFriction;
  problem.steps[0].tangential.problem = TangentialProblem::shift;
  return problem;
}

template <class Check>
void with_each_method(const Check& check) {
  for (const TangentialMethod method :
       {TangentialMethod::newton, TangentialMethod::gauss_seidel, TangentialMethod::dense}) {
    CAPTURE(static_cast<int>(method));
    check(method);
  }
}

bool all_finite(const ContactSolution& f) {
  for (const auto* field : {&f.pressure, &f.traction_x, &f.traction_y, &f.displacement_x,
                            &f.displacement_y, &f.displacement_n, &f.slip_x, &f.slip_y})
    for (const double value : *field)
      if (!std::isfinite(value)) return false;
  return true;
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("limits: a force at mu F_n or beyond is reported, the next step is solved") {
    with_each_method([](TangentialMethod method) {
      for (const double ratio : {-1.0, 1.5, -1.0e6}) {
        ContactProblem problem = sphere(method);
        problem.steps[0].tangential.x = {TangentialControl::force_ratio, ratio};
        const auto solver = make_solver_under_test(problem);
        const StepReport report = solver->advance(problem.steps[0]);
        CHECK(report.outcome == Outcome::not_converged);
        const double bound = problem.steps[0].friction.coefficient * report.normal_force;
        CHECK(report.message ==
              "the tangential force prescribed is not below mu F_n: no rigid slip gives it "
              "(prescribed " +
                  number_text(std::fabs(ratio) * bound) + " N, carried at most " +
                  number_text(bound) + " N)");
        CHECK(all_finite(solver->download()));
        StepInput next = problem.steps[0];
        next.tangential.x.value = 0.5;
        const StepReport after = solver->advance(next);
        CHECK(after.outcome == Outcome::converged);
        CHECK(after.force_x / (kLimitFriction * kLimitForce) == near(0.5, 1e-6));
      }
    });
  }

  TEST_CASE("limits: next below mu F_n the force is met") {
    with_each_method([](TangentialMethod method) {
      ContactProblem problem = sphere(method);
      problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.999};
      const Solved solved = solve_under_test(problem);
      CHECK(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.force_x / (kLimitFriction * kLimitForce) == near(-0.999, 1e-6));
    });
  }

  TEST_CASE("limits: a ratio is one to what the coefficients of all elements carry") {
    for (const ElasticBody& upper :
         {kLimitBody, ElasticBody{900.0, 0.1}}) {  // K = 0, and more rounds
      ContactProblem problem = sphere(TangentialMethod::automatic);
      problem.upper = upper;
      StepInput& step = problem.steps[0];
      std::vector<double> friction(problem.grid.count());
      for (std::size_t i = 0; i < friction.size(); ++i)
        friction[i] = kLimitFriction * (1.0 - 0.1 * static_cast<double>(i % 7));
      step.friction.place = friction_by_element(friction);
      step.tangential.x = {TangentialControl::force_ratio, -0.6};
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      const double area = problem.grid.element_area();
      const double carried = area * std::inner_product(friction.begin(), friction.end(),
                                                       solved.fields.pressure.begin(), 0.0);
      CHECK(solved.report.force_x / carried == near(-0.6, 1e-6));  // tolerance
      CHECK(solved.report.friction_coefficient * solved.report.normal_force / carried ==
            near(1.0, 1e-12));  // sums in another order
    }
  }

  TEST_CASE("limits: a far shift slides all of the contact at the bound, against the shift") {
    with_each_method([](TangentialMethod method) {
      ContactProblem problem = sphere(method);
      problem.steps[0].tangential.x = {TangentialControl::rigid, 30.0};
      problem.steps[0].tangential.y = {TangentialControl::rigid, -40.0};
      const Solved solved = solve_under_test(problem);
      CHECK(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_adhesion == 0);
      CHECK(solved.report.elements_slip == solved.report.elements_contact);
      // the slip differs from the shift by the displacements, a thousandth of it
      CHECK(solved.report.force_x / (kLimitFriction * kLimitForce) == near(-0.6, 1e-3));
      CHECK(solved.report.force_y / (kLimitFriction * kLimitForce) == near(0.8, 1e-3));
    });
  }

  TEST_CASE("limits: without contact nothing is carried, and a tangential force is refused") {
    with_each_method([](TangentialMethod method) {
      ContactProblem problem = sphere(method);
      problem.steps[0].normal = {NormalControl::approach, -0.01};
      problem.steps[0].tangential.x = {TangentialControl::rigid, 0.01};
      const Solved solved = solve_under_test(problem);
      CHECK(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_contact == 0);
      CHECK(solved.report.force_x == 0.0);
      CHECK(solved.report.normal_force == 0.0);
      CHECK(all_finite(solved.fields));

      problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.5};  // of nothing
      CHECK(solve_under_test(problem).report.outcome == Outcome::converged);

      problem.steps[0].tangential.x = {TangentialControl::force, -1.0};
      const Solved forced = solve_under_test(problem);
      CHECK(forced.report.outcome == Outcome::not_converged);
      CHECK(forced.report.message.find("not below mu F_n") != std::string::npos);
      CHECK(all_finite(forced.fields));
    });
  }

  TEST_CASE("limits: contact is lost and found again in a sequence") {
    with_each_method([](TangentialMethod method) {
      ContactProblem problem = sphere(method);
      problem.steps[0].tangential.x = {TangentialControl::rigid, 2.0e-3};
      const Solved alone = solve_under_test(problem);
      StepInput lifted = problem.steps[0];
      lifted.normal = {NormalControl::approach, -1.0};
      problem.steps.insert(problem.steps.begin(), {problem.steps[0], lifted});
      const Solved again = solve_under_test(problem);
      CHECK(again.report.outcome == Outcome::converged);
      // nothing is left of the displacements of the first step
      CHECK(again.report.force_x == near(alone.report.force_x, 1e-6));
    });
  }

  TEST_CASE("limits: one element in contact obeys its own 2 x 2 problem") {
    with_each_method([](TangentialMethod method) {
      ContactProblem problem = sphere(method, 21, 19);
      problem.geometry = {QuadraticShape{1.0e3, 0.0, 1.0e3}};
      const double area = problem.grid.element_area();
      for (const double part : {0.5, 3.0}) {  // of the shift at which it begins to slide
        const auto coefficient = [&](Component c) {
          return influence_coefficient(c, 0.0, 0.0, problem.grid.dx, problem.grid.dy,
                                       combine(kLimitBody, kLimitBody));
        };
        const double bound = kLimitFriction * kLimitForce / area;
        problem.steps[0].tangential.x = {TangentialControl::rigid,
                                         part * bound * coefficient(Component::xx)};
        const Solved solved = solve_under_test(problem);
        CHECK(solved.report.outcome == Outcome::converged);
        CHECK(solved.report.elements_contact == 1);
        CHECK(solved.report.elements_slip == (part > 1.0 ? 1 : 0));
        CHECK(solved.report.approach ==
              near(kLimitForce / area * coefficient(Component::nn), 1e-9));
        CHECK(solved.report.force_x ==
              near(-std::min(part, 1.0) * kLimitFriction * kLimitForce, 1e-6));
      }
    });
  }

  TEST_CASE("limits: a grid of one element") {
    with_each_method([](TangentialMethod method) {
      ContactProblem problem = sphere(method, 1, 1);
      problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.5};
      const Solved solved = solve_under_test(problem);
      CHECK(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_adhesion == 1);
      CHECK(solved.report.force_x == near(-0.5 * kLimitFriction * kLimitForce, 1e-6));
    });
  }

  TEST_CASE("limits: without friction a creepage makes no traction and a force is refused") {
    with_each_method([](TangentialMethod method) {
      for (const TangentialProblem kind :
           {TangentialProblem::shift, TangentialProblem::transient_rolling,
            TangentialProblem::steady_rolling}) {
        ContactProblem problem = sphere(method);
        problem.steps[0].friction.coefficient = 0.0;
        Tangential& tangential = problem.steps[0].tangential;
        tangential.problem = kind;
        tangential.step = problem.grid.dx;
        tangential.x = {TangentialControl::rigid, 1.0e-3};
        const Solved solved = solve_under_test(problem);
        CHECK(solved.report.outcome == Outcome::converged);
        CHECK(solved.report.force_x == 0.0);
        CHECK(solved.report.elements_slip == solved.report.elements_contact);

        tangential.x = {TangentialControl::force, -0.1};
        const Solved forced = solve_under_test(problem);
        CHECK(forced.report.outcome == Outcome::not_converged);
        CHECK(forced.report.message.find("not below mu F_n") != std::string::npos);
      }
    });
  }

  TEST_CASE("limits: contact over the whole grid converges and is reported") {
    with_each_method([](TangentialMethod method) {
      ContactProblem problem = sphere(method, 12, 11);
      problem.steps[0].normal.value = 3000.0;
      problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.5};
      const Solved solved = solve_under_test(problem);
      CHECK(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_contact == 12 * 11);
      CHECK(solved.report.touches_edge);
    });
  }

  TEST_CASE("limits: no approach beyond full contact on a periodic grid, up to it any") {
    for (const ElasticBody& upper : {kLimitBody, ElasticBody{900.0, 0.1}}) {  // coupled: K != 0
      ContactProblem problem = sphere(TangentialMethod::automatic);
      problem.upper = upper;
      problem.grid.boundary = Boundary::periodic;
      problem.steps[0].tangential.x = {TangentialControl::rigid, 1.0e-3};
      const std::vector<double> h = undeformed_distance(problem.geometry, problem.grid,
                                                        combine(problem.upper, problem.lower));
      const double mean = std::accumulate(h.begin(), h.end(), 0.0) / static_cast<double>(h.size());
      const auto solver = make_solver_under_test(problem);
      StepInput step = problem.steps[0];
      for (const double part : {0.5, 0.999, 1.0, 1.5, 0.999, 0.5}) {
        CAPTURE(part);
        step.normal = {NormalControl::approach, part * mean};
        const StepReport report = solver->advance(step);
        CHECK(all_finite(solver->download()));
        if (part < 1.0) {
          CHECK(report.outcome == Outcome::converged);
          CHECK(report.normal_force > 0.0);
          CHECK(report.approach == step.normal.value);
        } else {
          CHECK(report.outcome == Outcome::not_converged);
          CHECK(report.message.find("is not below the mean of the undeformed distance, ") !=
                std::string::npos);
        }
      }
    }
  }

  TEST_CASE("limits: numbers beyond doubles end the step with the field and the iteration") {
    with_each_method([](TangentialMethod method) {
      ContactProblem problem = sphere(method);
      problem.steps[0].tangential.x = {TangentialControl::rigid, 1.0e-3};
      const StepInput sound = problem.steps[0];
      const double expected = solve_under_test(problem).report.force_x;
      StepInput broken = sound;
      broken.tangential.x.value = 1.0e308;
      broken.tangential.rotation = 1.0e308;
      const auto solver = make_solver_under_test(problem);
      const StepReport report = solver->advance(broken);
      CAPTURE(report.message);
      CHECK(report.outcome == Outcome::not_converged);
      CHECK(report.message.find(" is not finite at element (") != std::string::npos);
      CHECK(report.message.find(" iteration") != std::string::npos);
      const StepReport next = solver->advance(sound);  // from an unloaded contact
      CHECK(next.outcome == Outcome::converged);
      CHECK(next.force_x == near(expected, 1e-6));
    });
    ContactProblem problem = sphere(TangentialMethod::automatic);
    problem.steps[0].normal.value = 1.0e308;
    problem.upper.shear_modulus = problem.lower.shear_modulus = 1.0e-8;
    const Solved solved = solve_under_test(problem);
    CAPTURE(solved.report.message);
    CHECK(solved.report.outcome == Outcome::not_converged);
    CHECK(solved.report.message.find(" is not finite at element (") != std::string::npos);
  }

  TEST_CASE("limits: sums of squares beyond doubles end the step with the iteration") {
    for (const NormalMethod method : {NormalMethod::bound_cg, NormalMethod::active_set_cg}) {
      ContactProblem problem = sphere(TangentialMethod::automatic);
      problem.solver.normal = method;
      const StepInput sound = problem.steps[0];
      StepInput broken = sound;
      broken.normal.value = 1.0e200;  // its square is not finite
      const auto solver = make_solver_under_test(problem);
      const StepReport report = solver->advance(broken);
      CHECK(report.outcome == Outcome::not_converged);
      CHECK(
          report.message ==
          "the sum of the squares of pressure is not finite in normal iteration 1: the numbers of "
          "the case are beyond what doubles hold");
      CHECK(solver->advance(sound).outcome == Outcome::converged);
    }
  }

  TEST_CASE("limits: sums beyond doubles, and forces below them, are not results") {
    ContactProblem problem = sphere(TangentialMethod::automatic);
    problem.steps[0].friction.coefficient = 1.0e200;
    problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.5};
    const StepReport large = solve_under_test(problem).report;
    CHECK(large.outcome == Outcome::not_converged);
    CHECK(large.message ==
          "elastic_energy is not finite: the numbers of the case are beyond what doubles hold");

    problem = sphere(TangentialMethod::automatic);
    problem.steps[0].tangential.problem = TangentialProblem::none;
    problem.geometry = {QuadraticShape{}};
    problem.steps[0].normal.value = 1.0e-321;  // over all elements: a few bits for each
    const StepReport small = solve_under_test(problem).report;
    CHECK(small.outcome == Outcome::not_converged);
    CHECK(small.message.find(", not to the force of ") != std::string::npos);

    problem = sphere(TangentialMethod::automatic);
    problem.steps[0].tangential.problem = TangentialProblem::none;
    problem.geometry = {SphereShape{1.0e-320}};  // its curvature is not finite
    const StepReport none = solve_under_test(problem).report;
    CHECK(none.outcome == Outcome::not_converged);
    CHECK(none.message.find("the pressures add up to 0, not to the force of 9.1954") == 0);
  }

  TEST_CASE("limits: a force that a method meets as the tolerance asks is a result") {
    ContactProblem problem = sphere(TangentialMethod::automatic);
    problem.steps[0].tangential.problem = TangentialProblem::none;
    problem.solver.normal = NormalMethod::newton;
    for (const double tolerance : {1.0e-1, 1.0e-2, 1.0e-3}) {
      CAPTURE(tolerance);
      problem.solver.tolerance = tolerance;
      const StepReport report = solve_under_test(problem).report;
      CHECK(report.outcome == Outcome::converged);
      CHECK(report.message.empty());
      CHECK(report.normal_force == near(kLimitForce, tolerance));  // 1.1 % off at .1
    }
  }
}
