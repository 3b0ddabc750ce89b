// SPDX-License-Identifier: Apache-2.0
#include "app/run/run_wheel_rail.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include "app/console.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/run/chosen_solver.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/wheel/writer.h"
#include "solver/error.h"
#include "solver/plausibility.h"

namespace slipfield {
namespace {

class WheelSteps {
 public:
  // Both outlive this.
  WheelSteps(const CaseFile& file, const SettledBackend& backend)
      : wheel_rail_(*file.wheel_rail),
        backend_(backend),
        bodies_(file.problem),
        searches_(wheel_rail_.searches()) {
    bodies_.steps.clear();
  }

  SolvedWheelset solve(std::size_t i, const std::function<void()>& throw_if_ended) {
    const WheelsetStep& step = wheel_rail_.steps[i];
    const auto searches = std::span(searches_).first(step.wheels.size());
    return solve_wheelset(searches, bodies_, step, [&](const ContactProblem& problem) {
      throw_if_ended();
      return make_solver(backend_, problem, [&](const Progress&) { throw_if_ended(); });
    });
  }
  [[nodiscard]] std::size_t count() const { return wheel_rail_.steps.size(); }

 private:
  const WheelRailCase& wheel_rail_;
  const SettledBackend& backend_;
  ContactProblem bodies_;
  std::vector<WheelRailSearch> searches_;
};

bool is_coarse(const StepReport& report) {
  const auto touching = static_cast<double>(report.elements_contact);
  return std::sqrt(touching * 4.0 / std::numbers::pi) < kLeastElementsAcross;
}

// What a step's warnings and its outcome say.
void tell(const SolvedWheelset& wheelset, int number, WheelRunRecord& record) {
  if (wheelset.outcome != Outcome::converged) {
    record.outcome = RunOutcome::not_converged;
    log_warning(fmt::format("step {} did not converge: {}", number, wheelset.message));
  }
  int patch_number = 0;
  for (const SolvedWheel& wheel : wheelset.wheels)
    for (const SolvedPatch& patch : wheel.patches) {
      ++patch_number;
      if (patch.report.touches_edge)
        log_warning(
            fmt::format("step {}, patch {}: contact reaches the edge of the region in which "
                        "the undeformed bodies overlap",
                        number, patch_number));
      if (is_coarse(patch.report))
        log_warning(fmt::format(
            "step {}, patch {}: {} elements are in contact, fewer than {} across it, so "
            "the pressure is coarse. A smaller wheel_rail.spacing",
            number, patch_number, patch.report.elements_contact, kLeastElementsAcross));
    }
}

}  // namespace

WheelRunRecord run_wheel_rail(const CaseFile& case_file, const RunOptions& options,
                              const WheelRunObserver& observer) {
  if (options.resume)
    throw InputError(
        "--resume: the steps of a wheel on a rail stand alone, and none is kept of a run that was "
        "interrupted; accepted: the run without --resume, or a sweep over the positions");
  check_output(options.output, FileKind::result, output_rule(case_file, options));
  const ContactProblem& problem = case_file.problem;
  const SettledBackend backend = settle_backend({options.backend, options.gpu}, problem);
  log_backend(backend, problem);
  WheelRunRecord record;
  record.backend = backend.name;
  record.device = backend.device;
  const ResultHeader header{problem.title,
                            case_file.resolved_yaml,
                            {},
                            problem.units,
                            record.backend,
                            record.device,
                            case_file.output.compression,
                            case_file.source};
  WheelWriter writer(options.output, header, output_rule(case_file, options),
                     case_file.output.fields);
  record.results = writer.path();
  observer.on_start(record);
  WheelSteps steps(case_file, backend);
  const auto last = static_cast<int>(steps.count());
  try {
    for (std::size_t i = 0; i < steps.count(); ++i) {
      throw_if_interrupted();
      const int number = static_cast<int>(i) + 1;
      const SolvedWheelset wheel = steps.solve(i, [&] {
        throw_if_interrupted();
        show_progress(fmt::format("step {}/{}", number, last));
      });
      clear_progress();
      if (case_file.output.wants_step(number, last)) writer.write_step(number, wheel);
      tell(wheel, number, record);
      record.steps.push_back(wheel_record(number, wheel));
      observer.on_step(record.steps.back());
    }
  } catch (const std::exception&) {
    if (record.steps.empty()) throw;
    const Failure failure = failure_of(std::current_exception());
    record.outcome = RunOutcome::incomplete;
    record.error = failure.message;
    record.error_code = failure.exit_code;
  }
  writer.finish(record.outcome);
  return record;
}

PointResult solve_wheel_point(const CaseFile& file, const SettledBackend& backend,
                              const std::function<void()>& throw_if_ended) {
  WheelSteps steps(file, backend);
  PointResult result;
  std::vector<WheelRecord> records;
  for (std::size_t i = 0; i < steps.count(); ++i) {
    throw_if_ended();
    const SolvedWheelset wheel = steps.solve(i, throw_if_ended);
    records.push_back(wheel_record(static_cast<int>(i) + 1, wheel));
    for (const SolvedWheel& one : wheel.wheels)
      for (const SolvedPatch& patch : one.patches)
        result.touches_edge = result.touches_edge || patch.report.touches_edge;
    if (wheel.outcome == Outcome::converged) continue;
    result.outcome = PointOutcome::not_converged;
    if (result.message.empty())
      result.message = fmt::format("step {} did not converge: {}", i + 1, wheel.message);
  }
  result.wheel = records.back().totals();
  result.expected = compare_with_expected(file.expected, records, true);
  return result;
}

std::vector<ExpectationResult> compare_with_expected(const std::vector<Expectation>& expected,
                                                     const std::vector<WheelRecord>& steps,
                                                     bool complete) {
  return compare_with_expected(expected, steps, complete,
                               [](const WheelRecord& record, const Expectation& expectation) {
                                 return record.get(expectation.quantity, expectation.patch);
                               });
}

}  // namespace slipfield
