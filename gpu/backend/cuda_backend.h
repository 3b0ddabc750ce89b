// SPDX-License-Identifier: Apache-2.0
// The GPU as a backend of the solvers: the names of solver/cpu/cpu_backend.h on device memory and
// one stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/backend/cuda_influence.h"
#include "gpu/dense/cuda_dense.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/cuda_stream.h"
#include "gpu/device/current_device.h"
#include "gpu/device/device_array.h"
#include "gpu/device/element_launch.h"
#include "gpu/device/krylov.h"
#include "gpu/device/read_back.h"
#include "gpu/device/staged_download.h"
#include "gpu/gauss_seidel/cuda_gauss_seidel.h"
#include "solver/fields/own_rows.h"

namespace slipfield {

// One stream and the scratch of its reductions; nothing of it is shared between runs.
class CudaBackend : public OneOwner<CudaBackend> {
 public:
  // most_krylov: products of a solve by GMRES, for whose vectors there is memory.
  explicit CudaBackend(int most_krylov = kKrylovRestart)
      : workspace_(element_workspace_size()), most_krylov_(most_krylov) {
    workspace_.zero(stream());
  }
  [[nodiscard]] int most_krylov() const { return most_krylov_; }

  // Starts as zeros.
  template <class T>
  class Array {
   public:
    Array() = default;
    explicit Array(std::size_t count) : values_(count) { values_.zero(); }
    [[nodiscard]] T* data() { return values_.data(); }
    [[nodiscard]] const T* data() const { return values_.data(); }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] DeviceArray<T>& device() { return values_; }
    [[nodiscard]] const DeviceArray<T>& device() const { return values_; }

   private:
    DeviceArray<T> values_;
  };

  using Influence = CudaInfluence;
  using GaussSeidel = CudaGaussSeidel;
  using Dense = CudaDense;
  // Where products cost their launches, those on a coarse grid cost as much as the fine ones that
  // they save: without them cases/steady_circle.yaml takes 5.4 ms at 64^2, with them 6.4 (NVIDIA
  // H200, CUDA 13.0); cases/steady_spin.yaml 8.1 and 7.8, but at 96^2 12.2 and 8.9.
  static constexpr int kLeastForCoarseStart = 65;

  static std::string name() { return "cuda"; }
  [[nodiscard]] std::string device_name() const;
  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }

  // of_card: where the sums are left in place of op.finish(sums).
  template <class Op>
  void run(std::size_t count, const Op& op, double* of_card = nullptr) {
    launch_element_op(op, count, {workspace_.data(), of_card}, stream(), overlap_);
  }
  // Adds up the partial sums of `cards` cards, which lie kCardSums apart, and finishes the
  // operation.
  template <class Op>
  void finish(const Op& op, const double* sums, int cards) {
    launch_element_finish(op, sums, cards, stream(), overlap_);
  }

  // The first value; waits for the stream.
  template <class T>
  T read(const Array<T>& array) {
    static_assert(sizeof(T) <= kStagingBytes && std::is_trivially_copyable_v<T>);
    read_back(array.data(), staging_.get(), sizeof(T), stream(), overlap_);
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream()));
    ++waits_;
    return *static_cast<const T*>(staging_.get());
  }

  // Begins to read the first value: end_read() waits for what was launched before, and not for what
  // is launched in between. One value at a time.
  template <class T>
  void begin_read(const Array<T>& array) {
    static_assert(sizeof(T) <= kStagingBytes && std::is_trivially_copyable_v<T>);
    if (std::exchange(written_ahead_, nullptr) != static_cast<const void*>(array.data()))
      read_back(array.data(), ahead_.get(), sizeof(T), stream(), overlap_);
    SLIPFIELD_CUDA_CHECK(cudaEventRecord(has_read_.get(), stream()));
  }
  template <class T>
  T end_read() {
    SLIPFIELD_CUDA_CHECK(cudaEventSynchronize(has_read_.get()));
    ++waits_;
    return *static_cast<const T*>(ahead_.get());
  }

  // As Gmres's (solver/fields/gmres.h) by its element operations, in one or two launches. Where
  // it is one, the column is on its way to the host: begin_read() may follow at once.
  void orthogonalize(const KrylovBasis& basis, int count, double* w, float* stored,
                     KrylovColumn* column, std::size_t /*counted*/) {
    auto* const host = static_cast<KrylovColumn*>(ahead_.get());
    written_ahead_ =
        krylov().orthogonalize(basis, count, w, stored, column, host) ? column : nullptr;
  }
  CudaKrylov& krylov() {
    if (!krylov_) krylov_.emplace(stream(), overlap_);
    return *krylov_;
  }

  template <class T>
  void write(Array<T>& array, const T& value) {
    constexpr std::size_t kDoubles = sizeof(T) / sizeof(double);
    static_assert(kDoubles <= kMostWritten);
    static_assert(kDoubles * sizeof(double) == sizeof(T) && std::is_trivially_copyable_v<T>);
    static_assert(alignof(T) == alignof(double));
    write_through(reinterpret_cast<const double*>(&value), reinterpret_cast<double*>(array.data()),
                  kDoubles, stream(), overlap_);
  }

  [[nodiscard]] double greatest(const Array<double>& array) const {
    find_greatest(array.data(), array.size(), greatest_.data(), stream(), overlap_);
    read_back(greatest_.data(), staging_.get(), sizeof(double), stream(), overlap_);
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream()));
    return *static_cast<const double*>(staging_.get());
  }

  template <class T>
  std::vector<T> download(const Array<T>& array) const {
    return download(array.data(), array.size());
  }

  template <class T>
  std::vector<T> download(const T* values, std::size_t count) const {
    std::vector<T> host = make_host_values<T>(count);
    download_.copy(host.data(), values, count * sizeof(T), stream());
    return host;
  }

  template <class T>
  void upload(const std::vector<T>& values, Array<T>& array) {
    array.device().upload(values, stream());
  }

  // Number of times that the host waited for the device to read a value.
  [[nodiscard]] std::size_t waits() const { return waits_; }

 private:
  static constexpr std::size_t kStagingBytes = 4096;
  CudaStream stream_;
  bool overlap_ = runs_fused_fft(current_limits());
  PinnedMemory staging_{kStagingBytes};
  PinnedMemory ahead_{kStagingBytes};  // of begin_read()
  CudaEvent has_read_;
  mutable StagedDownload download_;
  const void* written_ahead_ = nullptr;  // source that the last launch also copied to ahead_
  DeviceArray<double> workspace_;
  mutable DeviceArray<double> greatest_{1};
  int most_krylov_;
  std::optional<CudaKrylov> krylov_;  // made on first use
  std::size_t waits_ = 0;
};

}  // namespace slipfield
