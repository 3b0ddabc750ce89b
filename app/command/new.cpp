// SPDX-License-Identifier: Apache-2.0
// slipfield new: an initial case, annotated from the tables of keys.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/command/commands.h"
#include "app/console.h"
#include "io/case/page.h"
#include "io/case/text.h"
#include "io/pending_file.h"
#include "io/yaml/number.h"
#include "io/yaml/suggestion.h"
#include "io/yaml/tree.h"
#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

struct StartCase {
  std::string_view name;
  std::string_view about;
  std::string_view yaml;
};

constexpr std::string_view kSteel =
    "bodies: {upper: {young_modulus: 210000, poisson_ratio: 0.3},"
    " lower: {young_modulus: 210000, poisson_ratio: 0.3}}\n";
constexpr std::string_view kRailSteel =
    "bodies: {rail: {young_modulus: 210000, poisson_ratio: 0.28},"
    " wheel: {young_modulus: 210000, poisson_ratio: 0.28}}\n";

// Lines shared by several start cases; {steel}, {rail_steel} and {profiles} stand for them.
constexpr std::array<StartCase, 6> kStartCases{{
    {"hertz", "a steel ball pressed on a steel plate: pressure and approach",
     R"(schema: 1
title: a ball on a plate
units: N-mm-s
{steel}grid: {elements: [64, 64], extent: {x: [-0.22, 0.22], y: [-0.22, 0.22]}}
geometry: {type: sphere, radius: 10}
normal: {force: 100}
)"},
    {"rolling", "a ball that rolls steadily: tractions, adhesion and slip",
     R"(schema: 1
title: a ball rolling on a plate
units: N-mm-s
{steel}friction: {coefficient: 0.3}
grid: {elements: [64, 64], extent: {x: [-0.22, 0.22], y: [-0.22, 0.22]}}
geometry: {type: sphere, radius: 10}
normal: {force: 100}
tangential:
  problem: steady_rolling
  x: {creepage: -0.0005}
  y: {creepage: 0.0}
  spin: 0.002
  velocity: 1000
)"},
    {"rough", "a rough surface on a flat, periodic: real area of contact",
     R"(schema: 1
title: rough contact
units: N-mm-s
{steel}grid: {elements: [256, 256], extent: {x: [0, 1], y: [0, 1]}, boundary: periodic}
geometry: {type: rough, hurst: 0.8, rms_slope: 0.02, wavelengths: [0.03125, 0.25], seed: 1}
normal: {force: 100}
output: {spots: true}
)"},
    {"wheel", "a wheel on a rail, with profiles of your own: forces",
     R"(schema: 1
title: a wheel on a rail
units: N-mm-s
{rail_steel}friction: {coefficient: 0.3}
wheel_rail:
  side: right
{profiles}  wheelset: {y: 3.0, yaw: 0.0, velocity: {x: 20000}}
  vertical_force: 80000
)"},
    {"wheelset", "both wheels of a wheelset, with a vertical force on each rail",
     R"(schema: 1
title: a wheelset on a track
units: N-mm-s
{rail_steel}friction: {coefficient: 0.3}
wheel_rail:
  side: both
{profiles}  wheelset: {y: 3.0, yaw: 0.0, velocity: {x: 20000}}
  vertical_force: [80000, 80000]
)"},
    {"sweep", "a creep curve: one case for each of many creepages",
     R"(schema: 1
title: a creep curve
units: N-mm-s
{steel}friction: {coefficient: 0.3}
grid: {elements: [32, 32], extent: {x: [-0.22, 0.22], y: [-0.22, 0.22]}}
geometry: {type: sphere, radius: 10}
normal: {force: 100}
tangential: {problem: steady_rolling, x: {creepage: 0.0}}
sweep: [{key: tangential.x.creepage, from: 0.00001, to: 0.01, points: 13, spacing: logarithmic}]
)"},
}};

const StartCase& start_case(const std::string& name) {
  std::vector<std::string_view> names;
  for (const StartCase& each : kStartCases) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  if (name.empty())
    throw InputError(fmt::format("NAME is missing; accepted: {}", fmt::join(names, ", ")));
  throw InputError(fmt::format("\"{}\" is not one of the cases to begin with; {}", name,
                               accepted_words(name, names)));
}

// Points of a profile at most a millimetre apart along lines and arcs.
class ProfilePath {
 public:
  // The heading: from y (to the field side) towards z (down).
  ProfilePath(double y, double z, double heading) : y_(y), z_(z), heading_(heading) { keep(); }

  ProfilePath& line(double length) {
    const int steps = std::max(1, static_cast<int>(std::ceil(length)));
    for (int i = 0; i < steps; ++i) go(length / steps);
    return *this;
  }
  // A turn in radians, > 0 from y to z.
  ProfilePath& arc(double radius, double turn) {
    const int steps = std::max(2, static_cast<int>(std::ceil(radius * std::fabs(turn))));
    const double each = turn / steps;
    for (int i = 0; i < steps; ++i) {
      heading_ += 0.5 * each;
      go(2.0 * radius * std::sin(0.5 * std::fabs(each)));
      heading_ += 0.5 * each;
    }
    return *this;
  }
  [[nodiscard]] const std::vector<std::array<double, 2>>& points() const { return points_; }

 private:
  void go(double length) {
    y_ += length * std::cos(heading_);
    z_ += length * std::sin(heading_);
    keep();
  }
  void keep() { points_.push_back({y_, z_}); }

  double y_;
  double z_;
  double heading_;
  std::vector<std::array<double, 2>> points_;
};

std::string points_text(std::string_view title, const std::vector<std::array<double, 2>>& points) {
  std::string text = fmt::format("# {}, y to the field side and z down [mm]\n", title);
  for (const auto& [y, z] : points) text += fmt::format("{:.4f} {:.4f}\n", y, z);
  return text;
}

// A tread of 1:40, its root of radius 15, a flange of 70 degrees, 26 mm high, whose back is at
// y = -70.
std::string wheel_profile() {
  const double cone = std::atan(1.0 / 40.0);
  const double root = -31.23686727;  // y at which the tread ends, so that the back is at -70
  ProfilePath path(60.0, -1.5, radians_from_degrees(180.0) - cone);
  path.line((60.0 - root) / std::cos(cone)).arc(15.0, cone - radians_from_degrees(70.0)).line(8.0);
  path.arc(11.5, radians_from_degrees(160.0)).line(8.0);
  return points_text("a wheel with a tread of 1:40", path.points());
}

// A head of radii 300, 80 and 13, as UIC 60 has it.
std::string rail_profile() {
  ProfilePath half(0.0, 0.0, 0.0);
  half.arc(300.0, std::asin(10.25 / 300.0)).arc(80.0, radians_from_degrees(9.5));
  half.arc(13.0, radians_from_degrees(68.0));
  half.line(12.0);
  std::vector<std::array<double, 2>> points;
  for (std::size_t i = half.points().size(); i-- > 1;)
    points.push_back({-half.points()[i][0], half.points()[i][1]});
  points.insert(points.end(), half.points().begin(), half.points().end());
  return points_text("a rail's head of radii 300, 80 and 13 mm", points);
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.replace(at, what.size(), with);
}

struct NewArguments {
  std::string name;
  std::string output;
  bool overwrite = false;
};

int write_new(const NewArguments& arguments) {
  const StartCase& start = start_case(arguments.name);
  const fs::path path =
      arguments.output.empty() ? fs::path(arguments.name + ".yaml") : fs::path(arguments.output);
  const OutputRule rule(overwrite_if(arguments.overwrite), {});
  const std::string stem = path.stem().string();
  const std::string wheel_file = stem + "_wheel.txt";
  const std::string rail_file = stem + "_rail.txt";
  std::string yaml(start.yaml);
  const bool profiles = yaml.find("{profiles}") != std::string::npos;
  replace_all(yaml, "{steel}", kSteel);
  replace_all(yaml, "{rail_steel}", kRailSteel);
  replace_all(yaml, "{profiles}",
              fmt::format("  wheel: {{profile: {}, mirror_y: false}}\n"
                          "  rail: {{profile: {}, mirror_y: false}}\n"
                          "  track: {{cant: 0.025}}\n",
                          double_quoted(wheel_file), double_quoted(rail_file)));
  CaseDiagnostics diagnostics;
  const auto text = make_case_text(yaml, path.string(), path.parent_path(), diagnostics);
  diagnostics.throw_if_any();
  PendingFile file(path, FileKind::case_file, rule);
  file.write(
      "# yaml-language-server: $schema=slipfield.schema.json\n"
      "# (slipfield schema >slipfield.schema.json: an editor then completes and explains)\n" +
          annotated_case(text->tree),
      "case");
  if (profiles) {
    PendingFile wheel(path.parent_path() / wheel_file, FileKind::table, rule);
    PendingFile rail(path.parent_path() / rail_file, FileKind::table, rule);
    wheel.write(wheel_profile(), "profile");
    rail.write(rail_profile(), "profile");
    wheel.commit();
    rail.commit();
  }
  file.commit();
  print_line(fmt::format("{}: {}", path.string(), start.about));
  if (profiles)
    print_line(fmt::format("{}, {}: profiles, to be replaced by your own", wheel_file, rail_file));
  print_line(fmt::format("next: slipfield check {0}; slipfield run {0}", path.string()));
  return static_cast<int>(ExitCode::done);
}

}  // namespace

void add_new_command(CLI::App& program, Action& action) {
  CLI::App* command =
      program.add_subcommand("new", "Write a case to begin with, with every key explained");
  auto arguments = std::make_shared<NewArguments>();
  command->add_option("name", arguments->name, "Which one, see below")->type_name("NAME");
  command->add_option("-o,--output", arguments->output, "Case file to write (default: NAME.yaml)")
      ->type_name("CASE.yaml");
  command->add_flag("--overwrite", arguments->overwrite, "Replace files of these names");
  std::string list;
  for (const StartCase& each : kStartCases)
    list += fmt::format("  {:9} {}\n", each.name, each.about);
  command->footer("Cases:\n" + list +
                  "Examples:\n"
                  "  slipfield new rolling -o ball.yaml\n"
                  "Exit codes: 0 done; 2 there is no such case, or a file is there already.");
  command->callback(
      [&action, arguments] { action = [arguments] { return write_new(*arguments); }; });
}

}  // namespace slipfield
