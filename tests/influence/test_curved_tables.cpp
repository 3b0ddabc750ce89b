// SPDX-License-Identifier: Apache-2.0
// Turned coefficients, inclinations and tables of numbers, by hand.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <numbers>

#include "solver/influence/curved_tables.h"
#include "tests/support/near.h"

namespace slipfield {

TEST_SUITE("unit") {
  TEST_CASE("conformal: inclinations between and beyond the points, and their straight line") {
    const ConformalCorrection groove{{0.0, 1.0, 3.0}, {0.1, 0.3, 0.2}};
    CHECK(inclination(groove, 0.5) == test::near(0.2));
    CHECK(inclination(groove, 2.0) == test::near(0.25));
    CHECK(inclination(groove, -1.0) == test::near(-0.1));
    CHECK(inclination(groove, 5.0) == test::near(0.1));
    // About the means 4/3 and 0.2: (-4/3 (-0.1) - 1/3 0.1)/(16/9 + 1/9 + 25/9).
    CHECK(inclination_slope(groove) == test::near(0.1 / (42.0 / 9.0)));
  }

  TEST_CASE("conformal: a quarter turn exchanges the directions across and into the surface") {
    const CoefficientMatrix a{1, 2, 3, 4, 5, 6, 7, 8, 9};
    const CoefficientMatrix loads{1, 3, -2, 4, 6, -5, 7, 9, -8};
    const CoefficientMatrix without_xn{1, 3, 3, 4, 6, -5, 7, 9, -8};
    const CoefficientMatrix displacements{1, 2, 3, -7, -8, -9, 4, 5, 6};
    const std::array<const CoefficientMatrix*, 3> expected{&loads, &without_xn, &displacements};
    for (int variant = 1; variant <= 3; ++variant) {
      const CoefficientMatrix turned = turned_coefficients(a, std::numbers::pi / 2.0, variant);
      for (std::size_t k = 0; k < turned.size(); ++k)
        CHECK(turned[k] == test::near((*expected[static_cast<std::size_t>(variant) - 1])[k]));
    }
    // Half of the turn on either side: twice an eighth.
    const CoefficientMatrix both = turned_coefficients(a, std::numbers::pi, 4);
    const CoefficientMatrix half = turned_coefficients(
        turned_coefficients(a, std::numbers::pi / 2.0, 1), std::numbers::pi / 2.0, 3);
    for (std::size_t k = 0; k < both.size(); ++k) CHECK(both[k] == test::near(half[k]));
  }

  TEST_CASE("curved influence: a table smaller than the grid counts as 0 beyond, mirrored in x") {
    TabulatedCoefficients tables{
        2, 1, 1, {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}};
    const CoefficientMatrix mirrored{1, -2, -3, -4, 5, 6, -7, 8, 9};
    CHECK(tables.at(-1, 0, 0) == mirrored);
    CHECK(tables.at(2, 0, 0) == CoefficientMatrix{});
    CHECK(tables.at(0, 1, 0) == CoefficientMatrix{});
  }
}

}  // namespace slipfield
