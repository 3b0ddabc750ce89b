// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry/rough_surface.h"

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "solver/cpu/fftw_planner.h"
#include "solver/geometry/johnson_curve.h"

namespace slipfield {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

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

// Wave numbers of the band, slightly widened so that rounding loses no wave at its ends.
struct Band {
  double least;
  double most;
};
Band band_of(const RoughSurface& surface) {
  return {kTwoPi / surface.longest * (1.0 - 1.0e-12), kTwoPi / surface.shortest * (1.0 + 1.0e-12)};
}

// The wave number on which the spectrum depends: its square is xx x^2 + 2 xy x y + yy y^2 for the
// wave (x, y), with determinant elongation^2.
struct WaveMetric {
  double elongation;
  double xx = 1.0;
  double xy = 0.0;
  double yy = 1.0;

  explicit WaveMetric(const RoughSurface& surface) : elongation(surface.elongation) {
    if (elongation == 1.0) return;
    const double along_x = std::cos(surface.lay);
    const double along_y = std::sin(surface.lay);
    const double square = elongation * elongation;
    xx = square * along_x * along_x + along_y * along_y;
    yy = square * along_y * along_y + along_x * along_x;
    xy = (square - 1.0) * along_x * along_y;
  }
  [[nodiscard]] double number(double x, double y) const {
    if (elongation == 1.0) return std::hypot(x, y);
    return std::sqrt(std::fmax(0.0, xx * x * x + 2.0 * xy * x * y + yy * y * y));
  }
};

// Whether a grid holds only part of the waves of a surface. If no wave runs across one of its
// sides, it holds a profile, whose spectrum is that of the surface summed over the waves across; if
// a side is much shorter than the longest wave, each wave represents those across it that do not
// fit.
enum class Narrow { neither, along_x, along_y, profile };

Narrow narrow_side(const RoughSurface& surface, const Grid& grid) {
  constexpr double kMuch = 4.0;
  const Band band = band_of(surface);
  const WaveMetric metric(surface);
  const double length_x = grid.mx * grid.dx;
  const double length_y = grid.my * grid.dy;
  const auto holds_waves = [&](int elements, double length, double scale) {
    return (elements - 1) / 2 > 0 && kTwoPi / length * std::sqrt(scale) <= band.most;
  };
  if (!holds_waves(grid.mx, length_x, metric.xx) || !holds_waves(grid.my, length_y, metric.yy))
    return Narrow::profile;
  const double side_x = length_x / std::sqrt(metric.xx);
  const double side_y = length_y / std::sqrt(metric.yy);
  if (std::min(side_x, side_y) * kMuch * (1.0 + 1.0e-9) >= surface.longest) return Narrow::neither;
  return side_x < side_y ? Narrow::along_x : Narrow::along_y;
}

// The integral over `unit` of |q|^-(2 + 2 hurst) over the waves (along, t), t from `from` to `to`:
// by Gauss's rule over the angle of q.
double mean_of_power(double along, double from, double to, double unit, double hurst) {
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

// The mean of the spectrum over the waves (along, t) with t in a cell of width `unit` around
// `across`; below the wave number `level` the spectrum is constant.
double mean_over_cell(double along, double across, double unit, double hurst, double level) {
  const double from = across - 0.5 * unit;
  const double to = across + 0.5 * unit;
  if (along >= level) return mean_of_power(along, from, to, unit, hurst);
  const double chord = std::sqrt(level * level - along * along);
  const double covered = std::fmax(0.0, std::fmin(to, chord) - std::fmax(from, -chord));
  double mean = covered / unit * std::pow(level, -2.0 - 2.0 * hurst);
  if (from < -chord) mean += mean_of_power(along, from, std::fmin(to, -chord), unit, hurst);
  if (to > chord) mean += mean_of_power(along, std::fmax(from, chord), to, unit, hurst);
  return mean;
}

// Half of the spectrum summed over all waves across, of the wave `along` of a profile. From the end
// of the plateau on it is the integral of cos^(2 hurst) over the angle of q up to a right angle,
// whose distance from there is the square of the variable of Gauss's rule.
double sum_across(double along, double hurst, double level) {
  const double chord = along < level ? std::sqrt(level * level - along * along) : 0.0;
  const double least = std::atan2(chord, along);
  constexpr int kPieces = 32;
  const double width = std::sqrt(0.5 * std::numbers::pi - least) / kPieces;
  const double offset = 0.5 / std::sqrt(3.0);
  double sum = 0.0;
  for (int i = 0; i < kPieces; ++i)
    for (const double place : {0.5 - offset, 0.5 + offset}) {
      const double root = (i + place) * width;
      sum += width * root * std::pow(std::sin(root * root), 2.0 * hurst);
    }
  const double plateau = chord > 0.0 ? chord * std::pow(level, -2.0 - 2.0 * hurst) : 0.0;
  return plateau + sum * std::pow(along, -1.0 - 2.0 * hurst);
}

// The waves of a grid, one of each pair +q, -q: rows of ky, kx from first_of(ky) to last_x.
struct Waves {
  double unit_x;
  double unit_y;
  int last_x;
  int last_y;
  Band band;
  double hurst;
  double level;  // wave number of the roll-off; 0: none
  WaveMetric metric;
  Narrow narrow;

  Waves(const RoughSurface& surface, const Grid& grid)
      : unit_x(kTwoPi / (grid.mx * grid.dx)),
        unit_y(kTwoPi / (grid.my * grid.dy)),
        last_x((grid.mx - 1) / 2),
        last_y((grid.my - 1) / 2),
        band(band_of(surface)),
        hurst(surface.hurst),
        level(surface.rolloff > 0.0 ? kTwoPi / surface.rolloff : 0.0),
        metric(surface),
        narrow(narrow_side(surface, grid)) {}

  [[nodiscard]] static int first_of(int ky) { return ky > 0 ? 0 : 1; }
  // The amplitude of a wave of the band with wave number q, up to a common factor.
  [[nodiscard]] double amplitude(int kx, int ky, double q) const {
    const double x = kx * unit_x;
    const double y = ky * unit_y;
    // The metric's square is (root_x x + xy y/root_x)^2 + along_y^2, and likewise with x and y
    // exchanged.
    const double root_x = std::sqrt(metric.xx);
    const double root_y = std::sqrt(metric.yy);
    const double along_y = std::abs(y) * metric.elongation / root_x;
    const double along_x = x * metric.elongation / root_y;
    switch (narrow) {
      case Narrow::neither:
        return std::pow(std::fmax(q, level), -1.0 - hurst);
      case Narrow::profile:
        if (level == 0.0) return std::pow(q, -0.5 - hurst);
        return std::sqrt(sum_across(ky == 0 ? along_x : along_y, hurst, level));
      case Narrow::along_x:
        return std::sqrt(mean_over_cell(along_y, std::abs(root_x * (x + metric.xy * y / metric.xx)),
                                        root_x * unit_x, hurst, level));
      case Narrow::along_y:
        break;
    }
    return std::sqrt(mean_over_cell(along_x, std::abs(root_y * (y + metric.xy * x / metric.yy)),
                                    root_y * unit_y, hurst, level));
  }
  // The wave number in the metric; 0 outside the band.
  [[nodiscard]] double number(int kx, int ky) const {
    const double q = metric.number(kx * unit_x, ky * unit_y);
    return q >= band.least && q <= band.most ? q : 0.0;
  }
  // The squared slope of a wave of unit height.
  [[nodiscard]] double slope2(int kx, int ky) const {
    const double q = std::hypot(kx * unit_x, ky * unit_y);
    return q * q;
  }
};

// Sum of a^2/2 over the waves, or of their slopes if the slope is given. All threads compute terms,
// which are added in a fixed order: the sum has the same bits for any number of threads.
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
            0.5 * amplitude * amplitude * (surface.slope_given ? waves.slope2(kx, ky) : 1.0);
      }
    }
    power = std::accumulate(terms.begin(),
                            terms.begin() + static_cast<std::ptrdiff_t>(rows * length), power);
  }
  return power;
}

using HalfSpectrum = FftwBuffer<std::complex<double>>;

// Plans for one row and for a block of columns; as in all transforms of this program the bits do
// not depend on the number of threads.
class InversePlans {
 public:
  static constexpr int kColumns = 4;  // complex numbers in a cache line of each row

  explicit InversePlans(const Grid& grid) : block_(buffer(grid)) {
    std::vector<double> row(static_cast<std::size_t>(grid.mx));
    std::vector<std::complex<double>> half(row.size() / 2 + 1);
    const std::lock_guard<std::mutex> planning(fftw_planner());
    // Rows begin anywhere in memory.
    row_.reset(fftw_plan_dft_c2r_1d(grid.mx, as_fftw(half.data()), row.data(),
                                    FFTW_ESTIMATE | FFTW_UNALIGNED));
    column_.reset(fftw_plan_many_dft(1, &grid.my, kColumns, as_fftw(block_.get()), nullptr, 1,
                                     grid.my, as_fftw(block_.get()), nullptr, 1, grid.my,
                                     FFTW_BACKWARD, FFTW_ESTIMATE));
  }

  // Room for kColumns columns.
  [[nodiscard]] static HalfSpectrum buffer(const Grid& grid) {
    HalfSpectrum block =
        fftw_buffer<std::complex<double>>(static_cast<std::size_t>(grid.my) * kColumns);
    std::fill_n(block.get(), static_cast<std::size_t>(grid.my) * kColumns, 0.0);
    return block;
  }
  void columns(std::complex<double>* block) const {
    fftw_execute_dft(column_.get(), as_fftw(block), as_fftw(block));
  }
  void row(std::complex<double>* half, double* values) const {
    fftw_execute_dft_c2r(row_.get(), as_fftw(half), values);
  }

 private:
  HalfSpectrum block_;
  FftwPlan<> row_, column_;
};

}  // namespace

bool has_waves(const RoughSurface& surface, const Grid& grid) {
  const Waves waves(surface, grid);
  const WaveMetric& metric = waves.metric;
  for (int ky = 0; ky <= waves.last_y; ++ky)
    for (const int sign : {1, -1}) {
      // In a row the band lies between two ellipses: if it holds a wave, one of them is next to a
      // crossing with the row, or at an end of the row.
      const int first = Waves::first_of(sign * ky);
      const double y = sign * ky * waves.unit_y;
      const double middle = -metric.xy * y / metric.xx;
      std::array<double, 10> next{static_cast<double>(first), static_cast<double>(waves.last_x)};
      std::size_t count = 2;
      for (const double bound : {waves.band.least, waves.band.most}) {
        const double rest = bound * bound - (metric.yy - metric.xy * metric.xy / metric.xx) * y * y;
        const double half = std::sqrt(std::fmax(0.0, rest) / metric.xx);
        for (const double crossing : {middle - half, middle + half}) {
          next[count++] = std::floor(crossing / waves.unit_x);
          next[count++] = std::floor(crossing / waves.unit_x) + 1.0;
        }
      }
      for (const double place : next)
        if (place >= first && place <= waves.last_x &&
            waves.number(static_cast<int>(place), sign * ky) > 0.0)
          return true;
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
    // Element centres are half an element off the corner.
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

void give_moments(const RoughSurface& surface, std::span<double> heights,
                  const std::function<void(std::span<double>)>& add_up) {
  if (surface.is_normal()) return;
  const JohnsonCurve curve(surface.skewness, surface.kurtosis);
  const auto count = static_cast<std::ptrdiff_t>(heights.size());
#pragma omp parallel for if (heights.size() >= kLeastForThreads)
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    double& z = heights[static_cast<std::size_t>(i)];
    z = curve(z / surface.rms);
  }
  // Their mean, and then their mean square.
  std::array<double, 2> sums{0.0, static_cast<double>(heights.size())};
  for (const double z : heights) sums[0] += z;
  add_up(sums);
  const double mean = sums[0] / sums[1];
  std::array<double, 1> squares{0.0};
  for (const double z : heights) squares[0] += (z - mean) * (z - mean);
  add_up(squares);
  const double scale = surface.rms / std::sqrt(squares[0] / sums[1]);
  for (double& z : heights) z = scale * (z - mean);
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
  give_moments(surface, heights, [](std::span<double>) {});
  return heights;
}

}  // namespace slipfield
