// SPDX-License-Identifier: Apache-2.0
#include "gpu/cards/card_influence.h"

#include "gpu/backend/coefficient_recipe.h"
#include "gpu/cards/card_backend.h"

namespace slipfield {

CardInfluence::CardInfluence(const CardBackend& backend, const Grid& grid,
                             const CombinedMaterial& material, InfluenceMethod /*method*/,
                             const InfluenceKind& kind)
    : grid_(grid), material_(material), kind_(kind), product_(backend.product(grid)) {}

double CardInfluence::self(Component component) const {
  return influence_coefficient(component, 0.0, 0.0, grid_, material_, kind_);
}

void CardInfluence::take_up(const InfluenceKind& kind) {
  if (kind == kind_) return;
  kind_ = kind;
  for (auto& spectrum : spectra_) spectrum.reset();
  inverse_normal_.reset();
  inverse_x_.reset();
  inverse_y_.reset();
  inverse_across_ = {};
}

const SlabSpectrum& CardInfluence::spectrum(Component component) {
  auto& slot = spectra_[static_cast<std::size_t>(component)];
  if (!slot) slot = product_->spectrum(coefficient_recipe(component, grid_, material_, kind_));
  return *slot;
}

void CardInfluence::precondition_normal(const double* in, double* out) {
  if (!inverse_normal_) inverse_normal_ = product_->inverse(spectrum(Component::nn), kNormalShare);
  SlabMatrix matrix;
  matrix.block[2][2] = &*inverse_normal_;
  product_->apply(matrix, {{nullptr, nullptr, in}}, {{nullptr, nullptr, out}});
}

void CardInfluence::set_across(const AcrossSymbol& symbol) {
  const SlabSpectrum& xx = spectrum(Component::xx);
  const SlabSpectrum& yy = spectrum(Component::yy);
  product_->set_inverse(inverse_across_, symbol.identity, {{symbol.xx, &xx}, {symbol.yy, &yy}},
                        tangential_share(kind_, grid_));
}

void CardInfluence::precondition_tangential(const double* in_x, const double* in_y,
                                            const double* in_across, double* out_x, double* out_y,
                                            double* out_across) {
  if (!inverse_x_) {
    inverse_x_ = product_->inverse(spectrum(Component::xx), tangential_share(kind_, grid_));
    inverse_y_ = product_->inverse(spectrum(Component::yy), tangential_share(kind_, grid_));
  }
  SlabMatrix matrix;
  matrix.block[0][0] = &*inverse_x_;
  matrix.block[1][1] = &*inverse_y_;
  matrix.block[2][2] = &inverse_across_;
  product_->apply(matrix, {{in_x, in_y, in_across}}, {{out_x, out_y, out_across}});
}

void CardInfluence::compute(Block block, const TractionField& traction,
                            const DisplacementField& displacement) {
  SlabMatrix matrix;
  for (int to = 0; to < kDirections; ++to) {
    if (!block_gives(block, to)) continue;
    for (int from = 0; from < kDirections; ++from) {
      if (!block_takes(block, from)) continue;
      const BlockTerm term = block_term(to, from);
      matrix.block[to][from] = &spectrum(static_cast<Component>(term.component));
      matrix.sign[to][from] = term.sign;
    }
  }
  product_->apply(matrix, {{traction.x, traction.y, traction.n}},
                  {{displacement.x, displacement.y, displacement.n}});
}

}  // namespace slipfield
