// SPDX-License-Identifier: Apache-2.0
// Estimates of contacts that are not ellipses: for an ellipse they are Hertz's (THEORY.md 10.8).
// And patches that act on each other in part (THEORY.md 4.7).
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "solver/error.h"
#include "solver/geometry.h"
#include "solver/geometry/hertz_ellipse.h"
#include "solver/influence/patch_modes.h"
#include "solver/problem_check.h"
#include "solver/simplified/patch_estimate.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

const ElasticBody kBody{82000.0, 0.28};

double sum_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum;
}

// Two spheres side by side, 4 apart, under an approach.
ContactProblem two_spheres() {
  const Grid grid = test::centred_grid(48, 24, 4.0, 2.0);
  ContactProblem problem = test::normal_problem(grid, {1.0, 0.3}, SphereShape{50.0},
                                                NormalControl::approach, 0.02, 1e-10);
  std::vector<double> h;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix)
      h.push_back((std::pow(std::abs(grid.x(ix)) - 2.0, 2) + std::pow(grid.y(iy), 2)) / 100.0);
  problem.geometry = {HeightsShape{HeightsOf::distance, h}};
  problem.patches.rectangles = {{-4.0, 0.0, -2.0, 2.0}, {0.0, 4.0, -2.0, 2.0}};
  return problem;
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("kpec, analyn: an ellipse is Hertz's, with an approach and with a force") {
    const Grid grid = test::centred_grid(61, 81, 8.8, 4.8);
    const CombinedMaterial material = combine(kBody, kBody);
    const HertzContact hertz = hertz_contact(8.0, 4.0, 82000.0, material.contact_modulus());
    const QuadraticShape shape{hertz.curvature_x, 0.0, hertz.curvature_y};
    const std::vector<double> h = undeformed_distance({shape}, grid, material);
    for (const NormalMethod method : {NormalMethod::kpec, NormalMethod::analyn}) {
      SolverSettings settings;
      settings.normal = method;
      for (const NormalLoad load : {NormalLoad{NormalControl::approach, hertz.approach},
                                    NormalLoad{NormalControl::force, 82000.0}}) {
        const PatchEstimate found = estimate_patch(settings, h, grid, material, load);
        // The ends of rows are linear between elements, sums are of elements: 1 %.
        CHECK(found.force == test::near(82000.0, 0.01));
        CHECK(found.approach == test::near(hertz.approach, 0.01));
        CHECK(found.max_pressure == test::near(1.5 * 82000.0 / (test::kPi * 32.0), 0.01));
        CHECK(found.semi_axis_x == test::near(8.0, 0.02));
        CHECK(found.semi_axis_y == test::near(4.0, 0.02));
        CHECK(found.force == test::near(sum_of(found.pressure) * grid.element_area(), 1e-12));
      }
    }
  }

  TEST_CASE("kpec, analyn: the patch lies where the bodies are nearest, wherever elements are") {
    const CombinedMaterial material = combine(kBody, kBody);
    const HertzContact hertz = hertz_contact(8.0, 4.0, 82000.0, material.contact_modulus());
    const QuadraticShape shape{hertz.curvature_x, 0.0, hertz.curvature_y};
    for (const int mx : {60, 61})
      for (const double off : {0.0, 0.3}) {  // of an element
        CAPTURE(mx);
        CAPTURE(off);
        Grid grid = test::centred_grid(mx, 80, 8.8, 4.8);
        grid.x0 += off * grid.dx;
        const std::vector<double> h = undeformed_distance({shape}, grid, material);
        for (const NormalMethod method : {NormalMethod::kpec, NormalMethod::analyn}) {
          SolverSettings settings;
          settings.normal = method;
          const PatchEstimate found =
              estimate_patch(settings, h, grid, material, {NormalControl::force, 82000.0});
          double moment = 0.0;
          for (int iy = 0; iy < grid.my; ++iy)
            for (int ix = 0; ix < grid.mx; ++ix)
              moment += grid.x(ix) * found.pressure[grid.index(ix, iy)];
          // Elements at the ends of rows, where the pressure is small, are in or out.
          CHECK(std::abs(moment / sum_of(found.pressure)) < (off == 0.0 ? 1e-9 : 0.03) * grid.dx);
        }
      }
  }

  TEST_CASE("kpec: of rows that are equally deep those in the middle count") {
    const CombinedMaterial material = combine(kBody, kBody);
    SolverSettings settings;
    settings.normal = NormalMethod::kpec;
    const auto estimate = [&](double y_min, double curvature_y) {
      const Grid grid{19, 26, 4.8 / 19, 1.235 / 26, -2.4, y_min, {}};
      const std::vector<double> h =
          undeformed_distance({QuadraticShape{1e-3, 0.0, curvature_y}}, grid, material);
      return estimate_patch(settings, h, grid, material, {NormalControl::approach, 0.0095});
    };
    // y = 0 lies between two rows, and the contact reaches one edge of the grid.
    for (const double curvature : {0.0150, 0.0151, 0.0152, 0.0153}) {
      CAPTURE(curvature);
      const PatchEstimate found = estimate(-0.665, curvature);
      const PatchEstimate mirrored = estimate(-0.570, curvature);
      CHECK(found.force == test::near(mirrored.force, 1e-12));  // rounding
      CHECK(found.max_pressure == test::near(mirrored.max_pressure, 1e-12));
    }
    // A cylinder, all of whose rows are equally deep, is the limit of bodies that bend along y.
    const PatchEstimate cylinder = estimate(-0.6175, 0.0);
    const PatchEstimate nearly = estimate(-0.6175, 1e-9);
    CHECK(cylinder.force == test::near(nearly.force, 1e-5));  // the bend, over the approach
    CHECK(cylinder.max_pressure == test::near(nearly.max_pressure, 1e-5));
  }

  TEST_CASE("kpec, analyn: bodies flatter than radii of 5 m are Hertz's as well") {
    const CombinedMaterial material = combine(kBody, kBody);
    for (const double radius : {3000.0, 30000.0, 300000.0})
      for (const NormalMethod method : {NormalMethod::kpec, NormalMethod::analyn}) {
        CAPTURE(radius);
        SolverSettings settings;
        settings.normal = method;
        const QuadraticShape shape{0.5 / radius, 0.0, 1.0 / radius};
        const HertzEllipse hertz = hertz_ellipse(shape.xx, shape.yy, {NormalControl::force, 1.0e4},
                                                 material.contact_modulus());
        const Grid grid =
            test::centred_grid(61, 61, 1.2 * hertz.semi_axis_x, 1.2 * hertz.semi_axis_y);
        const PatchEstimate found =
            estimate_patch(settings, undeformed_distance({shape}, grid, material), grid, material,
                           {NormalControl::approach, hertz.approach});
        CHECK(found.force == test::near(1.0e4, 0.01));  // the ends of rows, as above
        CHECK(found.semi_axis_x == test::near(hertz.semi_axis_x, 0.02));
      }
  }

  TEST_CASE("kpec, analyn: bodies apart and tilted touch as the same bodies do, later") {
    const Grid grid = test::centred_grid(60, 80, 8.8, 4.8);
    const CombinedMaterial material = combine(kBody, kBody);
    const QuadraticShape shape{0.001, 0.0, 0.0025};
    const QuadraticShape apart{0.001, 0.0, 0.0025, 0.0, 0.0, 0.7};
    // x^2/1000 + x/1000 is (x + 1/2)^2/1000 less 1/4000.
    const QuadraticShape tilted{0.001, 0.0, 0.0025, 0.001};
    const auto estimate = [&](NormalMethod method, const QuadraticShape& of, double approach) {
      SolverSettings settings;
      settings.normal = method;
      return estimate_patch(settings, undeformed_distance({of}, grid, material), grid, material,
                            {NormalControl::approach, approach});
    };
    for (const NormalMethod method : {NormalMethod::kpec, NormalMethod::analyn}) {
      const PatchEstimate plain = estimate(method, shape, 0.02);
      const PatchEstimate later = estimate(method, apart, 0.72);
      CHECK(later.approach == 0.72);
      CHECK(later.force == test::near(plain.force, 1e-9));
      CHECK(estimate(method, tilted, 0.02 - 0.00025).force == test::near(plain.force, 0.01));
    }
  }

  TEST_CASE("kpec, analyn: a saddle, straight or turned, is refused with its curvature") {
    const Grid grid = test::centred_grid(24, 30, 4.0, 5.0);
    const CombinedMaterial material = combine(kBody, kBody);
    // x y/200 has the curvatures 1/400 and -1/400 along the diagonals.
    for (const QuadraticShape& shape :
         {QuadraticShape{0.001, 0.0, -0.0025}, QuadraticShape{0.0, 0.005, 0.0}})
      for (const NormalMethod method : {NormalMethod::kpec, NormalMethod::analyn}) {
        SolverSettings settings;
        settings.normal = method;
        CHECK_THROWS_WITH_AS(estimate_patch(settings, undeformed_distance({shape}, grid, material),
                                            grid, material, {NormalControl::force, 100.0}),
                             doctest::Contains("least there and has the curvature -0.0025"),
                             InputError);
      }
    ContactProblem problem = test::normal_problem(grid, kBody, QuadraticShape{0.001, 0.0, -0.0025},
                                                  NormalControl::force, 100.0, 1e-6);
    problem.solver.normal = NormalMethod::kpec;
    problem.solver.tangential = TangentialMethod::fastsim;
    bool told = false;
    for (const Fault& fault : check_problem(problem))
      told = told || (fault.field == "geometry" &&
                      fault.reason.starts_with("has the curvature -0.0025 along y"));
    CHECK(told);
    // A cylinder touches up to the edge, and has no curvature along it.
    SolverSettings settings;
    settings.normal = NormalMethod::kpec;
    CHECK(estimate_patch(settings,
                         undeformed_distance({QuadraticShape{0.001, 0.0, 0.0}}, grid, material),
                         grid, material, {NormalControl::force, 100.0})
              .force == test::near(100.0));
  }

  TEST_CASE(
      "kpec, analyn: a contact between the elements is Hertz's, its force on the nearest one") {
    const Grid grid = test::centred_grid(11, 9, 5.5, 4.5);
    const CombinedMaterial material = combine(kBody, kBody);
    // The lowest point is at (0.4, -0.3), 0.4^2/1000 + 0.3^2/400 above that of the element (0, 0).
    const QuadraticShape off{0.001, 0.0, 0.0025, -0.0008, 0.0015};
    const double lowest = -0.001 * 0.16 - 0.0025 * 0.09;
    for (const NormalMethod method : {NormalMethod::kpec, NormalMethod::analyn})
      for (const double approach : {1e-9, 1e-6, 2e-5}) {
        SolverSettings settings;
        settings.normal = method;
        const std::vector<double> h = undeformed_distance({off}, grid, material);
        const PatchEstimate found = estimate_patch(settings, h, grid, material,
                                                   {NormalControl::approach, lowest + approach});
        const HertzEllipse hertz = hertz_ellipse(0.001, 0.0025, {NormalControl::approach, approach},
                                                 material.contact_modulus());
        // The differences of distances of some 1e-4 are good to 1e-12 of the approach or so.
        CHECK(found.force == test::near(hertz.force, 1e-5));
        CHECK(found.pressure[grid.index(5, 4)] == test::near(found.force));
        CHECK(sum_of(found.pressure) == test::near(found.force));
        CHECK(found.semi_axis_x == test::near(hertz.semi_axis_x, 1e-5));
        CHECK(has_estimate(settings, h, grid, lowest + approach));
        CHECK_FALSE(has_estimate(settings, h, grid, lowest - approach));
      }
  }

  TEST_CASE("analyn: a line between two columns loads both, in every row") {
    const CombinedMaterial material = combine(kBody, kBody);
    constexpr double kForce = 1000.0;
    for (const int mx : {4, 6, 8, 40}) {
      CAPTURE(mx);
      const Grid grid = test::centred_grid(mx, 8, 0.5 * mx, 5.0);
      const std::vector<double> h =
          undeformed_distance({QuadraticShape{0.005, 0.0, 0.0}}, grid, material);
      SolverSettings settings;
      settings.normal = NormalMethod::analyn;
      const PatchEstimate found =
          estimate_patch(settings, h, grid, material, {NormalControl::force, kForce});
      // half width 0.35, elements of 1: no centre is in the contact
      const double share = kForce / (16.0 * grid.element_area());
      CHECK(found.max_pressure == test::near(share, 1e-9));
      for (int iy = 0; iy < grid.my; ++iy)
        for (const int ix : {mx / 2 - 1, mx / 2})
          CHECK(found.pressure[grid.index(ix, iy)] == test::near(share, 1e-9));
      CHECK(found.force == test::near(kForce, 1e-12));
      CHECK(sum_of(found.pressure) * grid.element_area() == test::near(kForce, 1e-12));
    }
    // Nearly between them, to either side: what loads one column there loads its mirror image here.
    const auto beside = [&](double shift) {
      const Grid grid{6, 8, 1.0, 1.25, -3.0 + shift, -5.0, {}};
      const std::vector<double> h =
          undeformed_distance({QuadraticShape{0.005, 0.0, 0.0}}, grid, material);
      SolverSettings settings;
      settings.normal = NormalMethod::analyn;
      return estimate_patch(settings, h, grid, material, {NormalControl::force, kForce}).pressure;
    };
    for (const double shift : {5e-12, 5e-10, 5e-9, 5e-8}) {
      CAPTURE(shift);
      const std::vector<double> right = beside(shift);
      const std::vector<double> left = beside(-shift);
      for (std::size_t i = 0; i < right.size(); ++i)
        CHECK(left[i] == test::near(right[i - i % 6 + 5 - i % 6], 1e-6));
    }
    // A point in the corner of four elements.
    const Grid grid = test::centred_grid(6, 8, 3.0, 4.0);
    const std::vector<double> h =
        undeformed_distance({QuadraticShape{0.005, 0.0, 0.003}}, grid, material);
    for (const NormalMethod method : {NormalMethod::kpec, NormalMethod::analyn}) {
      SolverSettings settings;
      settings.normal = method;
      const PatchEstimate found =
          estimate_patch(settings, h, grid, material, {NormalControl::force, 10.0});
      for (const int iy : {3, 4})
        for (const int ix : {2, 3})
          CHECK(found.pressure[grid.index(ix, iy)] == test::near(2.5 / grid.element_area(), 1e-9));
    }
  }

  TEST_CASE("patches: none that holds an element is refused") {
    ContactProblem problem = two_spheres();
    problem.patches.rectangles = {{5.0, 6.0, -2.0, 2.0}};
    problem.patches.weights = {};
    CHECK_THROWS_WITH_AS(static_cast<void>(make_cpu_solver(problem)),
                         doctest::Contains("no element of the grid has its centre in them"),
                         InputError);
  }

  TEST_CASE("sdec: unlike halves carry the force, each as half an ellipsoid") {
    const Grid grid = test::centred_grid(64, 64, 6.4, 6.4);
    const CombinedMaterial material = combine(kBody, kBody);
    SolverSettings settings;
    settings.normal = NormalMethod::sdec;
    settings.half_ellipses = {6.0, 2.0, 5.0, -0.4};
    const PatchEstimate found = estimate_patch(settings, std::vector<double>(grid.count(), 0.0),
                                               grid, material, {NormalControl::force, 1000.0});
    CHECK(found.force == test::near(1000.0, 0.005));  // the grid's
    CHECK(found.max_pressure == test::near(1500.0 / (test::kPi * 6.0 * 3.5), 0.005));
    double above = 0.0;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix)
        if (grid.y(iy) > -0.4) above += found.pressure[grid.index(ix, iy)] * grid.element_area();
    CHECK(above == test::near(1000.0 * 5.0 / 7.0, 0.01));
    CHECK(found.semi_axis_x == 6.0);
    CHECK(found.semi_axis_y == 3.5);
  }

  TEST_CASE("fastsim in the pressure of half-spaces: full sliding has mu F_n") {
    ContactProblem problem = two_spheres();
    problem.patches = {};
    problem.solver.tangential = TangentialMethod::fastsim;
    problem.solver.normal = NormalMethod::bound_cg;
    StepInput& step = test::set_motion(problem, 0.3, TangentialProblem::steady_rolling, 1.0);
    const test::Solved solved = test::solve(problem);
    CHECK(solved.report.outcome == Outcome::converged);
    CHECK(solved.report.force_x == test::near(-0.3 * solved.report.normal_force, 1e-6));
    problem.solver.tangential = TangentialMethod::automatic;
    step.tangential = {};
    // Both are the same solver's; the order of the sums differs.
    CHECK(test::solve(problem).report.normal_force ==
          test::near(solved.report.normal_force, 1e-12));
  }

  TEST_CASE("fastsim, fastrip in estimates: where on the grid the contact lies does not matter") {
    const Grid grid = test::centred_grid(60, 50, 6.0, 5.0);
    const auto report = [&](TangentialMethod tangential, NormalMethod normal, double x, double y,
                            double direction) {
      constexpr double kAlong = 1.0 / 400.0;
      constexpr double kAcross = 1.0 / 300.0;
      const QuadraticShape shape{kAlong,
                                 0.0,
                                 kAcross,
                                 -2.0 * kAlong * x,
                                 -2.0 * kAcross * y,
                                 kAlong * x * x + kAcross * y * y};
      ContactProblem problem =
          test::normal_problem(grid, kBody, shape, NormalControl::approach, 0.02, 1e-10);
      problem.solver.tangential = tangential;
      problem.solver.normal = normal;
      StepInput& step = problem.steps[0];
      step.friction.coefficient = 0.3;
      step.tangential.problem = TangentialProblem::steady_rolling;
      step.tangential.step = grid.dx;
      step.tangential.direction = direction;
      step.tangential.rotation = 2e-3;
      // The motion at the contact's middle is the same.
      step.tangential.x.value = 1e-3 + 2e-3 * y;
      step.tangential.y.value = -5e-4 - 2e-3 * x;
      return test::solve(problem).report;
    };
    for (const TangentialMethod tangential : {TangentialMethod::fastsim, TangentialMethod::fastrip})
      for (const NormalMethod normal : {NormalMethod::kpec, NormalMethod::analyn})
        for (const double direction : {0.0, test::kPi})
          // The first is symmetric on the grid: two elements of a row are equal up to rounding.
          for (const auto& [x, y] : {std::pair(0.0, 0.0), std::pair(0.0137, 0.0219)}) {
            const StepReport middle = report(tangential, normal, x, y, direction);
            const StepReport aside =
                report(tangential, normal, x + 10.0 * grid.dx, y - 6.0 * grid.dy, direction);
            const double bound = 0.3 * middle.normal_force;
            CHECK(aside.normal_force == test::near(middle.normal_force, 1e-10));
            CHECK(std::fabs(aside.force_x - middle.force_x) <= 1e-9 * bound);
            CHECK(std::fabs(aside.force_y - middle.force_y) <= 1e-9 * bound);
            CHECK(std::fabs(middle.force_x) > 0.1 * bound);
          }
  }

  TEST_CASE("patches: a centre on a border belongs to its patch, whatever its rounding") {
    const Grid grid{7, 7, 0.1, 0.1, -0.35 - 1e-15, -0.35 - 1e-15};
    REQUIRE(grid.x(3) < 0.0);  // 0, rounded
    ContactPatches patches;
    patches.rectangles = {{0.0, 1.0, 0.0, 1.0}};
    std::vector<double> distance(grid.count(), 1.0);
    exclude_outside(patches, grid, distance);
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix)
        CHECK(std::isfinite(distance[grid.index(ix, iy)]) == (ix >= 3 && iy >= 3));
  }

  TEST_CASE("patches: with weight 0 each is as if alone, with 1 they are one contact") {
    ContactProblem problem = two_spheres();
    ContactProblem whole = problem;
    whole.patches = {};
    problem.patches.weights = {1.0};
    test::check_equal(test::solve(problem), test::solve(whole), 1e-8);
    problem.patches.weights = {0.0};
    const test::Solved apart = test::solve(problem);
    ContactProblem alone = whole;
    auto& h = std::get<HeightsShape>(alone.geometry[0]).values;
    for (int iy = 0; iy < alone.grid.my; ++iy)
      for (int ix = alone.grid.mx / 2; ix < alone.grid.mx; ++ix)
        h[alone.grid.index(ix, iy)] = std::numeric_limits<double>::infinity();
    CHECK(apart.report.normal_force ==
          test::near(2.0 * test::solve(alone).report.normal_force, 1e-8));
    problem.patches.weights = {0.5};
    const double half = test::solve(problem).report.normal_force;
    CHECK(half < apart.report.normal_force);
    CHECK(half > test::solve(whole).report.normal_force);
  }
}

}  // namespace slipfield
