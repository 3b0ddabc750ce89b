// SPDX-License-Identifier: Apache-2.0
// The same contact on a grid of twice the element size, for an estimate of the discretisation error
// (THEORY.md 11.6).
#pragma once

#include <vector>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// What of a problem its coarse twins are made of, once its undeformed distance is known: all but
// geometry and steps.
ContactProblem without_geometry(const ContactProblem& problem);

// problem on coarsen(problem.grid), without steps. distance: its undeformed distance at the element
// centres of problem.grid [length].
ContactProblem coarse_twin(const ContactProblem& problem, const std::vector<double>& distance);

// A step of it: the same loads and friction, rolling twice as far, as the elements are as long.
StepInput coarse_twin(const StepInput& step, const Grid& fine);

// Whether such a step has a twin: it rolls steadily, without a slip of single elements, and not
// across a single row, whose elements stay as long as they are.
bool has_coarse_twin(const Tangential& tangential, const Grid& fine);

// Whether the twin's result is one to compare with: it converged, with elements enough in contact,
// and none of them where the coarse grid ends beyond a fine one of an odd number of elements.
bool is_whole(const StepReport& coarse, const Grid& fine);

// Estimated errors of the finer result: how far the coarser one is from it, and half an element's
// share of the value, of forces and moment of what friction can carry; 0 where a creepage is
// prescribed.
DiscretisationError estimate_error(const StepReport& fine, const StepReport& coarse,
                                   double element_area, const Tangential& tangential);

// Below, too few elements to judge by.
inline constexpr int kLeastForEstimate = 12;  // in contact on the coarse grid

}  // namespace slipfield
