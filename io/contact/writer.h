// SPDX-License-Identifier: Apache-2.0
// The text of a case file for a row of input cases of CONTACT. See contact_input.h.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "io/contact/contact_input.h"
#include "io/contact/step.h"
#include "io/contact/surface.h"

namespace slipfield {

// Cases on one grid, with one geometry, the same bodies and one solver.
struct InputGroup {
  std::vector<const InputCase*> cases;  // at least one
  std::vector<InputStep> steps;         // of each
  InputSurface surface;
  std::size_t repeated = 0;  // the number of cases that the file before has as well
};

// The section `heat`; empty where there is none. `names`: of body 1 and body 2.
std::string input_heat(const InputCase& input, const std::array<const char*, 2>& names);

// The section `solver` of the fast methods; empty where another one is meant.
std::string input_solver(const InputCase& input);

// "case 3", "cases 3 to 7"; with the lines of the input file.
std::string case_numbers(const InputCase& first, const InputCase& last);
std::string case_source(const InputCase& first, const InputCase& last);

// An entry of `steps` with the lines of its map, or an empty one; above it where it is from.
std::string step_entry(const InputCase& first, const InputCase& last,
                       const std::vector<std::string>& lines);

// `name`: of the input file; `folder`: that it is in, from the case file's.
ConvertedCase write_input_group(const InputGroup& group, const std::string& name,
                                const std::filesystem::path& folder);

}  // namespace slipfield
