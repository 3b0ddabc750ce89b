// SPDX-License-Identifier: Apache-2.0
// Measurements on the GPU for `slipfield bench`. Without the CUDA toolkit they throw Error.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace slipfield {

struct BenchLine {
  std::string name;
  std::string size;           // "512x512", "4096 elements"
  double milliseconds = 0.0;  // median after warm-up
  double gflops = 0.0;        // of the method's own operations; 0: not counted
  double gbytes_per_second = 0.0;
  double floor_ms = 0.0;  // flops or bytes over the measured rates; 0: unknown
  double error = -1.0;    // |u - u_cpu|/|u_cpu|; negative: not compared
};

using BenchSizes = std::vector<std::array<int, 2>>;  // mx, my; empty: the default ones

std::vector<BenchLine> cuda_bench_matvec(const BenchSizes& sizes);
std::vector<BenchLine> cuda_bench_reduction(const BenchSizes& sizes);
std::vector<BenchLine> cuda_bench_gauss_seidel(const std::vector<int>& sizes);

// A square matrix factorised by cuSOLVER, column by column, with times and ceilings.
enum class Factorisation { lu, cholesky };
struct CudaFactors {
  double milliseconds = 0.0;      // median after warm-up, with the matrix on the device
  double flops_per_second = 0.0;  // the ceiling measured on this device
  std::vector<double> factors;
  std::vector<int> pivots;  // of lu: the row exchanged with each, counted from 1
};
CudaFactors cuda_bench_factorise(const std::vector<double>& matrix, int rows, Factorisation kind);

// Milliseconds to copy `count` doubles from the device to page-locked host memory: the median of
// several copies.
double cuda_bench_to_host(std::size_t count);

}  // namespace slipfield
