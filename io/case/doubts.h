// SPDX-License-Identifier: Apache-2.0
// The sentences for what solver/plausibility.h finds: where it is in the case, with its number and
// what was perhaps meant.
#pragma once

#include <cstddef>
#include <string>

#include "io/case/section.h"
#include "solver/plausibility.h"

namespace slipfield {

// "tangential.x.creepage: 5 is ...".
std::string doubt_text(const Finding& finding, Units units);

// Without the key.
std::string doubt_sentence(const Finding& finding, Units units);

// Warns at the value in the case of everything that doubts_before() finds. Each doubt once.
void warn_of_doubts(CaseSection& root, const ContactProblem& problem);

// The same of the bodies' moduli, and of their densities where they heat or wear, which a wheel on
// a rail has too.
void warn_of_bodies(CaseSection& root, const ContactProblem& problem);

// The same of a coefficient of friction in force at an entry of `steps`.
void warn_of_friction(CaseSection& root, const Friction& friction, double velocity,
                      std::size_t entry, Units units);

}  // namespace slipfield
