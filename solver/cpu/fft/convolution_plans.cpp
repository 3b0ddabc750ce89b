// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/fft/convolution_plans.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "solver/cpu/fftw_planner.h"
#include "solver/cpu/recently_used.h"

namespace slipfield {

ConvolutionPlans::ConvolutionPlans(int nx, int ny, int columns) : ny_(ny) {
  auto real = fftw_buffer<double>(static_cast<std::size_t>(nx));
  auto half = fftw_buffer<std::complex<double>>(static_cast<std::size_t>(columns));
  auto block = fftw_buffer<std::complex<double>>(static_cast<std::size_t>(ny) * kColumnBlock);
  fftw_complex* const values = as_fftw(block.get());
  const std::lock_guard<std::mutex> planning(fftw_planner());
  row_forward = fftw_plan_dft_r2c_1d(nx, real.get(), as_fftw(half.get()), FFTW_ESTIMATE);
  row_backward = fftw_plan_dft_c2r_1d(nx, as_fftw(half.get()), real.get(), FFTW_ESTIMATE);
  const auto plan_columns = [&](int count, int sign) {
    return fftw_plan_many_dft(1, &ny, count, values, nullptr, 1, ny, values, nullptr, 1, ny, sign,
                              FFTW_ESTIMATE);
  };
  block_forward_ = plan_columns(kColumnBlock, FFTW_FORWARD);
  block_backward_ = plan_columns(kColumnBlock, FFTW_BACKWARD);
  column_forward_ = plan_columns(1, FFTW_FORWARD);
  column_backward_ = plan_columns(1, FFTW_BACKWARD);
}

ConvolutionPlans::~ConvolutionPlans() {
  const std::lock_guard<std::mutex> planning(fftw_planner());
  for (fftw_plan plan : {row_forward, row_backward, block_forward_, block_backward_,
                         column_forward_, column_backward_})
    fftw_destroy_plan(plan);
}

void ConvolutionPlans::forward(std::complex<double>* block, int width) const {
  transform(block_forward_, column_forward_, block, width);
}

void ConvolutionPlans::backward(std::complex<double>* block, int width) const {
  transform(block_backward_, column_backward_, block, width);
}

void ConvolutionPlans::transform(fftw_plan whole, fftw_plan one, std::complex<double>* block,
                                 int width) const {
  if (width == kColumnBlock) return fftw_execute_dft(whole, as_fftw(block), as_fftw(block));
  for (int c = 0; c < width; ++c) {
    fftw_complex* const column = as_fftw(block + std::ptrdiff_t{ny_} * c);
    fftw_execute_dft(one, column, column);
  }
}

std::shared_ptr<const ConvolutionPlans> convolution_plans(int nx, int ny, int columns) {
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

}  // namespace slipfield
