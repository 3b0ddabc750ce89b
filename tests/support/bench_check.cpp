// SPDX-License-Identifier: Apache-2.0
// Benchmarks that judge themselves, in their small form, as tests.
//
// usage: slipfield_bench_check battery|endurance cpu|cuda. `cuda` is skipped where no GPU answers.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "app/bench/battery.h"
#include "app/bench/endurance.h"
#include "solver/error.h"
#include "tests/gpu/gpu_guard.h"

namespace {

using namespace slipfield;

int run(std::string_view kind, BackendChoice backend) {
  if (kind == "battery") return bench_battery({backend, 60, 2, {40, 36}}).exit_code;
  if (kind == "endurance") return bench_endurance({backend, 400, 3, {20, 18}}).exit_code;
  throw InputError("usage: slipfield_bench_check battery|endurance cpu|cuda");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const BackendChoice backend = backend_from_name(argc == 3 ? argv[2] : "");
    if (backend == BackendChoice::cuda) {
      if (const int refused = test::gpu_gate(); refused != 0) return refused;
    }
    return run(argv[1], backend);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
