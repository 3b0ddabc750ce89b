// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/cpu_curved.h"

#include <fftw3.h>

#include <Eigen/Core>
#include <algorithm>

#include "solver/cpu/fftw_planner.h"

namespace slipfield {

const InfluenceTable& CpuCurved::table(int to, int from) {
  if (!tables_) tables_ = coefficients_.tables();
  return (*tables_)[pair_of(to, from)];
}

const Spectrum& CpuCurved::spectrum(int to, int from, CpuFftConvolution& convolution) {
  auto& slot = spectra_[pair_of(to, from)];
  if (!slot) slot = convolution.transform(table(to, from));
  return *slot;
}

CpuRowProduct& CpuCurved::rows() {
  if (!rows_) rows_ = std::make_unique<CpuRowProduct>(coefficients_, grid_);
  return *rows_;
}

struct CpuRowProduct::Plans {
  FftwPlan<> forward, backward;

  Plans(int nx, int frequencies) {
    auto line = fftw_buffer<double>(static_cast<std::size_t>(nx));
    auto half = fftw_buffer<fftw_complex>(static_cast<std::size_t>(frequencies));
    const std::lock_guard<std::mutex> planning(fftw_planner());
    forward.reset(fftw_plan_dft_r2c_1d(nx, line.get(), half.get(), FFTW_ESTIMATE));
    backward.reset(fftw_plan_dft_c2r_1d(nx, half.get(), line.get(), FFTW_ESTIMATE));
  }
};

CpuRowProduct::CpuRowProduct(const CurvedTables& tables, const Grid& grid)
    : mx_(grid.mx),
      my_(grid.my),
      nx_(fast_transform_size(2 * grid.mx - 1)),
      frequencies_(nx_ / 2 + 1),
      worth_threads_(grid.count() >= kLeastForThreads),
      plans_(std::make_unique<Plans>(nx_, frequencies_)) {
  const auto my = static_cast<std::size_t>(my_);
  const auto width = static_cast<std::size_t>(nx_);
  const auto frequencies = static_cast<std::size_t>(frequencies_);
  const double scale = 1.0 / nx_;
  for (Field& field : matrices_) field.resize(frequencies * my * my);
  for (auto* fields : {&loads_, &displacements_})
    for (Field& field : *fields) field.resize(frequencies * my);
#pragma omp parallel if (worth_threads_)
  {
    auto lines = fftw_buffer<double>(matrices_.size() * width);
    auto line = fftw_buffer<double>(width);
    auto half = fftw_buffer<fftw_complex>(frequencies);
#pragma omp for
    for (int jy = 0; jy < my_; ++jy) {
      for (int iy = 0; iy < my_; ++iy) {
        tables.period(iy, jy, nx_, scale, width, lines.get());
        for (std::size_t p = 0; p < matrices_.size(); ++p) {
          std::copy_n(lines.get() + p * width, width, line.get());
          fftw_execute_dft_r2c(plans_->forward.get(), line.get(), half.get());
          for (std::size_t f = 0; f < frequencies; ++f)
            matrices_[p][(f * my + static_cast<std::size_t>(jy)) * my +
                         static_cast<std::size_t>(iy)] = {half[f][0], half[f][1]};
        }
      }
    }
  }
}

CpuRowProduct::~CpuRowProduct() = default;

std::size_t CpuRowProduct::memory_bytes(const Grid& grid) {
  const auto nx = static_cast<std::size_t>(fast_transform_size(2 * grid.mx - 1));
  const auto my = static_cast<std::size_t>(grid.my);
  return (nx / 2 + 1) * (9 * my * my + 6 * my) * sizeof(std::complex<double>);
}

void CpuRowProduct::forward(const double* in, Field& field) const {
  const auto my = static_cast<std::size_t>(my_);
#pragma omp parallel if (worth_threads_)
  {
    auto line = fftw_buffer<double>(static_cast<std::size_t>(nx_));
    auto half = fftw_buffer<fftw_complex>(static_cast<std::size_t>(frequencies_));
#pragma omp for
    for (int iy = 0; iy < my_; ++iy) {
      const auto row = static_cast<std::size_t>(iy);
      std::copy_n(in + row * static_cast<std::size_t>(mx_), mx_, line.get());
      std::fill(line.get() + mx_, line.get() + nx_, 0.0);
      fftw_execute_dft_r2c(plans_->forward.get(), line.get(), half.get());
      for (std::size_t f = 0; f < static_cast<std::size_t>(frequencies_); ++f)
        field[f * my + row] = {half[f][0], half[f][1]};
    }
  }
}

void CpuRowProduct::backward(const Field& field, double* out) const {
  const auto my = static_cast<std::size_t>(my_);
#pragma omp parallel if (worth_threads_)
  {
    auto line = fftw_buffer<double>(static_cast<std::size_t>(nx_));
    auto half = fftw_buffer<fftw_complex>(static_cast<std::size_t>(frequencies_));
#pragma omp for
    for (int iy = 0; iy < my_; ++iy) {
      const auto row = static_cast<std::size_t>(iy);
      for (std::size_t f = 0; f < static_cast<std::size_t>(frequencies_); ++f) {
        half[f][0] = field[f * my + row].real();
        half[f][1] = field[f * my + row].imag();
      }
      fftw_execute_dft_c2r(plans_->backward.get(), half.get(), line.get());
      std::copy_n(line.get(), mx_, out + row * static_cast<std::size_t>(mx_));
    }
  }
}

void CpuRowProduct::apply(Block block, const std::array<const double*, kDirections>& in,
                          const std::array<double*, kDirections>& out) {
  const auto my = static_cast<std::size_t>(my_);
  const auto index = [](int direction) { return static_cast<std::size_t>(direction); };
  for (int from = 0; from < kDirections; ++from)
    if (block_takes(block, from)) forward(in[index(from)], loads_[index(from)]);
  using Vector = Eigen::Map<Eigen::VectorXcd>;
  using Matrix = Eigen::Map<const Eigen::MatrixXcd>;
#pragma omp parallel for if (worth_threads_)
  for (int f = 0; f < frequencies_; ++f) {
    const std::size_t at = index(f) * my;
    for (int to = 0; to < kDirections; ++to) {
      if (!block_gives(block, to)) continue;
      Vector sum(displacements_[index(to)].data() + at, my_);
      sum.setZero();
      for (int from = 0; from < kDirections; ++from) {
        if (!block_takes(block, from)) continue;
        const Matrix matrix(matrices_[pair_of(to, from)].data() + at * my, my_, my_);
        sum.noalias() += matrix * Vector(loads_[index(from)].data() + at, my_);
      }
    }
  }
  for (int to = 0; to < kDirections; ++to)
    if (block_gives(block, to)) backward(displacements_[index(to)], out[index(to)]);
}

}  // namespace slipfield
