// SPDX-License-Identifier: Apache-2.0
// A few numbers between device memory and the host by a kernel: a copy engine takes some 3 us more,
// in which the stream stands still.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace slipfield {

// host: pinned. Asynchronous: there once the stream has come to its end. overlap: as of
// launch_element_op().
void read_back(const void* device, void* host, std::size_t bytes, cudaStream_t stream,
               bool overlap);

// Doubles from any host memory, which the launch takes with it: `host` may be reused on return.
// Asynchronous.
inline constexpr std::size_t kMostWritten = 32;
void write_through(const double* host, double* device, std::size_t count, cudaStream_t stream,
                   bool overlap);

// The greatest of an array's values.

// Into device memory; 0 if no value is positive. Asynchronous. overlap: as of launch_element_op().
void find_greatest(const double* values, std::size_t n, double* greatest, cudaStream_t stream,
                   bool overlap);

}  // namespace slipfield
