// SPDX-License-Identifier: Apache-2.0
#include "app/table/make_table.h"

#include <fmt/format.h>

#include <chrono>

#include "app/console.h"
#include "app/interrupt.h"
#include "gpu/cuda_device.h"
#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/memory_estimate.h"

namespace slipfield {
namespace {

// The GPU's number, or none for the CPU.
std::optional<int> gpu_of(const BackendRequest& request) {
  if (request.choice == BackendChoice::cpu) return std::nullopt;
  const CudaStatus status = cuda_status();
  const int number = request.gpu.value_or(0);
  if (request.choice == BackendChoice::cuda || request.gpu) {
    require_cuda_device(status, number);
    return number;
  }
  if (status.devices.empty() || !status.devices.front().unusable.empty()) {
    log_info(fmt::format("on the CPU: {}",
                         status.devices.empty() ? status.reason : status.devices.front().unusable));
    return std::nullopt;
  }
  return number;
}

SolveBatch solver_on(std::optional<int> gpu) {
  return [gpu](const ContactBatch& batch, bool fields) {
    BatchOptions options;
    options.fields = fields;
    options.progress = [](std::size_t) {
      throw_if_interrupted();
      return true;
    };
    return gpu ? solve_batch_on_cuda(batch, options, *gpu) : solve_batch_on_cpu(batch, options);
  };
}

void require_room(const CreepTableRequest& request, std::size_t entries, std::size_t on_disk,
                  const std::filesystem::path& output) {
  const std::size_t needed = creep_table_bytes(request);
  if (const std::size_t free = available_host_bytes(); free > 0 && needed > free)
    throw InputError(
        fmt::format("a table of {} entries takes {} of memory, and {} are free; "
                    "accepted: fewer knots",
                    entries, readable_bytes(needed), readable_bytes(free)));
  std::error_code error;
  const std::filesystem::path folder =
      output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  if (!error && on_disk > space.available)
    throw InputError(fmt::format(
        "{}: a table of {} entries takes {}, and the disk has {} left; "
        "accepted: fewer knots, or a file on another disk",
        output.string(), entries, readable_bytes(on_disk), readable_bytes(space.available)));
}

}  // namespace

CreepTable run_table(const CreepTableRequest& request, const TableRun& run, TableOrigin& origin) {
  check_creep_table(request);
  check_output(run.output, FileKind::creep_table, run.rule);
  constexpr std::size_t kBytesOfEntry = 64;  // forces, and coefficients with what surrounds them
  const std::size_t entries = creep_table_entries(request);
  require_room(request, entries, entries * kBytesOfEntry, run.output);
  const std::optional<int> gpu = gpu_of(run.backend);
  origin.command = run.command;
  origin.backend = gpu ? "cuda" : "cpu";
  if (gpu) origin.device = require_cuda_device(cuda_status(), *gpu).name;
  const auto begin = std::chrono::steady_clock::now();
  CreepTable table = make_creep_table(request, solver_on(gpu));
  origin.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return table;
}

UsetabTable run_usetab(const CreepTableRequest& request, int every, const TableRun& run) {
  check_creep_table(request);
  check_output(run.output, FileKind::table_bytes, run.rule);
  constexpr std::size_t kBytesOfLine = 40;
  const std::size_t entries = creep_table_entries(request);
  require_room(request, entries, entries * kBytesOfLine, run.output);
  return make_usetab(request, every, solver_on(gpu_of(run.backend)));
}

}  // namespace slipfield
