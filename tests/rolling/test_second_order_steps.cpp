// SPDX-License-Identifier: Apache-2.0
// Rolling to second order from step to step.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/rolling_ellipse.h"

namespace slipfield {
namespace {

// A sphere on a sphere that rolls along x, the step a part of a square element long.
struct RollingSphere {
  ContactProblem problem;
  double distance = 0.0;  // that it has rolled
  double shift = 0.0;     // the sum of the creepages over it
  std::vector<StepReport> reports;

  // softer: by how much the upper body is.
  RollingSphere(RollingScheme scheme, int parts, double softer = 1.0) {
    const double half = 1.65;
    const Grid grid{22 * parts, 22, 2.0 * half / (22 * parts), 2.0 * half / 22, -half, -half};
    problem = test::normal_problem(grid, {16697.0, 0.283}, SphereShape{90.0}, NormalControl::force,
                                   700.0, 1e-7);
    problem.upper.shear_modulus /= softer;
    problem.solver.rolling = scheme;
    problem.steps[0].friction.coefficient = 0.3;
    problem.steps[0].tangential.problem = TangentialProblem::transient_rolling;
    problem.steps[0].tangential.step = grid.dx;
    solver_ = make_cpu_solver(problem);
  }
  const StepReport& roll(TangentialLoad load, double normal_force = 700.0) {
    StepInput step = problem.steps[0];
    step.tangential.x = load;
    step.normal.value = normal_force;
    reports.push_back(solver_->advance(step));
    REQUIRE(reports.back().outcome == Outcome::converged);
    CHECK(reports.back().message.empty());
    shift += step.tangential.step * reports.back().rigid_x;
    distance += step.tangential.step;
    return reports.back();
  }

 private:
  std::unique_ptr<ContactSolver> solver_;
};

TangentialLoad force_of(double value) { return {TangentialControl::force, value}; }
TangentialLoad creepage_of(double value) { return {TangentialControl::rigid, value}; }

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("second order: steady steps do not depend on the steps before them") {
    for (const double softer : {1.0, 4.0}) {
      CAPTURE(softer);
      ContactProblem problem = test::rolling_ellipse(36, RollingScheme::second_order);
      problem.upper.shear_modulus /= softer;
      const auto solver = make_cpu_solver(problem);
      REQUIRE(solver->advance(problem.steps[0]).outcome == Outcome::converged);
      StepInput& wet = problem.steps[0];
      wet.friction.coefficient = 0.05;
      wet.tangential.x.value *= -0.4;
      const StepReport alone = test::solve(problem).report;
      // Corrections end where they change the tractions by 2e-3.
      const double close = 5.0e-4 * 0.05 * alone.normal_force;
      for (int k = 0; k < 4; ++k) {
        const StepReport after = solver->advance(wet);
        CHECK(std::abs(after.force_x - alone.force_x) <= close);
        CHECK(std::abs(after.force_y - alone.force_y) <= close);
        CHECK(std::abs(after.moment_z - alone.moment_z) <= 2.0 * close);  // a is 2
      }
    }
  }

  TEST_CASE("second order: wherever the leading edge cuts its elements") {
    // First-order solutions of 512 and 1024 elements squared, extrapolated.
    constexpr double kForce = -0.6251;  // over mu F_n
    constexpr double kMoment = -4.754e4;
    for (const double margin : {1.06, 1.08, 1.1, 1.12, 1.14}) {
      CAPTURE(margin);
      ContactProblem problem = test::balanced_spin(64, 1.0, margin);
      problem.solver.rolling = RollingScheme::second_order;
      const StepReport report = test::solve(problem).report;
      REQUIRE(report.outcome == Outcome::converged);
      const double bound = report.friction_coefficient * report.normal_force;
      CHECK(std::abs(report.force_y / bound - kForce) <= 1.2e-3);
      CHECK(std::abs(report.moment_z / kMoment - 1.0) <= 2.0e-3);
    }
  }

  TEST_CASE("second order: friction and motion times a factor give forces times that factor") {
    ContactProblem problem = test::rolling_ellipse(32, RollingScheme::second_order);
    const StepReport dry = test::solve(problem).report;
    StepInput& step = problem.steps[0];
    constexpr double kPart = 0.03;
    step.friction.coefficient *= kPart;
    for (double* motion :
         {&step.tangential.x.value, &step.tangential.y.value, &step.tangential.rotation})
      *motion *= kPart;
    const StepReport wet = test::solve(problem).report;
    const double close = 1.0e-5 * 0.3 * dry.normal_force;
    CHECK(std::abs(wet.force_x / kPart - dry.force_x) <= close);
    CHECK(std::abs(wet.force_y / kPart - dry.force_y) <= close);
    CHECK(std::abs(wet.moment_z / kPart - dry.moment_z) <= 2.0 * close);
  }

  // newton follows the whole law in each round of corrections.
  TEST_CASE("second order: with falling friction within a few rounds, and near a fine grid") {
    for (const FrictionLaw law :
         {FrictionLaw::exponential, FrictionLaw::rational, FrictionLaw::linear_falling}) {
      CAPTURE(static_cast<int>(law));
      const auto report = [law](int n, RollingScheme scheme) {
        ContactProblem problem = test::rolling_ellipse(n, scheme);
        StepInput& step = problem.steps[0];
        step.friction.kinetic = 0.15;
        step.friction.law = law;
        step.friction.half_velocity = 2e-4;
        step.tangential.velocity = 1.0;
        return test::solve(problem).report;
      };
      const StepReport fine = report(96, RollingScheme::second_order);
      const StepReport first = report(32, RollingScheme::first_order);
      const StepReport second = report(32, RollingScheme::second_order);
      for (const StepReport* one : {&fine, &first, &second})
        REQUIRE(one->outcome == Outcome::converged);
      CHECK(second.message.empty());
      CHECK(second.iterations_outer <= 12);  // nine at most to settle, and some to the tolerance
      const auto error = [&](const StepReport& of) {
        return std::hypot(of.force_x - fine.force_x, of.force_y - fine.force_y);
      };
      CHECK(error(second) < 0.3 * error(first));
      CHECK(error(second) < 3.0e-3 * 0.3 * fine.normal_force);  // as with constant friction
    }
  }

  TEST_CASE(
      "second order: a force that starts or rises at once moves the bodies as far as it does") {
    for (const double before : {0.0, -20.0}) {  // 0: from rest
      CAPTURE(before);
      const auto loaded = [before](RollingScheme scheme, int parts) {
        RollingSphere sphere(scheme, parts);
        for (int k = 0; k < 3 * parts && before != 0.0; ++k) sphere.roll(force_of(before));
        sphere.shift = 0.0;
        sphere.reports.clear();
        for (int k = 0; k < 5 * parts; ++k) sphere.roll(force_of(-84.0));
        return sphere;
      };
      const RollingSphere fine = loaded(RollingScheme::first_order, 4);
      const RollingSphere first = loaded(RollingScheme::first_order, 1);
      const RollingSphere second = loaded(RollingScheme::second_order, 1);
      for (const StepReport& report : second.reports) CHECK(report.rigid_x > 0.0);
      // After the jump both schemes are 3 % off at 18 elements across.
      CHECK(second.shift == test::near(fine.shift, 0.04));
      CHECK(std::abs(second.shift - fine.shift) <= std::abs(first.shift - fine.shift));
      CHECK(second.reports[1].rigid_x == test::near(first.reports[1].rigid_x, 0.02));
    }
  }

  TEST_CASE("second order: the force follows a creepage and a load that jump") {
    for (const bool load_jumps : {false, true}) {
      CAPTURE(load_jumps);
      const auto rolled = [load_jumps](RollingScheme scheme, int parts) {
        RollingSphere sphere(scheme, parts);
        for (int k = 0; k < 9 * parts; ++k) {
          const bool after = k >= 6 * parts;
          sphere.roll(creepage_of(load_jumps ? 1.0e-3
                                  : after    ? 3.0e-3
                                             : 2.0e-4),
                      load_jumps && !after ? 300.0 : 700.0);
        }
        return sphere;
      };
      const RollingSphere fine = rolled(RollingScheme::first_order, 4);
      const RollingSphere second = rolled(RollingScheme::second_order, 1);
      for (int k = 6; k < 9; ++k)
        CHECK(second.reports[k].force_x == test::near(fine.reports[4 * k + 3].force_x, 0.015));
    }
  }

  // A limit on the change of the load above which steps were of first order made results jump there
  // by up to 3.4 % (M_z).
  TEST_CASE("second order: forces change as little as the load that jumps does") {
    constexpr double kChange = 2.0e-4;
    for (const double softer : {1.0, 4.0}) {
      for (const double ratio : {0.8, 1.1, 1.25}) {
        CAPTURE(softer);
        CAPTURE(ratio);
        const auto rolled = [&](double to) {
          RollingSphere sphere(RollingScheme::second_order, 1, softer);
          sphere.problem.steps[0].tangential.rotation = 2.0e-4;
          for (int k = 0; k < 12; ++k)
            sphere.roll(creepage_of(1.0e-3), k < 10 ? 700.0 : 700.0 * to);
          return sphere;
        };
        const RollingSphere below = rolled(ratio - 0.5 * kChange);
        const RollingSphere above = rolled(ratio + 0.5 * kChange);
        for (std::size_t k = 10; k < 12; ++k) {
          CAPTURE(k);
          // ten times the change of the load, or what a correction that settles leaves
          CHECK(above.reports[k].force_x == test::near(below.reports[k].force_x, 2.0e-3));
          CHECK(std::abs(above.reports[k].moment_z - below.reports[k].moment_z) <=
                5.0e-3 * std::abs(below.reports[9].moment_z));
        }
      }
    }
  }

  // Against first-order steps of a half and a quarter of the element, extrapolated.
  TEST_CASE("second order: under a load that jumps or swings errors are below first order's") {
    using Load = double (*)(double);  // of the time in elements
    const Load rises = [](double t) { return t > 12.0 ? 700.0 : 565.0; };
    const Load falls = [](double t) { return t > 12.0 ? 530.0 : 700.0; };
    const Load swings = [](double t) {
      return 700.0 + 280.0 * std::sin(2.0 * std::numbers::pi * t / 24.0);
    };
    for (const Load load : {rises, falls, swings}) {
      CAPTURE(load(18.0));
      const auto rolled = [load](RollingScheme scheme, int parts) {
        RollingSphere sphere(scheme, parts);
        sphere.problem.steps[0].tangential.rotation = 2.0e-4;
        for (int k = 1; k <= 18 * parts; ++k)
          sphere.roll(creepage_of(3.0e-4), load(static_cast<double>(k) / parts));
        return sphere;
      };
      const RollingSphere half = rolled(RollingScheme::first_order, 2);
      const RollingSphere quarter = rolled(RollingScheme::first_order, 4);
      const RollingSphere first = rolled(RollingScheme::first_order, 1);
      const RollingSphere second = rolled(RollingScheme::second_order, 1);
      for (double StepReport::*const total : {&StepReport::force_x, &StepReport::moment_z}) {
        double of_first = 0.0;
        double of_second = 0.0;
        for (std::size_t k = 12; k < 18; ++k) {
          const double wanted =
              2.0 * quarter.reports[4 * k + 3].*total - half.reports[2 * k + 1].*total;
          of_first += std::abs(first.reports[k].*total - wanted);
          of_second += std::abs(second.reports[k].*total - wanted);
        }
        CHECK(of_second <= 0.35 * of_first);
      }
    }
  }

  TEST_CASE("second order: an extra slip of all elements is a creepage, also where it jumps") {
    for (const std::vector<double>& values :
         {std::vector<double>{2.0e-4, 2.0e-4, 2.0e-4, 3.0e-3, 3.0e-3, 3.0e-3},
          {1.0e-3, 1.0e-3, 1.0e-3, -1.0e-3, -1.0e-3, -1.0e-3},
          {1.0e-3, 1.2e-3, 1.3e-3, 1.0e-3, 0.0, 6.0e-4}}) {
      for (const bool after_steady : {false, true}) {
        CAPTURE(values[3]);
        CAPTURE(after_steady);
        RollingSphere plain(RollingScheme::second_order, 1);
        RollingSphere extra(RollingScheme::second_order, 1);
        for (std::size_t k = 0; k < values.size(); ++k) {
          const bool steady = after_steady && k == 0;
          for (RollingSphere* sphere : {&plain, &extra})
            sphere->problem.steps[0].tangential.problem =
                steady ? TangentialProblem::steady_rolling : TangentialProblem::transient_rolling;
          extra.problem.steps[0].tangential.extra.x = std::make_shared<const std::vector<double>>(
              extra.problem.grid.count(), 0.7 * values[k]);
          const StepReport expected = plain.roll(creepage_of(values[k]));
          const StepReport& found = extra.roll(creepage_of(0.3 * values[k]));
          CAPTURE(k);
          CHECK(found.force_x == test::near(expected.force_x, 1e-9));
        }
      }
    }
  }

  // In transient steps it is the mean over the way of a particle, whose middle lies half a step
  // ahead of the element.
  TEST_CASE("second order: an extra slip that turns is spin") {
    RollingSphere plain(RollingScheme::second_order, 1);
    RollingSphere extra(RollingScheme::second_order, 1);
    const Grid& grid = plain.problem.grid;
    for (const double spin : {0.0, 1.0e-4, 2.0e-4, 3.0e-4, 4.0e-4, 4.0e-4}) {
      CAPTURE(spin);
      plain.problem.steps[0].tangential.rotation = spin;
      std::vector<double> x(grid.count());
      std::vector<double> y(grid.count());
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix) {
          x[grid.index(ix, iy)] = -spin * grid.y(iy);
          y[grid.index(ix, iy)] = spin * (grid.x(ix) + 0.5 * grid.dx);
        }
      extra.problem.steps[0].tangential.extra = {std::make_shared<const std::vector<double>>(x),
                                                 std::make_shared<const std::vector<double>>(y)};
      const StepReport expected = plain.roll(creepage_of(3.0e-4));
      const StepReport& found = extra.roll(creepage_of(3.0e-4));
      CHECK(found.force_y == test::near(expected.force_y, 1e-6));
      CHECK(found.moment_z == test::near(expected.moment_z, 1e-6));
    }
  }

  TEST_CASE("second order: after lost contact or without friction a sequence starts again") {
    for (const bool friction : {false, true}) {
      for (const int without : {1, 2, 3}) {
        CAPTURE(friction);
        CAPTURE(without);
        RollingSphere fresh(RollingScheme::second_order, 1);
        RollingSphere lost(RollingScheme::second_order, 1);
        StepInput& step = lost.problem.steps[0];
        for (RollingSphere* sphere : {&fresh, &lost})
          sphere->problem.steps[0].normal = {NormalControl::approach, 0.018};
        for (int k = 0; k < 4; ++k) lost.roll(creepage_of(1.0e-3), 0.018);
        step.friction.coefficient = friction ? 0.0 : 0.3;
        for (int k = 0; k < without; ++k)
          CHECK(lost.roll(creepage_of(1.0e-3), friction ? 0.018 : -0.01).force_x == 0.0);
        step.friction.coefficient = 0.3;
        for (int k = 0; k < 4; ++k) {
          CAPTURE(k);
          const StepReport expected = fresh.roll(creepage_of(1.0e-3), 0.018);
          const StepReport& found = lost.roll(creepage_of(1.0e-3), 0.018);
          CHECK(found.force_x == test::near(expected.force_x, 1e-6));
        }
      }
    }
  }

  TEST_CASE("second order: slip without friction is the limit of little friction") {
    // sums of p_n |s| in each step
    const auto slid = [](const ElasticBody& lower, double before, double friction) {
      ContactProblem problem = test::normal_problem(
          test::centred_grid(30, 16, 4.5, 3.2), {82000.0, 0.28},
          QuadraticShape{0.0014, 0.0, 0.0026}, NormalControl::force, 6000.0, 1e-8);
      problem.lower = lower;
      problem.solver.rolling = RollingScheme::second_order;
      test::set_motion(problem, friction, TangentialProblem::transient_rolling, 4e-4, 1e-4);
      const auto solver = make_cpu_solver(problem);
      std::vector<double> sums;
      for (int k = 0; k < 11; ++k) {
        StepInput step = problem.steps[0];
        step.normal.value *= 1.0 + 0.3 * std::sin(0.3 * k);
        step.tangential.x.value *= std::cos(0.2 * k);
        if (k < 3) step.friction.coefficient = before;
        REQUIRE(solver->advance(step).outcome == Outcome::converged);
        const ContactSolution found = solver->download();
        double sum = 0.0;
        for (std::size_t i = 0; i < found.pressure.size(); ++i)
          sum += found.pressure[i] * std::hypot(found.slip_x[i], found.slip_y[i]);
        sums.push_back(sum);
      }
      return sums;
    };
    for (const ElasticBody& lower : {ElasticBody{82000.0, 0.28}, ElasticBody{820000.0, 0.1}}) {
      for (const double before : {0.0, 0.3}) {  // in the first three steps
        const std::vector<double> none = slid(lower, before, 0.0);
        const std::vector<double> little = slid(lower, before > 0.0 ? before : 1e-9, 1e-9);
        for (std::size_t k = 0; k < none.size(); ++k) {
          CAPTURE(lower.shear_modulus);
          CAPTURE(before);
          CAPTURE(k);
          // With little friction the correction is taken by halves, until the tractions settle.
          CHECK(none[k] == test::near(little[k], 0.02));
        }
      }
    }
  }

  // The first pressure carries the surfaces of unlike bodies past each other. Particles that stick
  // from then on must not slide.
  TEST_CASE("second order: unlike bodies that begin to roll follow first order") {
    const auto force = [](RollingScheme scheme) {
      RollingSphere sphere(scheme, 2, 4.0);
      for (int k = 0; k < 8; ++k) sphere.roll(creepage_of(0.0));
      return sphere.reports.back().force_x;
    };
    const double first = force(RollingScheme::first_order);
    CHECK(force(RollingScheme::second_order) == test::near(first, 0.05));
  }

  TEST_CASE("second order: a creepage is its mean over the step, to either order") {
    constexpr double kPi = std::numbers::pi;
    constexpr double kSteps = 12.0;  // of a period
    const auto rolled = [](RollingScheme scheme, int parts) {
      RollingSphere sphere(scheme, parts);
      const auto shift = [&](int k) { return -std::cos(2.0 * kPi * k / (kSteps * parts)); };
      const double mean = 1.0e-3 * kSteps * parts / (2.0 * kPi);
      for (int k = 0; k < 24 * parts; ++k)
        sphere.roll(creepage_of(mean * (shift(k + 1) - shift(k))));
      return sphere;
    };
    const RollingSphere fine = rolled(RollingScheme::first_order, 4);
    const auto error = [&](const RollingSphere& of) {
      double most = 0.0;
      for (int k = 0; k < 24; ++k)
        most = std::max(most, std::abs(of.reports[k].force_x - fine.reports[4 * k + 3].force_x));
      return most;
    };
    // The forces have an amplitude of 25.
    CHECK(error(rolled(RollingScheme::second_order, 1)) <= 0.2);
    CHECK(error(rolled(RollingScheme::first_order, 1)) <= 0.4);
  }

  // Sliding friction does not hold the force of the last but one step, which is tried again with
  // the static coefficient. The change of its load decides about the order of the last step.
  TEST_CASE("second order: a step that is tried again is the same as one that need not be") {
    const auto rolled = [](FrictionStart start) {
      constexpr double kStatic = 0.3;
      constexpr double kKinetic = 0.25;
      constexpr double kForce = 12000.0;
      ContactProblem problem =
          test::normal_problem({24, 24, 10.0 / 24, 8.0 / 24, -5.0, -4.0}, {82000.0, 0.28},
                               EllipsoidShape{500.0, 300.0}, NormalControl::force, kForce, 1e-8);
      problem.solver.rolling = RollingScheme::second_order;
      StepInput& step = problem.steps[0];
      step.friction.coefficient = kStatic;
      step.friction.kinetic = kKinetic;
      step.friction.law = FrictionLaw::exponential;
      step.friction.half_velocity = 0.003;
      step.tangential.problem = TangentialProblem::transient_rolling;
      step.tangential.step = problem.grid.dx;
      step.tangential.velocity = 1.0;
      step.tangential.x = creepage_of(0.02);
      const auto solver = make_cpu_solver(problem);
      for (int k = 0; k < 14; ++k) solver->advance(step);
      step.normal.value *= kKinetic / kStatic;  // the bound that it had while it slid
      step.tangential.x = {TangentialControl::force_ratio, -0.9};
      step.tangential.start = start;
      const StepReport held = solver->advance(step);
      step.tangential.start = FrictionStart::last;
      step.tangential.x = creepage_of(held.rigid_x);
      return std::pair(held, solver->advance(step));
    };
    const auto [again, after_again] = rolled(FrictionStart::last);
    const auto [once, after_once] = rolled(FrictionStart::adhesion);
    REQUIRE(after_again.outcome == Outcome::converged);
    CHECK(again.rigid_x == test::near(once.rigid_x, 1e-6));
    CHECK(after_again.force_x == test::near(after_once.force_x, 1e-6));
  }

  TEST_CASE("second order: transient steps after a fall of friction continue as to first order") {
    const auto after_fall = [](RollingScheme scheme, int falls, int steps) {
      ContactProblem problem = test::rolling_ellipse(24, scheme);
      StepInput& step = problem.steps[0];
      step.tangential.problem = TangentialProblem::transient_rolling;
      const auto solver = make_cpu_solver(problem);
      for (int k = 0; k < 20; ++k) solver->advance(step);
      for (int k = 1; k < falls; ++k) {
        step.friction.coefficient *= 0.4;
        solver->advance(step);
      }
      step.friction.coefficient *= falls > 1 ? 0.25 : 0.1;
      std::vector<StepReport> reports;
      for (int k = 0; k < steps; ++k) reports.push_back(solver->advance(step));
      return reports;
    };
    for (const auto& [falls, steps] : {std::pair{1, 6}, {2, 3}}) {
      CAPTURE(falls);
      const auto first = after_fall(RollingScheme::first_order, falls, steps);
      const auto second = after_fall(RollingScheme::second_order, falls, steps);
      for (std::size_t k = 0; k < first.size(); ++k) {
        CAPTURE(k);
        // The schemes differ by their errors of some hundredths at 20 elements across.
        const double close = 0.06 * 0.03 * first[k].normal_force;
        CHECK(std::abs(second[k].force_x - first[k].force_x) <= close);
        CHECK(std::abs(second[k].force_y - first[k].force_y) <= close);
      }
    }
  }
}

}  // namespace slipfield
