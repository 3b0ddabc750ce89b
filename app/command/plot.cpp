// SPDX-License-Identifier: Apache-2.0
// slipfield plot: figures of a result, as PNG or SVG.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <optional>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/plot/curves/steps.h"
#include "app/plot/figure.h"
#include "app/plot/page.h"
#include "app/plot/sweep.h"
#include "app/plot/wheel/contact_lines.h"
#include "app/plot/wheel/wheel_contacts.h"
#include "app/plot/wheel/wheel_profile.h"
#include "io/profiles/reader.h"
#include "io/result/field_table.h"
#include "io/result/interior/group.h"
#include "io/result/reader.h"
#include "io/result/sweep_reader.h"
#include "io/result/wheel/reader.h"
#include "io/yaml/suggestion.h"
#include "solver/error.h"

namespace slipfield {
namespace {

struct PlotArguments {
  std::string path;
  std::string output;
  std::vector<std::string> steps;
  FigureRequest figure;
  SweepFigureRequest curves;
  int point = 0;
  int patch = 0;
  bool overwrite = false;
  bool contact_lines = false;
  std::string role;  // of a profile: "wheel", "rail"
  std::optional<bool> mirror_y;
  double smoothing = 0.0;
};

// A positive number; `last` is 0. Nothing for anything else.
std::optional<int> step_number(const std::string& text) {
  if (text == "last") return 0;
  int number = 0;
  const char* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || read != end || number < 1) return std::nullopt;
  return number;
}

std::string check_step(const std::string& text) {
  if (step_number(text)) return "";
  return fmt::format("\"{}\" is not a step; steps are numbered from 1, and `last` is the last",
                     text);
}

std::string check_picture(const std::string& name) {
  const std::vector<std::string> names = picture_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  const std::vector<std::string_view> words(names.begin(), names.end());
  return fmt::format("there is no field \"{}\"; {}", name, accepted_words(name, words));
}

std::string check_quantity(const std::string& name) {
  const std::vector<std::string> names = wheel_number_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  const std::vector<std::string_view> words(names.begin(), names.end());
  return fmt::format("there is no quantity \"{}\"; {}", name, accepted_words(name, words));
}

std::string check_interior_name(const std::string& name) {
  std::vector<std::string> names = interior_names();
  names.insert(names.begin(), "depth");
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  const std::vector<std::string_view> words(names.begin(), names.end());
  return fmt::format("there is no quantity \"{}\" inside the bodies; {}", name,
                     accepted_words(name, words));
}

std::string check_condition(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0 && equals + 1 < text.size()) return "";
  return fmt::format("\"{}\" is not a condition; accepted: key.path=value", text);
}

bool draws_fields(const PlotArguments& arguments) {
  const FigureRequest& figure = arguments.figure;
  return !arguments.steps.empty() || !figure.fields.empty() || figure.cuts || figure.history ||
         figure.whole_grid || figure.at || !figure.interior.empty() || figure.shakedown;
}

void plot_sweep(const PlotArguments& arguments) {
  if (draws_fields(arguments))
    throw InputError(arguments.path +
                     ": this is a sweep; pictures of fields need a point of it, named with "
                     "--point");
  const SweepFigureRequest& curves = arguments.curves;
  if (arguments.contact_lines && (curves.heat_map || !curves.over.empty() ||
                                  !curves.quantities.empty() || !curves.where.empty()))
    throw InputError(arguments.path +
                     ": --contact-lines is a figure of its own; accepted: without --over, "
                     "--quantities, --where and --heat-map");
  if (arguments.contact_lines)
    return write_contact_lines(read_sweep_file(arguments.path), arguments.path, arguments.output,
                               arguments.overwrite ? Overwrite::allow : Overwrite::refuse);
  write_sweep_figure(read_sweep_file(arguments.path), arguments.path, arguments.curves,
                     arguments.output, arguments.overwrite ? Overwrite::allow : Overwrite::refuse);
}

// The figure is that of the profiles in contact: nothing of one contact is asked for.
bool draws_wheel(const PlotArguments& arguments) {
  PlotArguments others = arguments;
  others.steps.clear();
  return arguments.point == 0 && arguments.patch == 0 && !draws_fields(others) &&
         arguments.curves.over.empty() && arguments.curves.quantities.empty() &&
         arguments.curves.where.empty() && !arguments.curves.heat_map &&
         is_wheel_file(arguments.path);
}

void plot_wheel(const PlotArguments& arguments) {
  if (arguments.steps.size() > 1)
    throw InputError(arguments.path +
                     ": the profiles in contact are drawn of one step; accepted: one --step");
  write_wheel_figure(read_wheel_file(arguments.path),
                     arguments.steps.empty() ? 0 : step_number(arguments.steps[0]).value_or(0),
                     arguments.output, arguments.overwrite ? Overwrite::allow : Overwrite::refuse);
}

void plot_result(const PlotArguments& arguments) {
  if (arguments.contact_lines)
    throw InputError(arguments.path +
                     ": contact lines are of a sweep over wheel_rail.wheelset.y; accepted: such a "
                     "sweep, or no --contact-lines");
  if (draws_wheel(arguments)) return plot_wheel(arguments);
  if (arguments.curves.heat_map)
    throw InputError(arguments.path +
                     ": a heat map is of the points of a sweep; accepted: --over step");
  if (!arguments.curves.where.empty() ||
      (!arguments.curves.over.empty() && arguments.curves.over != "step"))
    throw InputError(arguments.path +
                     ": a result's curves are over its steps; accepted: --over step, without "
                     "--where");
  FigureRequest request = arguments.figure;
  WheelPatch patch{0, arguments.patch};
  if (patch.patch == 0 && arguments.point == 0 && is_wheel_file(arguments.path)) patch.patch = 1;
  if (patch.patch > 0 && arguments.steps.size() > 1)
    throw InputError(arguments.path +
                     ": each contact of a wheel on a rail has a grid of its own; accepted: one "
                     "--step");
  if (patch.patch > 0 && !arguments.steps.empty())
    patch.step = step_number(arguments.steps.front()).value_or(0);
  const ResultFile result = read_result(arguments.path, arguments.point, patch);
  const Overwrite overwrite = arguments.overwrite ? Overwrite::allow : Overwrite::refuse;
  if (!arguments.curves.over.empty() || !arguments.curves.quantities.empty()) {
    if (draws_fields(arguments))
      throw InputError(arguments.path +
                       ": curves over the steps are a figure of their own; accepted: --over step "
                       "and --quantities alone");
    SweepFigureRequest curves = arguments.curves;
    const SweepFile steps = curves_over_steps(result, curves);
    return write_sweep_figure(steps, arguments.path, curves, arguments.output, overwrite);
  }
  for (const std::string& step : arguments.steps)
    request.steps.push_back(step_number(step).value_or(0));
  write_figure(result, request, arguments.output, overwrite);
}

// The file is a profile where its name or --profile says so.
std::optional<ProfileRole> profile_role(const PlotArguments& arguments) {
  if (arguments.role.empty()) return role_of_name(arguments.path);
  return arguments.role == "rail" ? ProfileRole::rail : ProfileRole::wheel;
}

void plot_profile(const PlotArguments& arguments, ProfileRole role) {
  if (draws_fields(arguments) || !arguments.curves.quantities.empty() ||
      !arguments.curves.over.empty() || arguments.point != 0 || arguments.patch != 0)
    throw InputError(arguments.path +
                     ": this is a profile, which has no steps and no fields; accepted: --profile, "
                     "--mirror-y, --smoothing");
  ProfileChanges changes;
  changes.mirror_y = arguments.mirror_y;
  changes.smoothing = arguments.smoothing;
  write_profile_figure(read_profile(arguments.path, role, changes), arguments.path,
                       arguments.output,
                       arguments.overwrite ? Overwrite::allow : Overwrite::refuse);
}

int plot(const PlotArguments& arguments) {
  picture_format(arguments.output);  // first of all: reading a result may take a while
  const auto role = profile_role(arguments);
  if (!role && (arguments.mirror_y || arguments.smoothing != 0.0))
    throw InputError(arguments.path +
                     ": --mirror-y and --smoothing are for profiles; accepted: with --profile "
                     "wheel or --profile rail");
  if (role)
    plot_profile(arguments, *role);
  else if (arguments.point == 0 && is_sweep(arguments.path))
    plot_sweep(arguments);
  else
    plot_result(arguments);
  print_line(fmt::format("figure written to {}", arguments.output));
  return static_cast<int>(ExitCode::done);
}

void add_interior_option(CLI::App& command, std::vector<std::string>& names) {
  command
      .add_option("--interior", names,
                  "Inside the bodies: `depth`, the greatest stresses over the depth, or a quantity "
                  "on sections through the greatest")
      ->type_name("NAME[,NAME...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_interior_name, ""));
}

void add_wheel_options(CLI::App& command, PlotArguments& arguments) {
  command
      .add_option("--patch", arguments.patch,
                  "Of a wheel on a rail: the contact to draw, numbered from 1; default: the "
                  "profiles in contact, with --fields and the like the first")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  command.add_flag("--contact-lines", arguments.contact_lines,
                   "Of a sweep over wheel_rail.wheelset.y: contact positions as lines between the "
                   "profiles, rolling radii, conicity and angle");
  command
      .add_option("--profile", arguments.role,
                  "The file is the profile of a wheel or a rail: profile, slope and curvature; "
                  "default: by its name (.prw, .whl, .prr, .ban)")
      ->type_name("wheel|rail")
      ->check(CLI::IsMember({"wheel", "rail"}).description(""));
  command
      .add_option("--mirror-y", arguments.mirror_y,
                  "Of a profile: y changes its sign; MiniProf's files need true or false")
      ->type_name("true|false");
  command
      .add_option("--smoothing", arguments.smoothing,
                  "Of a profile: the wave length of which half is left [mm]")
      ->type_name("L");
}

// Of sweeps and sequences.
void add_curve_options(CLI::App& command, SweepFigureRequest& curves) {
  command
      .add_option("--quantities", curves.quantities,
                  "Of a sweep or over the steps: the totals to draw, a panel each; default: the "
                  "force ratios, and over the steps the motions too")
      ->type_name("NAME[,NAME...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_quantity, ""));
  command.add_flag("--heat-map", curves.heat_map,
                   "Of a sweep of two keys: a map of each total over both, instead of curves");
  command
      .add_option(
          "--over", curves.over,
          "Of a sweep: the key of the horizontal axis; default: the one with the most values. Of a "
          "sequence: `step`, its totals along the way")
      ->type_name("key.path|step");
  command
      .add_option("--where", curves.where,
                  "Of a sweep: only the points with this value of a key; may be given several "
                  "times")
      ->type_name("key.path=value")
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_condition, ""));
}

}  // namespace

void add_plot_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command = program.add_subcommand("plot", "Draw figures of a result (PNG or SVG)");
  command->add_option("file", arguments->path, "Result file (HDF5), or a profile")
      ->required()
      ->type_name("OUT.h5");
  command->add_option("-o,--output", arguments->output, "The figure; its ending says the format")
      ->required()
      ->type_name("FIG.png|svg");
  command
      ->add_option("--step", arguments->steps,
                   "Numbers of steps to show side by side, or `last` (the default)")
      ->type_name("N[,N...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_step, ""));
  command
      ->add_option("--fields", arguments->figure.fields,
                   "One picture each: a field as a map, or `traction`, `slip` as arrows")
      ->type_name("FIELD[,FIELD...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_picture, ""));
  command->add_flag("--cuts", arguments->figure.cuts,
                    "Tractions and their bound along x and y through the middle of the pressure; "
                    "without friction the pressure");
  command
      ->add_option_function<std::vector<double>>(
          "--at",
          [arguments](const std::vector<double>& place) {
            arguments->figure.at = {place[0], place[1]};
          },
          "Cuts through this place, in the units of the case")
      ->type_name("x,y")
      ->delimiter(',')
      ->expected(2);
  command->add_flag("--history", arguments->figure.history,
                    "How the iterations converged, by phase");
  command->add_flag("--shakedown", arguments->figure.shakedown,
                    "The point of a case with `fatigue` in the shakedown map");
  add_interior_option(*command, arguments->figure.interior);
  command->add_flag("--whole-grid", arguments->figure.whole_grid,
                    "Show the whole potential contact area, not only the surroundings of the "
                    "contact");
  add_curve_options(*command, arguments->curves);
  add_point_option(*command, arguments->point, "Draw this point of a sweep with fields");
  add_wheel_options(*command, *arguments);
  command->add_flag("--overwrite", arguments->overwrite, "Replace an existing figure, PNG or SVG");
  command->footer(
      "Examples:\n"
      "  slipfield plot out.h5 -o overview.png\n"
      "  slipfield plot out.h5 -o slip.svg --fields slip,slip_x,slip_y\n"
      "  slipfield plot out.h5 -o sequence.png --step 1,5,last --fields pressure,traction\n"
      "  slipfield plot out.h5 -o convergence.png --history\n"
      "  slipfield plot out.h5 -o cuts.png --cuts --at 0,1.5\n"
      "  slipfield plot out.h5 -o map.png --shakedown\n"
      "  slipfield plot out.h5 -o along.png --over step --quantities force_x,creepage_x\n"
      "  slipfield plot inside.h5 -o inside.png --interior depth,von_mises,stress_xz\n"
      "  slipfield plot sweep.h5 -o curve.png --quantities force_x,moment_z\n"
      "  slipfield plot wheel.prw -o wheel.png\n"
      "  slipfield plot wheel.h5 --step 2 -o contact.png\n"
      "  slipfield plot lateral.h5 --contact-lines -o lines.png\n"
      "  slipfield plot sweep.h5 -o map.png --heat-map --quantities max_pressure\n"
      "  slipfield plot sweep.h5 -o point17.png --point 17\n"
      "  slipfield plot sweep.h5 -o curve.png --over friction.coefficient --where normal.force=10\n"
      "A sweep is drawn as curves over one key, a line for each value of another one; with more "
      "keys\n"
      "the one with fewest values makes a panel for each.\n"
      "Without --fields, --cuts and --history the figure is an overview: the pressure, tractions "
      "over\n"
      "the areas of adhesion and slip, and cuts. A grid of one row is drawn as curves. gnuplot "
      "does\n"
      "the drawing. `slipfield info --fields` lists the fields.\n"
      "Exit codes: 0 done; 2 the file or the command line is wrong; 3 gnuplot failed.");
  command->callback([arguments, &action] { action = [arguments] { return plot(*arguments); }; });
}

}  // namespace slipfield
