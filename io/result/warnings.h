// SPDX-License-Identifier: Apache-2.0
// What a run warned of, in its result: the dataset `warnings`, a text for each warning, of the
// file's root, of a point of a sweep, of a contact of a wheel, and of a step. Absent where there is
// none.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/handle.h"

namespace slipfield {

inline constexpr std::string_view kWarningsName = "warnings";

void write_warnings(hid_t group, std::span<const std::string> warnings);
// None where the group has none, as in files of earlier programs.
std::vector<std::string> read_warnings(hid_t group);

// Several warnings in one text, a line each, as tables of sweeps have them, and back.
std::string joined_lines(std::span<const std::string> warnings);
std::vector<std::string> split_lines(std::string_view text);

// What is suspicious in a contact of a step, by its number in it: "contact 2: ..."; and of all of a
// step's those of one contact, without its number.
std::string warning_of_contact(int contact, std::string_view text);
std::vector<std::string> warnings_of_contact(const std::vector<std::string>& warnings, int contact);

}  // namespace slipfield
