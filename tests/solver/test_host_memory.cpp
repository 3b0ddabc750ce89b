// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>
#include <limits>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/host_memory.h"
#include "solver/memory_estimate.h"
#include "solver/window/dilute_normal.h"
#include "tests/support/result_sample.h"

using namespace slipfield;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE(
      "memory: a control group of version 2 leaves its limit less what is used without cache") {
    const test::TemporaryFolder root;
    write(root / "batch/job/memory.max", "1000000\n");
    write(root / "batch/job/memory.current", "700000\n");
    write(root / "batch/job/memory.stat", "anon 400000\nfile 300000\ninactive_file 250000\n");
    CHECK(available_in_groups("0::/batch/job\n", root / "") == 550000);
    // one above allows less
    write(root / "batch/memory.max", "2000000\n");
    write(root / "batch/memory.current", "1900000\n");
    CHECK(available_in_groups("0::/batch/job\n", root / "") == 100000);
    CHECK(available_in_groups("0::/batch\n", root / "") == 100000);
    write(root / "batch/memory.current", "2100000\n");
    CHECK(available_in_groups("0::/batch/job\n", root / "") == 0);
  }

  TEST_CASE("memory: a control group of version 1, found by its controller") {
    const test::TemporaryFolder root;
    write(root / "memory/box/memory.limit_in_bytes", "5000\n");
    write(root / "memory/box/memory.usage_in_bytes", "4000\n");
    write(root / "memory/box/memory.stat", "cache 900\ninactive_file 1\ntotal_inactive_file 500\n");
    CHECK(available_in_groups("5:cpu,memory:/box\n1:name=systemd:/\n", root / "") == 1500);
    CHECK(available_in_groups("5:memory:/other\n", root / "") == kUnlimited);
  }

  TEST_CASE("memory: what solves few elements in the host's memory takes none of a card") {
    ContactProblem problem;
    problem.upper = problem.lower = {1.0, 0.28};
    problem.grid = {512, 300, 1.0, 1.0};
    problem.steps.resize(1);
    problem.steps[0].tangential.problem = TangentialProblem::shift;
    const auto bytes_in = [&](FieldsIn where) {
      return counted_memory(problem, kMostKrylovChunks, where).all.most;
    };
    CHECK(bytes_in(FieldsIn::host) - bytes_in(FieldsIn::device) ==
          DiluteNormal<CpuBackend>::memory_bytes(problem.grid));
    problem.grid = {100, 90, 1.0, 1.0};  // too few elements for that
    CHECK(bytes_in(FieldsIn::host) == bytes_in(FieldsIn::device));
  }

  TEST_CASE("memory: groups without a limit, and none, leave all") {
    const test::TemporaryFolder root;
    write(root / "memory.max", "max\n");
    write(root / "memory.current", "4000\n");
    CHECK(available_in_groups("0::/\n", root / "") == kUnlimited);
    CHECK(available_in_groups("", root / "") == kUnlimited);
    CHECK(available_in_groups("nonsense\n:\n", root / "") == kUnlimited);
    CHECK(available_host_bytes() > 0);
  }
}
