// SPDX-License-Identifier: Apache-2.0
// Errors of CONTACT's own, found by recomputing its results: where a case meets one, its results
// and those of the converted case differ, and that is not the conversion's doing (CONTACT.md).
#pragma once

#include "io/contact/case.h"
#include "io/yaml/diagnostics.h"

namespace slipfield {

// Warns at the control digits of each error that `input` meets, once for each error and file.
// `before`: the case before it, or null.
void warn_of_reference_errors(const InputCase& input, const InputCase* before,
                              CaseDiagnostics& diagnostics);

}  // namespace slipfield
