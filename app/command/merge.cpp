// SPDX-License-Identifier: Apache-2.0
// slipfield merge: joins the parts of a sweep into one result.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/report/step_table.h"
#include "app/run/sweep/merge_sweeps.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::size_t kMostListed = 20;

struct MergeArguments {
  std::string output;
  std::vector<std::string> parts;
  bool overwrite = false;
};

void log_missing(const MergeRecord& record, const std::string& output) {
  for (std::size_t i = 0; i < std::min(kMostListed, record.missing.size()); ++i) {
    const MissingPoints& missing = record.missing[i];
    log_warning(fmt::format("{} did not run{}", points_text(missing.points),
                            missing.shards.empty() ? "" : " (" + missing.shards + ")"));
  }
  if (record.missing.size() > kMostListed)
    log_warning(fmt::format("{} more gaps", record.missing.size() - kMostListed));
  for (const std::filesystem::path& folder : record.unfinished)
    log_warning(fmt::format(
        "{} has points of a shard that was killed; run the shard with --resume to finish them",
        folder.string()));
  if (!record.missing.empty())
    log_warning(
        fmt::format("the missing points run with `slipfield run CASE.yaml --resume -o {}`, "
                    "or in their shards before another merge",
                    output));
}

int merge(const MergeArguments& arguments) {
  watch_interrupts();
  const MergeRecord record =
      merge_sweeps(arguments.output, {arguments.parts.begin(), arguments.parts.end()},
                   overwrite_if(arguments.overwrite));
  log_missing(record, arguments.output);
  print_line(
      fmt::format("{}: {}", counted(arguments.parts.size(), "part"), sweep_summary(record.counts)));
  if (record.with_fields > 0)
    print_line(fmt::format("fields of {}", counted(record.with_fields, "point")));
  print_line(fmt::format("\nresults: {}", arguments.output));
  const bool done = record.outcome == RunOutcome::converged;
  return static_cast<int>(done ? ExitCode::done : ExitCode::not_converged);
}

}  // namespace

void add_merge_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<MergeArguments>();
  CLI::App* command = program.add_subcommand(
      "merge", "Join the parts of a sweep that ran with --shard into one result");
  command->add_option("output", arguments->output, "The whole (.h5 or .hdf5)")
      ->required()
      ->type_name("OUT.h5");
  command->add_option("parts", arguments->parts, "Results of the shards, in any order")
      ->required()
      ->type_name("PART.h5...");
  command->add_flag("--overwrite", arguments->overwrite, "Replace an existing result");
  command->footer(
      "Examples:\n"
      "  slipfield run sweep.yaml --shard 1/2 && slipfield run sweep.yaml --shard 2/2\n"
      "  slipfield merge sweep.h5 sweep-*-of-2.h5\n"
      "Points that no part has are named and marked as not run.\n"
      "Exit codes: 0 done; 1 points are missing or did not converge; 2 a part or the command line "
      "is "
      "wrong;\n"
      "3 the result could not be written.");
  command->callback([arguments, &action] { action = [arguments] { return merge(*arguments); }; });
}

}  // namespace slipfield
