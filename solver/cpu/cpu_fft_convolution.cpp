// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/cpu_fft_convolution.h"

#include <fftw3.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/cpu/fftw_planner.h"
#include "solver/cpu/recently_used.h"

namespace slipfield {
namespace {

constexpr int kColumnBlock = 4;  // 4 complex numbers: one cache line of each row
constexpr int kRowsInTurn = 2;

fftw_complex* raw(std::complex<double>* values) { return reinterpret_cast<fftw_complex*>(values); }

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

struct ConvolutionPlans {
  fftw_plan row_forward = nullptr;
  fftw_plan row_backward = nullptr;
  fftw_plan column_forward = nullptr;  // kColumnBlock contiguous columns, in place
  fftw_plan column_backward = nullptr;

  ConvolutionPlans(int nx, int ny, int columns) {
    auto real = fftw_buffer<double>(as_size(nx));
    auto half = fftw_buffer<std::complex<double>>(as_size(columns));
    auto block = fftw_buffer<std::complex<double>>(as_size(ny) * kColumnBlock);
    const std::lock_guard<std::mutex> planning(fftw_planner());
    row_forward = fftw_plan_dft_r2c_1d(nx, real.get(), raw(half.get()), FFTW_ESTIMATE);
    row_backward = fftw_plan_dft_c2r_1d(nx, raw(half.get()), real.get(), FFTW_ESTIMATE);
    column_forward =
        fftw_plan_many_dft(1, &ny, kColumnBlock, raw(block.get()), nullptr, 1, ny, raw(block.get()),
                           nullptr, 1, ny, FFTW_FORWARD, FFTW_ESTIMATE);
    column_backward =
        fftw_plan_many_dft(1, &ny, kColumnBlock, raw(block.get()), nullptr, 1, ny, raw(block.get()),
                           nullptr, 1, ny, FFTW_BACKWARD, FFTW_ESTIMATE);
  }
  ~ConvolutionPlans() {
    const std::lock_guard<std::mutex> planning(fftw_planner());
    for (fftw_plan plan : {row_forward, row_backward, column_forward, column_backward}) {
      fftw_destroy_plan(plan);
    }
  }
  ConvolutionPlans(const ConvolutionPlans&) = delete;
  ConvolutionPlans& operator=(const ConvolutionPlans&) = delete;
};

namespace {

// Those of the transforms that were asked for last are kept.
std::shared_ptr<const ConvolutionPlans> plans_of(int nx, int ny, int columns) {
  constexpr std::size_t kMostPlans = 16;
  constexpr int kLargest = 1024;  // of a transform whose plans are kept
  using Size = std::pair<int, int>;
  using Recent = RecentlyUsed<Size, std::shared_ptr<const ConvolutionPlans>>;
  static_cast<void>(fftw_planner());  // made before them, it outlives them
  static Recent recent(kMostPlans);
  if (auto found = recent.find({nx, ny})) return *found;
  auto plans = std::make_shared<const ConvolutionPlans>(nx, ny, columns);
  if (std::max(nx, ny) <= kLargest) recent.keep({nx, ny}, plans);
  return plans;
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
      plans_(std::make_unique<Plans>(Plans{plans_of(nx_, ny_, columns_)})) {}

CpuFftConvolution::~CpuFftConvolution() {
  for (std::complex<double>* field : work_) fftw_free(field);
}

std::size_t CpuFftConvolution::memory_bytes(const Grid& grid, int components, int spectra) {
  const bool padded = grid.boundary == Boundary::free;
  const auto nx = as_size(padded ? fast_transform_size(2 * grid.mx - 1) : grid.mx);
  const auto ny = as_size(padded ? fast_transform_size(2 * grid.my - 1) : grid.my);
  return (nx / 2 + 1) * (as_size(grid.my) * as_size(components) * sizeof(std::complex<double>) +
                         ny * as_size(spectra) * sizeof(double));
}

std::complex<double>* CpuFftConvolution::row(std::size_t component, std::size_t iy) {
  return work_[component] + iy * row_stride_;
}

Spectrum CpuFftConvolution::transform(const InfluenceTable& table) const {
  // Differences of positions modulo the transform: the nearest of them, as far as the table goes.
  const int least_x = std::max(-(nx_ - 1) / 2, 1 - table.mx);
  const int least_y = std::max(-(ny_ - 1) / 2, 1 - table.my);
  const int most_x = std::min(nx_ / 2, table.mx - 1);
  const int most_y = std::min(ny_ / 2, table.my - 1);
  const int rows = most_y - least_y + 1;
  auto half = fftw_buffer<std::complex<double>>(as_size(rows) * row_stride_);
#pragma omp parallel if (worth_threads_)
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
                           raw(half.get() + as_size(r) * row_stride_));
    }
  }
  const double scale = 1.0 / (static_cast<double>(nx_) * ny_);
  Spectrum spectrum;
  spectrum.real.resize(as_size(columns_) * as_size(ny_));
  spectrum.imaginary.resize(spectrum.real.size());
  double real_size = 0.0;
  double imaginary_size = 0.0;
#pragma omp parallel reduction(max : real_size, imaginary_size) if (worth_threads_)
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
      fftw_execute_dft(plans_->of->column_forward, raw(block.get()), raw(block.get()));
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
#pragma omp parallel for reduction(&& : is_real) if (worth_threads_)
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
#pragma omp parallel for reduction(max : greatest) schedule(static) if (worth_threads_)
  for (std::size_t k = 0; k < count; ++k) greatest = std::max(greatest, std::norm(value(k)));
  const double floor = regularisation * std::sqrt(greatest);
  const double scale = unit * unit;
#pragma omp parallel for schedule(static) if (worth_threads_)
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

// One thread's part of the rows of all components. Rows without contact are nearly free, and lie
// side by side: the threads take turns.
void CpuFftConvolution::forward_rows(std::span<const double* const> in) {
  auto line = fftw_buffer<double>(as_size(nx_));
  std::fill_n(line.get(), nx_, 0.0);
#pragma omp for schedule(static, kRowsInTurn)
  for (std::size_t k = 0; k < in.size() * as_size(my_); ++k) {
    const std::size_t component = k / as_size(my_);
    const std::size_t iy = k % as_size(my_);
    const double* from = in[component] + iy * as_size(mx_);
    const bool any = std::any_of(from, from + mx_, [](double v) { return v != 0.0; });
    row_loaded_[component][iy] = any ? 1 : 0;
    if (!any) continue;
    std::copy_n(from, mx_, line.get());
    fftw_execute_dft_r2c(plans_->of->row_forward, line.get(), raw(row(component, iy)));
  }
}

void CpuFftConvolution::gather_columns(std::size_t component, int first, int width,
                                       std::complex<double>* block) {
  for (int c = 0; c < width; ++c) {
    std::complex<double>* const column = block + as_size(c) * as_size(ny_);
    for (int iy = 0; iy < my_; ++iy) {
      const bool any = row_loaded_[component][as_size(iy)] != 0;
      column[iy] = any ? row(component, as_size(iy))[first + c] : 0.0;
    }
    std::fill(column + my_, column + ny_, 0.0);
  }
}

void CpuFftConvolution::scatter_columns(std::size_t component, int first, int width,
                                        const std::complex<double>* block) {
  for (int iy = 0; iy < my_; ++iy) {
    std::complex<double>* const to = row(component, as_size(iy)) + first;
    for (int c = 0; c < width; ++c) to[c] = block[as_size(c) * as_size(ny_) + as_size(iy)];
  }
}

// One thread's part of the columns, a block at a time.
void CpuFftConvolution::columns(std::span<const ConvolutionTerm> terms, std::size_t inputs,
                                std::size_t outputs) {
  const std::size_t block_size = as_size(ny_) * kColumnBlock;
  auto source = fftw_buffer<std::complex<double>>(inputs * block_size);
  auto target = fftw_buffer<std::complex<double>>(outputs * block_size);
  std::fill_n(source.get(), inputs * block_size, 0.0);
#pragma omp for schedule(static)
  for (int first = 0; first < columns_; first += kColumnBlock) {
    const int width = std::min(kColumnBlock, columns_ - first);
    for (std::size_t b = 0; b < inputs; ++b) {
      std::complex<double>* const block = source.get() + b * block_size;
      gather_columns(b, first, width, block);
      fftw_execute_dft(plans_->of->column_forward, raw(block), raw(block));
    }
    std::fill_n(target.get(), outputs * block_size, 0.0);
    for (const ConvolutionTerm& term : terms) {
      const std::size_t offset = as_size(first) * as_size(ny_);
      const std::size_t count = as_size(width) * as_size(ny_);
      const std::complex<double>* from = source.get() + as_size(term.source) * block_size;
      std::complex<double>* to = target.get() + as_size(term.target) * block_size;
      const double* re = term.spectrum->real.empty() ? nullptr : &term.spectrum->real[offset];
      const double* im =
          term.spectrum->imaginary.empty() ? nullptr : &term.spectrum->imaginary[offset];
      const double sign = term.sign;
      for (std::size_t k = 0; k < count; ++k) {
        const double a = re != nullptr ? sign * re[k] : 0.0;
        const double b = im != nullptr ? sign * im[k] : 0.0;
        const double x = from[k].real();
        const double y = from[k].imag();
        to[k] += std::complex<double>(a * x - b * y, a * y + b * x);
      }
    }
    for (std::size_t a = 0; a < outputs; ++a) {
      std::complex<double>* const block = target.get() + a * block_size;
      fftw_execute_dft(plans_->of->column_backward, raw(block), raw(block));
      scatter_columns(a, first, width, block);
    }
  }
}

// One thread's part of the rows of all components.
void CpuFftConvolution::backward_rows(std::span<double* const> out) {
  auto line = fftw_buffer<double>(as_size(nx_));
#pragma omp for schedule(static)
  for (std::size_t k = 0; k < out.size() * as_size(my_); ++k) {
    const std::size_t component = k / as_size(my_);
    const std::size_t iy = k % as_size(my_);
    fftw_execute_dft_c2r(plans_->of->row_backward, raw(row(component, iy)), line.get());
    std::copy_n(line.get(), mx_, out[component] + iy * as_size(mx_));
  }
}

void CpuFftConvolution::apply(std::span<const ConvolutionTerm> terms,
                              std::span<const double* const> in, std::span<double* const> out) {
  while (work_.size() < std::max(in.size(), out.size())) {
    work_.push_back(fftw_buffer<std::complex<double>>(as_size(my_) * row_stride_).release());
    row_loaded_.emplace_back(as_size(my_), char{0});
  }
  // One parallel region: to begin one takes as long as a small transform.
#pragma omp parallel if (worth_threads_)
  {
    forward_rows(in);
    columns(terms, in.size(), out.size());
    backward_rows(out);
  }
}

}  // namespace slipfield
