// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/slab_backend.h"

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <span>

#include "solver/geometry/rough_surface.h"
#include "solver/geometry/rough_waves.h"
#include "solver/influence/half_space_symbol.h"
#include "solver/influence/patch_modes.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/shared_rows.h"
#include "solver/ranks/slab_convolution.h"

namespace slipfield {

SlabInfluence::SlabInfluence(const Grid& grid, const CombinedMaterial& material,
                             const InfluenceKind& kind)
    : SpectralInfluence(grid, material, kind), convolution_(grid) {}

double SlabInfluence::coefficient(Component component, int kx, int ky) const {
  return influence_coefficient(component, kx * grid_.dx, ky * grid_.dy, grid_, material_, kind_);
}

// Computes one quarter of the coefficients and the others by parity; half a transform away the mean
// of both sides, which coincide there.
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

// The memory of viscoelastic bodies is integrated from position to position, so each rank makes the
// whole table.
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

// Without parity every coefficient is computed; half a transform away again the mean of both sides.
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

Spectrum SlabInfluence::make_spectrum(Component component) {
  if (grid_.boundary != Boundary::periodic) return free_spectrum(component);
  return convolution_.from_symbol([&](int kx, int ky) {
    return half_space_symbol(component, kx, ky, grid_, material_, kind_);
  });
}

Spectrum SlabInfluence::invert(const Spectrum& spectrum, double share) {
  return convolution_.inverse(spectrum, share);
}

void SlabInfluence::precondition_normal(const double* in, double* out) {
  apply_each(convolution_, {{&inverse(Component::nn), in, out}});
}

void SlabInfluence::set_across(const AcrossSymbol& symbol) {
  const std::array<SpectrumShare, 2> sum{
      {{symbol.xx, &spectrum(Component::xx)}, {symbol.yy, &spectrum(Component::yy)}}};
  convolution_.invert(symbol.identity, sum, share(), inverse_across_);
}

void SlabInfluence::precondition_tangential(const double* in_x, const double* in_y,
                                            const double* in_across, double* out_x, double* out_y,
                                            double* out_across) {
  apply_each(convolution_, {{&inverse(Component::xx), in_x, out_x},
                            {&inverse(Component::yy), in_y, out_y},
                            {&inverse_across_, in_across, out_across}});
}

void SlabInfluence::compute(Block block, const TractionField& traction,
                            const DisplacementField& displacement) {
  if (block != Block::normal || !kind_.patches) return multiply(block, traction, displacement);
  const std::size_t count = grid_.index(0, ranks::own_rows(grid_.my).count);
  multiply_by_modes(*kind_.patches, count, traction.n, displacement.n, of_mode_, by_mode_,
                    [&](const double* in, double* out) { multiply(block, {.n = in}, {.n = out}); });
}

void SlabInfluence::multiply(Block block, const TractionField& traction,
                             const DisplacementField& displacement) {
  std::vector<ConvolutionTerm> terms;
  for (const ProductTerm& term : product_terms(block))
    terms.push_back({term.target, term.source, &spectrum(term.component()), term.sign()});
  convolution_.apply(terms, taken_by(block, traction), given_by(block, displacement));
}

namespace {

std::vector<double> rough_distance(const RoughSurface& surface, const Grid& grid,
                                   const RowRange& rows) {
  const RoughWaves waves =
      rough_waves(surface, grid, ranks::own_rows(rows_of_waves(grid)), ranks::add_up);
  Grid repeated = grid;
  repeated.boundary = Boundary::periodic;
  std::vector<double> z(grid.index(0, rows.count));
  SlabConvolution(repeated).invert_columns(
      [&](int kx, std::complex<double>* column) {
        for (int row = 0; row < grid.my; ++row) {
          const PolarNumber value = waves.at(kx, row);
          column[row] = std::polar(value.size, value.angle);
        }
      },
      z.data());
  give_moments(surface, z, ranks::add_up);
  for (double& height : z) height = -height;
  return z;
}

}  // namespace

std::vector<double> slab_distance(const std::vector<Shape>& shapes, const Grid& grid,
                                  const CombinedMaterial& material) {
  const RowRange rows = ranks::own_rows(grid.my);
  return distance_of_rows(shapes, grid, material, rows, [&](const RoughSurface& surface) {
    return rough_distance(surface, grid, rows);
  });
}

namespace {

template <class T>
void fetch_field(const Grid& grid, const RowRange& wanted, const std::vector<RowRange>& of_ranks,
                 const RowsOfField& field) {
  const RowRange own = ranks::own_rows(grid.my);
  std::vector<std::vector<double>> parts(of_ranks.size());
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    each_common_part(own, of_ranks[rank], grid.my, [&](const CommonRows& rows) {
      const T* const from = static_cast<const T*>(field.own) + grid.index(0, rows.in_own);
      parts[rank].insert(parts[rank].end(), from, from + grid.index(0, rows.count));
    });
  parts = ranks::exchange(parts);
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const RowRange theirs = ranks::rows_of(static_cast<int>(rank), ranks::count(), grid.my);
    auto next = parts[rank].begin();
    each_common_part(theirs, wanted, grid.my, [&](const CommonRows& rows) {
      const auto end = next + static_cast<std::ptrdiff_t>(grid.index(0, rows.count));
      std::copy(next, end, static_cast<T*>(field.fetched) + grid.index(0, rows.in_wanted));
      next = end;
    });
  }
}

}  // namespace

void rows_of_ranks(const Grid& grid, const RowRange& wanted, std::span<const RowsOfField> fields) {
  const std::vector<double> all =
      ranks::gather({static_cast<double>(wanted.first), static_cast<double>(wanted.count)});
  std::vector<RowRange> of_ranks;
  for (std::size_t k = 0; k < all.size(); k += 2)
    of_ranks.push_back({static_cast<int>(all[k]), static_cast<int>(all[k + 1])});
  for (const RowsOfField& field : fields) {
    if (field.element_bytes == sizeof(double))
      fetch_field<double>(grid, wanted, of_ranks, field);
    else
      fetch_field<unsigned char>(grid, wanted, of_ranks, field);
  }
}

}  // namespace slipfield
