// SPDX-License-Identifier: Apache-2.0
// Kinds of problem on the GPU against the CPU: layers, adhesion, moments prescribed, bodies that
// creep, transient rolling to second order, friction that differs along y and remembers.
#include <doctest/doctest.h>

#include <cmath>

#include "gpu/cuda_device.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/rolling_ellipse.h"

namespace slipfield::test {
namespace {

constexpr double kTolerance = 1e-10;
constexpr double kSolver = 1e-8;  // two ways to that tolerance

// A tilted paraboloid under creepages and spin.
ContactProblem rolling_skew(TangentialProblem kind = TangentialProblem::steady_rolling) {
  ContactProblem problem = normal_problem(centred_grid(27, 22, 0.7, 0.6), {1.0, 0.28},
                                          QuadraticShape{0.8, 0.1, 1.0, 0.02, -0.03, 0.0},
                                          NormalControl::force, 0.15, kTolerance);
  problem.lower = {1.6, 0.2};
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.3;
  Tangential& tangential = step.tangential;
  tangential.problem = kind;
  tangential.step = problem.grid.dx;
  tangential.velocity = 1.0;
  tangential.x.value = -0.02;
  tangential.y.value = 0.011;
  tangential.rotation = 0.03;
  if (kind == TangentialProblem::shift) {
    tangential.step = tangential.velocity = 0.0;
    tangential.duration = 1.0;
  }
  return problem;
}

void check_on_both(const ContactProblem& problem, double tolerance = kSolver) {
  const Solved cpu = solve(problem);
  const Solved gpu = solve(problem, *make_cuda_solver(problem));
  check_equal(cpu, gpu, tolerance);
  // Either may be small: the tractions are as near to each other as to their bound.
  const double friction = problem.steps[0].friction.coefficient * cpu.report.normal_force;
  CHECK(gpu.report.force_x == within(cpu.report.force_x, tolerance * friction));
  CHECK(gpu.report.force_y == within(cpu.report.force_y, tolerance * friction));
  CHECK(gpu.report.rotation == near(cpu.report.rotation, tolerance));
  CHECK(gpu.report.elements_slip == cpu.report.elements_slip);
}

constexpr TangentialProblem kSliding[] = {TangentialProblem::shift,
                                          TangentialProblem::steady_rolling,
                                          TangentialProblem::transient_rolling};

// Steps that follow one another where the problem has a history.
ContactProblem with_history(ContactProblem problem) {
  if (problem.steps[0].tangential.problem != TangentialProblem::steady_rolling)
    problem.steps[0].repeat = 3;
  return problem;
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("gpu layers: elastic, plastic, softening, and a sheet, as on the CPU") {
    for (const TangentialProblem kind : kSliding) {
      CAPTURE(static_cast<int>(kind));
      for (const ContactLayer& layer :
           {ContactLayer{0.1, 0.0, 0.0, 0.0}, ContactLayer{0.05, 0.0, 0.04, 0.3},
            ContactLayer{0.05, 0.0, 0.05, -0.05}, ContactLayer{0.05, 0.02, 0.0, 0.0}}) {
        ContactProblem problem = rolling_skew(kind);
        problem.lower = problem.upper;
        problem.layer = layer;
        check_on_both(with_history(problem), layer.yields() ? 1e-6 : kSolver);
      }
    }
  }

  TEST_CASE(
      "gpu adhesion: each law, free and periodic, pressed, shifted and pulled, as on the CPU") {
    for (const AdhesionLaw law :
         {AdhesionLaw::maugis, AdhesionLaw::exponential, AdhesionLaw::power}) {
      for (const Boundary boundary : {Boundary::free, Boundary::periodic}) {
        CAPTURE(static_cast<int>(law));
        CAPTURE(static_cast<int>(boundary));
        ContactProblem problem =
            normal_problem(centred_grid(37, 29, 1.4, 1.5), {200.0, 0.42},
                           QuadraticShape{0.01, 0.002, 0.012}, NormalControl::force, 0.5, 1e-10);
        problem.geometry.emplace_back(RoughShape{RoughSurface{0.7, false, 0.004, 0.5, 1.4, 3}});
        if (boundary == Boundary::periodic) problem.geometry.erase(problem.geometry.begin());
        problem.grid.boundary = boundary;
        problem.adhesion = {law, 0.02, 0.004};
        for (const double force : {0.5, -0.02}) {
          problem.steps[0].normal.value = force;
          const Solved cpu = solve(problem);
          const Solved gpu = solve(problem, *make_cuda_solver(problem));
          REQUIRE(cpu.report.outcome == Outcome::converged);
          check_equal(cpu, gpu, 1e-6);
          CHECK(relative_difference(gpu.fields.adhesive_stress, cpu.fields.adhesive_stress) < 1e-6);
          CHECK(gpu.report.adhesive_force == near(cpu.report.adhesive_force, 1e-7));
        }
        problem.steps[0].normal.value = 0.5;
        problem.steps[0].friction.coefficient = 0.3;
        problem.steps[0].tangential.problem = TangentialProblem::shift;
        problem.steps[0].tangential.x.value = 1e-3;
        check_on_both(problem, 1e-6);
      }
    }
  }

  TEST_CASE("gpu moment: the rotation or the spin found for it is the CPU's") {
    for (const TangentialProblem kind : kSliding) {
      CAPTURE(static_cast<int>(kind));
      ContactProblem problem = rolling_skew(kind);
      problem.steps[0].tangential.rotation = 0.0;
      problem.steps[0].tangential.moment = 0.002;
      check_on_both(with_history(problem));
      problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.3};
      check_on_both(with_history(problem));
    }
  }

  // Where newton stalls, and rounds with a compliance of each element's own end it.
  TEST_CASE("gpu steady rolling: in short steps as on the CPU") {
    ContactProblem problem = balanced_spin(37, 0.1);
    problem.solver.tolerance = 1e-7;
    const Solved cpu = solve(problem);
    const Solved gpu = solve(problem, *make_cuda_solver(problem));
    REQUIRE(cpu.report.outcome == Outcome::converged);
    REQUIRE(gpu.report.outcome == Outcome::converged);
    const double friction = 0.3 * cpu.report.normal_force;
    CHECK(std::abs(gpu.report.force_x - cpu.report.force_x) < 1e-5 * friction);
    CHECK(std::abs(gpu.report.force_y - cpu.report.force_y) < 1e-5 * friction);
  }

  TEST_CASE("gpu steady rolling: unlike rollers, in relaxed and mixed rounds, as on the CPU") {
    const ContactProblem problem = unlike_rollers(145, 10.0);
    const Solved cpu = solve(problem);
    const Solved gpu = solve(problem, *make_cuda_solver(problem));
    REQUIRE(cpu.report.outcome == Outcome::converged);
    REQUIRE(gpu.report.outcome == Outcome::converged);
    CHECK(cpu.report.iterations_outer > 10);  // plain ones until then
    CHECK(gpu.report.rigid_x == near(cpu.report.rigid_x, 1e-5));
    CHECK(gpu.report.elements_contact == cpu.report.elements_contact);
  }

  TEST_CASE("gpu viscoelastic: steady rolling by tables, along x and y, as on the CPU") {
    for (const double direction : {0.0, kPi, kPi / 2.0}) {
      for (const InfluenceMethod method : {InfluenceMethod::fft, InfluenceMethod::summation}) {
        ContactProblem problem = rolling_skew();
        problem.upper.creep = {{0.4, 0.05}, {0.6, 0.7}};
        problem.solver.influence = method;
        problem.steps[0].tangential.direction = direction;
        problem.steps[0].tangential.step =
            direction == kPi / 2.0 ? problem.grid.dy : problem.grid.dx;
        check_on_both(problem);
      }
    }
  }

  TEST_CASE("gpu viscoelastic: shifts and transient rolling remember as on the CPU") {
    for (const TangentialProblem kind :
         {TangentialProblem::shift, TangentialProblem::transient_rolling}) {
      ContactProblem problem = rolling_skew(kind);
      problem.upper.creep = {{0.4, 0.05}, {0.6, 0.7}};
      problem.lower.creep = {{0.3, 0.4}};
      check_on_both(with_history(problem));
    }
  }

  TEST_CASE("gpu second order: transient steps, which look two steps back, as on the CPU") {
    for (const double direction : {0.0, kPi}) {
      ContactProblem problem = rolling_skew(TangentialProblem::transient_rolling);
      problem.solver.rolling = RollingScheme::second_order;
      problem.steps[0].tangential.direction = direction;
      problem.steps[0].repeat = 4;
      // The corrections end where they change the tractions by 2e-3, from one round or the next.
      const Solved cpu = solve(problem);
      const Solved gpu = solve(problem, *make_cuda_solver(problem));
      REQUIRE(cpu.report.outcome == Outcome::converged);
      REQUIRE(gpu.report.outcome == Outcome::converged);
      const double tolerance = 1e-3 * 0.3 * cpu.report.normal_force;
      CHECK(std::abs(gpu.report.force_x - cpu.report.force_x) <= tolerance);
      CHECK(std::abs(gpu.report.force_y - cpu.report.force_y) <= tolerance);
      CHECK(std::abs(gpu.report.moment_z - cpu.report.moment_z) <= tolerance);
    }
  }

  TEST_CASE("gpu friction: a law for each row, and one that remembers, as on the CPU") {
    for (const TangentialProblem kind : kSliding) {
      CAPTURE(static_cast<int>(kind));
      for (const bool remembers : {false, true}) {
        for (const bool rows : {false, true}) {
          ContactProblem problem = rolling_skew(kind);
          problem.solver.tolerance = 1e-9;
          Friction& friction = problem.steps[0].friction;
          friction.kinetic = 0.2;
          friction.law = FrictionLaw::exponential;
          friction.half_velocity = 0.05;
          if (rows)
            for (const double y : {-0.3, 0.0, 0.25}) {
              SlidingLaw law = sliding_law(friction);
              law.fixed -= 0.1 * std::abs(y);
              friction.along_y.push_back({y, law});
            }
          if (remembers) {
            friction.memory_distance = 0.02;
            friction.memory_velocity = 1e-3;
          }
          constexpr double kRounds = 1e-6;  // rounds of friction end within the tolerance
          check_on_both(with_history(problem), kRounds);
        }
      }
    }
  }
}

}  // namespace slipfield::test
