// SPDX-License-Identifier: Apache-2.0
// The transforms of a convolution on a grid (solver/cpu/cpu_fft_convolution.h) by pairs of rows, for
// callers that produce and consume the rows of fields element by element. Fields are doubles;
// transforms use Real. Two rows are the real and the imaginary part of one complex row: FFTW's
// transforms of short complex rows use vector registers, those of real rows do not, and a pair takes
// a third to a half of the time of two real rows.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "solver/cpu/host_memory.h"
#include "solver/grid.h"
#include "solver/influence/block.h"
#include "solver/threads/uninitialized_vector.h"

namespace slipfield {

// What a convolution multiplies transforms with (solver/cpu/cpu_fft_convolution.h).

// Transform of the coefficients over transform_x transform_y, column by column: [column kx][row
// ky]. Even coefficients have a real transform, those odd in one direction an imaginary one; the
// missing part is then not stored.
template <class Real>
struct SpectrumOf {
  UninitializedVector<Real> real;
  UninitializedVector<Real> imaginary;

  [[nodiscard]] std::complex<Real> at(std::size_t k) const {
    return {real.empty() ? Real{0} : real[k], imaginary.empty() ? Real{0} : imaginary[k]};
  }
};
using Spectrum = SpectrumOf<double>;

// The number at k to invert. If the symbol of the mean (k = 0) is 0, that of a short wave instead:
// on a periodic grid, and nearly 0 for incompressible layers, whose inverse would dominate all
// others and might be negative. Otherwise the preconditioner could not change the mean of the
// tractions, which adhering elements carry without displacement (THEORY.md 2.7).
inline std::complex<double> invertible_at(const Spectrum& spectrum, std::size_t k,
                                          std::size_t short_wave) {
  const std::complex<double> value = spectrum.at(k);
  if (k != 0) return value;
  const std::complex<double> other = spectrum.at(short_wave);
  const bool real =
      spectrum.imaginary.empty();  // other symbols are of changes, with a small mean anyway
  const bool none = value == 0.0 || (real && std::abs(value) < kNoMean * std::abs(other));
  return none ? other : value;
}

// out[target] += sign * spectrum * in[source]
template <class Real>
struct ConvolutionTermOf {
  int target = 0;
  int source = 0;
  const SpectrumOf<Real>* spectrum = nullptr;
  double sign = 1.0;
};
using ConvolutionTerm = ConvolutionTermOf<double>;

template <class Real>
struct ConvolutionPlans;  // solver/cpu/fft/convolution_plans.h

template <class Real>
class ConvolutionRows {
 public:
  explicit ConvolutionRows(const Grid& grid);

  [[nodiscard]] int elements_x() const { return mx_; }
  [[nodiscard]] int elements_y() const { return my_; }
  [[nodiscard]] int transform_x() const { return nx_; }
  [[nodiscard]] int transform_y() const { return ny_; }
  [[nodiscard]] int columns_count() const { return columns_; }
  [[nodiscard]] std::size_t pairs_count() const { return (static_cast<std::size_t>(my_) + 1) / 2; }
  [[nodiscard]] const ConvolutionPlans<Real>& plans() const { return *plans_; }

  // Allocates memory for `fields` fields; call it before a parallel region, whose threads do the
  // rest. take_pair() must have taken all rows of all inputs before columns(); give_pair() comes
  // after it. A pair is rows 2 pair and 2 pair + 1; the last one may have no second row, which is
  // then not used.
  void begin(std::size_t fields);
  [[nodiscard]] bool worth_threads() const { return worth_threads_; }
  // Rough time that one thread needs for `transforms` transforms of the padded grid [s].
  [[nodiscard]] double seconds_alone(std::size_t transforms) const;
  void take_pair(std::size_t field, std::size_t pair, const double* first, const double* second);
  // Called by all threads; they wait for each other before they return.
  void columns(std::span<const ConvolutionTermOf<Real>> terms, std::size_t inputs,
               std::size_t outputs);
  void give_pair(std::size_t field, std::size_t pair, double* first, double* second);

 private:
  using Complex = std::complex<Real>;
  void gather_columns(std::size_t field, int first, int width, bool goes_on, Complex* block);
  void scatter_columns(std::size_t field, int first, int width, const Complex* block);
  [[nodiscard]] Complex* row(std::size_t field, std::size_t pair);
  [[nodiscard]] bool has_second(std::size_t pair) const {
    return 2 * pair + 1 < static_cast<std::size_t>(my_);
  }

  int mx_, my_, nx_, ny_;
  int columns_;             // nx/2 + 1
  std::size_t row_stride_;  // complex numbers between pairs in the work field, keeps them aligned
  bool worth_threads_;
  std::shared_ptr<const ConvolutionPlans<Real>> plans_;
  std::vector<CpuArray<Real>> work_;           // one field per component, grown on demand
  std::vector<std::vector<char>> row_loaded_;  // rows of each field that are not all zero
};

// Smallest n >= least that is a product of 2, 3, 5 and 7 (and even where it is above 1).
int fast_transform_size(int least);

// The sizes that ConvolutionRows transforms a grid with. Up to 128 they are those of which FFTW's
// plans fill the vector registers, e.g. for y 64 and not 54: four columns of doubles take 0.3 us
// and 1.0 us, eight of floats 0.5 us and 2.0 us.
struct TransformSizes {
  int x = 1;
  int y = 1;
};
TransformSizes transform_sizes(const Grid& grid);

}  // namespace slipfield
