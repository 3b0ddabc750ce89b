// SPDX-License-Identifier: Apache-2.0
// The memory that runs over several cards use, compared with the estimate.
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cuda_device.h"
#include "gpu/device/cuda_check.h"
#include "tests/gpu/cards/cards_support.h"
#include "tests/gpu/gpu_support.h"

namespace slipfield {

using test::in_window;
using test::kAlongX;
using test::kAlongY;
using test::rolling_problem;
using test::sliding_problem;

namespace {

constexpr double kOfTheRest = 2.0 * 67108864.0;  // of both cards, whatever the grid is

struct KindOfRun {
  std::string name;
  ContactProblem problem;
};

// With contacts that are solved in windows of the grid, and, `fills`, with those too large for one.
std::vector<KindOfRun> kinds_of_runs(int mx, int my, bool fills) {
  std::vector<KindOfRun> kinds;
  const auto add = [&](const char* name, ContactProblem problem) {
    problem.solver.tolerance = 1e-5;
    kinds.push_back({name, fills ? std::move(problem) : in_window(std::move(problem))});
  };
  const ContactProblem shift = sliding_problem(mx, my, false);
  const ContactProblem rolling = rolling_problem(mx, my, false, kAlongX, 1.0);
  add("shift", shift);
  add("shift, unlike", sliding_problem(mx, my, true));
  add("steady", rolling);
  add("steady, unlike", rolling_problem(mx, my, true, kAlongX, 1.0));
  ContactProblem changed = rolling;
  changed.steps[0].tangential.problem = TangentialProblem::transient_rolling;
  add("transient", changed);
  changed = rolling;
  changed.solver.rolling = RollingScheme::second_order;
  add("second order", changed);
  changed.steps[0].tangential.problem = TangentialProblem::transient_rolling;
  add("second order, transient", changed);
  changed = rolling_problem(mx, my, true, kAlongX, 1.0);
  changed.solver.rolling = RollingScheme::second_order;
  add("second order, unlike", changed);
  changed = rolling;
  const ThermalBody steel{0.05, 450.0, 7.85e-6, 0.0};
  changed.surface.heat.emplace();
  changed.surface.heat->bodies = {steel, steel};
  changed.surface.wear.emplace();
  changed.surface.wear->coefficient.value = {1e-4};
  changed.surface.wear->hardness = 1.0;
  changed.steps[0].tangential.velocity = 5000.0;
  add("heat and wear", changed);
  changed = rolling;
  changed.sensitivities = true;
  add("sensitivities", changed);
  changed = sliding_problem(mx, my, true);
  changed.sensitivities = true;
  add("sensitivities, unlike", changed);
  changed = shift;
  changed.steps.push_back(shift.steps[0]);
  changed.steps[1].tangential.moment = 0.0;
  add("shift, then with a moment", changed);
  changed.sensitivities = true;
  changed.steps = {changed.steps[1]};
  add("moment, sensitivities", changed);
  changed = rolling;
  changed.error_estimate = true;
  add("error estimate", changed);
  return kinds;
}

// Bytes in use on both cards together, at most, from making the solver to the end of its steps,
// each of them taken twice.
double most_used(const ContactProblem& problem) {
  cudaMemPool_t pool = nullptr;
  SLIPFIELD_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  const std::size_t before = test::bytes_in_use();
  std::uint64_t most = 0;
  SLIPFIELD_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most));
  const auto solver = make_cards_solver(problem, {0, 0});
  for (const StepInput& step : problem.steps)
    for (int k = 0; k < 2; ++k) solver->advance(step);
  SLIPFIELD_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most));
  return static_cast<double>(most - before);
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("gpu cards: no card takes more memory than estimated, nor a small part of it") {
    if (!test::counts_memory()) return;
    // Newton takes fewer vectors of GMRES than there may be, and cuFFT's work is not the pool's.
    // Windows take less than what is said of the whole grid.
    constexpr double kMostAgainstUsed = 3.5;
    for (const bool fills : {false, true}) {
      CAPTURE(fills);
      for (const auto& [name, problem] : kinds_of_runs(300, 280, fills)) {
        CAPTURE(name);
        const double used = most_used(problem);
        const double said = 2.0 * static_cast<double>(cards_bytes(problem, 2));
        CHECK(used <= said);
        if (fills) CHECK(said - kOfTheRest <= kMostAgainstUsed * used);
      }
    }
  }

  TEST_CASE("gpu cards: no card takes more memory than estimated, rolling along y") {
    if (!test::counts_memory()) return;
    for (const bool unlike : {false, true}) {
      CAPTURE(unlike);
      ContactProblem problem = rolling_problem(200, 190, unlike, kAlongY, 1.0);
      problem.solver.tolerance = 1e-5;
      CHECK(most_used(problem) <= 2.0 * static_cast<double>(cards_bytes(problem, 2)));
    }
  }

  TEST_CASE("gpu cards: no card takes more memory for the normal problem than estimated") {
    if (!test::counts_memory()) return;
    // The estimate includes a window, which these contacts are too large for.
    constexpr double kMostAgainstUsed = 4.0;
    for (const auto& [mx, my] : {std::pair{200, 190}, {1500, 1400}}) {
      for (const Boundary boundary : {Boundary::free, Boundary::periodic}) {
        CAPTURE(mx);
        CAPTURE(static_cast<int>(boundary));
        ContactProblem problem = sliding_problem(mx, my, false, 1e-5);
        problem.steps[0].tangential = {};
        problem.grid.boundary = boundary;
        const double used = most_used(problem);
        const double said = 2.0 * static_cast<double>(cards_bytes(problem, 2));
        CHECK(used <= said);
        if (mx > 1000 && boundary == Boundary::free)
          CHECK(said - kOfTheRest <= kMostAgainstUsed * used);
      }
    }
  }
}

}  // namespace slipfield
