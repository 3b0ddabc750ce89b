// SPDX-License-Identifier: Apache-2.0
// `slipfield bench lu`: ways to factorise the influence matrix of a contact.
//
// Crout's LU, computed one factor after another, and as the fixed point of a sweep that computes
// all entries at once. Only `bench lu` uses them, to compare with the libraries that the solvers
// use.
//
// Crout: A = L U with ones on U's diagonal, no pivots,
//   l_ij = a_ij - sum_{k<j} l_ik u_kj           for i >= j,
//   u_ij = (a_ij - sum_{k<i} l_ik u_kj)/l_ii    for i < j.
// The fixed-point iteration evaluates the same right-hand sides with the factors of the previous
// sweep. It reaches the exact factors after at most 2 n sweeps, but its iterates grow: with an
// influence matrix of more than some 100 rows they overflow. In panels (32 columns of L and 32 rows
// of U at a time, after the contribution of earlier panels is subtracted) it stays stable.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "gpu/bench/cuda_bench.h"

namespace slipfield {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// L and U in one matrix; the ones on U's diagonal are not stored.
RowMajorMatrix crout(const RowMajorMatrix& a);

struct FixedPointFactors {
  RowMajorMatrix factors;
  int sweeps = 0;  // the most that any panel took
};
// Sweeps over each panel until its factors change by less than the tolerance, at most `most` times;
// uses all threads. A panel as large as the matrix gives the plain iteration.
FixedPointFactors crout_fixed_point(const RowMajorMatrix& a, int panel, double tolerance, int most);

// ||A - L U||_F / ||A||_F of factors without pivots.
double crout_error(const RowMajorMatrix& a, const RowMajorMatrix& factors);

// A_nn of `n` elements of a nearly square contact: the matrix that the direct method factorises.
RowMajorMatrix contact_matrix(int n);

// Times Crout's LU one entry after another and as a fixed point in panels, Eigen's LU and Cholesky
// and, with `gpu`, cuSOLVER's, each with ||A - LU||/||A||. Floor: 2/3 n^3 flops (half for Cholesky)
// over the measured multiply-add rate.
std::vector<BenchLine> bench_lu(const std::vector<int>& sizes, bool gpu);

}  // namespace slipfield
