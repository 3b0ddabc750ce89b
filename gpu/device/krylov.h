// SPDX-License-Identifier: Apache-2.0
// Gram-Schmidt of GMRES on the device, in two launches for a basis of any length, in one where the
// vectors are short. Mirrors MultiplyBasis and SubtractBasis of solver/fields/krylov_ops.h
// (THEORY.md 6.4).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/device/device_array.h"
#include "solver/fields/krylov_ops.h"

namespace slipfield {

// The number of vectors as a kernel takes it.
struct KrylovCount {
  int given = 0;           // below 0: what the counter holds
  int* counter = nullptr;  // left at one more than the number; null: not kept
};

class CudaKrylov {
 public:
  // Up to here one cluster of eight blocks does it all in one launch, where the card has such.
  static constexpr std::size_t kMostInCluster = 16384;

  // overlap: as of launch_element_op(). in_cluster: whether a cluster may do it.
  CudaKrylov(cudaStream_t stream, bool overlap, bool in_cluster = true);

  // Makes w orthogonal to the first `count` vectors of the basis, normalizes it and stores it
  // behind them in single precision; writes the products with the vectors and the remaining squared
  // norm to `column`. The launch of one vector more than the one before has the same parameters, so
  // that it can be replayed (gpu/device/launch_replay.h): the device counts. Returns whether it
  // also writes them to `host` (pinned). Asynchronous. The bits are the same in every run, on every
  // card, and with one launch or two.
  //
  // Traffic: the basis twice, 8 bytes of it per entry of w and vector; w is read twice and written.
  bool orthogonalize(const KrylovBasis& basis, int count, double* w, KrylovColumn* column,
                     KrylovColumn* host);

  // The same in parts, where the entries are shared out over several cards: products[0 .. count) of
  // the basis with the first `counted` entries of w, and their |w|^2 behind them;
  void multiply(const KrylovBasis& basis, int count, const double* w, std::size_t counted,
                double* products);
  // of all cards, `stride` numbers each, added in their order into `column`;
  void add_up(const double* products, int cards, int stride, int count, KrylovColumn* column);
  // and what that leaves of w.
  void subtract(const KrylovBasis& basis, int count, double* w, const KrylovColumn* column);

 private:
  void launch_multiply(const KrylovBasis& basis, int count, const KrylovCount& of, const double* w,
                       std::size_t counted, double* products, KrylovColumn* column);
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
