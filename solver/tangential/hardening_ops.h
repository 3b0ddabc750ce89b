// SPDX-License-Identifier: Apache-2.0
// The law of an element (element_law.h) whose bound rises with its own shear: a layer that hardens
// (THEORY.md 5.11, 6.11). No load is beyond such a bound until it reaches that of friction.
#pragma once

#include <cstddef>

#include "solver/fields/newton_ops.h"
#include "solver/fields/tangential_ops.h"
#include "solver/host_device.h"
#include "solver/solution.h"

namespace slipfield {

// For each element the yield stress before its shear in this step, and the greatest bound, that of
// friction. hardening: of the yield stress by the slip of the step, >= 0 [force/length^3].
struct HardeningBound {
  const double* limit = nullptr;
  const double* friction = nullptr;
  double hardening = 0.0;

  // The slip sigma that q = p - rho s alone would leave has
  //   limit + k sigma + rho sigma = |q|,
  // so that the bound limit + k sigma and its derivative k/(k + rho) along q depend on q alone.
  SLIPFIELD_HD void linearize(const LinearizeFriction& rows, std::size_t i, double* sums) const {
    const NewtonFields& f = rows.f;
    const TangentialFields& t = f.tangential;
    const double most = friction[i];
    const double least = limit[i];
    if (!in_contact(t.state[i]) || least >= most) return rows.linearize(i, most, most, sums);
    const double qx = t.traction_x[i] - f.rho * t.slip_x[i];
    const double qy = t.traction_y[i] - f.rho * t.slip_y[i];
    const double q = length_of(qx, qy);
    if (q <= least) return rows.linearize(i, least, least, sums);
    const double along = hardening / (hardening + f.rho);
    const double g = least + along * (q - least);
    if (g >= most) return rows.linearize(i, most, -1.0, sums);
    rows.linearize(i, g, -1.0, sums);
    const double nx = qx / q;
    const double ny = qy / q;
    const double across = g / q;
    f.dxx[i] = across * ny * ny + along * nx * nx;
    f.dyy[i] = across * nx * nx + along * ny * ny;
    f.dxy[i] = f.dyx[i] = (along - across) * nx * ny;
  }
  [[nodiscard]] SLIPFIELD_HD double after_step(const NewtonFields& /*f*/, std::size_t i) const {
    return friction[i];
  }

  [[nodiscard]] bool jumps() const { return true; }
  void linearized() {}
  [[nodiscard]] const double* greatest() const { return friction; }
  template <class Visit>
  void visit_fields(const Visit& visit) {
    visit(limit);
    visit(friction);
  }
};

}  // namespace slipfield
