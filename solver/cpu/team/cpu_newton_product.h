// SPDX-License-Identifier: Apache-2.0
// The product of GMRES in the Newton method for rolling, v to J M v, on the CPU in one parallel
// region (THEORY.md 6.4, 6.5). Does what NewtonSolver::multiply (solver/tangential/newton_solver.h)
// does in five; what is done to single elements is done to the row that is in the cache, between
// the transforms before and behind it.
#pragma once

#include <span>
#include <vector>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/tangential/newton_ops.h"

namespace slipfield {

class CpuNewtonProduct {
 public:
  // inverse: the preconditioner's terms of x, y and across; slip: the operator's of x and y. in,
  // joined = M in, out = J M in: Krylov vectors of 2 f.count + 2 numbers; out may be null. Sums are
  // formed row by row: the same bits for any number of threads.
  void apply(CpuFftConvolution& convolution, std::span<const ConvolutionTerm> inverse,
             std::span<const ConvolutionTerm> slip, const NewtonFields& f, int mx, const double* in,
             double* joined, double* out);

 private:
  struct RowSums {
    double x = 0.0;
    double y = 0.0;
  };
  std::vector<RowSums> sums_;
};

}  // namespace slipfield
