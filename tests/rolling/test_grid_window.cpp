// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/cpu/cpu_backend.h"
#include "solver/run/cpu_instances.h"
#include "solver/window/grid_window.h"
#include "solver/window/normal_window.h"
#include "tests/support/near.h"
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
    for (const bool by_elements : {false, true}) {
      Grid grid{48, 48, 1.0, 1.0};
      CHECK(window_pays({0, 0, 24, 24}, grid, 0.25, by_elements));
      CHECK(!window_pays({0, 0, 25, 24}, grid, 0.25, by_elements));
      CHECK(!window_pays({}, grid, 0.25, by_elements));
      grid.boundary = Boundary::periodic;
      CHECK(!window_pays({0, 0, 2, 2}, grid, 0.25, by_elements));
    }
  }

  TEST_CASE("grid window: pays on small grids only where products take their time by elements") {
    const Grid grid{47, 48, 1.0, 1.0};
    CHECK(window_pays({0, 0, 47, 33}, grid, 0.25, true));
    CHECK(!window_pays({0, 0, 47, 34}, grid, 0.25, true));
    CHECK(!window_pays({0, 0, 2, 2}, grid, 0.25, false));
    CHECK(!window_pays({0, 0, 2, 2}, Grid{23, 25, 1.0, 1.0}, 0.25, true));
  }

  TEST_CASE("grid window: products of the normal problem are on the window where one is taken") {
    struct Contact {
      int elements;  // in each direction, of 0.225 each; 7, 45 and 26 touch
      NormalLoad load;
      InfluenceMethod influence;
      bool taken;
    };
    for (const Contact& contact :
         {Contact{56, {NormalControl::force, 0.02}, InfluenceMethod::automatic, true},
          Contact{56, {NormalControl::force, 5.0}, InfluenceMethod::automatic, false},
          Contact{40, {NormalControl::approach, 0.17}, InfluenceMethod::automatic, false},
          Contact{40, {NormalControl::approach, 0.17}, InfluenceMethod::fft, true}}) {
      CAPTURE(contact.load.value);
      const double half = 0.1125 * contact.elements;
      ContactProblem problem = test::normal_problem(
          test::centred_grid(contact.elements, contact.elements, half, half), test::kBody,
          QuadraticShape{0.01, 0.0, 0.01}, contact.load.control, contact.load.value, 1e-3);
      problem.solver.influence = contact.influence;
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
      // The second time from the pressures of the first.
      for (std::int64_t products = 0, time = 1; time <= 2; ++time) {
        const NormalResult result = window.solve(distance, contact.load, problem.solver.normal,
                                                 1e-3, pressure, displacement, [](int, double) {});
        REQUIRE(result.converged);
        CHECK((window.products() > products) == contact.taken);
        // One each time, of the displacement outside the window.
        CHECK((influence.products() > time) == !contact.taken);
        products = window.products();
      }
    }
  }

  TEST_CASE("grid window: a contact on the grid of its overlap rolls on a window as on the grid") {
    // 40 x 33 elements, of which some 25 x 20 touch.
    ContactProblem problem = test::normal_problem(test::centred_grid(40, 33, 1.0, 1.3), test::kBody,
                                                  QuadraticShape{0.01, 0.002, 0.006},
                                                  NormalControl::approach, 0.01, 1e-9);
    const StepInput step =
        test::set_motion(problem, 0.3, TangentialProblem::steady_rolling, 0.001, -0.0005, 0.002);
    const StepReport on_grid = make_cpu_solver(problem)->advance(step);
    problem.solver.influence = InfluenceMethod::fft;
    const StepReport in_window = make_cpu_solver(problem)->advance(step);
    REQUIRE(on_grid.outcome == Outcome::converged);
    REQUIRE(in_window.outcome == Outcome::converged);
    CHECK(in_window.elements_slip == on_grid.elements_slip);
    CHECK(in_window.elements_slip > 0);
    constexpr double kOfTolerance = 1.0e-8;  // of 1e-9, amplified by the condition of the contact
    const double size = 0.3 * on_grid.normal_force;
    CHECK(in_window.normal_force == test::within(on_grid.normal_force, kOfTolerance * size));
    CHECK(in_window.force_x == test::within(on_grid.force_x, kOfTolerance * size));
    CHECK(in_window.force_y == test::within(on_grid.force_y, kOfTolerance * size));
  }
}
