// SPDX-License-Identifier: Apache-2.0
// The preconditioner of newton's linear systems, element by element (THEORY.md 6.5).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/fields/newton_ops.h"
#include "solver/host_device.h"
#include "solver/solution.h"

namespace slipfield {

// The direction across q = p - rho s of a slipping element, 0 where q is; and the share of what
// lies across that goes with the adhering elements.
struct AcrossDirection {
  double x = 0.0;
  double y = 0.0;
  double share = 0.0;
};
SLIPFIELD_HD inline AcrossDirection across_direction(const NewtonFields& f, std::size_t i) {
  const TangentialFields& t = f.tangential;
  const double qx = t.traction_x[i] - f.rho * t.slip_x[i];
  const double qy = t.traction_y[i] - f.rho * t.slip_y[i];
  const double q = length_of(qx, qy);
  if (!(q > 0.0)) return {};
  return {-qy / q, qx / q, adhesive_share(f, t.bound[i], q)};
}

// What the inverse symbols precondition: v on the adhering elements with the share of the slipping
// ones, and what is left of v across q on these (THEORY.md 6.5).
struct SplitVector {
  double x = 0.0;
  double y = 0.0;
  double across = 0.0;
};
SLIPFIELD_HD inline SplitVector split_vector(const NewtonFields& f, const double* v,
                                             std::size_t i) {
  const TangentialFields& t = f.tangential;
  const bool adheres = t.state[i] == static_cast<unsigned char>(ElementState::adhesion);
  const bool slips = t.state[i] == static_cast<unsigned char>(ElementState::slip);
  const double x = v[i];
  const double y = v[f.count + i];
  if (adheres) return {x, y, 0.0};
  if (!slips) return {};
  const AcrossDirection across = across_direction(f, i);
  const double part = across.x * x + across.y * y;
  if (across.share == 0.0) return {0.0, 0.0, part};
  const double with = std::sqrt(across.share) * part;
  return {with * across.x, with * across.y, std::sqrt(1.0 - across.share) * part};
}

// Joins v and its preconditioned part `inner`: over rho in adhesion; in slip v with its part across
// q preconditioned; v elsewhere.
SLIPFIELD_HD inline VectorPart join_vector(const NewtonFields& f, const double* v, std::size_t i,
                                           const SplitVector& inner) {
  const TangentialFields& t = f.tangential;
  double x = v[i];
  double y = v[f.count + i];
  if (t.state[i] == static_cast<unsigned char>(ElementState::adhesion)) {
    x = inner.x / f.rho;
    y = inner.y / f.rho;
  } else if (t.state[i] == static_cast<unsigned char>(ElementState::slip)) {
    const AcrossDirection across = across_direction(f, i);
    double part = inner.across;
    if (across.share > 0.0) {
      const double with = std::sqrt(across.share) / f.rho;
      part = with * (across.x * inner.x + across.y * inner.y) +
             std::sqrt(1.0 - across.share) * inner.across;
    }
    const double change = part - (across.x * x + across.y * y);
    x += across.x * change;
    y += across.y * change;
  }
  return {x, y};
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
