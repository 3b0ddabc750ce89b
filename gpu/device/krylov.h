// SPDX-License-Identifier: Apache-2.0
// Gram-Schmidt of GMRES on the device: two launches for a basis of any length, one if the vectors
// are short. Mirrors MultiplyBasis and SubtractBasis of solver/fields/krylov_ops.h (THEORY.md 6.4).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/device/device_array.h"
#include "solver/fields/krylov_ops.h"

namespace slipfield {

// The number of vectors in the form that a kernel takes.
struct KrylovCount {
  int given = 0;           // below 0: use the counter
  int* counter = nullptr;  // set to one more than the number; null: not kept
};

class CudaKrylov {
 public:
  // Up to this length one cluster of eight blocks does everything in one launch, if the card has
  // clusters.
  static constexpr std::size_t kMostInCluster = 16384;

  // overlap: see launch_element_op(). in_cluster: allows the use of a cluster.
  CudaKrylov(cudaStream_t stream, bool overlap, bool in_cluster = true);

  // Makes w orthogonal to the first `count` vectors of the basis, normalizes it and stores it after
  // them in single precision; writes the products with the vectors and the remaining squared norm
  // to `column` and to `host` (pinned). A launch with one more vector than the previous one has the
  // same parameters, because the device counts, and can be replayed (gpu/device/launch_replay.h).
  // Asynchronous. The bits are the same in every run, on every card, and with one launch or two.
  //
  // Traffic: reads the basis twice, 8 bytes per entry of w and vector; reads w twice and writes it.
  void orthogonalize(const KrylovBasis& basis, int count, double* w, KrylovColumn* column,
                     KrylovColumn* host);

  // The same in parts, for entries distributed over several cards: products[0 .. count) of the
  // basis with the first `counted` entries of w, followed by their |w|^2;
  void multiply(const KrylovBasis& basis, int count, const double* w, std::size_t counted,
                double* products);
  // adds those of all cards, `stride` numbers each, in their order into `column`;
  void add_up(const double* products, int cards, int stride, int count, KrylovColumn* column);
  // and subtracts the projections from w.
  void subtract(const KrylovBasis& basis, int count, double* w, const KrylovColumn* column);

 private:
  void launch_multiply(const KrylovBasis& basis, int count, const KrylovCount& of, const double* w,
                       std::size_t counted, double* products, KrylovColumn* column,
                       KrylovColumn* host);
  void launch_subtract(const KrylovBasis& basis, const KrylovCount& of, double* w,
                       const KrylovColumn* column);
  cudaStream_t stream_;
  bool overlap_;
  bool in_cluster_;
  int next_ = -1;  // what the counter holds
  DeviceArray<int> counter_;
  DeviceArray<unsigned> ticket_;
  DeviceArray<double> partial_;
};

}  // namespace slipfield
