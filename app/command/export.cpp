// SPDX-License-Identifier: Apache-2.0
// slipfield export: numbers of a result for spreadsheets and papers.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/export/gather.h"
#include "app/export/steps.h"
#include "app/report/incomplete.h"
#include "app/report/step_table.h"
#include "app/report/sweep_report.h"
#include "io/file_ending.h"
#include "io/pending_file.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "io/result/sweep_reader.h"
#include "io/result/wheel/reader.h"
#include "io/yaml/suggestion.h"
#include "solver/error.h"

namespace slipfield {
namespace {

struct ExportArguments {
  std::string path;
  std::string output;  // empty: standard output
  std::string format;  // empty: by the ending
  std::vector<std::string> quantities;
  std::vector<std::string> fields;
  std::string along;
  std::optional<std::array<double, 2>> at;
  int step = 0;
  int point = 0;
  int patch = 0;
  bool overwrite = false;
};

std::string check_exported(const std::string& name, const std::vector<std::string>& names,
                           std::string_view what) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  const std::vector<std::string_view> words(names.begin(), names.end());
  return fmt::format("there is no {} \"{}\"; {}", what, name, accepted_words(name, words));
}

bool is_latex(const ExportArguments& arguments) {
  const std::string ending = file_ending(arguments.output);
  if (!arguments.format.empty()) return arguments.format == "latex";
  if (ending == ".tex") return true;
  if (arguments.output.empty() || ending == ".csv") return false;
  throw InputError(fmt::format(
      "{}: the ending does not say a format; accepted: .csv, .tex, or --format csv|latex",
      arguments.output));
}

void print_written(std::size_t rows, std::size_t columns, const ExportArguments& arguments) {
  print_line(fmt::format("{} of {} written to {}", counted(rows, "row"), counted(columns, "column"),
                         arguments.output));
}

ExportTable totals_of(const SweepTable& table, const std::string& row, const ResultInfo& info,
                      const ExportArguments& arguments) {
  std::vector<std::string> quantities = arguments.quantities;
  if (quantities.empty() && is_latex(arguments)) quantities = telling_totals(table);
  if (!is_latex(arguments)) return export_totals(table, row, info, quantities, arguments.path);
  SweepTable shown = table;  // a paper has no rounding in it
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    for (std::size_t k = 0; k < table.count(); ++k)
      shown.columns[i].values[k] = shown_total(table, table.columns[i], k);
  return export_totals(shown, row, info, quantities, arguments.path);
}

ExportTable wheel_totals(const ExportArguments& arguments) {
  const WheelFile wheel = read_wheel_file(arguments.path);
  warn_of_incomplete(arguments.path, wheel.info, wheel.steps);
  SweepTable table =
      table_of_numbers(wheel.steps, [](const WheelRecord& record) { return record.outcome; });
  for (std::size_t i = 0; i < wheel.steps.size(); ++i)
    set_totals(table, i, wheel.steps[i].totals());
  drop_empty_columns(table);
  return totals_of(table, "step", wheel.info, arguments);
}

void require_one_choice(const ExportArguments& arguments) {
  const bool elements = !arguments.fields.empty();
  if (!elements && (!arguments.along.empty() || arguments.at || arguments.step > 0))
    throw InputError(arguments.path +
                     ": --step, --along and --at choose elements of fields; accepted: with "
                     "--fields");
  if (elements && !arguments.quantities.empty())
    throw InputError(arguments.path +
                     ": fields and totals have rows of their own; accepted: --fields or "
                     "--quantities");
  if (arguments.at && arguments.along.empty())
    throw InputError(arguments.path + ": --at is the place of a cut; accepted: with --along x|y");
}

ExportTable table_for(const ExportArguments& arguments) {
  const bool elements = !arguments.fields.empty();
  if (arguments.point == 0 && is_sweep(arguments.path)) {
    if (elements)
      throw InputError(arguments.path +
                       ": this is a sweep; fields need a point of it, named with --point");
    const SweepFile sweep = read_sweep_file(arguments.path);
    warn_of_incomplete(sweep, arguments.path);
    return totals_of(sweep.table, "point", sweep.info, arguments);
  }
  if (arguments.point == 0 && arguments.patch == 0 && is_wheel_file(arguments.path)) {
    if (elements)
      throw InputError(arguments.path +
                       ": this is a wheel on a rail; fields need a contact of it, named with "
                       "--patch");
    return wheel_totals(arguments);
  }
  const ResultFile result =
      read_result(arguments.path, arguments.point, {arguments.step, arguments.patch});
  if (arguments.patch != 0)
    warn_of_incomplete_wheel(arguments.path, result.info());
  else if (arguments.point == 0)
    warn_of_incomplete(arguments.path, result.info(), result.steps());
  if (!elements) return totals_of(table_of_steps(result), "step", result.info(), arguments);
  return export_fields(
      result, result.step(arguments.step),
      {arguments.fields, arguments.along.empty() ? ' ' : arguments.along[0], arguments.at});
}

bool is_long_table(const ExportArguments& arguments, bool latex) {
  return !latex && arguments.point == 0 && arguments.fields.empty() && is_sweep(arguments.path) &&
         read_sweep_outline(arguments.path).layout.points.count > kSweepBlock;
}

// Block by block, for sweeps of any length.
int export_long_table(const ExportArguments& arguments) {
  const SweepOutline outline = read_sweep_outline(arguments.path);
  std::optional<PendingFile> file;
  if (!arguments.output.empty())
    file.emplace(
        arguments.output, FileKind::exported,
        OutputRule(arguments.overwrite ? Overwrite::allow : Overwrite::refuse, {arguments.path}));
  std::size_t columns = 0;
  OutcomeCounts counts;
  for (const PointRange& block : blocks_of(outline.layout.points)) {
    const SweepTable rows = read_sweep_rows(arguments.path, block);
    counts.add(rows);
    const ExportTable table = totals_of(rows, "point", outline.info, arguments);
    std::string text = columns == 0 ? csv_text(table) : csv_rows(table);
    columns = table.columns.size();
    if (file) {
      file->append(text, "table");
    } else {
      text.pop_back();
      print_line(text);
    }
  }
  warn_of_incomplete(arguments.path, outline.info, counts);
  if (!file) return static_cast<int>(ExitCode::done);
  file->commit();
  print_written(outline.layout.points.count, columns, arguments);
  return static_cast<int>(ExitCode::done);
}

int export_numbers(const ExportArguments& arguments) {
  const bool latex = is_latex(arguments);
  require_one_choice(arguments);
  if (is_long_table(arguments, latex)) return export_long_table(arguments);
  const ExportTable table = table_for(arguments);
  std::string text = latex ? latex_text(table) : csv_text(table);
  if (arguments.output.empty()) {
    text.pop_back();
    print_line(text);
    return static_cast<int>(ExitCode::done);
  }
  PendingFile file(arguments.output, FileKind::exported,
                   {arguments.overwrite ? Overwrite::allow : Overwrite::refuse, {arguments.path}});
  file.write(text, "table");
  file.commit();
  print_written(table.rows(), table.columns.size(), arguments);
  return static_cast<int>(ExitCode::done);
}

void add_choice_options(CLI::App& command, const std::shared_ptr<ExportArguments>& arguments) {
  command
      .add_option("--quantities", arguments->quantities,
                  "Totals to write; default: all, and in LaTeX forces, motions and pressure")
      ->type_name("NAME[,NAME...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& name) {
            return check_exported(name, wheel_number_names(), "quantity");
          },
          ""));
  command.add_option("--fields", arguments->fields, "Fields, with the coordinates of the elements")
      ->type_name("FIELD[,FIELD...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& name) {
            return check_exported(name, stored_field_names(), "field");
          },
          ""));
  command.add_option("--step", arguments->step, "Fields of this step; default: the last")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000'000).description(""));
  command
      .add_option("--along", arguments->along,
                  "Of fields: one row of elements, through the middle of the pressure or --at")
      ->check(CLI::IsMember({"x", "y"}));
  command
      .add_option_function<std::vector<double>>(
          "--at",
          [arguments](const std::vector<double>& place) {
            arguments->at = {place[0], place[1]};
          },
          "Place of the row, in the units of the case")
      ->type_name("x,y")
      ->delimiter(',')
      ->expected(2);
}

}  // namespace

void add_export_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = program.add_subcommand(
      "export", "Write totals or fields of a result as CSV or as a LaTeX table");
  command->add_option("file", arguments->path, "Result file (HDF5)")
      ->required()
      ->type_name("OUT.h5");
  command
      ->add_option("-o,--output", arguments->output,
                   "The table; its ending says the format. Default: CSV on standard output")
      ->type_name("TABLE.csv|tex");
  command->add_option("--format", arguments->format, "Format where the ending does not say it")
      ->check(CLI::IsMember({"csv", "latex"}));
  add_choice_options(*command, arguments);
  add_point_option(*command, arguments->point, "Of this point of a sweep with fields");
  command
      ->add_option("--patch", arguments->patch,
                   "Of a wheel on a rail: this contact, numbered from 1")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  command->add_flag("--overwrite", arguments->overwrite, "Replace an existing table");
  command->footer(
      "Examples:\n"
      "  slipfield export out.h5                                   # totals of all steps\n"
      "  slipfield export sweep.h5 -o sweep.csv\n"
      "  slipfield export sweep.h5 -o curve.tex --quantities force_x,max_pressure\n"
      "  slipfield export out.h5 -o fields.csv --fields pressure,traction_x,traction_y\n"
      "  slipfield export out.h5 -o cut.csv --fields pressure --along x --at 0,1.5\n"
      "The header of a CSV file holds names and units; numbers read back as they are in the "
      "result.\n"
      "LaTeX needs the package booktabs.\n"
      "Exit codes: 0 done; 2 the file or the command line is wrong; 3 it could not be written.");
  command->callback(
      [arguments, &action] { action = [arguments] { return export_numbers(*arguments); }; });
}

}  // namespace slipfield
