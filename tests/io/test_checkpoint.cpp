// SPDX-License-Identifier: Apache-2.0
// A resumed run reads the steps that were finished before.
#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>

#include "io/result/checkpoint.h"
#include "tests/support/result_sample.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

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

  TEST_CASE("checkpoint: any byte that has changed is found, and a piece that is missing") {
    const TemporaryFolder folder;
    const ResultHeader header = sample_header();
    ResultWriter writer(folder / "whole.h5", header);
    CheckpointFolder checkpoint(folder / "out.h5");
    checkpoint.hold();
    const StepReport report = sample_report(0.0);
    const StepInput input = sample_input(TangentialProblem::shift);
    writer.write_step(1, input, report, sample_solution(header.grid.count(), 1));
    checkpoint.add({input, report});
    checkpoint.write(header, writer, {{"pressure", {1.0, 2.0}}});
    for (const char* name : {"state-0001.h5", "steps-0001-0001.h5"}) {
      const std::filesystem::path path = checkpoint.path() / name;
      const std::string whole = contents_of(path);
      const std::string says = checkpoint.path().string() + ": the checkpoint is damaged (" +
                               path.string() +
                               ": its checksum is not that of its bytes: some have changed, or "
                               "another version wrote it); --overwrite starts again";
      const auto is_refused = [&](const std::string& bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
        CHECK_THROWS_WITH_AS(static_cast<void>(checkpoint.read()), says.c_str(), InputError);
      };
      for (std::size_t i = 0; i < whole.size(); i += 101) {
        CAPTURE(i);
        std::string bytes = whole;
        bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
        is_refused(bytes);
      }
      is_refused(whole.substr(0, whole.size() - 1));
      is_refused("");
      std::ofstream(path, std::ios::binary) << whole;
      CHECK(checkpoint.read().last_step == 1);
    }
  }
}
