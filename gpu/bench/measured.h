// SPDX-License-Identifier: Apache-2.0
// What `slipfield bench` measures on a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "gpu/bench/timing.h"
#include "gpu/device/fields.h"

namespace slipfield {

// Scalar products, each way of reducing timed and compared.
struct ReductionBenchOptions {
  std::vector<int> sizes = {64, 128, 256, 512, 1024, 2048, 4096};  // of square grids
  int samples = 25;
};

// x.y over size^2 elements. Floor: 16 bytes per element. The error is that of the one number, over
// |x|.|y|.
std::vector<BenchResult> bench_reductions(const ReductionBenchOptions& options,
                                          cudaStream_t stream);

// Products with the influence matrix, each way of forming them timed and compared.
struct ProductBenchOptions {
  struct Size {
    int mx;
    int my;
  };
  std::vector<Size> sizes = {{64, 64},     {128, 128},   {256, 256},  {512, 512},
                             {1024, 1024}, {2048, 2048}, {4096, 4096}};
  std::vector<Block> shapes = {Block::normal, Block::tangential};
  int tiled_limit = 1 << 18;  // elements; direct summation costs the square of them
  int study_limit = 1 << 16;  // likewise, for the kernels of [deReus2010]
  int rows_limit = 1 << 16;   // of the product with a table for each row: as many rows squared
  bool cufft = true;          // whole-array cuFFT, the library's way
  int samples = 25;
};

// Random tractions, dense. Floors: the flops of direct summation, the bytes of the FFT product. The
// error is that of some outputs (all of a small grid) against direct summation on the CPU.
std::vector<BenchResult> bench_products(const ProductBenchOptions& options, cudaStream_t stream);

// The sweep's cost, and what it could cost at best. One line: a way of sweeping at one size, on a round contact that starts to slip from nothing.
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
