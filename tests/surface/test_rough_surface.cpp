// SPDX-License-Identifier: Apache-2.0
// Generated rough surfaces: plateau, lay, moments (THEORY.md 3.8).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include "solver/geometry/johnson_curve.h"
#include "solver/geometry/rough_surface.h"
#include "tests/support/near.h"

using namespace slipfield;

namespace {

// Mean of (z(r + d) - z(r))^2 on a periodic grid, d in elements.
double structure_function(const Grid& grid, const std::vector<double>& z, int dx, int dy) {
  double sum = 0.0;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double change =
          z[grid.index((ix + dx) % grid.mx, (iy + dy) % grid.my)] - z[grid.index(ix, iy)];
      sum += change * change;
    }
  return sum / static_cast<double>(z.size());
}

struct HeightMoments {
  double rms = 0.0;
  double skewness = 0.0;
  double kurtosis = 0.0;
  double mean = 0.0;
};
HeightMoments height_moments(const std::vector<double>& z) {
  const auto count = static_cast<double>(z.size());
  HeightMoments m;
  for (const double v : z) m.mean += v / count;
  std::array<double, 3> central{};
  for (const double v : z) {
    const double d = v - m.mean;
    central[0] += d * d / count;
    central[1] += d * d * d / count;
    central[2] += d * d * d * d / count;
  }
  m.rms = std::sqrt(central[0]);
  m.skewness = central[1] / (central[0] * m.rms);
  m.kurtosis = central[2] / (central[0] * central[0]);
  return m;
}

// The power of the wave k along the rows, summed over the rows.
double row_power(const Grid& grid, const std::vector<double>& z, int k) {
  double sum = 0.0;
  for (int row = 0; row < grid.my; ++row) {
    std::complex<double> wave = 0.0;
    for (int i = 0; i < grid.mx; ++i)
      wave += z[grid.index(i, row)] * std::polar(1.0, -2.0 * std::numbers::pi * k * i / grid.mx);
    sum += std::norm(wave);
  }
  return sum;
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("rough surface: its structure function grows with the power 2 H of the distance") {
    const Grid grid{1024, 1024, 1.0 / 1024, 1.0 / 1024};
    for (const double hurst : {0.4, 0.8}) {
      CAPTURE(hurst);
      const std::vector<double> z = rough_heights({hurst, false, 1.0, 2.0 / 1024, 1.0, 3}, grid);
      for (const bool across : {false, true}) {
        const auto at = [&](int d) {
          return structure_function(grid, z, across ? 0 : d, across ? d : 0);
        };
        // Both ends of the band bend the curve: 0.4 appears as 0.416, 0.8 as 0.749.
        CHECK(0.5 * std::log2(at(32) / at(8)) / 2.0 == test::near(hurst, 0.07));
      }
    }
  }

  TEST_CASE("rough surface: waves longer than the roll-off are those of a plateau") {
    const Grid grid{128, 96, 1.0, 1.5};
    RoughSurface surface{0.7, true, 0.1, 4.0, 100.0, 5};
    surface.rolloff = 30.0;
    const std::size_t columns = 65;
    std::vector<std::complex<double>> waves(columns * 96);
    fill_waves(surface, grid, waves.data());
    const double level = std::abs(waves[4]);
    int on_plateau = 0;
    int below = 0;
    for (int ky = 0; ky < 48; ++ky)
      for (int kx = 0; kx < 64; ++kx) {
        const double size =
            std::abs(waves[static_cast<std::size_t>(ky) * columns + static_cast<std::size_t>(kx)]);
        if (size == 0.0) continue;
        const double q = std::hypot(kx / 128.0, ky / 144.0);  // over 2 pi
        (q < 1.0 / 30.0 ? on_plateau : below) += 1;
        const double expected = level * std::pow(std::max(q, 1.0 / 30.0) * 30.0, -1.7);
        REQUIRE(size == test::near(expected, 1e-10));
      }
    CHECK(on_plateau > 15);
    CHECK(below > 500);
  }

  TEST_CASE("rough surface: with a roll-off profiles and narrow strips are cuts of the surface") {
    // The power along the rows of a wide surface, at wavelengths above and below the roll-off. Sums
    // over the rows of a surface have no random part; a profile's band has no end across.
    const int mx = 512;
    RoughSurface surface{0.6, false, 1.0, 2.0 / mx, 1.0, 3};
    surface.rolloff = 0.125;
    const auto ratio = [&](int my, int k) {
      const Grid grid{mx, my, 1.0 / mx, 1.0 / mx};
      const std::vector<double> z = rough_heights(surface, grid);
      return row_power(grid, z, k) / row_power(grid, z, 8);
    };
    for (const int k : {1, 3, 5, 12, 40}) {
      CAPTURE(k);
      const double wide = ratio(mx, k);
      CHECK(ratio(1, k) == test::near(wide, 0.04));
      CHECK(ratio(32, k) == test::near(wide, 0.04));
    }
  }

  TEST_CASE("rough surface: along the lay it is the surface across it, stretched") {
    const Grid grid{512, 512, 1.0, 1.0};
    RoughSurface surface{0.8, false, 1.0, 4.0, 32.0, 7};
    surface.elongation = 4.0;
    const auto at = [&](double degrees, int dx, int dy) {
      surface.lay = degrees * std::numbers::pi / 180.0;
      return structure_function(grid, rough_heights(surface, grid), dx, dy);
    };
    CHECK(at(0.0, 16, 0) == test::near(at(0.0, 0, 4), 0.02));
    CHECK(at(90.0, 4, 0) == test::near(at(0.0, 0, 4), 0.02));
    // Along both diagonals: those of 45 degrees are the lay and its normal.
    CHECK(at(45.0, 12, 12) == test::near(at(45.0, 3, 512 - 3), 0.02));
    CHECK(at(45.0, 3, 3) < 0.25 * at(45.0, 3, 512 - 3));
  }

  TEST_CASE("rough surface: a side that is short for an elongated surface is treated as narrow") {
    // Across the lay the spectrum of the rows is that of a cut, as it is of a side 16 times as
    // long.
    RoughSurface surface{0.7, false, 1.0, 4.0, 128.0, 2};
    surface.elongation = 16.0;
    surface.lay = std::numbers::pi / 2.0;
    const auto slope = [&](int my) {
      const Grid grid{256, my, 1.0, 1.0};
      const std::vector<double> z = rough_heights(surface, grid);
      return std::log2(row_power(grid, z, 32) / row_power(grid, z, 4)) / 3.0;
    };
    CHECK(slope(256) == test::near(-2.4, 0.03));
    CHECK(slope(2048) == test::near(-2.4, 0.03));
  }

  TEST_CASE("Johnson's curves: moments of the translated normal distribution are those asked for") {
    using Pair = std::array<double, 2>;
    const std::vector<Pair> pairs{{0.0, 1.5},
                                  {0.0, 3.0},
                                  {0.0, 9.0},
                                  {0.5, 1.6},
                                  {-0.63, 3.25},
                                  {1.0, 3.0},
                                  {1.0, 4.7},
                                  {-2.0, 8.0},
                                  {-2.0, 14.0},
                                  {3.0, 12.0},
                                  {5.0, 60.0},
                                  {0.01, 3.0},
                                  {-5.0, JohnsonCurve::least_kurtosis(5.0)}};
    for (const auto& [skewness, kurtosis] : pairs) {
      CAPTURE(skewness);
      CAPTURE(kurtosis);
      const JohnsonCurve curve(skewness, kurtosis);
      std::array<double, 5> sums{};
      double before = -1e300;
      for (int i = -16000; i <= 16000; ++i) {
        const double n = 1e-3 * i;
        const double value = curve(n);
        REQUIRE(value >= before);
        before = value;
        double power = 1e-3 * std::exp(-0.5 * n * n) / std::sqrt(2.0 * std::numbers::pi);
        for (double& sum : sums) {
          sum += power;
          power *= value;
        }
      }
      CHECK(sums[1] == test::within(0.0, 1e-9));
      CHECK(sums[2] == test::near(1.0, 1e-6));
      CHECK(sums[3] == test::within(skewness, 1e-5));
      // Where the lognormal curve stands for its neighbours, to 1e-6.
      CHECK(sums[4] == test::near(kurtosis, 1e-5));
    }
  }

  TEST_CASE("rough surface: heights have the rms height, skewness and kurtosis asked for") {
    const Grid grid{512, 512, 1.0, 1.0};
    for (const auto& [skewness, kurtosis] :
         {std::pair{0.0, 3.0}, {-1.5, 6.0}, {1.0, 4.0}, {0.0, 2.0}}) {
      CAPTURE(skewness);
      RoughSurface surface{0.8, false, 2.5, 4.0, 256.0, 11};
      surface.rolloff = 16.0;  // some thousand independent places
      surface.skewness = skewness;
      surface.kurtosis = kurtosis;
      const HeightMoments found = height_moments(rough_heights(surface, grid));
      CHECK(std::abs(found.mean) < 1e-12);
      CHECK(found.rms == test::near(2.5, 1e-12));
      // Four deviations of these moments over 3000 independent places.
      CHECK(std::abs(found.skewness - skewness) < 0.2);
      CHECK(std::abs(found.kurtosis - kurtosis) < 0.1 * kurtosis);
    }
  }
}
