// SPDX-License-Identifier: Apache-2.0
// The product v to J M v of GMRES in the Newton method for rolling, in five launches (THEORY.md
// 6.4, 6.5). Mirrors NewtonSolver::multiply (solver/tangential/newton_solver.h), which takes seven
// to nine launches: on small grids each takes 2 to 4 us whatever its work. Transforms are in single
// precision, as in solver/cpu/team/cpu_newton_product.h.
//
// With Gram-Schmidt an iteration is six launches, on more than 90 x 90 elements seven, replayed as
// one graph (gpu/device/launch_replay.h). On a free grid with nx = 2 mx, ny = 2 my it moves some
// 490 bytes per element and the basis twice: 10 MB at 128^2, 2.4 us at the 4.07 TB/s that a copy
// reaches, 170 MB at 512^2, 42 us. It takes 39 us at 128^2, 61 at 256^2 and 135 at 512^2 (44 and
// 68 at 128^2 and 256^2 in double precision; NVIDIA H200, CUDA 13.0; the host sends the graph in
// 3.2 us): small grids wait for the latency of consecutive kernels although the next one begins
// while the previous one ends. Up to 64 x 64 elements gpu/newton/newton_gmres.h replaces it.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "gpu/fft/fft_product.h"
#include "solver/fields/newton_ops.h"

namespace slipfield {

// Spectra of the preconditioner (x, y, across) and of the operator, in units in which the
// coefficient of an element on itself is near 1: floats hold them and their products.
struct NewtonSpectra {
  SpectrumView inverse[kDirections];
  SpectrumView slip[2][2];  // [to][from]
};
// rho: NewtonFields::rho, 1/S_xx(0).
NewtonSpectra newton_spectra(const SpectrumMatrix& inverse, const SpectrumMatrix& slip, double rho);

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

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipfield
