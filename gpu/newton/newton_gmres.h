// SPDX-License-Identifier: Apache-2.0
// GMRES of a Newton step in rolling on a small grid, from the right side to the solution in one
// launch (THEORY.md 6.4, 6.5). Mirrors solver/fields/gmres.h around NewtonSolver::multiply
// (solver/tangential/newton_solver.h), with the same rules by which it ends; M and J M are in
// single precision, as on the CPU.
//
// On such a grid the time goes into launching one kernel after another, not into work
// (gpu/newton/newton_product.h). Here one cluster of blocks stays on the card, its barriers take
// the place of the launches, and no number is read until the Newton step has been taken.
//
// An iteration takes 21 us at 64 x 64 elements, 20 at 44 x 44 (NVIDIA H200, CUDA 13.0, 42,000
// cycles): eight transforms one behind another, with what is done to single elements around them,
// 16 us; products with the basis and their sums 3; five barriers of the cluster 2. Its bytes would
// take .65 us: the warps, 2 to 4 for each scheduler, wait for their own instructions.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "gpu/fft/fft_product.h"
#include "solver/fields/newton_ops.h"

namespace slipfield {

class NewtonGmres {
 public:
  // Grids that NewtonProduct takes, of up to 64 x 64 elements, on cards that run clusters of 16
  // blocks.
  static bool takes(const FftShape& shape);

  explicit NewtonGmres(const FftShape& shape);
  NewtonGmres(const NewtonGmres&) = delete;
  NewtonGmres& operator=(const NewtonGmres&) = delete;
  NewtonGmres(NewtonGmres&&) noexcept;
  NewtonGmres& operator=(NewtonGmres&&) noexcept;
  ~NewtonGmres();

  // Solves J x = b to |b - J x| <= tolerance |b| from x = 0, in at most `most` products, and leaves
  // their number in f.scalars->products. tolerance: below 1; most: at most GridLimits::kKrylov;
  // else as NewtonProduct::apply(). Asynchronous; the same bits in every run.
  void solve(const SpectrumMatrix& inverse, const SpectrumMatrix& slip, const NewtonFields& f,
             const double* b, double* x, double tolerance, int most, cudaStream_t stream) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipfield
