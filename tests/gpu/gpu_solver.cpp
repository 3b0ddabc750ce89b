// SPDX-License-Identifier: Apache-2.0
// Whole solves on the GPU against the CPU: dense methods, and friction that depends on the slip.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "gpu/cuda_device.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

test::Solved solve_on_gpu(const ContactProblem& problem) {
  return test::solve(problem, *make_cuda_solver(problem));
}

// A tilted paraboloid with roughness; rolling with creepage and spin of random size.
ContactProblem random_problem(std::mt19937_64& generator, double coupling) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const int mx = 17 + static_cast<int>(20.0 * unit(generator));
  const int my = 13 + static_cast<int>(20.0 * unit(generator));
  ContactProblem problem =
      test::normal_problem(test::centred_grid(mx, my, 0.7, 0.6), {1.0, 0.28},
                           QuadraticShape{0.5 + unit(generator), 0.1, 0.8, 0.02, -0.03, 0.0},
                           NormalControl::force, 0.1 + 0.1 * unit(generator), 1e-11);
  problem.lower = coupling > 0.0 ? ElasticBody{4.0, 0.1} : problem.upper;
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.3;
  step.tangential.problem = TangentialProblem::steady_rolling;
  step.tangential.step = problem.grid.dx;
  step.tangential.velocity = 1.0;
  step.tangential.x.value = 0.02 * (unit(generator) - 0.5);
  step.tangential.y.value = 0.02 * (unit(generator) - 0.5);
  step.tangential.rotation = 0.05 * unit(generator);
  return problem;
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("gpu coupled bodies: rolling and shifting as on the CPU, by tiles and by FFT") {
    std::mt19937_64 generator(10);
    for (const InfluenceMethod method : {InfluenceMethod::summation, InfluenceMethod::fft}) {
      for (const double coupling : {0.0, 1.0}) {
        ContactProblem problem = random_problem(generator, coupling);
        problem.solver.tolerance = 1e-10;
        const test::Solved cpu = test::solve(problem);
        problem.solver.influence = method;
        test::check_equal(cpu, solve_on_gpu(problem), 1e-8);
      }
    }
  }

  TEST_CASE("gpu coarse start: on grids of more than 64 x 64, and the fields of the CPU on all") {
    for (const int elements : {64, 65}) {
      CAPTURE(elements);
      ContactProblem problem =
          test::normal_problem(test::centred_grid(elements, elements, 1.2, 1.2), {1.0, 0.25},
                               SphereShape{100.0}, NormalControl::force, 0.0178, 1e-9);
      StepInput& step = problem.steps[0];
      step.friction.coefficient = 0.3;
      step.tangential.problem = TangentialProblem::steady_rolling;
      step.tangential.step = problem.grid.dx;
      step.tangential.velocity = 1.0;
      step.tangential.x.value = 9.0e-4;
      step.tangential.y.value = 3.0e-4;
      step.tangential.rotation = 4.8e-4;
      const test::Solved cpu = test::solve(problem);
      const test::Solved gpu = solve_on_gpu(problem);
      test::check_equal(cpu, gpu, 1e-7);
      CHECK(cpu.report.matrix_products_coarse > 0);
      CHECK((gpu.report.matrix_products_coarse > 0) == (elements > 64));
    }
  }

  TEST_CASE("gpu second order: forces, moment and their estimated errors as on the CPU") {
    std::mt19937_64 generator(14);
    for (const double coupling : {0.0, 1.0}) {
      for (int k = 0; k < 3; ++k) {
        ContactProblem problem = random_problem(generator, coupling);
        problem.solver.rolling = RollingScheme::second_order;
        problem.solver.tolerance = 1e-8;
        problem.error_estimate = true;
        const StepReport cpu = test::solve(problem).report;
        const StepReport gpu = solve_on_gpu(problem).report;
        REQUIRE(cpu.outcome == Outcome::converged);
        REQUIRE(gpu.outcome == Outcome::converged);
        // The corrections end where they change the tractions by 2e-3, from one round or the next.
        const double tolerance = 1e-3 * 0.3 * cpu.normal_force;
        CHECK(std::abs(gpu.force_x - cpu.force_x) <= tolerance);
        CHECK(std::abs(gpu.force_y - cpu.force_y) <= tolerance);
        CHECK(std::abs(gpu.moment_z - cpu.moment_z) <= tolerance);
        REQUIRE(cpu.error.has_value() == gpu.error.has_value());
        if (!cpu.error) continue;
        CHECK(std::abs(gpu.error->force_x - cpu.error->force_x) <= tolerance);
        CHECK(std::abs(gpu.error->moment_z - cpu.error->moment_z) <= tolerance);
      }
    }
  }

  TEST_CASE("gpu periodic grid: friction as on the CPU") {
    std::mt19937_64 generator(13);
    for (const double coupling : {0.0, 1.0}) {
      for (int kind = 0; kind < 3; ++kind) {
        CAPTURE(kind);
        ContactProblem problem = random_problem(generator, coupling);
        problem.grid.boundary = Boundary::periodic;
        problem.solver.tolerance = 1e-10;
        Tangential& tangential = problem.steps[0].tangential;
        tangential = {};
        tangential.problem = TangentialProblem::shift;
        tangential.x.value = 0.01;
        if (kind == 1) tangential.x = {TangentialControl::force_ratio, -0.5};
        if (kind == 2) tangential.y = {TangentialControl::force_ratio, 0.4};
        test::check_equal(test::solve(problem), solve_on_gpu(problem), 1e-8);
      }
    }
  }

  TEST_CASE("gpu direct: the fields and sensitivities of the CPU, and of the iterative methods") {
    std::mt19937_64 generator(11);
    for (const double coupling : {0.0, 1.0}) {
      for (int kind = 0; kind < 3; ++kind) {
        CAPTURE(kind);
        ContactProblem problem = random_problem(generator, coupling);
        Tangential& tangential = problem.steps[0].tangential;
        if (kind > 0) tangential.x = {TangentialControl::force_ratio, -0.4};
        if (kind > 1) tangential.y = {TangentialControl::force_ratio, 0.3};
        problem.solver.normal = NormalMethod::dense;
        problem.solver.tangential = TangentialMethod::dense;
        problem.sensitivities = true;
        const test::Solved cpu = test::solve(problem);
        const test::Solved gpu = solve_on_gpu(problem);
        test::check_equal(cpu, gpu, 1e-9);  // a hundred times the tolerance
        REQUIRE(gpu.report.sensitivities.has_value());
        const double size = std::abs((*cpu.report.sensitivities)[0]);
        for (std::size_t k = 0; k < 9; ++k)
          CHECK(std::abs((*gpu.report.sensitivities)[k] - (*cpu.report.sensitivities)[k]) <=
                1e-7 * size);
        REQUIRE(cpu.report.approach_sensitivities.has_value());
        REQUIRE(gpu.report.approach_sensitivities.has_value());
        const auto& approach = *cpu.report.approach_sensitivities;
        for (std::size_t k = 0; k < 4; ++k)
          CHECK(std::abs((*gpu.report.approach_sensitivities)[k] - approach[k]) <=
                1e-7 * std::abs(approach[0]));
        problem.solver = {};
        problem.solver.tolerance = 1e-11;
        problem.sensitivities = false;
        test::check_equal(cpu, solve_on_gpu(problem), 1e-9);
      }
    }
  }

  TEST_CASE("gpu friction: falling, static and kinetic, and local coefficients as on the CPU") {
    std::mt19937_64 generator(12);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (const FrictionLaw law : {FrictionLaw::constant, FrictionLaw::linear_falling,
                                  FrictionLaw::rational, FrictionLaw::exponential}) {
      ContactProblem problem = random_problem(generator, 1.0);
      problem.solver.tolerance = 1e-9;
      Friction& friction = problem.steps[0].friction;
      friction.kinetic = 0.2;
      friction.law = law;
      friction.half_velocity = 0.02;
      test::check_equal(test::solve(problem), solve_on_gpu(problem), 1e-7);
      friction = {};
      std::vector<double> values;
      for (std::size_t i = 0; i < problem.grid.count(); ++i)
        values.push_back(0.1 + 0.4 * unit(generator));
      friction.coefficient = 0.5;
      friction.place = friction_by_element(values);
      test::check_equal(test::solve(problem), solve_on_gpu(problem), 1e-7);
    }
  }

  TEST_CASE("gpu friction: steep falling laws from coarser grids and step by step as on the CPU") {
    std::mt19937_64 generator(23);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    int from_coarser = 0;
    for (const FrictionLaw law :
         {FrictionLaw::linear_falling, FrictionLaw::rational, FrictionLaw::exponential}) {
      for (const bool fine : {false, true}) {
        CAPTURE(static_cast<int>(law));
        CAPTURE(fine);
        ContactProblem problem = random_problem(generator, 0.0);
        if (fine) problem.grid = test::centred_grid(110, 96, 0.46, 0.375);
        problem.solver.tolerance = 1e-9;
        StepInput& step = problem.steps[0];
        step.tangential.step = problem.grid.dx;
        step.friction.kinetic = 0.3 * (0.5 + 0.4 * unit(generator));
        step.friction.law = law;
        step.friction.half_velocity = 0.01 + 0.02 * unit(generator);
        const test::Solved cpu = test::solve(problem);
        const test::Solved gpu = solve_on_gpu(problem);
        test::check_equal(cpu, gpu, 1e-7);
        if (gpu.report.matrix_products_coarse > 0) ++from_coarser;
        step.tangential.problem = TangentialProblem::transient_rolling;
        step.repeat = 3;
        test::check_equal(test::solve(problem), solve_on_gpu(problem), 1e-7);
      }
    }
    CHECK(from_coarser > 0);
  }
}

}  // namespace slipfield
