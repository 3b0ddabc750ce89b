#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "gpu/backend/cuda_backend.h"
#include "gpu/cuda_device.h"
#include "gpu/device/cuda_check.h"
#include "solver/cpu/cpu_backend.h"
#include "tests/gpu/gpu_device_fields.h"
#include "tests/gpu/gpu_support.h"
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

namespace slipfield::test {

TEST_SUITE("gpu") {
  TEST_CASE("preconditioner in rolling: the CPU's, also of slipping elements") {
    const CombinedMaterial material{1.3, 0.28, 0.0};
    for (const bool along_y : {false, true}) {
      CAPTURE(along_y);
      const Grid grid{32, 16, 0.4, 0.7};  // padded alike on both
      const InfluenceKind kind{Displacement::change, along_y ? 0.0 : 0.4, along_y ? 0.7 : 0.0};
      Random random(19);
      const HostFields in = random_fields(random, grid.count());
      const AcrossSymbol symbol{0.3, 0.5, 0.2};

      const CpuBackend cpu;
      CpuInfluence on_cpu(cpu, grid, material, InfluenceMethod::fft, kind);
      HostFields expected = in;
      on_cpu.set_across(symbol);
      on_cpu.precondition_tangential(expected[0].data(), expected[1].data(), expected[2].data(),
                                     expected[0].data(), expected[1].data(), expected[2].data());

      CudaBackend cuda;
      CudaInfluence on_gpu(cuda, grid, material, InfluenceMethod::fft, kind);
      std::array<CudaBackend::Array<double>, 3> field;
      for (std::size_t k = 0; k < 3; ++k) {
        field[k] = CudaBackend::Array<double>(grid.count());
        cuda.upload(in[k], field[k]);
      }
      on_gpu.set_across(symbol);
      on_gpu.precondition_tangential(field[0].data(), field[1].data(), field[2].data(),
                                     field[0].data(), field[1].data(), field[2].data());
      // Rounding of the symbols, whose smallest values are a hundredth of the greatest.
      for (std::size_t k = 0; k < 3; ++k)
        CHECK(relative_difference(cuda.download(field[k]), expected[k]) < 1e-11);
    }
  }
}

}  // namespace slipfield::test
