#include "gpu/cuda_check.h"

#include <cstdio>

namespace slipfield {

namespace {

std::string mebibytes(std::size_t bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
  return text;
}

}  // namespace

CudaError::CudaError(const std::string& call, const std::string& code_name, const std::string& text,
                     const char* file, int line)
    : Error("CUDA call failed: " + call + " gave " + code_name + " (" + text + ") at " + file +
            ":" + std::to_string(line)),
      code_name_(code_name) {}

CudaOutOfMemory::CudaOutOfMemory(std::size_t bytes_asked, std::size_t bytes_free)
    : Error("the GPU's memory is too small for this case: " + mebibytes(bytes_asked) +
                " asked in one piece, " + mebibytes(bytes_free) +
                " free. Use a smaller grid, or --backend cpu.",
            ExitCode::bad_input),
      bytes_asked_(bytes_asked),
      bytes_free_(bytes_free) {}

void throw_cuda_error(cudaError_t code, const char* call, const char* file, int line) {
  throw CudaError(call, cudaGetErrorName(code), cudaGetErrorString(code), file, line);
}

void report_cuda_error(cudaError_t code, const char* call, const char* file, int line) noexcept {
  std::fprintf(stderr, "slipfield: CUDA call failed: %s gave %s (%s) at %s:%d\n", call,
               cudaGetErrorName(code), cudaGetErrorString(code), file, line);
}

void* allocate_on_device(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* pointer = nullptr;
  const cudaError_t code = cudaMalloc(&pointer, bytes);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // the failed allocation must not be taken for the next call's error
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    SLIPFIELD_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    throw CudaOutOfMemory(bytes, free_bytes);
  }
  if (code != cudaSuccess) throw_cuda_error(code, "cudaMalloc", __FILE__, __LINE__);
  return pointer;
}

}  // namespace slipfield
