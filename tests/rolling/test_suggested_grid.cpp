// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "app/run/accuracy/suggested_grid.h"
#include "io/case/reader.h"
#include "solver/contact_solver.h"
#include "solver/error.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

const std::filesystem::path kCases = SLIPFIELD_CASES_DIR;

TEST_SUITE("unit") {
  TEST_CASE("suggested grid: it covers the case's area and has about the error wanted") {
    ContactProblem problem = read_case(kCases / "steady_spin.yaml").problem;
    const double wanted = 0.006;
    const SuggestedGrid suggested = suggest_grid(problem, wanted);
    REQUIRE(suggested.measured.size() == 2);
    CHECK(suggested.measured[0].error > suggested.measured[1].error);
    const Grid& grid = suggested.grid;
    const Grid before = problem.grid;
    CHECK(grid.x0 == before.x0);
    CHECK(grid.mx * grid.dx == test::near(before.mx * before.dx, 1e-12));
    CHECK(grid.my * grid.dy == test::near(before.my * before.dy, 1e-12));
    const double elements_a_step = problem.steps.back().tangential.step / before.dx;
    CHECK(suggested.step / grid.dx == test::near(elements_a_step, 1e-12));

    problem.grid = grid;
    problem.error_estimate = true;
    problem.steps.back().tangential.step = suggested.step;
    const StepReport report = make_cpu_solver(problem)->advance(problem.steps.back());
    REQUIRE(report.error);
    const double bound = report.friction_coefficient * report.normal_force;
    const double error = std::fmax(report.error->force_x, report.error->force_y) / bound;
    CHECK(error < 1.5 * wanted);
    CHECK(error > wanted / 3.0);
  }

  TEST_CASE("suggested grid: a step of a tenth of an element becomes one of an element") {
    ContactProblem problem = read_case(kCases / "steady_spin.yaml").problem;
    const SuggestedGrid whole = suggest_grid(problem, 0.006);
    problem.steps.back().tangential.step *= 0.1;
    const SuggestedGrid tenth = suggest_grid(problem, 0.006);
    CHECK(tenth.step == test::near(tenth.grid.dx, 1e-12));
    CHECK(tenth.grid.mx == whole.grid.mx);
  }

  TEST_CASE("suggested grid: a smaller error takes more elements") {
    const ContactProblem problem = read_case(kCases / "steady_spin.yaml").problem;
    CHECK(suggest_grid(problem, 0.002).grid.mx > suggest_grid(problem, 0.01).grid.mx);
  }

  TEST_CASE("suggested grid: what has no estimate is one sentence") {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(suggest_grid(read_case(kCases / "cattaneo_shift.yaml").problem, 0.01)),
        "a grid for an error is suggested for steady rolling, which no step of this case is",
        InputError);
    ContactProblem problem = read_case(kCases / "steady_spin.yaml").problem;
    CHECK_THROWS_AS(static_cast<void>(suggest_grid(problem, 1e-9)), InputError);
    ContactProblem strong = problem;
    strong.steps.back().friction.shear_strength = 20.0;
    CHECK_THROWS_WITH_AS(
        static_cast<void>(suggest_grid(strong, 0.01)),
        doctest::Contains("cannot be suggested: errors are estimated as parts of mu F_n"),
        InputError);
    ContactProblem simple = problem;
    simple.solver.tangential = TangentialMethod::fastsim;
    CHECK_THROWS_WITH_AS(static_cast<void>(suggest_grid(simple, 0.01)),
                         doctest::Contains("the simplified theory has none"), InputError);
    problem.geometry = {
        HeightsShape{HeightsOf::distance, std::vector<double>(problem.grid.count(), 1.0)}};
    CHECK_THROWS_AS(static_cast<void>(suggest_grid(problem, 0.01)), InputError);
  }
}

}  // namespace
}  // namespace slipfield
