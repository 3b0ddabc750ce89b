// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry/rough_surface.h"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>

#include "solver/cpu/fftw_planner.h"

namespace slipfield {
namespace {

constexpr double kTwoPi = 6.283185307179586;

// splitmix64 [SteeleLeaFlood2014]: a well-mixed number for each counter.
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

double phase(std::uint64_t seed, int kx, int ky) {
  const auto x = static_cast<std::uint64_t>(static_cast<std::int64_t>(kx));
  const auto y = static_cast<std::uint64_t>(static_cast<std::int64_t>(ky));
  const std::uint64_t bits = mix(mix(mix(seed) ^ x) ^ y);
  return kTwoPi * static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// Wave numbers of the band; a little more, so that rounding loses no wave at its ends.
struct Band {
  double least;
  double most;
};
Band band_of(const RoughSurface& surface) {
  return {kTwoPi / surface.longest * (1.0 - 1.0e-12), kTwoPi / surface.shortest * (1.0 + 1.0e-12)};
}

// Calls wave(kx, ky, q) for each wave of the band, one of each pair +q, -q.
template <class Wave>
void for_each_wave(const RoughSurface& surface, const Grid& grid, const Wave& wave) {
  const double unit_x = kTwoPi / (grid.mx * grid.dx);
  const double unit_y = kTwoPi / (grid.my * grid.dy);
  const auto [least, most] = band_of(surface);
  const int last_x = (grid.mx - 1) / 2;
  const int last_y = (grid.my - 1) / 2;
  for (int ky = -last_y; ky <= last_y; ++ky) {
    for (int kx = ky > 0 ? 0 : 1; kx <= last_x; ++kx) {
      const double q = std::hypot(kx * unit_x, ky * unit_y);
      if (q >= least && q <= most) wave(kx, ky, q);
    }
  }
}

}  // namespace

bool has_waves(const RoughSurface& surface, const Grid& grid) {
  const double unit_x = kTwoPi / (grid.mx * grid.dx);
  const double unit_y = kTwoPi / (grid.my * grid.dy);
  const auto [least, most] = band_of(surface);
  const int last_x = (grid.mx - 1) / 2;
  for (int ky = 0; ky <= (grid.my - 1) / 2; ++ky) {
    // The first wave of the row that is not too long.
    const double rest = std::sqrt(std::fmax(0.0, least * least - ky * unit_y * ky * unit_y));
    const double guess = std::fmin(std::ceil(rest / unit_x - 1.0), last_x);
    for (int kx = std::max(ky > 0 ? 0 : 1, static_cast<int>(guess)); kx <= last_x; ++kx) {
      const double q = std::hypot(kx * unit_x, ky * unit_y);
      if (q > most) break;
      if (q >= least) return true;
    }
  }
  return false;
}

void fill_waves(const RoughSurface& surface, const Grid& grid, const RowRange& kept,
                std::complex<double>* waves) {
  double power = 0.0;
  for_each_wave(surface, grid, [&](int, int, double q) {
    const double amplitude = std::pow(q, -1.0 - surface.hurst);
    power += 0.5 * amplitude * amplitude * (surface.slope_given ? q * q : 1.0);
  });
  const double scale = surface.rms / std::sqrt(power);

  const auto columns = static_cast<std::size_t>(grid.mx) / 2 + 1;
  std::fill_n(waves, static_cast<std::size_t>(kept.count) * columns, 0.0);
  const auto is_kept = [&](int row) { return row >= kept.first && row < kept.first + kept.count; };
  const auto put = [&](int row, int kx, std::complex<double> value) {
    if (!is_kept(row)) return;
    waves[static_cast<std::size_t>(row - kept.first) * columns + static_cast<std::size_t>(kx)] =
        value;
  };
  for_each_wave(surface, grid, [&](int kx, int ky, double q) {
    const int row = ky < 0 ? ky + grid.my : ky;
    const int opposite = (grid.my - row) % grid.my;
    if (!is_kept(row) && !(kx == 0 && is_kept(opposite))) return;
    // Centres lie half an element from the corner.
    const double angle =
        phase(surface.seed, kx, ky) +
        0.5 * kTwoPi * (static_cast<double>(kx) / grid.mx + static_cast<double>(ky) / grid.my);
    const std::complex<double> value =
        std::polar(0.5 * scale * std::pow(q, -1.0 - surface.hurst), angle);
    put(row, kx, value);
    if (kx == 0) put(opposite, 0, std::conj(value));
  });
}

std::vector<double> rough_heights(const RoughSurface& surface, const Grid& grid) {
  const std::size_t columns = static_cast<std::size_t>(grid.mx) / 2 + 1;
  const auto rows = static_cast<std::size_t>(grid.my);
  std::unique_ptr<std::complex<double>[], FftwFree> waves(static_cast<std::complex<double>*>(
      fftw_malloc(rows * columns * sizeof(std::complex<double>))));
  if (!waves) throw std::bad_alloc();
  fill_waves(surface, grid, {0, grid.my}, waves.get());

  std::vector<double> heights(grid.count());
  std::unique_lock<std::mutex> planning(fftw_planner());
  fftw_plan plan =
      fftw_plan_dft_c2r_2d(grid.my, grid.mx, reinterpret_cast<fftw_complex*>(waves.get()),
                           heights.data(), FFTW_ESTIMATE);
  planning.unlock();
  fftw_execute(plan);
  planning.lock();
  fftw_destroy_plan(plan);
  return heights;
}

}  // namespace slipfield
