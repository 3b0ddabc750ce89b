// SPDX-License-Identifier: Apache-2.0
// Reads the bodies and steps from the case stored in a result, for further computations.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/writer.h"
#include "io/yaml/source.h"
#include "solver/grid.h"
#include "solver/interior/interior_request.h"
#include "solver/material.h"

namespace slipfield {

struct ResultBodies {
  std::array<ElasticBody, 2> bodies;  // by enum class Body
  InteriorRequest interior;
};

// `overrides`: key.path=value, each with the name of its option, that change or add the section
// `interior` of the case. Throws CaseError with all faults of that section.
ResultBodies read_result_bodies(const ResultHeader& header,
                                const std::vector<SourceText>& overrides);

// Only the bodies.
std::array<ElasticBody, 2> read_result_materials(const ResultHeader& header);

// Returns whether the case of the result has this section; false for a damaged text.
bool has_section(const ResultHeader& header, std::string_view name);

// Returns whether the elements of both grids lie at the same places, to rounding: the same place may
// be given by other numbers, and the grid of a wheel's contact moves in its last digits.
bool lie_alike(const Grid& a, const Grid& b);

// Returns whether both cases have elements of the same places and sizes, those of wheels of the
// same sizes.
bool have_one_grid(const ResultHeader& a, const ResultHeader& b);

// Returns whether some step rolls steadily, as the contacts of a wheel do.
bool rolls_steadily(const ResultHeader& header);

// Returns whether steps of the case roll, and all of these along x; false for a damaged text.
bool rolls_along_x(const ResultHeader& header);

// Returns whether the contact used coefficients of curved surfaces: `influence`, or a conformal
// wheel.
bool has_curved_surfaces(const ResultHeader& header);

// The number of steps of the result's case, repeats counted; 0 if it cannot be read.
int steps_of_case(const ResultHeader& header);

}  // namespace slipfield
