// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/cpu/cpu_summation.h. The kernel is in gpu/summation/tiled_kernel.cuh.
#include "gpu/summation/tiled_product.h"

#include "gpu/device/cuda_check.h"
#include "gpu/device/current_device.h"
#include "gpu/summation/tiled_kernel.cuh"

namespace slipfield {

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

// A column is a row: either lies in memory without gaps.
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
