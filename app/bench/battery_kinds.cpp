// SPDX-License-Identifier: Apache-2.0
#include "app/bench/battery_kinds.h"

#include <array>
#include <numbers>
#include <vector>

#include "solver/influence/influence_coefficients.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

constexpr double kVelocity = 1.0;

void give_time(Tangential& tangential) {
  if (is_rolling(tangential.problem))
    tangential.velocity = kVelocity;
  else
    tangential.duration = 1.0;
}

// What forces ask for may be more than a kind carries: rigid motions never are.
void leave_forces(BatteryRandom& random, const BatteryContact& contact, StepInput& step,
                  const CombinedMaterial& material) {
  const double mu = step.friction.coefficient;
  const double sliding = is_rolling(step.tangential.problem)
                             ? mu * contact.force / (material.shear_modulus * contact.a * contact.b)
                             : mu * contact.hertz.approach;
  for (TangentialLoad* load : {&step.tangential.x, &step.tangential.y})
    if (load->control != TangentialControl::rigid)
      *load = {TangentialControl::rigid, random.sign() * random.evenly_in_log(0.01, 3.0) * sliding};
}

std::string add_creep(BatteryRandom& random, const BatteryContact& contact,
                      ContactProblem& problem) {
  StepInput& step = problem.steps.front();
  Tangential& tangential = step.tangential;
  give_time(tangential);
  // Creep lengths from a part of an element to many contacts, or times about the shift's.
  const double longest = is_rolling(tangential.problem) ? contact.a / kVelocity : 1.0;
  const auto terms = [&](int most) {
    std::vector<CreepTerm> creep;
    for (int k = 0; k < most; ++k)
      creep.push_back({random.uniform(0.1, 1.0), longest * random.evenly_in_log(0.02, 20.0)});
    return creep;
  };
  problem.upper.creep = terms(random.chance(0.5) ? 1 : 2);
  if (random.chance(0.5)) problem.lower.creep = terms(1);
  constexpr double kSofter = 0.4;  // the contact grows as its bodies creep
  if (step.normal.control == NormalControl::force) step.normal.value *= kSofter;
  if (tangential.problem == TangentialProblem::transient_rolling) tangential.step = problem.grid.dx;
  return ", viscoelastic";
}

std::string add_layer(BatteryRandom& random, const BatteryContact& contact,
                      ContactProblem& problem) {
  StepInput& step = problem.steps.front();
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  const Grid& grid = problem.grid;
  const double own = influence_coefficient(Component::xx, 0.0, 0.0, grid.dx, grid.dy, material);
  problem.layer.compliance = own * random.evenly_in_log(0.01, 10.0);
  if (random.chance(0.3)) problem.layer.normal_compliance = own * random.evenly_in_log(0.01, 1.0);
  if (!random.chance(0.5)) return ", with an elastic layer";
  const double mean = contact.force / (std::numbers::pi * contact.a * contact.b);
  problem.layer.yield_stress = step.friction.coefficient * mean * random.uniform(0.1, 1.2);
  leave_forces(random, contact, step, material);
  return ", with a layer that yields";
}

std::string add_moment(BatteryRandom& random, const BatteryContact& contact,
                       ContactProblem& problem) {
  StepInput& step = problem.steps.front();
  const double arm = problem.grid.my == 1 ? contact.a : std::sqrt(contact.a * contact.b);
  // Round contacts carry 0.59 mu F_n a, and less where forces take their part.
  step.tangential.rotation = 0.0;
  step.tangential.moment = random.sign() * random.evenly_in_log(0.003, 0.2) *
                           step.friction.coefficient * contact.force * arm;
  for (TangentialLoad* load : {&step.tangential.x, &step.tangential.y})
    if (load->control == TangentialControl::force_ratio) load->value *= 0.5;
  return ", its moment prescribed";
}

std::string add_falling(BatteryRandom& random, const BatteryContact& contact,
                        ContactProblem& problem) {
  StepInput& step = problem.steps.front();
  Friction& friction = step.friction;
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  give_time(step.tangential);
  leave_forces(random, contact, step, material);
  constexpr std::array kLaws = {FrictionLaw::linear_falling, FrictionLaw::rational,
                                FrictionLaw::exponential};
  friction.law = kLaws[random.bits() % kLaws.size()];
  friction.kinetic = friction.coefficient * random.uniform(0.5, 0.95);
  const double slip = std::hypot(step.tangential.x.value, step.tangential.y.value);
  friction.half_velocity = slip * random.evenly_in_log(0.3, 10.0);
  if (step.tangential.problem != TangentialProblem::steady_rolling || !random.chance(0.5))
    return ", friction falls with slip";
  friction.memory_distance = slip * problem.grid.dx * random.evenly_in_log(0.1, 10.0);
  friction.memory_velocity = 0.01 * slip;
  return ", friction falls with slip and remembers";
}

}  // namespace

std::string choose_kind(BatteryRandom& random, const BatteryContact& contact,
                        ContactProblem& problem) {
  const bool plain = random.chance(0.5);
  const std::uint64_t bits = random.bits();
  const TangentialProblem motion = problem.steps.front().tangential.problem;
  if (plain || motion == TangentialProblem::none) return {};
  constexpr std::uint64_t kKinds = 5;
  switch (bits % kKinds) {
    case 0:
      return add_creep(random, contact, problem);
    case 1:
      return add_layer(random, contact, problem);
    case 2:
      return add_moment(random, contact, problem);
    case 3:
      return add_falling(random, contact, problem);
    default:
      if (!is_rolling(motion)) return {};
      problem.solver.rolling = RollingScheme::second_order;
      problem.steps.front().tangential.step = problem.grid.dx;
      return ", to second order";
  }
}

}  // namespace slipfield
