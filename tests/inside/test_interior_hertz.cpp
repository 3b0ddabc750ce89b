// SPDX-License-Identifier: Apache-2.0
// Greatest stresses under Hertz's pressures, against the closed forms on the axis.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/interior/fatigue_stress.h"
#include "solver/interior/interior_field.h"
#include "solver/interior/interior_points.h"
#include "solver/problem_check.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

// Hertz's pressure with p_0 = 1 over a circle of radius 1, its mean over each element.
ContactSolution hertz_circle(const Grid& grid) {
  constexpr int kSamples = 8;  // in each direction of an element
  ContactSolution solution;
  solution.pressure.resize(grid.count());
  solution.element_division.assign(grid.count(), ElementState::exterior);
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      double sum = 0.0;
      for (int j = 0; j < kSamples; ++j) {
        for (int i = 0; i < kSamples; ++i) {
          const double x = grid.x(ix) + grid.dx * ((i + 0.5) / kSamples - 0.5);
          const double y = grid.y(iy) + grid.dy * ((j + 0.5) / kSamples - 0.5);
          sum += std::sqrt(std::max(1.0 - x * x - y * y, 0.0));
        }
      }
      solution.pressure[grid.index(ix, iy)] = sum / (kSamples * kSamples);
      if (sum > 0.0) solution.element_division[grid.index(ix, iy)] = ElementState::adhesion;
    }
  }
  solution.traction_x.assign(grid.count(), 0.0);
  solution.traction_y.assign(grid.count(), 0.0);
  return solution;
}

// Over a strip of half-width 1 along y, in one row of elements; exact means of the half-circle.
ContactSolution hertz_line(const Grid& grid) {
  const auto area = [](double x) {
    x = std::clamp(x, -1.0, 1.0);
    return 0.5 * (x * std::sqrt(1.0 - x * x) + std::asin(x));
  };
  ContactSolution solution;
  for (int ix = 0; ix < grid.mx; ++ix) {
    const double x = grid.x(ix);
    solution.pressure.push_back((area(x + 0.5 * grid.dx) - area(x - 0.5 * grid.dx)) / grid.dx);
  }
  solution.traction_x.assign(grid.count(), 0.0);
  solution.traction_y.assign(grid.count(), 0.0);
  solution.element_division.assign(grid.count(), ElementState::adhesion);
  return solution;
}

struct Peak {
  double value = 0.0;
  double depth = 0.0;
};

// The greatest of a measure on the axis x = y = 0: the vertex of the parabola through the greatest
// of evenly spaced depths and its neighbours.
template <typename Measure>
Peak peak_on_axis(const Grid& grid, const ContactSolution& solution, double nu, double from,
                  double to, Measure measure) {
  const std::vector<double> depths = linear_depths(from, to, 9);
  std::vector<InteriorPoint> points;
  for (const double depth : depths) points.push_back({0.0, 0.0, depth});
  std::vector<double> values;
  for (const InteriorValues& at : interior_at(points, grid, {1.0, nu}, Body::upper, solution)) {
    StressState stress{};
    std::copy_n(at.begin(), stress.size(), stress.begin());
    values.push_back(measure(stress));
  }
  const auto top =
      static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
  REQUIRE(top > 0);
  REQUIRE(top + 1 < values.size());
  const double bend = values[top - 1] - 2.0 * values[top] + values[top + 1];
  const double slope = 0.5 * (values[top + 1] - values[top - 1]);
  const double step = depths[1] - depths[0];
  return {values[top] - 0.5 * slope * slope / bend, depths[top] - step * slope / bend};
}

double mises(const StressState& stress) { return von_mises_stress(stress); }
double greatest_shear(const StressState& stress) {
  const auto principal = principal_stresses(stress);
  return 0.5 * (principal[0] - principal[2]);
}

Grid circle_grid(int n) { return {n, n, 2.2 / n, 2.2 / n, -1.1, -1.1}; }

// On the axis of Hertz's pressure: sigma_r = -(1+nu)(1 - z atan(1/z)) + 1/(2(1+z^2)),
// sigma_z = -1/(1+z^2); sigma_r - sigma_z is both equivalent stresses.
double closed_form(double z, double nu) {
  const double radial = -(1.0 + nu) * (1.0 - z * std::atan(1.0 / z)) + 0.5 / (1.0 + z * z);
  return radial + 1.0 / (1.0 + z * z);
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("interior: under a circle the greatest von Mises stress is .6200 p_0 at .4809 a") {
    struct Row {
      double nu, value, depth;
    };
    for (const Row& row : {Row{0.3, 0.6200, 0.4809}, Row{0.28, 0.6293, 0.4742}}) {
      CAPTURE(row.nu);
      const Grid grid = circle_grid(128);
      const Peak peak = peak_on_axis(grid, hertz_circle(grid), row.nu, 0.40, 0.56, mises);
      CHECK(std::abs(peak.value - row.value) <
            1.0e-4);  // the digits printed; the grid's error 2e-5
      CHECK(std::abs(peak.depth - row.depth) < 3.0e-4);  // likewise, and the parabola's 1e-4
    }
  }

  TEST_CASE("interior: under a circle the stress converges to the closed form of second order") {
    std::vector<double> errors;
    for (const int n : {32, 64, 128}) {
      const Grid grid = circle_grid(n);
      const ContactSolution solution = hertz_circle(grid);
      double worst = 0.0;
      for (const double depth : {0.25, 0.5, 1.0, 2.0}) {
        const auto at = interior_at({{0.0, 0.0, depth}}, grid, {1.0, 0.3}, Body::lower, solution);
        StressState stress{};
        std::copy_n(at[0].begin(), stress.size(), stress.begin());
        worst = std::max(worst, std::abs(von_mises_stress(stress) - closed_form(depth, 0.3)));
      }
      errors.push_back(worst);
    }
    CAPTURE(errors[0]);
    CAPTURE(errors[1]);
    CAPTURE(errors[2]);
    CHECK(errors[2] < 1.0e-4);
    CHECK(std::log2(errors[0] / errors[1]) > 1.5);  // the circle's edge takes some of the two
    CHECK(std::log2(errors[1] / errors[2]) > 1.5);
  }

  TEST_CASE("interior: under a line the greatest shear stress is .3003 p_0 at .7862 a") {
    constexpr double kLength = 2000.0;  // of the row, so that its ends are out of sight
    const Grid grid{256, 1, 2.0 / 256, kLength, -1.0, -0.5 * kLength};
    const Peak peak = peak_on_axis(grid, hertz_line(grid), 0.3, 0.70, 0.86, greatest_shear);
    CHECK(std::abs(peak.value - 0.3003) < 1.0e-4);  // the digits printed
    CHECK(std::abs(peak.depth - 0.7862) < 3.0e-4);
  }

  TEST_CASE("interior: a field finds the greatest stress of its planes and where it is") {
    const Grid grid = circle_grid(33);  // odd: an element's centre on the axis
    const ContactSolution solution = hertz_circle(grid);
    InteriorRequest request;
    request.bodies = {Body::upper, Body::lower};
    request.depths = linear_depths(0.0, 1.0, 26);
    InteriorField field(grid, {ElasticBody{1.0, 0.3}, ElasticBody{2.0, 0.28}}, request, solution);
    field.compute_all();
    REQUIRE(field.summaries().size() == 2);
    const InteriorSummary& upper = field.summaries()[0];
    const InteriorSummary& lower = field.summaries()[1];
    CHECK(upper.body == Body::upper);
    CHECK(lower.body == Body::lower);
    // An error of this grid, 1e-3, and depths in steps of .04 about a flat top.
    CHECK(upper.von_mises.value == test::near(0.6200, 3.0e-3));
    CHECK(lower.von_mises.value == test::near(0.6293, 3.0e-3));
    CHECK(std::abs(upper.von_mises.z - 0.48) < 1.0e-12);
    CHECK(std::abs(lower.von_mises.z + 0.48) < 1.0e-12);
    CHECK(std::abs(upper.von_mises.x) < 1.0e-12);
    CHECK(std::abs(upper.von_mises.y) < 1.0e-12);
    REQUIRE(upper.von_mises.by_depth.size() == 26);
    CHECK(*std::max_element(upper.von_mises.by_depth.begin(), upper.von_mises.by_depth.end()) ==
          upper.von_mises.value);
    // The greatest tension is radial, at the circle's edge: (1 - 2 nu)/3 p_0.
    CHECK(upper.principal_1.value == test::near(0.4 / 3.0, 0.1));
    CHECK(std::hypot(upper.principal_1.x, upper.principal_1.y) == test::near(1.0, 0.1));
  }
}

TEST_SUITE("unit") {
  TEST_CASE("interior: measures of simple stress states") {
    const StressState pull{5.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    CHECK(von_mises_stress(pull) == 5.0);
    CHECK(hydrostatic_stress(pull) == test::near(5.0 / 3.0));
    const StressState shear{0.0, 0.0, 0.0, 0.0, 2.0, 0.0};
    CHECK(von_mises_stress(shear) == test::near(2.0 * std::sqrt(3.0)));
    const auto principal = principal_stresses(shear);
    CHECK(principal[0] == test::near(2.0));
    CHECK(std::abs(principal[1]) < 1.0e-15);  // rounding
    CHECK(principal[2] == test::near(-2.0));
    const StressState pressed{-3.0, -3.0, -3.0, 0.0, 0.0, 0.0};
    CHECK(von_mises_stress(pressed) == 0.0);
    CHECK(principal_stresses(pressed) == std::array{-3.0, -3.0, -3.0});
    // The general state: trace, and the three shear differences against sqrt(3 J2).
    const StressState state{1.0, -2.0, 4.0, 0.5, -1.5, 2.5};
    const auto p = principal_stresses(state);
    CHECK(p[0] + p[1] + p[2] == test::near(3.0));
    const double differences = (p[0] - p[1]) * (p[0] - p[1]) + (p[1] - p[2]) * (p[1] - p[2]) +
                               (p[2] - p[0]) * (p[2] - p[0]);
    CHECK(std::sqrt(0.5 * differences) == test::near(von_mises_stress(state)));
  }

  TEST_CASE("interior: the window is the contact's rectangle, the grid, or the centres in a box") {
    const Grid grid{6, 4, 1.0, 2.0, 0.0, -4.0};
    std::vector<ElementState> division(grid.count(), ElementState::exterior);
    InteriorRequest request;
    CHECK(interior_window(request, grid, division) == InteriorWindow{0, 0, 6, 4});
    division[grid.index(2, 1)] = ElementState::slip;
    division[grid.index(4, 2)] = ElementState::adhesion;
    CHECK(interior_window(request, grid, division) == InteriorWindow{2, 1, 3, 2});
    request.region = InteriorRegion::grid;
    CHECK(interior_window(request, grid, division) == InteriorWindow{0, 0, 6, 4});
    request.region = InteriorRegion::box;
    request.box_x = {1.5, 3.4};
    request.box_y = {-100.0, -0.9};
    CHECK(interior_window(request, grid, division) == InteriorWindow{1, 0, 2, 2});
    request.depths = {0.0};
    CHECK(check_interior(request, grid).empty());
    request.box_x = {1.6, 2.4};
    const auto faults = check_interior(request, grid);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].field == "interior.region.x");
    CHECK(faults[0].reason == "no element centre lies from 1.6 to 2.4");
    CHECK(faults[0].remedy ==
          "a range with a centre in it; they lie from 0.5 to 5.5 in steps of 1");
  }

  TEST_CASE(
      "interior: depths above the surface, out of order or none are refused, and grids of images") {
    Grid grid{6, 4, 1.0, 2.0, 0.0, -4.0};
    const auto reason = [&](std::vector<double> depths) {
      InteriorRequest request;
      request.depths = std::move(depths);
      const auto faults = check_interior(request, grid);
      return faults.empty() ? std::string() : faults.front().reason;
    };
    CHECK(reason({0.0, 1.0}).empty());
    CHECK(reason({}) == "is empty");
    CHECK(reason({-0.5, 1.0}) ==
          "-0.5 is not inside the body; depths count from the surface into it");
    CHECK(reason({0.0, 1.0, 1.0}) == "1 follows 1");
    CHECK(reason({0.0, HUGE_VAL}).starts_with("inf is not inside"));
    grid.boundary = Boundary::periodic;
    CHECK(reason({0.0}).empty());
    InteriorRequest passage;
    passage.depths = {0.0};
    passage.fatigue.dang_van = 0.3;
    CHECK(check_interior(passage, grid).front().field == "interior.fatigue");
    grid.boundary = Boundary::periodic_y;
    CHECK(reason({0.0}).starts_with("a grid that is periodic in one direction has no interior"));
  }

  TEST_CASE("interior: depths are evenly spaced or in a constant ratio, ends included") {
    CHECK(linear_depths(0.0, 1.0, 5) == std::vector{0.0, 0.25, 0.5, 0.75, 1.0});
    const std::vector<double> ratio = logarithmic_depths(0.01, 1.0, 3);
    REQUIRE(ratio.size() == 3);
    CHECK(ratio.front() == 0.01);
    CHECK(ratio[1] == test::near(0.1));
    CHECK(ratio.back() == 1.0);
  }
}

}  // namespace slipfield
