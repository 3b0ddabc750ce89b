// SPDX-License-Identifier: Apache-2.0
// Contact problems whose geometry is a profile, a planform, roughness on a shape, or has two
// summits.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "solver/geometry.h"
#include "solver/problem_check.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::kPi;

constexpr ElasticBody kShapeBody{1.0, 0.25};
constexpr double kShapeModulus = 1.0 / 0.75;  // E* = G/(1 - nu)

std::vector<double> distance(const std::vector<Shape>& shapes, const Grid& grid) {
  return undeformed_distance(shapes, grid, combine(kShapeBody, kShapeBody));
}

double farthest_apart(const std::vector<double>& one, const std::vector<double>& two) {
  double worst = 0.0;
  for (std::size_t i = 0; i < one.size(); ++i) test::grow(worst, std::abs(one[i] - two[i]));
  return worst;
}

// Points of z(y) every `spacing` from -reach to reach.
template <class Function>
ProfileShape profile_of(const Function& function, double reach, double spacing) {
  ProfileShape profile;
  const int half = static_cast<int>(std::lround(reach / spacing));
  for (int i = -half; i <= half; ++i) {
    profile.y.push_back(i * spacing);
    profile.z.push_back(function(i * spacing));
  }
  return profile;
}

// The part of the normal force at y > 0, over the whole.
double upper_share(const Grid& grid, const std::vector<double>& pressure) {
  double upper = 0.0;
  double all = 0.0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double p = pressure[grid.index(ix, iy)];
      all += p;
      upper += grid.y(iy) > 0.0 ? p : 0.0;
    }
  }
  return upper / all;
}

// Complementarity by direct summation.
void check_complementarity(const ContactProblem& problem, const test::Solved& solved) {
  REQUIRE(solved.report.outcome == Outcome::converged);
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  const auto u = test::dense_displacements(problem.grid, material, solved.fields);
  const auto h = undeformed_distance(problem.geometry, problem.grid, material);
  const auto errors = test::normal_errors(solved.fields, h, u.n, solved.report.approach);
  CHECK(errors.least_pressure == 0.0);
  CHECK(errors.gap_in_contact <= 1e-6);  // the tolerance over the range of A
  CHECK(errors.penetration <= 1e-6);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE(
      "profile: through the points of a parabola it is the cylinder, with the curvature of "
      "the sphere the sphere") {
    const Grid grid{13, 17, 0.3, 0.2, -1.7, -1.6};
    const double radius = 40.0;
    ProfileShape profile = profile_of([&](double y) { return y * y / (2.0 * radius); }, 2.0, 0.5);
    const CylinderShape cylinder{radius, CylinderAxis::x};
    CHECK(farthest_apart(distance({profile}, grid), distance({cylinder}, grid)) <=
          1e-16);  // rounding of 0.03
    profile.curvature_x = 1.0 / radius;
    const SphereShape sphere{radius};
    CHECK(farthest_apart(distance({profile}, grid), distance({sphere}, grid)) <= 2e-16);
  }

  TEST_CASE("profile: as a body's surface its summit touches first, and two bodies' add up") {
    const Grid grid{5, 33, 0.3, 0.1, -0.75, -1.7};
    const auto rail = [](double y) { return 0.3 - 0.1 * y * y + 0.01 * y; };
    const auto wheel = [](double y) { return 0.2 * y - 0.02 * y * y * y - 7.0; };
    ProfileShape lower = profile_of(rail, 2.0, 0.25);
    ProfileShape upper = profile_of(wheel, 2.0, 0.25);
    lower.of = HeightsOf::lower;
    upper.of = HeightsOf::upper;
    upper.curvature_x = 0.02;
    const std::vector<double> h = distance({lower, upper}, grid);
    double rail_summit = -1e300;
    double wheel_summit = -1e300;
    for (int iy = 0; iy < grid.my; ++iy) {
      rail_summit = std::max(rail_summit, rail(grid.y(iy)));
      wheel_summit = std::max(wheel_summit, wheel(grid.y(iy)));
    }
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        const double exact = rail_summit - rail(grid.y(iy)) + wheel_summit - wheel(grid.y(iy)) +
                             0.01 * grid.x(ix) * grid.x(ix);
        CHECK(std::abs(h[grid.index(ix, iy)] - exact) <= 1e-14);  // rounding of 7
      }
    }
  }

  TEST_CASE("profile: points that do not reach over the grid are refused") {
    const ProfileShape profile = profile_of([](double y) { return y * y; }, 1.0, 0.5);
    const auto refused = [&](const Grid& grid) { return check_shape(profile, &grid).size() == 1; };
    CHECK_FALSE(refused({1, 21, 0.1, 0.1, 0.0, -1.05}));  // centres at -1 to 1
    CHECK(refused({1, 22, 0.1, 0.1, 0.0, -1.05}));
    CHECK(refused({1, 21, 0.1, 0.1, 0.0, -1.06}));
  }
}

TEST_SUITE("analytic") {
  TEST_CASE(
      "profile through few points of a circle: the contact is that of the circle, to the "
      "spline's error") {
    const double radius = 8.0;
    const Grid grid = test::centred_grid(24, 40, 1.1, 1.3);
    const auto circle = [&](double y) { return radius - std::sqrt(radius * radius - y * y); };
    ProfileShape profile = profile_of(circle, 1.5, 0.25);
    profile.curvature_x = 1.0 / 10.0;
    HeightsShape exact;
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix)
        exact.values.push_back(circle(grid.y(iy)) + 0.05 * grid.x(ix) * grid.x(ix));
    }
    const auto problem = [&](const Shape& shape) {
      return test::normal_problem(grid, kShapeBody, shape, NormalControl::force, 0.1);
    };
    const test::Solved by_points = test::solve(problem(profile));
    const test::Solved by_circle = test::solve(problem(exact));
    REQUIRE(by_points.report.outcome == Outcome::converged);
    REQUIRE(by_circle.report.outcome == Outcome::converged);
    // The spline is off by less than 5/384 of spacing^4 times the fourth derivative, 3/radius^3.
    const double error = 5.0 / 384.0 * std::pow(0.25, 4.0) * 3.0 / std::pow(radius, 3.0) * 1.2;
    CHECK(std::abs(by_points.report.approach - by_circle.report.approach) <= 2.0 * error);
    CHECK(by_points.report.elements_contact == by_circle.report.elements_contact);
  }

  TEST_CASE("planform: around the whole contact it changes nothing, and a wider one neither") {
    const Grid grid = test::centred_grid(40, 36, 1.3, 1.3);
    const double force = 4.0 / 3.0 * kShapeModulus / 100.0;  // a = 1
    ContactProblem problem =
        test::normal_problem(grid, kShapeBody, SphereShape{100.0}, NormalControl::force, force);
    const test::Solved free = test::solve(problem);
    problem.geometry.emplace_back(PlanformShape{EllipseOutline{1.1, 1.1}});
    const test::Solved cut = test::solve(problem);
    CHECK(cut.report.elements_contact == free.report.elements_contact);
    CHECK(cut.report.approach == test::near(free.report.approach, 1e-7));  // tolerance
    CHECK(test::relative_difference(cut.fields.pressure, free.fields.pressure) <= 1e-6);
  }

  TEST_CASE(
      "planform: a sphere with flat sides and a roller with ends satisfy complementarity, "
      "press hardest at the cut, and need more approach") {
    const Grid grid = test::centred_grid(30, 34, 1.3, 1.4);
    const double force = 4.0 / 3.0 * kShapeModulus / 100.0;
    const PlanformShape sides{RectangleOutline{0.6, 1.5}};
    const PlanformShape ends{RectangleOutline{1.5, 0.9}};
    for (const auto& [shape, planform] :
         {std::pair<Shape, PlanformShape>{SphereShape{100.0}, sides},
          std::pair<Shape, PlanformShape>{CylinderShape{100.0, CylinderAxis::y}, ends}}) {
      ContactProblem problem =
          test::normal_problem(grid, kShapeBody, shape, NormalControl::force, force, 1e-9);
      const test::Solved whole = test::solve(problem);
      problem.geometry.emplace_back(planform);
      const test::Solved cut = test::solve(problem);
      check_complementarity(problem, cut);
      CHECK(cut.report.approach > whole.report.approach);
      const std::vector<double> h = distance({planform}, grid);
      for (std::size_t i = 0; i < h.size(); ++i)
        CHECK((std::isfinite(h[i]) || cut.fields.pressure[i] == 0.0));
      // On the axis along the cut direction, the last element inside bears more than the middle.
      const bool along_x = planform.centre_x == 0.0 && std::isinf(h[grid.index(0, 17)]);
      int last = 0;
      const int middle = along_x ? 15 : 17;
      while (std::isinf(h[along_x ? grid.index(last, 17) : grid.index(15, last)])) ++last;
      const auto at = [&](int k) {
        return cut.fields.pressure[along_x ? grid.index(k, 17) : grid.index(15, k)];
      };
      CHECK(at(last) > at(last + 1));
      CHECK((along_x || at(last) > at(middle)));
    }
  }

  TEST_CASE(
      "planform: a flat elliptic punch, also turned and as a polygon, force = pi a E* approach/K "
      "under refinement") {
    // The pressure 1/sqrt(1 - (x/a)^2 - (y/b)^2) of a flat punch; K as in Hertz contact
    // [Johnson1985, ch. 4]. a = b is Boussinesq's 2 a E* approach.
    const double a = 1.0;
    const double b = 0.5;
    const double stiffness = kPi * a * kShapeModulus / std::comp_ellint_1(std::sqrt(1.0 - b * b));
    PolygonOutline turned;
    for (int i = 0; i < 400; ++i) {
      const double angle = 2.0 * kPi * i / 400;
      const double x = a * std::cos(angle);
      const double y = b * std::sin(angle);
      turned.vertices.push_back({0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y});
    }
    for (const PlanformShape& shape :
         {PlanformShape{EllipseOutline{a, b}}, PlanformShape{turned, 0.05, -0.1}}) {
      std::vector<double> h;
      std::vector<double> error;
      for (const int n : {24, 32, 48, 64, 96}) {
        const ContactProblem problem = test::normal_problem(
            test::centred_grid(n, n, 1.2, 1.2), kShapeBody, shape, NormalControl::approach, 0.01);
        const test::Solved solved = test::solve(problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        // The staircase's own size, by its area, takes most of the scatter out.
        const double size = std::sqrt(static_cast<double>(solved.report.elements_contact) *
                                      problem.grid.element_area() / (kPi * a * b));
        h.push_back(problem.grid.dx);
        error.push_back(solved.report.normal_force / (size * stiffness * 0.01) - 1.0);
      }
      const double order = test::observed_order(h, error);
      MESSAGE("96 x 96: force ", error.back(), "; observed order ", order);
      CHECK(order > 0.6);  // first order: the pressure is singular at the rim
      CHECK(order < 1.5);
      CHECK(std::abs(error.back()) <= 0.025);  // dx/b/2
    }
  }

  TEST_CASE(
      "two summits of one profile, far apart: two Hertz contacts that lower each other's "
      "surface by F/(pi E* D)") {
    const double radius = 100.0;
    const double half = 6.0;  // D = 2 half, a = 1
    const Grid grid = test::centred_grid(40, 240, 1.2, 7.2);
    // The kink between the summits is 20 points from the contacts: the spline forgets it.
    ProfileShape profile = profile_of(
        [&](double y) { return std::pow(std::abs(y) - half, 2.0) / (2.0 * radius); }, 7.5, 0.25);
    profile.curvature_x = 1.0 / radius;
    const double force = 4.0 / 3.0 * kShapeModulus / radius;
    const test::Solved solved = test::solve(
        test::normal_problem(grid, kShapeBody, profile, NormalControl::force, 2.0 * force));
    REQUIRE(solved.report.outcome == Outcome::converged);
    const double approach = 1.0 / radius + force / (kPi * kShapeModulus * 2.0 * half);
    CHECK(approach > 1.03 / radius);  // the interaction is seen
    // (dx/a)^2/8 of one contact; what varies over a patch is (a/D)^2 of the interaction.
    CHECK(solved.report.approach == test::near(approach, 5e-4));
    CHECK(solved.report.max_pressure == test::near(1.5 * force / kPi, 2e-3));
    CHECK(upper_share(grid, solved.fields.pressure) == test::near(0.5, 1e-7));
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        const double p = solved.fields.pressure[grid.index(ix, iy)];
        const double image = solved.fields.pressure[grid.index(ix, grid.my - 1 - iy)];
        CHECK(std::abs(p - image) <= 1e-6 * solved.report.max_pressure);  // tolerance
        if (std::abs(grid.y(iy)) < half - 1.1) CHECK(p == 0.0);
      }
    }
  }

  TEST_CASE(
      "two unlike spheres at a given approach carry the forces of two Hertz contacts under "
      "each other's displacement") {
    const std::array<double, 2> radius{100.0, 60.0};
    const double separation = 10.0;
    const double approach = 0.01;
    // The two patches: approach = (3 F/(4 E*))^(2/3) R^(-1/3) + F'/(pi E* D), by iteration.
    std::array<double, 2> force{};
    for (int k = 0; k < 100; ++k) {
      for (std::size_t i = 0; i < 2; ++i) {
        const double own = approach - force[1 - i] / (kPi * kShapeModulus * separation);
        force[i] = 4.0 / 3.0 * kShapeModulus * std::sqrt(radius[i]) * std::pow(own, 1.5);
      }
    }
    const Grid grid = test::centred_grid(40, 208, 1.2, 6.24);
    HeightsShape shape;
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        const double x2 = grid.x(ix) * grid.x(ix);
        const double to_upper = x2 + std::pow(grid.y(iy) - 0.5 * separation, 2.0);
        const double to_lower = x2 + std::pow(grid.y(iy) + 0.5 * separation, 2.0);
        shape.values.push_back(
            std::min(to_upper / (2.0 * radius[0]), to_lower / (2.0 * radius[1])));
      }
    }
    const test::Solved solved = test::solve(
        test::normal_problem(grid, kShapeBody, shape, NormalControl::approach, approach));
    REQUIRE(solved.report.outcome == Outcome::converged);
    const double upper = upper_share(grid, solved.fields.pressure) * solved.report.normal_force;
    const double lower = solved.report.normal_force - upper;
    CHECK(force[0] < 0.96 * 4.0 / 3.0 * kShapeModulus * 10.0 * 1e-3);  // the interaction is seen
    // (dx/a)^2/4 of each contact; a contact's displacement is that of a point to (a/D)^2.
    CHECK(upper == test::near(force[0], 1e-3));
    CHECK(lower == test::near(force[1], 1e-3));
  }

  TEST_CASE(
      "roughness on a sphere and on a profile: the force stays, and a little of it moves "
      "the approach by its mean under a flat punch on the contact") {
    // By the theorem of the envelope: at a given force, d approach = sum of q dh, where q is the
    // pressure of a flat punch on the contact under a unit force.
    const Grid grid = test::centred_grid(48, 44, 1.3, 1.3);
    const double force = 4.0 / 3.0 * kShapeModulus / 100.0;
    ProfileShape profile = profile_of([](double y) { return y * y / 200.0; }, 1.5, 0.25);
    profile.curvature_x = 0.01;
    RoughShape rough;
    rough.surface.slope_given = true;
    rough.surface.shortest = 0.3;
    rough.surface.longest = 1.2;
    rough.surface.seed = 3;
    for (const Shape& shape :
         std::vector<Shape>{SphereShape{100.0}, profile, HertzShape{1.0, 1.0, force}}) {
      const ContactProblem smooth =
          test::normal_problem(grid, kShapeBody, shape, NormalControl::force, force, 1e-11);
      const test::Solved plain = test::solve(smooth);
      HeightsShape contact;
      for (const double p : plain.fields.pressure)
        contact.values.push_back(p > 0.0 ? 0.0 : std::numeric_limits<double>::infinity());
      const test::Solved punch = test::solve(
          test::normal_problem(grid, kShapeBody, contact, NormalControl::force, 1.0, 1e-11));
      double unit = 0.0;
      double change = 0.0;  // of the approach, at a slope of 1
      rough.surface.rms = 1.0;
      const std::vector<double> z = distance({rough}, grid);
      for (std::size_t i = 0; i < z.size(); ++i) {
        change += punch.fields.pressure[i] * z[i] * grid.element_area();
        unit += punch.fields.pressure[i] * grid.element_area();
      }
      CHECK(unit == test::near(1.0, 1e-12));
      double last_pressure = 1.0;
      for (const double slope : {1e-4, 1e-6}) {
        CAPTURE(slope);
        ContactProblem problem = smooth;
        rough.surface.rms = slope;
        problem.geometry.emplace_back(rough);
        const test::Solved solved = test::solve(problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        CHECK(solved.report.normal_force == test::near(force, 1e-12));
        const double pressure =
            test::relative_difference(solved.fields.pressure, plain.fields.pressure);
        // A slope of 1e-2 = a/R is that of the sphere itself.
        CHECK(pressure <= 200.0 * slope);
        CHECK(pressure < 0.1 * last_pressure);
        last_pressure = pressure;
        // The rest is of second order; 1e-3: of the tolerance.
        CHECK(std::abs(solved.report.approach - plain.report.approach - slope * change) <=
              std::max(300.0 * slope, 1e-3) * slope * std::abs(change));
      }
    }
  }
}

}  // namespace slipfield
