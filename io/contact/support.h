// SPDX-License-Identifier: Apache-2.0
// What of CONTACT a case of this program cannot state: named with its line.
#pragma once

#include <optional>

#include "io/contact/case.h"
#include "io/contact/contact_input.h"

namespace slipfield {

// Errors for what changes the solution, warnings for what is only left out of the results, given
// once in a row of cases. `before`: the case before it, null for the first.
void check_support(const InputCase& input, const InputCase* before, CaseDiagnostics& diagnostics);

// The same of its friction alone.
void check_friction_support(const InputCase& input, CaseDiagnostics& diagnostics);

// The grid and the geometry can be stated, whatever else is not.
bool supports_surface(const InputCase& input);

// For both modules: a case of that number is in the range, or there is none.
inline bool is_wanted(int number, const std::optional<CaseRange>& range) {
  return !range || (range->first <= number && number <= range->last);
}
// CaseError where the range goes beyond the last case of the file.
void check_range(const SourceText& source, int last, const std::optional<CaseRange>& range);
// R = 2, 3.
void warn_not_computed(const InputCase& input, CaseDiagnostics& found);
// At the control digits of each error of CONTACT's own that `input` meets, once for each error and
// file (io/contact/reference_errors.cpp).
void warn_of_reference_errors(const InputCase& input, const InputCase* before,
                              CaseDiagnostics& diagnostics);
// H without steady rolling; once in a row of cases.
void warn_of_unused_heat(const InputCase& input, const InputCase* before,
                         CaseDiagnostics& diagnostics);

}  // namespace slipfield
