// SPDX-License-Identifier: Apache-2.0
// The greatest of an array's values.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace slipfield {

// Waits for the stream. n >= 1.
double greatest_on_device(const double* values, std::size_t n, cudaStream_t stream);

}  // namespace slipfield
