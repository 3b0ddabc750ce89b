// SPDX-License-Identifier: Apache-2.0
// Products by FFT of fields whose rows are distributed over cards (THEORY.md 2.6). Mirrors
// solver/ranks/slab_convolution.h.
//
// A card transforms its own rows of each field, without padding, into half-complex rows. It then
// gathers its share of the columns, some hundred at a time: copies them from every card's rows,
// pads them, transforms them, multiplies them by its own part of the spectra, transforms back, and
// returns them to their cards. Up to three such panels are in progress at a time: one arriving, one
// being transformed, one returning. Small grids have one panel, which takes the fewest launches.
//
// Traffic between P cards for each input or output field of mx x my elements: a card receives or
// returns its columns except its own rows, 16 (nx/2 + 1) my (P-1)/P bytes in all, without the
// padding of columns.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "gpu/cards/slab_shape.h"
#include "gpu/device/device_array.h"
#include "gpu/device/fields.h"
#include "gpu/fft/spectrum.h"
#include "solver/geometry/rough_waves.h"
#include "solver/grid.h"

namespace slipfield {

// The services of the team (gpu/cards/card_team.h) that products over several cards need, without
// parts that only the host compiler can read. All cards call them together, from CardTeam::each().
class CardSharing {
 public:
  virtual ~CardSharing() = default;
  [[nodiscard]] virtual int count() const = 0;
  [[nodiscard]] virtual int device(int card) const = 0;
  virtual double greatest(int card, double value) = 0;
  // Returns the addresses given by all cards, by card.
  virtual std::vector<void*> tell(int card, void* address) = 0;
  // Orders all work now in the cards' streams before any work they get later. The host waits only
  // for the other threads, not for the streams.
  virtual void join(int card, cudaStream_t stream) = 0;
};

// As ranks::rows_of.
RowRange slab_rows(int card, int cards, int rows);

// A card's columns of a spectrum, with 1/(nx ny) folded in and stored by symmetry like
// DeviceSpectrum.
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

// Maps in_b to out_a by their spectra; pointers are not owned.
struct SlabMatrix {
  const SlabSpectrum* block[kDirections][kDirections] = {};
  double sign[kDirections][kDirections] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
};

// As DeviceSpectrumShare.
struct SlabSpectrumShare {
  double weight = 1.0;
  const SlabSpectrum* spectrum = nullptr;
};

// The sum of RoughWaves::power over these of the rows of ky, by the current device.
double power_of_rows(const RoughWaves& waves, const RowRange& rows, cudaStream_t stream);

class SlabProduct {
 public:
  // grid: the whole one. All work is ordered on `stream`. Together.
  SlabProduct(CardSharing& team, int card, const Grid& grid, cudaStream_t stream);
  ~SlabProduct();
  SlabProduct(const SlabProduct&) = delete;
  SlabProduct& operator=(const SlabProduct&) = delete;

  // On a periodic grid the symbol of the recipe's component for the present displacement. Together.
  [[nodiscard]] SlabSpectrum spectrum(const CoefficientRecipe& recipe);
  // See DeviceSpectrum::inverse. Together.
  [[nodiscard]] SlabSpectrum inverse(const SlabSpectrum& spectrum, double relative_cut) const;
  // See DeviceSpectrum::set_inverse; writes into `to`, which is made if it is empty. Together.
  void set_inverse(SlabSpectrum& to, double identity, const SlabSpectrumShare (&sum)[2],
                   double relative_cut) const;

  // out_a = sum_b sign_ab product, for the blocks of the matrix. Fields are this card's rows; an
  // out may be an in. Together.
  void apply(const SlabMatrix& matrix, const ConstFields& in, const Fields& out);

  // On a periodic grid: writes this card's rows of the heights of these waves. Together.
  void fill_heights(const RoughWaves& waves, double* heights);

  // Returns whether this product also serves that grid.
  [[nodiscard]] bool is_for(const Grid& grid) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipfield
