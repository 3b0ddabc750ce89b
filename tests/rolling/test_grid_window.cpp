// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/run/cpu_instances.h"
#include "solver/window/grid_window.h"
#include "solver/window/normal_window.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/skew_contact.h"

using namespace slipfield;

TEST_SUITE("unit") {
  TEST_CASE("grid window: the least one around marks") {
    const Grid grid{9, 7, 1.0, 2.0, -3.0, 5.0};
    std::vector<unsigned char> marks(grid.count(), 0);
    CHECK(window_around(grid, marks).empty());
    marks[grid.index(4, 5)] = 1;
    CHECK(window_around(grid, marks) == GridWindow{4, 5, 1, 1});
    marks[grid.index(7, 2)] = 1;
    marks[grid.index(2, 3)] = 2;
    const GridWindow window = window_around(grid, marks);
    CHECK(window == GridWindow{2, 2, 6, 4});
    const Grid part = grid_of(window, grid);
    CHECK(part.count() == 24);
    CHECK(part.x(0) == grid.x(2));
    CHECK(part.y(3) == grid.y(5));
    marks[grid.index(0, 0)] = marks[grid.index(8, 6)] = 1;
    CHECK(window_around(grid, marks) == GridWindow{0, 0, 9, 7});
  }

  TEST_CASE("grid window: around two windows, and what holds what") {
    const GridWindow a{2, 3, 4, 5};
    const GridWindow b{5, 1, 3, 3};
    const GridWindow both = window_around(a, b);
    CHECK(both == GridWindow{2, 1, 6, 7});
    CHECK(window_around(a, GridWindow{}) == a);
    CHECK(window_around(GridWindow{}, b) == b);
    CHECK(both.holds(a));
    CHECK(both.holds(b));
    CHECK(!a.holds(both));
    CHECK(!a.holds(b));
  }

  TEST_CASE("grid window: is made wider as far as the grid goes") {
    const Grid grid{20, 30, 1.0, 1.0};
    CHECK(widened({3, 5, 10, 20}, grid, 1) == GridWindow{2, 4, 12, 22});
    CHECK(widened({1, 5, 18, 24}, grid, 2) == GridWindow{0, 3, 20, 27});
    CHECK(widened({}, grid, 2).empty());
    CHECK(widened({3, 5, 10, 20}, grid, 0) == GridWindow{3, 5, 10, 20});
  }

  TEST_CASE("grid window: sides go outwards to multiples of at most a sixteenth of the length") {
    const Grid grid{100, 210, 1.0, 1.0};
    CHECK(rounded_outwards({3, 5, 15, 31}, grid) == GridWindow{3, 5, 15, 31});
    CHECK(rounded_outwards({3, 5, 33, 64}, grid) == GridWindow{2, 4, 34, 68});
    CHECK(rounded_outwards({67, 141, 33, 69}, grid) == GridWindow{66, 140, 34, 70});  // at the ends
  }

  TEST_CASE("grid window: pays on large free grids, in a part of them") {
    Grid grid{48, 48, 1.0, 1.0};
    CHECK(window_pays({0, 0, 24, 24}, grid, 0.25));
    CHECK(!window_pays({0, 0, 25, 24}, grid, 0.25));
    CHECK(!window_pays({}, grid, 0.25));
    grid.boundary = Boundary::periodic;
    CHECK(!window_pays({0, 0, 2, 2}, grid, 0.25));
    CHECK(!window_pays({0, 0, 2, 2}, Grid{47, 48, 1.0, 1.0}, 0.25));
  }

  TEST_CASE("grid window: products of the normal problem are on the window where one is taken") {
    for (const double force : {0.02, 5.0}) {  // 7 and 45 of 56 elements across
      CAPTURE(force);
      const ContactProblem problem =
          test::normal_problem(test::centred_grid(56, 56, 6.3, 6.3), test::kBody,
                               QuadraticShape{0.01, 0.0, 0.01}, NormalControl::force, force, 1e-3);
      const CombinedMaterial material = combine(problem.upper, problem.lower);
      const Grid& grid = problem.grid;
      std::vector<double> heights;
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix)
          heights.push_back(0.01 * (grid.x(ix) * grid.x(ix) + grid.y(iy) * grid.y(iy)));
      CpuBackend backend;
      CpuBackend::Influence influence(backend, grid, material, problem.solver.influence);
      NormalWindow<CpuBackend> window(backend, grid, material, problem.solver, influence, heights);
      CpuBackend::Array<double> distance(grid.count());
      CpuBackend::Array<double> pressure(grid.count());
      CpuBackend::Array<double> displacement(grid.count());
      backend.upload(heights, distance);
      const NormalResult result =
          window.solve(distance, {NormalControl::force, force}, problem.solver.normal, 1e-3,
                       pressure, displacement, [](int, double) {});
      REQUIRE(result.converged);
      const bool taken = force < 1.0;
      CHECK((window.products() > 0) == taken);
      CHECK((influence.products() > 1) == !taken);  // one, of the displacement outside the window
    }
  }
}
