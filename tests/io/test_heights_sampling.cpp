// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "io/heights/sampling.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

template <class Function>
std::vector<double> at_centres(const Grid& grid, const Function& function) {
  std::vector<double> values;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) values.push_back(function(grid.x(ix), grid.y(iy)));
  }
  return values;
}

const Grid kSampled{9, 7, 0.3, 0.5, -1.1, -2.0};
const Grid kElements{17, 23, 0.13, 0.12, -0.95, -1.7};  // within the samples' centres

TEST_SUITE("unit") {
  TEST_CASE("heights sampling: bilinear gives back x y, bicubic the product of two cubics") {
    const auto plane = [](double x, double y) { return 0.7 - 0.3 * x + 0.2 * y + 1.1 * x * y; };
    const auto cubic = [](double x, double y) {
      return (0.3 + x - 0.7 * x * x + 0.2 * x * x * x) * (1.0 - 2.0 * y + 0.1 * y * y * y);
    };
    const auto linear =
        sample_heights(at_centres(kSampled, plane), kSampled, Interpolation::bilinear, kElements);
    const auto spline =
        sample_heights(at_centres(kSampled, cubic), kSampled, Interpolation::bicubic, kElements);
    const auto exact_plane = at_centres(kElements, plane);
    const auto exact_cubic = at_centres(kElements, cubic);
    for (std::size_t i = 0; i < kElements.count(); ++i) {
      CHECK(std::abs(linear[i] - exact_plane[i]) <= 1e-14);  // rounding
      CHECK(std::abs(spline[i] - exact_cubic[i]) <= 1e-13);  // rounding
    }
  }

  TEST_CASE("heights sampling: on its own grid, and on a part of it, a file gives its samples") {
    test::Random random(5);
    const auto samples =
        at_centres(kSampled, [&](double, double) { return random.uniform(-1, 1); });
    const Grid part{3, 2, 0.3, 0.5, -1.1 + 2 * 0.3, -2.0 + 4 * 0.5};
    for (const auto interpolation : {Interpolation::bilinear, Interpolation::bicubic}) {
      const auto same = sample_heights(samples, kSampled, interpolation, kSampled);
      for (std::size_t i = 0; i < samples.size(); ++i)
        CHECK(std::abs(same[i] - samples[i]) <= 1e-14);  // rounding
      const auto some = sample_heights(samples, kSampled, interpolation, part);
      for (int iy = 0; iy < 2; ++iy) {
        for (int ix = 0; ix < 3; ++ix)
          CHECK(std::abs(some[part.index(ix, iy)] - samples[kSampled.index(ix + 2, iy + 4)]) <=
                1e-14);
      }
    }
  }

  TEST_CASE("heights sampling: infinity spreads to the centres between it and other samples") {
    const double infinite = std::numeric_limits<double>::infinity();
    const Grid sampled{3, 1, 1.0, 1.0, -1.5, -0.5};  // at x = -1, 0, 1
    const Grid grid{9, 1, 0.25, 1.0, -1.125, -0.5};  // at x = -1, -0.75, ..., 1
    const auto found = sample_heights({2.0, 4.0, infinite}, sampled, Interpolation::bilinear, grid);
    CHECK(found ==
          std::vector<double>{2.0, 2.5, 3.0, 3.5, 4.0, infinite, infinite, infinite, infinite});
  }

  TEST_CASE("heights sampling: an origin is the corner of the first sample's cell") {
    const HeightsSampling sampling{{0.5, 2.0}, {-3.0, 10.0}, Interpolation::bilinear};
    const Grid grid = sample_grid(sampling, 4, 3);
    CHECK(grid.x(0) == -2.75);
    CHECK(grid.y(2) == 15.0);
    CHECK(grid.mx == 4);
    CHECK(grid.my == 3);
  }
}

}  // namespace
}  // namespace slipfield
