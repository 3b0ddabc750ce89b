// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::kPi;

constexpr std::array<TangentialMethod, 2> kMethods{TangentialMethod::gauss_seidel,
                                                   TangentialMethod::newton};

// Two spheres with contact radius a = 1 and a shift. Shift by closed form [Cattaneo, Mindlin];
// exact for nu = 0, where shear in x moves nothing in y.
struct Spheres {
  double shear_modulus = 1.0;
  double poisson_ratio = 0.0;
  double radius = 100.0;
  double friction = 0.4;

  [[nodiscard]] double force() const {
    return 4.0 / 3.0 * shear_modulus / (1.0 - poisson_ratio) / radius;
  }
  [[nodiscard]] double sliding_force() const { return friction * force(); }
  // Shift at which all elements slip.
  [[nodiscard]] double sliding_shift() const {
    return 3.0 * sliding_force() * (2.0 - poisson_ratio) / (8.0 * shear_modulus);
  }
  // Shift under q = Q/(mu F_n) from rest.
  [[nodiscard]] double shift(double q) const {
    return sliding_shift() * (1.0 - std::pow(1.0 - q, 2.0 / 3.0));
  }
  // Energy lost up to q: 2 int Q dshift - Q shift.
  [[nodiscard]] double loss(double q) const {
    const double input = shift(q) - 0.4 * sliding_shift() * (1.0 - std::pow(1.0 - q, 5.0 / 3.0));
    return sliding_force() * (2.0 * input - q * shift(q));
  }
  [[nodiscard]] ContactProblem problem(int n, TangentialControl control, double value,
                                       double tolerance = 1e-8) const {
    ContactProblem p =
        test::normal_problem(test::centred_grid(n, n, 1.2, 1.2), {shear_modulus, poisson_ratio},
                             SphereShape{radius}, NormalControl::force, force(), tolerance);
    p.steps[0].friction.coefficient = friction;
    p.steps[0].tangential.problem = TangentialProblem::shift;
    p.steps[0].tangential.x = {control, value};
    return p;
  }
};

StepInput shifted(const ContactProblem& problem, TangentialControl control, double value) {
  StepInput step = problem.steps[0];
  step.tangential.x = {control, value};
  return step;
}

TEST_SUITE("analytic") {
  TEST_CASE(
      "Cattaneo shift: force, traction profile and adhesion radius converge to the closed "
      "form [Cattaneo, Mindlin]") {
    const Spheres spheres;
    const double q = 0.875;
    const double c = 0.5;  // (1 - q)^(1/3)
    const double p0 = 1.5 * spheres.force() / kPi;
    std::vector<double> h;
    std::vector<double> traction_error;
    std::vector<double> radius_error;
    std::vector<double> force_error;
    for (const int n : {16, 24, 32, 48, 64, 96, 128}) {
      const ContactProblem problem = spheres.problem(n, TangentialControl::rigid, spheres.shift(q));
      const test::Solved solved = test::solve(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      const Grid& grid = problem.grid;
      double difference2 = 0.0;
      double exact2 = 0.0;
      for (int iy = 0; iy < n; ++iy) {
        for (int ix = 0; ix < n; ++ix) {
          const double r2 = grid.x(ix) * grid.x(ix) + grid.y(iy) * grid.y(iy);
          const double outer = r2 < 1.0 ? std::sqrt(1.0 - r2) : 0.0;
          const double inner = r2 < c * c ? std::sqrt(c * c - r2) : 0.0;
          const double exact = -spheres.friction * p0 * (outer - inner);
          const std::size_t i = grid.index(ix, iy);
          difference2 += std::pow(solved.fields.traction_x[i] - exact, 2);
          exact2 += exact * exact;
          CHECK(solved.fields.traction_y[i] == 0.0);
        }
      }
      h.push_back(grid.dx);
      traction_error.push_back(std::sqrt(difference2 / exact2));
      radius_error.push_back(std::sqrt(static_cast<double>(solved.report.elements_adhesion) *
                                       grid.element_area() / kPi) /
                                 c -
                             1.0);
      force_error.push_back(-solved.report.force_x / (q * spheres.sliding_force()) - 1.0);
      CHECK(std::abs(radius_error.back()) <= 0.6 * grid.dx);  // whole elements
      // All slip is in the direction of one force: the loss of one step is that of the way to it.
      CHECK(solved.report.friction_work ==
            test::near(-spheres.loss(q), 0.5 * grid.dx * grid.dx + 1e-4));
    }
    const double traction_order = test::observed_order(h, traction_error);
    const double force_order = test::observed_order(h, force_error);
    MESSAGE("128 x 128: traction in L2 ", traction_error.back(), ", adhesion radius ",
            radius_error.back(), ", force ", force_error.back(), "; observed orders of traction ",
            traction_order, ", force ", force_order);
    CHECK(traction_order > 0.8);  // infinite slopes at both rims
    CHECK(traction_order < 1.6);
    CHECK(force_order > 1.6);
    CHECK(std::abs(force_error.back()) <= 2e-5);  // (dx/a)^2/20
    CHECK(traction_error.back() <= 0.005);        // 0.3 dx/a
  }

  TEST_CASE(
      "Cattaneo shift: shift from the force, and back to zero force [Cattaneo, "
      "Mindlin]") {
    const Spheres spheres;
    for (const TangentialMethod method : kMethods) {
      for (const double q : {0.2, 0.6, 0.95}) {
        ContactProblem problem = spheres.problem(48, TangentialControl::force_ratio, -q);
        problem.solver.tangential = method;
        problem.steps.push_back(shifted(problem, TangentialControl::force, 0.0));
        const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
        const StepReport loaded = solver->advance(problem.steps[0]);
        REQUIRE(loaded.outcome == Outcome::converged);
        CAPTURE(q);
        CHECK(loaded.force_x == test::near(-q * spheres.sliding_force(), 1e-7));
        CHECK(loaded.rigid_x == test::near(spheres.shift(q), 2e-3));  // (dx/a)^2
        const StepReport unloaded = solver->advance(problem.steps[1]);
        REQUIRE(unloaded.outcome == Outcome::converged);
        CHECK(std::abs(unloaded.force_x) <= 1e-7 * spheres.sliding_force());
        // Unloading runs twice the loading curve of half the change of force: it leaves a shift.
        const double rest = spheres.shift(q) - 2.0 * spheres.shift(0.5 * q);
        CHECK(rest > 0.0);
        const double difference = loaded.rigid_x + unloaded.rigid_x - rest;
        CHECK(std::abs(difference) <= 2e-3 * spheres.shift(q));  // as above
        CHECK(unloaded.friction_work < 0.0);
      }
    }
  }

  TEST_CASE(
      "Cattaneo shift, one cycle: each half loses twice what the first loading lost [Masing]") {
    const Spheres spheres;
    const double q = 0.8;
    const ContactProblem problem = spheres.problem(48, TangentialControl::force_ratio, -q, 1e-9);
    const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
    const StepReport first = solver->advance(problem.steps[0]);
    const StepReport back = solver->advance(shifted(problem, TangentialControl::force_ratio, q));
    const StepReport again = solver->advance(shifted(problem, TangentialControl::force_ratio, -q));
    CHECK(back.friction_work == test::near(2.0 * first.friction_work, 1e-6));  // tol.
    CHECK(again.friction_work == test::near(2.0 * first.friction_work, 1e-6));
    CHECK(back.rigid_x == test::near(-2.0 * first.rigid_x, 1e-6));
    // The cycle closes: tractions and energy as after the first loading.
    CHECK(back.rigid_x == test::near(-again.rigid_x, 1e-6));
    CHECK(again.elastic_energy == test::near(first.elastic_energy, 1e-7));
    CHECK(again.elements_adhesion >= first.elements_adhesion);
  }

  TEST_CASE("shift with next to no slip: force = 4 G a/(2-nu) times shift, any nu [Mindlin]") {
    Spheres spheres;
    spheres.poisson_ratio = 0.42;
    spheres.friction = 100.0;
    std::vector<double> h;
    std::vector<double> error;
    for (const int n : {16, 32, 64}) {
      const double shift = 1e-5;
      const ContactProblem problem = spheres.problem(n, TangentialControl::rigid, shift);
      const test::Solved solved = test::solve(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_slip <= solved.report.elements_contact / 20);
      h.push_back(problem.grid.dx);
      error.push_back(-solved.report.force_x / (4.0 / (2.0 - 0.42) * shift) - 1.0);
    }
    const double order = test::observed_order(h, error);
    MESSAGE("64 x 64: force ", error.back(), "; observed order ", order);
    CHECK(std::abs(error.back()) <= 0.02);  // first order in dx/a: singular at the rim
  }

  TEST_CASE(
      "rotation: moment 8/3 G a^3 times rotation with next to no slip, 3 pi/16 mu F_n a in "
      "full sliding [Mindlin]") {
    Spheres spheres;
    spheres.poisson_ratio = 0.3;
    for (const TangentialMethod method : kMethods) {
      spheres.friction = 100.0;
      ContactProblem problem = spheres.problem(48, TangentialControl::rigid, 0.0);
      problem.solver.tangential = method;
      problem.steps[0].tangential.rotation = 1e-5;
      const test::Solved stuck = test::solve(problem);
      REQUIRE(stuck.report.outcome == Outcome::converged);
      CHECK(stuck.report.moment_z ==
            test::near(-8.0 / 3.0 * 1e-5, 0.04));  // first order in dx/a = 0.05
      spheres.friction = 0.4;
      problem = spheres.problem(48, TangentialControl::rigid, 0.0);
      problem.solver.tangential = method;
      problem.steps[0].tangential.rotation = 1.0;
      const test::Solved sliding = test::solve(problem);
      REQUIRE(sliding.report.outcome == Outcome::converged);
      CHECK(sliding.report.moment_z ==
            test::near(-3.0 * kPi / 16.0 * spheres.sliding_force(), 1e-3));  // (dx/a)^2
      CHECK(sliding.report.elements_adhesion == 0);
      for (const StepReport& report : {stuck.report, sliding.report}) {
        CHECK(std::abs(report.force_x) <= 1e-7 * std::abs(report.moment_z));  // tolerance
        CHECK(std::abs(report.force_y) <= 1e-7 * std::abs(report.moment_z));
      }
    }
  }

  TEST_CASE(
      "Cattaneo, line contact: adhesion half width a sqrt(1 - Q/(mu F_n)) and its traction "
      "[Cattaneo]") {
    const double radius = 100.0;
    const double length = 1.0e4;
    const double poisson = 0.28;
    const double modulus = 1.0 / (1.0 - poisson);
    const double line_force = kPi * modulus / (4.0 * radius);  // a = 1
    const double p0 = 2.0 * line_force / kPi;
    const double friction = 0.3;
    const double q = 0.64;
    const double c = 0.6;
    std::vector<double> h;
    std::vector<double> error;
    for (const TangentialMethod method : kMethods) {
      for (const int n : {55, 111, 222, 444}) {
        const Grid grid{n, 1, 2.2 / n, length, -1.1, -0.5 * length};
        ContactProblem problem =
            test::normal_problem(grid, {1.0, poisson}, CylinderShape{radius, CylinderAxis::y},
                                 NormalControl::force, line_force * length, 1e-8);
        problem.solver.tangential = method;
        problem.steps[0].friction.coefficient = friction;
        problem.steps[0].tangential.problem = TangentialProblem::shift;
        problem.steps[0].tangential.x = {TangentialControl::force_ratio, q};
        const test::Solved solved = test::solve(problem);
        CAPTURE(n);
        REQUIRE(solved.report.outcome == Outcome::converged);
        const double half_width =
            0.5 * static_cast<double>(solved.report.elements_adhesion) * grid.dx;
        CHECK(std::abs(half_width - c) <= grid.dx);  // whole elements
        double difference2 = 0.0;
        double exact2 = 0.0;
        for (int ix = 0; ix < n; ++ix) {
          const double x2 = grid.x(ix) * grid.x(ix);
          const double outer = x2 < 1.0 ? std::sqrt(1.0 - x2) : 0.0;
          const double inner = x2 < c * c ? std::sqrt(c * c - x2) : 0.0;
          const double exact = friction * p0 * (outer - inner);
          difference2 += std::pow(solved.fields.traction_x[grid.index(ix, 0)] - exact, 2);
          exact2 += exact * exact;
        }
        if (method == TangentialMethod::newton) continue;
        h.push_back(grid.dx);
        error.push_back(std::sqrt(difference2 / exact2));
      }
    }
    const double order = test::observed_order(h, error);
    MESSAGE("444 elements: traction in L2 ", error.back(), "; observed order ", order);
    CHECK(order > 0.8);           // infinite slopes at the rims
    CHECK(error.back() <= 0.01);  // 2 dx/a
  }
}

TEST_SUITE("analytic") {
  // Inputs and numbers of CONTACT's example of the Cattaneo shift (cases/VERIFICATION.md).
  TEST_CASE("Cattaneo shift: the published numbers, 19 x 19, F_x prescribed, both methods") {
    const Grid grid{19, 19, 0.13333, 0.13333, -1.26667, -1.26667};
    for (const TangentialMethod method : kMethods) {
      ContactProblem problem =
          test::normal_problem(grid, {200.0, 0.42}, QuadraticShape{0.01, 0.0, 0.01, 0.0, 0.0, 0.0},
                               NormalControl::force, 9.1954, 1e-6);
      problem.solver.tangential = method;
      problem.steps[0].friction.coefficient = 0.4;
      problem.steps[0].tangential.problem = TangentialProblem::shift;
      problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.875};
      const StepReport report = test::solve(problem).report;
      REQUIRE(report.outcome == Outcome::converged);
      CHECK(report.elements_contact == 177);
      CHECK(report.elements_adhesion == 45);
      CHECK(report.elements_slip == 132);
      // Half a unit of the last digit given, each.
      CHECK(std::abs(report.max_pressure - 4.393) <= 5e-4);
      CHECK(std::abs(report.approach - 1.998e-2) <= 5e-6);
      CHECK(std::abs(report.rigid_x - 8.155e-3) <= 5e-7);
      CHECK(std::abs(report.force_x - -3.218) <= 5e-4);
      CHECK(std::abs(report.elastic_energy - 8.525e-2) <= 5e-6);
      CHECK(std::abs(report.force_y) <= 1e-6);  // tolerance
    }
  }

  TEST_CASE("Cattaneo shift: the published numbers, 64^2 and 128^2, shift prescribed") {
    struct Row {
      int n;
      double max_pressure;
      double ratio;
      int adhesion;
      TangentialMethod method;
    };
    for (const Row& row : {Row{64, 4.38913, -0.87485, 500, TangentialMethod::gauss_seidel},
                           Row{64, 4.38913, -0.87485, 500, TangentialMethod::newton},
                           Row{128, 4.39010, -0.87484, 2000, TangentialMethod::newton}}) {
      ContactProblem problem = test::normal_problem(
          test::centred_grid(row.n, row.n, 1.26667, 1.26667), {200.0, 0.42},
          QuadraticShape{0.01, 0.0, 0.01, 0.0, 0.0, 0.0}, NormalControl::force, 9.1954, 1e-6);
      problem.solver.tangential = row.method;
      problem.steps[0].friction.coefficient = 0.4;
      problem.steps[0].tangential.problem = TangentialProblem::shift;
      problem.steps[0].tangential.x = {TangentialControl::rigid, 8.155e-3};
      const StepReport report = test::solve(problem).report;
      REQUIRE(report.outcome == Outcome::converged);
      CAPTURE(row.n);
      CHECK(report.elements_adhesion == row.adhesion);
      // The digits given, and 1e-5 relative for how far that program converged.
      CHECK(std::abs(report.max_pressure / row.max_pressure - 1.0) <= 1e-5);
      CHECK(std::abs(report.force_x / (0.4 * 9.1954) - row.ratio) <= 1e-5);
    }
  }
}

}  // namespace
}  // namespace slipfield
