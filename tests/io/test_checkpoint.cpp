// SPDX-License-Identifier: Apache-2.0
// A resumed run reads the steps that were finished before.
#include <doctest/doctest.h>

#include <array>

#include "io/result/checkpoint.h"
#include "tests/support/result_sample.h"

using namespace slipfield;
using namespace slipfield::test;

TEST_SUITE("unit") {
  TEST_CASE("checkpoint: sensitivities come back as they were, and none where there were none") {
    const TemporaryFolder folder;
    const ResultHeader header = sample_header();
    ResultWriter writer(folder / "whole.h5", header);
    CheckpointFolder checkpoint(folder / "out.h5");
    checkpoint.hold();
    StepReport report = sample_report(0.0);
    const StepInput input = sample_input(TangentialProblem::shift);
    const auto finish = [&](int number) {
      writer.write_step(number, input, report, sample_solution(header.grid.count(), 1));
      checkpoint.add({input, report});
    };
    finish(1);
    report.approach_sensitivities = std::array<double, 4>{1.0 / 3.0, 2.0, -3.0, 4.0e-300};
    finish(2);
    report.sensitivities = std::array<double, 9>{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 1.0 / 9.0};
    finish(3);
    checkpoint.write(header, writer, {});
    const Checkpoint read = checkpoint.read();
    REQUIRE(read.steps.size() == 3);
    CHECK_FALSE(read.steps[0].report.approach_sensitivities.has_value());
    CHECK_FALSE(read.steps[1].report.sensitivities.has_value());
    CHECK(read.steps[1].report.approach_sensitivities == report.approach_sensitivities);
    CHECK(read.steps[2].report.approach_sensitivities == report.approach_sensitivities);
    CHECK(read.steps[2].report.sensitivities == report.sensitivities);
  }
}
