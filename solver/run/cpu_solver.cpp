// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <fstream>
#include <utility>

#include "solver/cpu/cpu_backend.h"
#include "solver/memory_estimate.h"
#include "solver/problem_check.h"
#include "solver/run/checked_solver.h"
#include "solver/run/cpu_instances.h"
#include "solver/simplified/simplified_solver.h"
#include "solver/step/contact_step.h"

namespace slipfield {

std::string CpuBackend::device_name() const {
  std::string model = "unknown processor";
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      model = line.substr(colon + 2);
      break;
    }
  }
  const int threads = omp_get_max_threads();
  return model + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::unique_ptr<ContactSolver> make_cpu_solver(const ContactProblem& problem,
                                               ProgressCallback progress) {
  require_sound(check_problem(problem));
  require_host_memory(problem);
  if (is_simplified(problem.solver.tangential)) {
    return checked_solver(problem, make_simplified_solver(problem, std::move(progress)));
  }
  return checked_solver(problem,
                        std::make_unique<ContactRun<CpuBackend>>(problem, std::move(progress)));
}

}  // namespace slipfield
