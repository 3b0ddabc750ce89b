// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <limits>

#include "app/report/character_map.h"

using namespace slipfield;

namespace {

Grid grid_of(int mx, int my) { return {mx, my, 1.0, 1.0, 0.0, 0.0, Boundary::free}; }

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("character map: the row of the highest y comes first") {
    constexpr auto exterior = ElementState::exterior;
    constexpr auto adhesion = ElementState::adhesion;
    constexpr auto slip = ElementState::slip;
    const auto lines =
        draw_division({exterior, adhesion, slip, slip, slip, exterior}, grid_of(3, 2), 80);
    CHECK(lines == std::vector<std::string>{"SS.", ".*S"});
  }

  TEST_CASE("character map: a grid wider than the terminal is sampled, and says so") {
    const std::vector<ElementState> division(21 * 7, ElementState::slip);
    const auto lines = draw_division(division, grid_of(21, 7), 10);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] == "(one element in 3 of x and of y; the grid is 21 x 7)");
    CHECK(lines[1] == "SSSSSSS");
  }

  TEST_CASE("character map: values scale to the greatest one, with sign, zero and infinity") {
    const double infinity = std::numeric_limits<double>::infinity();
    const auto lines = draw_field({0.0, 9.0, -9.0, 1.0, -1.0, infinity}, grid_of(6, 1), 80);
    CHECK(lines ==
          std::vector<std::string>{".9i1a#", ". = 0, 1 = 1, 9 = 9, a = -1, i = -9, # = infinite"});
  }
}
