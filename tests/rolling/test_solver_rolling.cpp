// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::kPi;

constexpr std::array<TangentialMethod, 2> kMethods{TangentialMethod::gauss_seidel,
                                                   TangentialMethod::newton};

// A tilted paraboloid off the centre of the grid, rolling; steps no longer than an element.
ContactProblem rolling_problem(const ElasticBody& upper, const ElasticBody& lower) {
  const Grid grid{31, 25, 0.04, 0.05, -0.6, -0.65};
  ContactProblem problem = test::normal_problem(grid, upper, test::tilted_paraboloid(grid),
                                                NormalControl::approach, 0.12, 1e-9);
  problem.lower = lower;
  problem.steps[0].friction.coefficient = 0.35;
  return problem;
}

Tangential rolling(TangentialProblem kind, double direction, double step, TangentialLoad x,
                   TangentialLoad y, double spin) {
  Tangential tangential;
  tangential.problem = kind;
  tangential.direction = direction;
  tangential.step = step;
  tangential.x = x;
  tangential.y = y;
  tangential.rotation = spin;
  return tangential;
}

// Coulomb's law of the step with the particles' displacements before by direct summation.
void check_rolling(const ContactProblem& problem, const StepInput& step, const StepReport& report,
                   const ContactSolution& now, const ContactSolution& last, double tolerance) {
  REQUIRE(report.outcome == Outcome::converged);
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  const Tangential& t = step.tangential;
  const double cosine = std::cos(t.direction);
  const double sine = std::sin(t.direction);
  const ContactSolution& from = t.problem == TangentialProblem::steady_rolling ? now : last;
  const test::DenseDisplacements u = test::dense_displacements(problem.grid, material, now);
  const test::DenseDisplacements before =
      test::dense_displacements(problem.grid, material, from, t.step * cosine, t.step * sine);
  // Spin is taken dq/6 ahead (THEORY.md 5.3).
  const double spin = report.rotation;
  const test::Shift moved{t.step * (report.rigid_x - spin * t.step / 6.0 * sine),
                          t.step * (report.rigid_y + spin * t.step / 6.0 * cosine), t.step * spin};
  const test::FrictionErrors errors =
      test::friction_errors(problem.grid, now, step.friction.coefficient, u, before, moved);
  CHECK(errors.above_bound <= 1e-14);  // rounding
  CHECK(errors.below_bound <= tolerance);
  CHECK(errors.slip_in_adhesion <= tolerance);
  CHECK(errors.not_opposite <= tolerance);
  CHECK(errors.traction_outside == 0.0);
}

constexpr ElasticBody kBody{0.8, 0.3};
constexpr ElasticBody kOther{4.0, 0.45};

TEST_SUITE("oracle") {
  // Cases in which Broyden's steps without a line search ran out of sweeps.
  TEST_CASE("rolling: gauss_seidel finds two forces with a rotation where newton does") {
    struct Pull {
      TangentialProblem kind;
      int mx;
      int my;
      double axis;  // across
      double friction;
      double part;  // of the friction bound
      double angle;
      double rotation;
      double softer;
    };
    constexpr auto kSteady = TangentialProblem::steady_rolling;
    for (const Pull& pull :
         {Pull{TangentialProblem::transient_rolling, 15, 16, 12.0, 0.05, 0.995, 2.248, -0.001, 1.0},
          Pull{TangentialProblem::shift, 16, 11, 12.0, 0.05, 0.995, 3.024, -0.007037, 1.0},
          Pull{kSteady, 9, 10, 12.0, 0.3, 0.95, 1.504, -0.01169, 1.0},
          Pull{kSteady, 18, 23, 3.0, 0.05, 0.7, 0.151, 3.731e-5, 5.0},
          Pull{kSteady, 18, 19, 6.0, 0.05, 0.995, -1.407, 0.008076, 1.0}}) {
      CAPTURE(pull.rotation);
      const Grid grid = test::centred_grid(pull.mx, pull.my, 6.6, 1.1 * pull.axis);
      ContactProblem problem =
          test::normal_problem(grid, {82000.0, 0.28}, HertzShape{6.0, pull.axis, 80000.0},
                               NormalControl::force, 80000.0, 1e-6);
      problem.upper.shear_modulus /= pull.softer;
      StepInput& step =
          test::set_motion(problem, pull.friction, pull.kind, 0.0, 0.0, pull.rotation);
      const double force = pull.part * pull.friction * 80000.0;
      step.tangential.x = {TangentialControl::force, force * std::cos(pull.angle)};
      step.tangential.y = {TangentialControl::force, force * std::sin(pull.angle)};
      const StepReport newton = test::solve(problem).report;
      problem.solver.tangential = TangentialMethod::gauss_seidel;
      const StepReport swept = test::solve(problem).report;
      REQUIRE(newton.outcome == Outcome::converged);
      REQUIRE(swept.outcome == Outcome::converged);
      // ten times the tolerance, of the bound times the longer axis
      CHECK(std::abs(swept.moment_z - newton.moment_z) <= 1e-5 * pull.friction * 80000.0 * 12.0);
      CHECK(std::abs(swept.force_x - newton.force_x) <= 2e-6 * force);
      CHECK(std::abs(swept.force_y - newton.force_y) <= 2e-6 * force);
    }
  }

  TEST_CASE(
      "steady rolling: Coulomb's law by direct summation in any direction, like and unlike "
      "bodies, creepages and forces prescribed") {
    const TangentialLoad slow{TangentialControl::rigid, 0.02};
    const TangentialLoad slower{TangentialControl::rigid, -0.012};
    const TangentialLoad half{TangentialControl::force_ratio, 0.5};
    const TangentialLoad none{TangentialControl::force, 0.0};
    constexpr auto kSteady = TangentialProblem::steady_rolling;
    const std::array<Tangential, 5> loads{{rolling(kSteady, 0.0, 0.04, slow, slower, 0.0),
                                           rolling(kSteady, kPi, 0.025, slow, slower, 0.03),
                                           rolling(kSteady, 0.7, 0.03, slower, slow, -0.02),
                                           rolling(kSteady, 0.0, 0.04, half, slower, 0.03),
                                           rolling(kSteady, kPi, 0.04, half, none, 0.02)}};
    for (const ElasticBody& lower : {kBody, kOther}) {
      for (std::size_t k = 0; k < loads.size(); ++k) {
        for (const TangentialMethod method : kMethods) {
          // Backwards over the leading edge Gauss-Seidel does not converge in every direction.
          if (method == TangentialMethod::gauss_seidel && k > 1) continue;
          ContactProblem problem = rolling_problem(kBody, lower);
          problem.solver.tangential = method;
          problem.steps[0].tangential = loads[k];
          CAPTURE(k);
          CAPTURE(static_cast<int>(method));
          CAPTURE(lower.shear_modulus);
          const test::Solved solved = test::solve(problem);
          // The tolerance over the range of the difference of displacements.
          check_rolling(problem, problem.steps[0], solved.report, solved.fields, solved.fields,
                        1e-5);
          CHECK(solved.report.elements_slip > 10);
          CHECK(solved.report.elements_adhesion > 10);
        }
      }
    }
  }

  TEST_CASE(
      "transient rolling: Coulomb's law by direct summation step after step, like and unlike "
      "bodies") {
    constexpr auto kTransient = TangentialProblem::transient_rolling;
    for (const ElasticBody& lower : {kBody, kOther}) {
      for (const TangentialMethod method : kMethods) {
        ContactProblem problem = rolling_problem(kBody, lower);
        problem.solver.tangential = method;
        const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
        ContactSolution last;
        for (auto* field : {&last.pressure, &last.traction_x, &last.traction_y}) {
          field->assign(problem.grid.count(), 0.0);
        }
        for (int k = 0; k < 5; ++k) {
          StepInput step = problem.steps[0];
          step.normal.value = 0.12 + 0.01 * (k % 3);
          step.tangential =
              rolling(kTransient, k < 3 ? 0.0 : 0.4, k == 1 ? 0.02 : 0.04,
                      {k == 2 ? TangentialControl::force_ratio : TangentialControl::rigid,
                       0.05 + 0.1 * (k == 2)},
                      {TangentialControl::rigid, -0.03}, 0.02 * k);
          CAPTURE(k);
          CAPTURE(static_cast<int>(method));
          const StepReport report = solver->advance(step);
          const ContactSolution now = solver->download();
          check_rolling(problem, step, report, now, last, 1e-5);  // tolerance
          last = now;
        }
      }
    }
  }
}

TEST_SUITE("unit") {
  TEST_CASE("transient rolling ends in steady rolling") {
    ContactProblem problem = rolling_problem(kBody, kBody);
    StepInput step = problem.steps[0];
    const TangentialLoad slow{TangentialControl::rigid, 0.02};
    step.tangential = rolling(TangentialProblem::steady_rolling, 0.0, 0.04, slow, slow, 0.01);
    problem.steps[0] = step;
    const test::Solved steady = test::solve(problem);
    step.tangential.problem = TangentialProblem::transient_rolling;
    std::array<double, 3> difference{};
    for (std::size_t k = 0; k < 3; ++k) {
      step.repeat = k == 0 ? 20 : (k == 1 ? 40 : 100);
      problem.steps[0] = step;
      const test::Solved transient = test::solve(problem);
      difference[k] =
          test::relative_difference(transient.fields.traction_x, steady.fields.traction_x) +
          test::relative_difference(transient.fields.traction_y, steady.fields.traction_y);
    }
    MESSAGE("after 20, 40, 100 steps ", difference[0], ", ", difference[1], ", ", difference[2]);
    CHECK(difference[2] <= 1e-3);  // the start is forgotten
    CHECK(difference[1] < difference[0]);
    CHECK(difference[2] < 0.1 * difference[1]);
  }

  TEST_CASE("rolling: a given force is found at once from the creepage of the step before") {
    const TangentialLoad half{TangentialControl::force_ratio, 0.5};
    const TangentialLoad none{TangentialControl::force, 0.0};
    for (const TangentialMethod method : kMethods) {
      ContactProblem problem = rolling_problem(kBody, kBody);
      problem.solver.tangential = method;
      StepInput step = problem.steps[0];
      step.tangential = rolling(TangentialProblem::steady_rolling, 0.0, 0.04, half, none, 0.02);
      const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
      const StepReport first = solver->advance(step);
      const StepReport again = solver->advance(step);
      step.tangential.step = 0.02;  // the slip of a step is halved, the creepage hardly changes
      const StepReport shorter = solver->advance(step);
      CAPTURE(static_cast<int>(method));
      for (const StepReport& report : {first, again, shorter}) {
        REQUIRE(report.outcome == Outcome::converged);
        const double bound = step.friction.coefficient * report.normal_force;
        CHECK(std::abs(report.force_x / bound - 0.5) <= 1e-8);  // tolerance 1e-9
        CHECK(std::abs(report.force_y / bound) <= 1e-8);
      }
      CHECK(std::abs(again.rigid_x / first.rigid_x - 1.0) <= 1e-7);
      CHECK(5 * again.iterations_tangential < first.iterations_tangential);
      CHECK(shorter.iterations_tangential < first.iterations_tangential);
    }
  }

  TEST_CASE("rolling: a step whose length or direction is new counts its own matrix products") {
    const ContactProblem problem = rolling_problem(kBody, kBody);
    const TangentialLoad slow{TangentialControl::rigid, 0.02};
    const auto products = [&](const std::vector<double>& steps) {
      const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
      StepReport report;
      for (const double length : steps) {
        StepInput step = problem.steps[0];
        step.tangential = rolling(TangentialProblem::steady_rolling, 0.0, length, slow, slow, 0.0);
        report = solver->advance(step);
        CHECK(report.matrix_products > report.iterations_tangential + report.iterations_normal);
      }
      return report.matrix_products;
    };
    CHECK(products({0.04, 0.01, 0.04}) > 10);
  }

  TEST_CASE("steady rolling: turned by 180 degrees the same with all vectors turned") {
    ContactProblem problem = rolling_problem(kBody, kOther);
    const TangentialLoad slow{TangentialControl::rigid, 0.02};
    const TangentialLoad slower{TangentialControl::rigid, -0.012};
    problem.steps[0].tangential =
        rolling(TangentialProblem::steady_rolling, 0.0, 0.03, slow, slower, 0.015);
    const test::Solved one = test::solve(problem);
    ContactProblem turned = problem;
    const Grid& grid = problem.grid;
    turned.grid.x0 = -(grid.x0 + grid.mx * grid.dx);
    turned.grid.y0 = -(grid.y0 + grid.my * grid.dy);
    const auto& s = std::get<QuadraticShape>(problem.geometry[0]);
    turned.geometry = {QuadraticShape{s.xx, s.xy, s.yy, -s.x, -s.y, 0.0}};
    Tangential& t = turned.steps[0].tangential;
    t.direction = kPi;
    t.x.value = -t.x.value;
    t.y.value = -t.y.value;
    const test::Solved two = test::solve(turned);
    const double scale = 0.35 * one.report.normal_force;
    CHECK(std::abs(two.report.force_x + one.report.force_x) <= 1e-6 * scale);  // tolerance
    CHECK(std::abs(two.report.force_y + one.report.force_y) <= 1e-6 * scale);
    CHECK(std::abs(two.report.moment_z - one.report.moment_z) <= 1e-6 * scale);
    CHECK(two.report.elements_adhesion == one.report.elements_adhesion);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE(
      "steady rolling of a circle with spin: the numbers of an independent program at 32^2, 64^2 "
      "and 128^2 [cases/steady_circle.yaml]") {
    struct Row {
      int n;
      double force_x;
      double force_y;
      int contact;
      int slip;
    };
    for (const Row& row :
         {Row{32, -0.54478, -0.28781, 560, 216}, Row{64, -0.54277, -0.28822, 2252, 881},
          Row{128, -0.53997, -0.28613, 8944, 3445}}) {
      const double force = 4.0 / 3.0 / 0.75 / 100.0;
      ContactProblem problem =
          test::normal_problem(test::centred_grid(row.n, row.n, 1.2, 1.2), {1.0, 0.25},
                               SphereShape{100.0}, NormalControl::force, force, 1e-6);
      problem.steps[0].friction.coefficient = 0.3;
      problem.steps[0].tangential =
          rolling(TangentialProblem::steady_rolling, 0.0, 2.4 / row.n,
                  {TangentialControl::rigid, 9e-4}, {TangentialControl::rigid, 3e-4}, 4.8e-4);
      const StepReport report = test::solve(problem).report;
      REQUIRE(report.outcome == Outcome::converged);
      CAPTURE(row.n);
      CHECK(report.elements_contact == row.contact);
      CHECK(report.elements_slip == row.slip);
      CHECK(std::abs(report.force_x / (0.3 * force) - row.force_x) <= 6e-6);  // half a digit, 1e-6
      CHECK(std::abs(report.force_y / (0.3 * force) - row.force_y) <= 6e-6);
    }
  }

  TEST_CASE(
      "Carter: creepage of a rolling line contact, mu a/R (1 - sqrt(1 - q)), and its adhesion "
      "width, under refinement [Carter]") {
    const double radius = 100.0;  // relative radius: two rollers of 200
    const double length = 1.0e4;
    const double modulus = 1.0 / 0.72;
    const double line_force = kPi * modulus / (4.0 * radius);  // a = 1
    const double friction = 0.3;
    const double q = 0.64;
    // Adhesion next to the leading edge over 2 a sqrt(1 - q). Two equal bodies with the relative
    // radius R: creepage mu a/R (1 - sqrt(1 - q)).
    const double creepage = friction / radius * (1.0 - std::sqrt(1.0 - q));
    std::vector<double> h;
    std::vector<double> error;
    for (const int n : {55, 110, 220, 440}) {
      const Grid grid{n, 1, 2.2 / n, length, -1.1, -0.5 * length};
      ContactProblem problem =
          test::normal_problem(grid, {1.0, 0.28}, CylinderShape{radius, CylinderAxis::y},
                               NormalControl::force, line_force * length, 1e-8);
      problem.steps[0].friction.coefficient = friction;
      problem.steps[0].tangential =
          rolling(TangentialProblem::steady_rolling, 0.0, grid.dx,
                  {TangentialControl::force_ratio, -q}, {TangentialControl::rigid, 0.0}, 0.0);
      const test::Solved solved = test::solve(problem);
      CAPTURE(n);
      REQUIRE(solved.report.outcome == Outcome::converged);
      const double width = static_cast<double>(solved.report.elements_adhesion) * grid.dx;
      CHECK(std::abs(width - 2.0 * std::sqrt(1.0 - q)) <= 2.0 * grid.dx);  // whole elements
      // Adhesion is at the leading edge, x > 0.
      CHECK(solved.fields.element_division[static_cast<std::size_t>(0.9 * n)] ==
            ElementState::adhesion);
      h.push_back(grid.dx);
      error.push_back(solved.report.rigid_x / creepage - 1.0);
    }
    const double order = test::observed_order(h, error);
    MESSAGE("440 elements: creepage ", error.back(), "; observed order ", order);
    CHECK(std::abs(error.back()) <= 0.01);  // first order in dx/a = 0.005
    CHECK(order > 0.7);
  }
}

}  // namespace
}  // namespace slipfield
