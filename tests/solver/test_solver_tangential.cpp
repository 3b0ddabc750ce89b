// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "solver/fields/iteration_limits.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"
#include "tests/support/skew_contact.h"

namespace slipfield {
namespace {

using test::force;
using test::prescribed;
using test::ratio;
using test::shift;
using test::skew_grid;
using test::skew_problem;
using test::typical_shift;

// Coulomb's law and the report's totals by direct summation.
void check_friction(const ContactProblem& problem, const test::Solved& solved,
                    const test::DenseDisplacements& before, double tolerance) {
  const Grid& grid = problem.grid;
  const StepInput& step = problem.steps.back();
  const ContactSolution& f = solved.fields;
  REQUIRE(solved.report.outcome == Outcome::converged);
  const test::DenseDisplacements now =
      test::dense_displacements(grid, combine(problem.upper, problem.lower), f);
  const test::Shift moved{solved.report.rigid_x, solved.report.rigid_y, solved.report.rotation};
  const test::FrictionErrors errors =
      test::friction_errors(grid, f, step.friction.coefficient, now, before, moved);
  CHECK(errors.above_bound <= 1e-14);  // rounding
  CHECK(errors.below_bound <= tolerance);
  CHECK(errors.slip_in_adhesion <= tolerance);
  CHECK(errors.not_opposite <= tolerance);
  CHECK(errors.traction_outside == 0.0);
  double force_x = 0.0;
  double force_y = 0.0;
  double moment = 0.0;
  double energy = 0.0;
  double work = 0.0;
  std::int64_t adhesion = 0;
  std::int64_t slip = 0;
  double worst = 0.0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      const double px = f.traction_x[i];
      const double py = f.traction_y[i];
      force_x += px;
      force_y += py;
      moment += grid.x(ix) * py - grid.y(iy) * px;
      energy += 0.5 * (f.pressure[i] * now.n[i] + px * now.x[i] + py * now.y[i]);
      const bool contact = f.pressure[i] > 0.0;
      const double sx =
          contact ? moved.x - moved.rotation * grid.y(iy) + now.x[i] - before.x[i] : 0.0;
      const double sy =
          contact ? moved.y + moved.rotation * grid.x(ix) + now.y[i] - before.y[i] : 0.0;
      work += px * sx + py * sy;
      test::grow(worst, std::hypot(f.slip_x[i] - sx, f.slip_y[i] - sy));
      adhesion += f.element_division[i] == ElementState::adhesion ? 1 : 0;
      slip += f.element_division[i] == ElementState::slip ? 1 : 0;
      CHECK((f.element_division[i] == ElementState::exterior) == !contact);
      CHECK(f.traction_bound[i] == step.friction.coefficient * f.pressure[i]);
    }
  }
  const double area = grid.element_area();
  const double scale = step.friction.coefficient * solved.report.normal_force;
  const double length = grid.mx * grid.dx + grid.my * grid.dy;
  CHECK(worst <= 1e-12 * (std::abs(moved.x) + std::abs(moved.y) + 1.0));  // rounding
  CHECK(std::abs(solved.report.force_x - area * force_x) <= 1e-13 * scale);
  CHECK(std::abs(solved.report.force_y - area * force_y) <= 1e-13 * scale);
  CHECK(std::abs(solved.report.moment_z - area * moment) <= 1e-13 * scale * length);
  CHECK(solved.report.elastic_energy == test::near(area * energy, 1e-12));
  CHECK(std::abs(solved.report.friction_work - area * work) <= 1e-12 * scale);
  // In adhesion the slip is 0 to the tolerance only, either way.
  CHECK(solved.report.friction_work <= 1e-8 * scale * (std::abs(moved.x) + std::abs(moved.y)));
  CHECK(solved.report.elements_adhesion == adhesion);
  CHECK(solved.report.elements_slip == slip);
  CHECK(solved.report.elements_contact == adhesion + slip);
  const auto reached = [&](const TangentialLoad& load, double value, double rigid) {
    if (load.control == TangentialControl::rigid) {
      CHECK(rigid == load.value);
    } else {
      const double wanted = load.value * (load.control == TangentialControl::force ? 1.0 : scale);
      CHECK(std::abs(value - wanted) <= 1e-8 * scale);  // ten times the tolerance
    }
  };
  reached(step.tangential.x, solved.report.force_x, solved.report.rigid_x);
  reached(step.tangential.y, solved.report.force_y, solved.report.rigid_y);
}

TEST_SUITE("oracle") {
  TEST_CASE(
      "shift: Coulomb's law by direct summation with shift and force prescribed in any "
      "direction and both methods") {
    const Grid grid = skew_grid();
    ContactProblem problem = skew_problem(grid);
    const double d = typical_shift(problem);
    const std::array<Tangential, 9> loads{
        {prescribed(shift(0.6 * d), shift(-0.3 * d)), prescribed(shift(0.0), shift(0.7 * d)),
         prescribed(shift(0.4 * d), shift(0.2 * d), 1.1 * d), prescribed(ratio(-0.6), shift(0.0)),
         prescribed(shift(0.2 * d), ratio(0.5)), prescribed(ratio(0.4), ratio(-0.7)),
         prescribed(force(0.0), ratio(0.8), -0.7 * d), prescribed(force(0.0), force(0.0), d),
         prescribed(ratio(0.05), ratio(0.9))}};
    for (std::size_t k = 0; k < loads.size(); ++k) {
      problem.steps[0].tangential = loads[k];
      std::vector<ContactSolution> solutions;
      for (const TangentialMethod method : test::kTangentialMethods) {
        problem.solver.tangential = method;
        CAPTURE(k);
        CAPTURE(static_cast<int>(method));
        const test::Solved solved = test::solve(problem);
        // The tolerance over the range of A from element to grid.
        check_friction(problem, solved, test::no_displacements(grid), 1e-6);
        CHECK(solved.report.elements_slip > 10);
        solutions.push_back(solved.fields);
      }
      // Tolerance times the condition of the problem.
      CHECK(test::relative_difference(solutions[0].traction_x, solutions[1].traction_x) <= 1e-6);
      CHECK(test::relative_difference(solutions[0].traction_y, solutions[1].traction_y) <= 1e-6);
    }
  }

  TEST_CASE(
      "shift: Coulomb's law by direct summation on grids of all sizes and elements of all "
      "shapes") {
    const std::array<Grid, 8> grids{{{1, 1, 0.4, 0.7, -0.15, -0.4},
                                     {1, 31, 0.4, 0.7, -0.2, -11.0},
                                     {33, 1, 0.4, 70.0, -6.5, -35.0},
                                     {2, 3, 0.4, 0.7, -0.4, -1.0},
                                     {31, 32, 0.4, 0.7, -6.0, -11.0},
                                     {33, 17, 1.1, 0.4, -18.0, -3.3},
                                     {13, 41, 0.4, 3.0, -2.5, -60.0},
                                     {43, 11, 6.0, 0.3, -130.0, -1.7}}};
    for (const Grid& grid : grids) {
      for (const TangentialMethod method : test::kTangentialMethods) {
        for (const bool by_force : {false, true}) {
          ContactProblem problem = skew_problem(grid);
          problem.solver.tangential = method;
          const double d = typical_shift(problem);
          problem.steps[0].tangential = by_force ? prescribed(ratio(-0.5), ratio(0.3))
                                                 : prescribed(shift(d), shift(-0.6 * d));
          CAPTURE(grid.mx);
          CAPTURE(grid.my);
          CAPTURE(by_force);
          CAPTURE(static_cast<int>(method));
          check_friction(problem, test::solve(problem), test::no_displacements(grid), 1e-6);
        }
      }
    }
  }

  TEST_CASE("shift sequence: each step starts from the displacements of the last") {
    const Grid grid = skew_grid();
    ContactProblem problem = skew_problem(grid);
    const double d = typical_shift(problem);
    const StepInput first = problem.steps[0];
    for (const TangentialMethod method : test::kTangentialMethods) {
      problem.solver.tangential = method;
      const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
      test::DenseDisplacements before = test::no_displacements(grid);
      // Pressure, friction and direction change on the way; an element may come into contact again.
      const std::array<Tangential, 5> loads{
          {prescribed(shift(0.8 * d), shift(-0.2 * d)), prescribed(shift(-0.5 * d), shift(0.3 * d)),
           prescribed(ratio(0.3), shift(0.0), 0.5 * d), prescribed(force(0.0), ratio(-0.4)),
           prescribed(shift(0.1 * d), ratio(0.2))}};
      const std::array<double, 5> approaches{0.12, 0.12, 0.15, 0.09, 0.13};
      for (std::size_t k = 0; k < loads.size(); ++k) {
        StepInput step = first;
        step.tangential = loads[k];
        step.normal.value = approaches[k];
        step.friction.coefficient = k == 3 ? 0.5 : 0.35;
        problem.steps = {step};
        CAPTURE(k);
        const test::Solved solved{solver->advance(step), solver->download()};
        check_friction(problem, solved, before, 1e-6);  // as above
        before =
            test::dense_displacements(grid, combine(problem.upper, problem.lower), solved.fields);
      }
    }
  }

  // A line of long elements along x or y, pulled along itself and then back and sideways: full
  // steps of newton lead around a cycle of states in nearly half of such lines.
  TEST_CASE("shift of a line: a force that is turned back and aside does not stall newton") {
    constexpr double kCurvature = 1.0e-4;
    constexpr double kLong = 300.0;
    for (const int n : {11, 14, 23, 26}) {
      for (const bool along_x : {true, false}) {
        const double half = 0.5 * n;
        const Grid grid = along_x ? Grid{n, 1, 1.0, kLong, -half, -0.5 * kLong}
                                  : Grid{1, n, kLong, 1.0, -0.5 * kLong, -half};
        const Shape shape = along_x ? QuadraticShape{kCurvature, 0.0, 0.0, 0.0, 0.0, 0.0}
                                    : QuadraticShape{0.0, 0.0, kCurvature, 0.0, 0.0, 0.0};
        // Hertz: pi E* a^2/(4 R) a length, for a contact of 0.84 of the line.
        const double modulus = test::kBody.shear_modulus / (1.0 - test::kBody.poisson_ratio);
        const double load =
            0.5 * test::kPi * modulus * kCurvature * kLong * std::pow(0.84 * half, 2);
        ContactProblem problem =
            test::normal_problem(grid, test::kBody, shape, NormalControl::force, load, 1e-9);
        problem.steps[0].friction.coefficient = 0.35;
        const auto pull = [&](const TangentialLoad& along, const TangentialLoad& across) {
          problem.steps[0].tangential =
              along_x ? prescribed(along, across) : prescribed(across, along);
        };
        for (const TangentialMethod method : {TangentialMethod::newton, TangentialMethod::dense}) {
          CAPTURE(n);
          CAPTURE(along_x);
          CAPTURE(static_cast<int>(method));
          problem.solver.tangential = method;
          pull(ratio(0.66), shift(0.0));
          const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
          REQUIRE(solver->advance(problem.steps[0]).outcome == Outcome::converged);
          const test::DenseDisplacements before = test::dense_displacements(
              grid, combine(problem.upper, problem.lower), solver->download());
          pull(ratio(-0.73), ratio(0.64));
          const test::Solved solved{solver->advance(problem.steps[0]), solver->download()};
          check_friction(problem, solved, before, 1e-6);  // as above
          CHECK(solved.report.message == "");             // no other method took over
          CHECK(solved.report.elements_adhesion > 0);
          CHECK(solved.report.elements_slip > 0);
        }
      }
    }
  }
}

TEST_SUITE("unit") {
  TEST_CASE("newton: steps are whole while the error falls, then half, and none follow") {
    NewtonProgress progress(WithoutGain::halves_steps, 3);
    NewtonProgress steady(WithoutGain::gives_up, 3);
    const auto see = [&](double error) {
      progress.see(error);
      steady.see(error);
    };
    for (const double error : {1.0, 0.8, 0.9, 0.79, 0.75, 0.6}) {  // 3 times not another tenth less
      see(error);
      CHECK(progress.part() == 1.0);
      CHECK_FALSE(steady.stalls());
    }
    for (int k = 0; k < 3; ++k) see(0.6);
    CHECK(progress.part() == 1.0);
    for (int k = 0; k < 3; ++k) {
      see(0.6);
      CHECK(progress.part() == 0.5);
      CHECK(steady.stalls());
      CHECK_FALSE(progress.stalls());
    }
    NewtonProgress gained = progress;
    gained.see(0.5);
    CHECK(gained.part() == 1.0);
    progress.see(0.6);
    CHECK(progress.stalls());
  }

  TEST_CASE("shift: a further step without shift changes nothing and a way back leaves tractions") {
    ContactProblem problem = skew_problem(skew_grid());
    const double d = typical_shift(problem);
    for (const TangentialMethod method : test::kTangentialMethods) {
      problem.solver.tangential = method;
      problem.steps[0].tangential = prescribed(shift(0.6 * d), shift(-0.3 * d));
      const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
      const StepReport one = solver->advance(problem.steps[0]);
      const ContactSolution loaded = solver->download();
      StepInput rest = problem.steps[0];
      rest.tangential = prescribed(shift(0.0), shift(0.0));
      const StepReport two = solver->advance(rest);
      const ContactSolution rested = solver->download();
      CHECK(two.outcome == Outcome::converged);
      CHECK(test::relative_difference(rested.traction_x, loaded.traction_x) <= 1e-8);  // tolerance
      CHECK(test::relative_difference(rested.traction_y, loaded.traction_y) <= 1e-8);
      CHECK(std::abs(two.friction_work) <= 1e-8 * std::abs(one.friction_work));
      CHECK(two.elastic_energy == test::near(one.elastic_energy, 1e-9));
      StepInput back = problem.steps[0];
      back.tangential = prescribed(shift(-0.6 * d), shift(0.3 * d));
      const StepReport three = solver->advance(back);
      CHECK(three.outcome == Outcome::converged);
      // Slip is not undone: at zero total shift the force has turned round and energy is lost.
      CHECK(three.force_x * one.force_x < 0.0);
      CHECK(three.friction_work < 0.0);
      CHECK(three.elements_adhesion > 0);
    }
  }

  TEST_CASE("shift in small steps: work put in = elastic energy + friction loss") {
    ContactProblem problem = skew_problem(skew_grid(), 1e-8);
    const double d = typical_shift(problem);
    const auto balance = [&](int steps) {
      const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
      StepInput step = problem.steps[0];
      step.tangential = prescribed(shift(0.0), shift(0.0));
      double energy = solver->advance(step).elastic_energy;
      const double start = energy;
      double force_x = 0.0;
      double force_y = 0.0;
      double input = 0.0;
      double loss = 0.0;
      for (int k = 0; k < steps; ++k) {  // a way with a corner
        step.tangential = k < steps / 2
                              ? prescribed(shift(1.2 * d / steps), shift(0.0))
                              : prescribed(shift(-0.2 * d / steps), shift(1.4 * d / steps));
        const StepReport report = solver->advance(step);
        CHECK(report.outcome == Outcome::converged);
        CHECK(report.friction_work <= 0.0);
        input -= 0.5 * (report.force_x + force_x) * step.tangential.x.value +
                 0.5 * (report.force_y + force_y) * step.tangential.y.value;
        loss -= report.friction_work;
        force_x = report.force_x;
        force_y = report.force_y;
        energy = report.elastic_energy;
      }
      CHECK(input > 0.0);
      CHECK(loss > 0.05 * input);
      return std::abs(energy - start + loss - input) / input;
    };
    const double coarse = balance(8);
    const double fine = balance(32);
    // The balance holds to the step's share of changing slip: better than first order.
    CHECK(coarse <= 0.05);
    CHECK(fine <= 0.25 * coarse);
  }

  TEST_CASE(
      "shift: mirrored in y the same with opposite F_y and moment and with axes exchanged the "
      "same with x for y") {
    const Grid grid = skew_grid();
    ContactProblem problem = skew_problem(grid);
    const double d = typical_shift(problem);
    problem.steps[0].tangential = prescribed(shift(0.6 * d), shift(-0.3 * d), 0.4 * d);
    const auto& shape = std::get<QuadraticShape>(problem.geometry[0]);
    for (const TangentialMethod method : test::kTangentialMethods) {
      problem.solver.tangential = method;
      const test::Solved base = test::solve(problem);
      const double scale = 0.35 * base.report.normal_force;
      const double tolerance = 1e-7;  // of the solver, times 100

      ContactProblem mirrored = problem;
      mirrored.grid.y0 = -(grid.y0 + grid.my * grid.dy);
      mirrored.geometry = {QuadraticShape{shape.xx, -shape.xy, shape.yy, shape.x, -shape.y, 0.0}};
      mirrored.steps[0].tangential = prescribed(shift(0.6 * d), shift(0.3 * d), -0.4 * d);
      const test::Solved mirror = test::solve(mirrored);
      CHECK(std::abs(mirror.report.force_x - base.report.force_x) <= tolerance * scale);
      CHECK(std::abs(mirror.report.force_y + base.report.force_y) <= tolerance * scale);
      CHECK(std::abs(mirror.report.moment_z + base.report.moment_z) <= tolerance * scale);
      CHECK(mirror.report.elements_adhesion == base.report.elements_adhesion);

      ContactProblem exchanged = problem;
      exchanged.grid = {grid.my, grid.mx, grid.dy, grid.dx, grid.y0, grid.x0};
      exchanged.geometry = {QuadraticShape{shape.yy, shape.xy, shape.xx, shape.y, shape.x, 0.0}};
      // Exchanging the axes turns the sense of rotation.
      exchanged.steps[0].tangential = prescribed(shift(-0.3 * d), shift(0.6 * d), -0.4 * d);
      const test::Solved turned = test::solve(exchanged);
      CHECK(std::abs(turned.report.force_y - base.report.force_x) <= tolerance * scale);
      CHECK(std::abs(turned.report.force_x - base.report.force_y) <= tolerance * scale);
      CHECK(std::abs(turned.report.moment_z + base.report.moment_z) <= tolerance * scale);
      CHECK(turned.report.elements_adhesion == base.report.elements_adhesion);
      double worst = 0.0;
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix) {
          test::grow(worst, std::abs(turned.fields.traction_y[exchanged.grid.index(iy, ix)] -
                                     base.fields.traction_x[grid.index(ix, iy)]));
        }
      }
      CHECK(worst <= 1e-6 * 0.35 * base.report.max_pressure);  // single elements at the rims
    }
  }

  TEST_CASE("shift: without friction no traction and slip everywhere by the rigid shift") {
    ContactProblem problem = skew_problem(skew_grid());
    problem.steps[0].friction.coefficient = 0.0;
    problem.steps[0].tangential = prescribed(shift(0.02), shift(-0.01), 0.03);
    for (const TangentialMethod method : test::kTangentialMethods) {
      problem.solver.tangential = method;
      const test::Solved solved = test::solve(problem);
      CHECK(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_adhesion == 0);
      CHECK(solved.report.elements_slip > 100);
      CHECK(solved.report.force_x == 0.0);
      CHECK(solved.report.force_y == 0.0);
      CHECK(solved.report.friction_work == 0.0);
      const Grid& grid = problem.grid;
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix) {
          const std::size_t i = grid.index(ix, iy);
          if (!(solved.fields.pressure[i] > 0.0)) continue;
          CHECK(solved.fields.slip_x[i] == test::near(0.02 - 0.03 * grid.y(iy)));
          CHECK(solved.fields.slip_y[i] == test::near(-0.01 + 0.03 * grid.x(ix)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace slipfield
