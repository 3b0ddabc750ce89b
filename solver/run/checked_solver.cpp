// SPDX-License-Identifier: Apache-2.0
#include "solver/run/checked_solver.h"

#include <optional>
#include <utility>

#include "solver/problem_check.h"
#include "solver/surface/warm_friction.h"

namespace slipfield {
namespace {

class CheckedSolver final : public ForwardingSolver {
 public:
  CheckedSolver(const ContactProblem& problem, std::unique_ptr<ContactSolver> solver)
      : ForwardingSolver(warm_friction_solver(problem, std::move(solver))),
        problem_(without_geometry(problem)) {
    // Only the simplified theory checks steps against the geometry, which for it is a few numbers.
    if (is_simplified(problem.solver.tangential)) problem_.geometry = problem.geometry;
  }

  StepReport advance(const StepInput& step) override {
    require_checked(step);
    if (step.normal.control == NormalControl::pull_off)
      return advance_to_pull_off(*solver_, step, problem_.adhesion, problem_.grid.boundary);
    return solver_->advance(step);
  }
  void restore(const SolverState& state, const StepInput& last) override {
    require_checked(last);
    solver_->restore(state, last);
  }
  void restore_own(const SolverState& state, const StepInput& last) override {
    require_checked(last);
    solver_->restore_own(state, last);
  }

 private:
  // Coefficients by element are checked when they change, not at every step.
  void require_checked(const StepInput& step) {
    require_sound(check_step(problem_, step, friction_ ? &*friction_ : nullptr));
    friction_ = step.friction;
  }

  ContactProblem problem_;            // the geometry is dropped unless steps are checked against it
  std::optional<Friction> friction_;  // of the last faultless step
};

}  // namespace

std::unique_ptr<ContactSolver> checked_solver(const ContactProblem& problem,
                                              std::unique_ptr<ContactSolver> solver) {
  return std::make_unique<CheckedSolver>(problem, std::move(solver));
}

}  // namespace slipfield
