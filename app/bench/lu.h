// SPDX-License-Identifier: Apache-2.0
// `slipfield bench lu`: ways to factorise the influence matrix of a contact.
//
// Crout's LU factors one after another, and as the fixed point of a sweep that computes all entries
// at once: kept for `bench lu`, next to the libraries that the solvers use.
//
// Crout: A = L U with ones on U's diagonal, no pivots,
//   l_ij = a_ij - sum_{k<j} l_ik u_kj           for i >= j,
//   u_ij = (a_ij - sum_{k<i} l_ik u_kj)/l_ii    for i < j.
// The fixed-point iteration evaluates the same right-hand sides with the factors of the sweep
// before. It ends with the exact factors after at most 2 n sweeps, but on the way they grow: with
// an influence matrix beyond some 100 rows they overflow. In panels (32 columns of L and 32 rows of
// U at a time, what the panels before contribute taken off first) it stays tame.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "gpu/bench/cuda_bench.h"

namespace slipfield {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// L and U in one matrix, the ones of U's diagonal left out.
RowMajorMatrix crout(const RowMajorMatrix& a);

struct FixedPointFactors {
  RowMajorMatrix factors;
  int sweeps = 0;  // the most that a panel took
};
// Sweeps over each panel until its factors change by less than the tolerance, at most `most` times;
// uses all threads. With a panel as large as the matrix it is the plain iteration.
FixedPointFactors crout_fixed_point(const RowMajorMatrix& a, int panel, double tolerance, int most);

// ||A - L U||_F / ||A||_F of factors without pivots.
double crout_error(const RowMajorMatrix& a, const RowMajorMatrix& factors);

// A_nn of `n` elements of a nearly square contact: the matrix that the direct method factorises.
RowMajorMatrix contact_matrix(int n);

// Crout's LU one entry after another and as a fixed point in panels, Eigen's LU and Cholesky, and
// with `gpu` cuSOLVER's, each with ||A - LU||/||A||. Floor: 2/3 n^3 flops (Cholesky half of them)
// over the multiply-add rate measured.
std::vector<BenchLine> bench_lu(const std::vector<int>& sizes, bool gpu);

}  // namespace slipfield
