// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>

#include "app/bench/study_lu.h"

namespace slipfield {
namespace {

RowMajorMatrix random_matrix(int n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  RowMajorMatrix a(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) = value(random) + (i == j ? n : 0.0);
  }
  return a;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("Crout: the factors give the matrix back, one by one and as a fixed point in panels") {
    for (const int n : {1, 2, 31, 32, 33, 75}) {
      CAPTURE(n);
      for (const RowMajorMatrix& a : {random_matrix(n, 5), contact_matrix(n)}) {
        const RowMajorMatrix factors = crout(a);
        CHECK(crout_error(a, factors) <= 1e-14);
        const FixedPointFactors fixed = crout_fixed_point(a, 32, 1e-15, 65);
        CHECK(fixed.sweeps <= 65);
        CHECK((fixed.factors - factors).norm() <= 1e-12 * factors.norm());
      }
    }
  }
}

}  // namespace slipfield
