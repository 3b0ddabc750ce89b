// SPDX-License-Identifier: Apache-2.0
// Steps that are written while the next one is solved.
#include <doctest/doctest.h>

#include "app/run/write_behind.h"
#include "io/result/reader.h"
#include "tests/support/result_sample.h"
#include "tests/support/test_case_support.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

// Its fields are large enough to be sent to the disk while they are written.
ResultHeader large_header() {
  ResultHeader header = sample_header();
  header.grid.mx = 400;
  header.grid.my = 330;
  return header;
}

StepRecord sample_record(int number) {
  return {number, sample_input(TangentialProblem::shift), sample_report(100.0 * number)};
}

ContactSolution fields_of_step(const ResultHeader& header, int number) {
  return sample_solution(header.grid.count(), static_cast<unsigned>(number));
}

SettledBackend on(BackendChoice choice) {
  SettledBackend backend;
  backend.choice = choice;
  return backend;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("steps written behind are in the file in their order, each with its own fields") {
    const TemporaryFolder folder;
    const ResultHeader header = large_header();
    constexpr int kSteps = 3;
    {
      ResultWriter writer(folder / "out.h5", header);
      WriteBehind behind(writer);
      for (int number = 1; number <= kSteps; ++number) {
        CHECK_FALSE(behind.waits());
        behind.begin(sample_record(number), fields_of_step(header, number));
        CHECK(behind.waits());
        const StepRecord written = behind.take();
        CHECK(written.number == number);
        CHECK(written.report.history.size() == sample_report(0.0).history.size());
        CHECK(writer.steps_written() == number);
      }
      writer.finish(RunOutcome::converged);
    }
    const ResultFile result = read_result(folder / "out.h5");
    REQUIRE(result.steps().size() == kSteps);
    for (int number = 1; number <= kSteps; ++number) {
      const ResultStep& step = result.steps()[static_cast<std::size_t>(number - 1)];
      CHECK(step.number == number);
      CHECK(step.report.normal_force == sample_report(100.0 * number).normal_force);
      const ContactSolution wrote = fields_of_step(header, number);
      const ContactSolution read = result.solution(step);
      for (const FieldEntry& entry : field_table()) {
        CAPTURE(entry.name);
        CHECK(wrote.*(entry.values) == read.*(entry.values));
      }
      CHECK(wrote.element_division == read.element_division);
    }
  }

  TEST_CASE("write behind: take() reports a step that cannot be written, other steps stay") {
    const TemporaryFolder folder;
    const ResultHeader header = sample_header();
    {
      ResultWriter writer(folder / "out.h5", header);
      WriteBehind behind(writer);
      behind.begin(sample_record(1), fields_of_step(header, 1));
      behind.take();
      ContactSolution too_short = fields_of_step(header, 2);
      too_short.slip_y.pop_back();
      behind.begin(sample_record(2), std::move(too_short));
      CHECK_THROWS_WITH_AS(behind.take(), doctest::Contains("the results could not be written"),
                           Error);
      CHECK_FALSE(behind.waits());
      behind.begin(sample_record(3), fields_of_step(header, 3));
      behind.take();
      writer.finish(RunOutcome::incomplete);
    }
    const ResultFile result = read_result(folder / "out.h5");
    REQUIRE(result.steps().size() == 2);
    CHECK(result.steps().back().number == 3);
  }

  TEST_CASE("a step that is still being written when its run ends is waited for") {
    const TemporaryFolder folder;
    const ResultHeader header = large_header();
    ResultWriter writer(folder / "out.h5", header);
    {
      WriteBehind behind(writer);
      behind.begin(sample_record(1), fields_of_step(header, 1));
    }
    CHECK(writer.steps_written() == 1);
  }

  TEST_CASE("a sequence is written behind, not one step, an interior, or fields without room") {
    CaseFile file = read_text(kPlainCase);
    file.problem.steps.resize(1);
    file.problem.steps[0].repeat = 1;
    CHECK_FALSE(can_write_behind(file, on(BackendChoice::cpu)));
    file.problem.steps[0].repeat = 2;
    CHECK(can_write_behind(file, on(BackendChoice::cpu)));
    SettledBackend cards = on(BackendChoice::cuda);
    CHECK(can_write_behind(file, cards));
    cards.gpus = {0, 1};
    CHECK_FALSE(can_write_behind(file, cards));
    file.interior.emplace();
    CHECK_FALSE(can_write_behind(file, on(BackendChoice::cpu)));
    file.interior.reset();
    file.problem.grid.mx = file.problem.grid.my = 1 << 21;  // hundreds of terabytes
    CHECK_FALSE(can_write_behind(file, on(BackendChoice::cpu)));
    CHECK_FALSE(can_write_behind(file, on(BackendChoice::cuda)));
  }
}
