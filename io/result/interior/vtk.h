// SPDX-License-Identifier: Apache-2.0
// The VTKHDF group of a result with an interior, by which ParaView opens it as a volume.
#pragma once

#include "io/hdf5/handle.h"
#include "io/result/vtk.h"

namespace slipfield {

// Points of an UnstructuredGrid: beyond, its cells would take more than the values.
inline constexpr std::size_t kMostVtkPoints = 4'000'000;

// Writes the steps whose interior has the same depths and region as the last one. Returns false,
// and writes nothing, where no step has any, or where it would be too large. One body with evenly
// spaced depths is an ImageData, everything else an UnstructuredGrid. The values are point data,
// and stay where they are.
bool write_interior_vtk(const hdf5::Handle& file, const std::string& steps_group,
                        const std::vector<WrittenStep>& written);

}  // namespace slipfield
