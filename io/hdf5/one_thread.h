// SPDX-License-Identifier: Apache-2.0
// One thread at a time uses the HDF5 library: it is often built for one alone, and a process must
// not fork (child_reading.h) while another thread is inside it.
#pragma once

#include <mutex>

namespace slipfield {
namespace hdf5 {

// Call before a thread's first use of the library, which then prints no messages of its own;
// OneThread does, and so does each write of a result. Calling again costs next to nothing.
void prepare();

// Held by whoever uses the library where several threads may; also more than once by one thread.
class OneThread {
 public:
  OneThread() {
    if (times_held() == 0) mutex().lock();
    ++times_held();
    prepare();
  }
  ~OneThread() {
    if (--times_held() == 0) mutex().unlock();
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex mutex;
    return mutex;
  }
  // By this thread. Unlike std::recursive_mutex, which compares thread numbers, the count also
  // holds in a child process that was forked under the lock.
  static int& times_held() {
    thread_local int times = 0;
    return times;
  }
};

}  // namespace hdf5
}  // namespace slipfield
