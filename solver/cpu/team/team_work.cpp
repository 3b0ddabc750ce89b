// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/team/team_work.h"

#include <omp.h>

#include <algorithm>

namespace slipfield {
namespace {

// What happened to the loops of the calling thread so far.
struct TeamDelays {
  int strikes = 0;
  std::chrono::steady_clock::time_point alone_until;
};

TeamDelays& team_delays() {
  thread_local TeamDelays delays;
  return delays;
}

// A loop is late from this on [s], beyond twice the time of one thread, which is a guess.
constexpr double kLate = 1.0e-3;
// One delay may be an accident, several or a long one are not.
constexpr double kVeryLate = 6.0e-3;
constexpr int kStrike = 4;  // is forgotten after so many loops in time
constexpr int kOut = 8;
// One thread then works so many times as long: what was lost stays a small part.
constexpr int kPause = 4;

}  // namespace

TeamWork::TeamWork(bool worth_threads, double alone) : alone_(alone) {
  if (!worth_threads || omp_get_max_threads() == 1) return;
  begin_ = Clock::now();
  by_all_ = begin_ >= team_delays().alone_until;
}

TeamWork::~TeamWork() {
  if (!by_all_) return;
  TeamDelays& delays = team_delays();
  const Clock::time_point end = Clock::now();
  const double late = std::chrono::duration<double>(end - begin_).count() - 2.0 * alone_;
  if (late < kLate) {
    delays.strikes = std::max(0, delays.strikes - 1);
    return;
  }
  delays.strikes += late < kVeryLate ? kStrike : kOut;
  if (delays.strikes < kOut) return;
  delays.strikes = kOut - 1;
  delays.alone_until = end + kPause * (end - begin_);
}

}  // namespace slipfield
