// SPDX-License-Identifier: Apache-2.0
#include "gpu/fft/shape.h"

#include <algorithm>

#include "gpu/fft/length.h"
#include "solver/cpu/cpu_fft_convolution.h"

namespace slipfield {

namespace {

// Shortest length >= least of the form 2^a 3^b 5^c 7^d, even where it exceeds 1: cuFFT's fast
// lengths.
int cufft_length(int least) {
  if (least <= 1) return 1;
  for (int n = least + least % 2;; n += 2) {
    int rest = n;
    for (const int factor : {2, 3, 5, 7})
      while (rest % factor == 0) rest /= factor;
    if (rest == 1) return n;
  }
}

// Length of the transform of a row or column of that many elements; 0 where the fused kernels have
// none.
int transform_length(int elements, bool padded) {
  if (padded) return fft_length_at_least(2 * elements - 1);
  return fft_length_supported(elements) ? elements : 0;
}

}  // namespace

FftShape make_fft_shape(int mx, int my, Boundary boundary, const DeviceLimits& card) {
  if (!runs_fused_fft(card)) return make_cufft_shape(mx, my, boundary);
  FftShape shape;
  shape.mx = mx;
  shape.my = my;
  shape.boundary = boundary;
  if (mx == 1 || my == 1) {
    const int n =
        my == 1 ? transform_length(mx, shape.padded_x()) : transform_length(my, shape.padded_y());
    if (fft_length_fits(n, card)) {
      shape.engine = FftEngine::line;
      shape.nx = 1;
      shape.ny = n;
      return shape;
    }
    return make_cufft_shape(mx, my, boundary);
  }
  const int nx = transform_length(mx, shape.padded_x());
  const int ny = transform_length(my, shape.padded_y());
  if (!fft_length_fits(nx, card) || !fft_length_fits(ny, card))
    return make_cufft_shape(mx, my, boundary);
  shape.engine = FftEngine::fused;
  shape.nx = nx;
  shape.ny = ny;
  return shape;
}

FftShape make_cufft_shape(int mx, int my, Boundary boundary) {
  FftShape shape;
  shape.mx = mx;
  shape.my = my;
  shape.boundary = boundary;
  shape.engine = FftEngine::cufft;
  const bool padded_x = shape.transposed() ? shape.padded_y() : shape.padded_x();
  const bool padded_y = shape.transposed() ? shape.padded_x() : shape.padded_y();
  int least = 2 * shape.field_x() - 1;
  // A line that one block of cuFFT's transforms is slow: 12000 points 24 us, 32768 points 58 us,
  // but 40000 points 21 us (NVIDIA H200, CUDA 13.0, product and all).
  constexpr int kFastLine = 40000;
  if (shape.field_y() == 1 && least > kFftMaxLength) least = std::max(least, kFastLine);
  shape.nx = padded_x ? cufft_length(least) : shape.field_x();
  shape.ny = padded_y ? cufft_length(2 * shape.field_y() - 1) : shape.field_y();
  return shape;
}

int longer_transform_length(int elements, bool repeats) {
  if (repeats) return elements;
  const int least = 2 * elements - 1;
  return std::max(fft_length_at_least(least), fast_transform_size(least));
}

std::size_t spectrum_making_bytes(const Grid& grid) {
  // From there on spectra are made in batches (gpu/fft/quarter_spectrum.h), smaller ones whole.
  constexpr std::size_t kLargePoints = 16000000;
  // Batches of rows and columns, and cuFFT's work space for them.
  constexpr std::size_t kBatches = std::size_t{300} << 20U;
  const auto nx = longer_transform_length(grid.mx, repeats_in_x(grid.boundary));
  const auto ny = longer_transform_length(grid.my, repeats_in_y(grid.boundary));
  const std::size_t points = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  return points >= kLargePoints ? kBatches : (std::size_t{1} << 20U) + 3 * sizeof(double) * points;
}

}  // namespace slipfield
