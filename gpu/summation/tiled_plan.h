// SPDX-License-Identifier: Apache-2.0
// Division of the tiled product into tiles, by grid, shape and card.
#pragma once

#include <cstddef>

#include "gpu/device/device_limits.h"
#include "gpu/device/fields.h"

namespace slipfield {

// Division of a product into tiles, by grid and shape.
struct TiledPlan {
  int outputs_x = 0;  // R: neighbours in a row that a lane sums; compiled into the kernel
  int lanes_x = 1;    // of a warp's 32 lanes, along x; the others along y
  int tiles_x = 0;    // tiles of (lanes_x R) x (32/lanes_x) outputs
  int tiles_y = 0;
  int piece_x = 0;  // sources that are in shared memory at a time
  int piece_y = 0;
  int pieces_x = 0;
  int pieces_y = 0;
  int warps = 8;             // of a block, which share the sources of a piece: 4 or 8
  int splits = 1;            // blocks (of one cluster) that share a tile's sources: at most 8
  bool test_pieces = false;  // look whether a piece is loaded before reading its coefficients
  int pitch = 0;             // of a coefficient row in shared memory
  int shared_bytes = 0;
};
// For the benchmark; 0: as measured best.
struct TiledTuning {
  int warps = 0;
  int splits = 0;
};
// For a card without clusters no tile is split. Throws Error where even the smallest piece is too
// large for the card's shared memory.
TiledPlan make_tiled_plan(Block shape, int mx, int my, const DeviceLimits& card,
                          TiledTuning tuning = {});

// Shared memory that a block of the tiled product asks for at most.
std::size_t tiled_shared_limit(const DeviceLimits& card);

}  // namespace slipfield
