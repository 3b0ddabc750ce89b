// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/slab_influence.h"

#include <cstdlib>
#include <span>
#include <vector>

#include "solver/influence/half_space_symbol.h"
#include "solver/influence/patch_modes.h"
#include "solver/ranks/ranks.h"

namespace slipfield {

SlabInfluence::SlabInfluence(const Grid& grid, const CombinedMaterial& material,
                             const InfluenceKind& kind)
    : grid_(grid), material_(material), kind_(kind), convolution_(grid) {}

void SlabInfluence::take_up(const InfluenceKind& kind) {
  if (kind == kind_) return;
  kind_ = kind;
  spectra_ = {};
  inverse_normal_.reset();
  inverse_x_.reset();
  inverse_y_.reset();
}

double SlabInfluence::coefficient(Component component, int kx, int ky) const {
  return influence_coefficient(component, kx * grid_.dx, ky * grid_.dy, grid_, material_, kind_);
}

double SlabInfluence::self(Component component) const {
  return influence_coefficient(component, 0.0, 0.0, grid_, material_, kind_);
}

// One quarter of the coefficients, and the others by their parity; half a transform away the mean
// of both sides, which are one place there.
Spectrum SlabInfluence::even_spectrum(Component component) const {
  const Parity sign = parity(component);
  const int nx = convolution_.transform_x();
  const int ny = convolution_.transform_y();
  return convolution_.transform([&](int ky, double* line) {
    double side = ky < 0 ? sign.y : 1.0;
    if (ny > 1 && 2 * ky == ny) side = 0.5 * (1 + sign.y);
    for (int kx = 0; 2 * kx <= nx; ++kx) {
      const double value = side * coefficient(component, kx, std::abs(ky));
      const bool half = nx > 1 && 2 * kx == nx;
      line[kx] = half ? 0.5 * (1 + sign.x) * value : value;
      if (kx > 0 && !half) line[nx - kx] = sign.x * value;
    }
  });
}

// The memory of viscoelastic bodies is integrated from place to place, so each rank makes the whole
// table.
Spectrum SlabInfluence::free_spectrum(Component component) const {
  if (has_parity(kind_)) return even_spectrum(component);
  if (kind_.memory.empty())
    return spectrum_of([&](int kx, int ky) { return coefficient(component, kx, ky); });
  Grid padded = grid_;
  padded.mx = convolution_.transform_x() / 2 + 1;
  padded.my = convolution_.transform_y() / 2 + 1;
  const InfluenceTable table = influence_table(component, padded, material_, kind_);
  return spectrum_of([&](int kx, int ky) { return *table.at(kx, ky); });
}

// Without a parity every coefficient counts; half a transform away again the mean of both sides.
Spectrum SlabInfluence::spectrum_of(const std::function<double(int, int)>& coefficient) const {
  const int nx = convolution_.transform_x();
  const int ny = convolution_.transform_y();
  return convolution_.transform([&](int ky, double* line) {
    const bool half_y = ny > 1 && 2 * ky == ny;
    const auto mean_of_rows = [&](int kx) {
      const double value = coefficient(kx, ky);
      return half_y ? 0.5 * (value + coefficient(kx, -ky)) : value;
    };
    for (int kx = 0; 2 * kx <= nx; ++kx) {
      const bool half_x = nx > 1 && 2 * kx == nx;
      line[kx] = half_x ? 0.5 * (mean_of_rows(kx) + mean_of_rows(-kx)) : mean_of_rows(kx);
      if (kx > 0 && !half_x) line[nx - kx] = mean_of_rows(-kx);
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

void SlabInfluence::set_across(const AcrossSymbol& symbol) {
  const std::array<SpectrumShare, 2> sum{
      {{symbol.xx, &spectrum(Component::xx)}, {symbol.yy, &spectrum(Component::yy)}}};
  convolution_.invert(symbol.identity, sum, tangential_share(kind_, grid_), inverse_across_);
}

void SlabInfluence::precondition_tangential(const double* in_x, const double* in_y,
                                            const double* in_across, double* out_x, double* out_y,
                                            double* out_across) {
  if (!inverse_x_) {
    inverse_x_ = convolution_.inverse(spectrum(Component::xx), tangential_share(kind_, grid_));
    inverse_y_ = convolution_.inverse(spectrum(Component::yy), tangential_share(kind_, grid_));
  }
  const std::array<ConvolutionTerm, 3> terms{
      {{0, 0, &*inverse_x_, 1.0}, {1, 1, &*inverse_y_, 1.0}, {2, 2, &inverse_across_, 1.0}}};
  const std::array<const double*, 3> source{in_x, in_y, in_across};
  const std::array<double*, 3> target{out_x, out_y, out_across};
  convolution_.apply(terms, source, target);
}

void SlabInfluence::compute(Block block, const TractionField& traction,
                            const DisplacementField& displacement) {
  if (block != Block::normal || !kind_.patches) return multiply(block, traction, displacement);
  const std::size_t count = grid_.index(0, ranks::own_rows(grid_.my).count);
  multiply_by_modes(*kind_.patches, count, traction.n, displacement.n, of_mode_, by_mode_,
                    [&](const double* in, double* out) {
                      multiply(block, {nullptr, nullptr, in}, {nullptr, nullptr, out});
                    });
}

void SlabInfluence::multiply(Block block, const TractionField& traction,
                             const DisplacementField& displacement) {
  const std::array<const double*, kDirections> tractions{traction.x, traction.y, traction.n};
  const std::array<double*, kDirections> displacements{displacement.x, displacement.y,
                                                       displacement.n};
  std::vector<const double*> in;
  std::vector<double*> out;
  std::vector<ConvolutionTerm> terms;
  for (int from = 0; from < kDirections; ++from)
    if (block_takes(block, from)) in.push_back(tractions[static_cast<std::size_t>(from)]);
  for (int to = 0; to < kDirections; ++to) {
    if (!block_gives(block, to)) continue;
    int source = 0;
    for (int from = 0; from < kDirections; ++from) {
      if (!block_takes(block, from)) continue;
      const BlockTerm term = block_term(to, from);
      terms.push_back({static_cast<int>(out.size()), source++,
                       &spectrum(static_cast<Component>(term.component)), term.sign});
    }
    out.push_back(displacements[static_cast<std::size_t>(to)]);
  }
  convolution_.apply(terms, in, out);
}

}  // namespace slipfield
