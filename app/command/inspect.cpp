// SPDX-License-Identifier: Apache-2.0
// slipfield inspect: what a result file holds, as text or JSON.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/report/character_map.h"
#include "app/report/interior_report.h"
#include "app/report/step_table.h"
#include "app/report/sweep_report.h"
#include "app/report/wheel_report.h"
#include "io/result/any_result.h"
#include "io/result/field_table.h"
#include "io/result/reader.h"
#include "io/result/surface/table.h"
#include "io/result/warnings.h"
#include "io/result/wheel/table.h"
#include "io/yaml/suggestion.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr int kMapColumns = 200;

struct InspectArguments {
  std::string path;
  Selection selection;
  std::string map;
  bool json = false;
};

std::string check_field(const std::string& name) {
  const std::vector<std::string> names = stored_field_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  return fmt::format("there is no field \"{}\"; {}", name, near_words(name, names, kAllNames));
}

constexpr std::size_t kMostWarningLines = 20;

// The first of them, and how many more there are.
void print_warnings(const std::vector<std::string>& warnings, std::string_view start) {
  for (std::size_t i = 0; i < std::min(warnings.size(), kMostWarningLines); ++i)
    print_line(fmt::format("{}{}", start, warnings[i]));
  if (warnings.size() > kMostWarningLines)
    print_line(
        fmt::format("{}{} more; --json has all", start, warnings.size() - kMostWarningLines));
}

// Those that no line of `told` ends with, as the lines of a run do with what they say of a step.
std::vector<std::string> untold(const std::vector<std::string>& warnings,
                                const std::vector<std::string>& told) {
  std::vector<std::string> rest;
  std::copy_if(
      warnings.begin(), warnings.end(), std::back_inserter(rest), [&](const std::string& warning) {
        return std::none_of(told.begin(), told.end(),
                            [&](const std::string& line) { return line.ends_with(warning); });
      });
  return rest;
}

void print_origin(const ResultInfo& info) {
  if (!info.header.title.empty()) print_line(info.header.title);
  print_line(fmt::format("outcome   {}", info.outcome));
  print_warnings(info.warnings, "warning   ");
  print_line(fmt::format("created   {} by slipfield {} ({})", info.created, info.program_version,
                         info.git_commit));
  print_line(fmt::format("backend   {} on {}", info.header.backend, info.header.device));
  print_line(fmt::format("units     {}", units_name(info.header.units)));
}

void print_header(const ResultFile& result) {
  const ResultInfo& info = result.info();
  const Grid& grid = info.header.grid;
  const std::string_view length = unit_text(Dimension::length, info.header.units);
  print_origin(info);
  print_line(
      fmt::format("grid      {} x {} elements of {:.6g} x {:.6g} {}, lower left corner at "
                  "({:.6g}, {:.6g}) {}",
                  grid.mx, grid.my, grid.dx, grid.dy, length, grid.x0, grid.y0, length));
  print_line(fmt::format("steps     {}", result.steps().size()));
}

// The shifts and creepages that are not zero: a file does not say which of them were found.
std::vector<std::string> motions_of(const std::vector<ResultStep>& steps) {
  std::vector<std::string> names;
  for (const ResultStep& step : steps) {
    for (const QuantityEntry& entry : quantity_table()) {
      const bool motion = entry.value.index() == 0 &&
                          (entry.name.starts_with("shift_") || entry.name.starts_with("creepage_"));
      const std::string name(entry.name);
      if (motion && entry.applies(step.input.tangential.problem) &&
          shown_value(entry, step.report) != 0.0 &&
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  }
  return names;
}

void print_step_table(const ResultFile& result) {
  print_line("");
  const StepTable table(result.info().header.units, motions_of(result.steps()), table_columns());
  for (const std::string& line : table.head()) print_line(line);
  for (const ResultStep& step : result.steps())
    print_line(table.row(step.number, step.input, step.report));
}

// told: warnings that are above it already.
void print_quantities(const ResultStep& step, Units units, const std::vector<std::string>& told) {
  print_line(fmt::format("\nstep {}: {}, {}", step.number,
                         problem_name(step.input.tangential.problem),
                         outcome_name(step.report.outcome)));
  if (!step.report.message.empty()) print_line(step.report.message);
  print_warnings(untold(step.warnings, told), "warning: ");
  for (const ShownNumber& number : shown_numbers(step.input, step.report, units))
    print_line(number_line(number.name, number.value, number.unit, number.description,
                           static_cast<std::size_t>(table_columns())));
}

// For each phase in the order it ran: iterations and how the change fell.
void print_history(const std::vector<IterationRecord>& history) {
  if (history.empty()) return;
  print_line("\nconvergence (relative change of the tractions)");
  for (std::size_t begin = 0; begin < history.size();) {
    std::size_t end = begin + 1;
    while (end < history.size() && history[end].phase == history[begin].phase &&
           history[end].iteration > history[end - 1].iteration)
      ++end;
    const std::size_t middle = begin + (end - begin) / 2;
    std::string changes = fmt::format("{:.2e}", history[begin].change);
    if (end - begin > 2) changes += fmt::format(" .. {:.2e}", history[middle].change);
    if (end - begin > 1) changes += fmt::format(" .. {:.2e}", history[end - 1].change);
    print_line(fmt::format("  {:<10} iterations {:>5} to {:>5}   {}",
                           phase_name(history[begin].phase), history[begin].iteration,
                           history[end - 1].iteration, changes));
    begin = end;
  }
}

// The area that a map shows, and what its characters stand for.
void print_map(const ResultFile& result, const ResultStep& step, const std::string& field) {
  const ResultHeader& header = result.info().header;
  const Grid& grid = header.grid;
  const int columns = std::max(kMapColumns, terminal_columns(kMapColumns));
  const std::string_view length = unit_text(Dimension::length, header.units);
  const std::string area =
      fmt::format("x from {:.6g} to {:.6g}, y upwards from {:.6g} to {:.6g} {}", grid.x0,
                  grid.x0 + grid.mx * grid.dx, grid.y0, grid.y0 + grid.my * grid.dy, length);
  if (field.empty() || field == kDivisionName) {
    const bool frictionless = is_frictionless(step.input, step.report);
    const std::vector<ElementState> states = result.element_division(step);
    print_line(fmt::format("\nelement_division: {}", area));
    for (const std::string& line :
         frictionless ? draw_contact(states, grid, columns) : draw_division(states, grid, columns))
      print_line(line);
    print_line(division_legend(states, frictionless));
    return;
  }
  print_line(fmt::format("\n{}: {}", field, area));
  for (const std::string& line : draw_field(result.field(step, field), grid, columns,
                                            unit_text(field_dimension(field), header.units)))
    print_line(line);
}

nlohmann::ordered_json history_json(const std::vector<IterationRecord>& history) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const IterationRecord& record : history)
    array.push_back({{"phase", phase_name(record.phase)},
                     {"iteration", record.iteration},
                     {"change", record.change}});
  return array;
}

nlohmann::ordered_json map_json(const ResultFile& result, const ResultStep& step,
                                const std::string& field) {
  const Grid& grid = result.info().header.grid;
  const std::vector<double> values = result.field(step, field);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (int iy = 0; iy < grid.my; ++iy) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(grid.index(0, iy));
    rows.push_back(std::vector<double>(begin, begin + grid.mx));
  }
  return {{"field", field}, {"step", step.number}, {"values", std::move(rows)}};
}

nlohmann::ordered_json origin_json(const ResultInfo& info, const InspectArguments& arguments) {
  nlohmann::ordered_json document;
  document["file"] = arguments.path;
  document["title"] = info.header.title;
  document["outcome"] = info.outcome;
  document["warning"] = info.warning;
  document["warnings"] = info.warnings;
  document["created"] = info.created;
  document["program_version"] = info.program_version;
  document["git_commit"] = info.git_commit;
  document["schema_version"] = info.schema_version;
  document["backend"] = info.header.backend;
  document["device"] = info.header.device;
  document["units"] = units_name(info.header.units);
  document["case"] = info.header.case_yaml;
  if (info.header.source) document["case_source"] = info.header.source->text;
  return document;
}

void print_inspection_json(const ResultFile& result, const InspectArguments& arguments) {
  const Grid& grid = result.info().header.grid;
  nlohmann::ordered_json document = origin_json(result.info(), arguments);
  document["grid"] = {{"elements", {grid.mx, grid.my}},
                      {"spacing", {grid.dx, grid.dy}},
                      {"origin", {grid.x0, grid.y0}}};
  document["steps"] = nlohmann::ordered_json::array();
  for (const ResultStep& step : result.steps()) {
    if (arguments.selection.step != 0 && step.number != arguments.selection.step) continue;
    nlohmann::ordered_json entry = step_json(step.number, step.input, step.report, step.warnings);
    entry["fields"] = step.fields;
    if (!step.report.interior.empty()) entry["interior"] = interior_json(result.interior(step));
    entry["convergence"] = history_json(step.report.history);
    document["steps"].push_back(std::move(entry));
  }
  if (!arguments.map.empty())
    document["map"] = map_json(result, result.step(arguments.selection.step), arguments.map);
  print_json(document);
}

// The rows of the block's points, or of the side or contact that was chosen.
SweepTable shown_points(const InspectArguments& arguments, const PointRange& block) {
  return selected_rows(read_sweep_rows(arguments.path, block), arguments.selection);
}

// Block by block: once for the columns, once for the lines.
void print_sweep_table(const SweepOutline& sweep, const InspectArguments& arguments) {
  SweepSurvey survey;
  const std::vector<PointRange> blocks = blocks_of(sweep.layout.points);
  for (const PointRange& block : blocks) survey.add(shown_points(arguments, block));
  if (survey.counts().points() == 0)
    throw InputError(
        arguments.path +
        ": no point has rows of that side and contact; accepted: those that `slipfield "
        "export` writes");
  print_line(fmt::format("sweep     {}", sweep_summary(survey.counts())));
  if (!sweep.with_fields.empty()) print_line("fields    of the points; --point shows one");
  print_line("");
  const SweepLines lines(survey, sweep.info.header.units, table_columns());
  std::vector<std::string> remarks;  // of single points
  std::size_t more = 0;
  for (const std::string& line : lines.head()) print_line(line);
  for (const PointRange& block : blocks) {
    const SweepTable rows = shown_points(arguments, block);
    for (const std::size_t row : rows.steps()) {
      const int point = rows.keys[row].point;
      print_line(lines.row(rows, row));
      if (!rows.messages[row].empty())
        remarks.push_back(fmt::format("point {}: {}", point, rows.messages[row]));
      for (const std::string& warning : split_lines(rows.warnings[row]))
        remarks.push_back(fmt::format("point {}: {}", point, warning));
      more += remarks.size() > kMostWarningLines ? remarks.size() - kMostWarningLines : 0;
      remarks.resize(std::min(remarks.size(), kMostWarningLines));
    }
  }
  if (!remarks.empty()) print_line("");
  for (const std::string& remark : remarks) print_line(remark);
  if (more > 0) print_line(fmt::format("{} more; --json has all", more));
}

int inspect_sweep(const InspectArguments& arguments) {
  if (arguments.selection.step != 0 || !arguments.map.empty())
    throw InputError(arguments.path +
                     ": this is a sweep; --step and --map need a point of it: --point N "
                     "where the sweep keeps fields, else the result of `slipfield run CASE.yaml "
                     "--point N`");
  if (arguments.json) {
    AnyResult sweep = read_any_result(arguments.path);
    sweep.rows = selected_rows(sweep.rows, arguments.selection);
    nlohmann::ordered_json document = origin_json(sweep.info, arguments);
    document["has_fields"] = !sweep.with_fields.empty();
    document.update(sweep_json(sweep.rows, sweep.info.header.units));
    print_json(document);
    return static_cast<int>(ExitCode::done);
  }
  const SweepOutline sweep = read_sweep_outline(arguments.path);
  print_origin(sweep.info);
  print_sweep_table(sweep, arguments);
  return static_cast<int>(ExitCode::done);
}

int inspect_wheel(const InspectArguments& arguments) {
  if (!arguments.map.empty())
    throw InputError(
        arguments.path +
        ": this is a wheel on a rail; --map needs a contact of it, named with --contact");
  if (!arguments.selection.side.empty())
    throw InputError(arguments.path + ": --side says whose contact; accepted: with --contact");
  const ResultSteps wheel = read_steps(arguments.path, arguments.selection.point);
  const WheelRecord& shown = *wheel.step(arguments.selection.step).wheel;
  std::vector<WheelRecord> chosen;
  for (const ResultStep& step : wheel.steps)
    if (arguments.selection.step == 0 || step.number == arguments.selection.step)
      chosen.push_back(*step.wheel);
  if (arguments.json) {
    nlohmann::ordered_json document = origin_json(wheel.info, arguments);
    document["steps"] = nlohmann::ordered_json::array();
    for (const WheelRecord& record : chosen) document["steps"].push_back(wheel_json(record));
    print_json(document);
    return static_cast<int>(ExitCode::done);
  }
  print_origin(wheel.info);
  print_line(fmt::format("steps     {}\n", wheel.steps.size()));
  for (const std::string& line : wheel_head(table_columns())) print_line(line);
  for (const WheelRecord& record : chosen)
    for (const std::string& line : wheel_rows(record, table_columns())) print_line(line);
  print_line("");
  for (const std::string& line :
       wheel_numbers_text(shown, wheel.info.header.units, table_columns()))
    print_line(line);
  return static_cast<int>(ExitCode::done);
}

int inspect(const InspectArguments& arguments) {
  require_selection({arguments.path}, arguments.selection);
  const ResultKind kind = kind_of(arguments.path, arguments.selection.point);
  if (kind == ResultKind::sweep) return inspect_sweep(arguments);
  if (kind == ResultKind::wheel && arguments.selection.contact == 0)
    return inspect_wheel(arguments);
  const ResultFile result = read_result(arguments.path, arguments.selection);
  const ResultStep& step = result.step(arguments.selection.step);
  if (arguments.json) {
    print_inspection_json(result, arguments);
    return static_cast<int>(ExitCode::done);
  }
  print_header(result);
  if (arguments.selection.step == 0 && result.steps().size() > 1) print_step_table(result);
  print_quantities(step, result.info().header.units, result.info().warnings);
  for (const InteriorBody& body : result.interior(step)) {
    print_line("");
    for (const std::string& line : depth_table(body, result.info().header.units)) print_line(line);
  }
  print_history(step.report.history);
  const bool drawable =
      std::find(step.fields.begin(), step.fields.end(), kDivisionName) != step.fields.end();
  if (drawable || !arguments.map.empty()) print_map(result, step, arguments.map);
  return static_cast<int>(ExitCode::done);
}

}  // namespace

void add_inspect_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<InspectArguments>();
  CLI::App* command =
      program.add_subcommand("inspect", "Show what a result file holds, with a map of the contact");
  command->add_option("file", arguments->path, "Result file (HDF5)")
      ->required()
      ->type_name("OUT.h5");
  add_selection_options(*command, arguments->selection, "Number of the step; default: the last");
  command->add_option("--map", arguments->map, "Draw this field in place of element_division")
      ->type_name("FIELD")
      ->check(CLI::Validator(check_field, ""));
  command->add_flag("--json", arguments->json,
                    "Print one JSON document; with --map also the field's values, y rising");
  command->footer(
      "Examples:\n"
      "  slipfield inspect out.h5\n"
      "  slipfield inspect out.h5 --step 3 --map pressure\n"
      "  slipfield inspect out.h5 --json | jq '.steps[-1].max_pressure'\n"
      "  slipfield inspect sweep.h5 --json | jq '.points[] | [.inputs[], .force_x]'\n"
      "  slipfield inspect sweep.h5 --point 17\n"
      "  slipfield inspect wheel.h5 --step 3 --side left --contact 1\n"
      "The map has y upwards: `.` exterior, `*` adhesion, `S` slip; `C` contact, without\n"
      "friction. `slipfield info --fields` lists the fields.\n"
      "Exit codes: 0 done; 2 the file or the command line is wrong.");
  command->callback([arguments, &action] { action = [arguments] { return inspect(*arguments); }; });
}

}  // namespace slipfield
