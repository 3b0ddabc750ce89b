// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

// Sums whose order shows in the last bits.
struct HarmonicSums {
  static constexpr int kSums = 3;
  const double* values = nullptr;
  double* out = nullptr;
  void element(std::size_t i, double* sums) const {
    sums[0] += values[i];
    sums[1] += values[i] * values[i];
    sums[2] += 1.0 / (1.0 + static_cast<double>(i));
  }
  void finish(const double* sums) const { std::copy_n(sums, 3, out); }
};

TEST_SUITE("unit") {
  TEST_CASE(
      "element operations: every element once, and 2 threads give the sums of 1, bit for bit") {
    test::Random random(18);
    const int threads = omp_get_max_threads();
    for (const std::size_t count : {1U, 4096U, 4097U, 40961U, 131071U}) {
      const std::vector<double> values = random.field(count);
      std::array<double, 3> one{};
      std::array<double, 3> two{};
      CpuBackend backend;
      omp_set_num_threads(1);
      backend.run(count, HarmonicSums{values.data(), one.data()});
      omp_set_num_threads(2);
      backend.run(count, HarmonicSums{values.data(), two.data()});
      CHECK(one == two);
      long double sum = 0.0L;
      for (const double value : values) sum += value;
      // Rounding of count terms below 1.
      CHECK(std::abs(one[0] - static_cast<double>(sum)) <=
            1e-16 * static_cast<double>(count) + 1e-15);
    }
    omp_set_num_threads(threads);
  }
}

}  // namespace
}  // namespace slipfield
