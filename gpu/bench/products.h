// SPDX-License-Identifier: Apache-2.0
// Products with the influence matrix, each way of forming them timed and compared: for `slipfield
// bench`.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "gpu/bench/timing.h"
#include "gpu/device/fields.h"

namespace slipfield {

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

}  // namespace slipfield
