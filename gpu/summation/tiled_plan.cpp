// SPDX-License-Identifier: Apache-2.0
#include "gpu/summation/tiled_plan.h"

#include <algorithm>

#include "solver/error.h"
#include "solver/memory_estimate.h"

namespace slipfield {

namespace {

using tiled_detail::ShapeTraits;

constexpr std::size_t kSharedLimit = 200 * 1024;
constexpr std::size_t kSharedWanted = 100 * 1024;  // two blocks on an H200's multiprocessor

struct ShapeNumbers {
  int tables;
  int in;
  int out;
};

template <Block S>
constexpr ShapeNumbers numbers_of() {
  using Traits = ShapeTraits<S>;
  return {Traits::kTables, Traits::kIn, Traits::kOut};
}

ShapeNumbers numbers(Block shape) {
  switch (shape) {
    case Block::normal:
      return numbers_of<Block::normal>();
    case Block::tangential:
      return numbers_of<Block::tangential>();
    case Block::full:
      return numbers_of<Block::full>();
    case Block::normal_from_tangential:
      return numbers_of<Block::normal_from_tangential>();
    case Block::tangential_from_normal:
      return numbers_of<Block::tangential_from_normal>();
  }
  return {};
}

int ceil_div(int a, int b) { return (a + b - 1) / b; }

// The pitch that places the lanes of a half-warp in 16 different banks.
int conflict_free_pitch(int least, int lanes_x) {
  int pitch = least;
  while (lanes_x < 16 && pitch % 16 != lanes_x) ++pitch;
  return pitch;
}

// Numbers that a block adds in the end.
int sums_of(const TiledPlan& plan, const ShapeNumbers& n) {
  return n.out * plan.outputs_x * (33 * plan.warps + 32);
}

void set_pieces(TiledPlan& plan, const ShapeNumbers& n, int mx, int my, int piece_x, int piece_y) {
  plan.piece_x = piece_x;
  plan.piece_y = piece_y;
  plan.pieces_x = ceil_div(mx, piece_x);
  plan.pieces_y = ceil_div(my, piece_y);
  const int outputs = plan.outputs_x;
  plan.pitch =
      conflict_free_pitch((plan.lanes_x + piece_x / outputs) * (outputs + 1), plan.lanes_x);
  const int rows = 32 / plan.lanes_x + piece_y - 1;
  const int tile = n.tables * rows * plan.pitch + n.in * piece_x * piece_y;
  plan.shared_bytes = static_cast<int>(sizeof(double)) * std::max(tile, sums_of(plan, n));
}

// Shrinks the pieces until two blocks fit on a multiprocessor, or until one does.
void fit_shared_memory(TiledPlan& plan, const ShapeNumbers& n, int mx, int my,
                       const DeviceLimits& card) {
  const auto bytes = [&] { return static_cast<std::size_t>(plan.shared_bytes); };
  const std::size_t wanted = std::max(std::min(kSharedWanted, shared_for_two_blocks(card)),
                                      sizeof(double) * static_cast<std::size_t>(sums_of(plan, n)));
  while (bytes() > wanted && plan.piece_y > 1)
    set_pieces(plan, n, mx, my, plan.piece_x, ceil_div(plan.piece_y, 2));
  const std::size_t limit = tiled_shared_limit(card);
  while (bytes() > limit && plan.piece_x > plan.outputs_x) {
    const int half = ceil_div(plan.piece_x, 2 * plan.outputs_x) * plan.outputs_x;
    set_pieces(plan, n, mx, my, half, plan.piece_y);
  }
  if (bytes() > limit)
    throw Error("tiled influence needs " + readable_bytes(bytes()) +
                " of shared memory for a block, and " + card.name + " gives " +
                readable_bytes(limit) + "; accepted: influence by FFT, or the backend cpu");
}

}  // namespace

std::size_t tiled_shared_limit(const DeviceLimits& card) {
  return std::min(kSharedLimit, card.shared_per_block);
}

TiledPlan make_tiled_plan(Block shape, int mx, int my, const DeviceLimits& card,
                          TiledTuning tuning) {
  const ShapeNumbers n = numbers(shape);
  TiledPlan plan;
  const long elements = static_cast<long>(mx) * my;
  const bool large = elements >= (my == 1 ? 32768 : 8192);
  plan.outputs_x = shape == Block::normal && large ? 16 : 8;
  plan.warps = tuning.warps != 0 ? tuning.warps : (large ? 4 : 8);
  // The tile that wastes the fewest lanes; among equals the squarer one (the fewest coefficients).
  int tiles = 0;
  const int square = plan.outputs_x == 16 ? 2 : 4;  // 32 x 16, 32 x 8
  for (const int lanes_x : {square * 2, square, square / 2, square * 4, square * 8, 32, 1}) {
    if (lanes_x > 32) continue;
    const int count = ceil_div(mx, lanes_x * plan.outputs_x) * ceil_div(my, 32 / lanes_x);
    if (tiles == 0 || count < tiles) {
      tiles = count;
      plan.lanes_x = lanes_x;
    }
  }
  plan.tiles_x = ceil_div(mx, plan.lanes_x * plan.outputs_x);
  plan.tiles_y = ceil_div(my, 32 / plan.lanes_x);
  // Uses more blocks per tile while multiprocessors are idle.
  const int wanted_blocks = 2 * card.multiprocessors * 8 / plan.warps;
  int splits = 1;
  const int most_splits = largest_cluster(card);
  while (splits < most_splits && tiles * splits < wanted_blocks) splits *= 2;
  if (tuning.splits != 0) splits = std::min(tuning.splits, most_splits);

  // Pieces of about 64 x 16 sources in equal shares of the grid, so many that each block of a
  // cluster gets the same number.
  const int pieces_x =
      my == 1 ? std::max(ceil_div(mx, 256), std::min(splits, ceil_div(mx, 64))) : ceil_div(mx, 96);
  const int piece_x = ceil_div(ceil_div(mx, pieces_x), plan.outputs_x) * plan.outputs_x;
  int pieces_y = ceil_div(my, n.tables > 3 ? 8 : 16);
  const int whole = ceil_div(mx, piece_x);
  if (pieces_y * whole < 8 * splits && my > 1)
    pieces_y = std::min(my, ceil_div(ceil_div(pieces_y * whole, splits) * splits, whole));
  set_pieces(plan, n, mx, my, piece_x, ceil_div(my, pieces_y));
  fit_shared_memory(plan, n, mx, my, card);
  const int pieces = plan.pieces_x * plan.pieces_y;
  plan.splits = std::min(splits, pieces);
  plan.test_pieces = pieces > plan.splits;
  return plan;
}

}  // namespace slipfield
