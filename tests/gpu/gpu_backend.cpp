#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/cuda_device.h"
#include "gpu/device/cuda_check.h"
#include "tests/support/both_backends.h"

std::unique_ptr<slipfield::ContactSolver> slipfield::test::make_solver_under_test(
    const ContactProblem& problem) {
  return make_cuda_solver(problem);
}

bool slipfield::test::counts_memory() { return true; }

std::size_t slipfield::test::bytes_in_use() {
  cudaMemPool_t pool = nullptr;
  std::uint64_t used = 0;
  SLIPFIELD_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  SLIPFIELD_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  return used;
}
