// SPDX-License-Identifier: Apache-2.0
#include "app/run/sweep/sweep_point.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "app/failure.h"
#include "app/report/step_warnings.h"
#include "gpu/cuda_device.h"
#include "io/case/step_task.h"
#include "io/case/sweep.h"
#include "solver/cpu/host_memory.h"

namespace slipfield {
namespace {

// The remark of a converged step; empty if none.
std::string remark_of(const StepRecord& step) {
  if (!step.wheelset) return step.report.message;
  for (const SolvedWheel& wheel : step.wheelset->solved.wheels)
    if (!wheel.warning.empty()) return wheel.warning;
  return {};
}

}  // namespace

int points_at_a_time(const SettledBackend& backend, const CaseSweep& sweep, int asked) {
  std::size_t most = kPointsOnGpu;
  std::size_t available = 0;
  if (backend.choice == BackendChoice::cpu) {
    most = static_cast<std::size_t>(omp_get_max_threads());
    available = available_host_bytes();
  } else {
    const std::vector<int> gpus = backend.gpus.empty() ? std::vector{backend.gpu} : backend.gpus;
    available = std::numeric_limits<std::size_t>::max();  // of each; the least one counts
    for (const int gpu : gpus) available = std::min(available, cuda_free_bytes(gpu));
    const std::size_t cards = std::set<int>(gpus.begin(), gpus.end()).size();
    available *= cards;
    most *= cards;
  }
  if (asked > 0) most = static_cast<std::size_t>(asked);
  const std::size_t fit = available / std::max<std::size_t>(1, sweep.memory_bytes());
  const auto count = static_cast<std::size_t>(sweep.points().count);
  return static_cast<int>(std::max<std::size_t>(1, std::min({most, fit, count})));
}

void note_outcome(const StepRecord& step, const std::vector<std::string>& warnings,
                  PointResult& result) {
  const bool converged = step.report.outcome == Outcome::converged;
  add_warnings(result, step.wheelset ? warnings : step_remarks(step.report, warnings));
  const std::string remark = remark_of(step);
  if (!converged && result.outcome == PointOutcome::converged)
    result.message = fmt::format("step {} did not converge: {}", step.number, step.report.message);
  else if (converged && result.message.empty() && !remark.empty())
    result.message = fmt::format("step {}: {}", step.number, remark);
  if (!converged) result.outcome = PointOutcome::not_converged;
}

void add_warnings(PointResult& result, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    const std::string kind = without_numbers(warning);
    const bool known =
        std::any_of(result.warnings.begin(), result.warnings.end(),
                    [&](const std::string& other) { return without_numbers(other) == kind; });
    if (!known) result.warnings.push_back(warning);
  }
}

PointResult failed_point(const std::exception_ptr& error) {
  const Failure failure = failure_of(error);
  PointResult result;
  result.outcome = PointOutcome::failed;
  result.message = failure.message;
  result.error_code = failure.exit_code;
  return result;
}

PointResult solve_point(const CaseFile& file, const SettledBackend& backend,
                        const PointObserver& observer) {
  StepSession session(backend, file, [&](const Progress&) { observer.throw_if_ended(); });
  PointResult result;
  std::vector<StepRecord> steps;
  for (int number = 1; number <= count_steps(file); ++number) {
    observer.throw_if_ended();
    steps.push_back(session.advance(step_task(file, number)));
    StepRecord& step = steps.back();
    observer.on_step(step, session);
    note_outcome(step, session.warnings(), result);
    add_numbers(step, {});
    drop_fields(step);
    result.touches_edge =
        result.touches_edge || (step.wheel ? step.wheel->touches_edge : step.report.touches_edge);
  }
  result.last_step = steps.back().number;
  result.rows = rows_of_step(steps.back()).rows;
  result.expected = compare_with_expected(file.expected, steps, true);
  return result;
}

}  // namespace slipfield
