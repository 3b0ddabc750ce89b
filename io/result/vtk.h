// SPDX-License-Identifier: Apache-2.0
// The VTKHDF group of a result file, which lets ParaView open it directly.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/handle.h"
#include "solver/grid.h"

namespace slipfield {

// A step in the file: its group's name and the fields in it.
struct WrittenStep {
  std::string group;  // "0001"
  int number = 0;
  std::vector<std::string> fields;
};

// An ImageData with this many cells along x, y and z.
struct VtkImage {
  std::array<std::int64_t, 3> cells{};
  std::array<double, 3> origin{};
  std::array<double, 3> spacing{};
  bool down = false;  // z points down
};
void write_image(hid_t group, const VtkImage& image);
// Writes the attributes that name the group's type for VTK: "ImageData", "UnstructuredGrid".
void write_vtk_type(hid_t group, std::string_view type);

// Writes an ImageData of mx x my x 0 cells, a flat image whose cell arrays have the shape (my, mx)
// of the steps' fields. With one step the arrays are links to its fields; with several, links to
// the arrays (steps, my, mx) of the group `series`, with step numbers as times. Needs VTK 9.3
// (ParaView 5.12); earlier ones read no cell data of images.
void write_vtk(const hdf5::Handle& file, const std::string& steps_group, const Grid& grid,
               const std::vector<WrittenStep>& steps);

// Lets ParaView open a result with an interior as a volume: the steps whose interior has the depths
// and region of the last one. Returns false and writes nothing if no step has an interior, or if it
// would be too large. One body with evenly spaced depths is an ImageData, everything else an
// UnstructuredGrid. Values are point data and stay in place.
bool write_interior_vtk(const hdf5::Handle& file, const std::string& steps_group,
                        const std::vector<WrittenStep>& written);

}  // namespace slipfield
