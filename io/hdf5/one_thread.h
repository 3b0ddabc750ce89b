// SPDX-License-Identifier: Apache-2.0
// Debian's HDF5 is built for one thread at a time in a process. Threads that share it hold this
// mutex.
#pragma once

#include <mutex>

namespace slipfield {

inline std::mutex& hdf5_one_thread() {
  static std::mutex mutex;
  return mutex;
}

namespace hdf5 {

// Call before a thread's first use of the library, which then prints no messages of its own.
// Calling again is harmless.
void prepare();

}  // namespace hdf5
}  // namespace slipfield
