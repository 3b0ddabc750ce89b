// SPDX-License-Identifier: Apache-2.0
// Writes the profile worn by a result as a file for the next case.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/figures/profiles.h"
#include "app/report/incomplete.h"
#include "io/case/of_result.h"
#include "io/heights/reader.h"
#include "io/output_rule.h"
#include "io/pending_file.h"
#include "io/result/any_result.h"
#include "io/result/field_table.h"
#include "io/result/reader.h"
#include "io/result/wheel/table.h"
#include "solver/error.h"
#include "solver/surface/wear.h"
#include "solver/wheel_rail/surface/worn_profile.h"

namespace slipfield {
namespace {

struct WearArguments {
  std::string path;
  std::string output;
  std::string add_to;
  std::string of;
  std::string side;
  int point = 0;
  int step = 0;
  bool mean = false;
  bool overwrite = false;
};

ProfileTable read_profile_to_wear(const std::string& path, Units units) {
  HeightsRequest request;
  request.default_dataset = "/profile";
  request.mx = 2;
  request.of = TableOf::lengths;
  request.metres = metres_of(units);
  request.columns = columns_of_profile();
  require_file(path);
  const Heights heights = read_heights(path, request);
  ProfileTable table;
  for (std::size_t row = 0; row < heights.values.size(); row += 2) {
    table.y.push_back(heights.values[row]);
    table.z.push_back(heights.values[row + 1]);
    if (table.y.size() > 1 && table.y.back() <= table.y[table.y.size() - 2])
      throw InputError(
          fmt::format("{}: y does not increase in row {}; accepted: two columns y, z "
                      "with increasing y",
                      path, table.y.size()));
  }
  return table;
}

std::vector<double> depth_of_step(const WearArguments& arguments, const ResultFile& result,
                                  const ResultStep& step) {
  std::vector<double> depth = result.row_field(step, kWearProfileName);
  if (depth.empty() && step.report.surface.worn_volume)
    throw InputError(fmt::format(
        "{}: step {} shifts, which wears no profile but each place by itself; accepted: "
        "its field wear_depth_total, by `slipfield plot` or `slipfield export`",
        arguments.path, step.number));
  if (depth.empty())
    throw InputError(
        fmt::format("{}: step {} has no wear; accepted: the result of a case with the section wear",
                    arguments.path, step.number));
  return depth;
}

// Throws if steps are missing, because the run did not finish or `output.steps` leaves them out.
void require_all_steps(const WearArguments& arguments, const ResultFile& result) {
  const auto held = static_cast<int>(result.steps().size());
  const int all = std::max(result.steps().back().number, steps_of_case(result.info().header));
  if (held < all)
    throw InputError(fmt::format(
        "{}: --mean needs all steps, and the file has {} of {}; accepted: the result of a finished "
        "run with output.steps: all",
        arguments.path, held, all));
}

// Warns if output.steps leaves out the last step that ran, whose wear is asked for.
void warn_of_last_step(const std::string& path, const ResultFile& result) {
  const int last = result.steps().back().number;
  const int ran = last_reached(result.info(), last);
  if (last < ran)
    log_warning(fmt::format(
        "{}: the wear is that of step {}, the last that the file holds, of {}; accepted for "
        "certain: --step {}, or the result of a run with output.steps: last or all",
        path, last, ran, last));
}

// The mean depth over all steps, weighted by the distance that each rolled.
std::vector<double> mean_depth(const WearArguments& arguments, const ResultFile& result) {
  require_all_steps(arguments, result);
  std::vector<double> sum(static_cast<std::size_t>(result.info().header.grid.my), 0.0);
  double rolled = 0.0;
  for (const ResultStep& step : result.steps()) {
    const std::vector<double> depth = depth_of_step(arguments, result, step);
    const double distance = step.input.tangential.step;
    rolled += distance;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += distance * depth[k];
  }
  for (double& value : sum) value /= rolled;
  return sum;
}

ProfileTable worn_table(const WearArguments& arguments, const ResultFile& result,
                        std::vector<double> depth) {
  if (arguments.of == "upper" || arguments.of == "lower")  // z, outwards from the body, goes down
    for (double& value : depth) value = 0.0 - value;  // which leaves what is not worn 0, not -0
  const Grid& grid = result.info().header.grid;
  std::vector<double> y;
  for (int iy = 0; iy < grid.my; ++iy) y.push_back(grid.y(iy));
  if (arguments.add_to.empty()) return {y, depth};
  return add_depth(read_profile_to_wear(arguments.add_to, result.info().header.units), y, depth);
}

int wear_of_contact(const WearArguments& arguments) {
  std::vector<std::filesystem::path> read = {arguments.path};
  if (!arguments.add_to.empty()) read.emplace_back(arguments.add_to);
  PendingFile file(arguments.output, FileKind::worn_profile,
                   {overwrite_if(arguments.overwrite), read});
  const ResultFile result = read_result(arguments.path, {arguments.point});
  if (!arguments.mean) warn_of_incomplete(arguments.path, {arguments.point}, result);
  if (!arguments.mean && arguments.step == 0) warn_of_last_step(arguments.path, result);
  const std::vector<double> depth =
      arguments.mean ? mean_depth(arguments, result)
                     : depth_of_step(arguments, result, result.step(arguments.step));
  const ProfileTable table = worn_table(arguments, result, depth);
  std::string text = std::string(kWornProfileMark) + '\n';
  for (std::size_t i = 0; i < table.y.size(); ++i)
    text += fmt::format("{} {}\n", table.y[i], table.z[i]);
  file.write(text, "profile");
  file.commit();
  const std::string_view length = unit_text(Dimension::length, result.info().header.units);
  print_line(fmt::format("{} points written to {}, worn by up to {:.6g} {}", table.y.size(),
                         arguments.output, *std::max_element(depth.begin(), depth.end()), length));
  return static_cast<int>(ExitCode::done);
}

// --- A wheel on a rail: the profile of the wheel or of the rail

// The contacts of a step on this side: [first, last); the left wheel's come first.
std::pair<int, int> contacts_of(const WheelRecord& record, const WheelsetStep& step, Side side) {
  const auto count = static_cast<int>(record.contacts.size());
  if (step.wheels.size() == 1)
    return step.wheels.front().position.side == side ? std::pair(0, count) : std::pair(0, 0);
  const auto left = static_cast<int>(std::lround(record.get("left_contact_count", 0)));
  return side == Side::left ? std::pair(0, left) : std::pair(left, count);
}

class WornWheel {
 public:
  explicit WornWheel(const WearArguments& arguments)
      : arguments_(arguments),
        of_rail_(arguments.of == "rail"),
        file_(read_steps(arguments.path, arguments.point)),
        case_(wheel_case_of(file_.info, arguments.path)),
        side_(find_side()) {
    if (arguments.point == 0)
      warn_of_incomplete(arguments.path, file_.info, file_.steps.back().number);
    if (arguments.step == 0) require_no_gap();
    for (const ResultStep& step : file_.steps)
      if (arguments.step == 0 || step.number == file_.step(arguments.step).number)
        take(*step.wheel);
    if (contacts_.empty())
      throw InputError(arguments.path +
                       ": no contact of that wheel; accepted: another --side or --step");
  }

  [[nodiscard]] std::vector<ProfilePoint> points() const {
    if (source().slices)
      throw InputError(arguments_.path +
                       ": the rail changes along the track, and wears otherwise at each place; "
                       "accepted: --of wheel");
    return worn_points(*source().profile, contacts_);
  }
  // The greatest of any contact [mm].
  [[nodiscard]] double greatest_depth() const { return greatest_; }
  [[nodiscard]] std::string what() const {
    return fmt::format("{} {}", side_ == Side::left ? "left" : "right",
                       of_rail_ ? "rail" : "wheel");
  }

 private:
  [[nodiscard]] const ProfileSource& source() const {
    return (of_rail_ ? case_->rail : case_->wheel).of(side_);
  }
  [[nodiscard]] Side find_side() const {
    if (arguments_.side == "left") return Side::left;
    if (arguments_.side == "right") return Side::right;
    const Side first = case_->steps.front().wheels.front().position.side;
    for (const WheelsetStep& step : case_->steps)
      for (const WheelStep& wheel : step.wheels)
        if (wheel.position.side != first)
          throw InputError(arguments_.path +
                           ": the case has both sides; accepted: --side left or --side right");
    return first;
  }

  // The sum of all steps needs those that `output.steps` may leave out.
  void require_no_gap() const {
    const auto held = static_cast<int>(file_.steps.size());
    const int last = file_.steps.back().number;
    const int ran = last_reached(file_.info, last);
    if (held < ran)
      throw InputError(fmt::format(
          "{}: the sum over the steps needs all of them, and the file has {} of {}; accepted: "
          "--step {} for that step alone, or the result of a run with output.steps: all",
          arguments_.path, held, ran, last));
  }

  void take(const WheelRecord& record) {
    const WheelsetStep* step = case_->step(record.number);
    if (step == nullptr)
      throw InputError(
          fmt::format("{}: its case has no step {}, so where that wheel stood is not known; "
                      "accepted: the result of `slipfield run`",
                      arguments_.path, record.number));
    const auto [first, last] = contacts_of(record, *step, side_);
    WheelRailPosition position =
        (side_ == Side::left ? step->wheels.front() : step->wheels.back()).position;
    position.wheelset.roll = record.get("axle_roll", 0);
    for (int contact = first; contact < last; ++contact) take(record, contact + 1, position);
  }
  void take(const WheelRecord& record, int index, const WheelRailPosition& position) {
    const ResultFile result =
        read_result(arguments_.path, {arguments_.point, record.number, {}, index});
    std::vector<double> depth = result.row_field(result.step(record.number), kWearProfileName);
    if (depth.empty())
      throw InputError(
          fmt::format("{}: step {}, contact {} has no wear; accepted: the result of a "
                      "case with the section wear, whose wheels roll with friction",
                      arguments_.path, record.number, index));
    const auto number = [&](const char* name) { return record.get(name, index); };
    ContactPatch contact;
    contact.angle = number("contact_angle");
    contact.on_rail = {0.0, number("rail_y"), number("rail_z")};
    contact.on_wheel = {number("wheel_x"), number("wheel_y"), number("wheel_z")};
    contact.grid = result.info().header.grid;
    greatest_ = std::max(greatest_, *std::max_element(depth.begin(), depth.end()));
    const ProfileRole role = of_rail_ ? ProfileRole::rail : ProfileRole::wheel;
    contacts_.push_back(worn_contact(role, contact, position, std::move(depth)));
  }

  const WearArguments& arguments_;
  bool of_rail_;  // its profile, or the wheel's
  ResultSteps file_;
  std::shared_ptr<const WheelRailCase> case_;
  Side side_;
  std::vector<WornContact> contacts_;
  double greatest_ = 0.0;
};

int wear_of_wheel(const WearArguments& arguments) {
  PendingFile file(arguments.output, FileKind::worn_profile,
                   {overwrite_if(arguments.overwrite), {arguments.path}});
  const WornWheel worn(arguments);
  const std::vector<ProfilePoint> points = worn.points();
  std::string text = std::string(kWornProfileMark) +
                     fmt::format(
                         "\n# {}: y z in mm, z down, y towards the field side of a right "
                         "one; mirror_y: false, mirror_z: false\n",
                         worn.what());
  for (const ProfilePoint& point : points) text += fmt::format("{} {}\n", point.y, point.z);
  file.write(text, "profile");
  file.commit();
  print_line(
      fmt::format("{} points of the {}'s profile written to {}, the deepest contact {:.6g} mm",
                  points.size(), worn.what(), arguments.output, worn.greatest_depth()));
  return static_cast<int>(ExitCode::done);
}

// Refuses --side and --of rail or wheel for a file without a wheel on a rail.
[[noreturn]] void refuse_wheel_options(const WearArguments& arguments) {
  const bool sweep = kind_of(arguments.path) == ResultKind::sweep;
  if (sweep && arguments.point == 0 &&
      has_section(read_sweep_outline(arguments.path).info.header, "wheel_rail"))
    throw InputError(arguments.path +
                     ": this is a sweep over a wheel on a rail; accepted: one point, named by "
                     "--point N, if the sweep keeps fields, else the result of `slipfield run "
                     "CASE.yaml --point N`");
  if (!sweep || arguments.point > 0)  // says what is wrong with the file
    read_result(arguments.path, {arguments.point});
  throw InputError(arguments.path +
                   ": the case has no wheel_rail; accepted: no --side, and --of distance, upper or "
                   "lower");
}

int wear(const WearArguments& arguments) {
  const bool of_wheel_rail = arguments.of == "rail" || arguments.of == "wheel";
  if (kind_of(arguments.path, arguments.point) != ResultKind::wheel) {
    require_selection({arguments.path}, {arguments.point});
    if (of_wheel_rail || !arguments.side.empty()) refuse_wheel_options(arguments);
    return wear_of_contact(arguments);
  }
  if (!of_wheel_rail || !arguments.add_to.empty() || arguments.mean)
    throw InputError(arguments.path +
                     ": the case has wheel_rail, whose profiles wear; accepted: --of rail or --of "
                     "wheel, without --add-to and --mean");
  return wear_of_wheel(arguments);
}

}  // namespace

void add_wear_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<WearArguments>();
  CLI::App* command =
      program.add_subcommand("wear", "Write the profile that a result has worn, for the next case");
  command->add_option("file", arguments->path, "Result file (HDF5) of a case with wear")
      ->required()
      ->type_name("OUT.h5");
  command->add_option("-o,--output", arguments->output, "Table of two columns y, z to write")
      ->required()
      ->type_name("PROFILE.txt");
  command
      ->add_option("--add-to", arguments->add_to,
                   "Profile before the wear, a table y, z; default: flat, with the elements' y")
      ->type_name("PROFILE.txt");
  command
      ->add_option(
          "--of", arguments->of,
          "What z describes: the bodies' distance, or the upper or lower body's surface, z "
          "outwards; default: distance. With wheel_rail the profile: rail, wheel")
      ->type_name("BODY")
      ->check(CLI::IsMember({"distance", "upper", "lower", "rail", "wheel"}).description(""));
  add_side_option(*command, arguments->side,
                  "With wheel_rail: whose profile; default: that of the only side", false);
  add_step_option(*command, arguments->step,
                  "The step; default: the last, with wheel_rail the sum of all");
  command
      ->add_flag(
          "--mean", arguments->mean,
          "The depths of all steps together, each weighted by the distance that it has rolled")
      ->excludes("--step");
  add_point_option(*command, arguments->point, "The point of a sweep with fields");
  command->add_flag("--overwrite", arguments->overwrite, "Replace an existing worn profile");
  command->footer(
      "Examples:\n"
      "  slipfield wear out.h5 -o worn.txt\n"
      "  slipfield wear out.h5 -o worn2.txt --add-to worn1.txt --of lower\n"
      "  slipfield wear transient.h5 -o worn.txt --mean\n"
      "The depths are those of the case's wear.passes, all taken off the one profile. A case reads "
      "the\n"
      "table as {type: profile, file: worn.txt}.\n"
      "  slipfield wear wheel.h5 --of rail -o worn_rail.txt\n"
      "The profile of the case less what its contacts wear off, for wheel_rail: {rail: {profile: "
      "worn_rail.txt}}.\n"
      "Exit codes: 0 done; 2 the file or the command line is wrong; 3 anything else that failed.");
  command->callback([arguments, &action] {
    action = [arguments] {
      settle_step({arguments->path}, arguments->point, arguments->step);
      return wear(*arguments);
    };
  });
}

}  // namespace slipfield
