// SPDX-License-Identifier: Apache-2.0
// Numbers at the ends of the doubles: a step is right, says that it is not, or is refused.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "solver/problem_check.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

constexpr ElasticBody kBody{200.0, 0.42};
constexpr double kForce = 9.1954;
constexpr double kFriction = 0.4;
constexpr std::array<double, 12> kExtremes{1e-300, 1e-250, 1e-200, 1e-170, 1e-150, 1e-100,
                                           1e100,  1e150,  1e152,  1e200,  1e250,  1e300};

ContactProblem sphere(TangentialMethod method, TangentialProblem kind) {
  ContactProblem problem =
      normal_problem(centred_grid(9, 8, 1.3, 1.4), kBody, QuadraticShape{0.01, 0.0, 0.01},
                     NormalControl::force, kForce, 1e-6);
  problem.solver.tangential = method;
  problem.steps[0].friction.coefficient = kFriction;
  Tangential& tangential = problem.steps[0].tangential;
  tangential.problem = kind;
  tangential.step = kind == TangentialProblem::shift ? 0.0 : problem.grid.dx;
  tangential.x.value = 1.0e-3;
  return problem;
}

// A change of a problem, and a number of its result.
using Change = std::function<void(ContactProblem&)>;
using Result = std::function<double(const StepReport&)>;

// The result over `unit`, where the step converged, is that of the ordinary case `like` over its
// own.
struct Extreme {
  std::string name;
  TangentialProblem kind;
  Change change;
  Change like;
  Result result;
  double unit;
  double like_unit;
};

void check(const Extreme& extreme, TangentialMethod method) {
  CAPTURE(extreme.name);
  ContactProblem problem = sphere(method, extreme.kind);
  extreme.change(problem);
  if (!check_problem(problem).empty()) {  // an area of an element beyond doubles
    CHECK(extreme.name == "lengths");
    return;
  }
  const Solved solved = solve_under_test(problem);
  CAPTURE(solved.report.message);
  if (solved.report.outcome != Outcome::converged) {
    CHECK_FALSE(solved.report.message.empty());
    return;
  }
  ContactProblem ordinary = sphere(TangentialMethod::newton, extreme.kind);
  extreme.like(ordinary);
  const Solved expected = solve_under_test(ordinary);
  REQUIRE(expected.report.outcome == Outcome::converged);
  CHECK(std::isfinite(solved.report.residual));
  // A tolerance of 1e-6; the ordinary case is within 1e-5 of the limit.
  CHECK(extreme.result(solved.report) / extreme.unit ==
        near(extreme.result(expected.report) / extreme.like_unit, 1e-4));
}

double force_x(const StepReport& report) { return report.force_x; }
double moment_z(const StepReport& report) { return report.moment_z; }
double rigid_x(const StepReport& report) { return report.rigid_x; }

// In full adhesion results are linear in the motion, in full slip they do not depend on it.
std::vector<Extreme> of_motion(TangentialProblem kind, double value) {
  const bool tiny = std::abs(value) < 1.0;
  const double ordinary = std::copysign(tiny ? 1.0e-7 : 1.0e5, value);
  const double unit = tiny ? value : 1.0;
  const double like_unit = tiny ? ordinary : 1.0;
  const auto rigid = [](double v) {
    return [v](ContactProblem& p) { p.steps[0].tangential.x.value = v; };
  };
  const auto turning = [](double v) {
    return [v](ContactProblem& p) {
      p.steps[0].tangential.x.value = 0.0;
      p.steps[0].tangential.rotation = v;
    };
  };
  const auto forced = [](double v) {
    return [v](ContactProblem& p) { p.steps[0].tangential.x = {TangentialControl::force, v}; };
  };
  std::vector<Extreme> list{
      {"x", kind, rigid(value), rigid(ordinary), force_x, unit, like_unit},
      {"rotation", kind, turning(value), turning(ordinary), moment_z, unit, like_unit}};
  if (tiny) {
    list.push_back({"force", kind, forced(value), forced(ordinary), force_x, unit, like_unit});
    list.push_back({"rigid", kind, forced(value), forced(ordinary), rigid_x, unit, like_unit});
  }
  return list;
}

// Next to no friction bounds the force, boundless friction leaves adhesion.
Extreme of_friction(TangentialProblem kind, double value) {
  const bool tiny = value < 1.0;
  const double ordinary = tiny ? 1.0e-6 : 1.0e6;
  const auto coefficient = [](double mu) {
    return [mu](ContactProblem& p) { p.steps[0].friction.coefficient = mu; };
  };
  return {"coefficient",         kind,    coefficient(value),
          coefficient(ordinary), force_x, tiny ? value : 1.0,
          tiny ? ordinary : 1.0};
}

// Other units of force, or of length: force ratios stay.
std::vector<Extreme> of_units(TangentialProblem kind, double value) {
  const auto nothing = [](ContactProblem&) {};
  const auto ratio = [](const StepReport& r) { return r.force_x / r.normal_force; };
  const auto forces = [value](ContactProblem& p) {
    p.upper.shear_modulus *= value;
    p.lower.shear_modulus *= value;
    p.steps[0].normal.value *= value;
  };
  const auto lengths = [value, kind](ContactProblem& p) {
    Grid& g = p.grid;
    g.dx *= value;
    g.dy *= value;
    g.x0 *= value;
    g.y0 *= value;
    p.geometry = {QuadraticShape{0.01 / value, 0.0, 0.01 / value}};
    p.steps[0].tangential.step *= value;
    if (kind == TangentialProblem::shift) p.steps[0].tangential.x.value *= value;
    p.steps[0].normal.value *= value * value;  // the same pressures
  };
  return {{"forces", kind, forces, nothing, ratio, 1.0, 1.0},
          {"lengths", kind, lengths, nothing, ratio, 1.0, 1.0}};
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("extremes: a step is that of an ordinary case scaled, or is not converged") {
    constexpr auto kShift = TangentialProblem::shift;
    constexpr auto kSteady = TangentialProblem::steady_rolling;
    for (const TangentialMethod method :
         {TangentialMethod::newton, TangentialMethod::gauss_seidel, TangentialMethod::dense}) {
      CAPTURE(static_cast<int>(method));
      for (const double value : kExtremes) {
        CAPTURE(value);
        for (const TangentialProblem kind : {kShift, kSteady}) {
          CAPTURE(static_cast<int>(kind));
          for (const double sign : {1.0, -1.0})
            for (const Extreme& extreme : of_motion(kind, sign * value)) {
              // Sweeps meet a force to the tolerance of what friction carries.
              const bool forced = extreme.name == "force" || extreme.name == "rigid";
              if (!forced || method != TangentialMethod::gauss_seidel) check(extreme, method);
            }
          check(of_friction(kind, value), method);
          for (const Extreme& extreme : of_units(kind, value)) check(extreme, method);
        }
      }
    }
  }

  TEST_CASE("extremes: newton finds creepages, shifts, forces and coefficients to the last") {
    for (const double value : kExtremes) {
      CAPTURE(value);
      for (const TangentialProblem kind :
           {TangentialProblem::shift, TangentialProblem::steady_rolling}) {
        std::vector<Extreme> list = of_motion(kind, value);
        list.push_back(of_friction(kind, value));
        for (const Extreme& extreme : list) {
          CAPTURE(extreme.name);
          ContactProblem problem = sphere(TangentialMethod::newton, kind);
          extreme.change(problem);
          CHECK(solve_under_test(problem).report.outcome == Outcome::converged);
        }
      }
    }
  }

  TEST_CASE("extremes: a transient step of any length, from nothing") {
    for (const double value : kExtremes) {
      CAPTURE(value);
      const bool tiny = value < 1.0;
      const auto length = [](double step) {
        return [step](ContactProblem& p) { p.steps[0].tangential.step = step; };
      };
      check({"step", TangentialProblem::transient_rolling, length(value), length(tiny ? 1e-5 : 1e5),
             force_x, tiny ? value : 1.0, tiny ? 1e-5 : 1.0},
            TangentialMethod::newton);
    }
  }

  TEST_CASE("extremes: a steady step that rounding swallows is refused") {
    ContactProblem problem = sphere(TangentialMethod::automatic, TangentialProblem::steady_rolling);
    for (const double step : {1e-300, 1e-100, 1e-8}) {
      problem.steps[0].tangential.step = step;
      CHECK_THROWS_WITH(solve_under_test(problem),
                        doctest::Contains("is less than a millionth of an element"));
    }
  }

  TEST_CASE("extremes: friction whose bound is 0 in doubles leaves nothing converged") {
    ContactProblem problem = sphere(TangentialMethod::automatic, TangentialProblem::shift);
    problem.upper.shear_modulus = problem.lower.shear_modulus = 1.0e-20;
    problem.steps[0].normal.value = 1.0e-22;
    problem.steps[0].friction.coefficient = 1.0e-305;
    const StepReport report = solve_under_test(problem).report;
    CHECK(report.outcome == Outcome::not_converged);
    CHECK(report.message.find("residual") != std::string::npos);
  }
}

TEST_SUITE("unit") {
  TEST_CASE("vanishing: after a great creepage none at all is found in a few steps") {
    for (const TangentialMethod method :
         {TangentialMethod::newton, TangentialMethod::gauss_seidel, TangentialMethod::dense}) {
      CAPTURE(static_cast<int>(method));
      const ContactProblem problem = sphere(method, TangentialProblem::steady_rolling);
      const auto solver = make_solver_under_test(problem);
      StepInput step = problem.steps[0];
      step.tangential.x.value = -0.03333;
      CHECK(solver->advance(step).outcome == Outcome::converged);
      for (const TangentialLoad load :
           {TangentialLoad{}, TangentialLoad{TangentialControl::force, 0.0}}) {
        step.tangential.x = load;
        const StepReport none = solver->advance(step);
        CHECK(none.outcome == Outcome::converged);
        CHECK(std::abs(none.force_x) <= 1e-12 * kFriction * kForce);  // of what friction carries
        // A factor of 10 an iteration of newton, of 2 a sweep: to 1e-15, not to the least double.
        CHECK(none.iterations_tangential <= (method == TangentialMethod::gauss_seidel ? 250 : 25));
        step.tangential.x = {TangentialControl::rigid, 1.0e-3};
        CHECK(solver->advance(step).outcome == Outcome::converged);
      }
    }
  }

  TEST_CASE("vanishing: after a great creepage a tiny one has all its digits") {
    const ContactProblem problem =
        sphere(TangentialMethod::newton, TangentialProblem::steady_rolling);
    StepInput step = problem.steps[0];
    const auto after = [&](double creepage) {
      const auto solver = make_solver_under_test(problem);
      step.tangential.x.value = -0.03333;
      solver->advance(step);
      step.tangential.x.value = creepage;
      return solver->advance(step);
    };
    const StepReport ordinary = after(1.0e-5);
    for (const double creepage : {1.0e-8, 1.0e-12, 1.0e-30}) {
      const StepReport report = after(creepage);
      CHECK(report.outcome == Outcome::converged);
      // full adhesion: linear to the tolerance
      CHECK(report.force_x / creepage == near(ordinary.force_x / 1.0e-5, 1e-4));
    }
  }
}
