// SPDX-License-Identifier: Apache-2.0
#include "app/run/interior.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/cuda_device.h"
#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {

MakeInteriorPlanes interior_planes_on(const SettledBackend& backend) {
  if (backend.choice != BackendChoice::cuda) return make_cpu_interior_planes;
  return [gpu = backend.gpu](const InteriorTask& task, const ContactSolution& solution) {
    return make_cuda_interior_planes(task, solution, gpu);
  };
}

std::optional<InteriorField> interior_of(const CaseFile& file, const Grid& grid,
                                         const ContactSolution& solution, MakeInteriorPlanes make) {
  if (!file.interior) return std::nullopt;
  return InteriorField(grid, {file.problem.upper, file.problem.lower}, *file.interior, solution,
                       std::move(make));
}

NamedNumbers interior_numbers(const StepReport& report) {
  NamedNumbers numbers;
  for (const std::string_view name : interior_quantity_names())
    if (const double value = quantity(report, {}, name); !std::isnan(value))
      numbers[std::string(name)] = value;
  return numbers;
}

NamedNumbers interior_numbers(const CaseFile& file, const Grid& grid,
                              const ContactSolution& solution, const MakeInteriorPlanes& make) {
  InteriorField interior = *interior_of(file, grid, solution, make);
  interior.compute_all();
  StepReport report;
  report.interior = interior.summaries();
  return interior_numbers(report);
}

ContactSolution loads_of_interior(const ContactSolution& solution) {
  ContactSolution loads;
  loads.pressure = solution.pressure;
  loads.traction_x = solution.traction_x;
  loads.traction_y = solution.traction_y;
  loads.adhesive_stress = solution.adhesive_stress;
  loads.element_division = solution.element_division;
  return loads;
}

void write_with_interior(ResultWriter& writer, const CaseFile& file, const MakeInteriorPlanes& make,
                         StepRecord& step, const ContactSolution& solution,
                         const std::vector<std::string>& warnings) {
  if (step.wheelset) {
    const auto of_contact = [&](const SolvedPatch& contact) {
      return interior_of(file, contact.patch.grid, contact.solution, make);
    };
    return writer.write_step(step.number, step.wheelset->solved, warnings,
                             file.interior ? InteriorMaker(of_contact) : InteriorMaker());
  }
  std::optional<InteriorField> interior = interior_of(file, file.problem.grid, solution, make);
  writer.write_step(step.number, step.input, step.report, solution,
                    interior ? &*interior : nullptr);
  if (interior) step.report.interior = interior->summaries();
}

}  // namespace slipfield
