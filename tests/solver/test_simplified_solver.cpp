// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "solver/error.h"
#include "solver/geometry.h"
#include "solver/geometry/hertz_ellipse.h"
#include "solver/number_text.h"
#include "solver/simplified/simplified_solver.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::kPi;

constexpr ElasticBody kSteel{82000.0, 0.28};
constexpr double kForce = 82000.0;
constexpr double kFriction = 0.3;

// The ellipse 8 x 4 of Hertz, rolling with creepages.
ContactProblem spin_problem(TangentialMethod method, double direction = 0.0) {
  const Grid grid = test::centred_grid(44, 44, 8.8, 4.4);
  ContactProblem problem = test::normal_problem(grid, kSteel, HertzShape{8.0, 4.0, kForce},
                                                NormalControl::force, kForce, 1e-6);
  problem.solver.tangential = method;
  test::set_motion(problem, kFriction, TangentialProblem::steady_rolling, 2e-4, -6.25e-4, 6.25e-4)
      .tangential.direction = direction;
  return problem;
}

std::string refusal_of(const ContactProblem& problem) {
  try {
    make_cpu_solver(problem);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("fastsim, fastrip: a creepage beyond doubles is not converged, and says so") {
    for (const TangentialMethod method : {TangentialMethod::fastsim, TangentialMethod::fastrip}) {
      ContactProblem problem = spin_problem(method);
      problem.steps[0].tangential.x.value = 1.0e308;
      problem.steps[0].tangential.rotation = 1.0e308;
      const StepReport report = test::solve(problem).report;
      CHECK(report.outcome == Outcome::not_converged);
      CHECK(report.message ==
            "force_x is not finite: the numbers of the case are beyond what doubles hold");
    }
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("Hertz ellipse: the semi-axes whose curvatures Hertz's theory gives come back") {
    for (const auto& axes : std::array<std::array<double, 2>, 5>{
             {{8.0, 4.0}, {4.0, 8.0}, {3.0, 3.0}, {0.2, 9.0}, {5.0, 4.99}}}) {
      const double a = axes[0];
      const double b = axes[1];
      const double modulus = 1.1e5;
      const HertzContact contact = hertz_contact(a, b, 900.0, modulus);
      for (const NormalLoad& load : {NormalLoad{NormalControl::force, 900.0},
                                     NormalLoad{NormalControl::approach, contact.approach}}) {
        const HertzEllipse ellipse =
            hertz_ellipse(contact.curvature_x, contact.curvature_y, load, modulus);
        CAPTURE(a);
        // The curvatures of a near circle are known to 1e-8 of their difference.
        CHECK(ellipse.semi_axis_x == test::near(a, 1e-7));
        CHECK(ellipse.semi_axis_y == test::near(b, 1e-7));
        CHECK(ellipse.force == test::near(900.0, 1e-7));
        CHECK(ellipse.approach == test::near(contact.approach, 1e-7));
        CHECK(ellipse.max_pressure == test::near(contact.max_pressure, 1e-7));
      }
    }
  }

  TEST_CASE("Hertz ellipse: the displacement closes the gap inside and is the pressure's outside") {
    const double modulus = 2.3;
    for (const auto& axes :
         std::array<std::array<double, 2>, 3>{{{2.0, 1.0}, {1.0, 1.7}, {1, 1}}}) {
      const double a = axes[0];
      const double b = axes[1];
      const HertzContact contact = hertz_contact(a, b, 1.0, modulus);
      const HertzEllipse ellipse = hertz_ellipse(contact.curvature_x, contact.curvature_y,
                                                 {NormalControl::force, 1.0}, modulus);
      CAPTURE(a);
      for (const auto& [u, v] : std::array<std::array<double, 2>, 4>{
               {{0.0, 0.0}, {0.5, 0.3}, {-0.9, 0.1}, {0.0, 1.0}}}) {
        const double h = contact.curvature_x * a * a * u * u + contact.curvature_y * b * b * v * v;
        CHECK(hertz_displacement(ellipse, modulus, a * u, b * v) ==
              test::near(contact.approach - h, 1e-6));  // the semi-axes' own
      }
      // Boussinesq's 1/(pi E* r) under the pressure, by a sum over rings that follow the ellipse.
      for (const auto& [x, y] : std::array<std::array<double, 2>, 4>{
               {{2.5, 0.0}, {0.0, 2.0}, {1.9, -1.6}, {9.0, 7.0}}}) {
        double sum = 0.0;
        constexpr int kRings = 400;
        constexpr int kAngles = 720;
        for (int i = 0; i < kRings; ++i) {
          // r = sin t makes p r dr smooth up to the border.
          const double t = 0.5 * kPi * (i + 0.5) / kRings;
          const double r = std::sin(t);
          for (int j = 0; j < kAngles; ++j) {
            const double angle = 2.0 * kPi * j / kAngles;
            const double distance =
                std::hypot(x - a * r * std::cos(angle), y - b * r * std::sin(angle));
            sum += std::cos(t) * r * std::cos(t) / distance;
          }
        }
        sum *= ellipse.max_pressure * a * b * (0.5 * kPi / kRings) * (2.0 * kPi / kAngles);
        CHECK(hertz_displacement(ellipse, modulus, x, y) ==
              test::near(sum / (kPi * modulus), 1e-5));  // the sum's
      }
    }
  }

  TEST_CASE("simplified theory: small creepages give the half-spaces' forces") {
    // Both discretised: FASTSIM overrates by half an element at the leading edge.
    for (const TangentialMethod method : {TangentialMethod::fastsim, TangentialMethod::fastrip}) {
      for (int k = 0; k < 3; ++k) {
        ContactProblem problem = spin_problem(method);
        Tangential& tangential = problem.steps[0].tangential;
        tangential.x.value = k == 0 ? 2e-5 : 0.0;
        tangential.y.value = k == 1 ? 2e-5 : 0.0;
        tangential.rotation = k == 2 ? 2e-5 : 0.0;
        const StepReport fast = test::solve(problem).report;
        problem.solver.tangential = TangentialMethod::newton;
        const StepReport full = test::solve(problem).report;
        REQUIRE(full.outcome == Outcome::converged);
        CAPTURE(k);
        CAPTURE(static_cast<int>(method));
        const double force_fast = k == 0 ? fast.force_x : fast.force_y;
        const double force_full = k == 0 ? full.force_x : full.force_y;
        CHECK(force_fast == test::near(force_full, k == 2 ? 0.12 : 0.05));
      }
    }
  }
}

TEST_SUITE("unit") {
  TEST_CASE("simplified theory: rolling backwards is the mirror image of rolling forwards") {
    for (const TangentialMethod method : {TangentialMethod::fastsim, TangentialMethod::fastrip}) {
      const ContactProblem forwards = spin_problem(method);
      ContactProblem backwards = spin_problem(method, kPi);
      Tangential& tangential = backwards.steps[0].tangential;
      tangential.x.value = -tangential.x.value;
      tangential.rotation = -tangential.rotation;
      const test::Solved here = test::solve(forwards);
      const test::Solved there = test::solve(backwards);
      const double scale = kFriction * here.report.max_pressure;
      const Grid& grid = forwards.grid;
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix) {
          const std::size_t i = grid.index(ix, iy);
          const std::size_t j = grid.index(grid.mx - 1 - ix, iy);
          const auto& f = here.fields;
          const auto& g = there.fields;
          CHECK(std::abs(f.traction_x[i] + g.traction_x[j]) <= 1e-9 * scale);  // rounding
          CHECK(std::abs(f.traction_y[i] - g.traction_y[j]) <= 1e-9 * scale);
          CHECK(f.slip_x[i] == test::near(-g.slip_x[j], 1e-6));
          CHECK(f.element_division[i] == g.element_division[j]);
        }
      }
      CHECK(here.report.moment_z == test::near(-there.report.moment_z, 1e-9));
      CHECK(here.report.friction_work == test::near(there.report.friction_work, 1e-9));
    }
  }

  TEST_CASE("simplified theory: a paraboloid off the origin rolls as its own creepages say") {
    const ContactProblem centred = spin_problem(TangentialMethod::fastsim);
    const HertzContact hertz =
        hertz_contact(8.0, 4.0, kForce, combine(kSteel, kSteel).contact_modulus());
    ContactProblem moved = centred;
    const double x0 = 1.25;
    const double y0 = -0.75;
    moved.grid.x0 += x0;
    moved.grid.y0 += y0;
    moved.geometry = {
        QuadraticShape{hertz.curvature_x, 0.0, hertz.curvature_y, -2.0 * hertz.curvature_x * x0,
                       -2.0 * hertz.curvature_y * y0,
                       hertz.curvature_x * x0 * x0 + hertz.curvature_y * y0 * y0 + 0.125}};
    Tangential& tangential = moved.steps[0].tangential;
    tangential.x.value += tangential.rotation * y0;
    tangential.y.value -= tangential.rotation * x0;
    const StepReport here = test::solve(centred).report;
    const StepReport there = test::solve(moved).report;
    CHECK(there.force_x == test::near(here.force_x, 1e-9));  // rounding
    CHECK(there.force_y == test::near(here.force_y, 1e-9));
    CHECK(there.moment_z ==
          test::near(here.moment_z + x0 * here.force_y - y0 * here.force_x, 1e-9));
    CHECK(there.approach == test::near(here.approach + 0.125, 1e-9));
    CHECK(there.elements_slip == here.elements_slip);
  }

  TEST_CASE("simplified theory: no gap in the contact, a gap outside, and the totals add up") {
    const ContactProblem problem = spin_problem(TangentialMethod::fastsim);
    const auto [report, f] = test::solve(problem);
    const double area = problem.grid.element_area();
    double force_y = 0.0;
    double work = 0.0;
    double energy = 0.0;
    for (std::size_t i = 0; i < problem.grid.count(); ++i) {
      force_y += area * f.traction_y[i];
      work += area * (f.traction_x[i] * f.slip_x[i] + f.traction_y[i] * f.slip_y[i]);
      energy += 0.5 * area *
                (f.traction_x[i] * f.displacement_x[i] + f.traction_y[i] * f.displacement_y[i] +
                 f.pressure[i] * f.displacement_n[i]);
      if (f.element_division[i] == ElementState::exterior) {
        CHECK(f.pressure[i] == 0.0);
        CHECK(f.gap[i] > -1e-9 * report.approach);  // rounding at the border
      } else {
        CHECK(f.pressure[i] > 0.0);
        CHECK(std::abs(f.gap[i]) <= 1e-9 * report.approach);
      }
    }
    CHECK(report.force_y == test::near(force_y, 1e-12));
    CHECK(report.friction_work == test::near(work, 1e-12));
    CHECK(report.elastic_energy == test::near(energy, 1e-9));
    CHECK(report.normal_force == kForce);
    CHECK(report.outcome == Outcome::converged);
    CHECK_FALSE(report.touches_edge);
  }

  TEST_CASE("FASTSIM: prescribed forces are reached, and by the creepages that gave them") {
    for (const double direction : {0.0, kPi}) {
      for (const TractionBound bound : {TractionBound::parabolic, TractionBound::elliptic}) {
        for (const double load : {0.05, 0.5, 0.9, 0.97}) {
          ContactProblem problem = spin_problem(TangentialMethod::fastsim, direction);
          problem.solver.traction_bound = bound;
          problem.solver.tolerance = 1e-9;
          Tangential& tangential = problem.steps[0].tangential;
          tangential.rotation = 1e-4;
          tangential.x = {TangentialControl::force_ratio, 0.8 * load};
          tangential.y = {TangentialControl::force, -0.6 * load * kFriction * kForce};
          const StepReport both = test::solve(problem).report;
          CAPTURE(load);
          CAPTURE(direction);
          CHECK(both.outcome == Outcome::converged);
          CHECK(std::abs(both.force_x / (kFriction * kForce) - 0.8 * load) <= 1e-9);
          CHECK(std::abs(both.force_y / (kFriction * kForce) + 0.6 * load) <= 1e-9);
          CHECK(both.residual <= 1e-9);

          tangential.y = {TangentialControl::rigid, both.rigid_y};
          const StepReport one = test::solve(problem).report;
          CHECK(one.outcome == Outcome::converged);
          // As well as the force fixes the creepage next to full sliding.
          CHECK(one.rigid_x == test::near(both.rigid_x, 1e-4));

          tangential.x = {TangentialControl::rigid, both.rigid_x};
          const StepReport none = test::solve(problem).report;
          CHECK(none.force_x == both.force_x);
          CHECK(none.force_y == both.force_y);
        }
      }
    }
  }

  TEST_CASE("FASTSIM: a force that friction cannot give does not converge, and says so") {
    ContactProblem problem = spin_problem(TangentialMethod::fastsim);
    Tangential& tangential = problem.steps[0].tangential;
    tangential.x = {TangentialControl::force, 1.01 * kFriction * kForce};
    const StepReport beyond = test::solve(problem).report;
    CHECK(beyond.outcome == Outcome::not_converged);
    CHECK(beyond.message ==
          "the tangential force prescribed is not below mu F_n: no rigid slip gives it "
          "(prescribed " +
              number_text(1.01 * kFriction * kForce) + " N, carried at most " +
              number_text(kFriction * kForce) + " N)");
    // Half of the contact lies on the grid, and with it half of the friction.
    problem.grid = test::centred_grid(44, 22, 8.8, 4.4);
    problem.grid.y0 = 0.0;
    problem.grid.dy = 0.2;
    tangential.x = {TangentialControl::force_ratio, 0.8};
    const StepReport half = test::solve(problem).report;
    CHECK(half.outcome == Outcome::not_converged);
    CHECK(half.message.find("no creepage was found for the prescribed tangential force") == 0);
    CHECK(half.residual == test::near(0.3, 0.02));  // 0.8 - 0.5, and the spin's share
    CHECK(half.touches_edge);
  }

  TEST_CASE("simplified theory: what it does not solve is refused with a sentence") {
    const auto refused = [](TangentialMethod method, const auto& change) {
      ContactProblem problem = spin_problem(method);
      change(problem);
      return refusal_of(problem);
    };
    constexpr auto kFastsim = TangentialMethod::fastsim;
    CHECK(refused(kFastsim,
                  [](ContactProblem& p) {
                    p.geometry = {PlanformShape{EllipseOutline{1.0, 1.0}}};
                  }) ==
          "solver.tangential: fastsim needs a Hertzian ellipse, and the geometry is not a "
          "paraboloid; accepted: hertz, sphere, ellipsoid, quadratic, crossed cylinders, or "
          "another method");
    CHECK(refused(kFastsim,
                  [](ContactProblem& p) {
                    p.geometry = {CylinderShape{100.0, CylinderAxis::y}};
                  }) ==
          "solver.tangential: fastsim needs a Hertzian ellipse along x and y; accepted: a "
          "geometry with xx > 0, yy > 0 and xy = 0, or another method");
    CHECK(refused(TangentialMethod::fastrip,
                  [](ContactProblem& p) {
                    p.steps[0].tangential.extra.x =
                        std::make_shared<const std::vector<double>>(p.grid.count());
                  }) ==
          "solver.tangential: fastrip has no slip of single elements, which its strips do not know "
          "(step 1); accepted: no extra_x and extra_y, or solver.tangential: fastsim");
    CHECK(refused(TangentialMethod::newton,
                  [](ContactProblem& p) { p.steps[0].tangential.spin_slip = SpinSlip::x; }) ==
          "steps[0].tangential.spin_slip: belongs to the simplified theory; accepted: both, with "
          "extra_x or extra_y that take the spin away");
    CHECK(refused(kFastsim, [](ContactProblem& p) { p.layer.normal_compliance = 1e-6; }) ==
          "layer.normal_compliance: the simplified theory has no layer, bound_cg a "
          "normal_compliance only; accepted: no layer, a normal_compliance with solver.normal: "
          "bound_cg, or another tangential method");
    CHECK(refused(kFastsim, [](ContactProblem& p) {
            p.geometry = {CylinderShape{600.0, CylinderAxis::y},
                          CylinderShape{200.0, CylinderAxis::x}};
          }).empty());
  }

  TEST_CASE("simplified theory: a contact between the element centres is refused") {
    ContactProblem problem = spin_problem(TangentialMethod::fastsim);
    problem.steps[0].normal.value = 1e-6;  // under the curvatures of another force
    const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
    CHECK_THROWS_AS(solver->advance(problem.steps[0]), InputError);
    problem.steps[0].normal = {NormalControl::approach, -0.1};
    CHECK_THROWS_AS(solver->advance(problem.steps[0]), InputError);
  }
}

}  // namespace slipfield
