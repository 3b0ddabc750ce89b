// SPDX-License-Identifier: Apache-2.0
// The other blocks of the sweep: each keeps the slip of its own panels up to date
// (gpu/gauss_seidel/panels.cuh).
//
// Mirrors CpuGaussSeidel::add_changes (solver/cpu/cpu_gauss_seidel.cpp). Work: 8 flops per pair of
// elements. Traffic: three coefficients, 24 bytes per pair, from L1, each load of a warp three
// cache lines: 9 cycles for 32 pairs at best, on 131 multiprocessors of 1.98 GHz 4.7 ms for a sweep
// of 65,536 elements, where the chain takes 7.8 ms. From about 100,000 elements on this is the
// limit.
#pragma once

#include "gpu/gauss_seidel/panels.cuh"

namespace slipfield::gauss_seidel {

struct OwnerShared {  // by turn mod 2
  double2 change[2][kPanel];
  int source[2][kPanel];
};

// An owner block's first warp's knowledge of the chain, and its lane's part of the next turn's
// changes, requested early if the chain is ahead.
struct Arrivals {
  unsigned long long solved = 0;
  double2 change;
  int source;

  __device__ __forceinline__ void ask(const SweepTask& task, int turn) {
    source = task.offsets[task.element(turn % task.panels, threadIdx.x & 31)].y;
    if (arrived(task, turn)) change = __ldcg(task.changes_of(turn) + (threadIdx.x & 31));
  }
  // Waits for data that was not there when requested.
  __device__ __forceinline__ void put(const SweepTask& task, int turn, OwnerShared& shared) {
    const int lane = threadIdx.x & 31;
    if (!arrived(task, turn)) {
      do {
        solved = load_acquire(task.solved);
      } while (!arrived(task, turn));
      change = __ldcg(task.changes_of(turn) + lane);
    }
    shared.change[turn & 1][lane] = change;
    shared.source[turn & 1][lane] = source;
  }
  [[nodiscard]] __device__ __forceinline__ bool arrived(const SweepTask& task, int turn) const {
    return solved > task.panels_before + static_cast<unsigned>(turn);
  }
};

__device__ inline void leave_snapshot(const SweepTask& task, int turn, int element, bool present,
                                      double2 slip) {
  if (present) __stcg(task.snapshot + element, slip);
  __syncwarp();
  if ((threadIdx.x & 31) == 0) {
    store_release(task.ready + turn % task.panels, task.ready_flag(turn));
  }
}

// Keeps the slip of the panels of all blocks except the first.
__device__ inline void keep_slip(const SweepTask& task, OwnerShared& shared) {
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x / 32;
  const int begin = (static_cast<int>(blockIdx.x) - 1) * task.panels_per_block;
  const int end = min(begin + task.panels_per_block, task.panels);
  const int turns = task.turns();
  constexpr int kWarps = kThreads / 32;
  const int first = begin + (warp + kWarps - 1) % kWarps;  // warp 0, which is busy, has the fewest
  for (int panel = first; panel < end; panel += kWarps) {
    const int element = task.element(panel, lane);
    const int index = task.index[element];
    const bool present = lane < task.panel_size(panel);
    const double2 slip = {task.fields.slip_x[index], task.fields.slip_y[index]};
    if (present) task.slip[element] = slip;
    if (panel < kAhead) leave_snapshot(task, panel, element, present, slip);
  }
  Arrivals arrivals;
  if (warp == 0) arrivals.ask(task, 0);
  for (int turn = 0; turn < turns; ++turn) {
    if (warp == 0) arrivals.put(task, turn, shared);
    __syncthreads();
    if (warp == 0 && turn + 1 < turns) arrivals.ask(task, turn + 1);
    const int awaited = turn + kAhead < turns ? (turn + kAhead) % task.panels : -1;
    for (int panel = first; panel < end; panel += kWarps) {
      const int element = task.element(panel, lane);
      const bool present = lane < task.panel_size(panel);
      const int receiver = task.offsets[element].x;
      const double* xx = task.xx + receiver;
      const double* xy = task.xy + receiver;
      const double* yy = task.yy + receiver;
      double2 slip = task.slip[element];
      double2 sum = {0.0, 0.0};
#pragma unroll 16
      for (int k = 0; k < kPanel; ++k) {
        const std::ptrdiff_t source = shared.source[turn & 1][k];
        const double2 change = shared.change[turn & 1][k];
        const double coupling = __ldg(xy - source);
        sum.x = fma(coupling, change.y, fma(__ldg(xx - source), change.x, sum.x));
        sum.y = fma(__ldg(yy - source), change.y, fma(coupling, change.x, sum.y));
      }
      slip.x += sum.x;
      slip.y += sum.y;
      if (present) task.slip[element] = slip;
      if (panel == awaited) leave_snapshot(task, turn + kAhead, element, present, slip);
    }
  }
  for (int panel = first; panel < end; panel += kWarps) {
    if (lane >= task.panel_size(panel)) continue;
    const int element = task.element(panel, lane);
    const int index = task.index[element];
    const double2 slip = task.slip[element];
    task.fields.slip_x[index] = slip.x;
    task.fields.slip_y[index] = slip.y;
  }
}

}  // namespace slipfield::gauss_seidel
