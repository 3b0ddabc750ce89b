// SPDX-License-Identifier: Apache-2.0
// Two unlike rollers, K != 0, where the outer iteration or newton is led astray (THEORY.md 6.11, 8.1).
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/rolling_ellipse.h"

namespace slipfield::test {

TEST_SUITE("analytic") {
  // An element at the edge is pushed out of the contact by what its friction carries: rounds that
  // alternate with it in and out do not end.
  TEST_CASE("unlike rollers: much friction, edges that lie anyhow on the grid") {
    for (const int n : {68, 145, 222, 299, 348, 376}) {
      CAPTURE(n);
      const Solved solved = solve(unlike_rollers(n, 10.0));
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.iterations_outer < 50);
      CHECK(solved.report.residual < 1e-5);
      CHECK(std::abs(solved.report.force_x) < 1e-6 * solved.report.normal_force);
      // Between that of full adhesion (CONTACT, case bentall: 3.591e-4) and an edge that slips.
      CHECK(std::abs(solved.report.rigid_x / 3.591e-4 - 1.0) < 0.03);
    }
  }

  // Without friction the surfaces slip in the parts that the pressure stretches them by: one element
  // or two in the middle adhere. Where all slip alike the force tells nothing of the creepage.
  TEST_CASE("unlike rollers: hardly any friction, the creepage of none [Bentall and Johnson]") {
    for (const int n : {131, 216, 278}) {
      CAPTURE(n);
      const Solved solved = solve(unlike_rollers(n, 1e-4));
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_adhesion <= 2);
      CHECK(solved.report.rigid_x == doctest::Approx(5.26e-4).epsilon(3e-3).scale(0.0));
    }
  }
}

}  // namespace slipfield::test
