// SPDX-License-Identifier: Apache-2.0
// Products with coefficients that differ between loaded rows: transforms along x, and for each
// frequency a dense matrix over the rows (THEORY.md 2.9).
//
// Mirrors CpuRowProduct of solver/cpu/cpu_curved.h.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "gpu/cufft/cufft_check.h"
#include "gpu/device/device_array.h"
#include "gpu/device/fields.h"

namespace slipfield {

class RowProduct {
 public:
  // nx: length of the transforms, even, at least 2 mx - 1. Starts without coefficients.
  RowProduct(int mx, int my, int nx);

  // Sets the coefficients of the loaded row jy: [pair of directions][row][place in a period of nx],
  // with the transforms' normalisation 1/nx. Waits for the stream.
  void set_row(int jy, const std::vector<double>& periods, cudaStream_t stream);
  // Waits for the stream and frees the scratch of set_row().
  void all_rows_set(cudaStream_t stream);

  // out = product, over the grid's mx my elements. Asynchronous; may be captured in a graph.
  void apply(Block block, const ConstFields& in, const Fields& out, cudaStream_t stream);

  // The fewest bytes that a product moves through memory.
  [[nodiscard]] double bytes_moved(Block block) const;

 private:
  [[nodiscard]] std::size_t matrix_size() const {
    return static_cast<std::size_t>(frequencies_) * my_ * my_;
  }
  [[nodiscard]] std::size_t field_size() const {
    return static_cast<std::size_t>(frequencies_) * my_;
  }

  int mx_;
  int my_;
  int nx_;
  int frequencies_;
  DeviceArray<double2> matrices_;               // [pair][frequency][loaded row][row]
  DeviceArray<double2> loads_, displacements_;  // [direction][frequency][row]
  DeviceArray<double> rows_;                    // one padded field
  DeviceArray<double> periods_;                 // of set_row()
  CufftPlan tables_, forward_, backward_;
};

}  // namespace slipfield
