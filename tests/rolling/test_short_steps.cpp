// SPDX-License-Identifier: Apache-2.0
// Steady rolling in steps much shorter than an element, where newton stalls (THEORY.md 6.12).
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/fields/fixed_point.h"
#include "solver/number_text.h"
#include "solver/step/step_outcome.h"
#include "tests/support/near.h"
#include "tests/support/rolling_ellipse.h"

namespace slipfield::test {

TEST_SUITE("analytic") {
  TEST_CASE("short steps: converged, symmetric, and near the forces of whole elements") {
    for (const int n : {36, 37}) {
      CAPTURE(n);
      const Solved whole = solve(balanced_spin(n, 1.0));
      const Solved tenth = solve(balanced_spin(n, 0.1));
      REQUIRE(whole.report.outcome == Outcome::converged);
      REQUIRE(tenth.report.outcome == Outcome::converged);
      CHECK(tenth.report.message.find("proximal point method") != std::string::npos);
      const double friction = 0.3 * tenth.report.normal_force;
      CHECK(std::abs(tenth.report.force_x) < 1e-5 * friction);
      // The schemes differ by an error of the first order.
      CHECK(std::abs(tenth.report.force_y - whole.report.force_y) < 0.04 * friction);
      CHECK(std::abs(tenth.report.force_y - whole.report.force_y) > 1e-4 * friction);
      // The independent residual is over S_xx(0), which is a hundredth of that of a whole step.
      CHECK(tenth.report.residual < 1e-5);
    }
  }

  TEST_CASE("short steps: a force is found, and gives its creepage back") {
    ContactProblem given = balanced_spin(37, 0.1);
    const Solved first = solve(given);
    given.steps[0].tangential.y = {TangentialControl::force, first.report.force_y};
    const Solved second = solve(given);
    REQUIRE(second.report.outcome == Outcome::converged);
    CHECK(second.report.rigid_y == near(-6.25e-4, 1e-3));
  }

  TEST_CASE("mixing: a linear iteration of n unknowns ends after n + 1 rounds") {
    // g(x) = M x + b, whose plain iteration would diverge
    Eigen::Matrix3d matrix;
    matrix << 0.9, 0.3, 0.0, -0.3, 0.9, 0.1, 0.0, 0.2, 1.4;
    const Eigen::Vector3d constant(1.0, -2.0, 0.5);
    CpuBackend backend;
    AndersonMixing<CpuBackend> mixing(backend, 3);
    std::vector<double> x(3, 0.0);
    for (int round = 0; round < 4; ++round) {
      const Eigen::Vector3d result = matrix * Eigen::Vector3d(x[0], x[1], x[2]) + constant;
      std::vector<double> next(result.data(), result.data() + 3);
      mixing.mix<1>({x.data()}, {next.data()});
      x = next;
    }
    const Eigen::Vector3d fixed =
        (Eigen::Matrix3d::Identity() - matrix).partialPivLu().solve(constant);
    for (int k = 0; k < 3; ++k) CHECK(x[static_cast<std::size_t>(k)] == near(fixed[k], 1e-9));
  }
}

TEST_SUITE("unit") {
  TEST_CASE("short steps: a longer one is suggested where steady rolling in them fails") {
    const ContactProblem problem = balanced_spin(36, 0.5);  // of an element
    const double whole = problem.grid.dx;
    Tangential tangential = problem.steps[0].tangential;
    CHECK(longer_step_text(Ending::tangential_failed, tangential, problem.grid) ==
          "a step of a whole element, " + number_text(whole) +
              ", converges more easily than one of " + number_text(0.5 * whole));
    CHECK(longer_step_text(Ending::no_agreement, tangential, problem.grid).empty());
    tangential.step = 0.6 * whole;
    CHECK(longer_step_text(Ending::tangential_failed, tangential, problem.grid).empty());
    tangential.step = 0.1 * whole;
    tangential.problem = TangentialProblem::transient_rolling;
    CHECK(longer_step_text(Ending::tangential_failed, tangential, problem.grid).empty());
  }
}

}  // namespace slipfield::test
