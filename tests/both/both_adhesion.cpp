// SPDX-License-Identifier: Apache-2.0
// Surfaces that adhere, on either backend (THEORY.md 4.11).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "solver/combinations.h"
#include "solver/geometry/rough_surface.h"
#include "solver/influence/influence_table.h"
#include "solver/number_text.h"
#include "solver/problem_check.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

// Maugis's numbers are over (pi w R^2/K)^(1/3), pi w R and (pi^2 w^2 R/K^2)^(1/3), K = 4/3 E*: all
// 1 here. [Maugis 1992, equations 6.29 to 6.31]
constexpr double kAdhesiveRadius = 1.0;
constexpr double kAdhesionWork = 1.0 / kPi;
constexpr double kAdhesiveModulus = 0.75;  // E*

struct MaugisState {
  double outer = 1.0;  // radius of the band over that of the contact
  double force = 0.0;
  double approach = 0.0;
};
MaugisState maugis_state(double a, double lambda) {
  const auto excess = [&](double m) {
    const double root = std::sqrt(m * m - 1.0);
    const double angle = std::acos(1.0 / m);
    return 0.5 * lambda * a * a * (root + (m * m - 2.0) * angle) +
           4.0 / 3.0 * lambda * lambda * a * (root * angle - m + 1.0) - 1.0;
  };
  double low = 1.0;
  double high = 1e4;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (excess(middle) < 0.0 ? low : high) = middle;
  }
  const double root = std::sqrt(low * low - 1.0);
  return {low, a * a * a - lambda * a * a * (root + low * low * std::acos(1.0 / low)),
          a * a - 4.0 / 3.0 * lambda * a * root};
}
// Where the force is least.
struct MaugisPullOff {
  double radius = 0.0;
  MaugisState at;
};
MaugisPullOff maugis_pull_off(double lambda) {
  double low = 0.05;
  double high = 1.6;
  for (int k = 0; k < 200; ++k) {
    const double one = low + (high - low) / 3.0;
    const double two = high - (high - low) / 3.0;
    const bool left = maugis_state(one, lambda).force < maugis_state(two, lambda).force;
    (left ? high : low) = left ? two : one;
  }
  return {low, maugis_state(low, lambda)};
}

// A sphere with Maugis's parameter lambda on n x n elements over [-half, half]^2.
ContactProblem adhesive_sphere(double lambda, int n, double half) {
  ContactProblem problem =
      normal_problem(centred_grid(n, n, half, half), {1.0, 0.25}, SphereShape{kAdhesiveRadius},
                     NormalControl::approach, 0.0, 1e-6);
  // Two bodies with E/(2 (1 - nu^2)) = G/(1 - nu).
  problem.upper.shear_modulus = problem.lower.shear_modulus = kAdhesiveModulus * 0.75;
  REQUIRE(contact_material(problem).contact_modulus() == near(kAdhesiveModulus));
  problem.adhesion = {AdhesionLaw::maugis, kAdhesionWork,
                      2.0 * kAdhesionWork / lambda};  // sigma_0 = lambda/2
  return problem;
}
StepInput load_by_approach(double value) {
  StepInput step;
  step.normal = {NormalControl::approach, value};
  return step;
}
StepInput load_by_force(double value) {
  StepInput step;
  step.normal = {NormalControl::force, value};
  return step;
}
StepReport advance_converged(ContactSolver& solver, const StepInput& step) {
  StepReport report = solver.advance(step);
  CAPTURE(report.message);
  REQUIRE(report.outcome == Outcome::converged);
  return report;
}

// The least force, by three approaches about that of the closed form.
double computed_pull_off(double lambda, int n) {
  const MaugisPullOff exact = maugis_pull_off(lambda);
  constexpr double kBeside = 0.04;
  const ContactProblem problem =
      adhesive_sphere(lambda, n, 1.1 * exact.radius * exact.at.outer + 0.05);
  const auto solver = make_solver_under_test(problem);
  advance_converged(*solver, load_by_force(0.95 * exact.at.force));
  std::array<double, 3> force{};
  for (int k = 0; k < 3; ++k)
    force[static_cast<std::size_t>(k)] =
        advance_converged(*solver, load_by_approach(exact.at.approach + (1 - k) * kBeside))
            .normal_force;
  const double bend = force[0] - 2.0 * force[1] + force[2];
  const double slope = 0.5 * (force[0] - force[2]);
  return force[1] - 0.5 * slope * slope / bend;
}

ContactProblem adhesive_rough(AdhesionLaw law, Boundary boundary = Boundary::free) {
  ContactProblem problem =
      normal_problem(centred_grid(21, 17, 1.4, 1.5), {200.0, 0.42},
                     QuadraticShape{0.01, 0.002, 0.012}, NormalControl::force, 0.5, 1e-9);
  problem.geometry.push_back(RoughShape{RoughSurface{0.7, false, 0.004, 0.5, 1.5, 3}});
  if (boundary == Boundary::periodic) problem.geometry.erase(problem.geometry.begin());
  problem.grid.boundary = boundary;
  problem.adhesion = {law, 0.02, 0.004};
  return problem;
}

double total_of_field(const std::vector<double>& values) {
  double total = 0.0;
  for (const double value : values) total += value;
  return total;
}

// The stress of each element at these gaps, by formulas and sums of its own: of maugis the mean of
// its shape function over what lies below the range, by 60 x 60 points in each of its triangles.
double law_stress(const Adhesion& adhesion, const Grid& grid, const std::vector<double>& gap,
                  int ix, int iy) {
  const auto at = [&](int kx, int ky) {
    return gap[grid.index(std::clamp(kx, 0, grid.mx - 1), std::clamp(ky, 0, grid.my - 1))];
  };
  const double ratio = at(ix, iy) / adhesion.length;
  if (adhesion.law == AdhesionLaw::exponential)
    return adhesion.work / adhesion.length * std::exp(-ratio);
  if (adhesion.law == AdhesionLaw::power)
    return 2.0 * adhesion.work / adhesion.length * std::pow(1.0 + ratio, -3.0);
  constexpr int kPoints = 60;
  double inside = 0.0;
  for (const int sx : {-1, 1}) {
    for (const int sy : {-1, 1}) {
      const double a = at(ix, iy);
      const double b = at(ix + sx, iy);
      const double c = at(ix, iy + sy);
      const double d = at(ix + sx, iy + sy);
      // The corners' places: a (0, 0), b (1, 0), c (0, 1), d (1, 1); half of a cell is
      // beyond the edge, where copies count.
      const bool copy_b = ix + sx < 0 || ix + sx >= grid.mx;
      const bool copy_c = iy + sy < 0 || iy + sy >= grid.my;
      for (int i = 0; i < kPoints; ++i) {
        for (int j = 0; j < kPoints; ++j) {
          const double x = (i + 0.5) / kPoints;
          const double y = (j + 0.5) / kPoints;
          // By the diagonal from a to d, and by that from b to c.
          const double low = std::min(x, y);
          const std::array<double, 4> first{1.0 - std::max(x, y), std::max(x - y, 0.0),
                                            std::max(y - x, 0.0), low};
          const bool near = x + y < 1.0;
          const std::array<double, 4> second{near ? 1.0 - x - y : 0.0, near ? x : 1.0 - y,
                                             near ? y : 1.0 - x, near ? 0.0 : x + y - 1.0};
          for (const auto& shape : {first, second}) {
            const double here = shape[0] * a + shape[1] * b + shape[2] * c + shape[3] * d;
            const double own = shape[0] + (copy_b ? shape[1] : 0.0) + (copy_c ? shape[2] : 0.0) +
                               (copy_b && copy_c ? shape[3] : 0.0);
            if (here < adhesion.length)
              inside +=
                  0.5 * own * (copy_b ? 0.5 : 1.0) * (copy_c ? 0.5 : 1.0) / (kPoints * kPoints);
          }
        }
      }
    }
  }
  return adhesion.work / adhesion.length * inside;
}

}  // namespace

TEST_SUITE("analytic") {
  // Some 4 s on one thread: jumps, of the narrowest band on 112 x 112 elements.
  TEST_CASE(
      "adhesion: pull-off to .2 %, at least of first order, and approach without a force to .5 % "
      "are Maugis's [Maugis 1992]") {
    for (const double lambda : {0.1, 0.5, 1.0, 2.0, 5.0}) {
      CAPTURE(lambda);
      const int n = lambda < 5.0 ? 48 : 112;
      const double exact = maugis_pull_off(lambda).at.force;
      const double found = computed_pull_off(lambda, n);
      CAPTURE(found);
      CHECK(std::abs(found - exact) < 2e-3 * std::abs(exact));
      if (lambda == 1.0) {
        const double coarse = std::abs(computed_pull_off(lambda, n / 4) - exact);
        CAPTURE(coarse);
        CHECK(std::log2(coarse / std::abs(found - exact)) / 2.0 > 1.0);
      }
      double low = maugis_pull_off(lambda).radius;
      double high = 2.0;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (maugis_state(middle, lambda).force < 0.0 ? low : high) = middle;
      }
      const MaugisState rest = maugis_state(low, lambda);
      const auto solver =
          make_solver_under_test(adhesive_sphere(lambda, n, 1.05 * low * rest.outer + 0.05));
      const StepReport report = advance_converged(*solver, load_by_force(0.0));
      CAPTURE(report.approach);
      CAPTURE(rest.approach);
      CHECK(std::abs(report.approach - rest.approach) < 5e-3 * std::abs(rest.approach));
    }
  }

  // Some seconds on one thread: each search solves thirty contacts.
  TEST_CASE("adhesion: a step finds the pull-off, from any state before [Maugis 1992]") {
    struct Example {
      double lambda;
      bool pressed;  // by a step before
    };
    double found = 0.0;
    for (const auto& [lambda, pressed] :
         {Example{0.3, true}, Example{2.0, true}, Example{2.0, false}}) {
      CAPTURE(lambda);
      CAPTURE(pressed);
      const MaugisPullOff exact = maugis_pull_off(lambda);
      const auto solver = make_solver_under_test(
          adhesive_sphere(lambda, 30, 1.05 * 1.8 * maugis_state(1.8, lambda).outer));
      StepInput pull;
      pull.normal = {NormalControl::pull_off, 0.2};
      if (pressed) advance_converged(*solver, load_by_force(0.5));
      const StepReport report = advance_converged(*solver, pull);
      CAPTURE(report.normal_force);
      CHECK(std::abs(report.normal_force - exact.at.force) < 1e-2 * std::abs(exact.at.force));
      CHECK(std::abs(report.approach - exact.at.approach) < 0.1);
      if (!pressed) CHECK(report.normal_force == near(found, 1e-4));
      found = report.normal_force;
      // It is the least: on both sides the force is greater. The solver is in that state.
      for (const double beside : {0.03, -0.03})
        CHECK(advance_converged(*solver, load_by_approach(report.approach + beside)).normal_force >
              found);
    }
  }

  TEST_CASE("adhesion: a line's pull-off is found next to the jump, by any length") {
    // A long line is so soft that it jumps almost where the force is least: Maugis's band on a
    // strip, of w = 1e-4, stress .12, E* = R = 1, F_n/length = pi a^2/4 - 2 sigma sqrt(c^2 - a^2).
    constexpr double kLength = 200.0;
    ContactProblem problem =
        normal_problem({128, 1, 0.4 / 128, kLength, -0.2, -0.5 * kLength}, {0.7, 0.3},
                       QuadraticShape{0.5, 0.0, 0.0}, NormalControl::approach, 0.0, 1e-6);
    problem.adhesion = {AdhesionLaw::maugis, 1e-4, 1e-4 / 0.12};
    for (const double length : {5e-5, 2e-5}) {
      CAPTURE(length);
      StepInput pull;
      pull.normal = {NormalControl::pull_off, length};
      const auto solver = make_solver_under_test(problem);
      const StepReport report = advance_converged(*solver, pull);
      CHECK(std::abs(report.normal_force + 3.7552e-3 * kLength) < 0.015 * 3.7552e-3 * kLength);
      CHECK(report.matrix_products >= report.iterations_normal);  // both of all tries
    }
  }

  TEST_CASE("adhesion: a length finds the pull-off, or the step says which one does") {
    const auto pulled_by = [](double length) {
      const auto solver = make_solver_under_test(adhesive_sphere(1.0, 32, 3.0));
      StepInput pull;
      pull.normal = {NormalControl::pull_off, length};
      return solver->advance(pull);
    };
    const double exact = pulled_by(0.2).normal_force;
    REQUIRE(exact < -1.0);
    const auto without_load = make_solver_under_test(adhesive_sphere(1.0, 32, 3.0));
    const double approach = advance_converged(*without_load, load_by_force(0.0)).approach;
    const std::vector<double> distance = without_load->download().undeformed_distance;
    const double way = approach - *std::min_element(distance.begin(), distance.end());
    const StepReport in_one = pulled_by(0.99 * way);
    CHECK(in_one.outcome == Outcome::converged);
    CHECK(in_one.normal_force == near(exact, 5e-3));
    for (const double length : {1.01 * way, 30.0, 1e9}) {
      CAPTURE(length);
      const StepReport report = pulled_by(length);
      CHECK(report.outcome == Outcome::not_converged);
      CHECK(report.message == "pull_off: a length of " + number_text(length) +
                                  " does not resolve the pull-off; the bodies come apart after "
                                  "some " +
                                  number_text(way) + "; accepted: a smaller length, such as " +
                                  number_text(way / 100.0));
    }
    const StepReport tiny = pulled_by(1e-9);
    CHECK(tiny.outcome == Outcome::not_converged);
    CHECK(tiny.message == "pull_off: the approach has to fall by " + number_text(way) +
                              " before the bodies come apart, more than 10000 lengths of 1e-09; "
                              "accepted: a greater one, such as " +
                              number_text(way / 100.0));
  }

  TEST_CASE("adhesion: the pull-off of a wavy surface in full contact is found by any length") {
    // h = A (2 - cos qx - cos qy): full contact has the pressure p - E* q A/2 (cos qx + cos qy) and
    // opens where p = E* q A, under the area times that less the law's greatest stress.
    constexpr int kElements = 16;
    constexpr double kPeriod = 0.9;
    constexpr double kHeight = 1e-4;
    Grid grid{kElements, kElements, kPeriod / kElements, kPeriod / kElements, 0.0, 0.0};
    grid.boundary = Boundary::periodic;
    HeightsShape shape;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix)
        shape.values.push_back(kHeight * (2.0 - std::cos(2.0 * kPi * ix / kElements) -
                                          std::cos(2.0 * kPi * iy / kElements)));
    ContactProblem problem =
        normal_problem(grid, {1000.0, 0.3}, shape, NormalControl::force, 2.0, 1e-7);
    for (const AdhesionLaw law : {AdhesionLaw::exponential, AdhesionLaw::maugis}) {
      problem.adhesion = {law, 2e-4, 1e-4};
      const double wave =
          contact_material(problem).contact_modulus() * 2.0 * kPi / kPeriod * kHeight;
      const double holds = kPeriod * kPeriod * (wave - problem.adhesion.strength());
      const auto solver = make_solver_under_test(problem);
      std::vector<double> found;
      for (const double length : {1e-5, 2.3e-5}) {
        CAPTURE(length);
        advance_converged(*solver, load_by_force(2.0));
        StepInput pull;
        pull.normal = {NormalControl::pull_off, length};
        const StepReport report = advance_converged(*solver, pull);
        CHECK(report.normal_force < holds + 0.02 * std::abs(holds));  // of the elements
        found.push_back(report.normal_force);
      }
      CHECK(found[0] == near(found[1], 5e-3));
      advance_converged(*solver, load_by_force(2.0));
      CHECK(advance_converged(*solver, load_by_force(0.995 * found[0])).elements_contact > 0);
    }
  }

  TEST_CASE("adhesion: forces down to 1.5 pi w R (JKR) and 2 pi w R (DMT) hold, more does not") {
    const auto holds = [](double lambda, double half, double force) {
      const auto solver = make_solver_under_test(adhesive_sphere(lambda, 64, half));
      const StepReport report = solver->advance(load_by_force(force));
      if (report.outcome == Outcome::converged)
        CHECK(report.normal_force == near(force, 1e-4));
      else
        CHECK(report.message.find(
                  "the bodies come apart: with this adhesion no contact holds a normal force of "
                  "-") == 0);
      return report.outcome == Outcome::converged;
    };
    CHECK(holds(3.0, 1.6, -1.49));  // in units of pi w R
    CHECK_FALSE(holds(3.0, 1.6, -1.56));
    CHECK(holds(0.02, 9.0, -1.97));
    CHECK_FALSE(holds(0.02, 9.0, -2.03));
  }

  TEST_CASE("adhesion: a sphere loses energy where it jumps, and none where it does not") {
    // pi w R times (pi^2 w^2 R/K^2)^(1/3) is 1.
    const auto lost = [](double lambda, double half, double least, double most) {
      const auto solver = make_solver_under_test(adhesive_sphere(lambda, 32, half));
      constexpr int kSteps = 20;
      std::vector<double> forces;
      for (int k = 0; k <= 2 * kSteps; ++k) {
        const double part = static_cast<double>(k <= kSteps ? k : 2 * kSteps - k) / kSteps;
        forces.push_back(advance_converged(*solver, load_by_approach(least + part * (most - least)))
                             .normal_force);
      }
      double energy = 0.0;
      for (int k = 0; k < 2 * kSteps; ++k) {
        const double step = (k < kSteps ? 1.0 : -1.0) * (most - least) / kSteps;
        energy += 0.5 *
                  (forces[static_cast<std::size_t>(k)] + forces[static_cast<std::size_t>(k + 1)]) *
                  step;
      }
      return energy;
    };
    CHECK(std::abs(lost(0.3, 2.4, -0.9, 0.2)) < 1e-3);
    CHECK(lost(2.0, 1.7, -0.9, 0.2) > 0.2);
  }
}

TEST_SUITE("oracle") {
  TEST_CASE("adhesion: pressure, stress and gap satisfy their conditions, by direct sums") {
    for (const AdhesionLaw law :
         {AdhesionLaw::maugis, AdhesionLaw::exponential, AdhesionLaw::power}) {
      ContactProblem problem = adhesive_rough(law);
      CAPTURE(static_cast<int>(law));
      for (const double force : {0.5, -0.02}) {
        problem.steps[0].normal.value = force;
        const Solved solved = solve_under_test(problem);
        CAPTURE(solved.report.message);
        REQUIRE(solved.report.outcome == Outcome::converged);
        const ContactSolution& f = solved.fields;
        const Grid& grid = problem.grid;
        const DenseInfluence dense(grid, contact_material(problem));
        std::vector<double> net = f.pressure;
        for (std::size_t i = 0; i < net.size(); ++i) net[i] -= f.adhesive_stress[i];
        const std::vector<double> u = dense.apply(Axis::n, Axis::n, net);
        std::vector<double> gap(net.size());
        const double strength = problem.adhesion.strength();
        double energy = 0.0;
        for (std::size_t i = 0; i < net.size(); ++i) {
          gap[i] = f.undeformed_distance[i] + u[i] - solved.report.approach;
          REQUIRE(f.pressure[i] >= 0.0);
          REQUIRE(gap[i] > -1e-7 * problem.adhesion.length);
          if (f.pressure[i] > 0.0) REQUIRE(gap[i] < 1e-7 * problem.adhesion.length);
          REQUIRE(std::abs(gap[i] - f.gap[i]) < 1e-7 * problem.adhesion.length);
          energy += 0.5 * grid.element_area() * net[i] * u[i];
        }
        // maugis: as exactly as its points divide a triangle.
        const double accepted = law == AdhesionLaw::maugis ? 5e-3 : 1e-6;
        for (int iy = 0; iy < grid.my; ++iy)
          for (int ix = 0; ix < grid.mx; ++ix)
            REQUIRE(std::abs(f.adhesive_stress[grid.index(ix, iy)] -
                             law_stress(problem.adhesion, grid, gap, ix, iy)) <
                    accepted * strength);
        CHECK(total_of_field(net) * grid.element_area() == near(force, 1e-6));
        CHECK(solved.report.normal_force == near(force, 1e-6));
        CHECK(solved.report.adhesive_force ==
              near(total_of_field(f.adhesive_stress) * grid.element_area()));
        CHECK(solved.report.elastic_energy == near(energy, 1e-6));
      }
    }
  }

  TEST_CASE("adhesion: none at all is the limit of little work") {
    ContactProblem problem = adhesive_rough(AdhesionLaw::exponential);
    problem.adhesion.work = 1e-9;
    ContactProblem without = problem;
    without.adhesion = {};
    const Solved little = solve_under_test(problem);
    const Solved none = solve_under_test(without);
    CHECK(none.fields.adhesive_stress.empty());
    CHECK(none.report.adhesive_force == 0.0);
    CHECK(relative_difference(little.fields.pressure, none.fields.pressure) < 1e-5);
    CHECK(little.report.approach == near(none.report.approach, 1e-5));  // as the pressures
  }

  TEST_CASE("adhesion: of mirrored surfaces the fields are mirrored") {
    ContactProblem problem = adhesive_rough(AdhesionLaw::maugis);
    problem.geometry = {tilted_paraboloid(problem.grid)};
    problem.adhesion = {AdhesionLaw::maugis, 0.5, 0.05};
    ContactProblem mirrored = problem;
    auto& shape = std::get<QuadraticShape>(mirrored.geometry[0]);
    shape.x = -shape.x;
    shape.xy = -shape.xy;
    const Solved one = solve_under_test(problem);
    const Solved other = solve_under_test(mirrored);
    REQUIRE(one.report.outcome == Outcome::converged);
    CHECK(one.report.adhesive_force > 0.1);
    std::vector<double> turned = other.fields.adhesive_stress;
    const Grid& grid = problem.grid;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix)
        turned[grid.index(ix, iy)] = other.fields.adhesive_stress[grid.index(grid.mx - 1 - ix, iy)];
    CHECK(relative_difference(turned, one.fields.adhesive_stress) < 1e-6);
    CHECK(other.report.approach == near(one.report.approach, 1e-7));
  }

  TEST_CASE("adhesion: of a periodic grid copies side by side are the grid again") {
    ContactProblem problem = adhesive_rough(AdhesionLaw::exponential, Boundary::periodic);
    problem.geometry = {RoughShape{RoughSurface{0.7, false, 0.02, 0.4, 1.4, 5}}};
    const Solved one = solve_under_test(problem);
    REQUIRE(one.report.outcome == Outcome::converged);
    HeightsShape twice;
    const Grid& grid = problem.grid;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int copy = 0; copy < 2; ++copy)
        for (int ix = 0; ix < grid.mx; ++ix)
          twice.values.push_back(one.fields.undeformed_distance[grid.index(ix, iy)]);
    ContactProblem doubled = problem;
    doubled.grid.mx *= 2;
    doubled.geometry = {twice};
    doubled.steps[0].normal.value *= 2.0;
    const Solved two = solve_under_test(doubled);
    REQUIRE(two.report.outcome == Outcome::converged);
    CHECK(two.report.adhesive_force == near(2.0 * one.report.adhesive_force, 1e-6));
    CHECK(two.report.approach == near(one.report.approach, 1e-6));
  }

  TEST_CASE("adhesion: bodies that come apart are loaded again from where they just touch") {
    const ContactProblem problem = adhesive_rough(AdhesionLaw::exponential);
    const auto solver = make_solver_under_test(problem);
    const StepReport first = advance_converged(*solver, load_by_force(0.5));
    const StepReport apart = solver->advance(load_by_force(-50.0));
    CHECK(apart.outcome == Outcome::not_converged);
    CHECK(apart.adhesive_force == 0.0);
    CHECK(apart.elements_contact == 0);
    const StepReport again = advance_converged(*solver, load_by_force(0.5));
    CHECK(again.approach == near(first.approach, 1e-7));
  }

  TEST_CASE("adhesion: in a shift friction carries mu times the pressure of the contact") {
    ContactProblem problem = adhesive_rough(AdhesionLaw::maugis);
    const Solved pressed = solve_under_test(problem);
    problem.steps[0].friction.coefficient = 0.3;
    problem.steps[0].tangential.problem = TangentialProblem::shift;
    problem.steps[0].tangential.x.value = 1.0;  // all slides
    const Solved slid = solve_under_test(problem);
    REQUIRE(slid.report.outcome == Outcome::converged);
    CHECK(slid.fields.pressure == pressed.fields.pressure);
    CHECK(slid.report.elements_slip == slid.report.elements_contact);
    CHECK(std::abs(slid.report.force_x) ==
          near(0.3 * (slid.report.normal_force + slid.report.adhesive_force), 1e-6));
    CHECK(slid.report.friction_coefficient == 0.3);
    problem.steps[0].friction.place =
        friction_by_element(std::vector<double>(problem.grid.count(), 0.3));
    CHECK(solve_under_test(problem).report.friction_coefficient == near(0.3, 1e-12));
  }

  TEST_CASE(
      "adhesion: a force shifts surfaces that are pulled apart, up to mu times the pressure's") {
    ContactProblem problem = adhesive_rough(AdhesionLaw::exponential);
    problem.steps[0].normal.value = -0.02;
    problem.steps[0].friction.coefficient = 0.3;
    problem.steps[0].tangential.problem = TangentialProblem::shift;
    const Solved pressed = solve_under_test(problem);
    REQUIRE(pressed.report.outcome == Outcome::converged);
    const double limit = 0.3 * (pressed.report.normal_force + pressed.report.adhesive_force);
    CHECK(limit > 0.0);
    for (const double part : {-0.5, 0.9}) {
      problem.steps[0].tangential.x = {TangentialControl::force, part * limit};
      const Solved shifted = solve_under_test(problem);
      CAPTURE(shifted.report.message);
      REQUIRE(shifted.report.outcome == Outcome::converged);
      CHECK(shifted.report.force_x == near(part * limit, 1e-6));
      CHECK(shifted.report.elements_slip > 0);
      CHECK(shifted.report.elements_adhesion > 0);
      for (std::size_t i = 0; i < problem.grid.count(); ++i)
        REQUIRE(std::hypot(shifted.fields.traction_x[i], shifted.fields.traction_y[i]) <=
                0.3 * shifted.fields.pressure[i] * (1.0 + 1e-6));
    }
    problem.steps[0].tangential.x.value = 1.01 * limit;
    const Solved beyond = solve_under_test(problem);
    CHECK(beyond.report.outcome == Outcome::not_converged);
    CHECK(beyond.report.message.starts_with(
        "the tangential force prescribed is not below mu times the force of the pressure, which "
        "the adhesive stress adds to: no rigid slip gives it (prescribed " +
        number_text(std::fabs(1.01 * limit)) + " N, carried at most "));
  }

  TEST_CASE("adhesion: a resumed run has the bits of the run without a break") {
    const ContactProblem problem = adhesive_rough(AdhesionLaw::maugis);
    const auto solver = make_solver_under_test(problem);
    advance_converged(*solver, load_by_force(0.5));
    const SolverState saved = solver->state();
    advance_converged(*solver, load_by_force(0.05));
    const ContactSolution through = solver->download();
    const auto other = make_solver_under_test(problem);
    other->restore(saved, load_by_force(0.5));
    advance_converged(*other, load_by_force(0.05));
    const ContactSolution resumed = other->download();
    CHECK(resumed.adhesive_stress == through.adhesive_stress);
    CHECK(resumed.pressure == through.pressure);
    CHECK(resumed.gap == through.gap);
  }
}

TEST_SUITE("unit") {
  TEST_CASE("adhesion: numbers that make no sense, and a pull without adhesion, are refused") {
    const auto fault = [](double work, double length, double force) {
      ContactProblem problem = adhesive_rough(AdhesionLaw::maugis);
      problem.adhesion = {AdhesionLaw::maugis, work, length};
      problem.steps[0].normal.value = force;
      const auto faults = check_problem(problem);
      return faults.empty() ? std::string() : fault_text(faults[0]);
    };
    CHECK(fault(1.0, 1.0, -1.0).empty());
    CHECK(fault(-1.0, 1.0, 1.0) == "adhesion.work: -1 is out of range; accepted: a number > 0");
    CHECK(fault(1.0, 0.0, 1.0) == "adhesion.length: 0 is out of range; accepted: a number > 0");
    CHECK(fault(0.0, 0.0, -1.0) ==
          "steps[0].normal.value: -1 is out of range; accepted: a number > 0");
    ContactProblem problem = adhesive_rough(AdhesionLaw::maugis);
    problem.steps[0].normal = {NormalControl::pull_off, 0.0};
    REQUIRE(check_problem(problem).size() == 1);
    CHECK(fault_text(check_problem(problem)[0]) ==
          "steps[0].normal.value: 0 is out of range; accepted: a number > 0");
    problem.steps[0].normal.value = 0.1;
    CHECK(check_problem(problem).empty());
    problem.adhesion = {};
    REQUIRE(check_problem(problem).size() == 1);
    CHECK(fault_text(check_problem(problem)[0]) ==
          "steps[0].normal.control: only surfaces that adhere are pulled off; accepted: adhesion");
  }

  TEST_CASE("adhesion: what it does not go with is refused, with what does") {
    const auto fault = [](const auto& change) {
      ContactProblem problem = adhesive_rough(AdhesionLaw::maugis);
      change(problem);
      const auto faults = check_problem(problem);
      REQUIRE(faults.size() == 1);
      return fault_text(faults[0]);
    };
    CHECK(
        fault([](ContactProblem& p) {
          p.steps[0].tangential.problem = TangentialProblem::shift;
          p.steps[0].tangential.x = {TangentialControl::force_ratio, 0.5};
          p.steps[0].friction.coefficient = 0.3;
        }) ==
        "steps[0].tangential: a force_ratio is one to mu F_n, and friction between surfaces that "
        "adhere "
        "carries mu times the force of the pressure alone, which is more; accepted: a given motion "
        "or force, or no adhesion");
    CHECK(fault([](ContactProblem& p) {
            p.lower = p.upper;
            p.lower.thickness = 0.1;  // a coat of the other body's material: K is 0
            p.lower.below = {{0.2 * p.upper.shear_modulus, 0.2, 0.0}};
            p.steps[0].tangential.problem = TangentialProblem::shift;
            p.steps[0].friction.coefficient = 0.3;
          }) ==
          "adhesion: surfaces that adhere can be shifted only if bodies are quasi-identical (K is "
          "0, and equal layers); accepted: no shift, bodies of one material, or half-spaces with a "
          "Poisson ratio of 0.5 for both");
    CHECK(fault([](ContactProblem& p) { p.upper.hardness = 1e3; }) ==
          "adhesion: jumps of surfaces that adhere are found by their elastic energy, and surfaces "
          "that yield lose some of it; accepted: none, or no hardness");
    CHECK(fault([](ContactProblem& p) { p.sensitivities = true; }) ==
          "sensitivities: they are those of contacts without adhesion; accepted: false, or no "
          "adhesion");
    for (const Way way : {Way::gpu, Way::several_gpus, Way::several_ranks})
      CHECK(refusal_on(way, adhesive_rough(AdhesionLaw::power)).empty());
    for (const Way way : {Way::batch, Way::derivatives})
      CHECK(refusal_on(way, adhesive_rough(AdhesionLaw::power)) == "its surfaces adhere");
  }
}
