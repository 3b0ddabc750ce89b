// SPDX-License-Identifier: Apache-2.0
// The kernels of [deReus2010], from which this program started, kept for `bench`: what those of the
// solvers are measured against.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "gpu/device/device_array.h"
#include "solver/fields/tangential_ops.h"

namespace slipfield {

// Products.
enum class StudyProduct {
  global_memory,  // one thread per element; every coefficient and traction from global memory
  one_row_tiles,  // one row of sources at a time, tractions and coefficients in shared memory
};

// u_n = A_nn p_n by the table of gpu/summation/coefficient_table.h.
void study_product(StudyProduct variant, const double* table, const double* pressure, int mx,
                   int my, double* displacement, cudaStream_t stream);

// The four classic reductions, next to the one that the solvers use.
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

  // One sweep, asynchronous. slip_x, slip_y: the slip that the tractions do not make, unchanged;
  // every element's slip is summed again.
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
