// SPDX-License-Identifier: Apache-2.0
#include "app/run/sweep/points_together.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "app/console.h"
#include "app/report/step_warnings.h"
#include "gpu/cuda_device.h"
#include "io/case/sweep.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "solver/batch/batch.h"
#include "solver/cpu/host_memory.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// Enough points to be worth a launch, or a second of the cores.
std::size_t most_at_a_time(const SettledBackend& backend) {
  constexpr std::size_t kOnGpu = 8192;
  constexpr std::size_t kPerCore = 128;
  return backend.choice == BackendChoice::cpu
             ? kPerCore * static_cast<std::size_t>(omp_get_max_threads())
             : kOnGpu;
}

// Points for each GPU if `gpus` GPUs share them.
std::size_t evenly(std::size_t points, std::size_t gpus) {
  const std::size_t parts = std::max<std::size_t>(1, gpus);
  return std::max<std::size_t>(1, (points + parts - 1) / parts);
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

// Returns false if the batch does not accept the contact, or if the point cannot be read.
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
  const StepInput& input = point.problem.steps.front();
  result.last_step = 1;
  result.rows = rows_of_step(1, input, report).rows;
  result.touches_edge = report.touches_edge;
  const StepRecord step{1, input, report};
  note_outcome(step, step_warnings(point.problem, input, report), result);
  result.expected = compare_with_expected(point.expected, {step}, true);
  return result;
}

BatchSolution solve(const SettledBackend& backend, const PointsTogether& sweep,
                    const Points& points) {
  if (points.points.empty()) return {};
  BatchOptions options;
  options.progress = sweep.goes_on;
  return backend.choice == BackendChoice::cpu
             ? solve_batch_on_cpu(points.batch, options)
             : solve_batch_on_cuda(points.batch, options, backend.gpu);
}

// Solves each part on its own GPU if there are several. Converged points are kept even if another
// part fails.
void solve(const SettledBackend& backend, const PointsTogether& sweep,
           const std::vector<Points>& parts) {
  std::vector<BatchSolution> solutions(parts.size());
  std::vector<std::exception_ptr> failures(parts.size());
  const auto solve_part = [&](std::size_t k) {
    try {
      solutions[k] = solve(backend_of_thread(backend, static_cast<int>(k)), sweep, parts[k]);
    } catch (...) {
      failures[k] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(parts.size());
  for (std::size_t k = 1; k < parts.size(); ++k) {
    try {
      others.emplace_back(solve_part, k);
    } catch (...) {  // no thread for it
      failures[k] = std::current_exception();
    }
  }
  solve_part(0);
  for (std::thread& other : others) other.join();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (failures[k]) continue;
    const std::vector<Point>& points = parts[k].points;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (solutions[k].reports[i].outcome == Outcome::converged)
        sweep.keep(points[i].number, result_of(points[i], solutions[k].reports[i]));
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  sweep.throw_if_ended();
}

// For one GPU: half of the positions wait for their contacts while the others are being placed. An
// H200 with 16 cores took 9.0 s for 10,000 positions with 1024 at a time, 4.8 s with 3000.
constexpr int kPositionsOnGpu = 3000;
// Batches on a GPU at a time, so that one is transferred while the other is computed.
constexpr int kBatchesOnGpu = 2;

bool fits_batches(const CaseFile& file, bool keeps_fields) {
  if (!file.wheel_rail || keeps_fields || file.problem.surface.spots) return false;
  ContactProblem problem = file.problem;
  problem.surface = {};  // computed from the fields of a solved contact, except the gaps of spots
  return std::ranges::all_of(file.problem.steps, [&](const StepInput& step) {
    problem.steps = {step};
    return batch_refusal(problem, kMostBatchElements).empty();
  });
}

std::shared_ptr<ContactQueue> queue_on(int gpu, int positions) {
  std::vector<BatchSolver> solvers;
  for (int i = 0; i < kBatchesOnGpu; ++i) solvers.emplace_back(make_cuda_batches(gpu).solve);
  const auto enough = static_cast<std::size_t>(std::max(1, positions / kBatchesOnGpu));
  return std::make_shared<ContactQueue>(std::move(solvers), enough, kPointsOnGpu);
}

}  // namespace

void solve_points_together(const SettledBackend& backend, const PointRange& range,
                           const PointsTogether& sweep) {
  const std::size_t most = std::min(
      most_at_a_time(backend), evenly(static_cast<std::size_t>(range.count), backend.gpus.size()));
  int number = range.first;
  bool taken = true;
  while (taken && number < range.end()) {
    std::vector<Points> parts(std::max<std::size_t>(1, backend.gpus.size()));
    for (Points& points : parts) {
      for (; taken && number < range.end() && points.points.size() < most; ++number) {
        sweep.throw_if_ended();
        if (!sweep.is_done(number)) taken = add_point(number, sweep, points);
      }
    }
    try {
      solve(backend, sweep, parts);
    } catch (const BackendLost&) {
      throw;
    } catch (const Error& error) {
      log_warning(fmt::format("points are solved one by one: {}", error.what()));
      return;
    }
  }
}

SettledBackend PositionsTogether::backend_of(const SettledBackend& backend, int thread) const {
  SettledBackend own = backend_of_thread(backend, thread);
  if (!queues.empty()) own.queue = queues[static_cast<std::size_t>(thread) % queues.size()];
  return own;
}

PositionsTogether positions_together(const CaseFile& file, const SettledBackend& backend,
                                     bool keeps_fields, int asked, int otherwise) {
  PositionsTogether together;
  together.at_a_time = otherwise;
  if (backend.choice != BackendChoice::cuda || !fits_batches(file, keeps_fields)) return together;
  const std::vector<int> gpus = backend.gpus.empty() ? std::vector{backend.gpu} : backend.gpus;
  const int most = asked > 0 ? asked : kPositionsOnGpu * static_cast<int>(gpus.size());
  const std::size_t fit =
      available_host_bytes() / std::max<std::size_t>(1, file.sweep->memory_bytes());
  together.at_a_time = static_cast<int>(std::clamp<std::size_t>(
      fit, 1, static_cast<std::size_t>(std::min(most, file.sweep->points().count))));
  for (const int gpu : gpus)
    together.queues.push_back(queue_on(gpu, together.at_a_time / static_cast<int>(gpus.size())));
  return together;
}

PointReader::PointReader(const CaseFile& sweep)
    : sweep_(*sweep.sweep), together_(sweep.wheel_rail != nullptr) {}

CaseFile PointReader::read(int number, std::mutex& hdf5) {
  std::unique_lock<std::mutex> guard(hdf5, std::defer_lock);
  if (!together_) guard.lock();
  return sweep_.point(number, PointUse::to_run, files_);
}

}  // namespace slipfield
