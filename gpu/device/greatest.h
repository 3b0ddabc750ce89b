// SPDX-License-Identifier: Apache-2.0
// The greatest of an array's values.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace slipfield {

// Into device memory; 0 if no value is positive. Asynchronous. overlap: as of launch_element_op().
void find_greatest(const double* values, std::size_t n, double* greatest, cudaStream_t stream,
                   bool overlap);

}  // namespace slipfield
