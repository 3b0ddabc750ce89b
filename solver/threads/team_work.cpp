// SPDX-License-Identifier: Apache-2.0
#include "solver/threads/team_work.h"

#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace slipfield {

namespace {

// Time that the calling thread's loops lost by sharing [s], less what they have gained since.
struct TeamBalance {
  double lost = 0.0;
  double pause = 0.0;
  double slowness = 1.0;  // measured over estimated time, from loops run on one thread
  std::chrono::steady_clock::time_point alone_until;
};

TeamBalance& team_balance() {
  thread_local TeamBalance balance;
  return balance;
}

constexpr double kMostLost = 5.0e-3;  // more than one time slice of another program: no coincidence
// How long loops then run on one thread: several times the loss, so that trying again costs only a
// fraction; doubled each time sharing fails again.
constexpr double kPauseOfLost = 4.0;
constexpr double kFirstPause = 2.0e-2;
constexpr double kLongestPause = 1.0;
constexpr double kGuess = 1.25;  // allows for the rough estimate of one thread's time

}  // namespace

TeamWork::TeamWork(bool worth_threads, double alone)
    : worth_threads_(worth_threads && omp_get_max_threads() > 1), alone_(alone) {
  if (!worth_threads_) return;
  begin_ = Clock::now();
  by_all_ = begin_ >= team_balance().alone_until;
}

TeamWork::~TeamWork() {
  if (!worth_threads_) return;
  TeamBalance& balance = team_balance();
  const Clock::time_point end = Clock::now();
  const double taken = std::chrono::duration<double>(end - begin_).count();
  if (!by_all_) {
    // In small steps, because one of these loops may itself have been interrupted.
    constexpr double kStep = 1.1;
    const double seen = alone_ > 0.0 ? taken / alone_ : balance.slowness;
    balance.slowness =
        std::max(1.0, std::clamp(seen, balance.slowness / kStep, balance.slowness * kStep));
    return;
  }
  balance.lost = std::max(0.0, balance.lost + taken - kGuess * balance.slowness * alone_);
  if (balance.lost == 0.0) balance.pause = 0.0;
  if (balance.lost < kMostLost) return;
  balance.pause = std::clamp(std::max(2.0 * balance.pause, kPauseOfLost * balance.lost),
                             kFirstPause, kLongestPause);
  balance.alone_until = end + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(balance.pause));
  balance.lost = 0.5 * kMostLost;
}

void forget_team_work() { team_balance() = {}; }

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

std::size_t run_in_threads(std::size_t count, const std::function<void(std::size_t thread)>& work,
                           const std::function<void()>& meanwhile) {
  std::mutex mutex;
  std::condition_variable ended;
  std::size_t working = count;
  const auto run = [&](std::size_t thread) {
    work(thread);
    const std::lock_guard<std::mutex> guard(mutex);
    --working;
    ended.notify_one();
  };
  std::vector<std::thread> threads;
  threads.reserve(count);
  try {
    for (std::size_t k = 0; k < count; ++k) threads.emplace_back(run, k);
  } catch (...) {  // those that run take all the work
  }
  std::unique_lock<std::mutex> guard(mutex);
  working -= count - threads.size();
  while (working > 0) {
    ended.wait_for(guard, std::chrono::milliseconds(50));
    guard.unlock();
    meanwhile();
    guard.lock();
  }
  guard.unlock();
  for (std::thread& thread : threads) thread.join();
  if (threads.empty() && count > 0) work(0);
  return std::max<std::size_t>(threads.size(), std::min<std::size_t>(count, 1));
}

}  // namespace slipfield
