// SPDX-License-Identifier: Apache-2.0
// Launchers of the kernels for planes inside a body (interior_kernels.cu).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "solver/host_device.h"
#include "solver/interior/interior_response.h"

namespace slipfield {

// A free grid of mx * my elements in transforms of nx * ny.
struct InteriorShape {
  int mx, my;
  int nx, ny;
  double dx, dy;

  [[nodiscard]] SLIPFIELD_HD std::size_t elements() const {
    return static_cast<std::size_t>(mx) * my;
  }
  [[nodiscard]] SLIPFIELD_HD std::size_t padded() const {
    return static_cast<std::size_t>(nx) * ny;
  }
  [[nodiscard]] bool line() const { return nx == 1 || ny == 1; }
  // Complex numbers of a real field's transform.
  [[nodiscard]] std::size_t points() const {
    return line() ? padded() / 2 + 1 : static_cast<std::size_t>(nx / 2 + 1) * ny;
  }
};

// The active loads, with a sign and scale for each.
struct InteriorSources {
  int count = 0;
  int load[kLoads] = {};
  double weight[kLoads] = {};
};

// responses[(source * components + component) * elements + ky mx + kx]: interior_response at
// (kx dx, ky dy) and the depth.
void launch_interior_responses(const InteriorShape& shape, const InteriorSources& sources,
                               int components, double depth, double poisson_ratio,
                               double* responses, cudaStream_t stream);

// tables[source * padded + y nx + x]: a component's responses at all position differences modulo
// the transform, by parity; 0 elsewhere.
void launch_interior_tables(const InteriorShape& shape, const InteriorSources& sources,
                            int components, int component, const double* responses, double* tables,
                            cudaStream_t stream);

// padded[y nx + x] = field[y mx + x]; 0 elsewhere.
void launch_interior_pad(const InteriorShape& shape, const double* field, double* padded,
                         cudaStream_t stream);

// spectra[k] = sum over the sources of weight spectra[source * points + k] loads[source * points +
// k].
void launch_interior_product(const InteriorShape& shape, const InteriorSources& sources,
                             double2* spectra, const double2* loads, cudaStream_t stream);

// field[y mx + x] = padded[y nx + x].
void launch_interior_cut(const InteriorShape& shape, const double* padded, double* field,
                         cudaStream_t stream);

// Elements ix0 <= ix < ix0 + mx, and likewise for y, of rows of row_length elements.
struct InteriorPart {
  int ix0, iy0, mx, my;
  int row_length;
};

// stress[c * elements ...], by InteriorComponent; measures[m * mx my ...]: principal_1,
// principal_2, principal_3, von_mises, tresca, hydrostatic.
void launch_interior_measures(const InteriorPart& part, const double* stress, std::size_t elements,
                              double* measures, cudaStream_t stream);

}  // namespace slipfield
