// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/backend/cuda_backend.h"
#include "gpu/cuda_device.h"
#include "gpu/device/cuda_check.h"
#include "tests/gpu/gpu_device_fields.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/both_backends.h"

std::unique_ptr<slipfield::ContactSolver> slipfield::test::make_solver_under_test(
    const ContactProblem& problem) {
  return make_cuda_solver(problem);
}

std::vector<slipfield::AdjointSolution> slipfield::test::solve_adjoints_under_test(
    const AdjointBatch& batch, const AdjointOptions& options) {
  return make_cuda_batches().differentiate(batch, options);
}

bool slipfield::test::counts_memory() { return true; }
double slipfield::test::most_said_of_used() { return 5.0; }

std::size_t slipfield::test::bytes_in_use() {
  cudaMemPool_t pool = nullptr;
  std::uint64_t used = 0;
  SLIPFIELD_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  SLIPFIELD_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  return used;
}

std::size_t slipfield::test::bytes_said(const ContactProblem& problem) {
  return cuda_bytes(problem);
}

namespace slipfield::test {

TEST_SUITE("gpu") {
  // With lengths that are transformed in batches, and lengths where only the spectrum is made so: a
  // traction on one element displaces the others by the coefficients, which are known.
  TEST_CASE("large spectra in quarters, transforms in batches: an element's displacements") {
    for (const auto& [mx, my] : {std::pair{9000, 300}, {300, 9000}, {4000, 1100}}) {
      CAPTURE(mx);
      const Grid grid{mx, my, 0.4, 0.7};
      CudaBackend cuda;
      const CombinedMaterial material{1.3, 0.28, 0.07};
      CudaInfluence influence(cuda, grid, material, InfluenceMethod::fft);
      std::vector<double> load(grid.count());
      const int jx = mx - 7;
      const int jy = 11;
      load[grid.index(jx, jy)] = 2.0;
      std::array<CudaBackend::Array<double>, 4> field;
      for (auto& values : field) values = CudaBackend::Array<double>(grid.count());
      cuda.upload(load, field[0]);
      influence.apply(Block::full, {field[0].data(), nullptr, nullptr},
                      {field[1].data(), field[2].data(), field[3].data()});
      const std::array<Component, 3> by_x{Component::xx, Component::xy, Component::xn};
      const std::array<double, 3> sign{1.0, 1.0, -1.0};  // nx is -xn
      for (std::size_t to = 0; to < 3; ++to) {
        const std::vector<double> found = cuda.download(field[to + 1]);
        const double self = influence_coefficient(Component::xx, 0.0, 0.0, grid, material, {});
        double worst = 0.0;
        for (int k = 0; k < 2000; ++k) {
          const int ix = static_cast<int>(static_cast<long>(k) * 7919 % mx);
          const int iy = static_cast<int>(static_cast<long>(k) * 104729 % my);
          const double wanted = 2.0 * sign[to] *
                                influence_coefficient(by_x[to], (ix - jx) * grid.dx,
                                                      (iy - jy) * grid.dy, grid, material, {});
          worst = std::max(worst, std::abs(found[grid.index(ix, iy)] - wanted));
        }
        CHECK(worst <= 1e-12 * self);  // rounding of transforms of 18000 points
      }
    }
  }

  TEST_CASE("preconditioner of slipping elements: the regularised inverse of the symbol set last") {
    const Grid grid{33, 18, 0.4, 0.7};
    Random random(19);
    const std::vector<double> in = random_fields(random, grid.count())[0];
    for (const bool along_y : {false, true}) {
      CAPTURE(along_y);
      CudaBackend cuda;
      const InfluenceKind kind{Displacement::change, along_y ? 0.0 : grid.dx,
                               along_y ? grid.dy : 0.0};
      const double share = tangential_share(kind, grid);
      CudaInfluence influence(cuda, grid, {1.3, 0.28, 0.0}, InfluenceMethod::fft, kind);
      const auto precondition = [&](const AcrossSymbol& symbol) {
        std::array<CudaBackend::Array<double>, 3> field;
        for (auto& values : field) {
          values = CudaBackend::Array<double>(grid.count());
          cuda.upload(in, values);
        }
        double* const x = field[0].data();
        double* const y = field[1].data();
        double* const across = field[2].data();
        influence.set_across(symbol);
        influence.precondition_tangential(x, y, across, x, y, across);  // in place
        return HostFields{cuda.download(field[0]), cuda.download(field[1]),
                          cuda.download(field[2])};
      };
      const HostFields of_x = precondition({0.0, 1.0, 0.0});
      CHECK(of_x[2] == of_x[0]);
      std::vector<double> third = of_x[1];
      for (double& value : third) value /= 3.0;
      // Rounding of numbers of the size of 1/(share A_xx).
      CHECK(relative_difference(precondition({0.0, 0.0, 3.0})[2], third) < 1e-12);
      std::vector<double> half = in;
      for (double& value : half) value *= 0.5 / (1.0 + share * share);
      CHECK(relative_difference(precondition({2.0, 0.0, 0.0})[2], half) < 1e-14);
    }
  }

  TEST_CASE("greatest value and single values: as written, 0 where none is positive") {
    CudaBackend cuda;
    for (const std::size_t count : {1u, 31u, 256u, 257u, 4096u, 300000u}) {
      CAPTURE(count);
      Random random(count);
      std::vector<double> values = random.values(count);
      CudaBackend::Array<double> array(count);
      cuda.upload(values, array);
      const double found = *std::max_element(values.begin(), values.end());
      CHECK(cuda.greatest(array) == std::max(0.0, found));
      values[count / 2] = 1.0e300;
      cuda.upload(values, array);
      CHECK(cuda.greatest(array) == 1.0e300);
      for (double& value : values) value = -std::abs(value) - 1.0;
      cuda.upload(values, array);
      CHECK(cuda.greatest(array) == 0.0);
    }
    CudaBackend::Array<NewtonScalars> scalars(1);
    NewtonScalars written;
    written.residual2 = 3.5;
    written.force_error = -7.25;  // the last of them
    cuda.write(scalars, written);
    written.residual2 = 0.0;  // the launch has taken it by now
    const NewtonScalars found = cuda.read(scalars);
    CHECK(found.residual2 == 3.5);
    CHECK(found.force_error == -7.25);
    CHECK(found.bound2 == 0.0);
  }
}

}  // namespace slipfield::test
