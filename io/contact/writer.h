// SPDX-License-Identifier: Apache-2.0
// Writes the case file for a row of CONTACT input cases. See contact_input.h.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "io/contact/contact_input.h"
#include "io/contact/step.h"
#include "io/contact/surface.h"

namespace slipfield {

// Cases with one grid, one geometry, the same bodies and one solver.
struct InputGroup {
  std::vector<const InputCase*> cases;  // at least one
  std::vector<InputStep> steps;         // of each
  InputSurface surface;
  std::size_t repeated = 0;  // the number of cases that the previous file has as well
};

// The section `heat`; empty if there is none. `names`: of body 1 and body 2.
std::string input_heat(const InputCase& input, const std::array<const char*, 2>& names);

// The section `solver` for the fast methods; empty for others.
std::string input_solver(const InputCase& input);

// "case 3", "cases 3 to 7"; with the lines of the input file.
std::string case_numbers(const InputCase& first, const InputCase& last);
std::string case_source(const InputCase& first, const InputCase& last);

// An entry of `steps` with the lines of its map, or an empty one; a comment above it names its
// origin.
std::string step_entry(const InputCase& first, const InputCase& last,
                       const std::vector<std::string>& lines);

// `name`: of the input file; `folder`: of that file, relative to the case file.
ConvertedCase write_input_group(const InputGroup& group, const std::string& name,
                                const std::filesystem::path& folder);

}  // namespace slipfield
