// SPDX-License-Identifier: Apache-2.0
// The VTKHDF group of a result file, by which ParaView opens it as it is.
#pragma once

#include <string>
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

// An ImageData of mx x my x 0 cells: a flat image, whose cell arrays have the shape (my, mx) of the
// steps' fields. One step: links to its fields. More: links to the arrays (steps, my, mx) of the
// group `series`, with the steps' numbers as times. VTK 9.3 and later read it (ParaView 5.12);
// earlier ones read no cell data of images.
void write_vtk(const hdf5::Handle& file, const std::string& steps_group, const Grid& grid,
               const std::vector<WrittenStep>& steps);

}  // namespace slipfield
