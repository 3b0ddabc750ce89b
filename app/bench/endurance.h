// SPDX-License-Identifier: Apache-2.0
// `slipfield bench endurance`: the same random problems over and over in one process, as a program
// that runs for months would solve them. Memory must stay flat and results the same.
#pragma once

#include <cstdint>

#include "app/bench/battery_problem.h"
#include "app/bench/record.h"
#include "app/run/solver_factory.h"

namespace slipfield {

struct EnduranceOptions {
  BackendChoice backend = BackendChoice::automatic;
  int solves = 10000;
  std::uint64_t seed = 1;
  GridLimit largest;
  bool silent = false;
};

// Solves each problem three times, then begins to count; prints the memory after each tenth and the
// summary. Its figure is the time of a solve. The exit code: 0 where no memory grew beyond what its counting leaves open, and each
// solve gave the bits of the first one of its problem; else 1.
BenchOutcome bench_endurance(const EnduranceOptions& options);

}  // namespace slipfield
