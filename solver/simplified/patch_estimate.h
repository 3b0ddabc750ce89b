// SPDX-License-Identifier: Apache-2.0
// Non-elliptic contacts, estimated without solving for the pressure: KPEC, ANALYN and SDEC
// (THEORY.md 10.8), as a bound and a patch for FASTSIM.
//
// In the forms that CONTACT's manual and sources give them (2025 release): KPEC corrects the shape
// of the interpenetration after Piotrowski and Kik, ANALYN takes each row as a strip of a Hertzian
// ellipse with the curvatures there, SDEC is two half ellipses of one length.
#pragma once

#include <array>
#include <vector>

#include "solver/grid.h"
#include "solver/material.h"
#include "solver/problem.h"

namespace slipfield {

struct PatchEstimate {
  std::vector<double> pressure;  // of each element, x fastest; 0 outside
  double force = 0.0;            // of the pressures; of sdec that of the ellipses
  double approach = 0.0;
  double max_pressure = 0.0;
  // Semi-axes of the ellipse with the same area and the same ratio of length to width as the patch.
  double semi_axis_x = 0.0;
  double semi_axis_y = 0.0;
};

// distance: undeformed, of each element. settings.normal: kpec, analyn or sdec, which takes a force
// only. A force is met by a search for the approach, and the pressures are scaled to it at the end.
// A contact that holds no element's centre is Hertz's by the curvatures there, its force on the
// deepest element. Throws InputError where nothing touches, where no approach has the force, and
// where the distance is least on the grid's edge and falls beyond it (a saddle).
PatchEstimate estimate_patch(const SolverSettings& settings, const std::vector<double>& distance,
                             const Grid& grid, const CombinedMaterial& material,
                             const NormalLoad& load);

// Whether the bodies touch at an approach: at an element, or of kpec and analyn between elements.
bool has_estimate(const SolverSettings& settings, const std::vector<double>& distance,
                  const Grid& grid, double approach);

// (x, y) of the resultant of pressures over the grid; their sum is > 0.
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

// A patch with pressures that are known.
PatchEstimate patch_of(std::vector<double> pressure, const Grid& grid, double approach);

}  // namespace slipfield
