#include "app/run/sweep_point.h"

#include <fmt/format.h>

#include <utility>

#include "app/run/run_wheel_rail.h"

namespace slipfield {
namespace {

void note_outcome(const StepRecord& step, PointResult& result) {
  result.touches_edge = result.touches_edge || step.report.touches_edge;
  if (step.report.outcome == Outcome::converged) return;
  if (result.message.empty())
    result.message = fmt::format("step {} did not converge: {}", step.number, step.report.message);
  result.outcome = PointOutcome::not_converged;
}

}  // namespace

PointResult solve_point(const CaseFile& file, const SettledBackend& backend,
                        const PointObserver& observer) {
  if (file.wheel_rail) return solve_wheel_point(file, backend, observer.throw_if_ended);
  const ContactProblem& problem = file.problem;
  StepSession session(backend, problem, [&](const Progress&) { observer.throw_if_ended(); });
  PointResult result;
  std::vector<StepRecord> steps;
  for (const StepInput& input : problem.steps) {
    for (int i = 0; i < input.repeat; ++i) {
      observer.throw_if_ended();
      steps.push_back(session.advance(input));
      StepRecord& step = steps.back();
      observer.on_step(step, session);
      step.report.history = {};
      note_outcome(step, result);
      for (const Finding& finding : session.doubts()) result.findings.push_back(finding);
    }
  }
  result.last_input = steps.back().input;
  result.last_report = steps.back().report;
  result.expected = compare_with_expected(file.expected, steps, true);
  return result;
}

}  // namespace slipfield
