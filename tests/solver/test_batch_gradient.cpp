// SPDX-License-Identifier: Apache-2.0
// Derivatives of the contacts of a batch against those of the single solver.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "app/bench/small_contacts.h"
#include "solver/batch/batch.h"
#include "solver/contact_solver.h"
#include "solver/gradient/batch_fields.h"
#include "solver/gradient/step_derivatives.h"

namespace slipfield {
namespace {

double furthest(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  double greatest = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    most = std::fmax(most, std::fabs(a[i] - b[i]));
    greatest = std::fmax(greatest, std::fabs(b[i]));
  }
  return most / std::fmax(greatest, 1e-300);
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE(
      "batch gradient: the single solver's, of creepages, forces, falling friction, pressure") {
    std::mt19937_64 engine(11);
    int compared = 0;
    for (const SmallContacts kind : {SmallContacts::creepages, SmallContacts::forces,
                                     SmallContacts::falling, SmallContacts::normal}) {
      ContactBatch batch;
      std::vector<ContactProblem> problems;
      for (int k = 0; k < 12; ++k) {
        problems.push_back(random_small_contact(engine, 13, 17, kind, 1e-10));
        add_to_batch(batch, problems.back());
      }
      BatchOptions options;
      options.fields = true;
      const BatchSolution solved = solve_batch_on_cpu(batch, options);
      for (std::size_t k = 0; k < problems.size(); ++k) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(k);
        const ContactProblem& problem = problems[k];
        const StepInput& step = problem.steps.front();
        const auto solver = make_cpu_solver(problem);
        const StepReport report = solver->advance(step);
        if (report.outcome != Outcome::converged || solved.reports[k].outcome != Outcome::converged)
          continue;
        StepDerivatives single(problem, step, solver->download(), report);
        StepDerivatives small(problem, step,
                              solution_of_batch(problem, solved.fields[k], solved.reports[k]),
                              solved.reports[k], nullptr, 1e-10);
        CHECK(small.near_change() == single.near_change());
        StepOutputs seed;
        seed.force_x = 1.0;
        seed.moment_z = 0.3;
        seed.approach = 1.0;
        seed.rigid_y = 1.0;
        const StepInputs one = small.gradient(seed);
        const StepInputs other = single.gradient(seed);
        // 1e-6: both solutions are exact to 1e-10 of their tractions
        CHECK(furthest(one.heights, other.heights) < 1e-6);
        CHECK(furthest(one.friction, other.friction) < 1e-6);
        CHECK(furthest({one.normal, one.stiffness}, {other.normal, other.stiffness}) < 1e-6);
        CHECK(furthest({one.tangential_x, one.tangential_y},
                       {other.tangential_x, other.tangential_y}) < 1e-6);
        ++compared;
      }
    }
    CHECK(compared >= 40);
  }
}

}  // namespace slipfield
