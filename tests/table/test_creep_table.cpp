// SPDX-License-Identifier: Apache-2.0
// Tables of creep forces: against the full solution, the linear law, full sliding, and themselves.
#include "solver/table/creep_table.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "solver/error.h"
#include "solver/simplified/kalker_coefficients.h"
#include "solver/table/slipfield_table.h"
#include "solver/table/usetab.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

BatchSolution solve_here(const ContactBatch& batch, bool fields) {
  BatchOptions options;
  options.threads = 1;
  options.fields = fields;
  return solve_batch_on_cpu(batch, options);
}

// A circle, or a double half-ellipse as long as wide: 700 or 1,400 contacts of 12 x 12 elements.
CreepTableRequest small_request() {
  CreepTableRequest request;
  request.first_ratio = request.last_ratio = 1.0;
  request.ratios = 1;
  request.radii = 8;
  request.angles = 12;
  request.elevations = 8;
  request.elements = 12;
  request.checks = 50;
  return request;
}

const CreepTable& circle() {
  static const CreepTable table = make_creep_table(small_request(), solve_here);
  return table;
}

slipfield_table opened(const CreepTable& table) {
  slipfield_table evaluator;
  REQUIRE(slipfield_table_open(&evaluator, table.image.data(), table.image.size()) ==
          SLIPFIELD_TABLE_OK);
  return evaluator;
}

struct Evaluation {
  std::array<double, 3> force{};
  std::array<double, 9> derivative{};
  int status = 0;
};

Evaluation evaluate(const slipfield_table& table, std::array<double, 3> creepage,
                    double ratio = 1.0) {
  Evaluation one;
  one.status = slipfield_table_force(&table, ratio, creepage.data(), one.force.data(),
                                     one.derivative.data());
  return one;
}

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("a creep-force table: between its knots it is near the full solution, as it says") {
    const CreepTable& table = circle();
    // A coarse table of a coarse grid; the default one has 15 times the knots.
    CHECK(table.error.greatest_force <= 0.03);
    CHECK(table.error.mean_force <= 0.005);
    CHECK(table.error.mean_moment <= 0.005);
    const slipfield_table evaluator = opened(table);
    TableContacts contacts(table.request, solve_here);
    const TableForce full = contacts.forces({table.error.worst}).front();
    const Evaluation one = evaluate(evaluator, table.error.worst.creepage);
    // The same contact solved again: the error that the table names.
    CHECK(std::hypot(full[0] - one.force[0], full[1] - one.force[1]) ==
          test::within(table.error.greatest_force, 1e-6));
  }

  TEST_CASE("a creep-force table: at a knot it gives the solution of the contact") {
    const CreepTable& table = circle();
    const slipfield_table evaluator = opened(table);
    TableContacts contacts(table.request, solve_here);
    for (const std::size_t k : {2U, 4U, 6U}) {
      std::array<double, 3> stretch{};
      slipfield_table_stretch(0.0, table.linear.data(), stretch.data());
      const double angle = table.angles[k + 1];
      const double elevation = table.elevations[k];
      const double x = std::cos(elevation) * std::cos(angle) / stretch[0];
      const double y = std::cos(elevation) * std::sin(angle) / stretch[1];
      const double s = std::sin(elevation) / stretch[2];
      const double r = table.radii[k] / std::hypot(x, y, s);
      const TablePoint point{1.0,
                             {-3.0 * r * x / table.linear[0], -3.0 * r * y / table.linear[1],
                              -r * s / table.linear[2]}};
      const TableForce full = contacts.forces({point}).front();
      // Coefficients in single precision.
      CHECK(distance(evaluate(evaluator, point.creepage).force, full) <= 2e-6);
    }
  }

  TEST_CASE("a batch: the pressure of a normal problem, given, leads to the same tractions") {
    CreepTableRequest request = small_request();
    const TablePoint point{1.0, {-0.4, 0.2, 0.3}};
    TableContacts contacts(request, solve_here);
    const TableForce given = contacts.forces({point}, 1e-9).front();
    const double half = 12.0 / 10.0;
    ContactProblem problem;
    problem.grid = {12, 12, half / 6.0, half / 6.0, -half, -half};
    problem.upper = problem.lower = {1.0, 0.28};
    problem.geometry = {HertzShape{1.0, 1.0, 1.0}};
    problem.solver.tolerance = 1e-9;
    StepInput step;
    step.normal = {NormalControl::force, 1.0};
    step.friction.coefficient = 1.0;
    step.tangential.problem = TangentialProblem::steady_rolling;
    step.tangential.step = problem.grid.dx;
    step.tangential.x.value = point.creepage[0];
    step.tangential.y.value = point.creepage[1];
    step.tangential.rotation = point.creepage[2];
    problem.steps = {step};
    ContactBatch batch;
    add_to_batch(batch, problem);
    const StepReport whole = solve_here(batch, false).reports.front();
    REQUIRE(whole.outcome == Outcome::converged);
    // The table's normal problems are solved to 1e-8.
    CHECK(distance(given, {whole.force_x, whole.force_y, whole.moment_z}) <= 1e-6);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE(
      "a creep-force table: small creepages meet the linear law, near Kalker's coefficients") {
    const CreepTable& table = circle();
    const slipfield_table evaluator = opened(table);
    const KalkerCoefficients kalker = kalker_coefficients(1.0, 0.28);
    // First order in the element: 5 to 6 % with five in the radius, and 5/23 of that with 23.
    CHECK(table.linear[0] == test::near(kalker.c11, 0.06));
    CHECK(table.linear[1] == test::near(kalker.c22, 0.06));
    CHECK(table.linear[2] == test::near(kalker.c23, 0.06));
    CreepTableRequest request = small_request();
    request.elements = 48;
    constexpr double kSmall = 1e-5;
    const auto fine =
        TableContacts(request, solve_here)
            .forces({{1.0, {kSmall, 0, 0}}, {1.0, {0, kSmall, 0}}, {1.0, {0, 0, kSmall}}}, 1e-9);
    const auto order = [&](double coarse, double force, double exact) {
      const double error = -force / kSmall - exact;
      return std::log((coarse - exact) / error) / std::log(23.0 / 5.0);
    };
    // The count of elements in the circle jumps.
    CHECK(order(table.linear[0], fine[0][0], kalker.c11) == test::near(1.0, 0.1));
    CHECK(order(table.linear[1], fine[1][1], kalker.c22) == test::near(1.0, 0.1));
    CHECK(order(table.linear[2], fine[2][1], kalker.c23) == test::near(1.0, 0.1));
    constexpr double kSize = 1e-6;
    const Evaluation none = evaluate(evaluator, {0.0, 0.0, 0.0});
    CHECK(none.force == std::array<double, 3>{});
    const Evaluation small = evaluate(evaluator, {kSize, -2.0 * kSize, kSize});
    // 1e-5 of the linear law is in full sliding's terms, 1e-5 its computation.
    CHECK(small.force[0] / kSize == test::near(-table.linear[0], 1e-4));
    CHECK(small.force[1] / kSize == test::near(2.0 * table.linear[1] - table.linear[2], 1e-4));
    for (std::size_t i = 0; i < 3; ++i) {
      const double law =
          none.derivative[3 * i] - 2.0 * none.derivative[3 * i + 1] + none.derivative[3 * i + 2];
      CHECK(std::fabs(small.force[i] / kSize - law) <= 1e-3);
    }
  }

  TEST_CASE("a creep-force table: large creepages slide with mu F_n against them") {
    const slipfield_table evaluator = opened(circle());
    for (const double angle : {0.0, 0.7, 1.9, -2.5}) {
      const Evaluation one = evaluate(evaluator, {1e5 * std::cos(angle), 1e5 * std::sin(angle), 0});
      // The knot of full sliding is computed at 1e5 times the scale; a spline of a sine over twelve
      // knots a half turn errs by 3e-5.
      CHECK(std::fabs(one.force[0] + std::cos(angle)) <= 2e-4);
      CHECK(std::fabs(one.force[1] + std::sin(angle)) <= 2e-4);
    }
  }

  TEST_CASE(
      "a double half-ellipse: mirrored, its forces are mirrored, a symmetric one is Hertz's") {
    CreepTableRequest request = small_request();
    request.patch = TablePatch::double_half_ellipse;
    request.asymmetry = 0.4;
    const TablePoint point{1.0, {-0.4, 0.2, 0.3}};
    const TablePoint mirrored{1.0, {-0.4, -0.2, -0.3}};
    const TableForce one = TableContacts(request, solve_here).forces({point}, 1e-9).front();
    request.asymmetry = -0.4;
    const TableForce two = TableContacts(request, solve_here).forces({mirrored}, 1e-9).front();
    CHECK(distance(one, {two[0], -two[1], -two[2]}) <= 1e-7);  // two solutions to 1e-9
    CHECK(distance(one, two) >= 0.01);
    request.asymmetry = 0.0;
    const TableForce even = TableContacts(request, solve_here).forces({point}).front();
    const TableForce hertz = TableContacts(small_request(), solve_here).forces({point}).front();
    CHECK(distance(even, hertz) <= 0.02);  // pressures at the centres, of a grid of 12
  }
}

TEST_SUITE("unit") {
  TEST_CASE("a creep-force table: never beyond mu F_n, and symmetric as the contact is") {
    const slipfield_table evaluator = opened(circle());
    std::mt19937_64 engine(5);
    std::uniform_real_distribution<double> even(-1.0, 1.0);
    for (int i = 0; i < 3000; ++i) {
      const double size = std::pow(10.0, 6.0 * even(engine));
      const std::array<double, 3> v{size * even(engine), size * even(engine), size * even(engine)};
      const Evaluation one = evaluate(evaluator, v);
      CHECK(std::hypot(one.force[0], one.force[1]) <= 1.0 + 1e-12);  // rounding
      const Evaluation other = evaluate(evaluator, {-v[0], v[1], v[2]});
      const Evaluation negative = evaluate(evaluator, {-v[0], -v[1], -v[2]});
      CHECK(distance(other.force, {-one.force[0], one.force[1], one.force[2]}) <= 1e-6);  // floats
      CHECK(distance(negative.force, {-one.force[0], -one.force[1], -one.force[2]}) <= 1e-6);
    }
  }

  TEST_CASE("a creep-force table: the derivatives are those of the forces") {
    CreepTableRequest request = small_request();
    request.patch = TablePatch::double_half_ellipse;
    request.asymmetry = 0.3;
    request.radii = request.elevations = 5;
    const CreepTable halves = make_creep_table(request, solve_here);
    for (const CreepTable* table : {&circle(), &halves}) {
      const slipfield_table evaluator = opened(*table);
      std::mt19937_64 engine(6);
      std::uniform_real_distribution<double> even(-1.0, 1.0);
      for (int i = 0; i < 200; ++i) {
        const std::array<double, 3> v{even(engine), even(engine), even(engine)};
        const Evaluation one = evaluate(evaluator, v);
        if (std::hypot(one.force[0], one.force[1]) > 0.999) continue;  // the bound has a kink
        if (std::hypot(v[0], v[1]) < 0.1) continue;                    // and pure spin
        for (std::size_t k = 0; k < 3; ++k) {
          constexpr double kStep = 2e-3;
          std::array<double, 3> up = v;
          std::array<double, 3> down = v;
          up[k] += kStep;
          down[k] -= kStep;
          const Evaluation above = evaluate(evaluator, up);
          const Evaluation below = evaluate(evaluator, down);
          for (std::size_t j = 0; j < 3; ++j) {
            const double slope = (above.force[j] - below.force[j]) / (2.0 * kStep);
            // Floats over the step, and the second derivatives of a piece times it.
            CHECK(std::fabs(one.derivative[3 * j + k] - slope) <= 0.02);
          }
        }
      }
    }
  }

  TEST_CASE("a creep-force table: at pure spin, and as near as it may be, derivatives are slopes") {
    CreepTableRequest request = small_request();
    request.angles = 16;  // spacings over which rounding is divided
    request.radii = request.elevations = 6;
    request.first_ratio = request.last_ratio = 1.6;
    const CreepTable slender = make_creep_table(request, solve_here);
    request.patch = TablePatch::double_half_ellipse;
    request.asymmetry = 0.3;
    const CreepTable halves = make_creep_table(request, solve_here);
    for (const CreepTable* table : {&slender, &halves}) {
      const slipfield_table evaluator = opened(*table);
      for (const double spin : {1.0, -0.3, 4.0})
        for (const double part : {0.0, 1e-18, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2})
          for (const double angle : {0.3, 2.0, 3.7, 5.9}) {
            CAPTURE(spin);
            CAPTURE(part);
            CAPTURE(angle);
            const double size = part * spin;
            const std::array<double, 3> v{size * std::cos(angle), size * std::sin(angle), spin};
            const Evaluation one = evaluate(evaluator, v, 1.6);
            for (std::size_t k = 0; k < 2; ++k) {
              const double step = 0.02 * std::fabs(spin);
              std::array<double, 3> up = v;
              std::array<double, 3> down = v;
              up[k] += step;
              down[k] -= step;
              const Evaluation above = evaluate(evaluator, up, 1.6);
              const Evaluation below = evaluate(evaluator, down, 1.6);
              for (std::size_t j = 0; j < 3; ++j) {
                const double slope = (above.force[j] - below.force[j]) / (2.0 * step);
                // Derivatives are bounded at the pole, not continuous: on knots as coarse as these
                // they differ by up to .25 from side to side, at 1e-2 of the spin too.
                CHECK(std::fabs(one.derivative[3 * j + k] - slope) <= 0.35);
              }
            }
          }
    }
  }

  TEST_CASE("slipfield_table_contact: other units and sizes give the same pure numbers") {
    const slipfield_table evaluator = opened(circle());
    const slipfield_table_rolling contact{5.0, 5.0, 82000.0, 0.3, 80000.0, 1e-3, -2e-3, 1e-4};
    std::array<double, 3> force{};
    std::array<double, 9> derivative{};
    REQUIRE(slipfield_table_contact(&evaluator, &contact, force.data(), derivative.data()) ==
            SLIPFIELD_TABLE_OK);
    const double bound = 0.3 * 80000.0;
    const double scale = 82000.0 * 25.0 / bound;
    const Evaluation pure = evaluate(evaluator, {scale * 1e-3, scale * -2e-3, scale * 5.0 * 1e-4});
    CHECK(force[0] == test::near(bound * pure.force[0]));
    CHECK(force[2] == test::near(bound * 5.0 * pure.force[2]));
    CHECK(derivative[1] == test::near(bound * scale * pure.derivative[1]));
    CHECK(derivative[8] == test::near(bound * 5.0 * scale * 5.0 * pure.derivative[8]));
  }

  TEST_CASE("slipfield_table_open: refuses bytes that are cut off or of something else") {
    std::vector<unsigned char> image = circle().image;
    slipfield_table table;
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, sizeof(slipfield_table_header),
                                   image.size() / 2, image.size() - 1})
      CHECK(slipfield_table_open(&table, image.data(), size) != SLIPFIELD_TABLE_OK);
    image[9] ^= 1U;  // the order of bytes
    CHECK(slipfield_table_open(&table, image.data(), image.size()) == SLIPFIELD_TABLE_FOREIGN);
  }

  TEST_CASE("a creep-force table: other ratios take the nearest, numbers without sense give 0") {
    const slipfield_table evaluator = opened(circle());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Evaluation far = evaluate(evaluator, {0.1, 0.2, 0.3}, 2.0);
    CHECK(far.status == SLIPFIELD_TABLE_CLAMPED);
    CHECK(far.force == evaluate(evaluator, {0.1, 0.2, 0.3}).force);
    for (const Evaluation& one :
         {evaluate(evaluator, {nan, 0, 0}), evaluate(evaluator, {1, 0, 0}, -1.0),
          evaluate(evaluator, {1, 0, 0}, nan)}) {
      CHECK(one.status == SLIPFIELD_TABLE_NOT_FINITE);
      CHECK(one.force == std::array<double, 3>{});
    }
    for (const double tiny : {1e-200, 1e-308, 1e-100})
      CHECK(std::isfinite(evaluate(evaluator, {tiny, tiny, -tiny}).derivative[4]));
    CHECK(std::isfinite(evaluate(evaluator, {1e300, 0, 1e300}).force[1]));
  }

  TEST_CASE("a creep-force table: requests without sense are refused with what is accepted") {
    const auto message = [](const auto& change) {
      CreepTableRequest request = small_request();
      change(request);
      try {
        check_creep_table(request);
      } catch (const InputError& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    CHECK(message([](CreepTableRequest&) {}).empty());
    CHECK(message([](CreepTableRequest& r) { r.first_ratio = 2.0; }) ==
          "a table cannot have ratios a/b from 2 to 1; accepted: from 0.01 to 100, the smaller one "
          "first");
    CHECK(message([](CreepTableRequest& r) { r.ratios = 5; }) ==
          "ratios a/b from 1 to 1 do not go with 5 knots; accepted: 1 knot for a single ratio, 4 "
          "or more for a range");
    CHECK(message([](CreepTableRequest& r) { r.radii = 3; }) ==
          "a table cannot have 3 knots for the radii; accepted: 4 to 512");
    CHECK(message([](CreepTableRequest& r) { r.asymmetry = 0.1; }) ==
          "an ellipse has no asymmetry; accepted: it with a double half-ellipse");
    CHECK(message([](CreepTableRequest& r) { r.elements = 49; }) ==
          "a table's contacts cannot have 49 elements in a direction; accepted: 6 to 48");
    CHECK(message([](CreepTableRequest& r) { r.poisson_ratio = 0.6; }) ==
          "Poisson's ratio cannot be 0.6; accepted: 0 to 0.5");
    CHECK(message([](CreepTableRequest& r) { r.tolerance = 0.0; }) ==
          "a table cannot be solved to 0; accepted: a tolerance from 1e-10 to 1e-3");
  }
}

}  // namespace slipfield
