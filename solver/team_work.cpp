// SPDX-License-Identifier: Apache-2.0
#include "solver/team_work.h"

#include <omp.h>

#include <algorithm>

namespace slipfield {
namespace {

// What the calling thread's loops have lost by sharing them [s], less what they have gained since.
struct TeamBalance {
  double lost = 0.0;
  double pause = 0.0;
  std::chrono::steady_clock::time_point alone_until;
};

TeamBalance& team_balance() {
  thread_local TeamBalance balance;
  return balance;
}

constexpr double kMostLost = 5.0e-3;  // more than one turn of another program: no accident
// How long one thread then works; twice as long each time that sharing does not pay again.
constexpr double kFirstPause = 2.0e-2;
constexpr double kLongestPause = 1.0;
constexpr double kGuess = 1.25;  // the time of one thread is known roughly

}  // namespace

TeamWork::TeamWork(bool worth_threads, double alone) : alone_(alone) {
  if (!worth_threads || omp_get_max_threads() == 1) return;
  begin_ = Clock::now();
  by_all_ = begin_ >= team_balance().alone_until;
}

TeamWork::~TeamWork() {
  if (!by_all_) return;
  TeamBalance& balance = team_balance();
  const Clock::time_point end = Clock::now();
  const double taken = std::chrono::duration<double>(end - begin_).count();
  balance.lost = std::max(0.0, balance.lost + taken - kGuess * alone_);
  if (balance.lost == 0.0) balance.pause = 0.0;
  if (balance.lost < kMostLost) return;
  balance.pause = std::clamp(2.0 * balance.pause, kFirstPause, kLongestPause);
  balance.alone_until = end + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(balance.pause));
  balance.lost = 0.5 * kMostLost;
}

}  // namespace slipfield
