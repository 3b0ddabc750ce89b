// SPDX-License-Identifier: Apache-2.0
// Rows of a step's fields that ranks or GPUs share.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/fields/own_rows.h"
#include "solver/grid.h"
#include "solver/solution.h"

namespace slipfield {

// The element fields of a solution, except its division.
inline constexpr std::array kSolutionFields{&ContactSolution::pressure,
                                            &ContactSolution::traction_x,
                                            &ContactSolution::traction_y,
                                            &ContactSolution::traction_bound,
                                            &ContactSolution::slip_x,
                                            &ContactSolution::slip_y,
                                            &ContactSolution::displacement_x,
                                            &ContactSolution::displacement_y,
                                            &ContactSolution::displacement_n,
                                            &ContactSolution::undeformed_distance,
                                            &ContactSolution::gap,
                                            &ContactSolution::permanent_deformation,
                                            &ContactSolution::adhesive_stress,
                                            &ContactSolution::friction_power_density,
                                            &ContactSolution::t_gamma_density,
                                            &ContactSolution::wear_depth,
                                            &ContactSolution::wear_depth_total,
                                            &ContactSolution::temperature_upper,
                                            &ContactSolution::temperature_lower};
inline constexpr std::size_t kFieldsByRow = 2;  // wear_profile, surface_fatigue_along_y
static_assert(sizeof(ContactSolution) ==
                  (kSolutionFields.size() + kFieldsByRow) * sizeof(std::vector<double>) +
                      sizeof(std::vector<ElementState>),
              "a field is missing in kSolutionFields: several owners would lose rows of it");

// Rows that an owner has and another one wants.
struct CommonRows {
  int in_own = 0;     // the first of them among the own rows
  int in_wanted = 0;  // and among the wanted ones
  int count = 0;
};

// Calls work(rows) for each part of the wanted rows that is among the own ones, in the order of the
// wanted ones. They may lie up to a grid of `my` rows before or after it, if the grid repeats.
template <class Work>
void each_common_part(const RowRange& own, const RowRange& wanted, int my, const Work& work) {
  for (const int image : {-my, 0, my}) {
    const int first = std::max(own.first + image, wanted.first);
    const int end = std::min(own.first + own.count + image, wanted.first + wanted.count);
    if (first < end) work(CommonRows{first - own.first - image, first - wanted.first, end - first});
  }
}

// Cuts these rows out of a saved state of the whole grid, and keeps its entries that are not
// fields. Throws InputError if a field does not belong to that grid.
SolverState rows_of_state(const Grid& grid, const RowRange& rows, const SolverState& state);

}  // namespace slipfield
