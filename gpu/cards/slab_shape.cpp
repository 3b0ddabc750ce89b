// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gpu/cards/slab_shape.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/ranks/ranks.h"

namespace slipfield {
namespace {

std::size_t as_count(int value) { return static_cast<std::size_t>(value); }

}  // namespace

SlabShape::SlabShape(const Grid& whole, int card_count, const FftShape& one)
    : grid(whole), cards(card_count), fused(one.engine == FftEngine::fused) {
  const bool padded = grid.boundary == Boundary::free;
  nx = padded ? fast_transform_size(2 * grid.mx - 1) : grid.mx;
  ny = padded ? fast_transform_size(2 * grid.my - 1) : grid.my;
  if (fused) {
    nx = one.nx;
    ny = one.ny;
  }
  // Panels of 256 MiB at most, of the same width: two for each of those in flight where that leaves
  // them wide enough for copies, and of 8 MiB or more, which take longer than their launches.
  constexpr int kPanelPoints = 1 << 24;
  constexpr int kLeastPoints = 1 << 19;
  constexpr int kWidest = 1024;
  constexpr int kNarrowest = 32;
  constexpr int kPanels = 2 * kMostInFlight;
  constexpr int kWideEnough = 128;
  const int own = ranks::rows_of(0, cards, columns()).count;
  const int most =
      std::min(std::clamp(kPanelPoints / ny, kNarrowest, kWidest),
               std::max({kWideEnough, kLeastPoints / ny, (own + kPanels - 1) / kPanels}));
  const int panels = (own + most - 1) / most;
  panel = (own + panels - 1) / panels;
  in_flight = std::min(panels, kMostInFlight);
  constexpr int kBatchPoints = 1 << 25;
  const int own_rows = ranks::rows_of(0, cards, grid.my).count;
  rows_batch = std::max(2, std::min(own_rows, kBatchPoints / nx) / 2 * 2);
}

std::size_t SlabShape::panel_points() const {
  return as_count(panel) * as_count(std::max(ny, fft_pitch(grid.my)));
}

std::size_t SlabShape::bytes(const SlabNeeds& needs) const {
  const std::size_t half_rows = as_count(fft_pitch(ny / 2 + 1));
  const std::size_t rows = as_count(fft_pitch(ranks::rows_of(0, cards, grid.my).count));
  const std::size_t own = as_count(ranks::rows_of(0, cards, columns()).count);
  const std::size_t fields = as_count(needs.fields);
  constexpr std::size_t kComplex = 16;
  constexpr std::size_t kWork = 2;  // of cuFFT for a panel or a batch, at most
  std::size_t table = 0;            // rows of coefficients, while a spectrum is made
  if (grid.boundary == Boundary::free)
    table = as_count(ranks::rows_of(0, cards, needs.whole_tables ? ny : ny / 2 + 1).count);
  return kComplex * as_count(columns()) * (rows * fields + table) +
         as_count(in_flight) * (fields + kWork) * kComplex * panel_points() +
         (1 + kWork) * kComplex * as_count(rows_batch) * as_count(nx) +
         sizeof(double) * own * half_rows * as_count(needs.quarters);
}

}  // namespace slipfield
