// SPDX-License-Identifier: Apache-2.0
// Products by FFT of fields whose rows are shared out over cards (THEORY.md 2.6). Mirrors
// solver/ranks/slab_convolution.h.
//
// A card transforms its own rows of each field, padding left out, into half-complex rows. It then
// brings its share of the columns together, some hundred at a time: copies from every card's rows,
// padding added, transformed, multiplied by the card's own part of the spectra, transformed back,
// and returned to where they came from. Up to three such panels are under way at a time: one comes,
// one is transformed, one goes back. Small grids have one panel, which takes the fewest launches.
//
// Sent between P cards for each field of mx x my elements that a product takes or gives: a card
// gets or returns its columns except its own rows, 16 (nx/2 + 1) my (P-1)/P bytes in all, and no
// padding of the columns.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "gpu/cards/slab_shape.h"
#include "gpu/device/device_array.h"
#include "gpu/device/fields.h"
#include "gpu/fft/spectrum.h"
#include "solver/grid.h"

namespace slipfield {

// What products over several cards ask of the team that shares the rows (gpu/cards/card_team.h),
// without what only the host compiler reads. Calls are made by all cards together, from
// CardTeam::each().
class CardSharing {
 public:
  virtual ~CardSharing() = default;
  [[nodiscard]] virtual int count() const = 0;
  [[nodiscard]] virtual int device(int card) const = 0;
  virtual double greatest(int card, double value) = 0;
  // The address that each card gives, by card.
  virtual std::vector<void*> tell(int card, void* address) = 0;
  // What `stream` of each card holds so far is done before what any of them gets next. The host
  // does not wait for the streams, only for the other threads.
  virtual void join(int card, cudaStream_t stream) = 0;
};

// As ranks::rows_of.
RowRange slab_rows(int card, int cards, int rows);

// A card's columns of a spectrum, 1/(nx ny) folded in: what its symmetry leaves of each, as
// DeviceSpectrum has it.
struct SlabSpectrum {
  DeviceArray<double> values;
  SpectrumKind kind = SpectrumKind::none;
  bool imaginary = false;  // of a real quarter: the values are imaginary parts
  double parity_y = 1.0;
  std::size_t stride_x = 1;
  std::size_t stride_y = 1;
  // From this card's column `first` on.
  [[nodiscard]] SpectrumView view(int first, double sign) const;
};

// Which spectrum takes in_b to out_a; pointers are not owned.
struct SlabMatrix {
  const SlabSpectrum* block[kDirections][kDirections] = {};
  double sign[kDirections][kDirections] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
};

// As DeviceSpectrumShare.
struct SlabSpectrumShare {
  double weight = 1.0;
  const SlabSpectrum* spectrum = nullptr;
};

class SlabProduct {
 public:
  // grid: the whole one. Everything is ordered on `stream`. Together.
  SlabProduct(CardSharing& team, int card, const Grid& grid, cudaStream_t stream);
  ~SlabProduct();
  SlabProduct(const SlabProduct&) = delete;
  SlabProduct& operator=(const SlabProduct&) = delete;

  // On a periodic grid the symbol of the recipe's component, displaced now. Together.
  [[nodiscard]] SlabSpectrum spectrum(const CoefficientRecipe& recipe);
  // As DeviceSpectrum::inverse. Together.
  [[nodiscard]] SlabSpectrum inverse(const SlabSpectrum& spectrum, double relative_cut) const;
  // As DeviceSpectrum::set_inverse, into `to`, which is made where it is empty. Together.
  void set_inverse(SlabSpectrum& to, double identity, const SlabSpectrumShare (&sum)[2],
                   double relative_cut) const;

  // out_a = sum_b sign_ab product, of the fields that the matrix has a block for. Fields are this
  // card's rows; an out may be an in. Together.
  void apply(const SlabMatrix& matrix, const ConstFields& in, const Fields& out);

  // Whether products on that grid are the same.
  [[nodiscard]] bool is_for(const Grid& grid) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipfield
