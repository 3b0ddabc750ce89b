// SPDX-License-Identifier: Apache-2.0
// Wear and damage: laws by hand, Archard's volume, sums against the solver's totals.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/influence/curved_tables.h"
#include "solver/influence/influence_table.h"
#include "solver/surface/surface_fields.h"
#include "solver/surface/wear.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

constexpr double kHardness = 3000.0;

// An ellipse in steady rolling; scale: from the lengths of N-mm-s to those of the units.
ContactProblem ellipse(double creepage, double spin, Units units = Units::n_mm_s) {
  const double length = units == Units::si ? 1.0e-3 : 1.0;
  ContactProblem problem;
  problem.units = units;
  problem.upper = problem.lower = {82000.0 / (length * length), 0.28};
  problem.grid = {22, 18, 0.6 * length, 0.5 * length, -6.6 * length, -4.5 * length, Boundary::free};
  QuadraticShape shape;
  shape.xx = 0.0008 / length;
  shape.yy = 0.0015 / length;
  problem.geometry = {shape};
  StepInput step;
  step.friction.coefficient = 0.3;
  step.normal.value = 40000.0;
  step.tangential.problem = TangentialProblem::steady_rolling;
  step.tangential.x.value = creepage;
  step.tangential.rotation = spin / length;
  step.tangential.step = problem.grid.dx;
  step.tangential.velocity = 20000.0 * length;
  problem.steps = {step};
  WearRequest wear;
  wear.coefficient.value = {1.0e-4};
  wear.hardness = kHardness / (length * length);
  wear.passes = 1000.0;
  problem.surface.wear = wear;
  return problem;
}

struct Solved {
  StepReport report;
  ContactSolution solution;
};

Solved solve(const ContactProblem& problem) {
  const auto solver = make_cpu_solver(problem);
  Solved result;
  for (const StepInput& step : problem.steps) {
    result.report = solver->advance(step);
    REQUIRE(result.report.outcome == Outcome::converged);
  }
  result.solution = solver->download();
  add_surface(problem, problem.steps.back(), result.solution, result.report);
  return result;
}

// -dx dy sum p_t.du_t/dx, by differences of two elements.
double given_to_bodies(const ContactProblem& problem, const ContactSolution& f) {
  const Grid& grid = problem.grid;
  double work = 0.0;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 1; ix + 1 < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      work += f.traction_x[i] * (f.displacement_x[i + 1] - f.displacement_x[i - 1]) +
              f.traction_y[i] * (f.displacement_y[i + 1] - f.displacement_y[i - 1]);
    }
  return -grid.element_area() * work / (2.0 * grid.dx);
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// The same ellipse(), with x and y exchanged.
void exchange_axes(ContactProblem& problem) {
  const Grid g = problem.grid;
  problem.grid = {g.my, g.mx, g.dy, g.dx, g.y0, g.x0, g.boundary};
  QuadraticShape shape;
  shape.xx = 0.0015;
  shape.yy = 0.0008;
  problem.geometry = {shape};
  Tangential& rolling = problem.steps.front().tangential;
  std::swap(rolling.x, rolling.y);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("wear: the rates by T-gamma over area, below, between and above the limits") {
    TGammaLaw law;
    CHECK(law.at(0.0) == 0.0);
    CHECK(law.at(5.0) == test::near(26.5));
    CHECK(law.at(10.3999) == test::near(5.3 * 10.3999));
    CHECK(law.at(10.4) == 55.0);
    CHECK(law.at(77.2) == 55.0);
    CHECK(law.at(100.0) == test::near(55.0 + 61.9 * 22.8));
  }

  TEST_CASE("wear: damage is 0 up to 20 N, rises to 65 N, and falls to 0 at 175 N") {
    const DamageFunction damage;
    CHECK(damage.at(0.0) == 0.0);
    CHECK(damage.at(20.0) == 0.0);
    CHECK(damage.at(42.5) == test::near(0.5));
    CHECK(damage.at(65.0) == test::near(1.0));
    CHECK(damage.at(120.0) == test::near(0.5));
    CHECK(damage.at(175.0) == 0.0);
    CHECK(damage.at(1000.0) == 0.0);
  }

  TEST_CASE("wear: a map of coefficients has one value in each range of pressure and velocity") {
    ArchardMap map;
    map.slip_velocity = {200.0, 700.0};
    map.pressure = {2400.0};
    map.value = {1.0, 2.0, 3.0, 40.0, 50.0, 60.0};
    CHECK(map.at(0.0, 10.0) == 1.0);
    CHECK(map.at(199.9, 2399.0) == 1.0);
    CHECK(map.at(200.0, 10.0) == 2.0);
    CHECK(map.at(5000.0, 10.0) == 3.0);
    CHECK(map.at(300.0, 2400.0) == 50.0);
    CHECK(map.at(1.0, 3000.0) == 40.0);
  }

  TEST_CASE("wear: T-gamma is force times creepage and moment times spin, by element and in sum") {
    for (const RollingScheme scheme : {RollingScheme::first_order, RollingScheme::second_order})
      for (const double back : {1.0, -1.0}) {
        CAPTURE(back);
        ContactProblem problem = ellipse(-6.0e-4, 3.0e-4);
        problem.solver.rolling = scheme;
        problem.steps.front().tangential.y.value = back * 4.0e-4;
        const Solved found = solve(problem);
        const StepReport& report = found.report;
        const Tangential& rolling = problem.steps.front().tangential;
        CHECK(report.elements_slip > 0);
        CHECK(report.elements_adhesion > 0);
        const double spin = -report.moment_z * 3.0e-4;
        const double total = report.force_x * 6.0e-4 - report.force_y * back * 4.0e-4 + spin;
        CHECK(total > 0.0);
        CHECK(*report.surface.t_gamma == test::near(total, 1e-13));
        CHECK(*report.surface.t_gamma_spin == test::near(spin, 1e-13));
        // Sums of some 200 elements are formed in another order.
        const double area = problem.grid.element_area();
        CHECK(area * sum(found.solution.t_gamma_density) == test::near(total, 1e-12));
        const double elements = *report.surface.t_gamma_elements;
        CHECK(area * sum(found.solution.friction_power_density) ==
              test::near(-report.friction_work / rolling.step * rolling.velocity, 1e-12));
        if (scheme == RollingScheme::first_order)
          CHECK(elements == test::near(-report.friction_work / rolling.step, 1e-12));
        else
          CHECK(total == test::near(-report.friction_work / rolling.step, 1e-12));
      }
  }

  TEST_CASE("wear: T-gamma of a contact that nearly adheres is that of a finer grid to its error") {
    ContactProblem fine = ellipse(-5.0e-5, 0.0);
    fine.grid = {88, 72, 0.15, 0.125, -6.6, -4.5, Boundary::free};
    fine.steps.front().tangential.step = 0.15;
    fine.solver.rolling = RollingScheme::second_order;
    const double exact = *solve(fine).report.surface.t_gamma;
    for (const RollingScheme scheme : {RollingScheme::first_order, RollingScheme::second_order}) {
      ContactProblem problem = ellipse(-5.0e-5, 0.0);
      problem.grid = {44, 36, 0.3, 0.25, -6.6, -4.5, Boundary::free};
      problem.steps.front().tangential.step = 0.3;
      problem.solver.rolling = scheme;
      problem.error_estimate = true;
      const StepReport report = solve(problem).report;
      REQUIRE(report.error);
      // Bars hold to twice themselves (THEORY.md 11.6).
      CHECK(std::fabs(*report.surface.t_gamma - exact) <= 2.0 * report.error->t_gamma);
      CHECK(report.error->t_gamma <= 0.1 * exact);
      CHECK(*report.surface.t_gamma_elements < 0.6 * exact);  // few elements slip
      // Archard's volume is k/(mu H) of what is dissipated.
      const double volume = 1000.0 * 1.0e-4 / (0.3 * kHardness) * *report.surface.t_gamma;
      CHECK(*report.surface.worn_area / volume == test::near(1.0, 1e-4));  // tolerance
    }
  }

  TEST_CASE("wear: where all elements adhere, T-gamma is dissipated at the trailing edge") {
    for (const double direction : {0.0, std::numbers::pi}) {
      CAPTURE(direction);
      ContactProblem problem = ellipse(-5.0e-7, 0.0);
      problem.solver.rolling = RollingScheme::second_order;
      problem.steps.front().tangential.direction = direction;
      const auto found = solve(problem);
      const ContactSolution& solution = found.solution;
      REQUIRE(found.report.elements_slip == 0);
      const Grid& grid = problem.grid;
      double sum = 0.0;
      double behind = 0.0;
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix) {
          const double value = solution.t_gamma_density[grid.index(ix, iy)];
          CHECK(value >= 0.0);
          CHECK((solution.wear_depth[grid.index(ix, iy)] > 0.0) == (value > 0.0));
          sum += value;
          if ((grid.x(ix) < 0.0) == (direction == 0.0)) behind += value;
        }
      CHECK(grid.element_area() * sum == test::near(*found.report.surface.t_gamma, 1e-12));
      CHECK(behind == sum);
    }
  }

  TEST_CASE(
      "wear: a transient's T-gamma is what is not stored, and ends as that of steady rolling") {
    const ContactProblem steady = ellipse(-6.0e-4, 0.0);
    ContactProblem transient = steady;
    transient.steps.front().tangential.problem = TangentialProblem::transient_rolling;
    const auto solver = make_cpu_solver(transient);
    const StepInput& step = transient.steps.front();
    const auto next = [&] {
      StepReport report = solver->advance(step);
      REQUIRE(report.outcome == Outcome::converged);
      ContactSolution solution = solver->download();
      add_surface(transient, step, solution, report);
      return report;
    };
    const StepReport first = next();
    // From rest the particles have not moved before: the sum over the elements is the whole of
    // T-gamma.
    CHECK(std::fabs(*first.surface.t_gamma - *first.surface.t_gamma_elements) <=
          1e-5 * first.force_x * 6.0e-4);  // the solver's tolerance
    StepReport last = first;
    for (int i = 0; i < 120; ++i) last = next();
    const StepReport end = solve(steady).report;
    CHECK(*last.surface.t_gamma == test::near(*end.surface.t_gamma, 1e-3));
    CHECK(*last.surface.worn_area / *end.surface.worn_area == test::near(1.0, 1e-3));
  }

  TEST_CASE("wear: FASTSIM's T-gamma is force times creepage, with the spin where it acts") {
    for (const SpinSlip components : {SpinSlip::both, SpinSlip::x, SpinSlip::y}) {
      ContactProblem problem = ellipse(-6.0e-4, 3.0e-4);
      problem.solver.tangential = TangentialMethod::fastsim;
      problem.steps.front().tangential.spin_slip = components;
      const Solved found = solve(problem);
      const StepReport& report = found.report;
      double spin = 0.0;
      for (int iy = 0; iy < problem.grid.my; ++iy)
        for (int ix = 0; ix < problem.grid.mx; ++ix) {
          const std::size_t i = problem.grid.index(ix, iy);
          if (components != SpinSlip::y) spin += problem.grid.y(iy) * found.solution.traction_x[i];
          if (components != SpinSlip::x) spin -= problem.grid.x(ix) * found.solution.traction_y[i];
        }
      spin *= problem.grid.element_area() * 3.0e-4;
      CHECK(*report.surface.t_gamma_spin == test::near(spin, 1e-12));
      CHECK(*report.surface.t_gamma == test::near(report.force_x * 6.0e-4 + spin, 1e-12));
    }
  }

  TEST_CASE("wear: between unlike bodies slip dissipates T-gamma and what the pressure passes on") {
    for (const bool creeps : {false, true}) {
      CAPTURE(creeps);
      ContactProblem problem = ellipse(-6.0e-4, 3.0e-4);
      problem.lower = {8000.0, 0.1};
      problem.steps[0].normal.value = 5000.0;  // inside the grid
      if (creeps) problem.lower.creep = {{0.3, 0.01}};
      problem.steps[0].tangential.velocity = 1000.0;
      const Solved found = solve(problem);
      const SurfaceNumbers& numbers = found.report.surface;
      double slid = 0.0;
      double wearing = 0.0;
      for (std::size_t i = 0; i < found.solution.pressure.size(); ++i) {
        slid += found.solution.pressure[i] *
                std::hypot(found.solution.slip_x[i], found.solution.slip_y[i]);
        wearing += found.solution.t_gamma_density[i] * problem.grid.element_area();
      }
      // By reciprocity the tractions of elastic bodies get what the pressure gives.
      const double wanted = *numbers.t_gamma - given_to_bodies(problem, found.solution);
      CHECK(wearing == test::near(wanted, 1e-12));
      if (!creeps)
        CHECK(wanted == test::near(*numbers.t_gamma + *numbers.rolling_resistance, 1e-12));
      CHECK(std::fabs(*numbers.rolling_resistance) > 0.05 * *numbers.t_gamma);
      const double volume = 1000.0 * 1.0e-4 / kHardness * slid * problem.grid.element_area() / 0.6;
      CHECK(*numbers.worn_area / volume ==
            test::near(wanted / *numbers.t_gamma_elements, 1e-4));  // adhesion: no slip
    }
  }

  TEST_CASE("wear: what viscoelastic bodies do not get is the slip's, as finer grids show") {
    std::vector<double> part;  // of that energy, in the elements' slip
    for (const int fine : {1, 2, 4}) {
      ContactProblem problem = ellipse(-6.0e-4, 3.0e-4);
      problem.lower.creep = {{0.5, 2.0e-4}};
      Grid& grid = problem.grid;
      grid = {grid.mx * fine, grid.my * fine, grid.dx / fine, grid.dy / fine, grid.x0, grid.y0};
      problem.steps[0].tangential.step = grid.dx;
      const Solved found = solve(problem);
      const double given = given_to_bodies(problem, found.solution);
      CHECK(given > 0.03 * *found.report.surface.t_gamma);
      part.push_back(*found.report.surface.t_gamma_elements /
                     (*found.report.surface.t_gamma - given));
    }
    // Errors of the first order.
    CHECK(std::fabs(part[1] - 1.0) < 0.65 * std::fabs(part[0] - 1.0));
    CHECK(std::fabs(part[2] - 1.0) < 0.65 * std::fabs(part[1] - 1.0));
  }

  TEST_CASE("wear: bodies that are hardly unlike, or hardly creep, wear as like elastic ones") {
    constexpr double kHardly = 1.0e-9;
    ContactProblem slipping = ellipse(-6.0e-4, 3.0e-4);
    ContactProblem adhering = ellipse(-1.0e-6, 0.0);
    ContactProblem starting = slipping;
    starting.steps[0].tangential.problem = TangentialProblem::transient_rolling;
    for (const ContactProblem& like : {slipping, adhering, starting}) {
      ContactProblem unlike = like;
      unlike.lower.shear_modulus *= 1.0 + kHardly;
      ContactProblem creeping = like;
      creeping.lower.creep = {{kHardly, 1.0e-4}};
      const double worn = *solve(like).report.surface.worn_area;
      CHECK(worn > 0.0);
      for (const ContactProblem& other : {unlike, creeping})  // the tolerance is 1e-6
        CHECK(*solve(other).report.surface.worn_area == test::near(worn, 1e-5));
    }
  }

  // The coarse grid's forces and slip disagree by up to some per cent about the work.
  TEST_CASE("wear: without friction it is the limit of little friction") {
    for (const double softer : {1.0, 4.0}) {
      for (const double direction : {0.0, std::numbers::pi}) {
        for (const double load : {5000.0, 120000.0}) {  // inside the grid, and up to its ends
          CAPTURE(softer);
          CAPTURE(direction);
          CAPTURE(load);
          ContactProblem problem = ellipse(-6.0e-4, 3.0e-4);
          problem.lower.shear_modulus /= softer;
          StepInput& step = problem.steps[0];
          step.tangential.direction = direction;
          step.normal.value = load;
          step.friction.coefficient = 1.0e-9;
          const Solved little = solve(problem);
          step.friction.coefficient = 0.0;
          const Solved none = solve(problem);
          CHECK(none.report.touches_edge == (load > 5000.0));
          CHECK(*none.report.surface.t_gamma == 0.0);
          CHECK(*none.report.surface.worn_area ==
                test::near(*little.report.surface.worn_area, 1e-6));
          problem.solver.rolling = RollingScheme::second_order;  // its work is by the forces
          CHECK(solve(problem).report.friction_work == 0.0);
        }
      }
    }
  }

  TEST_CASE("wear: without friction it is the limit of little friction as rolling begins") {
    for (const double stiffer : {1.0, 10.0}) {
      for (const double direction : {0.0, std::numbers::pi}) {
        for (const std::size_t count : {1U, 3U}) {  // the load changes in the third step
          CAPTURE(stiffer);
          CAPTURE(direction);
          CAPTURE(count);
          ContactProblem problem = ellipse(4.0e-4, 1.0e-4);
          problem.lower = {stiffer * problem.lower.shear_modulus, stiffer > 1.0 ? 0.1 : 0.28};
          problem.steps[0].normal.value = 12000.0;
          problem.steps[0].tangential.problem = TangentialProblem::transient_rolling;
          problem.steps[0].tangential.direction = direction;
          problem.steps.resize(count, problem.steps[0]);
          if (count == 3) problem.steps[2].normal.value = 18000.0;
          for (StepInput& step : problem.steps) step.friction.coefficient = 1.0e-9;
          const Solved little = solve(problem);
          for (StepInput& step : problem.steps) step.friction.coefficient = 0.0;
          const Solved none = solve(problem);
          CHECK(*none.report.surface.t_gamma == 0.0);
          CHECK(*none.report.surface.worn_area ==
                test::near(*little.report.surface.worn_area, 1e-6));
        }
      }
    }
  }

  TEST_CASE("wear: does not jump as a layer begins to yield") {
    ContactProblem problem = ellipse(-6.0e-4, 3.0e-4);
    std::vector<double> worn;
    std::vector<std::int64_t> yielding;
    for (const double strength : {1.0e9, 200.0, 190.0, 180.0, 170.0, 160.0}) {
      problem.layer.yield_stress = strength;
      const Solved found = solve(problem);
      worn.push_back(*found.report.surface.worn_area);
      yielding.push_back(found.report.elements_plastic);
      double sum_of_parts = 0.0;
      for (const double value : found.solution.t_gamma_density) sum_of_parts += value;
      CHECK(problem.grid.element_area() * sum_of_parts ==
            test::near(*found.report.surface.t_gamma, 1e-12));
    }
    CHECK(yielding.front() == 0);
    CHECK(yielding.back() > 0);
    for (std::size_t k = 1; k < worn.size(); ++k)  // it was a quarter at the first such element
      CHECK(worn[k] == test::near(worn[k - 1], 0.1));
  }

  TEST_CASE(
      "rolling resistance: between patches and at the grid's end it is the coefficients' sum") {
    struct Kind {
      double weight;  // below 0: no patches
      int mx;
      double degrees;
    };
    for (const Kind kind : {Kind{-1.0, 22, 0.0}, Kind{1.0, 22, 0.0}, Kind{0.5, 22, 180.0},
                            Kind{0.0, 22, 0.0}, Kind{0.0, 22, 90.0}, Kind{-1.0, 8, 0.0},
                            Kind{-1.0, 8, 180.0}, Kind{-1.0, 6, 90.0}, Kind{0.3, 8, 0.0}}) {
      CAPTURE(kind.weight);
      CAPTURE(kind.mx);
      CAPTURE(kind.degrees);
      ContactProblem problem = ellipse(-6.0e-4, 3.0e-4);
      problem.lower = {8000.0, 0.1};
      problem.surface = {};
      if (kind.mx == 22) problem.steps[0].normal.value = 3000.0;  // within the grid
      problem.grid.mx = kind.mx;
      problem.grid.x0 = -0.5 * kind.mx * problem.grid.dx;
      const bool along_y = kind.degrees == 90.0;
      Tangential& rolling = problem.steps[0].tangential;
      rolling.direction = kind.degrees * std::numbers::pi / 180.0;
      if (along_y) {
        exchange_axes(problem);
        rolling.step = problem.grid.dy;
      }
      if (kind.weight >= 0.0) {
        problem.patches.rectangles =
            along_y ? std::vector<ContactPatches::Rectangle>{{-9.0, 9.0, -9.0, 0.0},
                                                             {-9.0, 9.0, 0.1, 9.0}}
                    : std::vector<ContactPatches::Rectangle>{{-9.0, 0.0, -9.0, 9.0},
                                                             {0.1, 9.0, -9.0, 9.0}};
        problem.patches.weights = {kind.weight};
      }
      const Solved found = solve(problem);
      CHECK(found.report.touches_edge == (kind.mx != 22));
      const Grid& grid = problem.grid;
      const ContactSolution& is = found.solution;
      // Elastic bodies lose nothing by A_nn, whose coefficients are even: A_nx = -A_xn, A_ny =
      // -A_yn alone count, on a grid that reaches one element beyond.
      Grid wide = grid;
      ++wide.mx;
      ++wide.my;
      const CombinedMaterial material = combine(problem.upper, problem.lower);
      const InfluenceTable xn = influence_table(Component::xn, wide, material);
      const InfluenceTable yn = influence_table(Component::yn, wide, material);
      const int ahead_x = along_y ? 0 : (kind.degrees == 180.0 ? -1 : 1);
      const int ahead_y = along_y ? 1 : 0;
      double loss = 0.0;
      for (std::size_t i = 0; i < grid.count(); ++i)
        for (std::size_t j = 0; j < grid.count(); ++j) {
          const auto mx = static_cast<std::size_t>(grid.mx);
          const int kx = static_cast<int>(i % mx) - static_cast<int>(j % mx);
          const int ky = static_cast<int>(i / mx) - static_cast<int>(j / mx);
          const auto by = [&](int x, int y) {
            const std::size_t at = static_cast<std::size_t>(y + wide.my - 1) * xn.width() +
                                   static_cast<std::size_t>(x + wide.mx - 1);
            return -xn.values[at] * is.traction_x[j] - yn.values[at] * is.traction_y[j];
          };
          loss +=
              is.pressure[i] * (by(kx + ahead_x, ky + ahead_y) - by(kx - ahead_x, ky - ahead_y));
        }
      loss *= grid.element_area() / (2.0 * (along_y ? grid.dy : grid.dx));
      CHECK(*found.report.surface.rolling_resistance == test::near(-loss, 1e-7));
      CHECK(*found.report.given_to_bodies == test::near(loss, 1e-7));  // by reciprocity
    }
  }

  TEST_CASE(
      "rolling resistance: of creeping bodies at the grid's end it is the coefficients' sum") {
    double forwards = 0.0;
    for (const double degrees : {0.0, 180.0, 90.0, 270.0}) {
      CAPTURE(degrees);
      const bool along_y = degrees == 90.0 || degrees == 270.0;
      const int way = degrees < 180.0 ? 1 : -1;
      ContactProblem problem = ellipse(-6.0e-4 * way, 0.0);
      problem.surface = {};
      problem.upper.creep = {{0.8, 2.0e-4}, {0.3, 0.0}};  // 4 mm of rolling, and at once
      problem.lower = {60000.0, 0.35};
      problem.lower.creep = {{0.4, 5.0e-5}};
      problem.grid.mx = 10;
      problem.grid.x0 = -3.0;
      Tangential& rolling = problem.steps[0].tangential;
      rolling.direction = degrees * std::numbers::pi / 180.0;
      if (along_y) exchange_axes(problem);
      const Solved found = solve(problem);
      CHECK(found.report.touches_edge);
      const Grid& grid = problem.grid;
      const CombinedMaterial material = combine(problem.upper, problem.lower);
      InfluenceKind kind;
      kind.memory = memory_of(problem.upper, problem.lower, rolling);
      const double ahead_x = along_y ? 0.0 : way * grid.dx;
      const double ahead_y = along_y ? way * grid.dy : 0.0;
      // By offset, from the coefficients point by point.
      const auto changes = [&](Component component) {
        std::vector<double> change;
        for (int ky = 1 - grid.my; ky < grid.my; ++ky)
          for (int kx = 1 - grid.mx; kx < grid.mx; ++kx) {
            const auto at = [&](double way_on) {
              return influence_coefficient(component, kx * grid.dx + way_on * ahead_x,
                                           ky * grid.dy + way_on * ahead_y, grid, material, kind);
            };
            change.push_back(at(1.0) - at(-1.0));
          }
        return change;
      };
      const auto nn = changes(Component::nn);
      const auto xn = changes(Component::xn);
      const auto yn = changes(Component::yn);
      const ContactSolution& is = found.solution;
      double slope = 0.0;
      for (std::size_t i = 0; i < grid.count(); ++i)
        for (std::size_t j = 0; j < grid.count(); ++j) {
          const auto mx = static_cast<std::size_t>(grid.mx);
          const std::size_t rows = i / mx + static_cast<std::size_t>(grid.my) - 1 - j / mx;
          const std::size_t at = rows * (2 * mx - 1) + i % mx + mx - 1 - j % mx;
          slope += is.pressure[i] * (nn[at] * is.pressure[j] - xn[at] * is.traction_x[j] -
                                     yn[at] * is.traction_y[j]);
        }
      const double loss = -slope * grid.element_area() / (2.0 * (along_y ? grid.dy : grid.dx));
      REQUIRE(found.report.surface.rolling_resistance);
      CHECK(*found.report.surface.rolling_resistance == test::near(loss, 1e-7));  // as solved
      if (forwards == 0.0) forwards = loss;
      CHECK(loss == test::near(forwards, 1e-6));  // mirror images
    }
  }

  TEST_CASE("wear: on curved surfaces slip dissipates T-gamma and what the tractions get") {
    for (const int variant : {1, 2, 3, 4})
      for (const double direction : {0.0, std::numbers::pi}) {
        CAPTURE(variant);
        ContactProblem problem = ellipse(-2.0e-3, 3.0e-4);
        problem.lower = {20000.0, 0.1};
        problem.steps[0].normal.value = 8000.0;  // within the grid
        problem.steps[0].tangential.direction = direction;
        problem.influence.conformal = std::make_shared<const ConformalCorrection>(
            ConformalCorrection{{-4.5, 4.5}, {0.6, -0.6}, variant});
        const Solved found = solve(problem);
        REQUIRE_FALSE(found.report.touches_edge);
        const ContactSolution& is = found.solution;
        const Grid& grid = problem.grid;
        Grid wide = grid;
        ++wide.mx;
        const CombinedMaterial material = combine(problem.upper, problem.lower);
        InfluenceKind kind;
        kind.curved = std::make_shared<const CurvedInfluence>(problem.influence);
        const CurvedTables tables(wide, material, kind);
        const auto mx = static_cast<std::size_t>(grid.mx);
        double passed_on = 0.0;
        for (std::size_t i = 0; i < grid.count(); ++i)
          for (std::size_t j = 0; j < grid.count(); ++j) {
            if (!(is.pressure[i] > 0.0 && is.pressure[j] > 0.0)) continue;
            const int kx = static_cast<int>(i % mx) - static_cast<int>(j % mx);
            const int ky = static_cast<int>(i / mx) - static_cast<int>(j / mx);
            const int row = static_cast<int>(j / mx);
            const CoefficientMatrix ahead = tables.at(kx + 1, ky, row);
            const CoefficientMatrix behind = tables.at(kx - 1, ky, row);
            const double p[] = {is.traction_x[j], is.traction_y[j], is.pressure[j]};
            const double taken[] = {is.traction_x[i], is.traction_y[i]};
            for (int to = 0; to < 2; ++to)
              for (int from = 0; from < 3; ++from)
                passed_on +=
                    taken[to] * (ahead[pair_of(to, from)] - behind[pair_of(to, from)]) * p[from];
          }
        passed_on *= (direction == 0.0 ? 0.5 : -0.5) * grid.dy;
        const double wearing = grid.element_area() * sum(is.t_gamma_density);
        CHECK(wearing == test::near(*found.report.surface.t_gamma + passed_on, 1e-6));
        CHECK(std::fabs(passed_on) > 0.01 * wearing);  // it counts
      }
  }

  TEST_CASE("wear: a curved surface without an angle wears as the half-space that it is") {
    ContactProblem problem = ellipse(-6.0e-4, 3.0e-4);
    const double flat = *solve(problem).report.surface.worn_area;
    problem.influence.conformal =
        std::make_shared<const ConformalCorrection>(ConformalCorrection{{-4.0, 4.0}, {0.0, 0.0}});
    CHECK(*solve(problem).report.surface.worn_area == test::near(flat, 1e-6));
  }

  TEST_CASE("wear: the profile is the sum along x, times the passes, and 0 next to the contact") {
    const ContactProblem problem = ellipse(-6.0e-4, 3.0e-4);
    const Solved found = solve(problem);
    const std::vector<double>& profile = found.solution.wear_profile;
    REQUIRE(profile.size() == 18);
    CHECK(profile.front() == 0.0);
    CHECK(profile.back() == 0.0);
    double middle = 0.0;
    for (int ix = 0; ix < problem.grid.mx; ++ix)
      middle += found.solution.wear_depth[problem.grid.index(ix, 9)];
    CHECK(profile[9] == test::near(1000.0 * middle, 1e-14));
    CHECK(*found.report.surface.worn_area == test::near(sum(profile) * 0.5, 1e-14));
  }

  TEST_CASE("wear: the same contact in SI and in N-mm-s wears by the same depth, by both laws") {
    for (const WearLaw law : {WearLaw::archard, WearLaw::t_gamma}) {
      std::vector<double> depth;
      for (const Units units : {Units::n_mm_s, Units::si}) {
        const double length = units == Units::si ? 1.0e-3 : 1.0;
        ContactProblem problem = ellipse(-2.0e-3, 0.0, units);
        problem.surface.wear->law = law;
        problem.surface.wear->t_gamma.density = 7.85e-6 / (length * length * length);
        const Solved found = solve(problem);
        depth.push_back(*found.report.surface.max_wear_depth / length);
        CHECK(*found.report.surface.t_gamma ==
              test::near(2.0e-3 * std::fabs(found.report.force_x), 1e-12));
      }
      // The solutions differ by the solver's tolerance.
      CHECK(depth[0] == test::near(depth[1], 1e-5));
      CHECK(depth[0] > 0.0);
    }
  }

  TEST_CASE("wear: by the linear rate the mass worn off is the rate times T-gamma") {
    ContactProblem problem = ellipse(-6.0e-4, 0.0);
    problem.surface.wear->law = WearLaw::t_gamma;
    problem.surface.wear->t_gamma.density = 7.85e-6;
    problem.surface.wear->t_gamma.limit = {1.0e6, 2.0e6};
    problem.surface.wear->passes = 1.0;
    const Solved found = solve(problem);
    const double volume = *found.report.surface.worn_area;  // per mm rolled
    // 5.3 ug/(m mm2) of each N/mm2, integrated over the area. Where the contact adheres, T-gamma is
    // nothing but the solver's tolerance.
    const double mass = 5.3e-12 * *found.report.surface.t_gamma;
    CHECK(volume * 7.85e-6 == test::near(mass, 1e-5));
  }
}

TEST_SUITE("unit") {
  TEST_CASE("wear: depth added to a profile leaves it as it was where nothing is worn off") {
    // A parabola in five points, which its spline gives back everywhere.
    ProfileTable profile{{-4.0, -2.0, 0.0, 2.0, 4.0}, {1.6, 0.4, 0.0, 0.4, 1.6}};
    const ProfileTable worn = add_depth(profile, {-1.0, 0.0, 1.0}, {0.0, 0.25, 0.0});
    CHECK(worn.y == std::vector{-4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0});
    const std::vector<double> expected{1.6, 0.4, 0.1, 0.25, 0.1, 0.4, 1.6};
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(worn.z[i] == test::near(expected[i], 1e-14));
    // Nothing is invented beyond the profile, and between the worn points depth is linear.
    const ProfileTable wide =
        add_depth({{0.0, 0.5, 1.0}, {0.0, 0.0, 0.0}}, {-1.0, 0.0, 1.0, 2.0}, {1.0, 2.0, 4.0, 8.0});
    CHECK(wide.y == std::vector{0.0, 0.5, 1.0});
    CHECK(wide.z == std::vector{2.0, 3.0, 4.0});
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("wear: in full slip the volume is k F s/H [Archard]") {
    const double creepage = -0.02;
    const Solved found = solve(ellipse(creepage, 0.0));
    REQUIRE(found.report.elements_adhesion == 0);
    const double volume = 1000.0 * 1.0e-4 * found.report.normal_force * 0.02 / kHardness;
    // Elastic slip under the falling and the rising half of the pressure cancels to 1 %.
    CHECK(*found.report.surface.worn_area == test::near(volume, 0.01));
    CHECK(*found.report.surface.t_gamma ==
          test::near(0.3 * found.report.normal_force * 0.02, 0.01));
  }

  TEST_CASE("fatigue: the index of an ellipse in full slip is mu - 2 pi a b k/(3 F_n)") {
    ContactProblem problem = ellipse(-0.02, 0.0);
    problem.surface = {};
    problem.surface.fatigue = FatigueRequest{300.0};
    problem.grid = {88, 72, 0.15, 0.125, -6.6, -4.5, Boundary::free};
    problem.steps.front().tangential.step = 0.15;
    const Solved found = solve(problem);
    // Hertz: p_0 = 3 F_n/(2 pi a b) is the greatest pressure.
    const double load = found.report.max_pressure / 300.0;
    CHECK(*found.report.surface.shakedown_load == test::near(load, 0.002));
    // Elastic slip turns the tractions a little at the sides.
    CHECK(*found.report.surface.used_friction == test::near(0.3, 1e-4));
    // .2 % of what the load takes off
    CHECK(*found.report.surface.surface_fatigue_index ==
          test::within(0.3 - 1.0 / load, 0.002 / load));
  }

  TEST_CASE("fatigue: rolling along y has the numbers of rolling along x, turned") {
    ContactProblem problem = ellipse(-0.002, 0.0);
    problem.surface = {};
    problem.surface.fatigue = FatigueRequest{300.0};
    ContactProblem turned = problem;
    exchange_axes(turned);
    turned.steps.front().tangential.direction = 0.5 * std::numbers::pi;
    const Solved along_x = solve(problem);
    const Solved along_y = solve(turned);
    const auto check = [&](std::optional<double> SurfaceNumbers::*number) {
      CHECK(*(along_y.report.surface.*number) ==
            test::near(*(along_x.report.surface.*number), 1e-6));  // the solver's tolerance
    };
    check(&SurfaceNumbers::shakedown_load);
    check(&SurfaceNumbers::shakedown_limit);
    check(&SurfaceNumbers::shakedown_reserve);
    check(&SurfaceNumbers::elastic_limit);
    check(&SurfaceNumbers::surface_fatigue_index);
    CHECK(along_x.solution.surface_fatigue_along_y.size() == 18);
    CHECK(along_y.solution.surface_fatigue_along_y.empty());
  }

  TEST_CASE("wear: nothing is added where nothing is asked for") {
    ContactProblem problem = ellipse(-0.02, 0.0);
    problem.surface = {};
    const Solved found = solve(problem);
    CHECK(found.report.surface.t_gamma);  // of all steady rolling
    CHECK_FALSE(found.report.surface.t_gamma_elements);
    CHECK_FALSE(found.report.surface.worn_area);
    CHECK(found.solution.wear_depth.empty());
    CHECK(found.solution.friction_power_density.empty());
    CHECK(found.solution.wear_profile.empty());
  }
}

}  // namespace slipfield
