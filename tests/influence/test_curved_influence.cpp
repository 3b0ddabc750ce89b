// SPDX-License-Identifier: Apache-2.0
// Coefficients of curved surfaces: tables of numbers, and the conformal correction.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/influence/block.h"
#include "solver/influence/curved_tables.h"
#include "solver/problem_check.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::Axis;
using test::DenseDisplacements;

const ElasticBody kHardBody{1000.0, 0.3};
const ElasticBody kSoftBody{400.0, 0.2};

// An oblique paraboloid off the centre, creepages and spin.
ContactProblem rolling_groove(const ElasticBody& lower, double direction = 0.0) {
  const Grid grid{13, 11, 0.16, 0.19, -1.06, -1.0};
  ContactProblem problem =
      test::normal_problem(grid, kHardBody, QuadraticShape{0.3, 0.05, 0.4, 0.02, -0.03},
                           NormalControl::force, 60.0, 1e-9);
  problem.lower = lower;
  StepInput& step =
      test::set_motion(problem, 0.3, TangentialProblem::steady_rolling, 0.02, -0.012, 0.015);
  Tangential& rolling = step.tangential;
  rolling.direction = direction;
  rolling.step = grid.dx;
  return problem;
}

CurvedInfluence conformal_of(std::vector<double> y, std::vector<double> angle, int variant,
                             bool straight) {
  return {nullptr, std::make_shared<const ConformalCorrection>(
                       ConformalCorrection{std::move(y), std::move(angle), variant, straight})};
}

// A groove of uneven curvature, the inclination in rows between the points interpolated.
const std::vector<double> kGrooveY{-1.0, -0.2, 0.3, 0.9};
const std::vector<double> kGrooveAngle{-0.5, -0.05, 0.1, 0.7};

double groove_angle(double y) {
  std::size_t j = 0;
  while (j + 2 < kGrooveY.size() && y >= kGrooveY[j + 1]) ++j;
  const double part = (y - kGrooveY[j]) / (kGrooveY[j + 1] - kGrooveY[j]);
  return kGrooveAngle[j] + part * (kGrooveAngle[j + 1] - kGrooveAngle[j]);
}

// The coefficients of the half-space as a table for `rows`, in the file's scale.
CurvedInfluence half_space_tables(const ContactProblem& problem, int mx, int my, int rows) {
  const Grid& grid = problem.grid;
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  TabulatedCoefficients tables{mx, my, rows, {}};
  for (int row = 0; row < rows; ++row)
    for (int ky = 1 - my; ky < my; ++ky)
      for (int kx = 0; kx < mx; ++kx) {
        CoefficientMatrix matrix{};
        for (int to = 0; to < 3; ++to)
          for (int from = 0; from < 3; ++from) {
            const BlockTerm term = block_term(to, from);
            matrix[pair_of(to, from)] =
                material.shear_modulus * term.sign *
                influence_coefficient(static_cast<Component>(term.component), kx * grid.dx,
                                      ky * grid.dy, grid.dx, grid.dy, material);
          }
        tables.values.push_back(matrix);
      }
  return {std::make_shared<const TabulatedCoefficients>(std::move(tables)), nullptr};
}

// Loads and displacements as vectors in the plane across: the half-space lies at the inclination
// of the receiving element (variant 1), of the loaded one (3), or between them (4).
DenseDisplacements turned_displacements(const ContactProblem& problem, const ContactSolution& f,
                                        const std::function<double(double)>& angle, int variant,
                                        double offset) {
  const Grid& grid = problem.grid;
  const test::DenseInfluence half_space(grid, combine(problem.upper, problem.lower), offset);
  DenseDisplacements u = test::no_displacements(grid);
  constexpr std::array<Axis, 3> kAxes{Axis::x, Axis::y, Axis::n};
  for (int jy = 0; jy < grid.my; ++jy)
    for (int iy = 0; iy < grid.my; ++iy) {
      const double loaded = angle(grid.y(jy));
      const double other = angle(grid.y(iy));
      const double plane = variant == 1 ? other : variant == 3 ? loaded : 0.5 * (loaded + other);
      for (int jx = 0; jx < grid.mx; ++jx)
        for (int ix = 0; ix < grid.mx; ++ix) {
          const std::size_t j = grid.index(jx, jy);
          const std::size_t i = grid.index(ix, iy);
          // Inclined by a, the surface's directions are (cos a, sin a) along and (-sin a, cos a).
          const double y = f.traction_y[j] * std::cos(loaded) - f.pressure[j] * std::sin(loaded);
          const double z = f.traction_y[j] * std::sin(loaded) + f.pressure[j] * std::cos(loaded);
          const std::array<double, 3> load{f.traction_x[j],
                                           y * std::cos(plane) + z * std::sin(plane),
                                           z * std::cos(plane) - y * std::sin(plane)};
          std::array<double, 3> moved{};
          for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b)
              moved[a] += half_space.at(kAxes[a], kAxes[b], ix - jx, iy - jy) * load[b];
          const double up = moved[1] * std::sin(plane) + moved[2] * std::cos(plane);
          const double along = moved[1] * std::cos(plane) - moved[2] * std::sin(plane);
          u.x[i] += moved[0];
          u.y[i] += along * std::cos(other) + up * std::sin(other);
          u.n[i] += up * std::cos(other) - along * std::sin(other);
        }
    }
  return u;
}

void check_conditions(const ContactProblem& problem, const test::Solved& solved,
                      const std::function<double(double)>& angle, int variant) {
  REQUIRE(solved.report.outcome == Outcome::converged);
  const Tangential& rolling = problem.steps[0].tangential;
  const double towards = std::cos(rolling.direction);
  const DenseDisplacements now = turned_displacements(problem, solved.fields, angle, variant, 0.0);
  const DenseDisplacements ago =
      turned_displacements(problem, solved.fields, angle, variant, rolling.step * towards);
  const auto distance =
      undeformed_distance(problem.geometry, problem.grid, combine(problem.upper, problem.lower));
  const test::NormalErrors normal =
      test::normal_errors(solved.fields, distance, now.n, solved.report.approach);
  constexpr double kNormal = 1e-6;  // of the approach, for a tolerance of 1e-9
  CHECK(normal.least_pressure >= 0.0);
  CHECK(normal.gap_in_contact <= kNormal);
  CHECK(normal.penetration <= kNormal);
  const double dq = rolling.step;
  const double arm = dq / 6.0 * towards;
  const double spin = solved.report.rotation;
  const test::Shift rigid{dq * solved.report.rigid_x, dq * (solved.report.rigid_y + spin * arm),
                          dq * spin};
  const test::FrictionErrors friction =
      test::friction_errors(problem.grid, solved.fields, 0.3, now, ago, rigid);
  constexpr double kTangential = 1e-5;  // of bound and rigid slip, for a tolerance of 1e-9
  CHECK(friction.above_bound <= kTangential);
  CHECK(friction.slip_in_adhesion <= kTangential);
  CHECK(friction.below_bound <= kTangential);
  CHECK(friction.not_opposite <= kTangential);
  CHECK(friction.traction_outside == 0.0);
  CHECK(solved.report.elements_adhesion > 0);
  CHECK(solved.report.elements_slip > 0);
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("curved influence: the half-space's own numbers as a table give its solution") {
    for (const double direction : {0.0, test::kPi}) {
      for (const int rows : {1, 11}) {
        CAPTURE(rows);
        ContactProblem problem = rolling_groove(kSoftBody, direction);
        const test::Solved half_space = test::solve(problem);
        problem.influence = half_space_tables(problem, 14, 11, rows);
        constexpr double kSolver = 1e-7;  // two ways to a tolerance of 1e-9
        test::check_equal(test::solve(problem), half_space, kSolver);
      }
    }
  }

  TEST_CASE(
      "curved influence: in a shift and transient steps likewise, by sums and by transforms") {
    for (const InfluenceMethod method : {InfluenceMethod::summation, InfluenceMethod::fft}) {
      ContactProblem problem = rolling_groove(kSoftBody);
      problem.solver.influence = method;
      StepInput shift = problem.steps[0];
      shift.tangential.problem = TangentialProblem::shift;
      shift.tangential.x.value = 0.002;
      shift.tangential.y.value = 0.001;
      problem.steps[0].tangential.problem = TangentialProblem::transient_rolling;
      problem.steps[0].repeat = 2;
      problem.steps.insert(problem.steps.begin(), shift);
      const test::Solved half_space = test::solve(problem);
      problem.influence = half_space_tables(problem, 14, 11, 1);
      constexpr double kSolver = 1e-7;
      test::check_equal(test::solve(problem), half_space, kSolver);
    }
  }

  TEST_CASE("conformal: the contact conditions hold, displacements summed as turned vectors") {
    for (const int variant : {1, 3, 4}) {
      CAPTURE(variant);
      for (const double direction : {0.0, test::kPi}) {
        ContactProblem problem = rolling_groove(kSoftBody, direction);
        problem.influence = conformal_of(kGrooveY, kGrooveAngle, variant, false);
        check_conditions(problem, test::solve(problem), groove_angle, variant);
      }
      ContactProblem problem = rolling_groove(kHardBody);
      problem.influence = conformal_of({-1.0, 1.0}, {-0.6, 0.5}, variant, true);
      check_conditions(
          problem, test::solve(problem), [](double y) { return 0.55 * y; }, variant);
    }
  }

  TEST_CASE("conformal: the estimated error of the forces covers the true one") {
    ContactProblem problem = rolling_groove(kHardBody);
    problem.solver.tolerance = 1e-7;
    problem.influence = conformal_of(kGrooveY, kGrooveAngle, 4, false);
    const auto solved = [&](int n) {
      problem.grid = test::centred_grid(n, n - 2, 1.05, 1.05);
      problem.steps[0].tangential.step = problem.grid.dx;
      return test::solve(problem).report;
    };
    const StepReport finer = solved(48);
    problem.error_estimate = true;
    const StepReport coarse = solved(24);
    REQUIRE(coarse.error);
    const double bound = 0.3 * 60.0;
    CHECK(coarse.error->force_x < 0.1 * bound);
    CHECK(std::abs(finer.force_x - coarse.force_x) < 2.0 * coarse.error->force_x);
    CHECK(std::abs(finer.force_y - coarse.force_y) < 2.0 * coarse.error->force_y);
  }

  TEST_CASE("conformal: errors are estimated with the surfaces as curved on the coarser grid") {
    ContactProblem problem = rolling_groove(kHardBody);
    problem.grid = test::centred_grid(52, 40, 1.05, 0.8);
    problem.steps[0].tangential.step = problem.grid.dx;
    problem.steps[0].friction.coefficient = 0.05;  // full slip, whose force the grid hardly changes
    problem.solver.tolerance = 1e-7;
    problem.error_estimate = true;
    const StepReport flat = test::solve(problem).report;
    problem.influence = conformal_of({-0.8, 0.8}, {-1.0, 1.0}, 4, true);
    const StepReport curved = test::solve(problem).report;
    REQUIRE(curved.error);
    // A coarser grid of half-spaces would differ by what the curvature makes.
    CHECK(curved.error->force_x < 0.1 * std::abs(curved.force_x - flat.force_x));
  }

  TEST_CASE("conformal: a table for each row equals the one of a constant curvature") {
    for (const int variant : {1, 2, 3, 4}) {
      ContactProblem problem = rolling_groove(kSoftBody);
      problem.influence = conformal_of({-1.0, 0.1, 1.0}, {-0.5, 0.05, 0.5}, variant, false);
      REQUIRE(problem.influence.by_row());
      const test::Solved by_row = test::solve(problem);
      problem.influence = conformal_of({-1.0, 0.1, 1.0}, {-0.5, 0.05, 0.5}, variant, true);
      REQUIRE_FALSE(problem.influence.by_row());
      constexpr double kSolver = 1e-7;
      test::check_equal(by_row, test::solve(problem), kSolver);
    }
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("conformal: where all angles are equal it is the half-space") {
    ContactProblem problem = rolling_groove(kSoftBody);
    const test::Solved half_space = test::solve(problem);
    for (const int variant : {1, 2, 3, 4}) {
      for (const bool straight : {true, false}) {
        problem.influence = conformal_of({-1.0, 0.0, 2.0}, {0.4, 0.4, 0.4}, variant, straight);
        constexpr double kSolver = 1e-7;
        test::check_equal(test::solve(problem), half_space, kSolver);
      }
    }
  }

  TEST_CASE("conformal: a symmetric groove under a creepage along it stays symmetric") {
    const Grid grid = test::centred_grid(15, 14, 1.2, 1.1);
    ContactProblem problem = test::normal_problem(grid, kHardBody, QuadraticShape{0.3, 0.0, 0.3},
                                                  NormalControl::force, 60.0, 1e-9);
    test::set_motion(problem, 0.3, TangentialProblem::steady_rolling, 0.02);
    for (const int variant : {1, 2, 3, 4}) {
      CAPTURE(variant);
      problem.influence = conformal_of({-1.0, 1.0}, {-0.6, 0.6}, variant, true);
      const auto [report, f] = test::solve(problem);
      REQUIRE(report.outcome == Outcome::converged);
      double load = 0.0;
      double worst = 0.0;
      double most_y = 0.0;
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix) {
          const std::size_t i = grid.index(ix, iy);
          const std::size_t mirrored = grid.index(ix, grid.my - 1 - iy);
          load += f.pressure[i] * grid.element_area();
          test::grow(worst, std::abs(f.pressure[i] - f.pressure[mirrored]));
          test::grow(worst, std::abs(f.traction_x[i] - f.traction_x[mirrored]));
          test::grow(worst, std::abs(f.traction_y[i] + f.traction_y[mirrored]));
          most_y = std::max(most_y, std::abs(f.traction_y[i]));
        }
      CHECK(load == test::near(60.0, 1e-8));
      CHECK(worst < 1e-6 * report.max_pressure);
      // Pressure alone pushes particles across the groove: traction_y is not 0 as on half-spaces.
      CHECK(most_y > 1e-3 * report.max_pressure);
    }
  }
}

TEST_SUITE("unit") {
  TEST_CASE("conformal: variant 4 keeps the reciprocity of the half-space, variant 1 does not") {
    const Grid grid{5, 6, 0.2, 0.3, -0.5, -0.9};
    const CombinedMaterial material = combine(kHardBody, kSoftBody);
    for (const int variant : {4, 1}) {
      InfluenceKind kind;
      kind.curved = std::make_shared<const CurvedInfluence>(
          conformal_of(kGrooveY, kGrooveAngle, variant, false));
      const CurvedTables tables(grid, material, kind);
      double worst = 0.0;
      for (int jy = 0; jy < grid.my; ++jy)
        for (int iy = 0; iy < grid.my; ++iy)
          for (int kx = -4; kx <= 4; ++kx) {
            const CoefficientMatrix there = tables.at(kx, iy - jy, jy);
            const CoefficientMatrix back = tables.at(-kx, jy - iy, iy);
            for (std::size_t a = 0; a < 3; ++a)
              for (std::size_t b = 0; b < 3; ++b)
                test::grow(worst, std::abs(there[3 * a + b] - back[3 * b + a]));
          }
      const double own = tables.at(0, 0, 2)[8];
      if (variant == 4)
        CHECK(worst < 1e-14 * own);
      else
        CHECK(worst > 0.01 * own);
    }
  }

  TEST_CASE("curved influence: what does not go together with it is refused") {
    using Change = std::function<void(ContactProblem&)>;
    const std::vector<std::pair<Change, std::string>> rows{
        {[](ContactProblem& p) {
           p.upper.creep = {{1.0, 0.1}};
         },
         "influence"},
        {[](ContactProblem& p) { p.layer.compliance = 0.1; }, "influence"},
        {[](ContactProblem& p) {
           p.patches.rectangles = {{-1, 1, -1, 1}};
         },
         "influence"},
        {[](ContactProblem& p) { p.grid.boundary = Boundary::periodic; }, "influence"},
        {[](ContactProblem& p) { p.solver.normal = NormalMethod::bound_cg; }, "solver.normal"},
        {[](ContactProblem& p) { p.solver.tangential = TangentialMethod::gauss_seidel; },
         "solver.tangential"},
        {[](ContactProblem& p) { p.solver.tangential = TangentialMethod::fastsim; },
         "solver.tangential"},
        {[](ContactProblem& p) { p.solver.rolling = RollingScheme::second_order; },
         "solver.rolling"},
        {[](ContactProblem& p) { p.solver.influence = InfluenceMethod::summation; },
         "solver.influence"},
        {[](ContactProblem& p) { p.sensitivities = true; }, "sensitivities"},
        {[](ContactProblem& p) {
           p.influence = half_space_tables(p, 3, 3, 1);
           p.error_estimate = true;
         },
         "error_estimate"},
        {[](ContactProblem& p) { p.steps[0].tangential.direction = test::kPi / 2.0; },
         "steps[0].tangential.direction"},
        {[](ContactProblem& p) {
           p.influence = conformal_of({0, 1, 2}, {0, 1, 2}, 5, true);
         },
         "influence.conformal.variant"},
        {[](ContactProblem& p) {
           p.influence = conformal_of({0, 1, 1}, {0, 1, 2}, 4, true);
         },
         "influence.conformal.y"},
        {[](ContactProblem& p) {
           p.influence = conformal_of({0, 1}, {0, 1, 2}, 4, true);
         },
         "influence.conformal.angle"},
        {[](ContactProblem& p) { p.influence = half_space_tables(p, 3, 3, 4); },
         "influence.tables"},
        {[](ContactProblem& p) {
           p.influence = half_space_tables(p, 3, 3, 1);
           p.steps[0].tangential.step = 0.1;
         },
         "steps[0].tangential.step"}};
    for (const auto& [change, field] : rows) {
      ContactProblem problem = rolling_groove(kHardBody);
      problem.influence = conformal_of(kGrooveY, kGrooveAngle, 4, false);
      CHECK(check_problem(problem).empty());
      change(problem);
      const auto faults = check_problem(problem);
      CAPTURE(field);
      CHECK(std::any_of(faults.begin(), faults.end(),
                        [&](const Fault& fault) { return fault.field == field; }));
    }
  }
}

}  // namespace slipfield
