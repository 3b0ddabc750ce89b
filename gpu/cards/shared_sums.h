// SPDX-License-Identifier: Apache-2.0
// An element operation whose elements are shared out over cards, as two: each card's sums, and what
// all cards' sums come to. For element_launch.h; instances in gpu/cards/shared_sums.cu.
#pragma once

#include "gpu/device/element_launch.h"
#include "solver/host_device.h"

namespace slipfield {

// Sums over this card's elements, left for the others.
template <class Op>
struct CardSums {
  static constexpr int kSums = Op::kSums;
  Op op;
  double* sums = nullptr;  // of this card
  SLIPFIELD_HD void element(std::size_t i, double* values) const { op.element(i, values); }
  SLIPFIELD_HD void finish(const double* values) const {
    for (int k = 0; k < kSums; ++k) sums[k] = values[k];
  }
};

// Over no elements: the cards' sums in their order, and the operation's end with them.
template <class Op>
struct AllCardsSums {
  static constexpr int kSums = 0;
  Op op;
  const double* sums = nullptr;  // kElementMaxSums of each card
  int cards = 1;
  SLIPFIELD_HD void element(std::size_t /*i*/, double* /*values*/) const {}
  SLIPFIELD_HD void finish(const double* /*values*/) const {
    double all[kElementMaxSums] = {};
    for (int card = 0; card < cards; ++card) {
      for (int k = 0; k < Op::kSums; ++k) all[k] += sums[card * kElementMaxSums + k];
    }
    op.finish(all);
  }
};

}  // namespace slipfield
