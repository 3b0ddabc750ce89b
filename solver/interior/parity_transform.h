// SPDX-License-Identifier: Apache-2.0
// Spectra of tables of coefficients that are even or odd in x and in y, from a quarter of their
// values: half the work of CpuFftConvolution::transform, and no table of all
// differences.
#pragma once

#include <complex>
#include <memory>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/grid.h"
#include "solver/influence/influence_coefficients.h"

namespace slipfield {

class ParityTransform {
 public:
  explicit ParityTransform(const Grid& grid);  // a free one
  ~ParityTransform();
  ParityTransform(const ParityTransform&) = delete;
  ParityTransform& operator=(const ParityTransform&) = delete;

  // Spectra of two tables of one parity, as CpuFftConvolution::transform gives them. Quarters:
  // values at (kx dx, ky dy), 0 <= kx < mx, 0 <= ky < my, x fastest; what is odd counts as 0 where
  // its coordinate is 0. Without a second table both of its pointers are null.
  void transform(Parity parity, const double* first, const double* second, Spectrum& spectrum,
                 Spectrum* second_spectrum);

  static std::size_t memory_bytes(const Grid& grid);

 private:
  struct Plans;
  void rows(Parity parity, const double* first, const double* second);

  int mx_, my_, nx_, ny_;
  int columns_;  // nx/2 + 1
  bool worth_threads_;
  std::unique_ptr<Plans> plans_;
  std::complex<double>* half_;  // my rows of columns_
};

}  // namespace slipfield
