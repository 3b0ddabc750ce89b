// SPDX-License-Identifier: Apache-2.0
// Reads CONTACT's files of slices (.slcs): where along the track the profiles of a rail are, and
// which of their parts correspond to each other [CONTACT's user guide, 2025, "Specification of the
// file .slcs"].
#pragma once

#include <filesystem>
#include <vector>

namespace slipfield {

struct SliceOfFile {
  double position = 0.0;  // [mm]
  std::filesystem::path file;
  std::vector<double> features;  // [mm]; empty where the file has none
};

// The name says that a file is one of slices.
bool is_slices_file(const std::filesystem::path& path);

// Profiles are named from the file's folder. Throws InputError with the file's name and line:
// unreadable, numbers that are missing, and what is not supported: wheels, perturbations, kinks and
// accelerations.
std::vector<SliceOfFile> read_slices(const std::filesystem::path& path);

}  // namespace slipfield
