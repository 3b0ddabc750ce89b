// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/cpu/cpu_influence.h"
#include "tests/support/oracle_dense.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using test::Axis;

const CombinedMaterial kMaterial = combine({0.7, 0.31}, {2.3, 0.12});  // K != 0
const std::array<Grid, 11> kGrids{
    {{1, 1, 0.4, 0.7},
     {1, 31, 0.4, 0.7},
     {33, 1, 0.4, 70.0},
     {31, 32, 0.4, 0.7},
     {32, 31, 0.7, 0.4},
     {33, 17, 1.1, 0.4, -3.0, 2.0},
     {37, 29, 0.4, 0.7},
     {13, 41, 0.4, 0.3},
     {20, 2, 0.4, 0.3},   // a block of one column, half a transform away
     {66, 65, 0.4, 0.3},  // longer than the sizes chosen for vectors
     {2, 3, 0.4, 0.3}}};

struct Fields {
  std::vector<double> x, y, n;
};

Fields random_tractions(const Grid& grid, test::Random& random) {
  Fields p{random.field(grid.count()), random.field(grid.count()), random.field(grid.count())};
  // Rows and elements without traction take ways of their own through the products.
  for (std::size_t i = 0; i < grid.count(); ++i) {
    const std::size_t row = i / static_cast<std::size_t>(grid.mx);
    if (row % 5 == 3) p.x[i] = p.n[i] = 0.0;
    if (row % 7 == 4) p.y[i] = 0.0;
    if (random.uniform(0.0, 1.0) < 0.2) p.x[i] = 0.0;
  }
  return p;
}

constexpr std::array<Block, 4> kBlocks{
    Block::normal, Block::tangential, Block::tangential_from_normal, Block::normal_from_tangential};

std::vector<std::vector<double>> product(CpuInfluence& influence, Block block, const Fields& p) {
  const std::size_t count = p.x.size();
  std::vector<double> x(count, 7.0);  // what is there must be overwritten
  std::vector<double> y(count, 7.0);
  std::vector<double> n(count, 7.0);
  influence.apply(block, {p.x.data(), p.y.data(), p.n.data()}, {x.data(), y.data(), n.data()});
  if (block == Block::normal || block == Block::normal_from_tangential) return {n};
  return {x, y};
}

std::vector<std::vector<double>> dense_product(const test::DenseInfluence& dense, Block block,
                                               const Fields& p) {
  const auto tangential = [&](Axis a) {
    return test::sum_of(dense.apply(a, Axis::x, p.x), dense.apply(a, Axis::y, p.y));
  };
  switch (block) {
    case Block::normal:
      return {dense.apply(Axis::n, Axis::n, p.n)};
    case Block::tangential:
      return {tangential(Axis::x), tangential(Axis::y)};
    case Block::tangential_from_normal:
      return {dense.apply(Axis::x, Axis::n, p.n), dense.apply(Axis::y, Axis::n, p.n)};
    default:
      return {tangential(Axis::n)};
  }
}

double greatest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

double greatest_difference(const std::vector<std::vector<double>>& a,
                           const std::vector<std::vector<double>>& b) {
  double worst = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t i = 0; i < a[k].size(); ++i) {
      test::grow(worst, std::abs(a[k][i] - b[k][i]));
    }
  }
  return worst;
}

TEST_SUITE("oracle") {
  TEST_CASE(
      "influence products: FFT, direct and automatic equal a dense sum, every block, with "
      "and without an offset") {
    test::Random random(11);
    const CpuBackend backend;
    for (const Grid& grid : kGrids) {
      CAPTURE(grid.mx);
      CAPTURE(grid.my);
      const double dq = 0.6 * grid.dx;
      for (const InfluenceKind& kind :
           {InfluenceKind{}, InfluenceKind{Displacement::previous, dq, 0.0},
            InfluenceKind{Displacement::previous, -0.37 * dq, 0.81 * dq}}) {
        const test::DenseInfluence dense(grid, kMaterial, kind.offset_x, kind.offset_y);
        for (const InfluenceMethod method :
             {InfluenceMethod::fft, InfluenceMethod::summation, InfluenceMethod::automatic}) {
          CpuInfluence influence(backend, grid, kMaterial, method, kind);
          for (int repeat = 0; repeat < 2; ++repeat) {  // work memory is used again
            const Fields p = random_tractions(grid, random);
            for (const Block block : kBlocks) {
              CAPTURE(static_cast<int>(block));
              const auto expected = dense_product(dense, block, p);
              const auto computed = product(influence, block, p);
              // Rounding: log2(4 n) stages of 1e-16, on the sum of coefficients about n^(1/2).
              const double scale = greatest(dense_product(
                  dense, Block::normal, {p.x, p.y, std::vector<double>(grid.count(), 1.0)})[0]);
              CHECK(greatest_difference(computed, expected) <= 4e-15 * scale);
            }
          }
        }
      }
    }
  }

  TEST_CASE("influence products: the change of displacement is now minus before") {
    test::Random random(12);
    const CpuBackend backend;
    const Grid grid{33, 17, 1.1, 0.4};
    const test::DenseInfluence now(grid, kMaterial);
    const test::DenseInfluence before(grid, kMaterial, 0.5, -0.2);
    for (const InfluenceMethod method : {InfluenceMethod::fft, InfluenceMethod::summation}) {
      CpuInfluence influence(backend, grid, kMaterial, method, {Displacement::change, 0.5, -0.2});
      const Fields p = random_tractions(grid, random);
      for (const Block block : kBlocks) {
        auto expected = dense_product(now, block, p);
        const auto subtracted = dense_product(before, block, p);
        for (std::size_t k = 0; k < expected.size(); ++k) {
          for (std::size_t i = 0; i < grid.count(); ++i) expected[k][i] -= subtracted[k][i];
        }
        // Rounding of sums of about 10.
        CHECK(greatest_difference(product(influence, block, p), expected) <= 3e-14);
      }
    }
  }
}

TEST_SUITE("unit") {
  TEST_CASE("influence products: p.Aq = q.Ap and p.Ap > 0, normal and tangential [Betti]") {
    test::Random random(13);
    const CpuBackend backend;
    for (const Grid& grid : kGrids) {
      for (const InfluenceMethod method : {InfluenceMethod::fft, InfluenceMethod::summation}) {
        CpuInfluence influence(backend, grid, kMaterial, method);
        const Fields p = random_tractions(grid, random);
        const Fields q = random_tractions(grid, random);
        const auto work = [&](Block block, const Fields& a, const Fields& b) {
          const auto u = product(influence, block, b);
          if (block == Block::normal) return test::dot(a.n, u[0]);
          return test::dot(a.x, u[0]) + test::dot(a.y, u[1]);
        };
        for (const Block block : {Block::normal, Block::tangential}) {
          const double energy = work(block, p, p) + work(block, q, q);
          CHECK(energy > 0.0);
          // Rounding of sums of up to 1000 terms.
          CHECK(std::abs(work(block, p, q) - work(block, q, p)) <= 1e-13 * energy);
        }
        // The coupling is its own reciprocal: p_t.(A_tn p_n) = p_n.(A_nt p_t) [Betti].
        const auto by_pressure = product(influence, Block::tangential_from_normal, p);
        const auto by_traction = product(influence, Block::normal_from_tangential, q);
        const double one = test::dot(q.x, by_pressure[0]) + test::dot(q.y, by_pressure[1]);
        const double scale = work(Block::normal, p, p) + work(Block::tangential, q, q);
        CHECK(std::abs(one - test::dot(p.n, by_traction[0])) <= 1e-13 * scale);  // as above
      }
    }
  }

  TEST_CASE("influence products: linear, A (a p + b q) = a A p + b A q") {
    test::Random random(14);
    const CpuBackend backend;
    const Grid grid{37, 29, 0.4, 0.7};
    for (const InfluenceMethod method : {InfluenceMethod::fft, InfluenceMethod::summation}) {
      CpuInfluence influence(backend, grid, kMaterial, method);
      const Fields p = random_tractions(grid, random);
      const Fields q = random_tractions(grid, random);
      const auto combined = [](const std::vector<double>& a, const std::vector<double>& b) {
        std::vector<double> result(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) result[i] = 1.7 * a[i] - 0.3 * b[i];
        return result;
      };
      const Fields both{combined(p.x, q.x), combined(p.y, q.y), combined(p.n, q.n)};
      for (const Block block : kBlocks) {
        const auto of_p = product(influence, block, p);
        const auto of_q = product(influence, block, q);
        auto expected = of_p;
        for (std::size_t k = 0; k < of_p.size(); ++k) expected[k] = combined(of_p[k], of_q[k]);
        // Rounding of sums of about 10.
        CHECK(greatest_difference(product(influence, block, both), expected) <= 1e-13);
      }
    }
  }

  TEST_CASE(
      "influence products: no traction, no displacement, and 2 threads give 1 thread's bits") {
    test::Random random(15);
    const CpuBackend backend;
    const Grid grid{67, 53, 0.4, 0.7};
    const Fields p = random_tractions(grid, random);
    const std::vector<double> none(grid.count(), 0.0);
    const int threads = omp_get_max_threads();
    for (const InfluenceMethod method : {InfluenceMethod::fft, InfluenceMethod::summation}) {
      CpuInfluence influence(backend, grid, kMaterial, method);
      for (const Block block : kBlocks) {
        omp_set_num_threads(1);
        const auto one = product(influence, block, p);
        omp_set_num_threads(2);
        const auto two = product(influence, block, p);
        CHECK(one == two);
        for (const auto& u : product(influence, block, {none, none, none})) CHECK(u == none);
        CHECK(product(influence, block, p) == two);  // zero rows left nothing behind
      }
    }
    omp_set_num_threads(threads);
  }

  TEST_CASE("transform size: the least even product of 2, 3, 5 and 7 that is enough") {
    const auto smooth = [](int n) {
      for (const int factor : {2, 3, 5, 7}) {
        while (n % factor == 0) n /= factor;
      }
      return n == 1;
    };
    int expected = 1;
    for (int least = 0; least <= 9000; ++least) {
      while (expected < least || !smooth(expected) || (expected > 1 && expected % 2 != 0)) {
        ++expected;
      }
      CHECK(fast_transform_size(least) == expected);
    }
    const CpuFftConvolution padded(Grid{33, 17, 1.0, 1.0});
    CHECK(padded.transform_x() >= 65);
    CHECK(padded.transform_y() >= 33);
  }

  TEST_CASE("transform size: grids are padded enough, and by little more than half of that") {
    for (int elements = 1; elements <= 600; ++elements) {
      const int least = 2 * elements - 1;
      const TransformSizes along = transform_sizes(Grid{elements, 3, 1.0, 1.0});
      const TransformSizes across = transform_sizes(Grid{3, elements, 1.0, 1.0});
      for (const int size : {along.x, across.y}) {
        CAPTURE(elements);
        CHECK(size >= least);
        CHECK(size <= std::max(2.0, 1.6 * least));  // 20 and 32 follow one another
      }
      Grid repeated{elements, elements, 1.0, 1.0};
      repeated.boundary = Boundary::periodic;
      CHECK(transform_sizes(repeated).x == elements);
      CHECK(transform_sizes(repeated).y == elements);
    }
  }

  TEST_CASE("spectrum: even coefficients have a real one, odd in one direction an imaginary one") {
    const Grid grid{31, 18, 0.4, 0.7};
    const CpuBackend backend;
    CpuInfluence influence(backend, grid, kMaterial, InfluenceMethod::fft);
    for (const Component component : {Component::nn, Component::xx, Component::yy, Component::xy}) {
      CHECK(influence.spectrum(component).imaginary.empty());
    }
    for (const Component component : {Component::xn, Component::yn}) {
      CHECK(influence.spectrum(component).real.empty());
    }
    CpuInfluence rolling(backend, grid, kMaterial, InfluenceMethod::fft,
                         {Displacement::previous, 1e-6, 0.0});
    CHECK(!rolling.spectrum(Component::nn).imaginary.empty());
    CHECK(!rolling.spectrum(Component::nn).real.empty());
  }
}

// A real circular convolution with few taps, its symbol and its product by the definition.
struct Taps {
  Grid grid;
  std::vector<double> value;  // at differences (kx, ky), 3 x 3

  [[nodiscard]] std::complex<double> symbol(int kx, int ky) const {
    std::complex<double> sum = 0.0;
    for (int b = 0; b < 3; ++b) {
      for (int a = 0; a < 3; ++a) {
        const double phase =
            -2.0 * std::numbers::pi *
            (static_cast<double>(kx * a) / grid.mx + static_cast<double>(ky * b) / grid.my);
        sum += value[static_cast<std::size_t>(3 * b + a)] * std::polar(1.0, phase);
      }
    }
    return sum;
  }

  [[nodiscard]] std::vector<double> apply(const std::vector<double>& in) const {
    std::vector<double> out(in.size(), 0.0);
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        for (int b = 0; b < 3; ++b) {
          for (int a = 0; a < 3; ++a) {
            const int jx = (ix - a + 3 * grid.mx) % grid.mx;
            const int jy = (iy - b + 3 * grid.my) % grid.my;
            out[grid.index(ix, iy)] +=
                value[static_cast<std::size_t>(3 * b + a)] * in[grid.index(jx, jy)];
          }
        }
      }
    }
    return out;
  }
};

std::vector<double> convolve(CpuFftConvolution& convolution, const Spectrum& spectrum,
                             const std::vector<double>& in) {
  std::vector<double> out(in.size(), 7.0);
  const ConvolutionTerm term{0, 0, &spectrum, 1.0};
  const std::array<const double*, 1> source{in.data()};
  const std::array<double*, 1> target{out.data()};
  convolution.apply(std::span(&term, 1), source, target);
  return out;
}

TEST_SUITE("unit") {
  TEST_CASE(
      "convolution by a symbol: a circular convolution on a periodic grid, and its inverse "
      "undoes it") {
    test::Random random(16);
    for (const auto& [mx, my] : {std::array{1, 1}, std::array{31, 32}, std::array{33, 7},
                                 std::array{32, 13}, std::array{1, 37}, std::array{64, 1}}) {
      CAPTURE(mx);
      CAPTURE(my);
      const Grid grid{mx, my, 1.0, 1.0, 0.0, 0.0, Boundary::periodic};
      Taps taps{grid, random.field(9)};
      taps.value[0] += 10.0;  // diagonally dominant: the symbol stays away from 0
      CpuFftConvolution convolution(grid);
      CHECK(convolution.transform_x() == mx);
      CHECK(convolution.transform_y() == my);
      const Spectrum spectrum =
          convolution.from_symbol([&](int kx, int ky) { return taps.symbol(kx, ky); });
      const std::vector<double> in = random.field(grid.count());
      const std::vector<double> out = convolve(convolution, spectrum, in);
      // Rounding of the transforms of values about 10.
      CHECK(greatest_difference({out}, {taps.apply(in)}) <= 1e-13);
      const Spectrum inverse = convolution.inverse(spectrum, 0.0);
      CHECK(greatest_difference({convolve(convolution, inverse, out)}, {in}) <= 1e-13);  // likewise
    }
  }
}

}  // namespace
}  // namespace slipfield
