// SPDX-License-Identifier: Apache-2.0
// A run: make a solver for the problem, then advance() for each step.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

struct Progress {
  Phase phase = Phase::normal;
  int iteration = 0;
  double change = 0.0;  // relative change of the tractions in that iteration
};
using ProgressCallback = std::function<void(const Progress&)>;

// Coefficients of friction by something that the solver of a contact does not know: the
// temperatures of its surfaces (solver/surface/warm_friction.h). A step asks in each of its rounds.
// One value for each element of the whole grid, x fastest.
class FrictionFollower {
 public:
  virtual ~FrictionFollower() = default;
  // Before a step whose law is not that of the step before.
  virtual std::vector<double> first_coefficients(const FrictionByTemperature& law) = 0;
  // Those that belong to what a round found: pressure, tractions, slip and division of `found`,
  // rigid slip and totals of `report`.
  virtual std::vector<double> coefficients(const StepInput& step, const ContactSolution& found,
                                           const StepReport& report) = 0;
};

// What a run carries from one step to the next, as host values by name.
using SolverState = std::map<std::string, std::vector<double>>;

// Holds the state of a run on its device from the first step to the last.
class ContactSolver {
 public:
  virtual ~ContactSolver() = default;

  // Solves one step from the tractions that the step before left, and makes its state the current
  // one. Not converging is reported, not thrown. Throws InputError where the step has a fault
  // (check_step of problem_check.h); the state then stays what it was.
  virtual StepReport advance(const StepInput& step) = 0;

  // Whom steps with FrictionByTemperature ask for coefficients; it outlives them. The simplified
  // theory has no such steps.
  virtual void follow_friction(FrictionFollower& /*follower*/) {}

  // Host copy of the current state's fields; call after advance().
  [[nodiscard]] virtual ContactSolution download() const = 0;

  // As download(), of the chosen fields; others may stay empty.
  [[nodiscard]] virtual ContactSolution download_fields(const ChosenFields& /*chosen*/) const {
    return download();
  }

  // Where the current state has a field of ContactSolution: x fastest, in the memory of the device
  // that computes, until the next call of advance() or restore(). Null for a field that is formed
  // on its way to the host.
  [[nodiscard]] virtual const double* device_values(
      std::vector<double> ContactSolution::* /*field*/) const {
    return nullptr;
  }

  // After a step: what restore() needs to continue from it, in a solver of the same problem and
  // backend. From there advance() gives the bits that it would have given without the break, on a
  // machine and with threads that compute the same bits.
  [[nodiscard]] virtual SolverState state() const = 0;
  // last: the step after which `state` was taken. Throws InputError where it is not a state of this
  // problem.
  virtual void restore(const SolverState& state, const StepInput& last) = 0;

  [[nodiscard]] virtual std::string backend_name() const = 0;  // "cpu" | "cuda"
  [[nodiscard]] virtual std::string device_name() const = 0;   // for provenance
};

// The CPU reference, or the simplified theory where the problem asks for it. Throws InputError with
// all faults of the problem (problem_check.h), or where this machine has too little memory.
// app/run/solver_factory.h chooses between it and the GPU.
std::unique_ptr<ContactSolver> make_cpu_solver(const ContactProblem& problem,
                                               ProgressCallback progress = {});

// A ContactSolver that solves every step as a whole, beginning with its normal problem, whatever
// was solved before: solving the normal problem alone saves little where the tangential one is
// needed as well.
class WholeSteps {
 public:
  virtual ~WholeSteps() = default;
  // False where the next step continues from what was solved before.
  [[nodiscard]] virtual bool solves_whole_steps() const = 0;
};

}  // namespace slipfield
