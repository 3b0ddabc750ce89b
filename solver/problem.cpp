// SPDX-License-Identifier: Apache-2.0
#include "solver/problem.h"

namespace slipfield {

ContactProblem::ContactProblem() = default;
ContactProblem::ContactProblem(const ContactProblem& other) = default;
ContactProblem::ContactProblem(ContactProblem&& other) noexcept = default;
ContactProblem& ContactProblem::operator=(const ContactProblem& other) = default;
ContactProblem& ContactProblem::operator=(ContactProblem&& other) noexcept = default;
ContactProblem::~ContactProblem() = default;

ContactProblem without_geometry(const ContactProblem& problem) {
  ContactProblem rest;
  const ProblemSettings& settings = problem;
  static_cast<ProblemSettings&>(rest) = settings;
  return rest;
}

}  // namespace slipfield
