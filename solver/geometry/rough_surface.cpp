// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry/rough_surface.h"

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numeric>

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

// Whether a grid holds the waves of a surface only in part: where no wave runs across one of its
// sides, what it holds is a profile, whose spectrum is that of the surface summed over the waves
// across; where a side is much shorter than the longest wave, each wave stands for those across it
// that do not fit.
enum class Narrow { neither, along_x, along_y, profile };

Narrow narrow_side(const RoughSurface& surface, const Grid& grid) {
  constexpr double kMuch = 4.0;
  const Band band = band_of(surface);
  const double length_x = grid.mx * grid.dx;
  const double length_y = grid.my * grid.dy;
  const auto holds_waves = [&](int elements, double length) {
    return (elements - 1) / 2 > 0 && kTwoPi / length <= band.most;
  };
  if (!holds_waves(grid.mx, length_x) || !holds_waves(grid.my, length_y)) return Narrow::profile;
  if (std::min(length_x, length_y) * kMuch * (1.0 + 1.0e-9) >= surface.longest)
    return Narrow::neither;
  return length_x < length_y ? Narrow::along_x : Narrow::along_y;
}

// The mean of |q|^-(2 + 2 hurst) over the waves (along, t) with t in a cell of the width `unit`
// about `across`: by Gauss's rule over the angle of q.
double mean_over_cell(double along, double across, double unit, double hurst) {
  const double from = across - 0.5 * unit;
  const double to = across + 0.5 * unit;
  if (along == 0.0) {
    const double exponent = -1.0 - 2.0 * hurst;
    return (std::pow(to, exponent) - std::pow(from, exponent)) / (exponent * unit);
  }
  constexpr std::array kPlace{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                              0.9602898564975363};
  constexpr std::array kWeight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                               0.1012285362903763};
  const double first = std::atan2(from, along);
  const double last = std::atan2(to, along);
  const double half = 0.5 * (last - first);
  double sum = 0.0;
  for (std::size_t i = 0; i < kPlace.size(); ++i)
    for (const double side : {-1.0, 1.0})
      sum += kWeight[i] *
             std::pow(std::cos(0.5 * (first + last) + side * half * kPlace[i]), 2.0 * hurst);
  return half * sum * std::pow(along, -1.0 - 2.0 * hurst) / unit;
}

// The waves of a grid, one of each pair +q, -q: rows of ky, kx from first_of(ky) to last_x.
struct Waves {
  double unit_x;
  double unit_y;
  int last_x;
  int last_y;
  Band band;
  double hurst;
  Narrow narrow;

  Waves(const RoughSurface& surface, const Grid& grid)
      : unit_x(kTwoPi / (grid.mx * grid.dx)),
        unit_y(kTwoPi / (grid.my * grid.dy)),
        last_x((grid.mx - 1) / 2),
        last_y((grid.my - 1) / 2),
        band(band_of(surface)),
        hurst(surface.hurst),
        narrow(narrow_side(surface, grid)) {}

  [[nodiscard]] static int first_of(int ky) { return ky > 0 ? 0 : 1; }
  // The amplitude of a wave of the band with the number q, up to a common factor.
  [[nodiscard]] double amplitude(int kx, int ky, double q) const {
    switch (narrow) {
      case Narrow::neither:
        return std::pow(q, -1.0 - hurst);
      case Narrow::profile:
        return std::pow(q, -0.5 - hurst);
      case Narrow::along_x:
        return std::sqrt(mean_over_cell(std::abs(ky) * unit_y, kx * unit_x, unit_x, hurst));
      case Narrow::along_y:
        break;
    }
    return std::sqrt(mean_over_cell(kx * unit_x, std::abs(ky) * unit_y, unit_y, hurst));
  }
  // The wave number; 0 outside of the band.
  [[nodiscard]] double number(int kx, int ky) const {
    const double q = std::hypot(kx * unit_x, ky * unit_y);
    return q >= band.least && q <= band.most ? q : 0.0;
  }
};

// Sum of a^2/2 over the waves, of their slope where that is given. The terms are computed by all
// threads and added in one order: the sum has the same bits with any number of threads.
double power_of(const RoughSurface& surface, const Waves& waves) {
  constexpr int kRows = 64;
  const auto length = static_cast<std::size_t>(waves.last_x) + 1;
  std::vector<double> terms(kRows * length);
  double power = 0.0;
  for (int from = -waves.last_y; from <= waves.last_y; from += kRows) {
    const int rows = std::min(kRows, waves.last_y - from + 1);
#pragma omp parallel for if (terms.size() >= kLeastForThreads)
    for (int row = 0; row < rows; ++row) {
      const int ky = from + row;
      for (int kx = 0; kx <= waves.last_x; ++kx) {
        const double q = kx >= Waves::first_of(ky) ? waves.number(kx, ky) : 0.0;
        const double amplitude = q > 0.0 ? waves.amplitude(kx, ky, q) : 0.0;
        terms[static_cast<std::size_t>(row) * length + static_cast<std::size_t>(kx)] =
            0.5 * amplitude * amplitude * (surface.slope_given ? q * q : 1.0);
      }
    }
    power = std::accumulate(terms.begin(),
                            terms.begin() + static_cast<std::ptrdiff_t>(rows * length), power);
  }
  return power;
}

using HalfSpectrum = FftwBuffer<std::complex<double>>;

fftw_complex* raw_waves(std::complex<double>* values) {
  return reinterpret_cast<fftw_complex*>(values);
}

// Plans for one row and for a block of columns; as in every transform of this program the bits do
// not depend on the number of threads.
class InversePlans {
 public:
  static constexpr int kColumns = 4;  // complex numbers in a cache line of each row

  explicit InversePlans(const Grid& grid) : block_(buffer(grid)) {
    std::vector<double> row(static_cast<std::size_t>(grid.mx));
    std::vector<std::complex<double>> half(row.size() / 2 + 1);
    const std::lock_guard<std::mutex> planning(fftw_planner());
    // Rows begin anywhere in memory.
    row_ = fftw_plan_dft_c2r_1d(grid.mx, raw_waves(half.data()), row.data(),
                                FFTW_ESTIMATE | FFTW_UNALIGNED);
    column_ = fftw_plan_many_dft(1, &grid.my, kColumns, raw_waves(block_.get()), nullptr, 1,
                                 grid.my, raw_waves(block_.get()), nullptr, 1, grid.my,
                                 FFTW_BACKWARD, FFTW_ESTIMATE);
  }
  ~InversePlans() {
    const std::lock_guard<std::mutex> planning(fftw_planner());
    fftw_destroy_plan(row_);
    fftw_destroy_plan(column_);
  }
  InversePlans(const InversePlans&) = delete;
  InversePlans& operator=(const InversePlans&) = delete;

  // Room for kColumns columns.
  [[nodiscard]] static HalfSpectrum buffer(const Grid& grid) {
    HalfSpectrum block =
        fftw_buffer<std::complex<double>>(static_cast<std::size_t>(grid.my) * kColumns);
    std::fill_n(block.get(), static_cast<std::size_t>(grid.my) * kColumns, 0.0);
    return block;
  }
  void columns(std::complex<double>* block) const {
    fftw_execute_dft(column_, raw_waves(block), raw_waves(block));
  }
  void row(std::complex<double>* half, double* values) const {
    fftw_execute_dft_c2r(row_, raw_waves(half), values);
  }

 private:
  HalfSpectrum block_;
  fftw_plan row_ = nullptr;
  fftw_plan column_ = nullptr;
};

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
                std::complex<double>* values) {
  const Waves waves(surface, grid);
  const double scale = surface.rms / std::sqrt(power_of(surface, waves));
  const auto columns = static_cast<std::size_t>(grid.mx) / 2 + 1;
  const auto amplitude = [&](int kx, int ky) -> std::complex<double> {
    const double q = waves.number(kx, ky);
    if (q == 0.0) return 0.0;
    // Centres lie half an element from the corner.
    const double angle =
        phase(surface.seed, kx, ky) +
        0.5 * kTwoPi * (static_cast<double>(kx) / grid.mx + static_cast<double>(ky) / grid.my);
    return std::polar(0.5 * scale * waves.amplitude(kx, ky, q), angle);
  };
#pragma omp parallel for if (grid.count() >= kLeastForThreads)
  for (int k = 0; k < kept.count; ++k) {
    const int row = kept.first + k;
    const int ky = row <= waves.last_y ? row : row - grid.my;
    std::complex<double>* const to = values + static_cast<std::size_t>(k) * columns;
    std::fill_n(to, columns, 0.0);
    if (ky < -waves.last_y) continue;  // half of an even number of rows
    if (ky < 0) to[0] = std::conj(amplitude(0, -ky));
    for (int kx = Waves::first_of(ky); kx <= waves.last_x; ++kx) to[kx] = amplitude(kx, ky);
  }
}

std::vector<double> rough_heights(const RoughSurface& surface, const Grid& grid) {
  const std::size_t columns = static_cast<std::size_t>(grid.mx) / 2 + 1;
  const auto rows = static_cast<std::size_t>(grid.my);
  const HalfSpectrum waves = fftw_buffer<std::complex<double>>(rows * columns);
  fill_waves(surface, grid, {0, grid.my}, waves.get());
  const InversePlans plans(grid);
  std::vector<double> heights(grid.count());
#pragma omp parallel if (grid.count() >= kLeastForThreads)
  {
    const HalfSpectrum block = InversePlans::buffer(grid);
#pragma omp for
    for (std::size_t first = 0; first < columns; first += InversePlans::kColumns) {
      const std::size_t width = std::min<std::size_t>(InversePlans::kColumns, columns - first);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = 0; c < width; ++c)
          block[c * rows + row] = waves[row * columns + first + c];
      plans.columns(block.get());
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = 0; c < width; ++c)
          waves[row * columns + first + c] = block[c * rows + row];
    }
#pragma omp for
    for (std::size_t row = 0; row < rows; ++row)
      plans.row(waves.get() + row * columns,
                heights.data() + row * static_cast<std::size_t>(grid.mx));
  }
  return heights;
}

}  // namespace slipfield
