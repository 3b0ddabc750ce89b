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

namespace slipfield {
namespace {

struct Column {
  std::string_view name;
  std::string_view head;
  std::string_view unit;
  std::string_view format;
};
constexpr std::array kColumns = {
    Column{"track_y", "y", "mm", "{:>11.4f}"},
    Column{"contact_angle", "angle", "rad", "{:>9.4f}"},
    Column{"normal_force", "F_n", "N", "{:>10.5g}"},
    Column{"force_x", "F_x", "N", "{:>10.4g}"},
    Column{"force_y", "F_y", "N", "{:>10.4g}"},
    Column{"moment_z", "M_z", "N mm", "{:>10.4g}"},
    Column{"creepage_x", "creepage_x", "-", "{:>12.4g}"},
    Column{"creepage_y", "creepage_y", "-", "{:>12.4g}"},
    Column{"spin", "spin", "rad/mm", "{:>12.4g}"},
    Column{"max_pressure", "p_max", "N/mm^2", "{:>9.4g}"},
    Column{"elements_contact", "contact", "", "{:>8.0f}"},
    Column{"elements_slip", "slip", "", "{:>7.0f}"},
};

std::string cell(const Column& column, double value) {
  const std::string zero = fmt::format(fmt::runtime(column.format), 0.0);
  if (std::isnan(value)) return fmt::format("{:>{}}", "-", zero.size());
  return fmt::format(fmt::runtime(column.format), value == 0.0 ? 0.0 : value);  // no -0
}

double number_of(const NamedNumbers& numbers, std::string_view name) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? std::nan("") : found->second;
}

// Of a step without contacts.
std::string nearest_text(const WheelRecord& record) {
  const bool both = record.wheel.contains("left_least_gap");
  std::string text = record.wheel.contains("contact_count") ? "no contact: " : "not solved: ";
  const auto add = [&](const std::string& side) {
    text += fmt::format(
        "the least gap is {:.4g} mm at y = {:.4f} mm, angle {:.4f} rad, radius "
        "{:.4f} mm",
        number_of(record.wheel, side + "least_gap"), number_of(record.wheel, side + "nearest_y"),
        number_of(record.wheel, side + "nearest_angle"),
        number_of(record.wheel, side + "rolling_radius"));
  };
  add(both ? "left_" : "");
  if (!both) return text;
  text += "; right: ";
  add("right_");
  return text + fmt::format("; roll {:.4g} rad", number_of(record.wheel, "axle_roll"));
}

// A number of a patch, 0 where it is rounding.
double shown_number(const NamedNumbers& patch, std::string_view name) {
  if (needs_friction(name) && number_of(patch, "friction_coefficient") == 0.0) return std::nan("");
  return without_noise(name, number_of(patch, name),
                       [&](std::string_view other) { return number_of(patch, other); });
}

// Sums along the track and across it are shown against the force downwards.
std::string force_text(const WheelRecord& record, const std::string& side) {
  const double down = number_of(record.wheel, side + "track_force_z");
  const auto shown = [&](const char* name, std::string_view like) {
    return without_noise(like, number_of(record.wheel, side + name), [&](std::string_view other) {
      return other == "normal_force" ? down : 0.0;
    });
  };
  return fmt::format("{:.5g}, {:.5g}, {:.6g} N", shown("track_force_x", "force_x"),
                     shown("track_force_y", "force_y"), down);
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

std::vector<std::string> wheel_head() {
  std::string names = fmt::format("{:>5} {:>6} {:>7}", "step", "z", "contact");
  std::string units = fmt::format("{:>5} {:>6} {:>7}", "", "mm", "");
  names.insert(5, 4, ' ');
  units.insert(5, 4, ' ');
  for (const Column& column : kColumns) {
    const std::size_t width = cell(column, 0.0).size();
    names += fmt::format(" {:>{}}", column.head, width);
    units += fmt::format(" {:>{}}", column.unit, width);
  }
  units.erase(units.find_last_not_of(' ') + 1);
  return {names + "  outcome", units};
}

std::vector<std::string> wheel_rows(const WheelRecord& record) {
  std::vector<std::string> lines;
  const std::string outcome(outcome_name(record.outcome));
  const std::string start =
      fmt::format("{:>5} {:>10.4f}", record.number, number_of(record.wheel, "axle_z"));
  if (!record.wheel.contains("contact_count") || record.patches.empty())
    return {start + "   " + nearest_text(record)};
  for (std::size_t i = 0; i < record.patches.size(); ++i) {
    std::string line = i == 0 ? start : std::string(start.size(), ' ');
    line += fmt::format(" {:>7}", i + 1);
    for (const Column& column : kColumns)
      line.append(" ").append(cell(column, shown_number(record.patches[i], column.name)));
    if (i == 0) line.append("  ").append(outcome);
    lines.push_back(line);
  }
  const std::string indent(start.size(), ' ');
  if (!record.wheel.contains("left_track_force_x")) {
    lines.push_back(indent + " on the rail: " + force_text(record, "") +
                    " (track: forward, right, down)");
    return lines;
  }
  lines.push_back(indent + " on the left rail: " + force_text(record, "left_") +
                  " (track: forward, right, down)");
  lines.push_back(indent + " on the right rail: " + force_text(record, "right_"));
  lines.push_back(indent + " on both: " + force_text(record, "") +
                  fmt::format("; roll {:.4g} rad", number_of(record.wheel, "axle_roll")));
  return lines;
}

std::vector<std::string> wheel_numbers_text(const WheelRecord& record, Units units) {
  std::vector<std::string> lines = {
      fmt::format("step {}: {}", record.number, outcome_name(record.outcome))};
  if (!record.message.empty()) lines.push_back(record.message);
  for (const std::string& warning : record.warnings) lines.push_back("warning: " + warning);
  const auto add = [&](std::string_view name, double value) {
    lines.push_back(fmt::format("  {:<22} {:>16.9g} {:<8} {}", name, value,
                                unit_text(quantity_dimension(name), units),
                                quantity_description(name)));
  };
  for (const std::string& name : wheel_entry_names())
    if (record.wheel.contains(name)) add(name, number_of(record.wheel, name));
  for (std::size_t i = 0; i < record.patches.size(); ++i) {
    lines.push_back(fmt::format("contact {}", i + 1));
    for (const PatchEntry& entry : patch_table())
      add(entry.name, number_of(record.patches[i], entry.name));
    const bool sticks = number_of(record.patches[i], "friction_coefficient") != 0.0;
    for (const std::string& name : quantity_names())
      if (record.patches[i].contains(name) && (sticks || !needs_friction(name)))
        add(name, number_of(record.patches[i], name));
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
  return lines;
}

}  // namespace slipfield
