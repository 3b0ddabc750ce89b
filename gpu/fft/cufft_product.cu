// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/cpu/cpu_fft_convolution.h.
//
// Traffic of one component on a free grid, nx = 2mx, ny = 2my: every step of padding, two
// transforms of two passes, multiplication and cutting goes over four times the elements: 380 bytes
// per element against 88 of the fused kernels.
#include "gpu/fft/cufft_product.h"

namespace slipfield {

namespace {

__global__ void pad_kernel(const double* in, int mx, int my, int nx, int ny, double* padded) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= nx) return;
  for (int y = blockIdx.y; y < ny; y += gridDim.y)
    padded[static_cast<std::size_t>(y) * nx + x] =
        x < mx && y < my ? in[static_cast<std::size_t>(y) * mx + x] : 0.0;
}

__global__ void cut_kernel(const double* padded, int mx, int my, int nx, bool add, double* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= mx) return;
  for (int y = blockIdx.y; y < my; y += gridDim.y) {
    const double value = padded[static_cast<std::size_t>(y) * nx + x];
    double* to = out + static_cast<std::size_t>(y) * mx + x;
    *to = add ? *to + value : value;
  }
}

struct MultiplyArguments {
  double2* transform[kDirections];
  bool takes[kDirections];
  bool gives[kDirections];
  SpectrumView spectrum[kDirections][kDirections];
  int columns;
  int ny;
};

__global__ void multiply_kernel(const __grid_constant__ MultiplyArguments a) {
  const int kx = blockIdx.x * blockDim.x + threadIdx.x;
  if (kx >= a.columns) return;
  for (int ky = blockIdx.y; ky < a.ny; ky += gridDim.y) {
    const std::size_t at = static_cast<std::size_t>(ky) * a.columns + kx;
    double2 in[kDirections];
    double2 out[kDirections];
#pragma unroll
    for (int d = 0; d < kDirections; ++d)
      in[d] = a.takes[d] ? a.transform[d][at] : make_double2(0.0, 0.0);
#pragma unroll
    for (int to = 0; to < kDirections; ++to) {
      out[to] = make_double2(0.0, 0.0);
#pragma unroll
      for (int from = 0; from < kDirections; ++from) {
        const SpectrumView& s = a.spectrum[to][from];
        if (s.kind == SpectrumKind::none) continue;
        const bool mirrored = s.kind != SpectrumKind::complex_full && 2 * ky > a.ny;
        const std::size_t i = kx * s.stride_x + (mirrored ? a.ny - ky : ky) * s.stride_y;
        const double factor = mirrored ? s.sign * s.parity_y : s.sign;
        double2 value;
        if (s.kind == SpectrumKind::real_quarter) {
          const double real = factor * s.values[i];
          value = s.imaginary != 0 ? make_double2(0.0, real) : make_double2(real, 0.0);
        } else {
          value = make_double2(factor * s.values[2 * i], factor * s.values[2 * i + 1]);
        }
        out[to].x += value.x * in[from].x - value.y * in[from].y;
        out[to].y += value.x * in[from].y + value.y * in[from].x;
      }
    }
#pragma unroll
    for (int d = 0; d < kDirections; ++d)
      if (a.gives[d]) a.transform[d][at] = out[d];
  }
}

dim3 blocks_over(int columns, int rows) {
  return dim3((columns + 127) / 128, rows < 32768 ? rows : 32768);
}

}  // namespace

CufftProduct::CufftProduct(const FftShape& shape, int directions)
    : shape_(shape),
      padded_(static_cast<std::size_t>(shape.nx) * shape.ny),
      transforms_(directions * shape.spectrum_points()) {
  if (shape_.ny == 1) {
    SLIPFIELD_CUFFT_CHECK(cufftPlan1d(forward_.slot(), shape_.nx, CUFFT_D2Z, 1));
    forward_.made();
    SLIPFIELD_CUFFT_CHECK(cufftPlan1d(backward_.slot(), shape_.nx, CUFFT_Z2D, 1));
    backward_.made();
  } else {
    SLIPFIELD_CUFFT_CHECK(cufftPlan2d(forward_.slot(), shape_.ny, shape_.nx, CUFFT_D2Z));
    forward_.made();
    SLIPFIELD_CUFFT_CHECK(cufftPlan2d(backward_.slot(), shape_.ny, shape_.nx, CUFFT_Z2D));
    backward_.made();
  }
}

void CufftProduct::apply(const SpectrumMatrix& matrix, const ConstFields& in, const Fields& out,
                         cudaStream_t stream, Accumulate accumulate) {
  const bool add = accumulate == Accumulate::yes;
  SLIPFIELD_CUFFT_CHECK(cufftSetStream(forward_.get(), stream));
  SLIPFIELD_CUFFT_CHECK(cufftSetStream(backward_.get(), stream));
  MultiplyArguments multiply{};
  multiply.columns = shape_.columns();
  multiply.ny = shape_.ny;
  int used = 0;
  for (int d = 0; d < kDirections; ++d) {
    multiply.takes[d] = in.field[d] != nullptr;
    multiply.gives[d] = out.field[d] != nullptr;
    if (multiply.takes[d] || multiply.gives[d])
      multiply.transform[d] = transforms_.data() + shape_.spectrum_points() * used++;
    for (int from = 0; from < kDirections; ++from) {
      const DeviceSpectrum* block = matrix.block[d][from];
      if (block != nullptr && out.field[d] != nullptr && in.field[from] != nullptr)
        multiply.spectrum[d][from] = block->view(matrix.sign[d][from]);
    }
  }
  const int mx = shape_.field_x();
  const int my = shape_.field_y();
  for (int d = 0; d < kDirections; ++d) {
    if (!multiply.takes[d]) continue;
    pad_kernel<<<blocks_over(shape_.nx, shape_.ny), 128, 0, stream>>>(
        in.field[d], mx, my, shape_.nx, shape_.ny, padded_.data());
    SLIPFIELD_LAUNCH_CHECK("pad_kernel");
    SLIPFIELD_CUFFT_CHECK(cufftExecD2Z(forward_.get(), padded_.data(), multiply.transform[d]));
  }
  multiply_kernel<<<blocks_over(shape_.columns(), shape_.ny), 128, 0, stream>>>(multiply);
  SLIPFIELD_LAUNCH_CHECK("multiply_kernel");
  for (int d = 0; d < kDirections; ++d) {
    if (!multiply.gives[d]) continue;
    SLIPFIELD_CUFFT_CHECK(cufftExecZ2D(backward_.get(), multiply.transform[d], padded_.data()));
    cut_kernel<<<blocks_over(mx, my), 128, 0, stream>>>(padded_.data(), mx, my, shape_.nx, add,
                                                        out.field[d]);
    SLIPFIELD_LAUNCH_CHECK("cut_kernel");
  }
}

}  // namespace slipfield
