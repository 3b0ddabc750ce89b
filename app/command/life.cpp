// SPDX-License-Identifier: Apache-2.0
// slipfield life: wear of wheels and rails over a distance. The Python package slipfield.life does
// the work and calls this program for each contact; this command defines the options.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <filesystem>
#include <memory>

#include "app/command/commands.h"
#include "app/command/python_options.h"
#include "app/console.h"
#include "app/figures/python.h"
#include "io/pending_file.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr const char* kLifeGroup = "The life";
constexpr const char* kRoundGroup = "The rounds";

// slipfield/life/__main__.py defines the same ones.
constexpr std::array kLifeOptions = {
    PythonOption{
        "--conditions", kLifeGroup, "TABLE.csv|parquet",
        "Running conditions, a row each: keys of the case as columns, and `weight`, the share "
        "of the distance, or `time` or `distance` of a series; default: the case alone"},
    PythonOption{
        "--classes", kLifeGroup, "N",
        "Make one condition, their mean, of all rows that are in the same class of every key, "
        "of N equal parts of its range"},
    PythonOption{"--distance", kLifeGroup, "LENGTH",
                 "That the wheels roll, which wears them: in mm, or as 500m, 100000km"},
    PythonOption{"--wheels", kLifeGroup, "N", "That pass over the rail, which wears it"},
    PythonOption{"--depth", kRoundGroup, "MM",
                 "The greatest depth that a round may take off; default: 0.1"},
    PythonOption{
        "--change", kRoundGroup, "PART",
        "The greatest part of the worn area that may change its place from one round to the "
        "next; default: 0.1"},
    PythonOption{
        "--smoothing", kRoundGroup, "MM",
        "Length over which what a round takes off is spread along the profile, with the same "
        "area; 0: not at all; default: 5"},
    PythonOption{"--jobs", kComputingGroup, "N",
                 "Conditions that are solved at a time; default: as many as there are cores"},
    PythonOption{
        "--backend", kComputingGroup, "cpu|cuda",
        "cuda: contacts of many conditions are collected into batches on the GPU; default: "
        "cpu"},
};

struct LifeArguments {
  std::string path;
  std::string output;
  std::string plot;
  GivenOptions values;
  std::vector<std::string> overrides;
  bool resume = false;
  bool overwrite = false;
};

int run_life(const LifeArguments& arguments) {
  namespace fs = std::filesystem;
  require_png(arguments.plot);
  std::vector<std::string> passed = passed_options(arguments.values);
  passed.push_back("--program=" + fs::read_symlink("/proc/self/exe").string());
  const std::string output = arguments.output.empty()
                                 ? fs::path(arguments.path).stem().string() + "-life.h5"
                                 : arguments.output;
  passed.push_back("--output=" + output);
  for (const std::string& each : arguments.overrides) passed.push_back("--set=" + each);
  if (arguments.resume) passed.emplace_back("--resume");
  if (arguments.overwrite) passed.emplace_back("--overwrite");
  const OutputRule rule{overwrite_if(arguments.overwrite || arguments.resume), {arguments.path}};
  const auto figure = pass_output(passed, arguments.plot, FileKind::picture, rule, "--plot");
  if (figure) passed.push_back("--plot-named=" + arguments.plot);
  passed.emplace_back("--");
  passed.push_back(arguments.path);
  // Python ends and explains how to continue, after Ctrl-C, which it receives as well, and after a
  // signal to this process alone; signals ignored by nohup or a shell's `&` stay ignored.
  if (std::signal(SIGINT, SIG_IGN) != SIG_IGN) std::signal(SIGINT, pass_on_to_python);
  const int exit_code = run_python_module(kLives, passed, "");
  if (!figure) return exit_code;
  // A life that failed draws its rounds until then, if there are any.
  if (exit_code != 0 && !fs::exists(figure->temporary_path())) return exit_code;
  commit_output(*figure);
  print_line("figure written to " + arguments.plot);
  return exit_code;
}

constexpr const char* kLifeExamples =
    "Examples:\n"
    "  slipfield life wheel.yaml --conditions runs.csv --distance 100000km\n"
    "  slipfield life wheel.yaml --conditions runs.csv --distance 100000km --resume\n"
    "  slipfield life rail.yaml --conditions runs.csv --wheels 5000000 -o rail.h5\n"
    "runs.csv:\n"
    "  wheel_rail.wheelset.y, wheel_rail.wheelset.yaw, weight\n"
    "  -1,                    -0.001,                  0.3\n"
    "  2,                     0.002,                   0.7\n"
    "or with semicolons, tabs or blanks between the values, whose decimal sign may then be a "
    "comma.\n"
    "The case has wheel_rail and wear, and one position. Each round solves all conditions, adds up "
    "what they wear off, and takes it off the profiles; --resume continues after the last round, "
    "with the same bits. LIFE.h5 has the profiles, T-gamma, forces and contacts of every round.\n"
    "Python does the work (python3-numpy, python3-h5py; --plot: python3-matplotlib; Parquet: "
    "python3-pandas and pyarrow).\n"
    "Exit codes: 0 done; 1 a condition did not converge; 2 the case, the table or the command line "
    "is wrong; 3 anything else that failed; 130 after Ctrl-C.";

}  // namespace

void add_life_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<LifeArguments>();
  CLI::App* command =
      program.add_subcommand("life", "Wear a wheel's or a rail's profile over a distance");
  command->add_option("case", arguments->path, "Case file (YAML) with wheel_rail and wear")
      ->required()
      ->type_name("CASE.yaml");
  command
      ->add_option(
          "-o,--output", arguments->output,
          "The rounds (HDF5); default: the case's name with -life.h5, in the current directory")
      ->type_name("LIFE.h5")
      ->group(kOutputGroup);
  add_python_options(*command, kLifeOptions, arguments->values);
  add_set_option(*command, arguments->overrides);
  command
      ->add_option("--plot", arguments->plot,
                   "A figure: worn profiles, and over the distance depth, T-gamma and conicity")
      ->type_name("FIG.png")
      ->group(kOutputGroup);
  CLI::Option* resume =
      command->add_flag("--resume", arguments->resume, "Continue after the last round")
          ->group(kOutputGroup);
  command->add_flag("--overwrite", arguments->overwrite, "Replace a life")
      ->group(kOutputGroup)
      ->excludes(resume);
  command->footer(kLifeExamples);
  command->callback(
      [arguments, &action] { action = [arguments] { return run_life(*arguments); }; });
}

}  // namespace slipfield
