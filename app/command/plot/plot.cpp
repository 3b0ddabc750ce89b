// SPDX-License-Identifier: Apache-2.0
// slipfield plot: figures of a result, as PNG, SVG or PDF, and animations.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/command/commands.h"
#include "app/command/plot/arguments.h"
#include "app/console.h"
#include "app/plot/curves/read.h"
#include "app/plot/curves/steps.h"
#include "app/plot/figure.h"
#include "app/plot/page.h"
#include "app/plot/sweep.h"
#include "app/plot/wheel/contact_lines.h"
#include "app/plot/wheel/wheel_contacts.h"
#include "app/plot/wheel/wheel_profile.h"
#include "app/report/incomplete.h"
#include "io/file_ending.h"
#include "io/profiles/reader.h"
#include "io/result/reader.h"
#include "io/result/sweep_reader.h"
#include "io/result/wheel/reader.h"
#include "solver/error.h"

namespace slipfield {
namespace {

void plot_sweep(const PlotArguments& arguments) {
  if (arguments.draws_fields() || arguments.patch != 0)
    throw InputError(arguments.path +
                     ": this is a sweep; pictures of fields need a point of it: --point N where "
                     "the sweep keeps fields, else the result of `slipfield run CASE.yaml --point "
                     "N`");
  if (arguments.contact_lines && arguments.draws_curves())
    throw InputError(arguments.path +
                     ": --contact-lines is a figure of its own; accepted: without --over, "
                     "--quantities, --where, --panels and --heat-map");
  if (arguments.contact_lines) {
    const SweepFile sweep = read_sweep_file(arguments.path);
    warn_of_incomplete(sweep, arguments.path);
    return write_contact_lines(sweep, arguments.path, arguments.output, arguments.overwriting());
  }
  if (arguments.curves.heat_map && !arguments.curves.panels.empty())
    throw InputError(arguments.path +
                     ": a heat map has two keys in one panel; accepted: --heat-map or --panels");
  write_sweep_figure(read_drawn_sweep(arguments.path, arguments.curves), arguments.path,
                     arguments.curves, arguments.output, arguments.overwriting());
}

// The figure is that of the profiles in contact: nothing of one contact is asked for.
bool draws_wheel(const PlotArguments& arguments) {
  PlotArguments others = arguments;
  others.steps.clear();
  return arguments.point == 0 && arguments.patch == 0 && !others.draws_fields() &&
         !arguments.draws_curves() && kind_of(arguments.path) == ResultKind::wheel;
}

void plot_wheel(const PlotArguments& arguments) {
  if (arguments.steps.size() > 1)
    throw InputError(arguments.path +
                     ": the profiles in contact are drawn of one step; accepted: one --step");
  const WheelFile wheel = read_wheel_file(arguments.path);
  warn_of_incomplete(arguments.path, wheel.info, wheel.steps);
  write_wheel_figure(wheel,
                     arguments.steps.empty() ? 0 : step_number(arguments.steps[0]).value_or(0),
                     arguments.output, arguments.overwriting());
}

void plot_result(const PlotArguments& arguments) {
  require_file(arguments.path);
  if (arguments.contact_lines)
    throw InputError(arguments.path +
                     ": contact lines are of a sweep over wheel_rail.wheelset.y; accepted: such a "
                     "sweep, or no --contact-lines");
  if (draws_wheel(arguments)) return plot_wheel(arguments);
  if (arguments.curves.heat_map)
    throw InputError(arguments.path +
                     ": a heat map is of the points of a sweep; accepted: --over step");
  if (!arguments.curves.where.empty() || !arguments.curves.panels.empty() ||
      (!arguments.curves.over.empty() && arguments.curves.over != "step"))
    throw InputError(arguments.path +
                     ": a result's curves are over its steps; accepted: --over step, without "
                     "--where and --panels");
  if (arguments.draws_curves() && kind_of(arguments.path) == ResultKind::wheel)
    throw InputError(arguments.path +
                     ": the positions of a wheel on a rail are not drawn as curves; accepted: a "
                     "sweep over them, such as over wheel_rail.wheelset.y, or a table by "
                     "`slipfield export`");
  FigureRequest request = arguments.figure;
  Selection patch{arguments.point, 0, {}, arguments.patch};
  if (patch.contact == 0 && arguments.point == 0 && kind_of(arguments.path) == ResultKind::wheel)
    patch.contact = 1;
  if (patch.contact > 0 && arguments.steps.size() > 1)
    throw InputError(arguments.path +
                     ": each contact of a wheel on a rail has a grid of its own; accepted: one "
                     "--step");
  if (patch.contact > 0 && !arguments.steps.empty())
    patch.step = step_number(arguments.steps.front()).value_or(0);
  const ResultFile result = read_result(arguments.path, patch);
  warn_of_incomplete(arguments.path, patch, result);
  const Grid& grid = result.info().header.grid;
  const bool one_element = grid.mx == 1 && grid.my == 1 && result.steps().size() > 1 &&
                           !arguments.draws_fields() &&
                           !is_animated(picture_format(arguments.output));
  const Overwrite overwrite = arguments.overwriting();
  if (one_element || arguments.draws_curves()) {
    if (arguments.draws_fields())
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
  if (arguments.draws_fields() || arguments.draws_curves() || arguments.point != 0 ||
      arguments.patch != 0)
    throw InputError(arguments.path +
                     ": this is a profile, which has no steps and no fields; accepted: --profile, "
                     "--mirror-y, --scale, --smoothing");
  require_file(arguments.path);
  ProfileChanges changes;
  changes.mirror_y = arguments.mirror_y;
  changes.smoothing = arguments.smoothing;
  changes.scale = arguments.scale.value_or(1.0);
  write_profile_figure(read_profile(arguments.path, role, changes), arguments.path,
                       arguments.output, arguments.overwriting());
}

// Text that may be points of a profile, without a word on whose: results end in .h5 or .hdf5.
void refuse_text(const PlotArguments& arguments) {
  require_file(arguments.path);
  const std::string ending = file_ending(arguments.path);
  for (const char* text : {".txt", ".csv", ".dat", ".asc", ".tsv"})
    if (ending == text)
      throw InputError(arguments.path +
                       ": this is not an HDF5 file, so not a slipfield result; accepted: a result, "
                       "or a profile as a table of y and z with --profile wheel or --profile rail");
}

// What goes with one result only, or with an animation only.
void check_files(const PlotArguments& arguments) {
  const bool animated = is_animated(picture_format(arguments.output));
  if (arguments.paced && !animated)
    throw InputError(arguments.output +
                     ": --frame-rate is of an animation; accepted: a name that ends with .gif or "
                     ".mp4");
  if (arguments.difference && arguments.paths.size() != 2)
    throw InputError(
        fmt::format("--difference is of two results, and {} {} named; accepted: "
                    "slipfield plot A.h5 B.h5 --difference",
                    arguments.paths.size(), arguments.paths.size() == 1 ? "is" : "are"));
}

int plot(const PlotArguments& arguments) {
  check_files(arguments);  // first of all: reading a result may take a while
  if (arguments.paths.size() > 1) {
    plot_several(arguments);
    print_line(fmt::format("figure written to {}", arguments.output));
    return static_cast<int>(ExitCode::done);
  }
  const auto role = profile_role(arguments);
  if (!role && arguments.changes_profile())
    throw InputError(
        arguments.path +
        ": --mirror-y, --scale and --smoothing are for profiles; accepted: with --profile "
        "wheel or --profile rail");
  if (!role) refuse_text(arguments);
  if (role)
    plot_profile(arguments, *role);
  else if (arguments.point == 0 && kind_of(arguments.path) == ResultKind::sweep)
    plot_sweep(arguments);
  else
    plot_result(arguments);
  print_line(fmt::format("figure written to {}", arguments.output));
  return static_cast<int>(ExitCode::done);
}

}  // namespace

void add_plot_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command =
      program.add_subcommand("plot", "Draw figures of results (PNG, SVG, PDF) and animations");
  add_plot_options(*command, arguments);
  command->footer(
      "Examples:\n"
      "  slipfield plot out.h5 -o overview.png\n"
      "  slipfield plot out.h5 -o slip.svg --fields slip,slip_x,slip_y\n"
      "  slipfield plot a.h5 b.h5 -o both.png                      # cuts of both over each other\n"
      "  slipfield plot a.h5 b.h5 -o difference.png --difference\n"
      "  slipfield plot out.h5 -o shape.png --shape --surface pressure,gap\n"
      "  slipfield plot sequence.h5 -o sequence.gif --frame-rate 2\n"
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
      "  slipfield plot sweep_a.h5 sweep_b.h5 -o curves.pdf --quantities force_ratio_x\n"
      "  slipfield plot sweep.h5 -o curve.png --over friction.coefficient --where normal.force=10\n"
      "A sweep is drawn as curves over one key, a line for each value of another one; with more "
      "keys\n"
      "the one with fewest values makes a panel for each. Curves of several files differ in line "
      "style.\n"
      "Without --fields, --cuts and --history the figure is an overview: the pressure, tractions "
      "over\n"
      "the areas of adhesion and slip, and cuts. A grid of one row is drawn as curves. gnuplot "
      "does\n"
      "the drawing. `slipfield info --fields` lists the fields.\n"
      "Exit codes: 0 done; 2 the file or the command line is wrong; 3 gnuplot failed.");
  command->callback([arguments, &action] {
    arguments->path = arguments->paths.front();
    action = [arguments] { return plot(*arguments); };
  });
}

}  // namespace slipfield
