// SPDX-License-Identifier: Apache-2.0
// slipfield interior: stresses and displacements inside the bodies of a finished result.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/report/incomplete.h"
#include "app/report/interior_report.h"
#include "app/report/step_table.h"
#include "app/run/interior.h"
#include "gpu/cuda_device.h"
#include "io/case/of_result.h"
#include "io/case/text.h"
#include "io/heights/reader.h"
#include "io/result/reader.h"
#include "solver/combinations.h"
#include "solver/error.h"
#include "solver/interior/interior_field.h"
#include "solver/problem_check.h"

namespace slipfield {
namespace {

constexpr int kSamplesOfLine = 21;
constexpr int kMostSamplesOfLine = 100000;
constexpr std::array<std::string_view, 3> kTractions = {"pressure", "traction_x", "traction_y"};

constexpr const char* kVolumes = "Volumes";
constexpr const char* kPlaces = "Single points";

struct InteriorArguments {
  std::string path;
  std::string output;
  std::string body;
  std::string depths;
  std::string region;
  std::vector<std::string> quantities;
  std::string fatigue;
  std::vector<std::string> places;  // --at
  std::vector<std::string> lines;   // --line
  std::string points;
  std::string backend = "auto";
  std::optional<int> gpu;
  std::optional<int> samples;
  Selection selection;
  bool overwrite = false;
  bool json = false;

  [[nodiscard]] bool wants_points() const {
    return !places.empty() || !lines.empty() || !points.empty();
  }
};

std::string check_numbers(const std::string& text, std::size_t count, std::string_view form) {
  const auto numbers = numbers_between(text, ',');
  if (numbers && numbers->size() == count) return "";
  return fmt::format("\"{}\" is not {}", text, form);
}

// "0:8:33" is a range, "0,1,2.5" a list; anything else stays YAML.
std::string depths_value(const std::string& text) {
  const auto range = numbers_between(text, ':');
  if (range && range->size() == 3)
    return fmt::format("{{from: {}, to: {}, points: {}}}", (*range)[0], (*range)[1], (*range)[2]);
  if (numbers_between(text, ',')) return "[" + text + "]";
  return text;
}

// "-4:4,0:0" is a box.
std::string region_value(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return text;
  const auto x = numbers_between(std::string_view(text).substr(0, comma), ':');
  const auto y = numbers_between(std::string_view(text).substr(comma + 1), ':');
  if (!x || !y || x->size() != 2 || y->size() != 2) return text;
  return fmt::format("{{x: [{}, {}], y: [{}, {}]}}", (*x)[0], (*x)[1], (*y)[0], (*y)[1]);
}

// Default depths: to the contact's shorter width, which includes the greatest stress, but not into
// a rigid base.
std::string default_depths(const InteriorArguments& arguments, const ResultFile& result,
                           const ResultStep& step) {
  const Grid& grid = result.info().header.grid;
  InteriorRequest request;
  const InteriorWindow window = interior_window(request, grid, result.element_division(step));
  double deepest = std::min(window.mx * grid.dx, window.my * grid.dy);
  const std::array<ElasticBody, 2> bodies = read_result_materials(result.info().header);
  if (arguments.body != "lower") deepest = std::min(deepest, depth_of_base(bodies[0]));
  if (arguments.body != "upper") deepest = std::min(deepest, depth_of_base(bodies[1]));
  return fmt::format("interior.depths={{to: {}, points: 33}}", deepest);
}

std::vector<SourceText> overrides_of(const InteriorArguments& arguments, const ResultFile& result,
                                     const ResultStep& step) {
  std::vector<SourceText> overrides;
  // Faults name the option as it was typed.
  const auto add = [&](const std::string& key, const std::string& typed, const std::string& value) {
    overrides.emplace_back(fmt::format("--{} {}", key, typed),
                           fmt::format("interior.{}={}", key, value), SourceText::Kind::argument);
  };
  if (!arguments.depths.empty())
    add("depths", arguments.depths, depths_value(arguments.depths));
  else if (!has_section(result.info().header, "interior"))
    overrides.push_back(override_source(default_depths(arguments, result, step)));
  if (!arguments.body.empty()) add("body", arguments.body, arguments.body);
  if (!arguments.region.empty()) add("region", arguments.region, region_value(arguments.region));
  if (!arguments.quantities.empty()) {
    const std::string names = fmt::format("{}", fmt::join(arguments.quantities, ","));
    add("quantities", names, names == "all" ? names : "[" + names + "]");
  }
  if (!arguments.fatigue.empty()) add("fatigue", arguments.fatigue, arguments.fatigue);
  return overrides;
}

bool holds(const ResultStep& step, std::string_view field) {
  return std::find(step.fields.begin(), step.fields.end(), field) != step.fields.end();
}

ContactSolution solution_of(const ResultFile& result, const ResultStep& step) {
  for (const std::string_view field : {kTractions[0], kTractions[1], kTractions[2], kDivisionName})
    if (!holds(step, field))
      throw InputError(fmt::format(
          "{}: step {} has no field \"{}\", which the stresses inside follow from; accepted: a "
          "result with pressure, traction_x, traction_y and element_division",
          result.path().string(), step.number, field));
  if (step.report.adhesive_force > 0.0 && !holds(step, "adhesive_stress"))
    throw InputError(fmt::format(
        "{}: step {} has no field \"adhesive_stress\", and its surfaces adhere; accepted: a result "
        "with it",
        result.path().string(), step.number));
  return result.solution(step);
}

std::vector<const ResultStep*> steps_of(const ResultFile& result, int number) {
  std::vector<const ResultStep*> steps;
  if (number != 0) return {&result.step(number)};
  for (const ResultStep& step : result.steps()) steps.push_back(&step);
  return steps;
}

// Fields that all steps have, so that each can be written again.
FieldChoice common_fields(const std::vector<const ResultStep*>& steps) {
  std::vector<std::string> common = steps.front()->fields;
  for (const ResultStep* step : steps)
    std::erase_if(common, [&](const std::string& field) { return !holds(*step, field); });
  return common;
}

// Chooses like `run`: the GPU if one answers and has the memory.
MakeInteriorPlanes chosen_planes(const InteriorArguments& arguments, const Grid& grid) {
  const SettledBackend backend =
      settle_backend({backend_from_name(arguments.backend), arguments.gpu},
                     cuda_interior_bytes(grid, InteriorNeed::stress_and_displacement));
  log_info(fmt::format("backend: {} on {} ({})", backend.name, backend.device, backend.reason));
  return interior_planes_on(backend);
}

void warn_of_curved_surfaces(const InteriorArguments& arguments, const ResultFile& result) {
  if (has_curved_surfaces(result.info().header))
    log_warning(arguments.path +
                ": what is inside the bodies is that of half-spaces under the tractions, although "
                "the contact has curved surfaces");
}

// Writes the warnings of the original run and of this one.
void write_warnings(ResultWriter& writer, const WarningRecord& logged,
                    const std::vector<const ResultStep*>& steps) {
  writer.set_warnings(logged.texts());
  for (const ResultStep* step : steps)
    for (const std::string& warning : step->warnings) writer.warn(step->number, warning);
}

int write_volumes(const InteriorArguments& arguments, const ResultFile& result,
                  const WarningRecord& logged) {
  const std::vector<const ResultStep*> steps = steps_of(result, arguments.selection.step);
  const ResultInfo& info = result.info();
  const ResultBodies bodies =
      read_result_bodies(info.header, overrides_of(arguments, result, *steps.back()));
  ResultWriter writer(arguments.output, info.header,
                      {overwrite_if(arguments.overwrite), {arguments.path}}, common_fields(steps));
  const MakeInteriorPlanes make = chosen_planes(arguments, info.header.grid);
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (const ResultStep* step : steps) {
    throw_if_interrupted();
    const ContactSolution solution = solution_of(result, *step);
    for (const Fault& fault : check_interior_step(bodies.interior, step->input))
      throw InputError(fmt::format("{}: step {}: interior.fatigue: {}; accepted: {}",
                                   arguments.path, step->number, fault.reason, fault.remedy));
    InteriorField interior(info.header.grid, bodies.bodies, bodies.interior, solution, make);
    writer.write_step(step->number, step->input, step->report, solution, &interior);
    document.push_back({{"step", step->number}, {"interior", interior_json(interior.summaries())}});
    if (arguments.json) continue;
    if (steps.size() > 1) print_line(fmt::format("step {}", step->number));
    for (const std::string& line : interior_lines(interior.summaries(), info.header.units))
      print_line(line);
  }
  write_warnings(writer, logged, steps);
  writer.finish(info.outcome == "converged"       ? RunOutcome::converged
                : info.outcome == "not_converged" ? RunOutcome::not_converged
                                                  : RunOutcome::incomplete);
  if (arguments.json)
    print_json({{"results", arguments.output}, {"steps", std::move(document)}});
  else
    print_line(fmt::format("\nresults: {}", arguments.output));
  return static_cast<int>(ExitCode::done);
}

// Adds a place (x, y, z); on the surface it belongs to the body of --body.
void add_place(std::array<PointTable, 2>& tables, const InteriorArguments& arguments, double x,
               double y, double z) {
  const bool upper = arguments.body.empty() ? z > 0.0 : arguments.body == "upper";
  if (z == 0.0 && arguments.body.empty())
    throw InputError(
        "a point on the surface, z = 0, belongs to either body; accepted: --body "
        "upper or --body lower with it");
  if (z != 0.0 && (z > 0.0) != upper)
    throw InputError(
        fmt::format("the point ({}, {}, {}) is outside the {} body; accepted: z {} 0, or no --body",
                    x, y, z, arguments.body, upper ? ">=" : "<="));
  tables[upper ? 0 : 1].points.push_back({x, y, std::fabs(z)});
}

std::array<PointTable, 2> places_of(const InteriorArguments& arguments, Units units) {
  std::array<PointTable, 2> tables{{{Body::upper, {}, {}}, {Body::lower, {}, {}}}};
  for (const std::string& text : arguments.places) {
    const std::vector<double> at = numbers_between(text, ',').value_or(std::vector<double>(3));
    add_place(tables, arguments, at[0], at[1], at[2]);
  }
  for (const std::string& text : arguments.lines) {
    const std::vector<double> ends = numbers_between(text, ',').value_or(std::vector<double>(6));
    const int samples = arguments.samples.value_or(kSamplesOfLine);
    for (int i = 0; i < samples; ++i) {
      const double t = static_cast<double>(i) / (samples - 1);
      const auto between = [&](std::size_t k) { return (1.0 - t) * ends[k] + t * ends[k + 3]; };
      add_place(tables, arguments, between(0), between(1), between(2));
    }
  }
  if (!arguments.points.empty()) {
    HeightsRequest request;
    request.mx = 3;
    request.default_dataset = "/points";
    request.of = TableOf::lengths;
    request.metres = metres_of(units);
    request.columns = {{"x"}, {"y"}, {"z"}};
    require_file(arguments.points);
    const Heights rows = read_heights(arguments.points, request);
    for (std::size_t i = 0; i + 2 < rows.values.size(); i += 3)
      add_place(tables, arguments, rows.values[i], rows.values[i + 1], rows.values[i + 2]);
  }
  return tables;
}

int print_points(const InteriorArguments& arguments, const ResultFile& result) {
  for (const auto& [given, option] : {std::pair(!arguments.output.empty(), "--output"),
                                      std::pair(!arguments.depths.empty(), "--depths"),
                                      std::pair(!arguments.region.empty(), "--region"),
                                      std::pair(!arguments.quantities.empty(), "--quantities"),
                                      std::pair(!arguments.fatigue.empty(), "--fatigue"),
                                      std::pair(arguments.body == "both", "--body both"),
                                      std::pair(arguments.backend != "auto", "--backend"),
                                      std::pair(arguments.gpu.has_value(), "--device")})
    if (given)
      throw InputError(fmt::format(
          "{} goes with volumes, and --at, --line and --points print points; accepted: one or the "
          "other",
          option));
  const ResultInfo& info = result.info();
  ContactProblem of_grid;
  of_grid.grid = info.header.grid;
  for (const Fault& fault : refuse_interior(of_grid))
    throw InputError(
        fmt::format("{}: {}; accepted: {}", arguments.path, fault.reason, fault.remedy));
  const ResultStep& step = result.step(arguments.selection.step);
  const ContactSolution solution = solution_of(result, step);
  const std::array<ElasticBody, 2> materials = read_result_materials(info.header);
  std::array<PointTable, 2> tables = places_of(arguments, info.header.units);
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (PointTable& table : tables) {
    if (table.points.empty()) continue;
    table.values =
        interior_at(table.points, info.header.grid, materials[static_cast<std::size_t>(table.body)],
                    table.body, solution);
    if (arguments.json) {
      for (auto& entry : point_json(table)) document.push_back(std::move(entry));
      continue;
    }
    for (const std::string& line : point_lines(table, info.header.units)) print_line(line);
  }
  if (arguments.json) print_json({{"step", step.number}, {"points", std::move(document)}});
  return static_cast<int>(ExitCode::done);
}

int interior(const InteriorArguments& arguments) {
  watch_interrupts();
  require_selection({arguments.path}, arguments.selection);
  if (arguments.samples && arguments.lines.empty())
    throw InputError("--samples is the number of points of a line; accepted: with --line");
  const ResultFile result = read_result(arguments.path, arguments.selection);
  const WarningRecord logged(result.info().warnings);
  warn_of_incomplete(arguments.path, arguments.selection, result);
  warn_of_curved_surfaces(arguments, result);
  if (arguments.wants_points()) return print_points(arguments, result);
  if (arguments.output.empty())
    throw InputError(
        "there is nothing to write or to print; accepted: -o INSIDE.h5 for volumes, or "
        "--at, --line or --points for points");
  return write_volumes(arguments, result, logged);
}

void add_volume_options(CLI::App& command, InteriorArguments& arguments) {
  command
      .add_option("-o,--output", arguments.output,
                  "A result with the steps of the file and their interior")
      ->type_name("INSIDE.h5")
      ->group(kOutputGroup);
  command
      .add_option("--body", arguments.body, "upper, lower, or both; default: the case's, or both")
      ->check(CLI::IsMember({"upper", "lower", "both"}))
      ->group(kVolumes);
  command
      .add_option("--depths", arguments.depths,
                  "From 0 at the surface into the body: FROM:TO:POINTS, a list, or a map as in a "
                  "case; default: the case's, or 33 to the contact's shorter width")
      ->type_name("DEPTHS")
      ->group(kVolumes);
  command
      .add_option("--region", arguments.region,
                  "contact, grid, or X0:X1,Y0:Y1; default: the case's, or contact")
      ->type_name("REGION")
      ->group(kVolumes);
  command
      .add_option("--quantities", arguments.quantities,
                  "all, stress, principal, displacement, or single names; default: the case's, or "
                  "von_mises,tresca")
      ->type_name("NAME[,NAME...]")
      ->group(kVolumes)
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--fatigue", arguments.fatigue,
                  "Dang Van's and Crossland's stresses of the passage: a map as in a case, "
                  "'{torsion_limit: 300, bending_limit: 500}' or '{dang_van: 0.3}'; default: the "
                  "case's, or none")
      ->type_name("MAP")
      ->group(kVolumes);
}

void add_point_options(CLI::App& command, InteriorArguments& arguments) {
  const auto check = [](std::size_t count, const char* form) {
    return CLI::Validator([=](const std::string& text) { return check_numbers(text, count, form); },
                          "");
  };
  command
      .add_option(
          "--at", arguments.places,
          "Print the values at a point; z > 0 in the upper body, z < 0 in the lower; may be "
          "given several times")
      ->type_name("X,Y,Z")
      ->group(kPlaces)
      ->allow_extra_args(false)
      ->check(check(3, "three numbers X,Y,Z"));
  command.add_option("--line", arguments.lines, "The same along a line")
      ->type_name("X0,Y0,Z0,X1,Y1,Z1")
      ->group(kPlaces)
      ->allow_extra_args(false)
      ->check(check(6, "six numbers X0,Y0,Z0,X1,Y1,Z1"));
  command
      .add_option("--samples", arguments.samples, "Points of a line, ends included; default: 21")
      ->type_name("N")
      ->group(kPlaces)
      ->check(CLI::Range(2, kMostSamplesOfLine).description(""));
  command.add_option("--points", arguments.points, "The same at each row x y z of a file")
      ->type_name("FILE")
      ->group(kPlaces);
}

}  // namespace

void add_interior_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<InteriorArguments>();
  CLI::App* command = program.add_subcommand(
      "interior", "Stresses and displacements inside the bodies of a finished result");
  command->add_option("file", arguments->path, "Result file (HDF5)")
      ->required()
      ->type_name("OUT.h5");
  add_volume_options(*command, *arguments);
  add_point_options(*command, *arguments);
  add_backend_option(*command, arguments->backend, "Where volumes are computed");
  add_device_option(*command, arguments->gpu);
  add_selection_options(*command, arguments->selection,
                        "Number of the step; default: all steps, or the last one for points");
  command->add_flag("--overwrite", arguments->overwrite, "Replace an existing result")
      ->group(kOutputGroup);
  command->add_flag("--json", arguments->json, "Print one JSON document")->group(kOutputGroup);
  command->footer(
      "Examples:\n"
      "  slipfield interior out.h5 -o inside.h5\n"
      "  slipfield interior out.h5 -o inside.h5 --body lower --quantities all\n"
      "  slipfield interior out.h5 -o cut.h5 --region -4:4,0:0 --depths 0:8:65\n"
      "  slipfield interior out.h5 --line 0,0,0,0,0,-5 --body lower --samples 101\n"
      "  slipfield interior out.h5 --at 0,0,0.5 --at 0,0,-0.5 --json\n"
      "  slipfield interior wheel.h5 --step 2 --contact 1 -o inside.h5\n"
      "Depths are positive in both bodies. The result also has the steps' fields: `inspect` "
      "prints\n"
      "the greatest values over the depth, `plot --interior` draws them, ParaView opens the "
      "volume.\n"
      "Exit codes: 0 done; 2 the file or the command line is wrong; 3 anything else that failed.");
  command->callback([arguments, &action] {
    action = [arguments] {
      Selection& chosen = arguments->selection;
      settle_step({arguments->path}, chosen.point, chosen.step);
      return interior(*arguments);
    };
  });
}

}  // namespace slipfield
