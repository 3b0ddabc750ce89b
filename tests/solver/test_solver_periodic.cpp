// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_influence.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using test::kPi;

constexpr ElasticBody kWavyUpper{0.7, 0.31};
constexpr ElasticBody kWavyLower{2.3, 0.12};  // K != 0

Grid periodic_grid(int mx, int my, double dx, double dy) {
  return {mx, my, dx, dy, 0.3, -0.2, Boundary::periodic};
}

// h = amplitude (1 - cos(2 pi x/length)) over `waves` lengths in x.
ContactProblem wavy_problem(int mx, int waves, double mean_pressure, double amplitude) {
  const double length = 1.0;
  const Grid grid = periodic_grid(mx, 4, waves * length / mx, 0.3);
  HeightsShape shape;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      shape.values.push_back(amplitude * (1.0 - std::cos(2.0 * kPi * grid.x(ix) / length)));
    }
  }
  const double force = mean_pressure * static_cast<double>(grid.count()) * grid.element_area();
  return test::normal_problem(grid, {1.0, 0.25}, shape, NormalControl::force, force, 1e-9);
}

TEST_SUITE("analytic") {
  TEST_CASE(
      "periodic grid: displacement of a wave of traction in every direction is that of the "
      "half-space, with the mean 0") {
    // From the point loads under exp(i q.x), times that wave: 1/r integrates to 2 pi/q,
    // x/r^2 to -2 pi i qx/q^2, x y/r^3 to -2 pi qx qy/q^3.
    const CombinedMaterial material = combine(kWavyUpper, kWavyLower);
    const CpuBackend backend;
    const Grid grid = periodic_grid(24, 15, 0.4, 0.7);
    CpuInfluence influence(backend, grid, material, InfluenceMethod::automatic);
    const double g = material.shear_modulus;
    const double nu = material.poisson_ratio;
    for (const auto& [wx, wy] : {std::array{1, 0}, std::array{0, 2}, std::array{3, -4}}) {
      const double qx = 2.0 * kPi * wx / (grid.mx * grid.dx);
      const double qy = 2.0 * kPi * wy / (grid.my * grid.dy);
      const double q = std::hypot(qx, qy);
      std::vector<double> wave(grid.count());
      std::vector<double> quarter(grid.count());
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix) {
          wave[grid.index(ix, iy)] = std::cos(qx * grid.x(ix) + qy * grid.y(iy));
          quarter[grid.index(ix, iy)] = std::sin(qx * grid.x(ix) + qy * grid.y(iy));
        }
      }
      std::vector<double> loaded = wave;
      for (double& p : loaded) p += 0.7;  // the mean moves nothing
      const std::vector<double> none(grid.count(), 0.0);
      const auto product = [&](Block block, const TractionField& traction) {
        test::DenseDisplacements u = test::no_displacements(grid);
        influence.apply(block, traction, {u.x.data(), u.y.data(), u.n.data()});
        return u;
      };
      const auto check = [&](const std::vector<double>& u, double factor,
                             const std::vector<double>& shape) {
        double worst = 0.0;
        for (std::size_t i = 0; i < u.size(); ++i) {
          test::grow(worst, std::abs(u[i] - factor * shape[i]));
        }
        CHECK(worst <= 1e-14 / (g * q));  // rounding of the transforms
      };
      const double* p = loaded.data();
      const double* o = none.data();
      check(product(Block::normal, {o, o, p}).n, 2.0 * (1.0 - nu) / (g * q), wave);
      const auto by_x = product(Block::tangential, {p, o, o});
      check(by_x.x, 2.0 / (g * q) * (1.0 - nu * qx * qx / (q * q)), wave);
      check(by_x.y, -2.0 * nu * qx * qy / (g * q * q * q), wave);
      const auto by_y = product(Block::tangential, {o, p, o});
      check(by_y.y, 2.0 / (g * q) * (1.0 - nu * qy * qy / (q * q)), wave);
      check(by_y.x, -2.0 * nu * qx * qy / (g * q * q * q), wave);
      const double coupling = 2.0 * material.coupling / (g * q * q);
      const auto by_n = product(Block::tangential_from_normal, {o, o, p});
      check(by_n.x, -coupling * qx, quarter);
      check(by_n.y, -coupling * qy, quarter);
      check(product(Block::normal_from_tangential, {p, o, o}).n, coupling * qx, quarter);
      check(product(Block::normal_from_tangential, {o, p, o}).n, coupling * qy, quarter);
    }
  }

  TEST_CASE(
      "periodic wave in full contact: pressure p + E* pi amplitude/length cos [Westergaard]") {
    const double amplitude = 0.01;
    const double modulus = 1.0 / 0.75;
    const double wave = kPi * modulus * amplitude;
    const ContactProblem problem = wavy_problem(48, 2, 1.3 * wave, amplitude);
    const test::Solved solved = test::solve(problem);
    CHECK(solved.report.outcome == Outcome::converged);
    CHECK(solved.report.elements_contact == static_cast<std::int64_t>(problem.grid.count()));
    CHECK(!solved.report.touches_edge);  // there is none
    double worst = 0.0;
    for (int ix = 0; ix < problem.grid.mx; ++ix) {
      const double exact = wave * (1.3 + std::cos(2.0 * kPi * problem.grid.x(ix)));
      test::grow(worst, std::abs(solved.fields.pressure[problem.grid.index(ix, 2)] - exact));
    }
    CHECK(worst <= 1e-7 * wave);  // tolerance: a single wave is exact on the grid
  }

  TEST_CASE(
      "periodic wave in partial contact: width and pressures of the closed form under "
      "refinement [Westergaard]") {
    const double amplitude = 0.01;
    const double modulus = 1.0 / 0.75;
    const double full = kPi * modulus * amplitude;
    const double share = 0.4;  // of the mean pressure of full contact: sin^2(pi a/length)
    const double s = std::sqrt(share);
    std::vector<double> h;
    std::vector<double> error;
    for (const int n : {32, 64, 128, 256, 512}) {
      const ContactProblem problem = wavy_problem(n, 1, share * full, amplitude);
      const test::Solved solved = test::solve(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      const double width =
          static_cast<double>(solved.report.elements_contact) / problem.grid.my * problem.grid.dx;
      CHECK(std::abs(width - 2.0 * std::asin(s) / kPi) <= 2.0 * problem.grid.dx);  // whole elements
      double difference2 = 0.0;
      double exact2 = 0.0;
      for (int ix = 0; ix < n; ++ix) {
        const double sine = std::sin(kPi * problem.grid.x(ix));
        const double cosine = std::abs(std::cos(kPi * problem.grid.x(ix)));
        const double inside = share - sine * sine;
        const double exact = inside > 0.0 ? 2.0 * full * cosine * std::sqrt(inside) : 0.0;
        const double p = solved.fields.pressure[problem.grid.index(ix, 1)];
        difference2 += (p - exact) * (p - exact);
        exact2 += exact * exact;
      }
      h.push_back(problem.grid.dx);
      error.push_back(std::sqrt(difference2 / exact2));
    }
    const double order = test::observed_order(h, error);
    MESSAGE("512 elements: pressure in L2 ", error.back(), "; observed order ", order);
    CHECK(order > 0.8);  // infinite slope at the rim
    CHECK(error.back() <= 0.01);
  }
}

TEST_SUITE("analytic") {
  // No traction gives a mean displacement, so that a mean shift is slip. Adhesion everywhere, from
  // which the iterations start, has no direction that leads there.
  TEST_CASE("periodic grid: a surface in full contact slips under any shift next to a force") {
    for (const double kinetic : {0.4, 0.25}) {
      for (const double across : {-8.0e-4, 1.5e-3}) {
        CAPTURE(kinetic);
        CAPTURE(across);
        const Grid grid{24, 16, 1.0 / 24.0, 1.0 / 16.0, 0.0, 0.0, Boundary::periodic};
        ContactProblem problem = test::normal_problem(grid, {200.0, 0.3}, SphereShape{100.0},
                                                      NormalControl::force, 50.0, 1e-7);
        StepInput& step = problem.steps[0];
        step.friction.coefficient = 0.4;
        step.friction.kinetic = kinetic;
        step.tangential.problem = TangentialProblem::shift;
        step.tangential.x = {TangentialControl::force, 3.0};
        step.tangential.y.value = across;
        const test::Solved solved = test::solve(problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        CHECK(solved.report.message.find("full slip") != std::string::npos);
        CHECK(solved.report.elements_contact == 24 * 16);
        CHECK(solved.report.elements_slip > 0);
        CHECK(solved.report.force_x == test::near(3.0, 1e-6));
        CHECK(solved.report.force_y * across < 0.0);
        double slip = 0.0;
        const ContactSolution& f = solved.fields;
        for (std::size_t i = 0; i < f.slip_y.size(); ++i) {
          slip += f.slip_y[i];
          const bool slips = f.element_division[i] == ElementState::slip;
          const double traction = std::hypot(f.traction_x[i], f.traction_y[i]) / f.pressure[i];
          if (slips) CHECK(traction == test::near(kinetic, 1e-9));
          CHECK(traction <= 0.4 * (1.0 + 1e-12));
        }
        // the mean of the displacements is 0 to rounding
        CHECK(slip / static_cast<double>(grid.count()) == test::near(across, 1e-9));
      }
    }
  }
}

// Displacements by sums over waves, without any fast transform.
test::DenseDisplacements displacements_by_waves(const Grid& grid, const CombinedMaterial& material,
                                                const ContactSolution& f) {
  test::DenseDisplacements u = test::no_displacements(grid);
  const double g = material.shear_modulus;
  const double nu = material.poisson_ratio;
  for (int wy = 0; wy < grid.my; ++wy) {
    for (int wx = 0; wx < grid.mx; ++wx) {
      if (wx == 0 && wy == 0) continue;
      const int sx = 2 * wx <= grid.mx ? wx : wx - grid.mx;
      const int sy = 2 * wy <= grid.my ? wy : wy - grid.my;
      const double qx = 2.0 * kPi * sx / (grid.mx * grid.dx);
      const double qy = 2.0 * kPi * sy / (grid.my * grid.dy);
      const double q = std::hypot(qx, qy);
      // Odd symbols have no place at the highest wave.
      const double odd_x = 2 * wx == grid.mx ? 0.0 : 1.0;
      const double odd_y = 2 * wy == grid.my ? 0.0 : 1.0;
      const double xy = -2.0 * nu * qx * qy / (g * q * q * q) * odd_x * odd_y;
      const double xn = 2.0 * material.coupling * qx / (g * q * q) * odd_x;
      const double yn = 2.0 * material.coupling * qy / (g * q * q) * odd_y;
      std::array<double, 3> real{};
      std::array<double, 3> imaginary{};
      const std::array<const std::vector<double>*, 3> p{&f.traction_x, &f.traction_y, &f.pressure};
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix) {
          const double phase = qx * ix * grid.dx + qy * iy * grid.dy;
          for (std::size_t a = 0; a < 3; ++a) {
            real[a] += (*p[a])[grid.index(ix, iy)] * std::cos(phase);
            imaginary[a] -= (*p[a])[grid.index(ix, iy)] * std::sin(phase);
          }
        }
      }
      const double scale = 1.0 / static_cast<double>(grid.count());
      const double xx = 2.0 / (g * q) * (1.0 - nu * qx * qx / (q * q));
      const double yy = 2.0 / (g * q) * (1.0 - nu * qy * qy / (q * q));
      const double nn = 2.0 * (1.0 - nu) / (g * q);
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix) {
          const std::size_t i = grid.index(ix, iy);
          const double phase = qx * ix * grid.dx + qy * iy * grid.dy;
          // Re(p exp) and Re(i p exp)
          std::array<double, 3> even{};
          std::array<double, 3> odd{};
          for (std::size_t a = 0; a < 3; ++a) {
            even[a] = scale * (real[a] * std::cos(phase) - imaginary[a] * std::sin(phase));
            odd[a] = -scale * (real[a] * std::sin(phase) + imaginary[a] * std::cos(phase));
          }
          u.x[i] += xx * even[0] + xy * even[1] + xn * odd[2];
          u.y[i] += xy * even[0] + yy * even[1] + yn * odd[2];
          u.n[i] += nn * even[2] - xn * odd[0] - yn * odd[1];
        }
      }
    }
  }
  return u;
}

TEST_SUITE("unit") {
  TEST_CASE(
      "periodic grid: products are symmetric and a field moved round moves the displacement") {
    test::Random random(61);
    const CpuBackend backend;
    for (const Grid& grid : {periodic_grid(31, 12, 0.4, 0.7), periodic_grid(16, 33, 0.7, 0.4),
                             periodic_grid(1, 10, 1.0, 1.0), periodic_grid(9, 1, 1.0, 1.0)}) {
      CpuInfluence influence(backend, grid, combine(kWavyUpper, kWavyLower),
                             InfluenceMethod::automatic);
      const auto normal = [&](const std::vector<double>& p) {
        std::vector<double> u(p.size());
        influence.apply(Block::normal, {nullptr, nullptr, p.data()}, {nullptr, nullptr, u.data()});
        return u;
      };
      const std::vector<double> p = random.field(grid.count());
      const std::vector<double> q = random.field(grid.count());
      const std::vector<double> of_p = normal(p);
      CHECK(test::dot(p, of_p) > 0.0);
      // Rounding.
      CHECK(std::abs(test::dot(q, of_p) - test::dot(p, normal(q))) <= 1e-12 * test::dot(p, of_p));
      std::vector<double> moved(p.size());
      std::vector<double> expected(p.size());
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix) {
          const std::size_t to = grid.index((ix + 5) % grid.mx, (iy + 3) % grid.my);
          moved[to] = p[grid.index(ix, iy)];
          expected[to] = of_p[grid.index(ix, iy)];
        }
      }
      CHECK(test::relative_difference(normal(moved), expected) <= 1e-13);  // rounding
    }
  }

  TEST_CASE(
      "periodic rough surface: complementarity and Coulomb's law with products by the "
      "definition of the symbol") {
    test::Random random(62);
    const Grid grid = periodic_grid(20, 18, 0.05, 0.07);
    HeightsShape shape;
    shape.of = HeightsOf::upper;
    shape.values = random.field(grid.count(), 0.0, 0.02);
    for (const ElasticBody& lower : {kWavyUpper, kWavyLower}) {
      ContactProblem problem =
          test::normal_problem(grid, kWavyUpper, shape, NormalControl::force, 0.02, 1e-9);
      problem.lower = lower;
      test::set_motion(problem, 0.3, TangentialProblem::shift, 0.002, -0.001);
      const test::Solved solved = test::solve(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_contact > 20);
      CHECK(solved.report.elements_slip > 5);
      const ContactSolution& f = solved.fields;
      const test::DenseDisplacements u =
          displacements_by_waves(grid, combine(kWavyUpper, lower), f);
      const double summit = *std::max_element(shape.values.begin(), shape.values.end());
      std::vector<double> h;
      for (const double value : shape.values) h.push_back(summit - value);
      const test::NormalErrors normal = test::normal_errors(f, h, u.n, solved.report.approach);
      CHECK(normal.gap_in_contact <= 1e-7);  // tolerance
      CHECK(normal.penetration <= 1e-7);
      const test::FrictionErrors friction = test::friction_errors(
          grid, f, 0.3, u, test::no_displacements(grid), {0.002, -0.001, 0.0});
      CHECK(friction.above_bound <= 1e-14);  // rounding
      CHECK(friction.below_bound <= 1e-6);   // tolerance
      CHECK(friction.slip_in_adhesion <= 1e-6);
      CHECK(friction.not_opposite <= 1e-6);
    }
  }

  TEST_CASE("periodic rough surface: newton follows any approach after another, as bound_cg does") {
    test::Random random(63);
    for (int k = 0; k < 60; ++k) {
      CAPTURE(k);
      const Grid grid = periodic_grid(7 + k % 9, 6 + k % 11, 0.05, 0.07);
      HeightsShape shape;
      shape.values = random.field(grid.count(), 0.0, 0.02);
      double mean = 0.0;
      for (const double value : shape.values) mean += value / static_cast<double>(grid.count());
      ContactProblem problem =
          test::normal_problem(grid, kWavyUpper, shape, NormalControl::approach, mean, 1e-9);
      problem.steps.assign(5, problem.steps[0]);
      for (std::size_t step = 0; step < problem.steps.size(); ++step) {
        const bool nearly_full = step % 2 == 0;  // all but a few elements touch
        problem.steps[step].normal.value =
            mean * (nearly_full ? random.uniform(0.9, 0.9999) : random.uniform(0.05, 0.7));
      }
      const auto by = [&](NormalMethod method) {
        problem.solver.normal = method;
        const auto solver = make_cpu_solver(problem);
        std::vector<double> forces;
        for (const StepInput& step : problem.steps) {
          const StepReport report = solver->advance(step);
          CHECK(report.outcome == Outcome::converged);
          forces.push_back(report.normal_force);
        }
        return forces;
      };
      const std::vector<double> expected = by(NormalMethod::bound_cg);
      const std::vector<double> found = by(NormalMethod::newton);
      for (std::size_t step = 0; step < expected.size(); ++step)
        CHECK(found[step] == test::near(expected[step], 1e-6));
    }
  }

  TEST_CASE(
      "periodic grid: from full contact any lower approach leads where it leads from nothing") {
    test::Random random(64);
    const Grid grid = periodic_grid(12, 9, 0.05, 0.07);
    for (const double height : {0.0, 0.02}) {
      CAPTURE(height);
      HeightsShape shape;
      shape.values = random.field(grid.count(), 0.0, height);
      double mean = 0.0;
      for (const double value : shape.values) mean += value / static_cast<double>(grid.count());
      for (const double below : {1e-6, 0.05, 0.6, 40.0}) {
        CAPTURE(below);
        ContactProblem problem =
            test::normal_problem(grid, kWavyUpper, shape, NormalControl::approach,
                                 mean - below * (height > 0.0 ? mean : 1.0), 1e-9);
        const test::Solved expected = test::solve(problem);
        REQUIRE(expected.report.outcome == Outcome::converged);
        problem.steps.insert(problem.steps.begin(), problem.steps.front());
        problem.steps[0].normal = {NormalControl::force, 0.3};
        for (const NormalMethod method :
             {NormalMethod::bound_cg, NormalMethod::active_set_cg, NormalMethod::newton}) {
          CAPTURE(static_cast<int>(method));
          problem.solver.normal = method;
          const auto solver = make_cpu_solver(problem);
          REQUIRE(solver->advance(problem.steps[0]).elements_contact == 108);
          const StepReport found = solver->advance(problem.steps[1]);
          CHECK(found.outcome == Outcome::converged);
          CHECK(found.normal_force == test::near(expected.report.normal_force, 1e-6));
          CHECK(found.elements_contact == expected.report.elements_contact);
        }
      }
    }
  }

  TEST_CASE("periodic grid: an even pressure of unlike bodies is found next to any shift") {
    test::Random random(65);
    for (int k = 0; k < 12; ++k) {
      CAPTURE(k);
      const Grid grid = periodic_grid(14, 13, random.uniform(0.05, 0.1), random.uniform(0.05, 0.1));
      ContactProblem problem = test::normal_problem(grid, {1000.0, 0.3}, QuadraticShape{},
                                                    NormalControl::force, 5.44, 1e-5);
      problem.lower.poisson_ratio = 0.34;
      test::set_motion(problem, 0.1, TangentialProblem::shift, random.uniform(-0.01, 0.01),
                       random.uniform(-0.01, 0.01));
      const StepReport report = make_cpu_solver(problem)->advance(problem.steps[0]);
      CHECK(report.outcome == Outcome::converged);
      CHECK(report.max_pressure ==
            test::near(5.44 / (static_cast<double>(grid.count()) * grid.element_area())));
    }
  }
}

}  // namespace
}  // namespace slipfield
