// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>

#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"
#include "tests/support/rolling_ellipse.h"

namespace slipfield {
namespace {

using test::kPi;
using test::rolling_ellipse;

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("second order: Carter's creepage, with an error that falls faster than the element") {
    const double radius = 100.0;
    const double length = 1.0e4;
    const double line_force = kPi / 0.72 / (4.0 * radius);  // a = 1
    const double friction = 0.3;
    const double q = 0.64;
    const double creepage = friction / radius * (1.0 - std::sqrt(1.0 - q));
    std::array<double, 2> worst{};  // of first and second order, at the finest grid
    for (const RollingScheme scheme : {RollingScheme::first_order, RollingScheme::second_order}) {
      for (const int n : {73, 146, 292}) {
        ContactProblem problem =
            test::normal_problem({n, 1, 2.2 / n, length, -1.1, -0.5 * length}, {1.0, 0.28},
                                 CylinderShape{radius, CylinderAxis::y}, NormalControl::force,
                                 line_force * length, 1e-8);
        problem.solver.rolling = scheme;
        problem.steps[0].friction.coefficient = friction;
        Tangential& t = problem.steps[0].tangential;
        t.problem = TangentialProblem::steady_rolling;
        t.step = problem.grid.dx;
        t.x = {TangentialControl::force_ratio, -q};
        problem.error_estimate = true;
        const test::Solved solved = test::solve(problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        REQUIRE(solved.report.error);
        CHECK(std::abs(solved.report.rigid_x - creepage) <= 2.0 * solved.report.error->creepage_x);
        // The row stays one row: nothing but the element's share stands for the moment.
        CHECK(solved.report.error->moment_z <=
              friction * solved.report.normal_force * std::sqrt(length) / n);
        const double error = std::abs(solved.report.rigid_x / creepage - 1.0);
        CAPTURE(n);
        const bool second = scheme == RollingScheme::second_order;
        MESSAGE(std::string(second ? "second" : "first"), " order, ", n, " elements: ", error);
        worst.at(second ? 1 : 0) = error;
        // Edge and border lie anywhere within an element: the error is that of the worst place.
        if (second) CHECK(error <= 6.0 * std::pow(2.2 / n, 1.5));
      }
    }
    CHECK(worst[1] <= 0.25 * worst[0]);
  }
}

TEST_SUITE("oracle") {
  TEST_CASE(
      "second order: a contact turned by right angles, or pressed by newton, has its totals") {
    // Some rows of 5 elements lie symmetrically about the middle.
    const auto turned = [](int quarters, NormalMethod normal) {
      constexpr int kSize = 35;
      constexpr double kSpacing = 0.02;
      const double start = -0.5 * kSize * kSpacing;
      const bool odd = quarters % 2 == 1;
      ContactProblem problem = test::normal_problem(
          {kSize, kSize, kSpacing, kSpacing, start, start}, {82031.25, 0.28},
          EllipsoidShape{odd ? 6.0 : 10.0, odd ? 10.0 : 6.0}, NormalControl::force, 200.0, 1e-10);
      problem.solver.rolling = RollingScheme::second_order;
      problem.solver.normal = normal;
      StepInput& step = problem.steps[0];
      step.friction.coefficient = 0.3;
      Tangential& t = step.tangential;
      t.problem = TangentialProblem::steady_rolling;
      t.step = kSpacing;
      t.direction = 0.5 * kPi * quarters;
      std::array<double, 2> creepage{1e-3, 5e-4};
      for (int k = 0; k < quarters; ++k) creepage = {-creepage[1], creepage[0]};
      t.x.value = creepage[0];
      t.y.value = creepage[1];
      t.rotation = 4e-3;
      StepReport report = test::solve(problem).report;
      REQUIRE(report.outcome == Outcome::converged);
      for (int k = 0; k < quarters; ++k) {
        const double back = -report.force_x;
        report.force_x = report.force_y;
        report.force_y = back;
      }
      return report;
    };
    const StepReport plain = turned(0, NormalMethod::bound_cg);
    for (const NormalMethod normal : {NormalMethod::bound_cg, NormalMethod::newton})
      for (int quarters = 0; quarters < 4; ++quarters) {
        CAPTURE(quarters);
        const StepReport report = turned(quarters, normal);
        const double bound = 0.3 * plain.normal_force;
        // The tolerances of the rounds leave 1e-7; M_z over the contact's length.
        CHECK(std::abs(report.force_x - plain.force_x) <= 1e-6 * bound);
        CHECK(std::abs(report.force_y - plain.force_y) <= 1e-6 * bound);
        CHECK(std::abs(report.moment_z - plain.moment_z) <= 1e-6 * 0.5 * bound);
        CHECK(report.elements_slip == plain.elements_slip);
      }
  }

  TEST_CASE("second order: a long transient ends in the steady state of the same scheme") {
    constexpr int kSize = 32;
    const double angle = 0.5 * kPi;
    const ContactProblem steady = rolling_ellipse(kSize, RollingScheme::second_order, angle);
    const StepReport end = test::solve(steady).report;
    const StepReport plain =
        test::solve(rolling_ellipse(kSize, RollingScheme::first_order, angle)).report;
    const double bound = 0.3 * end.normal_force;
    const auto away = [&](const StepReport& report) {
      return std::hypot(report.force_x - end.force_x, report.force_y - end.force_y) / bound;
    };
    // The corrections of either end where they change the tractions by little.
    constexpr double kApart = 1.5e-3;
    CHECK(away(plain) >= 4.0 * kApart);

    ContactProblem transient = steady;
    StepInput& step = transient.steps[0];
    step.tangential.problem = TangentialProblem::transient_rolling;
    const auto from_rest = make_cpu_solver(transient);
    StepReport report;
    for (int k = 0; k < 3 * kSize; ++k) {
      report = from_rest->advance(step);
      REQUIRE(report.outcome == Outcome::converged);
    }
    CHECK(away(report) <= kApart);

    // Behind a steady step nothing changes from the first transient one on.
    const auto from_steady = make_cpu_solver(transient);
    REQUIRE(from_steady->advance(steady.steps[0]).outcome == Outcome::converged);
    for (int k = 0; k < kSize / 2; ++k) {
      report = from_steady->advance(step);
      REQUIRE(report.outcome == Outcome::converged);
      CHECK(away(report) <= kApart);
    }
  }

  TEST_CASE("second order: elements longer than wide, of which some slip at the leading edge") {
    // What the corrections do to a row's tractions must not come back to them alone: without the
    // mean over rows the rounds do not settle.
    const auto solve = [](int n, RollingScheme scheme) {
      ContactProblem problem =
          test::normal_problem(test::centred_grid(n, n, 4.581, 1.129), {1.0, 0.28},
                               HertzShape{3.927, 1.0, 1.0}, NormalControl::force, 0.01, 1e-6);
      problem.solver.rolling = scheme;
      test::set_motion(problem, 0.3, TangentialProblem::steady_rolling, -2.635e-5, 3.86e-5,
                       4.385e-5);
      return test::solve(problem).report;
    };
    const StepReport fine = solve(160, RollingScheme::second_order);
    const StepReport coarse = solve(48, RollingScheme::second_order);
    const StepReport plain = solve(48, RollingScheme::first_order);
    CHECK(coarse.message.empty());
    const double bound = 0.3 * fine.normal_force;
    const auto error = [&](const StepReport& report) {
      return std::hypot(report.force_x - fine.force_x, report.force_y - fine.force_y) / bound;
    };
    MESSAGE("errors of 48 x 48: ", error(coarse), " and ", error(plain));
    CHECK(error(coarse) <= 1.5e-3);
    CHECK(error(coarse) <= 0.3 * error(plain));
  }

  TEST_CASE("second order: the way from a shift to steady rolling, against a fine grid") {
    // From full adhesion over half the contact's length.
    const auto on_the_way = [](int n, RollingScheme scheme) {
      ContactProblem problem = rolling_ellipse(n, scheme);
      StepInput& step = problem.steps[0];
      step.tangential.problem = TangentialProblem::transient_rolling;
      StepInput shift = step;
      shift.tangential = {};
      shift.tangential.problem = TangentialProblem::shift;
      shift.tangential.x = {TangentialControl::rigid, 3.0e-4};
      const auto solver = make_cpu_solver(problem);
      REQUIRE(solver->advance(shift).outcome == Outcome::converged);
      StepReport report;
      for (int k = 0; k < n / 2; ++k) {
        report = solver->advance(step);
        REQUIRE(report.outcome == Outcome::converged);
      }
      return report;
    };
    const StepReport fine = on_the_way(80, RollingScheme::second_order);
    const double bound = 0.3 * fine.normal_force;
    const auto error = [&](int n, RollingScheme scheme) {
      const StepReport report = on_the_way(n, scheme);
      return std::hypot(report.force_x - fine.force_x, report.force_y - fine.force_y) / bound;
    };
    const double second = error(24, RollingScheme::second_order);
    const double first = error(24, RollingScheme::first_order);
    MESSAGE("errors of 24 x 24: ", second, " and ", first);
    CHECK(second <= 0.4 * first);
  }

  TEST_CASE("second order: rolling in the four directions of the grid is the same") {
    const test::Solved one = test::solve(rolling_ellipse(40, RollingScheme::second_order));
    REQUIRE(one.report.outcome == Outcome::converged);
    const double bound = 0.3 * one.report.normal_force;
    for (const int quarter : {1, 2, 3}) {
      CAPTURE(quarter);
      const double angle = 0.5 * kPi * quarter;
      const test::Solved other =
          test::solve(rolling_ellipse(40, RollingScheme::second_order, angle));
      REQUIRE(other.report.outcome == Outcome::converged);
      const double x = std::cos(angle) * one.report.force_x - std::sin(angle) * one.report.force_y;
      const double y = std::sin(angle) * one.report.force_x + std::cos(angle) * one.report.force_y;
      const double tolerance = 1e-5 * bound;  // tolerance 1e-7 of tractions, rounds settled equally
      CHECK(std::abs(other.report.force_x - x) <= tolerance);
      CHECK(std::abs(other.report.force_y - y) <= tolerance);
      CHECK(std::abs(other.report.moment_z - one.report.moment_z) <= tolerance);
    }
  }

  TEST_CASE(
      "second order: forces of a coarse grid are those of a fine one, and slip vanishes in "
      "adhesion to second order, by direct summation") {
    const ContactProblem problem = rolling_ellipse(32, RollingScheme::second_order);
    const test::Solved coarse = test::solve(problem);
    const test::Solved fine = test::solve(rolling_ellipse(128, RollingScheme::second_order));
    const test::Solved plain = test::solve(rolling_ellipse(32, RollingScheme::first_order));
    REQUIRE(coarse.report.outcome == Outcome::converged);
    REQUIRE(fine.report.outcome == Outcome::converged);
    const double bound = 0.3 * fine.report.normal_force;
    const auto error = [&](const StepReport& report) {
      return std::hypot(report.force_x - fine.report.force_x,
                        report.force_y - fine.report.force_y) /
             bound;
    };
    MESSAGE("errors of 32 x 32: ", error(coarse.report), " and ", error(plain.report));
    CHECK(error(coarse.report) <= 4e-3);  // 0.0015 at 64 x 64
    CHECK(error(coarse.report) <= 0.5 * error(plain.report));
    // Friction dissipates what the forces do, and the slip of fine elements adds up to it.
    double sum = 0.0;
    for (std::size_t i = 0; i < fine.fields.slip_x.size(); ++i)
      sum += fine.fields.traction_x[i] * fine.fields.slip_x[i] +
             fine.fields.traction_y[i] * fine.fields.slip_y[i];
    const double element = problem.grid.element_area() / 16.0;
    CHECK(std::abs(element * sum / fine.report.friction_work - 1.0) <= 0.03);
    const auto off =
        [&](const StepReport& report) {  // a step of the fine grid is a quarter as long
          return std::abs(report.friction_work / (4.0 * fine.report.friction_work) - 1.0);
        };
    CHECK(off(coarse.report) <= 0.01);
    CHECK(off(plain.report) >= 0.05);

    const Grid& grid = problem.grid;
    const CombinedMaterial material = combine(problem.upper, problem.lower);
    const double dq = grid.dx;
    std::array<test::DenseDisplacements, 3> u;
    for (int k = 0; k < 3; ++k)
      u.at(static_cast<std::size_t>(k)) =
          test::dense_displacements(grid, material, coarse.fields, k * dq, 0.0);
    const Tangential& t = problem.steps[0].tangential;
    int counted = 0;
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix + 4 < grid.mx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        if (coarse.fields.element_division[i] != ElementState::adhesion ||
            coarse.fields.element_division[grid.index(ix + 3, iy)] == ElementState::exterior)
          continue;
        const double slip_x = dq * (t.x.value - t.rotation * grid.y(iy)) + 1.5 * u[0].x[i] -
                              2.0 * u[1].x[i] + 0.5 * u[2].x[i];
        const double slip_y = dq * (t.y.value + t.rotation * grid.x(ix)) + 1.5 * u[0].y[i] -
                              2.0 * u[1].y[i] + 0.5 * u[2].y[i];
        // What the last corrections changed, against the creepage.
        CHECK(std::hypot(slip_x, slip_y) <= 0.05 * dq * 2.5e-4);
        ++counted;
      }
    }
    CHECK(counted > 100);
  }

  TEST_CASE(
      "second order: newton and gauss_seidel come to the same forces, of like and unlike bodies") {
    test::Random random(11);
    for (int k = 0; k < 8; ++k) {
      CAPTURE(k);
      ContactProblem problem = rolling_ellipse(20, RollingScheme::second_order);
      if (k % 2 == 1) problem.lower.shear_modulus *= 3.0;
      Tangential& t = problem.steps[0].tangential;
      const double size = std::pow(10.0, random.uniform(-4.3, -3.3));
      const double angle = random.uniform(0.0, 2.0 * kPi);
      t.x.value = size * std::cos(angle);
      t.y.value = size * std::sin(angle);
      t.rotation = random.uniform(-3.0e-4, 3.0e-4);
      problem.solver.tangential = TangentialMethod::newton;
      const StepReport newton = test::solve(problem).report;
      problem.solver.tangential = TangentialMethod::gauss_seidel;
      const StepReport sweeps = test::solve(problem).report;
      REQUIRE(newton.outcome == Outcome::converged);
      REQUIRE(sweeps.outcome == Outcome::converged);
      CHECK(sweeps.residual <= 1.0e-5);  // 100 times the tolerance
      // The corrections of both are kept where they change the tractions by 2e-3, of which the
      // tolerances of the rounds leave a twentieth.
      const double bound = newton.friction_coefficient * newton.normal_force;
      CHECK(std::abs(newton.force_x - sweeps.force_x) <= 1.0e-4 * bound);
      CHECK(std::abs(newton.force_y - sweeps.force_y) <= 1.0e-4 * bound);
      CHECK(std::abs(newton.moment_z - sweeps.moment_z) <= 2.0e-4 * bound);  // a is 2
    }
  }
}

}  // namespace slipfield
