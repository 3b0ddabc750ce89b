// SPDX-License-Identifier: Apache-2.0
// Archard's law at one element, and the depth that shifts wear off (THEORY.md 14.2).
#pragma once

#include <cstddef>

#include "solver/fields/tangential_ops.h"
#include "solver/host_device.h"
#include "solver/solution.h"

namespace slipfield {

// ArchardMap (solver/surface/surface_request.h) over a hardness, in the memory of the backend.
struct ArchardLookup {
  const double* slip_velocity = nullptr;  // limits between columns, increasing
  int velocities = 0;
  const double* pressure = nullptr;  // limits between rows, increasing
  int pressures = 0;
  const double* value = nullptr;
  double hardness = 1.0;
  double rate = 0.0;  // from slip distances to slip velocities

  // At a limit that of the field above it.
  SLIPFIELD_HD double coefficient(double velocity, double p) const {
    const int row = field_of(pressure, pressures, p);
    return value[row * (velocities + 1) + field_of(slip_velocity, velocities, velocity)];
  }
  SLIPFIELD_HD double depth(double p, double distance) const {
    return p > 0.0 ? coefficient(rate * distance, p) * p * distance / hardness : 0.0;
  }

 private:
  SLIPFIELD_HD static int field_of(const double* limits, int count, double at) {
    int field = 0;
    while (field < count && !(at < limits[field])) ++field;
    return field;
  }
};

// What adheres rests: its slip is an error of the solution.
SLIPFIELD_HD inline bool wears(unsigned char state) {
  return in_contact(state) && state != static_cast<unsigned char>(ElementState::adhesion);
}

struct AddWornDepth {
  ArchardLookup law;
  const double* pressure = nullptr;
  const double* slip_x = nullptr;
  const double* slip_y = nullptr;
  const unsigned char* state = nullptr;
  double* depth = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    if (wears(state[i])) depth[i] += law.depth(pressure[i], length_of(slip_x[i], slip_y[i]));
  }
};

}  // namespace slipfield
