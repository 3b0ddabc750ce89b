// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>

#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/case/writer.h"
#include "io/yaml/writer.h"

namespace slipfield {
namespace {

std::string keys_text(const ProfileSource& source) {
  const ProfileChanges& changes = source.changes;
  std::string text = fmt::format("{{profile: {}", double_quoted(source.path.string()));
  if (changes.mirror_y) text += fmt::format(", mirror_y: {}", *changes.mirror_y);
  if (changes.mirror_z) text += fmt::format(", mirror_z: {}", *changes.mirror_z);
  if (changes.unit) text += fmt::format(", unit: {}", name_of(kProfileUnits, *changes.unit));
  return text + fmt::format(", scale: {}, shift: [{}, {}], smoothing: {}}}", changes.scale,
                            changes.shift_y, changes.shift_z, changes.smoothing);
}

std::string profiles_text(const SideProfiles& profiles) {
  if (!profiles.differ) return keys_text(profiles.right);
  return fmt::format("{{profile: {}, left: {}, right: {}}}",
                     double_quoted(profiles.right.path.string()), keys_text(profiles.left),
                     keys_text(profiles.right));
}

// Another file of the same name is another profile: a comment that tells them apart.
std::string points_remark(const SideProfiles& profiles) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  const auto add = [&hash](double value) {
    for (std::uint64_t bits = std::bit_cast<std::uint64_t>(value); bits != 0; bits >>= 8U)
      hash = (hash ^ (bits & 0xffU)) * 1099511628211U;
  };
  for (const ProfileSource* source : {&profiles.left, &profiles.right}) {
    if (!source->profile) continue;
    for (const ProfilePoint& point : source->profile->points) {
      add(point.y);
      add(point.z);
    }
  }
  return fmt::format("  # points {:016x}", hash);
}

std::string irregularity_text(const Track& track) {
  return fmt::format(
      "{{y: {}, z: {}, roll: {}, velocity_y: {}, velocity_z: {}, velocity_roll: {}}}", track.rail_y,
      track.rail_z, track.rail_roll, track.rail_velocity_y, track.rail_velocity_z,
      track.rail_velocity_roll);
}

// `track`: of the left wheel where there are `both`.
std::string rail_place_text(const Track& track, bool both, const std::string& indent) {
  if (!track.rail_origin)
    return fmt::format("{0}  gauge: {1}\n{0}  gauge_height: {2}\n", indent, track.gauge,
                       track.gauge_height);
  const auto& [y, z] = *track.rail_origin;
  return fmt::format("{}  rail_origin: [{}, {}]\n", indent, both ? -y : y, z);
}

// side, track, wheelset, forces as lines after `indent`.
std::string state_text(const WheelsetStep& step, const std::string& indent) {
  const bool both = step.wheels.size() == 2;
  const WheelStep& first = step.wheels.front();
  const Track& track = first.position.track;
  const Wheelset& set = first.position.wheelset;
  const char* side = first.position.side == Side::left ? "left" : "right";
  std::string text = fmt::format("{}side: {}\n", indent, both ? "both" : side);
  if (first.position.shifts) text += fmt::format("{}problem: shift\n", indent);
  text += fmt::format("{}track:\n", indent) + rail_place_text(track, both, indent);
  text += fmt::format("{0}  cant: {1}\n{0}  curvature: {2}\n", indent, track.cant, track.curvature);
  if (track.roller_radius > 0.0)
    text += fmt::format("{}  roller: {{radius: {}, pitch: {}}}\n", indent, track.roller_radius,
                        track.roller_pitch);
  text += fmt::format("{}  irregularity: ", indent);
  text += both ? fmt::format("{{left: {}, right: {}}}\n", irregularity_text(track),
                             irregularity_text(step.wheels.back().position.track))
               : irregularity_text(track) + "\n";
  text += fmt::format(
      "{0}wheelset:\n{0}  flange_back_distance: {1}\n{0}  flange_back_position: {2}\n"
      "{0}  nominal_radius: {3}\n{0}  y: {4}\n",
      indent, set.flange_back_distance, set.flange_back_position, set.nominal_radius, set.y);
  const bool has_height = step.geometry_only ? !step.touching : !first.vertical_force;
  if (has_height || !both) text += fmt::format("{}  roll: {}\n", indent, set.roll);
  text += fmt::format("{}  yaw: {}\n", indent, set.yaw);
  if (has_height) text += fmt::format("{}  z: {}\n", indent, set.z);
  const std::string pitch =
      first.longitudinal_force ? "" : fmt::format("pitch: {}, ", set.velocity_pitch);
  text += fmt::format("{}  velocity: {{x: {}, y: {}, z: {}, roll: {}, {}yaw: {}}}\n", indent,
                      set.velocity_x, set.velocity_y, set.velocity_z, set.velocity_roll, pitch,
                      set.velocity_yaw);
  if (first.longitudinal_force)
    text += fmt::format("{}longitudinal_force: {}\n", indent, *first.longitudinal_force);
  if (!first.vertical_force) return text;
  return text + (both ? fmt::format("{}vertical_force: [{}, {}]\n", indent, *first.vertical_force,
                                    *step.wheels.back().vertical_force)
                      : fmt::format("{}vertical_force: {}\n", indent, *first.vertical_force));
}

std::string step_friction_text(const WheelsetStep& step) {
  const WheelStep& wheel = step.wheels.front();
  return friction_text(wheel.friction, wheel.friction_by_inclination ? kByInclination : "y");
}

}  // namespace

std::string wheel_rail_text(const CaseFile& file) {
  const WheelRailCase& wheel_rail = *file.wheel_rail;
  const PatchSettings& patches = wheel_rail.patches;
  const std::vector<WheelsetStep>& steps = wheel_rail.steps;
  std::string text = fmt::format(
      "wheel_rail:\n  wheel: {}{}\n  rail: {}{}\n  spacing: [{}, {}]\n"
      "  merge: {{distance: {}, angle: {}}}\n",
      profiles_text(wheel_rail.wheel), points_remark(wheel_rail.wheel),
      profiles_text(wheel_rail.rail), points_remark(wheel_rail.rail), patches.spacing_x,
      patches.spacing_y, patches.merge_distance, patches.merge_angle);
  if (patches.conformal)
    text += fmt::format("  contact_surface: {}\n", name_of(kContactSurfaces, patches.conformal));
  if (steps.front().geometry_only) text += "  geometry_only: true\n";
  text += state_text(steps.front(), "  ");
  if (steps.size() == 1) return text + "friction: " + step_friction_text(steps.front()) + "\n";
  text += "steps:\n";
  for (const WheelsetStep& step : steps)
    text += "  - friction: " + step_friction_text(step) + "\n    wheel_rail:\n" +
            state_text(step, "      ");
  return text;
}

}  // namespace slipfield
