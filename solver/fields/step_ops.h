// SPDX-License-Identifier: Apache-2.0
// Element operations of a whole step: coupling between the problems, totals and the independent
// residual (THEORY.md 9.4, 11).
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "solver/fields/tangential_ops.h"
#include "solver/host_device.h"
#include "solver/solution.h"

namespace slipfield {

// Only full sliding reaches the bound sum mu F_n, and then any rigid slip gives it. Both sums are
// rounded, so a force ratio of 1 counts as reaching it.
SLIPFIELD_HD inline bool reaches_bound(double force, double bound) {
  constexpr double kReached = 1.0 - 1.0e-12;
  return force > 0.0 && force >= kReached * bound;
}

struct CopyField {
  const double* from = nullptr;
  double* to = nullptr;
  double factor = 1.0;
  SLIPFIELD_HD void element(std::size_t i, double*) const { to[i] = factor * from[i]; }
};

struct FillField {
  double value = 0.0;
  double* to = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const { to[i] = value; }
};

struct SumField {
  static constexpr int kSums = 1;
  const double* values = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const { sums[0] += values[i]; }
  SLIPFIELD_HD void finish(const double* sums) const { *out = sums[0]; }
};

struct AddFields {
  const double* a = nullptr;
  const double* b = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const { out[i] = a[i] + b[i]; }
};

// base -= displacement of the particle one step ago; for one that has entered since, that at
// the edge
struct SubtractPrevious {
  const double* previous_x = nullptr;
  const double* previous_y = nullptr;
  const int* edge = nullptr;  // null: no element entered
  const double* at_edge_x = nullptr;
  const double* at_edge_y = nullptr;
  double* base_x = nullptr;
  double* base_y = nullptr;
  int first = 0;  // elements of the grid that at_edge has
  int end = std::numeric_limits<int>::max();
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const bool entered = edge != nullptr && edge[i] >= first && edge[i] < end;
    base_x[i] -= entered ? at_edge_x[edge[i] - first] : previous_x[i];
    base_y[i] -= entered ? at_edge_y[edge[i] - first] : previous_y[i];
  }
};

// Fields of a step in the backend's memory. Without a tangential problem the tangential fields are
// null, and the bound is that of one coefficient.
struct StepFields {
  double* pressure = nullptr;
  double* traction_x = nullptr;
  double* traction_y = nullptr;
  double* displacement_x = nullptr;
  double* displacement_y = nullptr;
  double* displacement_n = nullptr;
  double* slip_x = nullptr;
  double* slip_y = nullptr;
  double* bound = nullptr;
  const double* distance = nullptr;
  unsigned char* state = nullptr;
  double coefficient = 0.0;  // friction coefficient if bound is null
  double strength = 0.0;     // shear strength if bound is null

  SLIPFIELD_HD double bound_at(std::size_t i) const {
    return bound != nullptr ? bound[i] : traction_bound(strength, coefficient, pressure[i]);
  }
};
// The value of a field, or 0 if the pointer is null.
SLIPFIELD_HD inline double value_at(const double* field, std::size_t i) {
  return field != nullptr ? field[i] : 0.0;
}

// The division of a contact without a tangential problem: elements with a friction bound adhere.
struct EnterFrictionless {
  static constexpr int kSums = 1;
  StepFields f;
  double* contact_count = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const bool contact = f.pressure[i] > 0.0;
    const bool adheres = contact && f.bound_at(i) > 0.0;
    f.state[i] = static_cast<unsigned char>(
        adheres ? ElementState::adhesion : (contact ? ElementState::slip : ElementState::exterior));
    if (contact) sums[0] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const { *contact_count = sums[0]; }
};

struct StepTotals {
  double pressure = 0.0;  // sums over the elements, without dx dy
  double traction_x = 0.0;
  double traction_y = 0.0;
  double moment_x = 0.0;  // of the pressure, about the axes of the grid
  double moment_y = 0.0;
  double moment_z = 0.0;
  double energy = 0.0;  // sum p.u
  double work = 0.0;    // sum p_t.s
  double adhesion = 0.0;
  double slip = 0.0;
};

struct SumStep {
  struct Sum {
    enum : int {
      pressure,
      traction_x,
      traction_y,
      moment_x,
      moment_y,
      moment_z,
      energy,
      work,
      adhesion,
      slip,
      count
    };
  };
  ElementCentres centres;
  StepFields f;
  StepTotals* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (!in_contact(f.state[i])) return;
    const double traction_x = value_at(f.traction_x, i);
    const double traction_y = value_at(f.traction_y, i);
    sums[Sum::pressure] += f.pressure[i];
    sums[Sum::traction_x] += traction_x;
    sums[Sum::traction_y] += traction_y;
    sums[Sum::moment_x] += centres.y(i) * f.pressure[i];
    sums[Sum::moment_y] -= centres.x(i) * f.pressure[i];
    sums[Sum::moment_z] += centres.moment(i, traction_x, traction_y);
    sums[Sum::energy] += f.pressure[i] * f.displacement_n[i] +
                         traction_x * value_at(f.displacement_x, i) +
                         traction_y * value_at(f.displacement_y, i);
    sums[Sum::work] += traction_x * value_at(f.slip_x, i) + traction_y * value_at(f.slip_y, i);
    if (f.state[i] == static_cast<unsigned char>(ElementState::adhesion)) {
      sums[Sum::adhesion] += 1.0;
    } else {
      sums[Sum::slip] += 1.0;
    }
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    out->pressure = sums[Sum::pressure];
    out->traction_x = sums[Sum::traction_x];
    out->traction_y = sums[Sum::traction_y];
    out->moment_x = sums[Sum::moment_x];
    out->moment_y = sums[Sum::moment_y];
    out->moment_z = sums[Sum::moment_z];
    out->energy = sums[Sum::energy];
    out->work = sums[Sum::work];
    out->adhesion = sums[Sum::adhesion];
    out->slip = sums[Sum::slip];
  }
};

struct StepResiduals {
  double normal2 = 0.0;  // sum (p - max(0, p - rho e))^2
  double pressure2 = 0.0;
  double tangential2 = 0.0;  // sum |p_t - Proj_g(p_t - rho s)|^2
  double bound2 = 0.0;
  double at_edge = 0.0;  // elements in contact at the grid's edge
  double normal1 = 0.0;  // sums of the magnitudes
  double tangential1 = 0.0;
  double bound1 = 0.0;
};

// Residuals of the complementarity and friction problems: compares each traction with the one
// required by gap and slip, which are recomputed from products of all tractions. It uses no
// quantity of a solver.
struct MeasureResiduals {
  struct Sum {
    enum : int {
      normal2,
      pressure2,
      tangential2,
      bound2,
      at_edge,
      normal1,
      tangential1,
      bound1,
      count
    };
  };
  ElementCentres centres;
  int my = 1;
  StepFields f;
  double approach = 0.0;
  double normal_stiffness = 0.0;      // rho = 1/A_nn(0)
  double tangential_stiffness = 0.0;  // 1/A_xx(0) of the step's operator; 0 without friction
  StepResiduals* out = nullptr;
  int first_row = 0;  // row of the fields' first row in the grid of my rows
  bool ends_x = true;
  bool ends_y = true;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double gap = f.distance[i] + f.displacement_n[i] - approach;
    const double wanted = std::fmax(0.0, f.pressure[i] - normal_stiffness * gap);
    sums[Sum::normal2] += (f.pressure[i] - wanted) * (f.pressure[i] - wanted);
    sums[Sum::normal1] += std::fabs(f.pressure[i] - wanted);
    sums[Sum::pressure2] += f.pressure[i] * f.pressure[i];
    if (!in_contact(f.state[i])) return;
    const double traction_x = value_at(f.traction_x, i);
    const double traction_y = value_at(f.traction_y, i);
    const double bound = f.bound_at(i);
    double x = traction_x - tangential_stiffness * value_at(f.slip_x, i);
    double y = traction_y - tangential_stiffness * value_at(f.slip_y, i);
    const double size = length_of(x, y);
    const double scale = size > bound ? bound / size : 1.0;
    x = traction_x - scale * x;
    y = traction_y - scale * y;
    sums[Sum::tangential2] += x * x + y * y;
    sums[Sum::bound2] += bound * bound;
    sums[Sum::tangential1] += std::fabs(x) + std::fabs(y);
    sums[Sum::bound1] += bound;
    const std::size_t ix = i % static_cast<std::size_t>(centres.mx);
    const std::size_t iy =
        i / static_cast<std::size_t>(centres.mx) + static_cast<std::size_t>(first_row);
    // a row of elements has its ends, a single element all its sides at the edge
    const bool lone = centres.mx == 1 && my == 1;
    const bool edge_x = ends_x && (centres.mx > 1 || lone) &&
                        (ix == 0 || ix + 1 == static_cast<std::size_t>(centres.mx));
    const bool edge_y =
        ends_y && (my > 1 || lone) && (iy == 0 || iy + 1 == static_cast<std::size_t>(my));
    if (edge_x || edge_y) sums[Sum::at_edge] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    out->normal2 = sums[Sum::normal2];
    out->pressure2 = sums[Sum::pressure2];
    out->tangential2 = sums[Sum::tangential2];
    out->bound2 = sums[Sum::bound2];
    out->at_edge = sums[Sum::at_edge];
    out->normal1 = sums[Sum::normal1];
    out->tangential1 = sums[Sum::tangential1];
    out->bound1 = sums[Sum::bound1];
  }
};

// sum p du/ds in one direction by differences: of the fields `after` and `before`, or of one field,
// between the elements `stride` after and before each. With a stride other than 0 the elements at
// the ends must have no traction. For like elastic bodies, whose coefficients are even, it
// vanishes.
struct SumRollingLoss {
  static constexpr int kSums = 1;
  std::ptrdiff_t stride = 0;
  double per_length = 0.0;  // 1/distance between after and before, negative against the axis
  const double* traction = nullptr;  // 0 outside the contact
  const double* after = nullptr;
  const double* before = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (traction[i] == 0.0) return;
    const auto at = static_cast<std::ptrdiff_t>(i);
    sums[0] += traction[i] * (after[at + stride] - before[at - stride]) * per_length;
  }
  SLIPFIELD_HD void finish(const double* sums) const { *out = sums[0]; }
};

}  // namespace slipfield
