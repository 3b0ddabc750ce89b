// SPDX-License-Identifier: Apache-2.0
// Batches of small contacts on the GPU against the CPU's.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "app/bench/small_contacts.h"
#include "gpu/cuda_device.h"
#include "solver/batch/batch.h"
#include "solver/surface/surface_fields.h"
#include "tests/support/field_difference.h"

namespace slipfield {
namespace {

// Tractions and slip of single elements, of which the worst comes after 1e-9 of the whole.
void check_elements(const ContactProblem& problem, const StepReport& report, const BatchFields& gpu,
                    const BatchFields& cpu) {
  CHECK(gpu.element_division == cpu.element_division);
  const test::FieldDifference apart = test::field_difference(problem, report, gpu, cpu);
  CHECK(apart.tractions <= 1e-6);
  CHECK(apart.slip <= 1e-6);
}

std::vector<double> worn(ContactProblem problem, const BatchFields& fields, StepReport report) {
  WearRequest wear;
  wear.coefficient.value = {1.0e-4};
  wear.hardness = 3000.0;
  problem.surface.wear = wear;
  ContactSolution solution = fields.solution();
  add_surface(problem, problem.steps.front(), solution, report);
  return solution.wear_profile;
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE(
      "batch on the GPU: totals, tractions, slip and division of the CPU's for every length of "
      "transform") {
    struct Set {
      int mx, my;
      SmallContacts kind;
    };
    constexpr std::array<Set, 12> kSets{{{24, 24, SmallContacts::falling},
                                         {24, 20, SmallContacts::falling_forces},
                                         {32, 32, SmallContacts::creepages},
                                         {32, 32, SmallContacts::forces},
                                         {48, 48, SmallContacts::creepages},
                                         {48, 48, SmallContacts::forces},
                                         {20, 24, SmallContacts::wavy_gap},
                                         {16, 9, SmallContacts::forces},
                                         {8, 7, SmallContacts::creepages},
                                         {48, 1, SmallContacts::creepages},
                                         {11, 13, SmallContacts::normal},
                                         {33, 31, SmallContacts::wavy_gap}}};
    std::mt19937_64 engine(17);
    std::vector<ContactProblem> problems;
    ContactBatch batch;
    for (int i = 0; i < 6; ++i) {
      for (const Set& set : kSets) {
        problems.push_back(random_small_contact(engine, set.mx, set.my, set.kind, 1e-9));
        add_to_batch(batch, problems.back());
      }
    }
    BatchOptions options;
    options.fields = true;
    const BatchSolution gpu = solve_batch_on_cuda(batch, options);
    const BatchSolution cpu = solve_batch_on_cpu(batch, options);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      CAPTURE(i);
      REQUIRE(cpu.reports[i].outcome == Outcome::converged);
      REQUIRE(gpu.reports[i].outcome == Outcome::converged);
      // Both stop where a change is under 1e-9, and the change still to come may be some times it.
      CHECK(total_difference(problems[i], gpu.reports[i], cpu.reports[i]) <= 1e-7);
      check_elements(problems[i], cpu.reports[i], gpu.fields[i], cpu.fields[i]);
    }
    const BatchSolution again = solve_batch_on_cuda(batch, options);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      CHECK(again.reports[i].force_x == gpu.reports[i].force_x);
      CHECK(again.fields[i].traction_y == gpu.fields[i].traction_y);
      CHECK(again.fields[i].slip_x == gpu.fields[i].slip_x);
    }
  }

  TEST_CASE(
      "batch on the GPU: what rolling contacts wear is what it is on the CPU, at given creepages "
      "and forces, and without fields the totals and the pressure are the same") {
    std::mt19937_64 engine(19);
    std::vector<ContactProblem> problems;
    ContactBatch batch;
    for (int i = 0; i < 4; ++i)
      for (const SmallContacts kind :
           {SmallContacts::creepages, SmallContacts::forces, SmallContacts::falling,
            SmallContacts::falling_forces, SmallContacts::wavy_gap}) {
        problems.push_back(random_small_contact(engine, 26 + i, 19 + 3 * i, kind, 1e-9));
        add_to_batch(batch, problems.back());
      }
    const auto solve = make_cuda_batches().solve;
    BatchOptions pressures;
    pressures.pressures = true;
    const BatchSolution without = solve(batch, pressures);
    BatchOptions options;
    options.fields = true;
    const BatchSolution gpu = solve(batch, options);
    const BatchSolution cpu = solve_batch_on_cpu(batch, options);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      CAPTURE(i);
      REQUIRE(cpu.reports[i].outcome == Outcome::converged);
      REQUIRE(gpu.reports[i].outcome == Outcome::converged);
      check_elements(problems[i], cpu.reports[i], gpu.fields[i], cpu.fields[i]);
      CHECK(without.reports[i].force_x == gpu.reports[i].force_x);
      CHECK(without.fields[i].pressure == gpu.fields[i].pressure);
      CHECK(without.fields[i].slip_x.empty());
      const std::vector<double> one = worn(problems[i], gpu.fields[i], gpu.reports[i]);
      const std::vector<double> two = worn(problems[i], cpu.fields[i], cpu.reports[i]);
      REQUIRE(one.size() == two.size());
      double greatest = 0.0;
      for (const double depth : two) greatest = std::fmax(greatest, depth);
      CHECK(greatest > 0.0);
      for (std::size_t row = 0; row < two.size(); ++row)
        CHECK(std::fabs(one[row] - two[row]) <= 2e-6 * greatest);  // pressure times slip
    }
  }

  TEST_CASE(
      "batch on the GPU: grids of up to 96 elements, in shared memory and out of it, batch after "
      "batch and from the pressures of the one before") {
    struct Set {
      int mx, my;
      SmallContacts kind;
    };
    constexpr std::array<Set, 7> kSets{{{51, 33, SmallContacts::creepages},
                                        {47, 62, SmallContacts::wavy_gap},
                                        {45, 70, SmallContacts::forces},
                                        {43, 91, SmallContacts::creepages},
                                        {70, 72, SmallContacts::normal},
                                        {96, 96, SmallContacts::creepages},
                                        {24, 20, SmallContacts::falling}}};
    std::mt19937_64 engine(18);
    std::vector<ContactProblem> problems;
    ContactBatch batch;
    for (int i = 0; i < 2; ++i) {
      for (const Set& set : kSets) {
        problems.push_back(random_small_contact(engine, set.mx, set.my, set.kind, 1e-9));
        add_to_batch(batch, problems.back(), kMostBatchElements);
      }
    }
    BatchOptions options;
    options.fields = true;
    const BatchSolution cpu = solve_batch_on_cpu(batch, options);
    const auto solve = make_cuda_batches().solve;
    const BatchSolution gpu = solve(batch, options);
    BatchOptions pressures;
    pressures.pressures = true;
    const BatchSolution again = solve(batch, pressures);
    ContactBatch started = batch;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      started.contacts[i].start = started.shapes.size();
      started.shapes.push_back(cpu.fields[i].pressure);
    }
    const BatchSolution next = solve(started, pressures);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      CAPTURE(i);
      REQUIRE(cpu.reports[i].outcome == Outcome::converged);
      REQUIRE(gpu.reports[i].outcome == Outcome::converged);
      REQUIRE(next.reports[i].outcome == Outcome::converged);
      CHECK(total_difference(problems[i], gpu.reports[i], cpu.reports[i]) <= 1e-7);  // as above
      check_elements(problems[i], cpu.reports[i], gpu.fields[i], cpu.fields[i]);
      CHECK(again.fields[i].pressure == gpu.fields[i].pressure);
      CHECK(again.fields[i].traction_x.empty());
      CHECK(total_difference(problems[i], next.reports[i], cpu.reports[i]) <= 1e-7);
      CHECK(next.reports[i].iterations_normal <= 2);
      CHECK(cpu.reports[i].iterations_normal > 2);
    }
  }
}

}  // namespace slipfield
