// SPDX-License-Identifier: Apache-2.0
#include "app/run/interior.h"

namespace slipfield {

std::optional<InteriorField> interior_of(const CaseFile& file, const ContactProblem& problem,
                                         const ContactSolution& solution) {
  if (!file.interior) return std::nullopt;
  return InteriorField(problem.grid, {problem.upper, problem.lower}, *file.interior, solution);
}

}  // namespace slipfield
