// SPDX-License-Identifier: Apache-2.0
// Uses the installed library: a sphere on a plane against Hertz's closed form.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "gpu/cuda_device.h"
#include "slipfield/version.h"
#include "solver/contact_solver.h"
#include "solver/error.h"
#include "solver/problem_check.h"

static_assert(SLIPFIELD_VERSION_NUMBER >= 100);

int main() {
  const double radius = 50.0;    // [mm]
  const double force = 100.0;    // [N]
  const double shear = 80000.0;  // [N/mm2]
  const double poisson = 0.3;
  const double modulus = shear / (1.0 - poisson);  // E* of both bodies
  const double width = std::cbrt(0.75 * force * radius / modulus);
  const double expected = 1.5 * force / (std::numbers::pi * width * width);

  slipfield::ContactProblem problem;
  problem.upper = problem.lower = {shear, poisson};
  const int n = 40;
  problem.grid = {n, n, 2.5 * width / n, 2.5 * width / n, -1.25 * width, -1.25 * width};
  problem.geometry.emplace_back(slipfield::SphereShape{radius});
  slipfield::StepInput step;
  step.normal.value = force;
  problem.steps = {step};
  try {
    const auto solver = slipfield::make_cpu_solver(problem);
    const slipfield::StepReport report = solver->advance(step);
    const double error = report.max_pressure / expected - 1.0;
    std::printf("Slipfield %s, GPU: %s\np_max %.2f, Hertz %.2f\n", SLIPFIELD_VERSION,
                slipfield::cuda_status().built ? "built" : "not built", report.max_pressure,
                expected);
    // 32 elements across the contact: cases/SIZING.md has 0.1 % at 30
    return report.outcome == slipfield::Outcome::converged && std::abs(error) < 0.002 ? 0 : 1;
  } catch (const slipfield::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
