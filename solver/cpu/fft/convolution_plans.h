// SPDX-License-Identifier: Apache-2.0
// FFTW's plans for a convolution on a grid padded to nx x ny (solver/cpu/cpu_fft_convolution.h).
#pragma once

#include <complex>
#include <memory>

#include "solver/cpu/fftw_planner.h"

namespace slipfield {

// Number of columns transformed together: this many complex numbers fill one cache line of each
// row.
template <class Real>
inline constexpr int kColumnBlock = 64 / sizeof(std::complex<Real>);

template <class Real>
struct ConvolutionPlans {
  FftwPlan<Real> row_forward, row_backward;  // of nx complex numbers, out of place

  ConvolutionPlans(int nx, int ny);

  // Transforms `width` contiguous columns, up to kColumnBlock, out of place: in place takes a third
  // longer. Destroys `from`.
  void forward(std::complex<Real>* from, std::complex<Real>* to, int width) const;
  void backward(std::complex<Real>* from, std::complex<Real>* to, int width) const;

 private:
  using Library = Fftw<Real>;
  void transform(const FftwPlan<Real>& whole, const FftwPlan<Real>& one, std::complex<Real>* from,
                 std::complex<Real>* to, int width) const;

  int ny_;
  FftwPlan<Real> block_forward_, block_backward_;    // kColumnBlock columns
  FftwPlan<Real> column_forward_, column_backward_;  // one column, for a short block
};

// Caches the plans of the last transforms.
template <class Real>
std::shared_ptr<const ConvolutionPlans<Real>> convolution_plans(int nx, int ny);

}  // namespace slipfield
