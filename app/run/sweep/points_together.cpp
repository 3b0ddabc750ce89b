// SPDX-License-Identifier: Apache-2.0
#include "app/run/sweep/points_together.h"

#include <fmt/format.h>
#include <omp.h>

#include <utility>
#include <vector>

#include "app/console.h"
#include "gpu/cuda_device.h"
#include "solver/batch/batch.h"
#include "solver/error.h"
#include "solver/plausibility.h"

namespace slipfield {
namespace {

// As many points as are worth a launch of their own, or a second of the cores.
std::size_t most_at_a_time(const SettledBackend& backend) {
  constexpr std::size_t kOnGpu = 8192;
  constexpr std::size_t kPerCore = 128;
  return backend.choice == BackendChoice::cpu
             ? kPerCore * static_cast<std::size_t>(omp_get_max_threads())
             : kOnGpu;
}

struct Point {
  int number = 0;
  ContactProblem problem;
  std::vector<Expectation> expected;
};

struct Points {
  std::vector<Point> points;
  ContactBatch batch;
};

// False where the batch does not take the contact, or the point cannot be read.
bool add_point(int number, const PointsTogether& sweep, Points& points) {
  try {
    const CaseFile file = sweep.read(number);
    if (file.wheel_rail || !batch_refusal(file.problem).empty()) return false;
    add_to_batch(points.batch, file.problem);
    points.points.push_back({number, file.problem, file.expected});
    return true;
  } catch (const Error&) {
    return false;
  }
}

PointResult result_of(const Point& point, const StepReport& report) {
  PointResult result;
  result.last_input = point.problem.steps.front();
  result.last_report = report;
  result.touches_edge = report.touches_edge;
  result.findings = doubts_after(point.problem, result.last_input, report);
  result.expected =
      compare_with_expected(point.expected, {StepRecord{1, result.last_input, report}}, true);
  return result;
}

void solve(const SettledBackend& backend, const PointsTogether& sweep, const Points& points) {
  if (points.points.empty()) return;
  BatchOptions options;
  options.progress = sweep.goes_on;
  const BatchSolution solution = backend.choice == BackendChoice::cpu
                                     ? solve_batch_on_cpu(points.batch, options)
                                     : solve_batch_on_cuda(points.batch, options, backend.gpu);
  for (std::size_t i = 0; i < points.points.size(); ++i)
    if (solution.reports[i].outcome == Outcome::converged)
      sweep.keep(points.points[i].number, result_of(points.points[i], solution.reports[i]));
  sweep.throw_if_ended();
}

}  // namespace

void solve_points_together(const SettledBackend& backend, const PointRange& range,
                           const PointsTogether& sweep) {
  const std::size_t most = most_at_a_time(backend);
  int number = range.first;
  bool taken = true;
  while (taken && number < range.end()) {
    Points points;
    for (; taken && number < range.end() && points.points.size() < most; ++number) {
      sweep.throw_if_ended();
      if (!sweep.is_done(number)) taken = add_point(number, sweep, points);
    }
    try {
      solve(backend, sweep, points);
    } catch (const BackendLost&) {
      throw;
    } catch (const Error& error) {
      log_warning(fmt::format("points are solved one by one: {}", error.what()));
      return;
    }
  }
}

}  // namespace slipfield
