// SPDX-License-Identifier: Apache-2.0
// What a thread works in while it convolves.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>

#include "solver/cpu/fftw_planner.h"

namespace slipfield {

// Kept from one product to the next: new memory comes a page at a time.
template <class Real>
class ConvolutionScratch {
 public:
  // A row of nx numbers, zeros from mx on.
  Real* padded(int mx, int nx) {
    if (mx == mx_ && nx == nx_) return padded_.get();
    padded_ = fftw_buffer<Real>(static_cast<std::size_t>(nx));
    line_ = fftw_buffer<Real>(static_cast<std::size_t>(nx));
    std::fill_n(padded_.get(), nx, Real{0});
    mx_ = mx;
    nx_ = nx;
    return padded_.get();
  }
  // Another one, of any numbers.
  Real* line(int mx, int nx) {
    padded(mx, nx);
    return line_.get();
  }
  std::complex<Real>* columns(std::size_t count) {
    if (count > columns_count_) {
      columns_ = fftw_buffer<std::complex<Real>>(count);
      columns_count_ = count;
    }
    return columns_.get();
  }

  static ConvolutionScratch& of_this_thread() {
    thread_local ConvolutionScratch scratch;
    return scratch;
  }

 private:
  int mx_ = 0;
  int nx_ = 0;
  FftwBuffer<Real> padded_;
  FftwBuffer<Real> line_;
  FftwBuffer<std::complex<Real>> columns_;
  std::size_t columns_count_ = 0;
};

}  // namespace slipfield
