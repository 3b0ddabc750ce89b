// SPDX-License-Identifier: Apache-2.0
// FFTW's plans for a convolution on a grid padded to nx x ny (solver/cpu/cpu_fft_convolution.h).
#pragma once

#include <complex>
#include <memory>

#include "solver/cpu/fft/fftw_numbers.h"

namespace slipfield {

// Number of columns that are transformed together: this many complex numbers fill a cache line of
// each row.
template <class Real>
inline constexpr int kColumnBlock = 64 / sizeof(std::complex<Real>);

template <class Real>
struct ConvolutionPlans {
  using Library = Fftw<Real>;
  using Plan = typename Library::Plan;
  Plan row_forward = nullptr;
  Plan row_backward = nullptr;

  // columns: of half-complex rows.
  ConvolutionPlans(int nx, int ny, int columns);
  ~ConvolutionPlans();
  ConvolutionPlans(const ConvolutionPlans&) = delete;
  ConvolutionPlans& operator=(const ConvolutionPlans&) = delete;

  // `width` contiguous columns, up to kColumnBlock, to another place: in place takes a third longer.
  // What was in `from` is lost.
  void forward(std::complex<Real>* from, std::complex<Real>* to, int width) const;
  void backward(std::complex<Real>* from, std::complex<Real>* to, int width) const;

 private:
  void transform(Plan whole, Plan one, std::complex<Real>* from, std::complex<Real>* to,
                 int width) const;

  int ny_;
  Plan block_forward_ = nullptr;  // kColumnBlock columns
  Plan block_backward_ = nullptr;
  Plan column_forward_ = nullptr;  // one, of a block that is short
  Plan column_backward_ = nullptr;
};

// Keeps the plans of the last transforms that were asked for.
template <class Real>
std::shared_ptr<const ConvolutionPlans<Real>> convolution_plans(int nx, int ny, int columns);

}  // namespace slipfield
