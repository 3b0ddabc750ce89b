// SPDX-License-Identifier: Apache-2.0
// The same contact on two grids of twice the element size, for an estimate of the discretisation
// error (THEORY.md 11.6).
#pragma once

#include <array>
#include <vector>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// The problem without geometry and steps, from which its coarse twins are made once the undeformed
// distance is known.
ContactProblem without_geometry(const ContactProblem& problem);

// Which elements pair up: those of the grid from its first one on, or from its second one on, the
// first one alone. A contact has its border within the pairs of one or of the other.
enum class Pairs { from_first, from_second };
inline constexpr std::array kPairs = {Pairs::from_first, Pairs::from_second};

// fine in pairs of elements, in a direction of one element as it is.
Grid coarse_grid(const Grid& fine, Pairs pairs);

// problem on that grid, without steps. distance: its undeformed distance at the element centres of
// problem.grid [length].
ContactProblem coarse_twin(const ContactProblem& problem, const std::vector<double>& distance,
                           Pairs pairs);

// A step of it: the same loads and friction, rolling twice as far, as the elements are as long.
StepInput coarse_twin(const StepInput& step, const Grid& fine, Pairs pairs);

// Whether such a step has twins: it rolls steadily, without a slip of single elements, and not
// across a single row, whose elements stay as long as they are.
bool has_coarse_twin(const Tangential& tangential, const Grid& fine);

// Whether a twin's result is one to compare with: it converged, with elements enough in contact.
bool is_measure(const StepReport& coarse);

// Whether steady rolling dissipates what the forces do to the creepages: the bodies are elastic
// half-spaces and K is 0.
bool conserves_energy(const ContactProblem& problem);

// Estimated errors of the finer result: its distance from the coarser ones (root mean square), half
// of that for a scheme of second order, except for the work of friction; and in addition half an
// element's share of the value (for forces and moment, of what friction can carry; 0 where a
// creepage is prescribed). conserves: as above; for other bodies the errors of second order fall
// more slowly.
DiscretisationError estimate_error(const StepReport& fine,
                                   const std::array<StepReport, kPairs.size()>& coarse,
                                   double element_area, const Tangential& tangential,
                                   bool conserves, RollingScheme scheme);

// Fewer elements give no estimate.
inline constexpr int kLeastForEstimate = 12;  // in contact on the coarse grid

}  // namespace slipfield
