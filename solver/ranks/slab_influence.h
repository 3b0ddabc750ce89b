// SPDX-License-Identifier: Apache-2.0
// Products of the influence matrix with tractions whose rows are shared out over the ranks, by
// elastic half-spaces and what is between them.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "solver/influence/influence_operator.h"
#include "solver/influence/influence_table.h"
#include "solver/problem.h"
#include "solver/ranks/slab_convolution.h"

namespace slipfield {

// Fields are this rank's rows; every call but self() and kind() is made together.
class SlabInfluence final : public InfluenceOperator {
 public:
  // grid: the whole one.
  template <class Backend>
  SlabInfluence(const Backend& /*backend*/, const Grid& grid, const CombinedMaterial& material,
                InfluenceMethod /*method*/, const InfluenceKind& kind = {})
      : SlabInfluence(grid, material, kind) {}
  SlabInfluence(const Grid& grid, const CombinedMaterial& material, const InfluenceKind& kind);

  [[nodiscard]] double self(Component component) const;
  [[nodiscard]] const InfluenceKind& kind() const { return kind_; }
  // As CpuInfluence's.
  void take_up(const InfluenceKind& kind);
  void precondition_normal(const double* in, double* out);
  void set_across(const AcrossSymbol& symbol);
  void precondition_tangential(const double* in_x, const double* in_y, const double* in_across,
                               double* out_x, double* out_y, double* out_across);

 private:
  void compute(Block block, const TractionField& traction,
               const DisplacementField& displacement) override;
  void multiply(Block block, const TractionField& traction, const DisplacementField& displacement);
  const Spectrum& spectrum(Component component);
  [[nodiscard]] double coefficient(Component component, int kx, int ky) const;
  [[nodiscard]] Spectrum even_spectrum(Component component) const;
  [[nodiscard]] Spectrum free_spectrum(Component component) const;
  [[nodiscard]] Spectrum spectrum_of(const std::function<double(int, int)>& coefficient) const;
  [[nodiscard]] Spectrum periodic_spectrum(Component component) const;

  Grid grid_;
  CombinedMaterial material_;
  InfluenceKind kind_;
  SlabConvolution convolution_;
  std::array<std::optional<Spectrum>, kComponents> spectra_;
  std::optional<Spectrum> inverse_normal_, inverse_x_, inverse_y_;
  Spectrum inverse_across_;
  std::vector<double> of_mode_, by_mode_;  // of patches: scratch
};

}  // namespace slipfield
