// SPDX-License-Identifier: Apache-2.0
// The options of `slipfield plot`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "app/command/commands.h"
#include "app/command/plot/arguments.h"
#include "app/plot/pair/sides.h"
#include "io/result/field_table.h"
#include "io/result/interior/group.h"
#include "io/result/surface/table.h"
#include "io/result/wheel/table.h"
#include "io/yaml/suggestion.h"

namespace slipfield {
namespace {

std::string check_step(const std::string& text) {
  if (step_number(text)) return "";
  return fmt::format("\"{}\" is not a step; steps are numbered from 1, and `last` is the last",
                     text);
}

std::string check_picture(const std::string& name) {
  const std::vector<std::string> names = picture_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  const std::vector<std::string_view> words(names.begin(), names.end());
  return fmt::format("there is no field \"{}\"; {}", name, accepted_words(name, words));
}

std::string check_surface(const std::string& name) {
  std::vector<std::string> names = stored_field_names();
  std::erase(names, std::string(kDivisionName));
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  const std::vector<std::string_view> words(names.begin(), names.end());
  return fmt::format("there is no field \"{}\" with a surface; {}", name,
                     accepted_words(name, words));
}

std::string check_quantity(const std::string& name) {
  const std::vector<std::string> names = wheel_number_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  const std::vector<std::string_view> words(names.begin(), names.end());
  return fmt::format("there is no quantity \"{}\"; {}", name, accepted_words(name, words));
}

std::string check_interior_name(const std::string& name) {
  std::vector<std::string> names = interior_names();
  names.insert(names.begin(), {"depth", "along_y"});
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  const std::vector<std::string_view> words(names.begin(), names.end());
  return fmt::format("there is no quantity \"{}\" inside the bodies; {}", name,
                     accepted_words(name, words));
}

std::string check_condition(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0 && equals + 1 < text.size()) return "";
  return fmt::format("\"{}\" is not a condition; accepted: key.path=value", text);
}

void add_interior_option(CLI::App& command, std::vector<std::string>& names) {
  command
      .add_option(
          "--interior", names,
          "Inside the bodies: `depth`, the greatest stresses over the depth, `along_y`, those "
          "of fatigue in each row, or a quantity on sections through the greatest")
      ->type_name("NAME[,NAME...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_interior_name, ""));
}

void add_wheel_options(CLI::App& command, PlotArguments& arguments) {
  command
      .add_option("--contact,--patch", arguments.patch,
                  "Of a wheel on a rail: the contact to draw, numbered from 1; default: the "
                  "profiles in contact, with --fields and the like the first")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  command.add_flag("--contact-lines", arguments.contact_lines,
                   "Of a sweep over wheel_rail.wheelset.y: contact positions as lines between the "
                   "profiles, rolling radii, conicity and angle");
  command
      .add_option("--profile", arguments.role,
                  "The file is the profile of a wheel or a rail: profile, slope and curvature; "
                  "default: by its name (.prw, .whl, .prr, .ban)")
      ->type_name("wheel|rail")
      ->check(CLI::IsMember({"wheel", "rail"}).description(""));
  command
      .add_option("--mirror-y", arguments.mirror_y,
                  "Of a profile: y changes its sign; MiniProf's files need true or false")
      ->type_name("true|false");
  command
      .add_option("--smoothing", arguments.smoothing,
                  "Of a profile: the wave length of which half is left [mm]")
      ->type_name("L");
  command
      .add_option("--scale", arguments.scale,
                  "Of a profile: factor to mm; 1000 of a file in metres")
      ->type_name("S");
}

// In three dimensions and in time.
void add_space_options(CLI::App& command, PlotArguments& arguments) {
  command
      .add_option("--surface", arguments.figure.surfaces,
                  "A field as a surface in three dimensions, one picture each")
      ->type_name("FIELD[,FIELD...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_surface, ""));
  command.add_flag("--shape", arguments.figure.shape,
                   "Cuts of the distance of the surfaces, undeformed and deformed");
  command
      .add_option_function<double>(
          "--frame-rate",
          [&arguments](double rate) {
            arguments.figure.frame_rate = rate;
            arguments.paced = true;
          },
          "Of an animation: steps in a second; default: 4")
      ->type_name("R")
      ->check(CLI::Range(0.1, 60.0).description(""));
}

// Of sweeps and sequences.
void add_curve_options(CLI::App& command, SweepFigureRequest& curves) {
  command
      .add_option("--quantities", curves.quantities,
                  "Of a sweep or over the steps: the totals to draw, a panel each; default: the "
                  "force ratios, and over the steps the motions too")
      ->type_name("NAME[,NAME...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_quantity, ""));
  command.add_flag("--heat-map", curves.heat_map,
                   "Of a sweep of two keys: a map of each total over both, instead of curves");
  command
      .add_option(
          "--over", curves.over,
          "Of a sweep: the key of the horizontal axis; default: the one with the most values. Of a "
          "sequence: `step`, its totals along the way")
      ->type_name("key.path|step");
  command
      .add_option("--panels", curves.panels,
                  "Of a sweep: the key with a panel for each of its values; `none`: line styles "
                  "instead; default: of three keys or more the one with fewest values")
      ->type_name("key.path|none");
  command
      .add_option("--where", curves.where,
                  "Of a sweep: only the points with this value of a key; may be given several "
                  "times")
      ->type_name("key.path=value")
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_condition, ""));
}

// Of the fields of steps.
void add_field_options(CLI::App& command, const std::shared_ptr<PlotArguments>& arguments) {
  command
      .add_option(
          "--step", arguments->steps,
          "Numbers of steps to show side by side, or `last` (the default); of an animation: "
          "its frames, by default all steps")
      ->type_name("N[,N...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_step, ""));
  command
      .add_option("--fields", arguments->figure.fields,
                  "One picture each: a field as a map, or `traction`, `slip` as arrows")
      ->type_name("FIELD[,FIELD...]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_picture, ""));
  command.add_flag("--cuts", arguments->figure.cuts,
                   "Tractions and their bound along x and y through the middle of the pressure; "
                   "without friction the pressure");
  command
      .add_option_function<std::vector<double>>(
          "--at",
          [arguments](const std::vector<double>& place) {
            arguments->figure.at = {place[0], place[1]};
          },
          "Cuts through this place, in the units of the case")
      ->type_name("x,y")
      ->delimiter(',')
      ->expected(2);
  command.add_flag("--history", arguments->figure.history,
                   "How the iterations converged, by phase");
  command.add_flag("--shakedown", arguments->figure.shakedown,
                   "The point of a case with `fatigue` in the shakedown map");
  add_interior_option(command, arguments->figure.interior);
  command.add_flag("--whole-grid", arguments->figure.whole_grid,
                   "Show the whole potential contact area, not only the surroundings of the "
                   "contact");
}

}  // namespace

bool PlotArguments::draws_fields() const {
  return !steps.empty() || !figure.fields.empty() || figure.cuts || figure.history ||
         figure.whole_grid || figure.at || !figure.interior.empty() || !figure.surfaces.empty() ||
         figure.shape || figure.shakedown;
}

bool PlotArguments::draws_curves() const {
  return !curves.over.empty() || !curves.quantities.empty() || !curves.where.empty() ||
         !curves.panels.empty() || curves.heat_map;
}

// A positive number; `last` is 0. Nothing for anything else.
std::optional<int> step_number(const std::string& text) {
  if (text == "last") return 0;
  int number = 0;
  const char* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || read != end || number < 1) return std::nullopt;
  return number;
}

void add_plot_options(CLI::App& command, const std::shared_ptr<PlotArguments>& arguments) {
  command
      .add_option("files", arguments->paths,
                  "Result files (HDF5), or a profile; several results: over each other")
      ->required()
      ->expected(1, static_cast<int>(kMostSides))
      ->type_name("OUT.h5 [OTHER.h5...]");
  command
      .add_option("-o,--output", arguments->output,
                  "The figure; its ending says the format. GIF and MP4 (for which ffmpeg is "
                  "needed): the steps as an animation")
      ->required()
      ->type_name("FIG.png|svg|pdf|gif|mp4");
  add_field_options(command, arguments);
  add_space_options(command, *arguments);
  add_curve_options(command, arguments->curves);
  add_point_option(command, arguments->point, "Draw this point of a sweep with fields");
  add_wheel_options(command, *arguments);
  command.add_flag("--difference", arguments->difference,
                   "Of two results on the same grid: maps of the first less the second");
  command.add_flag("--overwrite", arguments->overwrite,
                   "Replace an existing figure, PNG, SVG, PDF, GIF or MP4");
}

}  // namespace slipfield
