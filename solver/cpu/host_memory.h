// SPDX-License-Identifier: Apache-2.0
// Memory that the operating system can still give to this process, and zeroed pages.
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

// The least of the machine's available memory, of what the process's control groups (a container, a
// batch job) leave it, and of what its address space limit leaves; the greatest number if nothing
// is known.
std::size_t available_host_bytes();

// Memory left by control groups of versions 1 and 2. groups: the text of /proc/self/cgroup; root:
// the folder where they are mounted.
std::size_t available_in_groups(std::string_view groups, const std::filesystem::path& root);

// Zeroed memory directly from the operating system, in large pages where possible; physical memory
// is only taken when written to. Pass the same number to free_pages(). Throws std::bad_alloc.
void* zero_pages(std::size_t bytes);
void free_pages(void* pages, std::size_t bytes);
// Bytes of zero_pages() not yet freed in this process.
std::size_t zero_pages_in_use();

// Arrays of the CPU whose memory is first touched by the threads that compute their contents; on 16
// cores one thread would spend a good part of a solve writing zeros.

// An array of the backend: `count` values, initially T{}. Large arrays are zeroed pages directly
// from the operating system, which takes memory for a page when it is first written to.
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
    std::size_t pages = 0;  // size of the pages in bytes; 0: on the heap
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
