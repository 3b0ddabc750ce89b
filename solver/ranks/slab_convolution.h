// SPDX-License-Identifier: Apache-2.0
// Convolution of fields whose rows are shared among the ranks, by FFTs (THEORY.md 2.6): the
// transforms of solver/cpu/cpu_fft_convolution.h, with FFTW's distributed transposition between
// rows and columns.
//
// A rank transforms its own rows of the grid without padding. FFTW then gives each rank its share
// of whole columns, which are padded, transformed, multiplied by the rank's part of the spectrum,
// transformed back, and returned. A product moves two half-complex fields of my rows between the
// ranks; no rank ever holds a whole field.
#pragma once

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/cpu/fftw_planner.h"
#include "solver/grid.h"

namespace slipfield {

// FFTW's distributed transposition of a matrix of complex numbers, in place.
using ComplexBuffer = FftwBuffer<std::complex<double>>;
ComplexBuffer complex_buffer(std::size_t count);

// rows x columns; each rank holds its block of whole rows before, and its block of whole columns
// after (ranks::own_rows of either). Throws Error if FFTW has no plan for it.
class SlabTransposition {
 public:
  // Together.
  SlabTransposition(int rows, int columns);

  // Complex numbers that a matrix buffer needs on this rank.
  [[nodiscard]] std::size_t buffer_size() const { return size_; }
  void to_columns(std::complex<double>* matrix) const;  // together
  void to_rows(std::complex<double>* matrix) const;     // together

 private:
  std::size_t size_ = 0;
  FftwPlan<> to_columns_, to_rows_;
};

// Call it once before making any distributed FFTW plan.
void prepare_distributed_fftw();

class SlabConvolution {
 public:
  // grid: the whole grid. Together.
  explicit SlabConvolution(const Grid& grid);
  ~SlabConvolution();
  SlabConvolution(const SlabConvolution&) = delete;
  SlabConvolution& operator=(const SlabConvolution&) = delete;

  // This rank's columns of the spectrum, stored as in Spectrum. row(ky, line): writes the
  // coefficients of a free grid at 0 <= kx < transform_x of the padded circulant, for one
  // -transform_y/2 < ky <= transform_y/2. Together.
  [[nodiscard]] Spectrum transform(const std::function<void(int, double*)>& row) const;
  // Like CpuFftConvolution::from_symbol.
  [[nodiscard]] Spectrum from_symbol(
      const std::function<std::complex<double>(int, int)>& symbol) const;
  // Like CpuFftConvolution::invert. Together.
  void invert(double identity, std::span<const SpectrumShare> sum, double regularisation,
              Spectrum& result) const;
  [[nodiscard]] Spectrum inverse(const Spectrum& spectrum, double regularisation) const;

  // Fields are this rank's rows, mx values each. Outputs are overwritten and may be inputs.
  // Together.
  void apply(std::span<const ConvolutionTerm> terms, std::span<const double* const> in,
             std::span<double* const> out);

  // On a periodic grid: this rank's rows of the field with this transform, which is not scaled.
  // column(kx, values): writes its `my` rows at kx. Together.
  void invert_columns(const std::function<void(int, std::complex<double>*)>& column, double* out);

  [[nodiscard]] int transform_x() const { return nx_; }
  [[nodiscard]] int transform_y() const { return ny_; }

  // Upper bound of a rank's memory for this number of work fields and single-part spectra [bytes].
  static std::size_t memory_bytes(const Grid& grid, int ranks, int components, int spectra);

 private:
  struct Plans;
  void forward_rows(const double* in, std::complex<double>* field) const;
  void backward_rows(std::complex<double>* field, double* out) const;
  void columns(std::span<const ConvolutionTerm> terms, std::size_t inputs, std::size_t outputs);
  void make_fields(std::size_t count);

  int mx_, my_, nx_, ny_;
  RowRange rows_;     // of the grid
  int all_columns_;   // nx/2 + 1
  RowRange columns_;  // of the transform
  std::unique_ptr<Plans> plans_;
  std::vector<ComplexBuffer> work_;  // by rows or by columns, one per component
};

}  // namespace slipfield
