// SPDX-License-Identifier: Apache-2.0
// Gram-Schmidt of GMRES on the device, in two launches for a basis of any length. Mirrors
// MultiplyBasis and SubtractBasis of solver/tangential/krylov_ops.h (THEORY.md 6.4).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/device/device_array.h"
#include "solver/tangential/krylov_ops.h"

namespace slipfield {

class CudaKrylov {
 public:
  // overlap: as of launch_element_op().
  CudaKrylov(cudaStream_t stream, bool overlap);

  // Takes the first `count` vectors of the basis out of w, which it normalizes and stores in single
  // precision; their products with w and the squared norm of what was left into `column`.
  // Asynchronous. The same bits in every run and on every card.
  //
  // Traffic: the basis twice, 8 bytes of it per entry of w and vector; w is read twice and written.
  void orthogonalize(const KrylovBasis& basis, int count, double* w, float* stored,
                     KrylovColumn* column);

  // The same in parts, where the entries are shared out over several cards: products[0 .. count) of
  // the basis with the first `counted` entries of w, and their |w|^2 behind them;
  void multiply(const KrylovBasis& basis, int count, const double* w, std::size_t counted,
                double* products);
  // of all cards, `stride` numbers each, added in their order into `column`;
  void add_up(const double* products, int cards, int stride, int count, KrylovColumn* column);
  // and what that leaves of w.
  void subtract(const KrylovBasis& basis, int count, double* w, float* stored,
                const KrylovColumn* column);

 private:
  void launch_multiply(const KrylovBasis& basis, int count, const double* w, std::size_t counted,
                       double* products, KrylovColumn* column);
  cudaStream_t stream_;
  bool overlap_;
  DeviceArray<unsigned> ticket_;
  DeviceArray<double> partial_;
};

}  // namespace slipfield
