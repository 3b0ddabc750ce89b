// SPDX-License-Identifier: Apache-2.0
// Derivatives of a step by linear systems on the GPU against those on the CPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "gpu/cuda_device.h"
#include "solver/gradient/sequence_derivatives.h"
#include "solver/gradient/step_derivatives.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using Field = std::vector<double>;

class Numbers {
 public:
  explicit Numbers(unsigned seed) : bits_(seed) {}
  double operator()(double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(bits_);
  }
  Field field(std::size_t count) {
    Field values(count);
    for (double& value : values) value = (*this)(-1.0, 1.0);
    return values;
  }

 private:
  std::mt19937_64 bits_;
};

// A tilted paraboloid; friction that differs by element, prescribed and given motions by turns.
ContactProblem random_problem(Numbers& number, TangentialProblem kind, bool unlike, bool forced,
                              int mx, int my) {
  ContactProblem problem =
      test::normal_problem(test::centred_grid(mx, my, 0.7, 0.6), {1.0, 0.28},
                           QuadraticShape{number(0.5, 1.5), 0.1, 0.8, 0.02, -0.03, 0.0},
                           NormalControl::force, number(0.1, 0.2), 1e-11);
  if (unlike) problem.lower = {4.0, 0.1};
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.35;
  Field friction(problem.grid.count());
  for (double& value : friction) value = number(0.25, 0.35);
  step.friction.place = friction_by_element(friction);
  Tangential& t = step.tangential;
  t.problem = kind;
  if (kind == TangentialProblem::none) return problem;
  const bool rolls = kind != TangentialProblem::shift;
  if (rolls) t.step = problem.grid.dx;
  const double most = kind == TangentialProblem::shift            ? 0.02
                      : kind == TangentialProblem::steady_rolling ? 0.03
                                                                  : 0.15;
  t.x.value = number(-most, most);
  t.y.value = number(-most, most);
  t.rotation = number(0.0, most);
  if (forced) t.x = {TangentialControl::force_ratio, number(-0.5, 0.5)};
  return problem;
}

StepOutputs random_seed(Numbers& number, std::size_t count, bool slides) {
  StepOutputs seed;
  seed.pressure = number.field(count);
  seed.normal_force = number(-1.0, 1.0);
  seed.approach = number(-1.0, 1.0);
  if (!slides) return seed;
  seed.traction_x = number.field(count);
  seed.traction_y = number.field(count);
  seed.slip_x = number.field(count);
  seed.slip_y = number.field(count);
  seed.force_x = number(-1.0, 1.0);
  seed.moment_z = number(-1.0, 1.0);
  seed.rigid_x = number(-1.0, 1.0);
  seed.friction_work = number(-1.0, 1.0);
  return seed;
}
StepInputs random_direction(Numbers& number, std::size_t count) {
  StepInputs direction;
  direction.heights = number.field(count);
  direction.friction = number.field(count);
  direction.normal = number(-1.0, 1.0);
  direction.tangential_x = number(-1.0, 1.0);
  direction.tangential_y = number(-1.0, 1.0);
  direction.rotation = number(-1.0, 1.0);
  direction.stiffness = number(-1.0, 1.0);
  return direction;
}

void check_near(const Field& one, const Field& two) {
  REQUIRE(one.size() == two.size());
  double greatest = 0.0;
  double apart = 0.0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    greatest = std::fmax(greatest, std::fabs(two[i]));
    apart = std::fmax(apart, std::fabs(one[i] - two[i]));
  }
  CHECK(apart <= 1e-9 * greatest);
}
void check_near(const StepInputs& one, const StepInputs& two) {
  check_near(one.heights, two.heights);
  check_near(one.friction, two.friction);
  check_near(one.before.traction_x, two.before.traction_x);
  check_near(one.before.pressure, two.before.pressure);
  const auto numbers = [](const StepInputs& of) {
    return Field{of.normal, of.tangential_x, of.tangential_y, of.rotation, of.stiffness};
  };
  check_near(numbers(one), numbers(two));
}
void check_near(const StepOutputs& one, const StepOutputs& two) {
  check_near(one.pressure, two.pressure);
  check_near(one.traction_x, two.traction_x);
  check_near(one.traction_y, two.traction_y);
  check_near(one.slip_x, two.slip_x);
  check_near(one.slip_y, two.slip_y);
  const auto numbers = [](const StepOutputs& of) {
    return Field{of.normal_force, of.approach, of.force_x,  of.force_y,      of.moment_z,
                 of.rigid_x,      of.rigid_y,  of.rotation, of.friction_work};
  };
  check_near(numbers(one), numbers(two));
}

std::unique_ptr<StepSystems> on_gpu(const SystemsTask& task) {
  return make_cuda_step_systems(task);
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("gpu derivatives: of a step of each kind, backwards and forwards, as on the CPU") {
    Numbers number(7);
    for (const TangentialProblem kind :
         {TangentialProblem::none, TangentialProblem::shift, TangentialProblem::steady_rolling,
          TangentialProblem::transient_rolling})
      for (const bool unlike : {false, true})
        for (const bool forced : {false, true})
          for (const InfluenceMethod method : {InfluenceMethod::fft, InfluenceMethod::summation}) {
            CAPTURE(static_cast<int>(kind));
            CAPTURE(unlike);
            CAPTURE(forced);
            ContactProblem problem = random_problem(number, kind, unlike, forced, 21, 19);
            const test::Solved solved = test::solve(problem);
            REQUIRE(solved.report.outcome == Outcome::converged);
            problem.solver.influence = method;
            const StepInput& step = problem.steps[0];
            StepDerivatives cpu(problem, step, solved.fields, solved.report);
            StepDerivatives gpu(problem, step, solved.fields, solved.report, nullptr, 0.0, on_gpu);
            const std::size_t count = problem.grid.count();
            const StepOutputs seed = random_seed(number, count, kind != TangentialProblem::none);
            check_near(gpu.gradient(seed), cpu.gradient(seed));
            const StepInputs direction = random_direction(number, count);
            check_near(gpu.derivative(direction), cpu.derivative(direction));
            CHECK(gpu.near_change() == cpu.near_change());
          }
  }

  TEST_CASE("gpu derivatives: through steps that followed each other, as on the CPU") {
    Numbers number(8);
    for (const TangentialProblem kind :
         {TangentialProblem::shift, TangentialProblem::transient_rolling}) {
      ContactProblem problem = random_problem(number, kind, true, false, 23, 17);
      problem.steps.push_back(problem.steps[0]);
      problem.steps[1].tangential.y.value += 0.01;
      const auto solver = make_cpu_solver(problem);
      std::vector<test::Solved> solved;
      for (const StepInput& step : problem.steps) {
        const StepReport report = solver->advance(step);
        REQUIRE(report.outcome == Outcome::converged);
        solved.push_back({report, solver->download()});
      }
      std::vector<SolvedStep> steps;
      for (std::size_t k = 0; k < solved.size(); ++k)
        steps.push_back({&problem.steps[k], &solved[k].report, &solved[k].fields});
      SequenceDerivatives cpu(problem, steps);
      SequenceDerivatives gpu(problem, steps, on_gpu);
      const std::size_t count = problem.grid.count();
      const std::vector<StepOutputs> seeds{random_seed(number, count, true),
                                           random_seed(number, count, true)};
      const std::vector<StepInputs> of_gpu = gpu.gradient(seeds);
      const std::vector<StepInputs> of_cpu = cpu.gradient(seeds);
      for (std::size_t k = 0; k < of_cpu.size(); ++k) check_near(of_gpu[k], of_cpu[k]);
    }
  }

  TEST_CASE("gpu derivatives: on a grid whose products have no kernel of their own") {
    Numbers number(9);
    const ContactProblem problem =
        random_problem(number, TangentialProblem::steady_rolling, false, false, 24, 520);
    const test::Solved solved = test::solve(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    StepDerivatives cpu(problem, problem.steps[0], solved.fields, solved.report);
    StepDerivatives gpu(problem, problem.steps[0], solved.fields, solved.report, nullptr, 0.0,
                        on_gpu);
    const StepOutputs seed = random_seed(number, problem.grid.count(), true);
    check_near(gpu.gradient(seed), cpu.gradient(seed));
  }
}

}  // namespace slipfield
