// SPDX-License-Identifier: Apache-2.0
// `slipfield bench families`: how many products with the influence matrix a solve takes, by what it
// has besides elastic like bodies, constant friction and first order.
#pragma once

#include "app/bench/record.h"
#include "app/run/solver_factory.h"

namespace slipfield {

struct FamilyBenchOptions {
  BackendChoice backend = BackendChoice::automatic;
  BenchSizes sizes;  // empty: the usual one
  bool silent = false;
};

// An elliptical contact of a steel wheel on a rail under four loads, from small creepage to near
// full sliding, one of them mostly spin. A figure is the sum over the loads; it is compared with
// that of the elastic case of the same motion. The exit code: 0 where all converge, else 1. Throws InputError for grids below 16 x 16.
BenchOutcome bench_families(const FamilyBenchOptions& options);

}  // namespace slipfield
