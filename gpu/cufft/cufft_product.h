// SPDX-License-Identifier: Apache-2.0
// The FFT product by cuFFT, for lengths that the fused kernels do not support and for comparison.
// Mirrors solver/cpu/cpu_fft_convolution.h.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>

#include "gpu/cufft/batched_fft.h"
#include "gpu/device/device_array.h"
#include "gpu/fft/fft_product.h"

namespace slipfield {

// Like FftProduct, for a shape of make_cufft_shape().
class CufftProduct {
 public:
  CufftProduct(const FftShape& shape, int directions);
  void apply(const SpectrumMatrix& matrix, const ConstFields& in, const Fields& out,
             cudaStream_t stream, Accumulate accumulate);

 private:
  void forward_rows(const double* in, double2* halves, cudaStream_t stream);
  void backward_rows(double2* halves, bool add, double* out, cudaStream_t stream);

  FftShape shape_;
  RowTransforms rows_;
  std::optional<ColumnTransforms> columns_;  // none for a line
  DeviceArray<double> real_;                 // a batch of padded rows
  std::size_t half_points_ = 0;
  DeviceArray<double2> halves_;  // the transformed rows, of each direction
  std::size_t block_points_ = 0;
  DeviceArray<double2> blocks_;  // some columns of them, padded
};

}  // namespace slipfield
