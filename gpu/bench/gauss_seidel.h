// SPDX-License-Identifier: Apache-2.0
// The sweep's cost, and what it could cost at best: for `slipfield bench`.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace slipfield {

// One line: a way of sweeping at one size, on a round contact that starts to slip from nothing.
struct GaussSeidelBench {
  std::string name;
  int elements = 0;                // in contact
  int sweeps = 0;                  // timed, the first among them
  double milliseconds = 0.0;       // a sweep, median
  double mean_milliseconds = 0.0;  // the first ones move most and cost most
  double slowest_milliseconds = 0.0;
  double microseconds_per_element = 0.0;
  double gflops = 0.0;    // 8 flops per pair of elements
  double floor_ms = 0.0;  // the larger of the chain's and the flops' floor, as measured here
  double ratio = 0.0;     // milliseconds/floor_ms
  double error = -1.0;    // |p - p_cpu|/|p_cpu| after error_sweeps sweeps; -1: not compared
};

struct GaussSeidelBenchOptions {
  std::vector<int> sizes = {1024, 4096, 16384, 65536};
  double relaxation = 0.5;  // the solver's
  int sweeps = 40;
  int error_sweeps = 3;
  bool cpu = true;                 // 2 s at 65,536 elements on 16 cores
  bool launch_per_element = true;  // [deReus2010]; 0.3 s
};

std::vector<GaussSeidelBench> bench_gauss_seidel(const GaussSeidelBenchOptions& options,
                                                 cudaStream_t stream);

// Seconds that no element's turn in a chain on this device can undercut: the broadcast of two
// doubles in a warp and 12 dependent multiply-adds (gpu/gauss_seidel/chain.cuh).
double measure_chain_floor(cudaStream_t stream);

}  // namespace slipfield
