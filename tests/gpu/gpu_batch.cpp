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
}

}  // namespace slipfield
