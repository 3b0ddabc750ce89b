// SPDX-License-Identifier: Apache-2.0
// The classes of the compiled module that have files of their own.
#pragma once

#include <pybind11/pybind11.h>

#include "app/python/steps.h"

namespace slipfield {

// The classes Step and WheelStep.
void define_step(pybind11::module_& module);

// The class File: result files as read by the program's own readers, so that no other part of the
// package knows their layout.
void define_files(pybind11::module_& module);

// Arrays of a GPU, from and for other libraries.
void define_dlpack(pybind11::module_& module);

// The class CreepTable.
void define_creep_table(pybind11::module_& module);

// Returns whether the step's case has `interior`, or its file stores one.
bool asks_for_interior(const Step& step);
// Returns {"upper": {name: array or number}, ...} by the names of the group `interior`
// (io/RESULT.md), computed or read at each call; None without `interior` in the case or without
// fields.
pybind11::object interior_of_step(const Step& step);
// Returns the interior's totals of a step with `later_inside`.
NamedNumbers interior_totals_of_step(const Step& step);

}  // namespace slipfield
