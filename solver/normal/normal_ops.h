// SPDX-License-Identifier: Apache-2.0
// Element operations of the normal problem.
//
// Gap e = h + u_n - approach; complementarity p >= 0, e >= 0, p e = 0 (THEORY.md 4.1). An
// element is active when it carries pressure or has a negative gap; h is infinite where no contact
// is possible.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"

namespace slipfield {

struct NormalResult {
  bool converged = false;
  int iterations = 0;
  double approach = 0.0;
  // The displacement is that of the pressures by a product in which the iterations had no part.
  bool has_own_product = false;
};

// A fixed contact has a given approach or a given sum of the pressures.
enum class Held { approach, sum };

// The scalars of an iteration are stored with the fields; the host reads them once per iteration.
struct NormalScalars {
  double pressure_sum = 0.0;  // prescribed sum of p; 0: the approach is prescribed
  double approach = 0.0;
  double active = 0.0;   // number of active elements
  double idle = 0.0;     // number of other elements
  double entered = 0.0;  // active elements without pressure
  // mean of the old direction over the active elements; 0: approach given
  double mean_direction = 0.0;
  double mean_preconditioned = 0.0;  // mean of z, likewise
  double energy = 0.0;               // r.z
  double beta = 0.0;
  double alpha = 0.0;
  double compliance = 0.0;  // v.Av/|v|^2 of the direction v
  double scale = 1.0;       // factor that restores the prescribed sum of the pressures
  double clipped = 0.0;     // elements whose pressure was cut off at 0 in the last step
  double released = 0.0;    // elements whose pressure was negative when the set was last changed
  double change = 0.0;      // |dp|/|p| of the last step
  double work = 0.0;        // p.u after the last step
  double gap2 = 0.0;        // sum of the squares of the gaps that TakePressures left
};

// Whether a step of conjugate gradients was small: |dp| is below the tolerance, and so is the
// residual in the corresponding energy norm, so that a short step alone never counts as
// convergence.
SLIPFIELD_HD inline bool is_small_step(const NormalScalars& s, double tolerance) {
  return s.change <= tolerance &&
         s.energy <= 100.0 * tolerance * tolerance * std::fmax(s.work, 0.0);
}

// Decides when bound_cg has converged. An element at the rim, almost without pressure, may enter
// and leave forever: two small steps in a row suffice.
class SmallSteps {
 public:
  // Call after each step; returns whether it was the last one.
  SLIPFIELD_HD bool end_with(const NormalScalars& s, double tolerance) {
    in_a_row_ = is_small_step(s, tolerance) ? in_a_row_ + 1 : 0;
    const bool settled = s.clipped == 0.0 && s.entered == 0.0;
    return in_a_row_ >= 2 || (in_a_row_ == 1 && settled);
  }

 private:
  int in_a_row_ = 0;
};

struct NormalFields {
  const double* distance = nullptr;  // h plus the displacement by the tangential tractions
  double* pressure = nullptr;
  double* displacement = nullptr;  // u = A_nn p
  double* residual = nullptr;      // before preconditioning; may share memory with `preconditioned`
  double* old_residual = nullptr;  // of the last iteration; from UpdateDirection on, of this one
  double* preconditioned = nullptr;
  double* direction = nullptr;
  double* image = nullptr;  // A_nn direction; may reuse `preconditioned`
  unsigned char* active = nullptr;
  NormalScalars* scalars = nullptr;
};

// Sets elements with pressure active before a solution. The active set of the last solution would
// do, but a restored step does not have it.
struct MarkLoaded {
  const double* pressure = nullptr;
  unsigned char* active = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const { active[i] = pressure[i] > 0.0 ? 1 : 0; }
};

// Sets the approach for which the mean gap over the elements with pressure is 0; a prescribed
// approach is kept.
struct UpdateApproach {
  struct Sum {
    enum : int { gap, loaded, count };
  };
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (f.pressure[i] > 0.0) {
      sums[Sum::gap] += f.distance[i] + f.displacement[i];
      sums[Sum::loaded] += 1.0;
    }
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    if (f.scalars->pressure_sum > 0.0 && sums[Sum::loaded] > 0.0)
      f.scalars->approach = sums[Sum::gap] / sums[Sum::loaded];
  }
};

// Determines the active set of bound_cg: p > 0 or e < 0.
struct ActivateBound {
  struct Sum {
    enum : int { active, idle, entered, gap, count };
  };
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double gap = f.distance[i] + f.displacement[i] - f.scalars->approach;
    const bool loaded = f.pressure[i] > 0.0;
    const bool active = loaded || gap < 0.0;
    f.active[i] = active ? 1 : 0;
    sums[Sum::idle] += active ? 0.0 : 1.0;
    if (!active) return;
    sums[Sum::active] += 1.0;
    sums[Sum::entered] += loaded ? 0.0 : 1.0;
    sums[Sum::gap] += gap;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    f.scalars->active = sums[Sum::active];
    f.scalars->idle = sums[Sum::idle];
    f.scalars->entered = sums[Sum::entered];
    f.scalars->released = 0.0;
    if (f.scalars->pressure_sum > 0.0 && sums[Sum::active] > 0.0)
      f.scalars->approach += sums[Sum::gap] / sums[Sum::active];
  }
};

// Changes the active set after the conjugate gradients of active_set_cg: p <= 0 leaves, e < 0
// enters.
struct ExchangeActiveSet {
  struct Sum {
    enum : int { active, idle, entered, pressure, released, count };
  };
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double gap = f.distance[i] + f.displacement[i] - f.scalars->approach;
    const bool was_active = f.active[i] != 0;
    const bool leaves = was_active && f.pressure[i] <= 0.0;
    const bool enters = !was_active && gap < 0.0;
    if (leaves) {
      f.pressure[i] = 0.0;
      sums[Sum::released] += 1.0;
    }
    const bool active = (was_active && !leaves) || enters;
    f.active[i] = active ? 1 : 0;
    sums[Sum::idle] += active ? 0.0 : 1.0;
    if (!active) return;
    sums[Sum::active] += 1.0;
    sums[Sum::entered] += enters ? 1.0 : 0.0;
    sums[Sum::pressure] += f.pressure[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    NormalScalars& s = *f.scalars;
    s.active = sums[Sum::active];
    s.idle = sums[Sum::idle];
    s.entered = sums[Sum::entered];
    s.released = sums[Sum::released];
    s.scale = s.pressure_sum > 0.0 && sums[Sum::pressure] > 0.0
                  ? s.pressure_sum / sums[Sum::pressure]
                  : 1.0;
  }
};

// Sets the approach for which the mean gap over a fixed set is 0, as ActivateBound does for a new
// set.
struct CentreResidual {
  struct Sum {
    enum : int { active, gap, count };
  };
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (f.active[i] == 0) return;
    sums[Sum::active] += 1.0;
    sums[Sum::gap] += f.distance[i] + f.displacement[i] - f.scalars->approach;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    if (f.scalars->pressure_sum > 0.0 && sums[Sum::active] > 0.0)
      f.scalars->approach += sums[Sum::gap] / sums[Sum::active];
  }
};

// r = e on the active elements; with a prescribed force the choice of the approach makes its mean
// 0. Cheap to recompute from existing fields.
SLIPFIELD_HD inline double normal_residual(const NormalFields& f, std::size_t i) {
  return f.active[i] != 0 ? f.distance[i] + f.displacement[i] - f.scalars->approach : 0.0;
}

struct FormResidual {
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double*) const { f.residual[i] = normal_residual(f, i); }
};

// beta of Polak and Ribiere, and the means to be projected out of the new direction.
struct MeasureDirection {
  struct Sum {
    enum : int { energy, across, preconditioned, old_residual, direction, active, count };
  };
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (f.active[i] == 0) return;
    const double z = f.preconditioned[i];
    const double old = f.old_residual[i];
    sums[Sum::energy] += z * normal_residual(f, i);
    sums[Sum::across] += z * old;
    sums[Sum::preconditioned] += z;
    sums[Sum::old_residual] += old;
    sums[Sum::direction] += f.direction[i];
    sums[Sum::active] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    NormalScalars& s = *f.scalars;
    const bool project = s.pressure_sum > 0.0 && sums[Sum::active] > 0.0;
    s.mean_preconditioned = project ? sums[Sum::preconditioned] / sums[Sum::active] : 0.0;
    s.mean_direction = project ? sums[Sum::direction] / sums[Sum::active] : 0.0;
    const double across = sums[Sum::across] - s.mean_preconditioned * sums[Sum::old_residual];
    const double old_energy = s.energy;
    s.energy = sums[Sum::energy];
    s.beta = old_energy > 0.0 ? (sums[Sum::energy] - across) / old_energy : 0.0;
    if (!(s.beta > 0.0)) s.beta = 0.0;
  }
};

// v = -z + beta v on the active elements.
struct UpdateDirection {
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const NormalScalars& s = *f.scalars;
    f.direction[i] = f.active[i] != 0 ? s.mean_preconditioned - f.preconditioned[i] +
                                            s.beta * (f.direction[i] - s.mean_direction)
                                      : 0.0;
    f.old_residual[i] = normal_residual(f, i);
  }
};

// Runs after UpdateDirection: `old_residual` is that of this iteration.
struct MeasureStep {
  struct Sum {
    enum : int { slope, curvature, direction2, count };
  };
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    sums[Sum::slope] += f.direction[i] * f.old_residual[i];
    sums[Sum::curvature] += f.direction[i] * f.image[i];
    sums[Sum::direction2] += f.direction[i] * f.direction[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    const double curvature = sums[Sum::curvature];
    f.scalars->alpha = curvature > 0.0 ? -sums[Sum::slope] / curvature : 0.0;
    f.scalars->compliance = sums[Sum::direction2] > 0.0 ? curvature / sums[Sum::direction2] : 0.0;
  }
};

// p += alpha v and u += alpha A v; with `clip` pressures are cut off at 0; u is then valid only if
// none was.
struct TakeStep {
  struct Sum {
    enum : int { change2, pressure2, pressure, work, clipped, count };
  };
  NormalFields f;
  bool clip = true;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double alpha = f.scalars->alpha;
    const double displacement = f.displacement[i] + alpha * f.image[i];
    f.displacement[i] = displacement;
    if (f.active[i] == 0) return;
    const double old = f.pressure[i];
    double pressure = old + alpha * f.direction[i];
    if (clip && pressure < 0.0) {
      sums[Sum::clipped] += 1.0;
      pressure = 0.0;
    }
    f.pressure[i] = pressure;
    sums[Sum::change2] += (pressure - old) * (pressure - old);
    sums[Sum::pressure2] += pressure * pressure;
    sums[Sum::pressure] += pressure;
    sums[Sum::work] += pressure * displacement;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    NormalScalars& s = *f.scalars;
    s.change =
        sums[Sum::pressure2] > 0.0 ? std::sqrt(sums[Sum::change2] / sums[Sum::pressure2]) : 0.0;
    s.scale = s.pressure_sum > 0.0 && sums[Sum::pressure] > 0.0
                  ? s.pressure_sum / sums[Sum::pressure]
                  : 1.0;
    // A uniform pressure on a periodic grid does no work: errors are then compared with the work of
    // a little of it in the direction's waves.
    constexpr double kLittle = 1.0e-12;  // squared: 1e-6
    const double least = kLittle * sums[Sum::pressure2] * s.compliance;
    s.work = sums[Sum::work] < least ? least : sums[Sum::work];
    s.clipped = sums[Sum::clipped];
  }
};

struct ScalePressure {
  NormalFields f;
  bool if_clipped = false;  // act only if the last step cut pressures off
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    if (if_clipped && !(f.scalars->clipped > 0.0)) return;
    f.pressure[i] *= f.scalars->scale;
  }
};

// out = 1/p, infinite where an element has no pressure: the greatest one is that of the least.
struct InvertPressure {
  const double* pressure = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    out[i] = pressure[i] > 0.0 ? 1.0 / pressure[i] : HUGE_VAL;
  }
};

// p -= least, the least of all pressures; what rounding leaves becomes 0.
struct LowerPressure {
  double* pressure = nullptr;
  double least = 0.0;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    constexpr double kRounding = 1.0e-14;
    const double left = pressure[i] - least;
    pressure[i] = left > kRounding * least ? left : 0.0;
  }
};

// A step of the refinement of a fixed contact's pressures (NormalSolver::respond): sum += p, and the
// distance becomes the gap that p leaves.
struct TakePressures {
  static constexpr int kSums = 1;
  NormalFields f;
  double* distance = nullptr;  // that of f
  double* sum = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (f.active[i] == 0) return;
    const double gap = normal_residual(f, i);
    sum[i] += f.pressure[i];
    distance[i] = gap;
    sums[0] += gap * gap;
  }
  SLIPFIELD_HD void finish(const double* sums) const { f.scalars->gap2 = sums[0]; }
};

// Resets the direction: the next step is one of steepest descent.
struct ClearDirection {
  static constexpr int kSums = 0;
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    f.direction[i] = 0.0;
    f.old_residual[i] = 0.0;
  }
  SLIPFIELD_HD void finish(const double*) const { f.scalars->energy = 0.0; }
};

// Sums for the starting pressures: the old ones scaled to the prescribed sum or, without any, a
// uniform pressure on all elements that can touch.
struct SumPressure {
  struct Sum {
    enum : int { pressure, can_touch, count };
  };
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    sums[Sum::pressure] += f.pressure[i];
    sums[Sum::can_touch] += f.distance[i] < HUGE_VAL ? 1.0 : 0.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    NormalScalars& s = *f.scalars;
    s.active = sums[Sum::can_touch];
    s.scale = s.pressure_sum > 0.0 && sums[Sum::pressure] > 0.0
                  ? s.pressure_sum / sums[Sum::pressure]
                  : 1.0;
    s.work = sums[Sum::pressure];
  }
};

struct StartEvenly {
  NormalFields f;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    f.pressure[i] = f.distance[i] < HUGE_VAL ? f.scalars->pressure_sum / f.scalars->active : 0.0;
  }
};

// Element operations of newton for the normal problem (THEORY.md 4.6).
// Unknowns: the pressures and, with a prescribed force, the approach. F(p) = p - max(0, p - rho e)
// with e = h + A_nn p - approach, rho = 1/A_nn(0). A Krylov vector holds the elements and one entry
// for the approach. Elements with pressure, and those that penetrate, are active.
struct NormalNewtonScalars {
  double pressure_sum = 0.0;  // prescribed sum of p; 0: the approach is prescribed
  double approach = 0.0;
  double scale = 1.0;  // scale of force row and approach column: 1/sqrt(active)
  double active = 0.0;
  double idle = 0.0;       // number of other elements
  double moved = 0.0;      // elements that entered or left the active set
  double residual2 = 0.0;  // |F|^2
  double pressure2 = 0.0;  // |p|^2
  double pressure = 0.0;   // sum p
  double change2 = 0.0;    // |dp|^2 of the last step
  double changed2 = 0.0;   // |p|^2 after it
  double cut = 0.0;        // elements whose pressure the last step cut off at 0
};

struct NormalNewtonFields {
  std::size_t count = 0;
  double rho = 0.0;
  bool held = false;     // the active set is fixed and only read, with pressures of any sign
  bool careful = false;  // no element enters after a step that cut pressures off
  const double* distance = nullptr;
  double* pressure = nullptr;
  const double* displacement = nullptr;  // A_nn p
  unsigned char* active = nullptr;
  NormalNewtonScalars* scalars = nullptr;
};

// Determines the active set and forms -F in `out`, with the force row after the elements.
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
    if (!f.held) f.active[i] = is ? 1 : 0;
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

// p += dp, cut off at 0; updates the approach too
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

// Input of the inverse symbol: v on the active elements.
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
