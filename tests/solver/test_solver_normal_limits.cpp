// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/normal_surfaces.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

constexpr ElasticBody kLimitBody{0.8, 0.3};

TEST_SUITE("unit") {
  TEST_CASE("normal problem: no contact is a converged state without pressure") {
    const Grid grid{33, 17, 0.04, 0.06, -0.7, -0.5};
    for (const NormalMethod method : test::kNormalMethods) {
      ContactProblem problem =
          test::normal_problem(grid, kLimitBody, SphereShape{1.0}, NormalControl::approach, -0.01);
      problem.solver.normal = method;
      // From the start, and after a loaded step.
      for (const bool loaded_before : {false, true}) {
        if (loaded_before) problem.steps.insert(problem.steps.begin(), problem.steps.front());
        if (loaded_before) problem.steps[0].normal = {NormalControl::force, 0.02};
        const test::Solved solved = test::solve(problem);
        CHECK(solved.report.outcome == Outcome::converged);
        CHECK(solved.report.approach == -0.01);
        CHECK(solved.report.normal_force == 0.0);
        CHECK(solved.report.elements_contact == 0);
        CHECK(solved.fields.pressure == std::vector<double>(grid.count(), 0.0));
        CHECK(*std::min_element(solved.fields.gap.begin(), solved.fields.gap.end()) > 0.01);
      }
    }
  }

  TEST_CASE("normal problem: the last step's pressures as a start change nothing") {
    const Grid grid{53, 47, 0.02, 0.025, -0.5, -0.6};
    for (const NormalMethod method : test::kNormalMethods) {
      for (const NormalLoad load :
           {NormalLoad{NormalControl::force, 0.05}, NormalLoad{NormalControl::approach, 0.07}}) {
        ContactProblem problem = test::normal_problem(
            grid, kLimitBody, test::rough_surface(grid, 37), load.control, load.value, 1e-10);
        problem.solver.normal = method;
        const test::Solved cold = test::solve(problem);
        for (const double before : {0.2 * load.value, 3.0 * load.value}) {
          ContactProblem two = problem;
          two.steps.insert(two.steps.begin(), problem.steps[0]);
          two.steps[0].normal.value = before;
          const test::Solved warm = test::solve(two);
          CHECK(warm.report.outcome == Outcome::converged);
          // Tolerance times 100.
          CHECK(test::relative_difference(warm.fields.pressure, cold.fields.pressure) <= 1e-8);
        }
      }
    }
  }

  TEST_CASE("normal problem: more force means more approach and no less contact") {
    const Grid grid{53, 47, 0.02, 0.025, -0.5, -0.6};
    ContactProblem problem = test::normal_problem(grid, kLimitBody, test::rough_surface(grid, 38),
                                                  NormalControl::force, 1e-4);
    double approach = -1.0;
    std::int64_t contact = 0;
    for (const double force : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1}) {
      problem.steps[0].normal.value = force;
      const test::Solved solved = test::solve(problem);
      CHECK(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.approach > approach);
      CHECK(solved.report.elements_contact >= contact);
      approach = solved.report.approach;
      contact = solved.report.elements_contact;
    }
    CHECK(contact > 500);
  }

  TEST_CASE("normal problem: twice G, twice the pressure at the same approach") {
    const Grid grid{33, 29, 0.04, 0.06, -0.7, -0.8};
    ContactProblem problem = test::normal_problem(grid, kLimitBody, test::skew_paraboloid(grid),
                                                  NormalControl::approach, 0.1, 1e-10);
    const test::Solved soft = test::solve(problem);
    problem.upper.shear_modulus *= 2.0;
    problem.lower.shear_modulus *= 2.0;
    const test::Solved stiff = test::solve(problem);
    std::vector<double> doubled = soft.fields.pressure;
    for (double& p : doubled) p *= 2.0;
    CHECK(test::relative_difference(stiff.fields.pressure, doubled) <= 1e-13);  // rounding
    CHECK(stiff.report.elastic_energy == test::near(2.0 * soft.report.elastic_energy, 1e-13));
  }

  TEST_CASE(
      "normal problem: scaling all lengths leaves the pressure and scales the force by "
      "lengths squared") {
    const Grid grid{33, 29, 0.04, 0.06, -0.7, -0.8};
    const double c = 1000.0;
    const Grid large{33, 29, c * 0.04, c * 0.06, -0.7 * c, -0.8 * c};
    EllipsoidShape shape{2.0, 3.0};
    const test::Solved one = test::solve(
        test::normal_problem(grid, kLimitBody, shape, NormalControl::approach, 0.03, 1e-10));
    const test::Solved two =
        test::solve(test::normal_problem(large, kLimitBody, EllipsoidShape{c * 2.0, c * 3.0},
                                         NormalControl::approach, c * 0.03, 1e-10));
    CHECK(test::relative_difference(two.fields.pressure, one.fields.pressure) <=
          1e-9);  // tolerance
    CHECK(two.report.normal_force == test::near(c * c * one.report.normal_force, 1e-9));
    CHECK(two.report.elastic_energy == test::near(c * c * c * one.report.elastic_energy, 1e-9));
  }

  TEST_CASE(
      "normal problem: a constant in h shifts the approach, place and names of axes do not "
      "matter") {
    const Grid grid{33, 29, 0.04, 0.06, -0.7, -0.8};
    const QuadraticShape shape = test::skew_paraboloid(grid);
    const test::Solved base = test::solve(
        test::normal_problem(grid, kLimitBody, shape, NormalControl::force, 0.05, 1e-10));

    QuadraticShape raised = shape;
    raised.constant += 0.4;
    const test::Solved higher = test::solve(
        test::normal_problem(grid, kLimitBody, raised, NormalControl::force, 0.05, 1e-10));
    CHECK(higher.report.approach == test::near(base.report.approach + 0.4, 1e-10));
    CHECK(test::relative_difference(higher.fields.pressure, base.fields.pressure) <= 1e-9);  // tol.

    // x and y exchanged.
    const Grid turned{29, 33, 0.06, 0.04, -0.8, -0.7};
    const QuadraticShape exchanged{shape.yy, shape.xy, shape.xx, shape.y, shape.x, shape.constant};
    const test::Solved transposed = test::solve(
        test::normal_problem(turned, kLimitBody, exchanged, NormalControl::force, 0.05, 1e-10));
    std::vector<double> back(grid.count());
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        back[grid.index(ix, iy)] = transposed.fields.pressure[turned.index(iy, ix)];
      }
    }
    CHECK(test::relative_difference(back, base.fields.pressure) <= 1e-9);  // tolerance

    // The bodies exchanged: the same pressure, for frictionless unlike ones too.
    ContactProblem unlike =
        test::normal_problem(grid, kLimitBody, shape, NormalControl::force, 0.05, 1e-10);
    unlike.upper = {5.0, 0.1};
    const test::Solved one = test::solve(unlike);
    std::swap(unlike.upper, unlike.lower);
    const test::Solved two = test::solve(unlike);
    CHECK(test::relative_difference(one.fields.pressure, two.fields.pressure) <= 1e-9);  // tol.
    CHECK(test::relative_difference(one.fields.displacement_n, two.fields.displacement_n) <= 1e-9);
  }

  TEST_CASE("normal problem: 1 and 2 threads give the same bits") {
    const int threads = omp_get_max_threads();
    const Grid grid{141, 121, 0.02, 0.025, -1.4, -1.5};  // more than four chunks
    const ContactProblem problem = test::normal_problem(
        grid, kLimitBody, test::skew_paraboloid(grid), NormalControl::force, 0.3, 1e-3);
    omp_set_num_threads(1);
    const test::Solved one = test::solve(problem);
    omp_set_num_threads(2);
    const test::Solved two = test::solve(problem);
    omp_set_num_threads(threads);
    CHECK(one.report.iterations_normal == two.report.iterations_normal);
    CHECK(one.report.approach == two.report.approach);
    CHECK(one.fields.pressure == two.fields.pressure);
  }

  TEST_CASE("normal problem: direct and FFT products lead to the same pressures") {
    const Grid grid{53, 47, 0.02, 0.025, -0.5, -0.6};
    ContactProblem problem = test::normal_problem(grid, kLimitBody, test::rough_surface(grid, 40),
                                                  NormalControl::force, 0.05, 1e-10);
    problem.solver.influence = InfluenceMethod::fft;
    const test::Solved fft = test::solve(problem);
    problem.solver.influence = InfluenceMethod::summation;
    const test::Solved direct = test::solve(problem);
    CHECK(fft.fields.element_division == direct.fields.element_division);
    CHECK(test::relative_difference(fft.fields.pressure, direct.fields.pressure) <= 1e-8);  // tol.
  }

  TEST_CASE("normal problem: contact at the edge of the grid is reported, and only then") {
    const Grid grid{33, 29, 0.04, 0.06, -0.7, -0.8};
    ContactProblem problem =
        test::normal_problem(grid, kLimitBody, SphereShape{1.0}, NormalControl::approach, 0.05);
    CHECK(!test::solve(problem).report.touches_edge);
    problem.steps[0].normal.value = 0.6;
    CHECK(test::solve(problem).report.touches_edge);
    // In a line contact the ends of the row are an edge, its sides are not.
    const Grid row{33, 1, 0.04, 40.0, -0.66, -20.0};
    problem =
        test::normal_problem(row, kLimitBody, CylinderShape{1.0}, NormalControl::approach, 0.4);
    CHECK(!test::solve(problem).report.touches_edge);
    problem.steps[0].normal.value = 4.0;
    CHECK(test::solve(problem).report.touches_edge);
    // A single element has nothing but edges, unless the grid repeats it.
    const Grid element{1, 1, 0.04, 0.06, -0.02, -0.03};
    problem =
        test::normal_problem(element, kLimitBody, SphereShape{1.0}, NormalControl::force, 0.05);
    CHECK(test::solve(problem).report.touches_edge);
    problem.grid.boundary = Boundary::periodic;
    CHECK(!test::solve(problem).report.touches_edge);
  }
}

}  // namespace
}  // namespace slipfield
