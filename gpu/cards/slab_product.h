// SPDX-License-Identifier: Apache-2.0
// Products by FFT of fields whose rows are shared out over cards (THEORY.md 2.6). Mirrors
// solver/ranks/slab_convolution.h.
//
// A card transforms its own rows, padding left out, into half-complex rows. It then brings its
// share of the columns together, some hundred at a time: copies from every card's rows, padding
// added, transformed, multiplied by the card's own part of the spectrum, transformed back, and
// returned to where they came from. Two such panels are under way at a time, so that copies of one
// go along with the transforms of the other.
//
// Sent between P cards by a product of one field of mx x my elements: each card gets and returns
// its columns but for its own rows, 32 (nx/2 + 1) my (P-1)/P bytes in all, and nothing of the
// padding of the columns.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "gpu/cards/slab_shape.h"
#include "gpu/device/device_array.h"
#include "gpu/device/fields.h"
#include "solver/grid.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/material.h"

namespace slipfield {

class CardSharing;

// A card's columns of a spectrum with parities: ky <= ny/2, real or purely imaginary, 1/(nx ny)
// folded in. Element (kx, ky) is at kx stride_x + ky stride_y, kx from this card's first column.
struct SlabSpectrum {
  DeviceArray<double> values;
  bool imaginary = false;
  double parity_y = 1.0;
  std::size_t stride_x = 1;
  std::size_t stride_y = 1;
};

class SlabProduct {
 public:
  // grid: the whole one. Everything is ordered on `stream`. Together.
  SlabProduct(CardSharing& team, int card, const Grid& grid, cudaStream_t stream);
  ~SlabProduct();
  SlabProduct(const SlabProduct&) = delete;
  SlabProduct& operator=(const SlabProduct&) = delete;

  // Of the displacement now by elastic bodies, on free grids and periodic ones. Together.
  [[nodiscard]] SlabSpectrum spectrum(Component component, const CombinedMaterial& material);
  // As DeviceSpectrum::inverse. Together.
  [[nodiscard]] SlabSpectrum inverse(const SlabSpectrum& spectrum, double relative_cut) const;

  // out = sign product, or out += it. Fields are this card's rows; an out may be an in. Together.
  void apply(const SlabSpectrum& spectrum, double sign, const double* in, double* out,
             Accumulate accumulate);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipfield
