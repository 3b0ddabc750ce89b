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
#include "solver/geometry/rough_waves.h"

namespace slipfield {
namespace {

using rough_detail::kTwoPi;

WaveMetric metric_of(const RoughSurface& surface) {
  WaveMetric metric{surface.elongation};
  if (metric.elongation == 1.0) return metric;
  const double along_x = std::cos(surface.lay);
  const double along_y = std::sin(surface.lay);
  const double square = metric.elongation * metric.elongation;
  metric.xx = square * along_x * along_x + along_y * along_y;
  metric.yy = square * along_y * along_y + along_x * along_x;
  metric.xy = (square - 1.0) * along_x * along_y;
  return metric;
}

Narrow narrow_side(const RoughSurface& surface, const Grid& grid, const RoughWaves& waves) {
  constexpr double kMuch = 4.0;
  const WaveMetric& metric = waves.metric;
  const auto holds_waves = [&](int last, double unit, double scale) {
    return last > 0 && unit * std::sqrt(scale) <= waves.most;
  };
  if (!holds_waves(waves.last_x, waves.unit_x, metric.xx) ||
      !holds_waves(waves.last_y, waves.unit_y, metric.yy))
    return Narrow::profile;
  const double side_x = grid.mx * grid.dx / std::sqrt(metric.xx);
  const double side_y = grid.my * grid.dy / std::sqrt(metric.yy);
  if (std::min(side_x, side_y) * kMuch * (1.0 + 1.0e-9) >= surface.longest) return Narrow::neither;
  return side_x < side_y ? Narrow::along_x : Narrow::along_y;
}

// Up to the scale.
RoughWaves unscaled_waves(const RoughSurface& surface, const Grid& grid) {
  RoughWaves waves;
  waves.mx = grid.mx;
  waves.my = grid.my;
  waves.unit_x = kTwoPi / (grid.mx * grid.dx);
  waves.unit_y = kTwoPi / (grid.my * grid.dy);
  waves.last_x = (grid.mx - 1) / 2;
  waves.last_y = (grid.my - 1) / 2;
  waves.least = kTwoPi / surface.longest * (1.0 - 1.0e-12);
  waves.most = kTwoPi / surface.shortest * (1.0 + 1.0e-12);
  waves.hurst = surface.hurst;
  waves.level = surface.rolloff > 0.0 ? kTwoPi / surface.rolloff : 0.0;
  waves.metric = metric_of(surface);
  waves.narrow = narrow_side(surface, grid, waves);
  waves.seed = surface.seed;
  waves.slope_given = surface.slope_given;
  return waves;
}

// The last column or row, at most `last`, that holds waves of the band: in the metric a wave with
// x = kx unit_x has at least the length elongation x/sqrt(yy), whatever its y, and likewise in y.
int last_of_band(const RoughWaves& waves, int last, double across, double unit) {
  const double most = waves.most * std::sqrt(across) / (waves.metric.elongation * unit);
  return most < last ? static_cast<int>(most) + 1 : last;
}

// Sum of the powers of the waves in these rows of ky, from -last_y on. All threads compute terms,
// which are added in a fixed order: the sum has the same bits for any number of threads.
double power_of(const RoughWaves& waves, const RowRange& summed) {
  constexpr int kRows = 64;
  const int last_column = last_of_band(waves, waves.last_x, waves.metric.yy, waves.unit_x);
  const int last_row = last_of_band(waves, waves.last_y, waves.metric.xx, waves.unit_y);
  const auto length = static_cast<std::size_t>(last_column) + 1;
  std::vector<double> terms(kRows * length);
  double power = 0.0;
  const int least = std::max(0, waves.last_y - last_row - summed.first);
  const int end = std::min(summed.count, waves.last_y + last_row + 1 - summed.first);
  for (int from = least; from < end; from += kRows) {
    const int rows = std::min(kRows, end - from);
#pragma omp parallel for if (terms.size() >= kLeastForThreads)
    for (int row = 0; row < rows; ++row) {
      const int ky = summed.first + from + row - waves.last_y;
      for (int kx = 0; kx <= last_column; ++kx)
        terms[static_cast<std::size_t>(row) * length + static_cast<std::size_t>(kx)] =
            waves.power(kx, ky);
    }
    power = std::accumulate(terms.begin(),
                            terms.begin() + static_cast<std::ptrdiff_t>(rows * length), power);
  }
  return power;
}

void add_nothing(std::span<double> /*values*/) {}

using HalfSpectrum = FftwBuffer<std::complex<double>>;

// The first `columns` columns of the transform of the heights (RoughWaves::at), by rows.
void fill_columns(const RoughWaves& waves, int columns, std::span<std::complex<double>> values) {
  const int last_row = last_of_band(waves, waves.last_y, waves.metric.xx, waves.unit_y);
#pragma omp parallel for if (values.size() >= kLeastForThreads)
  for (int row = 0; row < waves.my; ++row) {
    std::complex<double>* const of_row = values.data() + static_cast<std::ptrdiff_t>(row) * columns;
    std::fill_n(of_row, columns, 0.0);
    if (std::min(row, waves.my - row) > last_row) continue;
    for (int kx = 0; kx < columns; ++kx) {
      const PolarNumber value = waves.at(kx, row);
      of_row[kx] = std::polar(value.size, value.angle);
    }
  }
}

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
  const RoughWaves waves = unscaled_waves(surface, grid);
  const WaveMetric& metric = waves.metric;
  for (int ky = 0; ky <= waves.last_y; ++ky)
    for (const int sign : {1, -1}) {
      // In a row the band lies between two ellipses: if it holds a wave, one of them is next to a
      // crossing with the row, or at an end of the row.
      const int first = RoughWaves::first_of(sign * ky);
      const double y = sign * ky * waves.unit_y;
      const double middle = -metric.xy * y / metric.xx;
      std::array<double, 10> next{static_cast<double>(first), static_cast<double>(waves.last_x)};
      std::size_t count = 2;
      for (const double bound : {waves.least, waves.most}) {
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

int rows_of_waves(const Grid& grid) { return 2 * ((grid.my - 1) / 2) + 1; }

RoughWaves rough_waves(const RoughSurface& surface, const Grid& grid, const PowerOfWaves& power) {
  RoughWaves waves = unscaled_waves(surface, grid);
  waves.scale = surface.rms / std::sqrt(power(waves));
  return waves;
}

RoughWaves rough_waves(const RoughSurface& surface, const Grid& grid, const RowRange& summed,
                       const AddUp& add_up) {
  return rough_waves(surface, grid, [&](const RoughWaves& waves) {
    std::array<double, 1> power{power_of(waves, summed)};
    add_up(power);
    return power[0];
  });
}

void fill_waves(const RoughSurface& surface, const Grid& grid, std::complex<double>* values) {
  const int columns = grid.mx / 2 + 1;
  const auto count = static_cast<std::size_t>(columns) * static_cast<std::size_t>(grid.my);
  fill_columns(rough_waves(surface, grid, {0, rows_of_waves(grid)}, add_nothing), columns,
               {values, count});
}

void give_moments(const RoughSurface& surface, std::span<double> heights, const AddUp& add_up) {
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
  const RoughWaves all = rough_waves(surface, grid, {0, rows_of_waves(grid)}, add_nothing);
  // Columns beyond the band hold zeros, and are neither stored nor transformed.
  const int held = last_of_band(all, grid.mx / 2, all.metric.yy, all.unit_x) + 1;
  const auto columns = static_cast<std::size_t>(held);
  const auto rows = static_cast<std::size_t>(grid.my);
  const HalfSpectrum waves = fftw_buffer<std::complex<double>>(rows * columns);
  fill_columns(all, held, {waves.get(), rows * columns});
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
    const std::size_t half_length = static_cast<std::size_t>(grid.mx) / 2 + 1;
    const HalfSpectrum half = fftw_buffer<std::complex<double>>(half_length);
#pragma omp for
    for (std::size_t row = 0; row < rows; ++row) {
      std::copy_n(waves.get() + row * columns, columns, half.get());
      std::fill_n(half.get() + columns, half_length - columns, 0.0);  // transforms overwrite it
      plans.row(half.get(), heights.data() + row * static_cast<std::size_t>(grid.mx));
    }
  }
  give_moments(surface, heights, add_nothing);
  return heights;
}

}  // namespace slipfield
