// SPDX-License-Identifier: Apache-2.0
// Products with coefficients that differ from one loaded row to the next: transforms along x, and
// for each of their frequencies a dense matrix over the rows (THEORY.md 2.9).
//
// Mirrors CpuRowProduct of solver/cpu/cpu_curved.h.
#pragma once

#include <cuda_runtime.h>
#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "gpu/cufft/cufft_check.h"
#include "gpu/device/device_array.h"
#include "gpu/device/fields.h"
#include "gpu/fft/spectrum.h"
#include "solver/influence/curved_tables.h"

namespace slipfield {

class RowProduct {
 public:
  // nx: length of the transforms, even, 2 mx - 1 or more. No coefficients are set.
  RowProduct(int mx, int my, int nx);

  // Sets the coefficients of the loaded row jy: [pair of directions][row][place in a period of nx],
  // with the transforms' normalisation 1/nx. Waits for the stream.
  void set_row(int jy, const std::vector<double>& periods, cudaStream_t stream);
  // Waits for the stream and frees the scratch of set_row().
  void all_rows_set(cudaStream_t stream);

  // out = product, over the grid's mx my elements. Asynchronous; may be captured in a graph.
  void apply(Block block, const ConstFields& in, const Fields& out, cudaStream_t stream);

  // Least bytes that a product moves through memory.
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

// Coefficients of curved surfaces on the GPU. Mirrors CpuCurved of solver/cpu/cpu_curved.h
// (THEORY.md 2.9).

// What a CudaInfluence keeps of curved surfaces, computed on the host when first asked for and sent
// to the device once.
class CudaCurved {
 public:
  CudaCurved(const Grid& grid, const CombinedMaterial& material, const InfluenceKind& kind,
             cudaStream_t stream)
      : grid_(grid), coefficients_(grid, material, kind), stream_(stream) {}

  [[nodiscard]] bool by_row() const { return coefficients_.by_row(); }
  // Coefficients of a pair of directions, only where not by_row(): the table in device memory, laid
  // out as gpu/summation/coefficient_table.h says, and its spectrum.
  const double* table(int to, int from);
  const DeviceSpectrum& spectrum(int to, int from, const FftShape& shape);
  RowProduct& rows();

 private:
  void form_tables();

  Grid grid_;
  CurvedTables coefficients_;
  cudaStream_t stream_;
  std::array<std::optional<DeviceArray<double>>, 9> tables_;
  std::array<std::optional<DeviceSpectrum>, 9> spectra_;
  std::optional<RowProduct> rows_;
};

}  // namespace slipfield
