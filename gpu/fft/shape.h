// SPDX-License-Identifier: Apache-2.0
// Transform of a grid: the padded lengths, and the engine (fused kernels or cuFFT).
#pragma once

#include <cstddef>

#include "gpu/device/device_limits.h"
#include "solver/grid.h"

namespace slipfield {

enum class FftEngine {
  // three kernels: rows, columns with the multiplication, rows back (gpu/fft/fft_product.cu)
  fused,
  line,   // one row or one column of elements: one kernel
  cufft,  // whole-array cuFFT: lengths and cards that the fused transforms do not take
};

// A free grid is padded to at least 2mx-1 and 2my-1; where it repeats it is not padded. A line of
// elements is held as a column (nx = 1) by FftEngine::line and as a row (ny = 1) by cuFFT,
// whichever way it lies on the grid: transposed() says that x and y change places.
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

// cuFFT also where the card does not run the fused kernels, or has too little shared memory for a
// transform of the length.
FftShape make_fft_shape(int mx, int my, Boundary boundary, const DeviceLimits& card);

// The same grid by cuFFT, for comparison.
FftShape make_cufft_shape(int mx, int my, Boundary boundary);

// The longer one of what the fused kernels and cuFFT pad that many elements to.
int longer_transform_length(int elements, bool repeats);
// Scratch in which a spectrum of the grid is made, with cuFFT's work space, at most [bytes].
std::size_t spectrum_making_bytes(const Grid& grid);

}  // namespace slipfield
