// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/bench/kinds.h"
#include "app/bench/sampled_residual.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/report/step_table.h"
#include "app/run/solver_factory.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kLeastShare = 0.99;
constexpr double kResidualPerTolerance = 100.0;  // as a step's own residual is judged

enum class Verdict {
  converged,      // and the fields confirm it
  not_converged,  // and reports it
  no_solution,    // reports it, and friction cannot carry the loads: counted separately
  wrong           // reports convergence with too large a residual, or stopped early
};

struct CaseResult {
  int number = 0;
  std::string description;
  Verdict verdict = Verdict::wrong;
  double residual = 0.0;  // of its worst step
  double seconds = 0.0;
  std::string message;
};

CaseResult run_one(const BatteryProblem& random, const SettledBackend& backend, int number) {
  const ContactProblem& problem = random.problem;
  CaseResult result;
  result.number = number;
  result.description = random.description;
  result.verdict = Verdict::converged;
  try {
    const auto solver =
        make_solver(backend, problem, [](const Progress&) { throw_if_interrupted(); });
    std::vector<ContactSolution> before;
    for (const StepInput& step : problem.steps) {
      for (int i = 0; i < step.repeat; ++i) {
        const StepReport report = solver->advance(step);
        result.seconds += report.seconds;
        ContactSolution now = solver->download();
        if (report.outcome != Outcome::converged) {
          result.verdict = has_no_solution(problem, step, now.pressure) ? Verdict::no_solution
                                                                        : Verdict::not_converged;
          result.message = report.message;
          return result;
        }
        const double residual = sampled_residual(problem, step, before, now, report);
        result.residual = std::max(result.residual, residual);
        if (!(residual <= kResidualPerTolerance * problem.solver.tolerance)) {
          result.residual = residual;
          result.verdict = Verdict::wrong;
          result.message = "says that it converged";
          return result;
        }
        before.push_back(std::move(now));
      }
    }
  } catch (const BackendLost&) {
    throw;
  } catch (const Error& error) {
    result.verdict = Verdict::wrong;
    result.message = error.what();
  }
  return result;
}

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::converged:
      return "converged";
    case Verdict::not_converged:
      return "not_converged";
    case Verdict::no_solution:
      return "no_solution";
    case Verdict::wrong:
      return "wrong";
  }
  return "";
}

nlohmann::ordered_json case_json(const CaseResult& result) {
  return {{"number", result.number},
          {"description", result.description},
          {"verdict", verdict_name(result.verdict)},
          {"residual", result.residual},
          {"seconds", result.seconds},
          {"message", result.message}};
}

}  // namespace

BenchOutcome bench_battery(const BenchArguments& arguments, bool silent) {
  watch_interrupts();
  const GridLimit largest = largest_grid(arguments);
  const ContactProblem first = battery_problem(arguments.seed, 1, largest).problem;
  const SettledBackend backend = settle_backend({backend_from_name(arguments.backend)}, first);
  log_backend(backend, first);
  std::vector<CaseResult> results;
  double seconds = 0.0;
  double worst = 0.0;
  std::size_t converged = 0;
  std::size_t wrong = 0;
  std::size_t without = 0;  // a solution
  for (int number = 1; number <= arguments.cases; ++number) {
    throw_if_interrupted();
    results.push_back(run_one(battery_problem(arguments.seed, number, largest), backend, number));
    const CaseResult& result = results.back();
    seconds += result.seconds;
    converged += result.verdict == Verdict::converged ? 1U : 0U;
    wrong += result.verdict == Verdict::wrong ? 1U : 0U;
    without += result.verdict == Verdict::no_solution ? 1U : 0U;
    if (result.verdict == Verdict::converged) {
      worst = std::max(worst, result.residual);
    } else if (!silent) {
      print_line(fmt::format("case {} ({}): {}{}", number, result.description,
                             verdict_name(result.verdict),
                             result.message.empty() ? "" : ": " + result.message) +
                 (result.verdict == Verdict::wrong
                      ? fmt::format(", residual {:.2e}", result.residual)
                      : ""));
    }
    show_progress(fmt::format("case {}/{}", number, arguments.cases));
  }
  clear_progress();
  const std::size_t solvable = results.size() - without;
  const double share = static_cast<double>(converged) / std::max(1.0, 1.0 * solvable);
  const bool passed = share >= kLeastShare && wrong == 0;
  BenchOutcome outcome = outcome_of(
      {{"battery on " + backend.name, counted(results.size(), "case"), 1.0e3 * seconds}});
  outcome.document = std::make_shared<nlohmann::ordered_json>();
  nlohmann::ordered_json& document = *outcome.document;
  document = {{"backend", backend.name}, {"seed", arguments.seed},  {"cases", arguments.cases},
              {"converged", converged},  {"no_solution", without},  {"wrong", wrong},
              {"share", share},          {"worst_residual", worst}, {"seconds", seconds}};
  document["results"] = nlohmann::ordered_json::array();
  for (const CaseResult& result : results) document["results"].push_back(case_json(result));
  if (!silent)
    print_line(fmt::format(
        "{} random cases (seed {}) on {}: {} converged ({:.1f} %), {} did not and say so, {} "
        "wrong{}; worst residual by direct summation {:.2e}; {:.3g} s of solving",
        arguments.cases, arguments.seed, backend.name, converged, 100.0 * share,
        solvable - converged - wrong, wrong,
        without == 0 ? std::string() : fmt::format("; {} without a solution, not counted", without),
        worst, seconds));
  outcome.exit_code = static_cast<int>(passed ? ExitCode::done : ExitCode::not_converged);
  return outcome;
}

}  // namespace slipfield
