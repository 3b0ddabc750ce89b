// SPDX-License-Identifier: Apache-2.0
// What a result holds of the surfaces.
#include <doctest/doctest.h>

#include "io/result/reader.h"
#include "io/result/surface/table.h"
#include "io/result/writer.h"
#include "tests/support/result_sample.h"

namespace slipfield {

TEST_SUITE("unit") {
  TEST_CASE("result: fields, numbers and the profile of the surfaces read back as written") {
    const test::TemporaryFolder folder;
    const ResultHeader header = test::sample_header();
    const StepInput input = test::sample_input(TangentialProblem::steady_rolling);
    ContactSolution solution = test::sample_solution(header.grid.count(), 5);
    solution.temperature_lower = solution.pressure;
    solution.wear_profile = {1.0, 2.0, 3.0, 4.0, 5.0};
    StepReport report = test::sample_report(3.0);
    report.surface.max_temperature = 166.5;
    {
      ResultWriter writer(folder / "out.h5", header);
      writer.write_step(1, input, report, solution);
      writer.finish(RunOutcome::converged);
    }
    const ResultFile file = read_result(folder / "out.h5");
    const ResultStep& step = file.step(1);
    CHECK(file.field(step, "temperature_lower") == solution.pressure);
    CHECK(file.solution(step).temperature_lower == solution.pressure);
    CHECK(file.solution(step).temperature_upper.empty());
    CHECK(file.solution(step).wear_profile == solution.wear_profile);
    CHECK(file.row_field(step, "surface_fatigue_along_y").empty());
    CHECK(file.row_field(step, "wear_profile") == solution.wear_profile);
    CHECK(step.report.surface.max_temperature == 166.5);
    CHECK_FALSE(step.report.surface.worn_area);
    CHECK(quantity(step.report, step.input, "max_temperature") == 166.5);
    CHECK(quantity_dimension("max_temperature") == Dimension::temperature);
    CHECK(field_dimension("wear_depth") == Dimension::length);
  }
}

}  // namespace slipfield
