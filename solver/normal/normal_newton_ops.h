// SPDX-License-Identifier: Apache-2.0
// Element operations of newton for the normal problem (THEORY.md 4.6).
//
// Unknowns: the pressures, and the approach where the force is prescribed.
// F(p) = p - max(0, p - rho e) with e = h + A_nn p - approach, rho = 1/A_nn(0). A Krylov vector
// holds the elements and one entry for the approach. Active are elements with pressure, and those
// that penetrate.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"

namespace slipfield {

struct NormalNewtonScalars {
  double pressure_sum = 0.0;  // prescribed sum of p; 0: the approach is prescribed
  double approach = 0.0;
  double scale = 1.0;  // of the force row and of the approach's column: 1/sqrt(active)
  double active = 0.0;
  double idle = 0.0;       // the others
  double moved = 0.0;      // elements that entered or left the active set
  double residual2 = 0.0;  // |F|^2
  double pressure2 = 0.0;  // |p|^2
  double pressure = 0.0;   // sum p
  double change2 = 0.0;    // |dp|^2 of the last step
  double changed2 = 0.0;   // |p|^2 after it
  double cut = 0.0;        // elements whose pressure it cut off at 0
};

struct NormalNewtonFields {
  std::size_t count = 0;
  double rho = 0.0;
  bool held = false;     // the active set is given, pressures of any sign
  bool careful = false;  // none enters after a step that cut pressures off
  const double* distance = nullptr;
  double* pressure = nullptr;
  const double* displacement = nullptr;  // A_nn p
  unsigned char* active = nullptr;
  NormalNewtonScalars* scalars = nullptr;
};

// The active set, and -F into `out`, with the force row after the elements.
struct LinearizeNormal {
  struct Sum {
    enum : int { active, idle, moved, residual2, pressure2, pressure, count };
  };
  NormalNewtonFields f;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double p = f.pressure[i];
    const double push = -f.rho * (f.distance[i] + f.displacement[i] - f.scalars->approach);
    const bool was = f.active[i] != 0;
    const bool enters = push > 0.0 && !(f.careful && f.scalars->cut > 0.0);
    const bool is = f.held ? was : p > 0.0 || enters;
    f.active[i] = is ? 1 : 0;
    out[i] = is ? push : -p;
    const double residual = f.held ? out[i] : std::fmax(p + push, 0.0) - p;
    sums[Sum::active] += is ? 1.0 : 0.0;
    sums[Sum::idle] += is ? 0.0 : 1.0;
    sums[Sum::moved] += is != was ? 1.0 : 0.0;
    sums[Sum::residual2] += residual * residual;
    sums[Sum::pressure2] += p * p;
    sums[Sum::pressure] += p;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    NormalNewtonScalars& s = *f.scalars;
    s.active = sums[Sum::active];
    s.idle = sums[Sum::idle];
    s.moved = sums[Sum::moved];
    s.residual2 = sums[Sum::residual2];
    s.pressure2 = sums[Sum::pressure2];
    s.pressure = sums[Sum::pressure];
    s.scale = 1.0 / std::sqrt(s.active > 1.0 ? s.active : 1.0);
    out[f.count] = s.pressure_sum > 0.0 ? s.scale * (s.pressure_sum - s.pressure) : 0.0;
  }
};

// out = J v, given A_nn v.
struct MultiplyNormal {
  static constexpr int kSums = 1;
  NormalNewtonFields f;
  const double* v = nullptr;
  const double* image = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    out[i] = f.active[i] != 0 ? f.rho * image[i] - f.scalars->scale * v[f.count] : v[i];
    sums[0] += v[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    out[f.count] = f.scalars->pressure_sum > 0.0 ? f.scalars->scale * sums[0] : v[f.count];
  }
};

// p + dp, not below 0; the approach moves along.
struct TakeNormalStep {
  struct Sum {
    enum : int { change2, pressure2, cut, count };
  };
  NormalNewtonFields f;
  const double* step = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double old = f.pressure[i];
    double p = old + step[i];
    if (!f.held && p < 0.0) {
      p = 0.0;
      sums[Sum::cut] += 1.0;
    }
    f.pressure[i] = p;
    sums[Sum::change2] += (p - old) * (p - old);
    sums[Sum::pressure2] += p * p;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    NormalNewtonScalars& s = *f.scalars;
    s.change2 = sums[Sum::change2];
    s.changed2 = sums[Sum::pressure2];
    s.cut = sums[Sum::cut];
    if (s.pressure_sum > 0.0) s.approach += s.scale / f.rho * step[f.count];
  }
};

// What the inverse symbol preconditions: v on the active elements.
struct MaskInactive {
  NormalNewtonFields f;
  const double* v = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    out[i] = f.active[i] != 0 ? v[i] : 0.0;
  }
};

// out = preconditioned/rho on the active elements, v elsewhere.
struct JoinNormal {
  NormalNewtonFields f;
  const double* v = nullptr;
  const double* inner = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    out[i] = f.active[i] != 0 ? inner[i] / f.rho : v[i];
    if (i == 0) out[f.count] = v[f.count];
  }
};

}  // namespace slipfield
