// SPDX-License-Identifier: Apache-2.0
// The preconditioner of newton's linear systems, element by element (THEORY.md 6.5).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/fields/newton_ops.h"
#include "solver/host_device.h"
#include "solver/solution.h"

namespace slipfield {

// The direction across q = p - rho s of a slipping element, 0 if q is 0; and the square roots of
// the share of the part across q that the preconditioner of the adhering elements takes, and of the
// rest.
template <class Real>
struct AcrossDirectionOf {
  Real x = 0;
  Real y = 0;
  Real shared = 0;
  Real rest = 1;
};
using AcrossDirection = AcrossDirectionOf<double>;
SLIPFIELD_HD inline AcrossDirection across_direction(const NewtonFields& f, std::size_t i) {
  const TangentialFields& t = f.tangential;
  const double qx = t.traction_x[i] - f.rho * t.slip_x[i];
  const double qy = t.traction_y[i] - f.rho * t.slip_y[i];
  const double q = length_of(qx, qy);
  if (!(q > 0.0)) return {};
  const double share = adhesive_share(f, t.bound[i], q);
  return {-qy / q, qx / q, std::sqrt(share), std::sqrt(1.0 - share)};
}
// The same, and 0 for elements that do not slip.
SLIPFIELD_HD inline AcrossDirection across_if_slipping(const NewtonFields& f, std::size_t i) {
  const bool slips = f.tangential.state[i] == static_cast<unsigned char>(ElementState::slip);
  return slips ? across_direction(f, i) : AcrossDirection{};
}

// Input of the inverse symbols: v of the adhering elements and the shared part of the slipping
// ones, and the rest of v across q of the slipping ones (THEORY.md 6.5).
template <class Real>
struct SplitVectorOf {
  Real x = 0;
  Real y = 0;
  Real across = 0;
};
using SplitVector = SplitVectorOf<double>;
template <class Real>
SLIPFIELD_HD inline SplitVectorOf<Real> split_vector(unsigned char state,
                                                     const AcrossDirectionOf<Real>& across, Real x,
                                                     Real y) {
  if (state == static_cast<unsigned char>(ElementState::adhesion)) return {x, y, 0};
  if (state != static_cast<unsigned char>(ElementState::slip)) return {};
  const Real part = across.x * x + across.y * y;
  if (across.shared == 0) return {0, 0, part};
  const Real with = across.shared * part;
  return {with * across.x, with * across.y, across.rest * part};
}
SLIPFIELD_HD inline SplitVector split_vector(const NewtonFields& f, const double* v,
                                             std::size_t i) {
  return split_vector(f.tangential.state[i], across_if_slipping(f, i), v[i], v[f.count + i]);
}

// Joins v and its preconditioned part `inner`: in adhesion inner/rho; in slip v with its part
// across q preconditioned; elsewhere v.
template <class Real>
SLIPFIELD_HD inline VectorPartOf<Real> join_vector(unsigned char state,
                                                   const AcrossDirectionOf<Real>& across, Real rho,
                                                   Real x, Real y,
                                                   const SplitVectorOf<Real>& inner) {
  if (state == static_cast<unsigned char>(ElementState::adhesion)) {
    x = inner.x / rho;
    y = inner.y / rho;
  } else if (state == static_cast<unsigned char>(ElementState::slip)) {
    Real part = inner.across;
    if (across.shared > 0) {
      const Real with = across.shared / rho;
      part = with * (across.x * inner.x + across.y * inner.y) + across.rest * inner.across;
    }
    const Real change = part - (across.x * x + across.y * y);
    x += across.x * change;
    y += across.y * change;
  }
  return {x, y};
}
SLIPFIELD_HD inline VectorPart join_vector(const NewtonFields& f, const double* v, std::size_t i,
                                           const SplitVector& inner) {
  return join_vector(f.tangential.state[i], across_if_slipping(f, i), f.rho, v[i], v[f.count + i],
                     inner);
}

struct SplitForPreconditioner {
  NewtonFields f;
  const double* v = nullptr;
  double* out_x = nullptr;
  double* out_y = nullptr;
  double* out_across = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const SplitVector split = split_vector(f, v, i);
    out_x[i] = split.x;
    out_y[i] = split.y;
    out_across[i] = split.across;
  }
};

struct JoinPreconditioned {
  NewtonFields f;
  const double* v = nullptr;
  const double* inner_x = nullptr;
  const double* inner_y = nullptr;
  const double* inner_across = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const VectorPart joined = join_vector(f, v, i, {inner_x[i], inner_y[i], inner_across[i]});
    out[i] = joined.x;
    out[f.count + i] = joined.y;
    if (i != 0) return;
    out[2 * f.count] = v[2 * f.count];
    out[2 * f.count + 1] = v[2 * f.count + 1];
  }
};

}  // namespace slipfield
