// SPDX-License-Identifier: Apache-2.0
// Transform of a grid: the padded lengths, and the engine (fused kernels or cuFFT).
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/device/device_limits.h"
#include "solver/grid.h"
#include "solver/host_device.h"

namespace slipfield {

// Lengths supported by the shared-memory transform of gpu/fft/block.cuh, and the passes of each.
//
// n = 16 m, m = 2^a, 3 2^a, 5 2^a, 9 2^a, 15 2^a: the next length is at most 1.25 times (mostly
// 1.125 times) the one needed. Longest: 8192, one column of which fills a multiprocessor's shared
// memory.
inline constexpr int kFftMaxLength = 8192;
inline constexpr int kFftMaxThreads = 512;  // of a block: 8192 points at 16 a thread
inline constexpr int kFftMaxPasses = 8;     // after the first one

// A thread keeps `per_thread` = 4, 8 or 16 points in registers. Passes: radix per_thread, then
// `middle` (0: none), then radix per_thread again, `finals` times. Few points per thread mean many
// threads, many short passes and little code: low latency. Many mean few trips through shared
// memory: high throughput.
struct FftLength {
  int n = 0;
  int per_thread = 0;
  int middle[2] = {0, 0};
  int finals = 0;
};

// True if n is a length of the family. 4 points per thread work for all of them, 8 for multiples of
// 64, 16 for multiples of 256.
bool fft_length_supported(int n);
bool fft_length_supported(int n, int per_thread);

// The shortest length >= least; 0 if least > kFftMaxLength.
int fft_length_at_least(int least);

// Passes of length n, which must be supported.
FftLength fft_length(int n, int per_thread);

// cos and -sin of 2 pi j/(spacing radix), j < spacing, for each pass after the first (spacing:
// product of the radices before), interleaved.
std::vector<double> fft_twiddles(const FftLength& length);

// Number of complex numbers in fft_twiddles().
int fft_twiddle_count(const FftLength& length);

// Shared memory is padded by one point every per_thread points, so that the strided writes of a
// pass spread over the banks. fft_length makes every stride of a pass a multiple of per_thread, so
// that a padded address is a base plus a multiple of a padded stride.
SLIPFIELD_HD constexpr int fft_pad_shift(int per_thread) {
  return per_thread == 16 ? 4 : (per_thread == 8 ? 3 : 2);
}

// Points of shared memory of one transform: = 3 mod 8, so that neighbouring transforms of a block
// start in different banks.
constexpr int fft_shared_stride(int n, int per_thread) {
  const int padded = n + (n >> fft_pad_shift(per_thread));
  return padded + ((3 - padded) % 8 + 8) % 8;
}

// Bytes of a block that transforms `group` rows or columns.
std::size_t fft_shared_bytes(const FftLength& length, int group);

// Returns whether a block of the card can transform that length with `per_thread` points per
// thread; without per_thread: with any number of points.
bool fft_length_fits(int n, int per_thread, const DeviceLimits& card);
bool fft_length_fits(int n, const DeviceLimits& card);

enum class FftEngine {
  // three kernels: rows, columns with the multiplication, rows back (gpu/fft/fft_product.cu)
  fused,
  line,   // one row or one column of elements: one kernel
  cufft,  // whole-array cuFFT: lengths and cards that the fused transforms do not take
};

// A free grid is padded to at least 2mx-1 and 2my-1; a periodic one is not padded. A line of
// elements is a column (nx = 1) for FftEngine::line and a row (ny = 1) for cuFFT, whatever its
// direction on the grid: transposed() says that x and y change places.
struct FftShape {
  int mx = 0;
  int my = 0;
  Boundary boundary = Boundary::free;
  FftEngine engine = FftEngine::fused;
  int nx = 0;
  int ny = 0;

  [[nodiscard]] bool transposed() const {
    return engine == FftEngine::line ? my == 1 : engine == FftEngine::cufft && mx == 1 && my > 1;
  }
  [[nodiscard]] bool padded_x() const { return !repeats_in_x(boundary); }
  [[nodiscard]] bool padded_y() const { return !repeats_in_y(boundary); }
  // Elements across and along the transform's rows.
  [[nodiscard]] int field_x() const { return transposed() ? my : mx; }
  [[nodiscard]] int field_y() const { return transposed() ? mx : my; }
  [[nodiscard]] int columns() const { return nx / 2 + 1; }  // of the half-complex spectrum
  [[nodiscard]] std::size_t spectrum_points() const {
    return static_cast<std::size_t>(columns()) * static_cast<std::size_t>(ny);
  }
  [[nodiscard]] double scale() const {
    return 1.0 / (static_cast<double>(nx) * static_cast<double>(ny));
  }
  friend bool operator==(const FftShape& a, const FftShape& b) {
    return a.mx == b.mx && a.my == b.my && a.boundary == b.boundary && a.engine == b.engine &&
           a.nx == b.nx && a.ny == b.ny;
  }
};

// Pitch of the fused kernels' columns, of `rows` numbers each.
inline int fft_pitch(int rows) {
  constexpr int kUnit = 8;
  return (rows + kUnit - 1) / kUnit * kUnit;
}

// Also chooses cuFFT if the card does not run the fused kernels or has too little shared memory for
// a transform of this length.
FftShape make_fft_shape(int mx, int my, Boundary boundary, const DeviceLimits& card);

// The same grid by cuFFT, for comparison.
FftShape make_cufft_shape(int mx, int my, Boundary boundary);

// The longer of the lengths to which the fused kernels and cuFFT pad that many elements.
int longer_transform_length(int elements, bool repeats);
// The most scratch for making a spectrum of the grid, including cuFFT's work space [bytes].
std::size_t spectrum_making_bytes(const Grid& grid);

}  // namespace slipfield
