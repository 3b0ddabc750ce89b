// SPDX-License-Identifier: Apache-2.0
// The shakedown map: McEwen's field against sums over elements, published ends of the limits.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "app/report/step_warnings.h"
#include "solver/interior/fatigue_stress.h"
#include "solver/interior/interior_points.h"
#include "solver/surface/shakedown.h"
#include "solver/surface/surface_fields.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

constexpr double kRowLength = 20000.0;

// Hertz's line, half-width 1, with friction times the pressure towards +x on body 1.
ContactSolution sliding_line(const Grid& grid, double friction) {
  const auto area = [](double x) {
    x = std::clamp(x, -1.0, 1.0);
    return 0.5 * (x * std::sqrt(1.0 - x * x) + std::asin(x));
  };
  ContactSolution solution;
  for (int ix = 0; ix < grid.mx; ++ix) {
    const double x = grid.x(ix);
    solution.pressure.push_back((area(x + 0.5 * grid.dx) - area(x - 0.5 * grid.dx)) / grid.dx);
    solution.traction_x.push_back(friction * solution.pressure.back());
  }
  solution.traction_y.assign(grid.count(), 0.0);
  return solution;
}

ContactSolution sliding_circle(const Grid& grid, double friction) {
  ContactSolution solution;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double r2 = grid.x(ix) * grid.x(ix) + grid.y(iy) * grid.y(iy);
      solution.pressure.push_back(std::sqrt(std::max(1.0 - r2, 0.0)));
      solution.traction_x.push_back(friction * solution.pressure.back());
    }
  solution.traction_y.assign(grid.count(), 0.0);
  return solution;
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("shakedown: the closed form of the line's stresses equals sums over its elements") {
    const Grid grid{200, 1, 0.01, kRowLength, -1.0, -0.5 * kRowLength};
    const double friction = 0.35;
    const ContactSolution solution = sliding_line(grid, friction);
    for (const double x : {-1.7, -0.8, 0.0, 0.3, 1.2}) {
      for (const double z : {0.1, 0.5, 1.5}) {
        const auto at = interior_at({{x, 0.0, z}}, grid, {1.0, 0.3}, Body::upper, solution)[0];
        const PlaneStress closed = hertz_line_stress(x, z, friction);
        CAPTURE(x);
        CAPTURE(z);
        CHECK(std::abs(at[0] - closed.xx) < 5.0e-4);  // the grid, and the row's ends: 4e-5
        CHECK(std::abs(at[2] - closed.zz) < 5.0e-4);
        CHECK(std::abs(at[4] - closed.xz) < 5.0e-4);
      }
    }
    // At the surface the loads themselves, and outside of them a stress along x alone.
    const PlaneStress loaded = hertz_line_stress(0.6, 0.0, friction);
    CHECK(loaded.zz == test::near(-0.8));
    CHECK(loaded.xz == test::near(-0.8 * friction));
    CHECK(loaded.xx == test::near(-0.8 - 1.2 * friction));
    CHECK(std::abs(hertz_line_stress(1.5, 0.0, friction).xz) < 1.0e-15);
  }

  TEST_CASE("shakedown: rollers stay elastic to 3.33 k, shake down to 4.00 k, slide to k over mu") {
    const ShakedownLimits rolling = line_limits(0.0);
    CHECK(rolling.elastic == test::near(1.0 / 0.3003, 1.0e-3));  // digits known
    CHECK(rolling.shakedown == test::near(4.0, 1.0e-3));
    // With much friction the surface decides both.
    for (const double friction : {0.45, 0.6, 1.0}) {
      CHECK(line_limits(friction).elastic == test::near(1.0 / friction, 1.0e-3));
      CHECK(line_limits(friction).shakedown == test::near(1.0 / friction, 1.0e-3));
    }
    double last = 10.0;
    for (const double friction : {0.0, 0.1, 0.2, 0.3, 0.4}) {
      const ShakedownLimits limits = line_limits(friction);
      CHECK(limits.elastic <= limits.shakedown * (1.0 + 1.0e-9));
      CHECK(limits.shakedown < last);
      last = limits.shakedown;
    }
  }

  TEST_CASE(
      "shakedown: balls shake down to 4.68 k, and their first yield is that of the stresses") {
    CHECK(point_limits(0.0).shakedown == test::near(4.68, 2.0e-3));  // digits printed
    CHECK(point_limits(0.0).elastic == test::near(1.0 / 0.310, 2.0e-3));
    CHECK(point_limits(0.5).shakedown == test::near(2.0));
    const Grid grid{41, 41, 2.0 / 41, 2.0 / 41, -1.0, -1.0};
    for (const double friction : {0.0, 0.1, 0.2}) {
      const ContactSolution solution = sliding_circle(grid, friction);
      std::vector<InteriorPoint> points;
      for (int i = -6; i <= 6; ++i)
        for (int k = 0; k <= 4; ++k) points.push_back({0.1 * i, 0.0, 0.38 + 0.05 * k});
      double most = 0.0;
      for (const InteriorValues& at :
           interior_at(points, grid, {1.0, 0.3}, Body::upper, solution)) {
        StressState stress{};
        std::copy_n(at.begin(), stress.size(), stress.begin());
        const auto principal = principal_stresses(stress);
        most = std::max(most, 0.5 * (principal[0] - principal[2]));
      }
      CAPTURE(friction);
      CHECK(1.0 / most == test::near(point_limits(friction).elastic, 5.0e-3));
    }
  }

  TEST_CASE("shakedown: a wide ellipse lies between a circle and a line [Lundberg and Palmgren]") {
    for (const double friction : {0.0, 0.12, 0.3, 0.6}) {
      const double circle = point_limits(friction).shakedown;
      const double line = line_limits(friction).shakedown;
      CAPTURE(friction);
      for (const double ratio : {0.0, 0.3, 1.0})
        CHECK(ellipse_limits(friction, ratio).shakedown == circle);
      CHECK(ellipse_limits(friction, 1e6).shakedown == test::near(line, 3e-3));  // the table's
      double last = circle * (1.0 + 1e-12);
      for (const double ratio : {1.01, 1.5, 3.0, 10.0, 100.0}) {
        const double here = ellipse_limits(friction, ratio).shakedown;
        CHECK(here <= last);
        last = here;
      }
    }
    // t = 1.1: length/width = sqrt(.21 1.2) = .502, and .2371 p_0.
    CHECK(ellipse_limits(0.0, 1.0 / std::sqrt(0.252)).shakedown == test::near(1.0 / 0.2371, 2e-3));
  }

  TEST_CASE("shakedown: a step's point has Hertz's pressure of a line or of an ellipse") {
    ContactProblem problem;
    problem.surface.fatigue = FatigueRequest{100.0};
    // Hertz's pressure, p_0 = 300, of a circle or line whose elements' areas are 5 to 10 % too great.
    const auto numbers_of = [&](int my) {
      problem.grid = Grid{16, my, 0.5, 0.5, -4.0, -4.0};
      ContactSolution solution;
      StepReport report;
      for (int iy = 0; iy < my; ++iy)
        for (int ix = 0; ix < problem.grid.mx; ++ix) {
          const double y = my > 1 ? problem.grid.y(iy) : 0.0;
          const double pressure =
              300.0 *
              std::sqrt(std::max(0.0, 1.0 - (std::pow(problem.grid.x(ix), 2) + y * y) / 9.0));
          solution.pressure.push_back(pressure);
          solution.element_division.push_back(pressure > 0.0 ? ElementState::slip
                                                             : ElementState::exterior);
          report.normal_force += pressure * problem.grid.element_area();
          report.elements_contact += pressure > 0.0 ? 1 : 0;
        }
      solution.traction_x = solution.traction_y =
          std::vector<double>(solution.pressure.size(), 0.0);
      report.force_x = 0.3 * report.normal_force;
      report.force_y = -0.4 * report.normal_force;
      add_surface(problem, {}, solution, report);
      return report.surface;
    };
    const SurfaceNumbers line = numbers_of(1);
    CHECK(*line.used_friction == test::near(0.5));
    CHECK(*line.shakedown_load == test::near(3.0, 0.01));
    CHECK(*line.shakedown_limit == test::near(2.0, 1.0e-3));
    CHECK(*line.shakedown_reserve == test::near(*line.shakedown_limit / *line.shakedown_load));
    const SurfaceNumbers point = numbers_of(16);
    CHECK(*point.shakedown_load == test::near(3.0, 0.01));
    CHECK(*point.surface_fatigue_index == test::near(0.5 - 1.0 / *point.shakedown_load));
    CHECK(*point.shakedown_reserve < 1.0);
    CHECK(*point.elastic_limit == test::near(point_limits(0.5).elastic));
  }

  TEST_CASE("shakedown: the index along y is that of a line in each row") {
    ContactProblem problem;
    problem.grid = Grid{31, 15, 0.1, 0.2, -1.55, -1.5};
    problem.surface.fatigue = FatigueRequest{0.25};
    const Grid& grid = problem.grid;
    // Hertz's pressure of p_0 = 1 on a circle, a fifth of it as friction, turned by rows.
    ContactSolution solution = sliding_circle(grid, 0.2);
    solution.element_division.assign(grid.count(), ElementState::slip);
    for (std::size_t i = 0; i < grid.count(); ++i)
      if (!(solution.pressure[i] > 0.0)) solution.element_division[i] = ElementState::exterior;
    StepReport report;
    for (std::size_t i = 0; i < grid.count(); ++i) {
      report.normal_force += solution.pressure[i] * grid.element_area();
      report.force_x += solution.traction_x[i] * grid.element_area();
      report.elements_contact += solution.element_division[i] != ElementState::exterior ? 1 : 0;
    }
    add_surface(problem, {}, solution, report);
    const std::vector<double> index = surface_fatigue_along_y(grid, {}, solution, report);
    REQUIRE(index.size() == 15);
    CHECK(std::isnan(index.front()));  // beyond the circle
    // The middle row has Hertz's pressure of a line, p_0 = 1; others less, so that they yield less.
    // By its moments even the row of few elements has its p_0 to 2 %.
    for (int row = 3; row < 12; ++row)
      CHECK(0.2 - index[row] ==
            test::near(0.25 / std::sqrt(1.0 - std::pow(grid.y(row), 2)), 0.02));  // k/p_0
    CHECK(index[7] == test::within(*report.surface.surface_fatigue_index, 0.01 * 0.25));
    CHECK(index[5] == test::near(index[9], 1e-9));
  }

  TEST_CASE("shakedown: contacts that are longer or wider than twice a circle get a warning") {
    const Grid grid{20, 30, 0.5, 1.0, 0.0, 0.0};
    ContactSolution solution;
    std::vector<ElementState>& division = solution.element_division;
    division.assign(grid.count(), ElementState::exterior);
    CHECK(passed_contact(grid, {}, {}, solution).width_over_length == 0.0);
    for (int iy = 3; iy < 12; ++iy)
      for (int ix = 4; ix < 10; ++ix) division[grid.index(ix, iy)] = ElementState::slip;
    CHECK(passed_contact(grid, {}, {}, solution).width_over_length == test::near(3.0));
    const auto doubt = [](double ratio, bool line = false) {
      return ellipse_doubt({line, ratio}, 1000.0, Units::n_mm_s);
    };
    CHECK(doubt(3.0).starts_with("the contact is 3 times as wide as long: p_0"));
    CHECK(doubt(0.25).find("4 times as long as wide") != std::string::npos);
    CHECK(doubt(39.0).find("ellipse, 1000 N/mm^2, and of a line 883.6") != std::string::npos);
    CHECK(doubt(1.9).empty());
    CHECK(doubt(0.6).empty());
    CHECK(doubt(0.0).empty());  // no contact
    CHECK(doubt(HUGE_VAL, true).empty());
    CHECK(doubt(0.0, true).starts_with("the contact is a line along which the material passes"));
  }

  TEST_CASE("shakedown: the width is across the passage, on a period without the longest gap") {
    Grid grid{20, 30, 0.5, 1.0, 0.0, 0.0};
    ContactSolution solution;
    std::vector<ElementState>& division = solution.element_division;
    division.assign(grid.count(), ElementState::exterior);
    for (int iy = -4; iy < 5; ++iy)
      for (int ix = -2; ix < 4; ++ix)
        division[grid.index((ix + 20) % 20, (iy + 30) % 30)] = ElementState::slip;
    Tangential step;
    const auto ratio = [&] {
      const PassedContact contact = passed_contact(grid, step, {}, solution);
      CHECK_FALSE(contact.line);
      return contact.width_over_length;
    };
    CHECK(ratio() == test::near(3.0));  // 30 by 10, the free grid
    grid.boundary = Boundary::periodic;
    CHECK(ratio() == test::near(3.0));  // 9 by 3
    step.problem = TangentialProblem::steady_rolling;
    for (const double turn : {0.5, -0.5}) {
      step.direction = turn * std::numbers::pi;
      CHECK(ratio() == test::near(1.0 / 3.0));
    }
    step.direction = 0.25 * std::numbers::pi;  // an ellipse is as wide as long under 45 degrees
    CHECK(ratio() == test::near(1.0));
    StepReport shifted;
    shifted.rigid_x = 0.001;
    shifted.rigid_y = -0.1;
    step.problem = TangentialProblem::shift;
    CHECK(passed_contact(grid, step, shifted, solution).nearer_to_y);
    CHECK(passed_contact(grid, step, shifted, solution).width_over_length ==
          test::near(1.0 / 3.0, 1e-3));
  }

  TEST_CASE("shakedown: a line is one along x and along y, on one row and over a period") {
    StepReport report;
    report.normal_force = 1000.0;
    report.force_x = 100.0;
    report.elements_contact = 40;
    const auto numbers_of = [&](const Grid& grid, double degrees, int contact_x, int contact_y) {
      ContactProblem problem;
      problem.grid = grid;
      problem.surface.fatigue = FatigueRequest{100.0};
      StepInput step;
      step.tangential.problem = TangentialProblem::steady_rolling;
      step.tangential.direction = degrees * std::numbers::pi / 180.0;
      ContactSolution solution;
      solution.element_division.assign(grid.count(), ElementState::exterior);
      solution.pressure = solution.traction_x = solution.traction_y =
          std::vector<double>(grid.count(), 0.0);
      for (int iy = 0; iy < contact_y; ++iy)
        for (int ix = 0; ix < contact_x; ++ix) {
          solution.element_division[grid.index(ix, iy)] = ElementState::slip;
          solution.pressure[grid.index(ix, iy)] = 100.0;
        }
      StepReport result = report;
      add_surface(problem, step, solution, result);
      CHECK(solution.surface_fatigue_along_y.empty() == (degrees == 90.0));
      return result.surface;
    };
    const SurfaceNumbers row = numbers_of({64, 1, 0.5, 0.5, 0.0, 0.0}, 0.0, 40, 1);
    CHECK(*row.shakedown_load == test::near(0.375 * std::numbers::pi));  // an even pressure of k
    CHECK(*row.shakedown_limit == line_limits(0.1).shakedown);
    Grid along_x{8, 20, 0.5, 0.5, 0.0, 0.0, Boundary::periodic_x};
    Grid along_y{20, 8, 0.5, 0.5, 0.0, 0.0, Boundary::periodic_y};
    for (const SurfaceNumbers& same :
         {numbers_of({1, 64, 0.5, 0.5, 0.0, 0.0}, 90.0, 1, 40), numbers_of(along_y, 0.0, 5, 8),
          numbers_of(along_x, 90.0, 8, 5)}) {
      CHECK(*same.shakedown_load == test::near(*row.shakedown_load));
      CHECK(*same.shakedown_limit == *row.shakedown_limit);
      CHECK(*same.shakedown_reserve == test::near(*row.shakedown_reserve));
    }
    // Along a line nothing is known but the circle's limits; its pressure is still that of a line.
    const SurfaceNumbers along = numbers_of({1, 64, 0.5, 0.5, 0.0, 0.0}, 0.0, 1, 40);
    CHECK(*along.shakedown_load == test::near(*row.shakedown_load));
    CHECK(*along.shakedown_limit == point_limits(0.1).shakedown);
    // Not over the whole period, or over both: an ellipse.
    along_y.boundary = Boundary::periodic;
    for (const int rows : {7, 8})
      CHECK(*numbers_of(along_y, 0.0, rows == 7 ? 5 : 20, rows).shakedown_load ==
            test::near(4.0 / 3.0));
  }

  TEST_CASE("shakedown: a wave in full contact is a line on one row of elements and on many") {
    const auto load_of = [](int mx, int my, bool along_x) {
      ContactProblem problem;
      problem.grid = {mx, my, 0.5, 0.25, 0.0, 0.0, Boundary::periodic};
      problem.surface.fatigue = FatigueRequest{100.0};
      ContactSolution solution;
      solution.element_division.assign(problem.grid.count(), ElementState::adhesion);
      solution.traction_x = solution.traction_y = std::vector<double>(problem.grid.count(), 0.0);
      for (int iy = 0; iy < my; ++iy)
        for (int ix = 0; ix < mx; ++ix) {
          const double place = along_x ? (ix + 0.5) / mx : (iy + 0.5) / my;
          solution.pressure.push_back(100.0 + 30.0 * std::cos(2.0 * std::numbers::pi * place));
        }
      StepReport report;
      report.normal_force = 1000.0;
      report.elements_contact = static_cast<std::int64_t>(problem.grid.count());
      add_surface(problem, StepInput{}, solution, report);
      return *report.surface.shakedown_load;
    };
    // The mean square of 1 + .3 cos is 1 + .3^2/2.
    for (const bool along_x : {true, false})
      for (const int rows : {1, 4})
        CHECK((along_x ? load_of(32, rows, true) : load_of(rows, 32, false)) ==
              test::near(0.375 * std::numbers::pi * 1.045));
  }
}

}  // namespace slipfield
