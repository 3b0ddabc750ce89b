// SPDX-License-Identifier: Apache-2.0
#include "app/html/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/html/page.h"
#include "app/plot/gnuplot.h"
#include "app/report/step_table.h"
#include "app/report/sweep_report.h"

namespace slipfield {
namespace {

constexpr std::size_t kMostRowsUnfolded = 40;
constexpr std::size_t kMostWarnings = 20;

// A warning of the whole file says it already.
bool is_told(const std::vector<std::string>& known, std::string_view text) {
  return std::any_of(known.begin(), known.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

bool has_number(const SweepColumn& column) {
  return std::any_of(column.values.begin(), column.values.end(),
                     [](double value) { return !std::isnan(value); });
}

}  // namespace

std::string page_number(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.6g}", value + 0.0);
}

std::string page_warning(const std::string& text) {
  return "<p class=\"warning\">" + html_escaped(text) + "</p>\n";
}

std::string page_figure(const std::string& script, std::string_view caption) {
  return html_figure(run_gnuplot(script, PictureFormat::svg), caption);
}

std::string page_title(const ResultInfo& info, const std::filesystem::path& path) {
  return info.header.title.empty() ? path.filename().string() : info.header.title;
}

std::string outcome_text(const ResultInfo& info) {
  std::string outcome = info.outcome;
  std::replace(outcome.begin(), outcome.end(), '_', ' ');
  return outcome;
}

std::string page_origin(const ResultInfo& info, const std::filesystem::path& path) {
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
    html += page_warning("Outcome of the run: " + outcome_text(info) + ".");
  for (std::size_t i = 0; i < std::min(info.warnings.size(), kMostWarnings); ++i)
    html += page_warning(info.warnings[i]);
  if (info.warnings.size() > kMostWarnings)
    html += page_warning(fmt::format("{} more warnings.", info.warnings.size() - kMostWarnings));
  return html;
}

std::string total_heading(const std::string& name, Units units) {
  const std::string unit(unit_text(quantity_dimension(name), units));
  return unit == "-" ? name : fmt::format("{} [{}]", name, unit);
}

std::string rows_section(const SweepTable& table, const std::string& row,
                         const std::vector<std::string>& quantities, Units units) {
  const bool numbered = table.find_input(row) == nullptr;
  HtmlTable shown;
  if (numbered) shown.head.push_back(row);
  for (const SweepInput& input : table.inputs) shown.head.push_back(input.key);
  std::vector<const SweepColumn*> columns;
  for (const std::string& name : quantities)
    if (const SweepColumn* column = table.find(name); column != nullptr && has_number(*column)) {
      columns.push_back(column);
      shown.head.push_back(total_heading(name, units));
    }
  shown.head.emplace_back("outcome");
  HtmlTable folded{shown.head, {}};
  for (std::size_t i = 0; i < std::min(table.count(), kMostRowsOfPage); ++i) {
    std::vector<std::string> cells;
    if (numbered) cells.push_back(std::to_string(table.number_of(i)));
    for (const SweepInput& input : table.inputs) cells.push_back(value_text(input, i));
    for (const SweepColumn* column : columns)
      cells.push_back(page_number(shown_total(table, *column, i)));
    cells.emplace_back(point_outcome_name(table.outcomes[i]));
    (i < kMostRowsUnfolded ? shown : folded).rows.push_back(std::move(cells));
  }
  std::string html = html_table(shown);
  if (!folded.rows.empty())
    html += html_details(fmt::format("Rows {} to {}", kMostRowsUnfolded + 1,
                                     std::min(table.count(), kMostRowsOfPage)),
                         html_table(folded));
  if (table.count() > kMostRowsOfPage)
    html +=
        fmt::format("<p>The first {} of {} rows; <code>slipfield export</code> writes all.</p>\n",
                    kMostRowsOfPage, table.count());
  return html;
}

std::string row_warnings(const SweepTable& table, const std::string& row,
                         const std::vector<std::string>& known) {
  std::string html;
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.count(); ++i) {
    std::string text;
    const bool told = !table.messages[i].empty() && is_told(known, table.messages[i]);
    if (table.outcomes[i] != PointOutcome::converged && !told)
      text = fmt::format("{}{}{}", point_outcome_name(table.outcomes[i]),
                         table.messages[i].empty() ? "" : ": ", table.messages[i]);
    if (i < table.touches_edge.size() && table.touches_edge[i] != 0 &&
        !is_told(known, kEdgeWarning))
      text += (text.empty() ? "" : "; ") + std::string(kEdgeWarning);
    if (text.empty()) continue;
    const SweepInput* input = table.find_input(row);
    const std::string number =
        input != nullptr ? input->texts[i] : std::to_string(table.number_of(i));
    if (++count <= kMostWarnings) html += page_warning(fmt::format("{} {}: {}", row, number, text));
  }
  if (count > kMostWarnings)
    html += page_warning(fmt::format("{} more have warnings.", count - kMostWarnings));
  return html;
}

const std::vector<std::string>& shown_totals() {
  static const std::vector<std::string> names = {
      "normal_force", "approach",   "max_pressure", "force_x",          "force_y",
      "moment_z",     "creepage_x", "creepage_y",   "elements_contact", "elements_slip"};
  return names;
}

}  // namespace slipfield
