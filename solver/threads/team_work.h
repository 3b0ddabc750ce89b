// SPDX-License-Identifier: Apache-2.0
// Whether a loop is shared out over the threads, on a machine that may be busy with other work.
//
// Threads that share a core with another program wait for their turn, milliseconds each time, and
// the others of their team for them at each barrier: a solve of 0.06 s was seen to take seconds
// where two cores of 16 were taken. Loops that take longer than one thread would are therefore left
// to one thread for a while. Results do not depend on it: no sum depends on the number of threads.
#pragma once

#include <omp.h>

#include <chrono>
#include <functional>

namespace slipfield {

// The calling thread's number of threads.

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

// Lives as long as the loop.
class TeamWork {
 public:
  // worth_threads: whether there is enough to do; alone: how long one thread takes, roughly [s].
  TeamWork(bool worth_threads, double alone);
  ~TeamWork();
  TeamWork(const TeamWork&) = delete;
  TeamWork& operator=(const TeamWork&) = delete;

  [[nodiscard]] bool by_all() const { return by_all_; }

  // Calls `body` on each thread of the team; its loops are shared out by `omp for`. Left to one
  // thread no team is begun: to end one takes a call of the kernel, as long as many a loop over a
  // small grid. Within a region of the caller's `omp for` would share the loop out over that one's
  // threads.
  template <class Body>
  void run(const Body& body) const {
    if (!by_all_ && omp_in_parallel() == 0) return call(body);
#pragma omp parallel if (by_all_)
    call(body);
  }

 private:
  // One machine code for both, so that neither rounds otherwise.
  template <class Body>
  [[gnu::noinline]] static void call(const Body& body) {
    body();
  }

  using Clock = std::chrono::steady_clock;
  bool worth_threads_;
  bool by_all_ = false;
  double alone_;
  Clock::time_point begin_;
};

// As if the calling thread had shared no loop yet: for tests.
void forget_team_work();

// Two pieces of work that know nothing of each other, at the same time.

// Each has half of the calling thread's threads. One after the other where it has only one, or
// where no thread can be started. Throws what one of them throws, the first one's before the second
// one's, once both have ended.
void side_by_side(const std::function<void()>& first, const std::function<void()>& second);

}  // namespace slipfield
