// SPDX-License-Identifier: Apache-2.0
// Moves a few numbers between device and host by a kernel: a copy engine takes some 3 us more,
// during which the stream stops.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace slipfield {

// host: pinned. Asynchronous: complete when the stream is. overlap: see launch_element_op().
void read_back(const void* device, void* host, std::size_t bytes, cudaStream_t stream,
               bool overlap);

// Writes doubles from any host memory as parameters of the launch: `host` may be reused on return.
// Asynchronous.
inline constexpr std::size_t kMostWritten = 32;
void write_through(const double* host, double* device, std::size_t count, cudaStream_t stream,
                   bool overlap);

// The greatest of an array's values.

// Writes it into device memory; 0 if no value is positive. Asynchronous. overlap: see
// launch_element_op().
void find_greatest(const double* values, std::size_t n, double* greatest, cudaStream_t stream,
                   bool overlap);

}  // namespace slipfield
