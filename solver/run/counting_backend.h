// SPDX-License-Identifier: Apache-2.0
// A backend that computes nothing and counts memory (solver/fields/solver_backend.h): its arrays
// have a size but no storage. A ContactRun on it allocates what it would allocate on the CPU, for a
// grid of any size (solver/memory_estimate.h).
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "solver/cpu/cpu_curved.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/fields/newton_ops.h"
#include "solver/fields/own_rows.h"
#include "solver/fields/tangential_ops.h"
#include "solver/influence/spectral_influence.h"
#include "solver/memory_estimate.h"
#include "solver/problem.h"

namespace slipfield {

enum class MemoryUse { fields, products };

// Where this thread's arrays are counted; null: nowhere.
inline thread_local MemoryCounts* memory_counts = nullptr;
// Counts this thread's arrays during its lifetime.
class CountingMemory {
 public:
  CountingMemory() { memory_counts = &counts_; }
  CountingMemory(const CountingMemory&) = delete;
  CountingMemory& operator=(const CountingMemory&) = delete;
  ~CountingMemory() { memory_counts = nullptr; }
  [[nodiscard]] const MemoryCounts& counts() const { return counts_; }

 private:
  MemoryCounts counts_;
};

// A number of bytes, counted during its lifetime.
class CountedBytes {
 public:
  CountedBytes() = default;
  explicit CountedBytes(std::size_t bytes, MemoryUse use = MemoryUse::products)
      : bytes_(bytes), use_(use) {
    if (memory_counts == nullptr) return;
    for (MemoryCount* count : counts()) {
      count->now += bytes_;
      count->most = std::max(count->most, count->now);
    }
  }
  CountedBytes(CountedBytes&& other) noexcept
      : bytes_(std::exchange(other.bytes_, 0)), use_(other.use_) {}
  CountedBytes& operator=(CountedBytes&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(use_, other.use_);
    return *this;
  }
  // Raises the size to at least `bytes`.
  void grow(std::size_t bytes, MemoryUse use = MemoryUse::products) {
    if (bytes_ < bytes) *this = CountedBytes(bytes, use);
  }
  CountedBytes(const CountedBytes&) = delete;
  CountedBytes& operator=(const CountedBytes&) = delete;
  ~CountedBytes() {
    if (memory_counts == nullptr) return;
    for (MemoryCount* count : counts()) count->now -= bytes_;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] std::array<MemoryCount*, 2> counts() const {
    return {use_ == MemoryUse::fields ? &memory_counts->fields : &memory_counts->products,
            &memory_counts->all};
  }
  std::size_t bytes_ = 0;
  MemoryUse use_ = MemoryUse::products;
};

// The number of fields that a product with the block reads or writes.
inline int fields_of(Block block) {
  return static_cast<int>(std::max(taken_by(block, {}).size(), given_by(block, {}).size()));
}

// Counts what CpuInfluence holds for the requested products.
class CountingInfluence final : public SpectralInfluence<CountedBytes> {
 public:
  template <class Backend>
  CountingInfluence(const Backend& /*backend*/, const Grid& grid, const CombinedMaterial& material,
                    InfluenceMethod /*method*/, const InfluenceKind& kind = {})
      : SpectralInfluence(grid, material, kind) {}

  static double self(Component /*component*/) { return 1.0; }
  void precondition_normal(const double* /*in*/, double* /*out*/) {
    inverse(Component::nn);
    make_work(1);
  }
  // The inverses and products of newton, in single precision.
  void set_across(const AcrossSymbol& /*symbol*/) {
    constexpr std::size_t kOfTerms = 4;
    constexpr std::size_t kInverses = 3;
    spectrum(Component::yy);
    const std::size_t one = spectrum(Component::xx).bytes();
    const CountedBytes in_double(2 * one);
    newton_.grow(
        ((kOfTerms + kInverses) * one + CpuFftConvolution::memory_bytes(grid_, kInverses, 0)) / 2);
  }
  void precondition_tangential(const double* /*in_x*/, const double* /*in_y*/,
                               const double* /*in_across*/, double* /*out_x*/, double* /*out_y*/,
                               double* /*out_across*/) {
    set_across({});
  }
  // The tables for sweeps.
  void make_tables() {
    const std::size_t width = 2 * static_cast<std::size_t>(grid_.mx) - 1;
    const std::size_t height = 2 * static_cast<std::size_t>(grid_.my) - 1;
    for (const Component component : {Component::xx, Component::xy, Component::yy})
      tables_[static_cast<std::size_t>(component)].grow(width * height * sizeof(double));
  }

 private:
  void compute(Block block, const TractionField& /*traction*/,
               const DisplacementField& /*displacement*/) override {
    if (kind_.curved) return make_curved();
    for (const ProductTerm& term : product_terms(block)) spectrum(term.component());
    make_work(fields_of(block));
    if (block == Block::normal && kind_.patches) of_modes_.grow(2 * sizeof(double) * grid_.count());
  }

  [[nodiscard]] std::size_t spectrum_bytes() const {
    return CpuFftConvolution::memory_bytes(grid_, 0, 1);
  }
  // 2 for a complex symbol, 1 for a real or an imaginary one.
  [[nodiscard]] std::size_t parts(Component component) const {
    const bool odd = component == Component::xn || component == Component::yn;
    const bool both = grid_.boundary == Boundary::periodic && odd;
    return has_parity(kind_) && !both ? 1 : 2;
  }
  CountedBytes make_spectrum(Component component) override {
    // Temporary while it is formed, except for a symbol: a table and the transforms of its rows;
    // both parts.
    const std::size_t beside = grid_.boundary == Boundary::periodic ? 0 : 4;
    const CountedBytes while_made((beside + 2 - parts(component)) * spectrum_bytes());
    return CountedBytes(parts(component) * spectrum_bytes());
  }
  CountedBytes invert(const CountedBytes& spectrum, double /*share*/) override {
    return CountedBytes(spectrum.bytes());
  }
  void drop(const InfluenceKind& /*last*/) override {
    tables_ = {};
    newton_ = {};
    curved_ = {};
  }
  void make_work(int fields) { work_.grow(CpuFftConvolution::memory_bytes(grid_, fields, 0)); }
  void make_curved() {
    if (kind_.curved->by_row()) {
      constexpr std::size_t kHalfSpaceTables = 24;  // fields
      curved_.grow(CpuRowProduct::memory_bytes(grid_) +
                   kHalfSpaceTables * sizeof(double) * grid_.count());
    } else {
      constexpr int kPairs = 9;
      constexpr int kOfEach = 6;  // one complex spectrum plus a table of twice its size
      curved_.grow(CpuFftConvolution::memory_bytes(grid_, kDirections, kOfEach * kPairs));
    }
  }

  std::array<CountedBytes, kComponents> tables_;
  CountedBytes newton_, curved_, work_, of_modes_;
};

// Counts what CpuGaussSeidel holds.
class CountingGaussSeidel {
 public:
  template <class Backend>
  CountingGaussSeidel(const Backend& /*backend*/, const Grid& grid)
      : elements_(kOfElement * grid.count()) {}
  static void set_contact(CountingInfluence& influence, const unsigned char* /*state*/,
                          SweepOrder /*order*/) {
    influence.make_tables();
  }
  static SweepChange sweep(const TangentialFields& /*fields*/, double /*relaxation*/) { return {}; }

 private:
  static constexpr std::size_t kOfElement = 5 * sizeof(double);
  CountedBytes elements_;
};

// Counts nothing: the size of the matrices depends on the contact (require_dense_memory()).
class CountingDense {
 public:
  template <class Backend>
  CountingDense(const Backend& /*backend*/, const Grid& /*grid*/) {}
  static void factor_normal(const CountingInfluence& /*influence*/,
                            const std::vector<int>& /*elements*/) {}
  static void factor_jacobian(const CountingInfluence& /*influence*/,
                              const std::vector<int>& /*elements*/, const NewtonFields& /*f*/) {}
  static void solve(Eigen::MatrixXd& /*columns*/) {}
};

class CountingBackend : public OneOwner<CountingBackend> {
 public:
  // in_host: the counted run keeps its fields in host memory.
  explicit CountingBackend(int most_krylov, bool in_host)
      : most_krylov_(most_krylov), in_host_(in_host) {}
  CountingBackend(const CountingBackend& other)
      : CountingBackend(other.most_krylov_, other.in_host_) {}
  CountingBackend& operator=(const CountingBackend&) = delete;
  CountingBackend(CountingBackend&&) = delete;
  CountingBackend& operator=(CountingBackend&&) = delete;
  ~CountingBackend() = default;

  template <class T>
  class Array {
   public:
    Array() = default;
    explicit Array(std::size_t count) : bytes_(count * sizeof(T), MemoryUse::fields) {}

    // Not null if it has elements; never read.
    [[nodiscard]] T* data() const {
      static std::max_align_t place;
      return size() == 0 ? nullptr : reinterpret_cast<T*>(&place);
    }
    [[nodiscard]] std::size_t size() const { return bytes_.bytes() / sizeof(T); }

   private:
    CountedBytes bytes_;
  };
  using Influence = CountingInfluence;
  using GaussSeidel = CountingGaussSeidel;
  using Dense = CountingDense;
  static constexpr bool kCountsOnly = true;

  // The greatest number of GMRES products, as passed to the constructor.
  [[nodiscard]] int most_krylov() const { return most_krylov_; }
  [[nodiscard]] bool in_host() const { return in_host_; }
  // Memory outside arrays: the maximum that `holder` uses.
  void hold(const void* holder, std::size_t bytes) { held_[holder].grow(bytes, MemoryUse::fields); }

  static std::string name() { return "counting"; }
  [[nodiscard]] static std::string device_name() { return "none"; }
  template <class Op>
  void run(std::size_t /*count*/, const Op& /*op*/) {}
  template <class T>
  T read(const Array<T>& /*array*/) {
    return {};
  }
  template <class T>
  void write(Array<T>& /*array*/, const T& /*value*/) {}
  [[nodiscard]] static double greatest(const Array<double>& /*array*/) { return 0.0; }
  template <class T>
  [[nodiscard]] std::vector<T> download(const Array<T>& /*array*/) const {
    return {};
  }
  template <class T>
  [[nodiscard]] std::vector<T> download(const T* /*values*/, std::size_t /*count*/) const {
    return {};
  }
  template <class T>
  void upload(const std::vector<T>& /*values*/, Array<T>& /*array*/) {}

 private:
  int most_krylov_;
  bool in_host_;
  std::map<const void*, CountedBytes> held_;
};

}  // namespace slipfield
