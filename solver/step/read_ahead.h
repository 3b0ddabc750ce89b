// SPDX-License-Identifier: Apache-2.0
// Reads a value of the backend's memory while more work is launched, where the backend works by
// itself (begin_read and end_read); elsewhere the value is read at once.
#pragma once

namespace slipfield {

template <class Backend, class Array>
inline constexpr bool kReadsAhead = requires(Backend& backend, const Array& array) {
  backend.begin_read(array);
};

// The value as it is after all that was run before.
template <class Backend, class Array>
void begin_read(Backend& backend, const Array& array) {
  if constexpr (kReadsAhead<Backend, Array>) backend.begin_read(array);
}

// Waits for the value whose reading was begun last. What ran in between must not change it.
template <class T, class Backend, class Array>
T end_read(Backend& backend, const Array& array) {
  if constexpr (kReadsAhead<Backend, Array>)
    return backend.template end_read<T>();
  else
    return backend.read(array);
}

}  // namespace slipfield
