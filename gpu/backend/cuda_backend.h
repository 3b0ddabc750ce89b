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

#include "gpu/backend/backend_kit.h"
#include "gpu/backend/cuda_influence.h"
#include "gpu/dense/cuda_dense.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/current_device.h"
#include "gpu/device/device_array.h"
#include "gpu/device/element_launch.h"
#include "gpu/device/krylov.h"
#include "gpu/device/read_back.h"
#include "gpu/gauss_seidel/gauss_seidel.h"
#include "solver/fields/own_rows.h"
#include "solver/fields/solver_backend.h"

namespace slipfield {

// gauss_seidel in the form that the solvers call. Mirrors solver/cpu/cpu_gauss_seidel.h.
class CudaGaussSeidel : public GaussSeidelSweeper {
 public:
  CudaGaussSeidel(const CudaBackend& backend, const Grid& grid);
  void set_contact(CudaInfluence& influence, const unsigned char* state, SweepOrder order) {
    GaussSeidelSweeper::set_contact(influence.table(Component::xx), influence.table(Component::xy),
                                    influence.table(Component::yy), state, order);
  }
};

// One stream and the scratch of its reductions, not shared by simultaneous runs.
class CudaBackend : public OneOwner<CudaBackend> {
 public:
  // most_krylov: the most products of a GMRES solve for whose vectors there is memory.
  explicit CudaBackend(int most_krylov = kKrylovRestart) : most_krylov_(most_krylov) {}
  CudaBackend(const CudaBackend& other) : CudaBackend(other.most_krylov_) {}
  CudaBackend& operator=(const CudaBackend&) = delete;
  CudaBackend(CudaBackend&&) = delete;
  CudaBackend& operator=(CudaBackend&&) = delete;
  ~CudaBackend() = default;
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
  // If launches dominate the cost of a product, a coarse grid's products cost as much as the fine
  // ones that they save: cases/steady_circle.yaml takes 5.4 ms at 64^2 without them, 6.4 with them
  // (NVIDIA H200, CUDA 13.0); cases/steady_spin.yaml 8.1 and 7.8, but at 96^2 12.2 and 8.9.
  static constexpr int kLeastForCoarseStart = 65;

  static std::string name() { return "cuda"; }
  [[nodiscard]] std::string device_name() const;
  [[nodiscard]] cudaStream_t stream() const { return kit_->stream.get(); }

  // of_card: receives the sums instead of op.finish(sums).
  template <class Op>
  void run(std::size_t count, const Op& op, double* of_card = nullptr) {
    launch_element_op(op, count, {kit_->workspace.data(), of_card}, stream(), overlap_);
  }
  // Adds the partial sums of `cards` cards, which are kCardSums apart, and finishes the operation.
  template <class Op>
  void finish(const Op& op, const double* sums, int cards) {
    launch_element_finish(op, sums, cards, stream(), overlap_);
  }

  // Holds all launches from here on until send_launches() or the next read of a value, then sends
  // them as one graph if it was launched before (gpu/device/launch_replay.h). In between only
  // launches are allowed: operations, and products of an operator with made_of_launches().
  void hold_launches() { kit_->replay.hold(); }
  void send_launches() const { kit_->replay.send(); }

  // Returns the first value; waits for the stream.
  template <class T>
  T read(const Array<T>& array) {
    static_assert(sizeof(T) <= BackendKit::kStagingBytes && std::is_trivially_copyable_v<T>);
    read_back(array.data(), kit_->staging.get(), sizeof(T), stream(), overlap_);
    send_launches();
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream()));
    ++waits_;
    return *static_cast<const T*>(kit_->staging.get());
  }

  // Begins to read the first value. end_read() waits for what was launched before this call, not
  // for later launches. At most two reads at a time, ended in order.
  template <class T>
  void begin_read(const Array<T>& array) {
    static_assert(sizeof(T) <= BackendKit::kStagingBytes && std::is_trivially_copyable_v<T>);
    BackendKit::Ahead& to = kit_->ahead[begun_ % 2];
    if (std::exchange(written_ahead_, nullptr) != static_cast<const void*>(array.data()))
      read_back(array.data(), to.memory.get(), sizeof(T), stream(), overlap_);
    send_launches();
    SLIPFIELD_CUDA_CHECK(cudaEventRecord(to.has_read.get(), stream()));
    ++begun_;
  }
  template <class T>
  T end_read() {
    const BackendKit::Ahead& from = kit_->ahead[ended_++ % 2];
    SLIPFIELD_CUDA_CHECK(cudaEventSynchronize(from.has_read.get()));
    ++waits_;
    return *static_cast<const T*>(from.memory.get());
  }
  // Ends a read without waiting, if its value is no longer needed.
  void drop_read() { ++ended_; }

  // Does what Gmres (solver/fields/gmres.h) does by element operations, in one or two launches that
  // also write the column to the host: begin_read() may follow at once.
  void orthogonalize(const KrylovBasis& basis, int count, double* w, float* /*stored*/,
                     KrylovColumn* column, std::size_t /*counted*/) {
    auto* const host = static_cast<KrylovColumn*>(kit_->ahead[begun_ % 2].memory.get());
    krylov().orthogonalize(basis, count, w, column, host);
    written_ahead_ = column;
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
    read_back(greatest_.data(), kit_->staging.get(), sizeof(double), stream(), overlap_);
    send_launches();
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream()));
    return *static_cast<const double*>(kit_->staging.get());
  }

  template <class T>
  std::vector<T> download(const Array<T>& array) const {
    return download(array.data(), array.size());
  }

  template <class T>
  std::vector<T> download(const T* values, std::size_t count) const {
    send_launches();
    std::vector<T> host = make_host_values<T>(count);
    kit_->download.copy(host.data(), values, count * sizeof(T), stream());
    return host;
  }

  void download_fields(const std::vector<FieldCopy>& fields, std::size_t count) const {
    send_launches();
    kit_->download.copy_fields(fields, count, stream());
  }

  template <class T>
  void upload(const std::vector<T>& values, Array<T>& array) {
    send_launches();
    array.device().upload(values, stream());
  }

  // Writes the undeformed distance where the card generates it; returns false where the host forms
  // it (gpu/cards/rough_distance.h).
  bool form_distance(const std::vector<Shape>& shapes, const Grid& grid,
                     const CombinedMaterial& material, Array<double>& distance);

  // How often the host waited for the device to read a value.
  [[nodiscard]] std::size_t waits() const { return waits_; }

 private:
  BackendKitLoan kit_;
  bool overlap_ = runs_fused_fft(current_limits());
  std::size_t begun_ = 0;  // reads
  std::size_t ended_ = 0;
  const void* written_ahead_ = nullptr;  // source of begin_read() that the last launch also copied
  mutable DeviceArray<double> greatest_{1};
  int most_krylov_;
  std::optional<CudaKrylov> krylov_;  // made on first use
  std::size_t waits_ = 0;
};

inline CudaGaussSeidel::CudaGaussSeidel(const CudaBackend& backend, const Grid& grid)
    : GaussSeidelSweeper(grid, backend.stream()) {}

}  // namespace slipfield
