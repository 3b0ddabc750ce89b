// SPDX-License-Identifier: Apache-2.0
// A cache of the values requested last, each with its key; the least recently used ones are dropped
// when all together weigh too much.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>

namespace slipfield {

// Thread-safe. Values are copied in and out; a key may be stored twice if two threads make its
// value at the same time.
template <class Key, class Value>
class RecentlyUsed {
 public:
  explicit RecentlyUsed(std::size_t most_weight) : most_(most_weight) {}

  std::optional<Value> find(const Key& key) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.key == key; });
    if (found == entries_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().value;
  }
  void keep(const Key& key, const Value& value, std::size_t weight = 1) {
    const std::lock_guard<std::mutex> guard(mutex_);
    entries_.push_front({key, value, weight});
    for (weight_ += weight; weight_ > most_; entries_.pop_back()) weight_ -= entries_.back().weight;
  }

 private:
  struct Entry {
    Key key;
    Value value;
    std::size_t weight;
  };
  std::size_t most_;
  std::size_t weight_ = 0;  // of all
  std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
};

}  // namespace slipfield
