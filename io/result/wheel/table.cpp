// SPDX-License-Identifier: Apache-2.0
#include "io/result/wheel/table.h"
#include "io/result/step_attributes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>

#include "io/result/surface/table.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {
namespace {

using Wheel = SolvedWheel;
using Contact = SolvedPatch;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
double no_number(const Wheel& /*of_pair*/) { return kUnknown; }

// Y of EN 14363, outwards from the track's centre.
double guiding_force(const Wheel& w) {
  return w.side == Side::right ? w.track_force.y() : -w.track_force.y();
}
double lateral_over_vertical(const Wheel& w) {
  return w.track_force.z() > 0.0 ? guiding_force(w) / w.track_force.z() : kUnknown;
}
// The friction of the steepest contact, where a wheel climbs.
double friction_of(const Wheel& w) {
  const auto steepest =
      std::max_element(w.patches.begin(), w.patches.end(), [](const Contact& a, const Contact& b) {
        return std::fabs(a.patch.angle) < std::fabs(b.patch.angle);
      });
  return steepest == w.patches.end() ? kUnknown : steepest->input.friction.coefficient;
}
// (tan d - mu)/(1 + mu tan d) [Nadal]
double nadal_limit(const Wheel& w) { return std::tan(w.flange_angle - std::atan(friction_of(w))); }
double weinstock_sum(const Wheel& left, const Wheel& right) {
  return std::fabs(lateral_over_vertical(left)) + std::fabs(lateral_over_vertical(right));
}
double weinstock_limit(const Wheel& left, const Wheel& right) {
  const bool climbs_left = lateral_over_vertical(left) > lateral_over_vertical(right);
  return nadal_limit(climbs_left ? left : right) + friction_of(climbs_left ? right : left);
}

constexpr std::array kWheel = {
    WheelEntry{"axle_z", Dimension::length, OfBoth::axle, NumberNeeds::position,
               "height of the axle's centre below its nominal height",
               [](const Wheel& w) { return w.z; }},
    WheelEntry{"axle_roll", Dimension::angle, OfBoth::axle, NumberNeeds::position,
               "roll of the axle, positive where its right end is lower",
               [](const Wheel& w) { return w.roll; }},
    WheelEntry{
        "axle_pitch_velocity", Dimension::none, OfBoth::axle, NumberNeeds::request,
        "pitch velocity [rad/s] that gives the longitudinal force; of a shift the pitch [rad]",
        [](const Wheel& w) { return w.pitch_velocity; }},
    WheelEntry{"wheel_pitch_velocity", Dimension::none, OfBoth::none, NumberNeeds::request,
               "pitch velocity [rad/s] of a wheel that turns independently of the other one; of a "
               "shift the pitch [rad]",
               [](const Wheel& w) { return w.is_independent ? w.pitch_velocity : kUnknown; }},
    WheelEntry{"least_gap", Dimension::length, OfBoth::none, NumberNeeds::position,
               "least vertical gap of the undeformed bodies, negative where they overlap",
               [](const Wheel& w) { return w.nearest.gap; }},
    WheelEntry{"nearest_y", Dimension::length, OfBoth::none, NumberNeeds::position,
               "where the gap is least, in track coordinates, to the right",
               [](const Wheel& w) { return w.nearest.y; }},
    WheelEntry{"nearest_angle", Dimension::angle, OfBoth::none, NumberNeeds::position,
               "inclination of the rail there, positive where it falls to the right",
               [](const Wheel& w) { return w.nearest.angle; }},
    WheelEntry{"nearest_rail_y", Dimension::length, OfBoth::none, NumberNeeds::position,
               "the same place in the rail's profile",
               [](const Wheel& w) { return w.nearest.rail_y; }},
    WheelEntry{"nearest_wheel_y", Dimension::length, OfBoth::none, NumberNeeds::position,
               "the same place in the wheel's profile",
               [](const Wheel& w) { return w.nearest.wheel_y; }},
    WheelEntry{"rolling_radius", Dimension::length, OfBoth::none, NumberNeeds::position,
               "radius of the wheel where the gap is least",
               [](const Wheel& w) { return w.nearest.radius; }},
    WheelEntry{"rolling_radius_difference", Dimension::length, OfBoth::right, NumberNeeds::position,
               "that of the right wheel less that of the left one; of a wheel alone the other one "
               "is its mirror image",
               [](const Wheel& w) { return w.radius_difference; }},
    WheelEntry{"track_force_x", Dimension::force, OfBoth::sum, NumberNeeds::solution,
               "force on the rail along the track",
               [](const Wheel& w) { return w.track_force.x(); }},
    WheelEntry{"track_force_y", Dimension::force, OfBoth::sum, NumberNeeds::solution,
               "force on the rail to the right; of both wheels the sum of Y",
               [](const Wheel& w) { return w.track_force.y(); }},
    WheelEntry{"track_force_z", Dimension::force, OfBoth::sum, NumberNeeds::solution,
               "force on the rail downwards; of a wheel Q",
               [](const Wheel& w) { return w.track_force.z(); }},
    WheelEntry{"guiding_force", Dimension::force, OfBoth::none, NumberNeeds::solution,
               "Y: force on the rail along the track's plane, outwards", guiding_force},
    WheelEntry{"lateral_over_vertical", Dimension::none, OfBoth::none, NumberNeeds::request,
               "Y/Q, also called L/V: guiding_force over track_force_z", lateral_over_vertical},
    WheelEntry{"flange_angle", Dimension::angle, OfBoth::none, NumberNeeds::request,
               "greatest inclination of the wheel's flange towards its tread, over 2 mm of it",
               [](const Wheel& w) { return w.flange_angle; }},
    WheelEntry{"nadal_limit", Dimension::none, OfBoth::none, NumberNeeds::request,
               "Nadal's limit of Y/Q, (tan d - mu)/(1 + mu tan d): flange angle d, mu of the "
               "steepest contact",
               nadal_limit},
    WheelEntry{"weinstock_sum", Dimension::none, OfBoth::pair, NumberNeeds::request,
               "sum of |Y/Q| of both wheels", no_number, weinstock_sum},
    WheelEntry{
        "weinstock_limit", Dimension::none, OfBoth::pair, NumberNeeds::request,
        "Weinstock's limit of this sum: Nadal's of the wheel with the greater Y/Q, and mu of "
        "the other",
        no_number, weinstock_limit},
    WheelEntry{"track_moment_x", Dimension::moment, OfBoth::sum, NumberNeeds::solution,
               "moment of the forces on the rail about the axle's centre, along the track",
               [](const Wheel& w) { return w.track_moment.x(); }},
    WheelEntry{"track_moment_y", Dimension::moment, OfBoth::sum, NumberNeeds::solution,
               "the same about the axis to the right",
               [](const Wheel& w) { return w.track_moment.y(); }},
    WheelEntry{"track_moment_z", Dimension::moment, OfBoth::sum, NumberNeeds::solution,
               "the same about the axis downwards",
               [](const Wheel& w) { return w.track_moment.z(); }},
    WheelEntry{"wheelset_force_x", Dimension::force, OfBoth::sum, NumberNeeds::solution,
               "force on the rail along the wheelset's x axis",
               [](const Wheel& w) { return w.wheelset_force.x(); }},
    WheelEntry{"wheelset_force_y", Dimension::force, OfBoth::sum, NumberNeeds::solution,
               "the same along the axle", [](const Wheel& w) { return w.wheelset_force.y(); }},
    WheelEntry{"wheelset_force_z", Dimension::force, OfBoth::sum, NumberNeeds::solution,
               "the same along the wheelset's z axis",
               [](const Wheel& w) { return w.wheelset_force.z(); }},
    WheelEntry{"contact_count", Dimension::none, OfBoth::sum, NumberNeeds::solution,
               "contacts of the wheel",
               [](const Wheel& w) { return static_cast<double>(w.patches.size()); }},
    WheelEntry{"heights_solved", Dimension::none, OfBoth::sum, NumberNeeds::solution,
               "heights at which the contacts were solved until the forces were met",
               [](const Wheel& w) { return static_cast<double>(w.positions); }},
    WheelEntry{"complete_solutions", Dimension::none, OfBoth::sum, NumberNeeds::solution,
               "solutions that include the tangential problem; one for each pitch velocity tried",
               [](const Wheel& w) { return static_cast<double>(w.complete_solutions); }},
    WheelEntry{"wheel_seconds", Dimension::time, OfBoth::sum, NumberNeeds::solution,
               "wall time of the whole step", [](const Wheel& w) { return w.seconds; }},
};

constexpr std::array<std::string_view, 2> kSidePrefixes{"left_", "right_"};

constexpr std::array kContact = {
    ContactEntry{"track_x", Dimension::length, "reference point in track coordinates, forward",
                 [](const Contact& c) { return c.patch.frame.origin.x(); }},
    ContactEntry{"track_y", Dimension::length, "the same, to the right",
                 [](const Contact& c) { return c.patch.frame.origin.y(); }},
    ContactEntry{"track_z", Dimension::length, "the same, downwards",
                 [](const Contact& c) { return c.patch.frame.origin.z(); }},
    ContactEntry{"contact_angle", Dimension::angle,
                 "turn of the contact plane about x, positive where it falls to the right",
                 [](const Contact& c) { return c.patch.angle; }},
    ContactEntry{"rail_y", Dimension::length, "reference point in the rail's profile",
                 [](const Contact& c) { return c.patch.on_rail.y(); }},
    ContactEntry{"rail_z", Dimension::length, "the same, downwards",
                 [](const Contact& c) { return c.patch.on_rail.z(); }},
    ContactEntry{"wheel_x", Dimension::length, "reference point in the wheel's profile, forward",
                 [](const Contact& c) { return c.patch.on_wheel.x(); }},
    ContactEntry{"wheel_y", Dimension::length, "the same, across",
                 [](const Contact& c) { return c.patch.on_wheel.y(); }},
    ContactEntry{"wheel_z", Dimension::length, "the same, downwards",
                 [](const Contact& c) { return c.patch.on_wheel.z(); }},
    ContactEntry{"normal_turning", Dimension::angle,
                 "how much the rail's normal turns within the contact",
                 [](const Contact& c) { return c.patch.turning; }},
    ContactEntry{"reference_velocity", Dimension::velocity, "V, over which creepages are taken",
                 [](const Contact& c) { return c.patch.creepages.velocity; }},
    ContactEntry{"elements", Dimension::none, "elements of the potential contact area",
                 [](const Contact& c) { return static_cast<double>(c.patch.grid.count()); }},
    ContactEntry{"contact_track_force_x", Dimension::force,
                 "force of the contact on the rail along the track",
                 [](const Contact& c) { return c.track_force().x(); }},
    ContactEntry{"contact_track_force_y", Dimension::force, "the same to the right",
                 [](const Contact& c) { return c.track_force().y(); }},
    ContactEntry{"contact_track_force_z", Dimension::force, "the same downwards",
                 [](const Contact& c) { return c.track_force().z(); }},
    ContactEntry{"contact_rail_force_y", Dimension::force,
                 "the same along the rail profile's y axis",
                 [](const Contact& c) { return c.rail_force.y(); }},
    ContactEntry{"contact_rail_force_z", Dimension::force,
                 "the same along the rail profile's z axis",
                 [](const Contact& c) { return c.rail_force.z(); }},
};

// Numbers of contacts that combine in another way than Combined::heaviest.
// The wheel has these itself, or they belong to a single contact: the course of its solution,
// depths of its greatest stress, gaps of its grid.
constexpr std::string_view kNotCombined[] = {"contact_track_force_x",
                                             "contact_track_force_y",
                                             "contact_track_force_z",
                                             "contact_rail_force_y",
                                             "contact_rail_force_z",
                                             "elements",
                                             "iterations_normal",
                                             "iterations_tangential",
                                             "iterations_outer",
                                             "matrix_products",
                                             "matrix_products_coarse",
                                             "seconds",
                                             "max_von_mises_depth",
                                             "max_tresca_depth",
                                             "max_dang_van_depth",
                                             "max_crossland_depth",
                                             "mean_gap",
                                             "open_along_x",
                                             "open_along_y"};
constexpr std::string_view kSummed[] = {
    "elements_contact",   "elements_adhesion",    "elements_slip",
    "elements_plastic",   "elements_yielding",    "adhesive_force",
    "elastic_energy",     "friction_work",        "friction_work_error",
    "friction_power",     "friction_power_error", "t_gamma",
    "t_gamma_error",      "t_gamma_spin",         "t_gamma_elements",
    "worn_area",          "heat_upper",           "heat_lower",
    "rolling_resistance", "contact_area",         "contact_area_corrected",
    "contact_perimeter",  "contact_spots",        "friction_work_total"};
constexpr std::string_view kGreatestOf[] = {"max_pressure",
                                            "normal_turning",
                                            "residual",
                                            "first_order_rows",
                                            "rcf_damage",
                                            "max_wear_depth",
                                            "max_temperature",
                                            "max_temperature_upper",
                                            "max_temperature_lower",
                                            "surface_fatigue_index",
                                            "largest_spot_area",
                                            "max_von_mises",
                                            "max_tresca",
                                            "max_dang_van",
                                            "max_crossland"};
constexpr std::string_view kLeastOf[] = {"shakedown_reserve"};
struct CombinedNumbers {
  Combined how;
  std::span<const std::string_view> names;
};
constexpr std::array<CombinedNumbers, 4> kCombined = {{{Combined::none, kNotCombined},
                                                       {Combined::sum, kSummed},
                                                       {Combined::greatest, kGreatestOf},
                                                       {Combined::least, kLeastOf}}};

// Combines the numbers of the contacts on `side`, or of all, into one each.
NamedNumbers combined(const WheelRecord& record, std::string_view side = {}) {
  const NamedNumbers* heaviest = nullptr;
  NamedNumbers numbers;
  for (std::size_t i = 0; i < record.contacts.size(); ++i) {
    if (!side.empty() && record.contact_sides[i] != side) continue;
    const NamedNumbers& contact = record.contacts[i];
    if (heaviest == nullptr || contact.at("normal_force") > heaviest->at("normal_force"))
      heaviest = &contact;
    for (const auto& [how, names] : kCombined) {
      if (how == Combined::none) continue;
      for (const std::string_view name : names) {
        const auto found = contact.find(name);
        if (found == contact.end()) continue;
        const auto [place, is_first] = numbers.insert(*found);
        if (is_first) continue;
        double& value = place->second;
        if (how == Combined::sum) value += found->second;
        if (how == Combined::greatest) value = std::max(value, found->second);
        if (how == Combined::least) value = std::min(value, found->second);
      }
    }
  }
  if (heaviest == nullptr) return numbers;
  for (const auto& number : *heaviest)
    if (combined_how(number.first) == Combined::heaviest) numbers.insert(number);
  return numbers;
}

}  // namespace

std::string_view side_name(Side side) { return side == Side::left ? "left" : "right"; }

std::string_view without_side(std::string_view name) {
  for (const std::string_view prefix : kSidePrefixes)
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  return name;
}

Combined combined_how(std::string_view name) {
  // A hash table, because a sweep asks for each number of each contact.
  static const auto found = [] {
    std::unordered_map<std::string_view, Combined> how;
    for (const CombinedNumbers& numbers : kCombined)
      for (const std::string_view each : numbers.names) how[each] = numbers.how;
    return how;
  }();
  const auto entry = found.find(name);
  return entry == found.end() ? Combined::heaviest : entry->second;
}

std::vector<std::string_view> combined_names() {
  std::vector<std::string_view> names;
  for (const CombinedNumbers& numbers : kCombined)
    names.insert(names.end(), numbers.names.begin(), numbers.names.end());
  return names;
}

std::span<const ContactEntry> contact_table() { return kContact; }
const WheelEntry* find_wheel_entry(std::string_view name) {
  return find_by_name(kWheel, without_side(name));
}
const ContactEntry* find_contact_entry(std::string_view name) {
  return find_by_name(kContact, name);
}
const SurfaceNumberEntry* surface_number_behind(std::string_view name) {
  return find_surface_number(without_side(name));
}

std::vector<std::string> wheel_entry_names() {
  std::vector<std::string> names;
  for (const WheelEntry& entry : kWheel) names.emplace_back(entry.name);
  for (const std::string_view prefix : kSidePrefixes)
    for (const WheelEntry& entry : kWheel)
      if (entry.of_both != OfBoth::axle && entry.of_both != OfBoth::pair)
        names.push_back(std::string(prefix).append(entry.name));
  return names;
}

NamedNumbers wheelset_numbers(const SolvedWheelset& wheelset) {
  const std::vector<SolvedWheel>& wheels = wheelset.wheels;
  NamedNumbers numbers;
  for (const WheelEntry& entry : kWheel) {
    if (wheelset.geometry_only && entry.needs == NumberNeeds::solution) continue;
    const std::string name(entry.name);
    const bool always = entry.needs != NumberNeeds::request;
    if (wheels.size() == 1) {
      const double value = entry.get(wheels.front());
      if (always || !std::isnan(value)) numbers[name] = value;
      continue;
    }
    if (entry.of_both == OfBoth::pair) {
      const double value = entry.of_pair(wheels[0], wheels[1]);
      if (!std::isnan(value)) numbers[name] = value;
      continue;
    }
    const std::array values{entry.get(wheels[0]), entry.get(wheels[1])};
    if (!always && std::isnan(values[0]) && std::isnan(values[1])) continue;
    if (entry.of_both == OfBoth::sum) numbers[name] = values[0] + values[1];
    if (entry.of_both == OfBoth::right) numbers[name] = values[1];
    if (entry.of_both == OfBoth::axle) continue;
    for (std::size_t i = 0; i < kSidePrefixes.size(); ++i)
      numbers[std::string(kSidePrefixes[i]) + name] = values[i];
  }
  numbers["axle_z"] = wheelset.pose.z;
  numbers["axle_roll"] = wheelset.pose.roll;
  if (!std::isnan(wheelset.pose.pitch_velocity))
    numbers["axle_pitch_velocity"] = wheelset.pose.pitch_velocity;
  return numbers;
}

NamedNumbers contact_numbers(const SolvedPatch& contact) {
  NamedNumbers numbers = step_numbers(contact.input, contact.report);
  for (const ContactEntry& entry : kContact) numbers[std::string(entry.name)] = entry.get(contact);
  return numbers;
}

double WheelRecord::get(std::string_view name, int contact) const {
  const auto count = static_cast<int>(contacts.size());
  if (contact > count) return kUnknown;
  const NamedNumbers numbers =
      contact > 0 ? contacts[static_cast<std::size_t>(contact) - 1] : totals();
  const auto found = numbers.find(name);
  return found == numbers.end() ? kUnknown : found->second;
}

void WheelRecord::add(const std::vector<NamedNumbers>& of_contacts) {
  for (std::size_t i = 0; i < of_contacts.size(); ++i)
    contacts[i].insert(of_contacts[i].begin(), of_contacts[i].end());
}

NamedNumbers WheelRecord::totals() const {
  NamedNumbers numbers = wheel;
  numbers.merge(combined(*this));
  if (side == "both")
    for (const std::string_view prefix : kSidePrefixes)
      for (const auto& [name, value] : combined(*this, prefix.substr(0, prefix.size() - 1)))
        numbers.emplace(std::string(prefix).append(name), value);
  return numbers;
}

NamedNumbers WheelRecord::totals_of(std::string_view one_side) const {
  NamedNumbers numbers = combined(*this, one_side);
  if (side != "both") {
    numbers.insert(wheel.begin(), wheel.end());
    return numbers;
  }
  const std::string prefix = std::string(one_side) + "_";
  for (const auto& [name, value] : wheel) {
    if (name.starts_with(prefix)) numbers[name.substr(prefix.size())] = value;
    const WheelEntry* const entry = find_by_name(kWheel, name);
    if (entry != nullptr && entry->of_both == OfBoth::axle) numbers[name] = value;
  }
  return numbers;
}

std::vector<TableRow> WheelRecord::rows() const {
  const bool both = side == "both";
  std::vector<TableRow> rows = {{side, 0, combined(*this)}};
  for (const auto& [name, value] : wheel)
    if (!both || without_side(name) == name) rows.front().totals[name] = value;
  for (const std::string one : {"left", "right"}) {
    if (both) rows.push_back({one, 0, combined(*this, one)});
    if (both)
      for (const auto& [name, value] : wheel)
        if (name.starts_with(one + "_")) rows.back().totals[name.substr(one.size() + 1)] = value;
    int counted = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i)
      if (contact_sides[i] == one)
        rows.push_back({one, ++counted, contacts[i], i < worn.size() ? worn[i] : WornRows{}});
  }
  return rows;
}

namespace {

WornRows worn_rows(const SolvedPatch& contact) {
  WornRows rows;
  rows.depth = contact.solution.wear_profile;
  for (int iy = 0; iy < static_cast<int>(rows.depth.size()); ++iy)
    rows.y.push_back(contact.patch.grid.y(iy));
  return rows;
}

}  // namespace

std::string_view side_name(const SolvedWheelset& wheelset) {
  return wheelset.wheels.size() > 1 ? "both" : side_name(wheelset.wheels.front().side);
}

WheelRecord wheel_record(int number, const SolvedWheelset& wheelset) {
  WheelRecord record{number,
                     wheelset.outcome,
                     wheelset.message,
                     std::string(side_name(wheelset)),
                     wheelset_numbers(wheelset),
                     {},
                     {},
                     false,
                     {},
                     {}};
  for (const SolvedWheel& wheel : wheelset.wheels)
    for (const SolvedPatch& contact : wheel.patches) {
      record.contacts.push_back(contact_numbers(contact));
      record.contact_sides.emplace_back(side_name(wheel.side));
      record.worn.push_back(worn_rows(contact));
      record.touches_edge = record.touches_edge || contact.report.touches_edge;
    }
  return record;
}

std::vector<std::string> wheel_number_names() {
  std::vector<std::string> of_contact;
  for (const ContactEntry& entry : kContact) of_contact.emplace_back(entry.name);
  for (std::string& name : quantity_names())  // the errors of a wheel's are not estimated
    if (find_error(name) == nullptr) of_contact.push_back(std::move(name));
  std::vector<std::string> names = wheel_entry_names();
  for (const std::string_view prefix : kSidePrefixes)
    for (const std::string& name : of_contact)
      if (combined_how(name) != Combined::none) names.push_back(std::string(prefix).append(name));
  names.insert(names.end(), of_contact.begin(), of_contact.end());
  return names;
}

std::string wheel_table_markdown(Units units) {
  std::string text = "| Attribute of a step of a wheel | Unit | Description |\n|---|---|---|\n";
  for (const WheelEntry& entry : kWheel)
    text += markdown_row(entry.name, entry.dimension, entry.description, units);
  text += "\n| Attribute of a contact of a wheel | Unit | Description |\n|---|---|---|\n";
  for (const ContactEntry& entry : kContact)
    text += markdown_row(entry.name, entry.dimension, entry.description, units);
  return text;
}

}  // namespace slipfield
