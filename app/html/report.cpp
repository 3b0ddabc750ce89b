// SPDX-License-Identifier: Apache-2.0
#include "app/html/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/html/page.h"
#include "app/html/parts.h"
#include "app/html/sweep_page.h"
#include "app/plot/curves/steps.h"
#include "app/plot/figure.h"
#include "app/plot/gnuplot.h"
#include "app/report/incomplete.h"
#include "app/report/step_table.h"
#include "app/report/sweep_report.h"
#include "io/result/sweep_reader.h"
#include "io/result/wheel/reader.h"

namespace slipfield {
namespace {

constexpr int kMostPatchFigures = 4;  // with a figure each

std::string problem_text(TangentialProblem problem) {
  switch (problem) {
    case TangentialProblem::shift:
      return "Shift";
    case TangentialProblem::transient_rolling:
      return "Transient rolling";
    case TangentialProblem::steady_rolling:
      return "Steady rolling";
    case TangentialProblem::none:
      break;
  }
  return "Contact without friction";
}

std::string totals_section(const ResultStep& step, Units units) {
  HtmlTable totals{{"quantity", "value", "unit", ""}, {}};
  for (const ShownNumber& number : shown_numbers(step.input, step.report, units))
    totals.rows.push_back(
        {number.name, page_number(number.value), number.unit, number.description});
  return html_section(fmt::format("Totals of step {}", step.number), html_table(totals));
}

bool has_overview(const ResultStep& step) {
  const auto has = [&](const char* name) {
    return std::find(step.fields.begin(), step.fields.end(), name) != step.fields.end();
  };
  return has("pressure") || (has("traction_x") && has("traction_y"));
}

std::string result_report(const std::filesystem::path& path) {
  const ResultFile result = read_result(path);
  const ResultInfo& info = result.info();
  warn_of_incomplete(path, info, result.steps());
  const ResultStep& last = result.step(0);
  const Grid& grid = info.header.grid;
  const SweepTable steps = table_of_steps(result);
  std::string html = fmt::format("<p>{}: {} on {} x {} elements of {:.6g} x {:.6g} {}; {}.</p>\n",
                                 problem_text(last.input.tangential.problem),
                                 counted(result.steps().size(), "step"), grid.mx, grid.my, grid.dx,
                                 grid.dy, unit_text(Dimension::length, info.header.units),
                                 html_escaped(outcome_text(info)));
  html += file_warnings(info) + row_warnings(steps, "step", info.warnings);
  std::string figures;
  if (has_overview(last))
    figures += page_figure(figure_script(result, {}, PictureFormat::svg),
                           fmt::format("Step {}.", last.number));
  if (result.steps().size() > 1) {
    SweepFigureRequest request;
    const SweepFile along = curves_over_steps(result, request);
    figures += page_figure(sweep_figure_script(along, path.string(), request, PictureFormat::svg),
                           "Totals over the steps.");
  }
  if (last.report.surface.shakedown_load) {
    FigureRequest map;
    map.shakedown = true;
    figures += page_figure(figure_script(result, map, PictureFormat::svg),
                           fmt::format("Step {} in the shakedown map.", last.number));
  }
  if (!last.report.history.empty()) {
    FigureRequest history;
    history.history = true;
    figures += page_figure(figure_script(result, history, PictureFormat::svg),
                           fmt::format("Convergence of step {}.", last.number));
  }
  html += html_section("Figures", figures);
  if (result.steps().size() > 1)
    html += html_section("Steps", rows_section(steps, "step", shown_totals(), info.header.units));
  html += totals_section(last, info.header.units);
  return html_page(page_title(info, path), html + page_origin(info, path));
}

std::string wheel_page(const std::filesystem::path& path) {
  const WheelFile wheel = read_wheel_file(path);
  warn_of_incomplete(path, wheel.info, wheel.steps);
  const WheelRecord& last = wheel.step(0);
  std::string html =
      fmt::format("<p>A wheel on a rail: {}; {}.</p>\n", counted(wheel.steps.size(), "position"),
                  html_escaped(outcome_text(wheel.info)));
  html += file_warnings(wheel.info);
  for (const WheelRecord& record : wheel.steps)
    if (record.outcome != Outcome::converged && wheel.info.warnings.empty())
      html += page_warning(fmt::format("step {}: {}", record.number, record.message));
  std::string figures;
  for (int patch = 1; patch <= std::min<int>(kMostPatchFigures, last.patches.size()); ++patch)
    figures += page_figure(
        figure_script(read_result(path, {0, last.number, {}, patch}), {}, PictureFormat::svg),
        fmt::format("Step {}, contact {} of {}.", last.number, patch, last.patches.size()));
  html += html_section("Figures", figures);
  HtmlTable table{{"step", "contact", "normal_force [N]", "force_x [N]", "force_y [N]",
                   "max_pressure", "outcome"},
                  {}};
  for (const WheelRecord& record : wheel.steps)
    for (int patch = 1; patch <= static_cast<int>(record.patches.size()); ++patch) {
      if (table.rows.size() >= kMostRowsOfPage) continue;
      table.rows.push_back({std::to_string(record.number), std::to_string(patch),
                            page_number(record.get("normal_force", patch)),
                            page_number(record.get("force_x", patch)),
                            page_number(record.get("force_y", patch)),
                            page_number(record.get("max_pressure", patch)),
                            std::string(outcome_name(record.outcome))});
    }
  table.head[5] += fmt::format(" [{}]", unit_text(Dimension::traction, wheel.info.header.units));
  html += html_section("Contacts", html_table(table));
  return html_page(page_title(wheel.info, path), html + page_origin(wheel.info, path));
}

}  // namespace

std::string report_page(const std::filesystem::path& path) {
  if (kind_of(path) == ResultKind::sweep) return sweep_page(path);
  return kind_of(path) == ResultKind::wheel ? wheel_page(path) : result_report(path);
}

}  // namespace slipfield
