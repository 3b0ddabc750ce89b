// SPDX-License-Identifier: Apache-2.0
// Reads files of wheel and rail profiles into their canonical form (solver/wheel_rail/profile.h).
//
// The extension determines the format: .prr and .prw are SIMPACK's rails and wheels; .ban, .whl and
// .mpt are MiniProf's, as is any file with its header; a file that begins with WHEELPROFILE or
// RAILPROFILE is VAMPIRE's. Any other file, including GENSYS's .wheel and .rail, is a table of two
// columns, y and z, separated by blanks, commas or semicolons, with optional lines of names before
// the first number and # for comments. io/CASE.md describes the coordinates of each format.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "solver/wheel_rail/profile.h"

namespace slipfield {

// Throws InputError that names the file and, if possible, the line: missing or unreadable, an
// invalid number, a wheel in place of a rail (without mirror_z), and everything that
// canonical_profile() refuses.
Profile read_profile(const std::filesystem::path& path, ProfileRole role,
                     const ProfileChanges& changes);

// The role if the name says that the file is a wheel or a rail.
std::optional<ProfileRole> role_of_name(const std::filesystem::path& path);

// --- CONTACT's slices files (.slcs): the positions of a rail's profiles along the track, and which
// parts of them correspond [CONTACT's user guide, 2025, "Specification of the file .slcs"].

struct SliceOfFile {
  double position = 0.0;  // [mm]
  std::filesystem::path file;
  std::vector<double> features;  // [mm]; empty if the file has none
};

// Judges by the name.
bool is_slices_file(const std::filesystem::path& path);

// Profile names are relative to the file's folder. Throws InputError with the file's name and line:
// unreadable, missing numbers, or unsupported features: wheels, perturbations, kinks and
// accelerations.
std::vector<SliceOfFile> read_slices(const std::filesystem::path& path);

}  // namespace slipfield
