// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/slab_influence.h"

#include <cstdlib>
#include <span>

#include "solver/error.h"
#include "solver/influence/half_space_symbol.h"

namespace slipfield {

SlabInfluence::SlabInfluence(const Grid& grid, const CombinedMaterial& material)
    : grid_(grid), material_(material), convolution_(grid) {}

double SlabInfluence::self(Component component) const {
  return influence_coefficient(component, 0.0, 0.0, grid_, material_, kind_);
}

// One quarter of the coefficients, and the others by their parity; half a transform away the mean
// of both sides, which are one place there.
Spectrum SlabInfluence::free_spectrum(Component component) const {
  const Parity sign = parity(component);
  const int nx = convolution_.transform_x();
  const int ny = convolution_.transform_y();
  return convolution_.transform([&](int ky, double* line) {
    double side = ky < 0 ? sign.y : 1.0;
    if (ny > 1 && 2 * ky == ny) side = 0.5 * (1 + sign.y);
    for (int kx = 0; 2 * kx <= nx; ++kx) {
      const double value =
          side * influence_coefficient(component, kx * grid_.dx, std::abs(ky) * grid_.dy, grid_,
                                       material_, kind_);
      const bool half = nx > 1 && 2 * kx == nx;
      line[kx] = half ? 0.5 * (1 + sign.x) * value : value;
      if (kx > 0 && !half) line[nx - kx] = sign.x * value;
    }
  });
}

Spectrum SlabInfluence::periodic_spectrum(Component component) const {
  return convolution_.from_symbol([&](int kx, int ky) {
    return half_space_symbol(component, kx, ky, grid_, material_, kind_);
  });
}

const Spectrum& SlabInfluence::spectrum(Component component) {
  auto& slot = spectra_[static_cast<std::size_t>(component)];
  if (!slot) {
    slot = grid_.boundary == Boundary::periodic ? periodic_spectrum(component)
                                                : free_spectrum(component);
  }
  return *slot;
}

void SlabInfluence::precondition_normal(const double* in, double* out) {
  if (!inverse_normal_)
    inverse_normal_ = convolution_.inverse(spectrum(Component::nn), kNormalShare);
  const ConvolutionTerm term{0, 0, &*inverse_normal_, 1.0};
  const std::array<const double*, 1> source{in};
  const std::array<double*, 1> target{out};
  convolution_.apply(std::span(&term, 1), source, target);
}

void SlabInfluence::compute(Block block, const TractionField& traction,
                            const DisplacementField& displacement) {
  const std::array<const double*, 1> source{traction.n};
  if (block == Block::normal) {
    const ConvolutionTerm term{0, 0, &spectrum(Component::nn), 1.0};
    const std::array<double*, 1> target{displacement.n};
    return convolution_.apply(std::span(&term, 1), source, target);
  }
  if (block != Block::tangential_from_normal)
    throw Error("displacements by tangential tractions are not computed on several ranks");
  const std::array<ConvolutionTerm, 2> terms{
      {{0, 0, &spectrum(Component::xn), 1.0}, {1, 0, &spectrum(Component::yn), 1.0}}};
  const std::array<double*, 2> target{displacement.x, displacement.y};
  convolution_.apply(terms, source, target);
}

}  // namespace slipfield
