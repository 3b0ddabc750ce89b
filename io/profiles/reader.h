// SPDX-License-Identifier: Apache-2.0
// Reads files of wheel and rail profiles into their canonical form (solver/wheel_rail/profile.h).
//
// The format is recognised by the file's extension: .prr and .prw are SIMPACK's rails and wheels,
// .ban, .whl and .mpt MiniProf's, as is any file with its header; a file that begins with
// WHEELPROFILE or RAILPROFILE is VAMPIRE's; anything else, GENSYS's .wheel and .rail too, is a
// table of two columns, y and z, separated by blanks, commas or semicolons, with lines of names
// before the first number, # for comments. What each format says of its coordinates: io/CASE.md.
#pragma once

#include <filesystem>
#include <optional>

#include "solver/wheel_rail/profile.h"

namespace slipfield {

// Throws InputError with a sentence that names the file, and the line where there is one: missing
// or unreadable, a number that is none, a wheel where a rail is asked for (without mirror_z), and
// what canonical_profile() refuses.
Profile read_profile(const std::filesystem::path& path, ProfileRole role,
                     const ProfileChanges& changes);

// A file that the name says is of a wheel or of a rail.
std::optional<ProfileRole> role_of_name(const std::filesystem::path& path);

}  // namespace slipfield
