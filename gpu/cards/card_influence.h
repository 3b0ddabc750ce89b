// SPDX-License-Identifier: Apache-2.0
// Products of the influence matrix with tractions whose rows are shared out over cards. Mirrors
// gpu/backend/cuda_influence.h.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "gpu/cards/slab_product.h"
#include "solver/influence/influence_operator.h"
#include "solver/influence/influence_table.h"
#include "solver/problem.h"

namespace slipfield {

class CardBackend;

// Fields are this card's rows, in its memory; every call but self() and kind() is made together.
class CardInfluence final : public InfluenceOperator {
 public:
  // grid: the whole one. Products are by FFT; the kinds of elastic bodies.
  CardInfluence(const CardBackend& backend, const Grid& grid, const CombinedMaterial& material,
                InfluenceMethod method, const InfluenceKind& kind = {});

  [[nodiscard]] double self(Component component) const;
  [[nodiscard]] const InfluenceKind& kind() const { return kind_; }
  void take_up(const InfluenceKind& kind);
  // As CudaInfluence's.
  void precondition_normal(const double* in, double* out);
  void set_across(const AcrossSymbol& symbol);
  void precondition_tangential(const double* in_x, const double* in_y, const double* in_across,
                               double* out_x, double* out_y, double* out_across);

 private:
  void compute(Block block, const TractionField& traction,
               const DisplacementField& displacement) override;
  const SlabSpectrum& spectrum(Component component);

  Grid grid_;
  CombinedMaterial material_;
  InfluenceKind kind_;
  std::shared_ptr<SlabProduct> product_;  // of all influences of the grid
  std::array<std::optional<SlabSpectrum>, kComponents> spectra_;
  std::optional<SlabSpectrum> inverse_normal_, inverse_x_, inverse_y_;
  SlabSpectrum inverse_across_;
};

}  // namespace slipfield
