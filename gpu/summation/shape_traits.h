// SPDX-License-Identifier: Apache-2.0
// What a product's shape means for the tiled product, at compile time.
#pragma once

#include "gpu/device/fields.h"
#include "solver/host_device.h"

namespace slipfield {
namespace tiled_detail {

// Which tables a shape reads, and which term takes input `from` to output `to`.
template <Block S>
struct ShapeTraits {
  SLIPFIELD_HD static constexpr bool needs(int component) {
    for (int to = 0; to < kDirections; ++to)
      for (int from = 0; from < kDirections; ++from)
        if (block_gives(S, to) && block_takes(S, from) &&
            block_term(to, from).component == component)
          return true;
    return false;
  }
  SLIPFIELD_HD static constexpr int slot(int component) {  // index among the tables that are needed
    int before = 0;
    for (int c = 0; c < component; ++c) before += needs(c) ? 1 : 0;
    return before;
  }
  static constexpr int kTables = slot(kComponents);
  SLIPFIELD_HD static constexpr int input(int direction) {
    int before = 0;
    for (int d = 0; d < direction; ++d) before += block_takes(S, d) ? 1 : 0;
    return before;
  }
  SLIPFIELD_HD static constexpr int output(int direction) {
    int before = 0;
    for (int d = 0; d < direction; ++d) before += block_gives(S, d) ? 1 : 0;
    return before;
  }
  static constexpr int kIn = input(kDirections);
  static constexpr int kOut = output(kDirections);
};

}  // namespace tiled_detail
}  // namespace slipfield
