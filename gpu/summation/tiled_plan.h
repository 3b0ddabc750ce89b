// SPDX-License-Identifier: Apache-2.0
// Division of the tiled product into tiles, by grid, shape and card. Apart from tiled_product.h
// because builds without CUDA have it too.
#pragma once

#include <cstddef>

#include "gpu/device/device_limits.h"
#include "solver/host_device.h"
#include "solver/influence/block.h"

namespace slipfield {

// Division of a product into tiles, by grid and shape.
struct TiledPlan {
  int outputs_x = 0;  // R: adjacent outputs in a row per lane; compiled into the kernel
  int lanes_x = 1;    // of a warp's 32 lanes, along x; the others along y
  int tiles_x = 0;    // tiles of (lanes_x R) x (32/lanes_x) outputs
  int tiles_y = 0;
  int piece_x = 0;  // sources that are in shared memory at a time
  int piece_y = 0;
  int pieces_x = 0;
  int pieces_y = 0;
  int warps = 8;             // of a block, which share the sources of a piece: 4 or 8
  int splits = 1;            // blocks (of one cluster) that share a tile's sources: at most 8
  bool test_pieces = false;  // test whether a piece is loaded before reading its coefficients
  int pitch = 0;             // of a coefficient row in shared memory
  int shared_bytes = 0;
};
// For the benchmark; 0: the measured best.
struct TiledTuning {
  int warps = 0;
  int splits = 0;
};
// Without clusters on the card no tile is split. Throws Error if even the smallest piece exceeds
// the card's shared memory.
TiledPlan make_tiled_plan(Block shape, int mx, int my, const DeviceLimits& card,
                          TiledTuning tuning = {});

// The most shared memory that a block of the tiled product requests.
std::size_t tiled_shared_limit(const DeviceLimits& card);

namespace tiled_detail {

// The tables that a shape reads, and the term from input `from` to output `to`.
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
