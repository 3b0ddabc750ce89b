// SPDX-License-Identifier: Apache-2.0
// Products of the influence matrix with tractions whose rows are shared out over the ranks: those
// of displacements now, by elastic bodies.
#pragma once

#include <array>
#include <optional>

#include "solver/influence/influence_operator.h"
#include "solver/influence/influence_table.h"
#include "solver/ranks/slab_convolution.h"

namespace slipfield {

// Fields are this rank's rows; every call but self() and kind() is made together.
class SlabInfluence final : public InfluenceOperator {
 public:
  // grid: the whole one.
  template <class Backend>
  SlabInfluence(const Backend& /*backend*/, const Grid& grid, const CombinedMaterial& material)
      : SlabInfluence(grid, material) {}
  SlabInfluence(const Grid& grid, const CombinedMaterial& material);

  [[nodiscard]] double self(Component component) const;
  [[nodiscard]] const InfluenceKind& kind() const { return kind_; }
  // As CpuInfluence::precondition_normal.
  void precondition_normal(const double* in, double* out);

 private:
  void compute(Block block, const TractionField& traction,
               const DisplacementField& displacement) override;
  const Spectrum& spectrum(Component component);
  [[nodiscard]] Spectrum free_spectrum(Component component) const;
  [[nodiscard]] Spectrum periodic_spectrum(Component component) const;

  Grid grid_;
  CombinedMaterial material_;
  InfluenceKind kind_;
  SlabConvolution convolution_;
  std::array<std::optional<Spectrum>, kComponents> spectra_;
  std::optional<Spectrum> inverse_normal_;
};

}  // namespace slipfield
