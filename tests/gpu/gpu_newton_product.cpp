// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gpu/backend/cuda_backend.h"
#include "solver/fields/gmres.h"
#include "solver/fields/newton_ops.h"
#include "solver/tangential/newton_preconditioner.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/newton_fields.h"

namespace slipfield::test {

namespace {

// A linearized problem of random fields, with elements in adhesion, in slip and out of contact.
struct NewtonProblem {
  explicit NewtonProblem(const Grid& grid, int most_krylov = kKrylovRestart)
      : count(grid.count()), random(count), backend(most_krylov) {
    for (auto& values : field) values = CudaBackend::Array<double>(count);
    for (auto& values : work) values = CudaBackend::Array<double>(count);
    for (auto& values : field) backend.upload(random.values(count), values);
    std::vector<double> bound = backend.download(field[4]);
    for (double& value : bound) value = std::fabs(value);
    backend.upload(bound, field[4]);
    state = CudaBackend::Array<unsigned char>(count);
    std::vector<unsigned char> host(count);
    for (auto& value : host) value = static_cast<unsigned char>(1.5 * (random() + 1.0));
    backend.upload(host, state);
    f = test::newton_fields(count, field, state);
  }
  // Not a number where nothing writes.
  // out = M in by single operations; work: three fields.
  void precondition(CudaInfluence& influence, const double* in, double* out) {
    double* const x = work[0].data();
    double* const y = work[1].data();
    double* const across = work[2].data();
    backend.run(count, SplitForPreconditioner{f, in, x, y, across});
    influence.precondition_tangential(x, y, across, x, y, across);
    backend.run(count, JoinPreconditioned{f, in, x, y, across, out});
  }
  CudaBackend::Array<double> poisoned() {
    CudaBackend::Array<double> array(2 * count + 2);
    backend.upload(std::vector<double>(2 * count + 2, std::numeric_limits<double>::quiet_NaN()),
                   array);
    return array;
  }

  std::size_t count;
  Random random;
  CudaBackend backend;
  std::array<CudaBackend::Array<double>, 9> field;
  std::array<CudaBackend::Array<double>, 3> work;
  CudaBackend::Array<unsigned char> state;
  NewtonFields f;
};

// NewtonGmres next to Gmres with the products of NewtonProduct; also of right sides that are 0, or
// beyond floats.
void check_linear_system(const GridSize& size, double tolerance, int most) {
  CAPTURE(tolerance);
  const Grid grid{size.mx, size.my, 0.4, 0.7};
  NewtonProblem problem(grid, most);
  problem.f.force_x_given = size.mx % 2 == 0;
  problem.f.force_y_given = size.my % 3 != 0;
  problem.f.scale = 1.0 / std::sqrt(static_cast<double>(problem.count));
  CudaBackend& backend = problem.backend;
  CudaBackend::Array<NewtonScalars> scalars(1);
  problem.f.scalars = scalars.data();
  CudaBackend::Array<double> fraction(problem.count);
  backend.upload(std::vector<double>(problem.count, 0.6), fraction);
  if (size.my % 2 == 1) problem.f.tangential.fraction = fraction.data();
  CudaInfluence influence(backend, grid, {1.3, 0.28, 0.0}, InfluenceMethod::fft,
                          {Displacement::change, 0.4, 0.1});
  influence.set_across({0.4, 0.5, 0.3});

  for (std::size_t of = 5; of < problem.field.size(); ++of) {  // D, small: few products will do
    std::vector<double> values = backend.download(problem.field[of]);
    for (double& value : values) value *= 0.3;
    backend.upload(values, problem.field[of]);
  }

  const std::size_t unknowns = 2 * problem.count + 2;
  CudaBackend::Array<double> b(unknowns);
  CudaBackend::Array<double> joined(unknowns);
  CudaBackend::Array<double> expected(unknowns);
  const std::vector<unsigned char> state = backend.download(problem.state);
  Gmres<CudaBackend> gmres(backend, unknowns, 2);
  for (const double scale : {1.0, 0.0, 1.0e-80, 1.0e80}) {
    std::vector<double> right = problem.random.values(unknowns);
    for (double& value : right) value *= scale;
    for (std::size_t i = 0; i < problem.count; ++i)
      if (!in_contact(state[i])) right[i] = right[problem.count + i] = 0.0;
    backend.upload(right, b);
    const int products = gmres.solve(
        b, expected, tolerance,
        [&](const double* in, double* out) {
          influence.multiply_newton(problem.f, in, joined.data(), out);
        },
        [&](const double* in, double* out) { problem.precondition(influence, in, out); });
    auto x = problem.poisoned();
    REQUIRE(influence.solve_newton(problem.f, b.data(), x.data(), tolerance, most));
    CHECK(backend.read(scalars).products == products);
    constexpr double kOfSingles = 5.0e-4;  // M and J M are of floats; J is random
    CHECK(relative_difference(backend.download(x), backend.download(expected)) < kOfSingles);
  }
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("newton's product in five launches equals its operations and products one by one") {
    for (const GridSize size :
         {GridSize{2, 3}, GridSize{31, 17}, GridSize{32, 32}, GridSize{40, 65}, GridSize{128, 100},
          GridSize{101, 7}, GridSize{5, 211}, GridSize{300, 257}, GridSize{500, 511}}) {
      CAPTURE(size.mx);
      CAPTURE(size.my);
      const Grid grid{size.mx, size.my, 0.4, 0.7};
      NewtonProblem problem(grid);
      problem.f.force_x_given = size.mx % 2 == 0;
      problem.f.force_y_given = size.my % 3 != 0;
      problem.f.scale = 0.1;
      CudaBackend& backend = problem.backend;
      const InfluenceKind kind{Displacement::change, 0.4, 0.1};
      CudaInfluence influence(backend, grid, {1.3, 0.28, 0.0}, InfluenceMethod::fft, kind);
      influence.set_across({0.4, 0.5, 0.3});
      CudaBackend::Array<double> in(2 * problem.count + 2);
      backend.upload(problem.random.values(2 * problem.count + 2), in);
      auto joined = problem.poisoned();
      auto out = problem.poisoned();
      REQUIRE(influence.multiply_newton(problem.f, in.data(), joined.data(), out.data()));

      auto expected_joined = problem.poisoned();
      auto expected = problem.poisoned();
      problem.precondition(influence, in.data(), expected_joined.data());
      const double* v = expected_joined.data();
      double* const x = problem.work[0].data();
      double* const y = problem.work[1].data();
      influence.apply(Block::tangential, {v, v + problem.count, nullptr}, {x, y, nullptr});
      backend.run(problem.count, MultiplyJacobian{problem.f, v, x, y, expected.data()});

      constexpr double kOfSingles = 2.0e-6;  // rounding of transforms in floats
      CHECK(relative_difference(backend.download(joined), backend.download(expected_joined)) <
            kOfSingles);
      CHECK(relative_difference(backend.download(out), backend.download(expected)) < kOfSingles);
      CHECK(influence.products() == 2);
    }
  }

  TEST_CASE("newton's linear system in one launch: the solution of GMRES by single products") {
    for (const GridSize size :
         {GridSize{2, 3}, GridSize{31, 17}, GridSize{32, 32}, GridSize{44, 43}, GridSize{64, 64},
          GridSize{64, 5}, GridSize{7, 63}}) {
      CAPTURE(size.mx);
      CAPTURE(size.my);
      check_linear_system(size, 0.05, GridLimits::kKrylov);
      check_linear_system(size, 1.0e-3, 7);
    }
  }

  TEST_CASE("newton's product in one piece: not on large or periodic grids, nor summed directly") {
    const auto takes = [](const Grid& grid, InfluenceMethod method) {
      NewtonProblem problem(grid);
      const InfluenceKind kind{Displacement::change, 0.4, 0.0};
      CudaInfluence influence(problem.backend, grid, {1.3, 0.28, 0.0}, method, kind);
      influence.set_across({0.4, 0.5, 0.3});
      auto in = problem.poisoned();
      auto joined = problem.poisoned();
      auto out = problem.poisoned();
      return influence.multiply_newton(problem.f, in.data(), joined.data(), out.data());
    };
    CHECK(takes({40, 30, 0.4, 0.7}, InfluenceMethod::automatic));
    CHECK(!takes({40, 30, 0.4, 0.7}, InfluenceMethod::summation));
    CHECK(!takes({40, 1, 0.4, 0.7}, InfluenceMethod::automatic));
    CHECK(!takes({16, 520, 0.4, 0.7}, InfluenceMethod::automatic));
    CHECK(!takes({48, 32, 0.4, 0.7, 0.0, 0.0, Boundary::periodic}, InfluenceMethod::automatic));
  }
}

}  // namespace slipfield::test
