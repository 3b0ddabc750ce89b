// SPDX-License-Identifier: Apache-2.0
#include "app/bench/small_contacts.h"

#include <cmath>

namespace slipfield {
namespace {

constexpr double kMargin = 1.1;  // of the grid about the ellipse

Grid grid_about(int mx, int my, double half_x, double half_y) {
  return {mx, my, 2.0 * half_x / mx, 2.0 * half_y / my, -half_x, -half_y};
}

HeightsShape waves(const Grid& grid, double a, double b) {
  constexpr double kHeight = 1.0e-3;
  HeightsShape shape;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix)
      shape.values.push_back(kHeight * a * std::sin(4.0 * grid.x(ix) / a) *
                             std::cos(3.0 * grid.y(iy) / b));
  return shape;
}

}  // namespace

ContactProblem random_small_contact(std::mt19937_64& engine, int mx, int my, SmallContacts kind,
                                    double tolerance) {
  // The standard's generators give the same numbers everywhere, its distributions do not.
  const auto share = [&engine] { return static_cast<double>(engine() >> 11U) * 0x1.0p-53; };
  const auto sign = [&share] { return 2.0 * share() - 1.0; };
  const double modulus = 82000.0 * (0.5 + share());
  const double radius = 3.0 + 5.0 * share();
  const double ratio = std::exp2(0.5 * std::floor(9.0 * share()) - 2.0);
  const double a = radius * std::sqrt(ratio);
  const double b = radius / std::sqrt(ratio);
  const double force = 3.0e4 + 7.0e4 * share();
  ContactProblem problem;
  problem.upper = problem.lower = {modulus, 0.28};
  problem.solver.tolerance = tolerance;
  if (my == 1) {
    constexpr double kWidth = 20.0;  // over b: plane strain
    constexpr double kRadius = 60.0;
    problem.grid = grid_about(mx, 1, kMargin * a, kWidth * b);
    problem.geometry = {QuadraticShape{0.5 / (kRadius * a), 0.0, 0.0, 0.0, 0.0, 0.0}};
  } else {
    problem.grid = grid_about(mx, my, kMargin * a, kMargin * b);
    problem.geometry = {HertzShape{a, b, force}};
  }
  if (kind == SmallContacts::wavy_gap) problem.geometry.emplace_back(waves(problem.grid, a, b));
  StepInput step;
  step.normal = {NormalControl::force, force};
  step.friction.coefficient = 0.1 + 0.4 * share();
  Tangential& rolling = step.tangential;
  const double size = std::pow(10.0, -1.1 + 1.9 * sign()) * step.friction.coefficient * force /
                      (modulus * radius * radius);
  if (kind != SmallContacts::normal) {
    rolling.problem = TangentialProblem::steady_rolling;
    rolling.step = problem.grid.dx;
    rolling.x = {TangentialControl::rigid, size * sign()};
    rolling.y = {TangentialControl::rigid, size * sign()};
    rolling.rotation = size / radius * sign();
  }
  if (kind == SmallContacts::forces || kind == SmallContacts::falling_forces) {
    // Both together stay below mu F_n, even for falling friction.
    const double kMost = kind == SmallContacts::forces ? 0.65 : 0.4;
    rolling.x = {TangentialControl::force_ratio, kMost * sign()};
    if (share() > 0.5) rolling.y = {TangentialControl::force_ratio, kMost * sign()};
  }
  if (kind == SmallContacts::falling || kind == SmallContacts::falling_forces) {
    Friction& friction = step.friction;
    constexpr FrictionLaw kLaws[] = {FrictionLaw::linear_falling, FrictionLaw::rational,
                                     FrictionLaw::exponential};
    friction.law = kLaws[static_cast<int>(3.0 * share())];
    friction.kinetic = friction.coefficient * (0.6 + 0.35 * share());
    rolling.velocity = 2.0e4;
    friction.half_velocity = rolling.velocity * size * std::exp2(2.0 * sign());
  }
  problem.steps = {step};
  return problem;
}

double total_difference(const ContactProblem& problem, const StepReport& one,
                        const StepReport& two) {
  const double load = two.normal_force;
  const double length = 0.5 * problem.grid.mx * problem.grid.dx;
  const double rigid = std::fabs(two.rigid_x) + std::fabs(two.rigid_y);
  double greatest = std::fabs(one.normal_force - two.normal_force) / load;
  for (const double part : {(one.force_x - two.force_x) / load, (one.force_y - two.force_y) / load,
                            (one.moment_z - two.moment_z) / (load * length),
                            (one.approach - two.approach) / two.approach,
                            (one.max_pressure - two.max_pressure) / two.max_pressure,
                            (one.elastic_energy - two.elastic_energy) / two.elastic_energy})
    greatest = std::fmax(greatest, std::fabs(part));
  if (rigid > 0.0)
    greatest = std::fmax(
        greatest,
        (std::fabs(one.rigid_x - two.rigid_x) + std::fabs(one.rigid_y - two.rigid_y)) / rigid);
  return greatest;
}

}  // namespace slipfield
