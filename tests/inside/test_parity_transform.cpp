// SPDX-License-Identifier: Apache-2.0
// Spectra of even and odd tables from a quarter of them; principal stresses near double roots.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "solver/interior/cpu_interior_planes.h"
#include "solver/interior/fatigue_stress.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

// All differences of positions of what the quarter holds.
InfluenceTable whole_table(const Grid& grid, Parity parity, const std::vector<double>& quarter) {
  InfluenceTable table{grid.mx, grid.my, {}};
  for (int ky = 1 - grid.my; ky < grid.my; ++ky) {
    for (int kx = 1 - grid.mx; kx < grid.mx; ++kx) {
      const bool zero = (kx == 0 && parity.x < 0) || (ky == 0 && parity.y < 0);
      const double value = quarter[grid.index(std::abs(kx), std::abs(ky))];
      table.values.push_back(zero ? 0.0
                                  : value * (kx < 0 ? parity.x : 1.0) * (ky < 0 ? parity.y : 1.0));
    }
  }
  return table;
}

double spectra_difference(const Spectrum& a, const Spectrum& b, std::size_t count) {
  double worst = 0.0;
  for (std::size_t k = 0; k < count; ++k) worst = std::max(worst, std::abs(a.at(k) - b.at(k)));
  return worst;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("parity transform: two tables at a time have the spectra of each by itself") {
    test::Random random(17);
    for (const auto& [mx, my] : std::vector<std::pair<int, int>>{
             {1, 1}, {1, 9}, {31, 1}, {2, 3}, {13, 17}, {32, 33}, {100, 70}}) {
      CAPTURE(mx);
      CAPTURE(my);
      const Grid grid{mx, my, 0.3, 0.2, -2.0, 1.0};
      const CpuFftConvolution convolution(grid);
      ParityTransform transform(grid);
      const auto count = static_cast<std::size_t>(convolution.transform_x() / 2 + 1) *
                         static_cast<std::size_t>(convolution.transform_y());
      for (const Parity parity : {Parity{1, 1}, Parity{-1, -1}, Parity{-1, 1}, Parity{1, -1}}) {
        CAPTURE(parity.x);
        CAPTURE(parity.y);
        const std::vector<double> first = random.field(grid.count());
        const std::vector<double> second = random.field(grid.count());
        Spectrum one;
        Spectrum two;
        Spectrum alone;
        transform.transform(parity, first.data(), second.data(), one, &two);
        transform.transform(parity, first.data(), nullptr, alone, nullptr);
        CHECK(alone.real.empty() != alone.imaginary.empty());
        // Spectra carry 1/(nx ny): values to 1, and rounding.
        const Spectrum expected = convolution.transform(whole_table(grid, parity, first));
        CHECK(spectra_difference(one, expected, count) < 1.0e-15);
        CHECK(spectra_difference(alone, expected, count) < 1.0e-15);
        CHECK(spectra_difference(two, convolution.transform(whole_table(grid, parity, second)),
                                 count) < 1.0e-15);
      }
    }
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("principal stresses: every digit near double and triple roots, and of tiny stresses") {
    // A tensor with the principal stresses s, turned by two angles.
    const auto turned = [](const std::array<double, 3>& s, double a, double b) {
      const double c = std::cos(a);
      const double d = std::sin(a);
      const double e = std::cos(b);
      const double f = std::sin(b);
      const double axes[3][3] = {{c, d, 0.0}, {-d * e, c * e, f}, {d * f, -c * f, e}};
      const auto entry = [&](int i, int j) {
        double sum = 0.0;
        for (std::size_t k = 0; k < 3; ++k) sum += s[k] * axes[k][i] * axes[k][j];
        return sum;
      };
      return StressState{entry(0, 0), entry(1, 1), entry(2, 2),
                         entry(0, 1), entry(0, 2), entry(1, 2)};
    };
    for (const std::array<double, 3>& s :
         {std::array{3.0, 1.0, -2.0}, std::array{1.0, 1.0, -2.0},
          std::array{1.0 + 1.0e-9, 1.0, 0.5}, std::array{2.0, 2.0, 2.0},
          std::array{1.0, 1.0 - 3.0e-8, 1.0 - 1.0e-5}, std::array{0.0, 0.0, -5.0},
          std::array{0.0, 0.0, 0.0}}) {
      for (const double unit : {1.0, 1.0e-200, 1.0e150}) {
        for (const double a : {0.0, 0.7, 0.5 * std::numbers::pi, 2.9}) {
          for (const double b : {0.0, 1.1, -0.3}) {
            const auto found =
                principal_stresses(turned({s[0] * unit, s[1] * unit, s[2] * unit}, a, b));
            for (std::size_t k = 0; k < 3; ++k)
              CHECK(std::abs(found[k] / unit - s[k]) < 4.0e-15);  // the turned tensor's rounding
          }
        }
      }
    }
  }
}

}  // namespace slipfield
