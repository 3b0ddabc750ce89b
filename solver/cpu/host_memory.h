// SPDX-License-Identifier: Apache-2.0
// Memory that the operating system still gives to this process, and pages of zeros.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace slipfield {

// The least of what the machine has available, what the process's control groups (a container, a
// batch job) leave it, and what its limit of address space does. The greatest number where nothing
// is known.
std::size_t available_host_bytes();

// Memory that control groups of versions 1 and 2 leave. groups: the text of /proc/self/cgroup,
// root: the folder where they are mounted.
std::size_t available_in_groups(std::string_view groups, const std::filesystem::path& root);

// Zeros straight from the operating system, in large pages as far as they go; there is memory for
// them once they are written to. free_pages() gets the same number. Throws std::bad_alloc.
void* zero_pages(std::size_t bytes);
void free_pages(void* pages, std::size_t bytes);
// Bytes of them that are not freed yet, in this process.
std::size_t zero_pages_in_use();

// Arrays of the CPU whose memory is first touched by the threads that compute what is in them,
// where one thread would spend a good part of a solve on 16 cores with writing zeros.

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
