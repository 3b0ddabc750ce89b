// The kernels of gpu/fft_kernels.cuh with 8 points per thread. Mirrors
// solver/cpu_fft_convolution.h.
#include "gpu/fft_kernels.cuh"

namespace slipfield {
namespace fft_detail {

FftKernels fft_kernels_8() { return make_fft_kernels<8>(); }

}  // namespace fft_detail
}  // namespace slipfield
