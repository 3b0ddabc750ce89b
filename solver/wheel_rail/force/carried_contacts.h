// SPDX-License-Identifier: Apache-2.0
// States of a wheel's contacts from which the next step of transient rolling continues: tractions
// and everything else that a solver keeps over its grid, moved by whole elements of a lattice
// (THEORY.md 13.16).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// The tractions of a patch as a start for the same patch at another height, where its grid has
// moved.

// Moves the fields of `state`, of a solver on the grid `from`, to the grid `to` of the same
// spacing: each element takes the values of the element at the same offset from the grid's
// reference point, to the nearest whole element; outside `from` fields are 0. Nothing if the state
// holds more than fields over the grid, its undeformed distance and its scalars.
std::optional<SolverState> carried_state(const SolverState& state, const Grid& from,
                                         const Grid& to);

// Removes the pressure of elements over which `patch` has no surface: where the bodies were moved,
// or a profile ends. Their distance is infinite, and no residual is formed from that.
void unload_unreachable(const ContactPatch& patch, SolverState& state);

struct CarriedContact {
  LatticeBox elements;  // of its grid
  LatticeBox touching;  // the part of them that holds its contact
  SolverState fields;   // over its grid, x fastest
};
using CarriedContacts = std::vector<CarriedContact>;

// solution, state: those after the step.
CarriedContact carried_contact(const ContactPatch& patch, const ContactSolution& solution,
                               SolverState state);
std::vector<LatticeBox> touching_elements(const CarriedContacts& contacts);

// The state, for restore(), from which the solver of `patch` starts a step of transient rolling.
// Fields of the rows that the patch takes come from `before`, summed if several contacts have
// merged. Everything else is as before any step, with friction at its static coefficient. state:
// any state of this solver, as a template.
SolverState state_to_continue(const CarriedContacts& before, const ContactPatch& patch,
                              double coefficient, SolverState state);

// To and from a saved state; its keys start with `prefix`.
void save(const CarriedContacts& contacts, const std::string& prefix, SolverState& state);
CarriedContacts saved_contacts(const std::string& prefix, const SolverState& state);

}  // namespace slipfield
