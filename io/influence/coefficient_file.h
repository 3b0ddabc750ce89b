// SPDX-License-Identifier: Apache-2.0
// Reads a file of influence coefficients in the format of CONTACT (its C = 9; format read from
// m_inflcf.f90, github.com/eve70a/CONTACT).
//
//   NMATRIX IACONVEX          1, or one for each row of the grid; 1 or 2, which changes nothing
//   LQUASID XYZORDER          0 312: nine columns, n x y
//   LSYMMX LSYMMY             1 0: offsets from 0 on along x, positive and negative along y
//   MX MY DX DY
// then for each matrix (after three more lines and IMATRIX XCENTR YCENTR if NMATRIX is above 1),
// for iy = 1 - MY to MY - 1: two lines that are skipped, and for ix = 0 to MX - 1
//   IX XREL Cnn Cnx Cny Cxn Cxx Cxy Cyn Cyx Cyy
// with XREL = IX DX to a tenth of an element. Empty lines and lines that start with % are skipped
// before the first matrix; text after the numbers of a line is a remark.
#pragma once

#include <filesystem>

#include "solver/grid.h"
#include "solver/influence/curved_influence.h"

namespace slipfield {

// For the grid, whose spacing must match the file's to `slack` [length]. Throws InputError that
// names the file, the line and what is accepted.
TabulatedCoefficients read_coefficient_file(const std::filesystem::path& path, const Grid& grid,
                                            double slack);

}  // namespace slipfield
