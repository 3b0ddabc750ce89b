// SPDX-License-Identifier: Apache-2.0
// Base of the influence operators of all backends: the kind of coefficients, and their spectra on
// one grid (THEORY.md 2.6, 2.7), formed on first use.
#pragma once

#include <array>
#include <optional>

#include "solver/influence/block.h"
#include "solver/influence/influence_table.h"
#include "solver/problem.h"

namespace slipfield {

template <class Spectrum>
class SpectralInfluence : public InfluenceOperator {
 public:
  SpectralInfluence(const Grid& grid, const CombinedMaterial& material, const InfluenceKind& kind)
      : grid_(grid), material_(material), kind_(kind) {}

  // Coefficient of an element on itself.
  [[nodiscard]] double self(Component component) const {
    return influence_coefficient(component, 0.0, 0.0, grid_, material_, kind_);
  }

  [[nodiscard]] const InfluenceKind& kind() const { return kind_; }
  // Switches to another kind; tables and spectra of the last one are dropped.
  void take_up(const InfluenceKind& kind) {
    if (kind == kind_) return;
    const InfluenceKind last = kind_;
    kind_ = kind;
    for (auto& spectrum : spectra_) spectrum.reset();
    for (auto& spectrum : inverses_) spectrum.reset();
    drop(last);
  }

  // For half-spaces. Coefficients of curved surfaces are used for products only; the
  // preconditioners use the half-space.
  const Spectrum& spectrum(Component component) {
    auto& slot = spectra_[static_cast<std::size_t>(component)];
    if (!slot) slot = make_spectrum(component);
    return *slot;
  }

 protected:
  // The regularised inverse symbol of nn, xx or yy.
  const Spectrum& inverse(Component component) {
    auto& slot = inverses_[static_cast<std::size_t>(component)];
    if (!slot)
      slot = invert(spectrum(component), component == Component::nn ? kNormalShare : share());
    return *slot;
  }
  [[nodiscard]] double share() const { return tangential_share(kind_, grid_); }

  virtual Spectrum make_spectrum(Component component) = 0;
  virtual Spectrum invert(const Spectrum& spectrum, double share) = 0;
  // Drops everything else that belongs to the last kind.
  virtual void drop(const InfluenceKind& last) = 0;

  Grid grid_;
  CombinedMaterial material_;
  InfluenceKind kind_;

 private:
  std::array<std::optional<Spectrum>, kComponents> spectra_, inverses_;
};

}  // namespace slipfield
