// SPDX-License-Identifier: Apache-2.0
// slipfield plot: figures of a result. The Python package slipfield.figures draws them; this
// command defines the options and reads profiles for it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/figures/profiles.h"
#include "app/figures/python.h"
#include "io/plain_text.h"
#include "io/profiles/reader.h"
#include "io/result/any_result.h"
#include "io/result/header.h"
#include "io/result/reader.h"
#include "io/result/wheel/table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr int kMostFiles = 6;  // over each other

enum class Given { value, values, flag };

// An option passed on to slipfield/figures/__main__.py, which defines the same ones.
constexpr const char* kPictures = "Pictures";
constexpr const char* kSweepsDrawn = "Sweeps and sequences";
constexpr const char* kProfilesDrawn = "Profiles";

struct PassedOption {
  const char* name;
  const char* group;
  Given given;
  const char* type;
  const char* help;
};

constexpr std::array kPassed = {
    PassedOption{"--style", kOutputGroup, Given::value, "{screen,column,page,slide}",
                 "Sizes and fonts: for a screen (the default), a journal's column of 85 mm or page "
                 "of 175 mm (both without title), or a slide"},
    PassedOption{
        "--step", kSelectionGroup, Given::values, "N[,N...]",
        "Numbers of steps to show side by side, or `last` (the default); they are the frames "
        "of an animation, by default all steps"},
    PassedOption{"--fields", kPictures, Given::values, "FIELD[,FIELD...]",
                 "One picture each: a field as a map, or `traction`, `slip` as arrows"},
    PassedOption{"--cuts", kPictures, Given::flag, "",
                 "Tractions and their bound along x and y through the middle of the pressure; "
                 "without friction the pressure"},
    PassedOption{"--history", kPictures, Given::flag, "", "How the iterations converged, by phase"},
    PassedOption{"--shakedown", kPictures, Given::flag, "",
                 "The point of a case with `fatigue` in the shakedown map"},
    PassedOption{"--interior", kPictures, Given::values, "NAME[,NAME...]",
                 "Inside the bodies: `depth`, the greatest stresses over the depth, `along_y`, "
                 "those of fatigue in each row, or a quantity on sections through the greatest"},
    PassedOption{"--whole-grid", kPictures, Given::flag, "",
                 "Show the whole potential contact area, not only the surroundings of the contact"},
    PassedOption{"--surface", kPictures, Given::values, "FIELD[,FIELD...]",
                 "A field as a surface in three dimensions, one picture each"},
    PassedOption{"--shape", kPictures, Given::flag, "",
                 "Cuts of the distance of the surfaces, undeformed and deformed"},
    PassedOption{"--frame-rate", kOutputGroup, Given::value, "R",
                 "Steps in a second of an animation; default: 4"},
    PassedOption{"--quantities", kSweepsDrawn, Given::values, "NAME[,NAME...]",
                 "Totals of a sweep or over the steps to draw, a panel each; default: the force "
                 "ratios, and over the steps also the motions"},
    PassedOption{
        "--heat-map", kSweepsDrawn, Given::flag, "",
        "A map of each total over the two keys of a sweep, instead of curves; a third key has "
        "a map for each of its values"},
    PassedOption{"--over", kSweepsDrawn, Given::value, "key.path|step|total",
                 "Key of a sweep along the horizontal axis; default: the one with the most values. "
                 "`step`: the totals of a sequence over its steps. A total, as `mean_gap`: the "
                 "others over it, connected in the order of the key or of the steps"},
    PassedOption{"--panels", kSweepsDrawn, Given::value, "key.path|none",
                 "Key of a sweep with a panel for each of its values; `none`: line styles instead; "
                 "default: with three keys or more the one with fewest values"},
    PassedOption{
        "--where", kSweepsDrawn, Given::values, "key.path=value",
        "Draw only the points of a sweep with this value of a key; may be given several times"},
    PassedOption{
        "--contacts", kPictures, Given::flag, "",
        "All contacts of a wheel on a rail in plan, with the pressure or the field of --fields"},
    PassedOption{"--contact-lines", kSweepsDrawn, Given::flag, "",
                 "Contact positions as lines between the profiles, rolling radii and angle, from a "
                 "sweep over wheel_rail.wheelset.y"},
    PassedOption{"--difference", kPictures, Given::flag, "",
                 "Maps of the first of two results less the second, on the same grid"},
};

struct PlotArguments {
  std::vector<std::string> paths;
  std::string output;
  std::map<std::string, std::vector<std::string>> values;  // by option
  std::map<std::string, bool> flags;
  std::vector<double> at;  // x, y
  int point = 0;
  std::string side;
  int contact = 0;
  bool overwrite = false;
  std::string role;  // of a profile: "wheel", "rail"
  std::optional<bool> mirror_y;
  double smoothing = 0.0;
  std::optional<double> scale;

  [[nodiscard]] bool changes_profile() const { return mirror_y || scale || smoothing != 0.0; }
  [[nodiscard]] std::string first(const std::string& option) const {
    const auto found = values.find(option);
    return found == values.end() || found->second.empty() ? "" : found->second.front();
  }
};

void add_passed_options(CLI::App& command, const std::shared_ptr<PlotArguments>& arguments) {
  for (const PassedOption& option : kPassed) {
    if (option.given == Given::flag) {
      command.add_flag(option.name, arguments->flags[option.name], option.help)
          ->group(option.group);
      continue;
    }
    CLI::Option* added =
        command.add_option(option.name, arguments->values[option.name], option.help)
            ->type_name(option.type)
            ->group(option.group)
            ->allow_extra_args(false);
    if (option.given == Given::value) added->expected(1);
  }
}

void add_profile_options(CLI::App& command, PlotArguments& arguments) {
  command
      .add_option("--profile", arguments.role,
                  "The file is the profile of a wheel or a rail: profile, slope and curvature; "
                  "default: by its name (.prw, .whl, .prr, .ban)")
      ->type_name("wheel|rail")
      ->group(kProfilesDrawn)
      ->check(CLI::IsMember({"wheel", "rail"}).description(""));
  command
      .add_option("--mirror-y", arguments.mirror_y,
                  "y of a profile changes its sign; MiniProf's files need true or false")
      ->type_name("true|false")
      ->group(kProfilesDrawn);
  command
      .add_option("--smoothing", arguments.smoothing,
                  "Wave length of a profile of which half is left [mm]")
      ->type_name("L")
      ->group(kProfilesDrawn);
  command
      .add_option("--scale", arguments.scale,
                  "Factor that makes mm of a profile; 1000 for a file in metres")
      ->type_name("S")
      ->group(kProfilesDrawn);
}

// The file is a profile where its name or --profile says so.
std::optional<ProfileRole> profile_role(const PlotArguments& arguments) {
  if (arguments.paths.size() > 1) return std::nullopt;
  if (arguments.role.empty()) return role_of_name(arguments.paths.front());
  return arguments.role == "rail" ? ProfileRole::rail : ProfileRole::wheel;
}

// Whether an option other than those of the output chooses the picture.
bool chooses_picture(const PlotArguments& arguments) {
  bool asked = arguments.point != 0 || arguments.contact != 0 || !arguments.side.empty() ||
               !arguments.at.empty();
  for (const PassedOption& option : kPassed)
    if (std::string_view(option.name) != "--style")
      asked = asked || (option.given == Given::flag ? arguments.flags.at(option.name)
                                                    : !arguments.values.at(option.name).empty());
  return asked;
}

std::string profile_input(const PlotArguments& arguments, ProfileRole role) {
  const std::string& path = arguments.paths.front();
  if (chooses_picture(arguments))
    throw InputError(path +
                     ": this is a profile, which has no steps and no fields; accepted: --profile, "
                     "--mirror-y, --scale, --smoothing, --style");
  require_file(path);
  ProfileChanges changes;
  changes.mirror_y = arguments.mirror_y;
  changes.smoothing = arguments.smoothing;
  changes.scale = arguments.scale.value_or(1.0);
  return profile_curves(read_profile(path, role, changes),
                        std::filesystem::path(path).filename().string());
}

// Whether the file may be a profile without a stated role: neither a result nor a case.
bool may_be_profile(const std::string& path) {
  const std::string ending = file_ending(path);
  for (const char* other : {".h5", ".hdf5", ".yaml", ".yml"})
    if (ending == other) return false;
  std::ifstream file(path, std::ios::binary);
  std::string start(4, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start != "\x89HDF" && std::filesystem::is_regular_file(path);
}

// The package's input besides the result: the curves of profiles, for figures that show them.
std::string input_of(const PlotArguments& arguments) {
  if (const auto role = profile_role(arguments)) return profile_input(arguments, *role);
  require_selection(arguments.paths, {arguments.point, 0, arguments.side, arguments.contact});
  const std::string& path = arguments.paths.front();
  if (!arguments.role.empty() || arguments.changes_profile())
    throw InputError(path +
                     ": --profile, --mirror-y, --scale and --smoothing are for one profile; "
                     "accepted: with --profile wheel or --profile rail");
  require_file(path);
  if (is_slices_file(path))
    throw InputError(path +
                     ": lists slices of a rail or a wheel; accepted: one of the profiles that it "
                     "names, with --profile wheel or --profile rail");
  if (may_be_profile(path))
    throw InputError(path +
                     ": this is not an HDF5 file, so not a slipfield result; accepted: a result, "
                     "or a profile as a table of y and z with --profile wheel or --profile rail");
  if (file_type_of(path) == kLifeFileType) {
    if (chooses_picture(arguments) || arguments.paths.size() > 1)
      throw InputError(path +
                       ": this is a life, which has one figure; accepted: it alone, with --style");
    return {};
  }
  WantedProfiles wanted;
  const std::string step = arguments.first("--step");
  if (!step.empty() && step.size() < 9 && step.find_first_not_of("0123456789") == std::string::npos)
    wanted.step = std::stoi(step);
  const bool alone = arguments.paths.size() == 1 && arguments.contact == 0;
  wanted.placed =
      alone && arguments.values.at("--quantities").empty() && arguments.first("--over").empty();
  wanted.lateral = alone && arguments.point == 0 && arguments.flags.at("--contact-lines");
  std::string profiles;
  for (const std::string& each : arguments.paths) {
    wanted.point = point_in(each, arguments.point);
    profiles = result_profiles(each, wanted);
  }
  return profiles;
}

void require_picture(const std::string& path) {
  const std::string ending = file_ending(path);
  for (const char* known : {".png", ".svg", ".pdf", ".gif", ".mp4"})
    if (ending == known) return;
  throw InputError(fmt::format(
      "{}: a figure's name ends with .png, .svg or .pdf, that of an animation with .gif or .mp4; "
      "{}",
      path, ending.empty() ? "this one has no ending" : "this one ends with " + ending));
}

int plot(const PlotArguments& arguments) {
  require_picture(arguments.output);
  const std::string ending = file_ending(arguments.output);
  if (!arguments.first("--frame-rate").empty() && ending != ".gif" && ending != ".mp4")
    throw InputError(arguments.output +
                     ": --frame-rate is of an animation; accepted: a name that ends with .gif or "
                     ".mp4");
  std::vector<std::string> passed{"plot"};
  for (const PassedOption& option : kPassed) {
    if (option.given == Given::flag && arguments.flags.at(option.name))
      passed.emplace_back(option.name);
    if (option.given != Given::flag)
      for (const std::string& value : arguments.values.at(option.name))
        passed.push_back(fmt::format("{}={}", option.name, value));
  }
  if (!arguments.at.empty())
    passed.push_back(fmt::format("--at={},{}", arguments.at[0], arguments.at[1]));
  if (arguments.point != 0) passed.push_back(fmt::format("--point={}", arguments.point));
  if (!arguments.side.empty()) passed.push_back("--side=" + arguments.side);
  if (arguments.contact != 0) passed.push_back(fmt::format("--contact={}", arguments.contact));
  passed.emplace_back("--");
  passed.insert(passed.end(), arguments.paths.begin(), arguments.paths.end());
  OutputRule rule{overwrite_if(arguments.overwrite), {}};
  rule.inputs.assign(arguments.paths.begin(), arguments.paths.end());
  check_output(arguments.output, FileKind::picture, rule);  // reading profiles may take a while
  return write_by_figures(passed, input_of(arguments),
                          {arguments.output, FileKind::picture, rule, "figure"});
}

constexpr const char* kPlotExamples =
    "Examples:\n"
    "  slipfield plot out.h5 -o overview.png\n"
    "  slipfield plot out.h5 -o column.pdf --style column  # for a journal\n"
    "  slipfield plot out.h5 -o slip.svg --fields slip,slip_x,slip_y\n"
    "  slipfield plot a.h5 b.h5 -o both.png                 # over each other\n"
    "  slipfield plot a.h5 b.h5 -o difference.png --difference\n"
    "  slipfield plot out.h5 -o shape.png --shape --surface pressure,gap\n"
    "  slipfield plot sequence.h5 -o sequence.gif --frame-rate 2\n"
    "  slipfield plot out.h5 -o steps.png --step 1,5,last --fields traction\n"
    "  slipfield plot out.h5 -o convergence.png --history\n"
    "  slipfield plot out.h5 -o cuts.png --cuts --at 0,1.5\n"
    "  slipfield plot out.h5 -o map.png --shakedown\n"
    "  slipfield plot out.h5 -o along.png --over step --quantities force_x,creepage_x\n"
    "  slipfield plot loop.h5 -o loop.png --over approach --quantities normal_force\n"
    "  slipfield plot inside.h5 -o inside.png --interior depth,von_mises,stress_xz\n"
    "  slipfield plot sweep.h5 -o curve.png --quantities force_x,moment_z\n"
    "  slipfield plot wheel.prw -o wheel.png\n"
    "  slipfield plot life.h5 -o life.png\n"
    "  slipfield plot wheel.h5 --step 2 -o contact.png\n"
    "  slipfield plot wheel.h5 --contacts -o plan.png\n"
    "  slipfield plot lateral.h5 --contact-lines -o lines.png\n"
    "  slipfield plot sweep.h5 -o map.png --heat-map --quantities max_pressure\n"
    "  slipfield plot sweep.h5 -o point17.png --point 17\n"
    "  slipfield plot sweep_a.h5 sweep_b.h5 -o curves.pdf --quantities force_ratio_x\n"
    "  slipfield plot sweep.h5 -o curve.png --where normal.force=10\n"
    "A sweep is drawn as curves over one key, a line for each value of another one; with more "
    "keys\n"
    "the one with fewest values makes a panel for each. Curves of several files differ in line "
    "style.\n"
    "Without --fields, --cuts and --history the figure is an overview: the pressure, tractions "
    "over\n"
    "the areas of adhesion and slip, and cuts; of a wheel the profiles in contact. A grid of one "
    "row\n"
    "is drawn as curves. Python draws (python3-matplotlib, python3-h5py): slipfield.figures, which "
    "is\n"
    "also there for your own figures. `slipfield info --fields` lists the fields.\n"
    "Exit codes: 0 done; 2 the file or the command line is wrong; 3 it could not be drawn.";

}  // namespace

void add_plot_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command =
      program.add_subcommand("plot", "Draw figures of results (PNG, SVG, PDF) and animations");
  command
      ->add_option("files", arguments->paths,
                   "Result files (HDF5), or a life or a profile; several results: over each other")
      ->required()
      ->expected(1, kMostFiles)
      ->type_name("OUT.h5 [OTHER.h5...]");
  command
      ->add_option("-o,--output", arguments->output,
                   "The figure; its ending says the format. GIF and MP4 (for which ffmpeg is "
                   "needed): the steps as an animation")
      ->required()
      ->type_name("FIG.png|svg|pdf|gif|mp4")
      ->group(kOutputGroup);
  add_passed_options(*command, arguments);
  command->add_option("--at", arguments->at, "Cuts through this place, in the units of the case")
      ->type_name("x,y")
      ->group(kPictures)
      ->delimiter(',')
      ->expected(2);
  add_point_option(*command, arguments->point, "Draw this point of a sweep with fields");
  add_side_option(*command, arguments->side,
                  "Curves of this wheel of a wheelset, or of both together; with --contact whose; "
                  "default: a curve for each wheel",
                  true);
  add_contact_option(*command, arguments->contact,
                     "; default: the profiles in contact, with --fields and the like the first");
  add_profile_options(*command, *arguments);
  command
      ->add_flag("--overwrite", arguments->overwrite,
                 "Replace an existing figure, PNG, SVG, PDF, GIF or MP4")
      ->group(kOutputGroup);
  command->footer(kPlotExamples);
  command->callback([arguments, &action] { action = [arguments] { return plot(*arguments); }; });
}

}  // namespace slipfield
