// SPDX-License-Identifier: Apache-2.0
// The interior of a step as its case asks for it, for whoever writes the step.
#pragma once

#include <optional>

#include "app/run/solver_factory.h"
#include "io/case/reader.h"
#include "solver/interior/interior_field.h"

namespace slipfield {

// Planes by this backend.
MakeInteriorPlanes interior_planes_on(const SettledBackend& backend);

// Nothing where the case has no interior. The problem's bodies and grid are those in force; the
// case and the solution outlive the field.
std::optional<InteriorField> interior_of(const CaseFile& file, const ContactProblem& problem,
                                         const ContactSolution& solution, MakeInteriorPlanes make);

// For ResultWriter::write_step; null where there is none.
inline InteriorField* pointer_to(std::optional<InteriorField>& interior) {
  return interior ? &*interior : nullptr;
}

}  // namespace slipfield
