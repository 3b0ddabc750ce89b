// SPDX-License-Identifier: Apache-2.0
// slipfield run: solve a case and write its results.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>  // program_invocation_name
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "app/command/commands.h"
#include "app/completion/scripts.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/report/interior_report.h"
#include "app/report/step_table.h"
#include "app/report/step_warnings.h"
#include "app/report/totals_table.h"
#include "app/run/expectations.h"
#include "app/run/load_case.h"
#include "app/run/run_case.h"
#include "io/case/step_task.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/provenance.h"
#include "io/result/any_result.h"
#include "io/result/checkpoint.h"
#include "io/result/field_table.h"
#include "solver/combinations.h"
#include "solver/error.h"
#include "solver/problem_check.h"
#include "solver/ranks/rank_solver.h"
#include "solver/ranks/ranks.h"

namespace slipfield {
namespace {

struct RunArguments {
  const CLI::App* command = nullptr;
  std::string case_path;
  std::string output;
  std::string backend = "auto";
  std::optional<int> gpu;
  std::vector<int> gpus;
  std::vector<std::string> overrides;
  int point = 0;
  std::string shard;
  int jobs = 0;
  bool overwrite = false;
  bool resume = false;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

Shard shard_of(const RunArguments& arguments) {
  return shard_from_text(arguments.shard).value_or(Shard{});
}

// Shards run side by side in one folder, so each gets its own name.
std::filesystem::path output_path(const RunArguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  const std::string stem = std::filesystem::path(arguments.case_path).stem().string();
  const Shard shard = shard_of(arguments);
  if (shard.is_whole()) return stem + ".h5";
  return fmt::format("{}-{}-of-{}.h5", stem, shard.index, shard.of);
}

void print_run_json(const RunArguments& arguments, const CaseFile& case_file,
                    const RunRecord& record) {
  const ContactProblem& problem = case_file.problem;
  nlohmann::ordered_json document;
  document["program_version"] = build_info().version;
  document["case"] = arguments.case_path;
  document["title"] = problem.title;
  document["units"] = units_name(problem.units);
  document["backend"] = record.backend;
  document["device"] = record.device;
  document["outcome"] = run_outcome_name(record.outcome);
  if (!record.error.empty()) document["error"] = record.error;
  document["warnings"] = record.warnings;
  document["results"] = nullptr;
  if (!record.results.empty()) document["results"] = record.results.string();
  if (case_file.sweep) {
    document.update(
        sweep_json(record.results.empty() ? record.table : read_any_result(record.results).rows,
                   problem.units));
  } else {
    document["steps"] = nlohmann::ordered_json::array();
    for (const StepRecord& step : record.steps)
      document["steps"].push_back(step.wheel
                                      ? wheel_json(*step.wheel)
                                      : step_json(step.number, step.input, step.report,
                                                  step_warnings(problem, step.input, step.report)));
  }
  document["expected"] = expectations_json(record.expected);
  print_json(document);
}

// Quotes a word of a command line for a shell.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,%@";
  return text.find_first_not_of(kPlain) == std::string::npos ? text : quoted(text, "'\\''");
}

// The command as given, with --resume.
std::string resuming_command(const CLI::App& command) {
  std::string line = shell_word(program_invocation_name) + " " + command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_positional() ? "" : " " + names_of(*option).front();
    if (option->count() == 0 || name == " --overwrite" || name == " --resume") continue;
    std::vector<std::string> values = option->results();
    if (!takes_value(*option)) values = {""};
    if (option->get_delimiter() != '\0') values = {fmt::format("{}", fmt::join(values, ","))};
    for (const std::string& value : values)
      line += name + (takes_value(*option) ? " " + shell_word(value) : "");
  }
  return line + " --resume";
}

// Logs the command if a run can continue: from its checkpoint, or from the points of a sweep in its
// result.
void log_how_to_resume(const RunArguments& arguments, const std::filesystem::path& results,
                       bool sweep) {
  const std::filesystem::path output = output_path(arguments);
  const bool begun_before = arguments.resume && std::filesystem::exists(output);
  const bool points_saved = sweep && (!results.empty() || begun_before);
  if (!points_saved && !CheckpointFolder(output).holds_anything()) return;
  const std::string command = resuming_command(*arguments.command);
  log_info(ranks::several() ? "to continue, with the same mpirun: " + command
                            : "to continue: " + command);
}

RunRecord run_or_log_how_to_resume(const RunArguments& arguments, const CaseFile& case_file,
                                   const RunOptions& options, const RunObserver& observer) {
  try {
    return run_case(case_file, options, observer);
  } catch (const Error& error) {
    if (error.exit_code() != ExitCode::bad_input)
      log_how_to_resume(arguments, {}, case_file.sweep != nullptr);
    throw;
  }
}

int exit_code(const RunArguments& arguments, const CaseFile& case_file, const RunSummary& record) {
  if (record.outcome == RunOutcome::incomplete) {
    log_error(record.error);
    log_how_to_resume(arguments, record.results, case_file.sweep != nullptr);
    return record.error_code;
  }
  const bool done = record.outcome == RunOutcome::converged;
  return static_cast<int>(done ? ExitCode::done : ExitCode::not_converged);
}

// "sweep of 200 points", "points 31 to 45 of a sweep of 1000 points (shard 3/64)".
std::string sweep_text(const SweepLayout& layout) {
  const PointRange whole = layout.whole();
  std::string text = "sweep of " + counted(static_cast<std::size_t>(whole.count), "point");
  if (layout.points == whole) return text;
  return fmt::format("{} of a {} (shard {})", points_text(layout.points), text,
                     shard_text(layout.shard));
}

// The columns of a run's lines before anything has run.
ShownTotals shown_before(const CaseFile& case_file, const SweepTable& points) {
  TotalsSurvey survey;  // for the keys of a sweep
  survey.add(points);
  ShownTotals shown = survey.shown();
  const WheelRailCase* wheel_rail = case_file.wheel_rail.get();
  shown.by_contact = wheel_rail != nullptr && !case_file.sweep;
  if (wheel_rail != nullptr && case_file.sweep) {
    const WheelsetStep& step = wheel_rail->steps.front();
    shown.totals = wheel_totals(step.wheels.size() > 1, step.geometry_only);
  } else {
    shown.totals = contact_totals(shown.by_contact
                                      ? std::vector<std::string>{"creepage_x", "creepage_y", "spin"}
                                      : found_motions(case_file.problem.steps),
                                  shown.by_contact);
  }
  return shown;
}

// Prints a row for each step or each point of a sweep.
class RunLines {
 public:
  explicit RunLines(const CaseFile& case_file)
      : case_file_(case_file), units_(case_file.problem.units) {}

  void print_head(const RunRecord& record) {
    const ContactProblem& problem = case_file_.problem;
    if (!problem.title.empty()) print_line(problem.title);
    print_line(
        fmt::format("{}, backend {} on {}\n", what_runs(record), record.backend, record.device));
    table_.emplace(shown_before(case_file_, record.table), units_, table_columns());
    print_lines(table_->head());
  }

  void print(const StepRecord& step) const {
    print_lines(table_->lines(table_of_steps({rows_of_step(step)}), 0));
    print_lines(error_lines(units_, step.input, step.report));
    print_lines(surface_lines(units_, step.report));
    print_lines(sensitivity_table(step.input, step.report));
    print_lines(interior_lines(step.report.interior, units_));
  }

  void print(const RunRecord& record, std::size_t row) const {
    print_lines(table_->lines(record.table, row));
  }

  void print_end(const RunRecord& record) const {
    if (case_file_.sweep) print_line("\n" + sweep_summary(record.counts));
    if (!record.expected.empty()) {
      print_line("");
      print_lines(expectation_table(record.expected));
    }
    if (!record.results.empty()) print_line(fmt::format("\nresults: {}", record.results.string()));
  }

 private:
  static void print_lines(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) print_line(line);
  }

  [[nodiscard]] std::string what_runs(const RunRecord& record) const {
    if (case_file_.sweep)
      return fmt::format("{}, {} at a time", sweep_text(record.layout), record.at_a_time);
    const auto steps = static_cast<std::size_t>(count_steps(case_file_));
    if (case_file_.wheel_rail) return "wheel on rail, " + counted(steps, "position");
    const Grid& grid = case_file_.problem.grid;
    return fmt::format("{} x {} elements, {}", grid.mx, grid.my, counted(steps, "step"));
  }

  const CaseFile& case_file_;
  Units units_;
  std::optional<TotalsTable> table_;
};

int run_and_print(const RunArguments& arguments, const CaseFile& case_file) {
  const RunOptions options{backend_from_name(arguments.backend),
                           output_path(arguments),
                           overwrite_if(arguments.overwrite),
                           arguments.resume,
                           arguments.gpu,
                           arguments.gpus,
                           arguments.jobs};
  RunLines lines(case_file);
  RunObserver observer{[&](const RunRecord& record) { lines.print_head(record); },
                       [&](const StepRecord& step) { lines.print(step); },
                       [&](const RunRecord& record, std::size_t row) { lines.print(record, row); }};
  if (arguments.json) observer = silent_observer();
  const RunRecord record = run_or_log_how_to_resume(arguments, case_file, options, observer);
  if (arguments.json)
    print_run_json(arguments, case_file, record);
  else
    lines.print_end(record);
  return exit_code(arguments, case_file, record);
}

// Throws InputError if several ranks are requested for work that one process does.
void require_for_ranks(const RunArguments& arguments, const CaseFile& case_file) {
  const auto refuse = [](const std::string& what) {
    throw InputError(what + " on several ranks; accepted: one process");
  };
  if (case_file.sweep) refuse("a sweep is not computed");
  if (case_file.wheel_rail) refuse("a wheel on a rail is not computed");
  if (case_file.interior) refuse("`interior` is not computed");
  if (arguments.backend == "cuda" || arguments.gpu || !arguments.gpus.empty())
    refuse("a GPU is not used");
  require_for_ranks(case_file.problem);
}

// Throws InputError if several GPUs are requested for work that one does.
void require_for_cards(const RunArguments& arguments, const CaseFile& case_file) {
  if (arguments.gpus.size() < 2) return;
  const auto refuse = [](const std::string& what) {
    throw InputError(what + " not computed on several GPUs; accepted: one GPU");
  };
  if (case_file.sweep) return;  // each GPU takes points of its own
  if (case_file.wheel_rail) refuse("a wheel on a rail is");
  require_on(Way::several_gpus, case_file.problem);
}

int run(const RunArguments& arguments) {
  if (arguments.quiet) set_verbosity(Verbosity::quiet);
  if (arguments.verbose) set_verbosity(Verbosity::verbose);
  CaseFile case_file;
  ranks::each([&] {
    // Check the command line first, because reading a case may take long.
    if (!ranks::several())
      require_gpus({backend_from_name(arguments.backend), arguments.gpu, arguments.gpus});
    case_file =
        load_case(arguments.case_path, arguments.overrides, arguments.point, shard_of(arguments));
    if (arguments.jobs > 0 && !case_file.sweep)
      throw InputError(
          fmt::format("--jobs: how many points of a sweep run at a time, and {}; accepted: without "
                      "--jobs",
                      arguments.point > 0 ? "one point of it was asked for"
                                          : arguments.case_path + " has no sweep"));
    if (ranks::several()) require_for_ranks(arguments, case_file);
    require_for_cards(arguments, case_file);
  });
  const ContactProblem& problem = case_file.problem;
  if (case_file.skipped_expected) log_info("expected values are skipped: --set changes the case");
  watch_interrupts();
  if (!case_file.sweep && !case_file.output.error_estimate)
    case_file.problem.error_estimate =
        !case_file.wheel_rail && refusal_of_estimate(problem).empty();
  return run_and_print(arguments, case_file);
}

std::string check_shard(const std::string& text) {
  if (shard_from_text(text)) return {};
  return fmt::format("\"{}\" is not a shard; accepted: which one of how many, such as 3/64", text);
}

}  // namespace

void add_run_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = program.add_subcommand("run", "Solve a case and write its results");
  arguments->command = command;
  command->add_option("case", arguments->case_path, "Case file (YAML)")
      ->required()
      ->type_name("CASE.yaml");
  command
      ->add_option("-o,--output", arguments->output,
                   "Result file (.h5 or .hdf5); default: the case's name with .h5, in the current "
                   "directory")
      ->type_name("OUT.h5")
      ->group(kOutputGroup);
  CLI::Option* overwrite =
      command
          ->add_flag("--overwrite", arguments->overwrite,
                     "Replace an existing result; never the case, a file that it names, or "
                     "anything else")
          ->group(kOutputGroup);
  command
      ->add_flag("--resume", arguments->resume,
                 "Continue after the last checkpoint of an interrupted run of this case")
      ->group(kOutputGroup)
      ->excludes(overwrite);
  command->add_flag("--json", arguments->json, "Print one JSON document instead of tables")
      ->group(kOutputGroup);
  CLI::Option* quiet =
      command->add_flag("-q,--quiet", arguments->quiet, "Log warnings and errors only")
          ->group(kOutputGroup);
  command->add_flag("-v,--verbose", arguments->verbose, "Log every iteration")
      ->group(kOutputGroup)
      ->excludes(quiet);
  add_backend_option(*command, arguments->backend,
                     "auto takes the GPU where one answers, otherwise the CPU");
  add_device_option(*command, arguments->gpu);
  add_devices_option(*command, arguments->gpus);
  command
      ->add_option("--jobs", arguments->jobs,
                   "Points of a sweep that run at a time; default: as many as there are cores, or "
                   "4 on a GPU")
      ->type_name("N")
      ->group(kComputingGroup)
      ->check(CLI::Range(1, 4096).description(""));
  add_set_option(*command, arguments->overrides);
  add_point_option(*command, arguments->point, "Run this point of the case's sweep alone")
      .group(kCaseGroup);
  command
      ->add_option("--shard", arguments->shard,
                   "Run the 3rd of 64 parts of the case's sweep; `slipfield merge` joins them. "
                   "Default output: CASE-3-of-64.h5")
      ->type_name("3/64")
      ->group(kCaseGroup)
      ->check(CLI::Validator(check_shard, ""))
      ->excludes("--point");
  command->footer(
      "Examples:\n"
      "  slipfield run cases/cattaneo_shift.yaml\n"
      "  slipfield run case.yaml -o finer.h5 --set grid.refine=2 --backend cuda\n"
      "  slipfield run case.yaml --overwrite --json | jq '.steps[-1].force_x'\n"
      "  slipfield run sweep.yaml --json | jq '.points[] | [.inputs[], .force_ratio_x]'\n"
      "  slipfield run sweep.yaml --point 17 -o point17.h5\n"
      "  slipfield run sweep.yaml --shard 3/64 --resume\n"
      "A case with a `sweep:` runs all of its points side by side and writes their table.\n"
      "Exit codes: 0 done; 1 did not converge (the results are written all the same); 2 the case "
      "or\n"
      "the command line is wrong; 3 anything else that failed. Numbers that differ from the "
      "case's\n"
      "`expected:` are a warning. Ctrl-C keeps the finished steps or points and exits with 130;\n"
      "--resume then continues from there, also after the program was killed, with the same bits.");
  command->callback([arguments, &action] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace slipfield
