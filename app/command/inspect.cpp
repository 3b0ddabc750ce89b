// SPDX-License-Identifier: Apache-2.0
// slipfield inspect: shows the contents of a result file as text or JSON.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/report/character_map.h"
#include "app/report/interior_report.h"
#include "app/report/run_warnings.h"
#include "app/report/step_table.h"
#include "app/report/totals_table.h"
#include "io/result/any_result.h"
#include "io/result/field_table.h"
#include "io/result/reader.h"
#include "io/result/surface/table.h"
#include "io/result/warnings.h"
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

// Prints the first warning and the number of others.
void print_warnings(const std::vector<std::string>& warnings, std::string_view start) {
  for (std::size_t i = 0; i < std::min(warnings.size(), kMostWarningLines); ++i)
    print_line(fmt::format("{}{}", start, warnings[i]));
  if (warnings.size() > kMostWarningLines)
    print_line(
        fmt::format("{}{} more; --json has all", start, warnings.size() - kMostWarningLines));
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

void print_grid(const ResultInfo& info) {
  const Grid& grid = info.header.grid;
  if (grid.count() == 0) return;
  const std::string_view length = unit_text(Dimension::length, info.header.units);
  print_line(
      fmt::format("grid      {} x {} elements of {:.6g} x {:.6g} {}, lower left corner at "
                  "({:.6g}, {:.6g}) {}",
                  grid.mx, grid.my, grid.dx, grid.dy, length, grid.x0, grid.y0, length));
}

void print_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) print_line(line);
}

// Prints, for each phase in order, its iterations and the decrease of the change.
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

// Prints the area of a map and the meaning of its characters.
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

// The selected part of a result: its steps, or the points of a sweep.
struct Inspected {
  const InspectArguments& arguments;
  bool sweep = false;
  std::optional<ResultFile> file{};  // of one contact
  ResultSteps steps{};               // of all but a sweep
  SweepTable step_rows{};            // likewise
  ResultInfo info{};
  std::vector<PointRange> blocks{{}};  // of the rows, one at a time in memory
  bool has_fields = false;             // points of the sweep have

  explicit Inspected(const InspectArguments& asked) : arguments(asked) {
    const Selection& chosen = asked.selection;
    const ResultKind kind = kind_of(asked.path, chosen.point);
    sweep = kind == ResultKind::sweep;
    if (sweep) {
      SweepOutline outline = read_sweep_outline(asked.path);
      info = std::move(outline.info);
      blocks = blocks_of(outline.layout.points);
      has_fields = !outline.with_fields.empty();
      return;
    }
    if (kind == ResultKind::wheel && chosen.contact == 0) {
      steps = read_steps(asked.path, chosen.point);
    } else {
      file.emplace(asked.path, chosen);
      steps = file->all();
    }
    info = steps.info;
    const int shown = steps.step(chosen.step).number;
    step_rows = rows_where(slipfield::rows_of(steps).rows, [&](const RowKey& key) {
      return chosen.step == 0 || key.step == shown;
    });
  }

  // Rows of the block's points (or of the chosen side or contact of them), or of the steps.
  [[nodiscard]] SweepTable rows(const PointRange& block) const {
    const std::string& side = arguments.selection.side;
    if (!sweep)
      return rows_where(step_rows, [&](const RowKey& key) {
        return file.has_value() || side.empty() || key.side == side;
      });
    return selected_rows(read_sweep_rows(arguments.path, block), arguments.selection);
  }
};

void require_shown(const Inspected& result) {
  const InspectArguments& arguments = result.arguments;
  if (result.sweep && (arguments.selection.step != 0 || !arguments.map.empty()))
    throw InputError(arguments.path +
                     ": this is a sweep; --step and --map need a point of it: --point N "
                     "where the sweep keeps fields, else the result of `slipfield run CASE.yaml "
                     "--point N`");
  if (result.sweep || result.file) return;
  if (!arguments.map.empty())
    throw InputError(
        arguments.path +
        ": this is a wheel on a rail; --map needs a contact of it, named with --contact");
}

[[noreturn]] void refuse_side(const Inspected& result) {
  throw InputError(fmt::format("{}: the step has no {} wheel; accepted: without --side",
                               result.arguments.path, result.arguments.selection.side));
}

void print_inspection_json(const Inspected& result) {
  const InspectArguments& arguments = result.arguments;
  nlohmann::ordered_json document = origin_json(result.info, arguments);
  if (result.sweep) {
    document["has_fields"] = result.has_fields;
    document.update(
        sweep_json(selected_rows(read_any_result(arguments.path).rows, arguments.selection),
                   result.info.header.units));
    return print_json(document);
  }
  const Grid& grid = result.info.header.grid;
  if (result.file)
    document["grid"] = {{"elements", {grid.mx, grid.my}},
                        {"spacing", {grid.dx, grid.dy}},
                        {"origin", {grid.x0, grid.y0}}};
  document["steps"] = nlohmann::ordered_json::array();
  for (const ResultStep& step : result.steps.steps) {
    if (arguments.selection.step != 0 && step.number != arguments.selection.step) continue;
    if (step.wheel) {
      document["steps"].push_back(wheel_json(*step.wheel, arguments.selection.side));
      if (document["steps"].back().is_null()) refuse_side(result);
      continue;
    }
    nlohmann::ordered_json entry = step_json(step.number, step.input, step.report, step.warnings);
    entry["fields"] = step.fields;
    if (!step.report.interior.empty())
      entry["interior"] = interior_json(result.file->interior(step));
    entry["convergence"] = history_json(step.report.history);
    document["steps"].push_back(std::move(entry));
  }
  if (!arguments.map.empty())
    document["map"] =
        map_json(*result.file, result.steps.step(arguments.selection.step), arguments.map);
  print_json(document);
}

// Messages and warnings of points, as many as fit.
class Remarks {
 public:
  void add(const SweepTable& rows, std::size_t row) {
    const std::vector<std::string> warnings = split_lines(rows.warnings[row]);
    const std::string& message = rows.messages[row];
    const bool warns = std::ranges::find(warnings, message) != warnings.end();  // what one remarks
    if (!message.empty() && !warns) add(rows.keys[row].point, message);
    for (const std::string& warning : warnings) add(rows.keys[row].point, warning);
  }
  void print() const {
    if (!lines_.empty()) print_line("");
    print_lines(lines_);
    if (more_ > 0) print_line(fmt::format("{} more; --json has all", more_));
  }

 private:
  void add(int point, const std::string& text) {
    if (lines_.size() < kMostWarningLines)
      lines_.push_back(fmt::format("point {}: {}", point, text));
    else
      ++more_;
  }
  std::vector<std::string> lines_;
  std::size_t more_ = 0;
};

// Reads the blocks twice: once for the columns, once for the lines.
void print_totals(const Inspected& result) {
  TotalsSurvey survey;
  for (const PointRange& block : result.blocks) survey.add(result.rows(block));
  const std::size_t lines = survey.counts().points();
  if (lines == 0)
    throw InputError(result.arguments.path +
                     ": no step or point has rows of that side and contact; accepted: those that "
                     "`slipfield export` writes");
  if (result.sweep) print_line(fmt::format("sweep     {}", sweep_summary(survey.counts())));
  if (result.sweep && result.has_fields) print_line("fields    of the points; --point shows one");
  if (!result.sweep) print_line(fmt::format("steps     {}", result.steps.steps.size()));
  const ShownTotals shown = survey.shown();
  if (lines == 1 && !result.sweep && !shown.by_contact) return;  // its numbers follow
  print_line("");
  const TotalsTable table(shown, result.info.header.units, table_columns());
  print_lines(table.head());
  Remarks remarks;
  for (const PointRange& block : result.blocks) {
    const SweepTable rows = result.rows(block);
    for (const std::size_t row : rows.steps()) {
      print_lines(table.lines(rows, row));
      if (result.sweep) remarks.add(rows, row);
    }
  }
  remarks.print();
}

// Prints every number of the step and a summary of its fields.
void print_step(const Inspected& result, const ResultStep& step) {
  const Units units = result.info.header.units;
  const std::string problem(
      step.wheel ? "" : fmt::format("{}, ", problem_name(step.input.tangential.problem)));
  print_line(
      fmt::format("\nstep {}: {}{}", step.number, problem, outcome_name(step.report.outcome)));
  const RunWarnings of_run(result.info.warnings);
  const std::string& message = step.report.message;
  if (!message.empty() && !of_run.unsaid({message}, step.number).empty()) print_line(message);
  print_warnings(of_run.unsaid(step.warnings, step.number), "warning: ");
  const std::string& side = result.arguments.selection.side;
  const SweepTable rows = rows_where(result.step_rows, [&](const RowKey& key) {
    return key.step == step.number && (result.file || side.empty() || key.side == side);
  });
  if (rows.count() == 0) refuse_side(result);
  const bool frictionless = !step.wheel && is_frictionless(step.input, step.report);
  print_lines(number_lines(rows, 0, units, table_columns(), frictionless));
  if (!result.file) return;
  for (const InteriorBody& body : result.file->interior(step)) {
    print_line("");
    print_lines(depth_table(body, units));
  }
  print_history(step.report.history);
  const std::string& map = result.arguments.map;
  const bool drawable =
      std::find(step.fields.begin(), step.fields.end(), kDivisionName) != step.fields.end();
  if (drawable || !map.empty()) print_map(*result.file, step, map);
}

int inspect(const InspectArguments& arguments) {
  require_selection({arguments.path}, arguments.selection);
  const Inspected result(arguments);
  require_shown(result);
  if (arguments.json) {
    print_inspection_json(result);
    return static_cast<int>(ExitCode::done);
  }
  print_origin(result.info);
  print_grid(result.info);
  print_totals(result);
  if (!result.sweep) print_step(result, result.steps.step(arguments.selection.step));
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
  command->callback([arguments, &action] {
    action = [arguments] {
      Selection& chosen = arguments->selection;
      settle_step({arguments->path}, chosen.point, chosen.step);
      return inspect(*arguments);
    };
  });
}

}  // namespace slipfield
