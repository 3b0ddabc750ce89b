// SPDX-License-Identifier: Apache-2.0
// When a run writes its next checkpoint.
#pragma once

#include <algorithm>
#include <chrono>

namespace slipfield {

// At most a hundredth of the time so far is at stake, and a twentieth is spent on writing.
class CheckpointPace {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Clock::time_point begin() const { return begin_; }
  [[nodiscard]] bool due() const {
    const Clock::time_point now = Clock::now();
    return now >= last_ + std::max(20 * cost_, (now - begin_) / 100);
  }
  // Times `write`, whether it succeeds or not.
  template <typename Write>
  Clock::duration time(Write write) {
    const Clock::time_point before = Clock::now();
    write();
    last_ = Clock::now();
    cost_ = last_ - before;
    return cost_;
  }

 private:
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
  Clock::duration cost_{0};
};

}  // namespace slipfield
