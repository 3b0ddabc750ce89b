// SPDX-License-Identifier: Apache-2.0
// One point of a sweep (app/run/sweep/sweep_run.cpp): its steps, one after another.
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

inline constexpr int kPointsOnGpu = 4;  // solvers at a time, on each

// Result of a point.
struct PointResult {
  PointOutcome outcome = PointOutcome::converged;
  std::string message;  // why it did not converge, or the first remark of a step that did
  int error_code = 0;   // where the outcome is `failed`
  int last_step = 0;
  std::vector<TableRow> rows = {{}};  // of the last step
  bool touches_edge = false;
  std::vector<ExpectationResult> expected;
  std::vector<std::string> warnings;  // what is suspicious, each kind once
};

// Adds those of a step that say something new.
void add_warnings(PointResult& result, const std::vector<std::string>& warnings);

// Adds a step's outcome, warnings and remark to its point. The first remark is also the point's
// message, unless a step did not converge: then the message says why.
void note_outcome(const StepRecord& step, const std::vector<std::string>& warnings,
                  PointResult& result);

struct PointObserver {
  std::function<void()> throw_if_ended;  // before each step, and while it is solved
  std::function<void(StepRecord&, StepSession&)> on_step;
};

// Points that run at the same time: `asked`, or as many as there are cores (on a GPU four); as far
// as the memory holds them.
int points_at_a_time(const SettledBackend& backend, const CaseSweep& sweep, int asked);

// Result of a point that this error ended.
PointResult failed_point(const std::exception_ptr& error);

// Not converging is the outcome; errors of the solver and of the observer leave as exceptions.
PointResult solve_point(const CaseFile& file, const SettledBackend& backend,
                        const PointObserver& observer);

}  // namespace slipfield
