// SPDX-License-Identifier: Apache-2.0
// slipfield check: read and validate cases, and print one with every default written out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/report/step_table.h"
#include "app/run/accuracy/suggested_grid.h"
#include "app/run/load_case.h"
#include "app/run/solver_factory.h"
#include "io/case/sweep.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/heights/measures.h"
#include "io/result/field_table.h"
#include "io/yaml/tree.h"
#include "solver/error.h"
#include "solver/geometry/hertz_ellipse.h"
#include "solver/memory_estimate.h"

namespace slipfield {
namespace {

struct CheckArguments {
  std::vector<std::string> case_paths;
  std::vector<std::string> overrides;
  int point = 0;
  std::optional<double> error;
  bool json = false;
};

// Refuses a case that `run` would refuse for lack of memory, unless a GPU takes it.
void require_memory_to_run(const ContactProblem& problem) {
  if (settle_backend({BackendChoice::automatic}, problem).choice == BackendChoice::cpu)
    require_host_memory(problem);
}

// ", 3 expected numbers"; empty if there are none.
std::string expected_text(std::size_t count) {
  return count == 0 ? "" : ", " + counted(count, "expected number");
}

constexpr double kHertzMargin = 1.25;  // of an extent over the contact

// One direction: half of the contact, its elements and the suggested extent. Along the axis of a
// cylinder and for a single row the grid is unchanged.
struct Across {
  double semi_axis = 0.0;
  double elements = 0.0;
  double least = 0.0;
  double greatest = 0.0;
};

Across across(double semi_axis, double centre, double corner, double spacing, int elements) {
  if (semi_axis == 0.0 || elements == 1)
    return {semi_axis, static_cast<double>(elements), corner, corner + elements * spacing};
  return {semi_axis, 2.0 * semi_axis / spacing, centre - kHertzMargin * semi_axis,
          centre + kHertzMargin * semi_axis};
}

Across across_x(const HertzEstimate& hertz, const Grid& grid) {
  return across(hertz.semi_axis_x, hertz.centre_x, grid.x0, grid.dx, grid.mx);
}

Across across_y(const HertzEstimate& hertz, const Grid& grid) {
  return across(hertz.semi_axis_y, hertz.centre_y, grid.y0, grid.dy, grid.my);
}

// One line: the contact, the elements across it, and an extent that contains it.
std::string hertz_text(const HertzEstimate& hertz, const ContactProblem& problem) {
  const Across x = across_x(hertz, problem.grid);
  const Across y = across_y(hertz, problem.grid);
  const std::string_view length = unit_text(Dimension::length, problem.units);
  std::string text = "Hertz: ";
  if (hertz.is_line())
    text += fmt::format("half-width {:.4g} {} in {}", 0.5 * hertz.length(), length,
                        hertz.semi_axis_x > 0.0 ? "x" : "y");
  else
    text += fmt::format("semi-axes {:.4g} x {:.4g} {}", x.semi_axis, y.semi_axis, length);
  text += fmt::format(", p_max {:.4g} {}", hertz.max_pressure,
                      unit_text(Dimension::traction, problem.units));
  if (!hertz.is_line()) text += fmt::format(", approach {:.4g} {}", hertz.approach, length);
  return text + fmt::format(
                    "; {:.3g} x {:.3g} elements across it; an extent that holds it: "
                    "{{x: [{:.3g}, {:.3g}], y: [{:.3g}, {:.3g}]}}",
                    x.elements, y.elements, x.least, x.greatest, y.least, y.greatest);
}

nlohmann::ordered_json hertz_json(const HertzEstimate& hertz, const ContactProblem& problem) {
  const Across x = across_x(hertz, problem.grid);
  const Across y = across_y(hertz, problem.grid);
  nlohmann::ordered_json document;
  const auto known = [](double value) {
    return value > 0.0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  document["semi_axes"] = {known(hertz.semi_axis_x), known(hertz.semi_axis_y)};
  document["max_pressure"] = hertz.max_pressure;
  document["approach"] =
      hertz.is_line() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(hertz.approach);
  document["elements_across"] = {x.elements, y.elements};
  document["extent"] = {{"x", {x.least, x.greatest}}, {"y", {y.least, y.greatest}}};
  return document;
}

// The grid for --error; nothing if it is not given.
std::optional<SuggestedGrid> suggestion(const CheckArguments& arguments,
                                        const CaseFile& case_file) {
  if (!arguments.error) return std::nullopt;
  if (case_file.sweep)
    throw InputError(
        "--error suggests a grid for one contact; accepted for a sweep: --point N too");
  if (case_file.wheel_rail)
    throw InputError(
        "--error suggests a grid for a case with a `grid`, which wheel_rail places itself");
  if (!(*arguments.error > 0.0))  // not a number
    throw InputError("--error: not a number; accepted: 1e-6 to 0.1");
  return suggest_grid(case_file.problem, *arguments.error);
}

std::string suggestion_text(const SuggestedGrid& suggested, double wanted) {
  const Grid& grid = suggested.grid;
  std::string measured;
  for (const GridError& each : suggested.measured)
    measured += fmt::format("{} x {} elements {:.2g}, ", each.mx, each.my, each.error);
  return fmt::format(
      "estimated errors of forces over mu F_n, and of creepages found: {}order {:.2g}; for {:g}: "
      "grid: {{elements: [{}, {}], spacing: [{:.10g}, {:.10g}], origin: [{:.10g}, {:.10g}]}}, "
      "tangential.step: {:.10g}",
      measured, suggested.order, wanted, grid.mx, grid.my, grid.dx, grid.dy, grid.x0, grid.y0,
      suggested.step);
}

nlohmann::ordered_json suggestion_json(const SuggestedGrid& suggested, double wanted) {
  nlohmann::ordered_json json;
  json["error"] = wanted;
  json["order"] = suggested.order;
  json["measured"] = nlohmann::ordered_json::array();
  for (const GridError& each : suggested.measured)
    json["measured"].push_back({{"elements", {each.mx, each.my}}, {"error", each.error}});
  json["elements"] = {suggested.grid.mx, suggested.grid.my};
  json["spacing"] = {suggested.grid.dx, suggested.grid.dy};
  json["origin"] = {suggested.grid.x0, suggested.grid.y0};
  json["step"] = suggested.step;
  return json;
}

// The roughness of a file of heights in the geometry, at the elements.
struct MeasuredFile {
  std::string file;
  HeightMeasures measures;
};

std::vector<MeasuredFile> measured_files(const CaseFile& case_file) {
  std::vector<MeasuredFile> measured;
  if (case_file.sweep) return measured;
  for (const Shape& shape : case_file.problem.geometry)
    if (const auto* heights = std::get_if<HeightsShape>(&shape))
      measured.push_back({case_file.heights_files.at(measured.size()).path.filename().string(),
                          measure_heights(heights->values, case_file.problem.grid)});
  return measured;
}

std::string measured_text(const MeasuredFile& measured, Units units) {
  const char* length = units == Units::si ? "m" : "mm";
  return fmt::format(
      "heights of {}: rms height {:.4g} {}, rms slope {:.4g}, rms curvature {:.4g} "
      "1/{}, from element to element",
      measured.file, measured.measures.rms_height, length, measured.measures.rms_slope,
      measured.measures.rms_curvature, length);
}

struct JsonForm {
  using Json = nlohmann::ordered_json;
  static Json null() { return nullptr; }
  static Json list() { return Json::array(); }
  static Json map() { return Json::object(); }
  static Json value(const auto& value) { return value; }
  static void append(Json& list, Json value) { list.push_back(std::move(value)); }
  static void put(Json& map, const std::string& key, Json value) { map[key] = std::move(value); }
};

// The resolved case as an object by key.
nlohmann::ordered_json resolved_values(const CaseFile& case_file) {
  const SourceText source = make_source("the resolved case", case_file.resolved_yaml);
  CaseDiagnostics diagnostics;
  const auto tree = parse_yaml(source.text(), source, diagnostics);
  diagnostics.throw_if_any();
  return converted<nlohmann::ordered_json>(tree.value(), JsonForm());
}

// The document of --json. A single case also gets the resolved text and help for setting it up.
nlohmann::ordered_json check_one(const CheckArguments& arguments, const std::string& path,
                                 bool alone) {
  const CaseFile case_file = load_case(path, arguments.overrides, arguments.point);
  const ContactProblem& problem = case_file.problem;
  const auto suggested = suggestion(arguments, case_file);
  require_memory_to_run(problem);
  const auto hertz =
      case_file.wheel_rail ? std::nullopt : hertz_estimate(problem, problem.steps.front().normal);
  if (!arguments.json) {
    if (alone) {
      std::string text = case_file.resolved_yaml;
      while (!text.empty() && text.back() == '\n') text.pop_back();
      print_line(text);
    }
    if (case_file.sweep) {
      log_info(fmt::format("{}: the case is valid in {} of its sweep{}; --point prints one", path,
                           counted(static_cast<std::size_t>(case_file.sweep->count()), "point"),
                           expected_text(case_file.sweep->expected().size())));
      return {};
    }
    if (case_file.wheel_rail && alone)
      for (const std::string& line : profiles_text(*case_file.wheel_rail)) log_info(line);
    const std::string size =  // of a wheel each contact has a grid of its own
        case_file.wheel_rail
            ? counted(static_cast<std::size_t>(case_file.wheel_rail->count()), "position")
            : fmt::format("{} x {} elements, {}", problem.grid.mx, problem.grid.my,
                          counted(static_cast<std::size_t>(count_steps(problem.steps)), "step"));
    log_info(fmt::format("{}: the case is valid; {}{}", path, size,
                         expected_text(case_file.expected.size())));
    if (!alone) return {};
    if (hertz) log_info(hertz_text(*hertz, problem));
    for (const MeasuredFile& each : measured_files(case_file))
      log_info(measured_text(each, problem.units));
    if (suggested) log_info(suggestion_text(*suggested, *arguments.error));
    return {};
  }
  nlohmann::ordered_json document;
  document["case"] = path;
  document["valid"] = true;
  document["title"] = problem.title;
  document["warnings"] = case_file.warnings;
  document["units"] = units_name(problem.units);
  document["elements"] = {problem.grid.mx, problem.grid.my};
  document["spacing"] = {problem.grid.dx, problem.grid.dy};
  document["origin"] = {problem.grid.x0, problem.grid.y0};
  document["steps"] = count_steps(problem.steps);
  document["expected"] = case_file.expected.size();
  if (case_file.sweep) {
    document["points"] = case_file.sweep->count();
    document["expected"] = case_file.sweep->expected().size();
  }
  if (hertz && !case_file.sweep) document["hertz"] = hertz_json(*hertz, problem);
  for (const MeasuredFile& each : measured_files(case_file))
    document["heights"].push_back({{"file", each.file},
                                   {"rms_height", each.measures.rms_height},
                                   {"rms_slope", each.measures.rms_slope},
                                   {"rms_curvature", each.measures.rms_curvature}});
  if (suggested) document["suggested_grid"] = suggestion_json(*suggested, *arguments.error);
  document["resolved"] = case_file.resolved_yaml;
  if (!case_file.sweep) document["values"] = resolved_values(case_file);
  return document;
}

int check_alone(const CheckArguments& arguments) {
  const std::string& path = arguments.case_paths.front();
  try {
    const auto document = check_one(arguments, path, true);
    if (arguments.json) print_json(document);
  } catch (const Interrupted& interrupt) {
    const std::string message = path + ": interrupted before the check was complete";
    log_error(message);
    if (arguments.json) print_json({{"error", message}, {"exit_code", interrupt.exit_code()}});
    return interrupt.exit_code();
  }
  return static_cast<int>(ExitCode::done);
}

// Several cases, one after another.
class CheckOfSeveral {
 public:
  explicit CheckOfSeveral(const CheckArguments& arguments) : arguments_(arguments) {}

  int run() {
    try {
      for (const std::string& path : arguments_.case_paths) {
        throw_if_interrupted();
        add(path);
      }
    } catch (const Interrupted& interrupt) {
      return end(interrupt);
    }
    if (arguments_.json) print_json(documents_);
    return exit_code_;
  }

 private:
  void add(const std::string& path) {
    try {
      documents_.push_back(check_one(arguments_, path, false));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception&) {  // the other cases are still checked
      const Failure failure = failure_of(std::current_exception());
      log_error(failure.message);
      documents_.push_back({{"case", path}, {"valid", false}, {"error", failure.message}});
      exit_code_ = std::max(exit_code_, failure.exit_code);
      ++failed_;
    }
  }
  [[nodiscard]] int end(const Interrupted& interrupt) {
    const std::size_t done = documents_.size();
    const std::string message =
        fmt::format("interrupted: {} of {} cases checked, {} valid; the next one is {}", done,
                    arguments_.case_paths.size(), done - failed_, arguments_.case_paths[done]);
    log_error(message);
    documents_.push_back({{"error", message}, {"exit_code", interrupt.exit_code()}});
    if (arguments_.json) print_json(documents_);
    return interrupt.exit_code();
  }

  const CheckArguments& arguments_;
  nlohmann::ordered_json documents_ = nlohmann::ordered_json::array();
  int exit_code_ = static_cast<int>(ExitCode::done);
  std::size_t failed_ = 0;
};

int check(const CheckArguments& arguments) {
  if (!arguments.error) watch_interrupts();  // its solver does not look for them
  if (arguments.case_paths.size() == 1) return check_alone(arguments);
  if (arguments.point != 0 || arguments.error)
    throw InputError(fmt::format("{} needs a single case; accepted with several: --set, --json",
                                 arguments.error ? "--error" : "--point"));
  return CheckOfSeveral(arguments).run();
}

}  // namespace

void add_check_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command =
      program.add_subcommand("check", "Read and validate a case; print it with all defaults");
  command
      ->add_option("case", arguments->case_paths,
                   "Case file (YAML); with several, only reports whether each is valid")
      ->required()
      ->type_name("CASE.yaml");
  add_set_option(*command, arguments->overrides);
  add_point_option(*command, arguments->point,
                   "Print this point of the case's sweep, as a case of its own")
      .group(kCaseGroup);
  command
      ->add_option("--error", arguments->error,
                   "Suggest a grid for this discretisation error of steady rolling: of forces over "
                   "mu F_n, of creepages found over themselves")
      ->type_name("E")
      ->check(CLI::Range(1.0e-6, 0.1).description(""));
  command->add_flag(
      "--json", arguments->json,
      "Print one JSON document, or for several cases a list, whose last entry says if it "
      "was interrupted; \"resolved\" is the resolved case as text and, except in a "
      "sweep, \"values\" the same as an object");
  command->footer(
      "Examples:\n"
      "  slipfield check case.yaml > resolved.yaml\n"
      "  slipfield check case.yaml --set friction.coefficient=0.3\n"
      "  slipfield check sweep.yaml --point 17 > point17.yaml\n"
      "  slipfield check case.yaml --error 0.001 > resolved.yaml\n"
      "  slipfield check cases/*.yaml\n"
      "Where the geometry is a paraboloid, Hertz's estimate of the first step is logged: the size "
      "of\nthe contact, the elements across it and an extent for the grid. Where it names files of "
      "heights,\ntheir rms height, slope and curvature are logged.\n"
      "Exit codes: 0 all cases are valid; 2 one is not, with all errors of the file, or it is too "
      "large\nfor this machine's memory; 130 interrupted (Ctrl-C), with how many were checked.");
  command->callback([arguments, &action] { action = [arguments] { return check(*arguments); }; });
}

}  // namespace slipfield
