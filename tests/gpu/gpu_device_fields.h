// SPDX-License-Identifier: Apache-2.0
// Device copies of the tests' fields and tables.
#pragma once

#include <limits>

#include "gpu/device/device_array.h"
#include "gpu/device/fields.h"
#include "gpu/summation/tiled_product.h"
#include "tests/gpu/gpu_support.h"

namespace slipfield::test {

struct DeviceTables {
  std::array<DeviceArray<double>, kComponents> table;
  explicit DeviceTables(const Tables& host) {
    for (int c = 0; c < kComponents; ++c) table[c] = DeviceArray<double>(host[c]);
  }
  [[nodiscard]] CoefficientTables pointers() const {
    CoefficientTables tables;
    for (int c = 0; c < kComponents; ++c) tables.component[c] = table[c].data();
    return tables;
  }
};

// Inputs and poisoned outputs: an element that no kernel writes stays NaN and fails its test.
class DeviceFields {
 public:
  DeviceFields(const HostFields& host, std::size_t count) {
    const std::vector<double> poison(count, std::numeric_limits<double>::quiet_NaN());
    for (int d = 0; d < kDirections; ++d) {
      in_[d] = DeviceArray<double>(host[d]);
      out_[d] = DeviceArray<double>(poison);
    }
  }
  [[nodiscard]] ConstFields in(Block shape) const {
    ConstFields fields;
    for (int d = 0; d < kDirections; ++d)
      if (block_takes(shape, d)) fields.field[d] = in_[d].data();
    return fields;
  }
  [[nodiscard]] Fields out(Block shape) {
    Fields fields;
    for (int d = 0; d < kDirections; ++d)
      if (block_gives(shape, d)) fields.field[d] = out_[d].data();
    return fields;
  }
  [[nodiscard]] DeviceArray<double>& output(int direction) { return out_[direction]; }

 private:
  std::array<DeviceArray<double>, kDirections> in_;
  std::array<DeviceArray<double>, kDirections> out_;
};

inline Tables random_tables(Random& random, int mx, int my, bool symmetric) {
  Tables tables;
  constexpr int kParity[kComponents][2] = {{1, 1}, {1, 1}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}};
  for (int c = 0; c < kComponents; ++c)
    tables[c] =
        random_table(random, mx, my, symmetric ? kParity[c][0] : 0, symmetric ? kParity[c][1] : 0);
  return tables;
}

inline HostFields random_fields(Random& random, std::size_t count) {
  HostFields fields;
  for (auto& field : fields) field = random.values(count);
  return fields;
}

}  // namespace slipfield::test
