// SPDX-License-Identifier: Apache-2.0
// The product of GMRES in the Newton method for rolling, v to J M v, in five launches (THEORY.md
// 6.4, 6.5). Mirrors NewtonSolver::multiply (solver/tangential/newton_solver.h), which takes seven
// to nine: on small grids each takes its 2 to 4 us whatever it does.
//
// With Gram-Schmidt an iteration is six launches, on more than 90 x 90 elements seven, which are
// replayed as one graph (gpu/device/launch_replay.h). By element of a free grid, nx = 2 mx, ny = 2
// my, it moves some 650 bytes and the basis twice: 2.7 MB at 64^2, 0.65 us at the 4.07 TB/s that a
// copy reaches. What a small grid waits for is the latency of its kernels one behind another: 3.2
// us each, though the next one begins while the last one ends, 23 us an iteration of 44 x 44
// elements (NVIDIA H200, CUDA 13.0; the host sends the graph in 3.2 us). Up to 64 x 64 elements
// gpu/newton/newton_gmres.h takes its place.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "gpu/fft/fft_product.h"
#include "solver/fields/newton_ops.h"

namespace slipfield {

class NewtonProduct {
 public:
  // Free grids of up to 512 rows: on larger ones the launches do not count.
  static bool takes(const FftShape& shape);

  explicit NewtonProduct(const FftShape& shape);
  NewtonProduct(const NewtonProduct&) = delete;
  NewtonProduct& operator=(const NewtonProduct&) = delete;
  NewtonProduct(NewtonProduct&&) noexcept;
  NewtonProduct& operator=(NewtonProduct&&) noexcept;
  ~NewtonProduct();

  // product: of that shape, with scratch for three directions. inverse: the preconditioner's
  // spectra of x, y and across; slip: of the operator, x and y. in, joined = M in, out = J M in:
  // Krylov vectors of 2 f.count + 2 numbers. Asynchronous.
  void apply(FftProduct& product, const SpectrumMatrix& inverse, const SpectrumMatrix& slip,
             const NewtonFields& f, const double* in, double* joined, double* out,
             cudaStream_t stream) const;

  // joined = M in alone, in three launches.
  void precondition(FftProduct& product, const SpectrumMatrix& inverse, const NewtonFields& f,
                    const double* in, double* joined, cudaStream_t stream) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipfield
