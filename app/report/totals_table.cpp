// SPDX-License-Identifier: Apache-2.0
#include "app/report/totals_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "io/result/step_attributes.h"

namespace slipfield {
namespace {

constexpr std::size_t kNarrowest = 10;  // of the values of a key
constexpr std::size_t kWidest = 30;
constexpr std::size_t kTotalWidth = 12;

enum class Lines { all, of_contacts, of_steps };

struct KnownTotal {
  std::string_view name;
  std::string_view head;
  std::string_view format;
  int rank;  // the greatest is left out first
  Lines lines = Lines::all;
  std::string_view other = {};  // the same total of the other wheel
};
constexpr int kMotionRank = 1;  // left out late
// The same for a wheel's contacts, with Kalker's symbols.
constexpr std::array kMotionsByContact = {
    KnownTotal{"creepage_x", "xi", "{:.3g}", 1, Lines::of_contacts},
    KnownTotal{"creepage_y", "eta", "{:.3g}", 1, Lines::of_contacts},
    KnownTotal{"spin", "spin", "{:.3g}", 6, Lines::of_contacts},
};
constexpr std::array kKnown = {
    KnownTotal{"track_y", "y", "{:.3f}", 0, Lines::of_contacts},
    KnownTotal{"contact_angle", "angle", "{:.4f}", 3, Lines::of_contacts},
    KnownTotal{"normal_force", "F_n", "{:.5g}", 1},
    KnownTotal{"approach", "approach", "{:.5g}", 7, Lines::of_steps},
    KnownTotal{"max_pressure", "p_max", "{:.5g}", 2},
    KnownTotal{"force_x", "F_x", "{:.5g}", 0},
    KnownTotal{"force_y", "F_y", "{:.5g}", 0},
    KnownTotal{"moment_z", "M_z", "{:.5g}", 8},
    KnownTotal{"elements_contact", "contact", "{:.0f}", 5},
    KnownTotal{"elements_adhesion", "adhesion", "{:.0f}", 9, Lines::of_steps},
    KnownTotal{"elements_slip", "slip", "{:.0f}", 4},
    KnownTotal{"iterations_normal", "iterations n/t/o", "{:.0f}", 11,
               Lines::of_steps},  // with the others
    KnownTotal{"seconds", "time", "{:.3g}", 10, Lines::of_steps},
};

// Totals of a single wheel.
constexpr std::array kOfOneWheel = {
    KnownTotal{"track_force_x", "F_x", "{:.6g}", 0},
    KnownTotal{"track_force_y", "F_y", "{:.6g}", 0},
    KnownTotal{"track_force_z", "F_z", "{:.6g}", 0},
    KnownTotal{"max_pressure", "p_max", "{:.5g}", 1},
    KnownTotal{"t_gamma", "T-gamma", "{:.4g}", 2},
    KnownTotal{"contact_count", "contacts", "{:.0f}", 3},
    KnownTotal{"rolling_radius", "radius", "{:.4f}", 4},
};

// Totals of a wheelset's two wheels, side by side: a pair is left out together.
constexpr std::array kOfBothWheels = {
    KnownTotal{"left_track_force_x", "left F_x", "{:.6g}", 2, Lines::all, "right_track_force_x"},
    KnownTotal{"left_track_force_y", "left F_y", "{:.6g}", 0, Lines::all, "right_track_force_y"},
    KnownTotal{"left_track_force_z", "left F_z", "{:.6g}", 1, Lines::all, "right_track_force_z"},
    KnownTotal{"right_track_force_x", "right F_x", "{:.6g}", 2, Lines::all, "left_track_force_x"},
    KnownTotal{"right_track_force_y", "right F_y", "{:.6g}", 0, Lines::all, "left_track_force_y"},
    KnownTotal{"right_track_force_z", "right F_z", "{:.6g}", 1, Lines::all, "left_track_force_z"},
    KnownTotal{"left_nearest_y", "left y", "{:.6g}", 1, Lines::all, "right_nearest_y"},
    KnownTotal{"right_nearest_y", "right y", "{:.6g}", 1, Lines::all, "left_nearest_y"},
    KnownTotal{"left_nearest_angle", "left angle", "{:.4f}", 2, Lines::all, "right_nearest_angle"},
    KnownTotal{"right_nearest_angle", "right angle", "{:.4f}", 2, Lines::all, "left_nearest_angle"},
};

const KnownTotal* find_known(std::string_view name, bool by_contact) {
  using Totals = std::span<const KnownTotal>;
  for (const Totals totals : {by_contact ? Totals(kMotionsByContact) : Totals(), Totals(kKnown),
                              Totals(kOfOneWheel), Totals(kOfBothWheels)})
    for (const KnownTotal& known : totals)
      if (known.name == name) return &known;
  return nullptr;
}

std::string key_text(const SweepInput& input, std::size_t point) {
  const std::string text = value_text(input, point);
  return input.is_number() || text.size() <= kWidest ? text : text.substr(0, kWidest - 3) + "...";
}

std::size_t width_of(const SweepInput& input) {
  std::size_t width = std::max(kNarrowest, input.key.size());
  for (std::size_t point = 0; point < input.texts.size(); ++point)
    width = std::max(width, key_text(input, point).size());
  return width;
}

// Whether the total equals the key's value, except for rounding.
bool is_set_by(const SweepInput& input, const SweepColumn& total) {
  const auto same = [](double a, double b) { return std::fabs(a - b) <= 1.0e-12 * std::fabs(a); };
  return std::equal(input.numbers.begin(), input.numbers.end(), total.values.begin(),
                    total.values.end(), same);
}

std::string total_text(const SweepTable& table, std::size_t row, const std::string& name,
                       bool by_contact) {
  const double value = shown_total(table, name, row);
  if (std::isnan(value)) return "-";
  if (name == "iterations_normal")
    return fmt::format("{:.0f}/{:.0f}/{:.0f}", value, table.total(row, "iterations_tangential"),
                       table.total(row, "iterations_outer"));
  const KnownTotal* known = find_known(name, by_contact);
  return fmt::format(fmt::runtime(known == nullptr ? "{:.5g}" : known->format),
                     value == 0.0 ? 0.0 : value);  // no -0
}

// The step's rows of whole wheels: those of the sides, then its first row.
std::vector<std::size_t> wheel_rows(const SweepTable& table, std::size_t first) {
  std::vector<std::size_t> rows;
  for (std::size_t row = first + 1; row < table.end_of_step(first); ++row)
    if (table.keys[row].contact == 0) rows.push_back(row);
  rows.push_back(first);
  return rows;
}

// Empty for the rows of one side, for the axle is that of both.
std::string axle_text(const SweepTable& table, std::size_t first) {
  if (std::isnan(table.total(first, "axle_z"))) return {};
  std::string text = fmt::format("; axle z {:.4f} mm", table.total(first, "axle_z"));
  if (table.keys[first].side == "both")
    text += fmt::format(", roll {:.4g} rad", table.total(first, "axle_roll"));
  return text;
}

// Shows sums along and across the track next to the downward force.
std::string force_line(const SweepTable& table, std::size_t first, std::size_t row) {
  const double down = table.total(row, "track_force_z");
  const auto shown = [&](const char* name, std::string_view like) {
    return without_noise(like, table.total(row, name), [&](std::string_view other) {
      return other == "normal_force" ? down : 0.0;
    });
  };
  const std::string& side = table.keys[row].side;
  const std::string where =
      row != first ? fmt::format("{} rail", side) : (side == "both" ? "both rails" : "rail");
  std::string text =
      fmt::format(" on {}: {:.5g}, {:.5g}, {:.6g} N", where, shown("track_force_x", "force_x"),
                  shown("track_force_y", "force_y"), down);
  if (const double t_gamma = table.total(row, "t_gamma"); !std::isnan(t_gamma))
    text += fmt::format("; T-gamma {:.4g} N", t_gamma);
  if (const double radius = table.total(row, "rolling_radius"); !std::isnan(radius))
    text += fmt::format("; radius {:.4f} mm", radius);
  return row == first ? text + axle_text(table, first) : text;
}

// The distance of a wheel without contacts from the rail; in the row of both wheels, the axle's
// place.
std::string nearest_line(const SweepTable& table, std::size_t first, std::size_t row) {
  constexpr double kNoGap = 1.0e-7;  // [mm], rounding of the search
  const std::string& side = table.keys[row].side;
  if (const std::string axle = axle_text(table, first); side == "both")
    return axle.empty() ? axle : "   " + axle.substr(2);
  const double gap = table.total(row, "least_gap");
  return fmt::format(
      "   {}: {}least gap {:.4g} mm at y = {:.4f} mm, angle {:.4f} rad, radius {:.4f} mm",
      std::isnan(table.total(first, "contact_count")) ? "not solved" : "no contact",
      row == first ? "" : side + ", ", std::fabs(gap) < kNoGap ? 0.0 : gap,
      table.total(row, "nearest_y"), table.total(row, "nearest_angle"),
      table.total(row, "rolling_radius"));
}

}  // namespace

bool needs_friction(std::string_view total) {
  return total == "elements_adhesion" || total == "elements_slip";
}

std::string value_text(const SweepInput& input, std::size_t point) {
  return input.is_number() ? fmt::format("{:.6g}", input.numbers[point]) : input.texts[point];
}

double shown_total(const SweepTable& table, std::string_view name, std::size_t row) {
  if (needs_friction(name) && table.total(row, "friction_coefficient") == 0.0 &&
      !(table.total(row, "shear_strength") > 0.0))
    return std::nan("");
  constexpr std::string_view kRatio = "force_ratio_";
  const double value = table.total(row, name);
  if (name.starts_with(kRatio) && !std::isnan(value) &&
      shown_total(table, fmt::format("force_{}", name.substr(kRatio.size())), row) == 0.0)
    return 0.0;
  return without_noise(name, value,
                       [&](std::string_view other) { return table.total(row, other); });
}

double to_two_digits(double value) {
  if (!(value > 0.0) || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  return unit * std::round(value / unit);
}

std::vector<std::string> contact_totals(const std::vector<std::string>& motions, bool by_contact) {
  std::vector<std::string> names;
  for (const KnownTotal& known : kKnown) {
    if (known.lines != (by_contact ? Lines::of_steps : Lines::of_contacts))
      names.emplace_back(known.name);
    if (known.name == "force_y") names.insert(names.end(), motions.begin(), motions.end());
  }
  return names;
}

std::vector<std::string> wheel_totals(bool both_wheels, bool place_only) {
  if (!place_only) {
    if (!both_wheels)
      return {"track_force_x", "track_force_y", "track_force_z", "max_pressure",
              "t_gamma",       "contact_count", "rolling_radius"};
    return {
        "left_track_force_x", "right_track_force_x", "left_track_force_y", "right_track_force_y",
        "left_track_force_z", "right_track_force_z", "max_pressure",       "t_gamma"};
  }
  if (!both_wheels)
    return {"rolling_radius", "rolling_radius_difference", "nearest_y", "nearest_angle", "axle_z"};
  return {"rolling_radius_difference", "left_nearest_y",      "right_nearest_y",
          "left_nearest_angle",        "right_nearest_angle", "axle_roll"};
}

void TotalsSurvey::add(const SweepTable& table) {
  if (table.count() == 0) return;
  const SweepTable rows = one_row_a_step(table);
  counts_.add(rows);
  if (shown_.keys.empty())
    for (const SweepInput& input : rows.inputs) shown_.keys.push_back(input.key);
  shown_.widths.resize(rows.inputs.size(), 0);
  for (std::size_t i = 0; i < rows.inputs.size(); ++i)
    shown_.widths[i] = std::max(shown_.widths[i], width_of(rows.inputs[i]));
  shown_.by_contact = rows.inputs.empty() && !rows.keys.front().side.empty();
  const SweepTable& shown = shown_.by_contact ? table : rows;
  for (const SweepColumn& column : shown.columns) with_numbers_.insert(column.name);
  for (const char* name : {"shift_x", "shift_y", "creepage_x", "creepage_y", "spin"}) {
    const SweepColumn* column = shown.find(name);
    if (column == nullptr) continue;
    Motion& motion = motions_[name];
    motion.set_by.resize(rows.inputs.size(), true);
    for (std::size_t row = 0; row < column->values.size(); ++row) {
      if (std::isnan(column->values[row])) continue;
      const double value = shown_total(shown, name, row);
      motion.least = std::min(motion.least, value);
      motion.greatest = std::max(motion.greatest, value);
    }
    for (std::size_t i = 0; i < rows.inputs.size(); ++i)
      motion.set_by[i] = motion.set_by[i] && is_set_by(rows.inputs[i], *column);
  }
}

std::vector<std::string> TotalsSurvey::motions() const {
  std::vector<std::string> names;
  for (const auto& [name, motion] : motions_) {
    const bool set =
        std::find(motion.set_by.begin(), motion.set_by.end(), true) != motion.set_by.end();
    const bool zero = motion.least == 0.0 && motion.greatest == 0.0;
    const bool given = name == "spin" && !shown_.by_contact;  // of most steps
    if (shown_.keys.empty() ? !zero && !given : motion.least < motion.greatest && !set)
      names.push_back(name);
  }
  return names;
}

ShownTotals TotalsSurvey::shown() const {
  ShownTotals shown = shown_;
  const auto take = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (with_numbers_.contains(name)) shown.totals.push_back(name);
  };
  const bool both_wheels = with_numbers_.contains("left_nearest_y");
  if (!shown.by_contact && (both_wheels || with_numbers_.contains("nearest_y")))
    take(wheel_totals(both_wheels, !with_numbers_.contains("track_force_z")));
  else
    take(contact_totals(motions(), shown.by_contact));
  return shown;
}

TotalsTable::TotalsTable(ShownTotals shown, Units units, int width) : shown_(std::move(shown)) {
  const bool points = !shown_.keys.empty();
  columns_.push_back({points ? "point" : "step", "", points ? 6U : 5U, 0});
  for (std::size_t i = 0; i < shown_.keys.size(); ++i)
    columns_.push_back({shown_.keys[i], "", 2 + shown_.widths[i], 0});
  if (shown_.by_contact) columns_.push_back({"contact", "", 8, 0});
  int rank = 0;  // of totals that are not known: the last ones are left out first
  for (const std::string& name : shown_.totals) {
    const bool motion = name.starts_with("creepage") || name.starts_with("shift") || name == "spin";
    add_total(name, motion ? kMotionRank : rank++, units);
  }
  fitting_ = columns_that_fit(columns_, kOutcomeWidth, width);
  leave_out_single_wheels();
}

// Leaves out totals that only one of the wheels shows.
void TotalsTable::leave_out_single_wheels() {
  const std::size_t first = columns_.size() - shown_.totals.size();  // column of a total
  std::set<std::string_view> fitting;
  for (const std::size_t i : fitting_)
    if (i >= first) fitting.insert(shown_.totals[i - first]);
  std::erase_if(fitting_, [&](std::size_t i) {
    const KnownTotal* known = i < first ? nullptr : find_known(shown_.totals[i - first], false);
    return known != nullptr && !known->other.empty() && !fitting.contains(known->other);
  });
}

void TotalsTable::add_total(const std::string& name, int rank, Units units) {
  const KnownTotal* known = find_known(name, shown_.by_contact);
  const bool of_both_wheels = known != nullptr && !known->other.empty();
  const std::string head(known == nullptr ? name : known->head);
  std::string unit(unit_text(quantity_dimension(name), units));
  std::size_t width = kTotalWidth;
  if (name.starts_with("elements_")) unit = "elements";
  if (name.starts_with("iterations_")) unit = "";
  if (name.starts_with("elements_") || name == "seconds" || name == "contact_angle" ||
      of_both_wheels)
    width = 10;
  if (shown_.by_contact) width = name == "contact_angle" || name == "max_pressure" ? 8 : 10;
  const std::size_t space = of_both_wheels ? 1 : 2;
  columns_.push_back(
      {head, unit, std::max(width, head.size() + space), known == nullptr ? rank : known->rank});
}

std::vector<std::string> TotalsTable::head() const {
  std::vector<std::string> lines = table_head(columns_, fitting_);
  if (shown_.by_contact)
    lines.insert(lines.begin(),
                 "F, creepages xi, eta: along the contact's own axes; below: on the rail forward, "
                 "right, down");
  else if (std::ranges::find(shown_.totals, "left_track_force_y") != shown_.totals.end())
    lines.insert(lines.begin(),
                 "forces on the rails along the track's axes: F_x forward, F_y right, F_z down");
  return lines;
}

std::string TotalsTable::line(const SweepTable& table, std::size_t first, std::size_t row,
                              int contact) const {
  const RowKey& key = table.keys[row];
  const bool names_step = contact <= 1;
  const int number = shown_.keys.empty() ? key.step : key.point;
  std::vector<std::string> cells = {names_step ? std::to_string(number) : ""};
  for (const SweepInput& input : table.inputs) cells.push_back(key_text(input, row));
  if (shown_.by_contact) cells.push_back(std::to_string(contact));
  for (const std::string& name : shown_.totals)
    cells.push_back(total_text(table, row, name, shown_.by_contact));
  std::string line;
  for (const std::size_t i : fitting_)
    line += fmt::format("{:>{}}", " " + cells[i], columns_[i].width);
  if (!names_step) return line;
  return line + fmt::format("  {}{}", point_outcome_name(table.outcomes[first]),
                            table.touches_edge[first] != 0 ? ", touches the grid's edge" : "");
}

std::vector<std::string> TotalsTable::lines(const SweepTable& table, std::size_t first) const {
  if (!shown_.by_contact) return {line(table, first, first, 0)};
  std::vector<std::string> lines;
  int contact = 0;
  for (std::size_t row = first; row < table.end_of_step(first); ++row)
    if (table.keys[row].contact > 0) lines.push_back(line(table, first, row, ++contact));
  const std::string indent(columns_.front().width, ' ');
  std::string start = indent;
  if (contact == 0) start = fmt::format("{:>{}}", table.keys[first].step, indent.size());
  for (const std::size_t row : wheel_rows(table, first)) {
    lines.push_back(
        start + (contact > 0 ? force_line(table, first, row) : nearest_line(table, first, row)));
    start = indent;
  }
  return lines;
}

std::vector<std::string> number_lines(const SweepTable& table, std::size_t first, Units units,
                                      int width, bool frictionless) {
  std::vector<std::string> lines;
  int contact = 0;
  for (std::size_t row = first; row < table.end_of_step(first); ++row) {
    const RowKey& key = table.keys[row];
    if (key.contact > 0)
      lines.push_back(fmt::format("contact {}, of the {} wheel", ++contact, key.side));
    else if (row > first)
      lines.push_back(key.side + " wheel");
    for (const std::string& name : total_names()) {
      if (frictionless && needs_friction(name)) continue;
      double value = table.find(name) == nullptr ? std::nan("") : shown_total(table, name, row);
      if (std::isnan(value)) continue;
      // The row of the wheel's most loaded contact, below, has these numbers.
      if (!key.side.empty() && key.contact == 0 && find_wheel_entry(name) == nullptr &&
          combined_how(name) == Combined::heaviest)
        continue;
      if (name == "matrix_products_coarse" && value == 0.0) continue;  // most solvers have none
      if (find_error(name) != nullptr) value = to_two_digits(value);
      lines.push_back(
          number_line(name, value == 0.0 ? 0.0 : value, unit_text(quantity_dimension(name), units),
                      std::string(quantity_description(name)), static_cast<std::size_t>(width)));
    }
  }
  return lines;
}

}  // namespace slipfield
