// SPDX-License-Identifier: Apache-2.0
#include "solver/memory_estimate.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include "solver/cpu/cpu_curved.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/influence/fading_memory.h"
#include "solver/material.h"
#include "solver/rolling.h"
#include "solver/step/step_state.h"
#include "solver/tangential/coarse_grid.h"
#include "solver/tangential/krylov_ops.h"
#include "solver/tangential/second_order/correct_slip.h"

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

// What viscoelastic bodies remember of steps that are not steady: fields that reach behind the
// grid, ten times its length at most.
std::size_t creep_bytes(const ContactProblem& problem) {
  const std::size_t terms = problem.upper.creep.size() + problem.lower.creep.size();
  Grid wide = problem.grid;
  bool remembers = false;
  for (const StepInput& step : problem.steps) {
    remembers = remembers || step.tangential.problem == TangentialProblem::shift;
    if (step.tangential.problem != TangentialProblem::transient_rolling) continue;
    remembers = true;
    constexpr int kMostLengths = 10;
    const bool along_y = rolls_along_y(step.tangential.direction);
    (along_y ? wide.my : wide.mx) =
        (1 + kMostLengths) * (along_y ? problem.grid.my : problem.grid.mx);
  }
  if (terms == 0 || !remembers) return 0;
  return (6 * terms + 12) * sizeof(double) * wide.count() +
         terms * CpuFftConvolution::memory_bytes(wide, 2, 6);
}

// Coefficients of curved surfaces, of displacements now and before.
std::size_t curved_bytes(const ContactProblem& problem) {
  constexpr std::size_t kKinds = 4;  // now, before, their difference, at the edge
  const CurvedInfluence& influence = problem.influence;
  if (!influence.exists()) return 0;
  const std::size_t given =
      influence.tables ? influence.tables->values.size() * sizeof(CoefficientMatrix) : 0;
  constexpr std::size_t kHalfSpaceTables = 24;  // fields
  if (influence.by_row())
    return given + kKinds * (CpuRowProduct::memory_bytes(problem.grid) +
                             kHalfSpaceTables * sizeof(double) * problem.grid.count());
  constexpr int kPairs = 9;
  constexpr int kOfEach = 6;  // complex spectra, and tables of twice their size
  return given + kKinds * CpuFftConvolution::memory_bytes(problem.grid, 0, kOfEach * kPairs);
}

// Of the steps of a sequence and of what is written of them: two fields, and one that is being copied.
std::size_t frictionless_bytes(const ContactProblem& problem) {
  constexpr std::size_t kWritten = 3;
  const bool periodic = problem.grid.boundary == Boundary::periodic;
  // Of A_nn and of its inverse, and of free grids while the first is made: a table, its half-complex
  // rows, real and imaginary parts.
  const int spectra = periodic ? 2 : 6;
  return frictionless_field_bytes(problem.grid) + kWritten * sizeof(double) * problem.grid.count() +
         CpuFftConvolution::memory_bytes(problem.grid, 1, spectra);
}

constexpr std::size_t kOfTheRest = std::size_t{1} << 20;  // what does not grow with the grid

}  // namespace

bool is_frictionless(const ContactProblem& problem) {
  const NormalMethod method = problem.solver.normal;
  return method != NormalMethod::newton && method != NormalMethod::dense &&
         !keeps_tangential_fields(problem) &&
         std::none_of(problem.steps.begin(), problem.steps.end(), needs_tangential_fields);
}

std::size_t frictionless_field_bytes(const Grid& grid) {
  // Undeformed distance, pressure, displacement; direction, old residual, and one that is in turn
  // the residual, what preconditioning makes of it, and the product.
  constexpr std::size_t kFields = 6;
  constexpr std::size_t kMarks = 2;  // of one byte: division, active set
  return grid.count() * (kFields * sizeof(double) + kMarks);
}

FieldsAndSpectra fields_and_spectra(const ContactProblem& problem, int krylov_chunks) {
  constexpr std::size_t kFrictionless = 8;  // the six of frictionless_field_bytes(), and marks
  constexpr int kPair = 2;                  // of the influence, and of its inverse
  if (is_frictionless(problem)) return {kFrictionless, kPair};
  constexpr std::size_t kNormal = 28;
  constexpr std::size_t kTangential = 24;
  // GMRES: its vectors in single precision, the two newest in double, and room for two.
  const std::size_t basis = static_cast<std::size_t>(krylov_chunks) * kKrylovFused / 2 + 4;
  const std::size_t of_newton = 7 + 2 * basis;
  bool tangential = false;
  bool rolling = false;
  bool short_steps = false;
  for (const StepInput& step : problem.steps) {
    const Tangential& motion = step.tangential;
    tangential = tangential || motion.problem != TangentialProblem::none;
    rolling = rolling || is_rolling(motion.problem);
    short_steps =
        short_steps || (motion.problem == TangentialProblem::steady_rolling &&
                        is_short_steady_step(motion.step, motion.direction, problem.grid));
  }
  const TangentialMethod method = problem.solver.tangential;
  const bool newton = method == TangentialMethod::newton || method == TangentialMethod::automatic;
  const bool coupled = couples(problem);
  std::size_t fields = kNormal;
  int spectra = 2;
  if (tangential && !is_simplified(method)) {
    const std::size_t more = kTangential + (newton ? of_newton : 0);
    // The grids of the coarse start have a quarter, a sixteenth, ... of the elements.
    fields += newton && coarse_start_pays(problem.grid) ? more + more / 3 : more;
    spectra += newton && !rolling ? 6 : 3;  // with the inverses that precondition
    if (rolling) spectra += 12;  // complex ones of the step's operator, and their inverses
    if (rolling && problem.solver.rolling == RollingScheme::second_order)
      spectra += coupled ? 20 : 12;  // complex ones an element and two ahead, where the grid ends
    // Rounds that are mixed keep these (solver/step/fixed_point.h).
    constexpr std::size_t kMixed = 38;
    constexpr std::size_t kMostMixed = std::size_t{1} << 16;
    if (short_steps || (coupled && problem.grid.count() <= kMostMixed)) fields += kMixed;
    if (coupled) {
      fields += 8;
      spectra += rolling ? 12 : 4;
    }
  } else if (coupled) {  // the slip that the pressure makes, by tables of their own
    fields += 12;
    spectra += 12;
  }
  if (problem.solver.normal == NormalMethod::newton || is_viscoelastic(problem.upper) ||
      is_viscoelastic(problem.lower) || problem.influence.exists()) {
    fields += kNormal + basis;
    spectra += 16;  // complex ones, all of them
  }
  return {fields, spectra};
}

std::size_t second_order_bytes(const ContactProblem& problem, int rows) {
  if (problem.solver.rolling != RollingScheme::second_order) return 0;
  // Of them six hold the slip ahead of a grid that ends with the contact.
  const std::size_t own_only = couples(problem) ? 16 : 14;
  const std::size_t with_beside = couples(problem) ? 14 : 11;
  constexpr std::size_t kCopied = 15;
  const bool shared = rows < problem.grid.my;
  const int held = shared ? std::min(problem.grid.my, rows + 2 * kRowsOfEdge) : rows;
  return sizeof(double) * (own_only * problem.grid.index(0, rows) +
                           (with_beside + (shared ? kCopied : 0)) * problem.grid.index(0, held));
}

std::size_t estimated_bytes(const ContactProblem& problem, int krylov_chunks) {
  if (is_frictionless(problem)) return kOfTheRest + frictionless_bytes(problem);
  const auto [fields, spectra] = fields_and_spectra(problem, krylov_chunks);
  std::size_t bytes = kOfTheRest + fields * sizeof(double) * problem.grid.count() +
                      CpuFftConvolution::memory_bytes(problem.grid, 2, spectra);
  bytes += second_order_bytes(problem, problem.grid.my);
  bytes += creep_bytes(problem) + curved_bytes(problem);
  return problem.error_estimate ? bytes + bytes / 2 : bytes;
}

void require_memory(const ContactProblem& problem, std::size_t needed, std::size_t available,
                    const std::string& where) {
  if (needed <= available) return;
  std::ostringstream message;
  message << "grid: " << problem.grid.mx << " x " << problem.grid.my << " elements need up to "
          << readable_bytes(needed) << " (" << needed << " bytes), " << where << ' '
          << readable_bytes(available) << " (" << available << " bytes); accepted: a smaller grid";
  throw InputError(message.str());
}

void require_host_memory(const ContactProblem& problem) {
  require_memory(problem, estimated_bytes(problem), available_host_bytes(),
                 "this machine has free");
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
