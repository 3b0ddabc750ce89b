// SPDX-License-Identifier: Apache-2.0
// Figures of several results.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "app/command/plot/arguments.h"
#include "app/plot/curves/read.h"
#include "app/plot/curves/steps.h"
#include "app/plot/page.h"
#include "app/plot/pair/figure.h"
#include "app/plot/pair/sides.h"
#include "app/report/incomplete.h"
#include "app/report/sweep_report.h"
#include "io/pending_file.h"
#include "io/profiles/reader.h"
#include "io/result/reader.h"
#include "io/result/sweep_reader.h"
#include "io/result/wheel/reader.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// What only one result has.
void refuse_single(const PlotArguments& arguments) {
  const FigureRequest& figure = arguments.figure;
  const auto refuse = [&](bool given, const std::string& option, const std::string& accepted) {
    if (given)
      throw InputError(fmt::format("{} is of one result, and {} are named; accepted: {}", option,
                                   arguments.paths.size(), accepted));
  };
  const std::string fields = "--fields, --step, --at, --whole-grid, --difference";
  refuse(figure.history, "--history", fields);
  refuse(!figure.interior.empty(), "--interior", fields);
  refuse(!figure.surfaces.empty(), "--surface", fields);
  refuse(figure.shape, "--shape", "--fields gap");
  refuse(figure.shakedown, "--shakedown", fields);
  refuse(arguments.contact_lines, "--contact-lines", "--quantities rolling_radius_difference");
  refuse(arguments.curves.heat_map, "--heat-map", "curves");
  refuse(!arguments.role.empty() || arguments.changes_profile(), "--profile", "one profile");
  refuse(arguments.steps.size() > 1, "a list of steps", "one --step, of each of the results");
}

bool all_sweeps(const PlotArguments& arguments) {
  std::size_t sweeps = 0;
  if (arguments.point == 0)
    sweeps = static_cast<std::size_t>(
        std::count_if(arguments.paths.begin(), arguments.paths.end(),
                      [](const std::string& path) { return kind_of(path) == ResultKind::sweep; }));
  if (sweeps > 0 && sweeps < arguments.paths.size())
    throw InputError(fmt::format(
        "{}: some of these are sweeps and some are not; accepted: sweeps alone, or --point and "
        "the results of points",
        fmt::join(arguments.paths, ", ")));
  return sweeps > 0;
}

// A wheel on a rail: its first contact, as for one result.
ResultFile read_side(const PlotArguments& arguments, const std::string& path) {
  Selection patch{kind_of(path) == ResultKind::sweep ? arguments.point : 0, 0, {}, arguments.patch};
  if (patch.contact == 0 && arguments.point == 0 && kind_of(path) == ResultKind::wheel)
    patch.contact = 1;
  if (patch.contact > 0 && !arguments.steps.empty())
    patch.step = step_number(arguments.steps.front()).value_or(0);
  ResultFile result = read_result(path, patch);
  warn_of_incomplete(path, patch, result);
  return result;
}

std::string curves_script(const PlotArguments& arguments, const std::vector<SweepFile>& sweeps,
                          SweepFigureRequest curves, PictureFormat format) {
  std::vector<ResultHeader> headers;
  for (const SweepFile& sweep : sweeps) headers.push_back(sweep.info.header);
  const SweepFile united = united_curves(sweeps, side_names(arguments.paths));
  curves.summary = difference_text(headers);
  return sweep_figure_script(united, arguments.path, curves, format);
}

std::string sweeps_script(const PlotArguments& arguments, PictureFormat format) {
  if (arguments.draws_fields() || arguments.difference)
    throw InputError(arguments.path +
                     ": this is a sweep, drawn as curves; accepted: --point for the fields of a "
                     "point, or --quantities, --over, --where, --panels");
  std::vector<SweepFile> sweeps;
  for (const std::string& path : arguments.paths)
    sweeps.push_back(read_drawn_sweep(path, arguments.curves));
  return curves_script(arguments, sweeps, arguments.curves, format);
}

std::string steps_script(const PlotArguments& arguments, const std::vector<ResultFile>& results,
                         PictureFormat format) {
  const SweepFigureRequest& asked = arguments.curves;
  if (arguments.draws_fields() || arguments.difference || !asked.where.empty() ||
      !asked.panels.empty() || (!asked.over.empty() && asked.over != "step"))
    throw InputError(arguments.path +
                     ": the curves of results are over their steps; accepted: --over step and "
                     "--quantities alone");
  std::vector<SweepFile> sequences;
  SweepFigureRequest curves = asked;
  for (const ResultFile& result : results) sequences.push_back(curves_over_steps(result, curves));
  return curves_script(arguments, sequences, curves, format);
}

std::string several_script(const PlotArguments& arguments, PictureFormat format) {
  if (all_sweeps(arguments)) return sweeps_script(arguments, format);
  std::vector<ResultFile> results;
  for (const std::string& path : arguments.paths) results.push_back(read_side(arguments, path));
  if (arguments.draws_curves()) return steps_script(arguments, results, format);
  std::vector<ResultHeader> headers;
  for (const ResultFile& result : results) headers.push_back(result.info().header);
  require_same_units(arguments.paths, headers);
  PairRequest request;
  if (!arguments.steps.empty()) request.step = step_number(arguments.steps.front()).value_or(0);
  if (arguments.patch > 0) request.step = 0;  // the contact's result has this one step
  request.fields = arguments.figure.fields;
  request.at = arguments.figure.at;
  request.whole_grid = arguments.figure.whole_grid;
  const std::vector<std::string> names = side_names(arguments.paths);
  if (!arguments.difference) return pair_cuts_script(results, names, request, format);
  if (request.at || arguments.figure.cuts)
    throw InputError(
        "--difference draws maps, without cuts; accepted: without --at and --cuts, or these "
        "without --difference");
  return difference_script(results[0], results[1], names, request, format);
}

}  // namespace

void plot_several(const PlotArguments& arguments) {
  const PictureFormat format =
      still_format(arguments.output, "the steps of one result, and several are named");
  refuse_single(arguments);
  OutputRule rule{arguments.overwriting(), {}};
  rule.inputs.assign(arguments.paths.begin(), arguments.paths.end());
  PendingFile file(arguments.output, FileKind::picture, rule);
  write_picture(file, several_script(arguments, format), format);
}

}  // namespace slipfield
