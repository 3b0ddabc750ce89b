// SPDX-License-Identifier: Apache-2.0
// Result files as the program's readers have them, in Python's types: the one place of the package
// that knows how a file is laid out.
#pragma once

#include <pybind11/pybind11.h>

namespace slipfield {

// The class File.
void define_files(pybind11::module_& module);

}  // namespace slipfield
