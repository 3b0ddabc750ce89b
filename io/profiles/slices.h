// SPDX-License-Identifier: Apache-2.0
// Reads CONTACT's slices files (.slcs): the positions of a rail's profiles along the track, and
// which parts of them correspond [CONTACT's user guide, 2025, "Specification of the file .slcs"].
#pragma once

#include <filesystem>
#include <vector>

namespace slipfield {

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
