// SPDX-License-Identifier: Apache-2.0
// One core as a team that solves a contact of a batch (solver/batch/small_solver.h).
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "solver/batch/family.h"
#include "solver/batch/small_contact.h"
#include "solver/fields/element_op.h"

namespace slipfield {

// Products for the contacts of a family on one core; plans and memory are prepared in advance
// (THEORY.md 2.6, 6.8).
//
// The two fields of a vector field are transformed as one, f = x + iy. With the symbols a, b, c of
// xx, xy, yy the product is (6.8)
//   g(k) = (a + c)/2 f(k) + ((a - c)/2 + ib) conj f(-k).

// The factors of f(k) and of conj f(-k), for all frequencies [ky][kx], kx fastest.
template <class Real>
struct PairSpectrum {
  std::vector<std::complex<Real>> straight;
  std::vector<std::complex<Real>> crossed;
};

// The transforms of a family's coefficients, shared by any number of threads, which only read them.
struct CpuFamilySpectra {
  int nx = 1;
  int ny = 1;
  double self_normal = 0.0;
  double self_slip = 0.0;
  std::vector<double> normal, normal_inverse;  // even coefficients: real
  PairSpectrum<double> displacement, slip;     // now, and of the step
  PairSpectrum<float> rough_slip, inverse_slip;
};

// sliding: include what the tangential problem needs.
std::shared_ptr<const CpuFamilySpectra> make_cpu_spectra(const BatchFamily& family, bool sliding);

// Transforms of pairs of fields over the padded grid, planned for one shape. Rows of the padding
// are neither read nor written. Results are not normalised.
template <class Real>
class PaddedTransform {
 public:
  using Complex = std::complex<Real>;
  PaddedTransform(int mx, int my, int nx, int ny);
  ~PaddedTransform();
  PaddedTransform(const PaddedTransform&) = delete;
  PaddedTransform& operator=(const PaddedTransform&) = delete;

  // Fields of mx my values; y null: taken as 0, and not written back.
  void forward(const Real* x, const Real* y);
  void backward(Real* x, Real* y);

  // The row of frequency ky of the transform: nx values.
  [[nodiscard]] Complex* row(int ky);

 private:
  struct Plans;
  int mx_, my_, nx_, ny_;
  std::unique_ptr<Plans> plans_;
};

class CpuTeam {
 public:
  using Real = float;

  // Works for any family of this shape.
  CpuTeam(int mx, int my, int nx, int ny)
      : exact_(mx, my, nx, ny),
        rough_(mx, my, nx, ny),
        nx_(nx),
        ny_(ny),
        count_(static_cast<std::size_t>(mx) * static_cast<std::size_t>(my)),
        exact_lines_(2 * static_cast<std::size_t>(nx)),
        rough_lines_(2 * static_cast<std::size_t>(nx)) {}

  void take_up(const CpuFamilySpectra& spectra) { spectra_ = &spectra; }

  static constexpr bool first() { return true; }
  static void wait() {}

  template <class Op>
  void run(std::size_t count, const Op& op) {
    static_assert(kIsSound<Op>);
    std::array<double, kSumsOf<Op> + 1> sums{};
    for (std::size_t i = 0; i < count; ++i) op.element(i, sums.data());
    if constexpr (kHasFinish<Op>) op.finish(sums.data());
  }

  [[nodiscard]] static double greatest(const double* values, std::size_t count) {
    return std::max(0.0, *std::max_element(values, values + count));
  }

  void multiply_normal(const double* in, double* out);
  void precondition_normal(const double* in, double* out);
  void multiply_displacement(const double* in, double* out);
  void multiply_slip(const double* in, double* out);
  void multiply_slip(const float* in, float* out);
  void precondition_slip(const float* in, float* out);

  // out[k] = basis[k].w for k < vectors, then w.w
  static void multiply_basis(const float* basis, std::size_t stride, int vectors, const float* w,
                             std::size_t size, double* out);
  // w = (w - sum factor[k] basis[k])/sqrt(norm2)
  static void subtract_basis(const float* basis, std::size_t stride, int vectors,
                             const double* factor, double norm2, std::size_t size, float* w);
  // out = sum factor[k] basis[k]
  static void combine_basis(const float* basis, std::size_t stride, int vectors,
                            const double* factor, std::size_t size, float* out);

 private:
  template <class Number>
  using Line = std::vector<std::complex<Number>>;

  void scale(const std::vector<double>& factor, const double* in, double* out);
  template <class Number>
  void multiply(PaddedTransform<Number>& transform, Line<Number>& lines,
                const PairSpectrum<Number>& spectrum, const Number* in, Number* out);

  PaddedTransform<double> exact_;
  PaddedTransform<float> rough_;
  int nx_;
  int ny_;
  std::size_t count_;
  Line<double> exact_lines_;  // scratch for two rows of frequencies
  Line<float> rough_lines_;
  const CpuFamilySpectra* spectra_ = nullptr;
};

}  // namespace slipfield
