// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/cpu/cpu_influence.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/influence/influence_table.h"
#include "tests/support/near.h"
#include "tests/support/oracle_halfspace.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using test::Axis;

constexpr ElasticBody kUpper{0.7, 0.31};
constexpr ElasticBody kLower{2.3, 0.12};  // K = 0.040: all components differ from 0

struct Pair {
  Component component;
  Axis a;
  Axis b;
};
constexpr std::array<Pair, kComponents> kPairs{{{Component::nn, Axis::n, Axis::n},
                                                {Component::xx, Axis::x, Axis::x},
                                                {Component::yy, Axis::y, Axis::y},
                                                {Component::xy, Axis::x, Axis::y},
                                                {Component::xn, Axis::x, Axis::n},
                                                {Component::yn, Axis::y, Axis::n}}};

// The greatest error over the six components, in units of the integral of 1/(pi G R) and of the
// rounding to expect: differences of terms R/d times their result lose that many digits.
double worst_error(double x, double y, double dx, double dy) {
  static const test::RectangleIntegral integral;
  const CombinedMaterial material = combine(kUpper, kLower);
  const double scale = test::coefficient_scale(integral, x, y, dx, dy, material);
  double worst = 0.0;
  for (const Pair& pair : kPairs) {
    const double exact =
        test::integrated_coefficient(integral, pair.a, pair.b, x, y, dx, dy, kUpper, kLower);
    const double value = influence_coefficient(pair.component, x, y, dx, dy, material);
    // NaN must not pass for small.
    worst = std::isfinite(value) ? std::max(worst, std::abs(value - exact) / scale) : HUGE_VAL;
  }
  return worst / (2.2e-16 * (1.0 + std::hypot(x, y) / std::min(dx, dy)));
}
constexpr double kRoundings = 20.0;  // of the logarithms and the sums

struct Element {
  double dx;
  double dy;
};
constexpr std::array<Element, 5> kElements{
    {{1.0, 1.0}, {0.7, 1.3}, {1.3e-3, 0.9e-3}, {0.04, 40.0}, {25.0, 0.025}}};

// u_a over a grid under unit traction b on one element, through the operator that the solvers use.
std::vector<double> operator_response(CpuInfluence& influence, const Grid& grid, Axis a, Axis b,
                                      std::size_t loaded) {
  std::vector<double> traction(grid.count(), 0.0);
  const std::vector<double> none(grid.count(), 0.0);
  traction[loaded] = 1.0;
  std::vector<double> x(grid.count());
  std::vector<double> y(grid.count());
  std::vector<double> n(grid.count());
  const TractionField field{b == Axis::x ? traction.data() : none.data(),
                            b == Axis::y ? traction.data() : none.data(),
                            b == Axis::n ? traction.data() : none.data()};
  const DisplacementField out{x.data(), y.data(), n.data()};
  if (b == Axis::n) {
    influence.apply(a == Axis::n ? Block::normal : Block::tangential_from_normal, field, out);
  } else {
    influence.apply(a == Axis::n ? Block::normal_from_tangential : Block::tangential, field, out);
  }
  return a == Axis::x ? x : (a == Axis::y ? y : n);
}

// Integral of the point loads that a kind of coefficients stands for.
double integrated(const test::RectangleIntegral& integral, Axis a, Axis b, const Grid& grid,
                  const InfluenceKind& kind, double x, double y) {
  const auto at = [&](double shift_x, double shift_y) {
    return test::integrated_coefficient(integral, a, b, x + shift_x, y + shift_y, grid.dx, grid.dy,
                                        kUpper, kLower);
  };
  if (kind.displacement == Displacement::current) return at(0.0, 0.0);
  const double previous = at(kind.offset_x, kind.offset_y);
  return kind.displacement == Displacement::previous ? previous : at(0.0, 0.0) - previous;
}

TEST_SUITE("analytic") {
  TEST_CASE("influence oracle: 16 and 24 Gauss points give the same integrals") {
    const test::RectangleIntegral coarse(16);
    const test::RectangleIntegral fine(24);
    for (const Element& e : kElements) {
      for (const double shift : {0.0, 0.3, 0.5, 0.50001, 1.0, 3.7}) {
        for (const Pair& pair : kPairs) {
          const double a = test::integrated_coefficient(coarse, pair.a, pair.b, shift * e.dx,
                                                        0.4 * e.dy, e.dx, e.dy, kUpper, kLower);
          const double b = test::integrated_coefficient(fine, pair.a, pair.b, shift * e.dx,
                                                        0.4 * e.dy, e.dx, e.dy, kUpper, kLower);
          const double scale = test::coefficient_scale(fine, shift * e.dx, 0.4 * e.dy, e.dx, e.dy,
                                                       combine(kUpper, kLower));
          CHECK(std::abs(a - b) <= 1e-14 * scale);  // rounding of some thousand terms
        }
      }
    }
  }

  TEST_CASE(
      "influence coefficients: integrals of point loads over the element and its neighbours "
      "[Boussinesq, Cerruti]") {
    for (const Element& e : kElements) {
      CAPTURE(e.dx);
      CAPTURE(e.dy);
      for (int ky = -3; ky <= 3; ++ky) {
        for (int kx = -3; kx <= 3; ++kx) {
          CAPTURE(kx);
          CAPTURE(ky);
          CHECK(worst_error(kx * e.dx, ky * e.dy, e.dx, e.dy) <= kRoundings);
        }
      }
    }
  }

  TEST_CASE("influence coefficients: integrals of point loads off the grid, as rolling asks for") {
    test::Random random(1);
    for (const Element& e : kElements) {
      CAPTURE(e.dx);
      CAPTURE(e.dy);
      for (int k = 0; k < 60; ++k) {
        const double x = random.uniform(-4.0, 4.0) * e.dx;
        const double y = random.uniform(-4.0, 4.0) * e.dy;
        CAPTURE(x);
        CAPTURE(y);
        CHECK(worst_error(x, y, e.dx, e.dy) <= kRoundings);
      }
    }
  }

  TEST_CASE("influence coefficients: on corners and edges, X = 0 or Y = 0, the integral's limit") {
    for (const Element& e : kElements) {
      for (const double x : {-0.5, 0.0, 0.5}) {
        for (const double y : {-0.5, 0.0, 0.5}) {
          CAPTURE(x);
          CAPTURE(y);
          CHECK(worst_error(x * e.dx, y * e.dy, e.dx, e.dy) <= kRoundings);
          // Next to it, down to the spacing of doubles: offsets such as dq sin(pi) are not 0.
          for (const double step : {1e-3, 1e-6, 1e-9, 1e-12, 1.2e-16}) {
            CAPTURE(step);
            CHECK(worst_error((x + step) * e.dx, (y - step) * e.dy, e.dx, e.dy) <= kRoundings);
          }
        }
      }
    }
  }

  TEST_CASE("influence coefficients: far away the point load's expansion to relative 1e-12") {
    // The load and its second moments; the next term is below (d/R)^4/100.
    const CombinedMaterial material = combine(kUpper, kLower);
    test::Random random(2);
    const double dx = 0.7;
    const double dy = 1.3;
    const double h = 1.0;  // step of second differences of a function that varies over 700 or more
    for (int k = 0; k < 200; ++k) {
      const double distance = random.uniform(700.0, 1500.0);
      // Every fourth on an axis, where the elements of the same row and column are.
      const double angle =
          k % 4 == 0 ? 0.5 * std::numbers::pi * (k / 4) : random.uniform(0.0, 6.28);
      const double x = distance * std::cos(angle);
      const double y = distance * std::sin(angle);
      for (const Pair& pair : kPairs) {
        const auto load = [&](double u, double v) {
          return test::point_load(pair.a, pair.b, u, v, kUpper, kLower);
        };
        const double load_xx = (load(x + h, y) - 2.0 * load(x, y) + load(x - h, y)) / (h * h);
        const double load_yy = (load(x, y + h) - 2.0 * load(x, y) + load(x, y - h)) / (h * h);
        const double expansion =
            dx * dy * (load(x, y) + dx * dx / 24.0 * load_xx + dy * dy / 24.0 * load_yy);
        const double value = influence_coefficient(pair.component, x, y, dx, dy, material);
        const double scale = dx * dy / (std::numbers::pi * material.shear_modulus * distance);
        CAPTURE(static_cast<int>(pair.component));
        CAPTURE(x);
        CAPTURE(y);
        CHECK(std::abs(value - expansion) <= 1e-12 * scale);  // R/d roundings of 1e-16, times a few
      }
    }
  }

  TEST_CASE("influence coefficients: nn, xx, yy even, xy odd in both, xn odd in x, yn odd in y") {
    const CombinedMaterial material = combine(kUpper, kLower);
    test::Random random(3);
    const auto sign = [](Axis axis, Axis mirrored) { return axis == mirrored ? -1.0 : 1.0; };
    for (int k = 0; k < 50; ++k) {
      const double x = random.uniform(-5.0, 5.0);
      const double y = random.uniform(-5.0, 5.0);
      const double scale = influence_coefficient(Component::nn, x, y, 0.7, 1.3, material);
      for (const Pair& p : kPairs) {
        const auto value = [&](double u, double v) {
          return influence_coefficient(p.component, u, v, 0.7, 1.3, material);
        };
        const double parity_x = sign(p.a, Axis::x) * sign(p.b, Axis::x);
        const double parity_y = sign(p.a, Axis::y) * sign(p.b, Axis::y);
        // Rounding, with R/d up to 10.
        CHECK(std::abs(value(-x, y) - parity_x * value(x, y)) <= 1e-14 * scale);
        CHECK(std::abs(value(x, -y) - parity_y * value(x, y)) <= 1e-14 * scale);
      }
    }
  }

  TEST_CASE("influence coefficients: proportional to dx at fixed dy/dx, x/dx and y/dx") {
    const CombinedMaterial material = combine(kUpper, kLower);
    test::Random random(4);
    for (int k = 0; k < 50; ++k) {
      const double x = random.uniform(-5.0, 5.0);
      const double y = random.uniform(-5.0, 5.0);
      const double c = 0x1.0p-20;  // a power of two: no rounding but that of R
      for (const Pair& p : kPairs) {
        const double big = influence_coefficient(p.component, x, y, 0.7, 1.3, material);
        const double small =
            influence_coefficient(p.component, c * x, c * y, c * 0.7, c * 1.3, material);
        CHECK(small == test::near(c * big, 1e-13));  // ln R is not scaled exactly
      }
    }
  }

  TEST_CASE("influence coefficients: x and y exchanged exchange xx and yy, xn and yn") {
    const CombinedMaterial material = combine(kUpper, kLower);
    test::Random random(5);
    for (int k = 0; k < 50; ++k) {
      const double x = random.uniform(-5.0, 5.0);
      const double y = random.uniform(-5.0, 5.0);
      const auto same = [&](Component a, Component b) {
        const double scale = influence_coefficient(Component::nn, x, y, 0.7, 1.3, material);
        const double direct = influence_coefficient(a, x, y, 0.7, 1.3, material);
        const double exchanged = influence_coefficient(b, y, x, 1.3, 0.7, material);
        return std::abs(direct - exchanged) <= 1e-14 * scale;  // rounding, R/d up to 10
      };
      CHECK(same(Component::xx, Component::yy));
      CHECK(same(Component::xn, Component::yn));
      CHECK(same(Component::xy, Component::xy));
      CHECK(same(Component::nn, Component::nn));
    }
  }

  TEST_CASE("influence table: half of even coefficients has the bits and spectrum of the whole") {
    const CombinedMaterial material = combine(kUpper, kLower);
    for (const Grid& grid : {Grid{1, 1, 0.4, 0.7}, Grid{31, 2, 0.4, 0.7}, Grid{1, 33, 0.4, 0.7},
                             Grid{9, 4, 0.7, 0.7}, Grid{8, 16, 0.7, 0.7}}) {
      for (const Component component : {Component::nn, Component::xx, Component::yy}) {
        const CpuFftConvolution convolution(grid);
        const int columns = convolution.transform_x() / 2 + 1;
        const int rows = convolution.transform_y() / 2 + 1;
        const auto table = [&](bool half) {
          return influence_table(component, grid, material, {}, {columns, rows, half});
        };
        const InfluenceTable whole = table(false);
        const InfluenceTable half = table(true);
        CHECK(half.values.size() == static_cast<std::size_t>(rows) * whole.width());
        for (int ky = 1 - rows; ky < rows; ++ky)
          for (int kx = 1 - columns; kx < columns; ++kx)
            REQUIRE(*half.at(kx, ky) == *whole.at(kx, ky));
        const Spectrum of_half = convolution.transform(half);
        CHECK(of_half.imaginary.empty());
        // Rows are transformed in pairs, with other partners in the half.
        const Spectrum of_whole = convolution.transform(whole);
        REQUIRE(of_half.real.size() == of_whole.real.size());
        for (std::size_t k = 0; k < of_half.real.size(); ++k)
          REQUIRE(std::abs(of_half.real[k] - of_whole.real[k]) <= 2e-15 * of_whole.real[0]);
      }
      const auto kind_of = [&](Component component, const InfluenceKind& kind) {
        return influence_table(component, grid, material, kind, {grid.mx, grid.my, true}).is_even;
      };
      CHECK_FALSE(kind_of(Component::xy, {}));
      CHECK_FALSE(kind_of(Component::xn, {}));
      CHECK_FALSE(kind_of(Component::nn, {Displacement::change, 0.4, 0.0}));
    }
  }

  TEST_CASE("influence table: every difference of positions, as the coefficient there") {
    test::Random random(6);
    const CombinedMaterial material = combine(kUpper, kLower);
    for (const Grid& grid : {Grid{1, 1, 0.4, 0.7}, Grid{31, 2, 0.4, 0.7}, Grid{1, 33, 0.4, 0.7},
                             Grid{7, 5, 40.0, 0.7}, Grid{9, 4, 0.7, 0.7}, Grid{4, 9, 0.7, 0.7}}) {
      for (const InfluenceKind& kind :
           {InfluenceKind{}, InfluenceKind{Displacement::previous, 0.23, -0.1},
            InfluenceKind{Displacement::previous, -0.8, 0.7},
            InfluenceKind{Displacement::previous, 0.2, 0.0},
            InfluenceKind{Displacement::change, 0.4, 0.0},
            InfluenceKind{Displacement::change, 0.0, -0.7},
            InfluenceKind{Displacement::change, 0.4, 0.35}}) {
        for (const Pair& p : kPairs) {
          const InfluenceTable table = influence_table(p.component, grid, material, kind);
          for (int ky = 1 - grid.my; ky < grid.my; ++ky) {
            for (int kx = 1 - grid.mx; kx < grid.mx; ++kx) {
              const double now = influence_coefficient(p.component, kx * grid.dx, ky * grid.dy,
                                                       grid.dx, grid.dy, material);
              const double before =
                  influence_coefficient(p.component, kx * grid.dx + kind.offset_x,
                                        ky * grid.dy + kind.offset_y, grid.dx, grid.dy, material);
              const double expected = kind.displacement == Displacement::current    ? now
                                      : kind.displacement == Displacement::previous ? before
                                                                                    : now - before;
              const double self =
                  influence_coefficient(Component::nn, 0.0, 0.0, grid.dx, grid.dy, material);
              // Quarters are mirrored: equal to the rounding of far coefficients.
              CHECK(std::abs(*table.at(kx, ky) - expected) <= 1e-13 * self);
            }
          }
        }
      }
    }
  }

  TEST_CASE(
      "influence operator: all nine components are the integrals of point loads, at offsets "
      "too") {
    const test::RectangleIntegral integral;
    const Grid grid{5, 4, 0.8, 0.5, -2.0, 1.0};
    const CombinedMaterial material = combine(kUpper, kLower);
    const CpuBackend backend;
    const auto kinds = {InfluenceKind{}, InfluenceKind{Displacement::previous, 0.8, 0.0},
                        InfluenceKind{Displacement::previous, -0.31, 0.17},
                        InfluenceKind{Displacement::change, -0.31, 0.17}};
    for (const InfluenceKind& kind : kinds) {
      for (const Axis a : {Axis::x, Axis::y, Axis::n}) {
        for (const Axis b : {Axis::x, Axis::y, Axis::n}) {
          for (const InfluenceMethod method : {InfluenceMethod::summation, InfluenceMethod::fft}) {
            CpuInfluence influence(backend, grid, material, method, kind);
            const std::size_t loaded = grid.index(3, 1);
            const std::vector<double> u = operator_response(influence, grid, a, b, loaded);
            for (int iy = 0; iy < grid.my; ++iy) {
              for (int ix = 0; ix < grid.mx; ++ix) {
                const double exact = integrated(integral, a, b, grid, kind, grid.x(ix) - grid.x(3),
                                                grid.y(iy) - grid.y(1));
                // Rounding of the transform, relative to the greatest coefficient (about 0.5).
                CHECK(std::abs(u[grid.index(ix, iy)] - exact) <= 1e-14);
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace slipfield
