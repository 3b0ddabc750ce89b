// SPDX-License-Identifier: Apache-2.0
// Surface temperatures of a half-space due to elements heated for a limited time (THEORY.md 15.5).
#pragma once

#include "solver/grid.h"
#include "solver/influence/influence_table.h"
#include "solver/surface/surface_request.h"

namespace slipfield {

// How a body's material moves relative to the contact: evenly by (way_x, way_y) during a window of
// the given duration that ended `age` ago, and by (since_x, since_y) since then.
struct HeatWindow {
  double age = 0.0;
  double duration = 0.0;
  double way_x = 0.0;
  double way_y = 0.0;
  double since_x = 0.0;
  double since_y = 0.0;
};

struct HeatedMaterial {
  double penetration = 0.0;  // beta: thermal_penetration() of heat.h
  double diffusivity = 0.0;  // conductivity/(density capacity) [length^2/time]
  HeatConduction conduction = HeatConduction::depth;  // not automatic
};

// Adds to the table of the grid's differences of positions the temperature that remains now at (kx
// dx, ky dy) due to a unit flux through the element at the origin during the window [temperature
// over power per area], along a period with all images. depth: exact. half_space: to 1e-3, less
// accurate if oblique to the axes (THEORY.md 15.5).
void add_conduction(const HeatedMaterial& material, const HeatWindow& window, const Grid& grid,
                    InfluenceTable& table);

// Cost of add_conduction() in values added; it grows with the distance of oblique sliding.
double conduction_work(const HeatedMaterial& material, const HeatWindow& window, const Grid& grid);
// Throws InputError if the tables of a step would take more than some minutes.
void refuse_long_conduction(double work);

// Whether the material heated in the window has left the grid with all the material that its heat
// has reached; along a period it never does.
bool has_left(const HeatedMaterial& material, const HeatWindow& window, const Grid& grid);

}  // namespace slipfield
