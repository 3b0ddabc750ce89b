// SPDX-License-Identifier: Apache-2.0
// Random numbers for tests: the same on every machine and standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace slipfield::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11U) * 0x1.0p-53);
  }
  std::vector<double> field(std::size_t count, double low = -1.0, double high = 1.0) {
    std::vector<double> values(count);
    for (double& value : values) value = uniform(low, high);
    return values;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace slipfield::test
