// SPDX-License-Identifier: Apache-2.0
// cuFFT for a few rows and columns at a time: needs neither a padded copy of a field nor work space
// of its size. A batch stays within the device's cache.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "gpu/cufft/cufft_check.h"
#include "gpu/device/launch_grid.h"

namespace slipfield {

inline constexpr double kFftBatchBytes = 33.6e6;  // per batch with its copy: half of L2

// Real rows of n to halves of n/2+1 complex numbers and back, batch() of them at a time.
class RowTransforms {
 public:
  // count: number of rows.
  RowTransforms(int n, int count, cudaStream_t stream) {
    const int most = std::max(1, static_cast<int>(kFftBatchBytes / (8.0 * n)));
    const int batches = (count + most - 1) / most;
    batch_ = (count + batches - 1) / batches;
    make(forward_, n, CUFFT_D2Z, stream);
    make(backward_, n, CUFFT_Z2D, stream);
  }
  [[nodiscard]] int batch() const { return batch_; }
  // `count` rounded up to whole batches; the extra rows must exist in memory.
  [[nodiscard]] int rounded_up(int count) const { return (count + batch_ - 1) / batch_ * batch_; }
  void forward(double* rows, double2* halves) const {
    SLIPFIELD_CUFFT_CHECK(cufftExecD2Z(forward_.get(), rows, halves));
  }
  // Overwrites the halves.
  void backward(double2* halves, double* rows) const {
    SLIPFIELD_CUFFT_CHECK(cufftExecZ2D(backward_.get(), halves, rows));
  }
  void on(cudaStream_t stream) const {
    SLIPFIELD_CUFFT_CHECK(cufftSetStream(forward_.get(), stream));
    SLIPFIELD_CUFFT_CHECK(cufftSetStream(backward_.get(), stream));
  }

 private:
  void make(CufftPlan& plan, int n, cufftType type, cudaStream_t stream) const {
    SLIPFIELD_CUFFT_CHECK(
        cufftPlanMany(plan.slot(), 1, &n, nullptr, 1, 0, nullptr, 1, 0, type, batch_));
    plan.made();
    SLIPFIELD_CUFFT_CHECK(cufftSetStream(plan.get(), stream));
  }
  int batch_ = 1;
  CufftPlan forward_;
  CufftPlan backward_;
};

// Complex columns of n, width() of them next to each other: point y of column c at y width() + c.
// In place.
class ColumnTransforms {
 public:
  // count: number of columns.
  ColumnTransforms(int n, int count, cudaStream_t stream) {
    const int most = std::max(1, static_cast<int>(kFftBatchBytes / (16.0 * n)));
    width_ = std::min(count, most > 8 ? most / 8 * 8 : most);
    SLIPFIELD_CUFFT_CHECK(
        cufftPlanMany(plan_.slot(), 1, &n, &n, width_, 1, &n, width_, 1, CUFFT_Z2Z, width_));
    plan_.made();
    on(stream);
  }
  [[nodiscard]] int width() const { return width_; }
  void forward(double2* block) const {
    SLIPFIELD_CUFFT_CHECK(cufftExecZ2Z(plan_.get(), block, block, CUFFT_FORWARD));
  }
  void backward(double2* block) const {
    SLIPFIELD_CUFFT_CHECK(cufftExecZ2Z(plan_.get(), block, block, CUFFT_INVERSE));
  }
  void on(cudaStream_t stream) const { SLIPFIELD_CUFFT_CHECK(cufftSetStream(plan_.get(), stream)); }

 private:
  int width_ = 1;
  CufftPlan plan_;
};

}  // namespace slipfield
