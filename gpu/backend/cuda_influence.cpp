// SPDX-License-Identifier: Apache-2.0
#include "gpu/backend/cuda_influence.h"

#include <algorithm>

#include "gpu/backend/cuda_backend.h"
#include "gpu/device/current_device.h"
#include "gpu/device/launch_replay.h"

namespace slipfield {
namespace {

// Decides which product is faster for `influence: auto` on free grids (a periodic grid has no table
// to sum directly). Time of one product [us], NVIDIA H200, CUDA 13.0, graph replay, dense random
// tractions:
//
//                 normal      tangential   half-coupled  full (3 x 3)
//   grid        tiled   fft  tiled   fft   tiled   fft   tiled   fft
//    16^2         4.0   7.1    4.9   8.1       -     -     6.2   8.5
//    32^2         4.2   7.1    5.7   8.3       -     -     8.0   8.9
//    40^2         4.8   7.3    7.1   8.5     5.7   8.4    11.0   9.4
//    48^2         5.3   7.5    8.4   8.6     6.4   8.5    13.4   9.3
//    56^2         5.6   8.3    9.5   9.7     7.0   9.3    15.6  10.1
//    60^2         5.7   8.4   10.2   9.7     7.3   9.3    18.0  10.1
//    64^2         7.4   8.4   16.3   9.7    10.6   9.3    35.0  10.1
//    72^2         9.1   8.5   20.4   9.8    13.2   9.4    77.7  10.7
//    80 x 60      8.7   8.3   19.7   9.8       -     -    62.9  10.4
//    80^2        10.2   8.7   23.8  10.4    15.1   9.9    78.1  11.2
//   128^2        44.4   8.4    132  10.3       -     -     281  12.4
//   300 x 8       4.9   8.6    7.9   9.8       -     -    13.0  10.3
//   200 x 3       6.0   7.9    8.0   9.0       -     -    11.1   9.4
//     3 x 200     8.2   7.6   11.4   8.9       -     -    18.3   9.8
//   600 x 6       7.5  10.4   12.9  11.8     9.5  11.5    21.6  12.2
//  1000 x 2       8.0  13.9   11.9  15.3       -     -    18.0  16.0
//  1500 x 3       9.6  13.9   20.9  15.2    13.3  15.5    46.3  16.9
//  2500 x 3      19.4  21.2   42.1  22.7    27.0  22.5    90.9  24.2
//  3000 x 4      26.1  21.8     81  23.5       -     -     171  25.7
//    64 x 1       2.4   3.4    3.5   4.4       -     -     4.9   5.1
//  1024 x 1       4.2   5.3    5.8   7.6       -     -     8.1   9.4
//  1500 x 1       4.6   7.0    6.7   9.7     5.4  10.2     9.9  12.2
//  2048 x 1       4.7   8.1    7.4  11.5       -     -    11.5  14.8
//  4096 x 1       8.9  14.7   19.2  21.5       -     -    40.4  29.3
//  6000 x 1      11.8  21.3   26.6  40.6       -     -    57.4  60.0   (fft: cuFFT, 40000 points)
// 10000 x 1      22.1  21.4   63.7  40.6    39.5  30.8     137  60.0
bool tiled_is_faster(Block shape, int mx, int my) {
  const long elements = static_cast<long>(mx) * my;
  const int kind = shape == Block::normal       ? 0
                   : shape == Block::tangential ? 1
                   : shape == Block::full       ? 3
                                                : 2;
  if (mx == 1 || my == 1) {
    if (kind == 3 && elements > 3200 && elements <= 4096) return false;
    constexpr long kLine[] = {9800, 7800, 8500, 6200};
    return elements <= kLine[kind];
  }
  // A lane sums eight neighbours in a row; short rows leave most of them idle.
  if (mx < 8) return elements * 8 <= 1000L * mx;
  // Long thin grids: the FFT takes equally long for a few rows and for many.
  const int longer = std::max(mx, my);
  constexpr long kSquare[] = {4608, 3300, 3900, 1200};
  constexpr long kLong[] = {7000, 3300, 4900, 1800};
  constexpr long kLonger[] = {9000, 3900, 6000, 1800};
  return elements <= (longer <= 512 ? kSquare : (longer <= 1500 ? kLong : kLonger))[kind];
}

}  // namespace

CudaInfluence::CudaInfluence(const CudaBackend& backend, const Grid& grid,
                             const CombinedMaterial& material, InfluenceMethod method,
                             const InfluenceKind& kind)
    : SpectralInfluence(grid, material, kind),
      method_(method),
      stream_(backend.stream()),
      shape_(make_fft_shape(grid.mx, grid.my, grid.boundary, current_limits())),
      layers_(kind.layers) {}

void CudaInfluence::drop(const InfluenceKind& last) {
  LaunchReplay::interrupt(stream_);
  if (kind_.layers != last.layers) layers_ = DeviceArray<LayerImage>(kind_.layers);
  for (auto& table : tables_) table.reset();
  inverse_across_.reset();
  curved_.reset();
}

CoefficientRecipe CudaInfluence::recipe(Component component) const {
  const CombinedMaterial material =
      grid_.boundary == Boundary::periodic ? softened(material_, kind_.memory) : material_;
  return coefficient_recipe(component, grid_, material, kind_, layers_);
}

const double* CudaInfluence::table(Component component) {
  auto& slot = tables_[static_cast<std::size_t>(component)];
  if (!slot) LaunchReplay::interrupt(stream_);
  if (!slot && made_on_host())
    slot.emplace(influence_table(component, grid_, material_, kind_).values);
  if (!slot) slot = make_coefficient_table(recipe(component), grid_.mx, grid_.my, stream_);
  return slot->data();
}

// The device has no formula for the memory of viscoelastic bodies, for compliances of single
// elements, or for sums over images.
bool CudaInfluence::made_on_host() const {
  const bool remembers = !kind_.memory.empty() && grid_.boundary != Boundary::periodic;
  return repeats_in_one_direction(grid_.boundary) || remembers || kind_.own_compliance != 0.0;
}

// Uses the host's table as far as the transform reaches. That of viscoelastic bodies keeps its
// parity only across the rolling direction.
DeviceSpectrum CudaInfluence::spectrum_of_table(Component component) const {
  const TableReach reach{(shape_.transposed() ? shape_.ny : shape_.nx) / 2 + 1,
                         (shape_.transposed() ? shape_.nx : shape_.ny) / 2 + 1};
  const DeviceArray<double> table(
      influence_table(component, grid_, material_, kind_, reach).values);
  TableSymmetry symmetry = recipe(component).symmetry();
  for (const MemoryTerm& term : kind_.memory) {
    if (term.length_x != 0.0) symmetry.x = 0;
    if (term.length_y != 0.0) symmetry.y = 0;
  }
  return DeviceSpectrum::from_padded_table(shape_, table.data(), reach.columns, reach.rows,
                                           symmetry, stream_);
}

DeviceSpectrum CudaInfluence::make_spectrum(Component component) {
  LaunchReplay::interrupt(stream_);
  if (made_on_host()) return spectrum_of_table(component);
  return grid_.boundary == Boundary::periodic
             ? DeviceSpectrum::periodic(shape_, recipe(component), stream_)
             : DeviceSpectrum::from_coefficients(shape_, recipe(component), stream_);
}

DeviceSpectrum CudaInfluence::invert(const DeviceSpectrum& spectrum, double share) {
  LaunchReplay::interrupt(stream_);
  return spectrum.inverse(share, stream_);
}

// Makes scratch for at least `directions` fields at once.
FftProduct& CudaInfluence::fft(int directions) {
  if (may_couple(material_, kind_)) directions = kDirections;
  if (!fft_ || fft_directions_ < directions) {
    LaunchReplay::interrupt(stream_);
    fft_.emplace(shape_, directions);
    fft_directions_ = directions;
  }
  return *fft_;
}

void CudaInfluence::precondition_normal(const double* in, double* out) {
  SpectrumMatrix matrix;
  matrix.block[2][2] = &inverse(Component::nn);
  fft(1).apply(matrix, {{nullptr, nullptr, in}}, {{nullptr, nullptr, out}}, stream_);
}

void CudaInfluence::set_across(const AcrossSymbol& symbol) {
  const DeviceSpectrum& xx = spectrum(Component::xx);
  const DeviceSpectrum& yy = spectrum(Component::yy);
  if (!inverse_across_) {
    LaunchReplay::interrupt(stream_);
    inverse_across_.emplace(shape_, xx.kind(), xx.symmetry(), stream_);
    largest_ = DeviceArray<double>(DeviceSpectrum::kSymbolBlocks);
  }
  inverse_across_->set_inverse(symbol.identity, {{symbol.xx, &xx}, {symbol.yy, &yy}}, share(),
                               largest_, stream_);
}

// Inverses for x, for y, and for the direction across the rolling direction.
SpectrumMatrix CudaInfluence::tangential_inverse() {
  SpectrumMatrix matrix;
  matrix.block[0][0] = &inverse(Component::xx);
  matrix.block[1][1] = &inverse(Component::yy);
  matrix.block[2][2] = &*inverse_across_;
  return matrix;
}

void CudaInfluence::precondition_tangential(const double* in_x, const double* in_y,
                                            const double* in_across, double* out_x, double* out_y,
                                            double* out_across) {
  const SpectrumMatrix matrix = tangential_inverse();
  fft(kDirections).apply(matrix, {{in_x, in_y, in_across}}, {{out_x, out_y, out_across}}, stream_);
}

SpectrumMatrix CudaInfluence::spectrum_matrix(Block block) {
  const DeviceSpectrum* spectra[kComponents] = {};
  for (const ProductTerm& term : product_terms(block))
    spectra[static_cast<std::size_t>(term.component())] = &spectrum(term.component());
  return make_spectrum_matrix(block, spectra);
}

bool CudaInfluence::multiply_newton(const NewtonFields& f, const double* in, double* joined,
                                    double* out) {
  if (!multiplies_by_fft()) return false;
  if (!newton_ && NewtonProduct::takes(shape_)) newton_.emplace(shape_);
  if (!newton_) return false;
  count_product();
  const SpectrumMatrix inverse = tangential_inverse();
  newton_->apply(fft(kDirections), inverse, spectrum_matrix(Block::tangential), f, in, joined, out,
                 stream_);
  return true;
}

bool CudaInfluence::solve_newton(const NewtonFields& f, const double* b, double* x,
                                 double tolerance, int most) {
  if (!multiplies_by_fft()) return false;
  if (!gmres_ && NewtonGmres::takes(shape_)) {
    LaunchReplay::interrupt(stream_);
    gmres_.emplace(shape_);
  }
  if (!gmres_) return false;
  const SpectrumMatrix inverse = tangential_inverse();
  gmres_->solve(inverse, spectrum_matrix(Block::tangential), f, b, x, tolerance, most, stream_);
  return true;
}

bool CudaInfluence::use_tiles(Block shape) const {
  if (grid_.boundary == Boundary::periodic) return false;
  if (method_ != InfluenceMethod::automatic || grid_.boundary != Boundary::free)
    return method_ == InfluenceMethod::summation;
  return tiled_is_faster(shape, grid_.mx, grid_.my);
}

CudaCurved& CudaInfluence::curved() {
  if (!curved_) curved_ = std::make_unique<CudaCurved>(grid_, material_, kind_, stream_);
  return *curved_;
}

// Uses a separate table for each pair of directions. Tiles take the pairs one by one, so `auto`
// sums directly only a block of one pair.
void CudaInfluence::multiply_curved(Block block, const ConstFields& in, const Fields& out) {
  if (curved().by_row()) return curved().rows().apply(block, in, out, stream_);
  const bool one_pair = block == Block::normal;
  const bool tiles =
      use_tiles(Block::normal) && (one_pair || method_ == InfluenceMethod::summation);
  SpectrumMatrix matrix;
  if (tiles && !tiles_) tiles_.emplace(grid_.mx, grid_.my, stream_);
  for (const auto& [target, source, to, from] : product_terms(block)) {
    if (!tiles) {
      matrix.block[to][from] = &curved().spectrum(to, from, shape_);
      continue;
    }
    CoefficientTables tables;
    tables.component[static_cast<std::size_t>(Component::nn)] = curved().table(to, from);
    tiles_->apply(Block::normal, tables, {{nullptr, nullptr, in.field[from]}},
                  {{nullptr, nullptr, out.field[to]}}, stream_,
                  source == 0 ? Accumulate::no : Accumulate::yes);
  }
  if (!tiles) fft(kDirections).apply(matrix, in, out, stream_);
}

void CudaInfluence::compute(Block block, const TractionField& traction,
                            const DisplacementField& displacement) {
  ConstFields in{{traction.x, traction.y, traction.n}};
  Fields out{{displacement.x, displacement.y, displacement.n}};
  for (int d = 0; d < kDirections; ++d) {  // the products take what is not null
    if (!block_takes(block, d)) in.field[d] = nullptr;
    if (!block_gives(block, d)) out.field[d] = nullptr;
  }
  if (kind_.curved) return multiply_curved(block, in, out);
  if (use_tiles(block)) {
    CoefficientTables tables;
    for (const ProductTerm& term : product_terms(block))
      tables.component[static_cast<std::size_t>(term.component())] = table(term.component());
    if (!tiles_) tiles_.emplace(grid_.mx, grid_.my, stream_);
    tiles_->apply(block, tables, in, out, stream_);
    return;
  }
  fft(block == Block::normal ? 1 : 2).apply(spectrum_matrix(block), in, out, stream_);
}

}  // namespace slipfield
