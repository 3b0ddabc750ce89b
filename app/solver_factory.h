// Chooses between the CPU reference and the GPU.
#pragma once

#include <memory>
#include <string_view>

#include "solver/contact_solver.h"

namespace slipfield {

enum class BackendChoice { automatic, cpu, cuda };

// "auto" | "cpu" | "cuda"; throws InputError for any other.
BackendChoice backend_from_name(std::string_view name);

// `automatic` takes the GPU where one answers. The choice is logged.
std::unique_ptr<ContactSolver> make_contact_solver(BackendChoice choice,
                                                   const ContactProblem& problem,
                                                   ProgressCallback progress = {});

}  // namespace slipfield
