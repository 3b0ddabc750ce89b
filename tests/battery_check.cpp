// The battery of random cases on one backend: a test where the program is a benchmark.
//
// usage: slipfield_battery_check cpu|cuda. `cuda` is skipped where no GPU answers.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "app/bench_battery.h"
#include "tests/gpu_guard.h"

int main(int argc, char** argv) {
  const std::string_view backend = argc == 2 ? argv[1] : "";
  try {
    if (backend == "cuda") {
      if (const int refused = slipfield::test::gpu_gate(); refused != 0) return refused;
    }
    slipfield::BatteryOptions options;
    options.backend = slipfield::backend_from_name(backend);
    options.cases = 60;
    options.seed = 2;
    options.largest = {40, 36};
    return slipfield::bench_battery(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
