// SPDX-License-Identifier: Apache-2.0
// The memory that a run is estimated to need, against what it takes.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "solver/memory_estimate.h"
#include "tests/support/both_backends.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

struct Kind {
  const char* name;
  TangentialProblem problem;
  TangentialMethod method;
  bool unlike;  // bodies
  Boundary boundary;
};

// A step needs fewer vectors of GMRES than there may be, and on a large grid more than on a small
// one; the least grid shows the constant part.
constexpr double kMostOfSmall = 20.0;

constexpr Kind kKinds[] = {
    {"normal", TangentialProblem::none, TangentialMethod::automatic, false, Boundary::free},
    {"normal, periodic", TangentialProblem::none, TangentialMethod::automatic, false,
     Boundary::periodic},
    {"shift", TangentialProblem::shift, TangentialMethod::newton, false, Boundary::free},
    {"shift, periodic", TangentialProblem::shift, TangentialMethod::newton, false,
     Boundary::periodic},
    {"shift, K", TangentialProblem::shift, TangentialMethod::newton, true, Boundary::free},
    {"shift, gauss_seidel", TangentialProblem::shift, TangentialMethod::gauss_seidel, false,
     Boundary::free},
    {"steady", TangentialProblem::steady_rolling, TangentialMethod::newton, false, Boundary::free},
    {"steady, K", TangentialProblem::steady_rolling, TangentialMethod::newton, true,
     Boundary::free},
    {"transient", TangentialProblem::transient_rolling, TangentialMethod::newton, false,
     Boundary::free},
    {"transient, K", TangentialProblem::transient_rolling, TangentialMethod::newton, true,
     Boundary::free},
};

ContactProblem problem_of(const Kind& kind, int mx, int my) {
  Grid grid = centred_grid(mx, my, 1.5, 1.4);
  grid.boundary = kind.boundary;
  ContactProblem problem = normal_problem(grid, {200.0, 0.42}, QuadraticShape{0.01, 0.0, 0.01},
                                          NormalControl::force, 9.1954,
                                          1e-2);  // a few iterations take all the memory
  if (kind.unlike) problem.lower = {800.0, 0.3};
  problem.solver.tangential = kind.method;
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.4;
  step.tangential.problem = kind.problem;
  step.tangential.step = grid.dx;
  step.tangential.velocity = 1.0;
  step.tangential.x = {TangentialControl::force_ratio, -0.5};
  return problem;
}

// What makes a step of one of the kinds above take more.
struct More {
  const char* name;
  TangentialProblem problem;
  bool unlike;
  void (*add)(ContactProblem&);
};
constexpr More kMore[] = {
    {"second order", TangentialProblem::steady_rolling, false,
     [](ContactProblem& problem) { problem.solver.rolling = RollingScheme::second_order; }},
    {"second order, K", TangentialProblem::steady_rolling, true,
     [](ContactProblem& problem) { problem.solver.rolling = RollingScheme::second_order; }},
    {"errors", TangentialProblem::steady_rolling, false,
     [](ContactProblem& problem) { problem.error_estimate = true; }},
    {"falling friction", TangentialProblem::steady_rolling, false,
     [](ContactProblem& problem) {
       Friction& friction = problem.steps[0].friction;
       friction.law = FrictionLaw::exponential;
       friction.kinetic = 0.3;
       friction.half_velocity = 1.0e-3;
     }},
    {"layer that yields", TangentialProblem::shift, false,
     [](ContactProblem& problem) {
       problem.layer.compliance = 1.0e-3;
       problem.layer.yield_stress = 0.05;
       problem.layer.hardening = 1.0;
     }},
    {"creep", TangentialProblem::transient_rolling, false,
     [](ContactProblem& problem) {
       problem.upper.creep = problem.lower.creep = {{0.3, 0.01}};
     }},
    {"a coating", TangentialProblem::steady_rolling, true,
     [](ContactProblem& problem) {
       problem.upper.thickness = 0.05;
       problem.upper.below = {{2.0 * problem.upper.shear_modulus, 0.2, 0.0}};
     }},
    {"newton for the pressure", TangentialProblem::shift, false,
     [](ContactProblem& problem) { problem.solver.normal = NormalMethod::newton; }},
    {"a short step", TangentialProblem::steady_rolling, false,
     [](ContactProblem& problem) { problem.steps[0].tangential.step *= 0.1; }},
};

// Compares the estimated memory of a problem's first step with the memory that it uses.
void check_said(const ContactProblem& problem, double most) {
  const std::size_t before = bytes_in_use();
  const auto solver = make_solver_under_test(problem);
  solver->advance(problem.steps[0]);
  const auto used = static_cast<double>(bytes_in_use() - before);
  const auto said = static_cast<double>(bytes_said(problem));
  constexpr double kFixed = 1048576.0;  // said of what does not grow with the grid
  CHECK(used <= said);
  CHECK(said - kFixed <= most * used);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("memory: no run takes more than estimated") {
    if (!counts_memory()) return;
    for (const Kind& kind : kKinds) {
      for (const auto& [mx, my] : {std::pair{40, 32}, {150, 120}, {200, 196}}) {
        CAPTURE(std::string(kind.name));
        CAPTURE(mx);
        if (kind.method == TangentialMethod::gauss_seidel && mx > 150) continue;  // slow there
        check_said(problem_of(kind, mx, my), mx >= 150 ? most_said_of_used() : kMostOfSmall);
      }
    }
  }

  TEST_CASE("memory: nor does a run with what takes more") {
    if (!counts_memory()) return;
    for (const More& more : kMore) {
      CAPTURE(std::string(more.name));
      ContactProblem problem = problem_of(
          {more.name, more.problem, TangentialMethod::automatic, more.unlike, Boundary::free}, 100,
          80);
      more.add(problem);
      check_said(problem, most_said_of_used());
    }
  }
}
