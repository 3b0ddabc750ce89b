// SPDX-License-Identifier: Apache-2.0
// A few numbers from device memory to the host by a kernel: a copy engine takes some 3 us more, in
// which the stream stands still.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace slipfield {

// host: pinned. Asynchronous: there once the stream has come to its end. overlap: as of
// launch_element_op().
void read_back(const void* device, void* host, std::size_t bytes, cudaStream_t stream,
               bool overlap);

}  // namespace slipfield
