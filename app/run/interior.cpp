// SPDX-License-Identifier: Apache-2.0
#include "app/run/interior.h"

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

std::optional<InteriorField> interior_of(const CaseFile& file, const ContactProblem& problem,
                                         const ContactSolution& solution, MakeInteriorPlanes make) {
  if (!file.interior) return std::nullopt;
  return InteriorField(problem.grid, {problem.upper, problem.lower}, *file.interior, solution,
                       std::move(make));
}

void write_with_interior(ResultWriter& writer, const CaseFile& file, const MakeInteriorPlanes& make,
                         StepRecord& step, const ContactSolution& solution,
                         const std::vector<std::string>& warnings) {
  if (step.wheelset) {
    const auto of_contact = [&](const SolvedPatch& contact) {
      ContactProblem problem = file.problem;
      problem.grid = contact.patch.grid;
      return interior_of(file, problem, contact.solution, make);
    };
    return writer.write_step(step.number, step.wheelset->solved, warnings,
                             file.interior ? InteriorMaker(of_contact) : InteriorMaker());
  }
  std::optional<InteriorField> interior = interior_of(file, file.problem, solution, make);
  writer.write_step(step.number, step.input, step.report, solution,
                    interior ? &*interior : nullptr);
  if (interior) step.report.interior = interior->summaries();
}

}  // namespace slipfield
