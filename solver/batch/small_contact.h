// SPDX-License-Identifier: Apache-2.0
// One contact of a batch as its team sees it: pure numbers, lengths over dx and tractions over G
// (THEORY.md 6.8).
#pragma once

#include <cstddef>

#include "solver/fields/iteration_limits.h"
#include "solver/fields/krylov_column.h"
#include "solver/fields/newton_ops.h"
#include "solver/fields/step_ops.h"
#include "solver/normal/normal_ops.h"
#include "solver/step/friction_ops.h"

namespace slipfield {

enum class SmallNormal { force, approach, pressure };
enum class SmallControl { rigid, force, force_ratio };

// The prescribed values: sums of tractions over G, lengths over dx.
struct SmallTask {
  ElementCentres centres;  // dx = 1
  int my = 1;
  // Factor from the given undeformed distance to that of the task: 1/dx; from a given pressure:
  // 1/G.
  double shape_scale = 1.0;
  double start_scale = 1.0;  // for a starting pressure: 1/G
  SmallNormal control = SmallNormal::force;
  double normal = 0.0;  // sum of the pressures, or approach
  bool sliding = false;
  double friction = 0.0;  // static
  bool follows_slip = false;
  SlidingLaw sliding_law;       // if it does
  double friction_start = 0.0;  // of each element, before it has slipped
  double slip_rate = 0.0;       // converts slip to velocity, for FollowSlip
  RigidSlip rigid;              // starting value if the force is given
  SmallControl control_x = SmallControl::rigid;
  SmallControl control_y = SmallControl::rigid;
  double force_x = 0.0;  // sum of tractions, absolute or relative to that of the bound
  double force_y = 0.0;
  double tolerance = 1.0e-6;
  double self_normal = 0.0;  // A_nn(0), S_xx(0) of the pure numbers
  double self_slip = 0.0;

  [[nodiscard]] SLIPFIELD_HD std::size_t count() const {
    return static_cast<std::size_t>(centres.mx) * static_cast<std::size_t>(my);
  }
};

enum class SmallStatus {
  converged,
  normal_failed,
  tangential_failed,
  beyond_friction,
  no_agreement
};

struct SmallResult {
  SmallStatus status = SmallStatus::normal_failed;
  double approach = 0.0;
  double rigid_x = 0.0;
  double rigid_y = 0.0;
  double greatest_pressure = 0.0;
  StepTotals totals;
  StepResiduals residuals;
  int iterations_normal = 0;
  int iterations_tangential = 0;
  int iterations_outer = 1;
  int products = 0;
};

// What GMRES keeps of one Newton step, visible to the whole team.
using SmallGmresState = GmresScalars<BatchLimits::kKrylov>;

// Scalars visible to the whole team.
struct SmallScalars {
  NormalScalars normal;
  NewtonScalars newton;
  StepTotals totals;
  StepResiduals residuals;
  double contact_count = 0.0;
  FrictionChange friction;
  SmallGmresState gmres;
};

// The fields of one contact; pairs are stored one after the other, x before y.
template <class Real>
struct SmallFields {
  double* distance = nullptr;
  double* pressure = nullptr;
  double* displacement_n = nullptr;
  double* residual = nullptr;  // of the normal problem, like the next four
  double* old_residual = nullptr;
  double* preconditioned = nullptr;
  double* direction = nullptr;
  double* image = nullptr;
  double* friction = nullptr;
  double* traction = nullptr;  // pairs
  double* slip = nullptr;
  double* displacement = nullptr;
  double* none = nullptr;  // zeros
  double* bound = nullptr;
  Real* derivative = nullptr;  // D, four fields
  Real* step = nullptr;        // Krylov vectors
  Real* joined = nullptr;
  Real* slip_image = nullptr;  // pairs
  Real* basis = nullptr;       // BatchLimits::kKrylov + 1 Krylov vectors
  std::size_t krylov_stride = 0;
  unsigned char* active = nullptr;
  unsigned char* state = nullptr;
};

SLIPFIELD_HD inline std::size_t krylov_stride(std::size_t count) {
  return (2 * count + 2 + 15) / 16 * 16;
}

// Allocates pieces of one block of memory; without memory it only counts the bytes.
struct FieldMemory {
  char* begin = nullptr;
  std::size_t used = 0;
  template <class Value>
  SLIPFIELD_HD void take(Value*& field, std::size_t values) {
    constexpr std::size_t kAlignment = 128;
    field = begin == nullptr ? nullptr : reinterpret_cast<Value*>(begin + used);
    used += (values * sizeof(Value) + kAlignment - 1) / kAlignment * kAlignment;
  }
};

// Places the fields of `count` elements in `memory`, if given; returns their size in bytes.
template <class Real>
SLIPFIELD_HD std::size_t lay_out_fields(std::size_t count, char* memory, SmallFields<Real>& f) {
  FieldMemory place{memory};
  f.krylov_stride = krylov_stride(count);
  for (double** one : {&f.distance, &f.pressure, &f.displacement_n, &f.residual, &f.old_residual,
                       &f.preconditioned, &f.direction, &f.image, &f.friction, &f.bound})
    place.take(*one, count);
  for (double** pair : {&f.traction, &f.slip, &f.displacement, &f.none})
    place.take(*pair, 2 * count);
  place.take(f.derivative, 4 * count);
  for (Real** vector : {&f.step, &f.joined}) place.take(*vector, f.krylov_stride);
  place.take(f.slip_image, 2 * count);
  place.take(f.basis, static_cast<std::size_t>(BatchLimits::kKrylov + 1) * f.krylov_stride);
  place.take(f.active, count);
  place.take(f.state, count);
  return place.used;
}

}  // namespace slipfield
