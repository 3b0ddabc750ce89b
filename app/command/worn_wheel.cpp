// SPDX-License-Identifier: Apache-2.0
#include "app/command/worn_wheel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "app/console.h"
#include "app/failure.h"
#include "app/figures/profiles.h"
#include "app/report/incomplete.h"
#include "io/output_rule.h"
#include "io/pending_file.h"
#include "io/result/reader.h"
#include "io/result/wheel/table.h"
#include "solver/error.h"
#include "solver/wheel_rail/surface/worn_profile.h"

namespace slipfield {
namespace {

// The contacts of a step that are on this side: [first, last), the left wheel's come first.
std::pair<int, int> contacts_of(const WheelRecord& record, const WheelsetStep& step, Side side) {
  const auto count = static_cast<int>(record.contacts.size());
  if (step.wheels.size() == 1)
    return step.wheels.front().position.side == side ? std::pair(0, count) : std::pair(0, 0);
  const auto left = static_cast<int>(std::lround(record.get("left_contact_count", 0)));
  return side == Side::left ? std::pair(0, left) : std::pair(left, count);
}

class WornWheel {
 public:
  explicit WornWheel(const WornWheelArguments& arguments)
      : arguments_(arguments),
        file_(read_steps(arguments.path, arguments.point)),
        case_(wheel_case_of(file_.info, arguments.path)),
        side_(find_side()) {
    if (arguments.point == 0)
      warn_of_incomplete(arguments.path, file_.info, file_.steps.back().number);
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
                       arguments_.rail ? "rail" : "wheel");
  }

 private:
  [[nodiscard]] const ProfileSource& source() const {
    return (arguments_.rail ? case_->rail : case_->wheel).of(side_);
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

  void take(const WheelRecord& record) {
    const auto index = static_cast<std::size_t>(record.number) - 1;
    if (index >= case_->steps.size()) return;
    const WheelsetStep& step = case_->steps[index];
    const auto [first, last] = contacts_of(record, step, side_);
    WheelRailPosition position =
        (side_ == Side::left ? step.wheels.front() : step.wheels.back()).position;
    position.wheelset.roll = record.get("axle_roll", 0);
    for (int contact = first; contact < last; ++contact) take(record, contact + 1, position);
  }
  void take(const WheelRecord& record, int index, const WheelRailPosition& position) {
    const ResultFile result =
        read_result(arguments_.path, {arguments_.point, record.number, {}, index});
    std::vector<double> depth = result.wear_profile(result.step(record.number));
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
    const ProfileRole role = arguments_.rail ? ProfileRole::rail : ProfileRole::wheel;
    contacts_.push_back(worn_contact(role, contact, position, std::move(depth)));
  }

  const WornWheelArguments& arguments_;
  ResultSteps file_;
  std::shared_ptr<const WheelRailCase> case_;
  Side side_;
  std::vector<WornContact> contacts_;
  double greatest_ = 0.0;
};

}  // namespace

int wear_of_wheel(const WornWheelArguments& arguments) {
  PendingFile file(arguments.output, FileKind::worn_profile,
                   {arguments.overwrite ? Overwrite::allow : Overwrite::refuse, {arguments.path}});
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

}  // namespace slipfield
