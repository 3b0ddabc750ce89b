// SPDX-License-Identifier: Apache-2.0
// Sentences for the findings of solver/plausibility.h: the place in the case, the number, and what
// was perhaps meant.
#pragma once

#include <cstddef>
#include <string>

#include "io/case/section.h"
#include "solver/plausibility.h"

namespace slipfield {

// "tangential.x.creepage: 5 is ...".
std::string doubt_text(const Finding& finding, Units units);

// The same without the key.
std::string doubt_sentence(const Finding& finding, Units units);

// Warns at its value of everything that doubts_before() finds in the case, each doubt once.
void warn_of_doubts(CaseSection& root, const ContactProblem& problem);

// Warns of the moduli of a wheel and a rail and, if they heat or wear, their densities.
void warn_of_rail_bodies(CaseSection& root, const ContactProblem& problem);

// Warns of a coefficient of friction in force at an entry of `steps`.
void warn_of_friction(CaseSection& root, const Friction& friction, double velocity,
                      std::size_t entry, Units units);

}  // namespace slipfield
