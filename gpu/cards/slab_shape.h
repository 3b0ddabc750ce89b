// SPDX-License-Identifier: Apache-2.0
// Transforms of a grid whose rows are distributed over cards: lengths, and sizes of each card's
// data.
#pragma once

#include <cstddef>

#include "gpu/fft/shape.h"
#include "solver/grid.h"

namespace slipfield {

// Up to this many elements each card solves a coarse grid alone, faster than all together: two H200
// took as long as one for a normal problem of 4096 x 4096.
inline constexpr std::size_t kMostAlone = std::size_t{1} << 20;
// The most elements in rows of a field that each card fetches for a window it solves alone.
inline constexpr std::size_t kMostFetched = 16 * kMostAlone;

inline std::size_t as_count(int value) { return static_cast<std::size_t>(value); }

// One panel's columns arrive while another is transformed and a third returns.
inline constexpr int kMostInFlight = 3;

// Lengths of the transforms, and the parts of them that a card holds at a time.
struct SlabShape {
  SlabShape() = default;
  // one: the shape for a single card, from make_fft_shape(); if it uses fused kernels, several
  // cards use them as well.
  SlabShape(const Grid& whole, int card_count, const FftShape& one);

  Grid grid;  // the whole one
  int cards = 1;
  bool fused = false;  // by the program's own kernels, else by cuFFT
  int nx = 0;
  int ny = 0;
  int panel = 0;       // columns that are transformed together
  int in_flight = 1;   // panels at a time
  int rows_batch = 0;  // rows likewise, an even number, by cuFFT

  [[nodiscard]] int columns() const { return nx / 2 + 1; }
  // Complex numbers of a panel.
  [[nodiscard]] std::size_t panel_points() const;
  // Complex numbers of `own` rows of a field's transform along x.
  [[nodiscard]] std::size_t row_points(int own, bool by_column) const;
  // Size of a spectrum's column with `rows` stored numbers, including the alignment of the next
  // one.
  [[nodiscard]] int spectrum_column(int rows) const;
};

}  // namespace slipfield
