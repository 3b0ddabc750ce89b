// SPDX-License-Identifier: Apache-2.0
// Runs one case and holds it to the numbers of its own `expected:` block.
//
// usage: slipfield_case_check CASE.yaml cpu|cuda. A case without expectations fails, as does a step
// that did not converge; `cuda` is skipped where no GPU answers, and for what the CPU alone
// computes.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <vector>

#include "app/run/interior.h"
#include "app/run/solver_factory.h"
#include "app/run/sweep/sweep_point.h"
#include "io/case/reader.h"
#include "io/case/sweep.h"
#include "io/result/field_table.h"
#include "solver/combinations.h"
#include "solver/surface/surface_fields.h"
#include "tests/gpu/gpu_guard.h"

namespace slipfield::test {
namespace {

struct Step {
  StepInput input;
  StepReport report;
};

std::vector<Step> run_steps(const CaseFile& file, BackendChoice backend) {
  const ContactProblem& problem = file.problem;
  const SettledBackend settled = settle_backend({backend}, problem);
  const auto solver = make_contact_solver({backend}, problem);
  std::vector<Step> steps;
  for (const StepInput& input : problem.steps) {
    for (int i = 0; i < input.repeat; ++i) {
      steps.push_back({input, solver->advance(input)});
      if (!file.interior && problem.surface.empty()) continue;
      ContactSolution solution = solver->download();
      add_surface(problem, input, solution, steps.back().report);
      if (!file.interior) continue;
      InteriorField interior =
          *interior_of(file, problem.grid, solution, interior_planes_on(settled));
      interior.compute_all();
      steps.back().report.interior = interior.summaries();
    }
  }
  return steps;
}

bool all_converged(const std::vector<Step>& steps) {
  bool converged = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].report.outcome == Outcome::converged) continue;
    fmt::print("step {} did not converge: {}\n", i + 1, steps[i].report.message);
    converged = false;
  }
  return converged;
}

bool meets(const Expectation& expectation, const std::vector<Step>& steps) {
  const std::size_t number =
      expectation.step == 0 ? steps.size() : static_cast<std::size_t>(expectation.step);
  const Step& step = steps.at(number - 1);
  const double value = quantity(step.report, step.input, expectation.quantity);
  // A NaN fails the comparison.
  const bool met = std::fabs(value - expectation.value) <= expectation.tolerance;
  fmt::print("{:6} {:4} {:20} {:14.7g} expected {:14.7g} +- {:9.2e}  off by {:9.2e}  {}\n",
             met ? "ok" : "FAILED", number, expectation.quantity, value, expectation.value,
             expectation.tolerance, value - expectation.value, expectation.source);
  return met;
}

int check_wheel(const CaseFile& file, std::string_view backend) {
  const SettledBackend settled = settle_backend({backend_from_name(backend)}, file.problem);
  const PointResult result = solve_point(file, settled, {[] {}, [](const auto&, auto&) {}});
  if (result.outcome != PointOutcome::converged) fmt::print("{}\n", result.message);
  for (const std::string& line : expectation_table(result.expected)) fmt::print("{}\n", line);
  const bool met = result.outcome == PointOutcome::converged && all_within(result.expected) &&
                   result.expected.size() == file.expected.size();
  return met ? EXIT_SUCCESS : EXIT_FAILURE;
}

int check_one(const CaseFile& file, const char* path, std::string_view backend) {
  if (file.expected.empty()) {
    fmt::print("{} has no expected: block\n", path);
    return EXIT_FAILURE;
  }
  if (file.wheel_rail) return check_wheel(file, backend);
  if (const std::string reason = refusal_on(Way::gpu, file.problem);
      backend == "cuda" && !reason.empty()) {
    fmt::print("skipped: {}\n", reason);
    return kSkipped;
  }
  const std::vector<Step> steps = run_steps(file, backend_from_name(backend));
  bool met = all_converged(steps);
  for (const Expectation& expectation : file.expected) met = meets(expectation, steps) && met;
  return met ? EXIT_SUCCESS : EXIT_FAILURE;
}

// The points of a sweep that have expectations.
int check_points(const CaseSweep& sweep, const char* path, std::string_view backend) {
  if (sweep.expected().empty()) {
    fmt::print("{} has no expected: block\n", path);
    return EXIT_FAILURE;
  }
  int result = EXIT_SUCCESS;
  for (int number = 1; number <= sweep.count(); ++number) {
    const CaseFile point = sweep.point(number);
    if (point.expected.empty()) continue;
    fmt::print("point {}\n", number);
    const int checked = check_one(point, path, backend);
    if (checked != EXIT_SUCCESS) result = checked;
  }
  return result;
}

int check_case(const char* path, std::string_view backend) {
  if (backend == "cuda") {
    if (const int refused = gpu_gate(); refused != 0) return refused;
  }
  const CaseFile file = read_case(path);
  return file.sweep ? check_points(*file.sweep, path, backend) : check_one(file, path, backend);
}

}  // namespace
}  // namespace slipfield::test

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: slipfield_case_check CASE.yaml cpu|cuda\n", stderr);
    return static_cast<int>(slipfield::ExitCode::bad_input);
  }
  try {
    return slipfield::test::check_case(argv[1], argv[2]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
