// SPDX-License-Identifier: Apache-2.0
// GMRES for one contact of a batch, by a team: solver/tangential/gmres.h with all of its scalars
// where the team keeps them (THEORY.md 6.4, 6.8).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/batch/small_contact.h"

namespace slipfield {

namespace small_gmres_detail {

// Where column n of the triangle begins.
SLIPFIELD_HD inline int triangle_at(int n) { return n * (n + 1) / 2; }

// The newest column: norm of what is left, the rotations so far, one more.
SLIPFIELD_HD inline void take_column(SmallGmresState& s, int n, double rounding) {
  const double norm2 = s.column[n + 1];
  double left = norm2;
  for (int k = 0; k <= n; ++k) left -= s.column[k] * s.column[k];
  s.norm2 = left > rounding * norm2 ? left : 0.0;
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

// The factors of the first n basis vectors; a last column that depends on those before is left out.
SLIPFIELD_HD inline void back_substitute(SmallGmresState& s, int n) {
  constexpr double kRounding = 1.0e-6;
  double greatest = 0.0;
  for (int k = 0; k < n; ++k) greatest = std::fmax(greatest, s.triangle[triangle_at(k) + k]);
  const bool singular = n > 0 && !(s.triangle[triangle_at(n - 1) + n - 1] > kRounding * greatest);
  if (singular) s.factor[n - 1] = 0.0;
  for (int k = singular ? n - 2 : n - 1; k >= 0; --k) {
    double sum = s.rhs[k];
    for (int j = k + 1; j < (singular ? n - 1 : n); ++j)
      sum -= s.triangle[triangle_at(j) + k] * s.factor[j];
    s.factor[k] = sum / s.triangle[triangle_at(k) + k];
  }
}

}  // namespace small_gmres_detail

// Solves J x = b to |b - J x| <= tolerance |b| from x = 0, or as far as kSmallBasis products go.
// b lies in the first vector of the basis. multiply(in, out) = J M in; the caller applies M to what
// this leaves in x. Returns the number of products.
template <class Team, class Real, class Multiply>
SLIPFIELD_TEAM int solve_small_gmres(Team& team, const SmallFields<Real>& f, std::size_t size,
                                     double tolerance, SmallGmresState& s, Real* x,
                                     const Multiply& multiply) {
  namespace detail = small_gmres_detail;
  // Less than this part of |w|^2 is rounding.
  constexpr double kRounding = sizeof(Real) == 4 ? 1.0e-10 : 1.0e-12;
  const auto vector = [&f](int k) {
    return f.basis + static_cast<std::size_t>(k) * f.krylov_stride;
  };
  team.multiply_basis(f.basis, f.krylov_stride, 0, vector(0), size, s.column);
  const double norm = std::sqrt(s.column[0]);
  if (!(norm > 0.0)) {
    team.combine_basis(f.basis, f.krylov_stride, 0, s.factor, size, x);
    return 0;
  }
  if (team.first()) {
    s.rhs[0] = norm;
    s.norm2 = norm * norm;
  }
  team.wait();
  team.subtract_basis(f.basis, f.krylov_stride, 0, s.column, s.norm2, size, vector(0));
  int n = 0;
  double left = norm;
  while (n < kSmallBasis && left > tolerance * norm) {
    multiply(vector(n), vector(n + 1));
    team.multiply_basis(f.basis, f.krylov_stride, n + 1, vector(n + 1), size, s.column);
    if (team.first()) detail::take_column(s, n, kRounding);
    team.wait();
    const double norm2 = s.norm2;
    left = std::fabs(s.rhs[n + 1]);
    ++n;
    if (!(norm2 > 0.0) || !std::isfinite(norm2)) break;
    if (n < kSmallBasis && left > tolerance * norm)
      team.subtract_basis(f.basis, f.krylov_stride, n, s.column, norm2, size, vector(n));
  }
  if (team.first()) detail::back_substitute(s, n);
  team.wait();
  team.combine_basis(f.basis, f.krylov_stride, n, s.factor, size, x);
  return n;
}

}  // namespace slipfield
