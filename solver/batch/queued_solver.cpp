// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "solver/batch/contact_queue.h"
#include "solver/contact_solver.h"
#include "solver/error.h"
#include "solver/geometry.h"
#include "solver/problem_check.h"

namespace slipfield {
namespace {

class QueuedSolver final : public SolverWithDefaults, public WholeSteps {
 public:
  QueuedSolver(std::shared_ptr<ContactQueue> queue, const ContactProblem& problem,
               QueuedFields wanted, MakeAlone make_alone)
      : queue_(std::move(queue)),
        problem_(problem),
        wanted_(wanted),
        make_alone_(std::move(make_alone)) {
    require_sound(check_problem(problem));
    if (problem.grid.mx > kMostBatchElements || problem.grid.my > kMostBatchElements) return;
    distance_ =
        undeformed_distance(problem.geometry, problem.grid, combine(problem.upper, problem.lower));
  }

  StepReport advance(const StepInput& step) override {
    if (!alone_ && !always_alone()) {
      require_sound(check_step(problem_, step, &problem_.steps.front().friction));
      if (std::optional<StepReport> report = advance_together(step)) return std::move(*report);
    }
    return advance_alone(step);
  }

  [[nodiscard]] ContactSolution download() const override {
    return alone_ ? alone_->solution : fields_.solution();
  }

  [[nodiscard]] SolverState state() const override {
    if (alone_) return alone_->state;
    if (always_alone()) {
      const ContactQueue::Alone place(*queue_);
      return make_alone_(problem_)->state();
    }
    if (fields_.pressure.empty()) return {};
    return {{"pressure", fields_.pressure}};
  }
  void restore(const SolverState& state, const StepInput& last) override {
    if (always_alone() || (alone_ && state.contains("undeformed_distance"))) {
      alone_ = AfterStep{state, last, {}};
      return;
    }
    alone_.reset();  // its state is outdated
    fields_ = {};
    const auto pressure = state.find("pressure");
    if (pressure != state.end() && pressure->second.size() == problem_.grid.count())
      fields_.pressure = pressure->second;
  }

  [[nodiscard]] bool solves_whole_steps() const override { return !alone_ && !always_alone(); }

  [[nodiscard]] std::string backend_name() const override {
    const ContactQueue::Alone place(*queue_);
    return make_alone_(problem_)->backend_name();
  }
  [[nodiscard]] std::string device_name() const override {
    const ContactQueue::Alone place(*queue_);
    return make_alone_(problem_)->device_name();
  }

 private:
  // Results of a single solver, which exists for one step only: thousands of them would not fit in
  // memory.
  struct AfterStep {
    SolverState state;
    StepInput last;
    ContactSolution solution;
  };

  [[nodiscard]] bool always_alone() const { return distance_.empty(); }

  StepReport advance_alone(const StepInput& step) {
    const ContactQueue::Alone place(*queue_);
    const std::unique_ptr<ContactSolver> solver = make_alone_(problem_);
    if (alone_) solver->restore(alone_->state, alone_->last);
    StepReport report = solver->advance(step);
    alone_ = AfterStep{solver->state(), step, solver->download()};
    return report;
  }

  // Returns nothing if the batch does not accept the step, does not solve it, or has no room.
  std::optional<StepReport> advance_together(const StepInput& step) {
    ContactProblem one = without_geometry(problem_);
    one.steps = {step};
    if (!batch_refusal(one, kMostBatchElements).empty()) return std::nullopt;
    try {
      QueuedSolution solution =
          queue_->solve({batch_contact(one), distance_, fields_.pressure, wanted_});
      if (solution.report.outcome != Outcome::converged) return std::nullopt;
      fields_ = std::move(solution.fields);
      return std::move(solution.report);
    } catch (const BackendLost&) {
      throw;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  std::shared_ptr<ContactQueue> queue_;
  ContactProblem problem_;
  QueuedFields wanted_;
  MakeAlone make_alone_;
  std::vector<double> distance_;    // empty: the grid is too large for batches
  BatchFields fields_;              // of the last step, or a starting pressure
  std::optional<AfterStep> alone_;  // set after a step that the batch did not solve
};

}  // namespace

std::unique_ptr<ContactSolver> make_queued_solver(std::shared_ptr<ContactQueue> queue,
                                                  const ContactProblem& problem,
                                                  QueuedFields fields, MakeAlone make_alone) {
  return std::make_unique<QueuedSolver>(std::move(queue), problem, fields, std::move(make_alone));
}

}  // namespace slipfield
