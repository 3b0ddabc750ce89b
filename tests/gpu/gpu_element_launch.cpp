// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "gpu/bench/measured.h"
#include "tests/gpu/gpu_device_fields.h"
#include "tests/gpu/gpu_support.h"

namespace slipfield::test {

TEST_SUITE("gpu") {
  TEST_CASE("reductions: every variant sums x.y, the same bits in every run") {
    for (const std::size_t n :
         {1u, 31u, 32u, 33u, 256u, 257u, 2048u, 2049u, 4096u, 65537u, 1000003u}) {
      CAPTURE(n);
      Random random(n);
      const std::vector<double> x = random.values(n);
      const std::vector<double> y = random.values(n);
      long double expected = 0.0L;
      long double size = 0.0L;
      for (std::size_t i = 0; i < n; ++i) {
        expected += static_cast<long double>(x[i]) * y[i];
        size += std::fabs(static_cast<long double>(x[i]) * y[i]);
      }
      const DeviceArray<double> device_x(x);
      const DeviceArray<double> device_y(y);
      DeviceArray<double> workspace(study_reduction_workspace(n));
      workspace.zero();
      DeviceArray<double> sum(1);
      for (int variant = 0; variant < kStudyReductions; ++variant) {
        CAPTURE(variant);
        double first = 0.0;
        for (int run = 0; run < 4; ++run) {
          sum.upload(std::vector{std::numeric_limits<double>::quiet_NaN()});
          study_reduction(static_cast<StudyReduction>(variant), device_x.data(), device_y.data(), n,
                          workspace.data(), sum.data(), nullptr);
          const double found = sum.download()[0];
          if (run == 0) first = found;
          CHECK(found == first);
        }
        // Pairwise sums: log2(n) roundings of partial sums below |x|.|y|.
        CHECK(std::fabs(static_cast<double>(first - expected)) <=
              1e-14 * static_cast<double>(size));
      }
    }
  }

  TEST_CASE("study products: equal direct summation") {
    for (const GridSize size : kAwkwardSizes) {
      const std::size_t count = static_cast<std::size_t>(size.mx) * size.my;
      Random random(count);
      Tables tables;
      for (auto& table : tables) table = random_table(random, size.mx, size.my, 0, 0);
      const HostFields host = random_fields(random, count);
      const DeviceTables device_tables(tables);
      const std::size_t stride = count < 3000 ? 1 : 41;
      const auto expected =
          summed_product(Block::normal, 2, tables, host, size.mx, size.my, stride);
      for (const StudyProduct variant :
           {StudyProduct::global_memory, StudyProduct::one_row_tiles}) {
        DeviceFields fields(host, count);
        study_product(variant, device_tables.table[0].data(), fields.in(Block::normal).field[2],
                      size.mx, size.my, fields.output(2).data(), nullptr);
        CHECK(relative_difference(fields.output(2).download(), expected, stride) < 1e-13);
      }
    }
  }
}

}  // namespace slipfield::test
