// SPDX-License-Identifier: Apache-2.0
// The calling thread's number of threads.
#pragma once

#include <omp.h>

namespace slipfield {

// Another number for a while: what was there is given back at the end. 0: the same.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) : before_(omp_get_max_threads()) {
    if (threads > 0) omp_set_num_threads(threads);
  }
  ~ThreadCount() { omp_set_num_threads(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

}  // namespace slipfield
