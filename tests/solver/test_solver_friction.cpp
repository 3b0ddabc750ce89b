// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <omp.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_gauss_seidel.h"
#include "solver/tangential/friction_element.h"
#include "tests/support/near.h"
#include "tests/support/oracle_dense.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using test::Axis;

struct Vector {
  double x;
  double y;
};
Vector multiply(const ElementCompliance& d, Vector p) {
  return {d.xx * p.x + d.xy * p.y, d.xy * p.x + d.yy * p.y};
}

// Positive definite, eigenvalues up to `decades` apart, of any size.
ElementCompliance random_compliance(test::Random& random, double decades) {
  const double size = std::pow(10.0, random.uniform(-9.0, 3.0));
  const double ratio = std::pow(10.0, random.uniform(-decades, 0.0));
  const double angle = random.uniform(0.0, std::numbers::pi);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {size * (c * c + ratio * s * s), size * (1.0 - ratio) * s * c,
          size * (s * s + ratio * c * c)};
}

TEST_SUITE("unit") {
  TEST_CASE(
      "friction element: adheres without slip or slips on the bound against the slip, for "
      "10000 random compliances") {
    test::Random random(51);
    int adhering = 0;
    for (int k = 0; k < 10000; ++k) {
      const double decades = k % 2 == 0 ? 0.3 : 4.0;
      const ElementCompliance d = random_compliance(random, decades);
      const double size = d.xx + d.yy;
      const double bound = std::pow(10.0, random.uniform(-6.0, 6.0));
      const double relative = std::pow(10.0, random.uniform(-3.0, 3.0));
      const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
      const Vector free{size * bound * relative * std::cos(angle),
                        size * bound * relative * std::sin(angle)};
      const std::array<double, 3> starts{0.0, size * std::pow(10.0, random.uniform(-4.0, 4.0)),
                                         size * relative};
      for (const double start : starts) {
        CAPTURE(k);
        const ElementTraction p = solve_friction_element(d, free.x, free.y, bound, start);
        const Vector image = multiply(d, {p.x, p.y});
        const Vector slip{free.x + image.x, free.y + image.y};
        const double slip_size = std::hypot(slip.x, slip.y);
        const double scale = std::hypot(free.x, free.y) + size * bound;
        CHECK(std::hypot(p.x, p.y) <= bound * (1.0 + 1e-15));  // rounding
        if (p.state == ElementState::adhesion) {
          ++adhering;
          CHECK(slip_size <= 1e-11 * scale);  // rounding times the condition, 1e4
          CHECK(p.lambda == 0.0);
        } else {
          CHECK(std::hypot(p.x, p.y) == test::near(bound, 1e-14));  // rounding
          CHECK(p.lambda >= 0.0);
          // s = -lambda p: opposite and parallel.
          const double parallel = std::hypot(slip.x + p.lambda * p.x, slip.y + p.lambda * p.y);
          CHECK(parallel <= 1e-11 * scale);  // as above
        }
      }
    }
    CHECK(adhering > 3000);
    CHECK(adhering < 20000);
  }

  TEST_CASE("friction element: no traction on the disc does less complementary work") {
    // The solution minimises p.Dp/2 + free.p over the disc; any other p is worse.
    test::Random random(52);
    for (int k = 0; k < 500; ++k) {
      const ElementCompliance d = random_compliance(random, 2.0);
      const double bound = 1.0;
      const double size = (d.xx + d.yy) * std::pow(10.0, random.uniform(-1.0, 1.0));
      const Vector free{size * random.uniform(-1.0, 1.0), size * random.uniform(-1.0, 1.0)};
      const auto work = [&](Vector p) {
        const Vector image = multiply(d, p);
        return 0.5 * (p.x * image.x + p.y * image.y) + free.x * p.x + free.y * p.y;
      };
      const ElementTraction solved = solve_friction_element(d, free.x, free.y, bound, 0.0);
      const double least = work({solved.x, solved.y});
      for (int other = 0; other < 20; ++other) {
        const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
        const double radius = other % 2 == 0 ? bound : bound * random.uniform(0.0, 1.0);
        // Rounding.
        CHECK(least <= work({radius * std::cos(angle), radius * std::sin(angle)}) + 1e-13 * size);
      }
    }
  }

  TEST_CASE("friction element: without a bound no traction, state slip") {
    const ElementTraction p = solve_friction_element({1.0, 0.1, 2.0}, 0.3, -0.4, 0.0, 0.7);
    CHECK(p.x == 0.0);
    CHECK(p.y == 0.0);
    CHECK(p.state == ElementState::slip);
    CHECK(solve_friction_element({1.0, 0.1, 2.0}, 0.0, 0.0, 1.0, 0.0).state ==
          ElementState::adhesion);
  }
}

// The element problem by bisection for lambda.
ElementTraction textbook_element(const ElementCompliance& d, Vector free, double bound) {
  if (bound == 0.0) return {0.0, 0.0, 0.0, ElementState::slip};
  const auto traction = [&](double lambda) {
    const double xx = d.xx + lambda;
    const double yy = d.yy + lambda;
    const double determinant = xx * yy - d.xy * d.xy;
    return Vector{-(yy * free.x - d.xy * free.y) / determinant,
                  -(xx * free.y - d.xy * free.x) / determinant};
  };
  const auto result = [&](Vector p, double lambda, ElementState state) {
    return ElementTraction{p.x, p.y, lambda, state};
  };
  const Vector stuck = traction(0.0);
  if (std::hypot(stuck.x, stuck.y) <= bound) return result(stuck, 0.0, ElementState::adhesion);
  double low = 0.0;
  double high = std::hypot(free.x, free.y) / bound;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    const Vector p = traction(middle);
    (std::hypot(p.x, p.y) > bound ? low : high) = middle;
  }
  const double lambda = 0.5 * (low + high);
  const Vector p = traction(lambda);
  const double scale = bound / std::hypot(p.x, p.y);
  return result({scale * p.x, scale * p.y}, lambda, ElementState::slip);
}

struct Contact {
  Grid grid;
  std::vector<unsigned char> state;
  std::vector<double> bound, rigid_x, rigid_y, traction_x, traction_y;
};

// Contact with holes and gaps in its rows, bounds and rigid slip without any pattern.
Contact random_contact(const Grid& grid, test::Random& random, double share) {
  const std::size_t n = grid.count();
  Contact c{grid,
            std::vector<unsigned char>(n, 0),
            std::vector<double>(n, 0.0),
            random.field(n),
            random.field(n),
            std::vector<double>(n, 0.0),
            std::vector<double>(n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    if (random.uniform(0.0, 1.0) > share) continue;
    c.state[i] = static_cast<unsigned char>(ElementState::adhesion);
    c.bound[i] = random.uniform(0.0, 1.0);
    c.traction_x[i] = 0.7 * c.bound[i] * random.uniform(-1.0, 1.0);
    c.traction_y[i] = 0.7 * c.bound[i] * random.uniform(-1.0, 1.0);
  }
  if (n > 20) c.bound[11] = 0.0;
  return c;
}

// The slip of one element from the sum over all.
struct DenseSlip {
  test::DenseInfluence now;
  test::DenseInfluence before;
  bool change;  // A(x) - A(x + offset), else A(x)

  DenseSlip(const Grid& grid, const CombinedMaterial& material, const InfluenceKind& kind)
      : now(grid, material),
        before(grid, material, kind.offset_x, kind.offset_y),
        change(kind.displacement == Displacement::change) {}

  [[nodiscard]] double at(Axis a, Axis b, int kx, int ky) const {
    return now.at(a, b, kx, ky) - (change ? before.at(a, b, kx, ky) : 0.0);
  }
  [[nodiscard]] Vector operator()(const Contact& c, int ix, int iy) const {
    const std::size_t i = c.grid.index(ix, iy);
    Vector s{c.rigid_x[i], c.rigid_y[i]};
    for (int jy = 0; jy < c.grid.my; ++jy) {
      for (int jx = 0; jx < c.grid.mx; ++jx) {
        const std::size_t j = c.grid.index(jx, jy);
        if (c.state[j] == 0) continue;
        const double xy = at(Axis::x, Axis::y, ix - jx, iy - jy);
        s.x += at(Axis::x, Axis::x, ix - jx, iy - jy) * c.traction_x[j] + xy * c.traction_y[j];
        s.y += xy * c.traction_x[j] + at(Axis::y, Axis::y, ix - jx, iy - jy) * c.traction_y[j];
      }
    }
    return s;
  }
};

// One sweep as in a textbook: the slip of each element again, then its traction.
SweepChange textbook_sweep(Contact& c, const DenseSlip& slip, SweepOrder order, double relaxation) {
  SweepChange change;
  const ElementCompliance d{slip.at(Axis::x, Axis::x, 0, 0), slip.at(Axis::x, Axis::y, 0, 0),
                            slip.at(Axis::y, Axis::y, 0, 0)};
  const auto count = static_cast<int>(c.grid.count());
  for (int k = 0; k < count; ++k) {
    const int ix = k % c.grid.mx;
    const int iy = k / c.grid.mx;
    const int i = (order.y_backwards ? c.grid.my - 1 - iy : iy) * c.grid.mx +
                  (order.x_backwards ? c.grid.mx - 1 - ix : ix);
    const auto at = static_cast<std::size_t>(i);
    if (c.state[at] == 0) continue;
    const Vector s = slip(c, i % c.grid.mx, i / c.grid.mx);
    const Vector old{c.traction_x[at], c.traction_y[at]};
    const Vector own = multiply(d, old);
    const ElementTraction solved = textbook_element(d, {s.x - own.x, s.y - own.y}, c.bound[at]);
    double x = old.x + relaxation * (solved.x - old.x);
    double y = old.y + relaxation * (solved.y - old.y);
    const double size = std::hypot(x, y);
    if (size > c.bound[at]) {
      x *= c.bound[at] / size;
      y *= c.bound[at] / size;
    }
    c.traction_x[at] = x;
    c.traction_y[at] = y;
    c.state[at] = static_cast<unsigned char>(solved.state);
    change.change2 += (x - old.x) * (x - old.x) + (y - old.y) * (y - old.y);
    change.traction2 += x * x + y * y;
  }
  return change;
}

std::size_t elements_in_contact(const Contact& c) {
  std::size_t count = 0;
  for (const unsigned char state : c.state) count += state != 0 ? 1 : 0;
  return count;
}

constexpr std::array<SweepOrder, 4> kSweepOrders{
    {{false, false}, {true, false}, {false, true}, {true, true}}};

// Sweeps of the solver on a contact; the slip on return.
struct Swept {
  Contact contact;
  std::vector<double> slip_x, slip_y;
  SweepChange last;
};
Swept solver_sweeps(const Contact& start, const InfluenceKind& kind, const DenseSlip& slip,
                    SweepOrder order, double relaxation, int sweeps) {
  Swept s{start,
          std::vector<double>(start.grid.count(), 0.0),
          std::vector<double>(start.grid.count(), 0.0),
          {}};
  Contact& c = s.contact;
  for (int iy = 0; iy < c.grid.my; ++iy) {
    for (int ix = 0; ix < c.grid.mx; ++ix) {
      const std::size_t i = c.grid.index(ix, iy);
      if (c.state[i] == 0) continue;
      const Vector at = slip(c, ix, iy);
      s.slip_x[i] = at.x;
      s.slip_y[i] = at.y;
    }
  }
  CpuBackend backend;
  CpuInfluence influence(backend, c.grid, combine({0.7, 0.31}, {2.3, 0.12}),
                         InfluenceMethod::automatic, kind);
  CpuGaussSeidel gauss_seidel(backend, c.grid);
  gauss_seidel.set_contact(influence, c.state.data(), order);
  const TangentialFields fields{c.traction_x.data(), c.traction_y.data(), s.slip_x.data(),
                                s.slip_y.data(),     c.bound.data(),      c.state.data()};
  for (int k = 0; k < sweeps; ++k) s.last = gauss_seidel.sweep(fields, relaxation);
  return s;
}

const std::array<Grid, 8> kFrictionGrids{{{1, 1, 0.4, 0.7},
                                          {31, 1, 0.4, 70.0},
                                          {1, 33, 0.4, 0.7},
                                          {8, 4, 0.4, 0.7},
                                          {37, 29, 0.4, 0.7},
                                          {32, 31, 0.7, 0.4},
                                          {7, 113, 0.4, 0.7},
                                          {101, 11, 0.4, 0.3}}};

TEST_SUITE("oracle") {
  TEST_CASE(
      "gauss_seidel: sweeps equal the textbook's element after element, any contact, all "
      "orders, shift and steady rolling") {
    test::Random random(53);
    const CombinedMaterial material = combine({0.7, 0.31}, {2.3, 0.12});
    std::size_t greatest = 0;
    for (const Grid& grid : kFrictionGrids) {
      for (const InfluenceKind& kind :
           {InfluenceKind{}, InfluenceKind{Displacement::change, 0.55, -0.2}}) {
        const DenseSlip slip(grid, material, kind);
        for (const SweepOrder order : kSweepOrders) {
          const double relaxation = order.x_backwards ? 0.6 : 1.0;
          const double share = grid.mx == 101 ? 1.0 : random.uniform(0.5, 1.0);
          const Contact start = random_contact(grid, random, share);
          greatest = std::max(greatest, elements_in_contact(start));
          const Swept swept = solver_sweeps(start, kind, slip, order, relaxation, 2);
          Contact expected = start;
          textbook_sweep(expected, slip, order, relaxation);
          const SweepChange last = textbook_sweep(expected, slip, order, relaxation);
          CAPTURE(grid.mx);
          CAPTURE(grid.my);
          double worst = 0.0;
          double worst_slip = 0.0;
          for (int iy = 0; iy < grid.my; ++iy) {
            for (int ix = 0; ix < grid.mx; ++ix) {
              const std::size_t i = grid.index(ix, iy);
              test::grow(worst, std::abs(swept.contact.traction_x[i] - expected.traction_x[i]));
              test::grow(worst, std::abs(swept.contact.traction_y[i] - expected.traction_y[i]));
              if (expected.state[i] == 0) continue;
              const Vector s = slip(expected, ix, iy);
              test::grow(worst_slip, std::abs(swept.slip_x[i] - s.x));
              test::grow(worst_slip, std::abs(swept.slip_y[i] - s.y));
            }
          }
          CHECK(worst <= 1e-12);       // rounding of two sweeps of sums of 1000 terms
          CHECK(worst_slip <= 1e-12);  // as above
          CHECK(swept.contact.state == expected.state);
          CHECK(std::abs(swept.last.change2 - last.change2) <= 1e-11);
          CHECK(std::abs(swept.last.traction2 - last.traction2) <= 1e-11 * last.traction2);
        }
      }
    }
    CHECK(greatest > 1000);  // four blocks of 256, and no multiple of them
  }

  TEST_CASE("gauss_seidel: 1 and 2 threads give the same bits") {
    test::Random random(54);
    const Grid grid{37, 29, 0.4, 0.7};
    const DenseSlip slip(grid, combine({0.7, 0.31}, {2.3, 0.12}), {});
    const Contact start = random_contact(grid, random, 0.9);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const Swept one = solver_sweeps(start, {}, slip, SweepOrder{}, 0.5, 3);
    omp_set_num_threads(2);
    const Swept two = solver_sweeps(start, {}, slip, SweepOrder{}, 0.5, 3);
    omp_set_num_threads(threads);
    CHECK(one.contact.traction_x == two.contact.traction_x);
    CHECK(one.contact.traction_y == two.contact.traction_y);
    CHECK(one.slip_x == two.slip_x);
    CHECK(one.last.change2 == two.last.change2);
  }
}

}  // namespace
}  // namespace slipfield
