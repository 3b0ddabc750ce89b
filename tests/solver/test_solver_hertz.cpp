// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "solver/geometry.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::kPi;

constexpr ElasticBody kBody{1.0, 0.25};
constexpr double kModulus = 1.0 / 0.75;  // E* = G/(1 - nu)

// Complete elliptic integrals of modulus k by the arithmetic-geometric mean.
struct EllipticIntegrals {
  double first;
  double second;
};
EllipticIntegrals elliptic_integrals(double k) {
  double a = 1.0;
  double b = std::sqrt(1.0 - k * k);
  double sum = 0.5 * k * k;
  double power = 0.5;
  while (std::abs(a - b) > 1e-15) {
    const double c = 0.5 * (a - b);
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
    power *= 2.0;
    sum += power * c * c;
  }
  const double first = 0.5 * kPi / a;
  return {first, first * (1.0 - sum)};
}

// Contact of h = A x^2 + B y^2, A < B, from the force [Johnson1985, ch. 4]: a > b with
// B/A = ((a/b)^2 E - K)/(K - E), by bisection.
struct Ellipse {
  double a;
  double b;
  double approach;
  double max_pressure;
};
Ellipse ellipse(double curvature_x, double curvature_y, double force) {
  double low = 1e-9;
  double high = 1.0 - 1e-12;
  for (int k = 0; k < 200; ++k) {
    const double ratio = 0.5 * (low + high);  // b/a
    const EllipticIntegrals e = elliptic_integrals(std::sqrt(1.0 - ratio * ratio));
    const double quotient = (e.second / (ratio * ratio) - e.first) / (e.first - e.second);
    (quotient > curvature_y / curvature_x ? low : high) = ratio;
  }
  const double ratio = 0.5 * (low + high);
  const double k2 = 1.0 - ratio * ratio;
  const EllipticIntegrals e = elliptic_integrals(std::sqrt(k2));
  // A = p0 b (K - E)/(k^2 a^2 E*), p0 = 3 F/(2 pi a b).
  const double a =
      std::cbrt(1.5 * force * (e.first - e.second) / (kPi * kModulus * k2 * curvature_x));
  const double b = ratio * a;
  const double p0 = 1.5 * force / (kPi * a * b);
  return {a, b, p0 * b * e.first / kModulus, p0};
}

// Semi-axes of an ellipse from the second moments of the elements in contact:
// its mean x^2 is a^2/4.
std::array<double, 2> semi_axes(const Grid& grid, const std::vector<double>& pressure) {
  double count = 0.0;
  double xx = 0.0;
  double yy = 0.0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      if (!(pressure[grid.index(ix, iy)] > 0.0)) continue;
      count += 1.0;
      xx += grid.x(ix) * grid.x(ix) + grid.dx * grid.dx / 12.0;
      yy += grid.y(iy) * grid.y(iy) + grid.dy * grid.dy / 12.0;
    }
  }
  return {2.0 * std::sqrt(xx / count), 2.0 * std::sqrt(yy / count)};
}

TEST_SUITE("analytic") {
  TEST_CASE(
      "Hertz, sphere: approach, pressures, radius and energy converge to the closed form "
      "[Johnson1985, ch. 4]") {
    const double radius = 100.0;
    const double force = 4.0 / 3.0 * kModulus / radius;  // a = 1
    const double approach = 1.0 / radius;
    const double p0 = 1.5 * force / kPi;
    std::vector<double> h;
    std::vector<double> approach_error;
    std::vector<double> peak_error;
    std::vector<double> pressure_error;
    for (const int n : {16, 24, 32, 48, 64, 96, 128}) {
      const ContactProblem problem =
          test::normal_problem(test::centred_grid(n, n, 1.2, 1.2), kBody, SphereShape{radius},
                               NormalControl::force, force);
      const test::Solved solved = test::solve(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      const Grid& grid = problem.grid;
      double difference2 = 0.0;
      double exact2 = 0.0;
      for (int iy = 0; iy < n; ++iy) {
        for (int ix = 0; ix < n; ++ix) {
          const double inside = 1.0 - grid.x(ix) * grid.x(ix) - grid.y(iy) * grid.y(iy);
          const double exact = inside > 0.0 ? p0 * std::sqrt(inside) : 0.0;
          const double difference = solved.fields.pressure[grid.index(ix, iy)] - exact;
          difference2 += difference * difference;
          exact2 += exact * exact;
        }
      }
      h.push_back(grid.dx);
      approach_error.push_back(solved.report.approach / approach - 1.0);
      peak_error.push_back(solved.report.max_pressure / p0 - 1.0);
      pressure_error.push_back(std::sqrt(difference2 / exact2));
      const auto [a, b] = semi_axes(grid, solved.fields.pressure);
      CHECK(std::abs(a - 1.0) <= 0.25 * grid.dx);  // the rim is known to part of an element
      CHECK(std::abs(b - 1.0) <= 0.25 * grid.dx);
      // F dapproach integrated: 2/5 F approach; as the approach.
      CHECK(solved.report.elastic_energy ==
            test::near(0.4 * force * approach, 0.5 * grid.dx * grid.dx));
    }
    // Orders differ from grid to grid with the shape of the rim.
    const double approach_order = test::observed_order(h, approach_error);
    const double peak_order = test::observed_order(h, peak_error);
    const double pressure_order = test::observed_order(h, pressure_error);
    MESSAGE("128 x 128: approach ", approach_error.back(), ", greatest pressure ",
            peak_error.back(), ", pressure in L2 ", pressure_error.back(), "; observed orders ",
            approach_order, ", ", peak_order, ", ", pressure_order);
    CHECK(approach_order > 1.7);
    CHECK(approach_order < 2.5);
    CHECK(peak_order > 1.8);
    CHECK(peak_order < 2.2);
    CHECK(pressure_order > 0.9);  // the pressure's slope is infinite at the rim
    CHECK(pressure_order < 1.6);
    CHECK(std::abs(approach_error.back()) <= 3e-5);  // (dx/a)^2/12
    CHECK(std::abs(peak_error.back()) <= 1.5e-4);    // (dx/a)^2/2: the peak is half a diagonal off
  }

  TEST_CASE(
      "Hertz, ellipse 1 to 2.2 on rectangular elements: converges to the closed form "
      "[Johnson1985, ch. 4]") {
    const double radius_x = 100.0;
    const double radius_y = 30.0;
    const double force = 0.01;
    const Ellipse exact = ellipse(0.5 / radius_x, 0.5 / radius_y, force);
    CHECK(exact.a / exact.b > 2.1);
    std::vector<double> h;
    std::vector<double> approach_error;
    std::vector<double> peak_error;
    for (const int n : {20, 28, 40, 56, 80, 112}) {
      const ContactProblem problem = test::normal_problem(
          test::centred_grid(n, n / 2 + 1, 1.15 * exact.a, 1.2 * exact.b), kBody,
          EllipsoidShape{radius_x, radius_y}, NormalControl::force, force);
      const test::Solved solved = test::solve(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      const auto [a, b] = semi_axes(problem.grid, solved.fields.pressure);
      CHECK(std::abs(a - exact.a) <= 0.5 * problem.grid.dx);  // part of an element
      CHECK(std::abs(b - exact.b) <= 0.5 * problem.grid.dy);
      h.push_back(1.0 / n);
      approach_error.push_back(solved.report.approach / exact.approach - 1.0);
      peak_error.push_back(solved.report.max_pressure / exact.max_pressure - 1.0);
    }
    const double order = test::observed_order(h, approach_error);
    MESSAGE("112 x 57: approach ", approach_error.back(), ", greatest pressure ", peak_error.back(),
            "; observed order of the approach ", order);
    CHECK(order > 1.4);  // scattered by the rim
    CHECK(order < 2.8);
    CHECK(std::abs(approach_error.back()) <= 1e-4);  // (dx/a)^2/4
    CHECK(std::abs(peak_error.back()) <= 5e-4);      // (dx/a)^2
  }

  TEST_CASE(
      "Hertz, two cylinders of one row: half width and pressure of plane contact "
      "[Johnson1985, ch. 4]") {
    const double radius = 100.0;
    const double length = 1.0e4;                                // dy, so that its ends do not show
    const double line_force = kPi * kModulus / (4.0 * radius);  // a = 1
    const double p0 = 2.0 * line_force / kPi;
    for (const int n : {55, 64, 111, 256, 1024}) {
      const Grid grid{n, 1, 2.4 / n, length, -1.2, -0.5 * length};
      const ContactProblem problem =
          test::normal_problem(grid, kBody, CylinderShape{radius, CylinderAxis::y},
                               NormalControl::force, line_force * length);
      for (const NormalMethod method : {NormalMethod::bound_cg, NormalMethod::active_set_cg}) {
        ContactProblem with = problem;
        with.solver.normal = method;
        const test::Solved solved = test::solve(with);
        CAPTURE(n);
        REQUIRE(solved.report.outcome == Outcome::converged);
        const double a = 0.5 * static_cast<double>(solved.report.elements_contact) * grid.dx;
        CHECK(std::abs(a - 1.0) <= grid.dx);  // whole elements
        // (dx/a)^2/2, and the ends at 5000 a.
        CHECK(std::abs(solved.report.max_pressure / p0 - 1.0) <= 0.5 * grid.dx * grid.dx + 1e-6);
        double worst = 0.0;
        for (int ix = 0; ix < n; ++ix) {
          const double x = grid.x(ix);
          if (std::abs(x) > 0.9) continue;  // the rim apart, where the slope is infinite
          const double exact = p0 * std::sqrt(1.0 - x * x);
          test::grow(worst, std::abs(solved.fields.pressure[grid.index(ix, 0)] - exact) / p0);
        }
        CHECK(worst <= 0.3 * grid.dx);  // the rim's error dies out towards the middle
      }
    }
  }

  TEST_CASE("Hertz geometry: the contact has the semi-axes, approach and pressure asked for") {
    for (const auto& [a, b] : {std::array{1.3, 0.6}, std::array{0.5, 1.7}, std::array{1.0, 1.0}}) {
      const Grid grid = test::centred_grid(64, 57, 1.2 * a, 1.2 * b);
      const double force = 0.02;
      const ContactProblem problem =
          test::normal_problem(grid, kBody, HertzShape{a, b, force}, NormalControl::force, force);
      const test::Solved solved = test::solve(problem);
      const auto [found_a, found_b] = semi_axes(grid, solved.fields.pressure);
      CHECK(std::abs(found_a - a) <= 0.25 * grid.dx);  // part of an element
      CHECK(std::abs(found_b - b) <= 0.25 * grid.dy);
      CHECK(solved.report.max_pressure ==
            test::near(1.5 * force / (kPi * a * b), 1e-3));  // (dx/a)^2
      const HertzContact contact = hertz_contact(a, b, force, kModulus);
      CHECK(solved.report.approach == test::near(contact.approach, 2e-4));  // (dx/a)^2/8
    }
  }

  TEST_CASE("Hertz, two unlike bodies: the compliances add up [Johnson1985, ch. 4]") {
    // E* from Young's moduli, with 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2.
    const ElasticBody steel{82.0, 0.28};
    const ElasticBody rubber{0.7, 0.49};
    const auto young = [](const ElasticBody& body) {
      return 2.0 * body.shear_modulus * (1.0 + body.poisson_ratio);
    };
    const auto compliance = [&](const ElasticBody& body) {
      return (1.0 - body.poisson_ratio * body.poisson_ratio) / young(body);
    };
    const double modulus = 1.0 / (compliance(steel) + compliance(rubber));
    const double radius = 50.0;
    const double force = 4.0 / 3.0 * modulus / radius;  // a = 1
    ContactProblem problem = test::normal_problem(test::centred_grid(64, 63, 1.2, 1.2), steel,
                                                  SphereShape{radius}, NormalControl::force, force);
    problem.lower = rubber;
    const test::Solved solved = test::solve(problem);
    CHECK(solved.report.approach == test::near(1.0 / radius, 2e-4));           // (dx/a)^2/8
    CHECK(solved.report.max_pressure == test::near(1.5 * force / kPi, 1e-3));  // (dx/a)^2
  }

  TEST_CASE("flat round punch: force = 2 a E* approach, under refinement [Boussinesq]") {
    std::vector<double> h;
    std::vector<double> error;
    for (const int n : {16, 24, 32, 48, 64, 96, 128}) {
      const ContactProblem problem = test::normal_problem(test::centred_grid(n, n, 1.2, 1.2), kBody,
                                                          PlanformShape{EllipseOutline{1.0, 1.0}},
                                                          NormalControl::approach, 0.01);
      const test::Solved solved = test::solve(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      // The staircase's own radius, by its area, takes most of the scatter out.
      const double radius = std::sqrt(static_cast<double>(solved.report.elements_contact) *
                                      problem.grid.element_area() / kPi);
      h.push_back(problem.grid.dx);
      error.push_back(solved.report.normal_force / (2.0 * radius * kModulus * 0.01) - 1.0);
    }
    const double order = test::observed_order(h, error);
    MESSAGE("128 x 128: force ", error.back(), "; observed order ", order);
    CHECK(order > 0.7);  // first order: the pressure is singular at the rim
    CHECK(order < 1.4);
    CHECK(std::abs(error.back()) <= 0.01);  // dx/a/2
  }

  TEST_CASE("hertz_contact: a = b is the sphere, and the limit of a near b") {
    const double force = 0.7;
    const double a = 1.4;
    const HertzContact circle = hertz_contact(a, a, force, kModulus);
    const double p0 = 1.5 * force / (kPi * a * a);
    CHECK(circle.max_pressure == test::near(p0, 1e-14));  // rounding
    CHECK(circle.approach == test::near(0.5 * kPi * p0 * a / kModulus, 1e-14));
    CHECK(circle.curvature_x == test::near(0.25 * kPi * p0 / (a * kModulus), 1e-14));
    CHECK(circle.curvature_y == circle.curvature_x);
    for (const double difference : {1e-12, 1e-10, 3e-9, 1e-8, 1e-6, 1e-4}) {
      const HertzContact near = hertz_contact(a * (1.0 + difference), a, force, kModulus);
      CAPTURE(difference);
      const double tolerance = 5.0 * difference + 1e-14;  // the semi-axes themselves differ
      CHECK(near.curvature_x == test::near(circle.curvature_x, tolerance));
      CHECK(near.curvature_y == test::near(circle.curvature_y, tolerance));
      CHECK(near.approach == test::near(circle.approach, tolerance));
    }
  }

  TEST_CASE("hertz_contact: undoes the solution for the semi-axes of given curvatures") {
    for (const double quotient : {1.01, 1.5, 4.0, 30.0, 2000.0}) {
      CAPTURE(quotient);
      const double curvature = 0.003;
      const Ellipse forward = ellipse(curvature, quotient * curvature, 0.7);
      const HertzContact back = hertz_contact(forward.a, forward.b, 0.7, kModulus);
      CHECK(back.curvature_x == test::near(curvature, 1e-10));  // K - E loses digits
      CHECK(back.curvature_y == test::near(quotient * curvature, 1e-10));
      CHECK(back.approach == test::near(forward.approach, 1e-12));
      CHECK(back.max_pressure == test::near(forward.max_pressure, 1e-12));
    }
  }

  TEST_CASE("hertz_contact: axes exchanged exchange the curvatures") {
    const HertzContact one = hertz_contact(2.0, 0.6, 0.7, kModulus);
    const HertzContact two = hertz_contact(0.6, 2.0, 0.7, kModulus);
    CHECK(one.curvature_x == two.curvature_y);
    CHECK(one.curvature_y == two.curvature_x);
    CHECK(one.approach == two.approach);
    CHECK(one.max_pressure == two.max_pressure);
    CHECK(one.curvature_x < one.curvature_y);
  }

  TEST_CASE("hertz_contact: the curvatures are the integrals of the pressure, by quadrature") {
    // u_n = (L - M x^2 - N y^2)/(pi E*); from the potential of a flat ellipsoid, M and N are
    // pi p0 a b/2 times the integrals over w >= 0 of dw/((a^2 + w) S) and dw/((b^2 + w) S),
    //   S = sqrt((a^2 + w)(b^2 + w) w).
    // With w = exp(t) the trapezoidal rule converges faster than any power.
    for (const double ratio : {1.0, 0.7, 0.1, 1e-3, 1e-5, 1e-8}) {
      CAPTURE(ratio);
      const double a = 1.3;
      const double b = ratio * a;
      const double step = 0.02;
      double along_a = 0.0;
      double along_b = 0.0;
      for (double t = -120.0; t <= 80.0; t += step) {
        const double w = std::exp(t);
        const double common = w / std::sqrt((a * a + w) * (b * b + w) * w) * step;
        along_a += common / (a * a + w);
        along_b += common / (b * b + w);
      }
      const HertzContact contact = hertz_contact(a, b, 0.7, kModulus);
      const double factor = 0.5 * contact.max_pressure * a * b / kModulus;
      CHECK(contact.curvature_x == test::near(factor * along_a, 1e-12));  // rounding
      CHECK(contact.curvature_y == test::near(factor * along_b, 1e-12));
    }
  }

  TEST_CASE("hertz_contact: a >> b is plane contact, curvature p0/(b E*) across") {
    for (const double a : {1e2, 1e3, 1e4, 1e6, 1e9, 1e20, 1e100}) {
      const double b = 0.5;
      const HertzContact contact = hertz_contact(a, b, 0.7, kModulus);
      // E -> 1; what is left is (b/a)^2 ln(a/b), and rounding, as 1 is found as K/2 less a sum.
      const double tolerance = 20.0 * b * b / (a * a) + 1e-13;
      CHECK(contact.curvature_y == test::near(contact.max_pressure / (b * kModulus), tolerance));
      // (K - E)/(k^2 a^2) against E/b^2
      CHECK(contact.curvature_x ==
            test::near(b * b / (a * a) * (std::log(4.0 * a / b) - 1.0) * contact.curvature_y,
                       10.0 * tolerance));
      // K -> ln(4 a/b)
      CHECK(contact.approach ==
            test::near(contact.max_pressure * b / kModulus * std::log(4.0 * a / b), tolerance));
    }
  }
}

}  // namespace
}  // namespace slipfield
