// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "solver/error.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

ContactProblem ellipsoid_problem(const ElasticBody& lower, NormalControl control, double value) {
  ContactProblem problem =
      test::normal_problem({29, 23, 0.05, 0.06, -0.7, -0.66}, {1.0, 0.28},
                           QuadraticShape{0.5, 0.1, 0.8, 0.02, -0.03, 0.0}, control, value, 1e-12);
  problem.lower = lower;
  return problem;
}

double greatest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(a[i]));
  }
  return size > 0.0 ? difference / size : difference;
}

void check_same(const test::Solved& one, const test::Solved& two, double tolerance) {
  REQUIRE(one.report.outcome == Outcome::converged);
  REQUIRE(two.report.outcome == Outcome::converged);
  CHECK(greatest_difference(one.fields.pressure, two.fields.pressure) <= tolerance);
  CHECK(greatest_difference(one.fields.traction_x, two.fields.traction_x) <= tolerance);
  CHECK(greatest_difference(one.fields.traction_y, two.fields.traction_y) <= tolerance);
  CHECK(one.report.approach == test::near(two.report.approach, tolerance));
  CHECK(one.report.elements_contact == two.report.elements_contact);
  CHECK(one.report.elements_slip == two.report.elements_slip);
}

const ElasticBody kSame{1.0, 0.28};
const ElasticBody kStiffer{4.0, 0.1};

Tangential steady(double dx) {
  Tangential tangential;
  tangential.problem = TangentialProblem::steady_rolling;
  tangential.x.value = 0.02;
  tangential.y.value = -0.01;
  tangential.rotation = 0.03;
  tangential.step = dx;
  return tangential;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("direct: the pressure of bound_cg and of active_set_cg, to ten digits") {
    for (const ElasticBody& lower : {kSame, kStiffer}) {
      for (const NormalControl control : {NormalControl::force, NormalControl::approach}) {
        ContactProblem problem = ellipsoid_problem(lower, control, 0.12);
        problem.geometry.push_back(RoughShape{RoughSurface{0.7, false, 0.01, 0.15, 0.6, 3}});
        problem.solver.normal = NormalMethod::bound_cg;
        const test::Solved iterative = test::solve(problem);
        problem.solver.normal = NormalMethod::active_set_cg;
        const test::Solved active_set = test::solve(problem);
        problem.solver.normal = NormalMethod::dense;
        const test::Solved direct = test::solve(problem);
        check_same(iterative, direct, 1e-10);
        check_same(active_set, direct, 1e-10);
        CHECK(direct.report.residual <= 1e-12);
      }
    }
  }

  TEST_CASE("direct: the tractions of newton, shifted and rolling, forces given and not") {
    for (const ElasticBody& lower : {kSame, kStiffer}) {
      for (int kind = 0; kind < 5; ++kind) {
        CAPTURE(kind);
        ContactProblem problem = ellipsoid_problem(lower, NormalControl::force, 0.25);
        StepInput& step = problem.steps[0];
        step.friction.coefficient = 0.3;
        step.tangential = steady(problem.grid.dx);
        if (kind == 1) step.tangential.x = {TangentialControl::force_ratio, -0.5};
        if (kind == 2) step.tangential.y = {TangentialControl::force_ratio, 0.3};
        if (kind == 3) {  // from rest: one step of the build-up
          step.tangential.problem = TangentialProblem::transient_rolling;
          step.tangential.x.value = 0.3;
        }
        if (kind == 4) {
          step.tangential.problem = TangentialProblem::shift;
          step.tangential.x = {TangentialControl::force_ratio, -0.5};
          step.tangential.y = {TangentialControl::force_ratio, 0.4};
        }
        problem.solver.tolerance = 1e-11;
        problem.solver.tangential = TangentialMethod::newton;
        const test::Solved iterative = test::solve(problem);
        problem.solver.tangential = TangentialMethod::dense;
        const test::Solved direct = test::solve(problem);
        CHECK(direct.report.elements_slip > 20);
        CHECK(direct.report.elements_adhesion > 20);
        check_same(iterative, direct, 1e-9);  // a hundred times the change at which both stop
      }
    }
  }

  TEST_CASE("sensitivities: the derivatives that differences of solutions give") {
    for (const auto& [rolling, boundary] :
         {std::pair{true, Boundary::free}, std::pair{false, Boundary::free},
          std::pair{false, Boundary::periodic}}) {
      CAPTURE(rolling);
      CAPTURE(static_cast<int>(boundary));
      ContactProblem problem = ellipsoid_problem(kSame, NormalControl::force, 0.25);
      problem.grid.boundary = boundary;
      StepInput& step = problem.steps[0];
      step.friction.coefficient = 0.3;
      step.tangential = steady(problem.grid.dx);
      if (!rolling) {
        step.tangential.problem = TangentialProblem::shift;
        step.tangential.x.value *= 2.0;  // a shift is as long as a contact of rolling
      }
      problem.solver.tolerance = 1e-12;
      problem.sensitivities = true;
      const test::Solved centre = test::solve(problem);
      REQUIRE(centre.report.sensitivities.has_value());
      CHECK(centre.report.elements_slip > 20);
      CHECK(centre.report.elements_adhesion > 20);
      problem.sensitivities = false;
      for (std::size_t k = 0; k < 3; ++k) {
        CAPTURE(k);
        const double h = 1e-7;  // no element changes sides
        const auto moved = [&](double by) {
          ContactProblem other = problem;
          Tangential& t = other.steps[0].tangential;
          (k == 0 ? t.x.value : (k == 1 ? t.y.value : t.rotation)) += by;
          return test::solve(other).report;
        };
        const StepReport more = moved(h);
        const StepReport less = moved(-h);
        const std::array<double, 3> difference{(more.force_x - less.force_x) / (2.0 * h),
                                               (more.force_y - less.force_y) / (2.0 * h),
                                               (more.moment_z - less.moment_z) / (2.0 * h)};
        const double size = std::abs((*centre.report.sensitivities)[4 * k]);
        for (std::size_t row = 0; row < 3; ++row)
          CHECK(std::abs((*centre.report.sensitivities)[3 * row + k] - difference[row]) <=
                1e-4 * size);  // tolerance 1e-12 over 2 h, twice differentiable in between
      }
    }
  }

  TEST_CASE("sensitivities: on a line of very long elements, where GMRES stalls") {
    ContactProblem problem = test::normal_problem({55, 1, 0.02, 100.0, -0.55, -50.0}, {1.0, 0.28},
                                                  CylinderShape{10.0, CylinderAxis::y},
                                                  NormalControl::force, 0.5, 1e-12);
    StepInput& step = problem.steps[0];
    step.friction.coefficient = 0.3;
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.x.value = 0.005;
    problem.sensitivities = true;
    const StepReport centre = test::solve(problem).report;
    CHECK(centre.elements_slip > 5);
    CHECK(centre.elements_adhesion > 3);
    REQUIRE(centre.sensitivities.has_value());
    problem.sensitivities = false;
    const double h = 1e-9;
    step.tangential.x.value += h;
    const double more = test::solve(problem).report.force_x;
    step.tangential.x.value -= 2.0 * h;
    const double less = test::solve(problem).report.force_x;
    CHECK((*centre.sensitivities)[0] == test::near((more - less) / (2.0 * h), 1e-4));
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("sensitivities: a shift's are symmetric, as its work has a potential in adhesion") {
    ContactProblem problem = ellipsoid_problem(kSame, NormalControl::force, 0.25);
    StepInput& step = problem.steps[0];
    step.friction.coefficient = 1e4;  // everything adheres
    step.tangential = steady(1.0);
    step.tangential.problem = TangentialProblem::shift;
    problem.sensitivities = true;
    const StepReport report = test::solve(problem).report;
    REQUIRE(report.sensitivities.has_value());
    const auto& s = *report.sensitivities;
    CHECK(report.elements_slip == 0);
    for (const auto& [a, b] : {std::pair{1, 3}, std::pair{2, 6}, std::pair{5, 7}})
      CHECK(std::abs(s[static_cast<std::size_t>(a)] - s[static_cast<std::size_t>(b)]) <=
            1e-9 * std::abs(s[0]));
    // Full adhesion is linear: the force is the derivative times the shift.
    const double x = s[0] * 0.02 - s[1] * 0.01 + s[2] * 0.03;
    CHECK(report.force_x == test::near(x, 1e-6));
  }

  TEST_CASE("direct refuses what it cannot do") {
    ContactProblem problem = ellipsoid_problem(kSame, NormalControl::force, 0.01);
    problem.grid.boundary = Boundary::periodic;
    problem.steps[0].friction.coefficient = 0.3;
    problem.steps[0].tangential.problem = TangentialProblem::shift;
    problem.solver.tangential = TangentialMethod::dense;
    CHECK_THROWS_WITH_AS(test::solve(problem), doctest::Contains("periodic"), InputError);
  }
}

}  // namespace slipfield
