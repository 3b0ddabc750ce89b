// SPDX-License-Identifier: Apache-2.0
// The transform of a length on the current device, and the distribution of rows or columns over
// blocks.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "gpu/device/device_limits.h"
#include "gpu/device/launch_in_turn.cuh"
#include "gpu/fft/block.cuh"
#include "gpu/fft/kernels.h"
#include "gpu/fft/shape.h"

namespace slipfield {

struct FftTransform {
  bool usable = false;  // fft_length_fits
  FftLength length;
  FftPass pass;  // its twiddles are in the device's memory
  fft_detail::FftKernels kernels{};
};

// Points that a thread holds, by index.
inline constexpr int kFftPerThread[] = {4, 8, 16};

// The transform of n points on the current device. Made once per process and kept (a few
// kilobytes), so that all solvers of that size share it.
const FftTransform& fft_transform(int n, int index, const DeviceLimits& card);

// Returns an index into kFftPerThread for `fields` fields at once. If there are too few transforms
// to fill the device, each gets many threads.
int choose_fft_rows(int n, int pairs, int fields);
int choose_fft_columns(int n, int columns, int fields);

// One way to transform the rows or the columns.
struct FftSide {
  const FftTransform* transform = nullptr;
  int group = 1;    // pairs of rows, or columns, per block
  int threads = 0;  // of a block
  std::size_t shared_bytes = 0;

  [[nodiscard]] bool usable() const { return transform != nullptr && transform->usable; }
  [[nodiscard]] const FftPass& pass() const { return transform->pass; }
  [[nodiscard]] const fft_detail::FftKernels& kernels() const { return transform->kernels; }
};

// `rows` rows of n real numbers; `columns` columns of n complex ones.
FftSide fft_row_side(int n, int rows, int index, const DeviceLimits& card);
FftSide fft_column_side(int n, int columns, int index, const DeviceLimits& card);

// The usable index closest to `index`.
int nearest_usable(const FftSide (&sides)[3], int index);

// Launches a kernel of gpu/fft/kernels.h. overlap: it may begin before the previous kernel of the
// stream has ended.
template <class Arguments>
void launch_fft(void (*kernel)(Arguments), dim3 blocks, const FftSide& side, int cluster,
                bool overlap, const Arguments& arguments, cudaStream_t stream) {
  launch_kernel(kernel,
                {blocks, static_cast<unsigned>(side.threads), side.shared_bytes,
                 static_cast<unsigned>(cluster), overlap},
                stream, arguments);
}

}  // namespace slipfield
