// SPDX-License-Identifier: Apache-2.0
#include "app/html/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/html/page.h"
#include "app/plot/curves/steps.h"
#include "app/plot/figure.h"
#include "app/plot/gnuplot.h"
#include "app/report/step_table.h"
#include "app/report/sweep_report.h"
#include "io/result/sweep_reader.h"
#include "io/result/wheel/reader.h"

namespace slipfield {
namespace {

constexpr std::size_t kMostRowsOfPage = 200;  // of a table on the page
constexpr int kMostPatchFigures = 4;          // with a figure each

std::string page_number(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.6g}", value + 0.0);
}

std::string warning(const std::string& text) {
  return "<p class=\"warning\">" + html_escaped(text) + "</p>\n";
}

std::string drawn(const std::string& script, std::string_view caption) {
  return html_figure(run_gnuplot(script, PictureFormat::svg), caption);
}

std::string title_of(const ResultInfo& info, const std::filesystem::path& path) {
  return info.header.title.empty() ? path.filename().string() : info.header.title;
}

std::string outcome_text(const ResultInfo& info) {
  std::string outcome = info.outcome;
  std::replace(outcome.begin(), outcome.end(), '_', ' ');
  return outcome;
}

std::string origin(const ResultInfo& info, const std::filesystem::path& path) {
  HtmlTable table;
  table.rows = {
      {"file", path.filename().string()},
      {"created", info.created},
      {"program", fmt::format("slipfield {} ({})", info.program_version, info.git_commit)},
      {"backend", fmt::format("{} on {}", info.header.backend, info.header.device)},
      {"units", std::string(units_name(info.header.units))}};
  return html_section("Provenance", html_table(table)) +
         html_section("Case", "<pre>" + html_lines(info.header.case_yaml) + "</pre>\n");
}

// Of a file as a whole; those of its steps or points follow.
std::string file_warnings(const ResultInfo& info) {
  std::string html;
  if (info.outcome != "converged")
    html += warning("Outcome of the run: " + outcome_text(info) + ".");
  if (!info.warning.empty()) html += warning(info.warning);
  return html;
}

// The keys of a table, how each row ended, and its totals.
std::string rows_section(const SweepTable& table, const std::string& row,
                         const std::vector<std::string>& quantities, const ResultInfo& info) {
  HtmlTable shown;
  const bool numbered = table.find_input(row) == nullptr;
  if (numbered) shown.head.push_back(row);
  for (const SweepInput& input : table.inputs) shown.head.push_back(input.key);
  std::vector<const SweepColumn*> columns;
  for (const std::string& name : quantities)
    if (const SweepColumn* column = table.find(name)) columns.push_back(column);
  for (const SweepColumn* column : columns) {
    const auto unit = unit_text(quantity_dimension(column->name), info.header.units);
    shown.head.push_back(unit == "-" ? column->name : fmt::format("{} [{}]", column->name, unit));
  }
  shown.head.emplace_back("outcome");
  for (std::size_t i = 0; i < std::min(table.count(), kMostRowsOfPage); ++i) {
    std::vector<std::string> cells;
    if (numbered) cells.push_back(std::to_string(table.number_of(i)));
    for (const SweepInput& input : table.inputs) cells.push_back(value_text(input, i));
    for (const SweepColumn* column : columns) cells.push_back(page_number(column->values[i]));
    cells.emplace_back(point_outcome_name(table.outcomes[i]));
    shown.rows.push_back(std::move(cells));
  }
  std::string html = html_table(shown);
  if (table.count() > kMostRowsOfPage)
    html +=
        fmt::format("<p>The first {} of {} rows; <code>slipfield export</code> writes all.</p>\n",
                    kMostRowsOfPage, table.count());
  return html;
}

std::string row_warnings(const SweepTable& table, const std::string& row) {
  constexpr std::size_t kMostWarnings = 20;
  std::string html;
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.count(); ++i) {
    std::string text;
    if (table.outcomes[i] != PointOutcome::converged)
      text = fmt::format("{}{}{}", point_outcome_name(table.outcomes[i]),
                         table.messages[i].empty() ? "" : ": ", table.messages[i]);
    if (i < table.touches_edge.size() && table.touches_edge[i] != 0)
      text += (text.empty() ? "" : "; ") + std::string(kEdgeWarning);
    if (text.empty()) continue;
    const SweepInput* input = table.find_input(row);
    const std::string number =
        input != nullptr ? input->texts[i] : std::to_string(table.number_of(i));
    if (++count <= kMostWarnings) html += warning(fmt::format("{} {}: {}", row, number, text));
  }
  if (count > kMostWarnings)
    html += warning(fmt::format("{} more have warnings.", count - kMostWarnings));
  return html;
}

const std::vector<std::string>& shown_totals() {
  static const std::vector<std::string> names = {
      "normal_force", "approach",   "max_pressure", "force_x",          "force_y",
      "moment_z",     "creepage_x", "creepage_y",   "elements_contact", "elements_slip"};
  return names;
}

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
  const ResultStep& last = result.step(0);
  const Grid& grid = info.header.grid;
  const SweepTable steps = table_of_steps(result);
  std::string html = fmt::format("<p>{}: {} on {} x {} elements of {:.6g} x {:.6g} {}; {}.</p>\n",
                                 problem_text(last.input.tangential.problem),
                                 counted(result.steps().size(), "step"), grid.mx, grid.my, grid.dx,
                                 grid.dy, unit_text(Dimension::length, info.header.units),
                                 html_escaped(outcome_text(info)));
  html += file_warnings(info) + row_warnings(steps, "step");
  std::string figures;
  if (has_overview(last))
    figures +=
        drawn(figure_script(result, {}, PictureFormat::svg), fmt::format("Step {}.", last.number));
  if (result.steps().size() > 1) {
    SweepFigureRequest request;
    const SweepFile along = curves_over_steps(result, request);
    figures += drawn(sweep_figure_script(along, path.string(), request, PictureFormat::svg),
                     "Totals over the steps.");
  }
  if (last.report.surface.shakedown_load) {
    FigureRequest map;
    map.shakedown = true;
    figures += drawn(figure_script(result, map, PictureFormat::svg),
                     fmt::format("Step {} in the shakedown map.", last.number));
  }
  if (!last.report.history.empty()) {
    FigureRequest history;
    history.history = true;
    figures += drawn(figure_script(result, history, PictureFormat::svg),
                     fmt::format("Convergence of step {}.", last.number));
  }
  html += html_section("Figures", figures);
  if (result.steps().size() > 1)
    html += html_section("Steps", rows_section(steps, "step", shown_totals(), info));
  html += totals_section(last, info.header.units);
  return html_page(title_of(info, path), html + origin(info, path));
}

std::string sweep_page(const std::filesystem::path& path) {
  const SweepFile sweep = read_sweep_file(path);
  std::string html = "<p>Sweep, " + html_escaped(sweep_summary(sweep.table)) + ".</p>\n";
  html += file_warnings(sweep.info) + row_warnings(sweep.table, "point");
  const bool any = std::any_of(
      sweep.table.outcomes.begin(), sweep.table.outcomes.end(), [](PointOutcome outcome) {
        return outcome == PointOutcome::converged || outcome == PointOutcome::not_converged;
      });
  if (any)
    html += html_section(
        "Figures", drawn(sweep_figure_script(sweep, path.string(), {}, PictureFormat::svg), ""));
  html += html_section("Points", rows_section(sweep.table, "point", shown_totals(), sweep.info));
  return html_page(title_of(sweep.info, path), html + origin(sweep.info, path));
}

std::string wheel_page(const std::filesystem::path& path) {
  const WheelFile wheel = read_wheel_file(path);
  const WheelRecord& last = wheel.step(0);
  std::string html =
      fmt::format("<p>A wheel on a rail: {}; {}.</p>\n", counted(wheel.steps.size(), "position"),
                  html_escaped(outcome_text(wheel.info)));
  html += file_warnings(wheel.info);
  for (const WheelRecord& record : wheel.steps)
    if (record.outcome != Outcome::converged)
      html += warning(fmt::format("step {}: {}", record.number, record.message));
  std::string figures;
  for (int patch = 1; patch <= std::min<int>(kMostPatchFigures, last.patches.size()); ++patch)
    figures +=
        drawn(figure_script(read_result(path, 0, {last.number, patch}), {}, PictureFormat::svg),
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
  return html_page(title_of(wheel.info, path), html + origin(wheel.info, path));
}

}  // namespace

std::string report_page(const std::filesystem::path& path) {
  if (is_sweep(path)) return sweep_page(path);
  return is_wheel_file(path) ? wheel_page(path) : result_report(path);
}

}  // namespace slipfield
