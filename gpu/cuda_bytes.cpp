// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gpu/cuda_device.h"
#include "gpu/fft/length.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/interior/interior_planes.h"
#include "solver/memory_estimate.h"

namespace slipfield {

std::size_t cuda_bytes(const ContactProblem& problem) {
  const Grid& grid = problem.grid;
  const bool padded = grid.boundary == Boundary::free;
  const int nx = padded ? fast_transform_size(2 * grid.mx - 1) : grid.mx;
  const int ny = padded ? fast_transform_size(2 * grid.my - 1) : grid.my;
  const std::size_t bytes = estimated_bytes(problem);
  if (std::max(nx, ny) <= kFftMaxLength) return bytes;
  // cuFFT's work areas: 2.3 padded fields on free grids of 8192 and 16384 elements in a row (H200).
  constexpr double kFields = 2.5;
  return bytes + static_cast<std::size_t>(kFields * sizeof(double) * nx * static_cast<double>(ny));
}

std::size_t cuda_interior_bytes(const Grid& grid, InteriorNeed need) {
  const auto padded = static_cast<double>(fast_transform_size(2 * grid.mx - 1)) *
                      fast_transform_size(2 * grid.my - 1);
  // Of each load a table, its transform and that of the tractions; cuFFT's work areas as above, for
  // three transforms at once and for one.
  constexpr double kPadded = 3.0 * kLoads + 1.25 * (kLoads + 1);
  const double fields = (kLoads + 1) * components_of(need) + kStressMeasures;
  return static_cast<std::size_t>(sizeof(double) * (kPadded * padded + fields * grid.count()));
}

}  // namespace slipfield
