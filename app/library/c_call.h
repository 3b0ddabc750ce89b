// SPDX-License-Identifier: Apache-2.0
// The frame of every function of the C library: it turns exceptions into a status and a message of
// the thread.
#pragma once

#include <slipfield.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/library/case_solver.h"

struct slipfield_solver {
  std::unique_ptr<slipfield::CaseSolver> solver;
  std::string text;  // text returned by the last call
};

struct slipfield_state {
  slipfield::SavedSteps saved;
};

namespace slipfield::c_library {

// Reports the current exception.
slipfield_status fail() noexcept;
// Reports a failure without an exception, such as a step or a batch that did not converge.
slipfield_status fail(slipfield_status status, const std::string& message) noexcept;

// Throws InputError if the pointer is null.
void require(const void* pointer, std::string_view name);

// Splits "a,b , c" into at least one name, none empty. `what`: names the list in the error message.
std::vector<std::string> names_of(const char* list, std::string_view what);

// Copies the values of the array, by `copy` or in host memory.
NamedArray array_of(const slipfield_array* array,
                    void (*copy)(void* to, const void* from, std::size_t bytes) = nullptr);

template <typename Call>
slipfield_status guarded(Call call) noexcept {
  try {
    call();
    return SLIPFIELD_OK;
  } catch (...) {
    return fail();
  }
}

// Calls with a solver that must not be null.
template <typename Call>
slipfield_status guarded(slipfield_solver* solver, Call call) noexcept {
  return guarded([&] {
    require(solver, "solver");
    call(*solver->solver);
  });
}

}  // namespace slipfield::c_library
