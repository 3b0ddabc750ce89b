// SPDX-License-Identifier: Apache-2.0
#include "solver/memory_estimate.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <sstream>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/run/counting_backend.h"
#include "solver/step/contact_step.h"
#include "solver/step/step_state.h"
#include "solver/surface/heat_memory.h"

namespace slipfield {
std::string readable_bytes(std::size_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < kUnits.size()) {
    value /= 1024.0;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %s", value, kUnits[unit]);
  return text.data();
}

namespace {

constexpr std::size_t kOfTheRest = std::size_t{1} << 20;  // independent of the grid

}  // namespace

bool is_frictionless(const ContactProblem& problem) {
  const NormalMethod method = problem.solver.normal;
  return method != NormalMethod::newton && method != NormalMethod::dense &&
         !keeps_tangential_fields(problem) &&
         std::none_of(problem.steps.begin(), problem.steps.end(), needs_tangential_fields);
}

std::size_t frictionless_field_bytes(const Grid& grid) {
  // Undeformed distance, pressure, displacement; direction, old residual, and a field that holds in
  // turn the residual, its preconditioned form, and the product.
  constexpr std::size_t kFields = 6;
  constexpr std::size_t kMarks = 2;  // of one byte: division, active set
  return grid.count() * (kFields * sizeof(double) + kMarks);
}

MemoryCounts counted_memory(const ContactProblem& problem, int krylov_chunks, FieldsIn where) {
  const CountingMemory counting;
  ContactRun<CountingBackend> run(problem, {}, krylov_products(krylov_chunks),
                                  where == FieldsIn::host);
  for (const StepInput& step : problem.steps) run.reserve(step);
  return counting.counts();
}

std::size_t estimated_bytes(const ContactProblem& problem, int krylov_chunks, FieldsIn where) {
  // Fields of the previous step that are being written, and one that is being copied.
  constexpr std::size_t kWhole = 13;  // with a permanent deformation or adhesion, all at once
  const bool yields = contact_hardness(problem) > 0.0 || problem.adhesion.exists();
  const std::size_t written = yields ? kWhole : is_frictionless(problem) ? 3 : 10;
  constexpr std::size_t kOfSurfaces = 40;  // a solution and a state, temperatures and heat fluxes
  constexpr std::size_t kOfSpots = 18;     // the same solution, and places
  const SurfaceRequest& surface = problem.surface;
  const bool computes = surface.wear || surface.heat || surface.fatigue;
  const std::size_t fields = written + (computes ? kOfSurfaces : surface.spots ? kOfSpots : 0);
  const std::size_t bytes =
      kOfTheRest + fields * sizeof(double) * problem.grid.count() + heat_memory_bytes(problem);
  if (!is_simplified(problem.solver.tangential))
    return bytes + counted_memory(problem, krylov_chunks, where).all.most;
  constexpr std::size_t kOfTheory = 30;
  return bytes + kOfTheory * sizeof(double) * problem.grid.count() +
         CpuFftConvolution::memory_bytes(problem.grid, 2, couples(problem) ? 14 : 2);
}

void require_memory(const ContactProblem& problem, std::size_t needed, std::size_t available,
                    const std::string& where) {
  // What is free changes from moment to moment as other programs run: a small problem is tried.
  constexpr std::size_t kAlwaysTried = std::size_t{1} << 26;
  if (needed <= available || needed <= kAlwaysTried) return;
  std::ostringstream message;
  message << "grid: " << problem.grid.mx << " x " << problem.grid.my << " elements need up to "
          << readable_bytes(needed) << " (" << needed << " bytes), " << where << ' '
          << readable_bytes(available) << " (" << available << " bytes); accepted: a smaller grid";
  throw InputError(message.str());
}

// A wheel on a rail creates hundreds of small solvers per second, and querying the free memory
// takes longer than creating one: for a small problem the value that this thread read within the
// last second is used.
void require_host_memory(const ContactProblem& problem) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kSmallPart = 1000;
  thread_local std::size_t available = 0;
  thread_local Clock::time_point read_at;
  const std::size_t needed = estimated_bytes(problem);
  const Clock::time_point now = Clock::now();
  if (needed > available / kSmallPart || now - read_at > std::chrono::seconds(1)) {
    available = available_host_bytes();
    read_at = now;
  }
  require_memory(problem, needed, available, "this machine has free");
}

void require_dense_memory(std::size_t rows, std::size_t available) {
  const std::size_t needed = rows * rows * sizeof(double);
  if (needed <= available) return;
  std::ostringstream message;
  message << "direct: a dense matrix of " << rows << " rows needs " << readable_bytes(needed)
          << " (" << needed << " bytes), this machine has free " << readable_bytes(available)
          << " (" << available
          << " bytes); accepted: fewer elements in contact, or an iterative method";
  throw InputError(message.str());
}

}  // namespace slipfield
