// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "io/heights/measures.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

template <typename Height>
std::vector<double> heights_of(const Grid& grid, Height height) {
  std::vector<double> heights;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) heights.push_back(height(grid.x(ix), grid.y(iy)));
  return heights;
}

constexpr double kRounding = 1.0e-12;

TEST_SUITE("analytic") {
  TEST_CASE("measures of heights: a wave on a periodic grid has those of its samples") {
    const Grid grid{48, 30, 0.125, 0.2, 0.3, -1.0, Boundary::periodic};
    constexpr double kHeight = 0.01;
    const double k = 2.0 * std::numbers::pi * 3.0 / 6.0;  // three waves over 48 x 0.125
    const auto wave = heights_of(grid, [&](double x, double) { return kHeight * std::sin(k * x); });
    const HeightMeasures found = measure_heights(wave, grid);
    const double sinc = std::sin(0.5 * k * grid.dx) / (0.5 * k * grid.dx);  // of differences
    CHECK(found.rms_height == test::near(kHeight / std::numbers::sqrt2, kRounding));
    CHECK(found.rms_slope == test::near(kHeight * k * sinc / std::numbers::sqrt2, kRounding));
    CHECK(found.rms_curvature ==
          test::near(0.5 * kHeight * k * k * sinc * sinc / std::numbers::sqrt2, kRounding));
  }

  TEST_CASE("measures of heights: a paraboloid on a free grid, on a map and on one row") {
    const Grid grid{13, 11, 0.2, 0.25, -1.0, -1.0};
    const auto bowl = heights_of(grid, [](double x, double y) { return x * x / 8 + y * y / 20; });
    constexpr double kOverSquare = 1.0e-11;  // rounding over dx^2
    CHECK(measure_heights(bowl, grid).rms_curvature == test::near(0.5 * (0.25 + 0.1), kOverSquare));
    const Grid row{13, 1, 0.2, 5.0, -1.0, -2.5};
    const auto line = heights_of(row, [](double x, double) { return x * x / 8; });
    CHECK(measure_heights(line, row).rms_curvature == test::near(0.25, kOverSquare));
  }

  TEST_CASE("measures of heights: what is infinite is left out, and a plane has its slope") {
    const Grid grid{9, 7, 0.5, 0.25, 0.0, 0.0};
    auto plane = heights_of(grid, [](double x, double y) { return 0.3 * x - 0.4 * y + 2.0; });
    plane[grid.index(4, 3)] = std::numeric_limits<double>::infinity();
    const HeightMeasures found = measure_heights(plane, grid);
    CHECK(found.rms_slope == test::near(0.5, kRounding));
    CHECK(found.rms_curvature == test::within(0.0, 1e-13));  // rounding of heights of 2 over dx^2
    CHECK(measure_heights({1.0, 3.0}, {2, 1, 1.0, 1.0}).rms_height == test::near(1.0));
  }
}

}  // namespace
}  // namespace slipfield
