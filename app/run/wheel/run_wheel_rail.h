// SPDX-License-Identifier: Apache-2.0
// Runs the steps of a wheel on a rail, each of which is solved by itself, and writes their result.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/run/expectations.h"
#include "app/run/run_case.h"
#include "app/run/sweep_point.h"
#include "io/result/wheel/table.h"

namespace slipfield {

struct WheelRunRecord : RunSummary {
  std::vector<WheelRecord> steps;
};

struct WheelRunObserver {
  std::function<void(const WheelRunRecord&)> on_start;
  std::function<void(const WheelRecord&)> on_step;
};

// With `options.resume` the steps that an interrupted run has finished are taken over. Errors as
// run_case().
WheelRunRecord run_wheel_rail(const CaseFile& case_file, const RunOptions& options,
                              const WheelRunObserver& observer);

// A point of a sweep.
PointResult solve_wheel_point(const CaseFile& file, const SettledBackend& backend,
                              const std::function<void()>& throw_if_ended);

// As compare_with_expected() of run/expectations.h.
std::vector<ExpectationResult> compare_with_expected(const std::vector<Expectation>& expected,
                                                     const std::vector<WheelRecord>& steps,
                                                     bool complete);

}  // namespace slipfield
