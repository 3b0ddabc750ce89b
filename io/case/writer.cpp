// SPDX-License-Identifier: Apache-2.0
#include "io/case/writer.h"

#include <fmt/format.h>

#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/yaml/tree.h"
#include "io/yaml/writer.h"

namespace slipfield {

std::string write_case(const CaseFile& file) {
  const ContactProblem& problem = file.problem;
  const bool wheel_rail = file.wheel_rail != nullptr;
  const BodyNames& names = wheel_rail ? kWheelRailBodies : kContactBodies;
  std::string text =
      fmt::format("schema: 1\ntitle: {}\nunits: {}\nbodies:\n  {}: {}\n  {}: {}\n",
                  double_quoted(problem.title), name_of(kUnits, problem.units), names[0],
                  body_text(problem.upper), names[1], body_text(problem.lower));
  if (wheel_rail)
    text += wheel_rail_text(file);
  else
    text +=
        layer_text(problem.layer) +
        (problem.adhesion.exists() ? part_text("adhesion", kAdhesionTable, problem.adhesion) : "") +
        patches_text(problem.patches) + influence_text(problem.influence) +
        grid_text(problem.grid) + geometry_text(problem.geometry, file.heights_files) +
        steps_text(problem.steps);
  return text + part_text("solver", kSolverTable, problem.solver) + output_text(file.output) +
         (file.interior ? interior_text(*file.interior) : "") +
         surface_text(problem.surface, names) + expected_text(file.expected);
}

}  // namespace slipfield
