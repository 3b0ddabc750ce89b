// SPDX-License-Identifier: Apache-2.0
// Convolution of fields on a grid with influence coefficients by FFTs, on the CPU (THEORY.md 2.6).
//
// The grid of mx x my is zero-padded to transform_x x transform_y, at least 2 mx - 1 and 2 my - 1
// with small factors (not at all on a periodic grid). Padding rows are never transformed or stored:
// two rows at a time are transformed as a complex one, each block of columns is gathered,
// transformed, multiplied, transformed back and scattered while it is in the cache, and the rows go
// back. Work memory is one complex field of my/2 rows per component.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "solver/cpu/fft/convolution_rows.h"
#include "solver/grid.h"
#include "solver/influence/influence_table.h"

namespace slipfield {

// weight times the spectrum
struct SpectrumShare {
  double weight = 1.0;
  const Spectrum* spectrum = nullptr;
};

struct SpectrumOfField {
  const Spectrum* spectrum = nullptr;
  const double* in = nullptr;
  double* out = nullptr;
};
// Multiplies each field by its own spectrum.
template <class Convolution>
void apply_each(Convolution& convolution, std::initializer_list<SpectrumOfField> fields) {
  std::vector<ConvolutionTerm> terms;
  std::vector<const double*> in;
  std::vector<double*> out;
  for (const SpectrumOfField& field : fields) {
    const auto place = static_cast<int>(in.size());
    terms.push_back({place, place, field.spectrum, 1.0});
    in.push_back(field.in);
    out.push_back(field.out);
  }
  convolution.apply(terms, in, out);
}

class CpuFftConvolution {
 public:
  explicit CpuFftConvolution(const Grid& grid) : rows_(grid) {}

  [[nodiscard]] int transform_x() const { return rows_.transform_x(); }
  [[nodiscard]] int transform_y() const { return rows_.transform_y(); }

  // Spectrum of the coefficients of a free grid. Products need differences of positions up to the
  // grid's size; invert() needs them up to half the transform, since a table that stops short
  // leaves a notch of zeros in the padding.
  [[nodiscard]] Spectrum transform(const InfluenceTable& table) const;
  // Spectrum given by the symbol at (kx, ky),
  // 0 <= kx <= transform_x/2, -transform_y/2 <= ky <= transform_y/2.
  [[nodiscard]] Spectrum from_symbol(
      const std::function<std::complex<double>(int, int)>& symbol) const;
  // result = the symbol conj(a)/(|a|^2 + (regularisation max|a|)^2) of a = identity + sum of the
  // shares; reuses the memory of `result`.
  template <class Real>
  void invert(double identity, std::span<const SpectrumShare> sum, double regularisation,
              SpectrumOf<Real>& result) const;
  // The inverse of one spectrum.
  [[nodiscard]] Spectrum inverse(const Spectrum& spectrum, double regularisation) const;

  // Fields are mx my values, x fastest. Outputs are overwritten and may be inputs.
  void apply(std::span<const ConvolutionTerm> terms, std::span<const double* const> in,
             std::span<double* const> out);

  // Memory of an object for this grid with that number of components and spectra [bytes].
  static std::size_t memory_bytes(const Grid& grid, int components, int spectra);

 private:
  ConvolutionRows<double> rows_;
};

}  // namespace slipfield
