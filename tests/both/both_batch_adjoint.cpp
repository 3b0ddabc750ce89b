// SPDX-License-Identifier: Apache-2.0
// Derivatives of the contacts of a batch by its own teams, against those of each contact alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "app/bench/small_contacts.h"
#include "solver/gradient/batch_fields.h"
#include "solver/gradient/step_derivatives.h"
#include "tests/support/both_backends.h"

namespace slipfield::test {
namespace {

using Field = std::vector<double>;

class Numbers {
 public:
  explicit Numbers(unsigned seed) : engine(seed) {}
  double operator()() { return static_cast<double>(engine() >> 11U) * 0x1.0p-52 - 1.0; }
  Field field(std::size_t count, double size) {
    Field values(count);
    for (double& value : values) value = size * (*this)();
    return values;
  }
  std::mt19937_64 engine;
};

// Every result counts, each by about its own size.
StepOutputs seed_of_everything(Numbers& number, const ContactProblem& problem,
                               const StepReport& report) {
  const std::size_t count = problem.grid.count();
  const bool slides = problem.steps[0].tangential.problem != TangentialProblem::none;
  const auto per = [&](double size) { return number() / std::fmax(std::fabs(size), 1e-300); };
  StepOutputs seed;
  seed.pressure = number.field(count, 1.0 / report.max_pressure);
  seed.normal_force = per(report.normal_force);
  seed.approach = per(report.approach);
  if (!slides) return seed;
  seed.traction_x = number.field(count, 1.0 / report.max_pressure);
  seed.traction_y = number.field(count, 1.0 / report.max_pressure);
  const double slip = 0.1 * problem.grid.dx *
                      (std::hypot(report.rigid_x, report.rigid_y) + std::fabs(report.rotation));
  seed.slip_x = number.field(count, 1.0 / slip);
  seed.slip_y = number.field(count, 1.0 / slip);
  seed.force_x = per(report.normal_force);
  seed.force_y = per(report.normal_force);
  seed.moment_z = per(report.normal_force * problem.grid.dx);
  seed.rigid_x = per(report.rigid_x);
  seed.rigid_y = per(report.rigid_y);
  seed.rotation = per(report.rotation);
  seed.friction_work = per(report.normal_force * slip);  // it may be 0: full adhesion
  return seed;
}
StepOutputs seed_of_moment() {
  StepOutputs seed;
  seed.moment_z = 1.0;
  return seed;
}

struct SolvedBatch {
  ContactBatch batch;
  std::vector<ContactProblem> problems;
  BatchSolution solution;
};

SolvedBatch solved_contacts(Numbers& number, int count, int mx, int my, SmallContacts kind,
                            bool by_approach) {
  SolvedBatch all;
  for (int k = 0; k < count; ++k) {
    ContactProblem problem = random_small_contact(number.engine, mx, my, kind, 1e-9);
    Tangential& t = problem.steps[0].tangential;
    if (t.x.control == TangentialControl::force_ratio && k % 3 == 1) {
      t.x.control = TangentialControl::traction_coefficient;
      t.x.value *= problem.steps[0].friction.coefficient;
    }
    if (k % 4 == 3 && t.problem != TangentialProblem::none) t.direction = 2.1;
    add_to_batch(all.batch, problem);
    all.problems.push_back(problem);
  }
  BatchOptions options;
  options.fields = true;
  all.solution = solve_batch_on_cpu(all.batch, options);
  if (!by_approach) return all;
  for (std::size_t k = 0; k < all.problems.size(); ++k)
    if (all.solution.reports[k].outcome == Outcome::converged)
      all.problems[k].steps[0].normal = all.batch.contacts[k].normal = {
          NormalControl::approach, all.solution.reports[k].approach};
  return all;
}

double furthest(const Field& a, const Field& b) {
  REQUIRE(a.size() == b.size());
  double most = 0.0;
  double greatest = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    most = std::fmax(most, std::fabs(a[i] - b[i]));
    greatest = std::fmax(greatest, std::fabs(b[i]));
  }
  return greatest > 0.0 ? most / greatest : most;
}
void check_inputs(const StepInputs& a, const StepInputs& b, const ContactProblem& problem) {
  // 1e-9: the linear systems of both end at a residual of 1e-12
  constexpr double kApart = 1e-9;
  CHECK(furthest(a.heights, b.heights) < kApart);
  CHECK(furthest({a.normal}, {b.normal}) < kApart);
  CHECK(furthest({a.stiffness}, {b.stiffness}) < 10.0 * kApart);  // a difference of sums
  if (problem.steps[0].tangential.problem == TangentialProblem::none) return;
  CHECK(furthest(a.friction, b.friction) < kApart);
  // One of the two may be the difference of large numbers.
  CHECK(furthest({a.tangential_x, a.tangential_y}, {b.tangential_x, b.tangential_y}) < kApart);
  CHECK(furthest({a.rotation}, {b.rotation}) < kApart);
  CHECK(furthest({a.law.fixed, a.law.kinetic}, {b.law.fixed, b.law.kinetic}) < kApart);
  CHECK(furthest({a.law.half_velocity}, {b.law.half_velocity}) < kApart);
}

// Returns how many contacts were compared.
int compare(Numbers& number, const SolvedBatch& all) {
  std::vector<std::vector<StepOutputs>> seeds;
  for (std::size_t k = 0; k < all.problems.size(); ++k) {
    seeds.push_back({seed_of_everything(number, all.problems[k], all.solution.reports[k])});
    if (all.problems[k].steps[0].tangential.problem != TangentialProblem::none)
      seeds.back().push_back(seed_of_moment());
  }
  const std::vector<AdjointSolution> found = solve_adjoints_under_test(
      {&all.batch, &all.solution.fields, &all.solution.reports, &seeds}, {});
  REQUIRE(found.size() == seeds.size());
  int compared = 0;
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    CAPTURE(k);
    const StepReport& report = all.solution.reports[k];
    if (report.outcome != Outcome::converged) {
      CHECK(found[k].gradients.empty());
      continue;
    }
    const ContactProblem& problem = all.problems[k];
    StepDerivatives alone(problem, problem.steps[0],
                          solution_of_batch(problem, all.solution.fields[k], report), report);
    REQUIRE(found[k].gradients.size() == seeds[k].size());
    CHECK(found[k].near_change == alone.near_change());
    for (std::size_t j = 0; j < seeds[k].size(); ++j)
      check_inputs(found[k].gradients[j], alone.gradient(seeds[k][j]), problem);
    ++compared;
  }
  return compared;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("batch adjoint: each contact has the derivatives that it has alone") {
    Numbers number(17);
    int compared = 0;
    for (const SmallContacts kind :
         {SmallContacts::creepages, SmallContacts::forces, SmallContacts::wavy_gap,
          SmallContacts::normal, SmallContacts::falling, SmallContacts::falling_forces})
      for (const bool by_approach : {false, true}) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(by_approach);
        compared += compare(number, solved_contacts(number, 6, 13, 17, kind, by_approach));
      }
    CHECK(compared >= 64);
  }

  TEST_CASE("batch adjoint: on a row, a column, and grids of other lengths") {
    Numbers number(29);
    int compared = 0;
    for (const auto& [mx, my] : {std::pair{48, 1}, {31, 8}, {32, 33}}) {
      CAPTURE(mx);
      compared += compare(number, solved_contacts(number, 3, mx, my, SmallContacts::forces, false));
    }
    CHECK(compared >= 8);
  }

  TEST_CASE("batch adjoint: proportional to the scalar, however large or small") {
    Numbers number(41);
    const SolvedBatch all = solved_contacts(number, 3, 9, 7, SmallContacts::forces, false);
    const auto gradients = [&](double size) {
      StepOutputs seed = seed_of_moment();
      seed.moment_z *= size;
      seed.pressure.assign(63, 1e-3 * size);
      const BatchScalars seeds(3, {seed});
      return solve_adjoints_under_test(
          {&all.batch, &all.solution.fields, &all.solution.reports, &seeds}, {});
    };
    const std::vector<AdjointSolution> one = gradients(1.0);
    for (const double size : {0x1p-700, 0x1p700}) {
      const std::vector<AdjointSolution> other = gradients(size);
      for (const std::size_t k : {0, 1, 2}) {
        REQUIRE(other[k].gradients.size() == 1);
        const StepInputs& expected = one[k].gradients.front();
        CHECK(other[k].gradients.front().stiffness == size * expected.stiffness);
        for (std::size_t i = 0; i < 63; ++i)
          CHECK(other[k].gradients.front().heights[i] == size * expected.heights[i]);
      }
    }
  }

  TEST_CASE("batch adjoint: contacts that did not converge have none, fields are made on request") {
    Numbers number(5);
    SolvedBatch all = solved_contacts(number, 3, 9, 7, SmallContacts::creepages, false);
    all.solution.reports[1].outcome = Outcome::not_converged;
    const std::vector<std::vector<StepOutputs>> seeds(3, {seed_of_moment()});
    AdjointOptions options;
    options.friction = false;
    const std::vector<AdjointSolution> found = solve_adjoints_under_test(
        {&all.batch, &all.solution.fields, &all.solution.reports, &seeds}, options);
    CHECK(found[1].gradients.empty());
    for (const std::size_t k : {0, 2}) {
      REQUIRE(found[k].gradients.size() == 1);
      CHECK(found[k].gradients[0].heights.size() == 63);
      CHECK(found[k].gradients[0].friction.empty());
    }
  }
}

}  // namespace slipfield::test
