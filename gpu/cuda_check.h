// Every CUDA call is checked where it is made: SLIPFIELD_CUDA_CHECK(cudaMemset(...)).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "solver/error.h"

namespace slipfield {

// A CUDA or cuFFT call failed: which call, the code's name, its text, our file and line.
class CudaError : public Error {
 public:
  CudaError(const std::string& call, const std::string& code_name, const std::string& text,
            const char* file, int line);
  [[nodiscard]] const std::string& code_name() const { return code_name_; }

 private:
  std::string code_name_;
};

// The case needs more memory than the device has free.
class CudaOutOfMemory : public Error {
 public:
  CudaOutOfMemory(std::size_t bytes_asked, std::size_t bytes_free);
  [[nodiscard]] std::size_t bytes_asked() const { return bytes_asked_; }
  [[nodiscard]] std::size_t bytes_free() const { return bytes_free_; }

 private:
  std::size_t bytes_asked_;
  std::size_t bytes_free_;
};

[[noreturn]] void throw_cuda_error(cudaError_t code, const char* call, const char* file, int line);

// For destructors, which must not throw: says on stderr what failed.
void report_cuda_error(cudaError_t code, const char* call, const char* file, int line) noexcept;

// Memory from the device's pool; throws CudaOutOfMemory, or CudaError.
void* allocate_on_device(std::size_t bytes);
void free_on_device(void* pointer) noexcept;

// Bytes that allocate_on_device can still give.
std::size_t free_device_bytes();

}  // namespace slipfield

#define SLIPFIELD_CUDA_CHECK(call)                                              \
  do {                                                                          \
    const cudaError_t slipfield_code = (call);                                  \
    if (slipfield_code != cudaSuccess)                                          \
      ::slipfield::throw_cuda_error(slipfield_code, #call, __FILE__, __LINE__); \
  } while (false)

// After a kernel launch; `name` is what the message calls it.
#define SLIPFIELD_LAUNCH_CHECK(name)                                                        \
  do {                                                                                      \
    const cudaError_t slipfield_code = cudaGetLastError();                                  \
    if (slipfield_code != cudaSuccess)                                                      \
      ::slipfield::throw_cuda_error(slipfield_code, "launch of " name, __FILE__, __LINE__); \
  } while (false)
