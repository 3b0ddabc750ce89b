// SPDX-License-Identifier: Apache-2.0
// The VTKHDF group of a result file, by which ParaView opens it as it is.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/handle.h"
#include "solver/grid.h"

namespace slipfield {

// A step in the file: the name of its group and the fields in it.
struct WrittenStep {
  std::string group;  // "0001"
  int number = 0;
  std::vector<std::string> fields;
};

// An ImageData with as many cells along x, y and z.
struct VtkImage {
  std::array<std::int64_t, 3> cells{};
  std::array<double, 3> origin{};
  std::array<double, 3> spacing{};
  bool down = false;  // z is
};
void write_image(hid_t group, const VtkImage& image);
// The attributes by which VTK knows what the group is: "ImageData", "UnstructuredGrid".
void write_vtk_type(hid_t group, std::string_view type);

// An ImageData of mx x my x 0 cells: a flat image, whose cell arrays have the shape (my, mx) of the
// steps' fields. One step: links to its fields. More: links to the arrays (steps, my, mx) of the
// group `series`, with the steps' numbers as times. VTK 9.3 and later read it (ParaView 5.12);
// earlier ones read no cell data of images.
void write_vtk(const hdf5::Handle& file, const std::string& steps_group, const Grid& grid,
               const std::vector<WrittenStep>& steps);

// By which ParaView opens a result with an interior as a volume: the steps whose interior has the
// same depths and region as the last one. Returns false, and writes nothing, where no step has any,
// or where it would be too large. One body with evenly spaced depths is an ImageData, everything
// else an UnstructuredGrid. The values are point data, and stay where they are.
bool write_interior_vtk(const hdf5::Handle& file, const std::string& steps_group,
                        const std::vector<WrittenStep>& written);

}  // namespace slipfield
