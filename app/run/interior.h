// SPDX-License-Identifier: Apache-2.0
// Computes the interior that a case requests for a step that is written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/run/solver_factory.h"
#include "app/run/step_session.h"
#include "io/case/reader.h"
#include "io/result/field_table.h"
#include "io/result/writer.h"
#include "solver/interior/interior_field.h"

namespace slipfield {

// Returns planes computed by this backend.
MakeInteriorPlanes interior_planes_on(const SettledBackend& backend);

// Returns nothing if the case has no interior. The case and the solution must outlive the field.
std::optional<InteriorField> interior_of(const CaseFile& file, const Grid& grid,
                                         const ContactSolution& solution, MakeInteriorPlanes make);

// Computes the interior's numbers, by the names of interior_quantity_names(); those that the case
// does not request are missing. The case must have an interior.
NamedNumbers interior_numbers(const CaseFile& file, const Grid& grid,
                              const ContactSolution& solution, const MakeInteriorPlanes& make);
// The same of a report.
NamedNumbers interior_numbers(const StepReport& report);

// Copies the fields that the interior is computed from.
ContactSolution loads_of_interior(const ContactSolution& solution);

// Writes the step with the interior that the case requests and puts its summaries into the report.
// `solution`: of one contact; `warnings`: of a wheelset.
void write_with_interior(ResultWriter& writer, const CaseFile& file, const MakeInteriorPlanes& make,
                         StepRecord& step, const ContactSolution& solution,
                         const std::vector<std::string>& warnings);

}  // namespace slipfield
