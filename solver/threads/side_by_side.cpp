// SPDX-License-Identifier: Apache-2.0
#include "solver/threads/side_by_side.h"

#include <omp.h>

#include <future>
#include <system_error>

#include "solver/threads/thread_count.h"

namespace slipfield {

void side_by_side(const std::function<void()>& first, const std::function<void()>& second) {
  const int threads = omp_get_max_threads();
  std::future<void> other;
  if (threads > 1) {
    try {
      other = std::async(std::launch::async, [&second, threads] {
        omp_set_num_threads(threads / 2);
        second();
      });
    } catch (const std::system_error&) {  // no thread is left
    }
  }
  if (!other.valid()) {
    first();
    second();
    return;
  }
  const ThreadCount own(threads - threads / 2);
  first();  // if it throws, the future waits for the other one
  other.get();
}

}  // namespace slipfield
