// SPDX-License-Identifier: Apache-2.0
// Faults of the GPU for tests: the program slipfield_faulty is slipfield with some CUDA calls
// redirected by the linker (--wrap) to the functions below. The environment's SLIPFIELD_FAULT
// selects the fault; all except the first two are real ones.
//
//   no_device       no device is found
//   driver:12020    the driver is made for CUDA 12.2
//   taken:M         another program has taken all of the device's memory but M MiB
//   memory:K        the K-th allocation on the device asks for more than there is
//   lost:K          a kernel before the K-th wait traps, after which the device no longer responds
//   count           nothing; says at the end how many allocations and waits there were
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

__global__ void trap() { asm("trap;"); }

struct Fault {
  std::string kind;
  long number = 0;
  std::atomic<long> allocations{0};  // of all threads
  std::atomic<long> waits{0};

  Fault() {
    const char* const given = std::getenv("SLIPFIELD_FAULT");
    kind = given == nullptr ? "" : given;
    const std::size_t colon = kind.find(':');
    if (colon == std::string::npos) return;
    number = std::strtol(kind.c_str() + colon + 1, nullptr, 10);
    kind.resize(colon);
  }
  ~Fault() {
    if (kind == "count")
      std::fprintf(stderr, "%ld allocations, %ld waits\n", allocations.load(), waits.load());
  }
};

Fault& fault() {
  static Fault only;
  return only;
}

void take_all_but(std::size_t kept) {
  std::size_t free = 0;
  std::size_t total = 0;
  void* taken = nullptr;
  if (cudaMemGetInfo(&free, &total) == cudaSuccess && free > kept) cudaMalloc(&taken, free - kept);
}

}  // namespace

// The names that the linker asks for.
extern "C" {
cudaError_t __real_cudaGetDeviceCount(int* count);
cudaError_t __real_cudaDriverGetVersion(int* version);
cudaError_t __real_cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream);
cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);

cudaError_t __wrap_cudaGetDeviceCount(int* count) {
  static bool first = true;
  if (fault().kind == "no_device") return cudaErrorNoDevice;
  if (fault().kind == "driver") return cudaErrorInsufficientDriver;
  const cudaError_t code = __real_cudaGetDeviceCount(count);
  if (first && fault().kind == "taken")
    take_all_but(static_cast<std::size_t>(fault().number) << 20);
  first = false;
  return code;
}

cudaError_t __wrap_cudaDriverGetVersion(int* version) {
  if (fault().kind != "driver") return __real_cudaDriverGetVersion(version);
  *version = static_cast<int>(fault().number);
  return cudaSuccess;
}

cudaError_t __wrap_cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  const bool fails = ++fault().allocations == fault().number && fault().kind == "memory";
  return __real_cudaMallocFromPoolAsync(pointer, fails ? std::size_t{1} << 50 : bytes, pool,
                                        stream);
}

cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) {
  if (++fault().waits == fault().number && fault().kind == "lost") trap<<<1, 1, 0, stream>>>();
  return __real_cudaStreamSynchronize(stream);
}
}  // extern "C"
