#include <fmt/format.h>

#include "io/case/wheel_rail/wheel_rail.h"
#include "io/case/writer.h"
#include "io/yaml/writer.h"

namespace slipfield {
namespace {

std::string profile_text(const ProfileSource& source) {
  const ProfileChanges& changes = source.changes;
  std::string text = fmt::format("{{profile: {}", double_quoted(source.path.string()));
  if (changes.mirror_y) text += fmt::format(", mirror_y: {}", *changes.mirror_y);
  if (changes.mirror_z) text += fmt::format(", mirror_z: {}", *changes.mirror_z);
  return text + fmt::format(", scale: {}, shift: [{}, {}], smoothing: {}}}", changes.scale,
                            changes.shift_y, changes.shift_z, changes.smoothing);
}

// side, track, wheelset, vertical_force as lines after `indent`.
std::string state_text(const WheelStep& step, const std::string& indent) {
  const Track& track = step.position.track;
  const Wheelset& set = step.position.wheelset;
  std::string text =
      fmt::format("{}side: {}\n", indent, step.position.side == Side::left ? "left" : "right");
  text += fmt::format(
      "{0}track:\n{0}  gauge: {1}\n{0}  gauge_height: {2}\n{0}  cant: {3}\n{0}  curvature: {4}\n"
      "{0}  irregularity: {{y: {5}, z: {6}, roll: {7}, velocity_y: {8}, velocity_z: {9}, "
      "velocity_roll: {10}}}\n",
      indent, track.gauge, track.gauge_height, track.cant, track.curvature, track.rail_y,
      track.rail_z, track.rail_roll, track.rail_velocity_y, track.rail_velocity_z,
      track.rail_velocity_roll);
  text += fmt::format(
      "{0}wheelset:\n{0}  flange_back_distance: {1}\n{0}  flange_back_position: {2}\n"
      "{0}  nominal_radius: {3}\n{0}  y: {4}\n{0}  roll: {5}\n{0}  yaw: {6}\n",
      indent, set.flange_back_distance, set.flange_back_position, set.nominal_radius, set.y,
      set.roll, set.yaw);
  if (!step.vertical_force) text += fmt::format("{}  z: {}\n", indent, set.z);
  text += fmt::format("{}  velocity: {{x: {}, y: {}, z: {}, roll: {}, pitch: {}, yaw: {}}}\n",
                      indent, set.velocity_x, set.velocity_y, set.velocity_z, set.velocity_roll,
                      set.velocity_pitch, set.velocity_yaw);
  if (step.vertical_force)
    text += fmt::format("{}vertical_force: {}\n", indent, *step.vertical_force);
  return text;
}

}  // namespace

std::string wheel_rail_text(const CaseFile& file) {
  const WheelRailCase& wheel_rail = *file.wheel_rail;
  const PatchSettings& patches = wheel_rail.patches;
  const std::vector<WheelStep>& steps = wheel_rail.steps;
  std::string text = fmt::format(
      "wheel_rail:\n  wheel: {}\n  rail: {}\n  spacing: [{}, {}]\n"
      "  merge: {{distance: {}, angle: {}}}\n",
      profile_text(wheel_rail.wheel), profile_text(wheel_rail.rail), patches.spacing_x,
      patches.spacing_y, patches.merge_distance, patches.merge_angle);
  text += state_text(steps.front(), "  ");
  if (steps.size() == 1) return text + "friction: " + friction_text(steps.front().friction) + "\n";
  text += "steps:\n";
  for (const WheelStep& step : steps)
    text += "  - friction: " + friction_text(step.friction) + "\n    wheel_rail:\n" +
            state_text(step, "      ");
  return text;
}

}  // namespace slipfield
