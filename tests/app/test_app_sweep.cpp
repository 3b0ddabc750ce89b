// SPDX-License-Identifier: Apache-2.0
// The points of a sweep against the same cases run alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/report/compare.h"
#include "app/run/run_case.h"
#include "app/run/sweep/sweep_point.h"
#include "io/case/sweep.h"
#include "io/result/any_result.h"
#include "io/result/reader.h"
#include "solver/error.h"
#include "tests/support/near.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::TemporaryFolder;

// Rolling of dissimilar bodies on a grid that is not square, with creepage and spin; 2 x 3 points.
const std::string kRolledCase = R"(schema: 1
title: rolling
units: N-mm-s
bodies:
  upper: {shear_modulus: 1.0, poisson_ratio: 0.25}
  lower: {shear_modulus: 2.0, poisson_ratio: 0.3}
friction: {coefficient: 0.3}
grid: {elements: [14, 11], extent: {x: [-1.2, 1.2], y: [-1.3, 1.1]}}
geometry: {type: sphere, radius: 100.0}
normal: {force: 0.02}
tangential: {problem: steady_rolling, x: {creepage: 9.0e-4}, y: {creepage: 3.0e-4}}
steps: [{}, {tangential: {spin: 4.0e-4}}]
sweep:
  - {key: friction.coefficient, values: [0.3, 0.1]}
  - {key: tangential.x.creepage, from: 2.0e-4, to: 1.0e-3, points: 3}
)";

RunOptions options_for(const std::filesystem::path& output, int at_a_time) {
  RunOptions options{BackendChoice::cpu, output};
  options.at_a_time = at_a_time;
  return options;
}

RunRecord run_it(const CaseFile& file, const std::filesystem::path& output, int at_a_time) {
  return run_case(file, options_for(output, at_a_time), silent_observer());
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("sweep: what a step remarks is its point's message, and one of its warnings") {
    StepRecord step;
    step.number = 2;
    step.report.message = "the force jumps by 3 N";
    PointResult point;
    note_outcome(step, {"another doubt"}, point);
    CHECK(point.outcome == PointOutcome::converged);
    CHECK(point.message == "step 2: the force jumps by 3 N");
    CHECK(point.warnings == std::vector<std::string>{"the force jumps by 3 N", "another doubt"});
    step.number = 3;
    step.report.message = "300 iterations";
    step.report.outcome = Outcome::not_converged;
    note_outcome(step, {}, point);
    CHECK(point.outcome == PointOutcome::not_converged);
    CHECK(point.message == "step 3 did not converge: 300 iterations");
    CHECK(point.warnings == std::vector<std::string>{"the force jumps by 3 N", "another doubt"});
  }
}

TEST_SUITE("oracle") {
  TEST_CASE(
      "sweep: every point has the numbers of its case run alone, however many run at a time") {
    const TemporaryFolder folder;
    const CaseFile file = read_case(folder.write("case.yaml", kRolledCase));
    const RunRecord one = run_it(file, folder.path() / "one.h5", 1);
    const RunRecord four = run_it(file, folder.path() / "four.h5", 4);
    CHECK(one.at_a_time == 1);
    CHECK(four.at_a_time == 4);
    CHECK(four.outcome == RunOutcome::converged);
    REQUIRE(one.table.count() == 6);
    for (int number = 1; number <= 6; ++number) {
      const auto point = static_cast<std::size_t>(number - 1);
      const CaseFile alone = file.sweep->point(number);
      const auto solver = make_cpu_solver(alone.problem);
      StepReport report;
      for (const StepInput& step : alone.problem.steps) report = solver->advance(step);
      CHECK(four.table.outcomes[point] == PointOutcome::converged);
      for (const SweepColumn& column : one.table.columns) {
        if (column.name == "seconds") continue;
        CAPTURE(number);
        CAPTURE(column.name);
        // The same operations in the same order: not one bit differs.
        CHECK(column.values[point] == quantity(report, alone.problem.steps.back(), column.name));
        CHECK(four.table.find(column.name)->values[point] == column.values[point]);
      }
    }
    const SweepColumn* creepage = one.table.find("creepage_x");
    REQUIRE(creepage);
    CHECK(creepage->values[4] == test::near(6.0e-4, 1e-12));
    CHECK(one.table.find("shift_x") == nullptr);
  }

  TEST_CASE("sweep: the observer gets the points in the order of the table") {
    const TemporaryFolder folder;
    const CaseFile file = read_case(folder.write("case.yaml", kRolledCase));
    std::vector<std::size_t> told;
    RunObserver observer = silent_observer();
    observer.on_point = [&](const RunRecord& record, std::size_t point) {
      CHECK(record.table.has_totals(point));
      told.push_back(point);
    };
    run_case(file, options_for(folder.path() / "out.h5", 3), observer);
    CHECK(told == std::vector<std::size_t>{0, 1, 2, 3, 4, 5});
  }
}

TEST_SUITE("unit") {
  TEST_CASE("sweep file: the table comes back as it was, with its keys in their order") {
    const TemporaryFolder folder;
    const CaseFile file = read_case(folder.write("case.yaml", kRolledCase));
    const RunRecord record = run_it(file, folder.path() / "out.h5", 2);
    CHECK(kind_of(folder.path() / "out.h5") == ResultKind::sweep);
    const AnyResult read = read_any_result(folder.path() / "out.h5");
    CHECK(read.info.outcome == "converged");
    CHECK(read.info.header.title == "rolling");
    CHECK(read.info.header.case_yaml == file.resolved_yaml);
    CHECK(read.with_fields.empty());
    CHECK(read.rows.shape == std::vector<std::size_t>{2, 3});
    CHECK(read.rows.outcomes == record.table.outcomes);
    CHECK(read.rows.messages == record.table.messages);
    REQUIRE(read.rows.inputs.size() == 2);
    CHECK(read.rows.inputs[0].key == "friction.coefficient");
    CHECK(read.rows.inputs[1].texts == record.table.inputs[1].texts);
    REQUIRE(read.rows.columns.size() == record.table.columns.size());
    for (const SweepColumn& column : record.table.columns)
      CHECK(read.rows.find(column.name)->values == column.values);
    CHECK_THROWS_WITH_AS(read_result(folder.path() / "out.h5"),
                         doctest::Contains("a sweep of many points"), InputError);
    CHECK_THROWS_WITH_AS(read_result(folder.path() / "out.h5", {2}),
                         doctest::Contains("holds no fields of points"), InputError);
    CHECK_THROWS_WITH_AS(read_result(folder.path() / "out.h5", {7}),
                         doctest::Contains("there is no point 7; accepted: 1 to 6"), InputError);
  }

  TEST_CASE("sweep file: a point with fields reads as a result of its own") {
    const TemporaryFolder folder;
    const CaseFile file = read_case(folder.write(
        "case.yaml", kRolledCase + "output: {fields: [pressure, gap], steps: last}\n"));
    run_it(file, folder.path() / "out.h5", 2);
    const ResultFile result = read_result(folder.path() / "out.h5", {5});
    const CaseFile alone = file.sweep->point(5);
    CHECK(result.info().header.case_yaml == alone.resolved_yaml);
    CHECK(result.info().outcome == "converged");
    REQUIRE(result.steps().size() == 1);
    CHECK(result.step(0).number == 2);
    CHECK(result.step(0).fields == std::vector<std::string>{"pressure", "gap"});
    const auto solver = make_cpu_solver(alone.problem);
    for (const StepInput& step : alone.problem.steps) solver->advance(step);
    CHECK(result.field(result.step(0), "pressure") == solver->download().pressure);
  }

  TEST_CASE("sweep: a point that fails is marked, the others are kept") {
    const TemporaryFolder folder;
    // A grid that is right, and too large for any machine: the solver refuses it.
    const std::string text =
        test::edited(kRolledCase, "{key: friction.coefficient, values: [0.3, 0.1]}",
                     "{key: grid.elements, values: [[14, 11], [65536, 65536]]}");
    const CaseFile file = read_case(folder.write("case.yaml", text));
    const RunRecord record = run_it(file, folder.path() / "out.h5", 2);
    CHECK(record.outcome == RunOutcome::incomplete);
    CHECK(record.error.find("point 4 failed: ") == 0);
    CHECK(record.error_code == static_cast<int>(ExitCode::bad_input));
    const AnyResult read = read_any_result(folder.path() / "out.h5");
    CHECK(read.info.outcome == "incomplete");
    CHECK(read.rows.outcomes[2] == PointOutcome::converged);
    CHECK(read.rows.outcomes[3] == PointOutcome::failed);
    CHECK(std::isnan(read.rows.find("force_x")->values[5]));
    CHECK(read.rows.find("force_x")->values[2] < 0.0);
  }

  TEST_CASE("sweep: two files compare column by column, a zero by its kin") {
    const TemporaryFolder folder;
    const CaseFile file = read_case(folder.write("case.yaml", kRolledCase));
    run_it(file, folder.path() / "out.h5", 2);
    const AnyResult first = read_any_result(folder.path() / "out.h5");
    AnyResult second = first;
    CHECK(compare_sweeps(first, second, "a", "b").equal(1e-15));
    for (SweepColumn& column : second.rows.columns)
      if (column.name == "force_y") column.values[3] += 2.0e-8;  // 1e-6 of F_n
    const SweepDifference difference = compare_sweeps(first, second, "a", "b");
    CHECK(difference.equal(1.1e-6));
    CHECK_FALSE(difference.equal(0.9e-6));
    second.rows.outcomes[1] = PointOutcome::not_converged;
    CHECK(compare_sweeps(first, second, "a", "b").unequal == std::vector<std::size_t>{2});
    CHECK_FALSE(compare_sweeps(first, second, "a", "b").equal(1.0));
    second.rows.inputs[0].texts[0] = "0.4";
    CHECK_THROWS_WITH_AS(compare_sweeps(first, second, "a", "b"),
                         doctest::Contains("sweep over different values"), InputError);
  }

  TEST_CASE("sweep: an interrupted one is compared where both ran, and is not equal to the whole") {
    AnyResult whole;
    whole.rows.outcomes.assign(4, PointOutcome::converged);
    for (int point = 1; point <= 4; ++point) whole.rows.keys.push_back({point, 1, {}, 0});
    whole.rows.columns = {{"force_x", {1.0, 2.0, 3.0, 4.0}}};
    AnyResult cut = whole;
    cut.rows.outcomes[1] = cut.rows.outcomes[3] = PointOutcome::not_run;
    const double missing = std::numeric_limits<double>::quiet_NaN();
    cut.rows.columns[0].values = {1.0, missing, 3.0, missing};
    const SweepDifference difference = compare_sweeps(whole, cut, "a", "b");
    CHECK(difference.agrees(1e-300));
    CHECK_FALSE(difference.equal(1e300));
    CHECK(difference.not_run.first.empty());
    CHECK(difference.not_run.second == std::vector<std::size_t>{2, 4});
    CHECK(difference.unequal.empty());
    CHECK(verdict(difference.agrees(1e-5), difference.not_run, 1e-5) ==
          "equal within 1e-05, compared at 2 points that both files have run");
    CHECK(compare_sweeps(cut, cut, "a", "b").equal(1e-300));
    AnyResult wrong = cut;
    wrong.rows.columns[0].values[2] = 3.1;
    CHECK_FALSE(compare_sweeps(whole, wrong, "a", "b").agrees(1e-3));
    AnyResult other = whole;  // has just the points that the cut one has not
    other.rows.outcomes[0] = other.rows.outcomes[2] = PointOutcome::not_run;
    CHECK_THROWS_WITH_AS(compare_sweeps(cut, other, "a", "b"),
                         "a and b have no point that both have run", InputError);
  }

  TEST_CASE("expected: the table fits 80 columns, whatever is in it") {
    const auto expectation = [](std::string name, double value, std::string source, int point) {
      Expectation made;
      made.quantity = std::move(name);
      made.value = value;
      made.tolerance = 1.25e-08;
      made.source = std::move(source);
      made.point = point;
      return ExpectationResult{made, 12, 1.5 * value, -1.23456e-12, value > 0.0};
    };
    const auto lines = expectation_table({expectation("normal_force", 2.5, "Maugis 1992", 0),
                                          expectation("approach", -2.3527e-6, "", 0)});
    const std::vector<std::string> plain = {
        "step  quantity        expected          got difference tolerance  within",
        "  12  normal_force         2.5         3.75  -1.23e-12  1.25e-08  yes",
        "        Maugis 1992",
        "  12  approach     -2.3527e-06 -3.52905e-06  -1.23e-12  1.25e-08  NO"};
    CHECK(lines == plain);
    const std::string words =
        "a source of many words that goes on for more than one line, and then some";
    for (const std::string& line : expectation_table(
             {expectation("left_rolling_radius_difference", -1.234567e-12, words, 17)}))
      for (std::size_t begin = 0; begin < line.size(); ++begin) {
        const std::size_t end = std::min(line.find('\n', begin), line.size());
        CAPTURE(line);
        CHECK(end - begin <= 80);
        begin = end;
      }
  }

  TEST_CASE("sweep: a table is equal to itself, with points that did not converge and counts") {
    AnyResult first;
    first.rows.outcomes = {PointOutcome::converged, PointOutcome::not_converged,
                           PointOutcome::failed};
    const double missing = std::numeric_limits<double>::quiet_NaN();
    for (int point = 1; point <= 3; ++point) first.rows.keys.push_back({point, 1, {}, 0});
    first.rows.columns = {{"force_x", {1.0, 2.0, missing}}, {"heights_solved", {3.0, 4.0, 5.0}}};
    AnyResult second = first;
    SweepDifference same = compare_sweeps(first, second, "a", "b");
    CHECK(same.equal(1e-300));
    CHECK(same.not_converged == std::vector<std::size_t>{2, 3});
    second.rows.columns[1].values = {9.0, 9.0, 9.0};  // another way to the same heights
    CHECK(compare_sweeps(first, second, "a", "b").equal(1e-300));
    // A number that is missing in one file is a difference, whatever the points after it.
    second.rows.columns[0].values = {missing, 2.0 + 1e-9, missing};
    const SweepDifference lacking = compare_sweeps(first, second, "a", "b");
    CHECK_FALSE(lacking.equal(1e300));
    CHECK(lacking.columns[0].point == 1);
  }
}

}  // namespace slipfield
