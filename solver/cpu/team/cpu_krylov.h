// SPDX-License-Identifier: Apache-2.0
// Gram-Schmidt of GMRES on the CPU in one parallel region (THEORY.md 6.4). Replaces the element
// operations of solver/fields/krylov_ops.h, which take two regions for every seven vectors.
//
// Per entry it reads the basis twice, 4 bytes per vector, and the newest vector three times; blocks
// of the latter stay in the cache while all vectors pass.
#pragma once

#include <vector>

#include "solver/fields/krylov_ops.h"

namespace slipfield {

class CpuKrylov {
 public:
  // Removes the first `count` basis vectors from w, normalizes it and stores it as floats; *column:
  // the products with them, and the squared norm of the remainder. Sums are formed block by block:
  // the same bits for any number of threads.
  void orthogonalize(const KrylovBasis& basis, int count, double* w, float* stored,
                     KrylovColumn* column);

 private:
  std::vector<double> partial_;  // block sums for each vector, the last one being w itself
};

}  // namespace slipfield
