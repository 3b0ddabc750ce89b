// SPDX-License-Identifier: Apache-2.0
// A cache of the values requested last, each with its key; the least recently used ones are dropped
// when all together weigh too much.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace slipfield {

// Thread-safe. Values are copied in and out. Hash: of a key, such that few keys share one.
template <class Key, class Value, class Hash>
class RecentlyUsed {
  struct Entry {
    Key key;
    Value value;
    std::size_t weight;
  };

 public:
  // The memory of a kept value besides what it and its key allocate: an entry, its place, their
  // links and their share of the buckets [bytes].
  static constexpr std::size_t kOwnBytes = sizeof(Entry) + sizeof(Key) + 8 * sizeof(void*);

  explicit RecentlyUsed(std::size_t most_weight) : most_(most_weight) {}

  std::optional<Value> find(const Key& key) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return entries_.front().value;
  }
  // Keeps the first value if two threads make one at the same time.
  void keep(const Key& key, const Value& value, std::size_t weight = 1) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (!places_.contains(key)) put(key, value, weight);
  }
  // Keeps this value, also if the key has one.
  void replace(const Key& key, const Value& value, std::size_t weight = 1) {
    const std::lock_guard<std::mutex> guard(mutex_);
    put(key, value, weight);
  }

 private:
  void put(const Key& key, const Value& value, std::size_t weight) {
    std::list<Entry> entry;  // not in entries_ if try_emplace() throws
    entry.push_front({key, value, weight});
    const auto [place, is_new] = places_.try_emplace(key, entry.begin());
    if (!is_new) {
      weight_ -= place->second->weight;
      entries_.erase(place->second);
      place->second = entry.begin();
    }
    entries_.splice(entries_.begin(), entry);
    for (weight_ += weight; weight_ > most_; entries_.pop_back()) {
      weight_ -= entries_.back().weight;
      places_.erase(entries_.back().key);
    }
  }

  std::size_t most_;
  std::size_t weight_ = 0;  // of all
  std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<Key, typename std::list<Entry>::iterator, Hash> places_;
};

}  // namespace slipfield
