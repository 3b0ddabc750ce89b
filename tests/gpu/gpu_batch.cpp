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

namespace slipfield {

TEST_SUITE("gpu") {
  TEST_CASE("batch on the GPU: totals and division of the CPU's for every length of transform") {
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
      CHECK(gpu.fields[i].element_division == cpu.fields[i].element_division);
    }
    const BatchSolution again = solve_batch_on_cuda(batch, options);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      CHECK(again.reports[i].force_x == gpu.reports[i].force_x);
      CHECK(again.fields[i].traction_y == gpu.fields[i].traction_y);
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
    const CudaBatchSolver solve = make_cuda_batch_solver();
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
      CHECK(gpu.fields[i].element_division == cpu.fields[i].element_division);
      CHECK(again.fields[i].pressure == gpu.fields[i].pressure);
      CHECK(again.fields[i].traction_x.empty());
      CHECK(total_difference(problems[i], next.reports[i], cpu.reports[i]) <= 1e-7);
      CHECK(next.reports[i].iterations_normal <= 2);
      CHECK(cpu.reports[i].iterations_normal > 2);
    }
  }
}

}  // namespace slipfield
