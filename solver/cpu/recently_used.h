// SPDX-License-Identifier: Apache-2.0
// The values asked for last, each with its key; what was not asked for longest is dropped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

namespace slipfield {

// From any thread. Values are copied in and out; a key may be kept twice where two threads make its
// value at once.
template <class Key, class Value>
class RecentlyUsed {
 public:
  explicit RecentlyUsed(std::size_t most) : most_(most) {}

  std::optional<Value> find(const Key& key) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.first == key; });
    if (found == entries_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().second;
  }
  void keep(const Key& key, const Value& value) {
    const std::lock_guard<std::mutex> guard(mutex_);
    entries_.emplace_front(key, value);
    if (entries_.size() > most_) entries_.pop_back();
  }

 private:
  using Entry = std::pair<Key, Value>;
  std::size_t most_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // the last one asked for first
};

}  // namespace slipfield
