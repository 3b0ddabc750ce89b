// SPDX-License-Identifier: Apache-2.0
// Surface temperatures step by step: closed forms of sources that stand or move, the steady state
// that rolling comes to, what is carried from step to step (THEORY.md 15.5, 15.6).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/error.h"
#include "solver/memory_estimate.h"
#include "solver/problem_check.h"
#include "solver/surface/heat_memory.h"
#include "solver/surface/surface_fields.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

constexpr double kMemoryPi = std::numbers::pi;
constexpr double kConductivity = 50.0;  // N/(s K): 0.05 W/(mm K)
constexpr double kDiffusivity = 0.05 / (450.0 * 7.85e-6);

HeatedMaterial heated_steel(HeatConduction conduction) {
  return {kConductivity / std::sqrt(kDiffusivity), kDiffusivity, conduction};
}

InfluenceTable conduction_table(const Grid& grid, const HeatWindow& window,
                                HeatConduction conduction) {
  InfluenceTable table{grid.mx, grid.my, {}};
  table.values.assign(table.width() * (2 * static_cast<std::size_t>(grid.my) - 1), 0.0);
  add_conduction(heated_steel(conduction), window, grid, table);
  return table;
}

// The integral of exp(u) K_0(|u|), by the midpoint rule over log(|u|).
double moving_band(double a, double b) {
  const auto from_zero = [](double end) {
    constexpr int kPieces = 4000;
    constexpr double kDecades = 30.0;
    double sum = 0.0;
    for (int k = 0; k < kPieces; ++k) {
      const double u = end * std::exp(-kDecades * (k + 0.5) / kPieces);
      sum += std::exp(u) * std::cyl_bessel_k(0.0, std::fabs(u)) * u * kDecades / kPieces;
    }
    return sum;
  };
  return from_zero(b) - from_zero(a);
}

// A step with given tractions, slip along x in every element in contact of one row.
struct GivenStep {
  ContactProblem problem;
  ContactSolution solution;
  StepReport report;

  GivenStep(TangentialProblem kind, double upper_temperature, double lower_temperature) {
    problem.grid = {24, 3, 0.5, 0.8, -6.0, 0.0, Boundary::free};
    HeatRequest heat;
    heat.bodies = {ThermalBody{0.05, 450.0, 7.85e-6, upper_temperature},
                   ThermalBody{0.4, 385.0, 8.96e-6, lower_temperature}};
    problem.surface.heat = heat;
    StepInput step;
    step.tangential.problem = kind;
    step.tangential.step = problem.grid.dx;
    step.tangential.velocity = 4000.0;
    step.tangential.duration = 0.01;
    problem.steps = {step};
    const std::size_t count = problem.grid.count();
    solution.traction_x.assign(count, 0.0);
    solution.traction_y.assign(count, 0.0);
    solution.slip_x.assign(count, 0.0);
    solution.slip_y.assign(count, 0.0);
    solution.element_division.assign(count, ElementState::exterior);
    for (int ix = 8; ix < 18; ++ix) {
      const std::size_t i = problem.grid.index(ix, 1);
      solution.traction_x[i] = -100.0 - 7.0 * ix;
      solution.slip_x[i] = 0.01 + 0.002 * (ix % 3);
      solution.element_division[i] = ElementState::slip;
    }
  }

  [[nodiscard]] const StepInput& step() const { return problem.steps.front(); }
};

// A ball of steel on a plane of steel.
ContactProblem ball_on_plane() {
  ContactProblem problem;
  problem.upper = problem.lower = {82000.0, 0.28};
  problem.grid = {17, 15, 0.16, 0.18, -1.28, -1.26, Boundary::free};
  problem.geometry = {QuadraticShape{0.005, 0.0, 0.005}};
  HeatRequest heat;
  heat.bodies = {ThermalBody{0.05, 450.0, 7.85e-6, 20.0}, ThermalBody{0.05, 450.0, 7.85e-6, 60.0}};
  problem.surface.heat = heat;
  StepInput step;
  step.friction.coefficient = 0.3;
  step.normal = {NormalControl::force, 1500.0};
  problem.steps = {step};
  return problem;
}

StepInput rolling_step(const ContactProblem& problem, TangentialProblem kind) {
  StepInput step = problem.steps.front();
  step.tangential.problem = kind;
  step.tangential.step = problem.grid.dx;
  step.tangential.velocity = 1000.0;
  step.tangential.x.value = -0.01;
  return step;
}

StepInput sliding_step(const ContactProblem& problem, double way_x, double way_y, double duration) {
  StepInput step = problem.steps.front();
  step.tangential.problem = TangentialProblem::shift;
  step.tangential.x.value = way_x;
  step.tangential.y.value = way_y;
  step.tangential.duration = duration;
  return step;
}

double most_apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

double most_apart_in_contact(const ContactSolution& solution) {
  double most = 0.0;
  for (std::size_t i = 0; i < solution.element_division.size(); ++i)
    if (solution.element_division[i] != ElementState::exterior)
      most =
          std::max(most, std::fabs(solution.temperature_upper[i] - solution.temperature_lower[i]));
  return most;
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("conduction: a uniform stationary square, at once and in the steady state") {
    // q per area through a square of the side 2 l: in the middle 4 q l log(1 + sqrt(2))/(pi k) in
    // the end, which is 1.122 q l/k, the potential of the square over 2 pi k; initially
    // 2 q sqrt(t/pi)/beta, as in one dimension.
    const Grid square{1, 1, 2.0, 2.0, 0.0, 0.0, Boundary::free};
    const double beta = heated_steel(HeatConduction::half_space).penetration;
    const auto middle = [&](double duration) {
      return conduction_table(square, {0.0, duration}, HeatConduction::half_space).values[0];
    };
    CHECK(
        middle(1.0e12) ==
        test::near(4.0 * std::log(1.0 + std::numbers::sqrt2) / (kMemoryPi * kConductivity), 1e-3));
    const double short_time = 0.003 / kDiffusivity;
    CHECK(middle(short_time) == test::near(2.0 * std::sqrt(short_time / kMemoryPi) / beta, 1e-6));
    // In between the closed form has no elementary part: Simpson over sqrt(t) of erf^2.
    const double time = 0.5 / kDiffusivity;
    constexpr int kPieces = 2000;
    double sum = 0.0;
    for (int k = 1; k <= kPieces; ++k) {
      const double root = std::sqrt(time) * k / kPieces;
      const double strip = std::erf(1.0 / (2.0 * std::sqrt(kDiffusivity) * root));
      sum += (k == kPieces ? 1.0 : (k % 2 == 1 ? 4.0 : 2.0)) * strip * strip;
    }
    sum = (sum + 1.0) * std::sqrt(time) / (3.0 * kPieces);
    CHECK(middle(time) == test::near(2.0 * sum / (beta * std::sqrt(kMemoryPi)), 1e-3));
  }

  TEST_CASE("conduction: a band that moves at any Peclet number [Jaeger]") {
    // (2 q kappa/(pi k V)) times the integral of exp(u) K_0(|u|) over V (x -+ l)/(2 kappa).
    const Grid band{41, 1, 2.0 / 21.0, 1.0e6, 0.0, 0.0, Boundary::free};
    for (const double peclet : {0.2, 2.0, 10.0, 50.0}) {
      const double velocity = 2.0 * kDiffusivity * peclet;  // l = 1
      const double duration = 1.0e7 / velocity;
      const InfluenceTable table =
          conduction_table(band, {0.0, duration, -velocity * duration}, HeatConduction::half_space);
      for (const int at : {-15, -6, 0, 9}) {  // places in elements; the load is -10 to 10
        double sum = 0.0;
        for (int jx = -10; jx <= 10; ++jx) sum += *table.at(at - jx, 0);
        const double x = at * band.dx;
        // Material moves in -x: what is behind, at smaller x, is warmer.
        const double exact = 2.0 * kDiffusivity / (kMemoryPi * kConductivity * velocity) *
                             moving_band(-peclet * (1.0 + x), peclet * (1.0 - x));
        CHECK(sum == test::near(exact, 2e-3));
      }
    }
  }

  TEST_CASE("conduction: along x, along y and obliquely the same heat is behind") {
    const Grid grid{21, 21, 0.1, 0.1, 0.0, 0.0, Boundary::free};
    const double way = 1.3;
    const double duration = 0.02;
    const InfluenceTable x =
        conduction_table(grid, {0.0, duration, -way}, HeatConduction::half_space);
    const InfluenceTable y =
        conduction_table(grid, {0.0, duration, 0.0, -way}, HeatConduction::half_space);
    for (int k = -20; k <= 20; ++k)
      for (int j = -20; j <= 20; ++j) CHECK(*x.at(k, j) == test::near(*y.at(j, k), 1e-12));
    const double part = way / std::numbers::sqrt2;
    const InfluenceTable oblique =
        conduction_table(grid, {0.0, duration, -part, -part}, HeatConduction::half_space);
    // Some 7 elements behind, where a small square looks the same from the side and obliquely.
    CHECK(*oblique.at(-5, -5) == test::near(0.5 * (*x.at(-7, 0) + *y.at(0, -7)), 0.05));
    // All heat is still there: of an insulated surface the integral over all places and the depth
    // is the heat that entered; over the surface alone it is 1/(beta sqrt(pi tau)) times that heat.
    const Grid wide{201, 201, 0.1, 0.1, 0.0, 0.0, Boundary::free};
    const InfluenceTable far = conduction_table(wide, {0.5 * duration, duration, -part, -part},
                                                HeatConduction::half_space);
    double sum = 0.0;
    for (const double value : far.values) sum += value;
    const double beta = heated_steel(HeatConduction::half_space).penetration;
    CHECK(sum == test::near(2.0 / (beta * std::sqrt(kMemoryPi)) * std::sqrt(duration) *
                                (std::sqrt(1.5) - std::sqrt(0.5)),
                            1e-9));
  }

  TEST_CASE("conduction: along a period the heat of all images is there, and none is lost") {
    const int n = 8;
    const double duration = 0.02;
    const double period = n * 0.1;
    // Standing, by less and by more than a period, obliquely; the present window and one before.
    for (const HeatConduction conduction : {HeatConduction::half_space, HeatConduction::depth})
      for (const HeatWindow& window :
           {HeatWindow{0.0, duration}, HeatWindow{0.0, duration, -0.37, 0.0},
            HeatWindow{0.0, duration, 1.93, -0.51},
            HeatWindow{0.5 * duration, duration, 0.83, 0.21, -1.7, 0.4}}) {
        CAPTURE(window.way_x);
        const int images = 12;  // heat spreads by 1.3, less than two periods
        const Grid wide{n * images, n * images, 0.1, 0.1, 0.0, 0.0, Boundary::free};
        const InfluenceTable free = conduction_table(wide, window, conduction);
        for (const Boundary boundary :
             {Boundary::periodic, Boundary::periodic_x, Boundary::periodic_y}) {
          const Grid grid{n, n, 0.1, 0.1, 0.0, 0.0, boundary};
          const InfluenceTable table = conduction_table(grid, window, conduction);
          const int around_x = repeats_in_x(boundary) ? images - 1 : 0;
          const int around_y = repeats_in_y(boundary) ? images - 1 : 0;
          double sum = 0.0;
          for (int ky = 1 - n; ky < n; ++ky)
            for (int kx = 1 - n; kx < n; ++kx) {
              double wanted = 0.0;
              for (int jy = -around_y; jy <= around_y; ++jy)
                for (int jx = -around_x; jx <= around_x; ++jx)
                  wanted += *free.at(kx + n * jx, ky + n * jy);
              CHECK(*table.at(kx, ky) == test::near(wanted, 1e-9));
              if (kx >= 0 && ky >= 0) sum += *table.at(kx, ky);
            }
          if (boundary != Boundary::periodic) continue;
          // Uniform flux: one dimension.
          const double beta = heated_steel(conduction).penetration;
          const double roots = std::sqrt(window.age + duration) - std::sqrt(window.age);
          CHECK(sum == test::near(2.0 * roots / (beta * std::sqrt(kMemoryPi)), 1e-9));
        }
      }
    // A thousand periods in a step, and spread over as many.
    const Grid grid{n, 1, 0.1, 0.1, 0.0, 0.0, Boundary::periodic};
    const InfluenceTable far =
        conduction_table(grid, {0.0, 1.0e6, 1000.3 * period}, HeatConduction::half_space);
    double sum = 0.0;
    for (int kx = 0; kx < n; ++kx) sum += *far.at(kx, 0);
    const double beta = heated_steel(HeatConduction::half_space).penetration;
    CHECK(sum == test::near(2.0e3 / (beta * std::sqrt(kMemoryPi)), 1e-9));
  }

  TEST_CASE(
      "conduction: an oblique slide over a period, by quadrature, and over a million elements") {
    // (1) of THEORY.md 15.5 with all images, by the midpoint rule over sqrt(tau). At a tenth of the
    // time the heat has spread over two periods along y, at 0.4 of it also along x.
    const Grid grid{4, 3, 0.1, 0.07, 0.0, 0.0, Boundary::periodic};
    const double beta = heated_steel(HeatConduction::half_space).penetration;
    const double duration = 2.5 * 0.4 * 0.4 / kDiffusivity;
    const HeatWindow window{0.0, duration, 3.1, -0.9};
    const InfluenceTable table = conduction_table(grid, window, HeatConduction::half_space);
    const auto share = [](double at, double side, double period, double width) {
      double sum = 0.0;
      for (int image = -25; image <= 25; ++image) {
        const double place = at + image * period;
        sum +=
            0.5 * (std::erf((place + 0.5 * side) / width) - std::erf((place - 0.5 * side) / width));
      }
      return sum;
    };
    constexpr int kPieces = 1500;
    for (const auto& [kx, ky] : {std::array{0, 0}, std::array{3, -1}, std::array{-2, 1}}) {
      double sum = 0.0;
      for (int k = 0; k < kPieces; ++k) {
        const double tau = duration * std::pow((k + 0.5) / kPieces, 2);
        const double width = 2.0 * std::sqrt(kDiffusivity * tau);
        sum += share(kx * grid.dx - window.way_x * tau / duration, grid.dx, 0.4, width) *
               share(ky * grid.dy - window.way_y * tau / duration, grid.dy, 0.21, width);
      }
      sum *= 2.0 * std::sqrt(duration) / (kPieces * beta * std::sqrt(kMemoryPi));
      CHECK(*table.at(kx, ky) == test::near(sum, 1e-3));  // its stretches
    }
    // Far: heat is the same everywhere, or its sum is that of one dimension.
    const HeatWindow far{0.0, 1.0e9, 1.1e5, -0.4e5};
    const double all = 2.0 * std::sqrt(far.duration / kMemoryPi) / beta;
    for (const double value : conduction_table(grid, far, HeatConduction::half_space).values)
      CHECK(value == test::near(all / 12.0, 1e-4));
    const InfluenceTable depth = conduction_table(grid, far, HeatConduction::depth);
    double sum = 0.0;
    for (int ky = 0; ky < grid.my; ++ky)
      for (int kx = 0; kx < grid.mx; ++kx) sum += *depth.at(kx, ky);
    CHECK(sum == test::near(all, 1e-9));
  }

  TEST_CASE(
      "conduction: material on the border of two elements, at rest or nearly, keeps its heat") {
    for (const double since : {0.05, -0.05, 0.15}) {
      for (const double way : {0.0, 1.0e-19, -1.0e-19, 1.0e-17, -1.0e-17, 3.0e-18, -3.0e-18}) {
        CAPTURE(since);
        CAPTURE(way);
        const Grid grid{5, 1, 0.1, 0.1, 0.0, 0.0, Boundary::free};
        const InfluenceTable table =
            conduction_table(grid, {1.0, 3.0, way, 0.0, since}, HeatConduction::depth);
        double sum = 0.0;
        for (const double value : table.values) sum += value;
        const double beta = heated_steel(HeatConduction::depth).penetration;
        CHECK(sum == test::near(2.0 / (beta * std::sqrt(kMemoryPi))));  // sqrt(4) - sqrt(1)
      }
    }
  }

  TEST_CASE("heat step by step: the rough contact of two periods is as warm as that of one") {
    for (const Boundary boundary : {Boundary::periodic, Boundary::periodic_y}) {
      ContactProblem problem = ball_on_plane();
      problem.grid = {12, 10, 0.16, 0.18, 0.0, 0.0, boundary};
      HeightsShape shape;
      for (int i = 0; i < 120; ++i) shape.values.push_back(1.0e-3 * ((7 * i * i + 3 * i) % 11));
      problem.geometry = {shape};
      problem.steps.front().normal.value = 900.0;
      problem.steps = {sliding_step(problem, 2.0, -0.5, 0.02)};
      const auto one = make_cpu_solver(problem);
      ContactProblem doubled = problem;
      doubled.grid.my *= 2;
      auto& heights = std::get<HeightsShape>(doubled.geometry[0]).values;
      heights.insert(heights.end(), shape.values.begin(), shape.values.end());
      doubled.steps.front().normal.value *= 2.0;
      const auto two = make_cpu_solver(doubled);
      const double far = 0.5 * (20.0 + 60.0);
      for (int n = 0; n < 3; ++n) {
        const StepReport of_one = one->advance(problem.steps.front());
        const StepReport of_two = two->advance(doubled.steps.front());
        REQUIRE(of_one.outcome == Outcome::converged);
        REQUIRE(of_two.outcome == Outcome::converged);
        CHECK(*of_two.surface.heat_upper == test::near(2.0 * *of_one.surface.heat_upper));
      }
      const std::vector<double> warm = one->download().temperature_upper;
      const std::vector<double> twice = two->download().temperature_upper;
      CHECK(*std::max_element(warm.begin(), warm.end()) > far);
      for (std::size_t i = 0; i < twice.size(); ++i)
        CHECK(twice[i] == test::near(warm[i % warm.size()], 1e-6));  // tolerance
    }
  }

  TEST_CASE("heat step by step: rolling comes to the steady temperatures, and stays there") {
    for (const auto& [lower, creepage] : {std::pair{20.0, 0.0}, {90.0, 0.0}, {20.0, 0.6}}) {
      for (const double direction : {0.0, kMemoryPi}) {
        GivenStep given(TangentialProblem::transient_rolling, 20.0, lower);
        given.report.rigid_x = creepage;  // the slower body passes .7 of an element in a step
        given.problem.steps[0].tangential.direction = direction;
        HeatMemory memory(given.problem);
        HeatedStep heated;
        for (int n = 0; n < 40; ++n) {  // the grid is 24 elements long
          heated = memory.after(given.step(), given.solution, given.report);
          memory.keep(given.step(), heated.pulse);
        }
        const SurfaceTemperatures steady =
            step_temperatures(given.problem, given.step(), given.report, given.solution);
        for (std::size_t i = 0; i < given.problem.grid.count(); ++i) {
          const bool inside = given.solution.element_division[i] != ElementState::exterior;
          // Elements have their mean of what one body conducts into the other: behind the contact
          // it is not quite the root's.
          const double apart = lower == 20.0 || inside ? 1e-9 : 0.02 * 70.0;
          for (std::size_t body = 0; body < 2; ++body)
            CHECK(std::fabs(heated.surface.temperature[body][i] - steady.temperature[body][i]) <=
                  apart);
        }
        CHECK(heated.surface.heat[0] + heated.surface.heat[1] ==
              test::near(steady.heat[0] + steady.heat[1], 1e-9));
        CHECK(heated.surface.heat[0] == test::near(steady.heat[0], 0.02));
      }
    }
  }

  TEST_CASE("heat step by step: a transient step on top of a steady one changes nothing") {
    GivenStep given(TangentialProblem::steady_rolling, 20.0, 20.0);
    HeatMemory memory(given.problem);
    const HeatedStep steady = memory.after(given.step(), given.solution, given.report);
    memory.keep(given.step(), steady.pulse);
    StepInput step = given.step();
    step.tangential.problem = TangentialProblem::transient_rolling;
    step.tangential.step = 0.2;  // of an element of 0.5
    for (std::size_t i = 0; i < given.solution.slip_x.size(); ++i) given.solution.slip_x[i] *= 0.4;
    const HeatedStep heated = memory.after(step, given.solution, given.report);
    for (std::size_t body = 0; body < 2; ++body)
      CHECK(most_apart(heated.surface.temperature[body], steady.surface.temperature[body]) < 1e-9);
  }

  TEST_CASE("heat step by step: many short slides are one long one, and old ones are joined") {
    GivenStep given(TangentialProblem::shift, 20.0, 20.0);
    given.report.rigid_x = 0.6;
    given.report.rigid_y = 0.0;
    HeatMemory memory(given.problem);
    HeatedStep heated;
    SolverState state;
    for (int n = 0; n < 150; ++n) {
      heated = memory.after(given.step(), given.solution, given.report);
      memory.keep(given.step(), heated.pulse);
    }
    memory.save(state);
    CHECK(state.at("heat_flux_upper").size() < 60 * given.problem.grid.count());
    GivenStep once = given;
    once.problem.steps[0].tangential.duration *= 150.0;
    once.report.rigid_x *= 150.0;
    for (double& slip : once.solution.slip_x) slip *= 150.0;
    const HeatedStep all = HeatMemory(once.problem).after(once.step(), once.solution, once.report);
    // The partition changes with time, which one step has once.
    for (std::size_t i = 0; i < given.problem.grid.count(); ++i)
      CHECK(heated.surface.temperature[0][i] - 20.0 ==
            test::near(all.surface.temperature[0][i] - 20.0, 0.05));
    CHECK(all.surface.heat[0] + all.surface.heat[1] ==
          test::near(heated.surface.heat[0] + heated.surface.heat[1], 1e-9));
  }

  TEST_CASE("heat step by step: strong and weak heat of equal slides stay apart") {
    GivenStep given(TangentialProblem::shift, 20.0, 20.0);
    ContactProblem& problem = given.problem;
    const Grid& grid = problem.grid;
    problem.surface.heat->bodies[1] = problem.surface.heat->bodies[0];
    ContactSolution apart = given.solution;  // nothing in contact: all the heat is of before
    apart.element_division.assign(grid.count(), ElementState::exterior);
    const int source = 8;
    const auto flux_of = [](int n, int steps) {
      return steps < 20 ? (n == 0 ? 100.0 : 10.0) : 50.0 + 50.0 * std::sin(1.7 * n);
    };
    for (const HeatConduction conduction : {HeatConduction::depth, HeatConduction::half_space})
      for (const int steps : {16, 150}) {
        problem.surface.heat->conduction = conduction;
        HeatMemory memory(problem);
        std::vector<double> expected(static_cast<std::size_t>(grid.mx), 20.0);
        HeatWindow window{0.0, given.step().tangential.duration, 0.0, 0.0};
        for (int n = 0; n < steps; ++n) {
          HeatPulse pulse;
          pulse.duration = 0.01;
          pulse.way_x[0] = 0.9;  // nearly two elements; afterwards, all of it lies ahead
          for (std::vector<double>& flux : pulse.flux) flux.assign(grid.count(), 0.0);
          pulse.flux[0][grid.index(source, 1)] = flux_of(n, steps);
          memory.keep(given.step(), pulse);
        }
        for (int n = steps; n-- > 0;) {
          window = {window.age + window.duration,  0.01, 0.9, 0.0,
                    window.since_x + window.way_x, 0.0};
          const InfluenceTable table = conduction_table(grid, window, conduction);
          for (int ix = 0; ix < grid.mx; ++ix)
            expected[static_cast<std::size_t>(ix)] +=
                flux_of(n, steps) *
                table.values[static_cast<std::size_t>(grid.my - 1) * table.width() +
                             static_cast<std::size_t>(ix - source + grid.mx - 1)];
        }
        SolverState state;
        memory.save(state);
        CHECK(state.at("heat_flux_upper").size() <= 64 * grid.count());
        const auto found = memory.after(given.step(), apart, {}).surface.temperature[0];
        const double most = *std::max_element(expected.begin(), expected.end()) - 20.0;
        CHECK(most > 0.0);
        CAPTURE(steps);
        // Equal ones of 16 steps are joined, to the error of a half-space's integrals; of 150
        // unlike ones the old.
        for (int ix = 0; ix < grid.mx; ++ix)
          CHECK(found[grid.index(ix, 1)] == test::within(expected[static_cast<std::size_t>(ix)],
                                                         (steps < 20 ? 1e-4 : 0.01) * most));
      }
  }

  TEST_CASE("heat step by step: slides of unlike lengths and times are joined as well, when old") {
    GivenStep given(TangentialProblem::shift, 20.0, 20.0);
    ContactProblem& problem = given.problem;
    problem.surface.heat->bodies[1] = problem.surface.heat->bodies[0];
    const Grid& grid = problem.grid;
    ContactSolution apart = given.solution;
    apart.element_division.assign(grid.count(), ElementState::exterior);
    constexpr int kSteps = 150;
    const auto flux_at = [&](int n, int ix) {
      return ix > 1 && ix < 22 ? (60.0 + 10.0 * std::sin(1.7 * n)) * std::sin(0.15 * (ix - 1))
                               : 0.0;
    };
    for (const HeatConduction conduction : {HeatConduction::depth, HeatConduction::half_space}) {
      problem.surface.heat->conduction = conduction;
      HeatMemory memory(problem);
      std::vector<HeatPulse> all;
      for (int n = 0; n < kSteps; ++n) {
        HeatPulse pulse;
        pulse.duration = 0.01 * (1.0 + 0.3 * std::cos(2.3 * n));
        pulse.way_x[0] = 0.02 * (1.0 + 0.5 * std::sin(0.9 * n));
        for (std::vector<double>& flux : pulse.flux) flux.assign(grid.count(), 0.0);
        for (int ix = 0; ix < grid.mx; ++ix) pulse.flux[0][grid.index(ix, 1)] = flux_at(n, ix);
        all.push_back(pulse);
        memory.keep(given.step(), std::move(pulse));
      }
      HeatWindow window{0.0, given.step().tangential.duration};
      std::vector<double> expected(static_cast<std::size_t>(grid.mx), 20.0);
      for (int n = kSteps; n-- > 0;) {
        const HeatPulse& pulse = all[static_cast<std::size_t>(n)];
        window = {window.age + window.duration,
                  pulse.duration,
                  pulse.way_x[0],
                  0.0,
                  window.since_x + window.way_x,
                  0.0};
        const InfluenceTable table = conduction_table(grid, window, conduction);
        for (int ix = 0; ix < grid.mx; ++ix)
          for (int from = 0; from < grid.mx; ++from)
            expected[static_cast<std::size_t>(ix)] +=
                flux_at(n, from) *
                table.values[static_cast<std::size_t>(grid.my - 1) * table.width() +
                             static_cast<std::size_t>(ix - from + grid.mx - 1)];
      }
      SolverState state;
      memory.save(state);
      CHECK(state.at("heat_flux_upper").size() <= 64 * grid.count());
      const auto found = memory.after(given.step(), apart, {}).surface.temperature[0];
      const double most = *std::max_element(expected.begin(), expected.end()) - 20.0;
      double off = 0.0;
      for (int ix = 0; ix < grid.mx; ++ix)
        off = std::max(
            off, std::fabs(found[grid.index(ix, 1)] - expected[static_cast<std::size_t>(ix)]));
      CHECK(off < 0.005 * most);  // of the joined ones
    }
  }

  TEST_CASE("heat step by step: the steps of a long roll are within what a run is said to take") {
    GivenStep given(TangentialProblem::transient_rolling, 20.0, 20.0);
    ContactProblem& problem = given.problem;
    problem.steps[0].tangential.step *= 0.05;  // none leaves the grid
    for (const int steps : {3, 200}) {
      problem.steps[0].repeat = steps;
      HeatMemory memory(problem);
      for (int n = 0; n < steps; ++n) {
        for (double& traction : given.solution.traction_x) traction *= n % 2 == 0 ? 1.2 : 1.0 / 1.2;
        memory.keep(given.step(), memory.after(given.step(), given.solution, {}).pulse);
      }
      SolverState state;
      memory.save(state);
      const std::size_t kept = 2 * state.at("heat_flux_upper").capacity();  // of both bodies
      CHECK(2 * kept * sizeof(double) < heat_memory_bytes(problem));        // here and in a state
      CHECK(kept <= 2 * 64 * problem.grid.count());
      CHECK(heat_memory_bytes(problem) + (std::size_t{1} << 20) < estimated_bytes(problem));
    }
  }
}

TEST_SUITE("unit") {
  TEST_CASE("heat step by step: the Peclet number of a slide is that of the body that passes") {
    ContactProblem problem = ball_on_plane();
    HeatRequest& heat = *problem.surface.heat;
    heat.bodies[1].conductivity *= 5.0;
    std::array<double, 2> peclet{};
    for (const Body on : {Body::upper, Body::lower}) {
      heat.contact_on = on;
      problem.steps = {sliding_step(problem, 20.0, -5.0, 0.2)};
      const StepReport report = make_cpu_solver(problem)->advance(problem.steps.front());
      REQUIRE(report.surface.peclet_number);
      peclet[static_cast<std::size_t>(on)] = *report.surface.peclet_number;
    }
    const auto diffusivity = [&](std::size_t body) {
      return heat.bodies[body].conductivity /
             (heat.bodies[body].density * heat.bodies[body].capacity);
    };
    CHECK(peclet[0] * diffusivity(1) == test::near(peclet[1] * diffusivity(0), 1e-9));
  }

  TEST_CASE(
      "heat step by step: without contact there is neither a temperature nor a Peclet number") {
    ContactProblem problem = ball_on_plane();
    StepInput apart = sliding_step(problem, 20.0, -5.0, 0.2);
    apart.normal = {NormalControl::approach, -1.0};
    problem.steps = {sliding_step(problem, 20.0, -5.0, 0.2), apart};
    const auto solver = make_cpu_solver(problem);
    CHECK(solver->advance(problem.steps[0]).surface.peclet_number);
    const SurfaceNumbers after = solver->advance(apart).surface;
    CHECK(!after.max_temperature);
    CHECK(!after.peclet_number);
  }

  TEST_CASE("heat step by step: in a slide both surfaces agree, and the moving one takes more") {
    ContactProblem problem = ball_on_plane();
    HeatRequest& heat = *problem.surface.heat;
    heat.bodies[0].temperature = heat.bodies[1].temperature = 20.0;
    std::array<double, 2> greatest{};
    for (const Body on : {Body::upper, Body::lower}) {
      heat.contact_on = on;
      problem.steps = {sliding_step(problem, 20.0, -5.0, 0.2)};
      const auto solver = make_cpu_solver(problem);
      const StepReport report = solver->advance(problem.steps.front());
      const SurfaceNumbers& numbers = report.surface;
      REQUIRE(report.outcome == Outcome::converged);
      CHECK(most_apart_in_contact(solver->download()) < 1.0e-7 * (*numbers.max_temperature - 20.0));
      CHECK(*numbers.heat_upper + *numbers.heat_lower ==
            test::near(-report.friction_work / 0.2, 1e-9));
      const double still = on == Body::upper ? *numbers.heat_upper : *numbers.heat_lower;
      const double moving = on == Body::upper ? *numbers.heat_lower : *numbers.heat_upper;
      CHECK(moving > 1.3 * still);
      CHECK(*numbers.peclet_number > 2.0);
      greatest[static_cast<std::size_t>(on)] = *numbers.max_temperature;
    }
    // Equal bodies: the mirror image, up to the asymmetry of the grid.
    CHECK(greatest[0] == test::near(greatest[1], 1e-3));
  }

  TEST_CASE("heat step by step: a turn about a distant origin slides as the shift that it makes") {
    const auto greatest = [](double away_x, double away_y) {
      ContactProblem problem = ball_on_plane();
      problem.grid.x0 += away_x;
      problem.grid.y0 += away_y;
      problem.geometry = {QuadraticShape{0.005, 0.0, 0.005, -0.01 * away_x, -0.01 * away_y,
                                         0.005 * (away_x * away_x + away_y * away_y)}};
      StepInput step = sliding_step(problem, 2.0, -1.0, 0.02);
      step.tangential.rotation = 0.05;
      step.tangential.x.value += step.tangential.rotation * away_y;
      step.tangential.y.value -= step.tangential.rotation * away_x;
      problem.steps = {step, step};
      const auto solver = make_cpu_solver(problem);
      solver->advance(step);
      const StepReport report = solver->advance(step);
      REQUIRE(report.outcome == Outcome::converged);
      return std::array{*report.surface.max_temperature, *report.surface.peclet_number,
                        *report.surface.heat_lower};
    };
    const auto here = greatest(0.0, 0.0);
    const auto there = greatest(80.0, -60.0);
    for (std::size_t k = 0; k < here.size(); ++k)
      CHECK(there[k] == test::near(here[k], 1e-6));  // tolerance
  }

  TEST_CASE("heat step by step: a state restored continues with the same bits") {
    for (const bool rolls : {true, false}) {
      ContactProblem problem = ball_on_plane();
      StepInput step = rolls ? rolling_step(problem, TangentialProblem::transient_rolling)
                             : sliding_step(problem, 0.5, 0.1, 0.01);
      step.friction.place = FrictionByTemperature{{0.0, 400.0}, {0.3, 0.1}};
      problem.steps = {step};
      const auto solver = make_cpu_solver(problem);
      for (int n = 0; n < 3; ++n) REQUIRE(solver->advance(step).outcome == Outcome::converged);
      const auto other = make_cpu_solver(problem);
      other->restore(solver->state(), step);
      CHECK(other->download().temperature_upper == solver->download().temperature_upper);
      const StepReport next = solver->advance(step);
      const StepReport resumed = other->advance(step);
      CHECK(resumed.force_x == next.force_x);
      CHECK(*resumed.surface.heat_upper == *next.surface.heat_upper);
      CHECK(other->download().temperature_lower == solver->download().temperature_lower);
      CHECK(*next.surface.max_temperature > 25.0);
    }
  }

  TEST_CASE("friction by temperature: it agrees with the temperatures in transient steps") {
    ContactProblem problem = ball_on_plane();
    StepInput step = rolling_step(problem, TangentialProblem::transient_rolling);
    step.tangential.x.value = -0.03;
    step.tangential.velocity = 5000.0;
    problem.steps = {step};
    // A constant law needs no rounds: they leave the steps before as they were.
    StepInput even = step;
    even.friction.place = FrictionByTemperature{{0.0, 400.0}, {0.3, 0.3}};
    StepInput falls = step;
    const FrictionByTemperature law{{20.0, 320.0}, {0.3, 0.1}};
    falls.friction.place = law;
    const auto plain = make_cpu_solver(problem);
    const auto same = make_cpu_solver(problem);
    const auto warm = make_cpu_solver(problem);
    for (int n = 0; n < 4; ++n) {
      const StepReport expected = plain->advance(step);
      CHECK(same->advance(even).force_x == test::near(expected.force_x, 1e-5));
      const StepReport report = warm->advance(falls);
      REQUIRE(report.outcome == Outcome::converged);
      CHECK(std::fabs(report.force_x) < std::fabs(expected.force_x));
      const ContactSolution solution = warm->download();
      for (std::size_t i = 0; i < solution.pressure.size(); ++i)
        CHECK(solution.traction_bound[i] ==
              test::within(law.at(solution.temperature_upper[i]) * solution.pressure[i],
                           1e-4 * 200.0));
    }
  }

  TEST_CASE("conduction: an oblique slide that would take hours is refused, one along x is not") {
    const Grid grid{512, 512, 0.001, 0.001, 0.0, 0.0, Boundary::periodic};
    const auto slide = [&](double way_y) {
      refuse_long_conduction(conduction_work(heated_steel(HeatConduction::half_space),
                                             {0.0, 0.01, 100.0, way_y}, grid));
    };
    CHECK_NOTHROW(slide(0.0));
    CHECK_THROWS_WITH_AS(slide(-50.0), doctest::Contains("slides along x or y"), InputError);
  }

  TEST_CASE(
      "conduction: the same oblique slide in many steps is refused, before anything is computed") {
    // Each step takes 0.4 of the work that is accepted.
    GivenStep given(TangentialProblem::shift, 0.0, 0.0);
    HeatRequest& heat = *given.problem.surface.heat;
    heat.conduction = HeatConduction::half_space;
    heat.bodies[1] = heat.bodies[0];  // steel: heat does not spread over the grid meanwhile
    given.problem.grid = {512, 512, 0.001, 0.001, 0.0, 0.0, Boundary::periodic};
    const std::size_t count = given.problem.grid.count();
    for (auto* field : {&given.solution.traction_x, &given.solution.traction_y,
                        &given.solution.slip_x, &given.solution.slip_y})
      field->assign(count, 0.0);
    given.solution.element_division.assign(count, ElementState::exterior);
    given.report.rigid_x = 20.0;
    given.report.rigid_y = -8.0;
    StepInput step = given.step();
    step.tangential.duration = 0.001;
    HeatMemory memory(given.problem);
    HeatPulse pulse;
    pulse.duration = step.tangential.duration;
    pulse.way_x = {0.0, -20.0};
    pulse.way_y = {0.0, 8.0};
    for (std::vector<double>& flux : pulse.flux) flux.assign(count, 0.0);
    const HeatWindow one{0.0, pulse.duration, -20.0, 8.0};
    const HeatedMaterial steel = heated_steel(HeatConduction::half_space);
    CHECK_NOTHROW(refuse_long_conduction(2.0 * conduction_work(steel, one, given.problem.grid)));
    for (int k = 0; k < 3; ++k) memory.keep(step, pulse);
    CHECK_THROWS_WITH_AS(memory.after(step, given.solution, given.report),
                         doctest::Contains("the work that is accepted for a step"), InputError);
  }

  TEST_CASE("heat: steps without a time, half-spaces in steady rolling and memory are refused") {
    ContactProblem problem = ball_on_plane();
    const auto first_of = [&](const StepInput& step) {
      const std::vector<Fault> faults = check_surface(problem.surface, {step});
      REQUIRE(!faults.empty());
      return faults.front();
    };
    CHECK(first_of(problem.steps.front()).field == "heat.steps");
    CHECK(first_of(sliding_step(problem, 1.0, 0.0, 0.0)).field == "heat.steps");
    CHECK(check_surface(problem.surface, {sliding_step(problem, 1.0, 0.0, 0.1)}).empty());
    StepInput oblique = rolling_step(problem, TangentialProblem::steady_rolling);
    oblique.tangential.direction = 0.3;
    CHECK(first_of(oblique).field == "heat.steps");
    oblique.tangential.problem = TangentialProblem::transient_rolling;
    CHECK(check_surface(problem.surface, {oblique}).empty());
    FrictionByTemperature law{{0.0, 9.0}, {0.3, 0.2}};
    law.memory_distance = 1.0;
    oblique.friction.place = law;
    CHECK(first_of(oblique).field == "steps[0].friction.coefficient.memory_distance");
    problem.surface.heat->conduction = HeatConduction::half_space;
    CHECK(first_of(rolling_step(problem, TangentialProblem::steady_rolling)).field ==
          "heat.conduction");
  }
}

}  // namespace slipfield
