// SPDX-License-Identifier: Apache-2.0
// Stresses inside bodies under a periodic grid, and those of the net traction of bodies that
// adhere.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "solver/interior/interior_field.h"
#include "solver/interior/interior_points.h"
#include "solver/interior/interior_waves.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

constexpr Grid kPeriodic{12, 9, 0.3, 0.2, -1.0, 0.5, Boundary::periodic};

ElasticBody coated(double nu) {
  ElasticBody body{3.0, nu};
  body.thickness = 0.4;
  body.below = {{1.0, 0.3, 0.0}};
  return body;
}
const std::vector<ElasticBody> kBodies{{1.0, 0.3}, {2.0, 0.5}, {1.5, 0.0}, coated(0.25)};

ContactSolution solution_of(const Grid& grid, std::vector<double> pressure,
                            std::vector<double> traction_x, std::vector<double> traction_y) {
  ContactSolution solution;
  solution.pressure = std::move(pressure);
  solution.traction_x = std::move(traction_x);
  solution.traction_y = std::move(traction_y);
  solution.element_division.assign(grid.count(), ElementState::slip);
  return solution;
}

ContactSolution random_solution(const Grid& grid, std::uint64_t seed) {
  test::Random random(seed);
  return solution_of(grid, random.field(grid.count()), random.field(grid.count()),
                     random.field(grid.count()));
}

InteriorValues at_point(const Grid& grid, const ElasticBody& material, Body body,
                        const ContactSolution& solution, double x, double y, double z) {
  return interior_at({{x, y, z}}, grid, material, body, solution).front();
}

// All components of one plane.
std::vector<std::vector<double>> plane_of(const Grid& grid, const ElasticBody& material, Body body,
                                          const ContactSolution& solution, double depth) {
  const auto planes = make_cpu_interior_planes(
      {grid, material, body, InteriorNeed::stress_and_displacement, {0, 0, grid.mx, grid.my}},
      solution);
  planes->compute(depth);
  std::vector<std::vector<double>> components;
  for (int c = 0; c < kInteriorComponents; ++c) components.push_back(planes->component(c));
  return components;
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("interior waves: a cosine of pressure has Westergaard's stresses in plane strain") {
    constexpr double kMean = 2.0;
    constexpr double kWave = 0.7;
    const Grid grid{32, 1, 0.1, 1.0, -1.6, -0.5, Boundary::periodic};
    const double q = 2.0 * std::numbers::pi / (grid.mx * grid.dx) * 2.0;
    std::vector<double> pressure;
    for (int ix = 0; ix < grid.mx; ++ix)
      pressure.push_back(kMean + kWave * std::cos(q * grid.x(ix)));
    const ContactSolution solution =
        solution_of(grid, pressure, std::vector<double>(32), std::vector<double>(32));
    const double nu = 0.3;
    for (const double z : {0.0, 0.2, 1.3}) {
      const auto plane = plane_of(grid, {1.0, nu}, Body::upper, solution, z);
      const double e = std::exp(-q * z);
      for (int ix = 0; ix < grid.mx; ++ix) {
        const auto i = static_cast<std::size_t>(ix);
        const double wave = kWave * e * std::cos(q * grid.x(ix));
        const double xx = -(1.0 - q * z) * wave - nu / (1.0 - nu) * kMean;
        const double zz = -(1.0 + q * z) * wave - kMean;
        CHECK(std::abs(plane[0][i] - xx) <= 1e-12);  // rounding
        CHECK(std::abs(plane[2][i] - zz) <= 1e-12);
        CHECK(std::abs(plane[1][i] - nu * (xx + zz)) <= 1e-12);
        CHECK(std::abs(plane[4][i] + q * z * kWave * e * std::sin(q * grid.x(ix))) <= 1e-12);
      }
    }
  }

  TEST_CASE("interior waves: the closed form of a half-space is the integration through layers") {
    for (const double nu : {0.0, 0.3, 0.5})
      for (const double depth : {0.0, 0.4, 3.0}) {
        const double q = 1.7;
        const InsideShares closed = half_space_waves(nu, q * depth);
        const InsideShares integrated = inside_waves({2.0, nu}, depth, q);
        for (std::size_t k = 0; k < closed.size(); ++k) {
          CAPTURE(k);
          CHECK(std::abs(closed[k] - integrated[k]) <= 1e-12);
        }
      }
  }
}

TEST_SUITE("oracle") {
  TEST_CASE("interior waves: the surface carries the tractions, in planes and at points") {
    const ContactSolution solution = random_solution(kPeriodic, 3);
    for (const ElasticBody& material : kBodies)
      for (const Body body : {Body::upper, Body::lower}) {
        const auto plane = plane_of(kPeriodic, material, body, solution, 0.0);
        for (std::size_t i = 0; i < kPeriodic.count(); ++i) {
          CHECK(std::abs(plane[2][i] + solution.pressure[i]) <= 1e-12);
          // The highest wave along an even number of elements is even in x: nothing is missing.
          CHECK(std::abs(plane[4][i] + solution.traction_x[i]) <= 1e-12);
          CHECK(std::abs(plane[5][i] + solution.traction_y[i]) <= 1e-12);
        }
        const auto deeper = plane_of(kPeriodic, material, body, solution, 0.35);
        const InteriorValues point =
            at_point(kPeriodic, material, body, solution, kPeriodic.x(7), kPeriodic.y(4), 0.35);
        for (std::size_t c = 0; c < point.size(); ++c)
          CHECK(std::abs(point[c] - deeper[c][kPeriodic.index(7, 4)]) <= 1e-12);
      }
  }

  TEST_CASE("interior waves: equilibrium and Hooke's law at places between the elements") {
    // Odd numbers of elements: every wave is there with its odd part.
    Grid grid = kPeriodic;
    grid.mx = 11;
    const ContactSolution solution = random_solution(grid, 5);
    constexpr double kStep = 2e-3;
    for (const ElasticBody& material : kBodies) {
      const double z = 0.25;  // in the coating
      const double x = 0.37;
      const double y = 1.13;
      std::array<std::array<double, kInteriorComponents>, 3> slope{};
      for (int axis = 0; axis < 3; ++axis) {
        const auto along = [&](double step) {
          return at_point(grid, material, Body::upper, solution, x + (axis == 0 ? step : 0.0),
                          y + (axis == 1 ? step : 0.0), z + (axis == 2 ? step : 0.0));
        };
        const auto far_below = along(-2.0 * kStep);
        const auto below = along(-kStep);
        const auto above = along(kStep);
        const auto far_above = along(2.0 * kStep);
        for (std::size_t c = 0; c < kInteriorComponents; ++c)
          slope[static_cast<std::size_t>(axis)][c] =
              (8.0 * (above[c] - below[c]) - (far_above[c] - far_below[c])) / (12.0 * kStep);
      }
      const auto here = at_point(grid, material, Body::upper, solution, x, y, z);
      constexpr double kSmall = 1e-6;  // differences of fourth order over waves of .4
      CHECK(std::abs(slope[0][0] + slope[1][3] + slope[2][4]) <= kSmall);
      CHECK(std::abs(slope[0][3] + slope[1][1] + slope[2][5]) <= kSmall);
      CHECK(std::abs(slope[0][4] + slope[1][5] + slope[2][2]) <= kSmall);
      const double twice = 2.0 * material.shear_modulus;
      const double nu = material.poisson_ratio;
      const double trace = here[0] + here[1] + here[2];
      for (std::size_t axis = 0; axis < 3; ++axis)
        CHECK(std::abs(twice * slope[axis][6 + axis] - (here[axis] - nu / (1.0 + nu) * trace)) <=
              kSmall);
      CHECK(std::abs(0.5 * twice * (slope[0][7] + slope[1][6]) - here[3]) <= kSmall);
      CHECK(std::abs(0.5 * twice * (slope[0][8] + slope[2][6]) - here[4]) <= kSmall);
      CHECK(std::abs(0.5 * twice * (slope[1][8] + slope[2][7]) - here[5]) <= kSmall);
    }
  }

  TEST_CASE(
      "interior waves: in the middle of a long period the stresses are those of a free grid") {
    Grid small{8, 8, 0.25, 0.25, -1.0, -1.0};
    const ContactSolution loads = random_solution(small, 8);
    Grid wide{128, 128, 0.25, 0.25, -16.0, -16.0, Boundary::periodic};
    ContactSolution padded =
        solution_of(wide, std::vector<double>(wide.count()), std::vector<double>(wide.count()),
                    std::vector<double>(wide.count()));
    for (int iy = 0; iy < 8; ++iy)
      for (int ix = 0; ix < 8; ++ix)
        for (const auto field : {&ContactSolution::pressure, &ContactSolution::traction_x,
                                 &ContactSolution::traction_y})
          (padded.*field)[wide.index(60 + ix, 60 + iy)] = (loads.*field)[small.index(ix, iy)];
    for (const ElasticBody& material : {kBodies[0], kBodies[3]})
      for (const double z : {0.5, 1.0}) {
        const auto free = at_point(small, material, Body::lower, loads, 0.1, 0.2, z);
        const auto periodic = at_point(wide, material, Body::lower, padded, 0.1, 0.2, z);
        // Waves in place of squares: at the depth of two elements the difference has died out. The
        // loads' images are 32 away.
        for (std::size_t c = 0; c < kStressComponents; ++c) {
          CAPTURE(c);
          CHECK(std::abs(free[c] - periodic[c]) <= 0.01);
        }
      }
  }

  TEST_CASE(
      "interior: bodies that adhere have the stresses of the pressure less the adhesive one") {
    const Grid grid{9, 7, 0.3, 0.2, -1.0, 0.5};
    ContactSolution net = random_solution(grid, 11);
    ContactSolution both = net;
    both.adhesive_stress = test::Random(12).field(grid.count());
    for (std::size_t i = 0; i < grid.count(); ++i) both.pressure[i] += both.adhesive_stress[i];
    for (const Body body : {Body::upper, Body::lower}) {
      const auto one = plane_of(grid, {1.0, 0.3}, body, net, 0.2);
      const auto two = plane_of(grid, {1.0, 0.3}, body, both, 0.2);
      const auto point = at_point(grid, {1.0, 0.3}, body, both, grid.x(3), grid.y(3), 0.2);
      for (std::size_t c = 0; c < one.size(); ++c) {
        for (std::size_t i = 0; i < grid.count(); ++i)
          CHECK(std::abs(one[c][i] - two[c][i]) <= 1e-12);
        CHECK(std::abs(point[c] - one[c][grid.index(3, 3)]) <= 1e-12);
      }
    }
  }
}

}  // namespace slipfield
