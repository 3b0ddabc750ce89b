// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/cpu/cpu_summation.h. The kernel is in gpu/summation/tiled_product.cu.

#include "gpu/summation/tiled_product.h"

#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include "gpu/device/cuda_check.h"
#include "gpu/device/current_device.h"
#include "gpu/device/launch_in_turn.cuh"

namespace slipfield {

// The kernel. Mirrors solver/cpu/cpu_summation.h.
//
// A warp computes a tile of 32 R outputs: each lane R neighbours in a row, the lanes side by side
// along x and y. For a source j every lane needs the coefficients at R neighbouring offsets; for
// source j+1 the same ones shifted by one, so a window of R coefficients slides through registers:
// R multiply-adds of each pair for one coefficient and one (broadcast) traction read from shared
// memory. The warps of a block, and up to eight blocks of a cluster, share a tile and its
// coefficients and take different sources; the sums are added through shared memory, always in the
// same order.
//
// Floor: 2 flop per coefficient and traction at the 33.1 TFLOP/s measured: 256^2 normal 0.259 ms,
// 512^2 4.15 ms. Shared memory: (2 + 0.5) wavefronts per R = 16 FMA of a warp, 31 % of its rate.
// Coefficients come through L2 once for about 100 multiply-adds.
// Measured (NVIDIA H200, CUDA 13.0): normal 256^2 0.446 ms, 19.3 TFLOP/s; 512^2 6.89 ms, 19.9;
// tangential 256^2 1.77 ms, 19.4; 512^2 25.0 ms, 22.0; small grids in
// gpu/backend/cuda_influence.cpp.

namespace tiled_detail {

// One pair of directions: acc[k] += sign coefficient(k - u) traction.
template <Block S, int kTo, int kFrom, int R>
__device__ __forceinline__ void add_term(double (&acc)[ShapeTraits<S>::kOut][R],
                                         const double (&window)[ShapeTraits<S>::kTables][R],
                                         const double (&traction)[ShapeTraits<S>::kIn], int u) {
  if constexpr (block_gives(S, kTo) && block_takes(S, kFrom)) {
    constexpr BlockTerm kTerm = block_term(kTo, kFrom);
    constexpr int kSlot = ShapeTraits<S>::slot(kTerm.component);
    constexpr int kOutput = ShapeTraits<S>::output(kTo);
    constexpr int kInput = ShapeTraits<S>::input(kFrom);
#pragma unroll
    for (int k = 0; k < R; ++k) {
      const double coefficient = window[kSlot][(k - u) & (R - 1)];
      acc[kOutput][k] =
          fma(kTerm.sign < 0.0 ? -coefficient : coefficient, traction[kInput], acc[kOutput][k]);
    }
  }
}

struct TiledArguments {
  const double* table[kComponents];  // by slot
  const double* in[kDirections];     // by input
  double* out[kDirections];          // by output
  int mx;
  int my;
  bool add;
  TiledPlan plan;
};

// Adds segments [begin, end), of R sources each, of one row of sources to this lane's sums.
template <Block S, int R>
__device__ __forceinline__ void sum_segments(double (&acc)[ShapeTraits<S>::kOut][R],
                                             const double* coefficients, int table_stride,
                                             const double* tractions, int traction_stride,
                                             int begin, int end) {
  using Traits = ShapeTraits<S>;
  constexpr int P = R + 1;  // padded: neighbouring lanes, R apart, are in different banks
  double window[Traits::kTables][R];
  const double* block = coefficients - begin * P;
#pragma unroll
  for (int c = 0; c < Traits::kTables; ++c) {
#pragma unroll
    for (int o = 1; o < R; ++o) window[c][o] = block[c * table_stride + o];
  }
#pragma unroll 1
  for (int segment = begin; segment < end; ++segment, block -= P) {
    const double* p = tractions + segment * R;
#pragma unroll
    for (int u = 0; u < R; u += 2) {
      double2 pair[Traits::kIn];
#pragma unroll
      for (int i = 0; i < Traits::kIn; ++i)
        pair[i] = *reinterpret_cast<const double2*>(p + i * traction_stride + u);
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int v = u + h;
        double traction[Traits::kIn];
#pragma unroll
        for (int i = 0; i < Traits::kIn; ++i) traction[i] = h == 0 ? pair[i].x : pair[i].y;
#pragma unroll
        for (int c = 0; c < Traits::kTables; ++c)
          window[c][(R - v) & (R - 1)] = block[c * table_stride + (v == 0 ? 0 : R - v - P)];
        add_term<S, 0, 0, R>(acc, window, traction, v);
        add_term<S, 0, 1, R>(acc, window, traction, v);
        add_term<S, 0, 2, R>(acc, window, traction, v);
        add_term<S, 1, 0, R>(acc, window, traction, v);
        add_term<S, 1, 1, R>(acc, window, traction, v);
        add_term<S, 1, 2, R>(acc, window, traction, v);
        add_term<S, 2, 0, R>(acc, window, traction, v);
        add_term<S, 2, 1, R>(acc, window, traction, v);
        add_term<S, 2, 2, R>(acc, window, traction, v);
      }
    }
  }
}

// A block's tile and this thread's place in it.
template <int R>
struct TilePlace {
  int lane, warp;
  int gx, gy;  // of the lane in the warp
  int lanes_y;
  int split;   // number among the blocks that share the tile
  int x0, y0;  // the tile's first output

  __device__ __forceinline__ explicit TilePlace(const TiledPlan& plan) {
    lane = threadIdx.x & 31;
    warp = threadIdx.x >> 5;
    lanes_y = 32 / plan.lanes_x;
    gx = lane & (plan.lanes_x - 1);
    gy = lane / plan.lanes_x;
    const int tile = blockIdx.x / plan.splits;
    split = blockIdx.x - tile * plan.splits;
    const int tile_y = tile / plan.tiles_x;
    const int tile_x = tile - tile_y * plan.tiles_x;
    x0 = tile_x * plan.lanes_x * R;
    y0 = tile_y * lanes_y;
  }
};

// A rectangle of the sources, and the places of its data in shared memory.
struct TilePiece {
  int first_x, first_y;
  double* tractions;
  double* coefficients;
  int traction_stride;  // from one field to the next
  int table_stride;     // from one table to the next
};

// Copies to shared memory are asynchronous: all of them are in flight before the first arrives.
template <Block S, int R, int kWarps>
__device__ __forceinline__ void load_tractions(const TiledArguments& a, const TilePlace<R>& place,
                                               const TilePiece& piece) {
  const TiledPlan& plan = a.plan;
  for (int row = place.warp; row < plan.piece_y; row += kWarps) {
    for (int x = place.lane; x < plan.piece_x; x += 32) {
      const bool inside = piece.first_x + x < a.mx && piece.first_y + row < a.my;
      const std::size_t from =
          inside ? static_cast<std::size_t>(piece.first_y + row) * a.mx + piece.first_x + x : 0;
#pragma unroll
      for (int i = 0; i < ShapeTraits<S>::kIn; ++i)
        __pipeline_memcpy_async(
            piece.tractions + i * piece.traction_stride + row * plan.piece_x + x, a.in[i] + from,
            sizeof(double), inside ? 0 : sizeof(double));
    }
  }
}

// Returns whether any source of the piece is loaded; waits for the tractions, with a barrier.
template <Block S, int R, int kWarps>
__device__ __forceinline__ bool piece_is_loaded(const TiledArguments& a, const TilePlace<R>& place,
                                                const TilePiece& piece) {
  const TiledPlan& plan = a.plan;
  __pipeline_commit();
  __pipeline_wait_prior(0);
  bool loaded = false;
  for (int row = place.warp; row < plan.piece_y; row += kWarps)
    for (int x = place.lane; x < plan.piece_x; x += 32)
#pragma unroll
      for (int i = 0; i < ShapeTraits<S>::kIn; ++i)
        loaded =
            loaded || piece.tractions[i * piece.traction_stride + row * plan.piece_x + x] != 0.0;
  return __syncthreads_or(loaded) != 0;
}

// Row r of the coefficients is offset dy = y0 - first_y - (piece_y - 1) + r, column i offset
// dx = x0 - first_x - piece_x + i. Waits for all copies, with a barrier.
template <Block S, int R, int kWarps>
__device__ __forceinline__ void load_coefficients(const TiledArguments& a,
                                                  const TilePlace<R>& place,
                                                  const TilePiece& piece) {
  const TiledPlan& plan = a.plan;
  const int rows = place.lanes_y + plan.piece_y - 1;
  const int width = (plan.lanes_x + plan.piece_x / R) * R;
  for (int row = place.warp; row < rows; row += kWarps) {
    const int dy = place.y0 - piece.first_y - (plan.piece_y - 1) + row;
    const bool row_inside = dy > -a.my && dy < a.my;
    const std::ptrdiff_t from =
        static_cast<std::ptrdiff_t>(dy + a.my - 1) * (2 * a.mx - 1) + a.mx - 1;
    double* to = piece.coefficients + row * plan.pitch;
    for (int i = place.lane; i < width; i += 32) {
      const int dx = place.x0 - piece.first_x - plan.piece_x + i;
      const bool inside = row_inside && dx > -a.mx && dx < a.mx;
#pragma unroll
      for (int c = 0; c < ShapeTraits<S>::kTables; ++c)
        __pipeline_memcpy_async(to + c * piece.table_stride + i + i / R,
                                a.table[c] + (inside ? from + dx : 0), sizeof(double),
                                inside ? 0 : sizeof(double));
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
}

// Adds this warp's share of the piece: segments of R sources, row after row.
template <Block S, int R, int kWarps>
__device__ __forceinline__ void sum_piece(double (&acc)[ShapeTraits<S>::kOut][R],
                                          const TiledArguments& a, const TilePlace<R>& place,
                                          const TilePiece& piece) {
  const TiledPlan& plan = a.plan;
  const int segments = (min(plan.piece_x, a.mx - piece.first_x) + R - 1) / R;
  const int all = segments * min(plan.piece_y, a.my - piece.first_y);
  const double* lane_coefficients = piece.coefficients + (place.gx + plan.piece_x / R) * (R + 1) +
                                    (place.gy + plan.piece_y - 1) * plan.pitch;
  int segment = all * place.warp / kWarps;
  const int stop = all * (place.warp + 1) / kWarps;
  while (segment < stop) {
    const int row = segment / segments;
    const int begin = segment - row * segments;
    const int end = min(segments, begin + stop - segment);
    sum_segments<S, R>(acc, lane_coefficients - row * plan.pitch, piece.table_stride,
                       piece.tractions + row * plan.piece_x, piece.traction_stride, begin, end);
    segment += end - begin;
  }
}

// Output number `value` of the tile.
template <int R>
__device__ __forceinline__ void write_output(const TiledArguments& a, const TilePlace<R>& place,
                                             int o, int value, double total) {
  const int tile_width = a.plan.lanes_x * R;
  const int y = value / tile_width;
  const int x = value - y * tile_width;
  if (place.x0 + x < a.mx && place.y0 + y < a.my) {
    double* out = a.out[o] + static_cast<std::size_t>(place.y0 + y) * a.mx + place.x0 + x;
    *out = a.add ? *out + total : total;
  }
}

// Sums over the warps, then over the blocks of the cluster. A lane's sums are 33 words apart, so
// that neither side has bank conflicts.
template <Block S, int R, int kWarps>
__device__ __forceinline__ void add_up_tile(const double (&acc)[ShapeTraits<S>::kOut][R],
                                            const TiledArguments& a, const TilePlace<R>& place,
                                            double* sums) {
  constexpr int kOut = ShapeTraits<S>::kOut;
  constexpr int kThreads = 32 * kWarps;
  constexpr int kValues = kOut * R;  // of a lane
  constexpr int kTile = 32 * R;      // outputs of one direction
  const TiledPlan& plan = a.plan;
#pragma unroll
  for (int o = 0; o < kOut; ++o) {
#pragma unroll
    for (int k = 0; k < R; ++k)
      sums[(place.warp * kValues + o * R + k) * 33 + place.lane] = acc[o][k];
  }
  __syncthreads();
  const int tile_width = plan.lanes_x * R;
  double* block_sums = sums + kWarps * kValues * 33;
  for (int i = threadIdx.x; i < kOut * kTile; i += kThreads) {
    const int o = i / kTile;
    const int value = i - o * kTile;
    const int y = value / tile_width;
    const int x = value - y * tile_width;
    const int from = (o * R + x % R) * 33 + y * plan.lanes_x + x / R;
    double total = 0.0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) total += sums[w * kValues * 33 + from];
    if (plan.splits == 1) {
      write_output(a, place, o, value, total);
    } else {
      block_sums[i] = total;
    }
  }
  if (plan.splits == 1) return;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // on older cards make_tiled_plan never splits
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  cluster.sync();
  for (int i = place.split * kThreads + threadIdx.x; i < kOut * kTile;
       i += plan.splits * kThreads) {
    double part[8];
#pragma unroll
    for (int b = 0; b < 8; ++b)
      part[b] = b < plan.splits ? cluster.map_shared_rank(block_sums, b)[i] : 0.0;
    double total = part[0];
#pragma unroll
    for (int b = 1; b < 8; ++b) total += part[b];
    const int o = i / kTile;
    write_output(a, place, o, i - o * kTile, total);
  }
  cluster.sync();  // the others still read this block's sums
#endif
}

// Registers: windows and sums, 2 R (tables + outputs), of at most 255.
template <Block S, int R, int kWarps>
__global__ void __launch_bounds__(32 * kWarps)
    tiled_kernel(const __grid_constant__ TiledArguments a) {
  using Traits = ShapeTraits<S>;
  extern __shared__ double2 shared_aligned[];
  const TiledPlan& plan = a.plan;
  const TilePlace<R> place(plan);
  double* shared = reinterpret_cast<double*>(shared_aligned);
  begin_in_turn();
  TilePiece piece;
  piece.table_stride = (place.lanes_y + plan.piece_y - 1) * plan.pitch;
  piece.traction_stride = plan.piece_x * plan.piece_y;
  piece.tractions = shared;
  piece.coefficients = shared + Traits::kIn * piece.traction_stride;

  double acc[Traits::kOut][R];
#pragma unroll
  for (int o = 0; o < Traits::kOut; ++o) {
#pragma unroll
    for (int k = 0; k < R; ++k) acc[o][k] = 0.0;
  }

  const int pieces = plan.pieces_x * plan.pieces_y;
  for (int number = place.split; number < pieces; number += plan.splits) {
    const int piece_row = number / plan.pieces_x;
    piece.first_x = (number - piece_row * plan.pieces_x) * plan.piece_x;
    piece.first_y = piece_row * plan.piece_y;
    load_tractions<S, R, kWarps>(a, place, piece);
    if (plan.test_pieces && !piece_is_loaded<S, R, kWarps>(a, place, piece)) continue;
    load_coefficients<S, R, kWarps>(a, place, piece);
    sum_piece<S, R, kWarps>(acc, a, place, piece);
    __syncthreads();
  }
  add_up_tile<S, R, kWarps>(acc, a, place, shared);
}

}  // namespace tiled_detail

namespace {

using tiled_detail::ShapeTraits;
using tiled_detail::TiledArguments;

template <Block S, int R, int kWarps>
void launch_with(TiledArguments arguments, const CoefficientTables& tables, const ConstFields& in,
                 const Fields& out, cudaStream_t stream) {
  using Traits = ShapeTraits<S>;
  for (int c = 0; c < kComponents; ++c)
    if (Traits::needs(c)) arguments.table[Traits::slot(c)] = tables.component[c];
  for (int d = 0; d < kDirections; ++d) {
    if (block_takes(S, d)) arguments.in[Traits::input(d)] = in.field[d];
    if (block_gives(S, d)) arguments.out[Traits::output(d)] = out.field[d];
  }
  const TiledPlan& plan = arguments.plan;
  Launch how;
  how.blocks = dim3(plan.splits * plan.tiles_x * plan.tiles_y);
  how.threads = 32 * kWarps;
  how.shared_bytes = static_cast<std::size_t>(plan.shared_bytes);
  how.cluster = static_cast<unsigned>(plan.splits);
  how.overlap = runs_fused_fft(current_limits());
  launch_kernel(tiled_detail::tiled_kernel<S, R, kWarps>, how, stream, arguments);
}

template <Block S, int R>
void launch(const TiledArguments& arguments, const CoefficientTables& tables, const ConstFields& in,
            const Fields& out, cudaStream_t stream) {
  if (arguments.plan.warps == 4) {
    launch_with<S, R, 4>(arguments, tables, in, out, stream);
  } else {
    launch_with<S, R, 8>(arguments, tables, in, out, stream);
  }
}

template <Block S, int R>
void allow_shared_memory(const DeviceLimits& card) {
  const int bytes = static_cast<int>(tiled_shared_limit(card));
  for (auto* kernel : {tiled_detail::tiled_kernel<S, R, 4>, tiled_detail::tiled_kernel<S, R, 8>})
    SLIPFIELD_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

}  // namespace

// A column is treated as a row: both are contiguous in memory.
TiledProduct::TiledProduct(int mx, int my, cudaStream_t /*stream*/, TiledTuning tuning)
    : card_(current_limits()), mx_(mx == 1 ? my : mx), my_(mx == 1 ? 1 : my), tuning_(tuning) {
  allow_shared_memory<Block::normal, 8>(card_);
  allow_shared_memory<Block::normal, 16>(card_);
  allow_shared_memory<Block::tangential, 8>(card_);
  allow_shared_memory<Block::full, 8>(card_);
  allow_shared_memory<Block::normal_from_tangential, 8>(card_);
  allow_shared_memory<Block::tangential_from_normal, 8>(card_);
}

void TiledProduct::apply(Block shape, const CoefficientTables& tables, const ConstFields& in,
                         const Fields& out, cudaStream_t stream, Accumulate accumulate) const {
  TiledArguments arguments{};
  arguments.mx = mx_;
  arguments.my = my_;
  arguments.add = accumulate == Accumulate::yes;
  arguments.plan = make_tiled_plan(shape, mx_, my_, card_, tuning_);
  switch (shape) {
    case Block::normal:
      if (arguments.plan.outputs_x == 16) {
        launch<Block::normal, 16>(arguments, tables, in, out, stream);
      } else {
        launch<Block::normal, 8>(arguments, tables, in, out, stream);
      }
      break;
    case Block::tangential:
      launch<Block::tangential, 8>(arguments, tables, in, out, stream);
      break;
    case Block::full:
      launch<Block::full, 8>(arguments, tables, in, out, stream);
      break;
    case Block::normal_from_tangential:
      launch<Block::normal_from_tangential, 8>(arguments, tables, in, out, stream);
      break;
    case Block::tangential_from_normal:
      launch<Block::tangential_from_normal, 8>(arguments, tables, in, out, stream);
      break;
  }
}

}  // namespace slipfield
