// SPDX-License-Identifier: Apache-2.0
// Convolution of fields on a grid with influence coefficients by FFTs, on the CPU (THEORY.md 2.6).
//
// The grid of mx x my is zero-padded to transform_x x transform_y, at least 2 mx - 1 and 2 my - 1
// with small factors (not at all on a periodic grid). Padding rows are never transformed or stored:
// rows go real to half-complex, each block of columns is gathered, transformed, multiplied,
// transformed back and scattered while it is in the cache, and the rows go back. Work memory is one
// half-complex field of my rows per component.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "solver/cpu/cpu_array.h"
#include "solver/grid.h"
#include "solver/influence/influence_table.h"

namespace slipfield {

// Transform of the coefficients over transform_x transform_y, column by column: [column kx][row
// ky]. Even coefficients have a real transform, those odd in one direction an imaginary one; the
// missing part is then not stored.
struct Spectrum {
  UninitializedVector<double> real;
  UninitializedVector<double> imaginary;

  [[nodiscard]] std::complex<double> at(std::size_t k) const {
    return {real.empty() ? 0.0 : real[k], imaginary.empty() ? 0.0 : imaginary[k]};
  }
};

// out[target] += sign * spectrum * in[source]
struct ConvolutionTerm {
  int target = 0;
  int source = 0;
  const Spectrum* spectrum = nullptr;
  double sign = 1.0;
};

// weight times the spectrum
struct SpectrumShare {
  double weight = 1.0;
  const Spectrum* spectrum = nullptr;
};

class CpuFftConvolution {
 public:
  explicit CpuFftConvolution(const Grid& grid);
  ~CpuFftConvolution();
  CpuFftConvolution(const CpuFftConvolution&) = delete;
  CpuFftConvolution& operator=(const CpuFftConvolution&) = delete;

  [[nodiscard]] int transform_x() const { return nx_; }
  [[nodiscard]] int transform_y() const { return ny_; }

  // Spectrum of the coefficients of a free grid. The products need differences of positions up to
  // the grid's; invert() wants them up to half the transform, since a table that stops short
  // leaves a notch of zeros in the padding.
  [[nodiscard]] Spectrum transform(const InfluenceTable& table) const;
  // Spectrum given by the symbol at (kx, ky),
  // 0 <= kx <= transform_x/2, -transform_y/2 <= ky <= transform_y/2.
  [[nodiscard]] Spectrum from_symbol(
      const std::function<std::complex<double>(int, int)>& symbol) const;
  // result = the symbol conj(a)/(|a|^2 + (regularisation max|a|)^2) of a = identity + sum of the
  // shares; its memory is used again.
  void invert(double identity, std::span<const SpectrumShare> sum, double regularisation,
              Spectrum& result) const;
  // Of one spectrum.
  [[nodiscard]] Spectrum inverse(const Spectrum& spectrum, double regularisation) const;

  // Fields are mx my values, x fastest. Each output is overwritten; outputs may be inputs.
  void apply(std::span<const ConvolutionTerm> terms, std::span<const double* const> in,
             std::span<double* const> out);

  // The parts of apply(), for those who make and use the rows of fields element by element. begin()
  // makes the memory for so many fields, before a parallel region; its threads do the rest. All
  // rows of all inputs are taken before columns() and given back behind it.
  void begin(std::size_t fields);
  [[nodiscard]] bool worth_threads() const { return worth_threads_; }
  // What one thread takes for so many transforms of the padded grid, roughly [s].
  [[nodiscard]] double seconds_alone(std::size_t transforms) const;
  void take_row(std::size_t field, std::size_t iy, const double* values);
  // Called by all threads, which wait for each other before they return.
  void columns(std::span<const ConvolutionTerm> terms, std::size_t inputs, std::size_t outputs);
  void give_row(std::size_t field, std::size_t iy, double* values);

  // Bytes that an object for this grid with that many components and spectra holds.
  static std::size_t memory_bytes(const Grid& grid, int components, int spectra);

 private:
  struct Plans;
  void gather_columns(std::size_t component, int first, int width, std::complex<double>* block);
  void scatter_columns(std::size_t component, int first, int width,
                       const std::complex<double>* block);
  [[nodiscard]] std::complex<double>* row(std::size_t component, std::size_t iy);

  int mx_, my_, nx_, ny_;
  int columns_;             // nx/2 + 1
  std::size_t row_stride_;  // complex numbers between rows of the work field, keeps rows aligned
  bool worth_threads_;
  std::unique_ptr<Plans> plans_;
  std::vector<CpuArray<double>> work_;         // one field per component, grown on demand
  std::vector<std::vector<char>> row_loaded_;  // which rows of the component are not all zero
};

// Smallest n >= least that is a product of 2, 3, 5 and 7 (and even where it is above 1).
int fast_transform_size(int least);

}  // namespace slipfield
