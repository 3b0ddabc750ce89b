// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/kept_spectra.h"

#include <utility>

#include "solver/cpu/recently_used.h"

namespace slipfield {
namespace {

constexpr std::size_t kMostSpectra = 32;
constexpr std::size_t kMostValues = 32768;  // of one spectrum

RecentlyUsed<SpectrumKey, Spectrum>& recent_spectra() {
  static RecentlyUsed<SpectrumKey, Spectrum> kept(kMostSpectra);
  return kept;
}

}  // namespace

Spectrum kept_spectrum(const SpectrumKey& key, const std::function<Spectrum()>& compute) {
  if (auto found = recent_spectra().find(key)) return std::move(*found);
  Spectrum spectrum = compute();
  if (spectrum.real.size() + spectrum.imaginary.size() <= kMostValues)
    recent_spectra().keep(key, spectrum);
  return spectrum;
}

}  // namespace slipfield
