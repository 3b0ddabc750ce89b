// SPDX-License-Identifier: Apache-2.0
// The four classic reductions of [deReus2010], kept for `bench` next to the one that the solvers
// use.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace slipfield {

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

}  // namespace slipfield
