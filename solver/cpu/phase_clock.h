// SPDX-License-Identifier: Apache-2.0
// TEMPORARY: wall time by phase, printed at exit.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace slipfield {

struct PhaseTotals {
  double seconds = 0.0;
  long calls = 0;
};
struct PhaseTable {
  std::map<std::string, PhaseTotals> of;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  ~PhaseTable() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double all =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    double sum = 0.0;
    for (const auto& [name, t] : of) {
      std::fprintf(stderr, "phase %10.1f ms %8ld calls %9.1f us  %s\n", 1e3 * t.seconds, t.calls,
                   1e6 * t.seconds / static_cast<double>(t.calls), name.c_str());
      if (name[0] != '-') sum += t.seconds;
    }
    std::fprintf(stderr, "phase sum %.1f of %.1f ms; minor faults %ld, switches %ld + %ld, user %.2f system %.2f s\n",
                 1e3 * sum, 1e3 * all, usage.ru_minflt, usage.ru_nvcsw, usage.ru_nivcsw,
                 static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec),
                 static_cast<double>(usage.ru_stime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_stime.tv_usec));
  }
  static PhaseTotals& named(const std::string& name) {
    static PhaseTable table;
    return table.of[name];
  }
};
inline std::size_t least_for_threads() {
  static const std::size_t least =
      std::getenv("SLIPFIELD_LEAST") != nullptr ? std::atoi(std::getenv("SLIPFIELD_LEAST")) : 4096;
  return least;
}
class PhaseClock {
 public:
  explicit PhaseClock(PhaseTotals& totals) : totals_(totals) {}
  ~PhaseClock() {
    totals_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    ++totals_.calls;
  }
  PhaseClock(const PhaseClock&) = delete;
  PhaseClock& operator=(const PhaseClock&) = delete;

 private:
  PhaseTotals& totals_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace slipfield
