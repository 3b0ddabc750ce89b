// SPDX-License-Identifier: Apache-2.0
// The interior of a solved step in Python's types.
#pragma once

#include <pybind11/pybind11.h>

#include "app/python/steps.h"

namespace slipfield {

// Whether the step's case has `interior`.
bool asks_for_interior(const Step& step);

// {"upper": {name: array or number}, ...} by the names of the group `interior` (io/RESULT.md), computed
// at each call; None without `interior` in the case or without fields.
pybind11::object interior_of_step(const Step& step);

}  // namespace slipfield
