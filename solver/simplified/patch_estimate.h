// SPDX-License-Identifier: Apache-2.0
// Non-elliptic contacts, estimated without solving for the pressure: KPEC, ANALYN and SDEC
// (THEORY.md 10.8), as a bound and a patch for FASTSIM.
//
// As described by CONTACT's manual and sources (2025 release): KPEC corrects the shape of the
// interpenetration after Piotrowski and Kik, ANALYN treats each row as a strip of a Hertzian
// ellipse with the curvatures there, SDEC consists of two half ellipses of the same length.
#pragma once

#include <array>
#include <vector>

#include "solver/grid.h"
#include "solver/material.h"
#include "solver/problem.h"

namespace slipfield {

struct PatchEstimate {
  std::vector<double> pressure;  // of each element, x fastest; 0 outside
  double force = 0.0;            // sum of the pressures; for sdec that of the ellipses
  double approach = 0.0;
  double max_pressure = 0.0;
  // Semi-axes of the ellipse with the patch's area and ratio of length to width.
  double semi_axis_x = 0.0;
  double semi_axis_y = 0.0;
};

// distance: undeformed, per element. settings.normal: kpec, analyn or sdec, which accepts only a
// force. For a force the approach is searched, and the pressures are finally scaled to the force. A
// contact without an element's centre in it is treated as Hertzian with the local curvatures, its
// force on the deepest element. Throws InputError if nothing touches, if no approach gives the
// force, and if the distance is least at the grid's edge and decreases beyond it (a saddle).
PatchEstimate estimate_patch(const SolverSettings& settings, const std::vector<double>& distance,
                             const Grid& grid, const CombinedMaterial& material,
                             const NormalLoad& load);

// Whether the bodies touch at an approach: at an element or, for kpec and analyn, between elements.
bool has_estimate(const SolverSettings& settings, const std::vector<double>& distance,
                  const Grid& grid, double approach);

// (x, y) of the resultant of pressures over the grid; their sum must be > 0.
inline std::array<double, 2> centroid_of(const std::vector<double>& pressure, const Grid& grid) {
  double sum = 0.0;
  std::array<double, 2> moment{};
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double p = pressure[grid.index(ix, iy)];
      sum += p;
      moment[0] += p * grid.x(ix);
      moment[1] += p * grid.y(iy);
    }
  return {moment[0] / sum, moment[1] / sum};
}

// A patch with given pressures.
PatchEstimate patch_of(std::vector<double> pressure, const Grid& grid, double approach);

}  // namespace slipfield
