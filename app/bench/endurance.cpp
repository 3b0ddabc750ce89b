// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/bench/kinds.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/report/step_table.h"
#include "app/run/solver_factory.h"
#include "gpu/cuda_device.h"
#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/memory_estimate.h"

namespace slipfield {
namespace {

constexpr int kProblems = 50;
constexpr int kMarks = 10;
// Tolerance of the counts: the allocator keeps some freed pieces for later and counts them as used;
// losing one kibibyte in each solve would be a hundred times as much.
constexpr std::int64_t kHeapSlack = std::int64_t{64} << 10;
constexpr std::int64_t kResidentSlack = std::int64_t{4} << 20;

struct Memory {
  int solves = 0;
  std::int64_t heap = 0;      // bytes allocated and not freed
  std::int64_t resident = 0;  // pages of the process
  std::int64_t device = 0;    // taken on the GPU, by everyone
};

Memory measure(int solves, const SettledBackend& backend) {
  Memory memory;
  memory.solves = solves;
  const struct mallinfo2 heap = mallinfo2();
  memory.heap = static_cast<std::int64_t>(heap.uordblks + heap.hblkhd + zero_pages_in_use());
  std::ifstream statm("/proc/self/statm");
  std::int64_t pages = 0;
  statm >> pages >> pages;
  memory.resident = pages * sysconf(_SC_PAGESIZE);
  if (backend.choice == BackendChoice::cuda) {
    const CudaDevice device = cuda_status().devices.at(static_cast<std::size_t>(backend.gpu));
    memory.device = static_cast<std::int64_t>(device.memory_bytes - cuda_free_bytes(backend.gpu));
  }
  return memory;
}

// A hash of the solution's bits (FNV-1a of the doubles), to compare without keeping the fields.
std::uint64_t digest(const ContactSolution& solution) {
  std::uint64_t hash = 14695981039346656037U;
  for (const auto* field : {&solution.pressure, &solution.traction_x, &solution.traction_y,
                            &solution.slip_x, &solution.slip_y, &solution.displacement_n}) {
    for (const double value : *field) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      hash = (hash ^ bits) * 1099511628211U;
    }
  }
  return hash;
}

std::uint64_t solve(const ContactProblem& problem, const SettledBackend& backend) {
  throw_if_interrupted();
  const auto solver =
      make_solver(backend, problem, [](const Progress&) { throw_if_interrupted(); });
  for (const StepInput& step : problem.steps)
    for (int i = 0; i < step.repeat; ++i) solver->advance(step);
  return digest(solver->download());
}

std::string signed_bytes(std::int64_t bytes) {
  return fmt::format("{}{}", bytes < 0 ? "-" : "+",
                     readable_bytes(static_cast<std::size_t>(std::abs(bytes))));
}

std::string line_of(const Memory& memory) {
  const auto text = [](std::int64_t bytes) {
    return readable_bytes(static_cast<std::size_t>(bytes));
  };
  return fmt::format("{:>9} {:>12} {:>12} {:>12}", memory.solves, text(memory.heap),
                     text(memory.resident), text(memory.device));
}

nlohmann::ordered_json memory_json(const Memory& memory) {
  return {{"solves", memory.solves},
          {"heap_bytes", memory.heap},
          {"resident_bytes", memory.resident},
          {"device_bytes", memory.device}};
}

}  // namespace

BenchOutcome bench_endurance(const BenchArguments& arguments, bool silent) {
  watch_interrupts();
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const GridLimit largest = largest_grid(arguments);
  std::vector<ContactProblem> problems;
  for (int number = 1; number <= std::min(kProblems, arguments.solves); ++number)
    problems.push_back(battery_problem(arguments.seed, number, largest).problem);
  const SettledBackend backend =
      settle_backend({backend_from_name(arguments.backend)}, problems.front());
  log_backend(backend, problems.front());
  // Three solves of each problem fill all caches: a repeated sequence of launches becomes a graph,
  // and one with new parameters a second graph.
  std::vector<std::uint64_t> first;
  for (const ContactProblem& problem : problems) first.push_back(solve(problem, backend));
  for (int again = 0; again < 2; ++again)
    for (const ContactProblem& problem : problems) solve(problem, backend);
  std::vector<Memory> marks;
  const auto mark = [&](int done) {
    marks.push_back(measure(done, backend));
    if (!silent) print_line(line_of(marks.back()));
  };
  if (!silent)
    print_line(fmt::format("{:>9} {:>12} {:>12} {:>12}", "solves", "heap", "resident", "GPU"));
  mark(0);
  int differing = 0;
  for (int done = 1; done <= arguments.solves; ++done) {
    const std::size_t place = static_cast<std::size_t>(done - 1) % problems.size();
    differing += solve(problems[place], backend) != first[place] ? 1 : 0;
    show_progress(fmt::format("solve {}/{}", done, arguments.solves));
    if (done % std::max(1, arguments.solves / kMarks) == 0) mark(done);
  }
  clear_progress();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  // Some graphs are still made in the first half of the solves; a leak continues after it.
  const Memory& settled = marks.at(marks.size() / 2);
  const std::int64_t heap = marks.back().heap - settled.heap;
  const std::int64_t resident = marks.back().resident - settled.resident;
  const std::int64_t device = marks.back().device - settled.device;
  const bool flat = heap <= kHeapSlack && resident <= kResidentSlack && device <= 0;
  BenchOutcome outcome =
      outcome_of({{"a solve of the endurance on " + backend.name,
                   counted(problems.size(), "problem"), 1.0e3 * seconds / arguments.solves}});
  outcome.document = std::make_shared<nlohmann::ordered_json>();
  nlohmann::ordered_json& document = *outcome.document;
  document = {{"backend", backend.name},     {"seed", arguments.seed}, {"solves", arguments.solves},
              {"problems", problems.size()}, {"differing", differing}, {"flat", flat},
              {"seconds", seconds}};
  document["memory"] = nlohmann::ordered_json::array();
  for (const Memory& memory : marks) document["memory"].push_back(memory_json(memory));
  if (!silent)
    print_line(fmt::format(
        "{} solves of {} random problems (seed {}) on {} in {:.3g} s: heap {}, resident {}, GPU {} "
        "since the first half of them: {}; {} solves differ from the first of their problem",
        arguments.solves, problems.size(), arguments.seed, backend.name, seconds,
        signed_bytes(heap), signed_bytes(resident), signed_bytes(device),
        flat ? "flat" : "memory grows", differing));
  outcome.exit_code =
      static_cast<int>(flat && differing == 0 ? ExitCode::done : ExitCode::not_converged);
  return outcome;
}

}  // namespace slipfield
