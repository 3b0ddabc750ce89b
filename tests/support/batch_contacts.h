// Random small contacts for batches: from tiny creepage to full sliding, with spin.
#pragma once

#include <cmath>

#include "solver/batch/batch.h"
#include "solver/problem.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"

namespace slipfield::test {

enum class BatchKind { creepages, forces, rough_gap, normal };

// An ellipse of random size and ratio, or the same with a wavy gap, under a random load. size: of
// the creepages over those that bring a circle near full sliding.
inline ContactProblem random_small_contact(Random& random, int mx, int my, BatchKind kind) {
  const auto sign = [&random] { return random.uniform(-1.0, 1.0); };
  const auto share = [&sign] { return 0.5 * (sign() + 1.0); };
  const double modulus = 82000.0 * (0.5 + share());
  const double radius = 3.0 + 5.0 * share();
  const double ratio = std::pow(4.0, sign());
  const double a = radius * std::sqrt(ratio);
  const double b = radius / std::sqrt(ratio);
  const double force = 3.0e4 + 7.0e4 * share();
  Grid grid = centred_grid(mx, my, 1.1 * a, 1.1 * b);
  if (my == 1) grid = {mx, 1, 2.2 * a / mx, 40.0 * b, -1.1 * a, -20.0 * b};
  ContactProblem problem = normal_problem(grid, {modulus, 0.28}, HertzShape{a, b, force},
                                          NormalControl::force, force, 1e-9);
  if (my == 1) problem.geometry = {QuadraticShape{0.5 / (60.0 * a), 0.0, 0.0, 0.0, 0.0, 0.0}};
  if (kind == BatchKind::rough_gap) {
    HeightsShape waves;
    for (int iy = 0; iy < my; ++iy)
      for (int ix = 0; ix < mx; ++ix)
        waves.values.push_back(1e-3 * a * std::sin(4.0 * grid.x(ix) / a) *
                               std::cos(3.0 * grid.y(iy) / b));
    problem.geometry.emplace_back(waves);
  }
  if (kind == BatchKind::normal) return problem;
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.1 + 0.4 * share();
  Tangential& rolling = step.tangential;
  rolling.problem = TangentialProblem::steady_rolling;
  rolling.step = grid.dx;
  const double size = std::pow(10.0, -1.1 + 1.9 * sign()) * step.friction.coefficient * force /
                      (modulus * radius * radius);
  rolling.x = {TangentialControl::rigid, size * sign()};
  rolling.y = {TangentialControl::rigid, size * sign()};
  rolling.rotation = size / radius * sign();
  if (kind == BatchKind::forces) {
    rolling.x = {TangentialControl::force_ratio, 0.65 * sign()};
    if (sign() > 0.0) rolling.y = {TangentialControl::force_ratio, 0.65 * sign()};
  }
  return problem;
}

// Totals over the load that they belong to.
inline double batch_difference(const ContactProblem& problem, const StepReport& one,
                               const StepReport& two) {
  const double load = two.normal_force;
  const double length = 0.5 * problem.grid.mx * problem.grid.dx;
  const double rigid = std::fabs(two.rigid_x) + std::fabs(two.rigid_y) + 1e-300;
  double greatest = std::fabs(one.normal_force - two.normal_force) / load;
  for (const double part :
       {(one.force_x - two.force_x) / load, (one.force_y - two.force_y) / load,
        (one.moment_z - two.moment_z) / (load * length),
        (one.approach - two.approach) / two.approach,
        (one.max_pressure - two.max_pressure) / two.max_pressure,
        (one.elastic_energy - two.elastic_energy) / two.elastic_energy,
        (one.rigid_x - two.rigid_x) / rigid, (one.rigid_y - two.rigid_y) / rigid})
    greatest = std::fmax(greatest, std::fabs(part));
  return greatest;
}

}  // namespace slipfield::test
