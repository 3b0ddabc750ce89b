// SPDX-License-Identifier: Apache-2.0
// The FFT product by whole-array cuFFT of padded copies: for lengths that the fused kernels do not
// take, and to measure them against. Mirrors solver/cpu/cpu_fft_convolution.h.
#pragma once

#include <cuda_runtime.h>

#include "gpu/device/device_array.h"
#include "gpu/fft/cufft_check.h"
#include "gpu/fft/fft_product.h"

namespace slipfield {

// As FftProduct, for a shape of make_cufft_shape().
class CufftProduct {
 public:
  CufftProduct(const FftShape& shape, int directions);
  void apply(const SpectrumMatrix& matrix, const ConstFields& in, const Fields& out,
             cudaStream_t stream, Accumulate accumulate);

 private:
  FftShape shape_;
  DeviceArray<double> padded_;       // one padded field
  DeviceArray<double2> transforms_;  // of the directions
  CufftPlan forward_;
  CufftPlan backward_;
};

}  // namespace slipfield
