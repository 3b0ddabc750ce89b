// SPDX-License-Identifier: Apache-2.0
// Planes inside the bodies: the GPU against the CPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/cuda_device.h"
#include "solver/interior/cpu_interior_planes.h"
#include "solver/interior/interior_field.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/near.h"

namespace slipfield::test {

namespace {

// Transforms of up to a million numbers, closed forms by two mathematical libraries.
constexpr double kTolerance = 1.0e-11;

constexpr std::array<InteriorQuantity, kStressMeasures> kMeasures = {
    InteriorQuantity::principal_1, InteriorQuantity::principal_2, InteriorQuantity::principal_3,
    InteriorQuantity::von_mises,   InteriorQuantity::tresca,      InteriorQuantity::hydrostatic};

ContactSolution random_loads(const Grid& grid, std::uint64_t seed) {
  Random random(seed);
  ContactSolution solution;
  solution.pressure = random.values(grid.count());  // pressed: far stresses do not cancel
  for (double& pressure : solution.pressure) pressure = std::fabs(pressure);
  solution.traction_x = random.values(grid.count());
  solution.traction_y = random.values(grid.count());
  solution.element_division.assign(grid.count(), ElementState::slip);
  return solution;
}

double greatest(const std::vector<double>& values) {
  double found = 0.0;
  for (const double value : values) found = std::max(found, std::fabs(value));
  return found;
}

double greatest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double found = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) found = std::max(found, std::fabs(a[i] - b[i]));
  return found;
}

void compare(const InteriorTask& task, const ContactSolution& solution,
             const std::vector<double>& depths) {
  CpuInteriorPlanes cpu(task, solution);
  const auto cuda = make_cuda_interior_planes(task, solution);
  for (const double depth : depths) {
    CAPTURE(depth);
    cpu.compute(depth);
    cuda->compute(depth);
    // Relative to the greatest stress, or to the greatest displacement: other components may be 0.
    for (const auto& [from, to] : {std::pair(0, kStressComponents),
                                   std::pair(kStressComponents, components_of(task.need))}) {
      double scale = 0.0;
      for (int c = from; c < to; ++c) scale = std::max(scale, greatest(cpu.component(c)));
      for (int c = from; c < to; ++c) {
        CAPTURE(c);
        CHECK(greatest_difference(cpu.component(c), cuda->component(c)) <= kTolerance * scale);
      }
      if (from != 0) continue;
      for (const InteriorQuantity quantity : kMeasures) {
        CAPTURE(static_cast<int>(quantity));
        CHECK(cpu.measure(quantity).size() == task.window.count());
        CHECK(greatest_difference(cpu.measure(quantity), cuda->measure(quantity)) <=
              kTolerance * scale);
      }
    }
  }
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("interior: planes on the GPU are those of the CPU, at awkward sizes") {
    for (const GridSize size : kAwkwardSizes) {
      CAPTURE(size.mx);
      CAPTURE(size.my);
      const Grid grid{size.mx, size.my, 0.3, 0.2, -2.0, 1.0};
      const ContactSolution solution = random_loads(grid, grid.count());
      const InteriorWindow window{size.mx / 3, size.my / 4, size.mx - size.mx / 3,
                                  size.my - size.my / 4};
      compare({grid, {3.0, 0.31}, Body::upper, InteriorNeed::stress_and_displacement, window},
              solution, {0.0, 0.05, 1.0});
      compare({grid, {0.7, 0.0}, Body::lower, InteriorNeed::stress_and_displacement, window},
              solution, {0.0, 0.3, 40.0});
    }
  }

  TEST_CASE("interior: one load alone, stresses alone, and no load at all, on the GPU") {
    const Grid grid{45, 28, 0.1, 0.25, 0.0, 0.0};
    const ContactSolution all = random_loads(grid, 3);
    const std::vector<double> none(grid.count(), 0.0);
    for (const std::size_t kept : {0U, 1U, 2U, 3U}) {
      CAPTURE(kept);
      ContactSolution solution = all;
      if (kept != 0) solution.traction_x = none;
      if (kept != 1) solution.traction_y = none;
      if (kept != 2) solution.pressure = none;
      for (const Body body : {Body::upper, Body::lower})
        compare({grid, {2.0, 0.28}, body, InteriorNeed::stress, {0, 0, 45, 28}}, solution,
                {0.0, 0.4});
    }
  }

  TEST_CASE("interior: 256 x 256 elements on the GPU, near and far from the surface") {
    const Grid grid{256, 256, 0.01, 0.01, -1.28, -1.28};
    compare({grid, {80000.0, 0.3}, Body::upper, InteriorNeed::stress, {0, 0, 256, 256}},
            random_loads(grid, 9), {0.005, 2.0});
  }

  TEST_CASE("interior: greatest stresses of unlike bodies, and the same bits again, on the GPU") {
    const Grid grid{61, 47, 0.05, 0.07, -1.5, -1.6};
    const ContactSolution solution = random_loads(grid, 21);
    InteriorRequest request;
    request.depths = {0.0, 0.1, 0.5};
    request.region = InteriorRegion::grid;
    request.quantities = {InteriorQuantity::stress_xx, InteriorQuantity::displacement_z};
    request.fatigue = {0.3, 0.4};
    const std::array<ElasticBody, 2> bodies{ElasticBody{1.0, 0.3}, ElasticBody{5.0, 0.1}};
    const auto summaries = [&](const MakeInteriorPlanes& make) {
      InteriorField field(grid, bodies, request, solution, make);
      field.compute_all();
      return field.summaries();
    };
    const MakeInteriorPlanes on_gpu = [](const InteriorTask& task, const ContactSolution& loads) {
      return make_cuda_interior_planes(task, loads);
    };
    const auto cpu = summaries(make_cpu_interior_planes);
    const auto first = summaries(on_gpu);
    const auto again = summaries(on_gpu);
    for (std::size_t body = 0; body < 2; ++body) {
      for (const auto greatest_of :
           {&InteriorSummary::von_mises, &InteriorSummary::tresca, &InteriorSummary::principal_1,
            &InteriorSummary::dang_van, &InteriorSummary::crossland}) {
        const InteriorGreatest& expected = cpu[body].*greatest_of;
        const InteriorGreatest& found = first[body].*greatest_of;
        // The ball of a passage is found to 1e-10 or so of its radius.
        CHECK(found.value == near(expected.value, 1.0e-9));
        CHECK(found.x == expected.x);
        CHECK(found.y == expected.y);
        CHECK(found.z == expected.z);
        CHECK(found.by_depth == (again[body].*greatest_of).by_depth);
      }
    }
  }
}

}  // namespace slipfield::test
