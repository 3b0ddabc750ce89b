// SPDX-License-Identifier: Apache-2.0
// What a convolution multiplies transforms with (solver/cpu/cpu_fft_convolution.h).
#pragma once

#include <complex>
#include <cstddef>

#include "solver/influence/block.h"
#include "solver/threads/uninitialized_vector.h"

namespace slipfield {

// Transform of the coefficients over transform_x transform_y, column by column: [column kx][row
// ky]. Even coefficients have a real transform, those odd in one direction an imaginary one; the
// missing part is then not stored.
template <class Real>
struct SpectrumOf {
  UninitializedVector<Real> real;
  UninitializedVector<Real> imaginary;

  [[nodiscard]] std::complex<Real> at(std::size_t k) const {
    return {real.empty() ? Real{0} : real[k], imaginary.empty() ? Real{0} : imaginary[k]};
  }
};
using Spectrum = SpectrumOf<double>;

// The number at k to invert; where the symbol of the mean (k = 0) is 0, that of a short wave: of a
// periodic grid, and next to 0 of layers that keep their volume, whose inverse would drown all others
// and might be negative. Otherwise the preconditioner could not change the mean of the tractions,
// which adhering elements carry without displacement (THEORY.md 2.7).
inline std::complex<double> invertible_at(const Spectrum& spectrum, std::size_t k,
                                          std::size_t short_wave) {
  const std::complex<double> value = spectrum.at(k);
  if (k != 0) return value;
  const std::complex<double> other = spectrum.at(short_wave);
  const bool real =
      spectrum.imaginary.empty();  // others are of changes, whose mean is small anyway
  const bool none = value == 0.0 || (real && std::abs(value) < kNoMean * std::abs(other));
  return none ? other : value;
}

// out[target] += sign * spectrum * in[source]
template <class Real>
struct ConvolutionTermOf {
  int target = 0;
  int source = 0;
  const SpectrumOf<Real>* spectrum = nullptr;
  double sign = 1.0;
};
using ConvolutionTerm = ConvolutionTermOf<double>;

}  // namespace slipfield
