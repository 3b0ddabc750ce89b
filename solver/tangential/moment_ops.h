// SPDX-License-Identifier: Apache-2.0
// Element operations of newton for a prescribed moment about z and unknown rotation (THEORY.md
// 6.10): one more row and column of the linear system, after those of newton_ops.h.
//
// The rotation is scaled to a slip at the distance `lever`, the moment to a sum of tractions there.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/fields/newton_ops.h"
#include "solver/fields/tangential_ops.h"
#include "solver/host_device.h"

namespace slipfield {

struct MomentScalars {
  double rotation = 0.0;  // rigid rotation of the step [rad]
  double error = 0.0;     // of the moment; like newton's force_error
  double row1 = 0.0;      // residual of the moment row
};

struct MomentFields {
  NewtonFields newton;
  ElementCentres centres;
  double arm_x = 0.0;  // of the rigid slip
  double arm_y = 0.0;
  double lever = 1.0;
  double moment = 0.0;  // prescribed, over dx dy
  MomentScalars* scalars = nullptr;

  [[nodiscard]] SLIPFIELD_HD std::size_t last() const { return 2 * newton.count + 2; }
  [[nodiscard]] SLIPFIELD_HD double of(std::size_t i, double x, double y) const {
    return centres.moment(i, x, y) / lever;
  }
};

// Forms the moment row of the right-hand side; runs after LinearizeFriction.
struct MeasureMoment {
  static constexpr int kSums = 1;
  MomentFields f;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const TangentialFields& t = f.newton.tangential;
    if (in_contact(t.state[i])) sums[0] += f.of(i, t.traction_x[i], t.traction_y[i]);
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    const double target = std::fabs(f.moment) / f.lever;
    const double least = 1.0e-3 * f.newton.scalars->bound1;
    const double size = target > least ? target : least;
    const double error = f.moment / f.lever - sums[0];
    f.scalars->error = size > 0.0 ? std::fabs(error) / size : 0.0;
    f.scalars->row1 = f.newton.scale * std::fabs(error);
    out[f.last()] = f.newton.scale * error / f.newton.unit;
  }
};

// out += the column of the rotation, and the moment row of J v; runs after MultiplyJacobian.
struct MultiplyMoment {
  static constexpr int kSums = 1;
  MomentFields f;
  const double* v = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const NewtonFields& n = f.newton;
    sums[0] += f.of(i, v[i], v[n.count + i]);
    if (!in_contact(n.tangential.state[i])) return;
    const double slip = rigid_fraction(n.tangential.fraction, i) * n.scale * v[f.last()] / f.lever;
    const double x = -slip * (f.centres.y(i) + f.arm_y);
    const double y = slip * (f.centres.x(i) + f.arm_x);
    out[i] += n.dxx[i] * x + n.dxy[i] * y;
    out[n.count + i] += n.dyx[i] * x + n.dyy[i] * y;
  }
  SLIPFIELD_HD void finish(const double* sums) const { out[f.last()] = f.newton.scale * sums[0]; }
};

// Updates the rotation; run it for one element.
struct TakeRotation {
  MomentFields f;
  const double* step = nullptr;
  SLIPFIELD_HD void element(std::size_t, double*) const {
    const NewtonFields& n = f.newton;
    f.scalars->rotation += n.scale * n.unit / (n.rho * f.lever) * step[f.last()];
  }
};

}  // namespace slipfield
