// SPDX-License-Identifier: Apache-2.0
// The choice of the backend, told in the log.
#pragma once

#include <memory>

#include "app/run/solver_factory.h"

namespace slipfield {

// Logs the choice, and what the problem's method leaves out.
void log_backend(const SettledBackend& backend, const ContactProblem& problem);
// `automatic` takes the GPU where one answers and has the memory free. The choice is logged.
std::unique_ptr<ContactSolver> make_contact_solver(const BackendRequest& request,
                                                   const ContactProblem& problem,
                                                   ProgressCallback progress = {});

}  // namespace slipfield
