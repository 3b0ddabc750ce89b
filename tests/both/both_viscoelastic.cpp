// SPDX-License-Identifier: Apache-2.0
// Viscoelastic bodies in steady rolling, on either backend.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/influence/influence_table.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"
#include "tests/support/oracle_viscoelastic.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

const ElasticBody kRubber{1.0, 0.4, {{1.0, 0.02}}};
const ElasticBody kPolymer{2.5, 0.3, {{0.4, 0.005}, {0.8, 0.09}}};
const ElasticBody kGlass{1.5, 0.25};
constexpr double kSpeed = 10.0;
constexpr double kTurn = kPi / 2.0;

// An oblique paraboloid off the centre, creepages and spin.
ContactProblem rolling_rubber(const ElasticBody& upper, const ElasticBody& lower,
                              double direction) {
  const Grid grid{11, 9, 0.16, 0.19, -0.9, -0.83};
  ContactProblem problem = normal_problem(grid, upper, QuadraticShape{0.5, 0.1, 0.6, 0.02, -0.03},
                                          NormalControl::force, 0.35, 1e-9);
  problem.lower = lower;
  StepInput& step = set_motion(problem, 0.3, TangentialProblem::steady_rolling, 0.05, -0.03, 0.04);
  Tangential& rolling = step.tangential;
  rolling.direction = direction;
  rolling.velocity = kSpeed;
  rolling.step = std::abs(std::sin(direction)) > 0.5 ? grid.dy : grid.dx;
  return problem;
}

std::vector<double> undeformed(const ContactProblem& problem) {
  return undeformed_distance(problem.geometry, problem.grid, combine(problem.upper, problem.lower));
}

// Complementarity and Coulomb's law, with displacements summed directly.
void check_directly(const ContactProblem& problem, const Solved& solved) {
  REQUIRE(solved.report.outcome == Outcome::converged);
  const Tangential& rolling = problem.steps[0].tangential;
  const double dq = rolling.step;
  CreepingCoefficients coefficients(problem);
  const DenseDisplacements now = creeping_displacements(problem, coefficients, solved.fields, 0.0);
  const DenseDisplacements ago = creeping_displacements(problem, coefficients, solved.fields, dq);
  // Over the approach: the solver's 1e-9, and the oracle's quadrature.
  constexpr double kNormal = 1e-7;
  const NormalErrors normal =
      normal_errors(solved.fields, undeformed(problem), now.n, solved.report.approach);
  CHECK(normal.least_pressure >= 0.0);
  CHECK(normal.gap_in_contact <= kNormal);
  CHECK(normal.penetration <= kNormal);
  const double arm = dq / 6.0;
  const double spin = solved.report.rotation;
  const Shift rigid{dq * (solved.report.rigid_x - spin * arm * std::sin(rolling.direction)),
                    dq * (solved.report.rigid_y + spin * arm * std::cos(rolling.direction)),
                    dq * spin};
  const FrictionErrors friction = friction_errors(
      problem.grid, solved.fields, problem.steps[0].friction.coefficient, now, ago, rigid);
  constexpr double kTangential = 1e-6;  // of bound and rigid slip, for a tolerance of 1e-9
  CHECK(friction.above_bound <= kTangential);
  CHECK(friction.slip_in_adhesion <= kTangential);
  CHECK(friction.below_bound <= kTangential);
  CHECK(friction.not_opposite <= kTangential);
  CHECK(friction.traction_outside == 0.0);
}

// Rough bodies on a grid with a period, shifted twice, or once in steady rolling across the period.
ContactProblem rough_rubber(const ElasticBody& upper, const ElasticBody& lower, Boundary boundary,
                            TangentialProblem kind = TangentialProblem::shift) {
  const Grid grid{8, 7, 0.16, 0.19, 0.0, 0.0, boundary};
  HeightsShape shape;
  for (int i = 0; i < 56; ++i) shape.values.push_back(0.004 * ((5 * i * i + 3 * i) % 23));
  ContactProblem problem = normal_problem(grid, upper, shape, NormalControl::force, 0.2, 1e-9);
  problem.lower = lower;
  StepInput& step = set_motion(problem, 0.3, kind, 0.02, -0.01);
  if (kind == TangentialProblem::shift) {
    step.tangential.duration = 0.03;
    problem.steps.push_back(step);
    problem.steps[1].normal.value = 0.15;
    problem.steps[1].tangential.x.value = -0.03;
    return problem;
  }
  step.tangential.direction = boundary == Boundary::periodic_y ? 0.0 : kTurn;
  step.tangential.step = boundary == Boundary::periodic_y ? grid.dx : grid.dy;
  step.tangential.velocity = kSpeed;
  return problem;
}
const std::vector<std::pair<Boundary, TangentialProblem>> kWithPeriod{
    {Boundary::periodic, TangentialProblem::shift},
    {Boundary::periodic_x, TangentialProblem::shift},
    {Boundary::periodic_y, TangentialProblem::shift},
    {Boundary::periodic_x, TangentialProblem::steady_rolling},
    {Boundary::periodic_y, TangentialProblem::steady_rolling}};

// Rolling cylinders in one row.
ContactProblem cylinders(double creep_time, int n) {
  ContactProblem problem =
      normal_problem({n, 1, 16.0 / n, 1000.0, -8.0, -500.0}, {1143.0, 0.4, {{1.0, creep_time}}},
                     QuadraticShape{0.01}, NormalControl::force, 600000.0, 1e-8);
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.0;
  step.tangential.problem = TangentialProblem::steady_rolling;
  step.tangential.velocity = 1000.0;
  step.tangential.step = problem.grid.dx;
  return problem;
}

// A cylinder without friction that rolls on a body with one creep term [Hunter 1961], derived
// again: with r the term's ratio, l its length V time and q = p + r int_x^inf exp(-(s - x)/l) p(s)
// ds/l, the slope x/R holds for q; 1 - l d/dx makes of it an elastic problem for g = (1 + r) p - l
// p', whose bounded solutions fix the contact's middle c ahead of the lowest point, and the load.
struct HunterContact {
  double middle = 0.0;
  double load = 0.0;    // per length
  double moment = 0.0;  // of the pressure about the lowest point, per length
};
HunterContact hunter(double half, double length, double ratio, double modulus, double radius) {
  const double k = (1.0 + ratio) * half / length;
  const double inside = std::cyl_bessel_i(1.0, k) / std::cyl_bessel_i(0.0, k);
  const double ahead =
      std::cyl_bessel_k(1.0, half / length) / std::cyl_bessel_k(0.0, half / length);
  const double stiffness = 0.5 * modulus / radius;  // modulus: E* of the instantaneous moduli
  HunterContact contact;
  contact.middle = length * ratio / (1.0 + ratio) * inside / (ahead + inside);
  contact.load = kPi * stiffness * half * (0.5 * half + contact.middle * ahead) / (1.0 + ratio);
  contact.moment =
      contact.middle * contact.load -
      (0.5 * kPi * stiffness * half * half * (contact.middle - length) + length * contact.load) /
          (1.0 + ratio);
  return contact;
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("viscoelastic: a rolling cylinder's contact and resistance [Hunter 1961]") {
    constexpr double kHalf = 4.0;
    constexpr double kRadius = 50.0;
    constexpr double kLong = 1000.0;
    for (const double length : {0.4, 4.0, 40.0}) {
      CAPTURE(length);
      ContactProblem problem = cylinders(1.0e-3 * length, 200);  // V = 1000
      const double modulus = 0.5 * 1143.0 * 2.0 / (1.0 - 0.4);   // of two bodies
      const HunterContact expected = hunter(kHalf, length, 1.0, modulus, kRadius);
      problem.steps[0].normal.value = kLong * expected.load;
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      double first = 1.0e9;
      double last = -1.0e9;
      for (int ix = 0; ix < problem.grid.mx; ++ix) {
        if (solved.fields.pressure[static_cast<std::size_t>(ix)] == 0.0) continue;
        first = std::min(first, problem.grid.x(ix));
        last = std::max(last, problem.grid.x(ix));
      }
      // Half an element each.
      CHECK(std::abs(last + 0.5 * problem.grid.dx - expected.middle - kHalf) <= problem.grid.dx);
      CHECK(std::abs(first - 0.5 * problem.grid.dx - expected.middle + kHalf) <= problem.grid.dx);
      // The elements at the edges, of which there are 100; and the cylinder's length, 125 contacts.
      CHECK(*solved.report.surface.rolling_resistance ==
            near(kLong * expected.moment / kRadius, 2e-3));
    }
  }
}

TEST_SUITE("oracle") {
  TEST_CASE(
      "viscoelastic: unlike bodies obey the contact conditions, summed directly, rolling "
      "along x and y both ways") {
    for (const double direction : {0.0, 2.0 * kTurn, kTurn, -kTurn}) {
      CAPTURE(direction);
      const ContactProblem problem = rolling_rubber(kRubber, kPolymer, direction);
      check_directly(problem, solve_under_test(problem));
    }
  }

  TEST_CASE("viscoelastic: one body creeps, the other does not, forces prescribed") {
    for (const bool first : {true, false}) {
      ContactProblem problem =
          rolling_rubber(first ? kPolymer : kGlass, first ? kGlass : kPolymer, 0.0);
      problem.steps[0].tangential.x = {TangentialControl::force, -0.05};
      problem.steps[0].tangential.y = {TangentialControl::force, 0.02};
      const Solved solved = solve_under_test(problem);
      check_directly(problem, solved);
      // The tolerance of a prescribed force.
      CHECK(solved.report.force_x == near(-0.05, 1e-8));
      CHECK(solved.report.force_y == near(0.02, 1e-8));
      CHECK(solved.report.normal_force == near(0.35, 1e-8));
    }
  }

  TEST_CASE("viscoelastic: bodies of one material that creep unlike are coupled") {
    const ElasticBody slow{1.0, 0.3, {{1.0, 0.05}}};
    const ElasticBody fast{1.0, 0.3, {{1.0, 0.005}}};
    const ContactProblem problem = rolling_rubber(slow, fast, 0.0);
    const Solved solved = solve_under_test(problem);
    CHECK(solved.report.iterations_outer > 1);
    check_directly(problem, solved);
  }

  TEST_CASE("viscoelastic: steps shorter than an element") {
    ContactProblem problem = rolling_rubber(kRubber, kRubber, 0.0);
    problem.steps[0].tangential.step = 0.3 * problem.grid.dx;
    check_directly(problem, solve_under_test(problem));
  }

  TEST_CASE("viscoelastic: methods and products agree") {
    const ContactProblem problem = rolling_rubber(kRubber, kPolymer, 0.0);
    const Solved solved = solve_under_test(problem);
    const auto check_other = [&](const SolverSettings& settings) {
      ContactProblem other = problem;
      other.solver = settings;
      // 100 times the tolerance: the methods stop by different measures.
      check_equal(solve_under_test(other), solved, 1e-7);
    };
    SolverSettings settings = problem.solver;
    settings.normal = NormalMethod::dense;
    settings.tangential = TangentialMethod::dense;
    check_other(settings);
    settings.normal = NormalMethod::newton;
    settings.tangential = TangentialMethod::gauss_seidel;
    settings.tolerance = 1e-10;  // sweeps stop by their change
    check_other(settings);
    settings = problem.solver;
    for (const InfluenceMethod influence : {InfluenceMethod::fft, InfluenceMethod::summation}) {
      settings.influence = influence;
      check_other(settings);
    }
  }

  TEST_CASE("normal newton: the solution of bound_cg between elastic bodies, and no start needed") {
    for (const auto& [control, value] :
         {std::pair(NormalControl::force, 0.5), std::pair(NormalControl::approach, 0.2)}) {
      const Grid grid = centred_grid(31, 22, 1.1, 0.9);
      ContactProblem problem =
          normal_problem(grid, kGlass, tilted_paraboloid(grid), control, value, 1e-10);
      problem.solver.normal = NormalMethod::bound_cg;
      const Solved expected = solve_under_test(problem);
      problem.solver.normal = NormalMethod::newton;
      check_equal(solve_under_test(problem), expected, 1e-8);  // 100 tolerances
    }
  }

  // A step of .1 of the residual cuts off all pressures of these elements, of an aspect of 50.
  TEST_CASE("normal newton: a force on few slender elements is carried") {
    ContactProblem problem =
        normal_problem({3, 3, 1.0, 50.0, -1.5, -75.0}, {1.0, 0.3},
                       QuadraticShape{0.027564534046477313, 0.0, 1.1025813618590927e-06},
                       NormalControl::force, 0.1497888860447136, 1e-6);
    problem.solver.normal = NormalMethod::bound_cg;
    const Solved expected = solve_under_test(problem);
    CHECK(expected.report.approach == near(0.00476826501, 1e-6));
    problem.solver.normal = NormalMethod::newton;
    check_equal(solve_under_test(problem), expected, 1e-5);

    ContactProblem rolling =
        normal_problem({3, 1, 1.0, 50.0, -1.5, -25.0}, {1.0, 0.3, {{2.0, 2.0}}},
                       QuadraticShape{0.09890434602787608, 0.0, 3.56055645700354e-05},
                       NormalControl::force, 0.03400006716126839, 1e-6);
    set_motion(rolling, 0.0, TangentialProblem::steady_rolling, 0.0, 0.0, 0.0);
    rolling.steps[0].tangential.velocity = 1.0;
    rolling.steps[0].tangential.step = 1.0;
    for (const NormalMethod method : {NormalMethod::newton, NormalMethod::dense}) {
      rolling.solver.normal = method;
      const StepReport report = solve_under_test(rolling).report;
      REQUIRE(report.outcome == Outcome::converged);
      CHECK(report.approach == near(0.00398439035, 1e-5));  // by bisection over a given approach
    }
  }

  TEST_CASE("normal newton: bodies apart have no pressure") {
    ContactProblem problem = normal_problem(centred_grid(9, 8, 1.0, 1.0), kGlass, SphereShape{5.0},
                                            NormalControl::approach, -0.1);
    problem.solver.normal = NormalMethod::newton;
    const Solved solved = solve_under_test(problem);
    CHECK(solved.report.outcome == Outcome::converged);
    CHECK(solved.report.elements_contact == 0);
  }

  TEST_CASE("viscoelastic: sensitivities are the slopes of solutions") {
    ContactProblem problem = rolling_rubber(kRubber, kRubber, 0.0);
    problem.steps[0].normal = {NormalControl::approach, 0.12};
    problem.solver.tolerance = 1e-11;
    problem.sensitivities = true;
    const Solved solved = solve_under_test(problem);
    REQUIRE(solved.report.approach_sensitivities);
    const double h = 1e-6;
    std::array<double, 2> force{};
    for (const int side : {0, 1}) {
      ContactProblem other = problem;
      other.sensitivities = false;
      other.steps[0].normal.value += side == 0 ? h : -h;
      force[static_cast<std::size_t>(side)] = solve_under_test(other).report.normal_force;
    }
    // Differences over 1e-6 of solutions to 1e-11.
    CHECK((*solved.report.approach_sensitivities)[0] ==
          near((force[0] - force[1]) / (2.0 * h), 1e-4));
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("viscoelastic: creep at once and creep that never comes are elastic bodies") {
    const auto solve_with = [](double modulus, const std::vector<CreepTerm>& creep) {
      return solve_under_test(rolling_rubber({modulus, 0.4, creep}, {modulus, 0.4, creep}, 0.0));
    };
    const Solved soft = solve_with(0.5, {});
    const Solved hard = solve_with(1.0, {});
    check_equal(solve_with(1.0, {{1.0, 0.0}}), soft, 1e-7);  // the tolerance is 1e-9
    CHECK(soft.report.approach > 1.1 * hard.report.approach);
    // l = 1e-6 and 1e7: what is left is l over an element, and the contact over l.
    const Solved nearly_soft = solve_with(1.0, {{1.0, 1e-7}});
    const Solved nearly_hard = solve_with(1.0, {{1.0, 1e6}});
    check_equal(nearly_soft, soft, 1e-4);
    check_equal(nearly_hard, hard, 1e-5);
    REQUIRE(nearly_hard.report.surface.rolling_resistance);
    CHECK(std::abs(*nearly_hard.report.surface.rolling_resistance) <= 1e-6 * 0.35);
    CHECK(!hard.report.surface.rolling_resistance);
  }

  TEST_CASE("viscoelastic: with a period, creep at once and creep that never comes are elastic") {
    for (const auto& [boundary, kind] : kWithPeriod) {
      CAPTURE(static_cast<int>(boundary));
      CAPTURE(static_cast<int>(kind));
      const auto solve_with = [&](double modulus, const std::vector<CreepTerm>& creep) {
        const ElasticBody body{modulus, 0.4, creep};
        return solve_under_test(rough_rubber(body, {2.0 * modulus, 0.1, creep}, boundary, kind));
      };
      const Solved soft = solve_with(0.5, {});
      const Solved hard = solve_with(1.0, {});
      const Solved at_once = solve_with(1.0, {{1.0, 0.0}});
      check_equal(at_once, soft, 1e-6);  // the tolerance is 1e-9
      CHECK(at_once.report.approach == near(soft.report.approach, 1e-6));
      // What is remembered from far away, on rows that have no end either, displaces nothing: by
      // pressures, nor by tangential tractions, which displace far away as well if K is not 0.
      for (const double creep_time : {1e8, 1e14, 1e30}) {
        CAPTURE(creep_time);
        const Solved never = solve_with(1.0, {{1.0, creep_time}});
        check_equal(never, hard, 1e-5);
        CHECK(never.report.approach == near(hard.report.approach, 1e-5));
      }
      CHECK(relative_difference(soft.fields.pressure, hard.fields.pressure) > 0.01);
      CHECK(soft.report.elements_slip > 0);
    }
  }

  TEST_CASE("viscoelastic: with a period, bodies exchanged roll as before, whichever is softer") {
    for (const double creep_time : {1e-3, 0.3, 1e6})
      for (const double direction : {0.0, 2.0 * kTurn}) {
        CAPTURE(creep_time);
        CAPTURE(direction);
        const ElasticBody rubber{100.0, 0.1, {{2.0, creep_time}}};
        const ElasticBody steel{150.0, 0.45, {}};
        const auto rolled = [&](const ElasticBody& upper, const ElasticBody& lower,
                                double creepage) {
          ContactProblem problem =
              normal_problem({24, 4, 0.1, 0.2, -1.15, -0.3, Boundary::periodic_y}, upper,
                             QuadraticShape{0.025}, NormalControl::force, 4.0, 1e-9);
          problem.lower = lower;
          StepInput& step =
              set_motion(problem, 0.3, TangentialProblem::steady_rolling, creepage, 0.0);
          step.tangential.direction = direction;
          step.tangential.step = problem.grid.dx;
          step.tangential.velocity = 10.0;
          return solve_under_test(problem).report;
        };
        const StepReport above = rolled(rubber, steel, 0.004);
        const StepReport below = rolled(steel, rubber, -0.004);
        REQUIRE(above.outcome == Outcome::converged);
        CHECK(std::abs(above.force_x) > 0.1);
        CHECK(below.force_x == near(-above.force_x, 1e-6));
        CHECK(below.approach == near(above.approach, 1e-7));
      }
  }

  TEST_CASE("viscoelastic: rolling cylinders with a period along their axes are those of a row") {
    for (const double creep_time : {1e-4, 2e-3, 0.05}) {
      ContactProblem row = cylinders(creep_time, 64);
      ContactProblem period = row;
      period.grid.boundary = Boundary::periodic_y;
      row.grid.dy = 1.0e5;  // long against the grid
      row.steps[0].normal.value *= 100.0;
      const Solved of_row = solve_under_test(row);
      const Solved of_period = solve_under_test(period);
      check_equal(of_period, of_row, 1e-5);  // of the ends of the row
      CHECK(*of_period.report.surface.rolling_resistance * 100.0 ==
            near(*of_row.report.surface.rolling_resistance, 1e-4));
    }
  }

  TEST_CASE("viscoelastic: creep at once is that of a soft elastic body in every direction") {
    for (const double direction : {kTurn, 2.0 * kTurn, 3.0 * kTurn}) {
      CAPTURE(direction);
      const ElasticBody at_once{1.0, 0.4, {{1.0, 0.0}}};
      const ElasticBody soft{0.5, 0.4, {}};
      check_equal(solve_under_test(rolling_rubber(at_once, at_once, direction)),
                  solve_under_test(rolling_rubber(soft, soft, direction)), 1e-7);  // solved to 1e-9
    }
  }

  TEST_CASE("viscoelastic: with a period the coefficients are the sums over its images") {
    // Open by a constant, so that differences count. What is left by n images falls as 1/n, or
    // faster.
    const Grid free{6, 5, 0.2, 0.3, 0.0, 0.0};
    Grid grid = free;
    grid.boundary = Boundary::periodic_y;
    const double period = grid.my * grid.dy;
    const MemoryTerm term{{1.3, 0.3, 0.1}, 0.7, 0.0};
    for (const Component component :
         {Component::nn, Component::xx, Component::yy, Component::xy, Component::xn}) {
      CAPTURE(static_cast<int>(component));
      InfluenceKind kind;
      kind.memory = {term};
      const InfluenceTable table = influence_table(component, grid, {1.0, 0.3}, kind);
      const InfluenceTable elastic = influence_table(component, grid, {1.0, 0.3}, {});
      const auto added = [&](int kx, int ky) { return *table.at(kx, ky) - *elastic.at(kx, ky); };
      const auto sum_of_images = [&](int kx, int ky, int most) {
        double sum = 0.0;
        for (int j = -most; j <= most; ++j)
          sum += memory_coefficient(component, kx * grid.dx, ky * grid.dy + j * period, free, term);
        return sum;
      };
      const auto summed = [&](int kx, int ky) {
        return 2.0 * sum_of_images(kx, ky, 200) - sum_of_images(kx, ky, 100);
      };
      const double size = std::abs(summed(0, 0) - summed(5, 0)) + std::abs(summed(2, 1));
      for (const auto& [kx, ky] : {std::pair{-3, 2}, std::pair{1, -4}, std::pair{4, 3}})
        CHECK(std::abs(added(kx, ky) - added(-5, 0) - (summed(kx, ky) - summed(-5, 0))) <=
              3e-4 * size);  // a few over 100^2
    }
  }

  TEST_CASE("viscoelastic: two periods have the solution of one, twice") {
    for (const auto& [boundary, kind] : kWithPeriod) {
      CAPTURE(static_cast<int>(boundary));
      CAPTURE(static_cast<int>(kind));
      const ContactProblem one = rough_rubber(kRubber, kGlass, boundary, kind);
      ContactProblem two = one;
      const bool along_y = boundary == Boundary::periodic_y;
      (along_y ? two.grid.my : two.grid.mx) *= 2;
      auto& heights = std::get<HeightsShape>(two.geometry[0]).values;
      heights.clear();
      const std::vector<double>& once = std::get<HeightsShape>(one.geometry[0]).values;
      for (int iy = 0; iy < two.grid.my; ++iy)
        for (int ix = 0; ix < two.grid.mx; ++ix)
          heights.push_back(once[one.grid.index(ix % one.grid.mx, iy % one.grid.my)]);
      for (StepInput& step : two.steps) step.normal.value *= 2.0;
      const Solved of_one = solve_under_test(one);
      const Solved of_two = solve_under_test(two);
      REQUIRE(of_one.report.outcome == Outcome::converged);
      REQUIRE(of_two.report.outcome == Outcome::converged);
      CHECK(of_two.report.approach == near(of_one.report.approach, 1e-7));
      CHECK(of_two.report.force_x == near(2.0 * of_one.report.force_x, 1e-6));
      CHECK(of_two.report.force_y == near(2.0 * of_one.report.force_y, 1e-6));
      CHECK(of_two.report.elements_contact == 2 * of_one.report.elements_contact);
    }
  }

  TEST_CASE("viscoelastic: two terms of one creep time are one") {
    const ElasticBody twice{1.0, 0.4, {{0.3, 0.02}, {0.7, 0.02}}};
    const Solved one = solve_under_test(rolling_rubber(kRubber, kRubber, 0.0));
    check_equal(solve_under_test(rolling_rubber(twice, twice, 0.0)), one, 1e-7);
  }

  TEST_CASE("viscoelastic: rolling back is the mirror image, rolling along y the turned one") {
    const auto centred = [](double direction) {
      ContactProblem problem = rolling_rubber(kRubber, kPolymer, direction);
      problem.grid = {11, 11, 0.16, 0.16, -0.88, -0.88};
      problem.geometry = {QuadraticShape{0.5, 0.0, 0.5}};
      Tangential& rolling = problem.steps[0].tangential;
      rolling.step = 0.16;
      rolling.rotation = 0.0;
      rolling.x.value = 0.05 * std::round(std::cos(direction));
      rolling.y.value = 0.05 * std::round(std::sin(direction));
      return solve_under_test(problem);
    };
    const Solved ahead = centred(0.0);
    const Solved back = centred(2.0 * kTurn);
    const Solved aside = centred(kTurn);
    double greatest = 0.0;
    double mirrored = 0.0;
    double turned = 0.0;
    for (std::size_t iy = 0; iy < 11; ++iy)
      for (std::size_t ix = 0; ix < 11; ++ix) {
        const double p = ahead.fields.pressure[11 * iy + ix];
        const double t = ahead.fields.traction_x[11 * iy + ix];
        greatest = std::max(greatest, p);
        mirrored = std::max({mirrored, std::abs(back.fields.pressure[11 * iy + 10 - ix] - p),
                             std::abs(back.fields.traction_x[11 * iy + 10 - ix] + t)});
        turned = std::max({turned, std::abs(aside.fields.pressure[11 * ix + iy] - p),
                           std::abs(aside.fields.traction_y[11 * ix + iy] - t)});
      }
    CHECK(mirrored <= 1e-6 * greatest);  // solved to 1e-9 by other sums
    CHECK(turned <= 1e-6 * greatest);
  }

  TEST_CASE("viscoelastic: the rolling resistance is the moment of the pressure over the radius") {
    std::array<double, 2> error{};
    for (const int k : {0, 1}) {
      const ContactProblem problem = cylinders(0.009, k == 0 ? 100 : 200);
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      double moment = 0.0;
      for (int ix = 0; ix < problem.grid.mx; ++ix)
        moment += solved.fields.pressure[static_cast<std::size_t>(ix)] * problem.grid.x(ix) *
                  problem.grid.element_area();
      REQUIRE(solved.report.surface.rolling_resistance);
      const double resistance = *solved.report.surface.rolling_resistance;
      CHECK(resistance > 0.0);  // dh/dx = x/50: the pressure leans forwards
      error[static_cast<std::size_t>(k)] = std::abs(resistance / (moment / 50.0) - 1.0);
    }
    CHECK(error[0] <= 0.02);  // of the elements at the edges
    CHECK(error[1] <= error[0]);
  }

  TEST_CASE("viscoelastic: every creep length converges, from a hundredth of an element on") {
    double last = 0.0;
    for (const double length : {0.001, 0.03, 0.3, 1.0, 2.0, 3.0, 5.0, 9.0, 30.0, 1000.0}) {
      const Solved solved = solve_under_test(cylinders(length / 1000.0, 99));
      CAPTURE(length);
      CHECK(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.iterations_normal <= 30);
      CHECK(solved.report.max_pressure >= last * (1.0 - 0.05));  // stiffer and stiffer
      last = solved.report.max_pressure;
    }
  }
}
