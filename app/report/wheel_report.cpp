// SPDX-License-Identifier: Apache-2.0
#include "app/report/wheel_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/shown_table.h"
#include "app/report/step_table.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "solver/wheel_rail/placement.h"

namespace slipfield {
namespace {

struct Column {
  std::string_view name;
  std::string_view head;
  std::string_view unit;
  std::string_view format;
  int rank = 0;  // the greatest is left out first; 0: never
};
constexpr std::array kColumns = {
    Column{"track_y", "y", "mm", "{:>11.4f}"},
    Column{"contact_angle", "angle", "rad", "{:>9.4f}", 3},
    Column{"normal_force", "F_n", "N", "{:>10.5g}"},
    Column{"force_x", "F_x", "N", "{:>10.4g}"},
    Column{"force_y", "F_y", "N", "{:>10.4g}"},
    Column{"moment_z", "M_z", "N mm", "{:>10.4g}", 8},
    Column{"creepage_x", "creepage_x", "-", "{:>12.4g}", 4},
    Column{"creepage_y", "creepage_y", "-", "{:>12.4g}", 5},
    Column{"spin", "spin", "rad/mm", "{:>12.4g}", 6},
    Column{"max_pressure", "p_max", "N/mm^2", "{:>9.4g}"},
    Column{"elements_contact", "contact", "", "{:>8.0f}", 7},
    Column{"elements_slip", "slip", "", "{:>7.0f}", 9},
};

std::string cell(const Column& column, double value) {
  const std::string zero = fmt::format(fmt::runtime(column.format), 0.0);
  if (std::isnan(value)) return fmt::format("{:>{}}", "-", zero.size());
  return fmt::format(fmt::runtime(column.format), value == 0.0 ? 0.0 : value);  // no -0
}

constexpr std::size_t kPlaceColumns = 3;  // before kColumns

std::vector<TableColumn> wheel_columns() {
  std::vector<TableColumn> columns = {
      {"step", "", 5, 0}, {"z", "mm", 11, 0}, {"contact", "", 8, 0}};
  for (const Column& column : kColumns)
    columns.push_back({std::string(column.head), std::string(column.unit),
                       1 + cell(column, 0.0).size(), column.rank});
  return columns;
}

double number_of(const NamedNumbers& numbers, std::string_view name) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? std::nan("") : found->second;
}

// A step without contacts has a line for each wheel.
std::vector<std::string> nearest_lines(const WheelRecord& record, const std::string& start) {
  constexpr double kNoGap = 1.0e-7;  // [mm], rounding of the search
  const std::string what = record.wheel.contains("contact_count") ? "no contact" : "not solved";
  const auto line = [&](const std::string& name, const std::string& side) {
    const double gap = number_of(record.wheel, side + "least_gap");
    return fmt::format(
        "   {}: {}least gap {:.4g} mm at y = {:.4f} mm, angle {:.4f} rad, radius {:.4f} mm", what,
        name, std::fabs(gap) < kNoGap ? 0.0 : gap, number_of(record.wheel, side + "nearest_y"),
        number_of(record.wheel, side + "nearest_angle"),
        number_of(record.wheel, side + "rolling_radius"));
  };
  if (!record.wheel.contains("left_least_gap")) return {start + line("", "")};
  const std::string indent(start.size(), ' ');
  return {start + line("left, ", "left_"), indent + line("right, ", "right_"),
          indent + fmt::format("   roll {:.4g} rad", number_of(record.wheel, "axle_roll"))};
}

// A number of a contact, 0 where it is rounding.
double shown_number(const NamedNumbers& contact, std::string_view name) {
  if (needs_friction(name) && number_of(contact, "friction_coefficient") == 0.0)
    return std::nan("");
  return without_noise(name, number_of(contact, name),
                       [&](std::string_view other) { return number_of(contact, other); });
}

// Sums along the track and across it are shown against the force downwards.
std::string force_text(const WheelRecord& record, const std::string& side) {
  const double down = number_of(record.wheel, side + "track_force_z");
  const auto shown = [&](const char* name, std::string_view like) {
    return without_noise(like, number_of(record.wheel, side + name), [&](std::string_view other) {
      return other == "normal_force" ? down : 0.0;
    });
  };
  return fmt::format("{:.5g} N forward, {:.5g} N right, {:.6g} N down",
                     shown("track_force_x", "force_x"), shown("track_force_y", "force_y"), down);
}

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

std::vector<std::string> wheel_head(int width) {
  const std::vector<TableColumn> columns = wheel_columns();
  std::vector<std::string> lines =
      table_head(columns, columns_that_fit(columns, kOutcomeWidth, width));
  lines.insert(lines.begin(),
               "F_n, F_x, F_y: along the contact's own axes; below them: along the track's axes");
  return lines;
}

std::vector<std::string> wheel_rows(const WheelRecord& record, int width) {
  std::vector<std::string> lines;
  const std::string outcome(outcome_name(record.outcome));
  const std::string start =
      fmt::format("{:>5} {:>10.4f}", record.number, number_of(record.wheel, "axle_z"));
  if (!record.wheel.contains("contact_count") || record.contacts.empty())
    return nearest_lines(record, start);
  const std::vector<std::size_t> shown = columns_that_fit(wheel_columns(), kOutcomeWidth, width);
  for (std::size_t i = 0; i < record.contacts.size(); ++i) {
    std::string line = i == 0 ? start : std::string(start.size(), ' ');
    line += fmt::format(" {:>7}", i + 1);
    for (const std::size_t k : shown) {
      if (k < kPlaceColumns) continue;
      const Column& column = kColumns[k - kPlaceColumns];
      line.append(" ").append(cell(column, shown_number(record.contacts[i], column.name)));
    }
    if (i == 0) line.append("  ").append(outcome);
    lines.push_back(line);
  }
  const std::string indent(start.size(), ' ');
  if (!record.wheel.contains("left_track_force_x")) {
    lines.push_back(indent + " on the rail: " + force_text(record, ""));
    return lines;
  }
  lines.push_back(indent + " on the left rail: " + force_text(record, "left_"));
  lines.push_back(indent + " on the right rail: " + force_text(record, "right_"));
  lines.push_back(indent + " on both: " + force_text(record, "") +
                  fmt::format("; roll {:.4g} rad", number_of(record.wheel, "axle_roll")));
  return lines;
}

std::vector<std::string> wheel_numbers_text(const WheelRecord& record, Units units, int width) {
  std::vector<std::string> lines = {
      fmt::format("step {}: {}", record.number, outcome_name(record.outcome))};
  if (!record.message.empty()) lines.push_back(record.message);
  for (const std::string& warning : record.warnings) lines.push_back("warning: " + warning);
  const auto add = [&](std::string_view name, double value) {
    lines.push_back(number_line(name, value, unit_text(quantity_dimension(name), units),
                                std::string(quantity_description(name)),
                                static_cast<std::size_t>(width)));
  };
  for (const std::string& name : wheel_entry_names())
    if (record.wheel.contains(name)) add(name, number_of(record.wheel, name));
  for (std::size_t i = 0; i < record.contacts.size(); ++i) {
    lines.push_back(fmt::format("contact {}", i + 1));
    for (const ContactEntry& entry : contact_table())
      add(entry.name, number_of(record.contacts[i], entry.name));
    const bool sticks = number_of(record.contacts[i], "friction_coefficient") != 0.0;
    for (const std::string& name : quantity_names())
      if (record.contacts[i].contains(name) && (sticks || !needs_friction(name)))
        add(name, number_of(record.contacts[i], name));
  }
  return lines;
}

nlohmann::ordered_json wheel_json(const WheelRecord& record) {
  nlohmann::ordered_json document;
  document["step"] = record.number;
  document["outcome"] = outcome_name(record.outcome);
  if (!record.message.empty()) document["message"] = record.message;
  document["warnings"] = record.warnings;
  for (const std::string& name : wheel_entry_names())
    if (record.wheel.contains(name)) document[name] = number_of(record.wheel, name);
  document["contacts"] = nlohmann::ordered_json::array();
  for (const TableRow& row : record.rows()) {
    if (row.contact == 0) continue;
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
