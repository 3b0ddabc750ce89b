// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/normal/normal_solver.h"
#include "solver/run/cpu_instances.h"
#include "tests/support/near.h"
#include "tests/support/normal_surfaces.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using test::Axis;

constexpr ElasticBody kPressedBody{0.8, 0.3};

// Complementarity by direct summation with h as written here.
void check_solution(const ContactProblem& problem, const test::Solved& solved,
                    const std::vector<double>& distance, double tolerance) {
  REQUIRE(solved.report.outcome == Outcome::converged);
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  const test::DenseDisplacements u =
      test::dense_displacements(problem.grid, material, solved.fields);
  const test::NormalErrors errors =
      test::normal_errors(solved.fields, distance, u.n, solved.report.approach);
  CHECK(errors.least_pressure == 0.0);
  CHECK(errors.gap_in_contact <= tolerance);
  CHECK(errors.penetration <= tolerance);
  double sum = 0.0;
  std::int64_t contact = 0;
  double greatest = 0.0;
  for (const double p : solved.fields.pressure) {
    sum += p;
    contact += p > 0.0 ? 1 : 0;
    greatest = std::max(greatest, p);
  }
  const double force = sum * problem.grid.element_area();
  CHECK(solved.report.normal_force == test::near(force, 1e-13));  // rounding of sums
  CHECK(solved.report.elements_contact == contact);
  CHECK(solved.report.max_pressure == greatest);
  const NormalLoad& load = problem.steps.back().normal;
  if (load.control == NormalControl::force) {
    CHECK(force == test::near(load.value, 1e-13));  // rounding
  } else {
    CHECK(solved.report.approach == load.value);
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < distance.size(); ++i) {
    test::grow(worst, std::abs(solved.fields.displacement_n[i] - u.n[i]));
    if (std::isinf(distance[i])) {
      CHECK(std::isinf(solved.fields.gap[i]));
    } else {
      test::grow(worst,
                 std::abs(solved.fields.gap[i] - (distance[i] + u.n[i] - solved.report.approach)));
    }
  }
  CHECK(worst <= 1e-12 * std::abs(solved.report.approach));  // rounding of FFT against sums
}

std::vector<double> heights_of(const Grid& grid, const QuadraticShape& s) {
  std::vector<double> h(grid.count());
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double x = grid.x0 + (ix + 0.5) * grid.dx;
      const double y = grid.y0 + (iy + 0.5) * grid.dy;
      h[grid.index(ix, iy)] =
          s.xx * x * x + s.xy * x * y + s.yy * y * y + s.x * x + s.y * y + s.constant;
    }
  }
  return h;
}

TEST_SUITE("oracle") {
  TEST_CASE(
      "normal problem: complementarity by direct summation on grids of all sizes, force and "
      "approach prescribed, both methods") {
    const std::array<Grid, 9> grids{{{1, 1, 0.4, 0.7, -0.15, -0.4},
                                     {1, 31, 0.4, 0.7, -0.2, -11.0},
                                     {33, 1, 0.4, 70.0, -6.5, -35.0},
                                     {2, 3, 0.4, 0.7, -0.3, -1.2},
                                     {31, 32, 0.4, 0.7, -6.0, -11.0},
                                     {33, 17, 1.1, 0.4, -18.0, -3.3},
                                     {37, 29, 0.4, 0.7, -7.0, -10.0},
                                     {13, 41, 0.4, 12.0, -2.5, -240.0},
                                     {43, 11, 25.0, 0.3, -530.0, -1.7}}};
    for (const Grid& grid : grids) {
      const QuadraticShape shape = test::skew_paraboloid(grid);
      const std::vector<double> h = heights_of(grid, shape);
      for (const NormalMethod method : test::kNormalMethods) {
        CAPTURE(grid.mx);
        CAPTURE(grid.my);
        CAPTURE(static_cast<int>(method));
        ContactProblem problem =
            test::normal_problem(grid, kPressedBody, shape, NormalControl::approach, 0.15, 1e-9);
        problem.solver.normal = method;
        const test::Solved by_approach = test::solve(problem);
        // The tolerance, over the range of A from element to element.
        check_solution(problem, by_approach, h, 1e-8);
        CHECK(by_approach.report.normal_force > 0.0);
        problem.steps[0].normal = {NormalControl::force, by_approach.report.normal_force};
        const test::Solved by_force = test::solve(problem);
        check_solution(problem, by_force, h, 1e-8);  // as above
        // The force by the approach and the approach by the force lead back.
        CHECK(by_force.report.approach == test::near(0.15, 1e-8));  // tolerance
        CHECK(test::relative_difference(by_force.fields.pressure, by_approach.fields.pressure) <=
              1e-7);  // tolerance
      }
    }
  }

  TEST_CASE(
      "normal problem: a rough surface in many islands, complementarity by direct summation") {
    const Grid grid{53, 47, 0.02, 0.025, -0.5, -0.6};
    for (const std::uint64_t seed : {31U, 32U, 33U}) {
      const HeightsShape shape = test::rough_surface(grid, seed);
      const double summit = *std::max_element(shape.values.begin(), shape.values.end());
      std::vector<double> h;
      for (const double value : shape.values) h.push_back(summit - value);
      std::vector<double> first;
      for (const NormalMethod method : test::kNormalMethods) {
        ContactProblem problem =
            test::normal_problem(grid, kPressedBody, shape, NormalControl::force, 0.012, 1e-9);
        problem.solver.normal = method;
        const test::Solved solved = test::solve(problem);
        CHECK(solved.report.elements_contact > 100);
        CHECK(solved.report.elements_contact < 1000);
        check_solution(problem, solved, h, 1e-7);  // tolerance over the range of A
        if (first.empty()) first = solved.fields.pressure;
        CHECK(test::relative_difference(solved.fields.pressure, first) <= 1e-7);  // tolerance
      }
    }
  }

  TEST_CASE("normal problem: bound_cg and active_set_cg find the same contact and pressures") {
    const Grid grid{61, 47, 0.04, 0.06, -1.3, -1.4};
    const double infinite = std::numeric_limits<double>::infinity();
    HeightsShape holes = test::rough_surface(grid, 34, 0.2);
    holes.of = HeightsOf::distance;
    for (std::size_t i = 0; i < holes.values.size(); i += 7) holes.values[i] = infinite;
    const std::array<Shape, 4> shapes{SphereShape{3.0}, test::skew_paraboloid(grid),
                                      test::rough_surface(grid, 35), holes};
    for (const Shape& shape : shapes) {
      for (const NormalLoad load :
           {NormalLoad{NormalControl::force, 0.3}, NormalLoad{NormalControl::approach, 0.08}}) {
        ContactProblem problem =
            test::normal_problem(grid, kPressedBody, shape, load.control, load.value, 1e-12);
        problem.solver.normal = NormalMethod::bound_cg;
        const test::Solved bound = test::solve(problem);
        problem.solver.normal = NormalMethod::active_set_cg;
        const test::Solved active = test::solve(problem);
        REQUIRE(bound.report.outcome == Outcome::converged);
        REQUIRE(active.report.outcome == Outcome::converged);
        CHECK(bound.fields.element_division == active.fields.element_division);
        // 100 times the tolerance: the residual weighs smooth errors more than the change.
        CHECK(test::relative_difference(bound.fields.pressure, active.fields.pressure) <= 1e-10);
        CHECK(bound.report.approach == test::near(active.report.approach, 1e-11));
      }
    }
  }

  TEST_CASE("normal problem: converges on any grid and any shape of its elements") {
    // A zero-padded circulant of A_nn is indefinite on flat grids and skew elements, and made
    // conjugate gradients fail on every second of these.
    test::Random random(36);
    for (int k = 0; k < 100; ++k) {
      const auto size = [&](double decades) {
        return static_cast<int>(std::pow(10.0, random.uniform(0.0, decades)));
      };
      const int mx = size(1.9);
      const int my = size(1.9);
      const double dy = std::pow(10.0, random.uniform(-3.0, 3.0));
      const Grid grid{mx,
                      my,
                      1.0,
                      dy,
                      -0.5 * mx + random.uniform(-0.3, 0.3),
                      (-0.5 * my + random.uniform(-0.3, 0.3)) * dy};
      const bool by_force = k % 2 == 0;
      const double force = 0.01 * std::sqrt(mx * my * dy);
      const ContactProblem problem = test::normal_problem(
          grid, kPressedBody, test::skew_paraboloid(grid),
          by_force ? NormalControl::force : NormalControl::approach, by_force ? force : 0.1, 1e-7);
      const test::Solved solved = test::solve(problem);
      CAPTURE(mx);
      CAPTURE(my);
      CAPTURE(dy);
      CHECK(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.residual <= 1e-5);  // 100 times the tolerance
    }
  }

  TEST_CASE("rectangular punch: the solution of A p = approach by elimination") {
    const Grid grid{9, 7, 0.3, 0.5, -1.2, -1.9};
    ContactProblem problem =
        test::normal_problem(grid, kPressedBody, PlanformShape{RectangleOutline{0.95, 1.3}},
                             NormalControl::approach, 0.02, 1e-11);
    const test::Solved solved = test::solve(problem);
    std::vector<int> xs;
    std::vector<int> ys;
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        const bool inside = std::abs(grid.x(ix)) <= 0.95 && std::abs(grid.y(iy)) <= 1.3;
        CHECK((solved.fields.pressure[grid.index(ix, iy)] > 0.0) == inside);
        if (!inside) continue;
        xs.push_back(ix);
        ys.push_back(iy);
      }
    }
    const std::size_t n = xs.size();
    REQUIRE(n > 20);
    const test::DenseInfluence dense(grid, combine(kPressedBody, kPressedBody));
    std::vector<std::vector<double>> a(n, std::vector<double>(n + 1, 0.02));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        a[i][j] = dense.at(Axis::n, Axis::n, xs[i] - xs[j], ys[i] - ys[j]);
      }
    }
    for (std::size_t k = 0; k < n; ++k) {  // positive definite: no pivoting
      for (std::size_t i = 0; i < n; ++i) {
        if (i == k) continue;
        const double factor = a[i][k] / a[k][k];
        for (std::size_t j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double p = solved.fields.pressure[grid.index(xs[i], ys[i])];
      CHECK(p == test::near(a[i][n] / a[i][i], 1e-9));  // 100 times the tolerance
    }
  }

  TEST_CASE("normal problem: the pressures of a held contact leave the same gap everywhere in it") {
    const Grid grid{13, 11, 0.7, 0.6, 0.0, 0.0};
    const CombinedMaterial material = combine(kPressedBody, kPressedBody);
    CpuBackend backend;
    CpuInfluence influence(backend, grid, material, InfluenceMethod::automatic);
    NormalSolver<CpuBackend> solver(backend, grid, influence);
    test::Random random(5);
    std::vector<unsigned char> contact(grid.count());
    std::vector<double> given(grid.count());
    double elements = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < contact.size(); ++i) {
      contact[i] = random.uniform(0.0, 1.0) < 0.6 ? 1 : 0;
      if (contact[i] == 0) continue;
      elements += 1.0;
      given[i] = random.uniform(-0.3, 1.0);
      squares += given[i] * given[i];
    }
    for (double& h : given) h /= std::sqrt(squares);
    for (const Held held : {Held::approach, Held::sum}) {
      CpuBackend::Array<double> gap(grid.count());
      CpuBackend::Array<double> change(grid.count());
      backend.upload(given, gap);
      const std::optional<double> load =
          solver.respond(contact.data(), elements, held, 1e-13, gap, change);
      REQUIRE(load.has_value());
      const std::vector<double> v = backend.download(change);
      const std::vector<double> u = test::DenseInfluence(grid, material).apply(Axis::n, Axis::n, v);
      double sum = 0.0;
      double worst = 0.0;
      for (std::size_t i = 0; i < v.size(); ++i) {
        sum += v[i];
        if (contact[i] == 0) CHECK(v[i] == 0.0);
        if (contact[i] != 0) test::grow(worst, std::abs(u[i] + given[i] - *load));
      }
      CHECK(worst <= 1e-12);  // 10 times what is wanted: the products round otherwise
      if (held == Held::approach)
        CHECK(*load == 0.0);
      else
        CHECK(std::abs(sum) <= 1e-12);  // rounding of 90 pressures near 1
    }
  }
}

}  // namespace
}  // namespace slipfield
