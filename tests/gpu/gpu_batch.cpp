// Batches of small contacts on the GPU against the CPU's.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "gpu/cuda_device.h"
#include "solver/batch/batch.h"
#include "tests/support/batch_contacts.h"

namespace slipfield {

using test::BatchKind;

TEST_SUITE("gpu") {
  TEST_CASE("batch on the GPU: totals and division of the CPU's for every length of transform") {
    struct Set {
      int mx, my;
      BatchKind kind;
    };
    constexpr std::array<Set, 10> kSets{{{32, 32, BatchKind::creepages},
                                         {32, 32, BatchKind::forces},
                                         {48, 48, BatchKind::creepages},
                                         {48, 48, BatchKind::forces},
                                         {20, 24, BatchKind::rough_gap},
                                         {16, 9, BatchKind::forces},
                                         {8, 7, BatchKind::creepages},
                                         {48, 1, BatchKind::creepages},
                                         {11, 13, BatchKind::normal},
                                         {33, 31, BatchKind::rough_gap}}};
    test::Random random(17);
    std::vector<ContactProblem> problems;
    Batch batch;
    for (int i = 0; i < 6; ++i) {
      for (const Set& set : kSets) {
        problems.push_back(test::random_small_contact(random, set.mx, set.my, set.kind));
        add_to_batch(batch, problems.back());
      }
    }
    BatchOptions options;
    options.fields = true;
    const BatchResult gpu = solve_batch_on_cuda(batch, options);
    const BatchResult cpu = solve_batch_on_cpu(batch, options);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      CAPTURE(i);
      REQUIRE(cpu.reports[i].outcome == Outcome::converged);
      REQUIRE(gpu.reports[i].outcome == Outcome::converged);
      // Both stop where a change is under 1e-9, and the change still to come may be some times it.
      CHECK(test::batch_difference(problems[i], gpu.reports[i], cpu.reports[i]) <= 1e-7);
      CHECK(gpu.fields[i].element_division == cpu.fields[i].element_division);
    }
    const BatchResult again = solve_batch_on_cuda(batch, options);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      CHECK(again.reports[i].force_x == gpu.reports[i].force_x);
      CHECK(again.fields[i].traction_y == gpu.fields[i].traction_y);
    }
  }
}

}  // namespace slipfield
