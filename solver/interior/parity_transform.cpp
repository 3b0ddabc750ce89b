// SPDX-License-Identifier: Apache-2.0
// A table that is even in both directions or odd in both has a real transform, one that is odd in
// one direction an imaginary one. Two of a kind, A and B, therefore take one complex transform, of
// A + iB. Rows of negative ky need none: they are those of positive ky, with a sign.
#include "solver/interior/parity_transform.h"

#include <fftw3.h>

#include <algorithm>

#include "solver/cpu/fftw_planner.h"

namespace slipfield {
namespace {

constexpr int kColumnsAtOnce = 4;  // a cache line of each row

std::size_t numbers_in(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

}  // namespace

struct ParityTransform::Plans {
  fftw_plan row = nullptr;
  fftw_plan columns = nullptr;  // kColumnsAtOnce contiguous columns, in place

  Plans(int nx, int ny) {
    auto line = fftw_buffer<std::complex<double>>(static_cast<std::size_t>(nx));
    auto block = fftw_buffer<std::complex<double>>(numbers_in(ny, kColumnsAtOnce));
    const std::lock_guard<std::mutex> planning(fftw_planner());
    row =
        fftw_plan_dft_1d(nx, as_fftw(line.get()), as_fftw(line.get()), FFTW_FORWARD, FFTW_ESTIMATE);
    columns = fftw_plan_many_dft(1, &ny, kColumnsAtOnce, as_fftw(block.get()), nullptr, 1, ny,
                                 as_fftw(block.get()), nullptr, 1, ny, FFTW_FORWARD, FFTW_ESTIMATE);
  }
  ~Plans() {
    const std::lock_guard<std::mutex> planning(fftw_planner());
    fftw_destroy_plan(row);
    fftw_destroy_plan(columns);
  }
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;
};

ParityTransform::ParityTransform(const Grid& grid)
    : mx_(grid.mx),
      my_(grid.my),
      nx_(fast_transform_size(2 * grid.mx - 1)),
      ny_(fast_transform_size(2 * grid.my - 1)),
      columns_(nx_ / 2 + 1),
      worth_threads_(grid.count() >= kLeastForThreads),
      plans_(std::make_unique<Plans>(nx_, ny_)),
      half_(fftw_buffer<std::complex<double>>(numbers_in(my_, columns_)).release()) {}

ParityTransform::~ParityTransform() { fftw_free(half_); }

std::size_t ParityTransform::memory_bytes(const Grid& grid) {
  return numbers_in(grid.my, fast_transform_size(2 * grid.mx - 1) / 2 + 1) *
         sizeof(std::complex<double>);
}

void ParityTransform::rows(Parity parity, const double* first, const double* second) {
#pragma omp parallel if (worth_threads_)
  {
    auto line = fftw_buffer<std::complex<double>>(static_cast<std::size_t>(nx_));
#pragma omp for schedule(static)
    for (int ky = 0; ky < my_; ++ky) {
      std::fill_n(line.get(), nx_, 0.0);
      const bool zero_row = ky == 0 && parity.y < 0;
      for (int kx = parity.x < 0 ? 1 : 0; kx < mx_ && !zero_row; ++kx) {
        const std::size_t at = numbers_in(ky, mx_) + static_cast<std::size_t>(kx);
        const std::complex<double> value(first[at], second != nullptr ? second[at] : 0.0);
        line[static_cast<std::size_t>(kx)] = value;
        if (kx > 0) line[static_cast<std::size_t>(nx_ - kx)] = parity.x < 0 ? -value : value;
      }
      fftw_execute_dft(plans_->row, as_fftw(line.get()), as_fftw(line.get()));
      std::copy_n(line.get(), columns_, half_ + numbers_in(ky, columns_));
    }
  }
}

void ParityTransform::transform(Parity parity, const double* first, const double* second,
                                Spectrum& spectrum, Spectrum* second_spectrum) {
  rows(parity, first, second);
  const bool is_real = parity.x == parity.y;
  const std::size_t count = numbers_in(columns_, ny_);
  const auto part_of = [&](Spectrum& of) {
    of.real.resize(is_real ? count : 0);
    of.imaginary.resize(is_real ? 0 : count);
    return is_real ? of.real.data() : of.imaginary.data();
  };
  double* const to = part_of(spectrum);
  double* const second_to = second_spectrum != nullptr ? part_of(*second_spectrum) : nullptr;
  const double scale = 1.0 / (static_cast<double>(nx_) * ny_);
#pragma omp parallel if (worth_threads_)
  {
    auto block = fftw_buffer<std::complex<double>>(numbers_in(ny_, kColumnsAtOnce));
#pragma omp for schedule(static)
    for (int begin = 0; begin < columns_; begin += kColumnsAtOnce) {
      const int width = std::min(kColumnsAtOnce, columns_ - begin);
      std::fill_n(block.get(), numbers_in(ny_, kColumnsAtOnce), 0.0);
      for (int ky = 0; ky < my_; ++ky) {
        const std::complex<double>* const from = half_ + numbers_in(ky, columns_) + begin;
        for (int c = 0; c < width; ++c) {
          std::complex<double>* const column = block.get() + numbers_in(c, ny_);
          column[ky] = from[c];
          if (ky > 0) column[ny_ - ky] = parity.y < 0 ? -from[c] : from[c];
        }
      }
      fftw_execute_dft(plans_->columns, as_fftw(block.get()), as_fftw(block.get()));
      // A + iB of real A and B; of imaginary ones, A = iA', it is -B' + iA'.
      const std::size_t offset = numbers_in(begin, ny_);
      for (std::size_t i = 0; i < numbers_in(width, ny_); ++i)
        to[offset + i] = scale * (is_real ? block[i].real() : block[i].imag());
      if (second_to == nullptr) continue;
      for (std::size_t i = 0; i < numbers_in(width, ny_); ++i)
        second_to[offset + i] = scale * (is_real ? block[i].imag() : -block[i].real());
    }
  }
}

}  // namespace slipfield
