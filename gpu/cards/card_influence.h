// SPDX-License-Identifier: Apache-2.0
// Products of the influence matrix with tractions whose rows are shared out over cards. Mirrors
// solver/ranks/slab_influence.h.
#pragma once

#include <array>
#include <optional>

#include "gpu/cards/slab_product.h"
#include "solver/influence/influence_operator.h"
#include "solver/influence/influence_table.h"

namespace slipfield {

class CardBackend;

// Fields are this card's rows, in its memory; every call but self() and kind() is made together.
class CardInfluence final : public InfluenceOperator {
 public:
  // grid: the whole one.
  CardInfluence(const CardBackend& backend, const Grid& grid, const CombinedMaterial& material);

  [[nodiscard]] double self(Component component) const;
  [[nodiscard]] const InfluenceKind& kind() const { return kind_; }
  // As CudaInfluence::precondition_normal.
  void precondition_normal(const double* in, double* out);

 private:
  void compute(Block block, const TractionField& traction,
               const DisplacementField& displacement) override;
  const SlabSpectrum& spectrum(Component component);

  Grid grid_;
  CombinedMaterial material_;
  InfluenceKind kind_;  // displacements now, by elastic bodies
  SlabProduct product_;
  std::array<std::optional<SlabSpectrum>, kComponents> spectra_;
  std::optional<SlabSpectrum> inverse_normal_;
};

}  // namespace slipfield
