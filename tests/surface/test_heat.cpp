// SPDX-License-Identifier: Apache-2.0
// Surface temperatures in rolling: closed forms, the exact half-space, published numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/surface/heat.h"
#include "solver/surface/surface_fields.h"
#include "solver/surface/wear.h"
#include "tests/support/near.h"
#include "tests/support/rolling_ellipse.h"

namespace slipfield {
namespace {

// Steel, as in CONTACT's example ertz_temperature.
ThermalBody steel(double temperature = 0.0) { return {0.05, 450.0, 7.85e-6, temperature}; }

Tangential rolling(double velocity, bool forwards) {
  Tangential step;
  step.problem = TangentialProblem::steady_rolling;
  step.velocity = velocity;
  step.direction = forwards ? 0.0 : std::numbers::pi;
  step.step = 1.0;
  return step;
}

std::vector<double> random_flux(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<double> flux(count);
  for (double& value : flux) value = uniform(generator);
  return flux;
}

// exp(u) K_0(|u|) over [a, b], by Gauss's rule on pieces that shrink towards the singularity at 0.
double band_integral(double a, double b) {
  constexpr std::array node = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                               0.9602898564975363};
  constexpr std::array weight = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                 0.1012285362903763};
  const auto piece = [&](double from, double to) {
    double sum = 0.0;
    for (std::size_t k = 0; k < node.size(); ++k)
      for (const double side : {-1.0, 1.0}) {
        const double u = 0.5 * (from + to) + side * node[k] * 0.5 * (to - from);
        sum += weight[k] * std::exp(u) * std::cyl_bessel_k(0.0, std::fabs(u));
      }
    return 0.5 * (to - from) * sum;
  };
  const auto from_zero = [&](double end) {
    double sum = 0.0;
    for (double far = end; std::fabs(far) > 1.0e-12; far *= 0.7) sum += piece(0.7 * far, far);
    return sum;
  };
  return from_zero(b) - from_zero(a);
}

// The published example: a wheel that rolls backwards at 30 m/s.
struct Ertz {
  ContactProblem problem;

  Ertz(double creepage_x, double creepage_y, double spin, double lower_temperature) {
    problem.upper = problem.lower = {82000.0, 0.28};
    problem.grid = {216, 45, 0.2, 0.5, -7.9, -11.25, Boundary::free};
    QuadraticShape shape;
    shape.xx = 0.001015;
    shape.yy = 0.0004215;
    problem.geometry = {shape};
    StepInput step;
    step.friction.coefficient = 0.3;
    step.normal.value = 100000.0;
    step.tangential = rolling(30000.0, false);
    step.tangential.step = 0.2;
    step.tangential.x.value = creepage_x;
    step.tangential.y.value = creepage_y;
    step.tangential.rotation = spin;
    problem.steps = {step};
    problem.surface.heat = HeatRequest{{steel(), steel(lower_temperature)}};
  }

  struct Temperatures {
    double right = 0.0;
    double published = 0.0;  // both bodies at V, the heat of the element itself counted twice
    double conducted = 0.0;  // of each degree of the lower body, by the bodies' own speeds
  };

  [[nodiscard]] Temperatures solve() const {
    const StepInput& step = problem.steps.front();
    const auto solver = make_cpu_solver(problem);
    const StepReport report = solver->advance(step);
    REQUIRE(report.outcome == Outcome::converged);
    const ContactSolution solution = solver->download();
    const SurfaceTemperatures found = step_temperatures(problem, step, report, solution);
    const SurfaceTemperatures at_v = surface_temperatures(
        *problem.surface.heat, problem.units, problem.grid, step.tangential,
        heating_power(problem, step, report, solution), solution.element_division);
    const std::vector<double> t_gamma = t_gamma_density(solution, step.tangential.step);
    const double factor = 2.0 / (2.0 * thermal_penetration(steel(), problem.units) *
                                 std::sqrt(std::numbers::pi * 30000.0));
    Temperatures greatest;
    const double upper = std::sqrt(1.0 + 0.5 * report.rigid_x);  // rolling in -x
    const double lower = std::sqrt(1.0 - 0.5 * report.rigid_x);
    greatest.conducted = lower / (upper + lower);
    for (std::size_t i = 0; i < problem.grid.count(); ++i) {
      if (solution.element_division[i] == ElementState::exterior) continue;
      const double again = factor * 30000.0 * t_gamma[i] * std::sqrt(0.5 * problem.grid.dx);
      greatest.right = std::max(greatest.right, found.temperature[0][i]);
      greatest.published = std::max(greatest.published, at_v.temperature[0][i] + again);
    }
    return greatest;
  }
};

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("heat: a uniform strip has the temperature 2 q sqrt(t/pi)/beta at every element") {
    const Grid grid{33, 3, 0.25, 0.5, -1.0, 0.0, Boundary::free};
    const double velocity = 1200.0;
    const double q = 7.0e4;
    for (const bool forwards : {true, false}) {
      std::vector<double> flux(grid.count(), 0.0);
      std::vector<ElementState> division(grid.count(), ElementState::exterior);
      for (int ix = 4; ix < 20; ++ix) {
        flux[grid.index(ix, 1)] = q;
        division[grid.index(ix, 1)] = ElementState::slip;
      }
      const HeatRequest request{{steel(20.0), steel(20.0)}};
      const auto found = surface_temperatures(request, Units::n_mm_s, grid,
                                              rolling(velocity, forwards), flux, division);
      const double beta =
          2.0 * thermal_penetration(steel(), Units::n_mm_s);  // both bodies take heat
      for (int ix = 0; ix < grid.mx; ++ix) {
        const double entered = (forwards ? 20 - ix - 0.5 : ix + 0.5 - 4) * grid.dx / velocity;
        const double left = entered - 16 * grid.dx / velocity;
        double expected = 20.0;
        if (entered > 0.0) expected += 2.0 * q * std::sqrt(entered / std::numbers::pi) / beta;
        if (left > 0.0) expected -= 2.0 * q * std::sqrt(left / std::numbers::pi) / beta;
        // The sum telescopes: nothing but rounding is left, of transforms of some 100 degrees.
        CHECK(found.temperature[0][grid.index(ix, 1)] == test::near(expected, 1e-12));
        CHECK(found.temperature[0][grid.index(ix, 0)] == 20.0);
      }
    }
  }

  // Blok: T = 2 q sqrt(x/pi)/(beta_1 sqrt(V_1) + beta_2 sqrt(V_2)).
  TEST_CASE("heat: bodies that slide much take heat by their own speeds") {
    const Grid grid{33, 1, 0.25, 0.5, -1.0, 0.0, Boundary::free};
    const double velocity = 1200.0;
    const double q = 7.0e4;
    const std::vector<double> flux(grid.count(), q);
    const std::vector<ElementState> division(grid.count(), ElementState::slip);
    const HeatRequest request{{steel(20.0), steel(20.0)}};
    const double beta = thermal_penetration(steel(), Units::n_mm_s);
    for (const bool forwards : {true, false})
      for (const double creepage : {-1.5, -0.01, 0.5, 1.5}) {
        CAPTURE(creepage);
        const Tangential step = rolling(velocity, forwards);
        StepReport report;
        report.rigid_x = creepage;
        const double along = forwards ? creepage : -creepage;
        const double upper = std::sqrt(velocity * (1.0 - 0.5 * along));
        const double lower = std::sqrt(velocity * (1.0 + 0.5 * along));
        const PassingSpeeds speeds = passing_speeds(step, report);
        const auto found =
            surface_temperatures(request, Units::n_mm_s, grid, step, flux, division, speeds);
        const auto taken =
            surface_fluxes(request, Units::n_mm_s, grid, step, flux, division, speeds);
        const double share = upper / (upper + lower);
        CHECK(found.heat[0] == test::near(share * (found.heat[0] + found.heat[1]), 1e-12));
        CHECK(taken[0][5] == test::near(share * q, 1e-12));
        const double way = (forwards ? 33 - 9.5 : 9.5) * grid.dx;
        const double expected =
            20.0 + 2.0 * q * std::sqrt(way / std::numbers::pi) / (beta * (upper + lower));
        CHECK(found.temperature[0][9] == test::near(expected, 1e-12));  // the sum telescopes
        CHECK(found.temperature[1][9] == test::near(expected, 1e-12));
        CHECK(least_peclet_number(request.bodies, grid, step, division, speeds) ==
              test::near((1.0 - 0.5 * std::fabs(creepage)) *
                             least_peclet_number(request.bodies, grid, step, division),
                         1e-12));
      }
  }

  TEST_CASE("heat: the body that drives is the faster one") {
    ContactProblem problem = test::rolling_ellipse(12, RollingScheme::first_order);
    StepInput& step = problem.steps[0];
    step.tangential.rotation = 0.0;
    step.tangential.y = {};
    for (const double driving : {0.5, -0.5}) {  // force on body 1 in the rolling direction
      step.tangential.x = {TangentialControl::force_ratio, driving};
      const StepReport report = test::solve(problem).report;
      REQUIRE(report.outcome == Outcome::converged);
      const PassingSpeeds speeds = passing_speeds(step.tangential, report);
      CHECK((speeds[0] > speeds[1]) == (report.force_x > 0.0));
      CHECK((report.force_x > 0.0) == (driving > 0.0));
    }
  }

  TEST_CASE(
      "heat: the exact half-space nears the limit as 1/(8 L) of its Peclet number L [Jaeger]") {
    for (const double peclet : {5.0, 10.0, 50.0}) {
      // Middle of a band of half width l: (2 q kappa/(pi K V)) times this integral, against
      // (2 q kappa/(pi K V)) sqrt(2 pi L).
      const double exact = band_integral(-peclet, peclet);
      const double limit = std::sqrt(2.0 * std::numbers::pi * peclet);
      CHECK((exact / limit - 1.0) * 8.0 * peclet == test::near(1.0, 0.05));  // next order
    }
  }

  TEST_CASE("heat: the temperature under an elliptic flux converges with the elements") {
    // At the summit of q_0 sqrt(1 - x^2), in units of 2 q_0 sqrt(l/(pi V))/beta: half the integral
    // of sqrt(1 - x^2)/sqrt(x) from 0 to 1, which is B(1/4, 3/2)/4.
    const double exact = 0.25 * std::beta(0.25, 1.5);
    std::vector<double> errors;
    for (const int half : {10, 20, 40, 80}) {
      const Grid grid{2 * half + 1, 1, 1.0 / (half + 0.5), 1.0, -1.0, 0.0, Boundary::free};
      std::vector<double> flux;
      for (int ix = 0; ix < grid.mx; ++ix) flux.push_back(std::sqrt(1.0 - std::pow(grid.x(ix), 2)));
      errors.push_back(
          std::fabs(flux_memory(grid, flux, false)[grid.index(half, 0)] / exact - 1.0));
    }
    CHECK(errors.back() < 1.0e-3);
    // The edge's root makes the order 3/2.
    for (std::size_t i = 1; i < errors.size(); ++i) CHECK(errors[i - 1] > 2.5 * errors[i]);
  }

  TEST_CASE("heat: published temperatures count an element's own heat twice [CONTACT]") {
    // Printed with four digits: 166.8, 241.8, 90.85, and 75.00 of conduction alone.
    const Ertz::Temperatures sliding = Ertz(-0.03333, 0.0, 0.0, 0.0).solve();
    CHECK(sliding.published == test::near(166.8, 0.0005));
    const Ertz::Temperatures warm = Ertz(-0.03333, 0.0, 0.0, 150.0).solve();
    CHECK(warm.published == test::near(241.8, 0.0005));
    CHECK(warm.right == test::near(sliding.right + 150.0 * warm.conducted, 1e-9));
    const Ertz::Temperatures creeping = Ertz(-0.002, 0.001, 0.0002, 150.0).solve();
    CHECK(creeping.published == test::near(90.85, 0.0005));
    // 14 degrees too much on this grid of 54 elements along the contact.
    CHECK(sliding.right < sliding.published - 10.0);
    CHECK(creeping.right < creeping.published);
    CHECK(Ertz(0.0, 0.0, 0.0, 150.0).solve().right == test::near(75.0, 1e-9));
  }
}

TEST_SUITE("unit") {
  TEST_CASE("heat: without friction the contact has the mean by thermal penetration") {
    const Grid grid{41, 1, 0.5, 1.0, 0.0, 0.0, Boundary::free};
    std::vector<ElementState> division(grid.count(), ElementState::exterior);
    for (int ix = 10; ix < 20; ++ix) division[grid.index(ix, 0)] = ElementState::adhesion;
    ThermalBody copper{0.4, 385.0, 8.96e-6, 150.0};
    const HeatRequest request{{steel(), copper}};
    const auto found = surface_temperatures(request, Units::n_mm_s, grid, rolling(1.0e4, false),
                                            std::vector<double>(grid.count(), 0.0), division);
    const double upper = thermal_penetration(steel(), Units::n_mm_s);
    const double lower = thermal_penetration(copper, Units::n_mm_s);
    const double mean = lower * 150.0 / (upper + lower);
    for (int ix = 0; ix < grid.mx; ++ix) {
      const auto i = static_cast<std::size_t>(ix);
      if (ix < 10) {
        CHECK(found.temperature[0][i] == 0.0);
        CHECK(found.temperature[1][i] == 150.0);
      } else if (ix < 20) {
        CHECK(found.temperature[0][i] == test::near(mean, 1e-14));
        CHECK(found.temperature[1][i] == test::near(mean, 1e-14));
      } else {  // behind, each goes back to its own, never beyond the other
        CHECK(found.temperature[0][i] < mean);
        CHECK(found.temperature[0][i] > 0.0);
        CHECK(found.temperature[1][i] > mean);
      }
    }
    CHECK(found.heat[0] > 0.0);
    CHECK(found.heat[0] + found.heat[1] == 0.0);
    // Far behind, a body has what flowed in: (1/beta) Q/sqrt(pi V x), Q per width, to (l/x)/6.
    const double x = 20.75;  // of the last element behind the edge of entry, contact 5 long
    const double inside =
        found.heat[0] / grid.dy / (upper * std::sqrt(std::numbers::pi * 1.0e4 * 15.25));
    CHECK(found.temperature[0][40] == test::near(inside, 5.0 / x));
  }

  TEST_CASE("heat: both surfaces agree in the contact, and take all of the frictional power") {
    const Grid grid{37, 5, 0.25, 0.5, 0.0, 0.0, Boundary::free};
    const std::vector<double> flux = random_flux(grid.count(), 7);
    const std::vector<ElementState> division(grid.count(), ElementState::slip);
    const HeatRequest request{{steel(10.0), {0.4, 385.0, 8.96e-6, 60.0}}};
    const auto found =
        surface_temperatures(request, Units::n_mm_s, grid, rolling(5000.0, true), flux, division);
    for (std::size_t i = 0; i < grid.count(); ++i)
      CHECK(found.temperature[0][i] == test::near(found.temperature[1][i], 1e-13));
    const double power = std::accumulate(flux.begin(), flux.end(), 0.0) * grid.element_area();
    // Heat conducted from one to the other leaves its rounding.
    CHECK(std::fabs(found.heat[0] + found.heat[1] - power) < 1.0e-14 * std::fabs(found.heat[0]));
  }

  TEST_CASE("heat: a contact that rolls along y has the temperatures of its like along x, turned") {
    const Grid grid{23, 6, 0.25, 0.5, -1.0, 2.0, Boundary::free};
    const Grid turned{6, 23, 0.5, 0.25, 2.0, -1.0, Boundary::free};
    const std::vector<double> flux = random_flux(grid.count(), 11);
    std::vector<ElementState> division(grid.count(), ElementState::exterior);
    for (int ix = 3; ix < 15; ++ix) division[grid.index(ix, 2)] = ElementState::slip;
    std::vector<double> turned_flux(flux.size());
    std::vector<ElementState> turned_division(flux.size());
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix) {
        turned_flux[turned.index(iy, ix)] = flux[grid.index(ix, iy)];
        turned_division[turned.index(iy, ix)] = division[grid.index(ix, iy)];
      }
    const HeatRequest request{{steel(10.0), {0.4, 385.0, 8.96e-6, 60.0}}};
    for (const bool forwards : {true, false}) {
      const Tangential along_x = rolling(5000.0, forwards);
      Tangential along_y = along_x;
      along_y.direction = (forwards ? 0.5 : -0.5) * std::numbers::pi;
      const auto x = surface_temperatures(request, Units::n_mm_s, grid, along_x, flux, division);
      const auto y = surface_temperatures(request, Units::n_mm_s, turned, along_y, turned_flux,
                                          turned_division);
      for (std::size_t body = 0; body < 2; ++body) {
        CHECK(x.heat[body] == test::near(y.heat[body], 1.0e-12));  // order of sums
        for (int iy = 0; iy < grid.my; ++iy)
          for (int ix = 0; ix < grid.mx; ++ix)
            CHECK(x.temperature[body][grid.index(ix, iy)] ==
                  y.temperature[body][turned.index(iy, ix)]);
      }
      CHECK(least_peclet_number(request.bodies, grid, along_x, division) ==
            least_peclet_number(request.bodies, turned, along_y, turned_division));
    }
  }

  TEST_CASE("heat: the Peclet number is that of the contact's length along the motion") {
    const HeatRequest request{{steel(), steel()}};
    const auto number = [&](const Grid& grid, double degrees, const auto& touches) {
      std::vector<ElementState> division(grid.count(), ElementState::exterior);
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix)
          if (touches(ix, iy)) division[grid.index(ix, iy)] = ElementState::slip;
      Tangential step = rolling(4000.0, true);
      step.direction = degrees * std::numbers::pi / 180.0;
      return least_peclet_number(request.bodies, grid, step, division);
    };
    const double diffusivity = 0.05 / (450.0 * 7.85e-6);
    SUBCASE("oblique to an ellipse's axes, and turned with it by a right angle") {
      const Grid grid{81, 60, 0.125, 0.1, 0.0, 0.0, Boundary::free};
      const Grid turned{60, 81, 0.1, 0.125, 0.0, 0.0, Boundary::free};
      const double a = 4.0;
      const double b = 2.0;
      const auto ellipse = [&](double x, double y) {
        return x * x / (a * a) + y * y / (b * b) < 1;
      };
      for (const double degrees : {0.0, 20.0, 45.0, 70.0, 90.0, 137.0, 250.0}) {
        CAPTURE(degrees);
        const double chi = degrees * std::numbers::pi / 180.0;
        const double found = number(grid, degrees, [&](int ix, int iy) {
          return ellipse(grid.x(ix) - 81 * 0.0625, grid.y(iy) - 3.0);
        });
        const double half_chord = 1.0 / std::hypot(std::cos(chi) / a, std::sin(chi) / b);
        CHECK(found == test::near(4000.0 * half_chord / (2.0 * diffusivity), 0.08));
        CHECK(found == test::near(number(grid, -degrees,
                                         [&](int ix, int iy) {
                                           return ellipse(grid.x(ix) - 81 * 0.0625,
                                                          3.0 - grid.y(iy));
                                         }),
                                  1.0e-9));
        CHECK(found == test::near(number(turned, degrees + 90.0,
                                         [&](int ix, int iy) {
                                           return ellipse(turned.y(iy) - 81 * 0.0625,
                                                          3.0 - turned.x(ix));
                                         }),
                                  1.0e-9));
      }
    }
    SUBCASE("mirrored on square elements, whose centres lie on the borders of strips") {
      for (const double side : {0.1, 0.12, 0.07, 0.13}) {
        const Grid grid{24, 23, side, side, 0.3, -0.7, Boundary::free};
        CAPTURE(side);
        const auto disc = [](int ix, int iy) { return std::hypot(ix - 11.3, iy - 10.6) < 8.0; };
        CHECK(number(grid, 45.0, disc) ==
              test::near(
                  number(grid, -45.0, [&](int ix, int iy) { return disc(ix, grid.my - 1 - iy); }),
                  1.0e-9));
      }
    }
    SUBCASE("wherever the contact lies in a period") {
      const Grid grid{20, 3, 0.5, 0.5, 0.0, 0.0, Boundary::periodic_x};
      for (const int moved : {0, 7, 15, 19})
        CHECK(number(grid, 0.0, [&](int ix, int) { return (ix + moved) % 20 < 6; }) ==
              test::near(4000.0 * 1.5 / (2.0 * diffusivity), 1.0e-12));
    }
  }

  TEST_CASE("heat: the same bodies in SI and in N-mm-s have the same temperatures") {
    const Grid mm{31, 2, 0.25, 0.5, 0.0, 0.0, Boundary::free};
    const Grid m{31, 2, 0.25e-3, 0.5e-3, 0.0, 0.0, Boundary::free};
    std::vector<double> flux = random_flux(mm.count(), 3);
    for (double& value : flux) value *= 1.0e4;
    const std::vector<ElementState> division(mm.count(), ElementState::slip);
    const auto first = surface_temperatures({{steel(5.0), steel()}}, Units::n_mm_s, mm,
                                            rolling(8000.0, true), flux, division);
    for (double& value : flux) value *= 1.0e3;  // N/(mm s) in W/m^2
    const ThermalBody si{50.0, 450.0, 7850.0, 0.0};
    ThermalBody warm = si;
    warm.temperature = 5.0;
    const auto second =
        surface_temperatures({{warm, si}}, Units::si, m, rolling(8.0, true), flux, division);
    for (std::size_t i = 0; i < mm.count(); ++i)
      CHECK(first.temperature[0][i] == test::near(second.temperature[0][i], 1e-12));
    CHECK(least_peclet_number(std::array{steel(), steel()}, mm, rolling(8000.0, true), division) ==
          test::near(0.25 * 8000.0 * 31 * 0.25 / (0.05 / (7.85e-6 * 450.0))));
  }

  TEST_CASE("heat: friction by temperature agrees with the temperatures of its elements") {
    Ertz sliding(-0.03333, 0.0, 0.0, 0.0);
    sliding.problem.grid = {54, 15, 0.4, 1.5, -7.9, -11.25, Boundary::free};
    StepInput& step = sliding.problem.steps.front();
    step.tangential.step = 0.4;
    const FrictionByTemperature law{{0.0, 200.0}, {0.3, 0.1}};
    step.friction.place = law;
    const auto solver = make_cpu_solver(sliding.problem);
    const StepReport report = solver->advance(step);
    REQUIRE(report.outcome == Outcome::converged);
    CHECK(report.iterations_outer > 2);
    const ContactSolution solution = solver->download();
    const auto found = step_temperatures(sliding.problem, step, report, solution);
    double greatest = 0.0;
    for (std::size_t i = 0; i < solution.pressure.size(); ++i) {
      greatest = std::max(greatest, found.temperature[0][i]);
      const double bound = law.at(found.temperature[0][i]) * solution.pressure[i];
      // ten times the tolerance of 1e-6, of the greatest bound
      CHECK(solution.traction_bound[i] == test::within(bound, 1e-5 * 230.0));
    }
    CHECK(greatest > 60.0);  // it warms up, and less than with friction that does not fall
    CHECK(greatest < Ertz(-0.03333, 0.0, 0.0, 0.0).solve().right);
    // Restored into another solver, the next step continues with the same bits.
    const SolverState state = solver->state();
    const auto other = make_cpu_solver(sliding.problem);
    other->restore(state, step);
    const StepReport next = solver->advance(step);
    CHECK(other->advance(step).force_x == next.force_x);
    CHECK(next.force_x == test::near(report.force_x, 1e-5));
  }
}

}  // namespace slipfield
