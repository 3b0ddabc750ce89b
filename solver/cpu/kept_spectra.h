// SPDX-License-Identifier: Apache-2.0
// Spectra of influence coefficients that the last solvers of this process computed, for the next
// one of the same spacing, bodies and transform: steps and points of small contacts differ in their
// shape and load, seldom in these.
#pragma once

#include <functional>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/influence/influence_table.h"

namespace slipfield {

// What the spectrum of a free grid's coefficients depends on.
struct SpectrumKey {
  Component component = Component::nn;
  int transform_x = 0;
  int transform_y = 0;
  double dx = 0.0;
  double dy = 0.0;
  CombinedMaterial material;
  InfluenceKind kind;
  bool operator==(const SpectrumKey&) const = default;
};

// The kept spectrum with this key, or what `compute` returns, which is then kept: at most 32 of at
// most 256 KiB each, the ones asked for last. Larger ones are computed every time. From any thread.
Spectrum kept_spectrum(const SpectrumKey& key, const std::function<Spectrum()>& compute);

}  // namespace slipfield
