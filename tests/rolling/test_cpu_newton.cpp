// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/fields/krylov_ops.h"
#include "solver/fields/newton_ops.h"
#include "solver/tangential/newton_preconditioner.h"
#include "solver/threads/team_work.h"
#include "tests/support/near.h"
#include "tests/support/newton_fields.h"
#include "tests/support/oracle_difference.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using Field = std::vector<double>;

// A linearized problem of random fields: adhesion, slip and no contact, two rows without any
// contact. As in newton, Krylov vectors are 0 outside the contact.
struct RandomNewtonProblem {
  RandomNewtonProblem(const Grid& on, unsigned seed) : grid(on), random(seed) {
    const std::size_t count = grid.count();
    for (Field& values : field) values = random.field(count);
    for (double& bound : field[4]) bound = std::fabs(bound);
    state.resize(count);
    const auto rows = static_cast<std::size_t>(grid.my);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = i / static_cast<std::size_t>(grid.mx);
      const bool empty = row == 0 || row + 1 == rows;
      state[i] = static_cast<unsigned char>(empty && rows > 2 ? 0 : (i * i + i / 3) % 3);
    }
    f = test::newton_fields(count, field, state);
    f.force_x_given = grid.mx % 2 == 0;
    f.force_y_given = grid.my % 3 != 0;
    f.scale = 0.1;
    in = random.field(2 * count + 2);
    for (std::size_t i = 0; i < count; ++i)
      if (!in_contact(state[i])) in[i] = in[count + i] = 0.0;
  }
  Grid grid;
  test::Random random;
  std::array<Field, 9> field;
  std::vector<unsigned char> state;
  NewtonFields f;
  Field in;
};

struct NewtonProductResult {
  Field joined;
  Field out;
};
NewtonProductResult multiply_at_once(RandomNewtonProblem& problem, CpuInfluence& influence,
                                     int threads) {
  NewtonProductResult result{Field(problem.in.size(), NAN), Field(problem.in.size(), NAN)};
  omp_set_num_threads(threads);
  forget_team_work();
  REQUIRE(influence.multiply_newton(problem.f, problem.in.data(), result.joined.data(),
                                    result.out.data()));
  return result;
}

TEST_SUITE("unit") {
  TEST_CASE(
      "newton's product in one piece, in single precision, equals its operations and products one "
      "by one in double precision, and 2 threads give the bits of 1") {
    const int threads = omp_get_max_threads();
    for (const auto& [mx, my] : {std::pair{31, 17}, {64, 1}, {40, 65}, {70, 66}, {101, 43}}) {
      CAPTURE(mx);
      CAPTURE(my);
      RandomNewtonProblem problem({mx, my, 0.4, 0.7}, 7);
      const std::size_t count = problem.grid.count();
      CpuBackend backend;
      const InfluenceKind kind{Displacement::change, 0.4, 0.1};
      CpuInfluence influence(backend, problem.grid, {1.3, 0.28, 0.0}, InfluenceMethod::fft, kind);
      influence.set_across({0.4, 0.5, 0.3});
      const NewtonProductResult one = multiply_at_once(problem, influence, 1);
      const NewtonProductResult two = multiply_at_once(problem, influence, 2);
      CHECK(one.joined == two.joined);
      CHECK(one.out == two.out);
      Field alone(problem.in.size(), NAN);
      REQUIRE(influence.precondition_newton(problem.f, problem.in.data(), alone.data()));
      CHECK(alone == one.joined);
      CHECK(influence.products() == 2);

      Field joined(problem.in.size());
      Field out(problem.in.size());
      std::array<Field, 3> split{Field(count), Field(count), Field(count)};
      double* const x = split[0].data();
      double* const y = split[1].data();
      double* const across = split[2].data();
      const double* const in = problem.in.data();
      backend.run(count, SplitForPreconditioner{problem.f, in, x, y, across});
      influence.precondition_tangential(x, y, across, x, y, across);
      backend.run(count, JoinPreconditioned{problem.f, in, x, y, across, joined.data()});
      influence.apply(Block::tangential, {joined.data(), joined.data() + count, nullptr},
                      {x, y, nullptr});
      backend.run(count, MultiplyJacobian{problem.f, joined.data(), x, y, out.data()});
      constexpr double kRounding = 2.0e-6;  // some roundings of a float
      CHECK(test::relative_difference(one.joined, joined) < kRounding);
      CHECK(test::relative_difference(one.out, out) < kRounding);
    }
    omp_set_num_threads(threads);
  }

  TEST_CASE(
      "Gram-Schmidt in one piece equals its operations chunk by chunk, and 2 threads give the bits "
      "of 1") {
    const int threads = omp_get_max_threads();
    constexpr std::size_t kSize = 9001;
    test::Random random(3);
    for (const int count : {0, 1, 4, 7, 9, 22}) {
      CAPTURE(count);
      CpuBackend backend;
      KrylovBasis basis;
      basis.size = kSize;
      std::vector<std::vector<float>> chunks(4, std::vector<float>(kKrylovFused * kSize));
      for (std::size_t k = 0; k < chunks.size(); ++k) {
        // Some of a direction: what is left must not vanish.
        for (float& value : chunks[k]) value = static_cast<float>(random.uniform(-0.01, 0.01));
        basis.chunk[k] = chunks[k].data();
      }
      const Field start = random.field(kSize);
      const auto at_once = [&](int used, Field& w, std::vector<float>& stored) {
        KrylovColumn column;
        omp_set_num_threads(used);
        forget_team_work();
        backend.orthogonalize(basis, count, w.data(), stored.data(), &column);
        return column;
      };
      Field one = start;
      Field two = start;
      std::vector<float> stored_one(kSize);
      std::vector<float> stored_two(kSize);
      const KrylovColumn column = at_once(1, one, stored_one);
      CHECK(at_once(2, two, stored_two).norm2 == column.norm2);
      CHECK(one == two);
      CHECK(stored_one == stored_two);

      Field w = start;
      std::vector<float> stored(kSize);
      KrylovColumn expected;
      for (int first = 0; first == 0 || first < count; first += kKrylovFused) {
        backend.run(kSize, MultiplyBasis{basis.chunk[first / kKrylovFused], kSize,
                                         std::min(kKrylovFused, count - first), first, w.data(),
                                         &expected});
      }
      for (int first = 0; first == 0 || first < count; first += kKrylovFused) {
        const bool last = first + kKrylovFused >= count;
        backend.run(kSize, SubtractBasis{basis.chunk[first / kKrylovFused], kSize,
                                         std::min(kKrylovFused, count - first), first, w.data(),
                                         last ? stored.data() : nullptr, &expected});
      }
      constexpr double kRounding = 1.0e-12;  // sums of 9001 terms in another order
      REQUIRE(expected.norm2 > 0.0);
      CHECK(column.norm2 == test::near(expected.norm2, kRounding));
      for (int k = 0; k < count; ++k)
        CHECK(std::abs(column.product[k] - expected.product[k]) < 1.0e-10);
      CHECK(test::relative_difference(one, w) < kRounding);
    }
    omp_set_num_threads(threads);
  }

  TEST_CASE("a loop left to one thread begins no team, and in a caller's team one of its own") {
    static constexpr int kCount = 100;
    const int threads = omp_get_max_threads();
    omp_set_num_threads(2);
    const auto done_by =
        [](bool by_all) {  // how many times each, and in a region of how many threads
          forget_team_work();
          std::array<int, kCount> times{};
          int level = 0;
          int team = 0;
          TeamWork(by_all, 1.0).run([&] {
#pragma omp for
            for (int i = 0; i < kCount; ++i) {
              ++times[static_cast<std::size_t>(i)];
              if (i == 0) {
                level = omp_get_level();
                team = omp_get_num_threads();
              }
            }
          });
          return std::tuple(std::count(times.begin(), times.end(), 1), level, team);
        };
    CHECK(done_by(false) == std::tuple(kCount, 0, 1));
    CHECK(done_by(true) == std::tuple(kCount, 1, 2));
    std::array<std::tuple<std::ptrdiff_t, int, int>, 2> inside;
#pragma omp parallel num_threads(2)
    inside[static_cast<std::size_t>(omp_get_thread_num())] = done_by(false);
    for (const auto& each : inside) CHECK(each == std::tuple(kCount, 2, 1));
    omp_set_num_threads(threads);
  }

  TEST_CASE("arrays of the CPU start with zeros, whatever their size, and keep what is written") {
    for (const std::size_t count : {0U, 1U, 1000U, 40000U, 262144U, 700001U}) {
      CpuBackend::Array<double> array(count);
      REQUIRE(array.size() == count);
      bool zeros = true;
      for (std::size_t i = 0; i < count; ++i) zeros = zeros && array.data()[i] == 0.0;
      CHECK(zeros);
      for (std::size_t i = 0; i < count; ++i) array.data()[i] = static_cast<double>(i);
      CpuBackend::Array<double> moved = std::move(array);
      CHECK(moved.size() == count);
      bool same = true;
      for (std::size_t i = 0; i < count; ++i)
        same = same && moved.data()[i] == static_cast<double>(i);
      CHECK(same);
    }
  }
}

}  // namespace
}  // namespace slipfield
