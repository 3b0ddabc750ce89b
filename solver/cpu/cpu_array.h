// SPDX-License-Identifier: Apache-2.0
// Arrays of the CPU whose memory is first touched by the threads that compute what is in them, where
// one thread would spend a good part of a solve on 16 cores with writing zeros.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "solver/cpu/host_memory.h"

namespace slipfield {

// An array of the backend: `count` values, initially T{}. Large arrays are pages of zeros straight
// from the operating system, which provides memory for a page when something is written to it.
template <class T>
class CpuArray {
 public:
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  CpuArray() = default;
  explicit CpuArray(std::size_t count) : size_(count) {
    const bool large = std::is_arithmetic_v<T> && count * sizeof(T) >= kLeastForPages;
    values_ = Memory(static_cast<T*>(large ? zero_pages(count * sizeof(T))
                                           : ::operator new(count * sizeof(T), kLine)),
                     Free{large ? count * sizeof(T) : 0});
    if (!large) std::uninitialized_fill_n(values_.get(), count, T{});
  }
  CpuArray(CpuArray&& other) noexcept
      : values_(std::move(other.values_)), size_(std::exchange(other.size_, 0)) {}
  CpuArray& operator=(CpuArray&& other) noexcept {
    values_ = std::move(other.values_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  CpuArray(const CpuArray&) = delete;
  CpuArray& operator=(const CpuArray&) = delete;
  ~CpuArray() = default;

  [[nodiscard]] T* data() { return values_.get(); }
  [[nodiscard]] const T* data() const { return values_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kLeastForPages = std::size_t{1} << 18;  // bytes
  static constexpr std::align_val_t kLine{64};

  struct Free {
    std::size_t pages = 0;  // bytes of them; 0: from the heap
    void operator()(T* values) const {
      if (pages > 0)
        free_pages(values, pages);
      else
        ::operator delete(values, kLine);
    }
  };
  using Memory = std::unique_ptr<T[], Free>;
  Memory values_;
  std::size_t size_ = 0;
};

}  // namespace slipfield
