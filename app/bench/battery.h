// SPDX-License-Identifier: Apache-2.0
// `slipfield bench battery`: many random problems on a backend, each checked by direct summation.
#pragma once

#include <cstdint>

#include "app/bench/battery_problem.h"
#include "app/bench/record.h"
#include "app/run/solver_factory.h"

namespace slipfield {

struct BatteryOptions {
  BackendChoice backend = BackendChoice::automatic;
  int cases = 300;
  std::uint64_t seed = 1;
  GridLimit largest;
  bool silent = false;
};

// Prints what did not converge and the summary. Its figure is the time of all steps. The exit code: 0 where at least 99 % of those that
// have a solution converged and every one that says so has a residual under 100 times the tolerance,
// else 1.
BenchOutcome bench_battery(const BatteryOptions& options);

}  // namespace slipfield
