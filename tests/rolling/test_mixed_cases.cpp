// SPDX-License-Identifier: Apache-2.0
// Random mixtures of bodies, layers, friction and motion, each with its residual by direct sums
// that share nothing with the solver but the closed-form coefficients (THEORY.md 9.4).
// SLIPFIELD_MIXED_CASES=300 in the environment runs as many.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "solver/geometry.h"
#include "solver/rolling.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using test::DenseDisplacements;
using test::Random;
using test::Solved;

int cases_wanted() {
  const char* text = std::getenv("SLIPFIELD_MIXED_CASES");  // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? 16 : std::max(1, std::atoi(text));
}

bool heads(Random& random) { return random.uniform(0.0, 1.0) < 0.5; }

// Down to at least a half, gently, so that there is one solution.
void set_falling(Random& random, Friction& friction) {
  const std::array laws{FrictionLaw::linear_falling, FrictionLaw::rational,
                        FrictionLaw::exponential};
  friction.law = laws.at(static_cast<std::size_t>(random.uniform(0.0, 2.999)));
  friction.kinetic = friction.coefficient * random.uniform(0.5, 0.95);
  friction.half_velocity = random.uniform(0.2, 1.0);
}

// At most a third of what friction carries, in one direction.
TangentialLoad random_force(Random& random, double friction) {
  const double ratio = random.uniform(-0.33, 0.33);
  if (heads(random)) return {TangentialControl::force_ratio, ratio};
  return {TangentialControl::traction_coefficient, ratio * friction};
}

ContactProblem random_problem(Random& random) {
  const Grid grid{11, 9, random.uniform(0.13, 0.18), random.uniform(0.15, 0.2), -0.85, -0.8};
  const QuadraticShape shape{random.uniform(0.4, 0.7), random.uniform(-0.1, 0.1),
                             random.uniform(0.4, 0.7), random.uniform(-0.05, 0.05)};
  ContactProblem problem =
      test::normal_problem(grid, {random.uniform(0.5, 3.0), random.uniform(0.0, 0.45)}, shape,
                           NormalControl::force, random.uniform(0.1, 0.4), 1e-9);
  if (heads(random)) problem.lower = {random.uniform(0.5, 3.0), random.uniform(0.0, 0.45)};
  StepInput& step = problem.steps[0];
  step.friction.coefficient = random.uniform(0.05, 0.5);
  Tangential& motion = step.tangential;
  if (heads(random)) set_falling(random, step.friction);
  motion.x.value = random.uniform(-0.05, 0.05);
  motion.y.value = random.uniform(-0.05, 0.05);
  motion.rotation = random.uniform(-0.05, 0.05);
  if (heads(random)) {
    motion.problem =
        heads(random) ? TangentialProblem::steady_rolling : TangentialProblem::transient_rolling;
    motion.direction = heads(random) ? 0.0 : test::kPi;
    motion.step = grid.dx;
    motion.velocity = random.uniform(0.5, 2.0);
  } else {
    motion.problem = TangentialProblem::shift;
    motion.duration = random.uniform(0.05, 0.5);
    if (heads(random)) problem.upper.creep = {{random.uniform(0.2, 2.0), 0.1}, {0.3, 1.0}};
    if (heads(random)) problem.lower.creep = {{random.uniform(0.2, 2.0), 0.3}};
  }
  if (heads(random)) problem.layer.compliance = random.uniform(0.01, 0.1);
  if (heads(random)) problem.layer.normal_compliance = random.uniform(0.01, 0.1);
  for (TangentialLoad* load : {&motion.x, &motion.y})
    if (heads(random)) *load = random_force(random, step.friction.coefficient);
  return problem;
}

// The elastic body that answers a first shift as this one does, which has crept at a traction that
// grows from nothing: J(t) averaged over the shift.
ElasticBody crept(const ElasticBody& body, double duration) {
  double compliance = 1.0;
  for (const CreepTerm& term : body.creep) {
    const double r = duration / term.time;
    compliance += term.ratio * (1.0 - (1.0 - std::exp(-r)) / r);
  }
  return {body.shear_modulus / compliance, body.poisson_ratio};
}

DenseDisplacements displacements(const ContactProblem& problem, const ContactSolution& fields,
                                 int elements_ahead) {
  const Tangential& motion = problem.steps[0].tangential;
  const Grid& grid = problem.grid;
  DenseDisplacements u = test::dense_displacements(
      grid, combine(crept(problem.upper, motion.duration), crept(problem.lower, motion.duration)),
      fields, elements_ahead * grid.dx);
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const int from = ix + elements_ahead;
      if (from < 0 || from >= grid.mx) continue;
      const std::size_t i = grid.index(ix, iy);
      const std::size_t j = grid.index(from, iy);
      u.x[i] += problem.layer.compliance * fields.traction_x[j];
      u.y[i] += problem.layer.compliance * fields.traction_y[j];
      u.n[i] += problem.layer.normal_compliance * fields.pressure[j];
    }
  }
  return u;
}

// The law at the slip velocities of direct sums, the static one in adhesion.
std::vector<double> oracle_coefficients(const ContactProblem& problem,
                                        const ContactSolution& fields,
                                        const DenseDisplacements& now,
                                        const DenseDisplacements& ago, const test::Shift& rigid) {
  const StepInput& step = problem.steps[0];
  const Grid& grid = problem.grid;
  const SlidingLaw law = sliding_law(step.friction);
  std::vector<double> values(grid.count(), step.friction.coefficient);
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      if (!step.friction.depends_on_slip() || fields.element_division[i] != ElementState::slip)
        continue;
      const double slip = std::hypot(rigid.x - rigid.rotation * grid.y(iy) + now.x[i] - ago.x[i],
                                     rigid.y + rigid.rotation * grid.x(ix) + now.y[i] - ago.y[i]);
      values[i] = law.at(slip_rate(step.tangential) * slip);
    }
  }
  return values;
}

void check_force(const TangentialLoad& load, double force, const StepReport& report) {
  constexpr double kForce = 1e-7;  // of mu F_n, for a tolerance of 1e-9
  const double bound = report.friction_coefficient * report.normal_force;
  if (load.control == TangentialControl::force_ratio)
    CHECK(std::abs(force - load.value * bound) <= kForce * bound);
  if (load.control == TangentialControl::traction_coefficient)
    CHECK(std::abs(force - load.value * report.normal_force) <= kForce * bound);
}

// before: the fields of the step before; null: none.
void check_residual(const ContactProblem& problem, const Solved& solved,
                    const ContactSolution* before) {
  REQUIRE(solved.report.outcome == Outcome::converged);
  const Tangential& motion = problem.steps[0].tangential;
  const bool steady = motion.problem == TangentialProblem::steady_rolling;
  const bool rolls = is_rolling(motion.problem);
  const int ahead = std::cos(motion.direction) > 0.0 ? 1 : -1;
  const DenseDisplacements now = displacements(problem, solved.fields, 0);
  const ContactSolution* left = steady ? &solved.fields : before;
  const DenseDisplacements ago =
      left != nullptr ? displacements(problem, *left, ahead) : test::no_displacements(problem.grid);
  const std::vector<double> h =
      undeformed_distance(problem.geometry, problem.grid, combine(problem.upper, problem.lower));
  const test::NormalErrors normal =
      test::normal_errors(solved.fields, h, now.n, solved.report.approach);
  constexpr double kNormal = 1e-6;  // of the approach, for a tolerance of 1e-9
  CHECK(normal.least_pressure >= 0.0);
  CHECK(normal.gap_in_contact <= kNormal);
  CHECK(normal.penetration <= kNormal);
  const double dq = rolls ? motion.step : 1.0;
  const double arm = rolls ? ahead * dq / 6.0 : 0.0;
  const StepReport& report = solved.report;
  const test::Shift rigid{dq * report.rigid_x, dq * (report.rigid_y + motion.rotation * arm),
                          dq * motion.rotation};
  check_force(motion.x, report.force_x, report);
  check_force(motion.y, report.force_y, report);
  const test::FrictionErrors friction = test::friction_errors(
      problem.grid, solved.fields, oracle_coefficients(problem, solved.fields, now, ago, rigid),
      now, ago, rigid);
  constexpr double kTangential = 1e-5;  // of bound and rigid slip
  CHECK(friction.above_bound <= kTangential);
  CHECK(friction.slip_in_adhesion <= kTangential);
  CHECK(friction.below_bound <= kTangential);
  CHECK(friction.not_opposite <= kTangential);
  CHECK(friction.traction_outside == 0.0);
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("mixed cases: bodies, layers, friction and motion, residuals by direct sums") {
    Random random(20261123);
    const int count = cases_wanted();
    for (int k = 0; k < count; ++k) {
      CAPTURE(k);
      ContactProblem problem = random_problem(random);
      const auto solver = make_cpu_solver(problem);
      const Solved first = test::solve(problem, *solver);
      check_residual(problem, first, nullptr);
      if (problem.steps[0].tangential.problem != TangentialProblem::transient_rolling) continue;
      problem.steps[0].tangential.rotation = random.uniform(-0.05, 0.05);
      check_residual(problem, test::solve(problem, *solver), &first.fields);
    }
  }
}

}  // namespace slipfield
