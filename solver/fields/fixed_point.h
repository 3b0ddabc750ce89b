// SPDX-License-Identifier: Apache-2.0
// The fixed-point iteration of tractions x -> g(x) in the backend's memory (THEORY.md 6.12, 8.1):
// the change of a round, relaxation, and Anderson's mixing. Used by the rounds of a step and of the
// proximal point method.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "solver/fields/fixed_point_ops.h"
#include "solver/fields/small_systems.h"
#include "solver/fields/step_ops.h"

namespace slipfield {

// Anderson's mixing: the next x is that combination of the last g whose changes g - x, combined in
// the same way, are least.
template <class Backend>
class AndersonMixing {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // count: the backend's own values of a field.
  AndersonMixing(Backend& backend, std::size_t count)
      : backend_(backend), count_(count), products_(1) {}

  void start_again() { rounds_ = 0; }

  // Allocates memory for `fields` fields.
  void reserve(std::size_t fields) {
    constexpr int kMost = MixedRounds::kMost;
    const std::size_t size = fields * count_;
    if (result_.size() == size) return;
    for (Array<double>* array : {&result_, &change_}) *array = Array<double>(size);
    for (Array<double>* array : {&results_, &changes_}) *array = Array<double>(kMost * size);
  }

  // x: the fields at the start of a round; g: its results, replaced by the start of the next round.
  // One or two fields, the same number in all rounds.
  template <std::size_t fields>
  void mix(const std::array<const double*, fields>& x, const std::array<double*, fields>& g) {
    constexpr int kMost = MixedRounds::kMost;
    const std::size_t size = fields * count_;
    const int newest = rounds_ > 0 ? (rounds_ - 1) % kMost : -1;
    reserve(fields);
    const MixedRounds kept{size, result_.data(), change_.data(), results_.data(), changes_.data()};
    for (std::size_t f = 0; f < fields; ++f)
      backend_.run(count_, KeepRound{kept, newest, x[f], g[f], f * count_});
    const int count = std::min(rounds_++, kMost);
    if (count == 0) return;
    const auto multiply = [&](const double* with) {
      backend_.run(size, MultiplyRounds{kept, count, with, products_.data()});
      return backend_.read(products_);
    };
    const MixingProducts products = multiply(kept.changes + newest * size);
    const auto last = static_cast<std::size_t>(newest);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
      gram_[k][last] = gram_[last][k] = products.value[k];
    SubtractResults subtract{kept, count};
    nearest_combination(gram_, multiply(kept.change), count, subtract.part);
    for (std::size_t f = 0; f < fields; ++f) {
      subtract.g = g[f];
      subtract.first = f * count_;
      backend_.run(count_, subtract);
    }
  }

 private:
  Backend& backend_;
  std::size_t count_;
  int rounds_ = 0;
  Array<double> result_, change_, results_, changes_;  // made on first use
  Array<MixingProducts> products_;
  ChangeProducts<MixedRounds::kMost> gram_{};
};

template <class Backend>
class FixedPoint {
 public:
  // count: own elements; whole_count: elements of the whole grid. relax() mixes only on grids of up
  // to kMostMixed elements, since mixing keeps 36 doubles for each.
  FixedPoint(Backend& backend, std::size_t count, std::size_t whole_count)
      : backend_(backend),
        count_(count),
        mixes_(whole_count <= kMostMixed),
        mixing_(backend, count),
        changes_(1) {}

  // Allocates the memory of mix(), and of relax() if that mixes.
  void reserve() { mixing_.reserve(2); }
  [[nodiscard]] bool relaxing_mixes() const { return mixes_; }

  void begin() {
    mixing_.start_again();
    part_ = 1.0;
    last_ = HUGE_VAL;
  }

  // How far a round moved the fields from those at its start.
  OuterChanges measure(const RoundFields& now, const RoundFields& before) {
    backend_.run(count_, OuterChange{now, before, changes_.data()});
    return backend_.read(changes_);
  }
  // Replaces the tractions found by those with which the next round starts.
  void mix(const RoundFields& now, const RoundFields& before) {
    mixing_.template mix<2>({before.traction_x, before.traction_y},
                            {now.traction_x, now.traction_y});
  }
  // If rounds stop reducing the change, the next one starts with only part of it, mixed with
  // earlier rounds. Otherwise an element at the edge that friction pushes out of the contact, and
  // that returns without friction, would alternate. change: of the round, from measure(); taken:
  // the change is small enough, so the tractions are kept as found.
  void relax(const RoundFields& now, const RoundFields& before, int round, double change,
             bool taken) {
    const bool closer = change <= (1.0 - 0.5 * part_) * last_;
    if (round > kFreeRounds && !closer && part_ > kLeastPart) {
      part_ = std::max(kLeastPart, 0.5 * part_);
      mixing_.start_again();
    }
    last_ = change;
    if (taken || !(part_ < 1.0)) return;
    backend_.run(count_, TakePart{before.traction_x, now.traction_x, part_});
    backend_.run(count_, TakePart{before.traction_y, now.traction_y, part_});
    if (mixes_) mix(now, before);
  }
  // Stores the fields with which the next round starts.
  void keep(const RoundFields& now, const RoundFields& before) {
    if (now.pressure != nullptr) backend_.run(count_, CopyField{now.pressure, before.pressure});
    backend_.run(count_, CopyField{now.traction_x, before.traction_x});
    backend_.run(count_, CopyField{now.traction_y, before.traction_y});
  }

 private:
  static constexpr std::size_t kMostMixed = std::size_t{1} << 16;
  static constexpr double kLeastPart = 0.1;

  Backend& backend_;
  std::size_t count_;
  bool mixes_;
  AndersonMixing<Backend> mixing_;
  typename Backend::template Array<OuterChanges> changes_;
  double part_ = 1.0;  // relaxation factor
  double last_ = HUGE_VAL;
};

}  // namespace slipfield
