// SPDX-License-Identifier: Apache-2.0
// The kernels of gpu/fft/kernels.cuh with 16 points per thread. Mirrors
// solver/cpu/cpu_fft_convolution.h.
#include "gpu/fft/kernels.cuh"

namespace slipfield {
namespace fft_detail {

FftKernels fft_kernels_16() { return make_fft_kernels<16>(); }

}  // namespace fft_detail
}  // namespace slipfield
