// SPDX-License-Identifier: Apache-2.0
// slipfield: the command line. Only here do errors become a message and an exit code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "app/command/commands.h"
#include "app/command/help.h"
#include "app/command/mistake.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/report/step_table.h"
#include "io/provenance.h"
#include "solver/error.h"
#include "solver/ranks/ranks.h"

namespace slipfield {
namespace {

// Needed before the command line is parsed: its mistakes are also reported as JSON.
bool wants_json(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]) == "--json") return true;
  return false;
}

int fail(const std::string& message, int exit_code, bool json) {
  clear_progress();
  log_error(message);
  if (json) print_json({{"error", message}, {"exit_code", exit_code}});
  return exit_code;
}

int fail(const std::string& message, ExitCode exit_code, bool json) {
  return fail(message, static_cast<int>(exit_code), json);
}

// The first rank reports a failure that all ranks share. After any other failure the others would
// wait for this rank, so it ends them all. The pause lets the first rank report first if it fails
// likewise.
int fail_on_ranks(const std::string& message, int exit_code, bool json) {
  if (ranks::is_failure_shared()) return fail(message, exit_code, json);
  if (!ranks::is_first()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    silence(Silence::errors_told);
  }
  fail(message, exit_code, json);
  ranks::end_all(exit_code);
}

int refuse_command_line(const CLI::App& program, const CLI::ParseError& error,
                        const std::string& first_argument, bool json) {
  if (error.get_exit_code() == 0) return program.exit(error);  // prints the help or the version
  return fail(command_line_mistake(program, error, first_argument), ExitCode::bad_input, json);
}

int run_program(int argc, char** argv, bool json) {
  const BuildInfo& build = build_info();
  CLI::App program("Slipfield: frictional contact of elastic bodies on half-space theory.",
                   "slipfield");
  program.set_version_flag("--version",
                           fmt::format("slipfield {} ({})", build.version, build.git_commit),
                           "Print the version and exit");
  use_help_text(program);
  program.require_subcommand(1);
  program.footer(
      "`slipfield help COMMAND` explains a command and gives examples. To begin with: `slipfield "
      "new hertz` and `slipfield run hertz.yaml`.");
  Action action;
  add_new_command(program, action);
  add_run_command(program, action);
  add_life_command(program, action);
  add_check_command(program, action);
  add_convert_command(program, action);
  add_surface_command(program, action);
  add_geometry_command(program, action);
  add_inspect_command(program, action);
  add_interior_command(program, action);
  add_wear_command(program, action);
  add_plot_command(program, action);
  add_export_command(program, action);
  add_report_command(program, action);
  add_merge_command(program, action);
  add_compare_command(program, action);
  add_table_command(program, action);
  add_bench_command(program, action);
  add_info_command(program, action);
  add_schema_command(program, action);
  add_completion_command(program, action);
  add_manual_command(program, action);
  add_help_command(program, action);
  group_commands(program);
  if (argc == 1) {
    print_help(program);
    return static_cast<int>(ExitCode::done);
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return refuse_command_line(program, error, argc > 1 ? argv[1] : "", json);
  }
  if (const std::string mistake = empty_argument(program); !mistake.empty())
    return fail(mistake, ExitCode::bad_input, json);
  if (ranks::several() && !program.got_subcommand("run"))
    return fail(fmt::format("{} is a command for one process; accepted on several ranks: run",
                            program.get_subcommands().front()->get_name()),
                ExitCode::bad_input, json);
  const int exit_code = action();
  if (output_failed())
    return fail("the results could not be written to standard output", ExitCode::failed, false);
  return exit_code;
}

int guarded_program(int argc, char** argv, bool json) {
  try {
    return run_program(argc, argv, json);
  } catch (const Interrupted& interrupt) {
    return fail_on_ranks("interrupted before the first step was finished; nothing was written",
                         interrupt.exit_code(), json);
  } catch (const std::exception&) {
    const Failure failure = failure_of(std::current_exception());
    return fail_on_ranks(failure.message, failure.exit_code, json);
  }
}

}  // namespace
}  // namespace slipfield

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe or a file's size limit: seen at the write
  std::signal(SIGXFSZ, SIG_IGN);
  const bool json = slipfield::wants_json(argc, argv);
  slipfield::ranks::start();
  if (!slipfield::ranks::is_first()) slipfield::silence(slipfield::Silence::all);
  const int exit_code = slipfield::guarded_program(argc, argv, json);
  slipfield::ranks::finish();
  return exit_code;
}
