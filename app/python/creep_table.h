// SPDX-License-Identifier: Apache-2.0
// Tables of creep forces in Python's types.
#pragma once

#include <pybind11/pybind11.h>

namespace slipfield {

// The class CreepTable.
void define_creep_table(pybind11::module_& module);

}  // namespace slipfield
