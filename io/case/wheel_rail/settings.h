// SPDX-License-Identifier: Apache-2.0
// What the contacts of a wheel on a rail do not go with: settings of the solver, and what else a
// case asks for.
#pragma once

#include <string_view>
#include <vector>

#include "io/case/wheel_rail/wheel_rail.h"

namespace slipfield {

// Errors go to the diagnostics. `problem`: as far as it is read, with its steps.
void check_wheel_settings(CaseSection& root, const ContactProblem& problem);

// Keys of the case that conformal contacts do not go with, which have coefficients of their own.
struct ConformalConflict {
  std::string_view key;
  std::string_view why;
  std::string_view accepted;
};
std::vector<ConformalConflict> conformal_conflicts(const CaseSection& root,
                                                   const ContactProblem& problem);
void check_conformal_settings(CaseSection& root, const WheelRailCase& wheel_rail,
                              const ContactProblem& problem);

}  // namespace slipfield
