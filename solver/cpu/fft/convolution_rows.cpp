// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/fft/convolution_rows.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "solver/cpu/fft/convolution_plans.h"
#include "solver/cpu/recently_used.h"

namespace slipfield {

template <class Real>
ConvolutionPlans<Real>::ConvolutionPlans(int nx, int ny) : ny_(ny) {
  constexpr int kTogether = kColumnBlock<Real>;
  const auto most = static_cast<std::size_t>(std::max(nx, ny * kTogether));
  auto from = fftw_buffer<std::complex<Real>>(most);
  auto to = fftw_buffer<std::complex<Real>>(most);
  const std::lock_guard<std::mutex> planning(fftw_planner());
  const auto plan = [&](int length, int count, int sign) {
    return FftwPlan<Real>(Library::kLines(1, &length, count, as_fftw(from.get()), nullptr, 1,
                                          length, as_fftw(to.get()), nullptr, 1, length, sign,
                                          FFTW_ESTIMATE));
  };
  row_forward = plan(nx, 1, FFTW_FORWARD);
  row_backward = plan(nx, 1, FFTW_BACKWARD);
  block_forward_ = plan(ny, kTogether, FFTW_FORWARD);
  block_backward_ = plan(ny, kTogether, FFTW_BACKWARD);
  column_forward_ = plan(ny, 1, FFTW_FORWARD);
  column_backward_ = plan(ny, 1, FFTW_BACKWARD);
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
std::shared_ptr<const ConvolutionPlans<Real>> convolution_plans(int nx, int ny) {
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
  auto plans = std::make_shared<const ConvolutionPlans<Real>>(nx, ny);
  if (std::max(nx, ny) <= kLargest) recent.keep({nx, ny}, plans);
  return plans;
}

template struct ConvolutionPlans<double>;
template struct ConvolutionPlans<float>;
template std::shared_ptr<const ConvolutionPlans<double>> convolution_plans(int, int);
template std::shared_ptr<const ConvolutionPlans<float>> convolution_plans(int, int);

// Scratch memory of a thread for convolutions.

// Kept from one product to the next, because new memory arrives page by page.
template <class Real>
class ConvolutionScratch {
 public:
  // A row of nx complex numbers, zeros from mx on.
  std::complex<Real>* padded(int mx, int nx) {
    if (mx == mx_ && nx == nx_) return padded_.get();
    padded_ = fftw_buffer<std::complex<Real>>(static_cast<std::size_t>(nx));
    line_ = fftw_buffer<std::complex<Real>>(static_cast<std::size_t>(nx));
    std::fill_n(padded_.get(), nx, std::complex<Real>{});
    mx_ = mx;
    nx_ = nx;
    return padded_.get();
  }
  // Another row, uninitialised.
  std::complex<Real>* line(int mx, int nx) {
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
  FftwBuffer<std::complex<Real>> padded_;
  FftwBuffer<std::complex<Real>> line_;
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

constexpr int kLongestOfSmall = 128;

bool is_product_of(int n, std::initializer_list<int> factors) {
  for (const int factor : factors)
    while (n % factor == 0) n /= factor;
  return n == 1;
}

// The least padded size for rows, of which the number of columns follows.
int row_size(int least) {
  if (least > kLongestOfSmall || least < 24) return fast_transform_size(least);
  int n = (least + 7) / 8 * 8;
  while (n % 9 == 0 || !is_product_of(n, {2, 3, 5, 7})) n += 8;
  return n;
}

int column_size(int least) {
  if (least > kLongestOfSmall || least < 12) return fast_transform_size(least);
  const int unit = least <= 20 ? 4 : 16;
  int n = (least + unit - 1) / unit * unit;
  while (n % 9 == 0 || !is_product_of(n, {2, 3, 5})) n += unit;
  return n;
}

}  // namespace

TransformSizes transform_sizes(const Grid& grid) {
  return {repeats_in_x(grid.boundary) ? grid.mx : row_size(2 * grid.mx - 1),
          repeats_in_y(grid.boundary) ? grid.my : column_size(2 * grid.my - 1)};
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
      nx_(transform_sizes(grid).x),
      ny_(transform_sizes(grid).y),
      columns_(nx_ / 2 + 1),
      row_stride_((as_count(nx_) + kColumnBlock<Real> - 1) / kColumnBlock<Real> *
                  kColumnBlock<Real>),
      worth_threads_(grid.count() >= kLeastForProducts),
      plans_(convolution_plans<Real>(nx_, ny_)) {}

template <class Real>
std::complex<Real>* ConvolutionRows<Real>::row(std::size_t field, std::size_t pair) {
  return reinterpret_cast<Complex*>(work_[field].data()) + pair * row_stride_;
}

template <class Real>
void ConvolutionRows<Real>::begin(std::size_t fields) {
  while (work_.size() < fields) {
    work_.emplace_back(2 * pairs_count() * row_stride_);  // complex numbers
    row_loaded_.emplace_back(2 * pairs_count(), char{0});
  }
}

template <class Real>
double ConvolutionRows<Real>::seconds_alone(std::size_t transforms) const {
  constexpr double kOfPoint = sizeof(Real) < sizeof(double) ? 2.6e-9 : 4.5e-9;
  return kOfPoint * static_cast<double>(transforms) * nx_ * ny_;
}

// The pair holds half of its rows, see gather_columns().
template <class Real>
void ConvolutionRows<Real>::take_pair(std::size_t field, std::size_t pair, const double* first,
                                      const double* second) {
  const auto is_loaded = [this](const double* values) {
    return std::any_of(values, values + mx_, [](double v) { return v != 0.0; });
  };
  const std::array<bool, 2> any{is_loaded(first), has_second(pair) && is_loaded(second)};
  // Threads share the cache lines of these marks, so write only changes, which are rare.
  for (std::size_t k = 0; k < 2; ++k) {
    char& loaded = row_loaded_[field][2 * pair + k];
    if (loaded != char{any[k]}) loaded = char{any[k]};
  }
  if (!any[0] && !any[1]) return;
  Complex* const padded = ConvolutionScratch<Real>::of_this_thread().padded(mx_, nx_);
  auto* const numbers = reinterpret_cast<Real*>(padded);
  constexpr Real kHalf{0.5};
  for (int ix = 0; ix < mx_; ++ix) numbers[2 * ix] = kHalf * static_cast<Real>(first[ix]);
  if (any[1])
    for (int ix = 0; ix < mx_; ++ix) numbers[2 * ix + 1] = kHalf * static_cast<Real>(second[ix]);
  else
    for (int ix = 0; ix < mx_; ++ix) numbers[2 * ix + 1] = Real{0};
  Fftw<Real>::kExecuteLines(plans_->row_forward.get(), as_fftw(padded), as_fftw(row(field, pair)));
}

template <class Real>
void ConvolutionRows<Real>::give_pair(std::size_t field, std::size_t pair, double* first,
                                      double* second) {
  Complex* const line = ConvolutionScratch<Real>::of_this_thread().line(mx_, nx_);
  Fftw<Real>::kExecuteLines(plans_->row_backward.get(), as_fftw(row(field, pair)), as_fftw(line));
  const auto* const numbers = reinterpret_cast<const Real*>(line);
  for (int ix = 0; ix < mx_; ++ix) first[ix] = numbers[2 * ix];
  if (!has_second(pair)) return;
  for (int ix = 0; ix < mx_; ++ix) second[ix] = numbers[2 * ix + 1];
}

// The transforms of two real rows a and b are those of z = (a + i b)/2: A(k) = Z(k) + Z(-k)*,
// B(k) = -i (Z(k) - Z(-k)*). Prefetches the lines of the thread's next block, to which it will
// finally write, while this one is transformed.
template <class Real>
void ConvolutionRows<Real>::gather_columns(std::size_t field, int first, int width, bool goes_on,
                                           Complex* block) {
  const std::size_t ny = as_count(ny_);
  const auto separate = [](Complex z, Complex mirrored, Complex* rows) {
    rows[0] = {z.real() + mirrored.real(), z.imag() - mirrored.imag()};
    rows[1] = {z.imag() + mirrored.imag(), mirrored.real() - z.real()};
  };
  for (std::size_t iy = 0; iy < as_count(my_); iy += 2) {
    const Complex* const from = row(field, iy / 2) + first;
    const Complex* const mirrored = row(field, iy / 2) + (nx_ - first);
    if (goes_on) {
      __builtin_prefetch(from + kColumnBlock<Real>, 1);
      __builtin_prefetch(mirrored - kColumnBlock<Real>, 1);
    }
    const bool loads_first = row_loaded_[field][iy] != 0;
    const bool loads_second = row_loaded_[field][iy + 1] != 0;
    if (loads_first && loads_second) {
      const int alone = first == 0 ? 1 : 0;  // its own mirror image
      if (alone > 0) separate(from[0], from[0], block + iy);
      for (int c = alone; c < width; ++c)
        separate(from[c], mirrored[-c], block + as_count(c) * ny + iy);
      continue;
    }
    for (int c = 0; c < width; ++c) {
      std::array<Complex, 2> rows{};
      if (loads_first || loads_second)
        separate(from[c], first + c == 0 ? from[0] : mirrored[-c], rows.data());
      Complex* const to = block + as_count(c) * ny + iy;
      to[0] = loads_first ? rows[0] : Complex{};
      if (has_second(iy / 2)) to[1] = loads_second ? rows[1] : Complex{};
    }
  }
  for (int c = 0; c < width; ++c) std::fill_n(block + as_count(c) * ny + my_, ny_ - my_, Complex{});
}

// Z(k) = A(k) + i B(k), and Z(-k) = A(k)* + i B(k)*. A column that is its own mirror image is real.
template <class Real>
void ConvolutionRows<Real>::scatter_columns(std::size_t field, int first, int width,
                                            const Complex* block) {
  const std::size_t ny = as_count(ny_);
  const int begin = first == 0 ? 1 : 0;
  const int end = 2 * (first + width - 1) == nx_ ? width - 1 : width;
  for (std::size_t iy = 0; iy < as_count(my_); iy += 2) {
    Complex* const to = row(field, iy / 2) + first;
    Complex* const mirrored = row(field, iy / 2) + (nx_ - first);
    const Complex* const rows = block + iy;
    const bool both = has_second(iy / 2);
    const auto own_image = [&](int c) {
      const Complex* const from = rows + as_count(c) * ny;
      to[c] = {from[0].real(), both ? from[1].real() : Real{0}};
    };
    if (begin > 0) own_image(0);
    if (end < width) own_image(width - 1);
    for (int c = begin; c < end; ++c) {
      const Complex* const from = rows + as_count(c) * ny;
      const Complex a = from[0];
      const Complex b = both ? from[1] : Complex{};
      to[c] = {a.real() - b.imag(), a.imag() + b.real()};
      mirrored[-c] = {a.real() + b.imag(), b.real() - a.imag()};
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
  // Whole cache lines of the rows; of the mirrored entries neighbours share one line. With more
  // lines than threads the last thread gets the most, because the last line is mostly short.
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
