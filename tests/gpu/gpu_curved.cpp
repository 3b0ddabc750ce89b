// SPDX-License-Identifier: Apache-2.0
// Coefficients of curved surfaces on the GPU against the CPU: products, and whole solves.
#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/backend/cuda_backend.h"
#include "gpu/cuda_device.h"
#include "solver/cpu/cpu_backend.h"
#include "solver/memory_estimate.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/oracle_contact.h"

namespace slipfield::test {
namespace {

const ElasticBody kHard{1000.0, 0.3};
const ElasticBody kSoft{400.0, 0.2};

CurvedInfluence conformal(bool straight) {
  return {nullptr, std::make_shared<const ConformalCorrection>(ConformalCorrection{
                       {-1.0, -0.2, 0.3, 0.9}, {-0.5, -0.05, 0.1, 0.7}, 4, straight})};
}

// Random numbers in place of coefficients; smaller than the grid along y, larger along x.
CurvedInfluence random_tables(const Grid& grid, int rows) {
  TabulatedCoefficients tables{grid.mx + 1, std::max(1, grid.my - 1), rows, {}};
  Random random(static_cast<std::uint64_t>(grid.mx));
  const int count = tables.mx * (2 * tables.my - 1) * rows;
  for (int i = 0; i < count; ++i) {
    CoefficientMatrix matrix{};
    for (double& value : matrix) value = random();
    tables.values.push_back(matrix);
  }
  return {std::make_shared<const TabulatedCoefficients>(std::move(tables)), nullptr};
}

using Displaced = std::array<std::vector<double>, kDirections>;

template <class Backend>
Displaced product(Backend& backend, typename Backend::Influence& influence, Block block,
                  const HostFields& traction) {
  using Array = typename Backend::template Array<double>;
  const std::size_t count = traction[0].size();
  std::array<Array, kDirections> in{Array(count), Array(count), Array(count)};
  std::array<Array, kDirections> out{Array(count), Array(count), Array(count)};
  for (std::size_t d = 0; d < kDirections; ++d) backend.upload(traction[d], in[d]);
  influence.apply(block, {in[0].data(), in[1].data(), in[2].data()},
                  {out[0].data(), out[1].data(), out[2].data()});
  return {backend.download(out[0]), backend.download(out[1]), backend.download(out[2])};
}

void check_products(const Grid& grid, const CurvedInfluence& influence, InfluenceMethod method) {
  const CombinedMaterial material = combine(kHard, kSoft);
  CpuBackend cpu;
  CudaBackend gpu;
  Random random(grid.count());
  HostFields traction;
  for (auto& field : traction) field = random.values(grid.count());
  for (const Displacement displacement :
       {Displacement::current, Displacement::previous, Displacement::change}) {
    InfluenceKind kind{displacement, displacement == Displacement::current ? 0.0 : -grid.dx, 0.0};
    kind.curved = std::make_shared<const CurvedInfluence>(influence);
    CpuInfluence on_cpu(cpu, grid, material, method, kind);
    CudaInfluence on_gpu(gpu, grid, material, method, kind);
    for (const Block block : kAllShapes) {
      const Displaced expected = product(cpu, on_cpu, block, traction);
      const Displaced found = product(gpu, on_gpu, block, traction);
      for (std::size_t to = 0; to < kDirections; ++to) {
        if (!block_gives(block, static_cast<int>(to))) continue;
        constexpr double kRounding = 1e-12;  // of sums of as many terms as there are elements
        CHECK(relative_difference(found[to], expected[to]) < kRounding);
      }
    }
  }
}

// An oblique paraboloid off the centre, creepages and spin.
ContactProblem rolling_groove(const CurvedInfluence& influence) {
  const Grid grid{23, 19, 0.09, 0.11, -1.04, -1.0};
  ContactProblem problem = normal_problem(grid, kHard, QuadraticShape{0.3, 0.05, 0.4, 0.02, -0.03},
                                          NormalControl::force, 60.0, 1e-10);
  problem.lower = kSoft;
  problem.influence = influence;
  set_motion(problem, 0.3, TangentialProblem::steady_rolling, 0.02, -0.012, 0.015);
  return problem;
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("gpu curved: products as on the CPU, one table or one for each row, odd sizes, lines") {
    for (const GridSize size : kAwkwardSizes) {
      if (size.mx * size.my > 4000) continue;  // the CPU's dense matrices take their time
      const Grid grid{size.mx, size.my, 0.09, 0.11, -0.09 * size.mx / 2.0, -0.11 * size.my / 2.0};
      CAPTURE(size.mx);
      CAPTURE(size.my);
      for (const InfluenceMethod method :
           {InfluenceMethod::automatic, InfluenceMethod::fft, InfluenceMethod::summation}) {
        check_products(grid, conformal(true), method);
        check_products(grid, random_tables(grid, 1), method);
      }
      if (size.my > 60) continue;
      check_products(grid, conformal(false), InfluenceMethod::automatic);
      if (size.my > 1) check_products(grid, random_tables(grid, size.my), InfluenceMethod::fft);
    }
  }

  TEST_CASE("gpu curved: a groove rolls, shifts and starts rolling as on the CPU") {
    for (const bool straight : {true, false}) {
      ContactProblem problem = rolling_groove(conformal(straight));
      constexpr double kSolver = 1e-8;  // two ways to a tolerance of 1e-10
      check_equal(solve(problem), solve(problem, *make_cuda_solver(problem)), kSolver);
      problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.4};
      check_equal(solve(problem), solve(problem, *make_cuda_solver(problem)), kSolver);
      StepInput shift = problem.steps[0];
      shift.tangential.problem = TangentialProblem::shift;
      shift.tangential.x = {TangentialControl::rigid, 0.002};
      shift.tangential.y.value = 0.001;
      problem.steps[0].tangential.problem = TangentialProblem::transient_rolling;
      problem.steps[0].repeat = 2;
      problem.steps.insert(problem.steps.begin(), shift);
      check_equal(solve(problem), solve(problem, *make_cuda_solver(problem)), kSolver);
    }
  }

  TEST_CASE("gpu curved: a product for each row gives the same bits in every run") {
    const Grid grid{37, 45, 0.09, 0.11, -1.7, -2.5};
    InfluenceKind kind;
    kind.curved = std::make_shared<const CurvedInfluence>(conformal(false));
    CudaBackend gpu;
    CudaInfluence influence(gpu, grid, combine(kHard, kSoft), InfluenceMethod::automatic, kind);
    Random random(5);
    HostFields traction;
    for (auto& field : traction) field = random.values(grid.count());
    const Displaced first = product(gpu, influence, Block::full, traction);
    for (int run = 0; run < 3; ++run)
      CHECK(product(gpu, influence, Block::full, traction) == first);
  }
}

}  // namespace slipfield::test
