// SPDX-License-Identifier: Apache-2.0
// GPU measurements of `slipfield bench`: medians of many runs timed by events, next to the ceilings
// of the machine. Also the kernels of [deReus2010], from which this program started, to compare the
// solvers' kernels with.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "gpu/bench/cuda_bench.h"
#include "gpu/device/device_array.h"
#include "solver/fields/tangential_ops.h"

namespace slipfield {

// Ceilings measured on this device.
struct DeviceCeilings {
  double bytes_per_second = 0.0;  // copy of 2 GiB, bytes read and written
  double flops_per_second = 0.0;  // double multiply-add, two each
};
DeviceCeilings measure_ceilings(cudaStream_t stream);

// Lower bound of the seconds for one element of a chain on this device: the broadcast of two
// doubles in a warp and 12 dependent multiply-adds (gpu/gauss_seidel/chain.cuh).
double measure_chain_floor(cudaStream_t stream);

// Device time of the work that `launch` puts into the stream [ms].
double timed_milliseconds(const std::function<void()>& launch, cudaStream_t stream);

// Time of one `work` [ms], launched many times in a captured graph: median of `samples` replays
// after warm-up.
double median_milliseconds(const std::function<void(cudaStream_t)>& work, cudaStream_t stream,
                           int samples = 25);

// Fills in rates and floor from the ceilings; bytes and flops: of the method itself, 0: not
// counted.
void set_floor(BenchLine& line, const DeviceCeilings& ceilings, double bytes, double flops);

// Products.
enum class StudyProduct {
  global_memory,  // one thread per element; every coefficient and traction from global memory
  one_row_tiles,  // one row of sources at a time, tractions and coefficients in shared memory
};

// u_n = A_nn p_n by the table of gpu/summation/coefficient_table.h.
void study_product(StudyProduct variant, const double* table, const double* pressure, int mx,
                   int my, double* displacement, cudaStream_t stream);

// The four classic reductions, and the one that the solvers use.
enum class StudyReduction {
  divergent,              // interleaved addressing, threads of a warp take different branches
  bank_conflicts,         // interleaved addressing by consecutive threads
  sequential_addressing,  // halves added onto halves
  unrolled_last_warp,     // the same, the last warp without barriers
  element_op,             // launch_element_op: one launch, the same bits in every run
};
inline constexpr int kStudyReductions = 5;
const char* study_reduction_name(StudyReduction variant);

// Doubles of scratch for n elements; zero them once.
std::size_t study_reduction_workspace(std::size_t n);

// *sum = x.y, in device memory. The first four launch once per level.
void study_reduction(StudyReduction variant, const double* x, const double* y, std::size_t n,
                     double* workspace, double* sum, cudaStream_t stream);

// The sweep: one launch per element, two fused inner products over the contact.
class StudyGaussSeidel {
 public:
  // contact: the elements' indices in sweep order; tables as in gpu/gauss_seidel/gauss_seidel.h.
  StudyGaussSeidel(int mx, int my, const std::vector<int>& contact, const double* device_xx,
                   const double* device_xy, const double* device_yy);

  // One sweep, asynchronous. slip_x, slip_y: the slip not caused by the tractions, unchanged; every
  // element's slip is summed again.
  void sweep(const TangentialFields& device_fields, double relaxation, cudaStream_t stream);

 private:
  int mx_;
  int my_;
  std::vector<int> contact_;
  DeviceArray<int> device_contact_;
  const double* tables_[3];
  int blocks_;
  DeviceArray<double2> partial_;
  DeviceArray<unsigned> ticket_;
};

}  // namespace slipfield
