// SPDX-License-Identifier: Apache-2.0
#include "app/run/interior.h"

#include <utility>

#include "gpu/cuda_device.h"

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

}  // namespace slipfield
