// SPDX-License-Identifier: Apache-2.0
// Whether a loop is shared out over the threads, on a machine that may be busy with other work.
//
// Threads that share a core with another program wait for their turn, milliseconds each time, and
// the others of their team for them at each barrier: a solve of 0.06 s was seen to take seconds
// where two cores of 16 were taken. Loops that take longer than one thread would are therefore left
// to one thread for a while. Results do not depend on it: no sum depends on the number of threads.
#pragma once

#include <chrono>

namespace slipfield {

// Lives as long as the loop.
class TeamWork {
 public:
  // worth_threads: whether there is enough to do; alone: how long one thread takes, roughly [s].
  TeamWork(bool worth_threads, double alone);
  ~TeamWork();
  TeamWork(const TeamWork&) = delete;
  TeamWork& operator=(const TeamWork&) = delete;

  [[nodiscard]] bool by_all() const { return by_all_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool worth_threads_;
  bool by_all_ = false;
  double alone_;
  Clock::time_point begin_;
};

// As if the calling thread had shared no loop yet: for tests.
void forget_team_work();

}  // namespace slipfield
