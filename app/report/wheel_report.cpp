// SPDX-License-Identifier: Apache-2.0
#include "app/report/wheel_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/sweep_table.h"
#include "solver/wheel_rail/placement.h"

namespace slipfield {
namespace {

std::string profile_line(const std::string& what, const ProfileSource& source) {
  const Profile& profile = *source.profile;
  const auto by_y = [](const ProfilePoint& a, const ProfilePoint& b) { return a.y < b.y; };
  const auto [least, greatest] =
      std::minmax_element(profile.points.begin(), profile.points.end(), by_y);
  std::string text = fmt::format("{}: {} points, y from {:.4g} to {:.4g} mm, {:.4g} mm long", what,
                                 profile.points.size(), least->y, greatest->y,
                                 profile.curve.last() - profile.curve.first());
  for (const std::string& note : profile.notes) text += "; " + note;
  return text;
}

}  // namespace

nlohmann::ordered_json wheel_json(const WheelRecord& record, const std::string& side) {
  const std::vector<TableRow> rows = record.rows();
  const auto is_shown = [&](const TableRow& row) { return side.empty() || row.side == side; };
  if (std::ranges::none_of(rows, is_shown)) return nullptr;
  nlohmann::ordered_json document;
  document["step"] = record.number;
  document["outcome"] = outcome_name(record.outcome);
  if (!record.message.empty()) document["message"] = record.message;
  document["warnings"] = record.warnings;
  NamedNumbers totals = record.totals();
  if (!side.empty()) {
    document["side"] = side;
    for (const TableRow& row : rows)
      if (row.contact == 0 && is_shown(row)) totals = row.totals;
  }
  for (const std::string& name : total_names())
    if (const auto found = totals.find(name); found != totals.end()) document[name] = found->second;
  document["contacts"] = nlohmann::ordered_json::array();
  for (const TableRow& row : rows) {
    if (row.contact == 0 || !is_shown(row)) continue;
    nlohmann::ordered_json entry;
    entry["side"] = row.side;
    entry["contact"] = row.contact;
    for (const auto& [name, value] : row.totals) entry[name] = value;
    document["contacts"].push_back(std::move(entry));
  }
  return document;
}

std::vector<std::string> profiles_text(const WheelRailCase& wheel_rail) {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& what, const SideProfiles& profiles) {
    if (!profiles.differ) return lines.push_back(profile_line(what, profiles.right));
    lines.push_back(profile_line("left " + what, profiles.left));
    lines.push_back(profile_line("right " + what, profiles.right));
  };
  add("wheel", wheel_rail.wheel);
  add("rail", wheel_rail.rail);
  const WheelRailPosition& at = wheel_rail.steps.front().wheels.back().position;
  if (at.track.rail_origin) return lines;
  const PlacedRail rail = place_rail(*wheel_rail.rail.of(at.side).at(at.wheelset.x), at.track);
  lines.push_back(fmt::format("gauge: measured at y = {:.4g} mm of the rail's profile{}",
                              rail.gauge_point,
                              at.track.cant == 0.0 ? "" : ", turned by the cant"));
  return lines;
}

}  // namespace slipfield
