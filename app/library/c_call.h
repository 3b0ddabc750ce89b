// SPDX-License-Identifier: Apache-2.0
// How every function of the C library calls the C++ behind it: errors become a status and a
// sentence of the thread.
#pragma once

#include <slipfield.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/library/case_solver.h"

struct slipfield_solver {
  std::unique_ptr<slipfield::CaseSolver> solver;
  std::string text;  // what the last call returned
};

struct slipfield_state {
  slipfield::SavedSteps saved;
};

namespace slipfield::c_library {

// Reports the exception that is being handled.
slipfield_status fail() noexcept;
// Reports a failure without an exception: a step that did not converge, or a batch.
slipfield_status fail(slipfield_status status, const std::string& message) noexcept;

// Throws InputError where it is null.
void require(const void* pointer, std::string_view name);

// "a,b , c": at least one name, none empty. `what`: for the sentence.
std::vector<std::string> names_of(const char* list, std::string_view what);

// Copies the values.
NamedArray array_of(const slipfield_array* array);

template <typename Call>
slipfield_status guarded(Call call) noexcept {
  try {
    call();
    return SLIPFIELD_OK;
  } catch (...) {
    return fail();
  }
}

// With a solver that is there.
template <typename Call>
slipfield_status guarded(slipfield_solver* solver, Call call) noexcept {
  return guarded([&] {
    require(solver, "solver");
    call(*solver->solver);
  });
}

}  // namespace slipfield::c_library
