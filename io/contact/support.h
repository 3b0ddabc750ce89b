// SPDX-License-Identifier: Apache-2.0
// Reports features of a CONTACT input that a case of this program cannot express, with their lines.
#pragma once

#include <optional>

#include "io/contact/case.h"
#include "io/contact/contact_input.h"

namespace slipfield {

// Reports errors for features that change the solution and warnings for those only missing in the
// results, once per row of cases. `before`: the previous case, null for the first.
void check_support(const InputCase& input, const InputCase* before, CaseDiagnostics& diagnostics);

// The same for the friction alone.
void check_friction_support(const InputCase& input, CaseDiagnostics& diagnostics);

// Returns whether grid and geometry can be expressed, whatever else cannot.
bool supports_surface(const InputCase& input);

// For both modules: case `number` is in the range, or there is no range.
inline bool is_wanted(int number, const std::optional<CaseRange>& range) {
  return !range || (range->first <= number && number <= range->last);
}
// Throws CaseError if the range goes beyond the last case of the file.
void check_range(const SourceText& source, int last, const std::optional<CaseRange>& range);
// Warns of R = 2, 3.
void warn_not_computed(const InputCase& input, CaseDiagnostics& found);
// Warns at the control digits of errors of CONTACT itself that `input` meets, once per error and
// file (io/contact/reference_errors.cpp).
void warn_of_reference_errors(const InputCase& input, const InputCase* before,
                              CaseDiagnostics& diagnostics);
// Warns of H without steady rolling, once per row of cases.
void warn_of_unused_heat(const InputCase& input, const InputCase* before,
                         CaseDiagnostics& diagnostics);

}  // namespace slipfield
