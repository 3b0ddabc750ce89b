// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "solver/tangential/second_order_ops.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"
#include "tests/support/rolling_ellipse.h"

namespace slipfield {
namespace {

using test::kPi;
using test::rolling_ellipse;

// Elements of length 1 behind an edge at d = 0, the first centre at d = f, each with its mean of a
// traction; the first one holds all from the edge on.
struct EdgeRow {
  double f = 0.0;
  std::vector<double> mean;
};

EdgeRow edge_row(double f, int elements, double (*integral)(double)) {
  EdgeRow row{f, {}};
  for (int j = 0; j < elements; ++j) {
    const double near = j == 0 ? 0.0 : f + j - 0.5;
    row.mean.push_back(integral(f + j + 0.5) - integral(near));
  }
  return row;
}

double integral_of_root(double d) { return 2.0 / 3.0 * d * std::sqrt(d); }
double integral_of_root_logarithm(double d) {
  return d > 0.0 ? d * std::sqrt(d) * (2.0 / 3.0 * std::log(d) - 4.0 / 9.0) : 0.0;
}

// u(d) = -sum mean int ln|d - s| ds over the elements.
double displacement(const EdgeRow& row, double d) {
  const auto part = [](double t) { return t == 0.0 ? 0.0 : t * std::log(std::abs(t)) - t; };
  double u = 0.0;
  for (std::size_t j = 0; j < row.mean.size(); ++j) {
    const double from = row.f + static_cast<double>(j) - 0.5 - d;
    u -= row.mean[j] * (part(from + 1.0) - part(from));
  }
  return u;
}

// 3/2 u - 2 u one element ahead + 1/2 u two ahead.
double difference(const EdgeRow& row, double d) {
  return 1.5 * displacement(row, d) - 2.0 * displacement(row, d - 1.0) +
         0.5 * displacement(row, d - 2.0);
}

constexpr int kRow = 4000;

// PV int_0^L sqrt(s)/(s - d) ds.
double exact_rate(double d, double length) {
  const double root = std::sqrt(d);
  const double end = std::sqrt(length);
  return 2.0 * end + (d > 0.0 ? root * std::log(std::abs((end - root) / (end + root))) : 0.0);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("second order: the terms at a leading edge are the sums that define them") {
    for (const double f : {0.0, 0.1, 0.35, 0.5, 0.8, 1.0, 1.2}) {
      CAPTURE(f);
      const EdgeRow root = edge_row(f, kRow, integral_of_root);
      const EdgeRow logarithm = edge_row(f, kRow, integral_of_root_logarithm);
      const double length = f + kRow - 0.5;
      const double end = std::sqrt(length);
      for (int j = 0; j < kEdgeElements; ++j) {
        CAPTURE(j);
        const double d = f + j;
        const double error = difference(root, d) - exact_rate(d, length);
        CHECK(edge_error(j, f) == doctest::Approx(error).scale(1.0).epsilon(1e-3));
        // PV int_0^L sqrt(s) ln(s)/(s - d) ds = pi^2 sqrt(d) + what the far end leaves.
        double far = 2.0 * end * std::log(length) - 4.0 * end;
        for (int n = 1; n <= 3; ++n)
          far -= std::pow(d, n) * std::pow(length, 0.5 - n) *
                 (std::log(length) / (n - 0.5) + 1.0 / ((n - 0.5) * (n - 0.5)));
        const double answer = difference(logarithm, d) - far - kPi * kPi * std::sqrt(d);
        CHECK(
            adhering_pressure_error(j, f) ==
            doctest::Approx(pressure_error(j, f) - answer / (kPi * kPi)).scale(1.0).epsilon(1e-3));
      }
      CHECK(edge_mean(0, f) == doctest::Approx(root.mean[0]));
      CHECK(edge_mean(2, f) == doctest::Approx(root.mean[2]));
      CHECK(edge_logarithm(2, f) == doctest::Approx(logarithm.mean[0] + logarithm.mean[1]));
    }
  }

  TEST_CASE("second order: the leading element lacks what sqrt(d) has more than its bound") {
    constexpr std::size_t kElements = 8;
    constexpr std::size_t kLeading = kElements - 1;
    const std::vector<unsigned char> state(kElements,
                                           static_cast<unsigned char>(ElementState::adhesion));
    for (const double f : {-0.3, 0.0, 0.2, 1.1}) {
      for (const double part : {0.0, 0.4, 1.1}) {  // of what the element would hold
        CAPTURE(f);
        CAPTURE(part);
        std::vector<double> x(kElements);
        std::vector<double> y(kElements);
        for (int j = 0; j < static_cast<int>(kElements); ++j) {
          x[kLeading - static_cast<std::size_t>(j)] = 3.0 * edge_mean(j, f);
          y[kLeading - static_cast<std::size_t>(j)] = -4.0 * edge_mean(j, f);
        }
        std::vector<double> bound(kElements, 100.0);
        bound[kLeading] = part * 5.0 * edge_mean(0, f);
        std::vector<double> distance(kElements, kNotLeading);
        distance[kLeading] = f;
        std::vector<double> missing_x(kElements, 1.0);
        std::vector<double> missing_y(kElements, 1.0);
        const FindMissing find{{static_cast<int>(kElements), 1, false, 1},
                               state.data(),
                               x.data(),
                               y.data(),
                               bound.data(),
                               distance.data(),
                               missing_x.data(),
                               missing_y.data()};
        for (std::size_t i = 0; i < kElements; ++i) find.element(i, nullptr);
        const double lacks = std::fmax(1.0 - part, 0.0) * edge_mean(0, f);
        CHECK(missing_x[kLeading] == doctest::Approx(3.0 * lacks).epsilon(1e-12));
        CHECK(missing_y[kLeading] == doctest::Approx(-4.0 * lacks).epsilon(1e-12));
        for (std::size_t i = 0; i < kLeading; ++i)
          CHECK(std::hypot(missing_x[i], missing_y[i]) == 0.0);
      }
    }
  }

  TEST_CASE("second order: an edge passes from adhesion to slip without a jump") {
    const std::array<double, 2> bound = {1.0, 3.0};
    const std::array<double, 2> none = {0.0, 0.0};
    const auto adhesion = [&](double held, const std::array<double, 2>& bounds) {
      // Of four times the first bound, in a direction of its own.
      const std::array<double, 2> x = {0.6 * held, 1.8 * held};
      const std::array<double, 2> y = {-0.8 * held, -2.4 * held};
      CorrectSlip op;
      op.traction_x = x.data();
      op.traction_y = y.data();
      op.bound = bounds.data();
      return op.adhesion(0, 1);
    };
    CHECK(adhesion(0.3, bound) == 1.0);
    CHECK(adhesion(0.8, bound) == doctest::Approx(1.0));
    CHECK(adhesion(0.9, bound) == doctest::Approx(0.5));
    CHECK(adhesion(1.0, bound) == doctest::Approx(0.0).scale(1.0));
    CHECK(adhesion(1.0, none) == 0.0);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("second order: Carter's creepage, with an error that falls faster than the element") {
    const double radius = 100.0;
    const double length = 1.0e4;
    const double line_force = kPi / 0.72 / (4.0 * radius);  // a = 1
    const double friction = 0.3;
    const double q = 0.64;
    const double creepage = friction / radius * (1.0 - std::sqrt(1.0 - q));
    std::array<double, 2> worst{};  // of first and second order, at the finest grid
    for (const RollingScheme scheme : {RollingScheme::first_order, RollingScheme::second_order}) {
      for (const int n : {73, 146, 292}) {
        ContactProblem problem =
            test::normal_problem({n, 1, 2.2 / n, length, -1.1, -0.5 * length}, {1.0, 0.28},
                                 CylinderShape{radius, CylinderAxis::y}, NormalControl::force,
                                 line_force * length, 1e-8);
        problem.solver.rolling = scheme;
        problem.steps[0].friction.coefficient = friction;
        Tangential& t = problem.steps[0].tangential;
        t.problem = TangentialProblem::steady_rolling;
        t.step = problem.grid.dx;
        t.x = {TangentialControl::force_ratio, -q};
        problem.error_estimate = true;
        const test::Solved solved = test::solve(problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        REQUIRE(solved.report.error);
        CHECK(std::abs(solved.report.rigid_x - creepage) <= 2.0 * solved.report.error->creepage_x);
        // The row stays one row: nothing but the element's share stands for the moment.
        CHECK(solved.report.error->moment_z <=
              friction * solved.report.normal_force * std::sqrt(length) / n);
        const double error = std::abs(solved.report.rigid_x / creepage - 1.0);
        CAPTURE(n);
        const bool second = scheme == RollingScheme::second_order;
        MESSAGE(std::string(second ? "second" : "first"), " order, ", n, " elements: ", error);
        worst.at(second ? 1 : 0) = error;
        // Edge and border lie anywhere within an element: the error is that of the worst place.
        if (second) CHECK(error <= 6.0 * std::pow(2.2 / n, 1.5));
      }
    }
    CHECK(worst[1] <= 0.25 * worst[0]);
  }
}

TEST_SUITE("oracle") {
  TEST_CASE("second order: a long transient ends in the steady state of the same scheme") {
    constexpr int kSize = 32;
    const double angle = 0.5 * kPi;
    const ContactProblem steady = rolling_ellipse(kSize, RollingScheme::second_order, angle);
    const StepReport end = test::solve(steady).report;
    const StepReport plain =
        test::solve(rolling_ellipse(kSize, RollingScheme::first_order, angle)).report;
    const double bound = 0.3 * end.normal_force;
    const auto away = [&](const StepReport& report) {
      return std::hypot(report.force_x - end.force_x, report.force_y - end.force_y) / bound;
    };
    // The corrections of either end where they change the tractions by little.
    constexpr double kApart = 1.5e-3;
    CHECK(away(plain) >= 4.0 * kApart);

    ContactProblem transient = steady;
    StepInput& step = transient.steps[0];
    step.tangential.problem = TangentialProblem::transient_rolling;
    const auto from_rest = make_cpu_solver(transient);
    StepReport report;
    for (int k = 0; k < 3 * kSize; ++k) {
      report = from_rest->advance(step);
      REQUIRE(report.outcome == Outcome::converged);
    }
    CHECK(away(report) <= kApart);

    // Behind a steady step nothing changes from the first transient one on.
    const auto from_steady = make_cpu_solver(transient);
    REQUIRE(from_steady->advance(steady.steps[0]).outcome == Outcome::converged);
    for (int k = 0; k < kSize / 2; ++k) {
      report = from_steady->advance(step);
      REQUIRE(report.outcome == Outcome::converged);
      CHECK(away(report) <= kApart);
    }
  }

  TEST_CASE("second order: corrections that do not settle are told, with how far they are") {
    // Elements four times as long as wide, slip at parts of the leading edge.
    ContactProblem problem =
        test::normal_problem(test::centred_grid(32, 32, 8.8, 2.2), {82000.0, 0.28},
                             HertzShape{8.0, 2.0, 82000.0}, NormalControl::force, 82000.0, 1e-6);
    problem.solver.rolling = RollingScheme::second_order;
    problem.steps[0].friction.coefficient = 0.3;
    Tangential& t = problem.steps[0].tangential;
    t.problem = TangentialProblem::steady_rolling;
    t.step = problem.grid.dx;
    t.x = {TangentialControl::rigid, 3.0e-4};
    t.y = {TangentialControl::rigid, -6.25e-4};
    t.rotation = 5.0e-4;
    const StepReport report = test::solve(problem).report;
    CHECK(report.outcome == Outcome::converged);
    CHECK(report.message.find("did not settle: the last one still changed the tractions by ") !=
          std::string::npos);
    CHECK(test::solve(rolling_ellipse(32, RollingScheme::second_order)).report.message.empty());
  }

  TEST_CASE("second order: the way from a shift to steady rolling, against a fine grid") {
    // From full adhesion over half the contact's length.
    const auto on_the_way = [](int n, RollingScheme scheme) {
      ContactProblem problem = rolling_ellipse(n, scheme);
      StepInput& step = problem.steps[0];
      step.tangential.problem = TangentialProblem::transient_rolling;
      StepInput shift = step;
      shift.tangential = {};
      shift.tangential.problem = TangentialProblem::shift;
      shift.tangential.x = {TangentialControl::rigid, 3.0e-4};
      const auto solver = make_cpu_solver(problem);
      REQUIRE(solver->advance(shift).outcome == Outcome::converged);
      StepReport report;
      for (int k = 0; k < n / 2; ++k) {
        report = solver->advance(step);
        REQUIRE(report.outcome == Outcome::converged);
      }
      return report;
    };
    const StepReport fine = on_the_way(80, RollingScheme::second_order);
    const double bound = 0.3 * fine.normal_force;
    const auto error = [&](int n, RollingScheme scheme) {
      const StepReport report = on_the_way(n, scheme);
      return std::hypot(report.force_x - fine.force_x, report.force_y - fine.force_y) / bound;
    };
    const double second = error(24, RollingScheme::second_order);
    const double first = error(24, RollingScheme::first_order);
    MESSAGE("errors of 24 x 24: ", second, " and ", first);
    CHECK(second <= 0.4 * first);
  }

  TEST_CASE("second order: rolling in the four directions of the grid is the same") {
    const test::Solved one = test::solve(rolling_ellipse(40, RollingScheme::second_order));
    REQUIRE(one.report.outcome == Outcome::converged);
    const double bound = 0.3 * one.report.normal_force;
    for (const int quarter : {1, 2, 3}) {
      CAPTURE(quarter);
      const double angle = 0.5 * kPi * quarter;
      const test::Solved other =
          test::solve(rolling_ellipse(40, RollingScheme::second_order, angle));
      REQUIRE(other.report.outcome == Outcome::converged);
      const double x = std::cos(angle) * one.report.force_x - std::sin(angle) * one.report.force_y;
      const double y = std::sin(angle) * one.report.force_x + std::cos(angle) * one.report.force_y;
      const double tolerance = 1e-5 * bound;  // tolerance 1e-7 of tractions, rounds settled alike
      CHECK(std::abs(other.report.force_x - x) <= tolerance);
      CHECK(std::abs(other.report.force_y - y) <= tolerance);
      CHECK(std::abs(other.report.moment_z - one.report.moment_z) <= tolerance);
    }
  }

  TEST_CASE(
      "second order: forces of a coarse grid are those of a fine one, and slip vanishes in "
      "adhesion to second order, by direct summation") {
    const ContactProblem problem = rolling_ellipse(32, RollingScheme::second_order);
    const test::Solved coarse = test::solve(problem);
    const test::Solved fine = test::solve(rolling_ellipse(128, RollingScheme::second_order));
    const test::Solved plain = test::solve(rolling_ellipse(32, RollingScheme::first_order));
    REQUIRE(coarse.report.outcome == Outcome::converged);
    REQUIRE(fine.report.outcome == Outcome::converged);
    const double bound = 0.3 * fine.report.normal_force;
    const auto error = [&](const StepReport& report) {
      return std::hypot(report.force_x - fine.report.force_x,
                        report.force_y - fine.report.force_y) /
             bound;
    };
    MESSAGE("errors of 32 x 32: ", error(coarse.report), " and ", error(plain.report));
    CHECK(error(coarse.report) <= 4e-3);  // 0.0015 at 64 x 64
    CHECK(error(coarse.report) <= 0.5 * error(plain.report));
    // Friction dissipates what the forces do, and the slip of fine elements adds up to it.
    double sum = 0.0;
    for (std::size_t i = 0; i < fine.fields.slip_x.size(); ++i)
      sum += fine.fields.traction_x[i] * fine.fields.slip_x[i] +
             fine.fields.traction_y[i] * fine.fields.slip_y[i];
    const double element = problem.grid.element_area() / 16.0;
    CHECK(std::abs(element * sum / fine.report.friction_work - 1.0) <= 0.03);
    const auto off =
        [&](const StepReport& report) {  // a step of the fine grid is a quarter as long
          return std::abs(report.friction_work / (4.0 * fine.report.friction_work) - 1.0);
        };
    CHECK(off(coarse.report) <= 0.01);
    CHECK(off(plain.report) >= 0.05);

    const Grid& grid = problem.grid;
    const CombinedMaterial material = combine(problem.upper, problem.lower);
    const double dq = grid.dx;
    std::array<test::DenseDisplacements, 3> u;
    for (int k = 0; k < 3; ++k)
      u.at(static_cast<std::size_t>(k)) =
          test::dense_displacements(grid, material, coarse.fields, k * dq, 0.0);
    const Tangential& t = problem.steps[0].tangential;
    int counted = 0;
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix + 4 < grid.mx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        if (coarse.fields.element_division[i] != ElementState::adhesion ||
            coarse.fields.element_division[grid.index(ix + 3, iy)] == ElementState::exterior)
          continue;
        const double slip_x = dq * (t.x.value - t.rotation * grid.y(iy)) + 1.5 * u[0].x[i] -
                              2.0 * u[1].x[i] + 0.5 * u[2].x[i];
        const double slip_y = dq * (t.y.value + t.rotation * grid.x(ix)) + 1.5 * u[0].y[i] -
                              2.0 * u[1].y[i] + 0.5 * u[2].y[i];
        // What the last corrections changed, against the creepage.
        CHECK(std::hypot(slip_x, slip_y) <= 0.05 * dq * 2.5e-4);
        ++counted;
      }
    }
    CHECK(counted > 100);
  }

  TEST_CASE(
      "second order: newton and gauss_seidel come to the same forces, of like and unlike bodies") {
    test::Random random(11);
    for (int k = 0; k < 8; ++k) {
      CAPTURE(k);
      ContactProblem problem = rolling_ellipse(20, RollingScheme::second_order);
      if (k % 2 == 1) problem.lower.shear_modulus *= 3.0;
      Tangential& t = problem.steps[0].tangential;
      const double size = std::pow(10.0, random.uniform(-4.3, -3.3));
      const double angle = random.uniform(0.0, 2.0 * kPi);
      t.x.value = size * std::cos(angle);
      t.y.value = size * std::sin(angle);
      t.rotation = random.uniform(-3.0e-4, 3.0e-4);
      problem.solver.tangential = TangentialMethod::newton;
      const StepReport newton = test::solve(problem).report;
      problem.solver.tangential = TangentialMethod::gauss_seidel;
      const StepReport sweeps = test::solve(problem).report;
      REQUIRE(newton.outcome == Outcome::converged);
      REQUIRE(sweeps.outcome == Outcome::converged);
      CHECK(sweeps.residual <= 1.0e-5);  // 100 times the tolerance
      // The corrections of both are kept where they change the tractions by 7e-3, of which the
      // tolerances of the rounds leave some hundredths.
      const double bound = newton.friction_coefficient * newton.normal_force;
      CHECK(std::abs(newton.force_x - sweeps.force_x) <= 1.0e-4 * bound);
      CHECK(std::abs(newton.force_y - sweeps.force_y) <= 1.0e-4 * bound);
      CHECK(std::abs(newton.moment_z - sweeps.moment_z) <= 2.0e-4 * bound);  // a is 2
    }
  }
}

}  // namespace slipfield
