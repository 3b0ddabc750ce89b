// SPDX-License-Identifier: Apache-2.0
// Products with the coefficients of curved surfaces on the CPU (THEORY.md 2.9).
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/influence/block.h"
#include "solver/influence/curved_tables.h"

namespace slipfield {

// For coefficients that differ by loaded row: transforms along x, and for each frequency a dense
// matrix over the rows of the grid. It holds 9 my^2 complex numbers per frequency, and a product
// takes 8 flops per number.
class CpuRowProduct {
 public:
  CpuRowProduct(const CurvedTables& tables, const Grid& grid);
  ~CpuRowProduct();
  CpuRowProduct(const CpuRowProduct&) = delete;
  CpuRowProduct& operator=(const CpuRowProduct&) = delete;

  // Fields by direction, x, y, n; those that the block does not use may be null.
  void apply(Block block, const std::array<const double*, kDirections>& in,
             const std::array<double*, kDirections>& out);

  static std::size_t memory_bytes(const Grid& grid);

 private:
  struct Plans;
  using Field = std::vector<std::complex<double>>;  // [frequency][row]
  void forward(const double* in, Field& field) const;
  void backward(const Field& field, double* out) const;

  int mx_, my_, nx_;
  int frequencies_;
  bool worth_threads_;
  std::unique_ptr<Plans> plans_;
  std::array<Field, 9> matrices_;  // [frequency][loaded row][row], over nx
  std::array<Field, kDirections> loads_, displacements_;
};

// A CpuInfluence's data for curved surfaces, made on first use.
class CpuCurved {
 public:
  CpuCurved(const Grid& grid, const CombinedMaterial& material, const InfluenceKind& kind)
      : grid_(grid), coefficients_(grid, material, kind) {}

  [[nodiscard]] bool by_row() const { return coefficients_.by_row(); }
  const InfluenceTable& table(int to, int from);
  const Spectrum& spectrum(int to, int from, CpuFftConvolution& convolution);
  CpuRowProduct& rows();

 private:
  Grid grid_;
  CurvedTables coefficients_;
  std::optional<std::array<InfluenceTable, 9>> tables_;
  std::array<std::optional<Spectrum>, 9> spectra_;
  std::unique_ptr<CpuRowProduct> rows_;
};

}  // namespace slipfield
