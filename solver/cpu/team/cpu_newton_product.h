// SPDX-License-Identifier: Apache-2.0
// The product of GMRES in the Newton method for rolling, v to J M v, on the CPU in one parallel
// region (THEORY.md 6.4, 6.5). It replaces the five regions of NewtonSolver::multiply
// (solver/tangential/newton_solver.h); element operations are applied to a pair of rows in the
// cache, between the transforms before and after.
//
// Transforms and spectra are in single precision, like the basis of GMRES: half the memory, and
// about half the time. The linear system is solved only to a tenth, and newton's final residual
// comes from products in double precision.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "solver/cpu/fft/convolution_rows.h"
#include "solver/fields/newton_ops.h"

namespace slipfield {

class CpuNewtonProduct {
 public:
  // stiffness: rough value of 1/A_xx(0) of the operator.
  CpuNewtonProduct(const Grid& grid, double stiffness);

  // The operator's terms of x and y.
  void set_slip(std::span<const ConvolutionTerm> terms);
  // The preconditioner's spectra of x and y.
  void set_inverse(const Spectrum& x, const Spectrum& y);
  // Spectrum of the direction across, to be filled by the caller.
  SpectrumOf<float>& across() { return inverse_[2]; }
  [[nodiscard]] bool has_slip() const { return !slip_.empty(); }

  // joined = M in; in: Krylov vectors of 2 f.count + 2 numbers.
  void precondition(const NewtonFields& f, const double* in, double* joined) {
    apply(f, in, joined, nullptr);
  }
  // joined = M in, out = J M in. Sums are formed pair by pair: the same bits for any number of
  // threads.
  void multiply(const NewtonFields& f, const double* in, double* joined, double* out) {
    apply(f, in, joined, out);
  }

 private:
  struct PairSums {
    double x = 0.0;
    double y = 0.0;
  };
  struct Pair;
  void apply(const NewtonFields& f, const double* in, double* joined, double* out);
  // The number of the pair's rows: 2, or 1 at the end.
  [[nodiscard]] std::size_t rows_of(const NewtonFields& f, std::size_t pair) const;
  void take(std::size_t fields, std::size_t pair, Pair& rows);
  // Returns false, and gives nothing, if no element of the pair is in contact.
  bool give(const NewtonFields& f, std::size_t fields, std::size_t pair, Pair& rows);
  // unit: scale of the vector, near its greatest number; keeps floats in range.
  void take_split(const NewtonFields& f, std::size_t pair, const double* in, double unit,
                  Pair& rows);
  void give_joined(const NewtonFields& f, std::size_t pair, const double* in, double unit,
                   double* joined, Pair& rows);
  PairSums give_product(const NewtonFields& f, std::size_t pair, const double* v, double* out,
                        Pair& rows);

  std::size_t mx_;
  ConvolutionRows<float> rows_;
  double unit_;  // traction over displacement, near the stiffness; keeps floats in range
  std::vector<SpectrumOf<float>> slip_;  // times the unit
  std::vector<ConvolutionTermOf<float>> slip_terms_;
  std::array<SpectrumOf<float>, 3> inverse_;  // x and y over the unit; across
  std::vector<PairSums> sums_;
};

}  // namespace slipfield
