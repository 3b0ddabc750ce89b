// SPDX-License-Identifier: Apache-2.0
// Debian's HDF5 is built for one thread at a time in a process.
#pragma once

#include <mutex>

namespace slipfield {
namespace hdf5 {

// Held by whoever uses the library where several threads may; also more than once by one thread.
class OneThread {
 public:
  OneThread() : lock_(mutex()) {}

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex mutex;
    return mutex;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

// Call before a thread's first use of the library, which then prints no messages of its own.
// Calling again is harmless.
void prepare();

}  // namespace hdf5
}  // namespace slipfield
