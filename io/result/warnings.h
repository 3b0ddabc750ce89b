// SPDX-License-Identifier: Apache-2.0
// Warnings of a run in its result: the dataset `warnings`, one text each, in the file's root, a
// point of a sweep, a contact of a wheel, or a step. Absent if there are none.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/handle.h"

namespace slipfield {

inline constexpr std::string_view kWarningsName = "warnings";

void write_warnings(hid_t group, std::span<const std::string> warnings);
// Empty if the group has none, as in files of earlier programs.
std::vector<std::string> read_warnings(hid_t group);

// Joins several warnings, one per line, for tables of sweeps; split_lines undoes it.
std::string joined_lines(std::span<const std::string> warnings);
std::vector<std::string> split_lines(std::string_view text);

// Prefixes a warning with the contact's number in the step: "contact 2: ..."; warnings_of_contact
// returns those of one contact without the number.
std::string warning_of_contact(int contact, std::string_view text);
std::vector<std::string> warnings_of_contact(const std::vector<std::string>& warnings, int contact);

}  // namespace slipfield
