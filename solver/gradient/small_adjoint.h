// SPDX-License-Identifier: Apache-2.0
// The adjoint of a solved contact of a batch, by a team (solver/batch/small_solver.h): for normal
// contact and steady rolling of quasi-identical bodies (THEORY.md 6.8, 11.8).
//
// The system of linear_step.h for K = 0, in the numbers of a SmallTask. The multipliers y of the
// tractions' rows and phi of the prescribed forces satisfy, with J' = (I - D) + rho D S',
//   J' w + D 1 phi = D b,  rho sum of w = b of the rigid motion,  y = b - 1 phi + w - rho S' w,
// because D y = w. This is newton's linear system, bordered in the same way, with S' for S. A
// convolution with reversed offsets is the convolution of the reversed field, reversed:
// S' v = R S R v. So all fields here hold the elements in reverse order, and S' is the team's S.
// The normal coefficients are even, so A_nn is itself.
//
// GMRES solves in single precision; rounds add what a residual in double precision asks for. The
// pressures' system, with their sum given if the force is, is solved by projected conjugate
// gradients: d(force) is the multiplier of that sum.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/batch/small_contact.h"
#include "solver/batch/small_solver.h"
#include "solver/fields/newton_ops.h"
#include "solver/gradient/law_numbers.h"
#include "solver/host_device.h"

namespace slipfield {

// x fastest; the scales convert fields to the numbers of the task.
struct AdjointContact {
  SmallTask task;  // its rigid slip is the solution's
  const double* pressure = nullptr;
  const double* traction_x = nullptr;
  const double* traction_y = nullptr;
  const double* slip_x = nullptr;
  const double* slip_y = nullptr;
  const ElementState* state = nullptr;  // null: no friction depends on it
  const double* distance = nullptr;     // undeformed, to count elements near a change; or null
  double pressure_scale = 1.0;          // of pressure and tractions
  double slip_scale = 1.0;
  double distance_scale = 1.0;
  double approach = 0.0;  // of the solution
  double greatest_pressure = 0.0;
  double static_x = 0.0;  // force ratios, which are parts of the static bound
  double static_y = 0.0;
  double tolerance = 0.0;  // of the linear systems
};

// The derivative of a scalar with respect to the results; null: 0 everywhere.
struct AdjointSeed {
  const double* pressure = nullptr;  // in the units of the case, like the other fields
  const double* traction_x = nullptr;
  const double* traction_y = nullptr;
  const double* slip_x = nullptr;
  const double* slip_y = nullptr;
  double pressure_scale = 1.0;  // G
  double length_scale = 1.0;    // dx
  double normal_force = 0.0;    // the numbers: of a task
  double approach = 0.0;
  double force_x = 0.0;
  double force_y = 0.0;
  double moment = 0.0;
  double work = 0.0;
  double rigid_x = 0.0;
  double rigid_y = 0.0;
  double rotation = 0.0;
  // The scalar's unit: all of the above are near 1 or below, so that squares stay in range.
  double unit = 1.0;
};

// The derivatives of the scalar with respect to numbers of the task.
struct AdjointResult {
  bool found = false;
  double normal = 0.0;  // to the force, or the approach
  double force_x = 0.0;
  double force_y = 0.0;
  double rigid_x = 0.0;
  double rigid_y = 0.0;
  double rotation = 0.0;
  double stiffness = 0.0;
  double pressure_sum = 0.0;  // of the solution
  LawNumbers law;
  double near_change = 0.0;  // elements
  int products = 0;
};

// Output fields in the order of the case; null: not requested.
struct AdjointFieldsOut {
  double* heights = nullptr;
  double* friction = nullptr;
  double heights_scale = 1.0;  // from those of the task and the seed
  double friction_scale = 1.0;
};

struct AdjointScalars {
  double contact = 0.0;  // elements
  double pressure = 0.0;
  double near = 0.0;
  double near_outside = 0.0;
  double jumps = 0.0;     // elements whose friction falls as fast as their traction gives way
  double motion_x = 0.0;  // derivative with respect to the rigid slip
  double motion_y = 0.0;
  double motion_turned = 0.0;
  double seeded_slip = 0.0;
  double rest2 = 0.0;
  double stiffness = 0.0;
  double by_motion_x = 0.0;
  double by_motion_y = 0.0;
  double by_motion_turned = 0.0;
  LawNumbers law;
  double given2 = 0.0;  // of the pressures' system, like the rest
  double one = 0.0;
  double shift = 0.0;
  double load = 0.0;
  double energy = 0.0;
  double energy_before = 0.0;
  double curvature = 0.0;
  double multipliers = 0.0;
};

// Elements in reverse order; pairs have x before y.
template <class Real>
struct AdjointFields {
  double* pressure = nullptr;
  double* traction = nullptr;  // pairs, like the next two
  double* slip = nullptr;
  double* pull = nullptr;  // d of linear_step.h
  double* friction = nullptr;
  double* matrix = nullptr;         // D, symmetric: xx, xy, yy
  double* displacement = nullptr;   // normal
  double* side_pressure = nullptr;  // b
  double* side_traction = nullptr;  // pairs, like the next one
  double* side_slip = nullptr;
  double* w = nullptr;  // Krylov vectors
  double* rest = nullptr;
  double* image = nullptr;       // pairs
  double* multiplier = nullptr;  // of the pressures
  SmallFields<Real> linear;      // of GMRES alone: basis, step, ...

  // Scratch of the pressures' system in what that of the tractions no longer needs.
  SLIPFIELD_HD double* direction() const { return w; }
  SLIPFIELD_HD double* one(std::size_t count) const { return w + count; }
  SLIPFIELD_HD double* residual() const { return rest; }
  SLIPFIELD_HD double* preconditioned(std::size_t count) const { return rest + count; }
  SLIPFIELD_HD double* moved() const { return image; }
};

// Like lay_out_fields().
template <class Real>
SLIPFIELD_HD std::size_t lay_out_adjoint(std::size_t count, char* memory, AdjointFields<Real>& f) {
  FieldMemory place{memory};
  SmallFields<Real>& linear = f.linear;
  linear.krylov_stride = krylov_stride(count);
  for (double** one : {&f.pressure, &f.friction, &f.displacement, &f.side_pressure, &f.multiplier})
    place.take(*one, count);
  for (double** pair : {&f.traction, &f.slip, &f.pull, &f.side_traction, &f.side_slip, &f.image})
    place.take(*pair, 2 * count);
  place.take(f.matrix, 3 * count);
  for (double** vector : {&f.w, &f.rest}) place.take(*vector, linear.krylov_stride);
  place.take(linear.derivative, 3 * count);
  for (Real** vector : {&linear.step, &linear.joined}) place.take(*vector, linear.krylov_stride);
  place.take(linear.slip_image, 2 * count);
  place.take(linear.basis,
             static_cast<std::size_t>(BatchLimits::kKrylov + 1) * linear.krylov_stride);
  place.take(linear.state, count);
  return place.used;
}

struct AdjointLimits {
  static constexpr double kNear = 1.0e-3;       // as in linear_step.h
  static constexpr double kPressure = 1.0e-13;  // least residuals, as in linear_systems.h
  static constexpr double kTraction = 1.0e-12;
  static constexpr double kEnough = 1.0e-9;   // accepted where rounding ends the rounds
  static constexpr double kOfRound = 1.0e-3;  // single precision loses the basis further down
  static constexpr int kRounds = 40;
  // Rounds that may gain little: near full sliding the first one finds a great rigid motion, with
  // the digits of single precision.
  static constexpr int kWithoutGain = 3;
};

// All by address: a block of the GPU has them in its shared memory.
template <class Real>
struct AdjointOp {
  const AdjointContact& contact;
  const AdjointSeed& seed;
  const AdjointFields<Real>& f;
  AdjointScalars* scalars = nullptr;

  [[nodiscard]] SLIPFIELD_HD std::size_t count() const { return contact.task.count(); }
  [[nodiscard]] SLIPFIELD_HD std::size_t turned(std::size_t i) const { return count() - 1 - i; }
  [[nodiscard]] SLIPFIELD_HD double rho() const { return 1.0 / contact.task.self_slip; }
  [[nodiscard]] SLIPFIELD_HD bool touches(std::size_t i) const {
    return in_contact(f.linear.state[i]);
  }
  [[nodiscard]] SLIPFIELD_HD double velocity(std::size_t i) const {
    return contact.task.slip_rate * length_of(f.slip[i], f.slip[count() + i]);
  }
  [[nodiscard]] SLIPFIELD_HD bool force_given(bool along_x) const {
    return (along_x ? contact.task.control_x : contact.task.control_y) != SmallControl::rigid;
  }
};

// Reads the solution, divides it into adhesion and slip, and forms D and d.
template <class Real>
struct LoadSolution {
  struct Sum {
    enum : int { contact, pressure, near, jumps, count };
  };
  AdjointOp<Real> a;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const AdjointContact& c = a.contact;
    const std::size_t n = a.count();
    const std::size_t from = a.turned(i);
    const double p = c.pressure_scale * c.pressure[from];
    const bool touches = p > 0.0;
    a.f.pressure[i] = touches ? p : 0.0;
    a.f.linear.state[i] =
        static_cast<unsigned char>(touches ? ElementState::slip : ElementState::exterior);
    const bool few = touches && p < AdjointLimits::kNear * c.greatest_pressure;
    if (touches) {
      sums[Sum::contact] += 1.0;
      sums[Sum::pressure] += p;
    }
    bool near = few;
    if (c.task.sliding) {
      a.f.traction[i] = touches ? c.pressure_scale * c.traction_x[from] : 0.0;
      a.f.traction[n + i] = touches ? c.pressure_scale * c.traction_y[from] : 0.0;
      a.f.slip[i] = touches ? c.slip_scale * c.slip_x[from] : 0.0;
      a.f.slip[n + i] = touches ? c.slip_scale * c.slip_y[from] : 0.0;
      near = linearize(i, from, sums) || few;
    }
    if (near) sums[Sum::near] += 1.0;
  }
  // Returns whether the element is near the border between adhesion and slip.
  SLIPFIELD_HD bool linearize(std::size_t i, std::size_t from, double* sums) const {
    const SmallTask& task = a.contact.task;
    const std::size_t n = a.count();
    const AdjointFields<Real>& f = a.f;
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    double pull_x = 0.0;
    double pull_y = 0.0;
    bool near = false;
    f.friction[i] = task.friction;
    if (a.touches(i)) {
      if (task.follows_slip && a.contact.state[from] == ElementState::slip)
        f.friction[i] = task.sliding_law.at(a.velocity(i));
      const double rho = a.rho();
      const double g = f.friction[i] * f.pressure[i];
      const double x = f.traction[i] - rho * f.slip[i];
      const double y = f.traction[n + i] - rho * f.slip[n + i];
      const double size = length_of(x, y);
      near = std::fabs(size - g) <= AdjointLimits::kNear * g;
      if (g > 0.0 && size <= g) {
        f.linear.state[i] = static_cast<unsigned char>(ElementState::adhesion);
        xx = yy = 1.0;
      } else {
        const double fall = task.follows_slip ? -f.pressure[i] * task.slip_rate *
                                                    task.sliding_law.slope(a.velocity(i)) / rho
                                              : 0.0;
        if (std::fabs(1.0 - fall) < kLeastToJump) sums[Sum::jumps] += 1.0;
        const SlippingRow row = slipping_row(x, y, g, fall);
        pull_x = row.bound_x;
        pull_y = row.bound_y;
        xx = row.dxx;
        xy = row.dxy;
        yy = row.dyy;
      }
    }
    f.pull[i] = pull_x;
    f.pull[n + i] = pull_y;
    f.matrix[i] = xx;
    f.matrix[n + i] = xy;
    f.matrix[2 * n + i] = yy;
    f.linear.derivative[i] = static_cast<Real>(xx);
    f.linear.derivative[n + i] = static_cast<Real>(xy);
    f.linear.derivative[2 * n + i] = static_cast<Real>(yy);
    return near;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    AdjointScalars& s = *a.scalars;
    s.contact = sums[Sum::contact];
    s.pressure = sums[Sum::pressure];
    s.near = sums[Sum::near];
    s.jumps = sums[Sum::jumps];
  }
};

// Counts elements outside that a little pressure would bring into contact.
template <class Real>
struct CountNearOutside {
  static constexpr int kSums = 1;
  AdjointOp<Real> a;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const AdjointContact& c = a.contact;
    if (a.touches(i)) return;
    const double gap =
        c.distance_scale * c.distance[a.turned(i)] + a.f.displacement[i] - c.approach;
    if (gap < AdjointLimits::kNear * c.greatest_pressure * c.task.self_normal) sums[0] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const { a.scalars->near_outside = sums[0]; }
};

// The derivatives of the scalar with respect to pressure, tractions and slip.
template <class Real>
struct FormSides {
  struct Sum {
    enum : int { x, y, turned, slip, count };
  };
  AdjointOp<Real> a;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const AdjointSeed& seed = a.seed;
    const AdjointFields<Real>& f = a.f;
    const SmallTask& task = a.contact.task;
    const std::size_t n = a.count();
    const std::size_t from = a.turned(i);
    const bool touches = a.touches(i);
    const double p = seed.pressure != nullptr ? seed.pressure_scale * seed.pressure[from] : 0.0;
    f.side_pressure[i] = touches ? p + seed.normal_force : 0.0;
    if (!task.sliding) return;
    f.side_traction[i] = f.side_traction[n + i] = f.side_slip[i] = f.side_slip[n + i] = 0.0;
    f.w[i] = f.w[n + i] = f.image[i] = f.image[n + i] = 0.0;
    if (i == 0) f.w[2 * n] = f.w[2 * n + 1] = 0.0;
    if (!touches) return;
    const double x = task.centres.x(from);
    const double y = task.centres.y(from);
    double qx = seed.force_x - y * seed.moment + seed.work * f.slip[i];
    double qy = seed.force_y + x * seed.moment + seed.work * f.slip[n + i];
    double sx = seed.work * f.traction[i];
    double sy = seed.work * f.traction[n + i];
    if (seed.traction_x != nullptr) qx += seed.pressure_scale * seed.traction_x[from];
    if (seed.traction_y != nullptr) qy += seed.pressure_scale * seed.traction_y[from];
    if (seed.slip_x != nullptr) sx += seed.length_scale * seed.slip_x[from];
    if (seed.slip_y != nullptr) sy += seed.length_scale * seed.slip_y[from];
    f.side_traction[i] = qx;
    f.side_traction[n + i] = qy;
    f.side_slip[i] = sx;
    f.side_slip[n + i] = sy;
    sums[Sum::x] += sx;
    sums[Sum::y] += sy;
    sums[Sum::turned] += task.rigid.turned_x(y) * sx + task.rigid.turned_y(x) * sy;
    sums[Sum::slip] += std::fabs(sx) + std::fabs(sy);
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    AdjointScalars& s = *a.scalars;
    s.motion_x = sums[Sum::x] + a.seed.rigid_x;
    s.motion_y = sums[Sum::y] + a.seed.rigid_y;
    s.motion_turned = sums[Sum::turned] + a.seed.rotation;
    s.seeded_slip = sums[Sum::slip];
  }
};

// Adds S' of the slip's side, in `image`, to that of the tractions, and clears it.
template <class Real>
struct AddSlipSide {
  AdjointOp<Real> a;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    for (const std::size_t k : {i, a.count() + i}) {
      if (a.touches(i)) a.f.side_traction[k] += a.f.image[k];
      a.f.image[k] = 0.0;
    }
  }
};

// What w and its image S' w leave of the bordered system.
template <class Real>
struct FormTractionRest {
  struct Sum {
    enum : int { rest2, x, y, count };
  };
  AdjointOp<Real> a;
  double scale = 1.0;  // of the borders
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const AdjointFields<Real>& f = a.f;
    const std::size_t n = a.count();
    double rest_x = 0.0;
    double rest_y = 0.0;
    if (a.touches(i)) {
      const double rho = a.rho();
      const double wx = f.w[i];
      const double wy = f.w[n + i];
      const double bx = f.side_traction[i] + wx - rho * f.image[i] - scale * f.w[2 * n];
      const double by = f.side_traction[n + i] + wy - rho * f.image[n + i] - scale * f.w[2 * n + 1];
      rest_x = f.matrix[i] * bx + f.matrix[n + i] * by - wx;
      rest_y = f.matrix[n + i] * bx + f.matrix[2 * n + i] * by - wy;
      sums[Sum::x] += wx;
      sums[Sum::y] += wy;
    }
    f.rest[i] = rest_x;
    f.rest[n + i] = rest_y;
    sums[Sum::rest2] += rest_x * rest_x + rest_y * rest_y;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    const AdjointScalars& s = *a.scalars;
    const std::size_t n = a.count();
    const double self = a.contact.task.self_slip;
    const double x = a.force_given(true) ? scale * (s.motion_x * self - sums[Sum::x]) : 0.0;
    const double y = a.force_given(false) ? scale * (s.motion_y * self - sums[Sum::y]) : 0.0;
    a.f.rest[2 * n] = x;
    a.f.rest[2 * n + 1] = y;
    a.scalars->rest2 = sums[Sum::rest2] + x * x + y * y;
  }
};

// The rest as the first vector of GMRES.
template <class Real>
struct BeginRound {
  const double* rest = nullptr;
  double factor = 1.0;
  Real* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    out[i] = static_cast<Real>(factor * rest[i]);
  }
};
template <class Real>
struct EndRound {
  const Real* step = nullptr;
  double factor = 1.0;
  double* w = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const { w[i] += factor * step[i]; }
};

// The right-hand side of the pressures, and the derivatives that need no more than the tractions'
// multipliers.
template <class Real>
struct UseTractionMultipliers {
  struct Sum {
    enum : int { stiffness, x, y, turned, fixed, kinetic, half, drop, second_half, count };
  };
  AdjointOp<Real> a;
  AdjointFieldsOut out;
  double scale = 1.0;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const AdjointContact& c = a.contact;
    const AdjointFields<Real>& f = a.f;
    const SmallTask& task = c.task;
    const std::size_t n = a.count();
    const std::size_t to = a.turned(i);
    double friction = 0.0;
    if (a.touches(i)) {
      const double rho = a.rho();
      const double force_x = scale * f.w[2 * n];
      const double force_y = scale * f.w[2 * n + 1];
      const double wx = f.w[i];
      const double wy = f.w[n + i];
      const double yx = f.side_traction[i] - force_x + wx - rho * f.image[i];
      const double yy = f.side_traction[n + i] - force_y + wy - rho * f.image[n + i];
      const double pulled = f.pull[i] * yx + f.pull[n + i] * yy;
      // Force ratios are of the static bound; those of other kinds are numbers.
      const double of_x =
          task.control_x == SmallControl::force_ratio ? force_x * task.force_x : 0.0;
      const double of_y =
          task.control_y == SmallControl::force_ratio ? force_y * task.force_y : 0.0;
      f.side_pressure[i] += f.friction[i] * pulled + task.friction * (of_x + of_y);
      const double now = f.pressure[i] * pulled;
      const double fixed = f.pressure[i] * (force_x * c.static_x + force_y * c.static_y);
      friction = now + fixed;
      add_law(i, now, fixed, sums);
      const double x = task.centres.x(to);
      const double y = task.centres.y(to);
      sums[Sum::stiffness] +=
          (rho * wx - f.side_slip[i]) * (f.slip[i] - task.rigid.at_x(y)) +
          (rho * wy - f.side_slip[n + i]) * (f.slip[n + i] - task.rigid.at_y(x));
      sums[Sum::x] += rho * wx;
      sums[Sum::y] += rho * wy;
      sums[Sum::turned] += rho * (task.rigid.turned_x(y) * wx + task.rigid.turned_y(x) * wy);
    }
    if (out.friction != nullptr) out.friction[to] = out.friction_scale * friction;
  }
  SLIPFIELD_HD void add_law(std::size_t i, double now, double fixed, double* sums) const {
    LawNumbers by;
    by.fixed = 1.0;
    const bool slips = a.f.linear.state[i] == static_cast<unsigned char>(ElementState::slip);
    if (a.contact.task.follows_slip && slips)
      by = by_numbers(a.contact.task.sliding_law, a.velocity(i));
    sums[Sum::fixed] += now * by.fixed + fixed;
    sums[Sum::kinetic] += now * by.kinetic;
    sums[Sum::half] += now * by.half_velocity;
    sums[Sum::drop] += now * by.second_drop;
    sums[Sum::second_half] += now * by.second_half_velocity;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    AdjointScalars& s = *a.scalars;
    s.stiffness = sums[Sum::stiffness];
    s.by_motion_x = sums[Sum::x];
    s.by_motion_y = sums[Sum::y];
    s.by_motion_turned = sums[Sum::turned];
    s.law.fixed = sums[Sum::fixed];
    s.law.kinetic = sums[Sum::kinetic];
    s.law.half_velocity = sums[Sum::half];
    s.law.second_drop = sums[Sum::drop];
    s.law.second_half_velocity = sums[Sum::second_half];
  }
};

// --- The pressures' system A_nn v + load = side on the contact, the sum of v given with the force.

template <class Real>
struct MarkContact {
  AdjointOp<Real> a;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    a.f.residual()[i] = a.touches(i) ? 1.0 : 0.0;
  }
};
// The preconditioned ones, on the contact.
template <class Real>
struct KeepOnes {
  static constexpr int kSums = 1;
  AdjointOp<Real> a;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    double& one = a.f.one(a.count())[i];
    if (!a.touches(i)) one = 0.0;
    sums[0] += one;
  }
  SLIPFIELD_HD void finish(const double* sums) const { a.scalars->one = sums[0]; }
};
// Starts from multipliers that have the sum given.
template <class Real>
struct StartMultipliers {
  AdjointOp<Real> a;
  double share = 0.0;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    a.f.multiplier[i] = share == 0.0 ? 0.0 : share * a.f.one(a.count())[i];
    a.f.moved()[i] = 0.0;
  }
};
template <class Real>
struct FormPressureRest {
  static constexpr int kSums = 1;
  AdjointOp<Real> a;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const bool touches = a.touches(i);
    const double side = touches ? a.f.side_pressure[i] : 0.0;
    const double moved = touches ? a.f.moved()[i] : 0.0;
    a.f.residual()[i] = side - moved;
    a.f.direction()[i] = 0.0;
    sums[0] += side * side + moved * moved;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    AdjointScalars& s = *a.scalars;
    s.given2 = sums[0];
    s.load = s.shift = s.energy = 0.0;
  }
};
// The load whose removal leaves a preconditioned residual of sum 0.
template <class Real>
struct FindShift {
  static constexpr int kSums = 1;
  AdjointOp<Real> a;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (a.touches(i)) sums[0] += a.f.preconditioned(a.count())[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    AdjointScalars& s = *a.scalars;
    s.shift = s.one > 0.0 ? sums[0] / s.one : 0.0;
    s.load += s.shift;
  }
};
template <class Real>
struct TakeShift {
  struct Sum {
    enum : int { energy, rest2, count };
  };
  AdjointOp<Real> a;
  bool shifts = false;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    double& z = a.f.preconditioned(a.count())[i];
    double& r = a.f.residual()[i];
    if (!a.touches(i)) {
      z = 0.0;
      return;
    }
    if (shifts) {
      r -= a.scalars->shift;
      z -= a.scalars->shift * a.f.one(a.count())[i];
    }
    sums[Sum::energy] += r * z;
    sums[Sum::rest2] += r * r;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    AdjointScalars& s = *a.scalars;
    s.energy_before = s.energy;
    s.energy = sums[Sum::energy];
    s.rest2 = sums[Sum::rest2];
  }
};
template <class Real>
struct TurnDirection {
  AdjointOp<Real> a;
  double part = 0.0;  // of the direction before
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    double& d = a.f.direction()[i];
    d = a.f.preconditioned(a.count())[i] + part * d;
  }
};
template <class Real>
struct MeasureCurvature {
  static constexpr int kSums = 1;
  AdjointOp<Real> a;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (a.touches(i)) sums[0] += a.f.direction()[i] * a.f.moved()[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const { a.scalars->curvature = sums[0]; }
};
template <class Real>
struct StepMultipliers {
  AdjointOp<Real> a;
  double part = 0.0;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    if (!a.touches(i)) return;
    a.f.multiplier[i] += part * a.f.direction()[i];
    a.f.residual()[i] -= part * a.f.moved()[i];
  }
};
// dJ/dh = -v, and sums over v.
template <class Real>
struct UsePressureMultipliers {
  struct Sum {
    enum : int { multipliers, stiffness, count };
  };
  AdjointOp<Real> a;
  AdjointFieldsOut out;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double v = a.touches(i) ? a.f.multiplier[i] : 0.0;
    if (out.heights != nullptr) out.heights[a.turned(i)] = v == 0.0 ? 0.0 : -out.heights_scale * v;
    sums[Sum::multipliers] += v;
    if (v != 0.0) sums[Sum::stiffness] += v * a.f.displacement[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    a.scalars->multipliers = sums[Sum::multipliers];
    a.scalars->stiffness += sums[Sum::stiffness];
  }
};

// Reads the solution into f. Returns false if it has no derivatives.
template <class Team, class Real>
SLIPFIELD_TEAM bool begin_small_adjoint(Team& team, const AdjointContact& contact,
                                        const AdjointFields<Real>& f, AdjointScalars& s) {
  const AdjointSeed none;
  const AdjointOp<Real> a{contact, none, f, &s};
  const std::size_t count = contact.task.count();
  if (team.first()) s = AdjointScalars{};
  team.wait();
  team.run(count, LoadSolution<Real>{a});
  team.multiply_normal(f.pressure, f.displacement);
  if (contact.distance != nullptr) team.run(count, CountNearOutside<Real>{a});
  return s.contact > 0.0 && s.jumps == 0.0;
}

// Solves for w; returns whether it was found, and adds to `products`.
template <class Team, class Real>
SLIPFIELD_TEAM bool solve_adjoint_tractions(Team& team, const AdjointOp<Real>& a, double scale,
                                            SmallGmresState& gmres, int& products) {
  const std::size_t count = a.count();
  const SmallFields<Real>& linear = a.f.linear;
  NewtonFieldsOf<Real> rows;
  rows.count = count;
  rows.tangential.state = linear.state;
  rows.rho = a.rho();
  rows.force_x_given = a.force_given(true);
  rows.force_y_given = a.force_given(false);
  rows.scale = scale;
  rows.dxx = linear.derivative;
  rows.dxy = rows.dyx = linear.derivative + count;
  rows.dyy = linear.derivative + 2 * count;
  const double wanted = std::fmax(AdjointLimits::kTraction, a.contact.tolerance);
  double given = 0.0;
  double before = HUGE_VAL;
  int without_gain = 0;
  for (int round = 0;; ++round) {
    team.run(count, FormTractionRest<Real>{a, scale});
    const double left = std::sqrt(a.scalars->rest2);
    team.wait();
    if (round == 0) given = left;
    if (!std::isfinite(left)) return false;
    if (left <= wanted * given) return true;
    if (!(left < 0.7 * before)) ++without_gain;
    if (round == AdjointLimits::kRounds || without_gain > AdjointLimits::kWithoutGain)
      return left <= std::fmax(AdjointLimits::kEnough, wanted) * given;
    before = left;
    team.run(2 * count + 2, BeginRound<Real>{a.f.rest, 1.0 / left, linear.basis});
    const double enough = std::fmax(AdjointLimits::kOfRound, 0.5 * wanted * given / left);
    products += solve_small_linear(team, linear, rows, enough, gmres);
    team.run(2 * count + 2, EndRound<Real>{linear.step, left, a.f.w});
    team.multiply_slip(a.f.w, a.f.image);
    ++products;
  }
}

template <class Team, class Real>
SLIPFIELD_TEAM bool solve_adjoint_pressures(Team& team, const AdjointOp<Real>& a, int& products) {
  const std::size_t count = a.count();
  const AdjointFields<Real>& f = a.f;
  const bool force = a.contact.task.control == SmallNormal::force;
  double share = 0.0;
  if (force) {
    team.run(count, MarkContact<Real>{a});
    team.precondition_normal(f.residual(), f.one(count));
    team.run(count, KeepOnes<Real>{a});
    share = -a.seed.approach / a.scalars->one;
    team.wait();
  }
  team.run(count, StartMultipliers<Real>{a, share});
  if (share != 0.0) team.multiply_normal(f.multiplier, f.moved());
  team.run(count, FormPressureRest<Real>{a});
  const double wanted = std::fmax(AdjointLimits::kPressure, a.contact.tolerance);
  const double given2 = a.scalars->given2;
  team.wait();
  for (int iteration = 0;; ++iteration) {
    team.precondition_normal(f.residual(), f.preconditioned(count));
    if (force) team.run(count, FindShift<Real>{a});
    team.run(count, TakeShift<Real>{a, force});
    const double rest2 = a.scalars->rest2;
    const double energy = a.scalars->energy;
    const double energy_before = a.scalars->energy_before;
    team.wait();
    if (rest2 <= wanted * wanted * given2) return true;
    if (iteration == BatchLimits::kNormal || !(energy > 0.0) || !std::isfinite(energy))
      return rest2 <= AdjointLimits::kEnough * AdjointLimits::kEnough * given2;
    team.run(count, TurnDirection<Real>{a, iteration > 0 ? energy / energy_before : 0.0});
    team.multiply_normal(f.direction(), f.moved());
    ++products;
    team.run(count, MeasureCurvature<Real>{a});
    const double part = energy / a.scalars->curvature;
    team.wait();
    team.run(count, StepMultipliers<Real>{a, part});
  }
}

// The derivatives of one scalar, after begin_small_adjoint() returned true.
template <class Team, class Real>
SLIPFIELD_TEAM AdjointResult solve_small_adjoint(Team& team, const AdjointContact& contact,
                                                 const AdjointSeed& seed,
                                                 const AdjointFields<Real>& f,
                                                 const AdjointFieldsOut& out, AdjointScalars& s,
                                                 SmallGmresState& gmres) {
  const AdjointOp<Real> a{contact, seed, f, &s};
  const SmallTask& task = contact.task;
  const std::size_t count = task.count();
  AdjointResult result;
  const double scale = 1.0 / std::sqrt(s.contact);
  team.wait();
  if (team.first()) {
    s.stiffness = 0.0;
    s.law = LawNumbers{};
  }
  team.run(count, FormSides<Real>{a});
  if (task.sliding) {
    const bool seeded = s.seeded_slip > 0.0;
    team.wait();
    if (seeded) {
      team.multiply_slip(f.side_slip, f.image);
      team.run(count, AddSlipSide<Real>{a});
    }
    if (!solve_adjoint_tractions(team, a, scale, gmres, result.products)) return result;
    result.force_x = scale * f.w[2 * count];
    result.force_y = scale * f.w[2 * count + 1];
    team.wait();
    team.run(count, UseTractionMultipliers<Real>{a, out, scale});
    result.rigid_x = s.motion_x - s.by_motion_x;
    result.rigid_y = s.motion_y - s.by_motion_y;
    result.rotation = s.motion_turned - s.by_motion_turned;
    result.law = s.law;
    team.wait();
  }
  if (!solve_adjoint_pressures(team, a, result.products)) return result;
  team.run(count, UsePressureMultipliers<Real>{a, out});
  result.normal = task.control == SmallNormal::force ? s.load : seed.approach + s.multipliers;
  result.stiffness = s.stiffness;
  result.pressure_sum = s.pressure;
  result.near_change = s.near + s.near_outside;
  result.found = true;
  team.wait();
  return result;
}

}  // namespace slipfield
