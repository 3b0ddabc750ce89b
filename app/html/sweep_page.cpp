// SPDX-License-Identifier: Apache-2.0
#include "app/html/sweep_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/html/page.h"
#include "app/html/parts.h"
#include "app/plot/sweep.h"
#include "app/plot/wheel/contact_lines.h"
#include "app/report/incomplete.h"
#include "app/report/step_table.h"
#include "app/report/sweep_report.h"
#include "io/result/sweep_reader.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::size_t kMostValuesShown = 8;  // of a key
constexpr std::size_t kMostPointsNamed = 20;
constexpr std::size_t kMostPanelsOfPage = 4;  // of a further figure

// "13 from 1e-05 to 0.01, logarithmic", "0.33, 0.165".
std::string values_of(const SweepInput& input) {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < input.texts.size(); ++i)
    if (std::string value = value_text(input, i); seen.insert(value).second)
      values.push_back(std::move(value));
  if (values.size() <= kMostValuesShown) return fmt::format("{}", fmt::join(values, ", "));
  if (!input.is_number()) return fmt::format("{} values", values.size());
  const auto [least, greatest] = std::minmax_element(input.numbers.begin(), input.numbers.end());
  return fmt::format("{} from {:.6g} to {:.6g}{}", values.size(), *least, *greatest,
                     input.spacing == Spacing::logarithmic ? ", logarithmic" : "");
}

std::string keys_section(const SweepTable& table) {
  HtmlTable keys{{"key", "values"}, {}};
  for (const SweepInput& input : table.inputs) keys.rows.push_back({input.key, values_of(input)});
  return html_section("Keys", html_table(keys));
}

// The first of the points for which `holds`, and how many there are: "points 3, 4, 7".
template <typename Holds>
std::string points_where_text(const SweepTable& table, Holds holds) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < table.count(); ++i)
    if (holds(i)) numbers.push_back(table.number_of(i));
  if (numbers.empty()) return "";
  const std::size_t named = std::min(numbers.size(), kMostPointsNamed);
  std::string text = fmt::format("{} {}", numbers.size() == 1 ? "point" : "points",
                                 fmt::join(numbers.begin(), numbers.begin() + named, ", "));
  if (named < numbers.size()) text += fmt::format(" and {} more", numbers.size() - named);
  return text;
}

std::string warnings_of(const SweepTable& table) {
  std::string html;
  const std::string without =
      points_where_text(table, [&](std::size_t i) { return !table.has_totals(i); });
  const std::string unfinished = points_where_text(
      table, [&](std::size_t i) { return table.outcomes[i] == PointOutcome::not_converged; });
  const std::string edge = points_where_text(table, [&](std::size_t i) {
    return i < table.touches_edge.size() && table.touches_edge[i] != 0;
  });
  if (!unfinished.empty()) html += page_warning("Not converged: " + unfinished + ".");
  if (!without.empty()) html += page_warning("Without a result: " + without + ".");
  if (!edge.empty()) html += page_warning(fmt::format("{}: {}.", kEdgeWarning, edge));
  return html;
}

std::string unconverged_section(const SweepTable& table) {
  HtmlTable shown{{"point"}, {}};
  for (const SweepInput& input : table.inputs) shown.head.push_back(input.key);
  shown.head.insert(shown.head.end(), {"outcome", "why"});
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.count(); ++i) {
    if (table.outcomes[i] == PointOutcome::converged || ++count > kMostRowsOfPage) continue;
    std::vector<std::string> cells = {std::to_string(table.number_of(i))};
    for (const SweepInput& input : table.inputs) cells.push_back(value_text(input, i));
    cells.emplace_back(point_outcome_name(table.outcomes[i]));
    cells.push_back(table.messages[i]);
    shown.rows.push_back(std::move(cells));
  }
  if (count == 0) return "";
  std::string html = html_table(shown);
  if (count > kMostRowsOfPage)
    html += fmt::format("<p>The first {} of {}.</p>\n", kMostRowsOfPage, count);
  return html_section("Points that did not converge", html);
}

// Those that some point has, and that are not the same in all.
std::vector<std::string> varying(const SweepTable& table, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::string& name : names)
    if (const SweepColumn* column = table.find(name); column != nullptr && varies(*column))
      found.push_back(name);
  return found;
}

// What the points have of the place of a wheelset, where they have no forces.
std::vector<std::string> place_quantities(const SweepTable& table) {
  return varying(table, wheel_totals(table.find("left_nearest_y") != nullptr,
                                     table.find("track_force_z") == nullptr));
}

std::string extremes_section(const SweepTable& table, const std::vector<std::string>& names,
                             Units units) {
  HtmlTable extremes{{"quantity", "least", "at point", "greatest", "at point"}, {}};
  for (const std::string& name : varying(table, names)) {
    SweepColumn column = *table.find(name);
    std::vector<double>& values = column.values;
    std::size_t least = values.size();
    std::size_t greatest = values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      values[i] = shown_total(table, column, i);
      if (least == values.size() || values[i] < values[least]) least = i;
      if (greatest == values.size() || values[i] > values[greatest]) greatest = i;
    }
    if (values[least] == values[greatest]) continue;
    extremes.rows.push_back({total_heading(name, units), page_number(values[least]),
                             std::to_string(table.number_of(least)), page_number(values[greatest]),
                             std::to_string(table.number_of(greatest))});
  }
  return extremes.rows.empty() ? "" : html_section("Extremes", html_table(extremes));
}

// The figure of `plot` first, then what else varies.
std::string figures_of(const SweepFile& sweep, const SweepSurvey& survey, const std::string& name) {
  const auto curves = [&](const std::vector<std::string>& quantities, std::string_view caption) {
    SweepFigureRequest request;
    request.quantities = quantities;
    return page_figure(sweep_figure_script(sweep, name, request, PictureFormat::svg), caption);
  };
  std::string html;
  std::vector<std::string> drawn = default_quantities(sweep.table);
  if (!survey.has(drawn.front())) drawn = place_quantities(sweep.table);
  drawn.resize(std::min(drawn.size(), kMostPanelsOfPage));
  if (!drawn.empty()) html += curves(drawn, "");
  std::vector<std::string> others = survey.motions();
  others.insert(others.end(), {"approach", "normal_force", "max_pressure"});
  others = varying(sweep.table, others);
  std::erase_if(others, [&](const std::string& other) {
    return std::find(drawn.begin(), drawn.end(), other) != drawn.end();
  });
  others.resize(std::min(others.size(), kMostPanelsOfPage));
  if (!others.empty()) html += curves(others, "What else changes.");
  if (!has_contact_lines(sweep.table)) return html;
  try {
    html += page_figure(contact_lines_script(sweep, name, PictureFormat::svg),
                        "Where wheel and rail touch.");
  } catch (const InputError& error) {  // the profiles are files of their own
    html += page_warning(fmt::format("Without contact lines: {}.", error.what()));
  }
  return html;
}

}  // namespace

std::string sweep_page(const std::filesystem::path& path) {
  const SweepFile sweep = read_sweep_file(path);
  warn_of_incomplete(sweep, path);
  const Units units = sweep.info.header.units;
  SweepSurvey survey;
  survey.add(sweep.table);
  std::vector<std::string> totals = shown_totals();
  for (const std::string& name : survey.motions())
    if (std::find(totals.begin(), totals.end(), name) == totals.end()) totals.push_back(name);
  if (!survey.has("normal_force"))
    totals = wheel_totals(survey.has("left_nearest_y"), !survey.has("track_force_z"));
  std::string html = "<p>Sweep, " + html_escaped(sweep_summary(sweep.table)) + ".</p>\n";
  html += file_warnings(sweep.info) + warnings_of(sweep.table) + keys_section(sweep.table);
  if (survey.counts().with_totals() > 0)
    html += html_section("Figures", figures_of(sweep, survey, path.string()));
  html += unconverged_section(sweep.table) + extremes_section(sweep.table, totals, units);
  html += html_section("Points", rows_section(sweep.table, "point", totals, units));
  return html_page(page_title(sweep.info, path), html + page_origin(sweep.info, path));
}

}  // namespace slipfield
