// SPDX-License-Identifier: Apache-2.0
// The scalars of GMRES where they are stored next to its vectors: for a contact of a batch
// (solver/batch/small_solver.h) and a small grid on a GPU (gpu/newton/newton_gmres.h). For larger
// grids they are on the host (solver/fields/gmres.h).
#pragma once

#include <cmath>

#include "solver/fields/krylov_ops.h"
#include "solver/host_device.h"

namespace slipfield {

template <int kProducts>
struct GmresScalars {
  static constexpr int kMost = kProducts;
  double column[kMost + 1] = {};  // of the Hessenberg matrix, then of its triangle
  double triangle[kMost * (kMost + 1) / 2] = {};
  double cosine[kMost] = {};
  double sine[kMost] = {};
  double rhs[kMost + 1] = {};
  double factor[kMost] = {};  // coefficients of the basis vectors in the solution
  double norm2 = 0.0;         // of the orthogonalized newest vector
};

// Index at which column n of the triangle starts.
SLIPFIELD_HD inline int triangle_at(int n) { return n * (n + 1) / 2; }

// Processes the newest column: norm of the remainder, earlier rotations, one new rotation.
template <int kProducts>
SLIPFIELD_HD void take_column(GmresScalars<kProducts>& s, int n, double rounding) {
  s.norm2 = norm2_left(s.column, n + 1, rounding);
  double* const triangle = s.triangle + triangle_at(n);
  double next = s.column[0];
  for (int k = 0; k < n; ++k) {
    const double below = s.column[k + 1];
    triangle[k] = s.cosine[k] * next + s.sine[k] * below;
    next = s.cosine[k] * below - s.sine[k] * next;
  }
  const double below = std::sqrt(s.norm2);
  const double size = std::sqrt(next * next + below * below);
  s.cosine[n] = size > 0.0 ? next / size : 1.0;
  s.sine[n] = size > 0.0 ? below / size : 0.0;
  triangle[n] = size;
  s.rhs[n + 1] = -s.sine[n] * s.rhs[n];
  s.rhs[n] *= s.cosine[n];
}

// The coefficients of the first n basis vectors. Leaves out a last column that depends on those
// before it, up to the part `singular` of the greatest entry.
template <int kProducts>
SLIPFIELD_HD void back_substitute(GmresScalars<kProducts>& s, int n, double singular) {
  double greatest = 0.0;
  for (int k = 0; k < n; ++k) greatest = std::fmax(greatest, s.triangle[triangle_at(k) + k]);
  const bool depends = n > 0 && !(s.triangle[triangle_at(n - 1) + n - 1] > singular * greatest);
  if (depends) s.factor[n - 1] = 0.0;
  for (int k = depends ? n - 2 : n - 1; k >= 0; --k) {
    double sum = s.rhs[k];
    for (int j = k + 1; j < (depends ? n - 1 : n); ++j)
      sum -= s.triangle[triangle_at(j) + k] * s.factor[j];
    s.factor[k] = sum / s.triangle[triangle_at(k) + k];
  }
}

}  // namespace slipfield
