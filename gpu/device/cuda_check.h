// SPDX-License-Identifier: Apache-2.0
// Every CUDA call is checked where it is made: SLIPFIELD_CUDA_CHECK(cudaMemset(...)).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "solver/error.h"

namespace slipfield {

// A CUDA or cuFFT call failed, and the device still answers: which call, the code's name, its text,
// our file and line. One after which the device does not is a BackendLost.
class CudaError : public Error {
 public:
  using Error::Error;
};

// The device has less memory free than is needed. It may have more in an hour, and the CPU has its
// own: the case is not at fault.
class CudaOutOfMemory : public OutOfMemory {
 public:
  // needed: "1.5 GiB for the case", the beginning of the sentence's second half.
  CudaOutOfMemory(const std::string& needed, std::size_t bytes_free);
};

// Where in our code a call is.
struct CallSite {
  const char* call;
  const char* file;
  int line;
};

[[noreturn]] void throw_cuda_error(cudaError_t code, const CallSite& site);
// For the libraries on top of CUDA, with codes of their own.
[[noreturn]] void throw_cuda_error(const std::string& code_name, const std::string& text,
                                   const CallSite& site);

// For destructors, which must not throw: says on stderr what failed, unless the device is lost,
// which an exception has reported.
void report_cuda_error(cudaError_t code, const CallSite& site) noexcept;

// Memory from the device's pool; throws CudaOutOfMemory, or as throw_cuda_error. What is freed is
// reused behind everything that was launched before, on every stream of this program.
void* allocate_on_device(std::size_t bytes);
void free_on_device(void* pointer) noexcept;

// Bytes that allocate_on_device can still give.
std::size_t free_device_bytes();

}  // namespace slipfield

#define SLIPFIELD_CUDA_CHECK(call)                                                \
  do {                                                                            \
    const cudaError_t slipfield_code = (call);                                    \
    if (slipfield_code != cudaSuccess)                                            \
      ::slipfield::throw_cuda_error(slipfield_code, {#call, __FILE__, __LINE__}); \
  } while (false)

// In destructors.
#define SLIPFIELD_CUDA_REPORT(call)                                                \
  do {                                                                             \
    const cudaError_t slipfield_code = (call);                                     \
    if (slipfield_code != cudaSuccess)                                             \
      ::slipfield::report_cuda_error(slipfield_code, {#call, __FILE__, __LINE__}); \
  } while (false)

// After a kernel launch; `name` is what the message calls it.
#define SLIPFIELD_LAUNCH_CHECK(name)                                                          \
  do {                                                                                        \
    const cudaError_t slipfield_code = cudaGetLastError();                                    \
    if (slipfield_code != cudaSuccess)                                                        \
      ::slipfield::throw_cuda_error(slipfield_code, {"launch of " name, __FILE__, __LINE__}); \
  } while (false)
