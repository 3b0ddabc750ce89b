// SPDX-License-Identifier: Apache-2.0
// Surfaces that yield under a pressure, on either backend (THEORY.md 4.9).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "solver/error.h"
#include "solver/geometry/rough_surface.h"
#include "solver/influence/influence_table.h"
#include "solver/problem_check.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

constexpr double kFullLoad = 9.0;

double greatest_value(const std::vector<double>& values) {
  return *std::ranges::max_element(values);
}
// A smooth or a rough indenter. part: the hardness over the greatest pressure of the elastic
// contact.
ContactProblem hard_contact(double part, bool rough = false, int mx = 33, int my = 27) {
  ContactProblem problem =
      normal_problem(centred_grid(mx, my, 1.4, 1.5), {200.0, 0.42},
                     QuadraticShape{0.01, 0.0, 0.012}, NormalControl::force, kFullLoad, 1e-9);
  if (rough) problem.geometry.push_back(RoughShape{RoughSurface{0.7, false, 0.002, 0.5, 1.5, 3}});
  problem.upper.hardness = part * greatest_value(solve(problem).fields.pressure);
  return problem;
}

double sum_of_all(const std::vector<double>& values) {
  double total = 0.0;
  for (const double value : values) total += value;
  return total;
}
double greatest_step_between(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double difference = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) difference = std::fmax(difference, std::fabs(a[i] - b[i]));
  return difference;
}

// What holds after any step: 0 <= p <= H, no overlap, a gap of 0 under pressure, the force. before:
// the deformation that the step found; it grows where the pressure is the hardness, and nowhere
// else. Returns the number of elements where it grows.
int check_yielded(const ContactProblem& problem, double force, const ContactSolution& fields,
                  const std::vector<double>& before) {
  const double hardness = problem.upper.hardness;
  const double length = greatest_value(fields.displacement_n);
  int touching = 0;
  int yielding = 0;
  for (std::size_t i = 0; i < fields.pressure.size(); ++i) {
    REQUIRE(fields.pressure[i] >= 0.0);
    REQUIRE(fields.pressure[i] <= (1.0 + 1e-8) * hardness);
    REQUIRE(fields.gap[i] >= -1e-7 * length);
    const double grown = fields.permanent_deformation[i] - before[i];
    REQUIRE(grown >= 0.0);
    if (fields.pressure[i] > 0.0) {
      REQUIRE(std::fabs(fields.gap[i]) <= 1e-7 * length);
      ++touching;
    }
    if (grown > 0.0) {
      REQUIRE(fields.pressure[i] == hardness);
      ++yielding;
    }
  }
  CHECK(touching > 30);
  CHECK(sum_of_all(fields.pressure) * problem.grid.element_area() == near(force, 1e-8));
  return yielding;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE(
      "hardness: the pressures are those of projected Gauss-Seidel between 0 and the hardness") {
    for (const bool rough : {false, true}) {
      ContactProblem problem = hard_contact(0.6, rough, 15, 13);
      const Solved by_force = solve_under_test(problem);
      REQUIRE(by_force.report.outcome == Outcome::converged);
      CHECK(std::ranges::count(by_force.fields.pressure, problem.upper.hardness) > 4);
      problem.steps[0].normal = {NormalControl::approach, by_force.report.approach};
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(greatest_step_between(solved.fields.pressure, by_force.fields.pressure) <
            1e-6 * problem.upper.hardness);
      // min p.A p/2 + p.(h - approach), 0 <= p <= H, by relaxing one element after the other.
      const Grid& grid = problem.grid;
      const InfluenceTable table = influence_table(Component::nn, grid, contact_material(problem));
      const std::vector<double>& h = solved.fields.undeformed_distance;
      std::vector<double> p(grid.count(), 0.0);
      for (int sweep = 0; sweep < 4000; ++sweep) {
        for (int iy = 0; iy < grid.my; ++iy) {
          for (int ix = 0; ix < grid.mx; ++ix) {
            const std::size_t i = grid.index(ix, iy);
            double gap = h[i] - solved.report.approach;
            for (int jy = 0; jy < grid.my; ++jy)
              for (int jx = 0; jx < grid.mx; ++jx)
                gap += *table.at(ix - jx, iy - jy) * p[grid.index(jx, jy)];
            p[i] = std::clamp(p[i] - gap / *table.at(0, 0), 0.0, problem.upper.hardness);
          }
        }
      }
      CHECK(greatest_step_between(solved.fields.pressure, p) < 1e-6 * problem.upper.hardness);
    }
  }

  TEST_CASE("hardness: one that no pressure reaches leaves every bit of the elastic contact") {
    ContactProblem problem = hard_contact(0.0, true);
    problem.steps[0].friction.coefficient = 0.3;
    problem.steps[0].tangential.problem = TangentialProblem::shift;
    problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.5};
    const Solved elastic = solve_under_test(problem);
    CHECK(elastic.fields.permanent_deformation.empty());
    problem.lower.hardness = 2.0 * greatest_value(elastic.fields.pressure);
    const Solved hard = solve_under_test(problem);
    CHECK(hard.fields.pressure == elastic.fields.pressure);
    CHECK(hard.fields.traction_x == elastic.fields.traction_x);
    CHECK(hard.fields.gap == elastic.fields.gap);
    CHECK(greatest_value(hard.fields.permanent_deformation) == 0.0);
    // The softer surface decides.
    problem.upper.hardness = 0.5 * greatest_value(elastic.fields.pressure);
    CHECK(greatest_value(solve_under_test(problem).fields.pressure) == problem.upper.hardness);
  }

  TEST_CASE("hardness: a second loading is elastic, and only a heavier one deforms further") {
    for (const bool rough : {false, true}) {
      const ContactProblem problem = hard_contact(0.6, rough);
      const auto solver = make_solver_under_test(problem);
      StepInput step = problem.steps[0];
      std::vector<double> before(problem.grid.count(), 0.0);
      int yielding = 0;
      const auto load = [&](double force) {
        step.normal.value = force;
        REQUIRE(solver->advance(step).outcome == Outcome::converged);
        const ContactSolution fields = solver->download();
        yielding = check_yielded(problem, force, fields, before);
        return fields;
      };
      const ContactSolution first = load(kFullLoad);
      const double deepest = greatest_value(first.permanent_deformation);
      CHECK(deepest > 0.0);
      CHECK(yielding > 100);
      before = first.permanent_deformation;
      const ContactSolution unloaded = load(0.3 * kFullLoad);
      CHECK(greatest_step_between(unloaded.permanent_deformation, before) < 1e-7 * deepest);
      const ContactSolution again = load(kFullLoad);
      CHECK(greatest_step_between(again.permanent_deformation, before) < 1e-5 * deepest);
      CHECK(greatest_step_between(again.pressure, first.pressure) < 1e-5 * problem.upper.hardness);
      before = again.permanent_deformation;
      const ContactSolution heavier = load(1.5 * kFullLoad);
      CHECK(greatest_value(heavier.permanent_deformation) > 1.2 * deepest);
      CHECK(yielding > 100);
      // The same by one loading from the start: the result depends on the path neither in elastic
      // nor in yielding elements.
      ContactProblem at_once = problem;
      at_once.steps[0].normal.value = 1.5 * kFullLoad;
      CHECK(greatest_step_between(solve_under_test(at_once).fields.pressure, heavier.pressure) <
            1e-4 * problem.upper.hardness);
    }
  }

  TEST_CASE("hardness: far beyond it the area is the force over the hardness") {
    ContactProblem problem = hard_contact(0.02, false, 41, 39);
    problem.grid = centred_grid(41, 39, 12.0, 12.0);
    const Solved solved = solve_under_test(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    const double area = solved.report.elements_contact * problem.grid.element_area();
    CHECK(area >= kFullLoad / problem.upper.hardness);
    CHECK(area < 1.1 * kFullLoad / problem.upper.hardness);
  }

  TEST_CASE("hardness: a force that it cannot carry on the whole grid is refused") {
    ContactProblem problem = hard_contact(0.0);
    const double area = problem.grid.element_area() * static_cast<double>(problem.grid.count());
    problem.upper.hardness = 1.01 * kFullLoad / area;
    CHECK(check_problem(problem).empty());
    problem.upper.hardness = 0.99 * kFullLoad / area;
    const std::vector<Fault> faults = check_problem(problem);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].field == "steps[0].normal.value");
  }

  TEST_CASE("hardness: of a planform the elements inside carry the force, by every method") {
    ContactProblem problem = hard_contact(0.0);
    problem.geometry = {PlanformShape{EllipseOutline{0.4, 0.3}, 0.05, -0.1}};
    const Solved elastic = solve_under_test(problem);
    std::size_t inside = 0;
    for (const double h : elastic.fields.undeformed_distance) inside += std::isfinite(h) ? 1 : 0;
    REQUIRE(inside < problem.grid.count() / 2);
    const double area = problem.grid.element_area() * static_cast<double>(inside);
    problem.upper.hardness = 0.99 * kFullLoad / area;
    const std::vector<Fault> faults = check_problem(problem);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].reason.find("on the elements that can touch") != std::string::npos);
    problem.upper.hardness = 1.05 * kFullLoad / area;
    CHECK(check_problem(problem).empty());
    for (const NormalMethod method : {NormalMethod::bound_cg, NormalMethod::active_set_cg,
                                      NormalMethod::dense, NormalMethod::newton}) {
      problem.solver.normal = method;
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(greatest_value(solved.fields.pressure) <= (1.0 + 1e-8) * problem.upper.hardness);
      CHECK(solved.report.elements_yielding ==
            std::ranges::count(solved.fields.pressure, problem.upper.hardness));
    }
  }

  TEST_CASE("hardness: elements that carry it again count as yielding, though they flow no more") {
    ContactProblem problem = hard_contact(0.6);
    const auto solver = make_solver_under_test(problem);
    StepInput step = problem.steps[0];
    const std::int64_t first = solver->advance(step).elements_yielding;
    CHECK(first > 4);
    CHECK(solver->advance(step).elements_yielding == first);
    step.normal.value *= 0.5;
    CHECK(solver->advance(step).elements_yielding == 0);
    CHECK(solver->advance(problem.steps[0]).elements_yielding == first);
  }

  TEST_CASE("hardness: a state with a deformation is refused where no surface yields") {
    ContactProblem problem = hard_contact(0.6);
    const auto hard = make_solver_under_test(problem);
    CHECK(hard->advance(problem.steps[0]).elements_yielding > 4);
    const SolverState saved = hard->state();
    problem.upper.hardness = 0.0;
    const auto elastic = make_solver_under_test(problem);
    CHECK_THROWS_WITH_AS(elastic->restore(saved, problem.steps[0]),
                         doctest::Contains("has a permanent deformation, and no body of the case"),
                         InputError);
  }

  TEST_CASE("hardness: in a shift the traction bound follows the pressure that yields") {
    ContactProblem problem = hard_contact(0.6, true);
    problem.steps[0].friction.coefficient = 0.3;
    problem.steps[0].tangential.problem = TangentialProblem::shift;
    problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.6};
    for (const double poisson_ratio :
         {0.42, 0.2}) {  // with unlike bodies tractions act on the pressure
      problem.lower.poisson_ratio = poisson_ratio;
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(check_yielded(problem, kFullLoad, solved.fields,
                          std::vector<double>(problem.grid.count(), 0.0)) > 80);
      CHECK(solved.report.force_x == near(-0.6 * 0.3 * kFullLoad, 1e-6));
      for (std::size_t i = 0; i < problem.grid.count(); ++i)
        REQUIRE(std::hypot(solved.fields.traction_x[i], solved.fields.traction_y[i]) <=
                0.3 * solved.fields.pressure[i] + 1e-7);
    }
  }

  TEST_CASE("hardness: periodic surfaces yield where they touch") {
    ContactProblem problem = hard_contact(0.0);
    problem.geometry = {RoughShape{RoughSurface{0.8, false, 0.05, 0.5, 1.5, 5}}};
    problem.grid.boundary = Boundary::periodic;
    problem.upper.hardness = 0.5 * greatest_value(solve(problem).fields.pressure);
    const Solved solved = solve_under_test(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    CHECK(greatest_value(solved.fields.permanent_deformation) > 0.0);
    CHECK(check_yielded(problem, kFullLoad, solved.fields,
                        std::vector<double>(problem.grid.count(), 0.0)) > 8);
  }

  TEST_CASE("hardness: periodic surfaces come nearer than in full contact where they yield") {
    ContactProblem problem = hard_contact(0.0);
    problem.geometry = {RoughShape{RoughSurface{0.8, false, 0.05, 0.5, 1.5, 5}}};
    problem.grid.boundary = Boundary::periodic;
    problem.upper.hardness = 0.5 * greatest_value(solve(problem).fields.pressure);
    problem.steps[0].normal.control = NormalControl::approach;
    const std::vector<double> none(problem.grid.count(), 0.0);
    double before = 0.0;
    // The mean of the undeformed distance is 0, where elastic surfaces are in full contact.
    for (const double approach : {-0.001, 0.0, 0.02, 0.06}) {
      CAPTURE(approach);
      problem.steps[0].normal.value = approach;
      const Solved solved = solve_under_test(problem);
      CAPTURE(solved.report.message);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(check_yielded(problem, solved.report.normal_force, solved.fields, none) ==
            solved.report.elements_yielding);
      CHECK(solved.report.elements_yielding > 300);
      CHECK(solved.report.normal_force > before);
      before = solved.report.normal_force;
      double gaps = 0.0;
      for (std::size_t i = 0; i < none.size(); ++i)
        gaps += solved.fields.gap[i] - solved.fields.permanent_deformation[i];
      CHECK(gaps / static_cast<double>(none.size()) == within(-approach, 1e-6));
    }
    // Beyond the lowest place all elements yield.
    const Solved flat = [&] {
      problem.steps[0].normal.value = 0.3;
      return solve_under_test(problem);
    }();
    REQUIRE(flat.report.outcome == Outcome::converged);
    CHECK(flat.report.elements_yielding == static_cast<std::int64_t>(none.size()));
    CHECK(flat.report.normal_force == near(problem.upper.hardness * 2.8 * 3.0));
  }

  TEST_CASE(
      "hardness: a step continues from a saved state with the bits of the run without a break") {
    const ContactProblem problem = hard_contact(0.6, true);
    const auto solver = make_solver_under_test(problem);
    StepInput step = problem.steps[0];
    solver->advance(step);
    const SolverState saved = solver->state();
    step.normal.value = 0.5 * kFullLoad;
    solver->advance(step);
    const ContactSolution through = solver->download();
    const auto other = make_solver_under_test(problem);
    other->restore(saved, problem.steps[0]);
    other->advance(step);
    const ContactSolution resumed = other->download();
    CHECK(resumed.pressure == through.pressure);
    CHECK(resumed.gap == through.gap);
    CHECK(resumed.permanent_deformation == through.permanent_deformation);
    CHECK(resumed.undeformed_distance == through.undeformed_distance);
  }
}
