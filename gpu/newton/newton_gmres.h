// SPDX-License-Identifier: Apache-2.0
// GMRES of a Newton step in rolling on a small grid, from the right side to the solution in one
// launch (THEORY.md 6.4, 6.5). Mirrors solver/fields/gmres.h around NewtonSolver::multiply
// (solver/tangential/newton_solver.h), with the same rules for ending; M and J M are in single
// precision, as on the CPU.
//
// On such a grid the time is spent on launches rather than work (gpu/newton/newton_product.h). Here
// one cluster of blocks stays on the card, its barriers replace launches, and no number is read
// until the Newton step is complete.
//
// An iteration takes 17.5 us at 64 x 64 elements, 18 at 44 x 44, whose 96 points have no transform
// by shuffles (NVIDIA H200, CUDA 13.0). It took 22 with spectra read from L2 and each pass of a
// transform through shared memory: 10 KB a warp, 1,280 cycles of the 2,450 that a transform of 128
// points by each of 16 warps took, eight of them one after another. Its bytes would take 0.65 us:
// the warps, 2 to 4 for each scheduler, wait for their own instructions; products with the basis
// and their sums take 3 us, five barriers of the cluster 2.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "gpu/fft/fft_product.h"
#include "solver/fields/newton_ops.h"

namespace slipfield {

class NewtonGmres {
 public:
  // Accepts grids that NewtonProduct accepts, up to 64 x 64 elements, on cards with clusters of 16
  // blocks.
  static bool takes(const FftShape& shape);

  explicit NewtonGmres(const FftShape& shape);
  NewtonGmres(const NewtonGmres&) = delete;
  NewtonGmres& operator=(const NewtonGmres&) = delete;
  NewtonGmres(NewtonGmres&&) noexcept;
  NewtonGmres& operator=(NewtonGmres&&) noexcept;
  ~NewtonGmres();

  // Solves J x = b to |b - J x| <= tolerance |b| from x = 0 in at most `most` products, and writes
  // their number to f.scalars->products. tolerance: below 1; most: at most GridLimits::kKrylov;
  // otherwise like NewtonProduct::apply(). Asynchronous; the same bits in every run.
  void solve(const SpectrumMatrix& inverse, const SpectrumMatrix& slip, const NewtonFields& f,
             const double* b, double* x, double tolerance, int most, cudaStream_t stream) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipfield
