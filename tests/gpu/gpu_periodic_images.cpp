// SPDX-License-Identifier: Apache-2.0
// Products on grids that are periodic in one direction: those of the CPU.
#include <doctest/doctest.h>

#include <array>

#include "gpu/backend/cuda_backend.h"
#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_influence.h"
#include "tests/gpu/gpu_device_fields.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/oracle_contact.h"

namespace slipfield::test {

TEST_SUITE("gpu") {
  TEST_CASE("periodic in one direction: all products are those of the CPU, by every engine") {
    const CombinedMaterial material{1.3, 0.28, 0.2};
    struct Size {
      int mx, my;
    };
    // Fused transforms in both directions, lengths that only cuFFT has (31, 37), lines along and
    // across.
    for (const Size& size : {Size{32, 20}, Size{64, 33}, Size{31, 20}, Size{20, 37}, Size{1, 32},
                             Size{1, 31}, Size{48, 1}, Size{31, 1}, Size{128, 160}})
      for (const Boundary boundary : {Boundary::periodic_x, Boundary::periodic_y})
        for (const InfluenceKind& kind :
             {InfluenceKind{}, InfluenceKind{Displacement::change, 0.4, 0.0}})
          for (const InfluenceMethod method : {InfluenceMethod::fft, InfluenceMethod::summation}) {
            CAPTURE(size.mx);
            CAPTURE(size.my);
            const Grid grid{size.mx, size.my, 0.4, 0.7, 0.0, 0.0, boundary};
            if (method == InfluenceMethod::summation && grid.count() > 2000) continue;
            Random random(grid.count());
            const HostFields load = random_fields(random, grid.count());
            const CpuBackend cpu;
            CpuInfluence on_cpu(cpu, grid, material, InfluenceMethod::fft, kind);
            DenseDisplacements wanted = no_displacements(grid);
            on_cpu.apply(Block::full, {load[0].data(), load[1].data(), load[2].data()},
                         {wanted.x.data(), wanted.y.data(), wanted.n.data()});
            CudaBackend cuda;
            CudaInfluence on_gpu(cuda, grid, material, method, kind);
            std::array<CudaBackend::Array<double>, 6> field;
            for (auto& values : field) values = CudaBackend::Array<double>(grid.count());
            for (std::size_t k = 0; k < 3; ++k) cuda.upload(load[k], field[k]);
            on_gpu.apply(Block::full, {field[0].data(), field[1].data(), field[2].data()},
                         {field[3].data(), field[4].data(), field[5].data()});
            CHECK(relative_difference(cuda.download(field[3]), wanted.x) <= 1e-12);  // rounding
            CHECK(relative_difference(cuda.download(field[4]), wanted.y) <= 1e-12);
            CHECK(relative_difference(cuda.download(field[5]), wanted.n) <= 1e-12);
          }
  }
}

}  // namespace slipfield::test
