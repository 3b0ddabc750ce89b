// SPDX-License-Identifier: Apache-2.0
// slipfield compare: a case on the CPU reference and on another backend, or two result files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/report/compare.h"
#include "app/report/incomplete.h"
#include "app/report/step_table.h"
#include "app/run/load_case.h"
#include "app/run/solver_factory.h"
#include "io/case/of_result.h"
#include "io/result/any_result.h"
#include "io/result/field_table.h"
#include "io/result/reader.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// Two results that each converged to a tolerance of 1e-6 in different ways agree to a few times
// that.
constexpr double kDefaultTolerance = 1.0e-5;

struct CompareArguments {
  std::vector<std::string> paths;
  std::string backend = "auto";
  std::vector<std::string> overrides;
  double tolerance = kDefaultTolerance;
  Selection selection;
  bool json = false;
};

// Solutions must converge to be compared; contents of files must be equal.
enum class Compared { solutions, files };

class Comparison {
 public:
  Comparison(const CompareArguments& arguments, Grid grid, Compared what)
      : arguments_(arguments), grid_(grid), what_(what) {}

  void name_sides(const std::string& first, const std::string& second) {
    document_["a"] = first;
    document_["b"] = second;
    if (!arguments_.json) print_line(fmt::format("a: {}\nb: {}", first, second));
  }

  void add(const StepResult& first, const StepResult& second) {
    const StepDifference difference = compare_steps(first, second);
    equal_ = equal_ && difference.equal(arguments_.tolerance);
    converged_ = converged_ && difference.both_converged;
    if (arguments_.json) {
      document_["steps"].push_back(difference_json(difference, arguments_.tolerance));
      return;
    }
    for (const std::string& line : difference_table(difference, grid_, arguments_.tolerance)) {
      print_line(line);
    }
  }

  int finish(const NotRun& not_run = {}) {
    const bool complete = not_run.first == not_run.second;
    document_["tolerance"] = arguments_.tolerance;
    document_["equal"] = equal_ && complete;
    if (arguments_.json) {
      if (what_ == Compared::files) document_["steps_not_run"] = not_run_json(not_run);
      print_json(document_);
    } else {
      for (const std::string& line : not_run_lines(not_run)) print_line(line);
      print_line(verdict(equal_, not_run, arguments_.tolerance));
    }
    const bool good = equal_ && complete && (converged_ || what_ == Compared::files);
    return static_cast<int>(good ? ExitCode::done : ExitCode::not_converged);
  }

 private:
  const CompareArguments& arguments_;
  Grid grid_;
  Compared what_;
  bool equal_ = true;
  bool converged_ = true;
  nlohmann::ordered_json document_;
};

// Comparing the reference with itself would be meaningless.
void require_other_backend(const CompareArguments& arguments, const ContactProblem& problem) {
  const SettledBackend chosen = settle_backend({backend_from_name(arguments.backend)}, problem);
  if (chosen.choice != BackendChoice::cpu) return;
  const bool by_choice = arguments.backend == "cpu" || is_simplified(problem.solver.tangential);
  throw Error(fmt::format("the CPU reference would be compared with itself ({}); accepted: a GPU "
                          "(--backend cuda), or two result files, for example of two methods by "
                          "`run --set solver.tangential=...`",
                          chosen.reason),
              by_choice ? ExitCode::bad_input : ExitCode::failed);
}

int compare_case(const CompareArguments& arguments) {
  const Selection& parts = arguments.selection;
  if (parts.step > 0 || parts.contact > 0 || !parts.side.empty())
    throw InputError(arguments.paths[0] +
                     ": --step, --side and --contact are for two results, and all steps of a case "
                     "are compared; accepted with a case: --point, --set and --backend");
  const CaseFile case_file =
      load_case(arguments.paths[0], arguments.overrides, arguments.selection.point);
  if (case_file.sweep)
    throw InputError(arguments.paths[0] +
                     ": a sweep is not compared as a whole; name a point of it with --point, or "
                     "run it on each backend and compare the two files");
  const ContactProblem& problem = case_file.problem;
  require_other_backend(arguments, problem);
  const auto progress = [](const Progress&) { throw_if_interrupted(); };
  const auto reference = make_contact_solver({BackendChoice::cpu}, problem, progress);
  const auto chosen =
      make_contact_solver({backend_from_name(arguments.backend)}, problem, progress);
  Comparison comparison(arguments, problem.grid, Compared::solutions);
  const auto side = [](const ContactSolver& solver) {
    return fmt::format("{} on {}", solver.backend_name(), solver.device_name());
  };
  comparison.name_sides(side(*reference), side(*chosen));
  int number = 0;
  for (const StepInput& input : problem.steps) {
    for (int i = 0; i < input.repeat; ++i) {
      ++number;
      const auto advance = [&](ContactSolver& solver) {
        StepReport report = solver.advance(input);
        return StepResult{number, problem.grid, input, std::move(report), solver.download(), {}};
      };
      comparison.add(advance(*reference), advance(*chosen));
    }
  }
  return comparison.finish();
}

// Finds the steps of each result that the other run did not reach. Warns of other steps that only
// one of them holds.
NotRun steps_of_one(const std::array<const ResultInfo*, 2>& infos,
                    const std::array<std::set<int>, 2>& steps) {
  NotRun result;
  result.row = "step";
  result.first = steps_not_run(*infos[0], *steps[0].rbegin(), steps[1]);
  result.second = steps_not_run(*infos[1], *steps[1].rbegin(), steps[0]);
  for (const int number : steps[0]) result.both_ran += steps[1].count(number);
  if (steps[0].size() + steps[1].size() >
      2 * result.both_ran + result.first.size() + result.second.size())
    log_warning("only the steps that both files hold can be compared");
  return result;
}

// The numbers of all steps, or only `step` if it is not 0 and in the file.
std::set<int> numbers_of(const ResultFile& file, int step) {
  std::set<int> numbers;
  for (const ResultStep& each : file.steps())
    if (step == 0 || each.number == step) numbers.insert(each.number);
  return numbers;
}

int compare_files(const CompareArguments& arguments) {
  const auto read = [&](const std::string& path) {
    Selection selection = arguments.selection;
    selection.point = point_in(path, selection.point);
    return read_result(path, selection);
  };
  const ResultFile first = read(arguments.paths[0]);
  const ResultFile second = read(arguments.paths[1]);
  if (first.info().header.units != second.info().header.units) {
    throw InputError(
        fmt::format("{} and {} are in different units; accepted: two results in the same units",
                    arguments.paths[0], arguments.paths[1]));
  }
  const std::array<std::set<int>, 2> steps = {numbers_of(first, arguments.selection.step),
                                              numbers_of(second, arguments.selection.step)};
  std::vector<int> common;
  std::set_intersection(steps[0].begin(), steps[0].end(), steps[1].begin(), steps[1].end(),
                        std::back_inserter(common));
  if (common.empty()) {
    throw InputError(
        fmt::format("{} and {} have no step in common", arguments.paths[0], arguments.paths[1]));
  }
  warn_of_incomplete(arguments.paths[0], arguments.selection, first);
  warn_of_incomplete(arguments.paths[1], arguments.selection, second);
  const NotRun not_run = steps_of_one({&first.info(), &second.info()}, steps);
  Comparison comparison(arguments, first.info().header.grid, Compared::files);
  comparison.name_sides(arguments.paths[0], arguments.paths[1]);
  const auto result = [](const ResultFile& file, int number) {
    return step_result(file, file.step(number));
  };
  for (const int number : common) comparison.add(result(first, number), result(second, number));
  return comparison.finish(not_run);
}

std::string kind_text(const AnyResult& any) {
  std::set<std::string> sides;
  for (const RowKey& key : any.rows.keys)
    if (!key.side.empty()) sides.insert(key.side);
  const std::string one = !has_section(any.info.header, "wheel_rail") ? "one contact"
                          : sides.size() > 1                          ? "a wheelset"
                                                                      : "one wheel on a rail";
  return (any.kind == ResultKind::sweep ? "a sweep over " : "") + one;
}

// Totals of different kinds of results have different names and meanings.
void require_one_kind(const std::vector<std::string>& paths,
                      const std::array<AnyResult, 2>& files) {
  const std::string first = kind_text(files[0]);
  const std::string second = kind_text(files[1]);
  if (first == second) return;
  throw InputError(fmt::format(
      "{} is the result of {} and {} that of {}; accepted: two results of one kind, a point of a "
      "sweep with --point, a contact of a wheel with --contact",
      paths[0], first, paths[1], second));
}

// Compares all totals of sweeps or of wheels on rails.
int compare_tables(const CompareArguments& arguments) {
  std::array<AnyResult, 2> files;
  std::array<std::set<int>, 2> steps;
  std::array<int, 2> points{};
  for (std::size_t i = 0; i < 2; ++i) {
    const int point = point_in(arguments.paths[i], arguments.selection.point);
    points[i] = point;
    files[i] = point > 0 ? rows_of(read_steps(arguments.paths[i], point))
                         : read_any_result(arguments.paths[i]);
    if (point == 0) warn_of_incomplete(arguments.paths[i], files[i]);
    for (const RowKey& key : files[i].rows.keys) steps[i].insert(key.step);
  }
  require_one_kind(arguments.paths, files);
  const bool sweeps = files[0].kind == ResultKind::sweep;
  for (std::size_t i = 0; i < 2; ++i) {
    Selection selection = arguments.selection;
    selection.point = 0;  // as was read
    SweepTable rows = selected_rows(files[i].rows, selection);
    if (!sweeps) {
      rows = rows_where(rows, [&](const RowKey& key) { return steps[1 - i].contains(key.step); });
      for (RowKey& key : rows.keys) key.point = key.step;  // the number by which it is named
    }
    files[i].rows = std::move(rows);
  }
  SweepDifference difference =
      compare_sweeps(files[0], files[1], arguments.paths[0], arguments.paths[1]);
  compare_parts({arguments.paths[0], points[0], &files[0]},
                {arguments.paths[1], points[1], &files[1]}, difference);
  if (!sweeps && arguments.selection.step > 0) steps[0] = steps[1] = {arguments.selection.step};
  if (!sweeps) difference.not_run = steps_of_one({&files[0].info, &files[1].info}, steps);
  const bool equal = difference.equal(arguments.tolerance);
  if (arguments.json) {
    nlohmann::ordered_json document{{"a", arguments.paths[0]}, {"b", arguments.paths[1]}};
    document.update(difference_json(difference, arguments.tolerance));
    print_json(document);
  } else {
    print_line(fmt::format("a: {}\nb: {}", arguments.paths[0], arguments.paths[1]));
    for (const std::string& line : difference_table(difference, arguments.tolerance))
      print_line(line);
    print_line(
        verdict(difference.agrees(arguments.tolerance), difference.not_run, arguments.tolerance));
  }
  return static_cast<int>(equal ? ExitCode::done : ExitCode::not_converged);
}

int compare(const CompareArguments& arguments) {
  if (!(arguments.tolerance > 0.0)) {
    throw InputError("--tolerance must be a number > 0");
  }
  if (arguments.paths.size() == 1) return compare_case(arguments);
  if (!arguments.overrides.empty() || arguments.backend != "auto") {
    throw InputError(
        "--set and --backend belong to a case; two result files are compared as they are");
  }
  require_selection(arguments.paths, arguments.selection);
  const auto has_table_only = [&](const std::string& path) {
    return kind_of(path, point_in(path, arguments.selection.point)) != ResultKind::one_contact;
  };
  const bool whole = arguments.selection.contact == 0;
  if (whole && std::any_of(arguments.paths.begin(), arguments.paths.end(), has_table_only))
    return compare_tables(arguments);
  return compare_files(arguments);
}

}  // namespace

void add_compare_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = program.add_subcommand(
      "compare", "Compare a case on the CPU reference with another backend, or two result files");
  command->add_option("paths", arguments->paths, "One case file, or two result files")
      ->required()
      ->expected(1, 2)
      ->type_name("CASE.yaml | A.h5 B.h5");
  add_backend_option(*command, arguments->backend, "Backend to compare with the reference");
  add_set_option(*command, arguments->overrides);
  command
      ->add_option("--tolerance", arguments->tolerance,
                   "Greatest relative L2 difference of a field that counts as equal")
      ->capture_default_str();
  add_selection_options(*command, arguments->selection, "Number of the step; default: all");
  command->add_flag("--json", arguments->json, "Print one JSON document");
  command->footer(
      "Examples:\n"
      "  slipfield compare case.yaml --backend cuda\n"
      "  slipfield compare before.h5 after.h5 --tolerance 1e-9\n"
      "  slipfield compare sweep_a.h5 sweep_b.h5\n"
      "  slipfield compare wheel_a.h5 wheel_b.h5 --step 1 --contact 2\n"
      "Every number and field is compared, except iterations, residuals and times; those that "
      "only\n"
      "one file has are named. Results on different grids are compared in their totals alone.\n"
      "`of its kin` counts: the greatest difference over the greatest number of the same kind\n"
      "(all tractions, all forces, all lengths). A number that only rounding keeps from 0 has no\n"
      "digits of its own.\n"
      "Steps and points that did not converge are equal if neither file has them converged.\n"
      "Steps that only one file keeps are left out. So are steps and points that one of the runs "
      "did\n"
      "not reach, but the files are then not equal: exit code 1.\n"
      "Exit codes: 0 equal within the tolerance; 1 they differ, or a case did not converge; 2 bad "
      "input;\n3 no GPU to compare with, or anything else that failed.");
  command->callback([arguments, &action] {
    action = [arguments] {
      Selection& chosen = arguments->selection;
      settle_step(arguments->paths, chosen.point, chosen.step);
      return compare(*arguments);
    };
  });
}

}  // namespace slipfield
