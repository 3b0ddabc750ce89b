// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/cpu_fft_convolution.h"

#include <fftw3.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/cpu/fft/convolution_plans.h"
#include "solver/cpu/fft/convolution_scratch.h"
#include "solver/cpu/fftw_planner.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

constexpr int kRowsInTurn = 2;

std::size_t as_size(int value) { return static_cast<std::size_t>(value); }

// The coefficient at (kx, ky), half a transform away the mean of both sides: they are one place
// there.
double nearest_coefficient(const InfluenceTable& table, int kx, int ky, int nx, int ny) {
  const bool half_x = nx > 1 && 2 * kx == nx;
  const bool half_y = ny > 1 && 2 * ky == ny;
  double sum = *table.at(kx, ky);
  if (half_x) sum += *table.at(-kx, ky);
  if (half_y) sum += *table.at(kx, -ky);
  if (half_x && half_y) sum += *table.at(-kx, -ky);
  return sum / ((half_x ? 2.0 : 1.0) * (half_y ? 2.0 : 1.0));
}

}  // namespace

int fast_transform_size(int least) {
  for (int n = std::max(least, 1);; ++n) {
    if (n > 1 && n % 2 != 0) continue;
    int rest = n;
    for (const int factor : {2, 3, 5, 7}) {
      while (rest % factor == 0) rest /= factor;
    }
    if (rest == 1) return n;
  }
}

namespace {

// to = (or +=) sign * spectrum * from, of `count` entries
template <bool kAdd>
void multiply_spectrum(const double* re, const double* im, double sign,
                       const std::complex<double>* from, std::complex<double>* to,
                       std::size_t count) {
  const auto put = [](std::complex<double>& at, double x, double y) {
    if constexpr (kAdd)
      at += std::complex<double>(x, y);
    else
      at = {x, y};
  };
  if (im == nullptr) {
    for (std::size_t k = 0; k < count; ++k) {
      const double a = sign * re[k];
      put(to[k], a * from[k].real(), a * from[k].imag());
    }
  } else if (re == nullptr) {
    for (std::size_t k = 0; k < count; ++k) {
      const double b = sign * im[k];
      put(to[k], -b * from[k].imag(), b * from[k].real());
    }
  } else {
    for (std::size_t k = 0; k < count; ++k) {
      const double a = sign * re[k];
      const double b = sign * im[k];
      const double x = from[k].real();
      const double y = from[k].imag();
      put(to[k], a * x - b * y, a * y + b * x);
    }
  }
}

}  // namespace

struct CpuFftConvolution::Plans {
  std::shared_ptr<const ConvolutionPlans> of;
};

CpuFftConvolution::CpuFftConvolution(const Grid& grid)
    : mx_(grid.mx),
      my_(grid.my),
      nx_(grid.boundary == Boundary::periodic ? grid.mx : fast_transform_size(2 * grid.mx - 1)),
      ny_(grid.boundary == Boundary::periodic ? grid.my : fast_transform_size(2 * grid.my - 1)),
      columns_(nx_ / 2 + 1),
      row_stride_((as_size(columns_) + 3) / 4 * 4),
      worth_threads_(grid.count() >= kLeastForThreads),
      plans_(std::make_unique<Plans>(Plans{convolution_plans(nx_, ny_, columns_)})) {}

CpuFftConvolution::~CpuFftConvolution() = default;

std::size_t CpuFftConvolution::memory_bytes(const Grid& grid, int components, int spectra) {
  const bool padded = grid.boundary == Boundary::free;
  const auto nx = as_size(padded ? fast_transform_size(2 * grid.mx - 1) : grid.mx);
  const auto ny = as_size(padded ? fast_transform_size(2 * grid.my - 1) : grid.my);
  return (nx / 2 + 1) * (as_size(grid.my) * as_size(components) * sizeof(std::complex<double>) +
                         ny * as_size(spectra) * sizeof(double));
}

std::complex<double>* CpuFftConvolution::row(std::size_t component, std::size_t iy) {
  return reinterpret_cast<std::complex<double>*>(work_[component].data()) + iy * row_stride_;
}

Spectrum CpuFftConvolution::transform(const InfluenceTable& table) const {
  // Differences of positions modulo the transform: the nearest of them, as far as the table goes.
  const int least_x = std::max(-(nx_ - 1) / 2, 1 - table.mx);
  const int least_y = std::max(-(ny_ - 1) / 2, 1 - table.my);
  const int most_x = std::min(nx_ / 2, table.mx - 1);
  const int most_y = std::min(ny_ / 2, table.my - 1);
  const int rows = most_y - least_y + 1;
  auto half = fftw_buffer<std::complex<double>>(as_size(rows) * row_stride_);
  const TeamWork work(worth_threads_, seconds_alone(2));
#pragma omp parallel if (work.by_all())
  {
    auto line = fftw_buffer<double>(as_size(nx_));
#pragma omp for
    for (int r = 0; r < rows; ++r) {
      std::fill_n(line.get(), nx_, 0.0);
      for (int kx = least_x; kx <= most_x; ++kx) {
        line[as_size(kx < 0 ? kx + nx_ : kx)] =
            nearest_coefficient(table, kx, r + least_y, nx_, ny_);
      }
      fftw_execute_dft_r2c(plans_->of->row_forward, line.get(),
                           as_fftw(half.get() + as_size(r) * row_stride_));
    }
  }
  const double scale = 1.0 / (static_cast<double>(nx_) * ny_);
  Spectrum spectrum;
  spectrum.real.resize(as_size(columns_) * as_size(ny_));
  spectrum.imaginary.resize(spectrum.real.size());
  double real_size = 0.0;
  double imaginary_size = 0.0;
#pragma omp parallel reduction(max : real_size, imaginary_size) if (work.by_all())
  {
    auto block = fftw_buffer<std::complex<double>>(as_size(ny_) * kColumnBlock);
#pragma omp for
    for (int first = 0; first < columns_; first += kColumnBlock) {
      const int width = std::min(kColumnBlock, columns_ - first);
      std::fill_n(block.get(), as_size(ny_) * kColumnBlock, 0.0);
      for (int r = 0; r < rows; ++r) {
        const int ky = r + least_y;
        const std::complex<double>* from = half.get() + as_size(r) * row_stride_ + first;
        for (int c = 0; c < width; ++c) {
          block[as_size(c) * as_size(ny_) + as_size(ky < 0 ? ky + ny_ : ky)] = from[c];
        }
      }
      plans_->of->forward(block.get(), width);
      for (std::size_t i = 0; i < as_size(width) * as_size(ny_); ++i) {
        const std::size_t k = as_size(first) * as_size(ny_) + i;
        spectrum.real[k] = scale * block[i].real();
        spectrum.imaginary[k] = scale * block[i].imag();
        real_size = std::max(real_size, std::abs(spectrum.real[k]));
        imaginary_size = std::max(imaginary_size, std::abs(spectrum.imaginary[k]));
      }
    }
  }
  // Rounding leaves about 1e-16 of the other part where the coefficients have a parity.
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
  const double scale = 1.0 / (static_cast<double>(nx_) * ny_);
  Spectrum spectrum;
  spectrum.real.resize(as_size(columns_) * as_size(ny_));
  spectrum.imaginary.resize(spectrum.real.size());
  bool is_real = true;
  constexpr double kOfValue = 1.0e-7;  // seconds
  const TeamWork work(worth_threads_, kOfValue * static_cast<double>(spectrum.real.size()));
#pragma omp parallel for reduction(&& : is_real) if (work.by_all())
  for (int kx = 0; kx < columns_; ++kx) {
    for (int row = 0; row < ny_; ++row) {
      const std::complex<double> value = scale * symbol(kx, row <= ny_ / 2 ? row : row - ny_);
      const std::size_t k = as_size(kx) * as_size(ny_) + as_size(row);
      spectrum.real[k] = value.real();
      spectrum.imaginary[k] = value.imag();
      is_real = is_real && value.imag() == 0.0;
    }
  }
  if (is_real) spectrum.imaginary = {};
  return spectrum;
}

void CpuFftConvolution::invert(double identity, std::span<const SpectrumShare> sum,
                               double regularisation, Spectrum& result) const {
  const std::size_t count = as_size(columns_) * as_size(ny_);
  // Stored spectra carry 1/(nx ny): the product of a spectrum and its inverse must be 1/(nx ny)^2.
  const double unit = 1.0 / (static_cast<double>(nx_) * ny_);
  bool is_real = false;
  bool is_imaginary = false;
  for (const SpectrumShare& share : sum) {
    is_real = is_real || !share.spectrum->real.empty();
    is_imaginary = is_imaginary || !share.spectrum->imaginary.empty();
  }
  is_real = is_real || identity != 0.0;
  result.real.resize(is_real ? count : 0);
  result.imaginary.resize(is_imaginary ? count : 0);
  const auto value = [&sum, unit, identity](std::size_t k) {
    std::complex<double> a = identity * unit;
    for (const SpectrumShare& share : sum) a += share.weight * share.spectrum->at(k);
    return a;
  };
  double greatest = 0.0;
  constexpr double kOfShare = 6.0e-9;  // seconds
  const TeamWork work(worth_threads_, kOfShare * static_cast<double>(count * (1 + sum.size())));
#pragma omp parallel for reduction(max : greatest) schedule(static) if (work.by_all())
  for (std::size_t k = 0; k < count; ++k) greatest = std::max(greatest, std::norm(value(k)));
  const double floor = regularisation * std::sqrt(greatest);
  const double scale = unit * unit;
#pragma omp parallel for schedule(static) if (work.by_all())
  for (std::size_t k = 0; k < count; ++k) {
    const std::complex<double> a = value(k);
    const double size2 = std::norm(a) + floor * floor;
    const std::complex<double> inverted = size2 == 0.0 ? 0.0 : scale * std::conj(a) / size2;
    if (is_real) result.real[k] = inverted.real();
    if (is_imaginary) result.imaginary[k] = inverted.imag();
  }
}

Spectrum CpuFftConvolution::inverse(const Spectrum& spectrum, double regularisation) const {
  const SpectrumShare whole{1.0, &spectrum};
  Spectrum result;
  invert(0.0, std::span(&whole, 1), regularisation, result);
  return result;
}

void CpuFftConvolution::begin(std::size_t fields) {
  while (work_.size() < fields) {
    work_.emplace_back(2 * as_size(my_) * row_stride_);  // complex numbers
    row_loaded_.emplace_back(as_size(my_), char{0});
  }
}

double CpuFftConvolution::seconds_alone(std::size_t transforms) const {
  constexpr double kOfPoint = 4.5e-9;
  return kOfPoint * static_cast<double>(transforms) * nx_ * ny_;
}

void CpuFftConvolution::take_row(std::size_t field, std::size_t iy, const double* values) {
  const bool any = std::any_of(values, values + mx_, [](double v) { return v != 0.0; });
  row_loaded_[field][iy] = any ? 1 : 0;
  if (!any) return;
  double* const padded = ConvolutionScratch::of_this_thread().padded(mx_, nx_);
  std::copy_n(values, mx_, padded);
  fftw_execute_dft_r2c(plans_->of->row_forward, padded, as_fftw(row(field, iy)));
}

void CpuFftConvolution::give_row(std::size_t field, std::size_t iy, double* values) {
  double* const line = ConvolutionScratch::of_this_thread().line(mx_, nx_);
  fftw_execute_dft_c2r(plans_->of->row_backward, as_fftw(row(field, iy)), line);
  std::copy_n(line, mx_, values);
}

void CpuFftConvolution::gather_columns(std::size_t component, int first, int width,
                                       std::complex<double>* block) {
  const std::size_t ny = as_size(ny_);
  for (std::size_t iy = 0; iy < as_size(my_); ++iy) {
    if (row_loaded_[component][iy] != 0) {
      const std::complex<double>* const from = row(component, iy) + first;
      for (int c = 0; c < width; ++c) block[as_size(c) * ny + iy] = from[c];
    } else {
      for (int c = 0; c < width; ++c) block[as_size(c) * ny + iy] = 0.0;
    }
  }
  for (int c = 0; c < width; ++c) std::fill_n(block + as_size(c) * ny + my_, ny_ - my_, 0.0);
}

void CpuFftConvolution::scatter_columns(std::size_t component, int first, int width,
                                        const std::complex<double>* block) {
  for (int iy = 0; iy < my_; ++iy) {
    std::complex<double>* const to = row(component, as_size(iy)) + first;
    for (int c = 0; c < width; ++c) to[c] = block[as_size(c) * as_size(ny_) + as_size(iy)];
  }
}

// Each thread takes its part of the columns, a block at a time. The blocks are the same for any
// number of threads.
void CpuFftConvolution::columns(std::span<const ConvolutionTerm> terms, std::size_t inputs,
                                std::size_t outputs) {
  const std::size_t ny = as_size(ny_);
  const std::size_t block_size = ny * kColumnBlock;
  std::complex<double>* const source =
      ConvolutionScratch::of_this_thread().columns((inputs + outputs) * block_size);
  std::complex<double>* const target = source + inputs * block_size;
  const int threads = omp_get_num_threads();
  const int thread = omp_get_thread_num();
  // Whole cache lines of the rows. Of more lines than threads the last thread has most: the last
  // line is mostly short.
  const int lines = (columns_ + kColumnBlock - 1) / kColumnBlock;
  const int end = std::min(columns_, kColumnBlock * (lines * (thread + 1) / threads));
#pragma omp barrier
  for (int first = kColumnBlock * (lines * thread / threads); first < end; first += kColumnBlock) {
    const int width = std::min(kColumnBlock, end - first);
    for (std::size_t b = 0; b < inputs; ++b) {
      gather_columns(b, first, width, source + b * block_size);
      plans_->of->forward(source + b * block_size, width);
    }
    const std::size_t offset = as_size(first) * ny;
    for (std::size_t a = 0; a < outputs; ++a) {
      std::complex<double>* const to = target + a * block_size;
      bool begun = false;
      for (const ConvolutionTerm& term : terms) {
        if (as_size(term.target) != a) continue;
        const Spectrum& spectrum = *term.spectrum;
        const double* re = spectrum.real.empty() ? nullptr : &spectrum.real[offset];
        const double* im = spectrum.imaginary.empty() ? nullptr : &spectrum.imaginary[offset];
        if (re == nullptr && im == nullptr) continue;
        const std::complex<double>* const from = source + as_size(term.source) * block_size;
        if (begun)
          multiply_spectrum<true>(re, im, term.sign, from, to, as_size(width) * ny);
        else
          multiply_spectrum<false>(re, im, term.sign, from, to, as_size(width) * ny);
        begun = true;
      }
      if (!begun) std::fill_n(to, as_size(width) * ny, 0.0);
      plans_->of->backward(to, width);
      scatter_columns(a, first, width, to);
    }
  }
#pragma omp barrier
}

void CpuFftConvolution::apply(std::span<const ConvolutionTerm> terms,
                              std::span<const double* const> in, std::span<double* const> out) {
  begin(std::max(in.size(), out.size()));
  // One parallel region: to begin one takes as long as a small transform. Rows without contact are
  // nearly free, and lie side by side: the threads take turns.
  const TeamWork work(worth_threads_, seconds_alone(in.size() + out.size()));
#pragma omp parallel if (work.by_all())
  {
#pragma omp for schedule(static, kRowsInTurn) nowait
    for (std::size_t k = 0; k < in.size() * as_size(my_); ++k) {
      const std::size_t iy = k % as_size(my_);
      take_row(k / as_size(my_), iy, in[k / as_size(my_)] + iy * as_size(mx_));
    }
    columns(terms, in.size(), out.size());
#pragma omp for schedule(static)
    for (std::size_t k = 0; k < out.size() * as_size(my_); ++k) {
      const std::size_t iy = k % as_size(my_);
      give_row(k / as_size(my_), iy, out[k / as_size(my_)] + iy * as_size(mx_));
    }
  }
}

}  // namespace slipfield
