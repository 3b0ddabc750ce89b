// SPDX-License-Identifier: Apache-2.0
// Vectors whose memory is first touched by the threads that compute their contents.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace slipfield {

// The allocator of vectors whose constructor and resize() leave new elements uninitialised.
template <class T>
struct Uninitialized : std::allocator<T> {
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
