// SPDX-License-Identifier: Apache-2.0
// One rank's rows of the grid as a backend of the solvers (solver/fields/own_rows.h).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/fields/element_op.h"
#include "solver/fields/local_rows.h"
#include "solver/fields/own_rows.h"
#include "solver/geometry.h"
#include "solver/influence/spectral_influence.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/slab_convolution.h"

namespace slipfield {

// Products of the influence matrix with tractions whose rows are shared among the ranks, for
// elastic half-spaces and what is between them. Fields are this rank's rows; all calls except
// self() and kind() are made together.
class SlabInfluence final : public SpectralInfluence<Spectrum> {
 public:
  // grid: the whole grid.
  template <class Backend>
  SlabInfluence(const Backend& /*backend*/, const Grid& grid, const CombinedMaterial& material,
                InfluenceMethod /*method*/, const InfluenceKind& kind = {})
      : SlabInfluence(grid, material, kind) {}
  SlabInfluence(const Grid& grid, const CombinedMaterial& material, const InfluenceKind& kind);

  // Like those of CpuInfluence.
  void precondition_normal(const double* in, double* out);
  void set_across(const AcrossSymbol& symbol);
  void precondition_tangential(const double* in_x, const double* in_y, const double* in_across,
                               double* out_x, double* out_y, double* out_across);

 private:
  void compute(Block block, const TractionField& traction,
               const DisplacementField& displacement) override;
  void multiply(Block block, const TractionField& traction, const DisplacementField& displacement);
  Spectrum make_spectrum(Component component) override;
  Spectrum invert(const Spectrum& spectrum, double share) override;
  void drop(const InfluenceKind& /*last*/) override {}
  [[nodiscard]] double coefficient(Component component, int kx, int ky) const;
  [[nodiscard]] Spectrum even_spectrum(Component component) const;
  [[nodiscard]] Spectrum free_spectrum(Component component) const;
  [[nodiscard]] Spectrum spectrum_of(const std::function<double(int, int)>& coefficient) const;

  SlabConvolution convolution_;
  Spectrum inverse_across_;
  std::vector<double> of_mode_, by_mode_;  // of patches: scratch
};

// Like undeformed_distance(), for this rank's rows only. A rough surface equals that of a single
// process up to rounding: FFTW's distributed transform sums its waves, and no rank holds the whole
// surface. Together.
std::vector<double> slab_distance(const std::vector<Shape>& shapes, const Grid& grid,
                                  const CombinedMaterial& material);

// fetch_rows() of the ranks: each gets the rows that it wants from those that have them. Together.
void rows_of_ranks(const Grid& grid, const RowRange& wanted, std::span<const RowsOfField> fields);

class SlabBackend : public LocalRows<CpuBackend> {
 public:
  using Influence = SlabInfluence;
  using GaussSeidel = NoSlabGaussSeidel;
  using Dense = NoSlabDense;

  SlabBackend() : LocalRows(std::make_shared<CpuBackend>()) {}

  [[nodiscard]] static RowRange own_rows(int rows) { return ranks::own_rows(rows); }
  template <class T>
  [[nodiscard]] static std::vector<T> gather(const std::vector<T>& own) {
    const std::vector<double> all = ranks::gather({own.begin(), own.end()});
    return {all.begin(), all.end()};
  }
  static void fetch_rows(const Grid& grid, const RowRange& wanted,
                         std::span<const RowsOfField> fields) {
    rows_of_ranks(grid, wanted, fields);
  }
  [[nodiscard]] CpuBackend& alone() { return local(); }
  // A rank has only a share of its machine's cores, so small grids are solved redundantly.
  [[nodiscard]] static std::size_t most_alone() { return std::size_t{1} << 14; }
  // Whole fields are never fetched to a rank.
  [[nodiscard]] static std::size_t most_fetched() { return 0; }
  [[nodiscard]] static std::vector<double> own_distance(const std::vector<Shape>& shapes,
                                                        const Grid& grid,
                                                        const CombinedMaterial& material) {
    return slab_distance(shapes, grid, material);
  }
  static void add_up(std::span<double> values) { ranks::add_up(values); }
  [[nodiscard]] static double greatest_of(double value) { return ranks::greatest(value); }

  // count: number of this rank's elements.
  template <class Op>
  void run(std::size_t count, const Op& op) {
    auto sums = local().elements(count, op);
    if constexpr (kSumsOf<Op> != 0) ranks::add_up(sums);
    if constexpr (kHasFinish<Op>) op.finish(sums.data());
  }

  [[nodiscard]] double greatest(const Array<double>& array) const {
    return ranks::greatest(array.size() == 0 ? 0.0 : local().greatest(array));
  }
};

}  // namespace slipfield
