// SPDX-License-Identifier: Apache-2.0
// A run: make a solver for the problem, then advance() for each step.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
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

// Supplies friction coefficients that depend on something unknown to the contact solver: surface
// temperatures (solver/surface/warm_friction.h). Called in each round of a step. One value per
// element of the whole grid, x fastest.
class FrictionFollower {
 public:
  virtual ~FrictionFollower() = default;
  // Called before a step whose law differs from that of the step before.
  virtual std::vector<double> first_coefficients(const FrictionByTemperature& law) = 0;
  // The coefficients for the result of a round: `found` has pressure, tractions, slip and division,
  // `report` the rigid slip and totals.
  virtual std::vector<double> coefficients(const StepInput& step, const ContactSolution& found,
                                           const StepReport& report) = 0;
};

// What a run carries from one step to the next, as host values by name.
using SolverState = std::map<std::string, std::vector<double>>;

// Holds the state of a run on its device from the first step to the last. All functions are pure:
// a solver around another one cannot miss one of them. See SolverWithDefaults.
class ContactSolver {
 public:
  virtual ~ContactSolver() = default;

  // Solves one step from the tractions of the step before, and makes its state the current one.
  // Non-convergence is reported, not thrown. Throws InputError if the step has a fault (check_step
  // of problem_check.h); the state is then unchanged.
  virtual StepReport advance(const StepInput& step) = 0;

  // Sets the source of coefficients for steps with FrictionByTemperature; it must outlive them. The
  // simplified theory has no such steps.
  virtual void follow_friction(FrictionFollower& follower) = 0;

  // Host copy of the current state's fields; call after advance().
  [[nodiscard]] virtual ContactSolution download() const = 0;

  // Like download(), for the chosen fields; others may stay empty.
  [[nodiscard]] virtual ContactSolution download_fields(const ChosenFields& chosen) const = 0;

  // Address of a field of the current state: x fastest, in the memory of the computing device,
  // valid until the next call of advance() or restore(). Null for a field that is formed only when
  // downloaded.
  [[nodiscard]] virtual const double* device_values(
      std::vector<double> ContactSolution::*field) const = 0;

  // After a step: what restore() needs to continue, in a solver of the same problem and backend.
  // advance() then gives the same bits as without the interruption, on a machine and with threads
  // that compute the same bits.
  [[nodiscard]] virtual SolverState state() const = 0;
  // last: the step after which `state` was taken. Throws InputError if it is not a state of this
  // problem.
  virtual void restore(const SolverState& state, const StepInput& last) = 0;

  // The same within a run, without what other processes hold: if ranks share the grid, each gets
  // its own rows. Together.
  [[nodiscard]] virtual SolverState own_state() const = 0;
  virtual void restore_own(const SolverState& state, const StepInput& last) = 0;

  // The least value of a field of the whole grid. Together.
  [[nodiscard]] virtual double least_of(std::vector<double> ContactSolution::*field) const = 0;

  [[nodiscard]] virtual std::string backend_name() const = 0;  // "cpu" | "cuda"
  [[nodiscard]] virtual std::string device_name() const = 0;   // for provenance
};

// A solver that owns the whole grid and has nothing else to say.
class SolverWithDefaults : public ContactSolver {
 public:
  void follow_friction(FrictionFollower& /*follower*/) override {}
  [[nodiscard]] ContactSolution download_fields(const ChosenFields& /*chosen*/) const override {
    return download();
  }
  [[nodiscard]] const double* device_values(
      std::vector<double> ContactSolution::* /*field*/) const override {
    return nullptr;
  }
  [[nodiscard]] SolverState own_state() const override { return state(); }
  void restore_own(const SolverState& state, const StepInput& last) override {
    restore(state, last);
  }
  [[nodiscard]] double least_of(std::vector<double> ContactSolution::*field) const override {
    const ContactSolution solution = download_fields({{field}, false});
    double least = HUGE_VAL;
    for (const double value : solution.*field) least = std::fmin(least, value);
    return least;
  }
};

// A solver around another one, to which it forwards everything that a derived class does not
// change. One that changes state() and restore() changes own_state() and restore_own() likewise.
class ForwardingSolver : public ContactSolver {
 public:
  explicit ForwardingSolver(std::unique_ptr<ContactSolver> solver) : solver_(std::move(solver)) {}

  StepReport advance(const StepInput& step) override { return solver_->advance(step); }
  void follow_friction(FrictionFollower& follower) override { solver_->follow_friction(follower); }
  [[nodiscard]] ContactSolution download() const override { return solver_->download(); }
  [[nodiscard]] ContactSolution download_fields(const ChosenFields& chosen) const override {
    return solver_->download_fields(chosen);
  }
  [[nodiscard]] const double* device_values(
      std::vector<double> ContactSolution::*field) const override {
    return solver_->device_values(field);
  }
  [[nodiscard]] SolverState state() const override { return solver_->state(); }
  void restore(const SolverState& state, const StepInput& last) override {
    solver_->restore(state, last);
  }
  [[nodiscard]] SolverState own_state() const override { return solver_->own_state(); }
  void restore_own(const SolverState& state, const StepInput& last) override {
    solver_->restore_own(state, last);
  }
  [[nodiscard]] double least_of(std::vector<double> ContactSolution::*field) const override {
    return solver_->least_of(field);
  }
  [[nodiscard]] std::string backend_name() const override { return solver_->backend_name(); }
  [[nodiscard]] std::string device_name() const override { return solver_->device_name(); }

 protected:
  std::unique_ptr<ContactSolver> solver_;
};

// The CPU solver, or the simplified theory if the problem requests it. Throws InputError with all
// faults of the problem (problem_check.h), or if this machine has too little memory.
// app/run/solver_factory.h chooses between it and the GPU.
std::unique_ptr<ContactSolver> make_cpu_solver(const ContactProblem& problem,
                                               ProgressCallback progress = {});

// Interface of a ContactSolver that solves every step completely, including its normal problem,
// whatever was solved before: then solving the normal problem alone saves little if the tangential
// one is needed as well.
class WholeSteps {
 public:
  virtual ~WholeSteps() = default;
  // False if the next step continues from what was solved before.
  [[nodiscard]] virtual bool solves_whole_steps() const = 0;
};

}  // namespace slipfield
