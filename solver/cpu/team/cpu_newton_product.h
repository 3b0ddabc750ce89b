// SPDX-License-Identifier: Apache-2.0
// The product of GMRES in the Newton method for rolling, v to J M v, on the CPU in one parallel
// region (THEORY.md 6.4, 6.5). Does what NewtonSolver::multiply (solver/tangential/newton_solver.h)
// does in five; what is done to single elements is done to the row that is in the cache, between
// the transforms before and behind it.
//
// Transforms and spectra are in single precision, as the basis of GMRES is: half the memory, and
// about half the time. The linear system is solved to a tenth, and the residual that newton ends
// with is of products in double precision.
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
  // stiffness: 1/A_xx(0) of the operator, roughly.
  CpuNewtonProduct(const Grid& grid, double stiffness);

  // The operator's terms of x and y.
  void set_slip(std::span<const ConvolutionTerm> terms);
  // The preconditioner's spectra of x and y.
  void set_inverse(const Spectrum& x, const Spectrum& y);
  // Spectrum of the direction across, for its maker to fill.
  SpectrumOf<float>& across() { return inverse_[2]; }
  [[nodiscard]] bool has_slip() const { return !slip_.empty(); }

  // joined = M in; in: Krylov vectors of 2 f.count + 2 numbers.
  void precondition(const NewtonFields& f, const double* in, double* joined) {
    apply(f, in, joined, nullptr);
  }
  // joined = M in, out = J M in. Sums are formed row by row: the same bits for any number of
  // threads.
  void multiply(const NewtonFields& f, const double* in, double* joined, double* out) {
    apply(f, in, joined, out);
  }

 private:
  struct RowSums {
    double x = 0.0;
    double y = 0.0;
  };
  struct Row;
  void apply(const NewtonFields& f, const double* in, double* joined, double* out);
  // unit: of the vector's numbers, near the greatest; keeps floats within bounds.
  void take_split(const NewtonFields& f, std::size_t iy, const double* in, double unit, Row& row);
  void give_joined(const NewtonFields& f, std::size_t iy, const double* in, double unit,
                   double* joined, Row& row);
  RowSums give_product(const NewtonFields& f, std::size_t iy, const double* v, double* out,
                       Row& row);

  std::size_t mx_;
  ConvolutionRows<float> rows_;
  double unit_;  // of traction over displacement, near the stiffness: keeps floats within bounds
  std::vector<SpectrumOf<float>> slip_;  // times the unit
  std::vector<ConvolutionTermOf<float>> slip_terms_;
  std::array<SpectrumOf<float>, 3> inverse_;  // x and y over the unit; across
  std::vector<RowSums> sums_;
};

}  // namespace slipfield
