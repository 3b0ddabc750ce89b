// SPDX-License-Identifier: Apache-2.0
#include "app/bench/battery_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "solver/geometry/hertz_ellipse.h"
#include "solver/influence/influence_table.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

// The standard's generators give the same numbers everywhere, its distributions do not.
class BatteryRandom {
 public:
  BatteryRandom(std::uint64_t seed, int number) {
    std::seed_seq sequence{static_cast<std::uint32_t>(seed),
                           static_cast<std::uint32_t>(seed >> 32U),
                           static_cast<std::uint32_t>(number)};
    engine_.seed(sequence);
  }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1.0p-53;
  }
  double evenly_in_log(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  double sign() { return chance(0.5) ? 1.0 : -1.0; }
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }
  int elements(int least, int most) {
    return std::clamp(static_cast<int>(std::lround(evenly_in_log(least, most))), least, most);
  }
  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

struct BatteryContact {
  double a = 1.0;  // semi-axes
  double b = 1.0;
  double force = 1.0;
  HertzContact hertz;
};

constexpr double kVelocity = 1.0;

void give_time(Tangential& tangential) {
  if (is_rolling(tangential.problem))
    tangential.velocity = kVelocity;
  else
    tangential.duration = 1.0;
}

// Prescribed forces may exceed what a kind can carry; rigid motions cannot.
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
  const double own = influence_coefficient(Component::xx, 0.0, 0.0, grid, material, {});
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

// Makes the bodies viscoelastic, adds an elastic or yielding layer, prescribes the moment, lets
// friction fall with slip (with memory), or rolls to second order, if the problem's only step
// allows it. Returns a description, ", with ...", or nothing.
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

// Chooses bodies with the given K, |K| <= 0.3, and a combined G near 1000.
void choose_bodies(BatteryRandom& random, double coupling, ContactProblem& problem) {
  const double most_ratio = 0.5 - 1.05 * std::fabs(coupling);
  const double ratio = random.uniform(0.0, std::min(0.49, most_ratio));
  // One nu for both: K = (1 - 2 nu)/2 (t - 1)/(t + 1) with t = G2/G1.
  const double q = 2.0 * coupling / (1.0 - 2.0 * ratio);
  const double contrast = (1.0 + q) / (1.0 - q);
  const double modulus = random.uniform(500.0, 2000.0);
  problem.upper = {modulus / std::sqrt(contrast), ratio};
  problem.lower = {modulus * std::sqrt(contrast), ratio};
}

TangentialLoad choose_load(BatteryRandom& random, double rigid, double ratio) {
  if (random.chance(0.5)) return {TangentialControl::rigid, rigid};
  return {TangentialControl::force_ratio, ratio};
}

// Fractions of full sliding: small ones are linear creep; a rigid motion may exceed 1, where all
// slides, but a force may not.
void choose_tangential(BatteryRandom& random, const BatteryContact& contact,
                       const CombinedMaterial& material, double friction, const Grid& grid,
                       Tangential& tangential) {
  const double direction = random.uniform(0.0, 2.0 * std::numbers::pi);
  const double rigid_part = random.evenly_in_log(0.01, 3.0);
  const double force_part = std::min(random.evenly_in_log(0.01, 2.0), 0.97);
  const bool rolls = tangential.problem != TangentialProblem::shift;
  const double size = std::sqrt(contact.a * contact.b);
  double sliding = friction * contact.hertz.approach;  // near the shift of full sliding
  if (rolls)                                           // F = 4 G a b creepage in linear creep
    sliding = friction * contact.force / (material.shear_modulus * contact.a * contact.b);
  const double rigid = rigid_part * sliding;
  tangential.x = choose_load(random, rigid * std::cos(direction), force_part * std::cos(direction));
  tangential.y = choose_load(random, rigid * std::sin(direction), force_part * std::sin(direction));
  if (random.chance(0.5))
    tangential.rotation = random.sign() * random.evenly_in_log(0.01, 3.0) * sliding / size;
  if (!rolls) return;
  tangential.direction = random.chance(0.8) ? 0.0 : std::numbers::pi;
  tangential.step = tangential.problem == TangentialProblem::steady_rolling
                        ? grid.dx
                        : grid.dx * random.uniform(0.3, 1.0);
}

// Returns, for a rotation by 1 about z with the origin moving by (x, y), the greatest power that
// friction dissipates minus the power of the loads, over mu F_n. Convex in (x, y).
double spare_power(const Grid& grid, const std::vector<double>& pressure, std::array<double, 2> at,
                   std::array<double, 2> forces, double moment) {
  double power = 0.0;
  double sum = 0.0;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double p = pressure[grid.index(ix, iy)];
      power += p * std::hypot(at[0] - grid.y(iy), at[1] + grid.x(ix));
      sum += p;
    }
  return power / sum - at[0] * forces[0] - at[1] * forces[1] - moment;
}

}  // namespace

bool has_no_solution(const ContactProblem& problem, const StepInput& step,
                     const std::vector<double>& pressure) {
  const Tangential& tangential = step.tangential;
  if (!tangential.moment || step.friction.varies() || step.friction.depends_on_slip()) return false;
  const Grid& grid = problem.grid;
  double sum = 0.0;
  for (const double p : pressure) sum += p;
  const double bound = step.friction.coefficient * sum * grid.element_area();
  if (!(bound > 0.0)) return true;
  const double moment = std::fabs(*tangential.moment) / bound;
  const double sign = *tangential.moment < 0.0 ? -1.0 : 1.0;
  std::array<double, 2> forces{};
  std::array<bool, 2> given{};
  const std::array<const TangentialLoad*, 2> loads{&tangential.x, &tangential.y};
  for (std::size_t k = 0; k < 2; ++k) {
    given[k] = loads[k]->control != TangentialControl::rigid;
    if (given[k]) forces[k] = sign * loads[k]->value;  // the battery's are force ratios
  }
  // Halves the step whenever no neighbour is lower.
  std::array<double, 2> at{};
  double least = spare_power(grid, pressure, at, forces, moment);
  double reach = std::max(grid.mx * grid.dx, grid.my * grid.dy);
  const double finest = 1.0e-3 * std::min(grid.dx, grid.dy);
  while (reach > finest && least >= 0.0) {
    bool moved = false;
    for (std::size_t k = 0; k < 2; ++k)
      for (const double way : {-reach, reach}) {
        if (!given[k]) continue;
        std::array<double, 2> next = at;
        next[k] += way;
        const double there = spare_power(grid, pressure, next, forces, moment);
        if (there >= least) continue;
        least = there;
        at = next;
        moved = true;
      }
    if (!moved) reach *= 0.5;
  }
  return least < 0.0;
}

BatteryProblem battery_problem(std::uint64_t seed, int number, const GridLimit& limit) {
  BatteryRandom random(seed, number);
  BatteryProblem result;
  ContactProblem& problem = result.problem;
  const bool one_row = random.chance(0.08);
  const bool rough = !one_row && random.chance(0.12);
  const double coupling = random.chance(0.5) ? 0.0 : random.uniform(-0.3, 0.3);
  choose_bodies(random, coupling, problem);
  const CombinedMaterial material = combine(problem.upper, problem.lower);

  BatteryContact contact;
  const double ratio = random.evenly_in_log(1.0 / 20.0, 20.0);
  contact.a = std::sqrt(ratio);
  contact.b = 1.0 / contact.a;
  contact.force = random.evenly_in_log(0.1, 100.0);
  contact.hertz = hertz_contact(contact.a, contact.b, contact.force, material.contact_modulus());

  Grid& grid = problem.grid;
  grid.mx = random.elements(8, limit.mx);
  grid.my = one_row ? 1 : random.elements(8, limit.my);
  const double margin = rough ? 1.5 : random.uniform(1.1, 1.4);
  grid.dx = 2.0 * margin * contact.a / grid.mx;
  grid.dy = one_row ? 200.0 * contact.a : 2.0 * margin * contact.b / grid.my;
  grid.x0 = -0.5 * grid.mx * grid.dx;
  grid.y0 = -0.5 * grid.my * grid.dy;
  if (one_row) {
    // A cylinder: p0 = 2 F'/(pi a) and a^2 = 4 F' R/(pi E*) [Johnson1985, ch. 4].
    const double per_length = contact.force / grid.dy;
    const double radius =
        contact.a * contact.a * std::numbers::pi * material.contact_modulus() / (4.0 * per_length);
    problem.geometry = {CylinderShape{radius, CylinderAxis::y}};
    contact.hertz.approach = contact.a * contact.a / radius;
    contact.b = 0.5 * grid.dy;
  } else {
    problem.geometry = {HertzShape{contact.a, contact.b, contact.force}};
  }
  if (rough) {
    const double extent_x = grid.mx * grid.dx;
    const double extent_y = grid.my * grid.dy;
    RoughSurface surface;
    surface.hurst = random.uniform(0.3, 0.9);
    surface.rms = contact.hertz.approach * random.evenly_in_log(0.02, 0.3);
    surface.shortest = 2.0 * std::max(grid.dx, grid.dy);
    surface.longest = std::max(extent_x, extent_y);
    surface.seed = random.bits();
    if (surface.shortest <= std::min(extent_x, extent_y))
      problem.geometry.emplace_back(RoughShape{surface});
  }

  constexpr std::array kProblems = {
      TangentialProblem::none,           TangentialProblem::shift,
      TangentialProblem::shift,          TangentialProblem::steady_rolling,
      TangentialProblem::steady_rolling, TangentialProblem::transient_rolling};
  problem.steps.resize(1);
  StepInput& step = problem.steps.front();
  step.normal = {NormalControl::force, contact.force};
  if (random.chance(0.3)) step.normal = {NormalControl::approach, contact.hertz.approach};
  step.friction.coefficient = random.evenly_in_log(0.01, 1.0);
  step.tangential.problem = kProblems[random.bits() % kProblems.size()];
  if (step.tangential.problem != TangentialProblem::none)
    choose_tangential(random, contact, material, step.friction.coefficient, grid, step.tangential);
  if (step.tangential.problem == TangentialProblem::transient_rolling) step.repeat = 2;
  const std::string kind = choose_kind(random, contact, problem);
  result.description = fmt::format(
      "{} x {}, a/b {:.3g}, K {:.2g}, mu {:.2g}, {}{}{}", grid.mx, grid.my, contact.a / contact.b,
      material.coupling, step.friction.coefficient, rough ? "rough, " : "",
      std::array{"normal only", "shift", "transient rolling",
                 "steady rolling"}[static_cast<std::size_t>(step.tangential.problem)],
      kind);
  return result;
}

}  // namespace slipfield
