// Mirrors solver/cpu/cpu_direct_product.h. The kernel is in gpu/summation/tiled_kernel.cuh.
#include "gpu/summation/tiled_product.h"

#include <algorithm>

#include "gpu/device/cuda_check.h"
#include "gpu/summation/tiled_kernel.cuh"

namespace slipfield {

namespace {

using tiled_detail::ShapeTraits;
using tiled_detail::TiledArguments;

constexpr int kSharedLimit = 200 * 1024;
constexpr int kSharedWanted = 100 * 1024;  // two blocks on a multiprocessor

struct ShapeNumbers {
  int tables;
  int in;
  int out;
};

template <ProductShape S>
constexpr ShapeNumbers numbers_of() {
  using Traits = ShapeTraits<S>;
  return {Traits::kTables, Traits::kIn, Traits::kOut};
}

ShapeNumbers numbers(ProductShape shape) {
  switch (shape) {
    case ProductShape::normal:
      return numbers_of<ProductShape::normal>();
    case ProductShape::tangential:
      return numbers_of<ProductShape::tangential>();
    case ProductShape::full:
      return numbers_of<ProductShape::full>();
    case ProductShape::normal_from_tangential:
      return numbers_of<ProductShape::normal_from_tangential>();
    case ProductShape::tangential_from_normal:
      return numbers_of<ProductShape::tangential_from_normal>();
  }
  return {};
}

int ceil_div(int a, int b) { return (a + b - 1) / b; }

// Pitch with the residue that puts the lanes of a half-warp into 16 different banks.
int conflict_free_pitch(int least, int lanes_x) {
  int pitch = least;
  while (lanes_x < 16 && pitch % 16 != lanes_x) ++pitch;
  return pitch;
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
  const int sums = n.out * outputs * (33 * plan.warps + 32);
  plan.shared_bytes = static_cast<int>(sizeof(double)) * std::max(tile, sums);
}

}  // namespace

TiledPlan make_tiled_plan(ProductShape shape, int mx, int my, TiledTuning tuning) {
  const ShapeNumbers n = numbers(shape);
  TiledPlan plan;
  const long elements = static_cast<long>(mx) * my;
  const bool large = elements >= (my == 1 ? 32768 : 8192);
  plan.outputs_x = shape == ProductShape::normal && large ? 16 : 8;
  plan.warps = tuning.warps != 0 ? tuning.warps : (large ? 4 : 8);
  // The tile that wastes fewest lanes; among equals the squarer one (the fewest coefficients).
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
  // More blocks for a tile while multiprocessors are idle.
  const int wanted_blocks = 2 * 132 * 8 / plan.warps;
  int splits = 1;
  while (splits < 8 && tiles * splits < wanted_blocks) splits *= 2;
  if (tuning.splits != 0) splits = tuning.splits;

  // Pieces of about 64 x 16 sources, equal shares of the grid, and as many of them as give each
  // block of a cluster the same number.
  const int pieces_x =
      my == 1 ? std::max(ceil_div(mx, 256), std::min(splits, ceil_div(mx, 64))) : ceil_div(mx, 96);
  const int piece_x = ceil_div(ceil_div(mx, pieces_x), plan.outputs_x) * plan.outputs_x;
  int pieces_y = ceil_div(my, n.tables > 3 ? 8 : 16);
  const int whole = ceil_div(mx, piece_x);
  if (pieces_y * whole < 8 * splits && my > 1)
    pieces_y = std::min(my, ceil_div(ceil_div(pieces_y * whole, splits) * splits, whole));
  set_pieces(plan, n, mx, my, piece_x, ceil_div(my, pieces_y));
  while (plan.shared_bytes > kSharedWanted && plan.piece_y > 1)
    set_pieces(plan, n, mx, my, piece_x, ceil_div(plan.piece_y, 2));
  const int pieces = plan.pieces_x * plan.pieces_y;
  plan.splits = std::min(splits, pieces);
  plan.test_pieces = pieces > plan.splits;
  return plan;
}

namespace {

template <ProductShape S, int R, int kWarps>
void launch_with(TiledArguments arguments, const CoefficientTables& tables, const ConstFields& in,
                 const Fields& out, cudaStream_t stream) {
  using Traits = ShapeTraits<S>;
  for (int c = 0; c < kComponents; ++c)
    if (Traits::needs(c)) arguments.table[Traits::slot(c)] = tables.component[c];
  for (int d = 0; d < kDirections; ++d) {
    if (product_takes(S, d)) arguments.in[Traits::input(d)] = in.field[d];
    if (product_gives(S, d)) arguments.out[Traits::output(d)] = out.field[d];
  }
  const TiledPlan& plan = arguments.plan;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(plan.splits * plan.tiles_x * plan.tiles_y);
  config.blockDim = dim3(32 * kWarps);
  config.dynamicSmemBytes = plan.shared_bytes;
  config.stream = stream;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = plan.splits;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = plan.splits > 1 ? 1 : 0;
  SLIPFIELD_CUDA_CHECK(
      cudaLaunchKernelEx(&config, tiled_detail::tiled_kernel<S, R, kWarps>, arguments));
}

template <ProductShape S, int R>
void launch(const TiledArguments& arguments, const CoefficientTables& tables, const ConstFields& in,
            const Fields& out, cudaStream_t stream) {
  if (arguments.plan.warps == 4) {
    launch_with<S, R, 4>(arguments, tables, in, out, stream);
  } else {
    launch_with<S, R, 8>(arguments, tables, in, out, stream);
  }
}

template <ProductShape S, int R>
void allow_shared_memory() {
  for (auto* kernel : {tiled_detail::tiled_kernel<S, R, 4>, tiled_detail::tiled_kernel<S, R, 8>})
    SLIPFIELD_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedLimit));
}

}  // namespace

// A column is a row: either lies in memory without gaps.
TiledProduct::TiledProduct(int mx, int my, cudaStream_t /*stream*/, TiledTuning tuning)
    : mx_(mx == 1 ? my : mx), my_(mx == 1 ? 1 : my), tuning_(tuning) {
  allow_shared_memory<ProductShape::normal, 8>();
  allow_shared_memory<ProductShape::normal, 16>();
  allow_shared_memory<ProductShape::tangential, 8>();
  allow_shared_memory<ProductShape::full, 8>();
  allow_shared_memory<ProductShape::normal_from_tangential, 8>();
  allow_shared_memory<ProductShape::tangential_from_normal, 8>();
}

void TiledProduct::apply(ProductShape shape, const CoefficientTables& tables, const ConstFields& in,
                         const Fields& out, cudaStream_t stream, Accumulate accumulate) const {
  TiledArguments arguments{};
  arguments.mx = mx_;
  arguments.my = my_;
  arguments.add = accumulate == Accumulate::yes;
  arguments.plan = make_tiled_plan(shape, mx_, my_, tuning_);
  switch (shape) {
    case ProductShape::normal:
      if (arguments.plan.outputs_x == 16) {
        launch<ProductShape::normal, 16>(arguments, tables, in, out, stream);
      } else {
        launch<ProductShape::normal, 8>(arguments, tables, in, out, stream);
      }
      break;
    case ProductShape::tangential:
      launch<ProductShape::tangential, 8>(arguments, tables, in, out, stream);
      break;
    case ProductShape::full:
      launch<ProductShape::full, 8>(arguments, tables, in, out, stream);
      break;
    case ProductShape::normal_from_tangential:
      launch<ProductShape::normal_from_tangential, 8>(arguments, tables, in, out, stream);
      break;
    case ProductShape::tangential_from_normal:
      launch<ProductShape::tangential_from_normal, 8>(arguments, tables, in, out, stream);
      break;
  }
}

}  // namespace slipfield
