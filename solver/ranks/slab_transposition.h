// SPDX-License-Identifier: Apache-2.0
// FFTW's distributed transposition of a matrix of complex numbers, in place.
#pragma once

#include <fftw3.h>

#include <complex>
#include <cstddef>

#include "solver/cpu/fftw_planner.h"

namespace slipfield {

using ComplexBuffer = FftwBuffer<std::complex<double>>;
ComplexBuffer complex_buffer(std::size_t count);

// rows x columns; each rank holds its block of whole rows, and afterwards its block of whole
// columns (ranks::own_rows of either). Throws Error where FFTW has no plan for it.
class SlabTransposition {
 public:
  // Together.
  SlabTransposition(int rows, int columns);
  ~SlabTransposition();
  SlabTransposition(const SlabTransposition&) = delete;
  SlabTransposition& operator=(const SlabTransposition&) = delete;

  // Complex numbers that the buffer of a matrix needs on this rank.
  [[nodiscard]] std::size_t buffer_size() const { return size_; }
  void to_columns(std::complex<double>* matrix) const;  // together
  void to_rows(std::complex<double>* matrix) const;     // together

 private:
  std::size_t size_ = 0;
  fftw_plan to_columns_ = nullptr;
  fftw_plan to_rows_ = nullptr;
};

// Once before any of FFTW's distributed plans.
void prepare_distributed_fftw();

}  // namespace slipfield
