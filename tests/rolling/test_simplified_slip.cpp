// SPDX-License-Identifier: Apache-2.0
// FASTSIM and FaStrip: slip of single elements, spin in one component, forces, sheets, and patches
// that are not ellipses (THEORY.md 10.4, 10.5, 10.8). Traction coefficients, here and on
// half-spaces.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "solver/geometry.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::kPi;

constexpr ElasticBody kRolledSteel{82000.0, 0.28};
constexpr double kEllipseLoad = 82000.0;
constexpr double kEllipseFriction = 0.3;

// The ellipse 8 x 4 of Hertz in steady rolling.
ContactProblem simplified_ellipse(TangentialMethod method, double direction = 0.0) {
  const Grid grid = test::centred_grid(36, 30, 8.8, 4.4);
  ContactProblem problem =
      test::normal_problem(grid, kRolledSteel, HertzShape{8.0, 4.0, kEllipseLoad},
                           NormalControl::force, kEllipseLoad, 1e-6);
  problem.solver.tangential = method;
  test::set_motion(problem, kEllipseFriction, TangentialProblem::steady_rolling, 2e-4, -6.25e-4,
                   6.25e-4)
      .tangential.direction = direction;
  return problem;
}

// value(x, y) at the element centres.
template <class Value>
std::shared_ptr<const std::vector<double>> over_elements(const Grid& grid, const Value& value) {
  auto values = std::make_shared<std::vector<double>>();
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) values->push_back(value(grid.x(ix), grid.y(iy)));
  return values;
}

void check_same_tractions(const ContactProblem& one, const ContactProblem& other) {
  const test::Solved a = test::solve(one);
  const test::Solved b = test::solve(other);
  const double rounding = 1e-9 * kEllipseFriction * a.report.max_pressure;
  for (std::size_t i = 0; i < one.grid.count(); ++i) {
    CHECK(std::abs(a.fields.traction_x[i] - b.fields.traction_x[i]) <= rounding);
    CHECK(std::abs(a.fields.traction_y[i] - b.fields.traction_y[i]) <= rounding);
  }
  CHECK(a.report.elements_slip == b.report.elements_slip);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("FASTSIM: creepages and spin may be given as slip of the elements") {
    // With one flexibility nothing else depends on what the slip is called.
    for (const double direction : {0.0, kPi}) {
      ContactProblem plain = simplified_ellipse(TangentialMethod::fastsim, direction);
      plain.solver.flexibility = 1e-4;
      ContactProblem slips = plain;
      const Tangential motion = plain.steps[0].tangential;
      Tangential& tangential = slips.steps[0].tangential;
      const double ahead = std::cos(direction) * motion.step / 6.0;
      tangential.x.value = tangential.y.value = tangential.rotation = 0.0;
      tangential.extra.x = over_elements(
          slips.grid, [&](double /*x*/, double y) { return motion.x.value - motion.rotation * y; });
      tangential.extra.y = over_elements(slips.grid, [&](double x, double /*y*/) {
        return motion.y.value + motion.rotation * (x + ahead);
      });
      check_same_tractions(plain, slips);
    }
  }

  TEST_CASE("FASTSIM: a spin in one component is the whole spin less its other one") {
    const auto hertz = hertz_contact(8.0, 4.0, kEllipseLoad,
                                     combine(kRolledSteel, kRolledSteel).contact_modulus());
    const QuadraticShape aside{hertz.curvature_x, 0.0, hertz.curvature_y, -1.0 * hertz.curvature_x,
                               1.5 * hertz.curvature_y};
    for (const double direction : {0.0, kPi}) {
      ContactProblem one = simplified_ellipse(TangentialMethod::fastsim, direction);
      one.solver.flexibility = 1e-4;
      one.grid = test::centred_grid(36, 30, 9.4, 5.4);
      one.steps[0].tangential.step = one.grid.dx;
      one.geometry = {aside};  // its centre is not the spin's
      ContactProblem both = one;
      const double spin = one.steps[0].tangential.rotation;
      const double ahead = std::cos(direction) * one.steps[0].tangential.step / 6.0;
      one.steps[0].tangential.spin_slip = SpinSlip::x;
      both.steps[0].tangential.extra.y =
          over_elements(both.grid, [&](double x, double /*y*/) { return -spin * (x + ahead); });
      check_same_tractions(one, both);
      one.steps[0].tangential.spin_slip = SpinSlip::y;
      both.steps[0].tangential.extra = {};
      both.steps[0].tangential.extra.x =
          over_elements(both.grid, [&](double /*x*/, double y) { return spin * y; });
      check_same_tractions(one, both);
    }
  }

  TEST_CASE("simplified theory: pure spin without its part in y gives no lateral force") {
    for (const TangentialMethod method : {TangentialMethod::fastsim, TangentialMethod::fastrip}) {
      ContactProblem problem = simplified_ellipse(method);
      Tangential& tangential = problem.steps[0].tangential;
      tangential.x.value = tangential.y.value = 0.0;
      const double whole = test::solve(problem).report.force_y;
      CHECK(std::abs(whole) > 0.1 * kEllipseFriction * kEllipseLoad);
      tangential.spin_slip = SpinSlip::x;
      CHECK(std::abs(test::solve(problem).report.force_y) <=
            1e-9 * kEllipseFriction * kEllipseLoad);
      tangential.spin_slip = SpinSlip::y;
      const StepReport lateral = test::solve(problem).report;
      CHECK(lateral.force_y * whole > 0.0);
      CHECK(std::abs(lateral.force_x) <= 1e-9 * kEllipseFriction * kEllipseLoad);
    }
  }

  TEST_CASE("FaStrip: forces along x are found without spin, others as near as its jumps allow") {
    ContactProblem problem = simplified_ellipse(TangentialMethod::fastrip);
    Tangential& tangential = problem.steps[0].tangential;
    tangential.rotation = 0.0;
    tangential.y.value = 0.0;
    for (const double creepage : {2e-4, 8e-4}) {
      tangential.x = {TangentialControl::rigid, creepage};
      const StepReport given = test::solve(problem).report;
      tangential.x = {TangentialControl::force, given.force_x};
      const StepReport found = test::solve(problem).report;
      REQUIRE(found.outcome == Outcome::converged);
      CHECK(found.rigid_x == test::near(creepage, 1e-4));
    }
    tangential.rotation = 6.25e-4;
    tangential.x = {TangentialControl::force_ratio, 0.4};
    tangential.y = {TangentialControl::force_ratio, -0.5};
    const StepReport both = test::solve(problem).report;
    const double limit = kEllipseFriction * kEllipseLoad;
    CHECK(std::hypot(both.force_x / limit - 0.4, both.force_y / limit + 0.5) ==
          test::near(both.residual, 1e-6));
    CHECK(both.residual < 0.02);  // an element of 800, turned
    if (both.outcome != Outcome::converged)
      CHECK(both.message.find("jump as an element begins to slip") != std::string::npos);
  }

  TEST_CASE("FaStrip: with the pressure of half-spaces it is near that of the ellipse") {
    for (const double scale : {0.2, 1.0, 20.0}) {
      ContactProblem ellipse = simplified_ellipse(TangentialMethod::fastrip);
      Tangential& tangential = ellipse.steps[0].tangential;
      tangential.x.value *= scale;
      tangential.y.value *= scale;
      tangential.rotation *= scale;
      ContactProblem patch = ellipse;
      patch.solver.normal = NormalMethod::bound_cg;
      const StepReport first = test::solve(ellipse).report;
      const test::Solved second = test::solve(patch);
      const double limit = kEllipseFriction * kEllipseLoad;
      CAPTURE(scale);
      // Strips that end at borders of elements; both tend to one limit as these shrink.
      CHECK(std::abs(first.force_x - second.report.force_x) <= 0.03 * limit);
      CHECK(std::abs(first.force_y - second.report.force_y) <= 0.03 * limit);
      for (std::size_t i = 0; i < patch.grid.count(); ++i)
        CHECK(std::hypot(second.fields.traction_x[i], second.fields.traction_y[i]) <=
              kEllipseFriction * second.fields.pressure[i] * (1.0 + 1e-12));
    }
  }

  TEST_CASE("FASTSIM: a sheet between the bodies changes the pressure as on half-spaces") {
    ContactProblem fast = simplified_ellipse(TangentialMethod::fastsim);
    fast.solver.normal = NormalMethod::bound_cg;
    fast.layer.normal_compliance = 1e-5;
    fast.steps[0].tangential.x.value = 0.05;  // all of it slides
    fast.steps[0].tangential.y.value = fast.steps[0].tangential.rotation = 0.0;
    ContactProblem full = fast;
    full.solver.tangential = TangentialMethod::newton;
    ContactProblem bare = fast;
    bare.layer = {};
    const test::Solved here = test::solve(fast);
    const test::Solved there = test::solve(full);
    CHECK(here.report.approach == test::near(there.report.approach, 1e-6));
    CHECK(here.report.approach > 1.05 * test::solve(bare).report.approach);
    CHECK(here.report.force_x == test::near(-kEllipseFriction * kEllipseLoad, 1e-6));
    for (std::size_t i = 0; i < fast.grid.count(); ++i) {
      CHECK(std::abs(here.fields.pressure[i] - there.fields.pressure[i]) <=
            1e-5 * there.report.max_pressure);
      if (here.fields.pressure[i] > 0.0)
        CHECK(std::abs(here.fields.gap[i]) <= 1e-5 * here.report.approach);
    }
  }

  TEST_CASE("a traction coefficient is F over the F_n found, by every method") {
    for (const TangentialMethod method :
         {TangentialMethod::newton, TangentialMethod::gauss_seidel, TangentialMethod::fastsim}) {
      ContactProblem problem = simplified_ellipse(method);
      problem.grid = test::centred_grid(16, 14, 8.8, 4.4);
      problem.solver.tolerance = 1e-8;
      StepInput& step = problem.steps[0];
      step.tangential.step = problem.grid.dx;
      step.tangential.rotation = 0.0;
      step.normal = {NormalControl::approach, 0.05};
      step.tangential.x = {TangentialControl::traction_coefficient, 0.12};
      step.tangential.y = {TangentialControl::traction_coefficient, -0.08};
      const StepReport report = test::solve(problem).report;
      REQUIRE(report.outcome == Outcome::converged);
      CHECK(report.force_x == test::near(0.12 * report.normal_force, 1e-6));
      CHECK(report.force_y == test::near(-0.08 * report.normal_force, 1e-6));
    }
  }
}

}  // namespace slipfield
