// SPDX-License-Identifier: Apache-2.0
// The sweep's parts: one block runs the chain, all others update the slip (THEORY.md 7.3).
//
// Elements in sweep order form panels of 32. The panels of several sweeps are counted continuously
// by the *turn* t; panel(t) = t mod panels. Changes of panel(t) reach the slip of
//   panel(t), panel(t+1)  by the warp of the chain, element after element (solve_panel),
//   panel(t+2)            by another warp of its block, during turn t+1 (prepare_panel),
//   all elements          by the blocks that own them (keep_slip), each warp its own panels, when
//                         they come to it. The owner of panel(t+3) then leaves a snapshot of its
//                         slip, which the chain reads during turn t+2.
// An owner may therefore be a turn and a half late before the chain waits; the chain waits for its
// own block only at one barrier per panel; and each handover is a flag in global memory (release,
// acquire), without a barrier over the grid.
//
// Traffic per pair of elements: three coefficients for 8 flops, from L1 (neighbouring lanes read
// neighbouring coefficients; an owner block reads about three rows of the tables per panel).
#pragma once

#include <cuda/atomic>

#include "solver/fields/tangential_ops.h"

namespace slipfield::gauss_seidel {

inline constexpr int kPanel = 32;
inline constexpr int kThreads = 384;
inline constexpr int kAhead = 3;  // turns from a change to the snapshot that holds it

struct SweepTask {
  const double* xx;
  const double* xy;
  const double* yy;
  int self;  // place of an element's coefficient on itself
  const int* index;
  const int2* offsets;  // x: as receiver, y: as source; the coefficient is at their difference
  double2* slip;
  double2* snapshot;
  double2* changes;
  unsigned* ready;
  unsigned long long* solved;
  SweepChange* sums;
  TangentialFields fields;
  double relaxation;
  int elements;
  int panels;
  int sweeps;
  int panels_per_block;
  unsigned sweeps_before;  // in earlier launches, so that no flag needs clearing
  unsigned long long panels_before;

  [[nodiscard]] __device__ int turns() const { return sweeps * panels; }
  [[nodiscard]] __device__ int panel_size(int panel) const {
    return min(kPanel, elements - panel * kPanel);
  }
  // Lanes beyond the last element repeat it.
  [[nodiscard]] __device__ int element(int panel, int lane) const {
    return min(panel * kPanel + lane, elements - 1);
  }
  [[nodiscard]] __device__ unsigned ready_flag(int turn) const {
    return sweeps_before + static_cast<unsigned>(turn / panels) + 1u;
  }
  [[nodiscard]] __device__ double2* changes_of(int turn) const {
    return changes + static_cast<std::size_t>(turn / panels % 2 * panels + turn % panels) * kPanel;
  }
};

template <class T>
__device__ __forceinline__ T load_acquire(T* flag) {
  return cuda::atomic_ref<T, cuda::thread_scope_device>(*flag).load(cuda::memory_order_acquire);
}
template <class T>
__device__ __forceinline__ void store_release(T* flag, T value) {
  cuda::atomic_ref<T, cuda::thread_scope_device>(*flag).store(value, cuda::memory_order_release);
}

}  // namespace slipfield::gauss_seidel
