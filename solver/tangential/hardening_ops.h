// SPDX-License-Identifier: Apache-2.0
// Newton's rows where the bound of an element rises with its own shear: a layer that hardens
// (THEORY.md 5.11, 6.11). No load is beyond such a bound until it reaches that of friction.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"
#include "solver/solution.h"
#include "solver/tangential/newton_ops.h"
#include "solver/tangential/tangential_ops.h"

namespace slipfield {

// Of each element: the yield stress before its shear in this step, and the greatest bound, that of
// friction. hardening: of the yield stress by the slip of the step, >= 0 [force/length^3].
struct HardeningBound {
  const double* limit = nullptr;
  const double* greatest = nullptr;
  double hardening = 0.0;
  [[nodiscard]] SLIPFIELD_HD bool exists() const { return limit != nullptr; }
};

// As LinearizeFriction. The slip sigma that q = p - rho s alone would leave has
//   limit + k sigma + rho sigma = |q|,
// so that the bound limit + k sigma and its derivative k/(k + rho) along q depend on q alone.
struct LinearizeHardeningFriction {
  using Sum = LinearizeFriction::Sum;
  static constexpr int kSums = LinearizeFriction::kSums;
  LinearizeFriction rows;
  HardeningBound bound;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const NewtonFields& f = rows.f;
    const TangentialFields& t = f.tangential;
    const double greatest = bound.greatest[i];
    const double limit = bound.limit[i];
    if (!in_contact(t.state[i]) || limit >= greatest)
      return rows.linearize(i, greatest, greatest, sums);
    const double qx = t.traction_x[i] - f.rho * t.slip_x[i];
    const double qy = t.traction_y[i] - f.rho * t.slip_y[i];
    const double q = length_of(qx, qy);
    if (q <= limit) return rows.linearize(i, limit, limit, sums);
    const double along = bound.hardening / (bound.hardening + f.rho);
    const double g = limit + along * (q - limit);
    if (g >= greatest) return rows.linearize(i, greatest, -1.0, sums);
    rows.linearize(i, g, -1.0, sums);
    const double nx = qx / q;
    const double ny = qy / q;
    const double across = g / q;
    f.dxx[i] = across * ny * ny + along * nx * nx;
    f.dyy[i] = across * nx * nx + along * ny * ny;
    f.dxy[i] = f.dyx[i] = (along - across) * nx * ny;
  }
  SLIPFIELD_HD void finish(const double* sums) const { rows.finish(sums); }
};

// As TakeNewtonStep, each element back onto the disc of the greatest bound.
struct TakeHardeningStep {
  static constexpr int kSums = TakeNewtonStep::kSums;
  TakeNewtonStep rows;
  HardeningBound bound;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    rows.take(i, bound.greatest[i], sums);
  }
  SLIPFIELD_HD void finish(const double* sums) const { rows.finish(sums); }
};

}  // namespace slipfield
