// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/shared_rows.h"

#include <cstddef>

#include "solver/step/step_state.h"

namespace slipfield {

SolverState rows_of_state(const Grid& grid, const RowRange& rows, const SolverState& state) {
  SolverState own;
  for (const auto& [name, values] : state) {
    const bool field = is_field_of_state(name);
    if (field && values.size() != grid.count()) refuse_state(name);
    own[name] = field ? rows_of_field(grid, rows, values) : values;
  }
  return own;
}

}  // namespace slipfield
