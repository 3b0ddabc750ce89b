// SPDX-License-Identifier: Apache-2.0
// An element operation whose elements are shared out over cards, as two: each card's sums, and what
// all cards' sums come to. For element_launch.h; instances in gpu/cards/shared_sums.cu.
#pragma once

#include "gpu/device/element_launch.h"
#include "solver/host_device.h"
#include "solver/tangential/krylov_ops.h"

namespace slipfield {

// What a card leaves for the others at a time: of an element operation, or the newest column of a
// Krylov basis.
inline constexpr int kCardSums = kKrylovRestart + 1;
static_assert(kCardSums >= kElementMaxSums);

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
  const double* sums = nullptr;  // kCardSums of each card
  int cards = 1;
  SLIPFIELD_HD void element(std::size_t /*i*/, double* /*values*/) const {}
  SLIPFIELD_HD void finish(const double* /*values*/) const {
    double all[kElementMaxSums] = {};
    for (int card = 0; card < cards; ++card) {
      for (int k = 0; k < Op::kSums; ++k) all[k] += sums[card * kCardSums + k];
    }
    op.finish(all);
  }
};

}  // namespace slipfield
