// SPDX-License-Identifier: Apache-2.0
// The two product kernels of [deReus2010], from which this program started, kept for `bench`: what
// the tiled and the FFT product are measured against.
#pragma once

#include <cuda_runtime_api.h>

namespace slipfield {

enum class StudyProduct {
  global_memory,  // one thread per element; every coefficient and traction from global memory
  one_row_tiles,  // one row of sources at a time, tractions and coefficients in shared memory
};

// u_n = A_nn p_n by the table of gpu/summation/coefficient_table.h.
void study_product(StudyProduct variant, const double* table, const double* pressure, int mx,
                   int my, double* displacement, cudaStream_t stream);

}  // namespace slipfield
