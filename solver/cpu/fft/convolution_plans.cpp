// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/fft/convolution_plans.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "solver/cpu/fftw_planner.h"
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
  row_forward = Library::kRowForward(nx, real.get(), as_fftw(half.get()), FFTW_ESTIMATE);
  row_backward = Library::kRowBackward(nx, as_fftw(half.get()), real.get(), FFTW_ESTIMATE);
  const auto plan_columns = [&](int count, int sign) {
    return Library::kLines(1, &ny, count, as_fftw(from.get()), nullptr, 1, ny, as_fftw(to.get()),
                           nullptr, 1, ny, sign, FFTW_ESTIMATE);
  };
  block_forward_ = plan_columns(kTogether, FFTW_FORWARD);
  block_backward_ = plan_columns(kTogether, FFTW_BACKWARD);
  column_forward_ = plan_columns(1, FFTW_FORWARD);
  column_backward_ = plan_columns(1, FFTW_BACKWARD);
}

template <class Real>
ConvolutionPlans<Real>::~ConvolutionPlans() {
  const std::lock_guard<std::mutex> planning(fftw_planner());
  for (Plan plan : {row_forward, row_backward, block_forward_, block_backward_, column_forward_,
                    column_backward_})
    Library::kDestroy(plan);
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
void ConvolutionPlans<Real>::transform(Plan whole, Plan one, std::complex<Real>* from,
                                       std::complex<Real>* to, int width) const {
  if (width == kColumnBlock<Real>) return Library::kExecuteLines(whole, as_fftw(from), as_fftw(to));
  for (int c = 0; c < width; ++c) {
    const std::ptrdiff_t column = std::ptrdiff_t{ny_} * c;
    Library::kExecuteLines(one, as_fftw(from + column), as_fftw(to + column));
  }
}

template <class Real>
std::shared_ptr<const ConvolutionPlans<Real>> convolution_plans(int nx, int ny, int columns) {
  constexpr std::size_t kMostPlans = 16;
  constexpr int kLargest = 4096;  // of a transform whose plans are kept
  using Size = std::pair<int, int>;
  using Recent = RecentlyUsed<Size, std::shared_ptr<const ConvolutionPlans<Real>>>;
  static_cast<void>(fftw_planner());  // made before them, it outlives them
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

}  // namespace slipfield
