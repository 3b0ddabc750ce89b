// SPDX-License-Identifier: Apache-2.0
// Element operations of the tangential problem (THEORY.md 5).
//
// Slip of a step: s = f W + u_t - u_t', with
//   W = (rigid_x - rotation (y + arm_y), rigid_y + rotation (x + arm_x)).
// In rolling W is multiplied by the rolling distance dq, and (arm_x, arm_y) lies dq/6 ahead.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/grid.h"
#include "solver/host_device.h"
#include "solver/solution.h"
#include "solver/vector_length.h"

namespace slipfield {

// Rigid slip of the step at an element centre [length].
struct RigidSlip {
  double x = 0.0;
  double y = 0.0;
  double rotation = 0.0;
  double arm_x = 0.0;  // point at which the rotation is taken, from the element centre [length]
  double arm_y = 0.0;
  SLIPFIELD_HD double at_x(double y_centre) const { return x + rotation * turned_x(y_centre); }
  SLIPFIELD_HD double at_y(double x_centre) const { return y + rotation * turned_y(x_centre); }
  // Rigid slip per unit of rotation.
  SLIPFIELD_HD double turned_x(double y_centre) const { return -(y_centre + arm_y); }
  SLIPFIELD_HD double turned_y(double x_centre) const { return x_centre + arm_x; }
};

struct ElementCentres {
  int mx = 1;
  double dx = 0.0;
  double dy = 0.0;
  double x0 = 0.0;
  double y0 = 0.0;
  ElementCentres() = default;
  explicit ElementCentres(const Grid& g) : mx(g.mx), dx(g.dx), dy(g.dy), x0(g.x0), y0(g.y0) {}
  SLIPFIELD_HD double x(std::size_t i) const {
    return x0 + (static_cast<double>(i % static_cast<std::size_t>(mx)) + 0.5) * dx;
  }
  SLIPFIELD_HD double y(std::size_t i) const {
    const std::size_t row = i / static_cast<std::size_t>(mx);
    return y0 + (static_cast<double>(row) + 0.5) * dy;
  }
  // Moment about the origin of a traction on element i.
  SLIPFIELD_HD double moment(std::size_t i, double traction_x, double traction_y) const {
    return x(i) * traction_y - y(i) * traction_x;
  }
};

SLIPFIELD_HD inline bool in_contact(unsigned char state) {
  return state != static_cast<unsigned char>(ElementState::exterior);
}

// Tangential state over the whole grid, in the backend's memory.
struct TangentialFields {
  double* traction_x = nullptr;
  double* traction_y = nullptr;
  double* slip_x = nullptr;  // s for the current tractions
  double* slip_y = nullptr;
  const double* bound = nullptr;   // g
  unsigned char* state = nullptr;  // ElementState of each element
  // fraction of the rigid slip that each element gets; null: all of it
  const double* fraction = nullptr;
};

struct SweepChange {
  double change2 = 0.0;    // sum |dp|^2
  double traction2 = 0.0;  // sum |p|^2
};

// The order in which a sweep solves the elements in contact: row after row along x.
struct SweepOrder {
  bool x_backwards = false;  // each row starts from its greatest x
  bool y_backwards = false;  // starts from the row of the greatest y
};

// Scales a traction back to its disc; one that is not a number becomes 0. Returns its size before.
SLIPFIELD_HD inline double fit_into_bound(double bound, double& x, double& y) {
  const double size = length_of(x, y);
  if (size <= bound) return size;
  const double scale = size > bound && size < HUGE_VAL ? bound / size : 0.0;
  x = scale > 0.0 ? scale * x : 0.0;
  y = scale > 0.0 ? scale * y : 0.0;
  return size;
}

struct FitTractions {
  TangentialFields f;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    fit_into_bound(f.bound[i], f.traction_x[i], f.traction_y[i]);
  }
};

// Sets every element in contact to slip.
struct SlipEverywhere {
  TangentialFields f;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    if (in_contact(f.state[i])) f.state[i] = static_cast<unsigned char>(ElementState::slip);
  }
};

// The traction bound: Coulomb's bound plus the shear strength in contact, else 0.
SLIPFIELD_HD inline double traction_bound(double strength, double friction, double pressure) {
  return pressure > 0.0 ? strength + friction * pressure : 0.0;
}

// Elements with pressure are in contact: sets the bound g, and fits the old tractions into it.
struct EnterContact {
  static constexpr int kSums = 1;
  const double* pressure = nullptr;
  const double* friction = nullptr;  // mu of each element
  double* bound = nullptr;
  double* traction_x = nullptr;
  double* traction_y = nullptr;
  unsigned char* state = nullptr;
  double* contact_count = nullptr;
  double strength = 0.0;
  double full_pressure = 0.0;  // below this pressure the strength is proportional to the pressure
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double part = pressure[i] < full_pressure ? pressure[i] / full_pressure : 1.0;
    const double g = traction_bound(part * strength, friction[i], pressure[i]);
    bound[i] = g;
    const double size = fit_into_bound(g, traction_x[i], traction_y[i]);
    const bool contact = pressure[i] > 0.0;
    const bool adheres = contact && size < g;
    state[i] = static_cast<unsigned char>(
        adheres ? ElementState::adhesion : (contact ? ElementState::slip : ElementState::exterior));
    if (contact) sums[0] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const { *contact_count = sums[0]; }
};

SLIPFIELD_HD inline double rigid_fraction(const double* fraction, std::size_t i) {
  return fraction != nullptr ? fraction[i] : 1.0;
}

// s = W + base + u in contact, 0 outside. base: displacement by the pressure less that of the step
// before.
struct FormSlip {
  ElementCentres centres;
  RigidSlip rigid;
  const double* base_x = nullptr;
  const double* base_y = nullptr;
  const double* displacement_x = nullptr;
  const double* displacement_y = nullptr;
  TangentialFields f;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const bool contact = in_contact(f.state[i]);
    const double part = rigid_fraction(f.fraction, i);
    f.slip_x[i] = contact ? part * rigid.at_x(centres.y(i)) + base_x[i] + displacement_x[i] : 0.0;
    f.slip_y[i] = contact ? part * rigid.at_y(centres.x(i)) + base_y[i] + displacement_y[i] : 0.0;
  }
};

struct AddRigidSlip {
  double x = 0.0;
  double y = 0.0;
  TangentialFields f;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    if (!in_contact(f.state[i])) return;
    const double part = rigid_fraction(f.fraction, i);
    f.slip_x[i] += part * x;
    f.slip_y[i] += part * y;
  }
};

// Adds the rigid slip to a field of the whole grid.
struct AddRigidMotion {
  ElementCentres centres;
  RigidSlip rigid;
  double* x = nullptr;
  double* y = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    x[i] += rigid.at_x(centres.y(i));
    y[i] += rigid.at_y(centres.x(i));
  }
};

struct TangentialSums {
  double traction_x = 0.0;  // sum p_x
  double traction_y = 0.0;
  double bound = 0.0;  // sum g
};

struct SumTractions {
  struct Sum {
    enum : int { traction_x, traction_y, bound, count };
  };
  const double* traction_x = nullptr;
  const double* traction_y = nullptr;
  const double* bound = nullptr;
  TangentialSums* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    sums[Sum::traction_x] += traction_x[i];
    sums[Sum::traction_y] += traction_y[i];
    sums[Sum::bound] += bound[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    out->traction_x = sums[Sum::traction_x];
    out->traction_y = sums[Sum::traction_y];
    out->bound = sums[Sum::bound];
  }
};

}  // namespace slipfield
