// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/fft/convolution_rows.h"

#include <omp.h>

#include <algorithm>
#include <utility>

#include "solver/cpu/fft/convolution_plans.h"
#include "solver/cpu/recently_used.h"

namespace slipfield {

template <class Real>
ConvolutionPlans<Real>::ConvolutionPlans(int nx, int ny, int columns) : ny_(ny) {
  constexpr int kTogether = kColumnBlock<Real>;
  auto real = fftw_buffer<Real>(static_cast<std::size_t>(nx));
  auto half = fftw_buffer<std::complex<Real>>(static_cast<std::size_t>(columns));
  const std::size_t block = static_cast<std::size_t>(ny) * kTogether;
  auto from = fftw_buffer<std::complex<Real>>(block);
  auto to = fftw_buffer<std::complex<Real>>(block);
  const std::lock_guard<std::mutex> planning(fftw_planner());
  row_forward.reset(Library::kRowForward(nx, real.get(), as_fftw(half.get()), FFTW_ESTIMATE));
  row_backward.reset(Library::kRowBackward(nx, as_fftw(half.get()), real.get(), FFTW_ESTIMATE));
  const auto plan_columns = [&](int count, int sign) {
    return FftwPlan<Real>(Library::kLines(1, &ny, count, as_fftw(from.get()), nullptr, 1, ny,
                                          as_fftw(to.get()), nullptr, 1, ny, sign, FFTW_ESTIMATE));
  };
  block_forward_ = plan_columns(kTogether, FFTW_FORWARD);
  block_backward_ = plan_columns(kTogether, FFTW_BACKWARD);
  column_forward_ = plan_columns(1, FFTW_FORWARD);
  column_backward_ = plan_columns(1, FFTW_BACKWARD);
}

template <class Real>
void ConvolutionPlans<Real>::forward(std::complex<Real>* from, std::complex<Real>* to,
                                     int width) const {
  transform(block_forward_, column_forward_, from, to, width);
}

template <class Real>
void ConvolutionPlans<Real>::backward(std::complex<Real>* from, std::complex<Real>* to,
                                      int width) const {
  transform(block_backward_, column_backward_, from, to, width);
}

template <class Real>
void ConvolutionPlans<Real>::transform(const FftwPlan<Real>& whole, const FftwPlan<Real>& one,
                                       std::complex<Real>* from, std::complex<Real>* to,
                                       int width) const {
  if (width == kColumnBlock<Real>)
    return Library::kExecuteLines(whole.get(), as_fftw(from), as_fftw(to));
  for (int c = 0; c < width; ++c) {
    const std::ptrdiff_t column = std::ptrdiff_t{ny_} * c;
    Library::kExecuteLines(one.get(), as_fftw(from + column), as_fftw(to + column));
  }
}

template <class Real>
std::shared_ptr<const ConvolutionPlans<Real>> convolution_plans(int nx, int ny, int columns) {
  constexpr std::size_t kMostPlans = 1024;  // a wheel's contacts and windows have some hundred
  constexpr int kLargest = 4096;            // of a transform whose plans are kept
  using Size = std::pair<int, int>;
  struct Hash {
    std::size_t operator()(const Size& size) const {
      return (static_cast<std::size_t>(size.first) << 20U) ^ static_cast<std::size_t>(size.second);
    }
  };
  using Recent = RecentlyUsed<Size, std::shared_ptr<const ConvolutionPlans<Real>>, Hash>;
  static_cast<void>(fftw_planner());  // constructed first so that it outlives them
  static Recent recent(kMostPlans);
  if (auto found = recent.find({nx, ny})) return *found;
  auto plans = std::make_shared<const ConvolutionPlans<Real>>(nx, ny, columns);
  if (std::max(nx, ny) <= kLargest) recent.keep({nx, ny}, plans);
  return plans;
}

template struct ConvolutionPlans<double>;
template struct ConvolutionPlans<float>;
template std::shared_ptr<const ConvolutionPlans<double>> convolution_plans(int, int, int);
template std::shared_ptr<const ConvolutionPlans<float>> convolution_plans(int, int, int);

// Scratch memory of a thread for convolutions.

// Kept from one product to the next, because new memory arrives page by page.
template <class Real>
class ConvolutionScratch {
 public:
  // A row of nx numbers, zeros from mx on.
  Real* padded(int mx, int nx) {
    if (mx == mx_ && nx == nx_) return padded_.get();
    padded_ = fftw_buffer<Real>(static_cast<std::size_t>(nx));
    line_ = fftw_buffer<Real>(static_cast<std::size_t>(nx));
    std::fill_n(padded_.get(), nx, Real{0});
    mx_ = mx;
    nx_ = nx;
    return padded_.get();
  }
  // Another row, uninitialised.
  Real* line(int mx, int nx) {
    padded(mx, nx);
    return line_.get();
  }
  std::complex<Real>* columns(std::size_t count) {
    if (count > columns_count_) {
      columns_ = fftw_buffer<std::complex<Real>>(count);
      columns_count_ = count;
    }
    return columns_.get();
  }

  static ConvolutionScratch& of_this_thread() {
    thread_local ConvolutionScratch scratch;
    return scratch;
  }

 private:
  int mx_ = 0;
  int nx_ = 0;
  FftwBuffer<Real> padded_;
  FftwBuffer<Real> line_;
  FftwBuffer<std::complex<Real>> columns_;
  std::size_t columns_count_ = 0;
};

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

std::size_t as_count(int value) { return static_cast<std::size_t>(value); }

// to = (or +=) sign * spectrum * from, of `count` entries
template <bool kAdd, class Real>
void multiply_spectrum(const Real* re, const Real* im, Real sign, const std::complex<Real>* from,
                       std::complex<Real>* to, std::size_t count) {
  const auto* const in = reinterpret_cast<const Real*>(from);
  auto* const out = reinterpret_cast<Real*>(to);
  const auto put = [out](std::size_t k, Real x, Real y) {
    out[2 * k] = kAdd ? out[2 * k] + x : x;
    out[2 * k + 1] = kAdd ? out[2 * k + 1] + y : y;
  };
  if (im == nullptr) {
#pragma omp simd
    for (std::size_t k = 0; k < count; ++k) {
      const Real a = sign * re[k];
      put(k, a * in[2 * k], a * in[2 * k + 1]);
    }
  } else if (re == nullptr) {
#pragma omp simd
    for (std::size_t k = 0; k < count; ++k) {
      const Real b = sign * im[k];
      put(k, -b * in[2 * k + 1], b * in[2 * k]);
    }
  } else {
#pragma omp simd
    for (std::size_t k = 0; k < count; ++k) {
      const Real a = sign * re[k];
      const Real b = sign * im[k];
      const Real x = in[2 * k];
      const Real y = in[2 * k + 1];
      put(k, a * x - b * y, a * y + b * x);
    }
  }
}

}  // namespace

template <class Real>
ConvolutionRows<Real>::ConvolutionRows(const Grid& grid)
    : mx_(grid.mx),
      my_(grid.my),
      nx_(transform_size(grid.mx, repeats_in_x(grid.boundary))),
      ny_(transform_size(grid.my, repeats_in_y(grid.boundary))),
      columns_(nx_ / 2 + 1),
      row_stride_((as_count(columns_) + kColumnBlock<Real> - 1) / kColumnBlock<Real> *
                  kColumnBlock<Real>),
      worth_threads_(grid.count() >= kLeastForProducts),
      plans_(convolution_plans<Real>(nx_, ny_, columns_)) {}

template <class Real>
std::complex<Real>* ConvolutionRows<Real>::row(std::size_t field, std::size_t iy) {
  return reinterpret_cast<Complex*>(work_[field].data()) + iy * row_stride_;
}

template <class Real>
void ConvolutionRows<Real>::begin(std::size_t fields) {
  while (work_.size() < fields) {
    work_.emplace_back(2 * as_count(my_) * row_stride_);  // complex numbers
    row_loaded_.emplace_back(as_count(my_), char{0});
  }
}

template <class Real>
double ConvolutionRows<Real>::seconds_alone(std::size_t transforms) const {
  constexpr double kOfPoint = sizeof(Real) < sizeof(double) ? 2.6e-9 : 4.5e-9;
  return kOfPoint * static_cast<double>(transforms) * nx_ * ny_;
}

template <class Real>
void ConvolutionRows<Real>::take_row(std::size_t field, std::size_t iy, const double* values) {
  const bool any = std::any_of(values, values + mx_, [](double v) { return v != 0.0; });
  // Threads share the cache lines of these marks, so write only changes, which are rare.
  const char loaded = any ? 1 : 0;
  if (row_loaded_[field][iy] != loaded) row_loaded_[field][iy] = loaded;
  if (!any) return;
  Real* const padded = ConvolutionScratch<Real>::of_this_thread().padded(mx_, nx_);
  for (int ix = 0; ix < mx_; ++ix) padded[ix] = static_cast<Real>(values[ix]);
  Fftw<Real>::kExecuteForward(plans_->row_forward.get(), padded, as_fftw(row(field, iy)));
}

template <class Real>
void ConvolutionRows<Real>::give_row(std::size_t field, std::size_t iy, double* values) {
  Real* const line = ConvolutionScratch<Real>::of_this_thread().line(mx_, nx_);
  Fftw<Real>::kExecuteBackward(plans_->row_backward.get(), as_fftw(row(field, iy)), line);
  std::copy_n(line, mx_, values);
}

// Each line of a row was last written by the thread that had the row. If this thread also gets the
// next block, it prefetches that block's lines, to which it will finally write, while this block is
// transformed.
template <class Real>
void ConvolutionRows<Real>::gather_columns(std::size_t field, int first, int width, bool goes_on,
                                           Complex* block) {
  const std::size_t ny = as_count(ny_);
  constexpr int kWhole = kColumnBlock<Real>;
  for (std::size_t iy = 0; iy < as_count(my_); ++iy) {
    const Complex* const from = row(field, iy) + first;
    if (goes_on) __builtin_prefetch(from + kWhole, 1);
    if (row_loaded_[field][iy] == 0) {
      for (int c = 0; c < width; ++c) block[as_count(c) * ny + iy] = Complex{};
    } else if (width == kWhole) {
      for (int c = 0; c < kWhole; ++c) block[as_count(c) * ny + iy] = from[c];
    } else {
      for (int c = 0; c < width; ++c) block[as_count(c) * ny + iy] = from[c];
    }
  }
  for (int c = 0; c < width; ++c) std::fill_n(block + as_count(c) * ny + my_, ny_ - my_, Complex{});
}

template <class Real>
void ConvolutionRows<Real>::scatter_columns(std::size_t field, int first, int width,
                                            const Complex* block) {
  const std::size_t ny = as_count(ny_);
  constexpr int kWhole = kColumnBlock<Real>;
  for (std::size_t iy = 0; iy < as_count(my_); ++iy) {
    Complex* const to = row(field, iy) + first;
    if (width == kWhole) {
      for (int c = 0; c < kWhole; ++c) to[c] = block[as_count(c) * ny + iy];
    } else {
      for (int c = 0; c < width; ++c) to[c] = block[as_count(c) * ny + iy];
    }
  }
}

// Each thread takes its part of the columns, block by block. The blocks are the same for any number
// of threads.
template <class Real>
void ConvolutionRows<Real>::columns(std::span<const ConvolutionTermOf<Real>> terms,
                                    std::size_t inputs, std::size_t outputs) {
  constexpr int kTogether = kColumnBlock<Real>;
  const std::size_t ny = as_count(ny_);
  const std::size_t block_size = ny * kTogether;
  Complex* const source =
      ConvolutionScratch<Real>::of_this_thread().columns((inputs + outputs + 1) * block_size);
  Complex* const target = source + inputs * block_size;
  Complex* const block = target + outputs * block_size;  // as rows give and take it
  const int threads = omp_get_num_threads();
  const int thread = omp_get_thread_num();
  // Whole cache lines of the rows. With more lines than threads the last thread gets the most,
  // because the last line is mostly short.
  const int lines = (columns_ + kTogether - 1) / kTogether;
  const int end = std::min(columns_, kTogether * (lines * (thread + 1) / threads));
#pragma omp barrier
  for (int first = kTogether * (lines * thread / threads); first < end; first += kTogether) {
    const int width = std::min(kTogether, end - first);
    for (std::size_t b = 0; b < inputs; ++b) {
      gather_columns(b, first, width, first + kTogether < end, block);
      plans_->forward(block, source + b * block_size, width);
    }
    const std::size_t offset = as_count(first) * ny;
    for (std::size_t a = 0; a < outputs; ++a) {
      Complex* const to = target + a * block_size;
      bool begun = false;
      for (const ConvolutionTermOf<Real>& term : terms) {
        if (as_count(term.target) != a) continue;
        const SpectrumOf<Real>& spectrum = *term.spectrum;
        const Real* re = spectrum.real.empty() ? nullptr : &spectrum.real[offset];
        const Real* im = spectrum.imaginary.empty() ? nullptr : &spectrum.imaginary[offset];
        if (re == nullptr && im == nullptr) continue;
        const Complex* const from = source + as_count(term.source) * block_size;
        if (begun)
          multiply_spectrum<true>(re, im, static_cast<Real>(term.sign), from, to,
                                  as_count(width) * ny);
        else
          multiply_spectrum<false>(re, im, static_cast<Real>(term.sign), from, to,
                                   as_count(width) * ny);
        begun = true;
      }
      if (!begun) std::fill_n(to, as_count(width) * ny, Complex{});
      plans_->backward(to, block, width);
      scatter_columns(a, first, width, block);
    }
  }
#pragma omp barrier
}

template class ConvolutionRows<double>;
template class ConvolutionRows<float>;

}  // namespace slipfield
