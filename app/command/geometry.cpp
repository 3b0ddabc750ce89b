// SPDX-License-Identifier: Apache-2.0
// slipfield geometry: where a wheelset touches its rails as it moves across the track, its rolling
// radii, and the equivalent conicity (THEORY.md 13.12).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/figures/python.h"
#include "app/report/shown_table.h"
#include "app/report/step_table.h"
#include "app/run/load_case.h"
#include "io/case/wheel_rail/doubts.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/pending_file.h"
#include "io/plain_text.h"
#include "solver/error.h"
#include "solver/wheel_rail/wheelset/rolling_geometry.h"

namespace slipfield {
namespace {

constexpr double kFinestStep = 0.05;  // [mm] between the places that the conicity is formed from
constexpr double kOutsideView = 4.0;  // [mm] beyond the places shown: motions are not symmetric
constexpr double kSearchedSpacing = 0.02;  // [mm] of elements, which the search samples more finely
constexpr double kMostPositions = 10001.0;
constexpr double kFarthest = 1000.0;  // [mm]
constexpr double kUnknownNumber = std::numeric_limits<double>::quiet_NaN();

struct GeometryArguments {
  std::string case_path;
  std::vector<std::string> overrides;
  std::vector<double> shift = {-8.0, 8.0, 0.5};
  int point = 0;
  std::string output;
  std::string plot;
  bool json = false;
  bool overwrite = false;
};

struct GeometryRow {
  double y = 0.0;
  std::optional<WheelsetPlace> place;
  double level_difference = kUnknownNumber;  // of the rolling radii, without roll
  double conicity = kUnknownNumber;          // for the amplitude y > 0, without roll
  double rolled_conicity = kUnknownNumber;
};

struct GeometryColumn {
  std::string_view name;
  std::string_view unit;
  std::string_view head;    // in the printed table; empty: not there
  std::string_view format;  // there
  double (*get)(const GeometryRow& row);
};

constexpr std::array kGeometryColumns = {
    GeometryColumn{"wheelset_y", "mm", "y", "{:>8.2f}",  // at least: format_of_y
                   [](const GeometryRow& r) { return r.y; }},
    GeometryColumn{"axle_z", "mm", "", "", [](const GeometryRow& r) { return r.place->z; }},
    GeometryColumn{"axle_roll", "rad", "roll", "{:>10.6f}",
                   [](const GeometryRow& r) { return r.place->roll; }},
    GeometryColumn{"left_nearest_y", "mm", "left y", "{:>10.3f}",
                   [](const GeometryRow& r) { return r.place->left.y; }},
    GeometryColumn{"left_nearest_angle", "rad", "angle", "{:>8.4f}",
                   [](const GeometryRow& r) { return r.place->left.angle; }},
    GeometryColumn{"left_nearest_rail_y", "mm", "", "",
                   [](const GeometryRow& r) { return r.place->left.rail_y; }},
    GeometryColumn{"left_nearest_wheel_y", "mm", "", "",
                   [](const GeometryRow& r) { return r.place->left.wheel_y; }},
    GeometryColumn{"left_rolling_radius", "mm", "", "",
                   [](const GeometryRow& r) { return r.place->left.radius; }},
    GeometryColumn{"right_nearest_y", "mm", "right y", "{:>9.3f}",
                   [](const GeometryRow& r) { return r.place->right.y; }},
    GeometryColumn{"right_nearest_angle", "rad", "angle", "{:>8.4f}",
                   [](const GeometryRow& r) { return r.place->right.angle; }},
    GeometryColumn{"right_nearest_rail_y", "mm", "", "",
                   [](const GeometryRow& r) { return r.place->right.rail_y; }},
    GeometryColumn{"right_nearest_wheel_y", "mm", "", "",
                   [](const GeometryRow& r) { return r.place->right.wheel_y; }},
    GeometryColumn{"right_rolling_radius", "mm", "", "",
                   [](const GeometryRow& r) { return r.place->right.radius; }},
    GeometryColumn{"rolling_radius_difference", "mm", "dr", "{:>9.4f}",
                   [](const GeometryRow& r) { return r.place->radius_difference(); }},
    GeometryColumn{"level_radius_difference", "mm", "", "",
                   [](const GeometryRow& r) { return r.level_difference; }},
    GeometryColumn{"equivalent_conicity", "-", "conicity", "{:>10.4f}",
                   [](const GeometryRow& r) { return r.conicity; }},
    GeometryColumn{"rolled_conicity", "-", "with roll", "{:>10.4f}",
                   [](const GeometryRow& r) { return r.rolled_conicity; }},
};
constexpr std::size_t kOfPlaceFirst = 1;  // kGeometryColumns of a place that may not exist
constexpr std::size_t kOfPlaceLast = 13;

double value_of(std::size_t column, const GeometryRow& row) {
  const bool of_place = column >= kOfPlaceFirst && column <= kOfPlaceLast;
  return of_place && !row.place ? kUnknownNumber : kGeometryColumns[column].get(row);
}

// Lateral positions from FROM to TO by STEP; the last one is at TO or less than a step before it.
std::vector<double> positions_of(const std::vector<double>& shift) {
  const double from = shift.size() == 1 ? -shift[0] : shift[0];
  const double to = shift.size() == 1 ? shift[0] : shift[1];
  const double step = shift.size() == 3 ? shift[2] : 0.5;
  const double count = std::floor((to - from) / step * (1.0 + 1.0e-12)) + 1.0;
  if (!(step > 0.0) || !(to > from) || !(count <= kMostPositions) || !(from >= -kFarthest) ||
      !(to <= kFarthest))
    throw InputError(
        "--shift: no range of lateral positions; accepted: TO, FROM,TO or FROM,TO,STEP in mm with "
        "FROM < TO, from -1000 to 1000, at most 10001 positions");
  std::vector<double> positions;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const double at = from + i * step;
    positions.push_back(std::fabs(at) < 1.0e-9 * step ? 0.0 : at);
  }
  return positions;
}

// Both wheels of the case's first position, in the middle of the track without yaw. A rail that the
// case does not have is the mirror image of the other one.
WheelsetStep both_sides(const WheelsetStep& first) {
  WheelsetStep step = first;
  if (step.wheels.size() == 1) {
    WheelStep other = step.wheels.front();
    const bool is_left = other.position.side == Side::left;
    other.position.side = is_left ? Side::right : Side::left;
    Track& track = other.position.track;
    track.rail_y = track.rail_z = track.rail_roll = 0.0;
    if (track.rail_origin) track.rail_origin->front() = -track.rail_origin->front();
    step.wheels.insert(is_left ? step.wheels.end() : step.wheels.begin(), other);
  }
  for (WheelStep& wheel : step.wheels) wheel.position.wheelset.yaw = 0.0;
  return step;
}

std::vector<WheelRailSearch> fine_searches(const WheelRailCase& wheel_rail) {
  PatchSettings settings = wheel_rail.patches;
  settings.spacing_y = std::min(settings.spacing_y, kSearchedSpacing);
  std::vector<WheelRailSearch> searches;
  for (const Side side : {Side::left, Side::right})
    searches.emplace_back(
        wheel_rail.wheel.of(side).profile,
        wheel_rail.rail.of(side).at(wheel_rail.steps.front().wheels.front().position.wheelset.x),
        settings);
  return searches;
}

// Returns whether a place is an end of the profile.
bool is_end(const Profile& profile, double y) {
  constexpr double kAtEnd = 0.05;  // [mm]
  const auto [least, greatest] = std::ranges::minmax_element(profile.points, {}, &ProfilePoint::y);
  return y - least->y < kAtEnd || greatest->y - y < kAtEnd;
}

// Warns of profiles that end where the wheels touch: they would touch elsewhere if more of the
// profile were there.
void warn_of_ends(const std::vector<GeometryRow>& rows, std::vector<WheelRailSearch>& searches) {
  for (const bool of_wheel : {true, false}) {
    std::size_t count = 0;
    double first = 0.0;
    for (const GeometryRow& row : rows) {
      const auto touches_end = [&](std::size_t i) {
        const NearestPoint& nearest = i == 0 ? row.place->left : row.place->right;
        const double y = of_wheel ? nearest.wheel_y : nearest.rail_y;
        return is_end(of_wheel ? searches[i].wheel() : searches[i].rail(), i == 0 ? -y : y);
      };
      if (!row.place || (!touches_end(0) && !touches_end(1))) continue;
      if (count++ == 0) first = row.y;
    }
    if (count > 0)
      log_warning(fmt::format(
          "at {}, first at y = {:g} mm, the contact is at the end of a {}'s profile, where the "
          "rest of it is missing; longer profiles, or other lateral positions",
          counted(count, "lateral position"), first, of_wheel ? "wheel" : "rail"));
  }
}

// The doubts of the case that concern its profiles, rails and lengths. Of all others, about loads,
// friction or the position, nothing is used here.
void warn_of_shapes(const WheelRailCase& wheel_rail, const WheelsetStep& step,
                    std::vector<WheelRailSearch>& searches) {
  std::set<std::string> warned;
  const auto warn = [&](const std::string& text) {
    if (warned.insert(text).second) log_warning(text);
  };
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const WheelRailPosition& position = step.wheels[i].position;
    const std::array profiles{std::pair(&wheel_rail.wheel.of(position.side), &searches[i].wheel()),
                              std::pair(&wheel_rail.rail.of(position.side), &searches[i].rail())};
    for (const auto& [source, profile] : profiles)
      for (const std::string& text : profile->warnings)
        warn(fmt::format("{}: {}", source->path.filename().string(), text));
    // A search has placed its rail only if the wheel was over it.
    const Track track = position.side == Side::right ? position.track : mirrored(position).track;
    const SearchedRail rail(searches[i].rail(), track, kSearchedSpacing);
    const RailHead& head = rail.head(searches[i].rail());
    const std::string of = !wheel_rail.rail.differ ? "" : i == 0 ? "left rail: " : "right rail: ";
    for (const auto& doubt :
         {gauge_doubt(searches[i].rail(), head, position.track, rail.placed),
          lean_doubt(head.inclination, position.track), groove_doubt(head.grooves)})
      if (doubt) warn(of + doubt->text);
    for (const auto& doubt : {radius_doubt(position.wheelset.nominal_radius),
                              clearance_doubt(position, searches[i].wheel())})
      if (doubt) warn("wheel_rail: " + doubt->text);
  }
}

// Uses the consecutive existing places around the middle.
KinematicMotion motion_of(const PlacesAcross& across) {
  const auto& [y, places] = across;
  const auto middle = static_cast<std::size_t>(
      std::min_element(y.begin(), y.end(),
                       [](double a, double b) { return std::fabs(a) < std::fabs(b); }) -
      y.begin());
  std::size_t first = middle;
  std::size_t last = middle;
  while (first > 0 && places[first - 1]) --first;
  while (last + 1 < y.size() && places[last + 1]) ++last;
  std::vector<double> at;
  std::vector<double> difference;
  for (std::size_t i = first; i <= last && places[i]; ++i) {
    at.push_back(y[i]);
    difference.push_back(places[i]->radius_difference());
  }
  return {std::move(at), std::move(difference)};
}

// Empty if the wheels touch their rails at none of these positions.
std::vector<GeometryRow> geometry_rows(const WheelRailCase& wheel_rail,
                                       const std::vector<double>& shown) {
  const WheelsetStep step = both_sides(wheel_rail.steps.front());
  std::vector<WheelRailSearch> searches = fine_searches(wheel_rail);
  const auto places = places_across(searches, step, shown, AxleRoll::found);
  warn_of_shapes(wheel_rail, step, searches);
  if (std::none_of(places.begin(), places.end(), [](const auto& place) { return place; }))
    return {};
  // Extends equally to both sides, for motions of the amplitudes shown.
  const double reach = std::max(std::fabs(shown.front()), std::fabs(shown.back())) + kOutsideView;
  const int count = static_cast<int>(std::ceil(reach / kFinestStep));
  std::vector<double> fine;
  for (int i = -count; i <= count; ++i) fine.push_back(reach * i / count);
  const KinematicMotion level = motion_of(places_with_jumps(searches, step, fine, AxleRoll::none));
  const KinematicMotion rolled =
      motion_of(places_with_jumps(searches, step, fine, AxleRoll::found));
  const auto level_places = places_across(searches, step, shown, AxleRoll::none);
  std::vector<GeometryRow> rows;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    GeometryRow row{shown[i], places[i]};
    if (level_places[i]) row.level_difference = level_places[i]->radius_difference();
    row.conicity = level.equivalent_conicity(shown[i]).value_or(kUnknownNumber);
    row.rolled_conicity = rolled.equivalent_conicity(shown[i]).value_or(kUnknownNumber);
    rows.push_back(row);
  }
  warn_of_ends(rows, searches);
  return rows;
}

std::string csv_text(const std::vector<GeometryRow>& rows) {
  std::string text;
  for (const GeometryColumn& column : kGeometryColumns)
    text += fmt::format("{}{} [{}]", text.empty() ? "" : ",", column.name, column.unit);
  text += '\n';
  for (const GeometryRow& row : rows)
    for (std::size_t k = 0; k < kGeometryColumns.size(); ++k) {
      const double value = value_of(k, row);
      if (!std::isnan(value)) text += fmt::format("{}", value);
      text += k + 1 < kGeometryColumns.size() ? ',' : '\n';
    }
  return text;
}

nlohmann::ordered_json geometry_json(const std::vector<GeometryRow>& rows,
                                     const std::string& title) {
  nlohmann::ordered_json document;
  document["title"] = title;
  for (const GeometryColumn& column : kGeometryColumns)
    document["units"][std::string(column.name)] = column.unit;
  document["rows"] = nlohmann::ordered_json::array();
  for (const GeometryRow& row : rows) {
    nlohmann::ordered_json entry;
    for (std::size_t k = 0; k < kGeometryColumns.size(); ++k) {
      const double value = value_of(k, row);
      const std::string name(kGeometryColumns[k].name);
      entry[name] = std::isnan(value) ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
    }
    document["rows"].push_back(std::move(entry));
  }
  return document;
}

// As many decimals as the positions have, from two on.
std::string format_of_y(const std::vector<GeometryRow>& rows) {
  constexpr int kMostDecimals = 6;
  int decimals = 2;
  const auto are_exact = [&] {
    const double scale = std::pow(10.0, decimals);
    return std::all_of(rows.begin(), rows.end(), [&](const GeometryRow& row) {
      return std::fabs(row.y * scale - std::round(row.y * scale)) < 1.0e-6 * scale;
    });
  };
  while (decimals < kMostDecimals && !are_exact()) ++decimals;
  return fmt::format("{{:>{}.{}f}}", 6 + decimals, decimals);
}

void print_table(const std::vector<GeometryRow>& rows) {
  const std::string of_y = format_of_y(rows);
  const auto format_of = [&](std::size_t column) {
    return column == 0 ? of_y : std::string(kGeometryColumns[column].format);
  };
  std::vector<TableColumn> columns;
  std::vector<std::size_t> of_columns;
  for (std::size_t k = 0; k < kGeometryColumns.size(); ++k) {
    const GeometryColumn& column = kGeometryColumns[k];
    if (column.head.empty()) continue;
    const std::size_t width = fmt::format(fmt::runtime(format_of(k)), 0.0).size() + 1;
    const std::string unit = column.unit == "-" ? "" : std::string(column.unit);
    columns.push_back({std::string(column.head), unit, width, column.head == "roll" ? 1 : 0});
    of_columns.push_back(k);
  }
  const std::vector<std::size_t> shown = columns_that_fit(columns, 0, table_columns());
  for (const std::string& line : names_and_units(columns, shown)) print_line(line);
  for (const GeometryRow& row : rows) {
    std::string line;
    for (const std::size_t i : shown) {
      const std::string format = format_of(of_columns[i]);
      const double value = value_of(of_columns[i], row);
      const std::string text =
          std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value == 0.0 ? 0.0 : value);
      line += fmt::format("{:>{}}", text, columns[i].width);
    }
    print_line(line);
  }
}

// On a test rig, where y counts from the back of the wheel.
bool is_of_one_wheel(const WheelRailCase& wheel_rail) {
  const std::vector<WheelStep>& wheels = wheel_rail.steps.front().wheels;
  return wheels.size() == 1 && wheels.front().position.wheelset.flange_back_distance == 0.0;
}

int geometry(const GeometryArguments& arguments) {
  const OutputRule rule{overwrite_if(arguments.overwrite), {arguments.case_path}};
  const std::vector<double> shown = positions_of(arguments.shift);
  if (!arguments.plot.empty() && file_ending(arguments.plot) != ".png" &&
      file_ending(arguments.plot) != ".svg" && file_ending(arguments.plot) != ".pdf")
    throw InputError(arguments.plot + ": the figure's name ends with .png, .svg or .pdf");
  const std::string ending = file_ending(arguments.output);
  if (!ending.empty() && ending != ".csv" && ending != ".txt")
    throw InputError(arguments.output +
                     ": the table is written as CSV; accepted: a name that ends with .csv or .txt");
  std::unique_ptr<PendingFile> file;
  if (!arguments.output.empty())
    file = std::make_unique<PendingFile>(arguments.output, FileKind::exported, rule);
  if (!arguments.plot.empty()) check_output(arguments.plot, FileKind::picture, rule);
  const CaseFile case_file =
      load_case(arguments.case_path, arguments.overrides, arguments.point, {}, false);
  if (!case_file.wheel_rail)
    throw InputError(arguments.case_path +
                     ": the case has no wheel_rail, and so no profiles; accepted: a case "
                     "of a wheel on a rail" +
                     (case_file.sweep ? "; for a sweep --point N" : ""));
  if (case_file.wheel_rail->steps.front().wheels.front().position.wheelset.yaw != 0.0)
    log_info("the yaw of the case's first position is left out: the axle is across the track");
  const std::vector<GeometryRow> rows = geometry_rows(*case_file.wheel_rail, shown);
  if (rows.empty())
    throw InputError(fmt::format(
        "--shift: the wheels touch their rails at none of the lateral positions from {:g} to {:g} "
        "mm; accepted: {}",
        shown.front(), shown.back(),
        is_of_one_wheel(*case_file.wheel_rail)
            ? "the wheelset.flange_back_distance of a wheelset, whose y counts from its middle; of "
              "one wheel, with 0, a sweep over wheel_rail.wheelset.y with wheel_rail.geometry_only"
            : "lateral positions at which both wheels are on their rails"));
  const nlohmann::ordered_json document = geometry_json(rows, case_file.problem.title);
  if (arguments.json)
    print_json(document);
  else
    print_table(rows);
  if (file) {
    file->write(csv_text(rows), "table");
    file->commit();
    if (!arguments.json)
      print_line(fmt::format("{} written to {}", counted(rows.size(), "row"), arguments.output));
  }
  if (arguments.plot.empty()) return static_cast<int>(ExitCode::done);
  return write_by_figures({"geometry"}, document.dump(),
                          {arguments.plot, FileKind::picture, rule, "figure", arguments.json});
}

}  // namespace

void add_geometry_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<GeometryArguments>();
  CLI::App* command = program.add_subcommand(
      "geometry", "Contact positions, rolling radii and conicity of a wheelset across the track");
  command->add_option("case", arguments->case_path, "Case file (YAML) with wheel_rail")
      ->required()
      ->type_name("CASE.yaml");
  add_set_option(*command, arguments->overrides);
  add_point_option(*command, arguments->point, "This point of the case's sweep").group(kCaseGroup);
  command
      ->add_option("--shift", arguments->shift,
                   "Lateral positions of the axle in mm: TO (from -TO), FROM,TO or FROM,TO,STEP; "
                   "default: -8,8,0.5")
      ->type_name("FROM,TO,STEP")
      ->delimiter(',')
      ->expected(1, 3)
      ->allow_extra_args(false);
  command
      ->add_option("-o,--output", arguments->output,
                   "All columns as CSV, names and units in the first row")
      ->type_name("OUT.csv")
      ->group(kOutputGroup);
  command
      ->add_option("--plot", arguments->plot,
                   "A figure: radii, angles, places and conicity over the lateral position")
      ->type_name("FIG.png|svg|pdf")
      ->group(kOutputGroup);
  command->add_flag("--json", arguments->json, "Print one JSON document")->group(kOutputGroup);
  command
      ->add_flag("--overwrite", arguments->overwrite,
                 "Replace a table or a figure that was written before")
      ->group(kOutputGroup);
  command->footer(
      "Examples:\n"
      "  slipfield geometry wheelset.yaml\n"
      "  slipfield geometry wheelset.yaml --shift 10 -o across.csv --plot across.png\n"
      "  slipfield geometry wheelset.yaml --set wheel_rail.track.gauge=1437 --json\n"
      "Nothing is deformed and nothing is solved. The axle is across the track, and its roll is "
      "the "
      "one at which both wheels touch; the left wheel's y and angle are < 0 and the right one's > "
      "0 "
      "where the rail falls away from the track's centre. dr: rolling radius of the right wheel "
      "less "
      "that of the left one.\n"
      "conicity, in the row of y: the equivalent conicity of a motion with the amplitude y, by the "
      "integration of EN 15302, which leaves the roll out; with roll: the same from the radii of "
      "the "
      "table. - : a wheel is not over its rail, or the wheelset does not turn back within 4 mm of "
      "the table's range.\n"
      "Exit codes: 0 done; 2 the case or the command line is wrong; 3 anything else that failed.");
  command->callback(
      [arguments, &action] { action = [arguments] { return geometry(*arguments); }; });
}

}  // namespace slipfield
