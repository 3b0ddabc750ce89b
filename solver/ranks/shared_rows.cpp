// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/shared_rows.h"

#include <algorithm>

#include "solver/ranks/ranks.h"
#include "solver/step/step_state.h"

namespace slipfield {

namespace ranks {

RowRange rows_of(int rank, int ranks, int rows) {
  const int block = (rows + ranks - 1) / ranks;
  const int first = std::min(rank * block, rows);
  return {first, std::min(block, rows - first)};
}

RowRange own_rows(int rows) { return rows_of(number(), count(), rows); }

}  // namespace ranks

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
