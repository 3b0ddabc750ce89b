// SPDX-License-Identifier: Apache-2.0
// Solves one point of a sweep (app/run/sweep/sweep_run.cpp), step by step.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "app/run/expectations.h"
#include "app/run/run_case.h"
#include "app/run/solver_factory.h"
#include "io/result/sweep_table.h"

namespace slipfield {

inline constexpr int kPointsOnGpu = 4;  // solvers at a time on each GPU

// Result of a point.
struct PointResult {
  PointOutcome outcome = PointOutcome::converged;
  std::string message;  // why it did not converge, or the first remark of a converged step
  int error_code = 0;   // if the outcome is `failed`
  int last_step = 0;
  std::vector<TableRow> rows = {{}};  // of the last step
  bool touches_edge = false;
  std::vector<ExpectationResult> expected;
  std::vector<std::string> warnings;  // each kind once
};

// Adds the warnings of a step that are new.
void add_warnings(PointResult& result, const std::vector<std::string>& warnings);

// Adds a step's outcome, warnings and remark to its point. The point's message is why a step did
// not converge, else the first remark.
void note_outcome(const StepRecord& step, const std::vector<std::string>& warnings,
                  PointResult& result);

struct PointObserver {
  std::function<void()> throw_if_ended;  // before each step and in its iterations
  std::function<void(StepRecord&, StepSession&)> on_step;
};

// Returns the number of points that run at the same time: `asked`, or one per core (four on a GPU),
// as far as memory allows.
int points_at_a_time(const SettledBackend& backend, const CaseSweep& sweep, int asked);

// Returns the result of a point that ended by this error.
PointResult failed_point(const std::exception_ptr& error);

// Non-convergence is an outcome; errors of the solver and of the observer leave as exceptions.
PointResult solve_point(const CaseFile& file, const SettledBackend& backend,
                        const PointObserver& observer);

}  // namespace slipfield
