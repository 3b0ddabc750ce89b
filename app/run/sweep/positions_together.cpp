// SPDX-License-Identifier: Apache-2.0
#include "app/run/sweep/positions_together.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include "app/console.h"
#include "app/run/sweep/sweep_point.h"
#include "gpu/cuda_device.h"
#include "io/case/sweep.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "solver/cpu/host_memory.h"

namespace slipfield {
namespace {

// For one GPU: while half of the positions wait for their contacts, the others are being placed. An
// H200 with 16 cores took 9.0 s for 10,000 positions with 1024 at a time, 4.8 s with 3000.
constexpr int kPositionsOnGpu = 3000;
// Batches on a GPU at a time, so that one travels while the other is computed.
constexpr int kBatchesOnGpu = 2;

bool fits_batches(const CaseFile& file, bool keeps_fields) {
  if (!file.wheel_rail || keeps_fields || file.problem.surface.spots) return false;
  ContactProblem problem = file.problem;
  problem.surface = {};  // follows from the fields of a solved contact, all but the gaps of spots
  return std::ranges::all_of(file.problem.steps, [&](const StepInput& step) {
    problem.steps = {step};
    return batch_refusal(problem, kMostBatchElements).empty();
  });
}

std::shared_ptr<ContactQueue> queue_on(int gpu, int positions) {
  std::vector<BatchSolver> solvers;
  for (int i = 0; i < kBatchesOnGpu; ++i) solvers.emplace_back(make_cuda_batch_solver(gpu));
  const auto enough = static_cast<std::size_t>(std::max(1, positions / kBatchesOnGpu));
  return std::make_shared<ContactQueue>(std::move(solvers), enough, kPointsOnGpu);
}

}  // namespace

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

void run_in_threads(int count, const std::function<void(int thread)>& work) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  try {
    for (int i = 0; i < count; ++i) threads.emplace_back(work, i);
  } catch (const std::system_error& error) {
    log_warning(fmt::format("{} points at a time in place of {}: {}",
                            std::max<std::size_t>(1, threads.size()), count, error.what()));
    if (threads.empty()) work(0);
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace slipfield
