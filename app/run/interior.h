// SPDX-License-Identifier: Apache-2.0
// The interior of a step as its case asks for it, for whoever writes the step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/run/solver_factory.h"
#include "app/run/step_session.h"
#include "io/case/reader.h"
#include "io/result/writer.h"
#include "solver/interior/interior_field.h"

namespace slipfield {

// Planes by this backend.
MakeInteriorPlanes interior_planes_on(const SettledBackend& backend);

// Nothing where the case has no interior. The problem's bodies and grid are those in force; the
// case and the solution outlive the field.
std::optional<InteriorField> interior_of(const CaseFile& file, const ContactProblem& problem,
                                         const ContactSolution& solution, MakeInteriorPlanes make);

// Writes the step with the interior that the case asks for, whose summaries go into its report.
// `solution`: of one contact; `warnings`: of a wheelset.
void write_with_interior(ResultWriter& writer, const CaseFile& file, const MakeInteriorPlanes& make,
                         StepRecord& step, const ContactSolution& solution,
                         const std::vector<std::string>& warnings);

}  // namespace slipfield
