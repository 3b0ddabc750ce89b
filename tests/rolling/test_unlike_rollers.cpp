// SPDX-License-Identifier: Apache-2.0
// Two unlike rollers, K != 0: where plain rounds of normal and tangential problem alternate, or the
// rigid slip of a prescribed force runs away (THEORY.md 6.3, 8.1).
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/rolling_ellipse.h"

namespace slipfield::test {

TEST_SUITE("analytic") {
  // Friction pushes an element at the edge out of the contact, and without friction it comes back:
  // on these grids plain rounds did not end in 200.
  TEST_CASE("unlike rollers: much friction, edges that lie anyhow on the grid") {
    for (const int n : {68, 145, 222, 299, 348, 376}) {
      CAPTURE(n);
      const Solved solved = solve(unlike_rollers(n, 10.0));
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.iterations_outer < 100);
      CHECK(solved.report.residual < 1e-5);
      CHECK(std::abs(solved.report.force_x) < 1e-6 * solved.report.normal_force);
      // CONTACT's of 216 elements (case bentall); on other grids the edge cuts an element
      // elsewhere, which moves it by up to 3 %.
      CHECK(std::abs(solved.report.rigid_x / 3.591e-4 - 1.0) < 0.03);
    }
  }

  // Without friction each surface slips by what the pressure stretches it, creepage 5.259e-4. Here
  // one element or two in the middle still adhere; where all slip equally the force does not
  // determine the creepage. 3e-3 is the error of the coarsest grid.
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
