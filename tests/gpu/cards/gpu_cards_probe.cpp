// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "gpu/cuda_device.h"
#include "tests/gpu/cards/cards_support.h"
#include "tests/gpu/gpu_support.h"

namespace slipfield {

TEST_SUITE("gpu") {
  TEST_CASE("gpu cards: probe of bits") {
    for (const int kind : {0, 1, 2, 3}) {
      for (const double tolerance : {1e-6, 1e-12}) {
        ContactProblem problem =
            kind == 1 ? test::rolling_problem(131, 121, false, test::kAlongX, 1.0)
                      : test::sliding_problem(kind == 3 ? 128 : 131, kind == 3 ? 128 : 121, false);
        if (kind == 2) problem.steps[0].tangential = {};
        problem.solver.tolerance = tolerance;
        if (tolerance > 1e-7) problem = test::in_window(problem);
        const test::Solved one = test::solve(problem, *make_cuda_solver(problem));
        const auto tell = [&](const char* name, const test::Solved& other) {
          std::size_t differ = 0;
          double most = 0.0;
          for (std::size_t i = 0; i < one.fields.pressure.size(); ++i) {
            const double d = std::abs(one.fields.pressure[i] - other.fields.pressure[i]);
            if (d != 0.0) ++differ;
            most = std::fmax(most, d);
          }
          std::printf(
              "PROBE kind %d tol %g %s: %zu differ, most %g of %g; normal iterations %d %d, "
              "products %lld %lld, approach %a %a\n",
              kind, tolerance, name, differ, most, one.report.max_pressure,
              one.report.iterations_normal, other.report.iterations_normal,
              static_cast<long long>(one.report.matrix_products),
              static_cast<long long>(other.report.matrix_products), one.report.approach,
              other.report.approach);
          for (std::size_t k = 0; k < one.report.history.size() && k < other.report.history.size();
               ++k)
            if (one.report.history[k].change != other.report.history[k].change) {
              std::printf("  history differs from %zu: %a %a\n", k, one.report.history[k].change,
                          other.report.history[k].change);
              break;
            }
        };
        tell("one again", test::solve(problem, *make_cuda_solver(problem)));
        tell("team of one", test::solve(problem, *make_cards_solver(problem, {0})));
        tell("two", test::solve(problem, *make_cards_solver(problem, {0, 0})));
        tell("three", test::solve(problem, *make_cards_solver(problem, {0, 0, 0})));
      }
    }
  }
}

}  // namespace slipfield
