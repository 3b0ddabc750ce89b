// SPDX-License-Identifier: Apache-2.0
// One core as the team that solves a contact of a batch (solver/batch/small_solver.h).
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <vector>

#include "solver/batch/cpu_products.h"
#include "solver/batch/small_contact.h"
#include "solver/fields/element_op.h"

namespace slipfield {

class CpuTeam {
 public:
  using Real = float;

  // Any family of this shape.
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
  Line<double> exact_lines_;  // room for two rows of frequencies
  Line<float> rough_lines_;
  const CpuFamilySpectra* spectra_ = nullptr;
};

}  // namespace slipfield
