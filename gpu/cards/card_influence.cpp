// SPDX-License-Identifier: Apache-2.0
#include "gpu/cards/card_influence.h"

#include "gpu/cards/card_backend.h"

namespace slipfield {

CardInfluence::CardInfluence(const CardBackend& backend, const Grid& grid,
                             const CombinedMaterial& material)
    : grid_(grid),
      material_(material),
      product_(backend.team(), backend.card(), grid, backend.stream()) {}

double CardInfluence::self(Component component) const {
  return influence_coefficient(component, 0.0, 0.0, grid_, material_, kind_);
}

const SlabSpectrum& CardInfluence::spectrum(Component component) {
  auto& slot = spectra_[static_cast<std::size_t>(component)];
  if (!slot) slot = product_.spectrum(component, material_);
  return *slot;
}

void CardInfluence::precondition_normal(const double* in, double* out) {
  if (!inverse_normal_) inverse_normal_ = product_.inverse(spectrum(Component::nn), kNormalShare);
  product_.apply(*inverse_normal_, 1.0, in, out, Accumulate::no);
}

void CardInfluence::compute(Block block, const TractionField& traction,
                            const DisplacementField& displacement) {
  const ConstFields in{{traction.x, traction.y, traction.n}};
  const Fields out{{displacement.x, displacement.y, displacement.n}};
  for (int to = 0; to < kDirections; ++to) {
    if (!block_gives(block, to)) continue;
    Accumulate accumulate = Accumulate::no;
    for (int from = 0; from < kDirections; ++from) {
      if (!block_takes(block, from)) continue;
      const BlockTerm term = block_term(to, from);
      product_.apply(spectrum(static_cast<Component>(term.component)), term.sign, in.field[from],
                     out.field[to], accumulate);
      accumulate = Accumulate::yes;
    }
  }
}

}  // namespace slipfield
