// SPDX-License-Identifier: Apache-2.0
// Coefficients of curved surfaces on the GPU. Mirrors CpuCurved of solver/cpu/cpu_curved.h
// (THEORY.md 2.9).
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <optional>

#include "gpu/curved/row_product.h"
#include "gpu/fft/spectrum.h"
#include "solver/influence/curved_tables.h"

namespace slipfield {

// Data of curved surfaces for CudaInfluence, computed on the host at the first use and copied to
// the device once.
class CudaCurved {
 public:
  CudaCurved(const Grid& grid, const CombinedMaterial& material, const InfluenceKind& kind,
             cudaStream_t stream)
      : grid_(grid), coefficients_(grid, material, kind), stream_(stream) {}

  [[nodiscard]] bool by_row() const { return coefficients_.by_row(); }
  // Coefficients of a pair of directions, only if not by_row(): the table in device memory, in the
  // layout of gpu/summation/coefficient_table.h, and its spectrum.
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
