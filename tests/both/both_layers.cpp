// SPDX-License-Identifier: Apache-2.0
// Contact of bodies of layers, on either backend.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "solver/influence/layered_bodies.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

const ElasticBody kSubstrate{1.0, 0.3};
const ElasticBody kCoat{3.0, 0.2};

ElasticBody coated_body(const ElasticBody& outer, double thickness, const ElasticBody& inner) {
  ElasticBody body = outer;
  body.thickness = thickness;
  body.below = {{inner.shear_modulus, inner.poisson_ratio, 0.0}};
  return body;
}

// Both rolling with creepage and spin; the contact is some 2 x 2.
ContactProblem rolling_on(const ElasticBody& lower) {
  const Grid grid = centred_grid(31, 27, 1.6, 1.5);
  ContactProblem problem = normal_problem(grid, kSubstrate, QuadraticShape{0.1, 0.0, 0.12},
                                          NormalControl::force, 0.4, 1e-9);
  problem.lower = lower;
  set_motion(problem, 0.3, TangentialProblem::steady_rolling, 0.004, 0.0, 0.01);
  return problem;
}

double greatest_gap(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = std::fmax(difference, std::fabs(a[i] - b[i]));
  return difference;
}

// Greatest difference of any traction, over the greatest pressure.
double gap_of(const Solved& a, const Solved& b) {
  const double pressure = *std::max_element(b.fields.pressure.begin(), b.fields.pressure.end());
  return std::fmax(greatest_gap(a.fields.pressure, b.fields.pressure),
                   std::fmax(greatest_gap(a.fields.traction_x, b.fields.traction_x),
                             greatest_gap(a.fields.traction_y, b.fields.traction_y))) /
         pressure;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("layers: a contact in a window of the grid is that of the whole grid") {
    ContactProblem problem =
        normal_problem(centred_grid(64, 60, 3.0, 3.0), kSubstrate, QuadraticShape{0.5, 0.0, 0.6},
                       NormalControl::force, 0.05, 1e-9);
    for (const double thickness : {0.05, 0.5}) {
      problem.lower = coated_body(kCoat, thickness, kSubstrate);
      problem.solver.normal = NormalMethod::bound_cg;
      const Solved in_window = solve_under_test(problem);
      problem.solver.normal = NormalMethod::newton;  // never in a window
      const Solved on_grid = solve_under_test(problem);
      REQUIRE(in_window.report.outcome == Outcome::converged);
      REQUIRE(on_grid.report.outcome == Outcome::converged);
      CHECK(on_grid.report.elements_contact < 900);
      CHECK(gap_of(in_window, on_grid) < 1e-7);
    }
  }

  TEST_CASE("layers: of the body's own material they change nothing, in rolling of unlike bodies") {
    const Solved plain = solve_under_test(rolling_on(kCoat));
    const Solved cut = solve_under_test(rolling_on(coated_body(kCoat, 0.3, kCoat)));
    CHECK(gap_of(cut, plain) < 1e-7);
  }

  // With K = 0 their half-spaces would not act on each other. A thickness that differs in the ninth
  // digit makes the same body.
  TEST_CASE("layers: unlike ones of equal thickness couple, and nearly equal ones do as they do") {
    for (const auto& [upper, lower] : {std::pair{ElasticBody{1.0, 0.5}, ElasticBody{4.0, 0.5}},
                                       std::pair{ElasticBody{1.0, 0.25}, ElasticBody{2.0, 0.0}}}) {
      ContactProblem problem =
          normal_problem(centred_grid(31, 27, 1.3, 1.2), upper, QuadraticShape{0.1, 0.0, 0.1},
                         NormalControl::approach, 0.1, 1e-9);
      problem.lower = lower;
      problem.upper.thickness = problem.lower.thickness = 0.5;
      REQUIRE(combine(problem.upper, problem.lower).coupling == 0.0);
      set_motion(problem, 0.3, TangentialProblem::shift, 0.0, 0.0, 0.0);
      const Solved equal = solve_under_test(problem);
      problem.lower.thickness *= 1.0 + 1e-9;
      const Solved nearly = solve_under_test(problem);
      REQUIRE(equal.report.outcome == Outcome::converged);
      CHECK(equal.report.elements_slip > 10);
      CHECK(gap_of(equal, nearly) < 1e-6);
      CHECK(equal.report.normal_force == near(nearly.report.normal_force, 1e-6));
    }
  }

  TEST_CASE("layers: a thick one is its material, a thin one fades with its thickness") {
    const Solved hard = solve_under_test(rolling_on(kCoat));
    const Solved thick = solve_under_test(rolling_on(coated_body(kCoat, 3e3, kSubstrate)));
    CHECK(gap_of(thick, hard) < 1e-7);
    const Solved soft = solve_under_test(rolling_on(kSubstrate));
    const auto off = [&](double thickness) {
      return gap_of(solve_under_test(rolling_on(coated_body(kCoat, thickness, kSubstrate))), soft);
    };
    const double thin = off(4e-5);
    CHECK(thin < 3e-3);
    CHECK(off(2e-5) < 0.7 * thin);
  }

  TEST_CASE("layers: the mirror image of coated bodies has the mirrored tractions") {
    const ElasticBody coated = coated_body(kCoat, 0.2, kSubstrate);
    ContactProblem problem = rolling_on(coated);
    problem.geometry = {QuadraticShape{0.1, 0.02, 0.12, 0.01, 0.02}};
    ContactProblem mirrored = problem;  // in y
    mirrored.geometry = {QuadraticShape{0.1, -0.02, 0.12, 0.01, -0.02}};
    mirrored.steps[0].tangential.rotation *= -1.0;
    const Solved a = solve_under_test(problem);
    const Solved b = solve_under_test(mirrored);
    const Grid& grid = problem.grid;
    double worst = 0.0;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        const std::size_t j = grid.index(ix, grid.my - 1 - iy);
        worst = std::fmax(worst, std::fabs(a.fields.pressure[i] - b.fields.pressure[j]));
        worst = std::fmax(worst, std::fabs(a.fields.traction_x[i] - b.fields.traction_x[j]));
        worst = std::fmax(worst, std::fabs(a.fields.traction_y[i] + b.fields.traction_y[j]));
      }
    CHECK(worst < 1e-7);
  }

  TEST_CASE("layers: a thin one on a rigid base is pressed as a bed of springs is") {
    // Between it and a body that hardly yields, p = M (delta - h)/t, M = 2 G (1 - nu)/(1 - 2 nu).
    const double thickness = 0.02;
    ElasticBody bed{1.0, 0.2};
    bed.thickness = thickness;
    const double approach = 0.002;
    const Grid grid = centred_grid(41, 41, 0.16, 0.16);
    ContactProblem problem = normal_problem(grid, bed, QuadraticShape{0.1, 0.0, 0.1},
                                            NormalControl::approach, approach, 1e-9);
    problem.upper = {1e5, 0.2};
    const Solved solved = solve_under_test(problem);
    const double modulus = 2.0 * 0.8 / 0.6;
    const double centre = solved.fields.pressure[grid.index(20, 20)];
    CHECK(centre == near(modulus * approach / thickness, 0.01));
  }

  TEST_CASE("layers: a thin one that keeps its volume is squeezed as a film is") {
    // div(t^3/(3 G) grad p) = -(approach - r^2/(2 R)), with p and its slope 0 at the rim: approach
    // = a^2/(4 R), p = 3 G (a^2 - r^2)^2/(32 R t^3), F = pi G a^6/(32 R t^3). Layers of a finite
    // thickness are off by a multiple of t/a at least.
    const double radius = 1000.0;
    const double thickness = 0.1;
    ElasticBody sheet{1.0, 0.5};
    sheet.thickness = thickness;
    const auto excess = [&](double a, int n) {
      ContactProblem problem =
          normal_problem(centred_grid(n, n, 1.3 * a, 1.3 * a), {1e12, 0.0}, SphereShape{radius},
                         NormalControl::approach, a * a / (4.0 * radius), 1e-6);
      problem.lower = sheet;
      const Solved solved = solve_under_test(problem);
      CHECK(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.iterations_normal < 60);
      return solved.report.normal_force /
                 (kPi * std::pow(a, 6) / (32.0 * radius * std::pow(thickness, 3))) -
             1.0;
    };
    excess(10.0 * thickness, 96);  // of grids on which the mean of the symbol is below 0
    excess(40.0 * thickness, 48);
    const double at_10 = excess(10.0 * thickness, 64);
    const double at_20 = excess(20.0 * thickness, 128);
    CHECK(at_10 < 0.2);
    CHECK(at_20 > 0.0);
    CHECK(at_20 < 0.4 * at_10);
  }

  TEST_CASE("layers: a wave in full contact has the pressure of its compliance") {
    Grid grid = centred_grid(48, 40, 1.0, 1.0);
    grid.boundary = Boundary::periodic;
    const double wave = 2.0 * std::numbers::pi / (grid.mx * grid.dx);
    const double amplitude = 0.01;
    std::vector<double> heights(grid.count());
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix)
        heights[grid.index(ix, iy)] = amplitude * std::cos(wave * grid.x(ix));
    const ElasticBody coated = coated_body(kCoat, 0.25, kSubstrate);
    const double mean = 0.5;
    ContactProblem problem =
        normal_problem(grid, kSubstrate, HeightsShape{HeightsOf::lower, heights},
                       NormalControl::force, mean * grid.mx * grid.dx * grid.my * grid.dy, 1e-10);
    problem.lower = coated;
    const Solved solved = solve_under_test(problem);
    const double compliance =
        wave_compliance(kSubstrate, wave).normal + wave_compliance(coated, wave).normal;
    double worst = 0.0;
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double expected = mean + amplitude * wave / compliance * std::cos(wave * grid.x(ix));
      worst = std::fmax(worst, std::fabs(solved.fields.pressure[grid.index(ix, 7)] - expected));
    }
    CHECK(worst < 1e-6 * amplitude * wave / compliance);
  }

  TEST_CASE("layers: a periodic surface is the free one where displacements end soon") {
    // On a rigid base they end a few thicknesses away. The one has uniform pressure in an element,
    // the other waves, so that they differ by the square of the elements.
    ElasticBody bed{1.0, 0.3};
    bed.thickness = 0.1;
    const auto off_with = [&](int n) {
      ContactProblem problem =
          normal_problem(centred_grid(n, n, 0.6, 0.6), bed, QuadraticShape{0.5, 0.0, 0.5},
                         NormalControl::force, 0.05, 1e-9);
      problem.upper = {1e6, 0.3};
      const std::size_t centre = problem.grid.index(n / 2, n / 2);
      const double free = solve_under_test(problem).fields.pressure[centre];
      problem.grid.boundary = Boundary::periodic;
      return std::fabs(solve_under_test(problem).fields.pressure[centre] / free - 1.0);
    };
    const double coarse = off_with(49);
    CHECK(coarse < 2e-3);
    CHECK(off_with(97) < 0.3 * coarse);
  }
}
