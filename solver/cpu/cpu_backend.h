// SPDX-License-Identifier: Apache-2.0
// The CPU as a backend of the solvers (solver/fields/solver_backend.h): fields in host memory,
// element operations as OpenMP loops. Sums are formed over fixed chunks and added in a fixed order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/cpu/cpu_dense.h"
#include "solver/cpu/cpu_gauss_seidel.h"
#include "solver/cpu/cpu_influence.h"
#include "solver/cpu/host_memory.h"
#include "solver/cpu/team/cpu_krylov.h"
#include "solver/fields/element_op.h"
#include "solver/fields/own_rows.h"
#include "solver/problem.h"
#include "solver/threads/team_work.h"

namespace slipfield {

class CpuBackend : public OneOwner<CpuBackend> {
 public:
  template <class T>
  using Array = CpuArray<T>;

  using Influence = CpuInfluence;
  using GaussSeidel = CpuGaussSeidel;
  using Dense = CpuDense;
  static constexpr bool kInHostMemory = true;  // fields, which code of the host may therefore touch

  static std::string name() { return "cpu"; }
  [[nodiscard]] std::string device_name() const;

  template <class Op>
  void run(std::size_t count, const Op& op) {
    static_assert(kIsSound<Op>);
    const auto total = elements(count, op);
    if constexpr (kHasFinish<Op>) op.finish(total.data());
  }

  // Runs op.element(i, sums) for all i < count and returns the sums; a single 0 if there are none.
  template <class Op>
  auto elements(std::size_t count, const Op& op) {
    constexpr std::size_t kChunk = 1024;   // the last one has up to twice as many
    constexpr double kOfElement = 4.0e-9;  // seconds
    const std::size_t chunks = std::max<std::size_t>(1, count / kChunk);
    constexpr std::size_t kSums = std::max(kSumsOf<Op>, 1);
    partial_.assign(chunks * kSums, 0.0);
    const TeamWork work(chunks > 1, kOfElement * static_cast<double>(count));
    // Elements out of contact cost almost nothing and are contiguous, so chunks are dealt out in
    // turn.
#pragma omp parallel for schedule(static, 1) if (work.by_all())
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      std::array<double, kSums> sums{};
      const std::size_t end = chunk + 1 < chunks ? (chunk + 1) * kChunk : count;
      for (std::size_t i = chunk * kChunk; i < end; ++i) op.element(i, sums.data());
      for (std::size_t k = 0; k < kSums; ++k) partial_[chunk * kSums + k] = sums[k];
    }
    std::array<double, kSums> total{};
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      for (std::size_t k = 0; k < kSums; ++k) total[k] += partial_[chunk * kSums + k];
    }
    return total;
  }

  // Replaces the element operations of Gmres (solver/fields/gmres.h) by one parallel region. All
  // entries count.
  void orthogonalize(const KrylovBasis& basis, int count, double* w, float* stored,
                     KrylovColumn* column, std::size_t /*counted*/ = 0) {
    krylov_.orthogonalize(basis, count, w, stored, column);
  }

  template <class T>
  T read(const Array<T>& array) {
    return *array.data();
  }

  [[nodiscard]] double greatest(const Array<double>& array) const {
    return std::max(0.0, *std::max_element(array.data(), array.data() + array.size()));
  }

  template <class T>
  void write(Array<T>& array, const T& value) {
    *array.data() = value;
  }

  template <class T>
  std::vector<T> download(const Array<T>& array) const {
    return std::vector<T>(array.data(), array.data() + array.size());
  }

  template <class T>
  std::vector<T> download(const T* values, std::size_t count) const {
    return std::vector<T>(values, values + count);
  }

  template <class T>
  void upload(const std::vector<T>& values, Array<T>& array) {
    std::copy(values.begin(), values.end(), array.data());
  }

 private:
  std::vector<double> partial_;
  CpuKrylov krylov_;
};

}  // namespace slipfield
