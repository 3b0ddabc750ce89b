// SPDX-License-Identifier: Apache-2.0
// Every CUDA call is checked where it is made: SLIPFIELD_CUDA_CHECK(cudaMemset(...)).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "solver/error.h"

namespace slipfield {

// A CUDA or cuFFT call failed although the device still answers; names the call, the code and its
// text, and our file and line. If the device no longer answers, BackendLost is thrown instead.
class CudaError : public Error {
 public:
  using Error::Error;
};

// The device has too little free memory. This may change within the hour, and the CPU has its own
// memory: the case is not at fault.
class CudaOutOfMemory : public OutOfMemory {
 public:
  // needed: "1.5 GiB for the case", the beginning of the sentence's second half.
  CudaOutOfMemory(const std::string& needed, std::size_t bytes_free);
};

// The place of a call in our code.
struct CallSite {
  const char* call;
  const char* file;
  int line;
};

[[noreturn]] void throw_cuda_error(cudaError_t code, const CallSite& site);
// For libraries on top of CUDA with their own codes.
[[noreturn]] void throw_cuda_error(const std::string& code_name, const std::string& text,
                                   const CallSite& site);

// For destructors, which must not throw: reports the failure on stderr, unless the device is lost,
// which an exception has reported.
void report_cuda_error(cudaError_t code, const CallSite& site) noexcept;

// Allocates memory from the device's pool; throws CudaOutOfMemory, or like throw_cuda_error. Freed
// memory is reused only after all work launched before, on every stream of this program.
void* allocate_on_device(std::size_t bytes);
void free_on_device(void* pointer) noexcept;

// Bytes that allocate_on_device can still allocate.
std::size_t free_device_bytes();

}  // namespace slipfield

#define SLIPFIELD_CUDA_CHECK(call)                                                \
  do {                                                                            \
    const cudaError_t slipfield_code = (call);                                    \
    if (slipfield_code != cudaSuccess)                                            \
      ::slipfield::throw_cuda_error(slipfield_code, {#call, __FILE__, __LINE__}); \
  } while (false)

// For destructors.
#define SLIPFIELD_CUDA_REPORT(call)                                                \
  do {                                                                             \
    const cudaError_t slipfield_code = (call);                                     \
    if (slipfield_code != cudaSuccess)                                             \
      ::slipfield::report_cuda_error(slipfield_code, {#call, __FILE__, __LINE__}); \
  } while (false)

// Call after a kernel launch; `name` appears in the message.
#define SLIPFIELD_LAUNCH_CHECK(name)                                                          \
  do {                                                                                        \
    const cudaError_t slipfield_code = cudaGetLastError();                                    \
    if (slipfield_code != cudaSuccess)                                                        \
      ::slipfield::throw_cuda_error(slipfield_code, {"launch of " name, __FILE__, __LINE__}); \
  } while (false)
