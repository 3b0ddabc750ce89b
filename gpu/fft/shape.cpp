// SPDX-License-Identifier: Apache-2.0
#include "gpu/fft/shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/error.h"

namespace slipfield {

namespace {

// Factors m into at most two of the radices supported by gpu/fft/block.cuh.
bool factor_middle(int m, int (&middle)[2]) {
  constexpr int kRadices[] = {2, 3, 4, 5, 6, 8, 10};
  middle[0] = middle[1] = 0;
  if (m == 1) return true;
  for (const int radix : kRadices) {
    if (radix == m) {
      middle[0] = m;
      return true;
    }
  }
  int best = 100;  // the larger of the two radices: least registers
  for (const int first : kRadices) {
    for (const int second : kRadices) {
      if (first * second == m && first <= second && second < best) {
        middle[0] = first;
        middle[1] = second;
        best = second;
      }
    }
  }
  return best < 100;
}

bool in_family(int n) {
  if (n < 16 || n > kFftMaxLength || n % 16 != 0) return false;
  int odd = n;
  while (odd % 2 == 0) odd /= 2;
  return odd == 1 || odd == 3 || odd == 5 || odd == 9 || odd == 15;
}

// n = 0 if there is no such length.
FftLength make_length(int n, int per_thread) {
  FftLength length;
  // Strides that are multiples of per_thread, see fft_pad_shift.
  if (!in_family(n) || n % (per_thread * per_thread) != 0) return length;
  int rest = n / per_thread;
  int finals = 0;
  while (rest % per_thread == 0) {
    rest /= per_thread;
    ++finals;
  }
  for (; finals >= 1; --finals, rest *= per_thread) {  // as many equal passes as possible
    if (!factor_middle(rest, length.middle)) continue;
    length.n = n;
    length.per_thread = per_thread;
    length.finals = finals;
    return length;
  }
  return length;
}

}  // namespace

bool fft_length_supported(int n, int per_thread) {
  return n > 0 && make_length(n, per_thread).n == n;
}

bool fft_length_supported(int n) {
  // Lengths that exceed 512 threads need the next number of points per thread.
  return fft_length_supported(n, 4) && (n <= 2048 || fft_length_supported(n, 8)) &&
         (n <= 4096 || fft_length_supported(n, 16));
}

int fft_length_at_least(int least) {
  for (int n = (least + 15) / 16 * 16; n <= kFftMaxLength; n += 16)
    if (fft_length_supported(n)) return n;
  return 0;
}

FftLength fft_length(int n, int per_thread) {
  const FftLength length = make_length(n, per_thread);
  if (n <= 0 || length.n != n)
    throw Error("no shared-memory transform of length " + std::to_string(n));
  return length;
}

int fft_twiddle_count(const FftLength& length) {
  int count = 0;
  int spacing = length.per_thread;
  const auto add_pass = [&](int radix) {
    count += spacing;
    spacing *= radix;
  };
  for (const int radix : length.middle)
    if (radix != 0) add_pass(radix);
  for (int pass = 0; pass < length.finals; ++pass) add_pass(length.per_thread);
  return count;
}

std::size_t fft_shared_bytes(const FftLength& length, int group) {
  constexpr std::size_t kComplexBytes = 2 * sizeof(double);
  const int points =
      group * fft_shared_stride(length.n, length.per_thread) + fft_twiddle_count(length);
  return kComplexBytes * static_cast<std::size_t>(points);
}

bool fft_length_fits(int n, int per_thread, const DeviceLimits& card) {
  return n / per_thread <= kFftMaxThreads && fft_length_supported(n, per_thread) &&
         fft_shared_bytes(fft_length(n, per_thread), 1) <= card.shared_per_block;
}

bool fft_length_fits(int n, const DeviceLimits& card) {
  return fft_length_fits(n, 4, card) || fft_length_fits(n, 8, card) || fft_length_fits(n, 16, card);
}

std::vector<double> fft_twiddles(const FftLength& length) {
  std::vector<double> table;
  int spacing = length.per_thread;
  const auto add_pass = [&](int radix) {
    for (int j = 0; j < spacing; ++j) {
      const long double angle = 2.0L * std::numbers::pi_v<long double> *
                                static_cast<long double>(j) /
                                (static_cast<long double>(spacing) * radix);
      table.push_back(static_cast<double>(std::cos(angle)));
      table.push_back(static_cast<double>(-std::sin(angle)));
    }
    spacing *= radix;
  };
  for (const int radix : length.middle)
    if (radix != 0) add_pass(radix);
  for (int pass = 0; pass < length.finals; ++pass) add_pass(length.per_thread);
  return table;
}

namespace {

// Shortest length >= least of the form 2^a 3^b 5^c 7^d, for which cuFFT is fast; an even one if it
// exceeds 1.
int cufft_length(int least) {
  if (least <= 1) return 1;
  for (int n = least + least % 2;; n += 2) {
    int rest = n;
    for (const int factor : {2, 3, 5, 7})
      while (rest % factor == 0) rest /= factor;
    if (rest == 1) return n;
  }
}

// Transform length of a row or column of that many elements; 0 if the fused kernels have none.
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
  // Some lines that cuFFT transforms in one block are slow: 12000 points 24 us, 32768 points 58 us,
  // but 40000 points 21 us (NVIDIA H200, CUDA 13.0, whole product).
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
  // From this size on spectra are made in batches (gpu/fft/spectrum_build.cuh), smaller ones whole.
  constexpr std::size_t kLargePoints = 16000000;
  // Batches of rows and columns, and cuFFT's work space for them.
  constexpr std::size_t kBatches = std::size_t{300} << 20U;
  const auto nx = longer_transform_length(grid.mx, repeats_in_x(grid.boundary));
  const auto ny = longer_transform_length(grid.my, repeats_in_y(grid.boundary));
  const std::size_t points = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  return points >= kLargePoints ? kBatches : (std::size_t{1} << 20U) + 3 * sizeof(double) * points;
}

}  // namespace slipfield
