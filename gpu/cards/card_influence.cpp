// SPDX-License-Identifier: Apache-2.0
#include "gpu/cards/card_backend.h"

#include "gpu/backend/cuda_influence.h"

namespace slipfield {

CardInfluence::CardInfluence(const CardBackend& backend, const Grid& grid,
                             const CombinedMaterial& material, InfluenceMethod /*method*/,
                             const InfluenceKind& kind)
    : SpectralInfluence(grid, material, kind),
      product_(backend.product(grid)),
      layers_(kind.layers) {}

void CardInfluence::drop(const InfluenceKind& last) {
  if (kind_.layers != last.layers) layers_ = DeviceArray<LayerImage>(kind_.layers);
  inverse_across_ = {};
}

SlabSpectrum CardInfluence::make_spectrum(Component component) {
  return product_->spectrum(coefficient_recipe(component, grid_, material_, kind_, layers_));
}

SlabSpectrum CardInfluence::invert(const SlabSpectrum& spectrum, double share) {
  return product_->inverse(spectrum, share);
}

void CardInfluence::precondition_normal(const double* in, double* out) {
  SlabMatrix matrix;
  matrix.block[2][2] = &inverse(Component::nn);
  product_->apply(matrix, {{nullptr, nullptr, in}}, {{nullptr, nullptr, out}});
}

void CardInfluence::set_across(const AcrossSymbol& symbol) {
  const SlabSpectrum& xx = spectrum(Component::xx);
  const SlabSpectrum& yy = spectrum(Component::yy);
  product_->set_inverse(inverse_across_, symbol.identity, {{symbol.xx, &xx}, {symbol.yy, &yy}},
                        share());
}

void CardInfluence::precondition_tangential(const double* in_x, const double* in_y,
                                            const double* in_across, double* out_x, double* out_y,
                                            double* out_across) {
  SlabMatrix matrix;
  matrix.block[0][0] = &inverse(Component::xx);
  matrix.block[1][1] = &inverse(Component::yy);
  matrix.block[2][2] = &inverse_across_;
  product_->apply(matrix, {{in_x, in_y, in_across}}, {{out_x, out_y, out_across}});
}

void CardInfluence::compute(Block block, const TractionField& traction,
                            const DisplacementField& displacement) {
  SlabMatrix matrix;
  for (const ProductTerm& term : product_terms(block)) {
    matrix.block[term.to][term.from] = &spectrum(term.component());
    matrix.sign[term.to][term.from] = term.sign();
  }
  product_->apply(matrix, {{traction.x, traction.y, traction.n}},
                  {{displacement.x, displacement.y, displacement.n}});
}

}  // namespace slipfield
