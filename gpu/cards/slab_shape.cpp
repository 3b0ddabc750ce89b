// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gpu/cards/slab_shape.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/ranks/ranks.h"

namespace slipfield {

SlabShape::SlabShape(const Grid& whole, int card_count, const FftShape& one)
    : grid(whole), cards(card_count), fused(one.engine == FftEngine::fused) {
  const bool padded = grid.boundary == Boundary::free;
  nx = padded ? fast_transform_size(2 * grid.mx - 1) : grid.mx;
  ny = padded ? fast_transform_size(2 * grid.my - 1) : grid.my;
  if (fused) {
    nx = one.nx;
    ny = one.ny;
  }
  // Panels of at most 256 MiB and equal width: two for each one in flight, if they stay wide enough
  // for copies and have at least 8 MiB, so that they take longer than their launches.
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

std::size_t SlabShape::row_points(int own, bool by_column) const {
  return as_count(by_column ? fft_pitch(own) : own) * as_count(columns());
}

// The fused pass reads columns that are contiguous.
int SlabShape::spectrum_column(int rows) const { return fused ? (rows + 3) / 4 * 4 : rows; }

}  // namespace slipfield
