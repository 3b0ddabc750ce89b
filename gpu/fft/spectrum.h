// SPDX-License-Identifier: Apache-2.0
// Fourier transform of a coefficient table on a grid's FftShape, resident on the device, with the
// transforms' normalisation 1/(nx ny) folded in.
//
// Mirrors the spectra of solver/cpu/cpu_fft_convolution.h. Symmetric tables keep a real quarter
// (nn, xx, yy: even, even; xy: odd, odd; xn and yn: purely imaginary): 8 bytes for each four points
// of the whole spectrum instead of 32.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/device/device_array.h"
#include "gpu/fft/shape.h"
#include "gpu/summation/coefficient_table.h"

namespace slipfield {

enum class SpectrumKind {
  none,          // zero: the pair does not couple
  real_quarter,  // real or purely imaginary, ky <= ny/2
  complex_half,  // complex, ky <= ny/2
  complex_full,  // complex, every ky
};

// The form of a spectrum for kernels. Element (kx, ky) is at kx stride_x + ky stride_y, in complex
// numbers or in reals; in a half, ky > ny/2 is parity_y times the element at ny - ky.
struct SpectrumView {
  const double* values = nullptr;
  SpectrumKind kind = SpectrumKind::none;
  int imaginary = 0;  // real_quarter: the values are imaginary parts
  double parity_y = 1.0;
  double sign = 1.0;
  std::size_t stride_x = 0;
  std::size_t stride_y = 0;
};

class DeviceSpectrum;

// weight times the spectrum; none where null
struct DeviceSpectrumShare {
  double weight = 1.0;
  const DeviceSpectrum* spectrum = nullptr;
};

class DeviceSpectrum {
 public:
  DeviceSpectrum() = default;
  DeviceSpectrum(const FftShape& shape, SpectrumKind kind, TableSymmetry symmetry,
                 cudaStream_t stream);

  // Computes coefficients on the device, including the padding (at the nearest periodic offset):
  // the product does not read the padding, the inverse does.
  static DeviceSpectrum from_coefficients(const FftShape& shape, const CoefficientRecipe& recipe,
                                          cudaStream_t stream);

  // From (2my-1) x (2mx-1) coefficients in device memory, whose `symmetry` is not checked.
  static DeviceSpectrum from_table(const FftShape& shape, const double* device_table,
                                   TableSymmetry symmetry, cudaStream_t stream);

  // From a table with its own mx and my, as large as the transform needs, including the padding.
  static DeviceSpectrum from_padded_table(const FftShape& shape, const double* device_table, int mx,
                                          int my, TableSymmetry symmetry, cudaStream_t stream);

  // Periodic half-space (solver/influence/half_space_symbol.h): 0 at q = 0, because the mean
  // displacement is free.
  static DeviceSpectrum periodic(const FftShape& shape, const CoefficientRecipe& recipe,
                                 cudaStream_t stream);

  // conj(a)/(|a|^2 + (relative_cut max|a|)^2); relative_cut = 0 gives the inverse, and 0 if a is 0.
  [[nodiscard]] DeviceSpectrum inverse(double relative_cut, cudaStream_t stream) const;

  // Stores the same of a = identity + sum of weight * spectrum, with one or two spectra of one
  // shape and kind. Asynchronous; largest: kSymbolBlocks numbers of device memory as scratch.
  static constexpr std::size_t kSymbolBlocks = 528;
  void set_inverse(double identity, const DeviceSpectrumShare (&sum)[2], double relative_cut,
                   DeviceArray<double>& largest, cudaStream_t stream);

  [[nodiscard]] const FftShape& shape() const { return shape_; }
  [[nodiscard]] SpectrumKind kind() const { return kind_; }
  [[nodiscard]] TableSymmetry symmetry() const { return symmetry_; }
  [[nodiscard]] std::size_t bytes() const { return values_.bytes(); }
  [[nodiscard]] SpectrumView view(double sign = 1.0) const;
  [[nodiscard]] double* values() { return values_.data(); }
  [[nodiscard]] std::size_t points() const {  // with the unused ends of rows
    return values_.size() / (kind_ == SpectrumKind::real_quarter ? 1 : 2);
  }

 private:
  FftShape shape_;
  SpectrumKind kind_ = SpectrumKind::none;
  TableSymmetry symmetry_;
  DeviceArray<double> values_;
};

// The kind of storage that a symmetry allows for that shape.
SpectrumKind spectrum_kind(const FftShape& shape, TableSymmetry symmetry);

// Parities along the transform's x and y (FftShape::transposed).
inline TableSymmetry transform_symmetry(const FftShape& shape, TableSymmetry symmetry) {
  return shape.transposed() ? TableSymmetry{symmetry.y, symmetry.x} : symmetry;
}

// Transforms a padded table of ny rows of nx (a line: ny numbers) into `spectrum`; used by the
// builders of gpu/fft/spectrum_build.cuh.
void transform_table(const FftShape& shape, DeviceArray<double>& table, DeviceSpectrum& spectrum,
                     cudaStream_t stream);

}  // namespace slipfield
