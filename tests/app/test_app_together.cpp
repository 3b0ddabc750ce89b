// SPDX-License-Identifier: Apache-2.0
// Sweeps of small contacts: solved many at a time, with the results of their points alone.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>

#include "app/run/run_case.h"
#include "app/run/step_session.h"
#include "io/case/sweep.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

// 2 x 6 points; of two grids the second is larger than a batch takes.
const std::string kSmallAndLarge = R"(schema: 1
units: N-mm-s
bodies:
  upper: {shear_modulus: 82000.0, poisson_ratio: 0.28}
  lower: {shear_modulus: 82000.0, poisson_ratio: 0.28}
friction: {static: 0.3, kinetic: 0.2, law: exponential, half_velocity: 20.0}
grid: {elements: [20, 18], extent: {x: [-7.0, 7.0], y: [-6.0, 6.0]}}
geometry: {type: hertz, semi_axes: [6.0, 5.0]}
normal: {force: 40000.0}
tangential: {problem: steady_rolling, x: {creepage: 0.0}, y: {creepage: 1.0e-4}, spin: 2.0e-4, velocity: 20000.0}
sweep:
  - {key: grid.elements, values: [[20, 18], [50, 12]]}
  - {key: tangential.x.creepage, from: -3.0e-3, to: 3.0e-3, points: 6}
)";

const SweepColumn& column_of(const SweepTable& table, std::string_view name) {
  for (const SweepColumn& column : table.columns)
    if (column.name == name) return column;
  FAIL("no column " << name);
  return table.columns.front();
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE(
      "sweep of small contacts, falling friction: every point has the totals of its case alone, "
      "whether the batch took it or not") {
    const test::TemporaryFolder folder;
    const CaseFile file = read_case(folder.write("case.yaml", kSmallAndLarge));
    int shown = 0;
    RunOptions options{BackendChoice::cpu, folder / "out.h5"};
    options.at_a_time = 1;
    RunObserver observer = silent_observer();
    observer.on_point = [&](const RunRecord&, std::size_t row) {
      CHECK(row == static_cast<std::size_t>(shown++));
    };
    const RunRecord record = run_case(file, options, observer);
    CHECK(shown == 12);
    CHECK(record.outcome == RunOutcome::converged);
    const SweepColumn& force_x = column_of(record.table, "force_x");
    const SweepColumn& moment = column_of(record.table, "moment_z");
    for (int number = 1; number <= file.sweep->count(); ++number) {
      CAPTURE(number);
      const CaseFile point = file.sweep->point(number);
      StepSession session(settle_backend({BackendChoice::cpu}, point.problem), point, {});
      const StepReport alone = session.advance(point.problem.steps.front()).report;
      const auto row = static_cast<std::size_t>(number - 1);
      // Two solutions to 1e-6, of a friction that follows the slip.
      CHECK(std::fabs(force_x.values[row] - alone.force_x) <= 1e-5 * 0.3 * 40000.0);
      CHECK(std::fabs(moment.values[row] - alone.moment_z) <= 1e-5 * 0.3 * 40000.0 * 6.0);
    }
  }
}

}  // namespace slipfield
