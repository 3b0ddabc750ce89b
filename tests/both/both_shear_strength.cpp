// SPDX-License-Identifier: Apache-2.0
// Friction with a shear strength of the contact, tau_0 + mu p, on either backend (THEORY.md 5.6).
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/combinations.h"
#include "solver/error.h"
#include "solver/gradient/step_derivatives.h"
#include "solver/problem_check.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

constexpr double kStrength = 0.004;

// A sphere on a plane, a = 1, shifted along x.
ContactProblem sheared_sphere(int n, TangentialControl control, double value) {
  ContactProblem problem = normal_problem(centred_grid(n, n, 1.2, 1.2), {1.0, 0.0},
                                          SphereShape{100.0}, NormalControl::force, 4.0 / 300.0);
  StepInput& step = problem.steps[0];
  step.friction.shear_strength = kStrength;
  step.tangential.problem = TangentialProblem::shift;
  step.tangential.x = {control, value};
  return problem;
}

// The most that the elements in contact carry.
double greatest_force(const ContactProblem& problem, const StepReport& report) {
  const Friction& friction = problem.steps[0].friction;
  return friction.shear_strength * static_cast<double>(report.elements_contact) *
             problem.grid.element_area() +
         friction.coefficient * (report.normal_force + report.adhesive_force);
}

// Cylinders of half-width 1 with their axes along the period, n elements over 2.6.
ContactProblem sheared_cylinders(int n, bool across, double part) {
  const double spacing = 2.6 / n;
  const Grid grid{n, 1, spacing, 0.7, -1.3 - 0.37 * spacing, 0.0, Boundary::periodic_y};
  constexpr double kCurvature = 0.02;
  const ElasticBody body{1.0, 0.3};
  const double load = 0.25 * kPi * combine(body, body).contact_modulus() * kCurvature * grid.dy;
  ContactProblem problem = normal_problem(grid, body, QuadraticShape{0.5 * kCurvature},
                                          NormalControl::force, load, 1e-9);
  StepInput& step = problem.steps[0];
  step.friction.shear_strength = kStrength;
  step.tangential.problem = TangentialProblem::shift;
  (across ? step.tangential.x : step.tangential.y) = {TangentialControl::force,
                                                      -part * 2.0 * kStrength * grid.dy};
  return problem;
}

// A shift of unlike ellipsoids on a coarse grid.
ContactProblem unlike_ellipsoids() {
  ContactProblem problem =
      normal_problem({6, 6, 0.4142, 0.5468, -1.0486, -1.4154}, {3.122, 0.1055},
                     QuadraticShape{0.01433, 0.0, 0.00902}, NormalControl::force, 0.2607);
  problem.lower = {24.69, 0.4326};
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.3;
  step.friction.shear_strength = 0.0161;
  step.tangential.problem = TangentialProblem::shift;
  step.tangential.x.value = -0.01416;
  step.tangential.y = {TangentialControl::force, -0.01572};
  return problem;
}

}  // namespace

TEST_SUITE("oracle") {
  // With all of the strength elements at the edge were pushed out of the contact by it and came
  // back without it: 200 rounds did not agree.
  TEST_CASE("shear strength: unlike bodies whose edge leaves the contact and comes back agree") {
    const ContactProblem problem = unlike_ellipsoids();
    const Friction& friction = problem.steps[0].friction;
    const Solved solved = solve_under_test(problem);
    REQUIRE_MESSAGE(solved.report.outcome == Outcome::converged, solved.report.message);
    CHECK(solved.report.message.find("did not settle with the whole shear strength") !=
          std::string::npos);
    CHECK(solved.report.residual <= 1e-4);
    int of_all = 0;
    int of_less = 0;
    for (std::size_t i = 0; i < problem.grid.count(); ++i) {
      const double p = solved.fields.pressure[i];
      if (p == 0.0) continue;
      const double all = friction.shear_strength + friction.coefficient * p;
      const double part = solved.fields.traction_bound[i] / all;
      CHECK(part <= 1.0 + 1e-12);
      if (p >= 0.1 * friction.shear_strength) {
        CHECK(part == near(1.0, 1e-12));
        ++of_all;
      }
      if (part < 0.999) ++of_less;
    }
    CHECK(of_all >= 15);
    CHECK(of_less <= 2);
    CHECK_THROWS_WITH_AS(StepDerivatives(problem, problem.steps[0], solved.fields, solved.report),
                         doctest::Contains("shear strength grows with the pressure"), InputError);
  }
  TEST_CASE("shear strength: where it grows with the pressure there are no sensitivities") {
    ContactProblem problem = unlike_ellipsoids();
    problem.sensitivities = true;
    const Solved solved = solve_under_test(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    CHECK(!solved.report.sensitivities);
    CHECK(!solved.report.approach_sensitivities);
    CHECK(solved.report.message.find("there are no sensitivities") != std::string::npos);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("shear strength: a circle that slides carries its strength times its area") {
    for (const double friction : {0.0, 0.3}) {
      ContactProblem problem = sheared_sphere(40, TangentialControl::rigid, 0.1);
      problem.steps[0].friction.coefficient = friction;
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_slip == solved.report.elements_contact);
      const double wanted = kStrength * kPi + friction * problem.steps[0].normal.value;
      CHECK(std::abs(solved.report.force_x) == near(wanted, 0.01));  // of the elements at the rim
      CHECK(std::abs(solved.report.force_x) ==
            near(greatest_force(problem, solved.report), 1e-9));  // rounding
      for (std::size_t i = 0; i < problem.grid.count(); ++i) {
        const double p = solved.fields.pressure[i];
        CHECK(solved.fields.traction_bound[i] == near(p > 0.0 ? kStrength + friction * p : 0.0));
      }
    }
  }

  TEST_CASE("shear strength: partial slip of a strip, its adhesion and its tractions") {
    // THEORY.md 5.6: Q = 2 tau_0 sqrt(a^2 - c^2) by length, here c = 0.6 a.
    for (const bool across : {true, false}) {
      std::vector<double> errors;
      for (const int n : {65, 130, 260}) {
        const ContactProblem problem = sheared_cylinders(n, across, 0.8);
        const Solved solved = solve_under_test(problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        const double spacing = problem.grid.dx;
        const double a = 0.5 * static_cast<double>(solved.report.elements_contact) * spacing;
        CHECK(std::abs(a - 1.0) <= 0.51 * spacing);  // whole elements
        const double width2 = 0.64;                  // a^2 - c^2 by the force
        const double c2 = a * a - width2;
        const auto sticks = static_cast<double>(solved.report.elements_adhesion) * spacing;
        CHECK(std::abs(sticks - 2.0 * std::sqrt(c2)) <= 2.0 * spacing);  // at both ends
        const auto& traction = across ? solved.fields.traction_x : solved.fields.traction_y;
        double difference = 0.0;
        double size = 0.0;
        for (int ix = 0; ix < n; ++ix) {
          if (!(solved.fields.pressure[static_cast<std::size_t>(ix)] > 0.0)) continue;
          const double x2 = problem.grid.x(ix) * problem.grid.x(ix);
          const double wanted =
              x2 >= c2 ? kStrength
                       : 2.0 * kStrength / kPi * std::atan(std::sqrt(width2 / (c2 - x2)));
          const double found = std::abs(traction[static_cast<std::size_t>(ix)]);
          difference += std::abs(found - wanted);
          size += wanted;
        }
        errors.push_back(difference / size);
      }
      CHECK(errors.back() <= 0.005);
      CHECK(errors.back() <= 0.5 * errors.front());  // four times as fine
    }
  }
}

TEST_SUITE("unit") {
  TEST_CASE("shear strength: a force beyond it is refused with what the contact carries") {
    ContactProblem problem = sheared_sphere(20, TangentialControl::force, -0.9 * kStrength * kPi);
    CHECK(solve_under_test(problem).report.outcome == Outcome::converged);
    problem.steps[0].tangential.x.value *= 1.5;
    const StepReport beyond = solve_under_test(problem).report;
    CHECK(beyond.outcome == Outcome::not_converged);
    CHECK(beyond.message.find("its area times the shear strength") != std::string::npos);
  }

  TEST_CASE("shear strength: surfaces that adhere carry it where they touch") {
    for (const AdhesionLaw law : {AdhesionLaw::maugis, AdhesionLaw::exponential}) {
      ContactProblem problem = sheared_sphere(24, TangentialControl::rigid, 0.1);
      problem.adhesion = {law, 2e-6, 0.001};
      problem.steps[0].normal.value = -1e-4;  // pulled
      const Solved solved = solve_under_test(problem);
      CAPTURE(solved.report.message);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_contact > 20);
      CHECK(std::abs(solved.report.force_x) == near(greatest_force(problem, solved.report), 1e-9));
    }
  }

  TEST_CASE("shear strength: unlike bodies roll with it, and methods agree") {
    ContactProblem problem = sheared_sphere(16, TangentialControl::rigid, 0.004);
    problem.lower = {3.0, 0.1};
    StepInput& step = problem.steps[0];
    step.friction.coefficient = 0.2;
    step.tangential.y.value = -0.002;
    step.tangential.rotation = 0.002;
    step.tangential.problem = TangentialProblem::steady_rolling;
    step.tangential.step = problem.grid.dx;
    const Solved newton = solve_under_test(problem);
    CHECK(newton.report.elements_adhesion > 10);
    CHECK(newton.report.elements_slip > 10);
    problem.solver.tangential = TangentialMethod::gauss_seidel;
    check_equal(solve_under_test(problem), newton, 1e-5);  // solved to 1e-8
  }

  TEST_CASE("shear strength: the sensitivities are the slopes of solutions") {
    ContactProblem problem = sheared_sphere(17, TangentialControl::rigid, 0.004);
    problem.steps[0].friction.coefficient = 0.1;
    problem.steps[0].normal = {NormalControl::approach, 0.01};
    problem.solver.tolerance = 1e-11;
    problem.sensitivities = true;
    const Solved solved = solve_under_test(problem);
    REQUIRE(solved.report.approach_sensitivities);
    CHECK(solved.report.elements_adhesion > 5);
    CHECK(solved.report.elements_slip > 5);
    const double h = 1e-8;
    double slope = 0.0;
    for (const double side : {1.0, -1.0}) {
      ContactProblem other = problem;
      other.sensitivities = false;
      other.steps[0].normal.value += side * h;
      slope += side * solve_under_test(other).report.force_x / (2.0 * h);
    }
    // Differences over 1e-6 of solutions to 1e-11.
    CHECK((*solved.report.approach_sensitivities)[1] == near(slope, 1e-4));
  }

  TEST_CASE("shear strength: what it does not go together with is refused in a sentence") {
    const auto fault_of = [](const auto& change) {
      ContactProblem problem = sheared_sphere(9, TangentialControl::rigid, 0.1);
      problem.steps[0].friction.coefficient = 0.3;
      change(problem);
      const std::vector<Fault> faults = check_problem(problem);
      REQUIRE(!faults.empty());
      return faults.front().field + ": " + faults.front().reason;
    };
    CHECK(fault_of([](ContactProblem& p) { p.layer.yield_stress = 0.1; }) ==
          "steps[0].friction.shear_strength: a layer that yields caps mu p_n alone");
    CHECK(fault_of([](ContactProblem& p) { p.steps[0].friction.kinetic = 0.2; }) ==
          "steps[0].friction.shear_strength: goes with one coefficient of friction");
    CHECK(fault_of([](ContactProblem& p) {
            p.steps[0].tangential.x = {TangentialControl::force_ratio, 0.5};
          }) ==
          "steps[0].tangential: a force_ratio is one to mu F_n alone, and a shear strength carries "
          "more");
    CHECK(fault_of([](ContactProblem& p) {
            p.steps[0].friction.shear_strength = -1.0;
          }).starts_with("steps[0].friction.shear_strength: -1 is"));
  }
}
