// SPDX-License-Identifier: Apache-2.0
// What to compute inside the bodies after a step, and where.
#pragma once

#include <array>
#include <vector>

#include "solver/grid.h"
#include "solver/interior/fatigue_stress.h"
#include "solver/interior/interior_response.h"
#include "solver/material.h"
#include "solver/solution.h"

namespace slipfield {

// The first nine are those of InteriorComponent: stress, displacement.
enum class InteriorQuantity {
  stress_xx,
  stress_yy,
  stress_zz,
  stress_xy,
  stress_xz,
  stress_yz,
  displacement_x,
  displacement_y,
  displacement_z,
  principal_1,  // the greatest, i.e. most tensile
  principal_2,
  principal_3,
  von_mises,
  tresca,       // principal_1 - principal_3: twice the greatest shear stress
  hydrostatic,  // mean of the principal stresses
  dang_van,     // of the whole passage along x: constant along each row
  crossland
};
inline constexpr int kInteriorQuantities = 17;
inline constexpr int kLocalQuantities = 15;  // the quantities that depend on a single state

struct Fault;      // solver/problem_check.h
struct StepInput;  // solver/problem.h

enum class InteriorRegion { contact, grid, box };

struct InteriorRequest {
  std::vector<Body> bodies = {Body::upper, Body::lower};
  std::vector<double> depths;  // increasing, from 0 on [length]
  InteriorRegion region = InteriorRegion::contact;
  std::array<double, 2> box_x{};  // of a box: least and greatest coordinate [length]
  std::array<double, 2> box_y{};
  std::vector<InteriorQuantity> quantities = {InteriorQuantity::von_mises,
                                              InteriorQuantity::tresca};
  FatigueSlopes fatigue;  // slopes required for dang_van and crossland
};

inline constexpr std::size_t kMostDepths = 100000;

// Range of elements at whose centres values are computed: ix0 <= ix < ix0 + mx, likewise y.
struct InteriorWindow {
  int ix0 = 0;
  int iy0 = 0;
  int mx = 0;
  int my = 0;

  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(mx) * static_cast<std::size_t>(my);
  }
  bool operator==(const InteriorWindow&) const = default;
};

// The rectangle around the contact (the whole grid without contact), the grid, or the elements with
// centres in the box. division: state of each element.
InteriorWindow interior_window(const InteriorRequest& request, const Grid& grid,
                               const std::vector<ElementState>& division);

// Faults of the request by itself and against the grid; fields begin with "interior.":
// solver/check/interior_check.cpp.
std::vector<Fault> check_interior(const InteriorRequest& request, const Grid& grid);

// The fault of requested depths that lie in the rigid base of a layered body; bodies: by enum class
// Body.
std::vector<Fault> check_interior_depths(const InteriorRequest& request,
                                         const std::array<ElasticBody, 2>& bodies);

// The fault of a step that is not a steady passage along x although fatigue is requested.
std::vector<Fault> check_interior_step(const InteriorRequest& request, const StepInput& step);

// n depths from `from` to `to`, inclusive, evenly spaced or in a constant ratio.
std::vector<double> linear_depths(double from, double to, int points);
std::vector<double> logarithmic_depths(double from, double to, int points);

}  // namespace slipfield
