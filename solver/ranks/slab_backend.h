// SPDX-License-Identifier: Apache-2.0
// One rank's rows of the grid as a backend of the solvers (solver/step/own_rows.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/ranks/local_rows.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/slab_distance.h"
#include "solver/ranks/slab_influence.h"
#include "solver/ranks/unshared_methods.h"

namespace slipfield {

class SlabBackend : public LocalRows<CpuBackend> {
 public:
  using Influence = SlabInfluence;
  using GaussSeidel = NoSlabGaussSeidel;
  using Dense = NoSlabDense;

  SlabBackend() : LocalRows(std::make_shared<CpuBackend>()) {}

  [[nodiscard]] static RowRange own_rows(int rows) { return ranks::own_rows(rows); }
  [[nodiscard]] static std::vector<double> gather(const std::vector<double>& own) {
    return ranks::gather(own);
  }
  [[nodiscard]] static std::vector<double> own_distance(const std::vector<Shape>& shapes,
                                                        const Grid& grid,
                                                        const CombinedMaterial& material) {
    return slab_distance(shapes, grid, material);
  }
  static void add_up(std::span<double> values) { ranks::add_up(values); }
  [[nodiscard]] static double greatest_of(double value) { return ranks::greatest(value); }

  // count: of this rank's elements.
  template <class Op>
  void run(std::size_t count, const Op& op) {
    auto sums = local().elements(count, op);
    if constexpr (Op::kSums > 0) ranks::add_up(sums);
    if constexpr (requires { op.finish(sums.data()); }) op.finish(sums.data());
  }

  [[nodiscard]] double greatest(const Array<double>& array) const {
    return ranks::greatest(array.size() == 0 ? 0.0 : local().greatest(array));
  }
};

}  // namespace slipfield
