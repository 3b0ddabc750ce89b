// SPDX-License-Identifier: Apache-2.0
// slipfield report: a result as one page. The Python package slipfield.figures writes it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/command/commands.h"
#include "app/figures/profiles.h"
#include "app/figures/python.h"
#include "io/plain_text.h"
#include "solver/error.h"

namespace slipfield {
namespace {

struct ReportArguments {
  std::string path;
  std::string output;
  bool overwrite = false;
};

int write_report(const ReportArguments& arguments) {
  const std::string ending = file_ending(arguments.output);
  if (ending != ".html" && ending != ".htm")
    throw InputError(
        fmt::format("{}: a report is an HTML page, and its name says so; accepted: names that "
                    "end in .html or .htm",
                    arguments.output));
  const OutputRule rule{overwrite_if(arguments.overwrite), {arguments.path}};
  check_output(arguments.output, FileKind::page, rule);
  return write_by_figures({"report", "--", arguments.path},
                          result_profiles(arguments.path, {0, true, true}),
                          {arguments.output, FileKind::page, rule, "report"});
}

}  // namespace

void add_report_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = program.add_subcommand(
      "report", "Write a result as one HTML page: figures, totals, warnings, the case");
  command->add_option("file", arguments->path, "Result file (HDF5)")
      ->required()
      ->type_name("OUT.h5");
  command->add_option("-o,--output", arguments->output, "The page")
      ->required()
      ->type_name("REPORT.html");
  command->add_flag("--overwrite", arguments->overwrite, "Replace an existing report");
  command->footer(
      "Examples:\n"
      "  slipfield report out.h5 -o report.html\n"
      "  slipfield report sweep.h5 -o sweep.html --overwrite\n"
      "The page holds its figures and needs no other file and no network. Python writes it "
      "(python3-matplotlib, python3-h5py, python3-jinja2).\n"
      "Exit codes: 0 done; 2 the file or the command line is wrong; 3 it could not be written.");
  command->callback(
      [arguments, &action] { action = [arguments] { return write_report(*arguments); }; });
}

}  // namespace slipfield
