// SPDX-License-Identifier: Apache-2.0
#include "app/report/interior_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/step_table.h"
#include "solver/interior/fatigue_stress.h"
#include "solver/interior/interior_points.h"

namespace slipfield {
namespace {

constexpr std::size_t kMostRows = 24;  // of the table over depth

// Crossland's stress is one number for the whole passage along x, at no x.
std::string greatest_text(std::string_view name, const InteriorGreatest& greatest, Units units) {
  constexpr double kNoise = 1.0e-9;  // an element's centre on an axis is not quite at 0
  const bool has_x = name != "crossland";
  const double reach =
      std::max({has_x ? std::fabs(greatest.x) : 0.0, std::fabs(greatest.y), std::fabs(greatest.z)});
  const auto shown = [&](double place) { return std::fabs(place) < kNoise * reach ? 0.0 : place; };
  const std::string x = has_x ? fmt::format("({:.4g}, ", shown(greatest.x)) : "(y, z) = (";
  return fmt::format("{} {:.5g} {} at {}{:.4g}, {:.4g}) {}", name, greatest.value,
                     unit_text(Dimension::traction, units), x, shown(greatest.y), shown(greatest.z),
                     unit_text(Dimension::length, units));
}

nlohmann::ordered_json greatest_json(const InteriorGreatest& greatest) {
  return {{"value", greatest.value}, {"at", {greatest.x, greatest.y, greatest.z}}};
}

nlohmann::ordered_json summary_json(const InteriorSummary& summary) {
  nlohmann::ordered_json json = {{"body", body_name(summary.body)}};
  for (const auto& [name, greatest] : greatest_of(summary))
    json["max_" + std::string(name)] = greatest_json(*greatest);
  return json;
}

// All quantities of a state, by enum class InteriorQuantity.
std::array<double, kLocalQuantities> quantities_of(const InteriorValues& values) {
  std::array<double, kLocalQuantities> all{};
  std::copy(values.begin(), values.end(), all.begin());
  StressState stress{};
  std::copy_n(values.begin(), stress.size(), stress.begin());
  const auto principal = principal_stresses(stress);
  const auto set = [&](InteriorQuantity quantity, double value) {
    all[static_cast<std::size_t>(quantity)] = value;
  };
  set(InteriorQuantity::principal_1, principal[0]);
  set(InteriorQuantity::principal_2, principal[1]);
  set(InteriorQuantity::principal_3, principal[2]);
  set(InteriorQuantity::von_mises, von_mises_stress(stress));
  set(InteriorQuantity::tresca, principal[0] - principal[2]);
  set(InteriorQuantity::hydrostatic, hydrostatic_stress(stress));
  return all;
}

}  // namespace

std::vector<std::string> interior_lines(const std::vector<InteriorSummary>& summaries,
                                        Units units) {
  std::vector<std::string> lines;
  for (const InteriorSummary& summary : summaries) {
    lines.push_back(fmt::format("  inside {:<5}  {}   {}", body_name(summary.body),
                                greatest_text("von_mises", summary.von_mises, units),
                                greatest_text("tresca", summary.tresca, units)));
    std::string fatigue;
    for (const auto& [name, greatest] : greatest_of(summary))
      if (name == "dang_van" || name == "crossland")
        fatigue += (fatigue.empty() ? "" : "   ") + greatest_text(name, *greatest, units);
    if (!fatigue.empty()) lines.push_back(fmt::format("  {:<14}{}", "", fatigue));
  }
  return lines;
}

namespace {

using Column = std::pair<std::string_view, const std::vector<double>*>;

// Adds stresses by a place, "y" or "depth"; thinned if there are many places.
void add_columns(const std::string& title, const char* place, const std::vector<double>& at,
                 const std::vector<Column>& columns, const char* all, Units units,
                 std::vector<std::string>& lines) {
  std::string head = fmt::format("  {:>12}", place);
  std::string under = fmt::format("  {:>12}", unit_text(Dimension::length, units));
  for (const Column& column : columns) {
    head += fmt::format(" {:>14}", column.first);
    under += fmt::format(" {:>14}", unit_text(Dimension::traction, units));
  }
  lines.push_back("  " + title + "\n" + head);
  lines.push_back(under);
  const std::size_t every = (at.size() + kMostRows - 1) / kMostRows;
  for (std::size_t k = 0; k < at.size(); k += every) {
    std::string line = fmt::format("  {:>12.6g}", at[k]);
    for (const Column& column : columns) line += fmt::format(" {:>14.6g}", (*column.second)[k]);
    lines.push_back(std::move(line));
  }
  if (every > 1) lines.push_back(fmt::format("  (every {} of {} {})", every, at.size(), all));
}

}  // namespace

std::vector<std::string> depth_table(const InteriorBody& body, Units units) {
  std::vector<std::string> lines = {
      fmt::format("inside the {} body: {} from {:.6g} to {:.6g} {}, {} x {} points; {}",
                  body_name(body.body), counted(body.depths.size(), "depth"), body.depths.front(),
                  body.depths.back(), unit_text(Dimension::length, units), body.x.size(),
                  body.y.size(), fmt::join(body.quantities, ", "))};
  std::vector<Column> by_depth;
  for (const auto& [name, greatest] : greatest_of(body.summary)) {
    lines.push_back("  greatest " + greatest_text(name, *greatest, units));
    by_depth.emplace_back(name, &greatest->by_depth);
  }
  add_columns("greatest at each depth", "depth", body.depths, by_depth, "depths", units, lines);
  std::vector<Column> along_y;  // fatigue
  if (!body.dang_van_along_y.empty()) along_y.emplace_back("dang_van", &body.dang_van_along_y);
  if (!body.crossland_along_y.empty()) along_y.emplace_back("crossland", &body.crossland_along_y);
  if (!along_y.empty() && body.y.size() > 1)
    add_columns("greatest over the depth in each row", "y", body.y, along_y, "rows", units, lines);
  return lines;
}

nlohmann::ordered_json interior_json(const std::vector<InteriorSummary>& summaries) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const InteriorSummary& summary : summaries) array.push_back(summary_json(summary));
  return array;
}

nlohmann::ordered_json interior_json(const std::vector<InteriorBody>& bodies) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const InteriorBody& body : bodies) {
    nlohmann::ordered_json entry = summary_json(body.summary);
    entry["quantities"] = body.quantities;
    entry["points"] = {body.x.size(), body.y.size(), body.depths.size()};
    entry["depth"] = body.depths;
    for (const auto& [name, greatest] : greatest_of(body.summary))
      entry[std::string(name) + "_by_depth"] = greatest->by_depth;
    if (!body.dang_van_along_y.empty() || !body.crossland_along_y.empty()) entry["y"] = body.y;
    if (!body.dang_van_along_y.empty()) entry["dang_van_along_y"] = body.dang_van_along_y;
    if (!body.crossland_along_y.empty()) entry["crossland_along_y"] = body.crossland_along_y;
    array.push_back(std::move(entry));
  }
  return array;
}

std::vector<std::string> point_lines(const PointTable& table, Units units) {
  std::string head;
  std::string under;
  const auto add = [&](std::string_view name, Dimension dimension) {
    head += fmt::format("{:>15}", name);
    under += fmt::format("{:>15}", unit_text(dimension, units));
  };
  for (const char* name : {"x", "y", "z"}) add(name, Dimension::length);
  for (int i = 0; i < kLocalQuantities; ++i) {
    const InteriorEntry& entry = interior_entry(static_cast<InteriorQuantity>(i));
    add(entry.name, entry.dimension);
  }
  head.front() = under.front() = '#';
  std::vector<std::string> lines = {head, under};
  for (std::size_t i = 0; i < table.points.size(); ++i) {
    const InteriorPoint& point = table.points[i];
    std::string line = fmt::format("{:>15.8g}{:>15.8g}{:>15.8g}", point.x, point.y,
                                   height_of(table.body, point.depth));
    for (const double value : quantities_of(table.values[i]))
      line += fmt::format("{:>15.7g}", value);
    lines.push_back(std::move(line));
  }
  return lines;
}

nlohmann::ordered_json point_json(const PointTable& table) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < table.points.size(); ++i) {
    const InteriorPoint& point = table.points[i];
    nlohmann::ordered_json entry = {{"body", body_name(table.body)},
                                    {"x", point.x},
                                    {"y", point.y},
                                    {"z", height_of(table.body, point.depth)}};
    const auto values = quantities_of(table.values[i]);
    for (int q = 0; q < kLocalQuantities; ++q)
      entry[std::string(interior_entry(static_cast<InteriorQuantity>(q)).name)] =
          values[static_cast<std::size_t>(q)];
    array.push_back(std::move(entry));
  }
  return array;
}

}  // namespace slipfield
