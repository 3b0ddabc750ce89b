// Element operations of a whole step: coupling between the problems, totals and the independent
// residual (THEORY.md 9.4, 11).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"
#include "solver/solution.h"
#include "solver/tangential/tangential_ops.h"

namespace slipfield {

struct CopyField {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  const double* from = nullptr;
  double* to = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const { to[i] = from[i]; }
};

struct FillField {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  double value = 0.0;
  double* to = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const { to[i] = value; }
};

struct AddFields {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  const double* a = nullptr;
  const double* b = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const { out[i] = a[i] + b[i]; }
};

// base -= displacement of the particle one step ago, of one that entered since then the
// displacement at the edge.
struct SubtractPrevious {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  const double* previous_x = nullptr;
  const double* previous_y = nullptr;
  const int* edge = nullptr;  // null: none entered
  const double* at_edge_x = nullptr;
  const double* at_edge_y = nullptr;
  double* base_x = nullptr;
  double* base_y = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const bool entered = edge != nullptr && edge[i] >= 0;
    base_x[i] -= entered ? at_edge_x[edge[i]] : previous_x[i];
    base_y[i] -= entered ? at_edge_y[edge[i]] : previous_y[i];
  }
};

// Fields of a step in the memory of the backend.
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
};

// Relative change of all tractions since the outer iteration before, whose tractions it then
// replaces.
struct OuterChange {
  static constexpr int kSums = 2;
  StepFields f;
  double* old_pressure = nullptr;
  double* old_x = nullptr;
  double* old_y = nullptr;
  double* change = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double dn = f.pressure[i] - old_pressure[i];
    const double dx = f.traction_x[i] - old_x[i];
    const double dy = f.traction_y[i] - old_y[i];
    sums[0] += dn * dn + dx * dx + dy * dy;
    sums[1] += f.pressure[i] * f.pressure[i] + f.traction_x[i] * f.traction_x[i] +
               f.traction_y[i] * f.traction_y[i];
    old_pressure[i] = f.pressure[i];
    old_x[i] = f.traction_x[i];
    old_y[i] = f.traction_y[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    *change = sums[1] > 0.0 ? std::sqrt(sums[0] / sums[1]) : 0.0;
  }
};

struct StepTotals {
  double pressure = 0.0;  // sums over the elements, without dx dy
  double traction_x = 0.0;
  double traction_y = 0.0;
  double moment_z = 0.0;
  double energy = 0.0;  // sum p.u
  double work = 0.0;    // sum p_t.s
  double adhesion = 0.0;
  double slip = 0.0;
};

struct SumStep {
  static constexpr int kSums = 8;
  ElementCentres centres;
  StepFields f;
  StepTotals* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (!in_contact(f.state[i])) return;
    sums[0] += f.pressure[i];
    sums[1] += f.traction_x[i];
    sums[2] += f.traction_y[i];
    sums[3] += centres.x(i) * f.traction_y[i] - centres.y(i) * f.traction_x[i];
    sums[4] += f.pressure[i] * f.displacement_n[i] + f.traction_x[i] * f.displacement_x[i] +
               f.traction_y[i] * f.displacement_y[i];
    sums[5] += f.traction_x[i] * f.slip_x[i] + f.traction_y[i] * f.slip_y[i];
    if (f.state[i] == static_cast<unsigned char>(ElementState::adhesion)) {
      sums[6] += 1.0;
    } else {
      sums[7] += 1.0;
    }
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    *out = {sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]};
  }
};

struct StepResiduals {
  double normal2 = 0.0;  // sum (p - max(0, p - rho e))^2
  double pressure2 = 0.0;
  double tangential2 = 0.0;  // sum |p_t - Proj_g(p_t - rho s)|^2
  double bound2 = 0.0;
  double at_edge = 0.0;  // elements in contact on the edge of the grid
  double normal1 = 0.0;  // sums of the magnitudes
  double tangential1 = 0.0;
  double bound1 = 0.0;
};

// How far the fields are from solving the complementarity and friction problems: each traction
// against the one that the gap and the slip, formed again from products of all tractions, ask for.
// No solver's own quantity enters.
struct MeasureResiduals {
  static constexpr int kSums = 8;
  ElementCentres centres;
  int my = 1;
  StepFields f;
  double approach = 0.0;
  double normal_stiffness = 0.0;      // rho = 1/A_nn(0)
  double tangential_stiffness = 0.0;  // 1/A_xx(0) of the step's operator; 0 without friction
  StepResiduals* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double gap = f.distance[i] + f.displacement_n[i] - approach;
    const double wanted = std::fmax(0.0, f.pressure[i] - normal_stiffness * gap);
    sums[0] += (f.pressure[i] - wanted) * (f.pressure[i] - wanted);
    sums[5] += std::fabs(f.pressure[i] - wanted);
    sums[1] += f.pressure[i] * f.pressure[i];
    if (!in_contact(f.state[i])) return;
    double x = f.traction_x[i] - tangential_stiffness * f.slip_x[i];
    double y = f.traction_y[i] - tangential_stiffness * f.slip_y[i];
    const double size = length_of(x, y);
    const double scale = size > f.bound[i] ? f.bound[i] / size : 1.0;
    x = f.traction_x[i] - scale * x;
    y = f.traction_y[i] - scale * y;
    sums[2] += x * x + y * y;
    sums[3] += f.bound[i] * f.bound[i];
    sums[6] += std::fabs(x) + std::fabs(y);
    sums[7] += f.bound[i];
    const std::size_t ix = i % static_cast<std::size_t>(centres.mx);
    const std::size_t iy = i / static_cast<std::size_t>(centres.mx);
    const bool edge_x =
        centres.mx > 1 && (ix == 0 || ix + 1 == static_cast<std::size_t>(centres.mx));
    const bool edge_y = my > 1 && (iy == 0 || iy + 1 == static_cast<std::size_t>(my));
    if (edge_x || edge_y) sums[4] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    *out = {sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]};
  }
};

}  // namespace slipfield
