// SPDX-License-Identifier: Apache-2.0
// Gram-Schmidt of GMRES on the CPU, in one parallel region (THEORY.md 6.4). Does what the element
// operations of solver/fields/krylov_ops.h do, which take two for every seven vectors.
//
// By entry it reads the basis twice, 4 bytes a vector, and the newest vector three times; blocks of
// that one stay in the cache while all vectors pass.
#pragma once

#include <vector>

#include "solver/fields/krylov_ops.h"

namespace slipfield {

class CpuKrylov {
 public:
  // Takes the first `count` vectors of the basis out of w, normalizes it and stores it as floats;
  // *column: the products with them, and the squared norm of what is left. Sums are formed block by
  // block: the same bits for any number of threads.
  void orthogonalize(const KrylovBasis& basis, int count, double* w, float* stored,
                     KrylovColumn* column);

 private:
  std::vector<double> partial_;  // of each vector, the last one w itself: its sums over the blocks
};

}  // namespace slipfield
