// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "solver/simplified/kalker_coefficients.h"
#include "solver/simplified/simplified_theory.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::kPi;

enum class Theory { fastsim_parabolic, fastsim_elliptic, fastrip };
constexpr std::array<Theory, 3> kTheories{Theory::fastsim_parabolic, Theory::fastsim_elliptic,
                                          Theory::fastrip};

SimplifiedSolution roll(Theory theory, const SimplifiedContact& contact, const Creepages& c,
                        const Grid& grid) {
  if (theory == Theory::fastrip) return fastrip(contact, c, grid);
  const bool elliptic = theory == Theory::fastsim_elliptic;
  return fastsim(contact, c, elliptic ? TractionBound::elliptic : TractionBound::parabolic, grid);
}

struct Totals {
  double x = 0.0;
  double y = 0.0;
  double moment = 0.0;
  double bound = 0.0;  // sum of g: mu F_n up to the quadrature
};

Totals totals(const SimplifiedSolution& s, const Grid& grid) {
  Totals sum;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      sum.x += grid.element_area() * s.traction_x[i];
      sum.y += grid.element_area() * s.traction_y[i];
      sum.moment +=
          grid.element_area() * (grid.x(ix) * s.traction_y[i] - grid.y(iy) * s.traction_x[i]);
      sum.bound += grid.element_area() * s.traction_bound[i];
    }
  }
  return sum;
}

SimplifiedContact contact(double a, double b, double friction = 0.3) {
  return {a, b, 82000.0, friction, 82000.0, 0.28};
}

Grid grid_over(const SimplifiedContact& c, int mx, int my) {
  return test::centred_grid(mx, my, 1.07 * c.semi_axis_x, 1.13 * c.semi_axis_y);
}

// Elements of a row in contact, the leading one last.
std::vector<std::size_t> row_of(const SimplifiedSolution& s, const Grid& grid, int iy) {
  std::vector<std::size_t> row;
  for (int ix = 0; ix < grid.mx; ++ix) {
    const std::size_t i = grid.index(ix, iy);
    if (s.state[i] != ElementState::exterior) row.push_back(i);
  }
  return row;
}

constexpr std::array<std::array<double, 2>, 3> kEllipses{{{8.0, 4.0}, {5.0, 5.0}, {3.0, 7.0}}};

}  // namespace

TEST_SUITE("analytic") {
  // In the strip at y the traction grows with u/L from the leading edge l; at l - x = ... it
  // reaches the static paraboloid c (l^2 - x^2), and behind it is the kinetic one.
  TEST_CASE(
      "fastsim: with a kinetic coefficient each strip adheres as far, and slides at that one") {
    SimplifiedContact c = contact(6.0, 4.0);
    c.kinetic_share = 0.6;
    const double xi = 1.2e-3;
    for (const int count : {120, 240}) {
      const Grid grid = grid_over(c, count, 40);
      const SimplifiedSolution s = fastsim(c, {xi, 0.0, 0.0}, TractionBound::parabolic, grid);
      const double rise = xi / s.flexibilities.x;
      const double bend = 2.0 * c.friction * c.normal_force /
                          (kPi * c.semi_axis_x * c.semi_axis_y * c.semi_axis_x * c.semi_axis_x);
      double expected = 0.0;
      for (int iy = 0; iy < grid.my; ++iy) {
        const double v = grid.y(iy) / c.semi_axis_y;
        if (!(v * v < 1.0)) continue;
        const double l = c.semi_axis_x * std::sqrt(1.0 - v * v);
        const double end = std::min(l, std::max(-l, rise / bend - l));  // of adhesion
        const auto parabola = [&](double x) { return l * l * x - x * x * x / 3.0; };
        expected -= grid.dy * (0.5 * rise * (l - end) * (l - end) +
                               c.kinetic_share * bend * (parabola(end) - parabola(-l)));
      }
      // Partial elements at the leading edge and where slip begins count whole: an error below one
      // element.
      const double element = c.friction * c.normal_force * grid.dx / c.semi_axis_x;
      CHECK(std::fabs(totals(s, grid).x - expected) <= element);
    }
  }

  TEST_CASE("fastsim: full slip carries the kinetic coefficient, adhesion does not know it") {
    SimplifiedContact c = contact(6.0, 4.0);
    const Grid grid = grid_over(c, 60, 40);
    const double adhering = totals(roll(Theory::fastsim_parabolic, c, {1e-6, 0, 0}, grid), grid).x;
    const double sliding = totals(roll(Theory::fastsim_parabolic, c, {1.0, 0, 0}, grid), grid).x;
    c.kinetic_share = 0.6;
    CHECK(totals(roll(Theory::fastsim_parabolic, c, {1.0, 0, 0}, grid), grid).x ==
          test::near(0.6 * sliding, 1e-12));
    // At 1e-6 only the elements at the trailing edge slip.
    CHECK(totals(roll(Theory::fastsim_parabolic, c, {1e-6, 0, 0}, grid), grid).x ==
          test::near(adhering, 1e-3));
  }
}

TEST_SUITE("unit") {
  TEST_CASE("Kalker's coefficients: the table's values at its nodes [Kalker 1990, appendix E]") {
    const auto check = [](double ratio, double nu, double c11, double c22, double c23) {
      const KalkerCoefficients c = kalker_coefficients(ratio, nu);
      CAPTURE(ratio);
      CHECK(c.c11 == test::near(c11, 1e-12));  // rounding of 10 a/b
      CHECK(c.c22 == test::near(c22, 1e-12));
      CHECK(c.c23 == test::near(c23, 1e-12));
    };
    check(1.0, 0.25, 4.12, 3.67, 1.47);
    check(0.5, 0.0, 2.88, 2.88, 0.827);
    check(0.5, 0.25, 3.62, 3.01, 0.929);
    check(2.0, 0.25, 5.10, 4.90, 2.62);
    check(2.0, 0.5, 6.11, 5.56, 2.96);
    check(0.1, 0.5, 4.85, 2.53, 0.731);
    check(10.0, 0.25, 11.7, 12.8, 14.6);
  }

  TEST_CASE("Kalker's coefficients: between the nodes, between their neighbours") {
    for (const double ratio : {0.17, 0.43, 0.95, 1.04, 1.6, 7.0}) {
      const double g = std::min(ratio, 1.0 / ratio);
      const double low = std::floor(10.0 * g) / 10.0;
      const KalkerCoefficients c = kalker_coefficients(ratio, 0.25);
      const KalkerCoefficients p = kalker_coefficients(ratio < 1.0 ? low : 1.0 / low, 0.25);
      const KalkerCoefficients q =
          kalker_coefficients(ratio < 1.0 ? low + 0.1 : 1.0 / (low + 0.1), 0.25);
      CAPTURE(ratio);
      CHECK((c.c11 - p.c11) * (c.c11 - q.c11) < 0.0);
      CHECK((c.c22 - p.c22) * (c.c22 - q.c22) < 0.0);
      CHECK((c.c23 - p.c23) * (c.c23 - q.c23) < 0.0);
      // Without a Poisson effect x and y are equivalent.
      const KalkerCoefficients plain = kalker_coefficients(ratio, 0.0);
      CHECK(plain.c11 == test::near(plain.c22, 1e-14));
    }
  }

  TEST_CASE("Kalker's coefficients: slender ellipses meet the table, and strip theory") {
    for (const double nu : {0.0, 0.25, 0.5}) {
      for (const double edge : {0.1, 10.0}) {
        const KalkerCoefficients table = kalker_coefficients(edge, nu);
        const KalkerCoefficients beyond =
            kalker_coefficients(edge < 1.0 ? 0.0999999 : 10.00001, nu);
        CAPTURE(edge);
        CAPTURE(nu);
        // As far as the asymptotes are from the table at its end (Kalker 1990).
        CHECK(beyond.c11 == test::near(table.c11, 0.05));
        CHECK(beyond.c22 == test::near(table.c22, 0.06));
        CHECK(beyond.c23 == test::near(table.c23, 0.06));
      }
      // A wide ellipse is a row of strips, each a line contact: C11 = pi^2/(4 (1 - nu)).
      const KalkerCoefficients line = kalker_coefficients(1e-6, nu);
      CHECK(line.c11 == test::near(0.25 * kPi * kPi / (1.0 - nu), 1e-12));
      CHECK(line.c22 == test::near(0.25 * kPi * kPi, 1e-12));
    }
  }

  TEST_CASE("flexibilities: three at small creepage, one at large") {
    const SimplifiedContact c = contact(8.0, 4.0);
    const KalkerCoefficients kalker = kalker_coefficients(2.0, 0.28);
    const Flexibilities small = flexibilities(c, kalker, {0.0, 0.0, 1e-3});
    CHECK(small.x == test::near(8.0 * 8.0 / (3.0 * kalker.c11 * 82000.0), 1e-14));
    CHECK(small.spin < 0.85 * small.x);  // long ellipses are stiffer against spin
    const Flexibilities large = flexibilities(c, kalker, {0.02, -0.01, 1e-3});
    CHECK(large.x == test::near(large.y, 1e-14));
    CHECK(large.x == test::near(large.spin, 1e-14));
    // What CONTACT prints for its example fastsim (revision 2681).
    const Flexibilities printed = flexibilities(c, kalker, {0.0, -6.25e-4, 6.25e-4});
    CHECK(std::abs(printed.x - 0.4937e-4) < 0.5e-8);  // its last digit
    CHECK(std::abs(printed.y - 0.5152e-4) < 0.5e-8);
    CHECK(std::abs(printed.spin - 0.4090e-4) < 0.5e-8);
  }

  TEST_CASE("simplified theory: nothing moves, nothing pulls") {
    for (const Theory theory : kTheories) {
      const SimplifiedContact c = contact(8.0, 4.0);
      const Grid grid = grid_over(c, 31, 22);
      const SimplifiedSolution s = roll(theory, c, {}, grid);
      for (std::size_t i = 0; i < grid.count(); ++i) {
        CHECK(s.traction_x[i] == 0.0);
        CHECK(s.traction_y[i] == 0.0);
        CHECK(s.slip_x[i] == 0.0);
        CHECK(s.state[i] != ElementState::slip);
      }
    }
  }

  TEST_CASE("simplified theory: Coulomb's law holds in every element") {
    const std::array<Creepages, 9> motions{{{4e-4, 0.0, 0.0},
                                            {-3e-4, 5e-4, 0.0},
                                            {0.0, -6.25e-4, 6.25e-4},
                                            {2e-4, 3e-4, -2e-4},
                                            {0.0, 0.0, 9e-4},
                                            {0.0, 0.0, 0.02},  // more spin than strips adhere with
                                            {0.0, 8e-3, -6e-3},
                                            {0.0, 0.5, -0.2},
                                            {3e-5, -2e-3, 5e-3}}};
    for (const Theory theory : kTheories) {
      for (const auto& axes : kEllipses) {
        const double a = axes[0];
        const double b = axes[1];
        for (const Creepages& motion : motions) {
          const SimplifiedContact c = contact(a, b);
          const Grid grid = grid_over(c, 43, 37);  // with a row at y = 0
          const SimplifiedSolution s = roll(theory, c, motion, grid);
          CAPTURE(static_cast<int>(theory));
          CAPTURE(a);
          int slipping = 0;
          for (std::size_t i = 0; i < grid.count(); ++i) {
            const double size = std::hypot(s.traction_x[i], s.traction_y[i]);
            const double g = s.traction_bound[i];
            const double work = s.traction_x[i] * s.slip_x[i] + s.traction_y[i] * s.slip_y[i];
            if (s.state[i] == ElementState::exterior) {
              CHECK(size == 0.0);
            } else if (s.state[i] == ElementState::adhesion) {
              CHECK(size <= g * (1.0 + 1e-9));  // where strip theory ends in q = r
              CHECK(std::hypot(s.slip_x[i], s.slip_y[i]) == 0.0);
            } else {
              ++slipping;
              CHECK(size == test::near(g, 1e-12));  // rounding
              // The directions of p and L (p - p_trial) differ by those of L1 and L2 only.
              CHECK(work <= 0.0);
            }
          }
          CHECK(slipping > 5);
        }
      }
    }
  }

  TEST_CASE("simplified theory: y -> -y with the lateral creepage and the spin reversed") {
    for (const Theory theory : kTheories) {
      const SimplifiedContact c = contact(8.0, 4.0);
      const Grid grid = grid_over(c, 37, 28);
      const SimplifiedSolution s = roll(theory, c, {2e-4, -4e-4, 5e-4}, grid);
      const SimplifiedSolution image = roll(theory, c, {2e-4, 4e-4, -5e-4}, grid);
      const double scale = 0.3 * 82000.0 / (kPi * 32.0);
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix) {
          const std::size_t i = grid.index(ix, iy);
          const std::size_t j = grid.index(ix, grid.my - 1 - iy);
          CHECK(std::abs(s.traction_x[i] - image.traction_x[j]) <= 1e-9 * scale);  // rounding
          CHECK(std::abs(s.traction_y[i] + image.traction_y[j]) <= 1e-9 * scale);
          CHECK(s.state[i] == image.state[j]);
        }
      }
    }
  }

  TEST_CASE("FASTSIM: the parabolic bound sticks from the leading edge, and slips once") {
    const SimplifiedContact c = contact(8.0, 4.0);
    const Grid grid = grid_over(c, 61, 40);
    const SimplifiedSolution s = fastsim(c, {5e-4, -3e-4, 0.0}, TractionBound::parabolic, grid);
    int rows = 0;
    for (int iy = 0; iy < grid.my; ++iy) {
      const std::vector<std::size_t> row = row_of(s, grid, iy);
      if (row.size() < 20) continue;
      ++rows;
      // The first element aside, which counts as a whole one wherever the border cuts it.
      int changes = 0;
      for (std::size_t k = 1; k + 1 < row.size(); ++k) {
        changes += s.state[row[k]] != s.state[row[k - 1]] ? 1 : 0;
      }
      CHECK(changes == 1);
      CHECK(s.state[row[row.size() - 2]] == ElementState::adhesion);
      CHECK(s.state[row.front()] == ElementState::slip);
    }
    CHECK(rows > 20);
  }

  TEST_CASE("FaStrip: adhesion begins at the leading edge, and is as long as strip theory says") {
    const SimplifiedContact c = contact(8.0, 4.0);
    const Grid grid = grid_over(c, 300, 30);
    const double xi = 4e-4;
    const SimplifiedSolution s = fastrip(c, {xi, 0.0, 0.0}, grid);
    const double p0 = 1.5 * 82000.0 / (kPi * 32.0);
    const double c11 = kalker_coefficients(2.0, 0.28).c11;
    // Haines and Ollerton's strips: the slip area is as long in each strip.
    const double slip = 4.0 * 8.0 * 82000.0 * c11 * xi / (0.3 * p0 * kPi * kPi);
    int rows = 0;
    for (int iy = 0; iy < grid.my; ++iy) {
      const std::vector<std::size_t> row = row_of(s, grid, iy);
      const auto length = static_cast<double>(row.size()) * grid.dx;
      if (row.empty() || length < slip + grid.dx) continue;
      ++rows;
      int slipping = 0;
      for (const std::size_t i : row) slipping += s.state[i] == ElementState::slip ? 1 : 0;
      CHECK(s.state[row.back()] == ElementState::adhesion);
      CHECK(std::abs(slipping * grid.dx - slip) <= 2.0 * grid.dx);  // an element at each end
    }
    CHECK(rows > 10);
  }

  TEST_CASE("simplified theory: without friction no traction") {
    for (const Theory theory : kTheories) {
      const SimplifiedContact c = contact(8.0, 4.0, 0.0);
      const Grid grid = grid_over(c, 21, 20);
      const SimplifiedSolution s = roll(theory, c, {1e-3, 0.0, 1e-4}, grid);
      const Totals sum = totals(s, grid);
      CHECK(sum.x == 0.0);
      CHECK(sum.y == 0.0);
    }
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("simplified theory: vanishing creepages give Kalker's linear forces") {
    for (const auto& axes : kEllipses) {
      const double a = axes[0];
      const double b = axes[1];
      const SimplifiedContact c = contact(a, b, 1e4);  // so much friction that nothing slips
      const KalkerCoefficients kalker = kalker_coefficients(a / b, c.poisson_ratio);
      const double stiffness = c.shear_modulus * a * b;
      const double creepage = 1e-5;
      for (const Theory theory : kTheories) {
        CAPTURE(a);
        CAPTURE(static_cast<int>(theory));
        // FASTSIM's error falls as dx, for an element at the leading edge counts in full; FaStrip's
        // as the root of dx, for its traction is infinite at the trailing edge.
        for (const int m : {100, 400}) {
          const double accepted = theory == Theory::fastrip ? 0.5 / std::sqrt(m) : 2.0 / m;
          const Grid grid = grid_over(c, m, m);
          const Totals x = totals(roll(theory, c, {creepage, 0.0, 0.0}, grid), grid);
          const Totals y = totals(roll(theory, c, {0.0, creepage, 0.0}, grid), grid);
          const Totals spin = totals(roll(theory, c, {0.0, 0.0, creepage}, grid), grid);
          const double error_x = x.x / (-stiffness * kalker.c11 * creepage) - 1.0;
          const double error_y = y.y / (-stiffness * kalker.c22 * creepage) - 1.0;
          const double error_spin =
              spin.y / (-stiffness * std::sqrt(a * b) * kalker.c23 * creepage) - 1.0;
          CHECK(std::abs(error_x) <= accepted);
          CHECK(std::abs(error_y) <= accepted);
          CHECK(std::abs(error_spin) <= 6.0 / m);
          CHECK(std::abs(x.y) <= 1e-12 * std::abs(x.x));
          CHECK(std::abs(y.x) <= 1e-12 * std::abs(y.y));
        }
      }
    }
  }

  TEST_CASE("simplified theory: large creepage slides everywhere with mu F_n against it") {
    for (const Theory theory : kTheories) {
      for (const auto& axes : kEllipses) {
        const double a = axes[0];
        const double b = axes[1];
        const SimplifiedContact c = contact(a, b);
        const Grid grid = grid_over(c, 90, 80);
        const SimplifiedSolution s = roll(theory, c, {0.03, -0.04, 0.0}, grid);
        const Totals sum = totals(s, grid);
        const double bound = 0.3 * 82000.0;
        CHECK(sum.bound == test::near(bound, 1e-3));  // midpoint sum of the bound
        CHECK(sum.x == test::near(-0.6 * sum.bound, 1e-9));
        CHECK(sum.y == test::near(0.8 * sum.bound, 1e-9));
        for (const ElementState state : s.state) CHECK(state != ElementState::adhesion);
      }
    }
  }

  TEST_CASE("simplified theory: pure spin pushes to the side, not along x, and brakes itself") {
    for (const Theory theory : kTheories) {
      const SimplifiedContact c = contact(8.0, 4.0);
      const Grid grid = grid_over(c, 60, 50);
      const Totals sum = totals(roll(theory, c, {0.0, 0.0, 3e-4}, grid), grid);
      CAPTURE(static_cast<int>(theory));
      CHECK(std::abs(sum.x) <= 1e-9 * std::abs(sum.y));  // symmetry
      CHECK(sum.y < -0.1 * 0.3 * 82000.0);
      CHECK(sum.moment < 0.0);
    }
  }

  TEST_CASE("FASTSIM: Kalker's force for pure creepage, in closed form") {
    // Strip by strip the traction grows at one rate from the leading edge on until it meets the
    // parabola, and follows it to the trailing edge.
    const SimplifiedContact c = contact(8.0, 4.0);
    const double xi = 6e-4;
    const Grid fine = grid_over(c, 3000, 150);
    const SimplifiedSolution s = fastsim(c, {xi, 0.0, 0.0}, TractionBound::parabolic, fine);
    const double rate = xi / s.flexibilities.x;  // of |p_x| from the leading edge on
    const double top = 2.0 * 0.3 * 82000.0 / (kPi * 32.0);
    double exact = 0.0;
    constexpr int kStrips = 20000;
    for (int k = 0; k < kStrips; ++k) {
      const double y = 4.0 * ((k + 0.5) / kStrips);
      const double half = 8.0 * std::sqrt(1.0 - y * y / 16.0);
      // rate (s - x) = top (s^2 - x^2)/a^2 where s + x = rate a^2/top: sticking ends there.
      const double left = std::min(rate * 64.0 / top, 2.0 * half);
      const double stuck = 2.0 * half - left;
      const double slipping = top / 64.0 * (half * left * left - left * left * left / 3.0);
      exact -= 2.0 * (4.0 / kStrips) * (0.5 * rate * stuck * stuck + slipping);
    }
    CHECK(totals(s, fine).x == test::near(exact, 1e-3));  // dx/a
  }
}

}  // namespace slipfield
