// SPDX-License-Identifier: Apache-2.0
// The product v to J M v of GMRES in the Newton method for rolling, in five launches (THEORY.md
// 6.4, 6.5). Mirrors NewtonSolver::multiply (solver/tangential/newton_solver.h), which takes seven
// to nine launches: on small grids each takes 2 to 4 us whatever its work.
//
// With Gram-Schmidt an iteration is six launches, on more than 90 x 90 elements seven, replayed as
// one graph (gpu/device/launch_replay.h). On a free grid with nx = 2 mx, ny = 2 my it moves some
// 650 bytes per element and the basis twice: 2.7 MB at 64^2, 0.65 us at the 4.07 TB/s that a copy
// reaches. Small grids wait for the latency of consecutive kernels: 3.2 us each, although the next
// one begins while the previous one ends, 23 us per iteration of 44 x 44 elements (NVIDIA H200,
// CUDA 13.0; the host sends the graph in 3.2 us). Up to 64 x 64 elements gpu/newton/newton_gmres.h
// replaces it.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "gpu/fft/fft_product.h"
#include "solver/fields/newton_ops.h"

namespace slipfield {

class NewtonProduct {
 public:
  // Accepts free grids of up to 512 rows: on larger ones launches do not matter.
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

  // joined = M in only, in three launches.
  void precondition(FftProduct& product, const SpectrumMatrix& inverse, const NewtonFields& f,
                    const double* in, double* joined, cudaStream_t stream) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipfield
