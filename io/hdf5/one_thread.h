// SPDX-License-Identifier: Apache-2.0
// Debian's HDF5 is built for one thread at a time in a process. Where several may use it, each
// holds this.
#pragma once

#include <mutex>

namespace slipfield {

inline std::mutex& hdf5_one_thread() {
  static std::mutex mutex;
  return mutex;
}

namespace hdf5 {

// Before the first call of the library in a thread, and again is no harm: it prints nothing itself.
void prepare();

}  // namespace hdf5
}  // namespace slipfield
