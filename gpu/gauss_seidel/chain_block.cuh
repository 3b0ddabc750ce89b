// SPDX-License-Identifier: Apache-2.0
// Block 0 of the sweep: one warp solves element after element, the others prepare its next panel
// and publish the last (gpu/gauss_seidel/panels.cuh).
//
// Mirrors CpuGaussSeidel::solve_panel (solver/cpu/cpu_gauss_seidel.cpp). Shared memory: 104 KiB, of
// which 96 KiB are the coefficients of two panels, each on itself and on its successor.
#pragma once

#include "gpu/gauss_seidel/chain.cuh"
#include "gpu/gauss_seidel/panels.cuh"

namespace slipfield::gauss_seidel {

// The chain's warp has a scheduler to itself, which warps 0, 4, 8 would share. The other nine help:
// one prepares, one publishes, the rest stage coefficients.
inline constexpr int kHelpers = kThreads / 32 / 4 * 3;
inline constexpr int kPreparer = 0;
inline constexpr int kPublisher = kHelpers - 1;
inline constexpr int kStagers = kHelpers - 2;

struct Coefficients {              // [xx, xy, yy][source][receiver]
  double own[3][kPanel][kPanel];   // panel(t) on itself
  double next[3][kPanel][kPanel];  // panel(t) on panel(t+1)
};

struct PanelStart {  // what the chain needs of its next panel
  double free_x[kPanel], free_y[kPanel];
  double old_x[kPanel], old_y[kPanel];
  double bound[kPanel];
  double point_x[kPanel], point_y[kPanel];
};

struct PanelResult {
  double2 change[kPanel];
  double2 traction[kPanel];
  unsigned char state[kPanel];
};

struct ChainShared {  // by turn mod 2
  Coefficients coefficients[2];
  PanelStart start[2];
  PanelResult result[2];
};

// Slip of the next panel caused by the chain's panel.
struct NextSlip {
  double x = 0.0;
  double y = 0.0;
};

// Projects the relaxed traction onto its disc.
__device__ __forceinline__ double2 projected(double2 change, double old_x, double old_y,
                                             double bound) {
  const double x = old_x + change.x;
  const double y = old_y + change.y;
  const double size2 = x * x + y * y;
  if (size2 <= bound * bound) return change;
  const double scale = bound > 0.0 ? bound * rsqrt(size2) : 0.0;
  return {x * scale - old_x, y * scale - old_y};
}

// The chain: warp 0 solves the panel's elements one after another. It sends each change before
// knowing that it is exact.
template <bool kProject>
__device__ __forceinline__ void solve_elements(const SweepConstants& c, Lane& self, double old_x,
                                               double old_y, double bound,
                                               const Coefficients& coefficients, int size,
                                               NextSlip& next, double2& change, bool& slides) {
  constexpr int kTable = kPanel * kPanel;
  const int lane = threadIdx.x & 31;
  const double* row = &coefficients.own[0][0][lane];
  for (int k = 0; k < size; ++k, row += kPanel) {
    const double xx = row[0];
    const double xy = row[kTable];
    const double yy = row[2 * kTable];
    const double next_xx = row[3 * kTable];
    const double next_xy = row[4 * kTable];
    const double next_yy = row[5 * kTable];
    const bool mine = lane == k;

    Trial t = self.trial(c);
    double2 now = {t.change_x, t.change_y};
    if constexpr (kProject) now = projected(now, old_x, old_y, bound);
    double from_x = __shfl_sync(kAllLanes, now.x, k);
    double from_y = __shfl_sync(kAllLanes, now.y, k);
    if (__any_sync(kAllLanes, mine & t.slides & !t.close)) {
      t = settle(self, c, t, mine);
      now = {t.change_x, t.change_y};
      if constexpr (kProject) now = projected(now, old_x, old_y, bound);
      from_x = __shfl_sync(kAllLanes, now.x, k);
      from_y = __shfl_sync(kAllLanes, now.y, k);
    }
    if (mine) {
      change = now;
      slides = t.slides;
    }
    self.free_x = fma(xy, from_y, fma(xx, from_x, self.free_x));
    self.free_y = fma(yy, from_y, fma(xy, from_x, self.free_y));
    next.x = fma(next_xy, from_y, fma(next_xx, from_x, next.x));
    next.y = fma(next_yy, from_y, fma(next_xy, from_x, next.y));
  }
}

__device__ inline void solve_panel(const SweepConstants& c, ChainShared& shared, int turn, int size,
                                   NextSlip& next) {
  const int lane = threadIdx.x & 31;
  const PanelStart& start = shared.start[turn & 1];
  Lane self;
  const double bound = start.bound[lane];
  const double old_x = start.old_x[lane];
  const double old_y = start.old_y[lane];
  self.start(c, start.free_x[lane] + next.x, start.free_y[lane] + next.y, old_x, old_y, bound);
  self.set_point(c, start.point_x[lane], start.point_y[lane]);
  next = {};
  double2 change = {0.0, 0.0};
  bool slides = true;
  // The segment between a point of the disc and one of its edge stays inside.
  const bool leaves = c.relaxation > 1.0 || old_x * old_x + old_y * old_y > bound * bound;
  if (__any_sync(kAllLanes, leaves)) {
    solve_elements<true>(c, self, old_x, old_y, bound, shared.coefficients[turn & 1], size, next,
                         change, slides);
  } else {
    solve_elements<false>(c, self, old_x, old_y, bound, shared.coefficients[turn & 1], size, next,
                          change, slides);
  }
  PanelResult& result = shared.result[turn & 1];
  const bool bounded = bound > 0.0;
  result.change[lane] = change;
  result.traction[lane] = {bounded ? old_x + change.x : 0.0, bounded ? old_y + change.y : 0.0};
  result.state[lane] =
      static_cast<unsigned char>(slides || !bounded ? ElementState::slip : ElementState::adhesion);
}

// Copies the coefficients of panel(turn) on itself and on the next panel to shared memory.
__device__ inline void stage_coefficients(const SweepTask& task, ChainShared& shared, int turn,
                                          int stager) {
  const int lane = threadIdx.x & 31;
  const int panel = turn % task.panels;
  const int sources = task.offsets[task.element(panel, lane)].y;
  for (int part = 0; part < 2; ++part) {
    if (turn + part >= task.turns()) return;
    Coefficients& tables = shared.coefficients[turn & 1];
    auto& out = part == 0 ? tables.own : tables.next;
    const int receiver = task.offsets[task.element((turn + part) % task.panels, lane)].x;
#pragma unroll 4
    for (int k = stager; k < kPanel; k += kStagers) {
      const int at = receiver - __shfl_sync(kAllLanes, sources, k);
      out[0][k][lane] = __ldg(task.xx + at);
      out[1][k][lane] = __ldg(task.xy + at);
      out[2][k][lane] = __ldg(task.yy + at);
    }
  }
}

// Prepares slip, tractions and bound of panel(turn) for the chain, without the changes of
// panel(turn - 1), which the chain adds itself; one warp.
__device__ inline void prepare_panel(const SweepTask& task, const SweepConstants& c,
                                     ChainShared& shared, int turn) {
  const int lane = threadIdx.x & 31;
  const int panel = turn % task.panels;
  const int element = task.element(panel, lane);
  const int index = task.index[element];
  const bool present = lane < task.panel_size(panel);
  const double old_x = present ? task.fields.traction_x[index] : 0.0;
  const double old_y = present ? task.fields.traction_y[index] : 0.0;
  const double bound = present ? task.fields.bound[index] : 0.0;
  double2 slip = {0.0, 0.0};
  if (turn >= 2) {
    const PanelResult& from = shared.result[turn & 1];
    const int receiver = task.offsets[element].x;
    const int sources = task.offsets[task.element((turn - 2) % task.panels, lane)].y;
#pragma unroll 16
    for (int k = 0; k < kPanel; ++k) {
      const int at = receiver - __shfl_sync(kAllLanes, sources, k);
      const double2 change = from.change[k];
      const double xy = __ldg(task.xy + at);
      slip.x = fma(xy, change.y, fma(__ldg(task.xx + at), change.x, slip.x));
      slip.y = fma(__ldg(task.yy + at), change.y, fma(xy, change.x, slip.y));
    }
  }
  while (load_acquire(task.ready + panel) != task.ready_flag(turn)) {
  }
  const double2 before = __ldcg(task.snapshot + element);
  slip.x += before.x;
  slip.y += before.y;
  if (!present) slip = {0.0, 0.0};
  Lane self;
  self.start(c, slip.x - c.compliance.xx * old_x - c.compliance.xy * old_y,
             slip.y - c.compliance.xy * old_x - c.compliance.yy * old_y, old_x, old_y, bound);
  self.guess_point(c);
  PanelStart& start = shared.start[turn & 1];
  start.free_x[lane] = self.free_x;
  start.free_y[lane] = self.free_y;
  start.old_x[lane] = old_x;
  start.old_y[lane] = old_y;
  start.bound[lane] = bound;
  start.point_x[lane] = self.point_x;
  start.point_y[lane] = self.point_y;
}

// Sends the changes of panel(turn) to the owners and writes its tractions and state to the fields;
// one warp.
__device__ inline void publish_panel(const SweepTask& task, const ChainShared& shared, int turn,
                                     double (&sums)[2]) {
  const int lane = threadIdx.x & 31;
  const int panel = turn % task.panels;
  const PanelResult& result = shared.result[turn & 1];
  const double2 change = result.change[lane];
  __stcg(task.changes_of(turn) + lane, change);
  __syncwarp();
  if (lane == 0) {
    store_release(task.solved, task.panels_before + static_cast<unsigned long long>(turn) + 1u);
  }
  if (lane < task.panel_size(panel)) {
    const double2 traction = result.traction[lane];
    const int index = task.index[task.element(panel, lane)];
    task.fields.traction_x[index] = traction.x;
    task.fields.traction_y[index] = traction.y;
    task.fields.state[index] = result.state[lane];
    sums[0] += change.x * change.x + change.y * change.y;
    sums[1] += traction.x * traction.x + traction.y * traction.y;
  }
  if (panel == task.panels - 1) {  // the sweep is done
    for (int step = 16; step > 0; step /= 2) {
      sums[0] += __shfl_down_sync(kAllLanes, sums[0], step);
      sums[1] += __shfl_down_sync(kAllLanes, sums[1], step);
    }
    if (lane == 0) task.sums[turn / task.panels] = {sums[0], sums[1]};
    sums[0] = sums[1] = 0.0;
  }
}

// Block 0.
__device__ inline void run_chain(const SweepTask& task, ChainShared& shared) {
  const int warp = threadIdx.x / 32;
  const int helper = warp % 4 == 0 ? -1 : warp / 4 * 3 + warp % 4 - 1;
  const SweepConstants c({task.xx[task.self], task.xy[task.self], task.yy[task.self]},
                         task.relaxation);
  const int turns = task.turns();
  NextSlip next;
  double sums[2] = {0.0, 0.0};
  int panel = -1;
  for (int turn = -1; turn <= turns; ++turn, panel = panel + 1 < task.panels ? panel + 1 : 0) {
    if (warp == 0 && turn >= 0 && turn < turns) {
      solve_panel(c, shared, turn, task.panel_size(panel), next);
    }
    if (helper == kPublisher && turn >= 1) publish_panel(task, shared, turn - 1, sums);
    if (turn + 1 < turns) {
      if (helper == kPreparer) prepare_panel(task, c, shared, turn + 1);
      if (helper > kPreparer && helper < kPublisher) {
        stage_coefficients(task, shared, turn + 1, helper - 1);
      }
    }
    __syncthreads();
  }
}

}  // namespace slipfield::gauss_seidel
