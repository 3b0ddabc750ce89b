// SPDX-License-Identifier: Apache-2.0
// Arrays and steps in Python's types.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "app/library/case_solver.h"

namespace slipfield {

// A step with the fields that were kept of it.
struct Step {
  KeptStep kept;
  Grid grid;
  std::vector<std::string> warnings;
  std::shared_ptr<const ResultOrigin> origin{};  // null: of a file
};

// my rows of mx: a NumPy array or what becomes one, or an array of a GPU. Throws InputError.
std::shared_ptr<const Heights> heights_of(const std::string& name, const pybind11::object& given);

pybind11::dict grid_of(const Grid& grid);

// The class Step.
void define_step(pybind11::module_& module);

}  // namespace slipfield
