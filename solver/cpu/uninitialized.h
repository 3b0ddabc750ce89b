// SPDX-License-Identifier: Apache-2.0
// Vectors whose resize() leaves new numbers unset: the threads that compute them touch their memory
// first, where one thread would write zeros to all of it.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace slipfield {

template <class T>
struct Uninitialized : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Uninitialized<U>;
  };
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0 && std::is_arithmetic_v<U>)
      static_cast<void>(place);
    else
      std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
};

template <class T>
using UninitializedVector = std::vector<T, Uninitialized<T>>;

}  // namespace slipfield
