#include "gpu/cuda_check.h"

#include <cstdint>
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

namespace {

// The device's own pool, which keeps what is given back to it: a run makes a few hundred arrays,
// and a plain allocation takes about 0.1 ms. Ordered on the default stream, with which every stream
// of this program is synchronous.
cudaMemPool_t memory_pool() {
  int device = 0;
  cudaMemPool_t pool = nullptr;
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  SLIPFIELD_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t keep = UINT64_MAX;
  SLIPFIELD_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  return pool;
}

}  // namespace

std::size_t free_device_bytes() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  SLIPFIELD_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  cudaMemPool_t pool = memory_pool();
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  SLIPFIELD_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  SLIPFIELD_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  return free_bytes + static_cast<std::size_t>(reserved - used);
}

void* allocate_on_device(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  static const cudaMemPool_t pool = memory_pool();
  void* pointer = nullptr;
  const cudaError_t code = cudaMallocFromPoolAsync(&pointer, bytes, pool, nullptr);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // the failed allocation must not be taken for the next call's error
    throw CudaOutOfMemory(bytes, free_device_bytes());
  }
  if (code != cudaSuccess) {
    throw_cuda_error(code, "cudaMallocFromPoolAsync", __FILE__, __LINE__);
  }
  return pointer;
}

void free_on_device(void* pointer) noexcept {
  if (pointer == nullptr) return;
  const cudaError_t code = cudaFreeAsync(pointer, nullptr);
  if (code != cudaSuccess) report_cuda_error(code, "cudaFreeAsync", __FILE__, __LINE__);
}

}  // namespace slipfield
