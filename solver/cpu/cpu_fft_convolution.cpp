// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/cpu_fft_convolution.h"

#include <algorithm>
#include <cmath>

#include "solver/cpu/fft/convolution_plans.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

constexpr int kRowsInTurn = 2;

std::size_t as_size(int value) { return static_cast<std::size_t>(value); }

// The coefficient at (kx, ky); half a transform away the mean of both sides, which coincide there.
double middle_coefficient(const InfluenceTable& table, int kx, int ky, int nx, int ny) {
  const bool half_x = nx > 1 && 2 * kx == nx;
  const bool half_y = ny > 1 && 2 * ky == ny;
  double sum = *table.at(kx, ky);
  if (half_x) sum += *table.at(-kx, ky);
  if (half_y) sum += *table.at(kx, -ky);
  if (half_x && half_y) sum += *table.at(-kx, -ky);
  return sum / ((half_x ? 2.0 : 1.0) * (half_y ? 2.0 : 1.0));
}

}  // namespace

std::size_t CpuFftConvolution::memory_bytes(const Grid& grid, int components, int spectra) {
  const auto nx = as_size(transform_size(grid.mx, repeats_in_x(grid.boundary)));
  const auto ny = as_size(transform_size(grid.my, repeats_in_y(grid.boundary)));
  return (nx / 2 + 1) * (as_size(grid.my) * as_size(components) * sizeof(std::complex<double>) +
                         ny * as_size(spectra) * sizeof(double));
}

Spectrum CpuFftConvolution::transform(const InfluenceTable& table) const {
  const int nx = rows_.transform_x();
  const int ny = rows_.transform_y();
  const int columns = rows_.columns_count();
  const std::size_t row_stride = rows_.row_stride();
  // Differences of positions modulo the transform: the nearest one, as far as the table extends.
  const int least_x = std::max(-(nx - 1) / 2, 1 - table.mx);
  const int least_y = std::max(-(ny - 1) / 2, table.first_row());
  const int most_x = std::min(nx / 2, table.mx - 1);
  const int most_y = std::min(ny / 2, table.my - 1);
  const int rows = most_y - least_y + 1;
  CpuArray<double> memory(2 * as_size(rows) * row_stride);
  auto* const half = reinterpret_cast<std::complex<double>*>(memory.data());
  const TeamWork work(rows_.worth_threads(), rows_.seconds_alone(2));
#pragma omp parallel if (work.by_all())
  {
    auto line = fftw_buffer<double>(as_size(nx));
#pragma omp for
    for (int r = 0; r < rows; ++r) {
      const int ky = r + least_y;
      std::fill_n(line.get(), nx, 0.0);
      std::copy_n(table.at(0, ky), most_x + 1, line.get());
      std::copy_n(table.at(least_x, ky), -least_x, line.get() + nx + least_x);
      if (2 * most_x == nx) line[as_size(most_x)] = middle_coefficient(table, most_x, ky, nx, ny);
      if (2 * ky == ny)
        for (int kx = least_x; kx <= most_x; ++kx)
          line[as_size(kx < 0 ? kx + nx : kx)] = middle_coefficient(table, kx, ky, nx, ny);
      fftw_execute_dft_r2c(rows_.plans().row_forward.get(), line.get(),
                           as_fftw(half + as_size(r) * row_stride));
    }
  }
  const double scale = 1.0 / (static_cast<double>(nx) * ny);
  Spectrum spectrum;
  spectrum.real.resize(as_size(columns) * as_size(ny));
  if (!table.is_even) spectrum.imaginary.resize(spectrum.real.size());
  double real_size = 0.0;
  double imaginary_size = 0.0;
#pragma omp parallel reduction(max : real_size, imaginary_size) if (work.by_all())
  {
    auto gathered = fftw_buffer<std::complex<double>>(as_size(ny) * kColumnBlock<double>);
    auto block = fftw_buffer<std::complex<double>>(as_size(ny) * kColumnBlock<double>);
#pragma omp for
    for (int first = 0; first < columns; first += kColumnBlock<double>) {
      const int width = std::min(kColumnBlock<double>, columns - first);
      std::fill_n(gathered.get(), as_size(ny) * kColumnBlock<double>, 0.0);
      for (int r = 0; r < rows; ++r) {
        const int ky = r + least_y;
        const std::complex<double>* from = half + as_size(r) * row_stride + first;
        const bool twice = table.is_even && ky > 0 && 2 * ky < ny;
        for (int c = 0; c < width; ++c) {
          std::complex<double>* const column = gathered.get() + as_size(c) * as_size(ny);
          column[ky < 0 ? ky + ny : ky] = from[c];
          if (twice) column[ny - ky] = from[c];
        }
      }
      rows_.plans().forward(gathered.get(), block.get(), width);
      for (std::size_t i = 0; i < as_size(width) * as_size(ny); ++i) {
        const std::size_t k = as_size(first) * as_size(ny) + i;
        spectrum.real[k] = scale * block[i].real();
        if (table.is_even) continue;
        spectrum.imaginary[k] = scale * block[i].imag();
        real_size = std::max(real_size, std::abs(spectrum.real[k]));
        imaginary_size = std::max(imaginary_size, std::abs(spectrum.imaginary[k]));
      }
    }
  }
  if (table.is_even) return spectrum;
  // If the coefficients have a parity the other part is only rounding, about 1e-16.
  constexpr double kRounding = 1.0e-13;
  if (imaginary_size <= kRounding * real_size) {
    spectrum.imaginary = {};
  } else if (real_size <= kRounding * imaginary_size) {
    spectrum.real = {};
  }
  return spectrum;
}

Spectrum CpuFftConvolution::from_symbol(
    const std::function<std::complex<double>(int, int)>& symbol) const {
  const int nx = rows_.transform_x();
  const int ny = rows_.transform_y();
  const int columns = rows_.columns_count();
  const double scale = 1.0 / (static_cast<double>(nx) * ny);
  Spectrum spectrum;
  spectrum.real.resize(as_size(columns) * as_size(ny));
  spectrum.imaginary.resize(spectrum.real.size());
  bool is_real = true;
  constexpr double kOfValue = 1.0e-7;  // seconds
  const TeamWork work(rows_.worth_threads(), kOfValue * static_cast<double>(spectrum.real.size()));
#pragma omp parallel for reduction(&& : is_real) if (work.by_all())
  for (int kx = 0; kx < columns; ++kx) {
    for (int row = 0; row < ny; ++row) {
      const std::complex<double> value = scale * symbol(kx, row <= ny / 2 ? row : row - ny);
      const std::size_t k = as_size(kx) * as_size(ny) + as_size(row);
      spectrum.real[k] = value.real();
      spectrum.imaginary[k] = value.imag();
      is_real = is_real && value.imag() == 0.0;
    }
  }
  if (is_real) spectrum.imaginary = {};
  return spectrum;
}

template <class Real>
void CpuFftConvolution::invert(double identity, std::span<const SpectrumShare> sum,
                               double regularisation, SpectrumOf<Real>& result) const {
  const int nx = rows_.transform_x();
  const int ny = rows_.transform_y();
  const std::size_t count = as_size(rows_.columns_count()) * as_size(ny);
  // Stored spectra carry 1/(nx ny): the product of a spectrum and its inverse must be 1/(nx ny)^2.
  const double unit = 1.0 / (static_cast<double>(nx) * ny);
  bool is_real = false;
  bool is_imaginary = false;
  for (const SpectrumShare& share : sum) {
    is_real = is_real || !share.spectrum->real.empty();
    is_imaginary = is_imaginary || !share.spectrum->imaginary.empty();
  }
  is_real = is_real || identity != 0.0;
  result.real.resize(is_real ? count : 0);
  result.imaginary.resize(is_imaginary ? count : 0);
  const std::size_t short_wave = count - as_size(ny) + as_size(ny / 2);
  const auto value = [&sum, unit, identity, short_wave](std::size_t k) {
    std::complex<double> a = identity * unit;
    for (const SpectrumShare& share : sum)
      a += share.weight * invertible_at(*share.spectrum, k, short_wave);
    return a;
  };
  double greatest = 0.0;
  constexpr double kOfShare = 6.0e-9;  // seconds
  const TeamWork work(rows_.worth_threads(),
                      kOfShare * static_cast<double>(count * (1 + sum.size())));
#pragma omp parallel for reduction(max : greatest) schedule(static) if (work.by_all())
  for (std::size_t k = 0; k < count; ++k) greatest = std::max(greatest, std::norm(value(k)));
  const double floor = regularisation * std::sqrt(greatest);
  const double scale = unit * unit;
#pragma omp parallel for schedule(static) if (work.by_all())
  for (std::size_t k = 0; k < count; ++k) {
    const std::complex<double> a = value(k);
    const double size2 = std::norm(a) + floor * floor;
    const std::complex<double> inverted = size2 == 0.0 ? 0.0 : scale * std::conj(a) / size2;
    if (is_real) result.real[k] = static_cast<Real>(inverted.real());
    if (is_imaginary) result.imaginary[k] = static_cast<Real>(inverted.imag());
  }
}

template void CpuFftConvolution::invert(double, std::span<const SpectrumShare>, double,
                                        SpectrumOf<double>&) const;
template void CpuFftConvolution::invert(double, std::span<const SpectrumShare>, double,
                                        SpectrumOf<float>&) const;

Spectrum CpuFftConvolution::inverse(const Spectrum& spectrum, double regularisation) const {
  const SpectrumShare whole{1.0, &spectrum};
  Spectrum result;
  invert(0.0, std::span(&whole, 1), regularisation, result);
  return result;
}

void CpuFftConvolution::apply(std::span<const ConvolutionTerm> terms,
                              std::span<const double* const> in, std::span<double* const> out) {
  const auto mx = as_size(rows_.elements_x());
  const auto my = as_size(rows_.elements_y());
  rows_.begin(std::max(in.size(), out.size()));
  // A single parallel region, since starting one takes as long as a small transform. Rows without
  // contact cost almost nothing and are contiguous, so rows are dealt out in turn.
  const TeamWork work(rows_.worth_threads(), rows_.seconds_alone(in.size() + out.size()));
  work.run([&] {
#pragma omp for schedule(static, kRowsInTurn) nowait
    for (std::size_t k = 0; k < in.size() * my; ++k) {
      const std::size_t iy = k % my;
      rows_.take_row(k / my, iy, in[k / my] + iy * mx);
    }
    rows_.columns(terms, in.size(), out.size());
#pragma omp for schedule(static)
    for (std::size_t k = 0; k < out.size() * my; ++k) {
      const std::size_t iy = k % my;
      rows_.give_row(k / my, iy, out[k / my] + iy * mx);
    }
  });
}

}  // namespace slipfield
