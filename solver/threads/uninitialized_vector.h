// SPDX-License-Identifier: Apache-2.0
// Vectors whose memory is first touched by the threads that compute their contents.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace slipfield {

// Memory of more than this, in bytes, comes from new_large_pages().
inline constexpr std::size_t kLeastForLargePages = std::size_t{1} << 22;
// Uninitialised, in large pages where possible: a fault for each 4 KiB takes longer than writing
// them. Throws std::bad_alloc. Ends with delete_large_pages().
void* new_large_pages(std::size_t bytes);
void delete_large_pages(void* pages);

// The allocator of vectors whose constructor and resize() leave new elements uninitialised.
template <class T>
struct Uninitialized : std::allocator<T> {
  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > kLeastForLargePages / sizeof(T) && count <= std::size_t(-1) / sizeof(T))
      return static_cast<T*>(new_large_pages(count * sizeof(T)));
    return std::allocator<T>::allocate(count);
  }
  void deallocate(T* values, std::size_t count) {
    if (count > kLeastForLargePages / sizeof(T))
      delete_large_pages(values);
    else
      std::allocator<T>::deallocate(values, count);
  }
  template <class U>
  struct rebind {  // NOLINT(readability-identifier-naming): as std::allocator_traits has it
    using other = Uninitialized<U>;
  };
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) > 0 || !std::is_arithmetic_v<U>)
      std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
};

template <class T>
using UninitializedVector = std::vector<T, Uninitialized<T>>;

}  // namespace slipfield
