// SPDX-License-Identifier: Apache-2.0
// Decides whether threads share a loop on a machine that may be busy with other work.
//
// Threads that share a core with another program wait for their turn, for milliseconds each time,
// and the other threads of their team wait at each barrier: a solve of 0.06 s was seen to take
// seconds when two of 16 cores were busy. After a loop that took longer than one thread would,
// loops therefore run on one thread for a while. Results do not depend on this: no sum depends on
// the number of threads.
#pragma once

#include <omp.h>

#include <chrono>
#include <cstddef>
#include <functional>

namespace slipfield {

// The calling thread's number of threads.

// Sets the calling thread's number of threads; restores the previous number in its destructor. 0:
// no change.
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

// Must live as long as the loop.
class TeamWork {
 public:
  // worth_threads: whether there is enough work; alone: rough time of one thread [s].
  TeamWork(bool worth_threads, double alone);
  ~TeamWork();
  TeamWork(const TeamWork&) = delete;
  TeamWork& operator=(const TeamWork&) = delete;

  [[nodiscard]] bool by_all() const { return by_all_; }

  // Calls `body` on each thread of the team; its loops are shared by `omp for`. With one thread no
  // team is started: ending one takes a system call, as long as many loops over a small grid.
  // Inside a parallel region of the caller `omp for` would share the loop among that region's
  // threads.
  template <class Body>
  void run(const Body& body) const {
    if (!by_all_ && omp_in_parallel() == 0) return call(body);
#pragma omp parallel if (by_all_)
    call(body);
  }

 private:
  // Both ways share one machine code, so that rounding does not differ.
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

// Resets the calling thread's history, for tests.
void forget_team_work();

// Runs two independent pieces of work at the same time.

// Each gets half of the calling thread's threads. They run one after the other if it has only one,
// or if no thread can be started. Rethrows an exception of either, that of the first one first,
// after both have ended.
void side_by_side(const std::function<void()>& first, const std::function<void()>& second);

// Calls work(thread), which must not throw, with numbers from 0 in `count` threads, or in fewer if
// no more can be started, and waits for them. While they run it calls `meanwhile` in the calling
// thread every 50 ms and whenever one ends. Returns the number of threads that worked.
std::size_t run_in_threads(
    std::size_t count, const std::function<void(std::size_t thread)>& work,
    const std::function<void()>& meanwhile = [] {});

}  // namespace slipfield
