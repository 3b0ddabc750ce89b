// SPDX-License-Identifier: Apache-2.0
// Grids that are periodic in one direction: coefficients and products. Contacts:
// both_periodic_images.cpp.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_influence.h"
#include "solver/influence/influence_table.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using test::kPi;

constexpr CombinedMaterial kUnlike{1.3, 0.28, 0.2};  // K != 0
constexpr std::array kAllComponents{Component::nn, Component::xx, Component::yy,
                                    Component::xy, Component::xn, Component::yn};

struct PeriodicSize {
  int mx, my;
  double dx, dy;
};

std::array<Grid, 2> in_one_direction(const PeriodicSize& size) {
  const Grid grid{size.mx, size.my, size.dx, size.dy, 0.3, -0.2, Boundary::periodic_x};
  Grid other = grid;
  other.boundary = Boundary::periodic_y;
  return {grid, other};
}

// Sums over all images up to N periods away, and the limit N -> infinity from two N. The far sum of
// 1/|x| is replaced so that displacements by a traction that is constant along the period fade at
// the distance d: 2 ln(2 (N + 1/2) period) becomes 2 ln d, and what x^2/r^3 (y^2/r^3) leaves is
// taken off.
double sum_over_images(Component component, double x, double y, const Grid& grid,
                       const CombinedMaterial& material) {
  const bool along_y = grid.boundary == Boundary::periodic_y;
  const double width = grid.mx * grid.dx;
  const double height = grid.my * grid.dy;
  const double period = along_y ? height : width;
  const double distance = along_y ? width : height;
  const double nu = material.poisson_ratio;
  const bool tangential = component == Component::xx || component == Component::yy;
  const bool along = component == (along_y ? Component::yy : Component::xx);
  double far = 0.0;  // times 1/|x|
  if (component == Component::nn || tangential) far = along ? 1.0 : 1.0 - nu;
  const double left = !tangential ? 0.0 : along ? nu : -nu;
  const auto up_to = [&](int images) {
    double sum = influence_coefficient(component, x, y, grid.dx, grid.dy, material);
    for (int j = images; j > 0; --j)
      for (const double image : {-j * period, j * period})
        sum += influence_coefficient(component, along_y ? x : x + image, along_y ? y + image : y,
                                     grid.dx, grid.dy, material);
    const double end = 2.0 * (images + 0.5) * period;
    return sum + 2.0 * grid.element_area() / (period * kPi * material.shear_modulus) *
                     (far * std::log(distance / end) + left);
  };
  // The rest falls with the square of 1/(N + 1/2), that of x/r^2 and y/r^2 with its first power.
  const int few = 500 * static_cast<int>(std::ceil(std::fmax(1.0, distance / period)));
  const bool slow = component == Component::xn || component == Component::yn;
  const double ratio = slow ? 3.0 : 9.0;
  return (ratio * up_to(3 * few + 1) - up_to(few)) / (ratio - 1.0);
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("periodic in one direction: coefficients are sums over images of the half-space's") {
    test::Random random(71);
    for (const PeriodicSize& size : {PeriodicSize{5, 4, 0.4, 0.7}, PeriodicSize{1, 6, 1.0, 0.3},
                                     PeriodicSize{3, 8, 2.0, 0.05}, PeriodicSize{40, 30, 0.1, 0.1}})
      for (const Grid& grid : in_one_direction(size))
        for (const Component component : kAllComponents) {
          CAPTURE(static_cast<int>(component));
          CAPTURE(grid.mx);
          const double self = influence_coefficient(Component::nn, 0.0, 0.0, grid, kUnlike, {});
          for (int k = 0; k < 4; ++k) {
            const double x = random.uniform(-0.5, 0.5) * grid.mx * grid.dx;
            const double y = random.uniform(-0.5, 0.5) * grid.my * grid.dy;
            const double found = influence_coefficient(component, x, y, grid, kUnlike, {});
            const double wanted = sum_over_images(component, x, y, grid, kUnlike);
            CHECK(std::abs(found - wanted) <= 1e-9 * self);  // 1/N^3 and 1/N^4 of the sums
          }
        }
  }

  TEST_CASE("periodic in one direction: the table is the coefficients, also of particles before") {
    for (const PeriodicSize& size : {PeriodicSize{7, 5, 0.4, 0.7}, PeriodicSize{1, 9, 0.4, 0.7},
                                     PeriodicSize{16, 1, 0.4, 3.0}})
      for (const Grid& grid : in_one_direction(size))
        for (const InfluenceKind& kind :
             {InfluenceKind{}, InfluenceKind{Displacement::previous, 0.23, -0.1},
              InfluenceKind{Displacement::change, 0.4, 0.0},
              InfluenceKind{Displacement::change, 0.0, 0.35}})
          for (const Component component : kAllComponents) {
            const CombinedMaterial material{1.3, 0.28, 0.2, 0.1, 0.2};  // with a layer
            const InfluenceTable table = influence_table(component, grid, material, kind);
            const double self = influence_coefficient(Component::nn, 0.0, 0.0, grid, material, {});
            double worst = 0.0;
            for (int ky = 1 - grid.my; ky < grid.my; ++ky)
              for (int kx = 1 - grid.mx; kx < grid.mx; ++kx)
                test::grow(worst,
                           std::abs(*table.at(kx, ky) -
                                    influence_coefficient(component, kx * grid.dx, ky * grid.dy,
                                                          grid, material, kind)));
            CHECK(worst <= 1e-13 * self);  // rounding
          }
  }

  TEST_CASE("periodic in one direction: all nine products, by FFT and by sums, are those sums") {
    test::Random random(72);
    const CpuBackend backend;
    for (const PeriodicSize& size : {PeriodicSize{13, 6, 0.4, 0.7}, PeriodicSize{8, 11, 0.7, 0.4},
                                     PeriodicSize{1, 10, 1.0, 1.0}, PeriodicSize{9, 1, 1.0, 1.0}})
      for (const Grid& grid : in_one_direction(size)) {
        const std::vector<double> x = random.field(grid.count());
        const std::vector<double> y = random.field(grid.count());
        const std::vector<double> n = random.field(grid.count());
        test::DenseDisplacements wanted = test::no_displacements(grid);
        for (int iy = 0; iy < grid.my; ++iy)
          for (int ix = 0; ix < grid.mx; ++ix)
            for (int jy = 0; jy < grid.my; ++jy)
              for (int jx = 0; jx < grid.mx; ++jx) {
                const auto a = [&](Component component) {
                  return influence_coefficient(component, (ix - jx) * grid.dx, (iy - jy) * grid.dy,
                                               grid, kUnlike, {});
                };
                const std::size_t i = grid.index(ix, iy);
                const std::size_t j = grid.index(jx, jy);
                const double xy = a(Component::xy);
                const double xn = a(Component::xn);
                const double yn = a(Component::yn);
                wanted.x[i] += a(Component::xx) * x[j] + xy * y[j] + xn * n[j];
                wanted.y[i] += xy * x[j] + a(Component::yy) * y[j] + yn * n[j];
                wanted.n[i] += a(Component::nn) * n[j] - xn * x[j] - yn * y[j];
              }
        for (const InfluenceMethod method : {InfluenceMethod::fft, InfluenceMethod::summation}) {
          CpuInfluence influence(backend, grid, kUnlike, method);
          test::DenseDisplacements found = test::no_displacements(grid);
          influence.apply(Block::full, {x.data(), y.data(), n.data()},
                          {found.x.data(), found.y.data(), found.n.data()});
          CHECK(test::relative_difference(found.x, wanted.x) <= 1e-12);  // rounding
          CHECK(test::relative_difference(found.y, wanted.y) <= 1e-12);
          CHECK(test::relative_difference(found.n, wanted.n) <= 1e-12);
        }
      }
  }
}

TEST_SUITE("analytic") {
  TEST_CASE(
      "periodic in one direction: constant along the period, strips of plane strain [Flamant]") {
    const Grid grid{7, 40, 0.3, 0.2, 0.0, 0.0, Boundary::periodic_x};
    const CpuBackend backend;
    CpuInfluence influence(backend, grid, kUnlike, InfluenceMethod::fft);
    const double g = kUnlike.shear_modulus;
    const double nu = kUnlike.poisson_ratio;
    const double distance = grid.my * grid.dy;
    std::vector<double> row(grid.count());
    const int loaded = 4;
    for (int ix = 0; ix < grid.mx; ++ix) row[grid.index(ix, loaded)] = 1.0;
    const std::vector<double> none(grid.count());
    const auto by = [&](const std::vector<double>& x, const std::vector<double>& y,
                        const std::vector<double>& n) {
      test::DenseDisplacements u = test::no_displacements(grid);
      influence.apply(Block::full, {x.data(), y.data(), n.data()},
                      {u.x.data(), u.y.data(), u.n.data()});
      return u;
    };
    const test::DenseDisplacements by_n = by(none, none, row);
    const test::DenseDisplacements by_y = by(none, row, none);
    const test::DenseDisplacements by_x = by(row, none, none);
    double worst = 0.0;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        const double y1 = (iy - loaded - 0.5) * grid.dy;
        const double y2 = y1 + grid.dy;
        const auto whole = [&](double y) { return y * (std::log(std::abs(y) / distance) - 1.0); };
        const double strip = -2.0 / (kPi * g) * (whole(y2) - whole(y1));  // of -2 ln(|y|/d)/(pi G)
        const double skew = -kUnlike.coupling / g * (std::abs(y2) - std::abs(y1));
        for (const double off :
             {by_n.n[i] - (1.0 - nu) * strip, by_y.y[i] - (1.0 - nu) * strip, by_x.x[i] - strip,
              by_n.y[i] - skew, by_y.n[i] + skew, by_n.x[i], by_x.n[i], by_x.y[i], by_y.x[i]})
          test::grow(worst, std::abs(off));
      }
    CHECK(worst <= 1e-12 * by_x.x[grid.index(0, loaded)]);  // of the sums, 1e-13
  }

  TEST_CASE("periodic in one direction: a wave of pressure along the period [Westergaard]") {
    std::vector<double> h;
    std::vector<double> error;
    for (const int n : {8, 16, 32, 64}) {
      const Grid grid{n, 6 * n + 1, 1.0 / n, 1.0 / n, 0.0, 0.0, Boundary::periodic_x};
      const CpuBackend backend;
      CpuInfluence influence(backend, grid, kUnlike, InfluenceMethod::fft);
      std::vector<double> p(grid.count());
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < n; ++ix) p[grid.index(ix, iy)] = std::cos(2.0 * kPi * grid.x(ix));
      std::vector<double> u(grid.count());
      influence.apply(Block::normal, {nullptr, nullptr, p.data()}, {nullptr, nullptr, u.data()});
      // In the middle row; beyond three periods the wave is felt by exp(-6 pi).
      const double exact =
          (1.0 - kUnlike.poisson_ratio) / (kPi * kUnlike.shear_modulus);  // 2/(E* q), q = 2 pi
      double worst = 0.0;
      for (int ix = 0; ix < n; ++ix) {
        const std::size_t i = grid.index(ix, 3 * n);
        test::grow(worst, std::abs(u[i] - exact * p[i]) / exact);
      }
      h.push_back(1.0 / n);
      error.push_back(worst);
    }
    const double order = test::observed_order(h, error);
    MESSAGE("64 elements in a wave: ", error.back(), "; observed order ", order);
    CHECK(order > 1.7);  // elements of constant pressure
    CHECK(error.back() <= 1e-3);
  }

  TEST_CASE("periodic in one direction: a long period is a free grid with images of point loads") {
    // Far images are felt as 2 (ln(d/(2 period)) + Euler's constant)/period times the far 1/|x|.
    constexpr double kEuler = 0.57721566490153286;
    const double nu = kUnlike.poisson_ratio;
    for (const double length : {20.0, 40.0, 80.0}) {
      const Grid grid{static_cast<int>(length), 3, 1.0, 0.8, 0.0, 0.0, Boundary::periodic_x};
      const double open = 2.0 * grid.element_area() / (kPi * kUnlike.shear_modulus * length);
      const double log = std::log(0.5 * grid.my * grid.dy / length) + kEuler;
      const auto beyond_free = [&](Component component) {
        return influence_coefficient(component, 0.7, 0.5, grid, kUnlike, {}) -
               influence_coefficient(component, 0.7, 0.5, grid.dx, grid.dy, kUnlike);
      };
      const double left = 2.0 / std::pow(length, 3);  // quadrupoles
      CHECK(std::abs(beyond_free(Component::nn) - open * (1.0 - nu) * log) <= left);
      CHECK(std::abs(beyond_free(Component::xx) - open * (log + nu)) <= left);
      CHECK(std::abs(beyond_free(Component::yy) - open * ((1.0 - nu) * log - nu)) <= left);
      CHECK(std::abs(beyond_free(Component::xy)) <= left);
    }
  }
}

TEST_SUITE("unit") {
  TEST_CASE("periodic in one direction: products are symmetric and positive, whatever the shape") {
    test::Random random(73);
    const CpuBackend backend;
    for (const PeriodicSize& size : {PeriodicSize{2, 60, 0.1, 0.5}, PeriodicSize{1, 33, 0.2, 4.0},
                                     PeriodicSize{33, 2, 1.0, 0.3}, PeriodicSize{5, 1, 1.0, 1.0}})
      for (const Grid& grid : in_one_direction(size)) {
        CpuInfluence influence(backend, grid, kUnlike, InfluenceMethod::automatic);
        const auto product = [&](Block block, const std::vector<double>& p) {
          test::DenseDisplacements u = test::no_displacements(grid);
          influence.apply(block, {p.data(), p.data(), p.data()},
                          {u.x.data(), u.y.data(), u.n.data()});
          return block == Block::normal ? u.n : test::sum_of(u.x, u.y);
        };
        for (const Block block : {Block::normal, Block::tangential}) {
          const std::vector<double> p = random.field(grid.count());
          const std::vector<double> q = random.field(grid.count(), 0.9, 1.1);  // nearly constant
          const std::vector<double> of_p = product(block, p);
          const std::vector<double> of_q = product(block, q);
          CHECK(test::dot(p, of_p) > 0.0);
          CHECK(test::dot(q, of_q) > 0.0);
          CHECK(std::abs(test::dot(q, of_p) - test::dot(p, of_q)) <=
                1e-12 * (test::dot(p, of_p) + test::dot(q, of_q)));  // rounding
        }
      }
  }
}

}  // namespace slipfield
