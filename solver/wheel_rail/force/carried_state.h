// SPDX-License-Identifier: Apache-2.0
// The tractions of a patch as a start for the same patch at another height, where its grid has
// moved.
#pragma once

#include <optional>

#include "solver/contact_solver.h"

namespace slipfield {

// The fields of `state`, of a solver on the grid `from`, on the grid `to` of the same spacing: each
// element takes what the element in the same place from the grids' reference point had, to the
// nearest whole element; beyond `from` fields are 0. Nothing where the state holds more than fields
// over the grid, its undeformed distance and its scalars.
std::optional<SolverState> carried_state(const SolverState& state, const Grid& from,
                                         const Grid& to);

}  // namespace slipfield
