// SPDX-License-Identifier: Apache-2.0
#include "app/run/write_behind.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <system_error>
#include <utility>

#include "app/console.h"
#include "io/hdf5/one_thread.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "solver/cpu/host_memory.h"
#include "solver/memory_estimate.h"
#include "solver/ranks/ranks.h"

namespace slipfield {
namespace {

// Most host memory for a step's fields on their way to the file, including two intermediate fields.
std::size_t most_field_bytes(const Grid& grid) {
  const std::size_t fields = field_table().size() + surface_field_table().size() + 2;
  return grid.count() * (fields * sizeof(double) + sizeof(ElementState));
}

}  // namespace

void WriteBehind::begin(StepRecord step, ContactSolution solution) {
  const auto held = std::make_shared<std::pair<StepRecord, ContactSolution>>(std::move(step),
                                                                             std::move(solution));
  const auto write = [this, held] {
    auto& [record, fields] = *held;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point before = Clock::now();
    const hdf5::OneThread alone;
    writer_->write_step(record.number, record.input, record.report, fields);
    fields = {};
    return Written{std::move(record), std::chrono::duration<double>(Clock::now() - before).count()};
  };
  try {
    written_ = std::async(std::launch::async, write);
  } catch (const std::system_error&) {  // no thread available: write in turn
    written_ = std::async(std::launch::deferred, write);
    written_.wait();
  }
}

bool WriteBehind::is_done() const {
  return waits() && written_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

StepRecord WriteBehind::take() {
  Written written = written_.get();
  log_debug(fmt::format("the fields of step {} are written, meanwhile, in {:.3g} s",
                        written.step.number, written.seconds));
  return std::move(written.step);
}

bool can_write_behind(const CaseFile& case_file, const SettledBackend& backend) {
  const ContactProblem& problem = case_file.problem;
  if (case_file.wheel_rail || count_steps(problem.steps) < 2 || case_file.interior ||
      ranks::several() || backend.gpus.size() > 1)
    return false;
  constexpr std::size_t kSteps = 3;
  const std::size_t of_solver = backend.choice == BackendChoice::cpu ? estimated_bytes(problem) : 0;
  return of_solver + kSteps * most_field_bytes(problem.grid) <= available_host_bytes();
}

}  // namespace slipfield
