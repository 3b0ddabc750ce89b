// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_influence.h"
#include "tests/support/oracle_dense.h"
#include "tests/support/oracle_difference.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

const CombinedMaterial kSpectrumMaterial = combine({0.7, 0.31}, {2.3, 0.12});  // K != 0

TEST_SUITE("oracle") {
  TEST_CASE("preconditioner: symmetric, positive, and near the inverse of A_nn") {
    test::Random random(17);
    const CpuBackend backend;
    const Grid grid{41, 29, 0.4, 0.7};
    CpuInfluence influence(backend, grid, kSpectrumMaterial, InfluenceMethod::fft);
    const auto precondition = [&](const std::vector<double>& in) {
      std::vector<double> out = in;
      influence.precondition_normal(out.data(), out.data());  // in place
      return out;
    };
    const std::vector<double> p = random.field(grid.count());
    const std::vector<double> q = random.field(grid.count());
    const std::vector<double> of_p = precondition(p);
    const std::vector<double> of_q = precondition(q);
    CHECK(test::dot(p, of_p) > 0.0);
    // Rounding of sums of 1000 terms.
    CHECK(std::abs(test::dot(p, of_q) - test::dot(q, of_p)) <= 1e-12 * test::dot(p, of_p));
    // M A p = p except for what the circulant wraps around and the cut to the grid leaves out.
    std::vector<double> displacement(grid.count());
    influence.apply(Block::normal, {nullptr, nullptr, p.data()},
                    {nullptr, nullptr, displacement.data()});
    CHECK(test::relative_difference(precondition(displacement), p) <= 0.3);
    // A line contact, flat grids and skew elements: padding with zeros would make it indefinite.
    for (const Grid& other :
         {Grid{55, 1, 0.04, 200.0}, Grid{1, 216, 1000.0, 0.001}, Grid{61, 71, 1.0, 1.8},
          Grid{9, 3, 1.0, 0.055}, Grid{19, 23, 1.0, 467.0}, Grid{2, 4, 1.0, 0.26}}) {
      CpuInfluence of_other(backend, other, kSpectrumMaterial, InfluenceMethod::fft);
      for (int k = 0; k < 20; ++k) {
        // Single waves find a negative symbol.
        std::vector<double> r(other.count());
        const double wave_x = random.uniform(-3.14, 3.14);
        const double wave_y = random.uniform(-3.14, 3.14);
        for (int iy = 0; iy < other.my; ++iy) {
          for (int ix = 0; ix < other.mx; ++ix) {
            r[other.index(ix, iy)] = std::cos(wave_x * ix + wave_y * iy);
          }
        }
        std::vector<double> z(other.count());
        of_other.precondition_normal(r.data(), z.data());
        CHECK(test::dot(r, z) > 0.0);
      }
    }
  }

  TEST_CASE("preconditioner of slipping elements: the regularised inverse of the symbol set last") {
    test::Random random(18);
    const CpuBackend backend;
    const Grid grid{33, 18, 0.4, 0.7};
    const InfluenceKind kind{Displacement::change, 0.4, 0.0};
    const double share = tangential_share(kind, grid);
    CpuInfluence influence(backend, grid, kSpectrumMaterial, InfluenceMethod::fft, kind);
    const std::vector<double> in = random.field(grid.count());
    const auto precondition = [&](const AcrossSymbol& symbol) {
      std::array<std::vector<double>, 3> out{in, in, in};
      influence.set_across(symbol);
      influence.precondition_tangential(out[0].data(), out[1].data(), out[2].data(), out[0].data(),
                                        out[1].data(), out[2].data());  // in place
      return out;
    };
    const auto of_x = precondition({0.0, 1.0, 0.0});
    const auto of_y = precondition({0.0, 0.0, 3.0});
    std::vector<double> third = of_x[1];
    for (double& value : third) value /= 3.0;
    CHECK(of_x[2] == of_x[0]);
    // Rounding of numbers of the size of 1/(share A_xx).
    CHECK(test::relative_difference(of_y[2], third) <= 1e-13);
    std::vector<double> half = in;
    for (double& value : half) value *= 0.5 / (1.0 + share * share);
    CHECK(test::relative_difference(precondition({2.0, 0.0, 0.0})[2], half) <= 1e-14);
  }

  TEST_CASE("steady rolling's share: the symbol of the longest wave along, the shortest across") {
    // Sums over a table of four times the grid's extent, rolling along x and along y.
    const Grid grid{24, 16, 0.4, 0.7};
    for (const bool along_y : {false, true}) {
      const InfluenceKind kind{Displacement::change, along_y ? 0.0 : grid.dx,
                               along_y ? grid.dy : 0.0};
      Grid wide = grid;
      wide.mx *= 4;
      wide.my *= 4;
      const InfluenceTable table = influence_table(Component::xx, wide, kSpectrumMaterial, kind);
      const auto symbol = [&](double kx, double ky) {
        std::complex<double> sum;
        for (int iy = 1 - wide.my; iy < wide.my; ++iy)
          for (int ix = 1 - wide.mx; ix < wide.mx; ++ix)
            sum += *table.at(ix, iy) * std::polar(1.0, -(kx * ix + ky * iy));
        return std::abs(sum);
      };
      const double pi = std::numbers::pi;
      double greatest = 0.0;
      for (int k = 1; k <= 8; ++k)
        greatest = std::max(greatest, along_y ? symbol(0.0, k * pi / 8) : symbol(k * pi / 8, 0.0));
      const double least = along_y ? symbol(pi, pi / grid.my) : symbol(pi / grid.mx, pi);
      const double share = tangential_share(kind, grid);
      CHECK(share > 0.25 * least / greatest);
      CHECK(share < 4.0 * least / greatest);
    }
  }
}

}  // namespace
}  // namespace slipfield
