// SPDX-License-Identifier: Apache-2.0
// Benchmarks that judge themselves, in their small form, as tests.
//
// usage: slipfield_bench_check battery|endurance cpu|cuda. `cuda` is skipped where no GPU answers.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "app/bench/kinds.h"
#include "app/run/solver_factory.h"
#include "solver/error.h"
#include "tests/gpu/gpu_guard.h"

namespace {

using namespace slipfield;

int run(std::string_view kind, const std::string& backend) {
  BenchArguments arguments;
  arguments.backend = backend;
  arguments.cases = 60;
  arguments.solves = 400;
  if (kind == "battery") {
    arguments.seed = 2;
    arguments.largest = "40x36";
    return bench_battery(arguments, false).exit_code;
  }
  if (kind == "endurance") {
    arguments.seed = 3;
    arguments.largest = "20x18";
    return bench_endurance(arguments, false).exit_code;
  }
  throw InputError("usage: slipfield_bench_check battery|endurance cpu|cuda");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string backend = argc == 3 ? argv[2] : "";
    if (backend_from_name(backend) == BackendChoice::cuda) {
      if (const int refused = test::gpu_gate(); refused != 0) return refused;
    }
    return run(argv[1], backend);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
