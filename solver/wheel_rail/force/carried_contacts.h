// SPDX-License-Identifier: Apache-2.0
// States of a wheel's contacts that the next step of transient rolling continues from: tractions
// and all else that a solver keeps over its grid, moved by whole elements of a lattice (THEORY.md
// 13.16).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// The tractions of a patch as a start for the same patch at another height, where its grid has
// moved.

// The fields of `state`, of a solver on the grid `from`, on the grid `to` of the same spacing: each
// element takes what the element in the same place from the grids' reference point had, to the
// nearest whole element; beyond `from` fields are 0. Nothing where the state holds more than fields
// over the grid, its undeformed distance and its scalars.
std::optional<SolverState> carried_state(const SolverState& state, const Grid& from,
                                         const Grid& to);

struct CarriedContact {
  LatticeBox elements;  // of its grid
  LatticeBox touching;  // the part of them that holds its contact
  SolverState fields;   // over its grid, x fastest
};
using CarriedContacts = std::vector<CarriedContact>;

// `solution`, `state`: after the step.
CarriedContact carried_contact(const ContactPatch& patch, const ContactSolution& solution,
                               SolverState state);
std::vector<LatticeBox> touching_elements(const CarriedContacts& contacts);

// What the solver of `patch` begins a step of transient rolling from, for restore(): `state`, which
// may be any of its states, with the fields of the rows that the patch takes; sums where several
// contacts have become one. Everything else is as without any step before, and friction has its
// static coefficient there.
SolverState state_to_continue(const CarriedContacts& before, const ContactPatch& patch,
                              double coefficient, SolverState state);

// To and from a saved state, in which names begin with `prefix`.
void save(const CarriedContacts& contacts, const std::string& prefix, SolverState& state);
CarriedContacts saved_contacts(const std::string& prefix, const SolverState& state);

}  // namespace slipfield
