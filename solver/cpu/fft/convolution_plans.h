// SPDX-License-Identifier: Apache-2.0
// FFTW's plans for a convolution on a grid padded to nx x ny (solver/cpu/cpu_fft_convolution.h).
#pragma once

#include <fftw3.h>

#include <complex>

namespace slipfield {

inline constexpr int kColumnBlock = 4;  // 4 complex numbers: one cache line of each row

struct ConvolutionPlans {
  fftw_plan row_forward = nullptr;
  fftw_plan row_backward = nullptr;

  // columns: of half-complex rows.
  ConvolutionPlans(int nx, int ny, int columns);
  ~ConvolutionPlans();
  ConvolutionPlans(const ConvolutionPlans&) = delete;
  ConvolutionPlans& operator=(const ConvolutionPlans&) = delete;

  // `width` contiguous columns in place, up to kColumnBlock.
  void forward(std::complex<double>* block, int width) const;
  void backward(std::complex<double>* block, int width) const;

 private:
  void transform(fftw_plan whole, fftw_plan one, std::complex<double>* block, int width) const;

  int ny_;
  fftw_plan block_forward_ = nullptr;  // kColumnBlock columns
  fftw_plan block_backward_ = nullptr;
  fftw_plan column_forward_ = nullptr;  // one, of a block that is short
  fftw_plan column_backward_ = nullptr;
};

// Those of the transforms that were asked for last are kept.
std::shared_ptr<const ConvolutionPlans> convolution_plans(int nx, int ny, int columns);

}  // namespace slipfield
