// SPDX-License-Identifier: Apache-2.0
// Timing on the device: medians of many runs by events, and the machine's own two ceilings.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>

namespace slipfield {

// One line of `slipfield bench`.
struct BenchResult {
  std::string name;
  int mx = 0;
  int my = 0;
  double milliseconds = 0.0;
  double gflops = 0.0;             // of the method's own operations; 0: not counted
  double gbytes_per_second = 0.0;  // of the bytes that it has to move; 0: not counted
  double floor_ms = 0.0;           // the larger of bytes/bandwidth and flop/peak, as measured here
  double ratio = 0.0;              // milliseconds/floor_ms
  double error = 0.0;              // |u - u_cpu|/|u_cpu|
};

// Ceilings measured on this device.
struct DeviceCeilings {
  double bytes_per_second = 0.0;  // copy of 2 GiB, bytes read and written
  double flops_per_second = 0.0;  // double multiply-add, two each
};
DeviceCeilings measure_ceilings(cudaStream_t stream);

// Time of one `work` [ms], launched `inner` times in a captured graph: median of `samples` replays
// after warm-up.
double median_milliseconds(const std::function<void(cudaStream_t)>& work, cudaStream_t stream,
                           int samples = 25);

// Fills floor and ratio from the ceilings.
void set_floor(BenchResult& result, const DeviceCeilings& ceilings, double bytes, double flops);

}  // namespace slipfield
