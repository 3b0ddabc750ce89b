// SPDX-License-Identifier: Apache-2.0
// Derivatives of a step: the adjoint against the tangent, both against differences of solutions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/error.h"
#include "solver/gradient/sequence_derivatives.h"
#include "solver/gradient/step_derivatives.h"
#include "solver/gradient/step_systems_on.h"
#include "solver/rolling.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

using Field = std::vector<double>;
constexpr double kStepOfDifference = 1e-6;

struct StepRandom {
  std::mt19937_64 bits;
  double between(double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(bits);
  }
  bool one_in(int n) { return bits() % static_cast<std::uint64_t>(n) == 0; }
  Field field(std::size_t count, double size) {
    Field values(count);
    for (double& value : values) value = between(-size, size);
    return values;
  }
};

TangentialLoad random_load(StepRandom& random, double rigid) {
  switch (random.bits() % 5) {
    case 3:
      return {TangentialControl::force, random.between(-2e-3, 2e-3)};
    case 0:
      return {TangentialControl::force_ratio, random.between(-0.5, 0.5)};
    case 1:
      return {TangentialControl::traction_coefficient, random.between(-0.1, 0.1)};
    default:
      return {TangentialControl::rigid, random.between(-rigid, rigid)};
  }
}

// A wavy paraboloid off the centre; unlike bodies, friction by element, forces and moments by
// chance.
ContactProblem random_problem(StepRandom& random, TangentialProblem kind, Boundary boundary) {
  Grid grid{static_cast<int>(9 + random.bits() % 9),
            static_cast<int>(9 + random.bits() % 9),
            random.between(0.05, 0.08),
            random.between(0.05, 0.08),
            -0.45,
            -0.5};
  grid.boundary = boundary;
  HeightsShape shape;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double x = grid.x(ix) - 0.04;
      const double y = grid.y(iy) + 0.03;
      shape.values.push_back(0.9 * x * x + 0.2 * x * y + 1.2 * y * y +
                             0.01 * std::cos(9.0 * x + y) + random.between(0.0, 0.003));
    }
  }
  ContactProblem problem =
      normal_problem(grid, {1.0, 0.28}, shape, NormalControl::approach, 0.09, 1e-12);
  if (random.one_in(2)) problem.lower = {3.0, 0.1};
  const bool one_way = repeats_in_one_direction(boundary);
  if (!one_way && random.one_in(5)) {
    problem.upper.thickness = 0.1;
    problem.upper.below = {{2.0, 0.3, 0.0}};
  }
  const bool periodic = boundary == Boundary::periodic;
  if (!periodic && random.one_in(4)) problem.layer.compliance = 0.02;
  if (!periodic && random.one_in(4)) problem.layer.normal_compliance = 0.01;
  StepInput& step = problem.steps[0];
  if (random.one_in(2)) step.normal = {NormalControl::force, random.between(0.02, 0.06)};
  step.friction.coefficient = 0.35;
  Field friction(grid.count());
  for (double& value : friction) value = random.between(0.2, 0.35);
  step.friction.place = friction_by_element(friction);
  Tangential& t = step.tangential;
  t.problem = kind;
  if (kind == TangentialProblem::none) return problem;
  const bool rolling = kind != TangentialProblem::shift;
  if (rolling && !one_way && random.one_in(2)) t.direction = random.between(0.0, 6.0);
  const bool longer = kind == TangentialProblem::transient_rolling && rolls_along_x(t.direction);
  const double most = longer ? 1.7 : 1.0;  // of an element
  t.step = rolling ? random.between(0.6, most) * longest_step(t.direction, grid) : 0.0;
  const double rigid = kind == TangentialProblem::shift            ? 0.02
                       : kind == TangentialProblem::steady_rolling ? 0.06
                                                                   : 0.25;
  t.x = random_load(random, rigid);
  t.y = random_load(random, rigid);
  if (random.one_in(4) && !(rolling && steps_over_element(t, grid)))
    t.extra.x = std::make_shared<const Field>(random.field(grid.count(), 0.1 * rigid));
  if (!periodic && !one_way) t.rotation = random.between(-0.1, 0.1) * (rolling ? 5.0 : 1.0);
  return problem;
}

// As that, with friction that depends on the slip: by one of the laws with one term or two, by
// static and kinetic coefficients alone, or by a law that differs along y.
ContactProblem random_falling(StepRandom& random, TangentialProblem kind) {
  ContactProblem problem = random_problem(random, kind, Boundary::free);
  StepInput& step = problem.steps[0];
  // Slip velocities are a few hundredths, and no element jumps: its friction falls by less than a
  // third of what its traction gives way.
  step.tangential.velocity = 1.0;
  step.tangential.duration = 1.0;
  if (kind == TangentialProblem::shift) step.tangential.x.value *= 2.0;
  Friction falling;
  falling.coefficient = random.between(0.3, 0.35);
  falling.kinetic = random.between(0.2, 0.25);
  falling.law = static_cast<FrictionLaw>(random.bits() % 4);
  if (falling.law != FrictionLaw::constant) {
    falling.half_velocity = random.between(0.02, 0.04);
    if (random.one_in(2)) {
      falling.second_drop = random.between(0.01, 0.04);
      falling.second_half_velocity = random.between(0.02, 0.05);
    }
  }
  if (random.one_in(4)) {
    SlidingLaw law = sliding_law(falling);
    falling.along_y = {{-0.3, law}, {0.3, law}};
    falling.along_y[1].law.fixed -= 0.03;
  }
  step.friction = falling;
  return problem;
}

// As that, with a shear strength and one coefficient.
ContactProblem random_strength(StepRandom& random, TangentialProblem kind) {
  ContactProblem problem = random_problem(random, kind, Boundary::free);
  StepInput& step = problem.steps[0];
  step.friction = {};
  step.friction.coefficient = random.one_in(3) ? 0.0 : random.between(0.1, 0.2);
  step.friction.shear_strength = random.between(0.01, 0.03);
  for (TangentialLoad* load : {&step.tangential.x, &step.tangential.y})
    if (load->control != TangentialControl::rigid) *load = {TangentialControl::rigid, 0.01};
  return problem;
}

double dot(const Field& a, const Field& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) sum += a[i] * b[i];
  return sum;
}
double dot(const StepOutputs& a, const StepOutputs& b) {
  return dot(a.pressure, b.pressure) + dot(a.traction_x, b.traction_x) +
         dot(a.traction_y, b.traction_y) + dot(a.slip_x, b.slip_x) + dot(a.slip_y, b.slip_y) +
         a.normal_force * b.normal_force + a.approach * b.approach + a.force_x * b.force_x +
         a.force_y * b.force_y + a.moment_z * b.moment_z + a.rigid_x * b.rigid_x +
         a.rigid_y * b.rigid_y + a.rotation * b.rotation + a.friction_work * b.friction_work;
}
double dot(const StepInputs& a, const StepInputs& b) {
  return a.law.fixed * b.law.fixed + a.law.kinetic * b.law.kinetic +
         a.law.shear_strength * b.law.shear_strength + a.law.half_velocity * b.law.half_velocity +
         a.law.second_drop * b.law.second_drop +
         a.law.second_half_velocity * b.law.second_half_velocity + dot(a.heights, b.heights) +
         dot(a.friction, b.friction) + a.normal * b.normal + a.tangential_x * b.tangential_x +
         a.tangential_y * b.tangential_y + a.rotation * b.rotation + a.stiffness * b.stiffness;
}

StepOutputs random_seed(StepRandom& random, std::size_t count) {
  const auto number = [&] { return random.between(-1.0, 1.0); };
  return {random.field(count, 1.0),
          random.field(count, 1.0),
          random.field(count, 1.0),
          random.field(count, 1.0),
          random.field(count, 1.0),
          number(),
          number(),
          number(),
          number(),
          number(),
          number(),
          number(),
          number(),
          number()};
}
// The outputs that a step of that kind has derivatives of.
StepOutputs random_seed(StepRandom& random, std::size_t count, TangentialProblem kind) {
  const StepOutputs all = random_seed(random, count);
  if (kind != TangentialProblem::none) return all;
  StepOutputs seed;
  seed.pressure = all.pressure;
  seed.normal_force = all.normal_force;
  seed.approach = all.approach;
  return seed;
}
StepInputs random_direction(StepRandom& random, const ContactProblem& problem) {
  const std::size_t count = problem.grid.count();
  StepInputs d;
  d.heights = random.field(count, 0.01);
  const Friction& friction = problem.steps.back().friction;
  if (friction.varies()) {
    d.friction = random.field(count, 0.1);
  } else if (friction.along_y.empty()) {
    d.law.fixed = random.between(-0.1, 0.1);
    if (friction.coefficient == 0.0) d.law.fixed = 0.0;  // it has one side
    d.law.kinetic = random.between(-0.1, 0.1);
    if (friction.shear_strength > 0.0) d.law.shear_strength = random.between(-0.01, 0.01);
    if (friction.law != FrictionLaw::constant) d.law.half_velocity = random.between(-0.01, 0.01);
    if (friction.second_drop > 0.0) {
      d.law.second_drop = random.between(-0.01, 0.01);
      d.law.second_half_velocity = random.between(-0.01, 0.01);
    }
  }
  d.normal = random.between(-1.0, 1.0) * problem.steps.back().normal.value;
  d.tangential_x = random.between(-0.1, 0.1);
  d.tangential_y = random.between(-0.1, 0.1);
  d.rotation = problem.grid.boundary != Boundary::free ? 0.0 : random.between(-0.1, 0.1);
  d.stiffness = random.between(-1.0, 1.0);
  return d;
}

void move_step(StepInput& step, const StepInputs& by, double part) {
  if (const auto* place = std::get_if<FrictionByElement>(&step.friction.place)) {
    Field friction = *place->value;
    for (std::size_t i = 0; i < friction.size(); ++i) friction[i] += part * by.friction[i];
    step.friction.coefficient = *std::ranges::max_element(friction);
    step.friction.place = friction_by_element(friction);
  } else {
    step.friction.coefficient += part * by.law.fixed;
    if (step.friction.kinetic) *step.friction.kinetic += part * by.law.kinetic;
    step.friction.shear_strength += part * by.law.shear_strength;
    for (const auto number : kFallingNumbers) step.friction.*number += part * by.law.*number;
  }
  step.normal.value += part * by.normal;
  step.tangential.x.value += part * by.tangential_x;
  step.tangential.y.value += part * by.tangential_y;
  if (step.tangential.moment)
    *step.tangential.moment += part * by.rotation;
  else
    step.tangential.rotation += part * by.rotation;
}
void move_bodies(ContactProblem& problem, const StepInputs& by, double part) {
  auto& heights = std::get<HeightsShape>(problem.geometry[0]).values;
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] += part * by.heights[i];
  const double stiffer = 1.0 + part * by.stiffness;
  problem.upper.shear_modulus *= stiffer;
  problem.lower.shear_modulus *= stiffer;
  for (BodyLayer& layer : problem.upper.below) layer.shear_modulus *= stiffer;
  problem.layer.compliance /= stiffer;
  problem.layer.normal_compliance /= stiffer;
}
// The problem a little further in that direction, its bodies and its last step.
ContactProblem moved(ContactProblem problem, const StepInputs& by, double part) {
  move_bodies(problem, by, part);
  move_step(problem.steps.back(), by, part);
  return problem;
}

// The last step, from what those before it left in the problem as it was.
Solved last_step(const ContactProblem& problem, const ContactProblem& before) {
  if (problem.steps.size() == 1) return solve(problem);
  ContactProblem first = before;
  first.steps.pop_back();
  auto solver = make_cpu_solver(before);
  for (const StepInput& step : first.steps) solver->advance(step);
  SolverState state = solver->state();
  state["undeformed_distance"] = std::get<HeightsShape>(problem.geometry[0]).values;
  auto other = make_cpu_solver(problem);
  other->restore(state, first.steps.back());
  Solved solved;
  solved.report = other->advance(problem.steps.back());
  solved.fields = other->download();
  return solved;
}

double scalar(const Solved& solved, const StepOutputs& weights) {
  const StepReport& r = solved.report;
  const ContactSolution& f = solved.fields;
  return dot(weights, {f.pressure, f.traction_x, f.traction_y, f.slip_x, f.slip_y, r.normal_force,
                       r.approach, r.force_x, r.force_y, r.moment_z, r.rigid_x, r.rigid_y,
                       r.rotation, r.friction_work});
}

// All steps, one after another.
std::vector<Solved> all_steps(const ContactProblem& problem) {
  auto solver = make_cpu_solver(problem);
  std::vector<Solved> solved;
  for (const StepInput& step : problem.steps) {
    solved.emplace_back();
    solved.back().report = solver->advance(step);
    solved.back().fields = solver->download();
  }
  return solved;
}
bool converged(const std::vector<Solved>& steps) {
  return std::ranges::all_of(
      steps, [](const Solved& step) { return step.report.outcome == Outcome::converged; });
}

struct Checked {
  int all = 0;
  int by_differences = 0;
  int partly_slipping = 0;
};

void check_derivatives(const ContactProblem& problem, StepRandom& random, Checked& checked) {
  const Solved centre = last_step(problem, problem);
  if (centre.report.outcome != Outcome::converged) return;
  StepDerivatives derivatives(problem, problem.steps.back(), centre.fields, centre.report);
  const StepOutputs seed =
      random_seed(random, problem.grid.count(), problem.steps.back().tangential.problem);
  const StepInputs direction = random_direction(random, problem);
  const StepInputs gradient = derivatives.gradient(seed);
  const StepOutputs tangent = derivatives.derivative(direction);
  const double there = dot(gradient, direction);
  const double back = dot(seed, tangent);
  // The size of the terms of the sum: those that cancel leave their rounding.
  const double size = std::sqrt(dot(gradient, gradient) * dot(direction, direction));
  CHECK(std::abs(there - back) <= 1e-10 * std::max(std::abs(there), 0.1 * size));
  // Along one input alone what others leave at 0 must not end the rounds.
  StepInputs alone;
  alone.tangential_x = direction.tangential_x;
  alone.friction = random.field(problem.grid.count(), 0.1);
  const double alone_there = dot(gradient, alone);
  const double alone_back = dot(seed, derivatives.derivative(alone));
  CHECK(std::abs(alone_there - alone_back) <= 1e-10 * std::max(std::abs(alone_there), 0.1 * size));
  ++checked.all;
  const bool partly = centre.report.elements_slip > 0 && centre.report.elements_adhesion > 0;
  checked.partly_slipping += partly ? 1 : 0;

  const Solved ahead = last_step(moved(problem, direction, kStepOfDifference), problem);
  const Solved behind = last_step(moved(problem, direction, -kStepOfDifference), problem);
  if (ahead.report.outcome != Outcome::converged || behind.report.outcome != Outcome::converged)
    return;
  if (ahead.fields.element_division != centre.fields.element_division ||
      behind.fields.element_division != centre.fields.element_division)
    return;
  const double difference =
      (scalar(ahead, seed) - scalar(behind, seed)) / (2.0 * kStepOfDifference);
  CHECK(std::abs(difference - there) <= 1e-6 * std::max(std::abs(there), 0.1 * size));
  ++checked.by_differences;
}

// Three steps of these kinds; each has loads and motions of its own.
ContactProblem random_sequence(StepRandom& random, const std::vector<TangentialProblem>& kinds) {
  const auto rolls = std::ranges::find_if(kinds, is_rolling);
  ContactProblem problem =
      random_problem(random, rolls == kinds.end() ? kinds[0] : *rolls, Boundary::free);
  const StepInput last = problem.steps[0];
  problem.steps.clear();
  for (const TangentialProblem kind : kinds) {
    StepInput step = last;
    step.tangential.problem = kind;
    if (kind == TangentialProblem::none) step.tangential = {};
    step.normal.value *= random.between(0.8, 1.1);
    for (TangentialLoad* load : {&step.tangential.x, &step.tangential.y})
      load->value *= random.between(-1.0, 1.0);
    problem.steps.push_back(step);
  }
  return problem;
}

void check_sequence(const ContactProblem& problem, StepRandom& random, Checked& checked) {
  const std::vector<Solved> centre = all_steps(problem);
  if (!converged(centre)) return;
  std::vector<SolvedStep> steps;
  std::vector<StepOutputs> seeds;
  std::vector<StepInputs> directions;
  for (std::size_t k = 0; k < centre.size(); ++k) {
    const StepInput& step = problem.steps[k];
    steps.push_back({&step, &centre[k].report, &centre[k].fields});
    seeds.push_back(random_seed(random, problem.grid.count(), step.tangential.problem));
    ContactProblem of_step = problem;
    of_step.steps.resize(k + 1);
    directions.push_back(random_direction(random, of_step));
    directions[k].heights = directions[0].heights;  // the bodies are the same in all steps
    directions[k].stiffness = directions[0].stiffness;
  }
  SequenceDerivatives derivatives(problem, steps);
  const std::vector<StepInputs> gradient = derivatives.gradient(seeds);
  const std::vector<StepOutputs> tangent = derivatives.derivative(directions);
  double there = 0.0;
  double back = 0.0;
  double size = 0.0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    there += dot(gradient[k], directions[k]);
    back += dot(seeds[k], tangent[k]);
    size += std::sqrt(dot(gradient[k], gradient[k]) * dot(directions[k], directions[k]));
  }
  CHECK(std::abs(there - back) <= 1e-10 * std::max(std::abs(there), 0.1 * size));
  ++checked.all;

  double difference = 0.0;
  for (const double side : {1.0, -1.0}) {
    ContactProblem other = problem;
    move_bodies(other, directions[0], side * kStepOfDifference);
    for (std::size_t k = 0; k < steps.size(); ++k)
      move_step(other.steps[k], directions[k], side * kStepOfDifference);
    const std::vector<Solved> solved = all_steps(other);
    if (!converged(solved)) return;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (solved[k].fields.element_division != centre[k].fields.element_division) return;
      difference += side * scalar(solved[k], seeds[k]) / (2.0 * kStepOfDifference);
    }
  }
  CHECK(std::abs(difference - there) <= 1e-6 * std::max(std::abs(there), 0.1 * size));
  ++checked.by_differences;
}

// Systems that have no room from a call on; `fits`: none was refused.
struct FullSystems : StepSystemsOn<CpuBackend> {
  FullSystems(const SystemsTask& task, int calls, bool& enough)
      : StepSystemsOn<CpuBackend>(task), left(calls), fits(enough) {}
  int add_operator(const Grid& grid, const InfluenceKind& kind) override {
    take();
    return StepSystemsOn<CpuBackend>::add_operator(grid, kind);
  }
  void multiply(int number, Block block, const TractionField& tractions,
                const DisplacementField& displacements) override {
    take();
    StepSystemsOn<CpuBackend>::multiply(number, block, tractions, displacements);
  }
  void set_contact(const std::vector<unsigned char>& division) override {
    take();
    StepSystemsOn<CpuBackend>::set_contact(division);
  }
  std::optional<double> respond(Held held, double wanted, double* h, double* v) override {
    take();
    return StepSystemsOn<CpuBackend>::respond(held, wanted, h, v);
  }
  void set_rows(const NewtonFields& rows) override {
    take();
    StepSystemsOn<CpuBackend>::set_rows(rows);
  }
  void set_across(int number, const AcrossSymbol& symbol) override {
    take();
    StepSystemsOn<CpuBackend>::set_across(number, symbol);
  }
  bool solve_tractions(int number, const std::vector<std::size_t>& places, double wanted,
                       double* b) override {
    take();
    return StepSystemsOn<CpuBackend>::solve_tractions(number, places, wanted, b);
  }
  void take() {
    if (left-- > 0) return;
    fits = false;
    throw OutOfMemory("no room");
  }
  int left;
  bool& fits;
};

// `of_each` random problems of each kind with friction.
void check_each_kind(int of_each, std::uint64_t first_seed,
                     ContactProblem (*make)(StepRandom& random, TangentialProblem kind)) {
  for (const TangentialProblem kind :
       {TangentialProblem::shift, TangentialProblem::transient_rolling,
        TangentialProblem::steady_rolling}) {
    Checked checked;
    for (int k = 1; k <= of_each; ++k) {
      const std::uint64_t seed =
          first_seed + 100 * static_cast<std::uint64_t>(kind) + static_cast<std::uint64_t>(k);
      CAPTURE(static_cast<int>(kind));
      CAPTURE(seed);
      StepRandom random{std::mt19937_64(seed)};
      check_derivatives(make(random, kind), random, checked);
    }
    CHECK(checked.all >= of_each - 2);
    CHECK(checked.by_differences >= of_each / 2);
    CHECK(checked.partly_slipping >= of_each / 2);
  }
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("derivatives of a sequence: through shifts, rolling and leading edges, to every step") {
    using enum TangentialProblem;
    for (const auto& kinds :
         {std::vector{shift, shift, shift}, std::vector{none, shift, transient_rolling},
          std::vector{transient_rolling, transient_rolling, transient_rolling},
          std::vector{steady_rolling, transient_rolling, shift}}) {
      Checked checked;
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(static_cast<int>(kinds[0]));
        CAPTURE(static_cast<int>(kinds[2]));
        CAPTURE(seed);
        StepRandom random{std::mt19937_64(900 + seed)};
        check_sequence(random_sequence(random, kinds), random, checked);
      }
      CHECK(checked.all >= 4);
      CHECK(checked.by_differences >= 2);
    }
  }

  TEST_CASE("derivatives of a step: adjoint, tangent and differences of solutions agree") {
    constexpr int kOfEach = 8;
    for (const auto& [kind, boundary] :
         {std::pair{TangentialProblem::none, Boundary::free},
          std::pair{TangentialProblem::none, Boundary::periodic},
          std::pair{TangentialProblem::shift, Boundary::free},
          std::pair{TangentialProblem::shift, Boundary::periodic},
          std::pair{TangentialProblem::shift, Boundary::periodic_x},
          std::pair{TangentialProblem::steady_rolling, Boundary::periodic_y},
          std::pair{TangentialProblem::transient_rolling, Boundary::free},
          std::pair{TangentialProblem::steady_rolling, Boundary::free}}) {
      Checked checked;
      for (std::uint64_t seed = 1; seed <= kOfEach; ++seed) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(static_cast<int>(boundary));
        CAPTURE(seed);
        StepRandom random{std::mt19937_64(100 * static_cast<std::uint64_t>(kind) + seed)};
        check_derivatives(random_problem(random, kind, boundary), random, checked);
      }
      CHECK(checked.all >= kOfEach - 2);
      CHECK(checked.by_differences >= kOfEach / 2);
      if (kind != TangentialProblem::none) CHECK(checked.partly_slipping >= kOfEach / 2);
    }
  }

  TEST_CASE("derivatives of a step: what the step before left is held") {
    Checked checked;
    for (const TangentialProblem kind :
         {TangentialProblem::shift, TangentialProblem::transient_rolling}) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(seed);
        StepRandom random{std::mt19937_64(seed)};
        ContactProblem problem = random_problem(random, kind, Boundary::free);
        problem.steps.push_back(problem.steps[0]);
        problem.steps[1].tangential.x.value *= 0.3;
        problem.steps[1].tangential.y.value *= -0.5;
        check_derivatives(problem, random, checked);
      }
    }
    CHECK(checked.by_differences >= 4);
  }

  TEST_CASE(
      "derivatives of a step: friction that depends on the slip, and the numbers of its law") {
    check_each_kind(8, 700, random_falling);
  }

  TEST_CASE("derivatives of a step: on the CPU where a device has no room, at whatever call") {
    for (const TangentialProblem kind :
         {TangentialProblem::steady_rolling, TangentialProblem::transient_rolling}) {
      CAPTURE(static_cast<int>(kind));
      StepRandom random{std::mt19937_64(11)};
      const ContactProblem problem = random_problem(random, kind, Boundary::free);
      const Solved solved = solve(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      StepOutputs seed;
      seed.force_x = 1.0;
      StepInputs harder;
      harder.stiffness = 1.0;
      struct Found {
        StepInputs gradient;
        StepOutputs changes;
      };
      const auto found = [&](const StepSystemsMaker& make) {
        StepDerivatives step(problem, problem.steps[0], solved.fields, solved.report,
                             &solved.fields, 0.0, make);
        return Found{step.gradient(seed), step.derivative(harder)};
      };
      const Found expected = found({});
      const auto as_expected = [&](const StepSystemsMaker& make) {
        const Found other = found(make);
        return other.gradient.heights == expected.gradient.heights &&
               other.gradient.before.traction_x == expected.gradient.before.traction_x &&
               other.changes.traction_x == expected.changes.traction_x;
      };
      CHECK(as_expected([](const SystemsTask&) -> std::unique_ptr<StepSystems> {
        throw OutOfMemory("no room");
      }));
      int failed = 0;
      for (bool fits = false; !fits; ++failed) {
        CAPTURE(failed);
        fits = true;
        CHECK(as_expected([&](const SystemsTask& task) {
          return std::make_unique<FullSystems>(task, failed, fits);
        }));
      }
      CHECK(failed > 5);
    }
  }

  TEST_CASE("derivatives of a step: a shear strength and a coefficient") {
    check_each_kind(6, 1700, random_strength);
  }

  TEST_CASE("derivatives of a step: a small coefficient is not lost in a great shear strength") {
    // A sphere that slides far: F_x = -tau_0 A - mu F_n, of which A is a number of elements.
    ContactProblem problem = normal_problem(centred_grid(19, 17, 1.2, 1.2), {1.0, 0.0},
                                            SphereShape{100.0}, NormalControl::force, 4.0 / 300.0);
    StepInput& step = problem.steps[0];
    step.friction.coefficient = 1e-13;
    step.friction.shear_strength = 1.0;
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.x = {TangentialControl::rigid, 1.0e4};
    const Solved solved = solve(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    REQUIRE(solved.report.elements_adhesion == 0);
    StepDerivatives derivatives(problem, step, solved.fields, solved.report);
    StepInputs heavier;
    heavier.normal = 1.0;
    const double slope = derivatives.derivative(heavier).force_x / -step.friction.coefficient;
    CHECK(slope == near(1.0, 1e-3));  // slip is not all along x
  }

  TEST_CASE("derivatives of a step: much friction between very unlike bodies") {
    ContactProblem problem = normal_problem({20, 20, 0.13, 0.13, -1.3, -1.3}, {1.0, 0.0},
                                            SphereShape{50.0}, NormalControl::force, 0.06, 1e-10);
    problem.lower = {1.0e3, 0.0};  // K = .5
    StepInput& step = set_motion(problem, 3.0, TangentialProblem::steady_rolling, 0.01, 0.0, 2e-3);
    const Solved solved = solve(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    CHECK(solved.report.elements_slip > 50);
    CHECK(solved.report.elements_adhesion > 50);
    StepDerivatives derivatives(problem, step, solved.fields, solved.report);
    StepRandom random{std::mt19937_64(1)};
    const StepOutputs seed = random_seed(random, problem.grid.count());
    StepInputs direction;
    direction.heights = random.field(problem.grid.count(), 0.01);
    direction.law.fixed = 0.1;
    direction.tangential_x = 0.01;
    const double there = dot(derivatives.gradient(seed), direction);
    CHECK(dot(seed, derivatives.derivative(direction)) == near(there, 1e-9));
  }

  TEST_CASE("derivatives of a step: a prescribed moment") {
    Checked checked;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(seed);
      StepRandom random{std::mt19937_64(seed)};
      ContactProblem problem = random_problem(random, TangentialProblem::shift, Boundary::free);
      problem.steps[0].tangential.moment = random.between(-1e-4, 1e-4);
      problem.steps[0].tangential.rotation = 0.0;
      check_derivatives(problem, random, checked);
    }
    CHECK(checked.by_differences >= 2);
  }
}

TEST_SUITE("unit") {
  TEST_CASE("derivatives of a step: the gradient of Hertz's force to the approach is 2 a E*") {
    const Grid grid = centred_grid(80, 80, 1.3, 1.3);
    const ContactProblem problem =
        normal_problem(grid, {1.0, 0.25}, SphereShape{10.0}, NormalControl::approach, 0.1, 1e-10);
    const Solved solved = solve(problem);
    StepDerivatives derivatives(problem, problem.steps[0], solved.fields, solved.report);
    StepOutputs seed;
    seed.normal_force = 1.0;
    const StepInputs gradient = derivatives.gradient(seed);
    const double modulus = 0.5 * 2.0 * 1.0 * 1.25 / (1.0 - 0.25 * 0.25);  // E*
    CHECK(gradient.normal == near(2.0 * 1.0 * modulus, 0.01));
    // F = (4/3) E* sqrt(R) delta^1.5: relative to the stiffness F itself.
    CHECK(gradient.stiffness == near(solved.report.normal_force, 1e-7));
    // All heights raised by a length are that much less approach.
    double raised = 0.0;
    for (const double value : gradient.heights) raised += value;
    CHECK(raised == near(-gradient.normal, 1e-9));
  }

  TEST_CASE("derivatives of a step: elements near a change of state are counted once each") {
    StepRandom random{std::mt19937_64(8)};
    const ContactProblem problem =
        random_problem(random, TangentialProblem::steady_rolling, Boundary::free);
    Solved solved = solve(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    const auto count = [&] {
      return StepDerivatives(problem, problem.steps[0], solved.fields, solved.report).near_change();
    };
    ContactSolution& f = solved.fields;
    const double most = *std::ranges::max_element(f.pressure);
    const std::int64_t before = count();
    int changed = 0;
    for (std::size_t i = 0; i < f.pressure.size() && changed < 3; ++i) {
      if (f.element_division[i] != ElementState::slip || f.pressure[i] < 0.1 * most) continue;
      // no pressure to speak of, a gap about to close, and slip about to end
      if (changed == 0) f.pressure[i] = 5e-4 * most;
      if (changed == 1) {
        f.pressure[i] = 0.0;
        f.gap[i] = 0.0;
      }
      if (changed == 2) f.slip_x[i] = f.slip_y[i] = 0.0;
      ++changed;
    }
    REQUIRE(changed == 3);
    CHECK(count() == before + 3);
  }

  TEST_CASE("derivatives of a step: on a line of very long elements, where GMRES stalls") {
    ContactProblem problem =
        normal_problem({55, 1, 0.02, 100.0, -0.55, -50.0}, {1.0, 0.28},
                       CylinderShape{10.0, CylinderAxis::y}, NormalControl::force, 0.5, 1e-11);
    StepInput& step = problem.steps[0];
    step.friction.coefficient = 0.3;
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.x = {TangentialControl::force_ratio, -0.64};
    const Solved solved = solve(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    StepDerivatives derivatives(problem, step, solved.fields, solved.report);
    StepInputs direction;
    direction.friction.assign(problem.grid.count(), 1.0);
    // F_x = -.64 mu F_n
    CHECK(derivatives.derivative(direction).force_x ==
          near(-0.64 * solved.report.normal_force, 1e-8));
  }

  TEST_CASE("derivatives of a step: in full sliding the force follows the law's own derivatives") {
    ContactProblem problem = normal_problem({12, 12, 0.1, 0.1, -0.6, -0.6}, {1.0, 0.28},
                                            SphereShape{2.0}, NormalControl::force, 0.3, 1e-12);
    StepInput& step = problem.steps[0];
    step.friction.coefficient = 0.4;
    step.friction.kinetic = 0.1;
    step.friction.law = FrictionLaw::rational;
    step.friction.half_velocity = 3.0;
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.duration = 2.0;
    step.tangential.x.value = 1.0e5;  // 50 000/s; displacements are a millionth of it
    const Solved solved = solve(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    REQUIRE(solved.report.elements_adhesion == 0);
    StepDerivatives derivatives(problem, step, solved.fields, solved.report);
    StepOutputs seed;
    seed.force_x = 1.0;
    const StepInputs gradient = derivatives.gradient(seed);
    const double w = 5.0e4;
    const double part = 1.0 / (1.0 + w / 3.0);
    // F_x = -F_n (kinetic + (static - kinetic)/(1 + w/h))
    CHECK(gradient.law.kinetic == near(-0.3 * (1.0 - part), 1e-5));
    CHECK(gradient.law.fixed == near(-0.3 * part, 1e-4));
    CHECK(gradient.law.half_velocity == near(-0.3 * 0.3 * part * part * w / 9.0, 1e-4));
    CHECK(gradient.tangential_x == near(0.3 * 0.3 * part * part / 3.0 / 2.0, 1e-4));
  }

  TEST_CASE("derivatives of a step: without contact only what is prescribed changes") {
    ContactProblem problem =
        normal_problem({8, 8, 0.1, 0.1, -0.4, -0.4}, {1.0, 0.28}, SphereShape{10.0},
                       NormalControl::approach, -0.5, 1e-10);
    problem.steps[0].friction.coefficient = 0.3;
    problem.steps[0].tangential.problem = TangentialProblem::shift;
    problem.steps[0].tangential.x.value = 0.1;
    const Solved solved = solve(problem);
    StepDerivatives derivatives(problem, problem.steps[0], solved.fields, solved.report);
    StepOutputs seed;
    seed.force_x = seed.normal_force = 1.0;
    seed.rigid_x = 3.0;
    seed.approach = 2.0;
    const StepInputs gradient = derivatives.gradient(seed);
    CHECK(gradient.normal == 2.0);
    CHECK(gradient.tangential_x == 3.0);
    CHECK(gradient.tangential_y == 0.0);
    StepInputs direction;
    direction.tangential_x = 1.0;
    direction.normal = 1.0;
    const StepOutputs change = derivatives.derivative(direction);
    CHECK(change.rigid_x == 1.0);
    CHECK(change.approach == 1.0);
    CHECK(change.force_x == 0.0);
  }

  TEST_CASE("derivatives of a step: what has none, and wrong seeds, are refused with a sentence") {
    StepRandom random{std::mt19937_64(3)};
    ContactProblem problem = random_problem(random, TangentialProblem::shift, Boundary::free);
    Solved solved = solve(problem);
    StepDerivatives derivatives(problem, problem.steps[0], solved.fields, solved.report);
    StepOutputs seed;
    seed.pressure = {1.0, 2.0};
    CHECK_THROWS_WITH_AS(derivatives.gradient(seed),
                         doctest::Contains("pressure: 2 values; accepted: "), InputError);
    seed.pressure.assign(problem.grid.count(), 0.0);
    seed.pressure[7] = NAN;
    CHECK_THROWS_WITH_AS(derivatives.gradient(seed),
                         "pressure: the value of element 7 is not finite; accepted: finite numbers",
                         InputError);
    const auto refused = [&](const ContactProblem& of, const StepReport& report) {
      return StepDerivatives(of, of.steps[0], solved.fields, report);
    };
    StepReport failed = solved.report;
    failed.outcome = Outcome::not_converged;
    CHECK_THROWS_WITH_AS(refused(problem, failed),
                         "a step that did not converge has no derivatives; accepted: one that did",
                         InputError);
    problem.steps[0].friction.kinetic = 0.1;
    problem.steps[0].friction.memory_distance = 0.1;
    CHECK_THROWS_WITH_AS(
        refused(problem, solved.report),
        doctest::Contains("no derivatives, because its friction remembers the slip"), InputError);
  }
}
