// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/cpu_fft_convolution.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/cpu/fft/convolution_plans.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

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
  const TransformSizes size = transform_sizes(grid);
  const auto pairs = (as_size(grid.my) + 1) / 2;
  return as_size(size.x) * pairs * as_size(components) * sizeof(std::complex<double>) +
         as_size(size.x / 2 + 1) * as_size(size.y) * as_size(spectra) * sizeof(double);
}

namespace {

// The rows of a table that a transform of nx x ny takes: those of differences of positions modulo
// the transform, the nearest one, as far as the table extends.
class TableRows {
 public:
  TableRows(const InfluenceTable& table, int nx, int ny)
      : table_(table),
        nx_(nx),
        ny_(ny),
        least_x_(std::max(-(nx - 1) / 2, 1 - table.mx)),
        most_x_(std::min(nx / 2, table.mx - 1)),
        least_y_(std::max(-(ny - 1) / 2, table.first_row())),
        count_(std::min(ny / 2, table.my - 1) - least_y_ + 1) {}

  [[nodiscard]] int least_y() const { return least_y_; }
  [[nodiscard]] int count() const { return count_; }

  // Transforms them, `columns` numbers each; two rows as one complex row, as in ConvolutionRows.
  void transform(const ConvolutionPlans<double>& plans, const TeamWork& work,
                 std::complex<double>* to) const {
    const int columns = nx_ / 2 + 1;
    work.run([&] {
      auto pair = fftw_buffer<double>(2 * as_size(nx_));
      auto line = fftw_buffer<std::complex<double>>(as_size(nx_));
      auto transformed = fftw_buffer<std::complex<double>>(as_size(nx_));
#pragma omp for
      for (int r = 0; r < count_; r += 2) {
        const bool both = r + 1 < count_;
        std::fill_n(pair.get(), 2 * nx_, 0.0);
        put(r + least_y_, pair.get());
        if (both) put(r + 1 + least_y_, pair.get() + nx_);
        for (int kx = 0; kx < nx_; ++kx)
          line[as_size(kx)] = {0.5 * pair[as_size(kx)], 0.5 * pair[as_size(kx + nx_)]};
        fftw_execute_dft(plans.row_forward.get(), as_fftw(line.get()), as_fftw(transformed.get()));
        std::complex<double>* const first = to + as_size(r) * as_size(columns);
        for (int kx = 0; kx < columns; ++kx) {
          const std::complex<double> z = transformed[as_size(kx)];
          const std::complex<double> mirrored = transformed[as_size((nx_ - kx) % nx_)];
          first[kx] = {z.real() + mirrored.real(), z.imag() - mirrored.imag()};
          if (both) first[columns + kx] = {z.imag() + mirrored.imag(), mirrored.real() - z.real()};
        }
      }
    });
  }

 private:
  void put(int ky, double* row) const {
    std::copy_n(table_.at(0, ky), most_x_ + 1, row);
    std::copy_n(table_.at(least_x_, ky), -least_x_, row + nx_ + least_x_);
    if (2 * most_x_ == nx_) row[most_x_] = middle_coefficient(table_, most_x_, ky, nx_, ny_);
    if (2 * ky == ny_)
      for (int kx = least_x_; kx <= most_x_; ++kx)
        row[kx < 0 ? kx + nx_ : kx] = middle_coefficient(table_, kx, ky, nx_, ny_);
  }

  const InfluenceTable& table_;
  int nx_, ny_;
  int least_x_, most_x_;
  int least_y_;
  int count_;
};

}  // namespace

Spectrum CpuFftConvolution::transform(const InfluenceTable& table) const {
  const int nx = rows_.transform_x();
  const int ny = rows_.transform_y();
  const int columns = rows_.columns_count();
  const TableRows from(table, nx, ny);
  const int rows = from.count();
  CpuArray<double> memory(2 * as_size(rows) * as_size(columns));
  auto* const half = reinterpret_cast<std::complex<double>*>(memory.data());
  const TeamWork work(rows_.worth_threads(), rows_.seconds_alone(2));
  from.transform(rows_.plans(), work, half);
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
        const int ky = r + from.least_y();
        const std::complex<double>* row = half + as_size(r) * as_size(columns) + first;
        const bool twice = table.is_even && ky > 0 && 2 * ky < ny;
        for (int c = 0; c < width; ++c) {
          std::complex<double>* const column = gathered.get() + as_size(c) * as_size(ny);
          column[ky < 0 ? ky + ny : ky] = row[c];
          if (twice) column[ny - ky] = row[c];
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

namespace {

// The sum of shares over a block of numbers, whose parts are vectors.
class SumOfShares {
 public:
  static constexpr std::size_t kLength = 256;

  SumOfShares(double identity, std::span<const SpectrumShare> shares, std::size_t short_wave)
      : identity_(identity), shares_(shares), short_wave_(short_wave) {}

  // The numbers [first, first + count) of the sum.
  void form(std::size_t first, std::size_t count) {
    std::fill_n(real_.data(), count, identity_);
    std::fill_n(imaginary_.data(), count, 0.0);
    for (const SpectrumShare& share : shares_) {
      add(share.weight, share.spectrum->real, first, count, real_);
      add(share.weight, share.spectrum->imaginary, first, count, imaginary_);
    }
    if (first > 0) return;
    std::complex<double> mean = identity_;
    for (const SpectrumShare& share : shares_)
      mean += share.weight * invertible_at(*share.spectrum, 0, short_wave_);
    real_[0] = mean.real();
    imaginary_[0] = mean.imag();
  }
  [[nodiscard]] double real(std::size_t i) const { return real_[i]; }
  [[nodiscard]] double imaginary(std::size_t i) const { return imaginary_[i]; }
  [[nodiscard]] double square(std::size_t i) const {
    return real_[i] * real_[i] + imaginary_[i] * imaginary_[i];
  }

 private:
  using Numbers = std::array<double, kLength>;
  static void add(double weight, const UninitializedVector<double>& part, std::size_t first,
                  std::size_t count, Numbers& sum) {
    if (part.empty()) return;
    const double* const from = part.data() + first;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) sum[i] += weight * from[i];
  }

  double identity_;
  std::span<const SpectrumShare> shares_;
  std::size_t short_wave_;
  Numbers real_{};
  Numbers imaginary_{};
};

}  // namespace

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
  constexpr std::size_t kLength = SumOfShares::kLength;
  const std::size_t blocks = (count + kLength - 1) / kLength;
  double greatest = 0.0;
  constexpr double kOfShare = 6.0e-9;  // seconds
  const TeamWork work(rows_.worth_threads(),
                      kOfShare * static_cast<double>(count * (1 + sum.size())));
#pragma omp parallel reduction(max : greatest) if (work.by_all())
  {
    SumOfShares a(identity * unit, sum, short_wave);
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t length = std::min(kLength, count - block * kLength);
      a.form(block * kLength, length);
#pragma omp simd reduction(max : greatest)
      for (std::size_t i = 0; i < length; ++i) greatest = std::max(greatest, a.square(i));
    }
  }
  const double floor = regularisation * std::sqrt(greatest);
  const double scale = unit * unit;
#pragma omp parallel if (work.by_all())
  {
    SumOfShares a(identity * unit, sum, short_wave);
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = block * kLength;
      const std::size_t length = std::min(kLength, count - first);
      a.form(first, length);
      std::array<double, kLength> factor{};
#pragma omp simd
      for (std::size_t i = 0; i < length; ++i) {
        const double square = a.square(i) + floor * floor;
        factor[i] = square == 0.0 ? 0.0 : scale / square;
      }
      if (is_real)
        for (std::size_t i = 0; i < length; ++i)
          result.real[first + i] = static_cast<Real>(factor[i] * a.real(i));
      if (is_imaginary)
        for (std::size_t i = 0; i < length; ++i)
          result.imaginary[first + i] = static_cast<Real>(-factor[i] * a.imaginary(i));
    }
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
  const std::size_t pairs = rows_.pairs_count();
  rows_.begin(std::max(in.size(), out.size()));
  // A single parallel region, since starting one takes as long as a small transform. Rows without
  // contact cost almost nothing and are contiguous, so rows are dealt out in turn.
  const TeamWork work(rows_.worth_threads(), rows_.seconds_alone(in.size() + out.size()));
  work.run([&] {
#pragma omp for schedule(static, 1) nowait
    for (std::size_t k = 0; k < in.size() * pairs; ++k) {
      const double* const first = in[k / pairs] + k % pairs * 2 * mx;
      rows_.take_pair(k / pairs, k % pairs, first, first + mx);
    }
    rows_.columns(terms, in.size(), out.size());
#pragma omp for schedule(static)
    for (std::size_t k = 0; k < out.size() * pairs; ++k) {
      double* const first = out[k / pairs] + k % pairs * 2 * mx;
      rows_.give_pair(k / pairs, k % pairs, first, first + mx);
    }
  });
}

}  // namespace slipfield
