// SPDX-License-Identifier: Apache-2.0
// Products with block-circulant influence matrices by FFT: out_a = sum_b IFFT(S_ab FFT(in_b)).
//
// Mirrors solver/cpu/cpu_fft_convolution.h. Preconditioners use it too: products with an inverse
// spectrum.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "gpu/device/fields.h"
#include "gpu/fft/spectrum.h"

namespace slipfield {

// Maps in_b to out_a by their spectra; pointers are not owned. Directions as in Block.
struct SpectrumMatrix {
  const DeviceSpectrum* block[kDirections][kDirections] = {};
  double sign[kDirections][kDirections] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
};

// Makes the matrix of `shape` from the spectra of its components (nn, xx, yy, xy, xn, yn); null for
// those that the shape does not need.
SpectrumMatrix make_spectrum_matrix(Block shape,
                                    const DeviceSpectrum* const (&components)[kComponents]);

// For the benchmark: points per thread of the fused kernels, 4, 8 or 16; 0: the measured best.
struct FftTuning {
  int row_points_per_thread = 0;
  int column_points_per_thread = 0;
};

// Columns of some fields in device memory: component c of `components` is read from work[c] and
// written back there.
struct FftColumns {
  double2* work[kDirections] = {};
  bool takes[kDirections] = {};
  bool gives[kDirections] = {};
  SpectrumView spectrum[kDirections][kDirections];  // [to][from]; none: this pair does not couple
  int components = 0;
};

class FftProduct {
 public:
  // Scratch for products of up to `directions` fields at once (1 to 3).
  FftProduct(const FftShape& shape, int directions, FftTuning tuning = {});
  FftProduct(const FftProduct&) = delete;
  FftProduct& operator=(const FftProduct&) = delete;
  FftProduct(FftProduct&&) noexcept;
  FftProduct& operator=(FftProduct&&) noexcept;
  ~FftProduct();

  // out = product, or out += product, over the grid's mx my elements. Asynchronous; may be captured
  // in a graph. Every non-null out field needs at least one block; an out may be an in.
  void apply(const SpectrumMatrix& matrix, const ConstFields& in, const Fields& out,
             cudaStream_t stream, Accumulate accumulate = Accumulate::no);

  // The three passes of FftEngine::fused separately, for fields whose rows and columns are in
  // different memory (gpu/cards). `work`: columns of pitch() complex numbers, one for each of my
  // rows; forward and backward need all columns, multiply_columns works on some of them in place.
  [[nodiscard]] int pitch() const;
  void forward_rows(const double* in, double2* work, cudaStream_t stream) const;
  void multiply_columns(const FftColumns& fields, int columns, cudaStream_t stream) const;
  void backward_rows(double2* work, double* out, cudaStream_t stream) const;

  // The columns of a field in the layout above, as scratch for gpu/newton.
  [[nodiscard]] double2* work(int field);

  [[nodiscard]] const FftShape& shape() const;

  // The fewest bytes that a product of that many directions with these spectra moves through
  // memory.
  [[nodiscard]] double bytes_moved(const SpectrumMatrix& matrix, int in_fields,
                                   int out_fields) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipfield
